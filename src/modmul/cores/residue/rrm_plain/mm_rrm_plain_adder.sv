// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_plain_adder: digits of two bits, each separately, with a saved carry:
//
//   s_o + 4 * c_o = a_i + b_i + c_i                                  <= 3 + 3 + 1 = 7
//
// The digits share a carry chain. There is a bit below each digit, which adds c_i to c_i: its sum is the carry of the
// digit below, which goes no further, and its own carry is c_i.
//
`default_nettype none

module mm_rrm_plain_adder #(
  parameter int Digits = 8
) (
  input  wire  [2*Digits-1:0] a_i,
  input  wire  [2*Digits-1:0] b_i,
  input  wire  [Digits-1:0]   c_i,
  output logic [2*Digits-1:0] s_o,
  output logic [Digits-1:0]   c_o
);

  logic [3*Digits:0] left, right, sum;
  logic              unused_first;

  assign left[3*Digits]  = 1'b0;
  assign right[3*Digits] = 1'b0;
  assign sum             = left + right;
  assign unused_first    = sum[0];

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign left[3*j+:3]  = {a_i[2*j+:2], c_i[j]};
    assign right[3*j+:3] = {b_i[2*j+:2], c_i[j]};
    assign s_o[2*j+:2]   = sum[3*j+1+:2];
    assign c_o[j]        = sum[3*(j+1)];
  end

endmodule

`default_nettype wire
