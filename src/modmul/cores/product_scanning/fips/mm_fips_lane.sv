// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_lane: operand memories and multiplier (Zhang et al., Figs. 7 and 8, above the result register).
//
//   product       left operand    right operand    line of Algorithm 4
//   x_j * y_k     word of x       word of y        3, 6, 14
//   m_j * n^_k    word of m       word of N^       3, 9, 14
//   v0 * n0'      v0              n0'              8, in column s-1
//   m_i * n_k     word of m       word of N        9, 14, i = s-1
//
//   cycle      what happens
//   1          the right operand is read: a word of y, N^ or N, or n0'
//   2          the left operand is read: a word of x or of m, or the one of m that has just been made: v0, or v0 * n0'
//   3 ...      mm_dual_mul; the product is in p_o in cycle 3 + Depth
//
// N^ and N share a memory: the upper half is for N.
//
`default_nettype none

module mm_fips_lane #(
  parameter int Word     = 32,
  parameter int IdxBits  = 5,
  parameter int Depth    = 3,
  parameter int Dsp      = 0
) (
  input  wire                 clk_i,
  input  wire                 prime_i,
  // Memories of x and y, of m, and of N^ and N.
  input  wire                 xy_write_i,
  input  wire  [IdxBits-1:0]  xy_write_addr_i,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  input  wire                 m_write_i,
  input  wire  [IdxBits-1:0]  m_write_addr_i,
  input  wire  [Word-1:0]     m_i,
  input  wire                 n_write_i,
  input  wire  [IdxBits:0]    n_write_addr_i,
  input  wire  [Word-1:0]     n_i,
  // Cycle 1.
  input  wire  [IdxBits-1:0]  right_addr_i,
  input  wire                 right_mn_i,       // not of y
  input  wire                 right_n_i,        // of N
  input  wire                 right_inverse_i,
  input  wire  [Word-1:0]     inverse_i,
  // Cycle 2.
  input  wire  [IdxBits-1:0]  left_addr_i,
  input  wire                 left_mn_i,        // of m
  input  wire                 left_v0_i,
  input  wire  [Word-1:0]     v0_i,
  input  wire                 left_new_i,
  input  wire  [Word-1:0]     new_i,
  output logic [2*Word-1:0]   p_o
);

  logic [Word-1:0] x_word, y_word, m_word, n_word, left, right;

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_x (
    .clk_i, .write_i(xy_write_i), .write_addr_i(xy_write_addr_i), .word_i(x_i),
    .read_addr_i(left_addr_i), .word_o(x_word)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_y (
    .clk_i, .write_i(xy_write_i), .write_addr_i(xy_write_addr_i), .word_i(y_i),
    .read_addr_i(right_addr_i), .word_o(y_word)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_m (
    .clk_i, .write_i(m_write_i), .write_addr_i(m_write_addr_i), .word_i(m_i),
    .read_addr_i(left_addr_i), .word_o(m_word)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** (IdxBits + 1))
  ) u_n (
    .clk_i, .write_i(n_write_i), .write_addr_i(n_write_addr_i), .word_i(n_i),
    .read_addr_i({right_n_i, right_addr_i}), .word_o(n_word)
  );

  // Line 8: v0 * n0'. Line 9: m_i as it comes out of accumulator or multiplier. Lines 3, 6, 9 and 14: words.
  assign right = right_inverse_i ? inverse_i : right_mn_i ? n_word : y_word;
  assign left  = left_v0_i ? v0_i : left_new_i ? new_i : left_mn_i ? m_word : x_word;

  if (Dsp != 0) begin : gen_dsp
    logic unused_prime;
    assign unused_prime = prime_i;
    mm_fips_plain_mul #(
      .Word(Word), .Depth(Depth)
    ) u_mul (
      .clk_i, .b_i(right), .a_i(left), .p_o
    );
  end else begin : gen_dual
    mm_dual_mul #(
      .Word(Word), .Depth(Depth)
    ) u_mul (
      .clk_i, .prime_i, .b_i(right), .a_i(left), .p_o
    );
  end

endmodule

`default_nettype wire
