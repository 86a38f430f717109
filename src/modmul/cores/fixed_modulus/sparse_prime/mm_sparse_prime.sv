// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime: z = x * y mod M for one M = 2^n - D, D a sum of few powers of 2, digit by digit, most significant
// first: what a shift pushes out at the top is added back at the few bit positions of D.
//
// Steps (n = Width, k = Digit, L = Steps, the digits of x; G = 2^(n+4k) mod M, of either sign, |G| < M/2)
//    1  x as digits x_i of k bits, of -1, 0, 1, 2 in base 4 (of bits for k = 1): x = sum of x_i * 2^(k(L-1-i))
//    2  S = Start
//    3  for i = 0 ... L-1, the sum S with carries saved at some places:
//         S = 2^k * (S - t_i * 2^n) + x_i * y + T(t_(i-4)), t_i the digits from 2^n on        0 <= t_i + Offset <= V
//         T(t) = t * G + a constant >= 0: (t + Offset) * G+ + (V - t - Offset) * G-, G = G+ - G-
//    4  U = S + F(W), W = sum of 2^(k*j) * (t_(L-1-j) + Offset), j = 0 ... 3, for what is still pending
//         F(w) = w * D + a constant >= 0
//    5  U = U mod 2^n + F(U >> n), as often as it takes until U < 2M
//    6  z = U or U - M                                                                        0 <= z < M
//
// Start makes up for the constants: with it U = x * y (mod M).
//
// Legal: M = Modulus, odd and of Width bits, M = 2^Width - D with 3 * D + 2^WBits * DMinus <= 2^Width (DMinus, what is
// subtracted in D in groups of their own, is 0 for a short D); 0 <= x, y <= M. This makes step 5 end: with U >> n = 1
// it leaves less than 2^n + D + 2^WBits * DMinus, which has to be at most 2M = 2^(n+1) - 2D; with more above 2^n it
// removes at least two thirds of that. Few powers of 2 in D, and in G, make it small and fast: each is an addition in
// F, and where T has bits carries are longer. Context: M.
//
`default_nettype none

module mm_sparse_prime #(
  parameter int Width   = 256,
  parameter int Word    = 32,
  parameter int Digit   = 4,
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

  localparam bit LegalWord  = Word == 16 || Word == 32 || Word == 64;
  localparam bit LegalDigit = Digit == 1 || Digit == 2 || Digit == 4;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_16_32_or_64 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_1_2_or_4 u_illegal ();
  end
  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int B = LegalWord ? Word : 32;
  localparam int K = LegalDigit ? Digit : 2;

  // ---- the constants; C bits hold them all

  localparam int C = N + 72;

  localparam logic [C-1:0] One   = 1;
  localparam logic [C-1:0] Top   = One << N;
  localparam logic [N-1:0] Fixed = N'(Modulus);
  localparam logic [C-1:0] Given = Top - C'(Fixed);                           // D, if Modulus is legal
  localparam bit           OfN   = Modulus[0] && Modulus >> N - 1 == 1;       // odd, of N bits
  localparam bit           Third = OfN && Given + Given + Given <= Top;
  localparam logic [C-1:0] D     = Third ? Given : One;
  localparam logic [C-1:0] M     = Top - D;

  // The powers of 2 that are added in a number, or subtracted, in its non-adjacent form: its digit i is bit i + 1 of 3
  // * number minus bit i + 1 of number.
  function automatic logic [C-1:0] powers(input logic [C-1:0] number, input bit minus);
    logic [C-1:0] thrice;
    thrice = number + number + number;
    powers = (minus ? number & ~thrice : thrice & ~number) >> 1;
  endfunction

  function automatic int length(input logic [C-1:0] number);
    length = 0;
    for (int i = 0; i < C; i++) if (number[i]) length = i + 1;
  endfunction

  localparam int Delay  = 4;                              // steps until a digit that was pushed out is added
  localparam int Beats  = (N + B - 1) / B;
  localparam int Digits = B / K;                          // of x in a word
  localparam int Steps  = Beats * Digits + 1;
  localparam int Rows   = K > 1 ? K / 2 : 1;              // multiples of y in a step
  localparam int Most   = K == 1 ? 1 : K == 2 ? 2 : 10;   // the largest digit x_i, and the smallest one
  localparam int Offset = K == 1 ? 0 : K == 2 ? 1 : 5;

  // G, and what it is made of.
  localparam logic [C-1:0] Positive  = (D << (Delay * K)) % M;
  localparam bit           Negative  = Positive + Positive > M;
  localparam logic [C-1:0] Magnitude = Negative ? M - Positive : Positive;
  localparam logic [C-1:0] Plus      = powers(Magnitude, Negative);
  localparam logic [C-1:0] Minus     = powers(Magnitude, !Negative);

  // Bits of t + Offset: t is below 2^k from the shift, and what x_i * y, T and carries leave above 2^n.
  function automatic int pushed_bits(input int first);
    logic [C-1:0] largest, t;
    pushed_bits = first;
    for (int i = 15; i > 0; i--) begin
      largest = (One << i) - One;
      t       = (C'(Most) << N) + largest * (Plus > Minus ? Plus : Minus);
      t       = (t >> N) + C'((1 << K) + 2 + Offset);
      if (t <= largest) pushed_bits = i;
    end
  endfunction

  localparam int           TBits    = pushed_bits(15);
  localparam logic [C-1:0] Repeated = ((One << (Delay * K)) - One) / C'((1 << K) - 1);
  localparam int           WBits    = length(((One << TBits) - One) * Repeated);  // of W
  localparam logic [C-1:0] WMost    = (One << WBits) - One;

  // F: powers of D that are at most WBits apart are taken together, the others have products of their own. D = DPlus -
  // DMinus, the groups whose highest power is added, and those where it is subtracted.
  localparam logic [C-1:0] Added = powers(D, 1'b0);
  localparam logic [C-1:0] Taken = powers(D, 1'b1);

  function automatic logic [C-1:0] groups(input bit of_plus);
    logic [C-1:0] power;
    int           last;
    bit           plus;
    groups = '0;
    power  = One << (C - 1);
    last   = C + C;
    plus   = 1'b0;
    for (int i = C - 1; i >= 0; i--) begin
      if (Added[i] || Taken[i]) begin
        if (last - i > WBits) plus = Added[i];
        if (plus == of_plus) groups = Added[i] == of_plus ? groups + power : groups - power;
        last = i;
      end
      power = power >> 1;
    end
  endfunction

  localparam logic [C-1:0] DPlus  = groups(1'b1);
  localparam logic [C-1:0] DMinus = groups(1'b0);

  if (!OfN) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_odd_and_of_Width_bits u_illegal ();
  end
  if (OfN && (!Third || D + D + D + (DMinus << WBits) > Top)) begin : gen_illegal_d
    illegal_parameter_Modulus_must_be_at_least_two_thirds_of_2_to_the_Width u_illegal ();
  end

  localparam logic [C-1:0] Largest = (One << (N + 1)) + WMost * (DPlus + DMinus);  // U of step 4

  function automatic int count_folds(input logic [C-1:0] start);
    logic [C-1:0] largest;
    largest     = start;
    count_folds = 0;
    for (int i = 0; i < 64; i++) begin
      if (largest >= M + M) begin
        largest     = (One << N) - One + (largest >> N) * DPlus + WMost * DMinus;
        count_folds = count_folds + 1;
      end
    end
  endfunction

  localparam int Folds    = count_folds(Largest);
  localparam int HighBits = length(Largest >> N);

  // T(0), and the constants that steps 4 and 5 add.
  localparam logic [C-1:0] TZero = C'(Offset) * Plus + ((One << TBits) - One - C'(Offset)) * Minus;
  localparam logic [C-1:0] Ends  = C'(Offset) * Repeated * D + C'(Folds + 1) * WMost * DMinus;

  function automatic logic [C-1:0] start_value(input logic [C-1:0] each, input logic [C-1:0] ends);
    logic [C-1:0] sum;
    sum = ends;
    for (int i = 0; i < Steps; i++) begin
      sum = sum + each;
      for (int j = 0; j < K; j++) begin
        if (sum[0]) sum = sum + M;
        sum = sum >> 1;
      end
    end
    start_value = (M - sum % M) % M;
  endfunction

  localparam logic [N-1:0] Start = N'(start_value(TZero % M, Ends % M));

  // The most powers of D in one group: the stages of F.
  function automatic int most_powers(input logic [C-1:0] all);
    int last, count;
    most_powers = 0;
    last        = C + C;
    count       = 0;
    for (int i = C - 1; i >= 0; i--) begin
      if (all[i]) begin
        count = last - i > WBits ? 1 : count + 1;
        last  = i;
        if (count > most_powers) most_powers = count;
      end
    end
  endfunction

  localparam int Stages = most_powers(Added | Taken);

  // ---- control

  localparam int Group     = 16;                        // bits of S between two saved carries
  localparam int Words     = (N + HighBits + B - 1) / B;
  localparam int WordBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Gap       = Stages + 2;
  localparam int Wait      = Stages > 3 ? Stages - 3 : 0;
  localparam int IndexBits = $clog2(Words + Gap);

  logic                 m_load, x_load, x_write, bank, legal, lead, next, x_bank, idle, take, w_first, w_next;
  logic                 move, start, first, fold, high, show;
  logic [WordBits-1:0]  beat, x_beat, x_word_index;
  logic [IndexBits-1:0] index;

  mm_sparse_prime_control #(
    .Beats(Beats), .Digits(Digits), .Steps(Steps), .Extra(Rows - 1), .Wait(Wait), .Words(Words), .Gap(Gap),
    .Passes(Folds + 2)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_load_o(m_load), .x_load_o(x_load), .x_write_o(x_write), .beat_o(beat), .x_beat_o(x_beat), .bank_o(bank),
    .lead_o(lead), .next_o(next), .x_word_o(x_word_index), .x_bank_o(x_bank),
    .idle_o(idle), .take_o(take), .w_first_o(w_first), .w_next_o(w_next),
    .move_o(move), .start_o(start), .index_o(index), .first_o(first), .fold_o(fold), .high_o(high), .show_o(show)
  );

  // ---- the context: each word is compared

  logic [B-1:0]       m_in_q, m_word;
  logic [Beats*B-1:0] m;
  logic               same, same_q;

  assign m = (Beats*B)'(M);

  always_comb begin
    m_word = '0;
    for (int j = 0; j < Beats; j++) if (beat == WordBits'(j)) m_word = m[j*B+:B];
  end

  assign same  = m_in_q == m_word & (same_q | beat == '0);
  assign legal = m_load ? same : same_q;

  always_ff @(posedge clk_i) begin
    m_in_q <= ctx_data_i;
    if (m_load) same_q <= same;
  end

  // ---- what comes in; step 1: x_i + 1 are the digits of x + ...1111 in base 4

  logic [B-1:0]       x_in_q, y_in_q, x_sum_q, x_word, x_word_q, x_shift_q;
  logic [2*Rows-1:0]  code_q, code_lead, code_next;
  logic [B+1:0]       x_recoded;
  logic               x_carry_q, unused_low;
  logic [Beats*B-1:0] y_next_q;
  logic [N-1:0]       y_q;

  assign unused_low = ^{x_recoded[0], y_next_q};

  if (K == 1) begin : gen_bits
    assign x_recoded = {1'b0, x_in_q, 1'b0};
    assign code_next = {x_shift_q[B-1], ~x_shift_q[B-1]};
  end else begin : gen_digits
    assign x_recoded = {1'b0, x_in_q, 1'b1} + {1'b0, {(B/2){2'b01}}, x_carry_q};
    assign code_next = x_shift_q[B-1:B-K];
  end

  // The leading digit is 0, or 1 where x + ...1111 has a bit more.
  always_comb begin
    code_lead      = {Rows{2'b01}};
    code_lead[1:0] = {x_carry_q, ~x_carry_q};
  end

  always_ff @(posedge clk_i) begin
    x_in_q  <= x_i;
    y_in_q  <= y_i;
    x_sum_q <= x_recoded[B:1];
    if (m_load || lead) x_carry_q <= 1'b0;
    else if (x_load)    x_carry_q <= x_recoded[B+1];
    if (x_load) y_next_q <= (Beats*B)'({y_in_q, y_next_q} >> B);
    if (lead) y_q <= y_next_q[N-1:0];
  end

  mm_word_ram #(
    .Word(B), .Depth(2 << WordBits)
  ) u_x (
    .clk_i, .write_i(x_write), .write_addr_i({bank, x_beat}), .word_i(x_sum_q),
    .read_addr_i({x_bank, x_word_index}), .word_o(x_word)
  );

  always_ff @(posedge clk_i) begin
    x_word_q <= x_word;
    if (next) x_shift_q <= x_word_q;
    else      x_shift_q <= x_shift_q << K;
    if (lead) code_q <= code_lead;
    else      code_q <= code_next;
  end

  // ---- steps 2 and 3

  logic [N-1:0]     s, c;
  logic [TBits-1:0] t;

  mm_sparse_prime_loop #(
    .N(N), .K(K), .Group(Group), .TBits(TBits), .Offset(Offset),
    .Plus(Plus[N-1:0]), .Minus(Minus[N-1:0]), .Start(Start)
  ) u_loop (
    .clk_i, .idle_i(idle), .code_i(code_q), .y_i(y_q), .s_o(s), .c_o(c), .t_o(t)
  );

  // ---- steps 4 to 6; W, of the digits that are pending

  logic [TBits-1:0] t_q;
  logic [WBits-1:0] w_q;

  always_ff @(posedge clk_i) begin
    t_q <= t;
    if (w_first)     w_q <= WBits'(t_q);
    else if (w_next) w_q <= (w_q << K) + WBits'(t_q);
  end

  mm_sparse_prime_converter #(
    .N(N), .Word(B), .Beats(Beats), .Words(Words), .WBits(WBits), .HighBits(HighBits), .D(D[N-1:0]), .Gap(Gap)
  ) u_converter (
    .clk_i, .take_i(take), .s_i(s), .c_i(c), .w_i(w_q),
    .move_i(move), .start_i(start), .index_i(index), .first_i(first), .fold_i(fold), .high_i(high), .show_i(show), .z_o
  );

endmodule

`default_nettype wire
