// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_operands: x in a memory, from which a digit is read each cycle, and y in a register; those of the next
// operation come in meanwhile. What is at the port is written where the next word goes, whether it changes hands or
// not: the word that does is the last one written there. So no handshake is in the way of these many enables.
//
`default_nettype none

module mm_gf2m_operands #(
  parameter int Width = 256,
  parameter int Word  = 32,
  parameter int Digit = 8,
  // Derived, not to be set.
  parameter int Beats     = (Width + Word - 1) / Word,
  parameter int WordBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int Digits    = Word / Digit,
  parameter int DigitBits = Digits > 1 ? $clog2(Digits) : 1
) (
  input  wire                  clk_i,
  input  wire                  open_i,       // a word of each may come
  input  wire  [WordBits-1:0]  beat_i,
  input  wire                  bank_i,
  input  wire  [Word-1:0]      x_i,
  input  wire  [Word-1:0]      y_i,
  input  wire                  take_i,       // y is complete, and the one before is done with
  input  wire                  rest_i,       // no digit
  input  wire                  read_bank_i,
  input  wire  [WordBits-1:0]  word_i,
  input  wire  [DigitBits-1:0] digit_i,
  output logic [Digit-1:0]     x_o,          // both a cycle later
  output logic [Width-1:0]     y_o
);

  logic [Word-1:0]              word;
  logic [Digits-1:0][Digit-1:0] digits;
  logic [Digit-1:0]             x_q;
  logic [Beats*Word-1:0]        y_next_q;
  logic [Width-1:0]             y_q;
  logic                         unused_y;

  mm_word_ram #(
    .Word(Word), .Depth(2 << WordBits)
  ) u_x (
    .clk_i, .write_i(open_i), .write_addr_i({bank_i, beat_i}), .word_i(x_i),
    .read_addr_i({read_bank_i, word_i}), .word_o(word)
  );

  assign digits   = word;
  assign unused_y = ^y_next_q;

  always_ff @(posedge clk_i) begin
    for (int j = 0; j < Beats; j++) begin
      if (open_i && beat_i == WordBits'(j)) y_next_q[j*Word+:Word] <= y_i;
    end
    if (take_i) y_q <= y_next_q[Width-1:0];
    if (rest_i) x_q <= '0;
    else        x_q <= digits[digit_i];
  end

  assign x_o = x_q;
  assign y_o = y_q;

endmodule

`default_nettype wire
