// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_lane: operand memories and multiplier (Zhang et al., Figs. 7 and 8, above the result register).
//
//   product       left operand    right operand    line of Algorithm 4
//   x_j * y_k     word of x       word of y        3, 6, 14
//   m_j * n_k     word of m       word of N        3, 14
//   v0 * n0'      v0              n0'              8
//   m_i * n_0     m_i, new        word of N        9
//
//   cycle      what happens
//   1          the right operand is read: a word of y or of N, or n0'
//   2          the left operand is read: a word of x or of m, or v0, or the m_i that has just been made
//   3 ...      mm_dual_mul; the product is in p_o in cycle 3 + Depth
//
// x and m share a memory, and y and N another: the upper half of each is for m and N.
//
`default_nettype none

module mm_fips_lane #(
  parameter int Word     = 32,
  parameter int AddrBits = 6,
  parameter int Depth    = 3,
  parameter int Dsp      = 0
) (
  input  wire                 clk_i,
  input  wire                 prime_i,
  // Memories of x and m, and of y and N.
  input  wire                 left_write_i,
  input  wire  [AddrBits-1:0] left_write_addr_i,
  input  wire  [Word-1:0]     left_word_i,
  input  wire                 right_write_i,
  input  wire  [AddrBits-1:0] right_write_addr_i,
  input  wire  [Word-1:0]     right_word_i,
  // Cycle 1.
  input  wire  [AddrBits-1:0] right_addr_i,
  input  wire                 right_inverse_i,
  input  wire  [Word-1:0]     inverse_i,
  // Cycle 2.
  input  wire  [AddrBits-1:0] left_addr_i,
  input  wire                 left_v0_i,
  input  wire  [Word-1:0]     v0_i,
  input  wire                 left_new_i,
  input  wire  [Word-1:0]     new_i,
  output logic [2*Word-1:0]   p_o
);

  logic [Word-1:0] left_word, right_word, left, right;

  mm_word_ram #(
    .Word(Word), .Depth(2 ** AddrBits)
  ) u_left (
    .clk_i, .write_i(left_write_i), .write_addr_i(left_write_addr_i), .word_i(left_word_i),
    .read_addr_i(left_addr_i), .word_o(left_word)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** AddrBits)
  ) u_right (
    .clk_i, .write_i(right_write_i), .write_addr_i(right_write_addr_i), .word_i(right_word_i),
    .read_addr_i(right_addr_i), .word_o(right_word)
  );

  // Line 8: v0 * n0'. Line 9: m_i as it comes out of the multiplier. Lines 3, 6, 9 and 14: words.
  assign right = right_inverse_i ? inverse_i : right_word;
  assign left  = left_v0_i ? v0_i : left_new_i ? new_i : left_word;

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
