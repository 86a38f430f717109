// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_converter: from the sum V of mm_montgomery_dsp, a word a cycle, to words of z.
//
//   cycle        word 0 of                                                          step of mm_montgomery_dsp
//   0            v_i: the columns of V, which reach into the next column
//   1            V
//   2            h is known; M                                                      5
//   3 + Halves   V + h * M                                                          5
//   4 + Halves   V', and its lowest digit goes to a block with -1 / M mod B         5, 6
//   8 + Halves   q is known                                                         6
//   13 + Halves  q * M                                                              6
//   15 + Halves  V' + q * M                                                         6
//   16 + Halves  Z = (V' + q * M) / B                                               6
//   17 + Halves  Z and Z - M                                                        7
//   16 + Halves + Words   z_o, when the sign of Z - M is known                      7
//
// Where a shift takes bits of the next word, the next word is there a cycle later, and the cycle above counts that.
//
`default_nettype none

module mm_montgomery_dsp_converter #(
  parameter int Digit    = 18,
  parameter int Lanes    = 2,   // digits in a word
  parameter int VBits    = 23,
  parameter int Words    = 8,   // words of V
  parameter int Beats    = 8,   // words of M and z
  parameter int Halves   = 3,   // bits of h
  parameter int AddrBits = 4,   // addresses of M and -1 / M, that of the latter being Beats
  // Derived, not to be set.
  parameter int Word = Lanes * Digit
) (
  input  wire                     clk_i,
  input  wire                     rst_ni,
  input  wire                     start_i,    // five cycles before cycle 0
  input  wire  [Lanes*VBits-1:0]  v_i,
  input  wire  [Halves-1:0]       inverse_i,  // low bits of -1 / M
  input  wire                     write_i,
  input  wire  [AddrBits-1:0]     addr_i,
  input  wire  [Word-1:0]         word_i,
  output logic                    valid_o,    // z_o is a word of z
  output logic [Word-1:0]         z_o
);

  localparam int MTap = 15 + Halves;  // registers of M until Z - M
  localparam int BTap = 8 + Halves;   // and until the blocks

  // ---- when

  logic start_q, idle, sum_first, take_v, take_q, m_inverse, m_next, m_there_q, product_idle, z_idle, last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= 1'b0;
    else         start_q <= start_i;
  end

  mm_montgomery_dsp_token #(
    .Start(4), .Length(Words), .On(1'b0)
  ) u_idle (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(idle)
  );

  mm_montgomery_dsp_token #(
    .Start(5), .Length(1)
  ) u_sum_first (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(sum_first)
  );

  mm_montgomery_dsp_token #(
    .Start(8 + Halves), .Length(1)
  ) u_take_v (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(take_v)
  );

  mm_montgomery_dsp_token #(
    .Start(12 + Halves), .Length(1)
  ) u_take_q (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(take_q)
  );

  mm_montgomery_dsp_token #(
    .Start(4), .Length(Beats)
  ) u_m_next (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(m_next)
  );

  mm_montgomery_dsp_token #(
    .Start(1), .Length(1)
  ) u_m_inverse (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(m_inverse)
  );

  mm_montgomery_dsp_token #(
    .Start(17 + Halves), .Length(Words), .On(1'b0)
  ) u_product_idle (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(product_idle)
  );

  mm_montgomery_dsp_token #(
    .Start(20 + Halves), .Length(Words), .On(1'b0)
  ) u_z_idle (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(z_idle)
  );

  mm_montgomery_dsp_token #(
    .Start(20 + Halves + Words), .Length(1)
  ) u_last (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(last)
  );

  mm_montgomery_dsp_token #(
    .Start(20 + Halves + Words), .Length(Beats)
  ) u_out (
    .clk_i, .rst_ni, .pulse_i(start_q), .on_o(valid_o)
  );

  // ---- words of M, and -1 / M ahead of them

  logic [AddrBits-1:0]       m_addr_q;
  logic [Word-1:0]           m_word, m_word_q;
  logic [MTap*Word-1:0]      m_line_q;  // word j: M, j + 2 cycles after reading

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
    if (start_i)      m_addr_q <= AddrBits'(Beats);
    else if (start_q) m_addr_q <= '0;
    else if (m_next)  m_addr_q <= m_addr_q + 1'b1;
    m_word_q <= m_word;
    m_line_q <= {m_line_q[(MTap-1)*Word-1:0], m_word_q & {Word{m_there_q | m_inverse}}};
  end

  // ---- cycle 0: the columns of V become digits

  logic [Word-1:0]        low, high;
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

  logic [Word-1:0] v_q;

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_resolve (
    .clk_i, .clear_i(idle), .a_i(low), .b_i(high), .sum_o(v_q)
  );

  // ---- cycles 1 to 3 + Halves, step 5: V + h * M, a bit of h an addition

  logic [Halves-1:0]            h, h_q;
  logic [(Halves+1)*Word-1:0]   part;      // word k: V and k bits of h
  logic [Word-1:0]              v_q2;
  logic [Halves-1:0]            rest;

  function automatic logic [Halves-1:0] times(input logic [Halves-1:0] a, input logic [Halves-1:0] b);
    times = '0;
    for (int i = 0; i < Halves; i++) begin
      if (b[i]) times = times + (a << i);
    end
  endfunction

  assign h = times(v_q[Halves-1:0], inverse_i);

  always_ff @(posedge clk_i) begin
    if (sum_first) h_q <= h;
    v_q2 <= v_q;
  end

  mm_montgomery_dsp_delay #(
    .Bits(Word), .Cycles(1)
  ) u_v (
    .clk_i, .d_i(v_q2), .q_o(part[0+:Word])
  );

  for (genvar k = 0; k < Halves; k++) begin : gen_half
    logic [2*Word-1:0] m_pair;
    logic [Word-1:0]   add_q;
    logic              unused_pair;
    assign unused_pair = ^m_pair[Word-1:0];
    assign m_pair = {m_line_q[k*Word+:Word], m_line_q[(k+1)*Word+:Word]} << k;
    always_ff @(posedge clk_i) begin
      add_q <= m_pair[2*Word-1:Word] & {Word{h_q[k]}};
    end
    mm_montgomery_dsp_token #(
      .Start(7 + k), .Length(Words), .On(1'b0)
    ) u_rest (
      .clk_i, .rst_ni, .pulse_i(start_q), .on_o(rest[k])
    );
    mm_montgomery_dsp_serial #(
      .Bits(Word)
    ) u_add (
      .clk_i, .clear_i(rest[k]), .a_i(part[k*Word+:Word]), .b_i(add_q), .sum_o(part[(k+1)*Word+:Word])
    );
  end

  logic [Word-1:0]   top, top_q, half, half_late;
  logic [2*Word-1:0] top_pair;

  assign top      = part[Halves*Word+:Word];
  assign top_pair = {top, top_q} >> Halves;
  assign half     = top_pair[Word-1:0];  // word k of V', where top is word k + 1

  always_ff @(posedge clk_i) top_q <= top;

  // ---- step 6: q, then q * M

  logic [Digit-1:0]           q_q;
  logic [Lanes*2*Digit-1:0]   product, product_q;
  logic [Word-1:0]            product_low, product_high, sum_q, z_sum_q, z_sum_q2;
  logic [Digit-1:0]           product_high_q;

  always_ff @(posedge clk_i) begin
    if (take_v)      q_q <= half[Digit-1:0];
    else if (take_q) q_q <= product[Digit-1:0];
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_block
    mm_montgomery_dsp_mul #(
      .Bits(Digit)
    ) u_q (
      .clk_i, .a_i(q_q), .b_i(m_line_q[BTap*Word-Word+l*Digit+:Digit]), .p_o(product[l*2*Digit+:2*Digit])
    );
    assign product_low[l*Digit+:Digit] = product_q[l*2*Digit+:Digit];
    if (l == 0) begin : gen_first
      assign product_high[0+:Digit] = product_high_q;
    end else begin : gen_other
      assign product_high[l*Digit+:Digit] = product_q[l*2*Digit-1-:Digit];
    end
  end

  always_ff @(posedge clk_i) begin
    product_q <= product;
    if (product_idle) product_high_q <= '0;
    else              product_high_q <= product_q[Lanes*2*Digit-1-:Digit];
  end

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_product_sum (
    .clk_i, .clear_i(product_idle), .a_i(product_low), .b_i(product_high), .sum_o(sum_q)
  );

  logic z_sum_idle_q;

  mm_montgomery_dsp_delay #(
    .Bits(Word), .Cycles(10)
  ) u_half_late (
    .clk_i, .d_i(half), .q_o(half_late)
  );

  always_ff @(posedge clk_i) z_sum_idle_q <= product_idle;

  mm_montgomery_dsp_serial #(
    .Bits(Word)
  ) u_z_sum (
    .clk_i, .clear_i(z_sum_idle_q), .a_i(half_late), .b_i(sum_q), .sum_o(z_sum_q)
  );

  logic [2*Word-1:0] z_pair;
  logic [Word-1:0]   z, z_q, less_q, z_late, less_late;
  logic              unused_low, below_q, subtract, subtract_q;

  assign z_pair     = {z_sum_q, z_sum_q2} >> Digit;
  assign z          = z_pair[Word-1:0];
  assign unused_low = ^{z_pair[2*Word-1:Word], top_pair[2*Word-1:Word]};

  // ---- step 7

  logic [Word+1:0] less;

  assign less = {1'b0, z, 1'b0} - {1'b0, m_line_q[MTap*Word-Word+:Word], below_q};

  always_ff @(posedge clk_i) begin
    z_sum_q2   <= z_sum_q;
    z_q        <= z;
    less_q     <= less[Word:1];
    subtract_q <= subtract;
    if (z_idle) below_q <= 1'b0;
    else        below_q <= less[Word+1];
  end

  mm_montgomery_dsp_delay #(
    .Bits(2 * Word), .Cycles(Words - 1)
  ) u_late (
    .clk_i, .d_i({z_q, less_q}), .q_o({z_late, less_late})
  );

  assign subtract = last ? ~below_q : subtract_q;
  assign z_o      = subtract ? less_late : z_late;

  logic unused_rest;
  assign unused_rest = ^{m_line_q, less[0]};

endmodule

`default_nettype wire
