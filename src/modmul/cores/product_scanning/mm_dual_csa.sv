// SPDX-License-Identifier: Apache-2.0
//
// mm_dual_csa: a row of dual-field full adders (Zhang et al., Fig. 5).
//
//   GF(p)    sum_o + carry_o = a_i + b_i + c_i   mod 2^Width
//   GF(2^m)  sum_o = a_i ^ b_i ^ c_i, carry_o = 0
//
// prime_i is 1 in GF(p). It gates the carries, and only them. Where an operand has a constant 0, the full
// adder is a half adder.
//
`default_nettype none

module mm_dual_csa #(
  parameter int Width = 64
) (
  input  wire              prime_i,
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] b_i,
  input  wire  [Width-1:0] c_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);

  assign sum_o   = a_i ^ b_i ^ c_i;
  assign carry_o = (((a_i & b_i) | (a_i & c_i) | (b_i & c_i)) & {Width{prime_i}}) << 1;

endmodule

`default_nettype wire
