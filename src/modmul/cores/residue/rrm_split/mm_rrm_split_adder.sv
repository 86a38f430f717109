// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_adder: X + T of mm_rrm_split for some digits, each by itself with a saved carry.
//
//   e_o + 2^K * c_o = (x_i, or ~x_i where sign_i is 1) + t_i + c_i      <= 2 * (2^K - 1) + 1 = 2^(K+1) - 1
//
// In the chain there is a bit below each digit, which adds c_i to c_i: its sum is the carry of the digit below, which
// goes no further, and its own carry, c_i, starts the digit. mm_rrm_split_adder.ecp5.sv has a bit in each half of a
// CCU2C, including the choice of x_i or ~x_i.
//
`default_nettype none

module mm_rrm_split_adder #(
  parameter int DigitBits = 4,
  parameter int Digits    = 8
) (
  input  wire                         sign_i,
  input  wire  [Digits*DigitBits-1:0] x_i,
  input  wire  [Digits*DigitBits-1:0] t_i,
  input  wire  [Digits-1:0]           c_i,
  output logic [Digits*DigitBits-1:0] e_o,
  output logic [Digits-1:0]           c_o
);

  localparam int Slot = DigitBits + 1;
  localparam int Bits = Digits * Slot + 1;

  logic [Bits-1:0] left, right, sum;
  logic            unused_first;

  assign left[Bits-1]  = 1'b0;
  assign right[Bits-1] = 1'b0;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign left[j*Slot+:Slot]       = {x_i[j*DigitBits+:DigitBits] ^ {DigitBits{sign_i}}, c_i[j]};
    assign right[j*Slot+:Slot]      = {t_i[j*DigitBits+:DigitBits], c_i[j]};
    assign e_o[j*DigitBits+:DigitBits] = sum[j*Slot+1+:DigitBits];
    assign c_o[j]                      = sum[(j+1)*Slot];
  end

  assign sum          = left + right;
  assign unused_first = sum[0];

endmodule

`default_nettype wire
