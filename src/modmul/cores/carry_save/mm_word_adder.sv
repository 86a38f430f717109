// SPDX-License-Identifier: Apache-2.0
//
// mm_word_adder: a + b + m or a + b - m, a word a cycle from the least significant end, so that no
// carry ever runs through a whole operand.
//
//   stage 1   issue_i: the words a_i, b_i, m_i are registered
//   stage 2   a carry-save adder takes the three words; sub_i and use_i act here
//   stage 3   one carry-propagate adder of Word bits: res_o is the word of the sum, res_valid_o says so
//
// One saved carry of each adder leads to the next word. A pass is Beats words, first_i marking the first, and then one
// word with top_i: the bits above the operand; sum_top_o holds the four lowest of them as a signed number from the
// cycle after stage 3 on. In the top word a_i, b_i and m_i are signed numbers of Ext bits; in the others only their
// Word lowest bits count.
//
`default_nettype none

module mm_word_adder #(
  parameter int Word = 32,
  // Derived, not to be set: room for the signed top word.
  parameter int Ext = Word > 4 ? Word : 4
) (
  input  wire             clk_i,
  input  wire             issue_i,
  input  wire             first_i,
  input  wire             top_i,
  input  wire  [Ext-1:0]  a_i,
  input  wire  [Ext-1:0]  b_i,
  input  wire  [Ext-1:0]  m_i,
  input  wire             sub_i,
  input  wire             use_i,
  output logic            res_valid_o,
  output logic [Word-1:0] res_o,
  output logic [3:0]      sum_top_o
);

  // Stage 1.
  logic [Ext-1:0] a_q, b_q, m_q;
  logic           first_q, top_q, valid_q;

  always_ff @(posedge clk_i) begin
    a_q     <= a_i;
    b_q     <= b_i;
    m_q     <= m_i;
    first_q <= first_i;
    top_q   <= top_i;
    valid_q <= issue_i;
  end

  // Stage 2.
  logic [Ext-1:0] word_mask, a, b, m;
  logic [Ext-1:0] csa_sum;
  logic [Ext:0]   csa_carry;
  logic           save_q, save_in;  // the carry-save adder's carry from the word below
  logic [Ext-1:0] sum_q, carry_q;
  logic           sum_first_q, sum_top_q, sum_valid_q;

  // Below the top word nothing above Word bits counts (Word < Ext at the smallest sizes only).
  assign word_mask = top_q ? '1 : {Ext{1'b1}} >> (Ext - Word);

  assign a       = a_q & word_mask;
  assign b       = b_q & word_mask;
  assign m       = (m_q ^ {Ext{sub_i}}) & {Ext{use_i}} & word_mask;
  assign save_in = first_q ? sub_i & use_i : save_q;

  mm_csa #(
    .Width(Ext)
  ) u_csa (
    .a_i(a), .b_i(b), .c_i(m), .sum_o(csa_sum), .carry_o(csa_carry)
  );

  always_ff @(posedge clk_i) begin
    save_q      <= csa_carry[Word];
    sum_q       <= csa_sum;
    carry_q     <= {csa_carry[Ext-1:1] & word_mask[Ext-1:1], save_in};
    sum_first_q <= first_q;
    sum_top_q   <= top_q;
    sum_valid_q <= valid_q;
  end

  // Stage 3.
  logic [Ext:0] total;
  logic         ripple_q, ripple_in;  // the carry-propagate adder's carry from the word below

  assign ripple_in = ~sum_first_q & ripple_q;
  assign total     = {1'b0, sum_q} + {1'b0, carry_q} + {{Ext{1'b0}}, ripple_in};

  always_ff @(posedge clk_i) begin
    ripple_q <= total[Word];
    if (sum_valid_q && sum_top_q) sum_top_o <= total[3:0];
  end

  assign res_valid_o = sum_valid_q & ~sum_top_q;
  assign res_o       = total[Word-1:0];

endmodule

`default_nettype wire
