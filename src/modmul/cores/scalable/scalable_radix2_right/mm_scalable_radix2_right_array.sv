// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_radix2_right_array: kernel and sequence controller of the right-shifting radix-2 multiplier (Pinckney et
// al.'s [2]): Pes elements in a row; a word takes two clock cycles in each.
//
`default_nettype none

module mm_scalable_radix2_right_array #(
  parameter int Width   = 256,
  parameter int Word    = 16,
  parameter int Pes     = 16,
  // Derived, not to be set.
  parameter int Lag       = 2 * Pes,
  parameter int WordGuard = 3,
  parameter int LenBits   = $clog2(Width + 1),
  parameter int MaxWords  = (Width + WordGuard + Word - 1) / Word,
  parameter int MaxPeriod = MaxWords > Lag + 1 ? MaxWords : Lag + 1,
  parameter int IdxBits   = $clog2(2 * MaxPeriod + 8)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire  [LenBits-1:0] n_i,
  input  wire                go_i,
  output logic               start_o,
  output logic [IdxBits-1:0] word_o,
  output logic               new_o,
  output logic               digit_o,
  output logic [IdxBits-1:0] words_o,
  output logic [IdxBits-1:0] delay_o,
  input  wire                x_i,
  input  wire  [Word-1:0]    y_i,
  input  wire  [Word-1:0]    m_i,
  input  wire  [Word-1:0]    zs_i,
  input  wire  [Word-1:0]    zc_i,
  output logic               result_o,   // word 0 of a result leaves
  output logic [Word-1:0]    zs_o,
  output logic [Word-1:0]    zc_o
);

  logic [Pes:0]            firsts;
  logic [(Pes+1)*Word-1:0] ys, ms, zss, zcs;

  mm_scalable_control #(
    .Width(Width), .Word(Word), .Pes(Pes), .Radix2(1), .Lag(Lag), .Overflow(0),
    .Stride(2), .LastTake(Lag - 1), .WordGuard(WordGuard), .DigitGuard(3), .Spacing(8)
  ) u_control (
    .clk_i, .rst_ni, .n_i, .go_i, .start_o, .word_o, .first_o(firsts[0]), .new_o, .digit_o,
    .result_o, .words_o, .delay_o
  );

  assign ys[0+:Word]  = y_i;
  assign ms[0+:Word]  = m_i;
  assign zss[0+:Word] = zs_i;
  assign zcs[0+:Word] = zc_i;

  for (genvar i = 0; i < Pes; i++) begin : gen_pe
    mm_scalable_radix2_right_pe #(
      .Word(Word)
    ) u_pe (
      .clk_i, .first_next_i(firsts[i]), .x_i,
      .y_i(ys[i*Word+:Word]), .m_i(ms[i*Word+:Word]), .zs_i(zss[i*Word+:Word]), .zc_i(zcs[i*Word+:Word]),
      .first_next_o(firsts[i+1]),
      .y_o(ys[(i+1)*Word+:Word]), .m_o(ms[(i+1)*Word+:Word]),
      .zs_o(zss[(i+1)*Word+:Word]), .zc_o(zcs[(i+1)*Word+:Word])
    );
  end

  logic unused_words;

  assign unused_words = ^{firsts[Pes], ys[Pes*Word+:Word], ms[Pes*Word+:Word]};
  assign zs_o         = zss[Pes*Word+:Word];
  assign zc_o         = zcs[Pes*Word+:Word];

endmodule

`default_nettype wire
