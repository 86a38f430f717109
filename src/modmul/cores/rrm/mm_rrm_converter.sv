// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_converter: from the sum of mm_rrm and its pending digit p to words of a number below M.
//
//   cycle  READ, for word j                                                           steps of mm_rrm
//   0      word_i = j
//   1      word j of M
//   2      word j of M and the next; words j of S and C, first half of the multiplexer
//   3      word j of S, of C and of P, the residue of the pending digit                5
//   4      sum and carries of the three                                                5
//   5      word j of V = S + C + P                                                     5
//   6      sign of V and of V - M                                                      6
//   7      what is to be added to V, when j was the last                               6
//
//   cycle  SHOW, for word j                                                            steps of mm_rrm
//   0      word_i = j
//   1      words j of V and of 0, M or -M
//   2      z_o, word j of their sum                                                    6
//
// P is (p + q * M) / 2^DigitBits with the q that makes it a whole number, -2^DigitBits / 2 <= q < 2^DigitBits / 2,
// so -M/2 <= P < M/4 + 1. Legal: -M <= V < 2M.
//
`default_nettype none

module mm_rrm_converter #(
  parameter int Word      = 16,
  parameter int Beats     = 16,
  parameter int DigitBits = 2,
  parameter int Digits    = 130,
  parameter int BeatBits  = 5,
  // Derived, not to be set.
  parameter int AddrBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                        clk_i,
  input  wire                        m_load_i,
  input  wire  [BeatBits-1:0]        m_beat_i,
  input  wire  [Word-1:0]            m_word_i,
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits-1:0]          c_i,
  input  wire  [DigitBits-1:0]       pending_i,
  input  wire                        read_i,
  input  wire                        read_first_i,
  input  wire  [BeatBits-1:0]        word_i,
  input  wire                        bare_i,
  input  wire                        move_i,
  output logic [Word-1:0]            z_o
);

  localparam int Groups  = (Beats + 4) / 4;  // of four words of the sum
  localparam int SumBits = Groups * 4 * Word;
  localparam logic [BeatBits-1:0] Top = BeatBits'(Beats);

  // ---- words of M, and what is known of them from the first on

  logic [Word-1:0] m_word, m_q, m_q2, m_q3, m_q4, m_q5;
  logic [1:0]      m_low_q;
  logic            below_top;

  assign below_top = word_i < Top;

  mm_word_ram #(
    .Word(Word), .Depth(1 << AddrBits)
  ) u_m (
    .clk_i, .write_i(m_load_i), .write_addr_i(m_beat_i[AddrBits-1:0]), .word_i(m_word_i),
    .read_addr_i(word_i[AddrBits-1:0]), .word_o(m_word)
  );

  always_ff @(posedge clk_i) begin
    if (m_load_i && m_beat_i == '0) m_low_q <= m_word_i[1:0];
  end

  // ---- READ, cycles 1 to 3: words of S and C

  logic [SumBits-1:0]     s_ext, c_ext;
  logic [Groups*Word-1:0] s_group_q, c_group_q;
  logic [BeatBits-1:0]    word_q;
  logic [Word-1:0]        s_word, c_word, s_q, c_q;

  assign s_ext = SumBits'(s_i);

  for (genvar j = 0; j < SumBits; j++) begin : gen_c  // the carry of digit i has the weight of digit i + 1
    if (j % DigitBits == 0 && j > 0 && j / DigitBits <= Digits) begin : gen_carry
      assign c_ext[j] = c_i[j/DigitBits-1];
    end else begin : gen_none
      assign c_ext[j] = 1'b0;
    end
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [4*Word-1:0] s_words, c_words;
    assign s_words = s_ext[g*4*Word+:4*Word];
    assign c_words = c_ext[g*4*Word+:4*Word];
    always_ff @(posedge clk_i) begin
      if (word_q >> 2 != BeatBits'(g)) begin
        s_group_q[g*Word+:Word] <= '0;
        c_group_q[g*Word+:Word] <= '0;
      end else begin
        s_group_q[g*Word+:Word] <= s_words[word_q[1:0]*Word+:Word];
        c_group_q[g*Word+:Word] <= c_words[word_q[1:0]*Word+:Word];
      end
    end
  end

  always_comb begin  // all groups but one are 0
    s_word = '0;
    c_word = '0;
    for (int g = 0; g < Groups; g++) begin
      s_word = s_word | s_group_q[g*Word+:Word];
      c_word = c_word | c_group_q[g*Word+:Word];
    end
  end

  always_ff @(posedge clk_i) begin
    word_q <= word_i;
    s_q    <= s_word;
    c_q    <= c_word;
  end

  // ---- READ, cycles 1 to 3: words of P

  logic            half_q, quarter_q, negate_q, some_q;  // P is -(M >> 1), -(M >> 2) or (M >> 2) + 1, or 0
  logic [Word-1:0] p_q;

  if (DigitBits == 1) begin : gen_bit
    logic unused_low;
    assign unused_low = ^m_low_q;
    always_ff @(posedge clk_i) begin
      if (read_i && read_first_i) begin
        some_q    <= pending_i[0];
        half_q    <= pending_i[0];
        quarter_q <= 1'b0;
        negate_q  <= pending_i[0];
      end
    end
  end else begin : gen_pair
    always_ff @(posedge clk_i) begin
      if (read_i && read_first_i) begin
        some_q    <= pending_i != '0;
        half_q    <= pending_i == 2'd2;
        quarter_q <= pending_i[0];
        negate_q  <= pending_i == 2'd2 || pending_i == m_low_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (below_top) m_q <= m_word;
    else        m_q <= '0;
    m_q2 <= m_q;
    m_q3 <= m_q2;
    m_q4 <= m_q3;
    m_q5 <= m_q4;
    p_q  <= ({m_q[0], m_q2[Word-1:1]} & {Word{half_q}}) | ({m_q[1:0], m_q2[Word-1:2]} & {Word{quarter_q}});
  end

  // ---- READ, cycles 3 to 5: V = S + C + P

  logic [5:1]      first_q, last_q, there_q;
  logic            there, last;
  logic [Word-1:0] p, major, sum_q, carry_q, v_q;
  logic            save_q, ripple_q, unused_low;
  logic [Word+1:0] total;

  assign there = read_i & (word_i <= Top);
  assign last  = read_i & (word_i == Top);

  always_ff @(posedge clk_i) begin
    first_q <= {first_q[4:1], read_first_i};
    last_q  <= {last_q[4:1], last};
    there_q <= {there_q[4:1], there};
  end

  assign p     = p_q ^ {Word{negate_q}};
  assign major = (s_q & c_q) | (s_q & p) | (c_q & p);

  always_ff @(posedge clk_i) begin
    sum_q    <= s_q ^ c_q ^ p;
    carry_q  <= {major[Word-2:0], first_q[3] ? some_q : save_q};
    save_q   <= major[Word-1];
  end

  always_ff @(posedge clk_i) begin
    if (!there_q[4]) {ripple_q, v_q} <= '0;
    else             {ripple_q, v_q} <= total[Word+1:1];
  end

  assign total      = {1'b0, sum_q, 1'b1} + {1'b0, carry_q, ripple_q};
  assign unused_low = ^{total[0], first_q};

  // ---- READ, cycle 5: V - M

  logic [Word+1:0] rest;
  logic            borrow_q, below_q, negative_q, judge_q, use_q, subtract_q;
  logic            unused_rest;

  // The borrow enters through a bit of its own below the difference.
  assign rest        = {1'b0, v_q, 1'b0} - {1'b0, m_q5, borrow_q};
  assign unused_rest = ^rest[Word-1:0];

  always_ff @(posedge clk_i) begin
    if (!there_q[5]) {borrow_q, below_q} <= '0;
    else             {borrow_q, below_q} <= rest[Word+1:Word];
    negative_q <= v_q[Word-1];
    judge_q    <= last_q[5];
    if (bare_i) begin
      use_q      <= 1'b1;
      subtract_q <= 1'b0;
    end else if (judge_q) begin
      use_q      <= negative_q | ~below_q;
      subtract_q <= ~negative_q & ~below_q;
    end
  end


  // ---- SHOW

  logic [AddrBits-1:0] v_addr_q;
  logic [Word-1:0]     v_word, v_show_q, m_show_q;
  logic                show_first_q, show_carry_q, unused_show;
  logic [Word+2:0]     shown;

  mm_word_ram #(
    .Word(Word), .Depth(1 << AddrBits)
  ) u_v (
    .clk_i, .write_i(there_q[5] & ~last_q[5]), .write_addr_i(v_addr_q), .word_i(v_q),
    .read_addr_i(word_i[AddrBits-1:0]), .word_o(v_word)
  );

  always_ff @(posedge clk_i) begin
    v_addr_q <= there_q[5] ? v_addr_q + 1'b1 : '0;
  end

  always_ff @(posedge clk_i) begin
    if (move_i) begin
      if (bare_i) v_show_q <= '0;
      else        v_show_q <= v_word;
      if (!use_q) m_show_q <= '0;
      else        m_show_q <= m_word ^ {Word{subtract_q}};
      show_first_q <= read_first_i & subtract_q;
    end
    if (read_first_i) {show_carry_q, z_o} <= '0;
    else if (move_i)  {show_carry_q, z_o} <= shown[Word+2:2];
  end

  // Two bits below the sum: the carry is 1 if show_first_q or show_carry_q is.
  assign shown       = {1'b0, v_show_q, show_carry_q, show_first_q} + {1'b0, m_show_q, 1'b1, show_first_q};
  assign unused_show = ^shown[1:0];

endmodule

`default_nettype wire
