// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_booth4_serial_pe: processing element of the right-shifting Booth multiplier in the original order of the
// steps (Pinckney et al.'s [4]), one digit of X and one of Q:
//    2  Z = Z + d(X_i) * Y, d(X_i): Booth digit of X, from the cycle before  -2 <= d <= 2
//    3  Q = -Z / M mod 4, with -1 for 3, in the first word, and kept         -1 <= Q <= 2
//    4  Z = (Z + Q * M) / 4, in carry-save form; H: the carry out of the two bits that leave
//
// Negative multiples are inverted words plus a 1 at their lowest bit. S_X takes the free carry position of the first
// CSA in the first word. M is odd: the lowest bit of -M is 1 as in M, so it is left as it is and nothing has to be
// added (the multiple includes S_Q). H is never added to Z, but goes from element to element: it is included when Q is
// computed, and the two lowest bits and H together are 0 or 4, 4 if H or bit 1 of the sum is set.
// Latency two: a word waits for the two lowest bits of the next one, which become its highest. After the last word
// (when the next first word is there) the sign of Z takes their place.
//
`default_nettype none

module mm_scalable_booth4_serial_pe #(
  parameter int Word = 16
) (
  input  wire             clk_i,
  input  wire             first_next_i,  // word 0 comes in with the next clock edge
  input  wire  [2:0]      x_i,           // the digit of X and the bit below, valid with first_next_i
  input  wire             h_i,           // H of the element before, valid with word 0
  input  wire  [Word-1:0] y_i,
  input  wire  [Word-1:0] m_i,
  input  wire  [Word-1:0] zs_i,
  input  wire  [Word-1:0] zc_i,
  output logic            first_next_o,
  output logic            h_o,
  output logic [Word-1:0] y_o,
  output logic [Word-1:0] m_o,
  output logic [Word-1:0] zs_o,
  output logic [Word-1:0] zc_o
);

  logic            first_q, x_neg, x_neg_q, q_neg, q_neg_q, cx_q, cq_q, y_below, m_below, any, all, carry;
  logic [1:0]      x_mag, x_mag_q, q_mag, q_mag_q, t, zs_top, zc_top;
  logic [Word-1:0] y_q, m_q, x_mul, q_mul, s1, c1, s2, c2;
  logic [Word-1:2] zs_q, zc_q;
  logic [Word:0]   k1, k2;

  always_ff @(posedge clk_i) first_q <= first_next_i;

  // Step 2: the Booth encoder, then the selector and the first CSA. The word before is still there, in y_q and m_q.
  mm_booth_recoder #(.Radix2(2)) u_encode_x (.window_i(x_i), .neg_o(x_neg), .mag_o(x_mag));

  always_ff @(posedge clk_i) begin
    if (first_next_i) begin
      x_neg_q <= x_neg;
      x_mag_q <= x_mag;
    end
  end

  assign y_below = y_q[Word-1] & ~first_q;
  assign m_below = m_q[Word-1] & ~first_q;
  assign x_mul   = ((y_i & {Word{x_mag_q[0]}}) | ({y_i[Word-2:0], y_below} & {Word{x_mag_q[1]}})) ^ {Word{x_neg_q}};

  mm_csa #(
    .Width(Word)
  ) u_csa_x (
    .a_i(zs_i), .b_i(zc_i), .c_i(x_mul), .sum_o(s1), .carry_o(k1)
  );

  assign c1 = {k1[Word-1:1], first_q ? x_neg_q : cx_q};

  // Step 3: t = Z mod 4, by the CPA. For an odd t, M or -M is added, whichever makes the lowest digit 0.
  assign t[0]  = s1[0] ^ c1[0] ^ h_i;
  assign carry = (s1[0] & c1[0]) | (s1[0] & h_i) | (c1[0] & h_i);
  assign t[1]  = s1[1] ^ c1[1] ^ carry;

  assign q_mag = first_q ? {t[1] & ~t[0], t[0]} : q_mag_q;
  assign q_neg = first_q ? t[0] & ~(t[1] ^ m_i[1]) : q_neg_q;

  always_ff @(posedge clk_i) begin
    q_mag_q <= q_mag;
    q_neg_q <= q_neg;
  end

  // Step 4.
  assign q_mul = ((m_i & {Word{q_mag[0]}}) | ({m_i[Word-2:0], m_below} & {Word{q_mag[1]}}))
                 ^ {{(Word - 1){q_neg}}, q_neg & ~first_q};

  mm_csa #(
    .Width(Word)
  ) u_csa_q (
    .a_i(s1), .b_i(c1), .c_i(q_mul), .sum_o(s2), .carry_o(k2)
  );

  assign c2 = {k2[Word-1:1], cq_q & ~first_q};

  always_ff @(posedge clk_i) if (first_q) h_o <= h_i | s2[1];

  // Z / 4, with the sign of Z above the last word (see mm_scalable_sign).
  mm_scalable_sign u_sign (
    .zs_i(zs_q[Word-1:Word-2]), .zc_i(zc_q[Word-1:Word-2]), .any_o(any), .all_o(all)
  );

  assign zs_top = first_q ? {2{any}} : s2[1:0];
  assign zc_top = first_q ? {2{all}} : c2[1:0];

  always_ff @(posedge clk_i) begin
    cx_q         <= k1[Word];
    cq_q         <= k2[Word];
    zs_q         <= s2[Word-1:2];
    zc_q         <= c2[Word-1:2];
    y_q          <= y_i;
    m_q          <= m_i;
    first_next_o <= first_q;
    zs_o         <= {zs_top, zs_q};
    zc_o         <= {zc_top, zc_q};
    y_o          <= y_q;
    m_o          <= m_q;
  end

  logic unused_zeros;
  assign unused_zeros = k1[0] ^ k2[0];

endmodule

`default_nettype wire
