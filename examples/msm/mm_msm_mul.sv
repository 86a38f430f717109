// SPDX-License-Identifier: Apache-2.0
//
// mm_msm_mul: z = x * y mod M for the one M of a build, a product every clock cycle: the product and the reduction of
// mm_pipelined, without its context, its handshakes and its memory of results.
//
//    1  T = x * y             mm_pipelined_mul        T <= M^2
//    2  z = T mod M           mm_pipelined_fixed      z < M
//
//   MulCycles, TopCycles, LowCycles and Guard follow from the other parameters (schedule in msm.py).
//   MulCycles + TopCycles + LowCycles + ceil((Width + 1) / Carry) + ceil(Width / Carry) cycles.
//
// Legal: 0 <= x, y <= M.
//
`default_nettype none

(* keep_hierarchy *)
module mm_msm_mul #(
  parameter int Width     = 10,
  parameter int TileA     = 25,
  parameter int TileB     = 18,
  parameter int Leaf      = 104,
  parameter int Carry     = 144,
  parameter int Terms     = 3,
  parameter     Modulus   = 577,
  parameter int MulCycles = 3,
  parameter int TopCycles = 3,
  parameter int LowCycles = 3,
  parameter int Guard     = 4
) (
  input  wire              clk_i,
  input  wire  [Width-1:0] x_i,
  input  wire  [Width-1:0] y_i,
  output logic [Width-1:0] z_o
);

  // Compiled once for all its instances, and synthesised once by the attribute above.
  /* verilator no_inline_module */

  logic [2*Width-1:0] product;

  mm_pipelined_mul #(
    .Bits(Width), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Cycles(MulCycles)
  ) u_product (
    .clk_i, .a_i(x_i), .b_i(y_i), .p_o(product)
  );

  mm_pipelined_fixed #(
    .Width(Width), .Carry(Carry), .Terms(Terms), .Guard(Guard), .TopCycles(TopCycles), .LowCycles(LowCycles),
    .Modulus(Modulus)
  ) u_fixed (
    .clk_i, .t_i(product), .z_o
  );

endmodule

`default_nettype wire
