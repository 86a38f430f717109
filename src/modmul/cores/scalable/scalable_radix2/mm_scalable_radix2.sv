// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_radix2: z = x * y * R^-1 mod M, the improved radix-2 scalable Montgomery multiplier (Pinckney et al.'s
// [3]; derived from its Sections I and III). The length n <= Width comes with the context.
//
// Steps (v = 1; p = Pes; k = ceil((n+3) / p) pipeline cycles of p bits each)
//    1  Z = 0
//       for i = 0 ... kp-1, a bit an element
//    2    Z = Z + X_i * Y                                          0 <= Z < 2Y + M
//    3    Q = Z mod 2                                              0 <= Q <= 1
//    4    Z = (Z + Q * M) / 2                                      0 <= Z < Y + M
//    6  z = Z brought to 0 ... M-1 (Reduce = 1), or Z, in 0 ... 2M-1, for the next multiplication (Reduce = 0)
//       Z = X*Y*R^-1 mod M, R = 2^(kp)
//
// Legal: odd M, 2 <= n <= Width, M < 2^n, 0 <= x, y <= M; with Reduce = 0, 0 <= x, y < 2M.
//
`default_nettype none

module mm_scalable_radix2 #(
  parameter int Width   = 256,
  parameter int Word    = 16,
  parameter int Pes     = 16,
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
    .Width(Width), .Word(Word), .Pes(Pes), .Reduce(Reduce)
  ) u_legal ();

  if (Width >= 2 && Pes >= 1 && Pes <= 64 && (Word == 4 || Word == 8 || Word == 16 || Word == 32)) begin : gen_core
    localparam int LenBits   = $clog2(Width + 1);                        // of n
    localparam int Lag       = Pes + (Pes + Word - 1) / Word;            // clock cycles through the array
    localparam int MaxWords  = (Width + 3 + Word - 1) / Word + 1;        // of Z
    localparam int MaxPeriod = MaxWords > Lag + 1 ? MaxWords : Lag + 1;  // clock cycles of a pipeline cycle
    localparam int IdxBits   = $clog2(2 * MaxPeriod + 8);                // of a word's number

    logic               go, start, first_pass, digit_next, result;
    logic [LenBits-1:0] n;
    logic [IdxBits-1:0] word, words, delay;
    logic [1:0]         digit;
    logic [Word-1:0]    y, m, unused_y3, unused_m3, unused_zs_next, unused_zc_next, zs, zc, zs_last, zc_last;
    logic               unused_below;

    assign unused_below = digit[0];

    mm_scalable_shell #(
      .Width(Width), .Word(Word), .Reduce(Reduce), .Radix2(1), .Factors(1),
      .FifoDepth(MaxPeriod - Lag), .IdxBits(IdxBits)
    ) u_shell (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
      .in_valid_i, .in_ready_o, .x_i, .y_i, .out_valid_o, .out_ready_i, .z_o,
      .n_o(n), .go_o(go), .start_i(start), .word_i(word), .new_i(first_pass), .digit_i(digit_next), .result_i(result),
      .words_i(words), .delay_i(delay),
      .digit_o(digit), .y_o(y), .m_o(m), .y3_o(unused_y3), .m3_o(unused_m3),
      .zs_next_o(unused_zs_next), .zc_next_o(unused_zc_next), .zs_o(zs), .zc_o(zc),
      .carry_i(1'b0), .zs_i(zs_last), .zc_i(zc_last)
    );

    mm_scalable_radix2_array #(
      .Width(Width), .Word(Word), .Pes(Pes)
    ) u_array (
      .clk_i, .rst_ni, .n_i(n), .go_i(go), .start_o(start), .word_o(word), .new_o(first_pass), .digit_o(digit_next),
      .result_o(result), .words_o(words), .delay_o(delay),
      .x_i(digit[1]), .y_i(y), .m_i(m), .zs_i(zs), .zc_i(zc),
      .zs_o(zs_last), .zc_o(zc_last)
    );
  end

endmodule

`default_nettype wire
