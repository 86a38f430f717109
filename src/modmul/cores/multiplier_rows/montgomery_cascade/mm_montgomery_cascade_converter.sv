// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade_converter: steps 4 to 7 of mm_montgomery_cascade, a column a cycle, lowest first. The part of a
// column above its digit becomes a carry in step 6.
//
//   cycle   column 0 of                                                             step of mm_montgomery_cascade
//   1       both sums: first_i, later x_i and s_i
//   3       S, their sum
//   3 + i   S and i products s * K, each from a block that adds what the one before it has          4
//   W       V = S and all Delay products, W = 3 + Delay
//   W + 3   Q                                                                                        5
//   W + 6   V + Q * M, by a block
//   W + 7   V + Q * M in digits
//   W + 9   Z = (V + Q * M) / (B * 2^e), for digit 1 and digit 2 are there; Z - M                    6, 7
//
// Digit 0 of V + Q * M is 0, so the column after the last one may be column 0 of the next operation.
//
`default_nettype none

module mm_montgomery_cascade_converter #(
  parameter int Digit   = 17,
  parameter int Columns = 16,
  parameter int Bits    = 38,  // of a column of each sum
  parameter int Delay   = 4,
  parameter int Extra   = 3,   // e: bits of Q above a digit
  parameter int SumDigits = 17,  // of V + Q * M: one or two more than Columns
  parameter int ZDigits   = 16,  // of Z: Columns, or one more
  // Derived, not to be set.
  parameter int IndexBits = $clog2(Columns > 1 ? Columns : 2)
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       start_i,     // cycle -1: the sums are there
  input  wire  [Columns*Bits-1:0]   x_i,
  input  wire  [Columns*Bits-1:0]   s_i,
  input  wire  [Digit-1:0]          dropped_i,   // up to cycle 0: the digits that were dropped
  input  wire  [Bits:0]             first_i,     // cycle 1: column 0 of S, and the carries from below it
  // From the context.
  input  wire  [Digit+Extra-1:0]    inverse_i,   // -1 / M mod B * 2^Extra
  input  wire                       m_write_i,
  input  wire  [Delay-1:0]          k_write_i,   // bit i - 1: K[Delay + 1 - i]
  input  wire  [IndexBits-1:0]      addr_i,
  input  wire  [Digit-1:0]          word_i,
  // Words of Z and of Z - M.
  output logic                      write_o,
  output logic [IndexBits-1:0]      beat_o,
  output logic [Digit-1:0]          z_o,
  output logic [Digit-1:0]          less_o,
  output logic                      done_o,      // with the highest digit
  output logic                      borrow_o     // Z < M
);

  localparam int Quot  = Digit + Extra;
  localparam int VBits = 2 * Digit + $clog2(2 * Columns + Delay);
  localparam int QBits = 2 * Digit + $clog2(2 * Columns + Delay + (1 << Extra) + 1);
  localparam int At    = IndexBits + 1;
  localparam int Line  = Delay + ZDigits + 12;

  // ---- when

  logic                    there_q;
  logic [IndexBits-1:0]    index_q;
  logic [At-1:0]           at_m;
  logic [(Delay+1)*At-1:0] at;         // element k: a column and whether there is one, k cycles late
  logic [Delay*At-1:0]     at_q;
  logic [Line:0]           pulse;      // bit k: cycle k - 1
  logic [Line-1:0]         pulse_q;

  assign at    = {at_q, there_q, index_q};
  assign pulse = {pulse_q, start_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q <= 1'b0;
      pulse_q <= '0;
    end else begin
      there_q <= start_i | (there_q & index_q != IndexBits'(Columns - 1));
      pulse_q <= pulse[Line-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    index_q <= start_i ? '0 : index_q + 1'b1;
    at_q    <= at[Delay*At-1:0];
  end

  mm_delay #(
    .Bits(At), .Cycles(5)
  ) u_at_m (
    .clk_i, .d_i(at[Delay*At+:At]), .q_o(at_m)
  );

  // After that, whether there is a column in cycle W + 6 + k, and which one in cycle W + 9.
  logic                 there_sum;
  logic [4:0]           there;
  logic [3:0]           there_late_q;
  logic [IndexBits-1:0] beat;

  mm_delay #(
    .Bits(1), .Cycles(4)
  ) u_there_sum (
    .clk_i, .d_i(at_m[At-1]), .q_o(there_sum)
  );

  mm_delay #(
    .Bits(IndexBits), .Cycles(7)
  ) u_beat (
    .clk_i, .d_i(at_m[IndexBits-1:0]), .q_o(beat)
  );

  assign there = {there_late_q, there_sum};

  always_ff @(posedge clk_i) there_late_q <= there[3:0];

  // ---- cycles -1 to 3: S

  logic [Columns*(Bits+1)-1:0] x_words, s_words;  // the words of a cycle; column 0 has both in one
  logic [Bits:0]               x_word, s_word, x_word_q, s_word_q;

  assign x_words[0+:Bits+1] = first_i;
  assign s_words[0+:Bits+1] = '0;

  for (genvar j = 1; j < Columns; j++) begin : gen_column
    logic [Bits-1:0] x_q, s_q;
    always_ff @(posedge clk_i) begin
      if (start_i) begin
        x_q <= x_i[j*Bits+:Bits];
        s_q <= s_i[j*Bits+:Bits];
      end
    end
    assign x_words[j*(Bits+1)+:Bits+1] = (Bits+1)'(x_q);
    assign s_words[j*(Bits+1)+:Bits+1] = (Bits+1)'(s_q);
  end

  mm_montgomery_cascade_select #(
    .Words(Columns), .Bits(Bits + 1)
  ) u_select_x (
    .index_i(at[At+:IndexBits]), .words_i(x_words), .word_o(x_word)
  );

  mm_montgomery_cascade_select #(
    .Words(Columns), .Bits(Bits + 1)
  ) u_select_s (
    .index_i(at[At+:IndexBits]), .words_i(s_words), .word_o(s_word)
  );

  logic [(Delay+1)*VBits-1:0] v;  // element i: S and i products
  logic [VBits-1:0]           s_q;

  always_ff @(posedge clk_i) begin
    {x_word_q, s_word_q} <= at[2*At-1] ? {x_word, s_word} : '0;
    s_q                  <= VBits'(x_word_q) + VBits'(s_word_q);
  end

  assign v[0+:VBits] = s_q;

  // ---- cycles 0 to W, step 4

  logic [Digit-1:0] dropped;

  mm_delay #(
    .Bits(Digit), .Cycles(Delay - 2)
  ) u_dropped (
    .clk_i, .d_i(dropped_i), .q_o(dropped)
  );

  for (genvar i = 1; i <= Delay; i++) begin : gen_pending
    logic [Digit-1:0]   digit_q, k, k_q;
    logic [2*Digit-1:0] product;
    logic [VBits-1:0]   v_q;

    mm_word_ram #(
      .Word(Digit), .Depth(1 << IndexBits)
    ) u_k (
      .clk_i, .write_i(k_write_i[i-1]), .write_addr_i(addr_i), .word_i,
      .read_addr_i(at[(i-1)*At+:IndexBits]), .word_o(k)
    );

    mm_block_mul #(
      .ABits(Digit), .BBits(Digit), .Cycles(2)
    ) u_mul (
      .clk_i, .a_i(digit_q), .b_i(k_q), .p_o(product)
    );

    always_ff @(posedge clk_i) begin
      if (pulse[i-1]) digit_q <= dropped;  // s_(T-Delay+i-1)
      k_q <= at[i*At-1] ? k : '0;
      v_q <= VBits'(product) + v[(i-1)*VBits+:VBits];
    end

    assign v[i*VBits+:VBits] = v_q;
  end

  // ---- cycles W to W + 3, step 5

  logic [VBits-1:0]        v_sum;
  logic [Quot+Digit-1:0]   quotient;
  logic [Extra-1:0]        middle_q, above, above_q;
  logic [Quot-1:0]         q, q_q;

  assign v_sum = v[Delay*VBits+:VBits];

  mm_block_mul #(
    .ABits(Quot), .BBits(Digit), .Cycles(2)
  ) u_quotient (
    .clk_i, .a_i(inverse_i), .b_i(v_sum[Digit-1:0]), .p_o(quotient)
  );

  assign above = middle_q + v_sum[Extra-1:0];
  assign q     = {quotient[Digit+:Extra] + above_q, quotient[Digit-1:0]};

  always_ff @(posedge clk_i) begin
    middle_q <= v_sum[Digit+:Extra];
    above_q  <= above * inverse_i[Extra-1:0];
    if (pulse[Delay+6]) q_q <= q;
  end

  // ---- cycles W to W + 7, step 6

  logic [Digit-1:0]       m, m_q, m_late;
  logic [Quot+Digit-1:0]  product;
  logic [VBits-1:0]       v_late, v_late_q;
  logic [QBits-1:0]       sum_q, digits_q;
  logic [Digit-1:0]       below_q;
  logic [2*Digit-1:0]     pair;

  mm_word_ram #(
    .Word(Digit), .Depth(1 << IndexBits)
  ) u_m (
    .clk_i, .write_i(m_write_i), .write_addr_i(addr_i), .word_i,
    .read_addr_i(at_m[IndexBits-1:0]), .word_o(m)
  );

  mm_block_mul #(
    .ABits(Quot), .BBits(Digit), .Cycles(2)
  ) u_product (
    .clk_i, .a_i(q_q), .b_i(m_q), .p_o(product)
  );

  mm_delay #(
    .Bits(VBits), .Cycles(4)
  ) u_v_late (
    .clk_i, .d_i(v_sum), .q_o(v_late)
  );

  always_ff @(posedge clk_i) begin
    m_q      <= at_m[At-1] ? m : '0;
    v_late_q <= v_late;
    sum_q    <= QBits'(product) + QBits'(v_late_q);
    digits_q <= |there[SumDigits-Columns:0] ? sum_q + (digits_q >> Digit) : '0;
    below_q  <= digits_q[Digit-1:0];
  end

  // ---- cycle W + 9, steps 6 and 7

  logic [Digit+1:0] less;
  logic             borrow_q;

  mm_delay #(
    .Bits(Digit), .Cycles(6)
  ) u_m_late (
    .clk_i, .d_i(m_q), .q_o(m_late)
  );

  assign pair = {digits_q[Digit-1:0], below_q} >> Extra;
  assign less = {1'b0, pair[Digit-1:0], 1'b0} - {1'b0, m_late, borrow_q};

  always_ff @(posedge clk_i) borrow_q <= |there[ZDigits-Columns+3:3] & less[Digit+1];

  assign write_o  = there[3];
  assign beat_o   = beat;
  assign z_o      = pair[Digit-1:0];
  assign less_o   = less[Digit:1];
  assign done_o   = pulse[Line];
  assign borrow_o = less[Digit+1];

  logic unused_bits;
  assign unused_bits = ^{less[0], pair[2*Digit-1:Digit], quotient[Quot+Digit-1:Quot], x_i[Bits-1:0], s_i[Bits-1:0],
                         pulse, there};

endmodule

`default_nettype wire
