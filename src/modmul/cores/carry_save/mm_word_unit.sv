// SPDX-License-Identifier: Apache-2.0
//
// mm_word_unit: the word-serial part around a carry-save loop: the shift register X, which takes the multiplier in word
// by word and feeds it to the loop bit by bit, and the word adder, which turns the loop's S + C into words of X and
// reduces them there. X is free for that: the loop has shifted the multiplier out.
//
//   load      X takes a word at its top            run      X moves by one bit, x_bit_o goes out
//   convert   pass 0: X = S + C + m, later passes: X = X + m, where m is the word m_i, subtracted
//             with sub_i and only counted with use_i (both one cycle later, in the adder's stage 2)
//   pre       X rests; word res_beat_o of pre_a_i + pre_b_i + m is res_o where res_valid_o,
//             three cycles later
//   top       sum_top_o is the top word of the last pass's sum, a signed number
//   unload    z_o is the lowest word of X, out_take_i brings the next
//
`default_nettype none

module mm_word_unit #(
  parameter int Word     = 32,
  parameter int Beats    = 8,
  parameter int Width    = 256,  // of the multiplier
  parameter int SumBits  = 257,  // of S and of C
  parameter int MsbFirst = 0,    // which end of the multiplier goes first
  // Derived, not to be set.
  parameter int Ext      = Word > 4 ? Word : 4,
  parameter int BeatBits = $clog2(Beats + 2)
) (
  input  wire                 clk_i,
  input  wire                 in_load_i,
  input  wire  [Word-1:0]     x_i,
  input  wire                 run_i,
  input  wire                 pre_i,
  input  wire                 convert_i,
  input  wire                 first_pass_i,
  input  wire                 out_take_i,
  input  wire  [BeatBits-1:0] beat_i,
  input  wire  [SumBits-1:0]  s_i,
  input  wire  [SumBits-1:0]  c_i,
  input  wire  [Word-1:0]     pre_a_i,
  input  wire  [Word-1:0]     pre_b_i,
  input  wire  [Ext-1:0]      m_i,
  input  wire                 sub_i,
  input  wire                 use_i,
  output logic                x_bit_o,
  output logic [3:0]          sum_top_o,
  output logic                res_valid_o,
  output logic [BeatBits-1:0] res_beat_o,
  output logic [Word-1:0]     res_o,
  output logic [Word-1:0]     z_o
);

  localparam int XBits = Word > 0 ? Beats * Word : 1;

  logic [XBits-1:0]     x_q;
  logic [XBits+Ext-1:0] s_ext, c_ext;
  logic [Ext-1:0]       s_a, c_b, x_a, a, b;
  logic [3:0]           sum_top;
  logic                 first, top, issue;
  logic [BeatBits-1:0]  beat_q, sum_beat_q;
  logic                 sum_valid;
  logic [Word-1:0]      sum;

  assign first = beat_i == '0;
  assign top   = beat_i == BeatBits'(Beats);
  assign issue = (pre_i | convert_i) & (beat_i != BeatBits'(Beats + 1));

  assign s_ext = (XBits + Ext)'(s_i);
  assign c_ext = (XBits + Ext)'(c_i);

  assign x_a = top ? Ext'($signed(sum_top)) : Ext'(x_q[Word-1:0]);
  assign s_a = s_ext[beat_i*Word+:Ext];
  assign c_b = c_ext[beat_i*Word+:Ext];

  always_comb begin
    a = x_a;
    b = '0;
    if (pre_i) begin
      a = top ? '0 : Ext'(pre_a_i);
      b = top ? '0 : Ext'(pre_b_i);
    end else if (first_pass_i) begin
      a = s_a;
      b = c_b;
    end
  end

  mm_word_adder #(
    .Word(Word)
  ) u_adder (
    .clk_i,
    .issue_i(issue), .first_i(first), .top_i(top),
    .a_i(a), .b_i(b), .m_i(m_i), .sub_i, .use_i,
    .res_valid_o(sum_valid), .res_o(sum), .sum_top_o(sum_top)
  );

  assign sum_top_o = sum_top;

  always_ff @(posedge clk_i) begin  // beside the adder's stages
    beat_q      <= beat_i;
    sum_beat_q  <= beat_q;
    res_beat_o  <= sum_beat_q;
    res_valid_o <= sum_valid;
    res_o       <= sum;
  end

  // While converting, the word that leaves at the bottom comes back at the top, with the addition done, two cycles
  // later: a pass of Beats+2 cycles moves every word around once.
  always_ff @(posedge clk_i) begin
    if (in_load_i)                    x_q <= XBits'({x_i, x_q} >> Word);
    else if (run_i)                   x_q <= MsbFirst != 0 ? x_q << 1 : x_q >> 1;
    else if (convert_i || out_take_i) x_q <= XBits'({sum, x_q} >> Word);
  end

  assign x_bit_o = MsbFirst != 0 ? x_q[Width-1] : x_q[0];
  assign z_o     = x_q[Word-1:0];

endmodule

`default_nettype wire
