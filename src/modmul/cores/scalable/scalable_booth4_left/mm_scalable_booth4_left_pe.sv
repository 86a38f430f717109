// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_booth4_left_pe: processing element of the left-shifting Booth multiplier (Pinckney et al., Fig. 6),
// one digit of X and of Q. Z stays where it is and Y and M^ move up by one digit an element: in element i all are
// 4^i times those of the recurrence, and the effective lowest bit of the products is bit Pos = 2(i+1) mod Word
// of their first word.
//    2  Q = Z mod 4, by the 2-bit CPA: Q + 4H = the two bits of Z below Pos + S_Q of the element before
//    3  d(X_i), d(Q): Booth digits, the bit below Q being the top bit of the Q before    -2 <= d <= 2
//    4  Z = floor(Z / 4) + d(Q) * M^ + d(X_i) * Y, in carry-save form, a word a clock cycle
//
// In the first word S_X and H are injected at Pos; the two bits below it are cleared, and so are the ones that a
// negative multiple would have there. S_Q goes to the next element's CPA.
// Latency one. With Pos = 0 the element drops the first word, which holds only the digit Q: this takes one more cycle,
// and a word above the last one takes its place, with the sign of Z (mm_scalable_sign) and of M^.
//
`default_nettype none

module mm_scalable_booth4_left_pe #(
  parameter int Word = 16,
  parameter int Pos  = 2
) (
  input  wire             clk_i,
  input  wire             first_next_i,  // word 0 comes in with the next clock edge
  input  wire  [2:0]      x_i,           // the digit of X and the bit below
  input  wire             q_neg_i,       // S_Q of the element before: also the top bit of its Q
  input  wire  [Word-1:0] y_i,
  input  wire  [Word-1:0] m_i,
  input  wire  [Word-1:0] zs_next_i,     // zs_i and zc_i of the next clock cycle
  input  wire  [Word-1:0] zc_next_i,
  input  wire  [Word-1:0] zs_i,
  input  wire  [Word-1:0] zc_i,
  output logic            first_next_o,
  output logic            q_neg_o,
  output logic [Word-1:0] y_o,
  output logic [Word-1:0] m_o,
  output logic [Word-1:0] zs_next_o,
  output logic [Word-1:0] zc_next_o,
  output logic [Word-1:0] zs_o,
  output logic [Word-1:0] zc_o
);

  logic            code, first, first_q;       // first: the first word of the products is here
  logic [1:0]      y_below_q, m_below_q;       // top bits of the word before
  logic            x_neg, q_neg, x_neg_q, q_neg_q, h, h_q, cx_q, cq_q, carry, m_sel_below;
  logic [1:0]      x_mag, q_mag, x_mag_q, q_mag_q, q, qs, qc;
  logic [Word-1:0] zs, zc, x_mul, q_mul, x_ones, q_ones, s1, c1, s2, x_add, q_add;
  logic [Word:0]   k1, k2;

  always_ff @(posedge clk_i) first_q <= first_next_i;

  if (Pos != 0) begin : gen_keep
    logic [Word-1:0] unused_next;

    // The words' lowest bits are known before the register that keeps them.
    assign code        = first_next_i;
    assign qs          = zs_next_i[Pos-1-:2];
    assign qc          = zc_next_i[Pos-1-:2];
    assign first       = first_q;
    assign zs          = zs_i & ~(Word'({2{first_q}}) << (Pos - 2));
    assign zc          = zc_i & ~(Word'({2{first_q}}) << (Pos - 2));
    assign m_sel_below = m_below_q[1];
    assign unused_next = zs_next_i ^ zc_next_i;

    // Below Pos the products' first word is zero, also when it is inverted.
    assign x_ones = {{(Word - Pos){x_neg_q}}, {Pos{x_neg_q & ~first}}};
    assign q_ones = {{(Word - Pos){q_neg_q}}, {Pos{q_neg_q & ~first}}};

    always_ff @(posedge clk_i) begin
      y_below_q <= y_i[Word-1-:2] & {2{~first_next_i}};
      m_below_q <= m_i[Word-1-:2] & {2{~first_next_i}};
      m_o       <= {m_i[Word-3:0], m_below_q};
    end
  end else begin : gen_discard
    logic            start_q, any, all, any_q, all_q;
    logic [Word-1:0] unused_next;

    assign code        = first_q;
    assign qs          = zs_i[Word-1-:2];
    assign qc          = zc_i[Word-1-:2];
    assign first       = start_q;
    assign unused_next = zs_next_i ^ zc_next_i;

    // The word dropped here comes in with the word above the last one.
    mm_scalable_sign u_sign (
      .zs_i(zs_i[Word-1-:2]), .zc_i(zc_i[Word-1-:2]), .any_o(any), .all_o(all)
    );

    assign zs = first_q ? {Word{any_q}} : zs_i;
    assign zc = first_q ? {Word{all_q}} : zc_i;

    // Above the last word Y is 0, and M^ is its sign: if that is negative, the inversion for its multiples is reversed.
    assign m_sel_below = m_below_q[1] & ~first_q;
    assign x_ones      = {Word{x_neg_q}};
    assign q_ones      = {Word{q_neg_q ^ (first_q & m_below_q[1] & (q_mag_q != 2'd0))}};

    always_ff @(posedge clk_i) begin
      start_q   <= first_q;
      any_q     <= any;
      all_q     <= all;
      y_below_q <= y_i[Word-1-:2];
      m_below_q <= m_i[Word-1-:2];
      m_o       <= (first_q && m_below_q[1]) ? '1 : {m_i[Word-3:0], m_below_q};
    end
  end

  // Step 2: the CPA.
  assign q[0]  = qs[0] ^ qc[0] ^ q_neg_i;
  assign carry = (qs[0] & qc[0]) | (qs[0] & q_neg_i) | (qc[0] & q_neg_i);
  assign q[1]  = qs[1] ^ qc[1] ^ carry;
  assign h     = (qs[1] & qc[1]) | (qs[1] & carry) | (qc[1] & carry);

  // Step 3: the Booth encoders.
  mm_booth_recoder #(.Radix2(2)) u_encode_x (.window_i(x_i), .neg_o(x_neg), .mag_o(x_mag));
  mm_booth_recoder #(.Radix2(2)) u_encode_q (.window_i({q, q_neg_i}), .neg_o(q_neg), .mag_o(q_mag));

  always_ff @(posedge clk_i) begin
    if (code) begin
      x_neg_q <= x_neg;
      x_mag_q <= x_mag;
      q_neg_q <= q_neg;
      q_mag_q <= q_mag;
      h_q     <= h;
    end
  end

  assign q_neg_o = q_neg_q;

  // Step 4: Booth selectors and two CSAs.
  assign x_mul = ((y_i & {Word{x_mag_q[0]}}) | ({y_i[Word-2:0], y_below_q[1]} & {Word{x_mag_q[1]}})) ^ x_ones;
  assign q_mul = ((m_i & {Word{q_mag_q[0]}}) | ({m_i[Word-2:0], m_sel_below} & {Word{q_mag_q[1]}})) ^ q_ones;

  mm_csa #(
    .Width(Word)
  ) u_csa_x (
    .a_i(zs), .b_i(zc), .c_i(x_mul), .sum_o(s1), .carry_o(k1)
  );

  // The carry into bit Pos of the first word is free: all below is zero.
  assign x_add = Word'(first & x_neg_q) << Pos;
  assign q_add = Word'(first & h_q) << Pos;
  assign c1    = {k1[Word-1:1], cx_q & ~first} | x_add;

  mm_csa #(
    .Width(Word)
  ) u_csa_q (
    .a_i(s1), .b_i(c1), .c_i(q_mul), .sum_o(s2), .carry_o(k2)
  );

  assign zs_next_o    = s2;
  assign zc_next_o    = {k2[Word-1:1], cq_q & ~first} | q_add;
  assign first_next_o = first;

  always_ff @(posedge clk_i) begin
    cx_q <= k1[Word];
    cq_q <= k2[Word];
    zs_o <= zs_next_o;
    zc_o <= zc_next_o;
    y_o  <= {y_i[Word-3:0], y_below_q};
  end

  logic unused_zeros;
  assign unused_zeros = k1[0] ^ k2[0];

endmodule

`default_nettype wire
