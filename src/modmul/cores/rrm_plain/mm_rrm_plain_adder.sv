// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_plain_adder: digits of two bits, each by itself, with a saved carry:
//
//   s_o + 4 * c_o = a_i + b_i + c_i                                  <= 3 + 3 + 1 = 7
//
// The digits share carry chains, Part of them in each. In a chain there is a bit below each digit, which adds c_i to
// c_i: its sum is the carry of the digit below, which goes no further, and its carry is c_i.
//
`default_nettype none

module mm_rrm_plain_adder #(
  parameter int Digits = 130,
  parameter int Part   = 8
) (
  input  wire  [2*Digits-1:0] a_i,
  input  wire  [2*Digits-1:0] b_i,
  input  wire  [Digits-1:0]   c_i,
  output logic [2*Digits-1:0] s_o,
  output logic [Digits-1:0]   c_o
);

  localparam int Parts = (Digits + Part - 1) / Part;

  for (genvar i = 0; i < Parts; i++) begin : gen_part
    localparam int First = i * Part;
    localparam int Here  = First + Part > Digits ? Digits - First : Part;

    logic [3*Here:0] left, right, sum;
    logic            unused_first;

    assign left[3*Here]  = 1'b0;
    assign right[3*Here] = 1'b0;
    assign sum           = left + right;
    assign unused_first  = sum[0];

    for (genvar j = 0; j < Here; j++) begin : gen_digit
      assign left[3*j+:3]             = {a_i[2*(First+j)+:2], c_i[First+j]};
      assign right[3*j+:3]            = {b_i[2*(First+j)+:2], c_i[First+j]};
      assign s_o[2*(First+j)+:2]      = sum[3*j+1+:2];
      assign c_o[First+j]             = sum[3*(j+1)];
    end
  end

endmodule

`default_nettype wire
