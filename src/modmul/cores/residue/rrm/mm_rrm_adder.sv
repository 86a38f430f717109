// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_adder: the addition of some digits of mm_rrm. One carry chain does the work of the loop and fills the table.
//
//   run    in each digit by itself, with a saved carry:
//          s_o + 2^K * c_o = s_i + a_i + c_i                             <= 2 * (2^K - 1) + 1 = 2^(K+1) - 1
//   fill   over all digits: {c_o of the last digit, s_o} = a_i + y + carry_i; the other c_o mean nothing
//
// fill_i and y_i take effect a cycle later. In the chain there is a bit below each digit. In run it adds c_i to c_i:
// its sum is the carry of the digit below, which goes no further, and its own carry, c_i, starts the digit. In fill it
// adds 1 to 0, so the carry of the digit below propagates. One more bit at the bottom starts the chain with carry_i,
// and one at the top brings out its last carry.
//
// y is all ones in run. This file does not need that; it is what lets a bit fit in a half of a CCU2C in
// mm_rrm_adder.ecp5.sv. In mm_rrm_adder.xilinx.sv a bit is one LUT.
//
`default_nettype none

module mm_rrm_adder #(
  parameter int DigitBits = 2,
  parameter int Digits    = 8
) (
  input  wire                         clk_i,
  input  wire                         fill_i,
  input  wire  [Digits*DigitBits-1:0] y_i,
  input  wire                         carry_i,
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits*DigitBits-1:0] a_i,
  input  wire  [Digits-1:0]           c_i,
  output logic [Digits*DigitBits-1:0] s_o,
  output logic [Digits-1:0]           c_o
);

  localparam int Slot = DigitBits + 1;
  localparam int Bits = Digits * Slot + 2;

  logic                        fill_q;
  logic [Digits*DigitBits-1:0] y_q, operand;
  logic [Bits-1:0]             left, right, sum;
  logic                        unused_first;

  always_ff @(posedge clk_i) begin
    fill_q <= fill_i;
    if (!fill_i) y_q <= '1;
    else         y_q <= y_i;
  end

  assign operand       = fill_q ? y_q : s_i;
  assign left[0]       = carry_i;
  assign right[0]      = carry_i;
  assign left[Bits-1]  = 1'b0;
  assign right[Bits-1] = 1'b0;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign left[j*Slot+1+:Slot]        = {a_i[j*DigitBits+:DigitBits], c_i[j] | fill_q};
    assign right[j*Slot+1+:Slot]       = {operand[j*DigitBits+:DigitBits], c_i[j] & ~fill_q};
    assign s_o[j*DigitBits+:DigitBits] = sum[j*Slot+2+:DigitBits];
    assign c_o[j]                      = sum[(j+1)*Slot+1];
  end

  assign sum          = left + right;
  assign unused_first = sum[0];

endmodule

`default_nettype wire
