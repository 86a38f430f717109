// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_reduce: the words of the result, lines 16 and 19 to 23 of Algorithm 4 (Zhang et al.).
//
//   cycle   what happens                                                                               line
//   0       v0 of a column of the second loop, the column's word of x * y and, in GF(2^m), m_k where   16
//           N has a term x^(s * Word)
//   1       z_k, their sum, with the carry of the word before: z < 2N in GF(p)                         16, 19
//   2       z_k into the memory; the borrow of z - N, word by word                                     20
//
// Then, after a cycle to fetch the first, the words go out, in GF(p) less those of N if z is not below N: lines 21 to
// 23, 0 <= z < N. In GF(2^m) z has a lower degree than N. The memory of the result is that of m: m_k has been used for
// the last time when z_k comes.
//
`default_nettype none

module mm_fips_reduce #(
  parameter int Word    = 32,
  parameter int IdxBits = 5
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                prime_i,
  input  wire                implicit_i,
  input  wire                clear_i,
  input  wire                modulus_load_i,
  input  wire  [IdxBits-1:0] modulus_index_i,
  input  wire  [Word-1:0]    modulus_i,
  input  wire                m_valid_i,
  input  wire  [IdxBits-1:0] m_index_i,
  input  wire  [Word-1:0]    m_i,
  // Cycle 0.
  input  wire                z_valid_i,
  input  wire  [Word-1:0]    v0_i,
  input  wire  [Word-1:0]    xy_i,
  input  wire  [IdxBits-1:0] last_word_i,  // s - 1
  output logic               z_done_o,     // the first word is fetched
  input  wire                take_i,       // the word on z_o has been taken
  output logic [Word-1:0]    z_o
);

  logic               valid_q, valid_q2, last_q, end_q, fetch_q;
  logic               carry_q, borrow_q, above, above_q;
  logic [IdxBits-1:0] index_q, index_q2, index_q3;
  logic [Word-1:0]    stored, modulus, addend;
  logic [Word-1:0]    v0_q, carry_addend_q, plain_addend_q, n_q, sum_q, less_q;
  logic [Word:0]      sum, difference;
  logic               step;

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_result (
    .clk_i,
    .write_i(m_valid_i | valid_q2), .write_addr_i(valid_q2 ? index_q3 : m_index_i), .word_i(valid_q2 ? sum_q : m_i),
    .read_addr_i(index_q), .word_o(stored)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_modulus (
    .clk_i, .write_i(modulus_load_i), .write_addr_i(modulus_index_i), .word_i(modulus_i),
    .read_addr_i(index_q), .word_o(modulus)
  );

  // Cycle 0, line 16; the words go out in the same order.
  assign addend = implicit_i ? xy_i ^ stored : xy_i;
  assign step   = z_valid_i | fetch_q | take_i;

  always_ff @(posedge clk_i) begin
    last_q   <= index_q == last_word_i;
    index_q2 <= index_q;
    v0_q     <= v0_i;
    n_q      <= modulus;
    if (!prime_i) carry_addend_q <= '0;
    else          carry_addend_q <= addend;
    if (prime_i)  plain_addend_q <= '0;
    else          plain_addend_q <= addend;
    if (clear_i)   index_q <= '0;
    else if (step) index_q <= (z_valid_i && index_q == last_word_i) ? '0 : index_q + 1'b1;
  end

  // Cycle 1, line 16; the carry out of the last word is line 19.
  mm_dual_adder #(
    .Width(Word + 1)
  ) u_adder (
    .carry_a_i({1'b0, carry_addend_q}), .plain_a_i({1'b0, plain_addend_q}), .b_i({1'b0, v0_q}), .carry_i(carry_q),
    .sum_o(sum)
  );

  assign above = prime_i & (carry_q | ~borrow_q);  // line 20: z >= N, when all words are there

  always_ff @(posedge clk_i) begin
    end_q    <= last_q & valid_q;
    index_q3 <= index_q2;
    if (clear_i)      carry_q <= 1'b0;
    else if (valid_q) carry_q <= sum[Word];
    if (valid_q) begin
      sum_q  <= sum[Word-1:0];
      less_q <= n_q;
    end else if (fetch_q | take_i) begin
      sum_q  <= stored;
      less_q <= (fetch_q ? above : above_q) ? modulus : '0;
    end
    if (fetch_q) above_q <= above;
  end

  // Cycle 2, line 20 and, while the result goes out, the same subtraction again, line 21.
  assign difference = {1'b0, sum_q} - {1'b0, less_q} - (Word+1)'(borrow_q);
  assign z_o        = difference[Word-1:0];
  assign z_done_o   = fetch_q;

  always_ff @(posedge clk_i) begin
    if (clear_i | fetch_q)      borrow_q <= 1'b0;
    else if (valid_q2 | take_i) borrow_q <= difference[Word];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      valid_q2 <= 1'b0;
      fetch_q  <= 1'b0;
    end else begin
      valid_q  <= z_valid_i;
      valid_q2 <= valid_q;
      fetch_q  <= end_q;
    end
  end

endmodule

`default_nettype wire
