// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_control: the sequence controller of a scalable multiplier (Pinckney et al., Fig. 3 and Section IV.C).
//
// A multiplication is k pipeline cycles; in each of them the T words of Y and of the modulus go through
// the Pes processing elements, and Pes digits of X are used up:
//   e = ceil((n + WordGuard) / Word)          words of Z
//   T = max(e + Overflow, Lag + 1)            clock cycles a pipeline cycle: case I, case II with b = 1
//   k = ceil(ceil((n + DigitGuard) / Radix2) / Pes)
// n comes from the context. Lag is the latency of the array: l*p, and the discarded words if it shifts left.
//
// first_o is high with word 0 of each pipeline cycle, and once more after the last word of a multiplication that no
// other follows, since an element recognises its last word by the first word that follows it.
// A new multiplication starts at the earliest when the last word of the one before has gone in, and
// 2e + Spacing cycles after the start of that one, so that results can be unloaded.
//
`default_nettype none

module mm_scalable_control #(
  parameter int Width      = 256,
  parameter int Word       = 16,
  parameter int Pes        = 16,
  parameter int Radix2     = 2,   // bits of a digit of X
  parameter int Lag        = 32,  // from the first element's input to the last one's output
  parameter int Overflow   = 0,   // left-shifting: one word more
  parameter int Stride     = 2,   // 2: an element takes its digit two cycles after the one before it
  parameter int GapAt      = 0,   // Stride 1: where a discarded word delays the digits, modulo Word/Radix2 + 1
  parameter int LastTake   = 31,  // the word with which the last element takes its digit
  parameter int WordGuard  = 5,
  parameter int DigitGuard = 4,
  parameter int Spacing    = 8,
  // Derived, not to be set.
  parameter int LenBits   = $clog2(Width + 1),
  parameter int MaxWords  = (Width + WordGuard + Word - 1) / Word + Overflow,
  parameter int MaxPeriod = MaxWords > Lag + 1 ? MaxWords : Lag + 1,
  parameter int IdxBits   = $clog2(2 * MaxPeriod + Spacing)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire  [LenBits-1:0] n_i,
  input  wire                go_i,       // operands wait
  output logic               start_o,    // they are taken: their word 0 is the next one
  output logic [IdxBits-1:0] word_o,     // the word that goes in
  output logic               first_o,
  output logic               new_o,      // first pipeline cycle of a multiplication: Z = 0
  output logic               digit_o,    // the next digit of X
  output logic               result_o,   // word 0 of the result leaves the last element
  output logic [IdxBits-1:0] words_o,    // e
  output logic [IdxBits-1:0] delay_o     // T - Lag - 1: how long the FIFO holds a word, less one
);

  localparam int Shift    = $clog2(Word);
  localparam int SumBits  = LenBits + 6;
  localparam int LeftBits = $clog2(Width + DigitGuard + Radix2 + 64);

  localparam logic [IdxBits-1:0]  LagWords  = IdxBits'(Lag);
  localparam logic [IdxBits-1:0]  TakeEnd   = IdxBits'(LastTake);
  localparam logic [IdxBits-1:0]  SpaceAdd  = IdxBits'(Spacing - 1);
  localparam logic [LeftBits-1:0] PesDigits = LeftBits'(Pes);

  logic [LeftBits-1:0] digit_sum, digits, left_q;
  logic [IdxBits-1:0]  words_q, end_q, before_end_q, word_q, space_q;
  logic                run_q, first_q, new_q, last_q, at_end_q, free_q, word_end;

  // e, T - 1 and the FIFO's delay settle while the rest of the context comes in.
  assign digit_sum = LeftBits'(n_i) + LeftBits'(DigitGuard + Radix2 - 1);
  assign digits    = digit_sum >> (Radix2 - 1);

  always_ff @(posedge clk_i) begin
    words_q      <= IdxBits'((SumBits'(n_i) + SumBits'(WordGuard + Word - 1)) >> Shift);
    end_q        <= (words_q + IdxBits'(Overflow) > LagWords) ? words_q + IdxBits'(Overflow) - 1'b1 : LagWords;
    delay_o      <= end_q - LagWords;
    before_end_q <= end_q - 1'b1;
  end

  // What ends a pipeline cycle, or a multiplication, is known a cycle before.
  assign word_end = run_q & at_end_q;
  assign start_o  = go_i & free_q & (~run_q | (at_end_q & last_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q    <= 1'b0;
      first_q  <= 1'b0;
      result_o <= 1'b0;
      free_q   <= 1'b1;
      space_q  <= '0;
    end else begin
      run_q    <= start_o | (run_q & ~(at_end_q & last_q));
      first_q  <= start_o | word_end;
      result_o <= run_q & last_q & (word_q == LagWords);
      free_q   <= ~start_o & (space_q <= IdxBits'(1));
      if (start_o)             space_q <= (words_q << 1) + SpaceAdd;
      else if (space_q != '0)  space_q <= space_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    last_q   <= left_q <= PesDigits;
    at_end_q <= (word_q == before_end_q) & ~start_o & ~word_end;
    word_q   <= (start_o | word_end) ? '0 : word_q + 1'b1;
    if (start_o) begin
      left_q <= digits;
      new_q  <= 1'b1;
    end else if (word_end) begin
      left_q <= left_q - PesDigits;
      new_q  <= 1'b0;
    end
  end

  if (Stride == 2) begin : gen_every_second
    assign digit_o = run_q & word_q[0] & (word_q <= TakeEnd);
  end else begin : gen_with_gaps
    localparam int GapPeriod = Word / Radix2 + 1;
    localparam int GapBits   = $clog2(GapPeriod);
    logic [GapBits-1:0] gap_q;

    always_ff @(posedge clk_i) begin
      gap_q <= (start_o || word_end || gap_q == GapBits'(GapPeriod - 1)) ? '0 : gap_q + 1'b1;
    end

    assign digit_o = run_q & (gap_q != GapBits'(GapAt)) & (word_q <= TakeEnd);
  end

  assign word_o  = word_q;
  assign first_o = first_q;
  assign new_o   = new_q;
  assign words_o = words_q;

endmodule

`default_nettype wire
