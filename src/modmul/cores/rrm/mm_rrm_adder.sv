// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_adder: digit-carry-save addition, s + a + c in each of some digits, with one saved carry a digit.
//
//   digit j    s_o + 2^K * c_o = s_i + a_i + c_i                           <= 2 * (2^K - 1) + 1 = 2^(K+1) - 1
//
// All digits are in one carry chain. A bit of its own below each digit adds c_i to c_i: it keeps the carry of
// the digit below, as its sum, from going on, and starts the digit with the carry c_i.
//
`default_nettype none

module mm_rrm_adder #(
  parameter int DigitBits = 2,
  parameter int Digits    = 8
) (
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits*DigitBits-1:0] a_i,
  input  wire  [Digits-1:0]           c_i,
  output logic [Digits*DigitBits-1:0] s_o,
  output logic [Digits-1:0]           c_o
);

  localparam int Slot = DigitBits + 1;
  localparam int Bits = Digits * Slot;

  logic [Bits-1:0] left, right;
  logic [Bits:0]   sum;
  logic            unused_first;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign left[j*Slot+:Slot]          = {a_i[j*DigitBits+:DigitBits], c_i[j]};
    assign right[j*Slot+:Slot]         = {s_i[j*DigitBits+:DigitBits], c_i[j]};
    assign s_o[j*DigitBits+:DigitBits] = sum[j*Slot+1+:DigitBits];
    assign c_o[j]                      = sum[(j+1)*Slot];
  end

  assign sum          = {1'b0, left} + {1'b0, right};
  assign unused_first = sum[0];

endmodule

`default_nettype wire
