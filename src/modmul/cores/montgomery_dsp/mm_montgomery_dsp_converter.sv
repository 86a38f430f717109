// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_converter: from the sum V of mm_montgomery_dsp, a word a cycle, to words of z. Q has a digit, Q0,
// and Halves bits above it, Q1.
//
//   cycle        word 0 of                                                          step of mm_montgomery_dsp
//   0            v_i: the columns of V, which reach into the next column
//   1            V; its lowest digit goes to a block with -1 / M
//   4            that product: the digit Q0 of it, and the bits Q1 above it         5
//   5            Q; M
//   8            Q0 * M, a product for each digit
//   Join         V + Q1 * M * B, a bit of Q1 an addition; Q0 * M                    6
//   Join + 1     V + Q * M                                                          6
//   Shift        Z = (V + Q * M) / (B * 2^Halves), when the next word is there      6
//   Shift + 1    Z and Z - M                                                        7
//   Shift + ZWords  z_o, when the sign of Z - M is known                            7
//
`default_nettype none

module mm_montgomery_dsp_converter #(
  parameter int Digit    = 18,
  parameter int Lanes    = 2,   // digits in a word
  parameter int VBits    = 23,
  parameter int Words    = 8,   // words of V
  parameter int Beats    = 8,   // words of M and z
  parameter int ZWords   = 8,   // words of Z
  parameter int Halves   = 3,
  parameter int AddrBits = 4,   // addresses of M
  // Derived, not to be set.
  parameter int Word  = Lanes * Digit,
  parameter int Quot  = Digit + Halves,
  parameter int Join  = Halves > 3 ? 6 + Halves : 9,
  parameter int Shift = Join + 2 + Quot / Word
) (
  input  wire                     clk_i,
  input  wire                     rst_ni,
  input  wire                     start_i,    // a cycle before cycle 0
  input  wire  [Lanes*VBits-1:0]  v_i,
  input  wire  [Quot-1:0]         inverse_i,  // -1 / M mod B * 2^Halves
  input  wire                     write_i,
  input  wire  [AddrBits-1:0]     addr_i,
  input  wire  [Word-1:0]         word_i,
  output logic                    valid_o,    // z_o is a word of z
  output logic [Word-1:0]         z_o
);

  localparam int Least = Halves + 1 + (Quot - 1) / Word;
  localparam int Line  = (Shift - 5 > Least ? Shift - 5 : Least) + 1;  // registers of M

  // ---- when

  logic idle, first, take, m_next, m_there_q, product_idle, z_sum_idle, z_idle, last;

  mm_montgomery_dsp_token #(
    .Start(1), .Length(Words), .On(1'b0)
  ) u_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(idle)
  );

  mm_montgomery_dsp_token #(
    .Start(2), .Length(1)
  ) u_first (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(first)
  );

  mm_montgomery_dsp_token #(
    .Start(5), .Length(1)
  ) u_take (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(take)
  );

  mm_montgomery_dsp_token #(
    .Start(4), .Length(Beats)
  ) u_m_next (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(m_next)
  );

  mm_montgomery_dsp_token #(
    .Start(9), .Length(Words), .On(1'b0)
  ) u_product_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(product_idle)
  );

  mm_montgomery_dsp_token #(
    .Start(Join + 1), .Length(Words), .On(1'b0)
  ) u_z_sum_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(z_sum_idle)
  );

  mm_montgomery_dsp_token #(
    .Start(Shift + 1), .Length(ZWords), .On(1'b0)
  ) u_z_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(z_idle)
  );

  mm_montgomery_dsp_token #(
    .Start(Shift + ZWords + 1), .Length(1)
  ) u_last (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(last)
  );

  mm_montgomery_dsp_token #(
    .Start(Shift + ZWords + 1), .Length(Beats)
  ) u_valid (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(valid_o)
  );

  // ---- words of M; ahead of them, in cycle 1, -1 / M

  logic [AddrBits-1:0]  m_addr_q;
  logic [Word-1:0]      m_word, m_word_q;
  logic [Line*Word-1:0] m_line_q;  // word j: word 0 of M in cycle 5 + j
  logic                 inject_q;

  mm_word_ram #(
    .Word(Word), .Depth(1 << AddrBits)
  ) u_m_words (
    .clk_i, .write_i, .write_addr_i(addr_i), .word_i, .read_addr_i(m_addr_q), .word_o(m_word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inject_q  <= 1'b0;
      m_there_q <= 1'b0;
    end else begin
      inject_q  <= start_i;
      m_there_q <= m_next;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i)     m_addr_q <= '0;
    else if (m_next) m_addr_q <= m_addr_q + 1'b1;
    m_word_q <= m_word;
    m_line_q <= {m_line_q[(Line-1)*Word-1:0],
                 (m_word_q & {Word{m_there_q}}) | (Word'(inverse_i[Digit-1:0]) & {Word{inject_q}})};
  end

  // ---- cycle 0: the columns of V become digits

  logic [Word-1:0]        low, high, v_q, v_q2;
  logic [VBits-Digit-1:0] high_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign low[l*Digit+:Digit] = v_i[l*VBits+:Digit];
    if (l == 0) begin : gen_first
      assign high[0+:Digit] = Digit'(high_q);
    end else begin : gen_other
      assign high[l*Digit+:Digit] = Digit'(v_i[l*VBits-1-:VBits-Digit]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (idle) high_q <= '0;
    else      high_q <= v_i[Lanes*VBits-1-:VBits-Digit];
    v_q2 <= v_q;
  end

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_resolve (
    .clk_i, .clear_i(idle), .a_i(low), .b_i(high), .sum_o(v_q)
  );

  // ---- cycles 1 to 4, step 5: Q, of which Q1 takes two more products of a few bits

  logic [Digit-1:0]         q_q;
  logic [Halves-1:0]        above, above_q, below_q, both_q, q1_q;
  logic [Lanes*2*Digit-1:0] product;

  function automatic logic [Halves-1:0] times(input logic [Halves-1:0] a, input logic [Halves-1:0] b);
    times = '0;
    for (int i = 0; i < Halves; i++) begin
      if (b[i]) times = times + (a << i);
    end
  endfunction

  if (Lanes == 1) begin : gen_next_word
    assign above = v_q[Halves-1:0];
  end else begin : gen_same_word
    assign above = v_q2[Digit+:Halves];
  end

  always_ff @(posedge clk_i) begin
    above_q <= times(above, inverse_i[Halves-1:0]);
    below_q <= times(v_q2[Halves-1:0], inverse_i[Digit+:Halves]);
    both_q  <= above_q + below_q;
    if (take) begin
      q_q  <= product[Digit-1:0];
      q1_q <= product[Digit+:Halves] + both_q;
    end
  end

  // ---- cycles 5 to Join, step 6: V + Q1 * M * B

  logic [(Halves+1)*Word-1:0] part;  // word k: V and k bits of Q1
  logic [Halves-1:0]          rest;
  logic [Word-1:0]            upper;

  mm_delay #(
    .Bits(Word), .Cycles(4)
  ) u_v (
    .clk_i, .d_i(v_q2), .q_o(part[0+:Word])
  );

  for (genvar k = 0; k < Halves; k++) begin : gen_half
    localparam int Place = k + (Digit + k) / Word;
    logic [2*Word-1:0] m_pair;
    logic [Word-1:0]   add_q;
    logic              unused_pair;
    assign unused_pair = ^m_pair[Word-1:0];
    assign m_pair = {m_line_q[Place*Word+:Word], m_line_q[(Place+1)*Word+:Word]} << ((Digit + k) % Word);
    always_ff @(posedge clk_i) add_q <= m_pair[2*Word-1:Word] & {Word{q1_q[k]}};
    mm_montgomery_dsp_token #(
      .Start(7 + k), .Length(Words), .On(1'b0)
    ) u_rest (
      .clk_i, .rst_ni, .pulse_i(start_i), .on_o(rest[k])
    );
    mm_montgomery_dsp_serial #(
      .Bits(Word)
    ) u_add (
      .clk_i, .clear_i(rest[k]), .a_i(part[k*Word+:Word]), .b_i(add_q), .sum_o(part[(k+1)*Word+:Word])
    );
  end

  mm_delay #(
    .Bits(Word), .Cycles(Join - 6 - Halves)
  ) u_upper (
    .clk_i, .d_i(part[Halves*Word+:Word]), .q_o(upper)
  );

  // ---- cycles 5 to Join, step 6: Q0 * M

  logic [Word-1:0]  product_low, product_high, product_sum, lower;
  logic [Digit-1:0] product_high_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_block
    logic [Digit-1:0] factor;
    assign factor = l == 0 && first ? v_q[Digit-1:0] : q_q;
    mm_block_mul #(
      .ABits(Digit)
    ) u_q (
      .clk_i, .a_i(factor), .b_i(m_line_q[l*Digit+:Digit]), .p_o(product[l*2*Digit+:2*Digit])
    );
    assign product_low[l*Digit+:Digit] = product[l*2*Digit+:Digit];
    if (l == 0) begin : gen_first
      assign product_high[0+:Digit] = product_high_q;
    end else begin : gen_other
      assign product_high[l*Digit+:Digit] = product[l*2*Digit-1-:Digit];
    end
  end

  always_ff @(posedge clk_i) begin
    if (product_idle) product_high_q <= '0;
    else              product_high_q <= product[Lanes*2*Digit-1-:Digit];
  end

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_product_sum (
    .clk_i, .clear_i(product_idle), .a_i(product_low), .b_i(product_high), .sum_o(product_sum)
  );

  mm_delay #(
    .Bits(Word), .Cycles(Join - 9)
  ) u_lower (
    .clk_i, .d_i(product_sum), .q_o(lower)
  );

  // ---- cycles Join to Shift, step 6

  logic [Word-1:0]   z_sum_q, z_sum_q2, z;
  logic [2*Word-1:0] z_pair;

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_z_sum (
    .clk_i, .clear_i(z_sum_idle), .a_i(upper), .b_i(lower), .sum_o(z_sum_q)
  );

  always_ff @(posedge clk_i) z_sum_q2 <= z_sum_q;

  assign z_pair = {z_sum_q, z_sum_q2} >> (Quot % Word);
  assign z      = z_pair[Word-1:0];

  // ---- step 7

  logic [Word+1:0] less;
  logic [Word-1:0] z_q, less_q, z_late, less_late;
  logic            borrow_q, subtract, subtract_q;

  assign less = {1'b0, z, 1'b0} - {1'b0, m_line_q[(Shift-5)*Word+:Word], borrow_q};

  always_ff @(posedge clk_i) begin
    z_q        <= z;
    less_q     <= less[Word:1];
    subtract_q <= subtract;
    if (z_idle) borrow_q <= 1'b0;
    else        borrow_q <= less[Word+1];
  end

  mm_delay #(
    .Bits(2 * Word), .Cycles(ZWords - 1)
  ) u_late (
    .clk_i, .d_i({z_q, less_q}), .q_o({z_late, less_late})
  );

  assign subtract = last ? ~borrow_q : subtract_q;
  assign z_o      = subtract ? less_late : z_late;

  logic unused_rest;
  assign unused_rest = ^{m_line_q, less[0], z_pair[2*Word-1:Word]};

endmodule

`default_nettype wire
