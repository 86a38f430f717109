// SPDX-License-Identifier: Apache-2.0
//
// mm_msm_muls: Count products modulo M side by side, each of its own operands: mm_msm_mul, which has the rules.
//
`default_nettype none

module mm_msm_muls #(
  parameter int Count     = 2,
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
  input  wire                    clk_i,
  input  wire  [Count*Width-1:0] x_i,
  input  wire  [Count*Width-1:0] y_i,
  output logic [Count*Width-1:0] z_o
);

  for (genvar i = 0; i < Count; i++) begin : gen_mul
    logic [Width-1:0] z;

    mm_msm_mul #(
      .Width(Width), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Terms(Terms), .Modulus(Modulus),
      .MulCycles(MulCycles), .TopCycles(TopCycles), .LowCycles(LowCycles), .Guard(Guard)
    ) u_mul (
      .clk_i, .x_i(x_i[i*Width+:Width]), .y_i(y_i[i*Width+:Width]), .z_o(z)
    );

    assign z_o[i*Width+:Width] = z;
  end

endmodule

`default_nettype wire
