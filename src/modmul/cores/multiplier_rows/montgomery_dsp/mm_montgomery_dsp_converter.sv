// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_converter: turns the sum V and Q of mm_montgomery_dsp, a word a cycle, into words of z. Q consists
// of a digit, Q0, and Halves bits above it, Q1.
//
//   cycle        word 0 of                                                          step of mm_montgomery_dsp
//  -3            start_i
//   0            q_i; M
//   Mul          Q0 * M, a product for each digit                                   6
//   Mul + 1      Q0 * M
//   Halves - 1   v_i: the columns of V, which reach into the next column
//   Halves       V; Q1 * M * B, a bit of Q1 an addition                             6
//   Halves + 1   V + Q1 * M * B
//   Join + 1     V + Q * M                                                          6
//   Shift        Z = (V + Q * M) / (B * 2^Halves), when the next word is there      6
//   Shift + 1    Z and Z - M                                                        7
//   Known        z_o, when the sign of Z - M is known                               7
//
// With Lazy there is no step 7, and Z is z. The block of the lowest digit is lent where step 6 does not need it: with
// lend_i, p_o is a_i * b_i, Mul cycles later.
//
`default_nettype none

module mm_montgomery_dsp_converter #(
  parameter int Digit    = 18,
  parameter int Lanes    = 2,   // digits in a word
  parameter int VBits    = 22,
  parameter int Words    = 8,   // words of V
  parameter int Beats    = 8,   // words of M and z
  parameter int ZWords   = 8,   // words of Z
  parameter int ZTop     = 5,   // bits of its last word
  parameter int Halves   = 3,
  parameter int Mul      = 3,   // cycles of a product
  parameter bit Lazy     = 1'b0,
  parameter int AddrBits = 3,   // addresses of M
  // Derived, not to be set.
  parameter int Word  = Lanes * Digit,
  parameter int Quot  = Digit + Halves
) (
  input  wire                     clk_i,
  input  wire                     rst_ni,
  input  wire                     start_i,
  input  wire  [Lanes*VBits-1:0]  v_i,
  input  wire  [Quot-1:0]         q_i,
  input  wire                     lend_i,     // not in cycles 0 to Words - 1
  input  wire  [Digit-1:0]        a_i,
  input  wire  [Digit-1:0]        b_i,
  input  wire                     write_i,
  input  wire  [AddrBits-1:0]     addr_i,
  input  wire  [Word-1:0]         word_i,
  output logic [2*Digit-1:0]      p_o,
  output logic                    valid_o,    // z_o is a word of z
  output logic [Word-1:0]         z_o
);

  localparam int Ahead = 3;     // from start_i to cycle 0
  localparam int Join  = Halves > Mul ? Halves + 1 : Mul + 1;
  localparam int Shift = Join + 2 + Quot / Word;
  localparam bit Early = ZWords > 1 && ZTop + Quot % Word <= Word;  // the last word of Z is there with the one before
  localparam int Known = Shift + ZWords - (Early ? 1 : 0);
  localparam int Least = Halves + 1 + (Quot - 1) / Word;
  localparam int Line  = (!Lazy && Shift > Least ? Shift : Least) + 1;  // registers of M

  // ---- when

  logic idle, m_next, m_there_q, product_idle, upper_idle, z_sum_idle;

  mm_window #(
    .Start(1), .Length(Beats)
  ) u_m_next (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(m_next)
  );

  mm_window #(
    .Start(Ahead + Mul), .Length(Words), .On(1'b0)
  ) u_product_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(product_idle)
  );

  mm_window #(
    .Start(Ahead + Halves - 1), .Length(Words), .On(1'b0)
  ) u_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(idle)
  );

  mm_window #(
    .Start(Ahead + Halves), .Length(Words), .On(1'b0)
  ) u_upper_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(upper_idle)
  );

  mm_window #(
    .Start(Ahead + Join), .Length(Words), .On(1'b0)
  ) u_z_sum_idle (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(z_sum_idle)
  );

  mm_window #(
    .Start(Ahead + (Lazy ? Shift : Known)), .Length(Beats)
  ) u_valid (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(valid_o)
  );

  // ---- words of M

  logic [AddrBits-1:0]  m_addr_q;
  logic [Word-1:0]      m_word, m_word_q;
  logic [Line*Word-1:0] m_line_q;  // word j: word 0 of M in cycle j

  mm_word_ram #(
    .Word(Word), .Depth(1 << AddrBits)
  ) u_m_words (
    .clk_i, .write_i, .write_addr_i(addr_i), .word_i, .read_addr_i(m_addr_q), .word_o(m_word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) m_there_q <= 1'b0;
    else         m_there_q <= m_next;
  end

  always_ff @(posedge clk_i) begin
    if (start_i)     m_addr_q <= '0;
    else if (m_next) m_addr_q <= m_addr_q + 1'b1;
    m_word_q <= m_word;
    m_line_q <= (Line*Word)'({m_line_q, m_word_q & {Word{m_there_q}}});
  end

  // ---- cycles 0 to Mul + 1, step 6: Q0 * M

  logic [Lanes*2*Digit-1:0] product;
  logic [Word-1:0]          product_low, product_high, product_sum, lower;
  logic [Digit-1:0]         product_high_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_block
    logic [Digit-1:0] a, b;
    if (l == 0) begin : gen_lent
      assign a = lend_i ? a_i : q_i[Digit-1:0];
      assign b = lend_i ? b_i : m_line_q[Digit-1:0];
    end else begin : gen_own
      assign a = q_i[Digit-1:0];
      assign b = m_line_q[l*Digit+:Digit];
    end
    mm_block_mul #(
      .ABits(Digit), .Cycles(Mul)
    ) u_q (
      .clk_i, .a_i(a), .b_i(b), .p_o(product[l*2*Digit+:2*Digit])
    );
    assign product_low[l*Digit+:Digit] = product[l*2*Digit+:Digit];
    if (l == 0) begin : gen_first
      assign product_high[0+:Digit] = product_high_q;
    end else begin : gen_other
      assign product_high[l*Digit+:Digit] = product[l*2*Digit-1-:Digit];
    end
  end

  assign p_o = product[2*Digit-1:0];

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
    .Bits(Word), .Cycles(Join - Mul - 1)
  ) u_lower (
    .clk_i, .d_i(product_sum), .q_o(lower)
  );

  // ---- cycles 0 to Halves, step 6: Q1 * M * B

  logic [Halves*Word-1:0] part;  // word k: k + 1 bits of Q1

  for (genvar k = 0; k < Halves; k++) begin : gen_half
    localparam int Cycle = k > 0 ? k - 1 : 0;
    localparam int Place = Cycle + (Digit + k) / Word;
    logic [2*Word-1:0] m_pair;
    logic [Word-1:0]   add_q;
    logic              unused_pair;
    assign unused_pair = ^m_pair[Word-1:0];
    assign m_pair = {m_line_q[Place*Word+:Word], m_line_q[(Place+1)*Word+:Word]} << ((Digit + k) % Word);
    always_ff @(posedge clk_i) add_q <= m_pair[2*Word-1:Word] & {Word{q_i[Digit+k]}};
    if (k == 0) begin : gen_one
      assign part[0+:Word] = add_q;
    end else begin : gen_more
      logic rest;
      mm_window #(
        .Start(Ahead + k), .Length(Words), .On(1'b0)
      ) u_rest (
        .clk_i, .rst_ni, .pulse_i(start_i), .on_o(rest)
      );
      mm_montgomery_dsp_serial #(
        .Bits(Word)
      ) u_add (
        .clk_i, .clear_i(rest), .a_i(part[(k-1)*Word+:Word]), .b_i(add_q), .sum_o(part[k*Word+:Word])
      );
    end
  end

  // ---- cycles Halves - 1 to Join: the columns of V become digits, V + Q1 * M * B

  logic [Word-1:0]        low, high, v_q, upper_q, upper;
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
  end

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_resolve (
    .clk_i, .clear_i(idle), .a_i(low), .b_i(high), .sum_o(v_q)
  );

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_upper (
    .clk_i, .clear_i(upper_idle), .a_i(v_q), .b_i(part[(Halves-1)*Word+:Word]), .sum_o(upper_q)
  );

  mm_delay #(
    .Bits(Word), .Cycles(Join - 1 - Halves)
  ) u_upper_late (
    .clk_i, .d_i(upper_q), .q_o(upper)
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

  logic unused_rest;
  assign unused_rest = ^{m_line_q, z_pair[2*Word-1:Word]};

  if (Lazy) begin : gen_lazy
    assign z_o = z;
  end else begin : gen_exact
    localparam int Top = Early ? ZTop : 0;  // bits of the last word, behind a bit for the borrow that goes to it

    logic               z_idle, last;
    logic [Word+Top+2:0] z_long, m_long, less;
    logic [2*Word-1:0]  m_pair;
    logic [Word-1:0]    z_q, less_q, z_late, less_late;
    logic               borrow_q, sign_q, subtract, subtract_q;

    mm_window #(
      .Start(Ahead + Shift), .Length(ZWords), .On(1'b0)
    ) u_z_idle (
      .clk_i, .rst_ni, .pulse_i(start_i), .on_o(z_idle)
    );

    mm_window #(
      .Start(Ahead + Known), .Length(1)
    ) u_last (
      .clk_i, .rst_ni, .pulse_i(start_i), .on_o(last)
    );

    // A word is preceded by the borrow, and followed by a bit 0, which becomes the next borrow.
    assign m_pair = m_line_q[(Shift-1)*Word+:2*Word];  // the next word below, this one above
    if (Early) begin : gen_with_last
      assign z_long = {1'b0, z_pair[Word+:Top], 1'b0, z, 1'b0};
      assign m_long = {1'b0, m_pair[0+:Top], 1'b0, m_pair[Word+:Word], borrow_q};
    end else begin : gen_alone
      assign z_long = {2'b0, z, 1'b0};
      assign m_long = {2'b0, m_pair[Word+:Word], borrow_q};
    end
    assign less = z_long - m_long;

    always_ff @(posedge clk_i) begin
      z_q        <= z;
      less_q     <= less[Word:1];
      sign_q     <= less[Word+Top+2];
      subtract_q <= subtract;
      if (z_idle) borrow_q <= 1'b0;
      else        borrow_q <= less[Word+1];
    end

    mm_delay #(
      .Bits(2 * Word), .Cycles(Known - Shift - 1)
    ) u_late (
      .clk_i, .d_i({z_q, less_q}), .q_o({z_late, less_late})
    );

    assign subtract = last ? ~sign_q : subtract_q;
    assign z_o      = subtract ? less_late : z_late;

    logic unused_bits;
    assign unused_bits = ^{less, m_pair};
  end

endmodule

`default_nettype wire
