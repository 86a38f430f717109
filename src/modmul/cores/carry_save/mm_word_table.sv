// SPDX-License-Identifier: Apache-2.0
//
// mm_word_table: the look-up table of a carry-save loop, in LUTs used as memory: 2^AddrBits entries
// of a whole operand, read at any time and written word by word through the same address. Entry 0
// reads as 0 and is not stored.
//
`default_nettype none

module mm_word_table #(
  parameter int Word     = 32,
  parameter int Beats    = 8,
  parameter int AddrBits = 2,
  // Derived, not to be set.
  parameter int BeatBits = $clog2(Beats + 2)
) (
  input  wire                   clk_i,
  input  wire  [AddrBits-1:0]   addr_i,
  input  wire                   write_i,
  input  wire  [BeatBits-1:0]   beat_i,
  input  wire  [Word-1:0]       word_i,
  output logic [Beats*Word-1:0] value_o
);

  for (genvar k = 0; k < Beats; k++) begin : gen_word
    logic [Word-1:0] word;

    mm_word_memory #(
      .Word(Word), .Depth(1 << AddrBits)
    ) u_memory (
      .clk_i, .write_i(write_i && beat_i == BeatBits'(k)), .addr_i, .word_i, .word_o(word)
    );

    assign value_o[k*Word+:Word] = (addr_i != '0) ? word : '0;
  end

endmodule

`default_nettype wire
