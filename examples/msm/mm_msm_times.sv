// SPDX-License-Identifier: Apache-2.0
//
// mm_msm_times: z = f * a mod M, f = 2^Shift + 1, for the one M of a build, of n = Width bits; Carry bits a cycle.
//
//    1  w = f * a                                                              w < f * M
//    2  q = h * 2^(n-3) / M, rounded down, h = w >> (n - 3), by comparisons    w/M - 5/4 < q <= w/M
//    3  r = w - q * M - M, in n + 1 bits                                       -M <= r < M / 4
//    4  z = r or r + M                                                         0 <= z < M
//
//   ceil((Width + Shift + 1) / Carry) + 1 + ceil((Width + 1) / Carry) + ceil(Width / Carry) cycles.
//
// Legal: 0 <= a < M; n from 4.
//
`default_nettype none

module mm_msm_times #(
  parameter int Width   = 10,
  parameter int Carry   = 144,
  parameter int Shift   = 3,
  parameter     Modulus = 577
) (
  input  wire              clk_i,
  input  wire  [Width-1:0] a_i,
  output logic [Width-1:0] z_o
);

  localparam int N      = Width;
  localparam int F      = (1 << Shift) + 1;
  localparam int WBits  = N + Shift + 1;
  localparam int HBits  = Shift + 4;
  localparam int QBits  = Shift + 1;
  localparam int Behind = N - 3;

  localparam logic [WBits:0] M   = (WBits+1)'(Modulus);
  localparam logic [N:0]     Low = M[N:0];

  // Step 1.
  logic [WBits-1:0] once, more_times, w;

  assign once       = WBits'(a_i);
  assign more_times = once << Shift;

  mm_pipelined_add #(
    .Bits(WBits), .Carry(Carry)
  ) u_w (
    .clk_i, .subtract_i(1'b0), .a_i(more_times), .b_i(once), .sum_o(w)
  );

  // Step 2.
  logic [HBits-1:0] h;
  logic [QBits-1:0] q, q_q;
  logic [N:0]       w_low, w_q, multiple, r;

  assign h     = w[WBits-1:Behind];
  assign w_low = w[N:0];

  function automatic logic [QBits-1:0] quotient(input logic [HBits-1:0] top);
    logic [WBits:0] least;
    quotient = '0;
    for (int i = 1; i < F; i++) begin
      least = (WBits+1)'(i) * M + ((WBits+1)'(1) << Behind) - (WBits+1)'(1);
      if ({1'b0, top} >= (HBits+1)'(least >> Behind)) quotient = QBits'(i);
    end
  endfunction

  assign q = quotient(h);

  always_ff @(posedge clk_i) begin
    q_q <= q;
    w_q <= w_low;
  end

  // Step 3.
  function automatic logic [N:0] next_multiple(input logic [QBits-1:0] number);
    next_multiple = '0;
    for (int i = 0; i < F; i++) begin
      if (number == QBits'(i)) next_multiple = (N+1)'(i + 1) * Low;
    end
  endfunction

  assign multiple = next_multiple(q_q);

  mm_pipelined_add #(
    .Bits(N + 1), .Carry(Carry)
  ) u_r (
    .clk_i, .subtract_i(1'b1), .a_i(w_q), .b_i(multiple), .sum_o(r)
  );

  // Step 4.
  logic [N-1:0] r_low, back;

  assign r_low = r[N-1:0];
  assign back  = M[N-1:0] & {N{r[N]}};

  mm_pipelined_add #(
    .Bits(N), .Carry(Carry)
  ) u_z (
    .clk_i, .subtract_i(1'b0), .a_i(r_low), .b_i(back), .sum_o(z_o)
  );

endmodule

`default_nettype wire
