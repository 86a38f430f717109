// SPDX-License-Identifier: Apache-2.0
//
// mm_word_register: a register of Width bits that is written word by word and read as a whole.
//
`default_nettype none

module mm_word_register #(
  parameter int Width = 256,
  parameter int Word  = 32,
  // Derived, not to be set.
  parameter int Beats    = (Word > 0 && Width > Word) ? (Width + Word - 1) / Word : 1,
  parameter int BeatBits = $clog2(Beats + 2)
) (
  input  wire                 clk_i,
  input  wire                 load_i,
  input  wire  [BeatBits-1:0] beat_i,
  input  wire  [Word-1:0]     word_i,
  output logic [Width-1:0]    value_o
);

  logic [Beats*Word-1:0] value_q;

  for (genvar k = 0; k < Beats; k++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (load_i && beat_i == BeatBits'(k)) value_q[k*Word+:Word] <= word_i;
    end
  end

  assign value_o = value_q[Width-1:0];

  if (Beats * Word > Width) begin : gen_spare
    logic unused_spare;
    assign unused_spare = ^value_q[Beats*Word-1:Width];
  end

endmodule

`default_nettype wire
