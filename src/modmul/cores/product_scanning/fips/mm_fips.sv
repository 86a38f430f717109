// SPDX-License-Identifier: Apache-2.0
//
// mm_fips: z = x * y / R mod N in GF(p) and in GF(2^m), FIPS Montgomery multiplication by words
// (Zhang et al., Algorithm 4, corrected), with N^ = 1/W mod N in place of n0' and N but for the last m_i.
//
// Steps (line numbers of Algorithm 4; W = 2^Word or x^Word, s words, R = W^s)
//    1  for i = 0 ... s-1
//  2-4    v = v + m_j * n^_(i-1-j), j < i-1, and + x_j * y_(i-j) as Fig. 2 says    v < (s + 1) * W^2
//  5-7    v = v + x_i * y_0, or what column i of a square has
//    8    m_i = v0 mod W                                           v = W * floor(v / W) + m_i
//    9    in column i + 1: v = v + m_i * n^_0                      m_i * W * N^ is m_i modulo N
//   10    v = floor(v / W)
//         for i = s-1, by the book:
//    8    m_i = v0 * n0' mod W                                     n0' = -1/N or 1/N mod W
//  9-10   v = (v + m_i * n_0) / W                                  a multiple of W
//   12  for i = s ... 2s-1
// 13-15   as in lines 2 to 4, for j = i-s ... s-2, and m_(s-1) * n_(i-s+1)
// 16-17   z_(i-s) = v mod W, v = v / W
//   19  the carry out of z_(s-1)                                   z < x * y / R + N^ + N <= 3N in GF(p)
// 20-22  z = z - 2N or z - N if it is not negative                 z < N; not in GF(2^m)
//
// With W * N^ = 1 modulo N, line 8 needs no multiplication, and from one m_i to the next there is one product instead
// of two. The last m_i is the paper's: with it, z has s words.
//
// The products x_j * y_k are added in an accumulator of their own, ahead of those of m, and go into v as the words of x
// * y. So the multipliers are busy while m_i * n^_0 is on its way (mm_fips_control). While an operation computes, the
// operands of the next one come and the result of the one before leaves.
//
// Context: header {s, t, b} in 16 bits (bit 0 b = 1 in GF(2^m), bit 1 t = 1 where the degree of N is s * Word,
// its top term then left out of the words), n0', the s words of N, the s words of N^.
// Legal: GF(p) odd N < R, 0 <= x, y <= N. GF(2^m) N(0) = 1, degree of N <= s * Word, x and y of lower degree.
// square_i with the first words: z = x * x / R mod N, and y_i is ignored.
//
`default_nettype none

module mm_fips #(
  parameter int Width           = 256,
  parameter int Word            = 32,
  parameter int Multipliers     = 1,
  parameter int SquareOptimized = 1,
  parameter int FieldSet        = 3,
  parameter int Depth           = 4,
  parameter int Dsp             = 0
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
  localparam int MaxWords  = Width > SafeWord ? (Width + SafeWord - 1) / SafeWord : 1;
  localparam int IdxBits   = MaxWords > 1 ? $clog2(MaxWords) : 1;
  localparam int CntBits   = $clog2(MaxWords + 2) + 1;
  localparam int Acc       = 2 * SafeWord + $clog2(MaxWords) + 2;
  // Words of x * y in the memory; up to ten more columns are in flight.
  localparam int RingBits  = IdxBits < 4 ? IdxBits + 1 : 5;
  localparam int Ring      = IdxBits < 5 ? 0 : 2 ** RingBits - 11;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_16_32_or_64 u_illegal ();
  end
  if (MaxWords > 2048) begin : gen_illegal_words
    illegal_parameter_Width_must_be_at_most_2048_words u_illegal ();
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
  if (Depth < 2 || Depth > 4) begin : gen_illegal_depth
    illegal_parameter_Depth_must_be_2_to_4 u_illegal ();
  end
  if (Dsp != 0 && (Dsp != 1 || FieldSet != 1)) begin : gen_illegal_dsp
    illegal_parameter_Dsp_must_be_0_or_1_and_1_only_with_FieldSet_1 u_illegal ();
  end

  logic                 prime, implicit, inverse_load, modulus_load, hat_load, operand_load, square;
  logic                 clear, unload_take, unload_last;
  logic [IdxBits-1:0]   word, last_word;
  logic [2*IdxBits-1:0] right_addr, left_addr;
  logic [1:0]           right_mn, right_n, left_mn;
  logic                 right_inverse, left_v0, left_new;
  logic [1:0]           to_xy, double, to_v;
  logic                 high, m_valid, xy_first, v_first, xy_add, carry, xy_last, v0_valid, z_valid, z_last, z_done;

  mm_fips_control #(
    .Word(SafeWord), .MaxWords(MaxWords), .Multipliers(Multipliers), .Squares(SquareOptimized), .FieldSet(FieldSet),
    .Depth(Depth), .IdxBits(IdxBits), .CntBits(CntBits), .Ring(Ring)
  ) u_control (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .ctx_data_i, .in_valid_i, .in_ready_o, .square_i,
    .out_valid_o, .out_ready_i,
    .prime_o(prime), .implicit_o(implicit), .inverse_load_o(inverse_load), .modulus_load_o(modulus_load),
    .hat_load_o(hat_load), .operand_load_o(operand_load), .square_o(square), .word_o(word), .last_word_o(last_word),
    .clear_o(clear), .unload_take_o(unload_take), .unload_last_o(unload_last),
    .right_addr_o(right_addr), .right_mn_o(right_mn), .right_n_o(right_n), .right_inverse_o(right_inverse),
    .left_addr_o(left_addr), .left_mn_o(left_mn), .left_v0_o(left_v0), .left_new_o(left_new),
    .to_xy_o(to_xy), .double_o(double), .to_v_o(to_v), .high_o(high), .m_valid_o(m_valid),
    .xy_first_o(xy_first), .v_first_o(v_first), .xy_add_o(xy_add), .carry_o(carry), .xy_last_o(xy_last),
    .v0_valid_o(v0_valid), .z_valid_o(z_valid), .z_last_o(z_last), .z_done_i(z_done)
  );

  // ---- lines 3, 6, 8, 9 and 14: operand memories and multipliers, two words in a cycle and lane

  logic [Multipliers*2*Word-1:0] products;
  logic [Word-1:0]               inverse_q, new_m, v0;
  logic [IdxBits-1:0]            m_index_q;

  assign new_m = products[Word-1:0];  // line 8, i = s-1: m_i = v0 * n0' mod W

  always_ff @(posedge clk_i) begin
    if (inverse_load)         inverse_q <= ctx_data_i;
    if (clear | m_valid)      m_index_q <= '0;
    else if (v0_valid)        m_index_q <= m_index_q + 1'b1;
  end

  // Line 8: m_i is v0; the last m_i comes in place of v0.
  for (genvar n = 0; n < Multipliers; n++) begin : gen_lane
    mm_fips_lane #(
      .Word(SafeWord), .IdxBits(IdxBits), .Depth(Depth), .Dsp(Dsp)
    ) u_lane (
      .clk_i, .prime_i(prime),
      .xy_write_i(operand_load), .xy_write_addr_i(word), .x_i, .y_i(square ? x_i : y_i),
      .m_write_i(v0_valid | m_valid), .m_write_addr_i(m_valid ? last_word : m_index_q), .m_i(m_valid ? new_m : v0),
      .n_write_i(modulus_load | hat_load), .n_write_addr_i({modulus_load, word}), .n_i(ctx_data_i),
      .right_addr_i(right_addr[n*IdxBits +: IdxBits]), .right_mn_i(right_mn[n]), .right_n_i(right_n[n]),
      .right_inverse_i(n == 0 && right_inverse), .inverse_i(inverse_q),
      .left_addr_i(left_addr[n*IdxBits +: IdxBits]), .left_mn_i(left_mn[n]), .left_v0_i(n == 0 && left_v0), .v0_i(v0),
      .left_new_i(left_new & left_mn[n]), .new_i(new_m),
      .p_o(products[n*2*Word +: 2*Word])
    );
  end

  // ---- lines 3, 6, 9, 10, 14 and 17: accumulators of x * y and of v

  logic [Multipliers*Acc-1:0] xy_addend, v_addend;
  logic [Acc-1:0]             first, v_product, xy, v;
  logic [Word-1:0]            xy_word;
  logic                       unused_shift, unused_tops, v_shift, v0_nonzero_q;

  // Lines 9 and 10, i = s-1: only the upper word of m_i * n_0 is added, after v / W.
  assign first     = Acc'(products[2*Word-1:0]);
  assign v_product = high ? Acc'(products[2*Word-1:Word]) : first;

  if (Multipliers > 1) begin : gen_pair
    logic [Acc-1:0] second;
    assign second                 = Acc'(products[4*Word-1:2*Word]);
    assign xy_addend[2*Acc-1:Acc] = (double[1] ? second << 1 : second) & {Acc{to_xy[1]}};
    assign v_addend[2*Acc-1:Acc]  = second & {Acc{to_v[1]}};
  end else begin : gen_single
    logic unused_lane;
    assign unused_lane = ^{to_xy[1], double[1], to_v[1], right_mn[1], right_n[1], left_mn[1],
                           right_addr >> IdxBits, left_addr >> IdxBits};
  end

  // Lines 3, 6 and 14: x_j * y_k, of a square doubled as Fig. 2 says; m_j * n^_k; in the first loop, words of x * y.
  assign xy_addend[Acc-1:0] = (double[0] ? first << 1 : first) & {Acc{to_xy[0]}};
  assign v_addend[Acc-1:0]  = (v_product & {Acc{to_v[0]}}) | (Acc'(xy_word) & {Acc{xy_add}});

  mm_fips_accumulator #(
    .Word(SafeWord), .Width(Acc), .Addends(Multipliers)
  ) u_xy (
    .clk_i, .prime_i(prime), .clear_i(clear), .shift_i(xy_first), .addend_i(xy_addend), .carry_i(1'b0),
    .shift_o(unused_shift), .value_o(xy)
  );

  mm_fips_accumulator #(
    .Word(SafeWord), .Width(Acc), .Addends(Multipliers)
  ) u_v (
    .clk_i, .prime_i(prime), .clear_i(clear | z_last), .shift_i(v_first), .addend_i(v_addend),
    .carry_i(carry & v0_nonzero_q), .shift_o(v_shift), .value_o(v)
  );

  // Line 9, i = s-1: v0 leaves the accumulator when column s begins. In GF(p), v0 + m_i * n_0 has the carry 1 unless
  // v0 is 0.
  assign v0          = v[Word-1:0];
  assign unused_tops = ^{xy >> Word, v >> (Word + 1)};

  always_ff @(posedge clk_i) if (v_shift) v0_nonzero_q <= prime & (v0 != '0);

  // ---- words of x * y, on their way from one accumulator to the other (lines 3 and 6) or to the result (line 14)

  logic [RingBits-1:0] xy_write_q, xy_read_q;

  mm_word_ram #(
    .Word(SafeWord), .Depth(2 ** RingBits)
  ) u_xy_words (
    .clk_i, .write_i(xy_last), .write_addr_i(xy_write_q), .word_i(xy[Word-1:0]),
    .read_addr_i(xy_read_q), .word_o(xy_word)
  );

  always_ff @(posedge clk_i) begin
    if (clear) begin
      xy_write_q <= '0;
      xy_read_q  <= '0;
    end else begin
      xy_write_q <= xy_write_q + RingBits'(xy_last);
      xy_read_q  <= xy_read_q + RingBits'(xy_add | z_valid);
    end
  end

  // ---- lines 16 and 19 to 22: the result

  mm_fips_reduce #(
    .Word(SafeWord), .IdxBits(IdxBits)
  ) u_reduce (
    .clk_i, .rst_ni, .prime_i(prime), .implicit_i(implicit), .clear_i(clear),
    .modulus_load_i(modulus_load), .modulus_index_i(word), .modulus_i(ctx_data_i),
    .m_valid_i(m_valid), .m_i(new_m),
    .z_valid_i(z_valid), .z_last_i(z_last), .v_i(v[Word:0]), .xy_i(xy_word), .z_done_o(z_done),
    .take_i(unload_take), .take_last_i(unload_last), .z_o
  );

endmodule

`default_nettype wire
