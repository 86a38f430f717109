// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal_lane: memories A, B, N, the m_i in the register file, and a multiplier with its result register
// (Zhang et al., Fig. 4 and the upper half of Figs. 7 and 8).
//
//   product       left operand         right operand    line of Algorithm 4
//   a_j * b_k     A                    B                3, 6, 14
//   m_j * n_k     register file        N                3, 14
//   v0 * n0'      v0, just added up    n0'              8
//   m_i * n_0     mul_result_reg       N                9
//
//   cycle    what happens
//   0        words are read; what is written into the register file in this cycle is read as well
//   1        they are multiplied, v0 and m_i as they are in this cycle
//   2        the product is in carry_o in GF(p) and in plain_o in GF(2^m), the other one being 0: two registers, held
//            at 0 by the field, are the gate of Fig. 6 (mm_dual_adder). Without a product both are 0.
//
`default_nettype none

module mm_fips_literal_lane #(
  parameter int Word    = 32,
  parameter int IdxBits = 5
) (
  input  wire                clk_i,
  input  wire                prime_i,
  // Writing: one word in a cycle, all at word_addr_i.
  input  wire  [IdxBits-1:0] word_addr_i,
  input  wire                operand_load_i,
  input  wire  [Word-1:0]    a_i,
  input  wire  [Word-1:0]    b_i,
  input  wire                modulus_load_i,
  input  wire  [Word-1:0]    n_i,
  input  wire                m_write_i,
  input  wire  [Word-1:0]    m_i,
  // Cycle 0.
  input  wire  [IdxBits-1:0] left_addr_i,
  input  wire  [IdxBits-1:0] right_addr_i,
  input  wire                mn_i,           // words of m and N, not of A and B
  input  wire                inverse_i,
  input  wire  [Word-1:0]    n0_inverse_i,
  output logic [Word-1:0]    left_o,         // the left word, in cycle 1
  // Cycle 1.
  input  wire                valid_i,        // there is a product
  input  wire                use_v0_i,
  input  wire  [Word-1:0]    v0_i,
  input  wire                use_new_m_i,
  input  wire  [Word-1:0]    new_m_i,
  // Cycle 2.
  output logic [2*Word-1:0]  carry_o,
  output logic [2*Word-1:0]  plain_o
);

  logic [Word-1:0]   a, b, n, stored, m, right_q, left;
  logic [2*Word-1:0] product;

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_a (
    .clk_i, .write_i(operand_load_i), .write_addr_i(word_addr_i), .word_i(a_i), .read_addr_i(left_addr_i), .word_o(a)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_b (
    .clk_i, .write_i(operand_load_i), .write_addr_i(word_addr_i), .word_i(b_i), .read_addr_i(right_addr_i), .word_o(b)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_n (
    .clk_i, .write_i(modulus_load_i), .write_addr_i(word_addr_i), .word_i(n_i), .read_addr_i(right_addr_i), .word_o(n)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_m (
    .clk_i, .write_i(m_write_i), .write_addr_i(word_addr_i), .word_i(m_i), .read_addr_i(left_addr_i), .word_o(stored)
  );

  assign m = (m_write_i && word_addr_i == left_addr_i) ? m_i : stored;

  always_ff @(posedge clk_i) begin
    left_o  <= mn_i ? m : a;
    right_q <= inverse_i ? n0_inverse_i : mn_i ? n : b;
  end

  assign left = use_v0_i ? v0_i : use_new_m_i ? new_m_i : left_o;

  mm_fips_literal_mul #(
    .Word(Word)
  ) u_mul (
    .prime_i, .a_i(left), .b_i(right_q), .p_o(product)
  );

  // mul_result_reg.
  always_ff @(posedge clk_i) begin
    if (!valid_i | !prime_i) carry_o <= '0;
    else                     carry_o <= product;
    if (!valid_i | prime_i)  plain_o <= '0;
    else                     plain_o <= product;
  end

endmodule

`default_nettype wire
