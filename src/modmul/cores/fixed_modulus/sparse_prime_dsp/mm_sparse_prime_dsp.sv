// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp: z = x * y mod M for one M = 2^Width - D, D a sum of few powers of 2, in a row of multiplier
// blocks: a digit of x times all of y a cycle, or in a folded build a digit of x times as many digits of y as a row has
// columns. The row computes only the product; after it, what is above 2^Width is added back word by word, times D.
//
// Steps (w = Digit, n = Word * ceil(Width / Word), T = n / w, M' = M * 2^(n - Width) = 2^n - D')
//    1  X = x * 2^(n - Width) = sum of X_t * 2^(wt)                                           0 <= X <= M'
//    2  for t = 0 ... T-1: S = floor(S / 2^w) + X_t * y, with saved carries. The lowest digits of S are those of L; H
//       is floor(S / 2^w) after the last step: X * y = H * 2^n + L                            0 <= H < 2^Width
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
  parameter int Product = 3,
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
  localparam bit LegalMul   = Product >= 3 && Product <= 5;
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
  if (!LegalMul) begin : gen_illegal_product
    illegal_parameter_Product_must_be_3_to_5 u_illegal ();
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

  // The powers of 2 that are added in a number, or subtracted, in its non-adjacent form: its digit i is bit i + 1 of 3
  // * number minus bit i + 1 of number.
  function automatic logic [C-1:0] signed_powers(input logic [C-1:0] number, input bit minus);
    logic [C-1:0] thrice;
    thrice        = number + number + number;
    signed_powers = (minus ? number & ~thrice : thrice & ~number) >> 1;
  endfunction

  // How many they are.
  function automatic int powers(input logic [C-1:0] number);
    logic [C-1:0] all;
    powers = 0;
    all    = signed_powers(number, 1'b0) | signed_powers(number, 1'b1);
    for (int i = 0; i < C; i++) if (all[i]) powers = powers + 1;
  endfunction

  // The words of a number that are 1, or -1.
  function automatic logic [Beats-1:0] places(input logic [C-1:0] number, input bit minus);
    logic [C-1:0] all;
    places = '0;
    all    = signed_powers(number, minus);
    for (int i = 0; i < Beats; i++) if (all[i*B]) places = places | (Beats'(1) << i);
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
  localparam logic [N-1:0] MWords  = N'(M);                                // M, in whole words
  localparam int           Levels  = $clog2(powers(D) + 1);                // cycles of U = L + Q * D'
  localparam bit           Wide    = Fits;
  localparam int           Above   = Wide ? 1 : (length(D) + B - 1) / B;   // words of U >> n

  // With Wide: the words of D' that are 1 and -1; how many words below its own place a word of Q is added back; what
  // makes U positive.
  localparam logic [Beats-1:0] Plus  = places(DScaled, 1'b0);
  localparam logic [Beats-1:0] Minus = places(DScaled, 1'b1);
  localparam int               Far   = farthest(Plus | Minus);
  localparam int               Bias  = 16;
  localparam int               TBits = Wide ? 6 : B;  // bits of U >> n that count in its first word

  // ---- the schedule: the row, and the cycles from a start on

  localparam int Digits   = (SafeWidth + W - 1) / W;                       // of y
  localparam int Steps    = Beats * Lanes;
  localparam int Row      = LegalRow && Columns > 0 && Columns < Digits ? Columns : Digits;
  localparam bit Fold     = Row < Digits;
  localparam int Groups   = (Digits + Row - 1) / Row;                      // cycles of a step
  localparam int Parts    = Fold ? Row / Lanes : Beats;                    // words of y that go to a group
  localparam bit Direct   = Fold && Parts == 1 && !Wide;                   // a group is a word, the lowest first
  localparam int Run      = Groups * Steps;
  localparam int Mul      = LegalMul ? Product : 3;                        // cycles of a product
  localparam int Tap      = Run + Mul + 3;                                 // the first group of H
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
  localparam int Last     = ToZ - 1;                                       // of the line

  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam int GrpBits  = Groups > 1 ? $clog2(Groups) : 1;
  localparam int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;

  // ---- control, and the start line

  logic                ctx_there, in_there, half_in, start, run, first, last, half_run, legal, leaves;
  logic [BeatBits-1:0] next, beat, x_index;
  logic [GrpBits-1:0]  group;
  logic [LaneBits-1:0] lane;
  logic [Last:0]       line;  // bit j: an operation started j cycles ago
  logic [Last:1]       line_q;

  mm_sparse_prime_dsp_control #(
    .Beats(Beats), .Lanes(Lanes), .Groups(Groups), .Period(Period), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal),
    .in_valid_i, .in_ready_o, .leaves_i(leaves),
    .next_o(next), .ctx_there_o(ctx_there), .in_there_o(in_there), .beat_o(beat), .half_in_o(half_in),
    .start_o(start), .run_o(run), .first_o(first), .last_o(last), .group_o(group), .lane_o(lane), .word_o(x_index),
    .half_run_o(half_run)
  );

  assign line = {line_q, start};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) line_q <= '0;
    else         line_q <= line[Last-1:0];
  end

  // ---- the context

  mm_sparse_prime_dsp_context #(
    .Word(B), .Beats(Beats), .M(MWords)
  ) u_context (
    .clk_i, .data_i(ctx_data_i), .next_i(next), .there_i(ctx_there), .legal_o(legal)
  );

  // ---- steps 1 and 2: X, and S

  logic             l_there;
  logic [W-1:0]     l_digit;
  logic [Row*W-1:0] above;
  logic [Row*2-1:0] carries;

  mm_sparse_prime_dsp_row #(
    .Digit(W), .Lanes(Lanes), .Beats(Beats), .Shift(Shift), .Row(Row), .Groups(Groups), .Parts(Parts),
    .Mul(Mul)
  ) u_row (
    .clk_i, .rst_ni, .x_i, .y_i, .in_there_i(in_there), .beat_i(beat), .half_in_i(half_in),
    .start_i(line[1]), .run_i(run), .first_i(first), .last_i(last), .group_i(group), .lane_i(lane), .word_i(x_index),
    .half_run_i(half_run), .there_o(l_there), .sum_o(l_digit), .above_o(above), .carries_o(carries)
  );

  // ---- step 2: L and H

  logic [B-1:0] l, h, h_carries;

  mm_sparse_prime_dsp_low #(
    .Digit(W), .Lanes(Lanes), .Beats(Beats)
  ) u_low (
    .clk_i, .rst_ni, .start_i(line[Mul+4]), .there_i(l_there), .digit_i(l_digit), .read_i(line[ToQ-2]), .word_o(l)
  );

  mm_sparse_prime_dsp_high #(
    .Digit(W), .Lanes(Lanes), .Beats(Beats), .Row(Row), .Groups(Groups), .Direct(Direct), .Highest(Wide)
  ) u_high (
    .clk_i, .take_i(line[Tap+:Groups]), .pick_i(line[Pick+:Beats]), .above_i(above), .carries_i(carries),
    .h_o(h), .carries_o(h_carries)
  );

  // ---- step 3: Q

  logic [B-1:0]     q;
  logic [TBits-1:0] over;  // with Wide, H - Q

  if (Wide) begin : gen_quotient
    mm_sparse_prime_dsp_quotient #(
      .Word(B), .Words(Beats), .Plus(Plus), .Minus(Minus), .Far(Far), .Bias(Bias), .TBits(TBits)
    ) u_quotient (
      .clk_i, .rst_ni, .start_i(line[ToH-1]), .h_i(h), .carries_i(h_carries), .q_o(q), .over_o(over)
    );
  end else begin : gen_high
    mm_sparse_prime_dsp_sum #(
      .Word(B), .Words(Beats)
    ) u_sum (
      .clk_i, .rst_ni, .start_i(line[ToH-1]), .h_i(h), .carries_i(h_carries), .q_o(q)
    );
    assign over = '0;
  end

  // ---- steps 4 to 6: U, V, Z

  logic         z_there;
  logic [B-1:0] z;

  mm_sparse_prime_dsp_reduce #(
    .Word(B), .Words(Beats), .DScaled(DScaled[N-1:0]), .Levels(Levels), .Above(Above), .TBits(TBits), .Shift(Shift)
  ) u_reduce (
    .clk_i, .rst_ni, .start_i(line[ToQ-2]), .over_at_i(Wide & line[ToQ+Beats-1]), .r_start_i(line[ToR-2]),
    .v_start_i(line[ToV-2]), .z_start_i(line[ToZ-1]), .l_i(l), .q_i(q), .over_i(over), .on_o(z_there), .z_o(z)
  );

  // ---- words of z

  mm_result_queue #(
    .Word(B), .Beats(Beats), .Slots(Slots), .Through(0)
  ) u_queue (
    .clk_i, .rst_ni, .write_i(z_there), .word_i(z), .last_o(leaves), .out_valid_o, .out_ready_i, .z_o
  );

endmodule

`default_nettype wire
