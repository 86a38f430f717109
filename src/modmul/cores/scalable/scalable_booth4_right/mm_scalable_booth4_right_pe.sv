// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_booth4_right_pe: processing element of the right-shifting Booth multiplier (Pinckney et al., Fig. 4),
// one digit of X and of Q:
//    2  Q = Z mod 4, by the 2-bit CPA: Q + 4H = Z_1..0 + S_Q of the element before     0 <= Q <= 3
//    3  d(X_i), d(Q): Booth digits, the bit below Q being the top bit of the Q before -2 <= d <= 2
//    4  Z = floor(Z / 4) + d(Q) * M^ + d(X_i) * Y, in carry-save form, a word a clock cycle
//
// Negative multiples are inverted words plus a 1 at their lowest bit. Of the three bits to inject there, S_X and H take
// the free carry positions of the two CSAs in the first word; S_Q goes to the next element's CPA.
// Latency two: word j is shifted right when the two lowest bits of word j+1 are there. After the last word (when the
// next first word comes in) the sign of Z takes their place.
//
`default_nettype none

module mm_scalable_booth4_right_pe #(
  parameter int Word = 16
) (
  input  wire             clk_i,
  input  wire             first_i,     // word 0 comes in
  input  wire  [2:0]      x_i,         // the digit of X and the bit below, valid with first_i
  input  wire             q_neg_i,     // S_Q of the element before: also the top bit of its Q
  input  wire  [Word-1:0] y_i,
  input  wire  [Word-1:0] m_i,
  input  wire  [Word-1:0] zs_i,
  input  wire  [Word-1:0] zc_i,
  output logic            first_o,
  output logic            q_neg_o,
  output logic [Word-1:0] y_o,
  output logic [Word-1:0] m_o,
  output logic [Word-1:0] zs_o,
  output logic [Word-1:0] zc_o
);

  logic [Word-1:0] y_q, m_q;
  logic [Word-1:2] zs_q, zc_q;
  logic            first_q, y_below_q, m_below_q;
  logic            x_neg, x_neg_q, q_neg_q, h, h_q, cx_q, cq_q;
  logic [1:0]      x_mag, q_mag, x_mag_q, q_mag_q, q, zs_top, zc_top;
  logic            carry, any, all;

  // Step 2: the CPA, ahead of the register.
  assign q[0]  = zs_i[0] ^ zc_i[0] ^ q_neg_i;
  assign carry = (zs_i[0] & zc_i[0]) | (zs_i[0] & q_neg_i) | (zc_i[0] & q_neg_i);
  assign q[1]  = zs_i[1] ^ zc_i[1] ^ carry;
  assign h     = (zs_i[1] & zc_i[1]) | (zs_i[1] & carry) | (zc_i[1] & carry);

  // Step 3: the Booth encoders.
  logic q_neg;

  mm_booth_recoder #(.Radix2(2)) u_encode_x (.window_i(x_i), .neg_o(x_neg), .mag_o(x_mag));
  mm_booth_recoder #(.Radix2(2)) u_encode_q (.window_i({q, q_neg_i}), .neg_o(q_neg), .mag_o(q_mag));

  always_ff @(posedge clk_i) begin
    if (first_i) begin
      x_neg_q <= x_neg;
      x_mag_q <= x_mag;
      q_neg_q <= q_neg;
      q_mag_q <= q_mag;
      h_q     <= h;
    end
  end

  assign q_neg_o = q_neg_q;

  // The word that waits for the two bits above it.
  always_ff @(posedge clk_i) begin
    first_q   <= first_i;
    y_q       <= y_i;
    m_q       <= m_i;
    zs_q      <= zs_i[Word-1:2];
    zc_q      <= zc_i[Word-1:2];
    y_below_q <= y_q[Word-1] & ~first_i;
    m_below_q <= m_q[Word-1] & ~first_i;
  end

  // Step 4: floor(Z / 4), with the sign of Z above the last word (see mm_scalable_sign).
  mm_scalable_sign u_sign (
    .zs_i(zs_q[Word-1:Word-2]), .zc_i(zc_q[Word-1:Word-2]), .any_o(any), .all_o(all)
  );

  assign zs_top = first_i ? {2{any}} : zs_i[1:0];
  assign zc_top = first_i ? {2{all}} : zc_i[1:0];

  // Booth selectors.
  logic [Word-1:0] x_mul, q_mul, s1, c1, s2;
  logic [Word:0]   k1, k2;

  assign x_mul = ((y_q & {Word{x_mag_q[0]}}) | ({y_q[Word-2:0], y_below_q} & {Word{x_mag_q[1]}})) ^ {Word{x_neg_q}};
  assign q_mul = ((m_q & {Word{q_mag_q[0]}}) | ({m_q[Word-2:0], m_below_q} & {Word{q_mag_q[1]}})) ^ {Word{q_neg_q}};

  // Two CSAs. A carry out of a word goes to the lowest bit of the next one; in the first word S_X and H are there.
  mm_csa #(
    .Width(Word)
  ) u_csa_x (
    .a_i({zs_top, zs_q}), .b_i({zc_top, zc_q}), .c_i(x_mul), .sum_o(s1), .carry_o(k1)
  );

  assign c1 = {k1[Word-1:1], first_q ? x_neg_q : cx_q};

  mm_csa #(
    .Width(Word)
  ) u_csa_q (
    .a_i(s1), .b_i(c1), .c_i(q_mul), .sum_o(s2), .carry_o(k2)
  );

  always_ff @(posedge clk_i) begin
    cx_q    <= k1[Word];
    cq_q    <= k2[Word];
    first_o <= first_q;
    y_o     <= y_q;
    m_o     <= m_q;
    zs_o    <= s2;
    zc_o    <= {k2[Word-1:1], first_q ? h_q : cq_q};
  end

  logic unused_zeros;
  assign unused_zeros = k1[0] ^ k2[0];

endmodule

`default_nettype wire
