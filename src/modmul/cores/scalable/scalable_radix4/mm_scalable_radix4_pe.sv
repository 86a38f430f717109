// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_radix4_pe: processing element of the left-shifting radix-4 multiplier without Booth encoding (Pinckney
// et al.'s [6], derived from its Section III), one digit of X and of Q. As in the Booth design Z stays where it is and
// the multiples move up by one digit an element: their effective lowest bit is bit Pos = 2(i+1) mod Word of the first
// word.
//    2  Q = Z mod 4: Q + 4H = the two bits of Z below Pos                        0 <= Q <= 3
//    4  Z = floor(Z / 4) + Q * M^ + X_i * Y, in carry-save form, a word a clock cycle
//
// The multiples 0, 1, 2 and 3 come from a multiplexer; the hard ones, 3Y and 3M^, come with the words. Nothing is
// negative, so H is the only bit to inject, and there is no sign to extend. Latency one; with Pos = 0 the element drops
// the first word, which holds only the digit Q, and takes one more cycle.
//
`default_nettype none

module mm_scalable_radix4_pe #(
  parameter int Word = 16,
  parameter int Pos  = 2
) (
  input  wire             clk_i,
  input  wire             first_next_i,  // word 0 comes in with the next clock edge
  input  wire  [1:0]      x_i,
  input  wire  [Word-1:0] y_i,
  input  wire  [Word-1:0] y3_i,
  input  wire  [Word-1:0] m_i,
  input  wire  [Word-1:0] m3_i,
  input  wire  [Word-1:0] zs_next_i,     // zs_i and zc_i of the next clock cycle
  input  wire  [Word-1:0] zc_next_i,
  input  wire  [Word-1:0] zs_i,
  input  wire  [Word-1:0] zc_i,
  output logic            first_next_o,
  output logic [Word-1:0] y_o,
  output logic [Word-1:0] y3_o,
  output logic [Word-1:0] m_o,
  output logic [Word-1:0] m3_o,
  output logic [Word-1:0] zs_next_o,
  output logic [Word-1:0] zc_next_o,
  output logic [Word-1:0] zs_o,
  output logic [Word-1:0] zc_o
);

  localparam int Low = (Pos != 0 ? Pos : Word) - 2;  // where the digit Q is

  logic            first_next, first, first_q, h, h_q, cx_q, cq_q, carry, unused_next, unused_zeros;
  logic [1:0]      y_below_q, y3_below_q, m_below_q, m3_below_q;  // top bits of the word before
  logic [1:0]      x_q, q, q_q, qs, qc;
  logic [Word-1:0] zs, zc, x_mul, q_mul, s1, c1, s2, q_add;
  logic [Word:0]   k1, k2;

  always_ff @(posedge clk_i) first_q <= first_next_i;

  if (Pos != 0) begin : gen_keep
    // The words' lowest bits are known before the register that keeps them.
    assign qs         = zs_next_i[Low+:2];
    assign qc         = zc_next_i[Low+:2];
    assign first      = first_q;
    assign first_next = first_next_i;
  end else begin : gen_discard
    logic start_q;

    always_ff @(posedge clk_i) start_q <= first_q;

    assign qs         = zs_i[Low+:2];
    assign qc         = zc_i[Low+:2];
    assign first      = start_q;
    assign first_next = first_q;
  end

  assign unused_next = ^{zs_next_i, zc_next_i};

  // Step 2: the CPA.
  assign q[0]  = qs[0] ^ qc[0];
  assign carry = qs[0] & qc[0];
  assign q[1]  = qs[1] ^ qc[1] ^ carry;
  assign h     = (qs[1] & qc[1]) | (qs[1] & carry) | (qc[1] & carry);

  always_ff @(posedge clk_i) begin
    if (first_next) begin
      x_q <= x_i;
      q_q <= q;
      h_q <= h;
    end
  end

  // Step 4: the digit Q leaves Z, also where its word is dropped and the word above the last one takes its place.
  assign zs = zs_i & ~(Word'({2{first_q}}) << Low);
  assign zc = zc_i & ~(Word'({2{first_q}}) << Low);

  assign x_mul = x_q[1] ? (x_q[0] ? y3_i : {y_i[Word-2:0], y_below_q[1]}) : y_i & {Word{x_q[0]}};
  assign q_mul = q_q[1] ? (q_q[0] ? m3_i : {m_i[Word-2:0], m_below_q[1]}) : m_i & {Word{q_q[0]}};

  mm_csa #(
    .Width(Word)
  ) u_csa_x (
    .a_i(zs), .b_i(zc), .c_i(x_mul), .sum_o(s1), .carry_o(k1)
  );

  assign c1    = {k1[Word-1:1], cx_q & ~first};
  assign q_add = Word'(first & h_q) << Pos;

  mm_csa #(
    .Width(Word)
  ) u_csa_q (
    .a_i(s1), .b_i(c1), .c_i(q_mul), .sum_o(s2), .carry_o(k2)
  );

  assign zs_next_o    = s2;
  assign zc_next_o    = {k2[Word-1:1], cq_q & ~first} | q_add;  // the carry into bit Pos of the first word is free
  assign first_next_o = first;
  assign unused_zeros = k1[0] ^ k2[0];

  always_ff @(posedge clk_i) begin
    cx_q       <= k1[Word];
    cq_q       <= k2[Word];
    zs_o       <= zs_next_o;
    zc_o       <= zc_next_o;
    y_below_q  <= y_i[Word-1-:2] & {2{~first_next}};
    y3_below_q <= y3_i[Word-1-:2] & {2{~first_next}};
    m_below_q  <= m_i[Word-1-:2] & {2{~first_next}};
    m3_below_q <= m3_i[Word-1-:2] & {2{~first_next}};
    y_o        <= {y_i[Word-3:0], y_below_q};
    y3_o       <= {y3_i[Word-3:0], y3_below_q};
    m_o        <= {m_i[Word-3:0], m_below_q};
    m3_o       <= {m3_i[Word-3:0], m3_below_q};
  end

endmodule

`default_nettype wire
