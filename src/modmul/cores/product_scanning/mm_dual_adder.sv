// SPDX-License-Identifier: Apache-2.0
//
// mm_dual_adder: dual-field adder (Zhang et al., Fig. 6).
//
//   GF(p)    sum_o = a + b_i + carry_i   mod 2^Width
//   GF(2^m)  sum_o = a ^ b_i
//
// The operand a comes on one of two ports, the other one being 0: on carry_a_i in GF(p), where its bits make carries,
// and on plain_a_i in GF(2^m), where they do not. Two registers side by side, one of them held at 0 by the field, are
// the gate of Fig. 6 at no cost. carry_i has to be 0 in GF(2^m).
//
`default_nettype none

module mm_dual_adder #(
  parameter int Width = 64
) (
  input  wire  [Width-1:0] carry_a_i,
  input  wire  [Width-1:0] plain_a_i,
  input  wire  [Width-1:0] b_i,
  input  wire              carry_i,
  output logic [Width-1:0] sum_o
);

  logic unused_low;

  // The bit below the sum turns carry_i into a carry: one chain instead of two.
  assign {sum_o, unused_low} = {carry_a_i, carry_i} + {plain_a_i ^ b_i, carry_i};

endmodule

`default_nettype wire
