// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_ones: z = T mod M for M = 2^n - 1, n = Width, 0 <= T <= M^2.
//
//    2  t = (T mod 2^n) + (T >> n), 0 <= t < 2M
//    3  z = t or t - M, as the lower n bits of t or of t + 1
//
//   Cycles: those of an addition for each step, Add or with Deep = 1 as many as Carry bits in each take, and with
//   Deep = 1 one between them, in which t is compared.
//
`default_nettype none

module mm_small_fixed_ones #(
  parameter int Width = 31,
  parameter int Carry = 36,
  parameter int Deep  = 0
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int Bits = Width + 1;

  logic [Width:0]   low, high, sum, sum_late;
  logic [Width-1:0] none;
  logic             above, above_late;

  assign low  = {1'b0, t_i[Width-1:0]};
  assign high = {1'b0, t_i[2*Width-1:Width]};
  assign none = '0;

  // Step 2.
  mm_small_sum #(
    .Bits(Bits), .Cycles(Deep != 0 ? (Bits + Carry - 1) / Carry : 1)
  ) u_sum (
    .clk_i, .en_i, .a_i(low), .b_i(high), .carry_i(1'b0), .sum_o(sum)
  );

  // Step 3.
  assign above = sum[Width] | &sum[Width-1:0];  // t >= M

  mm_small_delay #(
    .Bits(Bits + 1), .Cycles(Deep)
  ) u_late (
    .clk_i, .en_i, .d_i({sum, above}), .q_o({sum_late, above_late})
  );

  mm_small_sum #(
    .Bits(Width), .Cycles(Deep != 0 ? (Width + Carry - 1) / Carry : 1)
  ) u_z (
    .clk_i, .en_i, .a_i(sum_late[Width-1:0]), .b_i(none), .carry_i(above_late), .sum_o(z_o)
  );

  logic unused_top;
  assign unused_top = sum_late[Width];

endmodule

`default_nettype wire
