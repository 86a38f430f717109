// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp: z = x * y / R mod M, Montgomery multiplication in rows of multiplier blocks, a digit of x times
// all of y a cycle, or in a folded build a digit of x times as many digits of y as a row has columns. The digit that a
// step drops is itself the quotient digit: what it was worth is given back Delay steps later, as a multiple of a
// constant.
//
// Steps (w = Digit, B = 2^w, N = ceil(n / w), T = max(N, Delay + 2), e = Halves, R = B^T * 2^e, n = Width + Lazy)
//    1  for each M: K[j] = 1 / B^j mod M for j = 0 ... Delay + 1, C[j] = -K[j] / M mod B * 2^e for j = 0 ... Delay:
//       they come with the context
//    2  for t = 0 ... T-1, step 3
//    3    S = floor(S / B) + x_t * y + s_(t-Delay) * K[Delay+1], s_t the digit that is dropped
//    4  V = S + s_(T-Delay) * K[Delay] + ... + s_(T-1) * K[1]
//    5  Q = -V / M = s_(T-Delay) * C[Delay] + ... + s_(T-1) * C[1] + S * C[0] mod B * 2^e             0 <= Q < 2^e B
//    6  Z = (V + Q * M) / (B * 2^e)                                                                   0 <= Z < 2 M
//    7  z = Z or Z - M; with Lazy, z = Z
//
//            operands       step 3               step 4                                     result
//    exact   0 ... M        0 <= S < 2 B M       0 <= V < (Delay + 2) B M <= 2^e B M        0 <= z < M
//    Lazy    0 ... 2M - 1   0 <= S < 3 B M       0 <= V < (Delay + 3) B M <= 2^e B M        0 <= z < 2 M
//
// Legal: odd M < 2^Width.
//
`default_nettype none

module mm_montgomery_dsp #(
  parameter int Width   = 256,
  parameter int Word    = 36,
  parameter int Digit   = 18,
  parameter int Columns = 0,
  parameter int Fanout  = 0,
  parameter int Lazy    = 0,
  parameter int Product = 3
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

  localparam bit LegalDigit = Digit >= 8 && Digit <= 32;
  localparam int W          = LegalDigit ? Digit : 18;
  localparam bit LegalWord  = Word >= W && Word % W == 0;
  localparam int SafeWord   = LegalWord ? Word : W;
  localparam int Lanes      = SafeWord / W;
  localparam int SafeWidth  = Width > 2 ? Width : 2;
  localparam bit LegalFan   = Fanout >= 0 && Fanout <= 2;
  localparam int SafeFan    = LegalFan ? Fanout : 0;
  localparam bit LegalRow   = Columns >= 0 && Columns % Lanes == 0;
  localparam bit LegalLazy  = Lazy == 0 || Lazy == 1;
  localparam bit Loose      = Lazy == 1;
  localparam bit LegalMul   = Product == 3 || Product == 4;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_8_to_32 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_a_number_of_digits u_illegal ();
  end
  if (!LegalRow) begin : gen_illegal_columns
    illegal_parameter_Columns_must_be_0_or_those_of_a_number_of_words u_illegal ();
  end
  if (!LegalFan) begin : gen_illegal_fanout
    illegal_parameter_Fanout_must_be_0_to_2 u_illegal ();
  end
  if (!LegalLazy) begin : gen_illegal_lazy
    illegal_parameter_Lazy_must_be_0_or_1 u_illegal ();
  end
  if (!LegalMul) begin : gen_illegal_product
    illegal_parameter_Product_must_be_3_or_4 u_illegal ();
  end

  function automatic int most(input int a, input int b);
    most = a > b ? a : b;
  endfunction

  localparam int Bits     = SafeWidth + (Loose ? 1 : 0);  // of an operand
  localparam int Beats    = (Bits + SafeWord - 1) / SafeWord;
  localparam int N        = (Bits + W - 1) / W;           // digits of x, y
  localparam int VDigits  = (SafeWidth + 5 + W - 1) / W + 1;
  localparam int Row      = LegalRow && Columns > 0 && Columns < VDigits ? Columns : VDigits;
  localparam bit Fold     = Row < VDigits;
  localparam int Groups   = (VDigits + Row - 1) / Row;    // cycles of a step
  localparam int SFan     = SafeFan + (Fold ? 1 : 0);     // registers between S and the blocks
  localparam int XFan     = Fold ? SFan : most(SFan, 1) - 1;  // and between a digit of x and the blocks
  localparam int Mul      = LegalMul ? Product : 3;       // cycles of a product
  localparam int Loop     = Mul + 3 + SFan;               // cycles from a digit of S to its product in S
  localparam int Delay    = (Loop + Groups - 1) / Groups - 1;
  localparam int Spare    = Groups * (Delay + 1) - Loop;
  localparam int Behind   = Delay * Groups;               // cycles from the last step to the last digit behind it
  localparam int Halves   = $clog2(Delay + 2 + (Loose ? 1 : 0));
  localparam int VBits    = W + $clog2(5 + 2 * Delay);
  localparam int Steps    = most(N, Delay + 2);
  localparam int Words    = (VDigits + Lanes - 1) / Lanes;
  localparam int Parts    = Fold ? Row / Lanes : Beats;   // words of a number that go to the columns of a group
  localparam int Late     = Fold ? 1 : 0;                 // cycles that s * K waits for the S of step 4
  // From the last cycle but one of a run on:
  localparam int ToV      = 2 + XFan;                     // digits behind step T - 1 at the blocks
  localparam int ToSum    = ToV + Mul + 3 + (Delay == 0 ? 0 : 1 + Late + Behind - Groups);  // first group of V
  localparam int ToWord   = ToSum + (Fold && Parts > 1 ? 2 : 0);                            // first word of V
  localparam int Narrow   = Row == 1 ? 1 : 0;             // the second digit of S is in the second group
  localparam int QWait    = most(most(5 + Narrow - Behind, ToWord - ToV - Behind - Mul - Halves), 0);
  localparam int ToQ      = ToV + Behind + QWait + Mul + 1;                                 // Q
  localparam int VWait    = ToQ + Halves - 1 - ToWord;    // cycles that words of V wait for Q

  localparam int Quot     = W + Halves;
  localparam int QWords   = (Quot + SafeWord - 1) / SafeWord;
  localparam int ZWords   = SafeWidth / SafeWord + 1;
  localparam int ZTop     = SafeWidth % SafeWord + 1;
  localparam int Shift    = most(Halves, Mul) + 3 + Quot / SafeWord;
  localparam int Known    = Loose ? 0 : ZWords - (ZWords > 1 && ZTop + Quot % SafeWord <= SafeWord ? 1 : 0);
  localparam int Wait     = Fold && Beats <= Parts ? most(3 - Beats, 1) : most(3 - Beats, 0);
  localparam int Latency  = Wait + Groups * Steps - 1 + ToQ + Shift + Known;
  localparam int Slots    = 4;                            // operations between start and the last word of z
  localparam int Period   = most(most(Groups * Steps, Words + 4), (Latency - Wait + Beats + 2 + Slots) / Slots);
  localparam int NumBeats = Fold ? Groups * Parts : Beats;
  localparam int Heads    = Beats + (Delay + 1) * QWords;
  localparam int KDepth   = Groups * (Delay + 1);
  localparam int KAddr    = KDepth > 1 ? $clog2(KDepth) : 1;
  localparam int XAddr    = Beats > 1 ? $clog2(Beats) : 1;
  localparam int BeatBits = $clog2(Heads > NumBeats ? Heads + 1 : NumBeats + 1);
  localparam int GrpBits  = Groups > 1 ? $clog2(Groups) : 1;
  localparam int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;

  // ---- control

  logic                ctx_there, ctx_m, in_load, in_last, full, half_in, start, run, first, last, between, ending;
  logic                behind, x_there, half_run, half_x, legal, out_last;
  logic [BeatBits-1:0] ctx_beat, in_beat, x_word_index;
  logic [GrpBits-1:0]  group;
  logic [LaneBits-1:0] x_lane;

  mm_montgomery_dsp_control #(
    .Beats(Beats), .Wait(Wait), .Heads(Heads), .Numbers(Delay + 1), .NumBeats(NumBeats), .Lanes(Lanes),
    .Groups(Groups), .Steps(Steps), .Period(Period), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal), .in_valid_i, .in_ready_o, .out_last_i(out_last),
    .ctx_there_o(ctx_there), .ctx_m_o(ctx_m), .ctx_beat_o(ctx_beat),
    .in_load_o(in_load), .in_beat_o(in_beat), .in_last_o(in_last), .full_o(full), .half_in_o(half_in),
    .start_o(start), .run_o(run), .first_o(first), .last_o(last), .between_o(between), .ending_o(ending),
    .behind_o(behind), .group_o(group), .half_run_o(half_run),
    .x_word_o(x_word_index), .x_lane_o(x_lane), .x_there_o(x_there), .half_x_o(half_x)
  );

  // ---- step 1: the context

  logic                m_load, c_load;
  logic [BeatBits-1:0] m_beat;
  logic [SafeWord-1:0] ctx_word, k_word;
  logic [Parts-1:0]    k_here;
  logic [KAddr-1:0]    k_write;

  mm_montgomery_dsp_context #(
    .Word(SafeWord), .Beats(Beats), .Parts(Parts), .KAddr(KAddr), .BeatBits(BeatBits)
  ) u_context (
    .clk_i, .data_i(ctx_data_i), .there_i(ctx_there), .m_i(ctx_m), .beat_i(ctx_beat), .legal_o(legal),
    .m_load_o(m_load), .c_load_o(c_load), .beat_o(m_beat), .word_o(ctx_word),
    .k_here_o(k_here), .k_write_o(k_write), .k_word_o(k_word)
  );

  // ---- steps 2 to 7: when

  logic             blank, fresh, v_clear, v_later, q_start, v_there, convert;
  logic [KAddr-1:0] k_addr;

  mm_montgomery_dsp_schedule #(
    .Groups(Groups), .Delay(Delay), .Behind(Behind), .Steps(Steps), .XFan(XFan), .QWait(QWait), .Mul(Mul),
    .ToSum(ToSum), .ToQ(ToQ), .KAddr(KAddr)
  ) u_schedule (
    .clk_i, .rst_ni, .start_i(start), .first_i(first), .ending_i(ending),
    .k_addr_o(k_addr), .blank_o(blank), .fresh_o(fresh), .v_clear_o(v_clear), .v_later_o(v_later),
    .q_start_o(q_start), .v_there_o(v_there), .convert_o(convert)
  );

  // ---- steps 2 and 3: the digits of x, and the dropped digits

  logic [W-1:0] sum_0, x, s, q_s;
  logic         s_first;

  mm_montgomery_dsp_digits #(
    .Digit(W), .Lanes(Lanes), .XAddr(XAddr), .Fold(Fold), .XFan(XFan), .SFan(SFan), .Spare(Spare), .Behind(Behind),
    .QWait(QWait)
  ) u_digits (
    .clk_i, .in_load_i(in_load), .in_beat_i(in_beat[XAddr-1:0]), .half_in_i(half_in), .x_word_i(x_i),
    .run_i(run), .first_i(first), .last_i(last), .behind_i(behind), .half_x_i(half_x),
    .x_index_i(x_word_index[XAddr-1:0]), .lane_i(x_lane), .x_there_i(x_there), .sum_i(sum_0),
    .x_o(x), .s_o(s), .s_first_o(s_first), .q_s_o(q_s)
  );

  // ---- steps 3 and 4: S and V

  logic [Row*VBits-1:0] v, v_next;
  logic [Halves-1:0]    upper;

  mm_montgomery_dsp_row #(
    .Digit(W), .Lanes(Lanes), .Row(Row), .Groups(Groups), .Digits(N), .Beats(Beats), .Parts(Parts), .VBits(VBits),
    .Halves(Halves), .XFan(XFan), .SFan(SFan), .KAddr(KAddr), .Mul(Mul),
    .Drain(Delay > 0)
  ) u_row (
    .clk_i, .rst_ni, .k_here_i(k_here), .k_write_i(k_write), .k_word_i(k_word),
    .in_load_i(in_load), .in_last_i(in_last), .half_in_i(half_in), .full_i(full), .y_word_i(y_i),
    .between_i(between), .first_i(first), .last_i(last), .half_run_i(half_run), .group_i(group),
    .k_addr_i(k_addr), .fresh_i(fresh), .blank_i(blank), .v_clear_i(v_clear), .v_later_i(v_later),
    .s_first_i(s_first), .x_i(x), .s_i(s),
    .sum_o(sum_0), .upper_o(upper), .v_next_o(v_next), .v_o(v)
  );

  // ---- step 5: Q

  logic [Quot-1:0] q;

  // A folded build has time to take a block of step 6.
  localparam bit Lend = Fold && Period > Behind + Words + Mul;

  logic           q_at, unused_product;
  logic [W-1:0]   c_digit;
  logic [2*W-1:0] q_product, lent_product;

  mm_montgomery_dsp_quotient #(
    .Digit(W), .Halves(Halves), .Delay(Delay), .Groups(Groups), .Word(SafeWord), .Upper(Mul + 4 + Narrow - QWait),
    .Mul(Mul)
  ) u_quotient (
    .clk_i, .rst_ni, .start_i(q_start), .s_i(q_s[Halves-1:0]), .upper_i(upper),
    .clear_i(m_load), .write_i(c_load), .word_i(ctx_word),
    .at_o(q_at), .c_o(c_digit), .product_i(q_product[Quot-1:0]), .q_o(q)
  );

  if (Lend) begin : gen_lent
    assign q_product = lent_product;
  end else begin : gen_block
    logic unused_lent;
    assign unused_lent = ^lent_product;
    mm_block_mul #(
      .ABits(W), .Cycles(Mul)
    ) u_c_s (
      .clk_i, .a_i(q_s), .b_i(c_digit), .p_o(q_product)
    );
  end

  assign unused_product = ^q_product;

  // ---- step 6: words of V

  logic [Lanes*VBits-1:0] v_word;

  mm_montgomery_dsp_sum #(
    .Lanes(Lanes), .VBits(VBits), .Row(Row), .Groups(Groups), .Parts(Parts), .Words(Words), .VWait(VWait)
  ) u_sum (
    .clk_i, .rst_ni, .there_i(v_there), .v_next_i(v_next), .v_i(v), .word_o(v_word)
  );

  // ---- steps 6 and 7

  logic                z_there;
  logic [SafeWord-1:0] z;

  mm_montgomery_dsp_converter #(
    .Digit(W), .Lanes(Lanes), .VBits(VBits), .Words(Words), .Beats(Beats), .ZWords(ZWords), .ZTop(ZTop),
    .Halves(Halves), .Mul(Mul), .Lazy(Loose), .AddrBits(XAddr)
  ) u_converter (
    .clk_i, .rst_ni, .start_i(convert), .v_i(v_word), .q_i(q),
    .lend_i(Lend & q_at), .a_i(q_s), .b_i(c_digit), .p_o(lent_product),
    .write_i(m_load), .addr_i(m_beat[XAddr-1:0]), .word_i(ctx_word), .valid_o(z_there), .z_o(z)
  );

  // ---- words of z

  mm_result_queue #(
    .Word(SafeWord), .Beats(Beats), .Slots(Slots)
  ) u_queue (
    .clk_i, .rst_ni, .write_i(z_there), .word_i(z), .last_o(out_last), .out_valid_o, .out_ready_i, .z_o
  );

  logic unused_bits;
  assign unused_bits = ^{in_beat, x_word_index, m_beat};

endmodule

`default_nettype wire
