// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_adder: X + T of mm_rrm_split for a digit, with a saved carry.
//
//   e_o + 2^Bits * c_o = (x_i, or ~x_i where sign_i is 1) + t_i + c_i      <= 2 * (2^Bits - 1) + 1 = 2^(Bits+1) - 1
//
// mm_rrm_split_adder.ecp5.sv has a bit in each half of a CCU2C, including the choice of x_i or ~x_i.
//
`default_nettype none

module mm_rrm_split_adder #(
  parameter int Bits = 4
) (
  input  wire             sign_i,
  input  wire  [Bits-1:0] x_i,
  input  wire  [Bits-1:0] t_i,
  input  wire             c_i,
  output logic [Bits-1:0] e_o,
  output logic            c_o
);

  logic [Bits+1:0] sum;
  logic            unused_first;

  // The carry enters through a bit below.
  assign sum          = {1'b0, x_i ^ {Bits{sign_i}}, c_i} + {1'b0, t_i, c_i};
  assign e_o          = sum[Bits:1];
  assign c_o          = sum[Bits+1];
  assign unused_first = sum[0];

endmodule

`default_nettype wire
