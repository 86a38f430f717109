// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_converter: turns the sum of mm_rrm and its pending digits p into words of a number below M.
//
//   cycle  READ, for word j                                                           steps of mm_rrm
//   0      word_i = j
//   1      word j of M; word j of S and of C is chosen
//   2      words j and j + 1 of M; the other words of S and C are 0
//   3      word j of S, of C and of the terms of P, the residue of the pending digits  5
//   4      sum and carries of all                                                      5
//   5      word j of V = S + C + P; its difference to M                                5
//   6      whether V is below 0, below M or neither, when j was the last               6
//
// With more than 16 words, everything from cycle 3 on is a cycle later: the words of S and C are chosen in two cycles.
//
//   cycle  SHOW, for word j; its first is cycle 5 of the last word of READ             steps of mm_rrm
//   0      word_i = j
//   1      words j of V and of M
//   2      z_o, word j of V + M, V or V - M                                            6
//
// take_i: q is taken. READ may begin in the same cycle. Word j of S and C is there a cycle after READ's cycle j, and
// stays until it is there for the next READ. P = (p + q * M) / 2^Pending is a whole number, since q = -p / M mod
// 2^Pending. q is split into digits of two bits, each one of -2, -1, 0, 1, and if a bit is left at the top it is worth
// -1 or 0; for DigitBits = 1 all digits are such bits. So -M < P < M/3 + 1, and each digit contributes a shifted
// multiple of M: a term. Legal: -M <= V < 2M.
//
`default_nettype none

module mm_rrm_converter #(
  parameter int Word      = 16,
  parameter int Beats     = 16,
  parameter int DigitBits = 2,
  parameter int Digits    = 130,
  parameter int Pending   = 2,    // bits of p, from 1 to Word
  parameter int Carries   = 1,    // saved carries of a digit: 1 or 2
  parameter logic [Beats*Word-1:0] Modulus = '0,  // M, or 0 where it comes by words
  // Derived, not to be set.
  parameter int AddrBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                         clk_i,
  input  wire                         m_load_i,
  input  wire  [AddrBits-1:0]         m_beat_i,
  input  wire  [Word-1:0]             m_word_i,
  input  wire                         take_i,
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Carries*Digits-1:0]   c_i,          // one of each digit, and then another of each
  input  wire  [Pending-1:0]          q_i,          // -p / M mod 2^Pending
  input  wire                         read_i,
  input  wire                         first_i,      // the first cycle of READ, or of SHOW
  output logic                        read_last_o,  // the last of READ
  input  wire  [AddrBits-1:0]         word_i,
  input  wire                         bare_i,
  input  wire                         move_i,
  output logic [Word-1:0]             z_o
);

  localparam int SumBits  = (Beats + 1) * Word;
  localparam int Fours    = (Beats + 3) / 4;
  localparam int Blocks   = (Fours + 3) / 4;
  localparam int Late     = Blocks > 1 ? 1 : 0;
  localparam int Last     = Beats + 3 + Late;
  localparam int TermBits = DigitBits == 1 ? 1 : 2;
  localparam int Terms    = (Pending + TermBits - 1) / TermBits;
  localparam int PartBits = Pending + Terms;

  // ---- words of M, and what is known of them from the first on

  logic               above, m_clear;  // there are no more words of M
  logic [Word-1:0]    m_word, m_next, m_q, m_q2, m_q3, m_q4, m_q5;
  logic [Pending-1:0] m_lowest;

  if (Modulus != '0) begin : gen_fixed
    logic unused_words;

    assign m_word       = Modulus[int'(word_i)*Word+:Word];
    assign m_lowest  = Pending'(Modulus);
    assign unused_words = ^{m_load_i, m_beat_i, m_word_i};
  end else begin : gen_any
    logic [Pending-1:0] m_low_q;

    mm_word_ram #(
      .Word(Word), .Depth(1 << AddrBits)
    ) u_m (
      .clk_i, .write_i(m_load_i), .write_addr_i(m_beat_i), .word_i(m_word_i),
      .read_addr_i(word_i), .word_o(m_word)
    );

    always_ff @(posedge clk_i) begin
      if (m_load_i && m_beat_i == '0) m_low_q <= m_word_i[Pending-1:0];
    end

    assign m_lowest = m_low_q;
  end

  // ---- READ, cycles 0 to 3: words of S and C, an OR of them all, since the others are 0

  logic [SumBits-1:0]   s_ext, c_ext, h_ext, s_chosen_q, c_chosen_q, h_chosen_q;
  logic [Pending-1:0]   offset, raised_q;
  logic [Last+1:0]      other_q;  // not word j, and some cycles more of the last word
  logic [Word-1:0]      s_word, c_word, h_word, s_top, c_top, h_top, s_q, c_q, h_q, both, c_added;
  logic                 both_q;
  logic [Fours*Word-1:0]  s_four, c_four, h_four;
  logic [Blocks*Word-1:0] s_block, c_block, h_block, s_blocks, c_blocks, h_blocks;

  logic unused_top;  // bits of the highest digit, where words have no whole digits

  assign s_ext      = SumBits'(s_i);
  assign unused_top = ^s_i;

  // A carry of digit i has the weight of digit i + 1. The second ones, if there are any, are words of their own.
  for (genvar j = 0; j < SumBits; j++) begin : gen_c
    if (j < DigitBits || j / DigitBits > Digits || j % DigitBits != 0) begin : gen_none
      assign c_ext[j] = 1'b0;
      assign h_ext[j] = 1'b0;
    end else begin : gen_carry
      assign c_ext[j] = c_i[j/DigitBits-1];
      assign h_ext[j] = Carries == 2 ? c_i[(Carries-1)*Digits+j/DigitBits-1] : 1'b0;
    end
  end

  // Two carries of a digit: their sum, and above it, where no other digit has carries, their carry.
  assign both    = c_q & h_q;
  assign c_added = (c_q ^ h_q) | {both[Word-2:0], both_q};

  always_ff @(posedge clk_i) both_q <= both[Word-1];

  always_ff @(posedge clk_i) begin
    other_q <= {other_q[Last:0], ~(read_i & first_i)};
    if (take_i) raised_q <= q_i + offset;
  end

  for (genvar j = 0; j <= Beats; j++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (other_q[j]) begin
        s_chosen_q[j*Word+:Word] <= '0;
        c_chosen_q[j*Word+:Word] <= '0;
        h_chosen_q[j*Word+:Word] <= '0;
      end else begin
        s_chosen_q[j*Word+:Word] <= s_ext[j*Word+:Word];
        c_chosen_q[j*Word+:Word] <= c_ext[j*Word+:Word];
        h_chosen_q[j*Word+:Word] <= h_ext[j*Word+:Word];
      end
    end
  end

  mm_rrm_fours #(
    .Word(Word), .Words(Beats)
  ) u_s_fours (
    .words_i(s_chosen_q[Beats*Word-1:0]), .fours_o(s_four)
  );

  mm_rrm_fours #(
    .Word(Word), .Words(Beats)
  ) u_c_fours (
    .words_i(c_chosen_q[Beats*Word-1:0]), .fours_o(c_four)
  );

  mm_rrm_fours #(
    .Word(Word), .Words(Beats)
  ) u_h_fours (
    .words_i(h_chosen_q[Beats*Word-1:0]), .fours_o(h_four)
  );

  always_comb begin
    s_block = '0;
    c_block = '0;
    h_block = '0;
    for (int j = 0; j < Fours; j++) begin
      s_block[j/4*Word+:Word] = s_block[j/4*Word+:Word] | s_four[j*Word+:Word];
      c_block[j/4*Word+:Word] = c_block[j/4*Word+:Word] | c_four[j*Word+:Word];
      h_block[j/4*Word+:Word] = h_block[j/4*Word+:Word] | h_four[j*Word+:Word];
    end
    s_word = '0;
    c_word = '0;
    h_word = '0;
    for (int j = 0; j < Blocks; j++) begin
      s_word = s_word | s_blocks[j*Word+:Word];
      c_word = c_word | c_blocks[j*Word+:Word];
      h_word = h_word | h_blocks[j*Word+:Word];
    end
  end

  if (Late > 0) begin : gen_two_cycles
    logic [Word-1:0]        s_top_q, c_top_q, h_top_q, m_word_q;
    logic [Blocks*Word-1:0] s_block_q, c_block_q, h_block_q;
    logic                   beyond_q;
    always_ff @(posedge clk_i) begin
      s_block_q <= s_block;
      c_block_q <= c_block;
      h_block_q <= h_block;
      s_top_q   <= s_chosen_q[Beats*Word+:Word];
      c_top_q   <= c_chosen_q[Beats*Word+:Word];
      h_top_q   <= h_chosen_q[Beats*Word+:Word];
      m_word_q  <= m_word;
      beyond_q  <= above;
    end
    assign s_blocks = s_block_q;
    assign c_blocks = c_block_q;
    assign h_blocks = h_block_q;
    assign s_top    = s_top_q;
    assign c_top    = c_top_q;
    assign h_top    = h_top_q;
    assign m_next   = m_word_q;
    assign m_clear  = beyond_q;
  end else begin : gen_one_cycle
    assign s_blocks = s_block;
    assign c_blocks = c_block;
    assign h_blocks = h_block;
    assign s_top    = s_chosen_q[Beats*Word+:Word];
    assign c_top    = c_chosen_q[Beats*Word+:Word];
    assign h_top    = h_chosen_q[Beats*Word+:Word];
    assign m_next   = m_word;
    assign m_clear  = above;
  end

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < Word; b++) begin  // the last word, which has few bits, as a set of the register
      if (s_top[b]) s_q[b] <= 1'b1;
      else          s_q[b] <= s_word[b];
      if (c_top[b]) c_q[b] <= 1'b1;
      else          c_q[b] <= c_word[b];
      if (h_top[b]) h_q[b] <= 1'b1;
      else          h_q[b] <= h_word[b];
    end
  end

  // ---- READ, cycles 1 to 3: words of the terms of P

  logic [Terms-1:0]              round, round_q;
  logic [Terms-1:0][Pending-1:0] part_q;           // what a term has behind the point
  logic [PartBits-1:0]           parts;
  logic [Terms-1:0][Word-1:0]    term_q;

  // A digit of two bits is its field of q + offset, less 2: -2M, -M, 0 or M is its term. A lone bit is its own, less 1.
  // Below the point -M is ~M with the lowest bit set, since M is odd; above it, ~M.
  for (genvar i = 0; i < Terms; i++) begin : gen_term
    localparam int Low  = i * TermBits;
    localparam int Down = Pending - Low;  // it has this many bits behind the point
    localparam bit Lone = TermBits == 1 || Down < 2;

    logic               whole, twice, minus;
    logic [Pending-1:0] m_low, part_twice;
    logic [Word-1:0]    once, double;

    assign offset[Low] = Lone;
    assign whole       = Lone ? ~raised_q[Low] : raised_q[Low];
    if (Lone) begin : gen_bit
      assign twice      = 1'b0;
      assign minus      = ~raised_q[Low];
      assign part_twice = '0;
    end else begin : gen_pair
      assign offset[Low+1] = 1'b1;
      assign twice         = ~raised_q[Low] & ~raised_q[Low+1];
      assign minus         = ~raised_q[Low+1];
      assign part_twice    = (m_low << Low + 1) & {Pending{twice}};
    end
    assign m_low  = (m_lowest ^ {Pending{minus}}) | Pending'(1);
    assign once   = Word'({m_q, m_q2} >> Down) & {Word{whole}};
    assign double = Word'({m_q, m_q2} >> Down - 1) & {Word{twice}};

    always_ff @(posedge clk_i) begin
      part_q[i] <= ((m_low << Low) & {Pending{whole}}) | part_twice;
      term_q[i] <= (once | double) ^ {Word{minus}};
    end
  end

  // The parts are, with p, a whole number: that is how many bits of round are 1.
  always_comb begin
    parts = '0;
    for (int i = 0; i < Terms; i++) parts = parts + PartBits'(part_q[i]);
    for (int i = 0; i < Terms; i++) begin
      round[i] = parts >> Pending > PartBits'(i) || (parts >> Pending == PartBits'(i) && Pending'(parts) != '0);
    end
  end

  assign above = ~(other_q[Beats-1] & other_q[Beats]);

  always_ff @(posedge clk_i) begin
    if (m_clear) m_q <= '0;
    else         m_q <= m_next;
    m_q2 <= m_q;
    m_q3 <= m_q2;
    m_q4 <= m_q3;
    m_q5 <= m_q4;
  end

  // ---- READ, cycles 3 to 5: V = S + C + P

  logic [4:2]                 first_q;  // the cycle in which word 0 is where
  logic [Terms:0][Word-1:0]   sums, carries;
  logic [Terms-1:0][Word-1:0] major;
  logic [Terms-1:0]           save_q;
  logic [Word-1:0]            sum_q, carry_q, v, v_q;

  assign sums[0]    = s_q;
  assign carries[0] = c_added;

  for (genvar i = 0; i < Terms; i++) begin : gen_sum
    assign sums[i+1]    = sums[i] ^ carries[i] ^ term_q[i];
    assign major[i]     = (sums[i] & carries[i]) | (sums[i] & term_q[i]) | (carries[i] & term_q[i]);
    assign carries[i+1] = {major[i][Word-2:0], first_q[3] ? round_q[i] : save_q[i]};
    always_ff @(posedge clk_i) begin
      save_q[i] <= major[i][Word-1];
    end
  end

  always_ff @(posedge clk_i) begin
    first_q <= {first_q[3:2], ~other_q[Late]};
    round_q <= round;
    sum_q   <= sums[Terms];
    carry_q <= carries[Terms];
    v_q     <= v;
  end

  mm_rrm_ripple #(
    .Word(Word), .Minus(0)
  ) u_sum (
    .clk_i, .first_i(first_q[3]), .a_i(sum_q), .b_i(carry_q), .z_o(v)
  );

  // ---- READ, cycle 5: V - M

  logic [Word-1:0] rest;
  logic            above_q, below_q, judge, unused_rest;

  mm_rrm_ripple #(
    .Word(Word), .Minus(1)
  ) u_rest (
    .clk_i, .first_i(first_q[4]), .a_i(v_q), .b_i(m_q5), .z_o(rest)
  );

  // The last word has the signs.
  assign unused_rest = ^rest;
  assign read_last_o = ~other_q[Last];
  assign judge       = ~other_q[Last+1];

  always_ff @(posedge clk_i) begin
    if (bare_i) begin
      above_q <= 1'b0;
      below_q <= 1'b1;
    end else if (judge) begin
      above_q <= ~v_q[Word-1];
      below_q <= rest[Word-1];
    end
  end

  // ---- SHOW

  logic [AddrBits-1:0] v_addr_q;
  logic [Word-1:0]     v_word, v_show_q, m_show_q, shown;
  logic                v_write_q, show_first_q, show_carry_q, carry;

  mm_word_ram #(
    .Word(Word), .Depth(1 << AddrBits)
  ) u_v (
    .clk_i, .write_i(v_write_q), .write_addr_i(v_addr_q), .word_i(v_q),
    .read_addr_i(word_i), .word_o(v_word)
  );

  always_ff @(posedge clk_i) begin
    v_write_q <= first_q[4] | (v_write_q & other_q[Last]);
    if (first_q[4]) v_addr_q <= '0;
    else            v_addr_q <= v_addr_q + 1'b1;
    if (move_i) begin
      m_show_q     <= m_word;
      show_first_q <= first_i;
    end
    if (bare_i)      v_show_q <= '0;
    else if (move_i) v_show_q <= v_word;
    if (first_i)     {show_carry_q, z_o} <= '0;
    else if (move_i) {show_carry_q, z_o} <= {carry, shown};
  end

  mm_rrm_corrector #(
    .Word(Word)
  ) u_corrector (
    .above_i(above_q), .below_i(below_q), .first_i(show_first_q), .carry_i(show_carry_q),
    .v_i(v_show_q), .m_i(m_show_q), .z_o(shown), .carry_o(carry)
  );

endmodule

`default_nettype wire
