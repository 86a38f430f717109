// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_radix2_pe: processing element of the improved left-shifting radix-2 multiplier (Pinckney et al.'s [3]),
// one bit of X. Z stays where it is and Y and M move up by one bit an element: their lowest bit is bit Pos = i mod
// Word of the first word.
//    2  Z = Z + X_i * Y
//    3  Q = Z mod 2, in the first word, and kept for the others              0 <= Q <= 1
//    4  Z = (Z + Q * M) / 2, in carry-save form, a word a clock cycle: bit Pos is 0 now
//
// The two CSAs leave no carry below bit Pos + 1: nothing is injected, and there is no hidden bit. Latency one; with
// Pos = Word - 1 the first word has become zero, and the next element starts one cycle later, with the word above.
//
`default_nettype none

module mm_scalable_radix2_pe #(
  parameter int Word = 16,
  parameter int Pos  = 0
) (
  input  wire             clk_i,
  input  wire             first_next_i,  // word 0 comes in with the next clock edge
  input  wire             x_i,
  input  wire  [Word-1:0] y_i,
  input  wire  [Word-1:0] m_i,
  input  wire  [Word-1:0] zs_i,
  input  wire  [Word-1:0] zc_i,
  output logic            first_next_o,
  output logic [Word-1:0] y_o,
  output logic [Word-1:0] m_o,
  output logic [Word-1:0] zs_o,
  output logic [Word-1:0] zc_o
);

  logic            first_q, x_q, q, q_q, cx_q, cq_q, y_below_q, m_below_q, unused_zeros;
  logic [Word-1:0] x_mul, q_mul, s1, c1, s2;
  logic [Word:0]   k1, k2;

  always_ff @(posedge clk_i) begin
    first_q <= first_next_i;
    if (first_next_i) x_q <= x_i;
    if (first_q) q_q <= q;
  end

  // Step 2.
  assign x_mul = y_i & {Word{x_q}};

  mm_csa #(
    .Width(Word)
  ) u_csa_x (
    .a_i(zs_i), .b_i(zc_i), .c_i(x_mul), .sum_o(s1), .carry_o(k1)
  );

  assign c1 = {k1[Word-1:1], cx_q & ~first_q};

  // Step 3: everything below Pos is zero, so there is no carry bit at Pos next to the sum bit.
  assign q = first_q ? s1[Pos] : q_q;

  // Step 4.
  assign q_mul = m_i & {Word{q}};

  mm_csa #(
    .Width(Word)
  ) u_csa_q (
    .a_i(s1), .b_i(c1), .c_i(q_mul), .sum_o(s2), .carry_o(k2)
  );

  always_ff @(posedge clk_i) begin
    cx_q      <= k1[Word];
    cq_q      <= k2[Word];
    zs_o      <= s2;
    zc_o      <= {k2[Word-1:1], cq_q & ~first_q};
    y_below_q <= y_i[Word-1] & ~first_next_i;
    m_below_q <= m_i[Word-1] & ~first_next_i;
    y_o       <= {y_i[Word-2:0], y_below_q};
    m_o       <= {m_i[Word-2:0], m_below_q};
  end

  assign unused_zeros = k1[0] ^ k2[0];

  if (Pos == Word - 1) begin : gen_discard
    always_ff @(posedge clk_i) first_next_o <= first_q;
  end else begin : gen_keep
    assign first_next_o = first_q;
  end

endmodule

`default_nettype wire
