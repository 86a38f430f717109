// SPDX-License-Identifier: Apache-2.0
//
// mm_word_adder: a + b + m or a + b - m, a word a cycle from the least significant end, so that no
// carry ever runs through a whole operand. A carry-save adder takes the three words, one
// carry-propagate adder of Word bits makes their sum, and two saved carries lead to the next word.
//
//   stage 1   issue_i: the words a_i, b_i, m_i are registered
//   stage 2   in the next cycle res_o = the word of the sum; sub_i and use_i act in this stage
//
// A pass is Beats words, first_i marking the first, and then one word with top_i: the bits above the
// operand, of which sum_top_o keeps the four lowest as a signed number. At the top word a_i, b_i and m_i are signed numbers of Ext bits; at the others Word bits of them count.
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
  logic           save_q, carry_q;  // from the word below: of the carry-save and of the propagate adder
  logic [3:0]     sum_top_q;
  logic [Ext-1:0] word_mask, a, b, m;
  logic [Ext-1:0] csa_sum;
  logic [Ext:0]   csa_carry;
  logic [Ext-1:1] shifted;
  logic           save_in, carry_in;
  logic [Ext:0]   sum;

  // Below the top word nothing above Word bits counts (Word < Ext at the smallest sizes only).
  assign word_mask = top_q ? '1 : {Ext{1'b1}} >> (Ext - Word);

  assign a = a_q & word_mask;
  assign b = b_q & word_mask;
  assign m = (m_q ^ {Ext{sub_i}}) & {Ext{use_i}} & word_mask;

  assign save_in  = first_q ? sub_i & use_i : save_q;
  assign carry_in = first_q ? 1'b0 : carry_q;

  mm_csa #(
    .Width(Ext)
  ) u_csa (
    .a_i(a), .b_i(b), .c_i(m), .sum_o(csa_sum), .carry_o(csa_carry)
  );

  assign shifted = csa_carry[Ext-1:1] & word_mask[Ext-1:1];

  assign sum = {1'b0, csa_sum} + {1'b0, shifted, save_in} + {{Ext{1'b0}}, carry_in};

  always_ff @(posedge clk_i) begin
    save_q  <= csa_carry[Word];
    carry_q <= sum[Word];
    if (top_q && valid_q) sum_top_q <= sum[3:0];
  end

  assign res_o     = sum[Word-1:0];
  assign sum_top_o = sum_top_q;

endmodule

`default_nettype wire
