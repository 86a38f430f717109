// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp: z = x * y mod M for one M = 2^Width - D, D a sum of few powers of 2, in a row of multiplier
// blocks: a digit of x times all of y a cycle, or in a folded build a digit of x times as many digits of y as a row has
// columns. The row has the product alone; what is above 2^Width comes back behind it, word by word, times D.
//
// Steps (w = Digit, n = Word * ceil(Width / Word), T = n / w, M' = M * 2^(n - Width) = 2^n - D')
//    1  X = x * 2^(n - Width) = sum of X_t * 2^(wt)                                           0 <= X <= M'
//    2  for t = 0 ... T-1: S = floor(S / 2^w) + X_t * y, with saved carries. The lowest digits of S are those of L; H
//       is floor(S / 2^w) behind the last step: X * y = H * 2^n + L                           0 <= H < 2^Width
//    3  Q = H; with Wide, from the highest word on, Q_i = H_i + sum of d_j * Q_(i+K-j) over j > 0, for D' = sum of
//       d_j * 2^(Word*j), K = n / Word; then Q = Q - Bias
//    4  U = X * y - Q * M' = L + Q * D' + (H - Q) * 2^n                                       0 <= U
//    5  V = U mod 2^n + floor(U / 2^n) * D'                                                   0 <= V < 2 M'
//    6  Z = V or V - M', as V + D' reaches 2^n or not; z = Z / 2^(n - Width)                  0 <= z < M
//
// Legal: M = Modulus = 2^Width - D, odd and of Width bits; 0 <= x, y <= M. Either D * (D + 2) <= 2^Width: Q = H < M
// leaves floor(U / 2^n) <= D, and V < 2^n + D^2 <= 2M. Or, with Wide, Width and the places of all powers of 2 in D (as
// signed digits without neighbours, D > 0) are multiples of Word, and Q and U are in range (`in_range`). A word of H is
// below 2^Word * 128 / 127. With a = the response of Q to one in the highest word, Up and Down the sums of its positive
// and negative values, -15 <= a word of Q / 2^Word * 127 / 128 <= 15 if Up, Down <= 15; with P digits 1 in D and N
// digits -1, what Q * D' puts at 2^n is above -(P * Down + N * Up) - 1, and Bias makes up for 15 of it, and below
// P * Up + N * Down + 1, so that with L and Bias it has 6 bits up to 46. Context: M.
//
`default_nettype none

module mm_sparse_prime_dsp #(
  parameter int Width   = 256,
  parameter int Word    = 32,
  parameter int Digit   = 16,
  parameter int Columns = 0,
  parameter     Modulus = 256'hffffffff_ffffffff_ffffffff_ffffffff_ffffffff_ffffffff_fffffffe_fffffc2f
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
  localparam int W          = LegalDigit ? Digit : 16;
  localparam bit LegalWord  = Word >= W && Word % W == 0;
  localparam int B          = LegalWord ? Word : W;
  localparam int Lanes      = B / W;
  localparam bit LegalRow   = Columns >= 0 && Columns % Lanes == 0;
  localparam int SafeWidth  = Width >= 2 ? Width : 2;

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
  // What is illegal is refused, and here replaced.

  // ---- the constants

  localparam int Beats = (SafeWidth + B - 1) / B;
  localparam int N     = Beats * B;       // n
  localparam int Shift = N - SafeWidth;
  localparam int C     = N + 34;          // D' and more

  localparam logic [C-1:0] Top   = C'(1) << SafeWidth;
  localparam logic [SafeWidth-1:0] Fixed = SafeWidth'(Modulus);
  localparam bit           OfN   = Modulus[0] && Modulus >> SafeWidth - 1 == 1;  // odd, of Width bits
  localparam logic [C-1:0] Given = Top - C'(Fixed);                              // D, if Modulus is legal
  localparam bit           Big   = OfN && (2*C)'(Given) * ((2*C)'(Given) + 2) > (2*C)'(Top);  // for two products

  function automatic int length(input logic [C-1:0] number);
    length = 0;
    for (int i = 0; i < C; i++) if (number[i]) length = i + 1;
  endfunction

  // The digits 1 and -1 of a number, none beside another.
  function automatic int powers(input logic [C-1:0] number);
    logic [C-1:0] rest;
    powers = 0;
    rest   = number;
    for (int i = 0; i < C; i++) begin
      if (rest[0]) begin
        powers = powers + 1;
        rest   = rest[1] ? rest + C'(1) : rest - C'(1);
      end
      rest = rest >> 1;
    end
  endfunction

  // The words of a number that are 1, or -1.
  function automatic logic [Beats-1:0] places(input logic [C-1:0] number, input bit minus);
    logic [C-1:0] rest;
    places = '0;
    rest   = number;
    for (int i = 0; i < N; i++) begin
      if (rest[0]) begin
        if (rest[1] == minus && i % B == 0) places = places | (Beats'(1) << (i / B));
        rest = rest[1] ? rest + C'(1) : rest - C'(1);
      end
      rest = rest >> 1;
    end
  endfunction

  // From the lowest word that is 1 or -1, but for word 0, to the end.
  function automatic int farthest(input logic [Beats-1:0] words);
    farthest = 1;
    for (int i = Beats - 1; i > 0; i--) if (words[i]) farthest = Beats - i;
  endfunction

  // Whether all powers of 2 of a number are at words, and what Q and U can be is in their ranges.
  function automatic bit in_range(input logic [C-1:0] number);
    logic [Beats-1:0]   plus, minus;
    logic [8*Beats-1:0] known;  // the values a + 16, a byte each
    logic [7:0]         back;
    int                 a, up, down, added, taken;
    plus     = places(number, 1'b0);
    minus    = places(number, 1'b1);
    known    = '0;
    up       = 0;
    down     = 0;
    added    = 0;
    taken    = 0;
    in_range = Shift == 0;
    for (int i = 0; i < Beats; i++) begin
      a = i == 0 ? 1 : 0;
      for (int j = 1; j < Beats; j++) begin
        if (i + j >= Beats) begin
          back = 8'(known >> (8 * (i + j - Beats)));
          if (plus[j])  a = a + int'(back) - 16;
          if (minus[j]) a = a - int'(back) + 16;
        end
      end
      if (a > 15 || a < -15) begin
        in_range = 1'b0;
        a        = 0;
      end
      if (a > 0) up = up + a;
      else       down = down - a;
      known = known | ((8*Beats)'(a + 16) << (8 * i));
      if (plus[i])  added = added + 1;
      if (minus[i]) taken = taken + 1;
    end
    if (added + taken != powers(number) || up > 15 || down > 15) in_range = 1'b0;
    if (added * down + taken * up > 15 || added * up + taken * down > 46) in_range = 1'b0;
  endfunction

  localparam bit           Fits = Big && in_range(Given);
  localparam logic [C-1:0] D    = OfN && (Fits || !Big) ? Given : C'(1);
  localparam logic [C-1:0] M    = Top - D;

  if (!OfN) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_odd_and_of_Width_bits u_illegal ();
  end
  if (Big && !Fits) begin : gen_illegal_d
    illegal_parameter_Modulus_must_be_next_to_2_to_the_Width_or_have_its_powers_at_words u_illegal ();
  end

  localparam logic [C-1:0] DScaled = D << Shift;                           // D'
  localparam int           Levels  = $clog2(powers(D) + 1);                // cycles of U = L + Q * D'
  localparam bit           Wide    = Fits;
  localparam int           Above   = Wide ? 1 : (length(D) + B - 1) / B;   // words of U >> n

  // With Wide, the words of D' that are 1 and -1; the words that one of Q comes back below; what makes U positive.
  localparam logic [Beats-1:0] Plus  = places(DScaled, 1'b0);
  localparam logic [Beats-1:0] Minus = places(DScaled, 1'b1);
  localparam int               Far   = farthest(Plus | Minus);
  localparam int               Bias  = 16;
  localparam int               TBits = Wide ? 6 : B;  // bits of U >> n that count in its first word

  // ---- the row, and the cycles from a start on

  localparam int Digits   = (SafeWidth + W - 1) / W;                       // of y
  localparam int Steps    = Beats * Lanes;
  localparam int Row      = LegalRow && Columns > 0 && Columns < Digits ? Columns : Digits;
  localparam bit Fold     = Row < Digits;
  localparam int Groups   = (Digits + Row - 1) / Row;                      // cycles of a step
  localparam int Parts    = Fold ? Row / Lanes : Beats;                    // words of y that go to a group
  localparam bit Direct   = Fold && Parts == 1 && !Wide;                   // a group is a word, the lowest first
  localparam int Run      = Groups * Steps;
  localparam int Tap      = Run + 6;                                       // the first group of H
  localparam int Pick     = Wide ? Tap + Groups : Tap + 1;                 // a word of H is chosen
  localparam int ToH      = Direct ? Tap + 1 : Pick + 2;                   // the first word of H
  localparam int ToQ      = Wide ? ToH + Far + Beats + 3 : ToH + 1;        // word 0 of Q
  localparam int ToU      = ToQ + Levels;
  localparam int ToR      = ToU + Beats + 1;                               // word 0 of U mod 2^n, and of U >> n
  localparam int ToV      = ToR + Levels;
  localparam int ToZ      = ToV + Beats + 1;
  localparam int Latency  = ToZ + 3;
  localparam int Reach    = length(DScaled) / B + 1;                   // words that Q * D' reaches back
  localparam int Narrow   = Beats + (Reach > Above ? Reach : Above + 1);
  localparam int Busy     = !Wide ? Narrow : Reach + 1 > Beats ? Beats + 1 + Reach : 2 * Beats;
  localparam int Base     = Run > Busy ? Run : Busy;
  localparam int Needed   = (Latency + Beats + 1 + Base) / Base;
  localparam int Room     = Beats < 8 ? 32 / Beats : 4;
  localparam int Slots    = Needed < Room ? Needed : Room;
  localparam int Turn     = (Latency + Beats + 1 + Slots) / Slots;
  localparam int Period   = Base > Turn ? Base : Turn;
  localparam int Last     = ToZ + Beats + 1;

  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam int GrpBits  = Groups > 1 ? $clog2(Groups) : 1;
  localparam int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;

  // ---- control

  logic                ctx_there, in_there, half_in, start, run, first, last, half_run, same, same_q, legal, leaves;
  logic [BeatBits-1:0] beat, x_index;
  logic [GrpBits-1:0]  group;
  logic [LaneBits-1:0] lane;
  logic [Last:0]       line;  // bit j: an operation started j cycles ago
  logic [Last:1]       line_q;

  assign leaves = out_valid_o & out_ready_i;

  mm_sparse_prime_dsp_control #(
    .Beats(Beats), .Lanes(Lanes), .Groups(Groups), .Period(Period), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal),
    .in_valid_i, .in_ready_o, .leaves_i(leaves),
    .ctx_there_o(ctx_there), .in_there_o(in_there), .beat_o(beat), .half_in_o(half_in),
    .start_o(start), .run_o(run), .first_o(first), .last_o(last), .group_o(group), .lane_o(lane), .word_o(x_index),
    .half_run_o(half_run)
  );

  assign line = {line_q, start};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) line_q <= '0;
    else         line_q <= line[Last-1:0];
  end

  // ---- the context: each word is compared

  logic [B-1:0] data_q, m_word;
  logic [N-1:0] m;

  assign m = N'(M);

  always_comb begin
    m_word = '0;
    for (int j = 0; j < Beats; j++) if (beat == BeatBits'(j)) m_word = m[j*B+:B];
  end

  assign same  = data_q == m_word & (same_q | beat == '0);
  assign legal = ctx_there ? same : same_q;

  always_ff @(posedge clk_i) begin
    data_q <= ctx_data_i;
    if (ctx_there) same_q <= same;
  end

  // ---- step 1: words of X; its digits

  logic [B-1:0]   x_in_q, y_in_q, x_before_q, x_word;
  logic [2*B-1:0] x_pair;
  logic [W-1:0]   x_q;

  always_ff @(posedge clk_i) begin
    x_in_q <= x_i;
    y_in_q <= y_i;
    if (in_there) x_before_q <= x_in_q;
  end

  assign x_pair = {x_in_q, beat == '0 ? B'(0) : x_before_q} << Shift;

  mm_word_ram #(
    .Word(B), .Depth(2 << BeatBits)
  ) u_x (
    .clk_i, .write_i(in_there), .write_addr_i({half_in, beat}), .word_i(x_pair[2*B-1:B]),
    .read_addr_i({half_run, x_index}), .word_o(x_word)
  );

  always_ff @(posedge clk_i) x_q <= run ? x_word[lane*W+:W] : '0;

  // ---- step 2: the row; its slots begin two cycles behind a start

  logic                    clear_x, clear_s, keep_x, keep_s_q;
  logic [Row-1:0][W-1:0]   y, high, sum, round, above;
  logic [Row-1:0][1:0]     carries;
  logic [W-1:0]            below, top_q;

  mm_sparse_prime_dsp_window #(
    .Start(Groups + 5), .Length(Run > Groups ? Run - Groups : 1), .Last(Last)
  ) u_keep_x (
    .clk_i, .rst_ni, .line_i(line), .on_o(keep_x)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) keep_s_q <= 1'b0;
    else         keep_s_q <= keep_x;
  end

  assign clear_x = Run == Groups | ~keep_x;
  assign clear_s = Run == Groups | ~keep_s_q;

  if (!Fold) begin : gen_row
    logic [N-1:0]     y_next_q;
    logic [Row*W-1:0] y_q;
    logic             unused_top;

    always_ff @(posedge clk_i) begin
      for (int j = 0; j < Beats; j++) if (in_there && beat == BeatBits'(j)) y_next_q[j*B+:B] <= y_in_q;
      if (line[1]) y_q <= (Row*W)'(y_next_q);
      top_q <= high[Row-1];
    end

    assign y            = y_q;
    assign below        = '0;
    assign above[Row-1] = top_q;
    assign unused_top   = ^{y_next_q, first, last, group};
  end else begin : gen_groups
    logic               none, top, top_late;
    logic [W-1:0]       below_q, next_group;
    logic [GrpBits-1:0] group_in_q;
    logic [Parts-1:0]   place_q;  // the columns of the next word of y

    mm_delay #(
      .Bits(1), .Cycles(4)
    ) u_none (
      .clk_i, .d_i(first), .q_o(none)
    );
    mm_delay #(
      .Bits(1), .Cycles(5)
    ) u_top (
      .clk_i, .d_i(run & last), .q_o(top)
    );
    mm_delay #(
      .Bits(1), .Cycles(Groups)
    ) u_top_late (
      .clk_i, .d_i(top), .q_o(top_late)
    );
    mm_delay #(
      .Bits(W), .Cycles(Groups - 2)
    ) u_next_group (
      .clk_i, .d_i(sum[0]), .q_o(next_group)
    );

    always_ff @(posedge clk_i) begin
      below_q <= none ? '0 : high[Row-1];
      if (top) top_q <= high[Row-1];
    end

    assign below        = below_q;
    assign above[Row-1] = top_late ? top_q : next_group;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        group_in_q <= '0;
        place_q    <= Parts'(1);
      end else if (in_there) begin
        if (beat == BeatBits'(Beats - 1)) begin
          group_in_q <= '0;
          place_q    <= Parts'(1);
        end else begin
          if (place_q[Parts-1]) group_in_q <= group_in_q + 1'b1;
          place_q <= Parts'({place_q, place_q[Parts-1]});
        end
      end
    end

    for (genvar c = 0; c < Row; c++) begin : gen_y
      localparam int Full = (Beats - 1 - c / Lanes + Parts) / Parts;  // groups with such a word
      logic [W-1:0] y_digit, y_q;
      logic         there;

      mm_word_ram #(
        .Word(W), .Depth(2 << GrpBits)
      ) u_y (
        .clk_i, .write_i(in_there & place_q[c/Lanes]), .write_addr_i({half_in, group_in_q}),
        .word_i(y_in_q[(c%Lanes)*W+:W]), .read_addr_i({half_run, group}), .word_o(y_digit)
      );

      if (Full < Groups) begin : gen_some
        assign there = group < GrpBits'(Full);
      end else begin : gen_all
        assign there = 1'b1;
      end

      always_ff @(posedge clk_i) y_q <= there ? y_digit : '0;
      assign y[c] = y_q;
    end
  end

  for (genvar c = 0; c < Row; c++) begin : gen_column
    mm_sparse_prime_dsp_column #(
      .Digit(W), .Groups(Groups)
    ) u_column (
      .clk_i, .clear_x_i(clear_x), .clear_s_i(clear_s),
      .x_i(x_q), .y_i(y[c]), .high_i(c == 0 ? below : high[c == 0 ? 0 : c-1]), .high_o(high[c]),
      .above_i(above[c]), .sum_o(sum[c]), .round_o(round[c]), .carries_o(carries[c])
    );
    if (c < Row - 1) begin : gen_shift
      assign above[c] = round[c+1];
    end
  end

  // ---- L: a digit a step

  logic                l_write, l_half_q, l_read_half_q, l_on;
  logic [W-1:0]        l_digit_q;
  logic [LaneBits-1:0] l_lane_q;
  logic [BeatBits-1:0] l_beat_q, l_read_q;
  logic [B-1:0]        l_word, l_q;

  mm_delay #(
    .Bits(1), .Cycles(7)
  ) u_l_write (
    .clk_i, .d_i(first), .q_o(l_write)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_l
    logic write;
    assign write = l_write & (Lanes == 1 | l_lane_q == LaneBits'(l));
    mm_word_ram #(
      .Word(W), .Depth(2 << BeatBits)
    ) u_l (
      .clk_i, .write_i(write), .write_addr_i({l_half_q, l_beat_q}), .word_i(l_digit_q),
      .read_addr_i({l_read_half_q, l_read_q}), .word_o(l_word[l*W+:W])
    );
  end

  mm_sparse_prime_dsp_window #(
    .Start(ToQ - 1), .Length(Beats), .Last(Last)
  ) u_l_on (
    .clk_i, .rst_ni, .line_i(line), .on_o(l_on)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      l_half_q      <= 1'b0;
      l_read_half_q <= 1'b0;
    end else begin
      l_half_q      <= l_half_q ^ line[7];
      l_read_half_q <= l_read_half_q ^ line[ToQ-2];
    end
  end

  always_ff @(posedge clk_i) begin
    l_digit_q <= sum[0];
    if (line[7]) begin
      l_lane_q <= '0;
      l_beat_q <= '0;
    end else if (l_write) begin
      l_lane_q <= l_lane_q == LaneBits'(Lanes - 1) ? '0 : l_lane_q + 1'b1;
      if (l_lane_q == LaneBits'(Lanes - 1)) l_beat_q <= l_beat_q + 1'b1;
    end
    l_read_q <= line[ToQ-2] ? '0 : l_read_q + 1'b1;
  end

  // ---- H: its digits and the carries that count there, word by word

  logic [B-1:0]             h_q, h_carries;
  logic [Lanes-1:0][1:0]    h_pairs;  // the carries that count at a digit of it

  if (Direct) begin : gen_direct
    assign h_pairs = carries;
    always_ff @(posedge clk_i) h_q <= above;
  end else begin : gen_taken
    logic [Steps*W-1:0]        taken;
    logic [Steps*2-1:0]        taken_carries;
    logic [N-1:0]              chosen_q;
    logic [Steps*2-1:0]        chosen_carries_q;
    logic [B-1:0]              any;
    logic [Lanes*2-1:0]        any_carries;

    for (genvar i = 0; i < Steps; i++) begin : gen_digit
      if (i < Groups * Row) begin : gen_some
        logic [W-1:0] digit_q;
        logic [1:0]   carry_q;
        always_ff @(posedge clk_i) begin
          if (line[Tap+i/Row]) begin
            digit_q <= above[i%Row];
            carry_q <= carries[i%Row];
          end
        end
        assign taken[i*W+:W]         = digit_q;
        assign taken_carries[i*2+:2] = carry_q;
      end else begin : gen_none
        assign taken[i*W+:W]         = '0;
        assign taken_carries[i*2+:2] = '0;
      end
    end

    for (genvar j = 0; j < Beats; j++) begin : gen_word
      always_ff @(posedge clk_i) begin
        if (line[Pick+(Wide?Beats-1-j:j)]) begin
          chosen_q[j*B+:B]                     <= taken[j*B+:B];
          chosen_carries_q[j*Lanes*2+:Lanes*2] <= taken_carries[j*Lanes*2+:Lanes*2];
        end else begin
          chosen_q[j*B+:B]                     <= '0;
          chosen_carries_q[j*Lanes*2+:Lanes*2] <= '0;
        end
      end
    end

    always_comb begin
      any         = '0;
      any_carries = '0;
      for (int j = 0; j < Beats; j++) begin
        any         = any | chosen_q[j*B+:B];
        any_carries = any_carries | chosen_carries_q[j*Lanes*2+:Lanes*2];
      end
    end

    assign h_pairs = any_carries;
    always_ff @(posedge clk_i) h_q <= any;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_carries
    logic [1:0] count_q;
    always_ff @(posedge clk_i) count_q <= {&h_pairs[l], ^h_pairs[l]};
    assign h_carries[l*W+:W] = W'(count_q);
  end

  // ---- step 3

  logic             h_on;
  logic [B-1:0]     q_q;
  logic [TBits-1:0] over;  // with Wide, H - Q

  mm_sparse_prime_dsp_window #(
    .Start(ToH), .Length(Beats), .Last(Last)
  ) u_h_on (
    .clk_i, .rst_ni, .line_i(line), .on_o(h_on)
  );

  if (Wide) begin : gen_quotient
    logic s_on, s_read, q_on;

    mm_sparse_prime_dsp_window #(
      .Start(ToH + Far), .Length(Beats), .Last(Last)
    ) u_s_on (
      .clk_i, .rst_ni, .line_i(line), .on_o(s_on)
    );
    mm_sparse_prime_dsp_window #(
      .Start(ToQ - 2), .Length(Beats), .Last(Last)
    ) u_s_read (
      .clk_i, .rst_ni, .line_i(line), .on_o(s_read)
    );
    mm_sparse_prime_dsp_window #(
      .Start(ToQ - 1), .Length(Beats + Above), .Last(Last)
    ) u_q_on (
      .clk_i, .rst_ni, .line_i(line), .on_o(q_on)
    );

    mm_sparse_prime_dsp_quotient #(
      .Word(B), .Words(Beats), .Plus(Plus), .Minus(Minus), .Far(Far), .Bias(Bias), .TBits(TBits)
    ) u_quotient (
      .clk_i, .h_on_i(h_on), .h_i(h_q), .carries_i(h_carries), .u_on_i(s_on), .read_i(s_read), .q_on_i(q_on),
      .q_o(q_q), .over_o(over)
    );
  end else begin : gen_high
    logic [B+1:0] total;
    logic         carry_q, unused_below;

    // The carry enters through a bit of its own below the sum.
    assign total        = {1'b0, h_q, 1'b1} + {1'b0, h_carries, carry_q};
    assign unused_below = total[0];
    assign over         = '0;

    always_ff @(posedge clk_i) begin
      if (h_on) {carry_q, q_q} <= total[B+1:1];
      else      {carry_q, q_q} <= '0;
    end
  end

  // ---- steps 4 and 5

  // What Q is less than H is in no product by D'.
  always_ff @(posedge clk_i) begin
    if (Wide && line[ToQ+Beats-1]) l_q <= B'(over);
    else if (l_on)                 l_q <= l_word;
    else                           l_q <= '0;
  end

  logic         u_on, r_on, t_on, v_on;
  logic [B-1:0] u, u_before, r_q, t_q, v;

  mm_sparse_prime_dsp_window #(
    .Start(ToQ), .Length(Beats + Above), .Last(Last)
  ) u_u_on (
    .clk_i, .rst_ni, .line_i(line), .on_o(u_on)
  );

  mm_sparse_prime_dsp_fold #(
    .Word(B), .FactorBits(N), .Factor(DScaled[N-1:0]), .Levels(Levels)
  ) u_first_fold (
    .clk_i, .on_i(u_on), .a_i(l_q), .q_i(q_q), .u_o(u)
  );

  mm_delay #(
    .Bits(B), .Cycles(Beats)
  ) u_u_before (
    .clk_i, .d_i(u), .q_o(u_before)
  );

  mm_sparse_prime_dsp_window #(
    .Start(ToR - 1), .Length(Beats), .Last(Last)
  ) u_r_on (
    .clk_i, .rst_ni, .line_i(line), .on_o(r_on)
  );

  mm_sparse_prime_dsp_window #(
    .Start(ToR - 1), .Length(Above), .Last(Last)
  ) u_t_on (
    .clk_i, .rst_ni, .line_i(line), .on_o(t_on)
  );

  always_ff @(posedge clk_i) begin
    r_q <= r_on ? u_before : '0;
    t_q <= t_on ? B'(u[TBits-1:0]) : '0;
  end

  mm_sparse_prime_dsp_window #(
    .Start(ToR), .Length(Beats + 1), .Last(Last)
  ) u_v_on (
    .clk_i, .rst_ni, .line_i(line), .on_o(v_on)
  );

  mm_sparse_prime_dsp_fold #(
    .Word(B), .FactorBits(N), .Factor(DScaled[N-1:0]), .Levels(Levels)
  ) u_second_fold (
    .clk_i, .on_i(v_on), .a_i(r_q), .q_i(t_q), .u_o(v)
  );

  // ---- step 6

  localparam int IndexBits = $clog2(Beats + 2);

  logic [IndexBits-1:0] index_q;
  logic [B-1:0]         d_word, d_q, v_q, more_q, v_late, more_late, z, z_q;
  logic [2*B-1:0]       z_pair;
  logic [B+1:0]         more;
  logic                 more_carry_q, reaches_q, z_on, z_more;

  // D', from word 0 on; index_q is a word ahead.
  always_comb begin
    d_word = '0;
    for (int j = 0; j < Beats; j++) if (index_q == IndexBits'(j)) d_word = DScaled[j*B+:B];
  end

  assign more = {1'b0, v, 1'b1} + {1'b0, d_q, more_carry_q};

  always_ff @(posedge clk_i) begin
    index_q      <= line[ToV-2] ? '0 : index_q + IndexBits'(index_q != '1);
    d_q          <= d_word;
    v_q          <= v;
    more_q       <= more[B:1];
    more_carry_q <= line[ToV-1] ? 1'b0 : more[B+1];
    if (line[ToV+Beats]) reaches_q <= more[1];
    z_q          <= z;
  end

  mm_delay #(
    .Bits(2 * B), .Cycles(Beats)
  ) u_results (
    .clk_i, .d_i({v_q, more_q}), .q_o({v_late, more_late})
  );

  mm_sparse_prime_dsp_window #(
    .Start(ToZ), .Length(Beats), .Last(Last)
  ) u_z_more (
    .clk_i, .rst_ni, .line_i(line), .on_o(z_more)
  );

  mm_sparse_prime_dsp_window #(
    .Start(ToZ + 1), .Length(Beats), .Last(Last)
  ) u_z_on (
    .clk_i, .rst_ni, .line_i(line), .on_o(z_on)
  );

  assign z      = reaches_q ? more_late : v_late;
  assign z_pair = {z & {B{z_more}}, z_q} >> Shift;

  mm_sparse_prime_dsp_queue #(
    .Word(B), .Depth(Slots * Beats)
  ) u_queue (
    .clk_i, .rst_ni, .write_i(z_on), .word_i(z_pair[B-1:0]), .out_valid_o, .out_ready_i, .z_o
  );

  logic unused_bits;
  assign unused_bits = ^{x_pair, high, sum, round, carries, m, z_pair, more[0], first, last, group};

endmodule

`default_nettype wire
