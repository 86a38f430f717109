// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_radix2_right_pe: processing element of the right-shifting radix-2 multiplier (Pinckney et al.'s [2]), one
// bit of X:
//    2  Z = Z + X_i * Y
//    3  Q = Z mod 2, in the first word, and kept for the others              0 <= Q <= 1
//    4  Z = (Z + Q * M) / 2, in carry-save form
//
// Latency two: a word waits for bit 0 of the next one, which becomes its highest. In the first word step 4 makes that
// bit 0 in sum and carry, so nothing is lost with it, and what the last word gets from the first word that follows is
// the 0 above a Z that is never negative.
//
`default_nettype none

module mm_scalable_radix2_right_pe #(
  parameter int Word = 16
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

  logic            first_q, x_q, q, q_q, cx_q, cq_q, unused_zeros;
  logic [Word-1:0] y_q, m_q, x_mul, q_mul, s1, c1, s2, c2;
  logic [Word-1:1] zs_q, zc_q;
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

  // Step 3: in the first word the lowest carry is 0.
  assign q = first_q ? s1[0] : q_q;

  // Step 4.
  assign q_mul = m_i & {Word{q}};

  mm_csa #(
    .Width(Word)
  ) u_csa_q (
    .a_i(s1), .b_i(c1), .c_i(q_mul), .sum_o(s2), .carry_o(k2)
  );

  assign c2 = {k2[Word-1:1], cq_q & ~first_q};

  always_ff @(posedge clk_i) begin
    cx_q         <= k1[Word];
    cq_q         <= k2[Word];
    zs_q         <= s2[Word-1:1];
    zc_q         <= c2[Word-1:1];
    y_q          <= y_i;
    m_q          <= m_i;
    first_next_o <= first_q;
    zs_o         <= {s2[0], zs_q};
    zc_o         <= {c2[0], zc_q};
    y_o          <= y_q;
    m_o          <= m_q;
  end

  assign unused_zeros = k1[0] ^ k2[0];

endmodule

`default_nettype wire
