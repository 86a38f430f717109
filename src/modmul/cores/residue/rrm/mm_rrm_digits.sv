// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_digits: the addition of the loop of mm_rrm_two, separately in each digit, with a saved carry:
//
//   s_o + 2^K * c_o = s_i + a_i + c_i                                        <= 2 * (2^K - 1) + 1 = 2^(K+1) - 1
//
// It is one chain. A bit below each digit adds c_i to itself, which starts the digit and brings out the carry of the
// digit below. In mm_rrm_digits.xilinx.sv there is no chain: a digit is as many LUTs as it has bits.
//
`default_nettype none

module mm_rrm_digits #(
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
  localparam int Bits = Digits * Slot + 1;

  logic [Bits-1:0] left, right, sum;
  logic            unused_first;

  assign left[Bits-1]  = 1'b0;
  assign right[Bits-1] = 1'b0;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign left[j*Slot+:Slot]          = {a_i[j*DigitBits+:DigitBits], c_i[j]};
    assign right[j*Slot+:Slot]         = {s_i[j*DigitBits+:DigitBits], c_i[j]};
    assign s_o[j*DigitBits+:DigitBits] = sum[j*Slot+1+:DigitBits];
    assign c_o[j]                      = sum[(j+1)*Slot];
  end

  assign sum          = left + right;
  assign unused_first = sum[0];

endmodule

`default_nettype wire
