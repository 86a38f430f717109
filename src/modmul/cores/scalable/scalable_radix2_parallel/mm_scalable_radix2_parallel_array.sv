// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_radix2_parallel_array: kernel and sequence controller of the parallel radix-2 multiplier (Pinckney et
// al.'s [12]): Pes elements in a row; a word takes one clock cycle in each, and one more wherever Z has moved up by a
// whole word. This is what Table III counts.
//
`default_nettype none

module mm_scalable_radix2_parallel_array #(
  parameter int Width   = 256,
  parameter int Word    = 16,
  parameter int Pes     = 16,
  // Derived, not to be set.
  parameter int Lag       = Pes + (Pes + Word - 1) / Word,
  parameter int WordGuard = 3,
  parameter int LenBits   = $clog2(Width + 1),
  parameter int MaxWords  = (Width + WordGuard + Word - 1) / Word + 1,
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
  input  wire  [Word-1:0]    zs_next_i,  // zs_i and zc_i of the next clock cycle
  input  wire  [Word-1:0]    zc_next_i,
  input  wire  [Word-1:0]    zs_i,
  input  wire  [Word-1:0]    zc_i,
  output logic               result_o,   // word 0 of a result leaves
  output logic [Word-1:0]    zs_o,
  output logic [Word-1:0]    zc_o
);

  logic                    first_q, y_below_q, m_below_q;
  logic [Pes:0]            firsts;
  logic [(Pes+1)*Word-1:0] ys, ms, zs_nexts, zc_nexts, zss, zcs;

  // The digits of X: one a clock cycle, but an element that drops a word takes its digit a cycle later.
  mm_scalable_control #(
    .Width(Width), .Word(Word), .Pes(Pes), .Radix2(1), .Lag(Lag), .Overflow(1),
    .Stride(1), .GapAt(Word - 1), .LastTake(Pes - 1 + Pes / Word), .WordGuard(WordGuard),
    .DigitGuard(3), .Spacing(8)
  ) u_control (
    .clk_i, .rst_ni, .n_i, .go_i, .start_o, .word_o, .first_o(firsts[0]), .new_o, .digit_o,
    .result_o, .words_o, .delay_o
  );

  // The first element takes twice Y and M^.
  always_ff @(posedge clk_i) begin
    y_below_q <= y_i[Word-1] & ~firsts[0];
    m_below_q <= m_i[Word-1] & ~firsts[0];
  end

  assign ys[0+:Word]       = {y_i[Word-2:0], y_below_q};
  assign ms[0+:Word]       = {m_i[Word-2:0], m_below_q};
  assign zs_nexts[0+:Word] = zs_next_i;
  assign zc_nexts[0+:Word] = zc_next_i;
  assign zss[0+:Word]      = zs_i;
  assign zcs[0+:Word]      = zc_i;

  for (genvar i = 0; i < Pes; i++) begin : gen_pe
    mm_scalable_radix2_parallel_pe #(
      .Word(Word), .Pos((i + 1) % Word)
    ) u_pe (
      .clk_i, .first_next_i(firsts[i]), .x_i,
      .y_i(ys[i*Word+:Word]), .m_i(ms[i*Word+:Word]),
      .zs_next_i(zs_nexts[i*Word+:Word]), .zc_next_i(zc_nexts[i*Word+:Word]),
      .zs_i(zss[i*Word+:Word]), .zc_i(zcs[i*Word+:Word]),
      .first_next_o(firsts[i+1]),
      .y_o(ys[(i+1)*Word+:Word]), .m_o(ms[(i+1)*Word+:Word]),
      .zs_next_o(zs_nexts[(i+1)*Word+:Word]), .zc_next_o(zc_nexts[(i+1)*Word+:Word]),
      .zs_o(zss[(i+1)*Word+:Word]), .zc_o(zcs[(i+1)*Word+:Word])
    );
  end

  always_ff @(posedge clk_i) first_q <= firsts[Pes];

  mm_scalable_align #(
    .Word(Word), .Pos(Pes % Word)
  ) u_align (
    .clk_i, .first_i(first_q), .zs_i(zss[Pes*Word+:Word]), .zc_i(zcs[Pes*Word+:Word]),
    .zs_o, .zc_o
  );

  logic unused_words;

  assign unused_words = ^{ys[Pes*Word+:Word], ms[Pes*Word+:Word], zs_nexts[Pes*Word+:Word], zc_nexts[Pes*Word+:Word]};

endmodule

`default_nettype wire
