// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_booth4_left: z = x * y * R^-1 mod M, the left-shifting parallelized radix-4 Booth scalable Montgomery
// multiplier (Pinckney et al., Figs. 2, 3 and 6). The length n <= Width comes with the context.
//
// Steps (v = 2; p = Pes; k pipeline cycles of p digits each)
//    1  Z = 0
//       for i = 0 ... kp-1, a digit an element
//    2    Q = Z mod 4                                              0 <= Q <= 3
//    3    d(X_i), d(Q): Booth digits of X and of the sequence of Q     -2 <= d <= 2
//    4    Z = floor(Z / 4) + d(Q) * M^ + d(X_i) * Y                |Z| <= 2Y + 2|M^|
//    5  Z = Z + 4 M^ if the last Q has its top bit set             Z = X*Y*R^-1 mod M, R = 4^(kp-1)
//    6  z = Z brought to 0 ... M-1 (Reduce = 1), or to 0 ... 2|M~|-1 for the next multiplication (Reduce = 0)
//
// With SignedM = 1, M^ = (M+1)/4 or -(M-1)/4, M~ = 4M^ - 1 = +-M, and k = ceil((n+4) / 2p). With SignedM = 0
// M^ = (M'M+1)/4 as printed, M~ = M'M is M or 3M; k = ceil((n+6) / 2p) if Reduce = 0.
// Legal: odd M, 2 <= n <= Width, M < 2^n, 0 <= x, y <= M; with Reduce = 0, 0 <= x, y < 2|M~|.
//
`default_nettype none

module mm_scalable_booth4_left #(
  parameter int Width   = 256,
  parameter int Word    = 16,
  parameter int Pes     = 16,
  parameter int SignedM = 1,
  parameter int Reduce  = 1
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             ctx_valid_i,
  output logic            ctx_ready_o,
  input  wire  [Word-1:0] ctx_data_i,
  output logic            ctx_error_o,
  input  wire             in_valid_i,
  output logic            in_ready_o,
  input  wire  [Word-1:0] x_i,
  input  wire  [Word-1:0] y_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  mm_scalable_legal #(
    .Width(Width), .Word(Word), .Pes(Pes), .SignedM(SignedM), .Reduce(Reduce)
  ) u_legal ();

  if (Width >= 2 && Pes >= 1 && Pes <= 64 && (Word == 4 || Word == 8 || Word == 16 || Word == 32)) begin : gen_core
    localparam int Wide      = (SignedM == 0 && Reduce == 0) ? 1 : 0;     // operands up to 6M
    localparam int LenBits   = $clog2(Width + 1);                         // of n
    localparam int Lag       = Pes + (2 * Pes + Word - 1) / Word;         // clock cycles through the array
    localparam int MaxWords  = (Width + 5 + Wide + Word - 1) / Word + 1;  // of Z
    localparam int MaxPeriod = MaxWords > Lag + 1 ? MaxWords : Lag + 1;   // clock cycles of a pipeline cycle
    localparam int IdxBits   = $clog2(2 * MaxPeriod + 8);                 // of a word's number

    logic               go, start, first_pass, digit_next, result, q_neg;
    logic [LenBits-1:0] n;
    logic [IdxBits-1:0] word, words, delay;
    logic [2:0]         digit;
    logic [Word-1:0]    y, m, unused_y3, unused_m3, zs_next, zc_next, zs, zc, zs_last, zc_last;

    mm_scalable_shell #(
      .Width(Width), .Word(Word), .Reduce(Reduce), .Radix2(2), .Factors(2), .Booth(1), .SignedM(SignedM),
      .FifoDepth(MaxPeriod - Lag), .IdxBits(IdxBits)
    ) u_shell (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
      .in_valid_i, .in_ready_o, .x_i, .y_i, .out_valid_o, .out_ready_i, .z_o,
      .n_o(n), .go_o(go), .start_i(start), .word_i(word), .new_i(first_pass), .digit_i(digit_next), .result_i(result),
      .words_i(words), .delay_i(delay),
      .digit_o(digit), .y_o(y), .m_o(m), .y3_o(unused_y3), .m3_o(unused_m3),
      .zs_next_o(zs_next), .zc_next_o(zc_next), .zs_o(zs), .zc_o(zc),
      .carry_i(q_neg), .zs_i(zs_last), .zc_i(zc_last)
    );

    mm_scalable_booth4_left_array #(
      .Width(Width), .Word(Word), .Pes(Pes), .Wide(Wide)
    ) u_array (
      .clk_i, .rst_ni, .n_i(n), .go_i(go), .start_o(start), .word_o(word), .new_o(first_pass), .digit_o(digit_next),
      .result_o(result), .words_o(words), .delay_o(delay),
      .x_i(digit), .y_i(y), .m_i(m), .zs_next_i(zs_next), .zc_next_i(zc_next), .zs_i(zs), .zc_i(zc),
      .q_neg_o(q_neg), .zs_o(zs_last), .zc_o(zc_last)
    );
  end

endmodule

`default_nettype wire
