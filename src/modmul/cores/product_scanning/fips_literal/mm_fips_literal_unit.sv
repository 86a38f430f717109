// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal_unit: the operation unit (Zhang et al., Fig. 4), its data path that of Fig. 7 with one multiplier and
// of Fig. 8 with two.
//
//   cycle    what happens                                                               lines of Algorithm 4
//   1        products (mm_fips_literal_lane)                                             3, 6, 8, 9, 14
//   2        with two multipliers the second product, Word or 2 Word bits higher where   3, 6, 9, 14
//            it is of the next column or of the one after, is added to the first
//            (v2, v1, v0) = (v2, v1, v0) + the product or the pair
//            and, where a column ends, (0, v2, v1) of that                               10, 17
//            v0 and m_i = v0 * n0' mod W are multiplied in the cycle in which they are   8, 9
//            made: from mul_result_reg through the adders and the multiplier
//            z_k = v0 where a column of the second loop ends; the borrow of z - N        16, 20
//   finish   z_(s-1) = v0; v1 is the carry; z < 2N in GF(p)                              16, 19, 20
//
// Then the words go out, less those of N if z is not below N: lines 20 to 22, z < N. In GF(2^m) z has a lower degree.
//
// v < W^3 with one multiplier, for 2^(Word-2) words at most: a column has up to 2s products, and less than v / W from
// before. With two multipliers v has one or two more words, Ahead, for the following columns.
//
`default_nettype none

module mm_fips_literal_unit #(
  parameter int Word        = 32,
  parameter int IdxBits     = 5,
  parameter int Multipliers = 1,
  parameter int Ahead       = 0   // with two multipliers: columns that the second product may be ahead of the first
) (
  input  wire                clk_i,
  input  wire                prime_i,
  // Input unit.
  input  wire                init_i,
  input  wire  [IdxBits-1:0] word_i,           // the word that comes, is made, or goes
  input  wire  [IdxBits-1:0] word_next_i,      // the one in the next cycle
  input  wire                inverse_load_i,
  input  wire                modulus_load_i,
  input  wire  [Word-1:0]    ctx_data_i,
  input  wire                operand_load_i,
  input  wire  [Word-1:0]    a_i,
  input  wire  [Word-1:0]    b_i,
  input  wire                unload_take_i,
  // Control unit, cycle 0.
  input  wire  [Multipliers*IdxBits-1:0] left_addr_i,
  input  wire  [Multipliers*IdxBits-1:0] right_addr_i,
  input  wire  [Multipliers-1:0]         mn_i,
  input  wire                            inverse_i,     // n0' in lane 0
  // Cycle 1.
  input  wire  [Multipliers-1:0]         valid_i,
  input  wire  [Multipliers-1:0]         double_i,      // 2 a_j * b_k
  input  wire  [1:0]                     ahead_i,       // columns that lane 1 is ahead
  input  wire                            make_m_i,      // lane 0: v0 * n0'
  input  wire                            new_m_i,       // m_i * n_0
  input  wire                            column_end_i,
  input  wire                            second_loop_i,
  // S7.
  input  wire                            last_i,        // the state
  input  wire                            finish_i,
  output logic                           word_made_o,   // an m_i or a z_k
  output logic [Word-1:0]                z_o
);

  localparam int Acc = Multipliers > 1 ? (2 + Ahead) * Word + 4 : 3 * Word;

  logic [Multipliers*2*Word-1:0] carry, plain;
  logic [Multipliers*Word-1:0]   left_words;
  logic [Multipliers-1:0]        double_q;
  logic                          make_m_q, column_end_q, z_q, added_q, z_made, m_write;
  logic [Word-1:0]               n0_inverse_q, m, v0, z, made;
  logic [Acc-1:0]                v_q, pair_carry, pair_plain, sum, v_next;

  always_ff @(posedge clk_i) begin
    if (inverse_load_i) n0_inverse_q <= ctx_data_i;
    make_m_q     <= make_m_i;
    column_end_q <= column_end_i;
    z_q          <= column_end_i & second_loop_i;
    double_q     <= double_i;
    added_q      <= valid_i[0] & ~make_m_i;
  end

  // ---- cycles 0 and 1

  // Line 8: the lower word of v0 * n0'.
  assign m       = carry[Word-1:0] | plain[Word-1:0];
  assign z_made  = z_q | finish_i;
  assign m_write = new_m_i | z_made;
  assign made    = new_m_i ? m : z;

  assign word_made_o = m_write;

  for (genvar n = 0; n < Multipliers; n++) begin : gen_lane
    logic [IdxBits-1:0] left_addr;
    logic               mn;

    // In S7 the words of z are read.
    assign left_addr = last_i ? word_next_i : left_addr_i[n*IdxBits +: IdxBits];
    assign mn        = last_i | mn_i[n];

    mm_fips_literal_lane #(
      .Word(Word), .IdxBits(IdxBits)
    ) u_lane (
      .clk_i, .prime_i,
      .word_addr_i(word_i), .operand_load_i, .a_i, .b_i, .modulus_load_i, .n_i(ctx_data_i),
      .m_write_i(m_write), .m_i(made),
      .left_addr_i(left_addr), .right_addr_i(right_addr_i[n*IdxBits +: IdxBits]), .mn_i(mn),
      .inverse_i(n == 0 && inverse_i), .n0_inverse_i(n0_inverse_q), .left_o(left_words[n*Word +: Word]),
      .valid_i(valid_i[n]), .use_v0_i(n == 0 && make_m_i), .v0_i(v0), .use_new_m_i(new_m_i), .new_m_i(m),
      .carry_o(carry[n*2*Word +: 2*Word]), .plain_o(plain[n*2*Word +: 2*Word])
    );
  end

  // ---- cycle 2, lines 3, 6, 9 and 14

  logic [2*Word:0] first_carry;
  assign first_carry = double_q[0] ? {carry[2*Word-1:0], 1'b0} : {1'b0, carry[2*Word-1:0]};

  if (Multipliers > 1) begin : gen_fig_8
    localparam int Product = 2 * Word + 1;
    logic [1:0]         ahead_q;
    logic [Product-1:0] second_carry;
    logic [2*Word-1:0]  second_plain;
    logic [Acc-1:0]     kept_carry, kept_plain, put_carry, put_plain, zero;
    logic               unused;

    always_ff @(posedge clk_i) ahead_q <= ahead_i;

    // 65_64-bit adder, wider by the columns ahead. v0 * n0' is not added.
    assign second_carry = double_q[1] ? {carry[4*Word-1:2*Word], 1'b0} : {1'b0, carry[4*Word-1:2*Word]};
    assign second_plain = plain[4*Word-1:2*Word];
    assign kept_carry   = Acc'(first_carry & {Product{~make_m_q}});
    assign kept_plain   = Acc'(plain[2*Word-1:0] & {(2*Word){~make_m_q}});

    always_comb begin
      case (ahead_q)
        2'd0: begin
          put_carry = Acc'(second_carry);
          put_plain = Acc'(second_plain);
        end
        2'd1: begin
          put_carry = Acc'(second_carry) << Word;
          put_plain = Acc'(second_plain) << Word;
        end
        default: begin
          put_carry = Acc'(second_carry) << (Ahead * Word);
          put_plain = Acc'(second_plain) << (Ahead * Word);
        end
      endcase
    end

    assign zero       = '0;
    assign pair_plain = kept_plain ^ put_plain;

    mm_dual_adder #(
      .Width(Acc)
    ) u_pair (
      .carry_a_i(put_carry), .plain_a_i(zero), .b_i(kept_carry), .carry_i(1'b0), .sum_o(pair_carry)
    );

    // A column may have all its products before its turn: then v0 is that of the shifted sum.
    assign v_next = column_end_q ? sum >> Word : sum;
    assign v0     = v_next[Word-1:0];
    assign unused = ^{added_q, left_words >> Word};
  end else begin : gen_fig_7
    logic unused;

    assign pair_carry = Acc'(first_carry);
    assign pair_plain = Acc'(plain);
    assign v_next     = !added_q ? v_q : column_end_q ? sum >> Word : sum;
    assign v0         = sum[Word-1:0];
    assign unused     = ^{make_m_q, ahead_i};
  end

  // 96-bit adder.
  mm_dual_adder #(
    .Width(Acc)
  ) u_adder (
    .carry_a_i(pair_carry), .plain_a_i(pair_plain), .b_i(v_q), .carry_i(1'b0), .sum_o(sum)
  );

  // add_result_reg, (v2, v1, v0); lines 10 and 17.
  always_ff @(posedge clk_i) begin
    if (init_i) v_q <= '0;
    else        v_q <= v_next;
  end

  // ---- lines 16 and 19 to 22

  logic [Word-1:0] n, taken;
  logic [Word:0]   compared, difference;
  logic            borrow_q, above_q;

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_n (
    .clk_i, .write_i(modulus_load_i), .write_addr_i(word_i), .word_i(ctx_data_i), .read_addr_i(word_i), .word_o(n)
  );

  assign z          = sum[Word-1:0];
  assign compared   = {1'b0, z} - {1'b0, n} - (Word+1)'(borrow_q);
  assign taken      = n & {Word{above_q}};
  assign difference = {1'b0, left_words[Word-1:0]} - {1'b0, taken} - (Word+1)'(borrow_q);
  assign z_o        = difference[Word-1:0];

  always_ff @(posedge clk_i) begin
    if (init_i | finish_i)  borrow_q <= 1'b0;
    else if (z_made)        borrow_q <= compared[Word];
    else if (unload_take_i) borrow_q <= difference[Word];
    if (finish_i) above_q <= prime_i & (sum[Word] | ~compared[Word]);
  end

endmodule

`default_nettype wire
