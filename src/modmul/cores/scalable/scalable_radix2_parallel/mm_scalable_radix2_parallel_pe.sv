// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_radix2_parallel_pe: processing element of the left-shifting parallel radix-2 multiplier (Pinckney et
// al.'s [12], derived from its Section III with v = 1), one bit of X and of Q. Z stays where it is and Y and M^ move
// up by one bit an element: their effective lowest bit is bit Pos = (i+1) mod Word of the first word.
//    2  Q = Z mod 2: Q + 2H = the bit of Z below Pos                             0 <= Q <= 1
//    4  Z = floor(Z / 2) + Q * M^ + X_i * Y, in carry-save form, a word a clock cycle
//
// H is the only bit to inject. Latency one; with Pos = 0 the element drops the first word, which holds only the bit Q,
// and takes one more cycle.
//
`default_nettype none

module mm_scalable_radix2_parallel_pe #(
  parameter int Word = 16,
  parameter int Pos  = 1
) (
  input  wire             clk_i,
  input  wire             first_next_i,  // word 0 comes in with the next clock edge
  input  wire             x_i,
  input  wire  [Word-1:0] y_i,
  input  wire  [Word-1:0] m_i,
  input  wire  [Word-1:0] zs_next_i,     // zs_i and zc_i of the next clock cycle
  input  wire  [Word-1:0] zc_next_i,
  input  wire  [Word-1:0] zs_i,
  input  wire  [Word-1:0] zc_i,
  output logic            first_next_o,
  output logic [Word-1:0] y_o,
  output logic [Word-1:0] m_o,
  output logic [Word-1:0] zs_next_o,
  output logic [Word-1:0] zc_next_o,
  output logic [Word-1:0] zs_o,
  output logic [Word-1:0] zc_o
);

  localparam int Low = (Pos != 0 ? Pos : Word) - 1;  // where the bit Q is

  logic            first_next, first, first_q, x_q, q_q, h_q, qs, qc, cx_q, cq_q, y_below_q, m_below_q;
  logic            unused_next, unused_zeros;
  logic [Word-1:0] zs, zc, x_mul, q_mul, s1, c1, s2, q_add;
  logic [Word:0]   k1, k2;

  always_ff @(posedge clk_i) first_q <= first_next_i;

  if (Pos != 0) begin : gen_keep
    // The words' lowest bits are known before the register that keeps them.
    assign qs         = zs_next_i[Low];
    assign qc         = zc_next_i[Low];
    assign first      = first_q;
    assign first_next = first_next_i;
  end else begin : gen_discard
    logic start_q;

    always_ff @(posedge clk_i) start_q <= first_q;

    assign qs         = zs_i[Low];
    assign qc         = zc_i[Low];
    assign first      = start_q;
    assign first_next = first_q;
  end

  assign unused_next = ^{zs_next_i, zc_next_i};

  // Step 2.
  always_ff @(posedge clk_i) begin
    if (first_next) begin
      x_q <= x_i;
      q_q <= qs ^ qc;
      h_q <= qs & qc;
    end
  end

  // Step 4: the bit Q leaves Z, also where its word is dropped and the word above the last one takes its place.
  assign zs    = zs_i & ~(Word'(first_q) << Low);
  assign zc    = zc_i & ~(Word'(first_q) << Low);
  assign x_mul = y_i & {Word{x_q}};
  assign q_mul = m_i & {Word{q_q}};

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
    cx_q      <= k1[Word];
    cq_q      <= k2[Word];
    zs_o      <= zs_next_o;
    zc_o      <= zc_next_o;
    y_below_q <= y_i[Word-1] & ~first_next;
    m_below_q <= m_i[Word-1] & ~first_next;
    y_o       <= {y_i[Word-2:0], y_below_q};
    m_o       <= {m_i[Word-2:0], m_below_q};
  end

endmodule

`default_nettype wire
