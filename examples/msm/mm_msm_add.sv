// SPDX-License-Identifier: Apache-2.0
//
// mm_msm_add: z = a + b mod M, or with Subtract = 1 z = a - b mod M, for the one M of a build; Carry bits a cycle.
//
//    1  r = a + b - M or a - b, in n + 1 bits, n = Width      -M <= r < M
//    2  z = r or r + M                                        0 <= z < M
//
//   The sum of step 1 is one addition of three numbers, M being constant.
//   ceil((Width + 1) / Carry) + ceil(Width / Carry) cycles.
//
// Legal: 0 <= a, b < M.
//
`default_nettype none

module mm_msm_add #(
  parameter int Width    = 10,
  parameter int Carry    = 144,
  parameter int Subtract = 0,
  parameter     Modulus  = 577
) (
  input  wire              clk_i,
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] b_i,
  output logic [Width-1:0] z_o
);

  localparam int N = Width;

  localparam logic [N:0] M = (N+1)'(Modulus);

  // Step 1.
  logic [N:0] a, b, r;

  assign a = {1'b0, a_i};
  assign b = {1'b0, b_i};

  if (Subtract != 0) begin : gen_less
    mm_pipelined_add #(
      .Bits(N + 1), .Carry(Carry)
    ) u_r (
      .clk_i, .subtract_i(1'b1), .a_i(a), .b_i(b), .sum_o(r)
    );
  end else begin : gen_sum
    localparam logic [N:0] Less = {(N+1){1'b1}} - M + 1'b1;  // -M

    logic [N:0] less, a_late, b_late, sum;

    assign less = Less;

    mm_pipelined_skew #(
      .Bits(N + 1), .Piece(Carry)
    ) u_a (
      .clk_i, .d_i(a), .q_o(a_late)
    );

    mm_pipelined_skew #(
      .Bits(N + 1), .Piece(Carry)
    ) u_b (
      .clk_i, .d_i(b), .q_o(b_late)
    );

    mm_pipelined_sum3 #(
      .Bits(N + 1), .Piece(Carry)
    ) u_sum (
      .clk_i, .a_i(a_late), .b_i(b_late), .c_i(less), .sum_o(sum)
    );

    mm_pipelined_skew #(
      .Bits(N + 1), .Piece(Carry), .Back(1)
    ) u_r (
      .clk_i, .d_i(sum), .q_o(r)
    );
  end

  // Step 2.
  logic [N-1:0] r_low, more;

  assign r_low = r[N-1:0];
  assign more  = M[N-1:0] & {N{r[N]}};

  mm_pipelined_add #(
    .Bits(N), .Carry(Carry)
  ) u_z (
    .clk_i, .subtract_i(1'b0), .a_i(r_low), .b_i(more), .sum_o(z_o)
  );

endmodule

`default_nettype wire
