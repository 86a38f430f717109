// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split: mm_rrm for digits of three to five bits. One table of x_i * y + T[s] would have 2^(2k) entries; here
// each term has a table of its own, and there are two sums, or with Chains = 1 one sum of three terms.
//
// Steps (k = DigitBits, B = 2^k, d = Delay, L = ceil(Width / k) + 2, R = B^(L-1))
//    0  for each M and s = 0 ... B-1: T[s] = s / B^(d+1) mod M, by two passes of steps 4b to 6      T[s] < M
//    1  for each x and y: X and Y, the operand if it is odd, and M minus it if it is even         0 < X, Y <= M, odd
//    2  X = sum of x_i * B^i, x_i odd, |x_i| < B: 2u - (B - 1), u a digit of floor(X / 2) + B^(L-2) / 2
//    3  table[r] = (2r + 1) * Y, r = 0 ... B/2 - 1, in one of two banks                           < B * M
//    4  for i = 0 ... L-1, x_i = 0 for the last two:
//         a  E = (-1)^sign * table[(|x_i| - 1) / 2] + T[s'], s' the digit dropped d steps before  |E| < B * M
//         b  S = floor(S / B) + E; with Chains = 1, a and b are one addition                      |S| < 2 * B * M
//    5  V = S + P, P the residue of the d digits that are still pending                           -M <= V < 2M
//    6  z = V + M, V or V - M                                                                     0 <= z < M
//
// sign is that of x_i, flipped if just one of X and Y is M minus its operand. For an odd v, -v = ~v + 1 is ~v with the
// lowest bit set, so nothing is added for a sign. E and S have digits of k bits with a saved carry each, and S one at
// the top, of 0, -1 or -2, for its sign. One bank is filled while the loop runs with the other.
//
// Step 0 takes s * B^(d-1) for the pending digits, with S = 0, which gives s / B mod M; that is y of the second pass,
// in which S = Y or -Y, and d digits are dropped.
//
// With Modulus > 0, M is fixed: the residues are logic, and there is no step 0.
//
// Context: M and one more word, which is taken when step 0 is done; with Modulus > 0, M alone.
// Legal: odd M < 2^Width, 0 <= x, y <= M.
//
`default_nettype none

module mm_rrm_split #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int DigitBits = 4,
  parameter int Delay     = 1,
  parameter int Chains    = 2,
  parameter     Modulus   = 0  // 0 for any
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

  localparam bit LegalWord  = Word == 8 || Word == 16 || Word == 32 || Word == 64;
  localparam int SafeWord   = LegalWord ? Word : 16;
  localparam bit LegalDigit = DigitBits >= 3 && DigitBits <= 5;
  localparam int K          = LegalDigit ? DigitBits : 4;
  localparam bit LegalDelay = Delay == 1 || Delay == 2;
  localparam bit LegalPair  = K * (LegalDelay ? Delay : 1) <= SafeWord;
  localparam int D          = LegalDelay && LegalPair ? Delay : 1;
  localparam bit LegalChain = Chains == 1 || Chains == 2;
  localparam int SafeWidth  = Width > 2 ? Width : 2;
  localparam bit Fixed      = Modulus != 0;
  localparam bit LegalM     = !Fixed || (Modulus[0] && Modulus >> SafeWidth - 1 == 1);
  localparam logic [SafeWidth-1:0] M = SafeWidth'(Modulus);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_16_32_or_64 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_DigitBits_must_be_3_4_or_5 u_illegal ();
  end
  if (!LegalDelay) begin : gen_illegal_delay
    illegal_parameter_Delay_must_be_1_or_2 u_illegal ();
  end
  if (!LegalPair) begin : gen_illegal_pair
    illegal_parameter_Delay_digits_must_fit_into_a_word u_illegal ();
  end
  if (!LegalChain) begin : gen_illegal_chain
    illegal_parameter_Chains_must_be_1_or_2 u_illegal ();
  end
  if (!LegalM) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_0_or_odd_and_of_Width_bits u_illegal ();
  end

  localparam int Rows      = 1 << K;
  localparam int Beats     = (SafeWidth + SafeWord - 1) / SafeWord;
  localparam int AddrBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int XDigits   = (SafeWidth + K - 1) / K;
  localparam int Steps     = XDigits + 2;
  localparam int Convert   = 2 * Beats + (Beats > 16 ? 9 : 8);  // a sum from the loop, and out
  localparam int Shared    = (Steps + Convert + 6) / 2 > Convert ? (Steps + Convert + 6) / 2 : Convert;
  localparam int Period    = Shared > Steps + 1 ? Shared : Steps + 1;  // in less, a sum might not be read
  localparam int FillWords = (Rows * K + SafeWord - 1) / SafeWord;  // so many that filling takes half of the loop
  localparam int Words     = FillWords < Beats ? FillWords : Beats;
  localparam int Groups    = (Beats + Words - 1) / Words;
  localparam int PlaceBits = Words > 1 ? $clog2(Words) : 1;
  localparam int Digits    = XDigits + 1;  // of the sums, but for that at the top
  localparam int Bits      = Digits * K;
  localparam int Pending   = K * D;

  localparam logic [Beats*SafeWord-1:0] WordsOfM = (Beats*SafeWord)'(M);

  // ---- control of all steps

  logic                 ctx_load, in_load, full, filler_move, filler_soon, filled, go, digits, x_some, x_last;
  logic                 pre, second, clear_t, clear_e, clear_s, take, read, first, read_last, move, legal;
  logic [AddrBits-1:0]  beat, word;
  logic [K-1:0]         row;
  logic [PlaceBits-1:0] place;

  mm_rrm_bank_control #(
    .Beats(Beats), .Words(Words), .Rows(Rows), .Digits(XDigits), .Steps(Steps), .Period(Period),
    .Delay(D), .Fixed(Fixed)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .in_load_o(in_load), .beat_o(beat), .place_o(place), .full_o(full),
    .move_i(filler_move), .soon_i(filler_soon), .filled_i(filled), .pre_o(pre), .row_o(row), .second_o(second),
    .go_o(go), .digits_o(digits), .x_some_o(x_some), .x_last_o(x_last),
    .clear_t_o(clear_t), .clear_e_o(clear_e), .clear_s_o(clear_s), .take_o(take),
    .read_o(read), .first_o(first), .read_last_i(read_last), .word_o(word), .move_o(move)
  );

  // ---- the context

  logic                m_load;
  logic [AddrBits-1:0] m_beat;
  logic [SafeWord-1:0] m_in, m_word;
  logic [Pending-1:0]  u;

  mm_rrm_split_context #(
    .Word(SafeWord), .Beats(Beats), .Pending(Pending), .Modulus(WordsOfM)
  ) u_context (
    .clk_i, .ctx_load_i(ctx_load), .beat_i(beat), .ctx_data_i, .legal_o(legal), .m_word_o(m_word),
    .m_load_o(m_load), .m_beat_o(m_beat), .m_o(m_in), .u_o(u)
  );

  // ---- step 1: X and Y, odd

  logic                 odd_load, odd_full, bank, run_bank, negative;
  logic [AddrBits-1:0]  odd_beat;
  logic [PlaceBits-1:0] odd_place;
  logic [SafeWord-1:0]  x_odd, y_odd, residue;

  mm_rrm_split_operands #(
    .Word(SafeWord), .AddrBits(AddrBits), .PlaceBits(PlaceBits)
  ) u_operands (
    .clk_i, .rst_ni, .in_load_i(in_load), .beat_i(beat), .place_i(place), .full_i(full), .pre_i(pre), .go_i(go),
    .m_word_i(m_word), .x_i, .y_i, .z_i(z_o),
    .load_o(odd_load), .beat_o(odd_beat), .place_o(odd_place), .full_o(odd_full), .x_o(x_odd), .y_o(y_odd),
    .residue_o(residue), .bank_o(bank), .run_bank_o(run_bank), .negative_o(negative)
  );

  // ---- step 2: the digits of X

  logic         sign, some, one, sign_e;
  logic [K-2:0] x_row;

  mm_rrm_split_digits #(
    .Word(SafeWord), .Beats(Beats), .DigitBits(K), .Chains(Chains)
  ) u_digits (
    .clk_i, .load_i(odd_load), .beat_i(odd_beat), .x_i(x_odd), .bank_i(bank), .go_i(go), .pre_i(pre),
    .digits_i(digits), .x_some_i(x_some), .x_last_i(x_last), .negative_i(negative),
    .row_o(x_row), .sign_o(sign), .some_o(some), .one_o(one), .sign_e_o(sign_e)
  );

  // ---- step 3: the multiples of Y

  logic [SafeWidth+K-1:0] multiple;

  mm_rrm_split_multiples #(
    .Width(SafeWidth), .Word(SafeWord), .Words(Words), .Groups(Groups), .DigitBits(K)
  ) u_multiples (
    .clk_i, .rst_ni, .load_i(odd_load), .place_i(odd_place), .y_i(y_odd), .full_i(odd_full),
    .move_o(filler_move), .soon_o(filler_soon), .done_o(filled),
    .bank_i(bank), .run_bank_i(run_bank), .row_i(x_row), .some_i(some), .one_i(one), .multiple_o(multiple)
  );

  // ---- steps 0 and 4a: the residue of the digit that was dropped

  logic [Bits-1:0]      s;
  logic [Digits-1:0]    c, e_c;
  logic [K-1:0]         top, s_next;
  logic [SafeWidth-1:0] t;

  mm_rrm_split_dropped #(
    .Width(SafeWidth), .Word(SafeWord), .Beats(Beats), .DigitBits(K), .Delay(D), .Chains(Chains), .Modulus(M)
  ) u_dropped (
    .clk_i, .rst_ni, .pre_i(pre), .ctx_load_i(ctx_load), .in_load_i(in_load), .row_i(row), .residue_i(residue),
    .clear_s_i(clear_s), .clear_t_i(clear_t), .s_i(s[K-1:0]), .s_next_i(s_next), .t_o(t)
  );

  // ---- steps 4a and 4b: the sums

  mm_rrm_split_loop #(
    .DigitBits(K), .Digits(Digits), .Chains(Chains)
  ) u_loop (
    .clk_i, .clear_e_i(clear_e), .clear_s_i(clear_s), .sign_i(sign), .sign_e_i(sign_e),
    .x_i(Bits'(multiple)), .t_i(Bits'(t)),
    .s_o(s), .s_next_o(s_next), .c_o(c), .e_c_o(e_c), .top_o(top)
  );

  // ---- steps 5 and 6: the result

  mm_rrm_split_result #(
    .Word(SafeWord), .Beats(Beats), .DigitBits(K), .Digits(Digits), .Delay(D), .Modulus(WordsOfM)
  ) u_result (
    .clk_i, .m_load_i(m_load), .m_beat_i(m_beat), .m_word_i(m_in), .u_i(u),
    .take_i(take), .s_i(s), .c_i(c), .e_c_i(e_c), .top_i(top), .row_i(row), .second_i(second),
    .read_i(read), .first_i(first), .read_last_o(read_last), .word_i(word), .move_i(move), .z_o
  );

endmodule

`default_nettype wire
