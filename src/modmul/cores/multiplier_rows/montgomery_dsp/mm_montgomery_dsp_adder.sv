// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_adder: a + b and a carry, in one carry chain: the carry enters through a bit below the sum.
//
`default_nettype none

module mm_montgomery_dsp_adder #(
  parameter int Bits = 18
) (
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  input  wire             carry_i,
  output logic [Bits-1:0] sum_o,
  output logic            carry_o
);

  logic unused_below;

  assign {carry_o, sum_o, unused_below} = {1'b0, a_i, 1'b1} + {1'b0, b_i, carry_i};

endmodule

`default_nettype wire
