// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_operands: step 1 of mm_rrm_split, the operands made odd, word by word.
//
//   cycle  in_load_i for word j
//   0      beat_i = j; m_word_i is word j of M; the words were at x_i and y_i a cycle before
//   2      load_o: word j of X is x_o, that of Y is y_o, and their place is beat_o
//
// In step 0 (pre_i), words come from z_i in place of y_i, and residue_o is one in the cycle of in_load_i. bank_o is the
// bank that words belong to, run_bank_o that of the loop; go_i changes both.
//
`default_nettype none

module mm_rrm_split_operands #(
  parameter int Word      = 16,
  parameter int AddrBits  = 4,
  parameter int PlaceBits = 2
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  in_load_i,
  input  wire  [AddrBits-1:0]  beat_i,
  input  wire  [PlaceBits-1:0] place_i,     // of the word in its group of columns
  input  wire                  full_i,      // the group has all its words
  input  wire                  pre_i,
  input  wire                  go_i,        // the loop begins
  input  wire  [Word-1:0]      m_word_i,
  input  wire  [Word-1:0]      x_i,
  input  wire  [Word-1:0]      y_i,
  input  wire  [Word-1:0]      z_i,
  output logic                 load_o,
  output logic [AddrBits-1:0]  beat_o,
  output logic [PlaceBits-1:0] place_o,
  output logic                 full_o,
  output logic [Word-1:0]      x_o,
  output logic [Word-1:0]      y_o,
  output logic [Word-1:0]      residue_o,
  output logic                 bank_o,
  output logic                 run_bank_o,
  output logic                 negative_o   // in the loop: only one of X and Y is its operand
);

  logic                 in_load_q, in_load_q2, full_q, full_q2, x_even_q, y_even_q, negative_q, bank_q, run_bank_q;
  logic                 x_even, y_even, x_carry_q, y_carry_q, x_carry, y_carry;
  logic [AddrBits-1:0]  beat_q, beat_q2;
  logic [PlaceBits-1:0] place_q, place_q2;
  logic [Word-1:0]      x_q, y_q, x_q2, y_q2, m_x_q, m_y_q, x_odd, y_odd, x_odd_q, y_odd_q;

  assign x_even = beat_i == '0 ? ~x_q[0] : x_even_q;
  assign y_even = beat_i == '0 ? ~y_q[0] : y_even_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_load_q  <= 1'b0;
      in_load_q2 <= 1'b0;
      bank_q     <= 1'b0;
    end else begin
      in_load_q  <= in_load_i;
      in_load_q2 <= in_load_q;
      bank_q     <= bank_q ^ go_i;
    end
  end

  always_ff @(posedge clk_i) begin
    {beat_q2, beat_q}   <= {beat_q, beat_i};
    {place_q2, place_q} <= {place_q, place_i};
    {full_q2, full_q}   <= {full_q, full_i};
    x_q                 <= x_i;
    y_q                 <= pre_i ? z_i : y_i;
    x_q2                <= x_q;
    y_q2                <= y_q;
    m_x_q               <= x_even ? m_word_i : '0;
    m_y_q               <= y_even ? m_word_i : '0;
    x_odd_q             <= x_odd;
    y_odd_q             <= y_odd;
    if (in_load_i) begin
      x_even_q <= x_even;
      y_even_q <= y_even;
    end
    if (in_load_i && beat_i == '0) begin
      x_carry_q <= x_even;
      y_carry_q <= y_even;
    end else if (in_load_q) begin
      x_carry_q <= x_carry;
      y_carry_q <= y_carry;
    end
    if (go_i) begin
      negative_q <= (x_even_q & ~pre_i) ^ y_even_q;
      run_bank_q <= bank_q;
    end
  end

  // The operand, or M + ~operand + 1.
  mm_rrm_split_adder #(
    .Bits(Word)
  ) u_x_odd (
    .sign_i(x_even_q), .x_i(x_q2), .t_i(m_x_q), .c_i(x_carry_q), .e_o(x_odd), .c_o(x_carry)
  );

  mm_rrm_split_adder #(
    .Bits(Word)
  ) u_y_odd (
    .sign_i(y_even_q), .x_i(y_q2), .t_i(m_y_q), .c_i(y_carry_q), .e_o(y_odd), .c_o(y_carry)
  );

  assign load_o     = in_load_q2;
  assign beat_o     = beat_q2;
  assign place_o    = place_q2;
  assign full_o     = full_q2;
  assign x_o        = x_odd_q;
  assign y_o        = y_odd_q;
  assign residue_o  = y_q;
  assign bank_o     = bank_q;
  assign run_bank_o = run_bank_q;
  assign negative_o = negative_q;

endmodule

`default_nettype wire
