// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp: z = x * y / R mod M, Montgomery multiplication in rows of multiplier blocks, a digit of x times
// all of y a cycle, or in a folded build a digit of x times as many digits of y as a row has columns. The digit that a
// step drops is itself the quotient digit, for what it is worth is given back Delay steps later, as a multiple of a
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
  parameter int Lazy    = 0
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
  localparam int Loop     = 6 + SFan;                     // cycles from a digit of S to its product in S
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
  localparam int ToSum    = ToV + (Delay == 0 ? 6 : 7 + Late + Behind - Groups);            // first group of V
  localparam int ToWord   = ToSum + (Fold && Parts > 1 ? 2 : 0);                            // first word of V
  localparam int Narrow   = Row == 1 ? 1 : 0;             // the second digit of S is in the second group
  localparam int QWait    = most(most(5 + Narrow - Behind, ToWord - ToV - Behind - 3 - Halves), 0);
  localparam int ToQ      = ToV + Behind + QWait + 4;     // Q
  localparam int VWait    = ToQ + Halves - 1 - ToWord;    // cycles that words of V wait for Q

  localparam int Quot     = W + Halves;
  localparam int QWords   = (Quot + SafeWord - 1) / SafeWord;
  localparam int ZWords   = SafeWidth / SafeWord + 1;
  localparam int ZTop     = SafeWidth % SafeWord + 1;
  localparam int Shift    = (Halves > 3 ? Halves + 1 : 4) + 2 + Quot / SafeWord;
  localparam int Known    = Loose ? 0 : ZWords - (ZWords > 1 && ZTop + Quot % SafeWord <= SafeWord ? 1 : 0);
  localparam int Wait     = Fold && Beats <= Parts ? most(3 - Beats, 1) : most(3 - Beats, 0);
  localparam int Latency  = Wait + Groups * Steps - 1 + ToQ + Shift + Known;
  localparam int Slots    = 4;                            // operations between start and the last word of z
  localparam int Period   = most(most(Groups * Steps, Words + 4), (Latency + Beats + 1 + Slots) / Slots);
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
  logic                behind, x_there, half_run, half_x, legal_q, out_last;
  logic [BeatBits-1:0] ctx_beat, in_beat, x_word_index;
  logic [GrpBits-1:0]  group;
  logic [LaneBits-1:0] x_lane;

  mm_montgomery_dsp_control #(
    .Beats(Beats), .Wait(Wait), .Heads(Heads), .Numbers(Delay + 1), .NumBeats(NumBeats), .Lanes(Lanes),
    .Groups(Groups), .Steps(Steps), .Period(Period), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q), .in_valid_i, .in_ready_o, .out_last_i(out_last),
    .ctx_there_o(ctx_there), .ctx_m_o(ctx_m), .ctx_beat_o(ctx_beat),
    .in_load_o(in_load), .in_beat_o(in_beat), .in_last_o(in_last), .full_o(full), .half_in_o(half_in),
    .start_o(start), .run_o(run), .first_o(first), .last_o(last), .between_o(between), .ending_o(ending),
    .behind_o(behind), .group_o(group), .half_run_o(half_run),
    .x_word_o(x_word_index), .x_lane_o(x_lane), .x_there_o(x_there), .half_x_o(half_x)
  );

  // ---- beats of the context, one to three cycles after they came

  logic                k_load_q, head_load_q, m_load_q, c_load_q;
  logic [BeatBits-1:0] ctx_beat_q;
  logic [SafeWord-1:0] data_q, data_q2, data_q3;
  logic [KAddr-1:0]    k_write_q, k_write_q2;
  logic [Parts-1:0]    k_place_q, k_here_q;  // the columns of the next word of a K, of this one

  always_ff @(posedge clk_i) begin
    data_q      <= ctx_data_i;
    data_q2     <= data_q;
    data_q3     <= data_q2;
    head_load_q <= ctx_there & ctx_m;
    m_load_q    <= ctx_there & ctx_m & (ctx_beat < BeatBits'(Beats));
    c_load_q    <= ctx_there & ctx_m & (ctx_beat >= BeatBits'(Beats));
    k_load_q    <= ctx_there & ~ctx_m;
    ctx_beat_q  <= ctx_beat;
    k_write_q2  <= k_write_q;
    k_here_q    <= k_place_q & {Parts{k_load_q}};
    if (m_load_q && ctx_beat_q == '0) legal_q <= data_q2[0];
    if (head_load_q) begin
      k_write_q <= '0;
      k_place_q <= Parts'(1);
    end else if (k_load_q) begin
      k_place_q <= Parts'({k_place_q, k_place_q[Parts-1]});
      if (k_place_q[Parts-1]) k_write_q <= k_write_q + 1'b1;
    end
  end

  // ---- words of operands, as they come and a cycle later

  logic                in_q, half_in_q;
  logic [BeatBits-1:0] in_beat_q;
  logic [SafeWord-1:0] x_in_q;
  logic [Parts-1:0]    place_q;  // the columns of the next word

  always_ff @(posedge clk_i) begin
    in_q      <= in_load;
    half_in_q <= half_in;
    in_beat_q <= in_beat;
    x_in_q    <= x_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      place_q <= Parts'(1);
    else if (in_load) place_q <= in_last ? Parts'(1) : Parts'({place_q, place_q[Parts-1]});
  end

  // ---- digits of x

  logic [SafeWord-1:0] x_word;
  logic [W-1:0]        x_digit, x_q, x;

  mm_word_ram #(
    .Word(SafeWord), .Depth(2 << XAddr)
  ) u_x (
    .clk_i, .write_i(in_q), .write_addr_i({half_in_q, in_beat_q[XAddr-1:0]}), .word_i(x_in_q),
    .read_addr_i({half_x, x_word_index[XAddr-1:0]}), .word_o(x_word)
  );

  assign x_digit = x_word[x_lane*W+:W];

  always_ff @(posedge clk_i) begin
    if (!run || last) x_q <= x_there ? x_digit : '0;
  end

  mm_delay #(
    .Bits(W), .Cycles(XFan)
  ) u_x_fan (
    .clk_i, .d_i(x_q), .q_o(x)
  );

  // ---- the digits that are dropped, Delay steps later

  logic [W-1:0] sum_0, s, q_s;
  logic         s_first;  // where a step takes several cycles: the first one, for such a digit

  if (!Fold) begin : gen_at_once
    mm_delay #(
      .Bits(W), .Cycles(SFan)
    ) u_s_fan (
      .clk_i, .d_i(sum_0), .q_o(s)
    );
    assign s_first = 1'b0;
  end else begin : gen_steps
    logic [W-1:0] s_dropped, s_q;

    mm_delay #(
      .Bits(W), .Cycles(Spare)
    ) u_dropped (
      .clk_i, .d_i(sum_0), .q_o(s_dropped)
    );

    mm_delay #(
      .Bits(1), .Cycles(Behind)
    ) u_s_first (
      .clk_i, .d_i(first | behind), .q_o(s_first)
    );

    always_ff @(posedge clk_i) begin
      if (s_first) s_q <= s_dropped;
    end

    mm_delay #(
      .Bits(W), .Cycles(SFan - 1)
    ) u_s_fan (
      .clk_i, .d_i(s_q), .q_o(s)
    );
  end

  mm_delay #(
    .Bits(W), .Cycles(QWait)
  ) u_q_wait (
    .clk_i, .d_i(s), .q_o(q_s)
  );

  // ---- when: K is read a cycle before the digits are at the blocks, the address a cycle earlier

  logic             drain, k_sync, blank, fresh, v_clear, v_later;
  logic [KAddr-1:0] k_addr_q;

  if (Delay > 0) begin : gen_drain
    logic begins, goes_on;

    mm_delay #(
      .Bits(1), .Cycles(XFan)
    ) u_begins (
      .clk_i, .d_i(ending), .q_o(begins)
    );

    mm_montgomery_dsp_token #(
      .Start(1), .Length((Delay + 1) * Groups - 1)
    ) u_drain (
      .clk_i, .rst_ni, .pulse_i(begins), .on_o(goes_on)
    );

    assign drain = begins | goes_on;
  end else begin : gen_none
    assign drain = 1'b0;
  end

  if (Fold) begin : gen_k_sync
    mm_delay #(
      .Bits(1), .Cycles(Groups + XFan - 2)
    ) u_k_sync (
      .clk_i, .d_i(first), .q_o(k_sync)
    );
  end else begin : gen_k_one
    assign k_sync = 1'b1;
  end

  mm_montgomery_dsp_token #(
    .Start(XFan + 5 + Behind + Groups), .Length((Steps - Delay - 1) * Groups), .On(1'b0)
  ) u_blank (
    .clk_i, .rst_ni, .pulse_i(start), .on_o(blank)
  );

  mm_montgomery_dsp_token #(
    .Start(XFan + 4), .Length(Groups)
  ) u_fresh (
    .clk_i, .rst_ni, .pulse_i(start), .on_o(fresh)
  );

  mm_montgomery_dsp_token #(
    .Start(most(ToV + 6 + Late - Groups, 1)), .Length(Groups)
  ) u_v_clear (
    .clk_i, .rst_ni, .pulse_i(ending), .on_o(v_clear)
  );

  mm_montgomery_dsp_token #(
    .Start(ToV + 5), .Length(Groups), .On(1'b0)
  ) u_v_later (
    .clk_i, .rst_ni, .pulse_i(ending), .on_o(v_later)
  );

  always_ff @(posedge clk_i) begin
    if (k_sync && !drain) k_addr_q <= '0;
    else                  k_addr_q <= k_addr_q + 1'b1;
  end

  // ---- columns

  logic [Row-1:0][W-1:0] y, k, high_x, high_s, sum, round, next;
  logic [Row-1:0][2:0]   carries;
  logic [Row*VBits-1:0]  v, v_next;
  logic [W-1:0]          below_x, below_s, above_top;
  logic [GrpBits:0]      y_addr, y_write_addr;

  if (!Fold) begin : gen_row
    assign below_x      = '0;
    assign below_s      = '0;
    assign above_top    = '0;
    assign y_addr       = '0;
    assign y_write_addr = '0;
  end else begin : gen_groups
    logic               none_x, none_s, last_sum, fresh_q, none_q;
    logic [W-1:0]       next_group, below_x_q, below_s_q;
    logic [GrpBits-1:0] group_in_q;
    logic [GrpBits:0]   y_write_addr_q;
    always_ff @(posedge clk_i) begin
      below_x_q <= none_x ? '0 : high_x[Row-1];
      below_s_q <= none_s ? '0 : high_s[Row-1];
    end
    assign below_x = below_x_q;
    assign below_s = below_s_q;
    mm_delay #(
      .Bits(1), .Cycles(XFan + 3)
    ) u_none_x (
      .clk_i, .d_i(first), .q_o(none_x)
    );
    mm_delay #(
      .Bits(1), .Cycles(SFan + 3)
    ) u_none_s (
      .clk_i, .d_i(s_first), .q_o(none_s)
    );
    mm_delay #(
      .Bits(1), .Cycles(XFan + 4)
    ) u_last (
      .clk_i, .d_i(last), .q_o(last_sum)
    );
    mm_delay #(
      .Bits(W), .Cycles(Groups - 2)
    ) u_next (
      .clk_i, .d_i(sum[0]), .q_o(next_group)
    );
    always_ff @(posedge clk_i) begin
      fresh_q <= fresh;
      none_q  <= last_sum | fresh_q;
    end
    assign above_top = next_group & {W{~none_q}};
    mm_delay #(
      .Bits(GrpBits + 1), .Cycles(XFan - 1)
    ) u_y_addr (
      .clk_i, .d_i({half_run, group}), .q_o(y_addr)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                          group_in_q <= '0;
      else if (in_load && in_last)          group_in_q <= '0;
      else if (in_load && place_q[Parts-1]) group_in_q <= group_in_q + 1'b1;
    end
    always_ff @(posedge clk_i) y_write_addr_q <= {half_in, group_in_q};
    assign y_write_addr = y_write_addr_q;
  end

  assign sum_0 = sum[0];

  for (genvar c = 0; c < Row; c++) begin : gen_column
    localparam int Lane   = c % Lanes;
    localparam bit Blocks = c < N;

    if (!Blocks) begin : gen_no_digits
      assign y[c] = '0;
      assign k[c] = '0;
    end else begin : gen_digits
      localparam int Place = c / Lanes;
      logic [W-1:0] k_digit, k_q, y_q;

      mm_word_ram #(
        .Word(W), .Depth(1 << KAddr)
      ) u_k (
        .clk_i, .write_i(k_here_q[Place]), .write_addr_i(k_write_q2), .word_i(data_q3[Lane*W+:W]),
        .read_addr_i(k_addr_q), .word_o(k_digit)
      );

      // Until a word has come, what is at the port is taken for it in every cycle; the last word comes through.
      if (!Fold) begin : gen_y_register
        logic [W-1:0] y_next, y_next_q;
        always_ff @(posedge clk_i) begin
          if (place_q[Place] && !full) y_next_q <= y_i[Lane*W+:W];
          if (between)                 y_q      <= y_next;
        end
        assign y_next = Place == Beats - 1 && !full ? y_i[Lane*W+:W] : y_next_q;
      end else begin : gen_y_words
        localparam int Full = (Beats - 1 - Place + Parts) / Parts;  // groups with such a word
        logic         here_q, there;
        logic [W-1:0] y_in_q, y_digit;
        mm_word_ram #(
          .Word(W), .Depth(2 << GrpBits)
        ) u_y (
          .clk_i, .write_i(here_q), .write_addr_i(y_write_addr), .word_i(y_in_q),
          .read_addr_i(y_addr), .word_o(y_digit)
        );
        if (Full < Groups) begin : gen_some
          assign there = y_addr[GrpBits-1:0] < GrpBits'(Full);
        end else begin : gen_all
          assign there = 1'b1;
        end
        always_ff @(posedge clk_i) begin
          here_q <= in_load & place_q[Place];
          y_in_q <= y_i[Lane*W+:W];
          y_q    <= there ? y_digit : '0;
        end
      end

      always_ff @(posedge clk_i) k_q <= k_digit;

      assign y[c] = y_q;
      assign k[c] = k_q;
    end

    mm_montgomery_dsp_column #(
      .Digit(W), .VBits(VBits), .Groups(Groups), .Blocks(Blocks), .Drain(Delay > 0)
    ) u_column (
      .clk_i, .fresh_i(fresh), .blank_i(blank), .v_clear_i(v_clear), .v_later_i(v_later),
      .x_i(x), .y_i(y[c]), .s_i(s), .k_i(k[c]),
      .high_x_i(c == 0 ? below_x : high_x[c == 0 ? 0 : c-1]), .high_s_i(c == 0 ? below_s : high_s[c == 0 ? 0 : c-1]),
      .high_x_o(high_x[c]), .high_s_o(high_s[c]),
      .above_i(c == Row - 1 ? above_top : next[c == Row-1 ? c : c+1]),
      .sum_o(sum[c]), .round_o(round[c]), .next_o(next[c]), .carries_o(carries[c]),
      .v_next_o(v_next[c*VBits+:VBits]), .v_o(v[c*VBits+:VBits])
    );
  end

  logic unused_ends;
  assign unused_ends = ^{full, y_i, run, last, between, behind, first, s_first, x_word_index, in_beat_q, ctx_beat_q,
                         half_in_q, half_run, group, data_q3, high_x, high_s, sum, round, next, carries, v, v_next,
                         y_addr, y_write_addr};

  // ---- step 5: Q

  logic              q_start;
  logic [Halves-1:0] upper;
  logic [Quot-1:0]   q;

  if (Row > 1) begin : gen_upper
    assign upper = round[1][Halves-1:0] + Halves'(carries[0]);
  end else begin : gen_upper_later
    logic [Halves-1:0] carries_q;
    always_ff @(posedge clk_i) carries_q <= Halves'(carries[0]);
    assign upper = round[0][Halves-1:0] + carries_q;
  end

  mm_delay #(
    .Bits(1), .Cycles(XFan + QWait)
  ) u_q_start (
    .clk_i, .d_i(ending), .q_o(q_start)
  );

  // A folded build has time to take a block of step 6.
  localparam bit Lend = Fold && Period > Behind + Words + 3;

  logic           q_at, unused_product;
  logic [W-1:0]   c_digit;
  logic [2*W-1:0] q_product, lent_product;

  mm_montgomery_dsp_quotient #(
    .Digit(W), .Halves(Halves), .Delay(Delay), .Groups(Groups), .Word(SafeWord), .Upper(7 + Narrow - QWait)
  ) u_quotient (
    .clk_i, .rst_ni, .start_i(q_start), .s_i(q_s[Halves-1:0]), .upper_i(upper),
    .clear_i(m_load_q), .write_i(c_load_q), .word_i(data_q2),
    .at_o(q_at), .c_o(c_digit), .product_i(q_product[Quot-1:0]), .q_o(q)
  );

  if (Lend) begin : gen_lent
    assign q_product = lent_product;
  end else begin : gen_block
    logic unused_lent;
    assign unused_lent = ^lent_product;
    mm_block_mul #(
      .ABits(W)
    ) u_c_s (
      .clk_i, .a_i(q_s), .b_i(c_digit), .p_o(q_product)
    );
  end

  assign unused_product = ^q_product;

  // ---- words of V

  logic                   convert, v_there;
  logic [Lanes*VBits-1:0] v_word, v_word_late;

  mm_montgomery_dsp_token #(
    .Start(ToQ - 3), .Length(1)
  ) u_convert (
    .clk_i, .rst_ni, .pulse_i(ending), .on_o(convert)
  );

  mm_montgomery_dsp_token #(
    .Start(ToSum - (Fold ? 0 : 1)), .Length(1)
  ) u_v_there (
    .clk_i, .rst_ni, .pulse_i(ending), .on_o(v_there)
  );

  if (!Fold) begin : gen_shift
    localparam int All = (Words + 1) * Lanes * VBits;  // and a word 0, which moves in
    logic [All-1:0] v_q;
    always_ff @(posedge clk_i) v_q <= v_there ? All'(v_next) : v_q >> (Lanes * VBits);
    assign v_word = v_q[Lanes*VBits-1:0];
  end else if (Parts > 1) begin : gen_buffer
    localparam int PartBits = $clog2(Parts);
    logic [Row*VBits-1:0]   v_group;
    logic [Lanes*VBits-1:0] v_word_q;
    logic [GrpBits-1:0]     write_q, read_q, write;
    logic                   write_there;
    logic [PartBits-1:0]    part_q;
    assign write_there = v_there | write_q != '0;
    assign write = v_there ? '0 : write_q;  // groups of no sum do no harm behind those of a sum
    mm_word_ram #(
      .Word(Row * VBits), .Depth(1 << GrpBits)
    ) u_v (
      .clk_i, .write_i(write_there), .write_addr_i(write), .word_i(v),
      .read_addr_i(read_q), .word_o(v_group)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                  write_q <= '0;
      else if (write == GrpBits'(Groups - 1))       write_q <= '0;
      else if (v_there || write_q != '0)            write_q <= write + 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (v_there) begin
        read_q <= '0;
        part_q <= '0;
      end else if (part_q == PartBits'(Parts - 1)) begin
        read_q <= read_q + 1'b1;
        part_q <= '0;
      end else begin
        part_q <= part_q + 1'b1;
      end
      v_word_q <= v_group[part_q*Lanes*VBits+:Lanes*VBits];
    end
    assign v_word = v_word_q;
  end else begin : gen_pass
    logic unused_there;
    assign unused_there = v_there;
    assign v_word       = v;
  end

  mm_delay #(
    .Bits(Lanes * VBits), .Cycles(VWait)
  ) u_v_wait (
    .clk_i, .d_i(v_word), .q_o(v_word_late)
  );

  // ---- steps 6 and 7

  logic                z_there;
  logic [SafeWord-1:0] z;

  mm_montgomery_dsp_converter #(
    .Digit(W), .Lanes(Lanes), .VBits(VBits), .Words(Words), .Beats(Beats), .ZWords(ZWords), .ZTop(ZTop),
    .Halves(Halves), .Lazy(Loose), .AddrBits(XAddr)
  ) u_converter (
    .clk_i, .rst_ni, .start_i(convert), .v_i(v_word_late), .q_i(q),
    .lend_i(Lend & q_at), .a_i(q_s), .b_i(c_digit), .p_o(lent_product),
    .write_i(m_load_q), .addr_i(ctx_beat_q[XAddr-1:0]), .word_i(data_q2), .valid_o(z_there), .z_o(z)
  );

  // ---- words of z: at once to the port, or through a memory and two registers while the port is not free

  localparam int OutAddr = Slots * Beats > 1 ? $clog2(Slots * Beats) : 1;

  logic [OutAddr:0]    write_q, read_q, beyond_q;  // beyond_q is read_q + 2
  logic [BeatBits-1:0] out_beat_q;
  logic [SafeWord-1:0] z_word, next_q, z_q;
  logic                none_q, one_q;              // words in the memory
  logic                next_there_q, valid_q, move, none, write, take, leaves;

  mm_word_ram #(
    .Word(SafeWord), .Depth(1 << OutAddr)
  ) u_z (
    .clk_i, .write_i(write), .write_addr_i(write_q[OutAddr-1:0]), .word_i(z),
    .read_addr_i(read_q[OutAddr-1:0]), .word_o(z_word)
  );

  assign move     = ~valid_q | out_ready_i;
  assign none     = none_q & ~next_there_q;
  assign write    = z_there & ~(move & none);
  assign take     = ~none_q & (move | ~next_there_q);
  assign leaves   = out_valid_o & out_ready_i;
  assign out_last = leaves & out_beat_q == BeatBits'(Beats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q      <= '0;
      read_q       <= '0;
      beyond_q     <= (OutAddr+1)'(2);
      none_q       <= 1'b1;
      one_q        <= 1'b0;
      next_there_q <= 1'b0;
      valid_q      <= 1'b0;
      out_beat_q   <= '0;
    end else begin
      if (write) write_q <= write_q + 1'b1;
      if (take) begin
        read_q   <= read_q + 1'b1;
        beyond_q <= beyond_q + 1'b1;
      end
      if (write && !take) begin
        none_q <= 1'b0;
        one_q  <= none_q;
      end else if (!write && take) begin
        none_q <= one_q;
        one_q  <= beyond_q == write_q;
      end
      next_there_q <= take | (next_there_q & ~move);
      if (move) valid_q <= next_there_q | (z_there & none_q & (valid_q | ~out_ready_i));
      if (leaves) out_beat_q <= out_last ? '0 : out_beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) next_q <= z_word;
    if (move) z_q <= next_there_q ? next_q : z;
  end

  assign out_valid_o = valid_q | (z_there & none);
  assign z_o         = valid_q ? z_q : z;

endmodule

`default_nettype wire
