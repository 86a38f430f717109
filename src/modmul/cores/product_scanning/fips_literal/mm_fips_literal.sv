// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal: z = x * y / R mod N in GF(p) and in GF(2^m), FIPS Montgomery multiplication by words, in the data
// path that Zhang et al. print (Algorithm 4, corrected; Figs. 2 and 4 to 9).
//
// Steps (line numbers of Algorithm 4; W = 2^Word or x^Word, s words, R = W^s)
//    1  for i = 0 ... s-1
//  2-4    v = v + a_j * b_(i-j) + m_j * n_(i-j), j < i, as Fig. 2 says      v < W^3
//  5-7    v = v + a_i * b_0 if i = 0 or not a square
//    8    m_i = v0 * n0' mod W                                              n0' = -1/N or 1/N mod W
//    9    v = v + m_i * n_0                                                 a multiple of W
//   10    v = v / W
//   12  for i = s ... 2s-1
// 13-15   as in lines 2 to 4, for j = i-s+1 ... s-1
// 16-17   z_(i-s) = v mod W, v = v / W
//   19  the carry out of z_(s-1)                                            z < 2N in GF(p)
// 20-22  z = z - N if z >= N                                                z < N; not in GF(2^m)
//
// One product per cycle and multiplier, plus four cycles in all before and after: 2s^2 + s + 4 with one multiplier.
//
// Context: header {s, 0, b} in 16 bits (bit 0 b = 1 in GF(2^m)), n0', the s words of N.
// Legal: GF(p) odd N < R, 0 <= x, y <= N. GF(2^m) N(0) = 1, degree of N < s * Word, x and y of lower degree.
// square_i with the first words: z = x * x / R mod N, and y_i is ignored.
//
`default_nettype none

module mm_fips_literal #(
  parameter int Width           = 256,
  parameter int Word            = 32,
  parameter int Multipliers     = 1,
  parameter int SquareOptimized = 1,
  parameter int FieldSet        = 3
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

  localparam bit LegalWord = Word == 8 || Word == 16 || Word == 32 || Word == 64;
  localparam int SafeWord  = LegalWord ? Word : 32;
  localparam int Lanes     = Multipliers == 2 ? 2 : 1;
  localparam int MaxWords  = Width > SafeWord ? (Width + SafeWord - 1) / SafeWord : 1;
  localparam int MostWords = SafeWord == 8 ? 64 : 2048;
  localparam int IdxBits   = MaxWords > 1 ? $clog2(MaxWords) : 1;
  localparam int Ahead     = Lanes == 1 ? 0 : SquareOptimized != 0 ? 2 : 1;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_16_32_or_64 u_illegal ();
  end
  if (MaxWords > MostWords) begin : gen_illegal_words
    illegal_parameter_Width_must_be_at_most_2048_words_or_64_of_8_bits u_illegal ();
  end
  if (Multipliers != 1 && Multipliers != 2) begin : gen_illegal_multipliers
    illegal_parameter_Multipliers_must_be_1_or_2 u_illegal ();
  end
  if (SquareOptimized != 0 && SquareOptimized != 1) begin : gen_illegal_square
    illegal_parameter_SquareOptimized_must_be_0_or_1 u_illegal ();
  end
  if (FieldSet < 1 || FieldSet > 3) begin : gen_illegal_fields
    illegal_parameter_FieldSet_must_be_1_2_or_3 u_illegal ();
  end

  logic                     init, done, word_made, start, unloaded, prime, square, equal, half_square;
  logic                     inverse_load, modulus_load, operand_load, unload_take;
  logic [IdxBits-1:0]       last_word, word, word_next;
  logic [Lanes*IdxBits-1:0] left_addr, right_addr;
  logic [Lanes-1:0]         mn, valid, double;
  logic [1:0]               ahead;
  logic                     inverse, make_m, new_m, column_end, second_loop, last, finish;
  logic [Word-1:0]          b;

  mm_fips_literal_input #(
    .Word(SafeWord), .MaxWords(MaxWords), .FieldSet(FieldSet), .IdxBits(IdxBits)
  ) u_input (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .ctx_data_i, .in_valid_i, .in_ready_o, .square_i,
    .out_ready_i,
    .init_i(init), .done_i(done), .word_made_i(word_made), .start_o(start), .unloaded_o(unloaded),
    .prime_o(prime), .equal_o(equal), .square_o(square),
    .inverse_load_o(inverse_load), .modulus_load_o(modulus_load), .operand_load_o(operand_load),
    .unload_take_o(unload_take), .last_word_o(last_word), .word_o(word), .word_next_o(word_next)
  );

  assign half_square = equal & (SquareOptimized != 0);

  // Lines 1 to 19: the control unit.
  if (Lanes > 1) begin : gen_double
    mm_fips_literal_double #(
      .IdxBits(IdxBits), .Ahead(Ahead)
    ) u_control (
      .clk_i, .rst_ni, .prime_i(prime), .equal_i(half_square), .last_word_i(last_word), .start_i(start),
      .unloaded_i(unloaded), .init_o(init),
      .left_addr_o(left_addr), .right_addr_o(right_addr), .mn_o(mn), .inverse_o(inverse),
      .valid_o(valid), .double_o(double), .ahead_o(ahead), .make_m_o(make_m), .new_m_o(new_m),
      .column_end_o(column_end), .second_loop_o(second_loop), .last_o(last), .finish_o(finish), .done_o(done)
    );
  end else begin : gen_single
    mm_fips_literal_single #(
      .IdxBits(IdxBits)
    ) u_control (
      .clk_i, .rst_ni, .prime_i(prime), .equal_i(half_square), .last_word_i(last_word), .start_i(start),
      .unloaded_i(unloaded), .init_o(init),
      .left_addr_o(left_addr), .right_addr_o(right_addr), .mn_o(mn), .inverse_o(inverse),
      .valid_o(valid), .double_o(double), .make_m_o(make_m), .new_m_o(new_m),
      .column_end_o(column_end), .second_loop_o(second_loop), .last_o(last), .finish_o(finish), .done_o(done)
    );
    assign ahead = 2'd0;
  end

  // For a square, memory B holds the words of A.
  assign b           = square ? x_i : y_i;
  assign out_valid_o = done;

  mm_fips_literal_unit #(
    .Word(SafeWord), .IdxBits(IdxBits), .Multipliers(Lanes), .Ahead(Ahead)
  ) u_unit (
    .clk_i, .prime_i(prime),
    .init_i(init), .word_i(word), .word_next_i(word_next), .inverse_load_i(inverse_load),
    .modulus_load_i(modulus_load), .ctx_data_i, .operand_load_i(operand_load), .a_i(x_i), .b_i(b),
    .unload_take_i(unload_take),
    .left_addr_i(left_addr), .right_addr_i(right_addr), .mn_i(mn), .inverse_i(inverse),
    .valid_i(valid), .double_i(double), .ahead_i(ahead), .make_m_i(make_m), .new_m_i(new_m),
    .column_end_i(column_end), .second_loop_i(second_loop),
    .last_i(last), .finish_i(finish), .word_made_o(word_made), .z_o
  );

endmodule

`default_nettype wire
