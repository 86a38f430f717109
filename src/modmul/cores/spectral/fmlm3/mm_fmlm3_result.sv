// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_result: t and t - N from S = z4 mod Q', Q' = 2^l + 1, in one pass over the segments (Dai et al., Algorithm 2
// and Section 5.3, Figs. 6 and 7, corrected).
//
// Steps (line numbers of Algorithm 2; in Algorithm 3 they are those of its step 5)
//   15  s = -S/2 mod Q'                                               0 <= s < Q'
//   16  t = s or s + Q', the one with the parity of xy + mN           0 <= t < 2N
//   17  t - N, and whether t >= N, which says that z is t - N         0 <= z < N
//
// S comes as low - top, low = S mod 2^l in the segments, top = -1, 0, 1. Steps 15 and 16 are one subtraction and
// one shift, t = (k*Q' - S) / 2 with k = 0 ... 4:
//
//   S             k of s    k of s + Q'
//   0             0         2
//   even, not 0   2         4
//   odd           1         3
//
// k*Q' is k in the lowest segment and k above the highest one.
//
//   cycle after a segment's address   what
//   1                                 the segment of low; kQ' - S
//   2                                 half of it, with the lowest bit of the next
//   3                                 t_o; t - N
//   4                                 less_o
//
`default_nettype none

module mm_fmlm3_result #(
  parameter int Bits     = 64,        // of a segment
  parameter int Spectral = 0
) (
  input  wire             clk_i,
  // What steps 15 and 16 need to know of S and of xy + mN, from the sums of the Ripple Carry Adder and from N.
  input  wire             square_i,
  input  wire             chain_i,
  input  wire             x_lsb_i,    // with Spectral
  input  wire             y_lsb_i,
  input  wire             n_i,        // the lowest digit of N comes
  input  wire             n_lsb_i,
  input  wire             x_i,        // first_sum_i is of x, of y, of S
  input  wire             y_i,
  input  wire             s_i,
  input  wire             m_i,
  input  wire             m_lsb_i,
  input  wire             sum_i,      // a segment is in segment_sum_i, the first of a number
  input  wire             first_sum_i,
  input  wire  [Bits-1:0] segment_sum_i,
  input  wire  [1:0]      top_i,
  // The pass.
  input  wire             start_i,    // its first cycle, its last
  input  wire             end_i,
  input  wire             first_i,    // the first segment of S is there; the last was there a cycle before
  input  wire             last_i,
  input  wire  [Bits-1:0] segment_i,
  input  wire  [Bits-1:0] modulus_i,  // of N, two cycles later
  output logic [Bits-1:0] t_o,
  output logic [Bits-1:0] less_o,
  output logic            is_less_o   // z is t - N
);

  // S = low - top: its two lowest bits, and whether it is 0.
  logic [1:0] low_q, s_low;
  logic       zero_q, s_zero, odd;

  always_ff @(posedge clk_i) begin
    if (s_i) low_q <= segment_sum_i[1:0];
    // Bits of low above the lowest are 0.
    if (sum_i) zero_q <= (first_sum_i | zero_q) & (first_sum_i ? segment_sum_i[Bits-1:1] == '0 : segment_sum_i == '0);
  end

  assign s_low  = low_q - top_i;
  assign odd    = s_low[0];
  assign s_zero = zero_q & ((low_q[0] == 1'b0 && top_i == 2'b00) || (low_q[0] == 1'b1 && top_i == 2'b01));

  // The parity of xy + mN.
  logic x_lsb_q, y_lsb_q, m_lsb_q, n_lsb_q, x_lsb, y_lsb, parity, match;

  always_ff @(posedge clk_i) begin
    if (x_i) x_lsb_q <= segment_sum_i[0];
    if (y_i) y_lsb_q <= segment_sum_i[0];
    if (m_i) m_lsb_q <= m_lsb_i;
    if (n_i) n_lsb_q <= n_lsb_i;
  end

  assign x_lsb  = (Spectral == 1 && !chain_i) ? x_lsb_i : x_lsb_q;
  assign y_lsb  = (Spectral == 1) ? y_lsb_i : y_lsb_q;
  assign parity = (x_lsb & (square_i ? x_lsb : y_lsb)) ^ (m_lsb_q & n_lsb_q);

  // Steps 15 and 16: k, then k*Q' - S = k - low + top and k above it, and half of that.
  logic [2:0]      k_q, first_word, above;
  logic [Bits-1:0] minuend, difference;
  logic            borrow, next_lsb, next_bit, first_q, first_q2, unused_above;

  assign match      = parity == s_low[1];
  assign first_word = k_q + {top_i[1], top_i};
  assign minuend    = first_i ? Bits'(first_word) : '0;
  assign above      = k_q - {2'b00, borrow};
  assign next_bit   = last_i ? above[0] : next_lsb;

  mm_fmlm3_subtracter #(
    .Bits(Bits)
  ) u_double (
    .clk_i, .first_i, .a_i(minuend), .b_i(segment_i),
    .difference_o(difference), .borrow_o(borrow), .lsb_o(next_lsb)
  );

  mm_fmlm3_half #(
    .Bits(Bits)
  ) u_half (
    .clk_i, .segment_i(difference), .next_i(next_bit), .segment_o(t_o)
  );

  // Step 17.
  logic less_borrow, t_top_q, unused_lsb;

  mm_fmlm3_subtracter #(
    .Bits(Bits)
  ) u_less (
    .clk_i, .first_i(first_q2), .a_i(t_o), .b_i(modulus_i),
    .difference_o(less_o), .borrow_o(less_borrow), .lsb_o(unused_lsb)
  );

  assign unused_above = above[2];

  always_ff @(posedge clk_i) begin
    first_q  <= first_i;
    first_q2 <= first_q;
    if (start_i) k_q <= odd ? (match ? 3'd1 : 3'd3) : !match ? 3'd2 : s_zero ? 3'd0 : 3'd4;
    if (last_i)  t_top_q <= above[1];
    if (end_i)   is_less_o <= t_top_q | ~less_borrow;
  end

endmodule

`default_nettype wire
