// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_fixed: z = x * y mod M in GF(2^m) for the M of the build, a digit of x a cycle, the highest first; with
// SquareAtOnce = 1 a square at once.
//
// Steps (n = Width, D = Digit, L = ceil(n / D); x_i is digit i of x; all sums are without carries)
//    1  s = 0
//    2  for i = L-1 ... 0, one digit a cycle, steps 3 to 5
//    3    p = x_i * y                     deg p < n + D - 1
//    4    r = s mod M                     deg r < n
//    5    s = r * x^D + p                 deg s < n + D
//    6  z = s mod M                       deg z < n
//    7  in place of all this, of a square: z = x^2 mod M
//
// Steps 4 and 7 are sums of few bits each where M is sparse: a square spreads the bits of x, and what a digit pushes
// out above x^n comes back at the other terms of M.
//
// While an operation runs, the operands of the next come in and the result of the last goes out.
//
// Legal: M = Modulus, of degree n with constant term 1, bit i for x^i; x and y of lower degree. With SquareAtOnce = 0
// there is no step 7, and a square takes digits like other products.
// Context: M without the term x^n.
//
`default_nettype none

module mm_gf2m_fixed #(
  parameter int Width        = 256,
  parameter int Word         = 32,
  parameter int Digit        = 8,
  parameter int SquareAtOnce = 0,
  parameter     Modulus      = 257'h1_00000000_00000000_00000000_00000000_00000000_00000000_00000000_00000425
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
  input  wire             square_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Word < 1) begin : gen_illegal_word
    illegal_parameter_Word_must_be_at_least_1 u_illegal ();
  end
  if (Digit < 1 || Digit > 64 || Word % (Digit >= 1 ? Digit : 1) != 0) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_1_to_64_and_divide_Word u_illegal ();
  end

  if (SquareAtOnce < 0 || SquareAtOnce > 1) begin : gen_illegal_square
    illegal_parameter_SquareAtOnce_must_be_0_or_1 u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int B = Word >= 1 ? Word : 1;
  localparam int D = Digit >= 1 && Digit <= 64 && B % (Digit >= 1 ? Digit : 1) == 0 ? Digit : 1;

  if (!Modulus[0] || Modulus >> N != 1) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_of_degree_Width_with_constant_term_1 u_illegal ();
  end

  localparam logic [N-1:0] M = N'(Modulus);  // without x^n

  localparam int Beats     = (N + B - 1) / B;
  localparam int Steps     = (N + D - 1) / D;  // L
  localparam int WordBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Digits    = B / D;            // of a word
  localparam int DigitBits = Digits > 1 ? $clog2(Digits) : 1;

  // ---- control

  logic                 ctx_load, open, take, go_square, first, add, last, bank, square, x_bank, rest, legal_q, same;
  logic                 unused_table_load, unused_table;
  logic [WordBits-1:0]  beat, x_word, out_beat;
  logic [3:0]           unused_entry;
  logic [DigitBits-1:0] x_digit;

  mm_gf2m_control #(
    .Beats(Beats), .Digits(Digits), .Steps(Steps), .Down(1), .Squares(SquareAtOnce), .Tables(0)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i, .square_i,
    .ctx_load_o(ctx_load), .table_load_o(unused_table_load), .in_open_o(open), .beat_o(beat),
    .entry_o(unused_entry), .table_o(unused_table), .bank_o(bank), .square_o(square),
    .take_o(take), .go_square_o(go_square), .rest_o(rest), .x_bank_o(x_bank), .x_word_o(x_word), .x_digit_o(x_digit),
    .first_o(first), .add_o(add), .last_o(last), .out_beat_o(out_beat)
  );

  // Each word of the context is compared.
  logic [Beats-1:0][B-1:0] m_words;

  assign m_words = (Beats*B)'(M);
  assign same    = ctx_data_i == m_words[beat] & (legal_q | beat == '0);

  always_ff @(posedge clk_i) if (ctx_load) legal_q <= same;

  // ---- step 3; a square has x in place of y

  logic [B-1:0]   y_word;
  logic [D-1:0]   x;
  logic [N-1:0]   y;
  logic [N+D-2:0] p;

  assign y_word = square ? x_i : y_i;

  mm_gf2m_operands #(
    .Width(N), .Word(B), .Digit(D)
  ) u_operands (
    .clk_i, .open_i(open), .beat_i(beat), .bank_i(bank), .x_i, .y_i(y_word), .take_i(take), .rest_i(rest),
    .read_bank_i(x_bank), .word_i(x_word), .digit_i(x_digit), .x_o(x), .y_o(y)
  );

  mm_gf2m_digit #(
    .Width(N), .Digit(D)
  ) u_product (
    .clk_i, .x_i(x), .y_i(y), .p_o(p)
  );

  // ---- steps 4 and 7

  logic [N+D-1:0] s_q;
  logic [N-1:0]   r, squared;

  mm_gf2m_reduce #(
    .Width(N), .Above(D), .Modulus(Modulus)
  ) u_residue (
    .t_i(s_q), .r_o(r)
  );

  if (SquareAtOnce != 0) begin : gen_square
    logic [2*N-2:0] spread;
    logic [N-1:0]   z, z_q;
    logic           square_q;

    for (genvar i = 0; i < 2 * N - 1; i++) begin : gen_bit
      if (i % 2 == 0) begin : gen_even
        assign spread[i] = y[i/2];
      end else begin : gen_odd
        assign spread[i] = 1'b0;
      end
    end

    mm_gf2m_reduce #(
      .Width(N), .Above(N - 1), .Modulus(Modulus)
    ) u_square (
      .t_i(spread), .r_o(z)
    );

    always_ff @(posedge clk_i) begin
      if (take) square_q <= go_square;
      if (!square_q) z_q <= '0;
      else           z_q <= z;
    end

    assign squared = z_q;
  end else begin : gen_none
    logic unused_square;
    assign unused_square = go_square;
    assign squared       = '0;
  end

  // ---- steps 1, 5 and 6; of a square s is 0

  logic [N-1:0]            z_q;
  logic [Beats-1:0][B-1:0] z_words;

  always_ff @(posedge clk_i) begin
    if (first)    s_q <= '0;
    else if (add) s_q <= ((N+D)'(r) << D) ^ (N+D)'(p);
    if (last) z_q <= r ^ squared;
  end

  assign z_words = (Beats*B)'(z_q);
  assign z_o     = z_words[out_beat];

endmodule

`default_nettype wire
