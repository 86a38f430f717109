// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_proth: z = T mod M for M = k * 2^m + 1 with k = 2^g - 1, 0 <= T <= M^2, n = g + m = Width. As
// k * 2^m is -1 modulo M, T = C * 2^m + L becomes R * 2^m + L - Q, where C = k * Q + R: a division by k, which is
// additions, for 1 / k = 2^-g (1 + 2^-g) (1 + 2^-2g) (1 + 2^-4g) ...
//
//    2  E = T >> n - f, f bits behind the point; E = E + (E >> g), E = E + (E >> 2g), ... Levels times; q = E >> f
//    3  R = C - k * q in g + 1 bits; Q = q + c, R = R - c * k, c = 1 if R >= k: q is Q or one less
//    4  r = R * 2^m + L - Q, -M <= r < M
//    5  z = r or r + M
//
//   f and Levels are such that all that is cut off in step 2 is less than 1.
//   Cycles: with Deep = 0 one for two levels, what is left of them with steps 3 and 4, step 5; with Deep = 1 one for
//   each level and each step.
//
`default_nettype none

module mm_small_fixed_proth #(
  parameter int Width  = 31,
  parameter int G      = 4,
  parameter int Levels = 3,
  parameter int Behind = 3,  // f
  parameter int Deep   = 0
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int N        = Width;
  localparam int Place    = N - G;              // m
  localparam int EBits    = N + Behind;
  localparam int PerCycle = Deep != 0 ? 1 : 2;
  localparam int Before   = Levels / PerCycle;  // cycles of levels before those of step 3

  localparam logic [N:0] One = 1;
  localparam logic [N:0] M   = (One << N) - (One << Place) + One;

  // Step 2.
  logic [EBits-1:0] e;
  logic [N-1:0]     q, q_late;
  logic [N:0]       low;  // what is left of T for steps 3 and 4: L, and g + 1 bits of C
  logic             unused_behind;

  for (genvar i = 0; i <= Levels; i++) begin : gen_level
    logic [EBits-1:0] sum;

    if (i == 0) begin : gen_first
      assign sum = t_i[2*N-1:N-Behind];
    end else begin : gen_next
      logic [EBits-1:0] next;
      assign next = gen_level[i-1].sum + (gen_level[i-1].sum >> (G << (i - 1)));
      mm_small_delay #(.Bits(EBits), .Cycles(i % PerCycle == 0 ? 1 : 0)) u_sum (.clk_i, .en_i, .d_i(next), .q_o(sum));
    end
  end

  assign e             = gen_level[Levels].sum;
  assign q             = e[EBits-1:Behind];
  assign unused_behind = ^e;

  mm_small_delay #(.Bits(N + 1), .Cycles(Before)) u_low (.clk_i, .en_i, .d_i(t_i[N:0]), .q_o(low));

  // Step 3.
  logic [G:0]   rest;
  logic [G-1:0] r_top;
  logic [N-1:0] r_late;
  logic         more, more_late;

  assign rest  = (low[N:Place] + q[G:0]) ^ {q[0], G'(0)};
  assign more  = rest[G] | &rest[G-1:0];
  assign r_top = rest[G-1:0] + G'(more);

  mm_small_delay #(
    .Bits(2 * N + 1), .Cycles(Deep)
  ) u_step3 (
    .clk_i, .en_i, .d_i({q, r_top, low[Place-1:0], more}), .q_o({q_late, r_late, more_late})
  );

  // Steps 4 and 5.
  logic [N:0]   r_q;
  logic [N-1:0] z_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      r_q <= {1'b0, r_late} - {1'b0, q_late} - (N+1)'(more_late);
      z_q <= r_q[N-1:0] + (r_q[N] ? M[N-1:0] : N'(0));
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
