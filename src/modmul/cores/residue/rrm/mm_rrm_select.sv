// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_select: selects one of many words, in two cycles, or in three from 18 words on. Each word has a copy that is 0
// except in its own cycle; word_o is the OR of all copies. If the last word would take the OR one more LUT, it drives
// the set input of the register instead.
//
`default_nettype none

module mm_rrm_select #(
  parameter int Word  = 16,
  parameter int Words = 17
) (
  input  wire                   clk_i,
  input  wire  [Words-1:0]      other_i,  // not this word
  input  wire  [Words*Word-1:0] words_i,
  output logic [Word-1:0]       word_o
);

  localparam int Ored   = Words > 1 && Words % 4 == 1 ? Words - 1 : Words;
  localparam int Fours  = (Ored + 3) / 4;
  localparam int Blocks = (Fours + 3) / 4;

  logic [Words*Word-1:0]  chosen_q;
  logic [Blocks*Word-1:0] block, blocks;
  logic [Word-1:0]        word, top;
  logic [Fours*Word-1:0]  four;

  for (genvar j = 0; j < Words; j++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (other_i[j]) chosen_q[j*Word+:Word] <= '0;
      else            chosen_q[j*Word+:Word] <= words_i[j*Word+:Word];
    end
  end

  mm_rrm_fours #(
    .Word(Word), .Words(Ored)
  ) u_fours (
    .words_i(chosen_q[Ored*Word-1:0]), .fours_o(four)
  );

  always_comb begin
    block = '0;
    for (int j = 0; j < Fours; j++) block[j/4*Word+:Word] = block[j/4*Word+:Word] | four[j*Word+:Word];
    word = '0;
    for (int j = 0; j < Blocks; j++) word = word | blocks[j*Word+:Word];
  end

  if (Blocks > 1) begin : gen_two_cycles
    logic [Blocks*Word-1:0] block_q;
    always_ff @(posedge clk_i) begin
      block_q <= block;
    end
    assign blocks = block_q;
  end else begin : gen_one_cycle
    assign blocks = block;
  end

  if (Ored == Words) begin : gen_no_top
    assign top = '0;
  end else if (Blocks > 1) begin : gen_later
    logic [Word-1:0] top_q;
    always_ff @(posedge clk_i) begin
      top_q <= chosen_q[Ored*Word+:Word];
    end
    assign top = top_q;
  end else begin : gen_top
    assign top = chosen_q[Ored*Word+:Word];
  end

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < Word; b++) begin  // an OR, as a set of the register
      if (top[b]) word_o[b] <= 1'b1;
      else        word_o[b] <= word[b];
    end
  end

endmodule

`default_nettype wire
