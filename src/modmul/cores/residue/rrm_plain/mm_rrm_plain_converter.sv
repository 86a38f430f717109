// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_plain_converter: turns the sum of mm_rrm_plain into words of a number below M, by non-restoring division, a
// word at a time. M' = 2^Shift * M.
//
//   pass               what                                           range                    steps of mm_rrm_plain
//   0                  R = U, or U - M' where W >= 0                  -M' <= R < M'                                4
//   1 ... Shift        R = 2 * R - M' where R >= 0, 2 * R + M' else   -M' <= R < M', R = U * 2^i (mod M')          5
//   Shift + 1          R + M' where R < 0, R else                     0 <= R < M'                                  6
//                      z = R / 2^Shift                                exact: all of R is a multiple of it
//
//   cycle  word j, a cycle after start_i in pass 0, from cycle 4 on in the others
//   0      word j of S and of both sets of carries is chosen, the others are 0
//   1      an OR of them all
//   2      the carries as digits
//   3      word j of U
//   4      index_i = j: words of M and R are read
//   5      sum
//   6      it is written to R; z_o, word j - 1 of the last pass
//
`default_nettype none

module mm_rrm_plain_converter #(
  parameter int Word   = 32,
  parameter int Beats  = 8,
  parameter int Digits = 129,
  parameter int Shift  = 11,
  // Derived, not to be set.
  parameter int WordBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int IndexBits = $clog2(Beats + 2),
  parameter int HighBits  = Shift + 1
) (
  input  wire                 clk_i,
  input  wire                 m_load_i,
  input  wire  [WordBits-1:0] m_beat_i,
  input  wire  [Word-1:0]     m_word_i,
  // The sum: S and C are taken with take_i, the carries C' of the cycle before with take_c_i. W stays.
  input  wire                 take_c_i,
  input  wire                 take_i,
  input  wire  [2*Digits-1:0] s_i,
  input  wire  [Digits-1:0]   c_i,
  input  wire  [HighBits-1:0] w_i,
  // Passes.
  input  wire                 move_i,
  input  wire                 start_i,
  input  wire  [IndexBits-1:0] index_i,
  input  wire                 first_i,
  input  wire                 last_i,
  input  wire                 load_i,
  input  wire                 show_i,
  output logic [Word-1:0]     z_o
);

  localparam int Words = Beats + 1;
  localparam int Bits  = Words * Word;
  localparam int Half  = Word / 2;
  localparam int Fours = (Words + 3) / 4;

  // ---- pass 0, cycles 0 to 3: words of U = S + C + C' + W * 4^Digits

  logic [Bits-1:0]       s_ext, s_chosen_q;
  logic [2*Digits-1:0]   s_taken_q;
  logic [Digits-1:0]     c_taken_q, d_taken_q;
  logic [Words*Half-1:0] c_ext, d_ext, c_chosen_q, d_chosen_q;
  logic [Words-1:0]      other_q;  // not word j
  logic [Word-1:0]       s_word, s_q, s_q2, digits, digits_q, u_q;
  logic [Half-1:0]       c_word, d_word, c_q, d_q;
  logic [Fours*Word-1:0] s_four;
  logic [Fours*Half-1:0] c_four, d_four;
  logic                  u_carry_q, unused_carries;
  logic [Word+1:0]       u_sum;

  always_ff @(posedge clk_i) begin
    if (take_c_i) d_taken_q <= c_i;
    if (take_i) begin
      s_taken_q <= s_i;
      c_taken_q <= c_i;
    end
  end

  // The carry of digit i has the weight of digit i + 1, that of the cycle before the weight of digit i + 2. The carries
  // of the highest digits are in W.
  assign s_ext          = {{(Bits-2*Digits-HighBits){w_i[HighBits-1]}}, w_i, s_taken_q};
  assign c_ext          = (Words*Half)'({c_taken_q[Digits-2:0], 1'b0});
  assign d_ext          = (Words*Half)'({d_taken_q[Digits-3:0], 2'b00});
  assign unused_carries = ^{c_taken_q[Digits-1], d_taken_q[Digits-1:Digits-2]};

  for (genvar j = 0; j < Words; j++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (other_q[j]) begin
        s_chosen_q[j*Word+:Word] <= '0;
        c_chosen_q[j*Half+:Half] <= '0;
        d_chosen_q[j*Half+:Half] <= '0;
      end else begin
        s_chosen_q[j*Word+:Word] <= s_ext[j*Word+:Word];
        c_chosen_q[j*Half+:Half] <= c_ext[j*Half+:Half];
        d_chosen_q[j*Half+:Half] <= d_ext[j*Half+:Half];
      end
    end
  end

  always_comb begin
    s_four = '0;
    c_four = '0;
    d_four = '0;
    for (int j = 0; j < Words; j++) begin
      s_four[j/4*Word+:Word] = s_four[j/4*Word+:Word] | s_chosen_q[j*Word+:Word];
      c_four[j/4*Half+:Half] = c_four[j/4*Half+:Half] | c_chosen_q[j*Half+:Half];
      d_four[j/4*Half+:Half] = d_four[j/4*Half+:Half] | d_chosen_q[j*Half+:Half];
    end
    s_word = '0;
    c_word = '0;
    d_word = '0;
    for (int j = 0; j < Fours; j++) begin
      s_word = s_word | s_four[j*Word+:Word];
      c_word = c_word | c_four[j*Half+:Half];
      d_word = d_word | d_four[j*Half+:Half];
    end
  end

  for (genvar j = 0; j < Half; j++) begin : gen_digit
    assign digits[2*j+:2] = {c_q[j] & d_q[j], c_q[j] ^ d_q[j]};
  end

  // The carry enters through a bit of its own below the sum.
  assign u_sum = {1'b0, s_q2, 1'b1} + {1'b0, digits_q, u_carry_q};

  always_ff @(posedge clk_i) begin
    other_q   <= {other_q[Words-2:0], ~start_i};
    s_q       <= s_word;
    c_q       <= c_word;
    d_q       <= d_word;
    s_q2      <= s_q;
    digits_q  <= digits;
    u_q       <= u_sum[Word:1];
    u_carry_q <= u_sum[Word+1] & other_q[0];  // 0 for the first word
  end

  // ---- the passes, cycles 4 to 6

  logic [Word-1:0]      m_word, m_shifted, m_q, r_word, operand_q, sum_q;
  logic [Word-1:Word-Shift] m_before_q;
  logic [IndexBits-1:0] index_q, index_q2;
  logic                 of_m, use_m, subtract, negative_q, r_before_q, carry_q, write_q, write_q2, last_q;
  logic [Word+1:0]      sum;

  mm_word_ram #(
    .Word(Word), .Depth(1 << WordBits)
  ) u_m (
    .clk_i, .write_i(m_load_i), .write_addr_i(m_beat_i), .word_i(m_word_i),
    .read_addr_i(index_i[WordBits-1:0]), .word_o(m_word)
  );

  mm_word_ram #(
    .Word(Word), .Depth(1 << IndexBits)
  ) u_r (
    .clk_i, .write_i(write_q2), .write_addr_i(index_q2), .word_i(sum_q), .read_addr_i(index_i), .word_o(r_word)
  );

  assign of_m    = index_i < IndexBits'(Beats);
  assign use_m     = load_i ? ~w_i[HighBits-1] : show_i ? negative_q : 1'b1;
  assign subtract  = load_i ? ~w_i[HighBits-1] : ~show_i & ~negative_q;
  assign m_shifted = Word'({m_word & {Word{of_m}}, m_before_q} );
  assign sum       = {1'b0, operand_q, 1'b1} + {1'b0, m_q, carry_q};

  always_ff @(posedge clk_i) begin
    if (move_i) begin
      if (!of_m) m_before_q <= '0;
      else         m_before_q <= m_word[Word-1:Word-Shift];
      m_q <= (m_shifted & {Word{use_m}}) ^ {Word{subtract}};
      if (load_i)      operand_q <= u_q;
      else if (show_i) operand_q <= r_word;
      else             operand_q <= {r_word[Word-2:0], r_before_q & ~first_i};
      r_before_q <= r_word[Word-1];
      if (first_i) carry_q <= subtract;
      else         carry_q <= sum[Word+1];
      last_q   <= last_i;
      if (last_q) negative_q <= sum[Word];
      sum_q    <= sum[Word:1];
      z_o      <= {sum[Shift:1], sum_q[Word-1:Shift]};
      index_q  <= index_i;
      index_q2 <= index_q;
      write_q  <= ~show_i;
      write_q2 <= write_q;
    end
  end

endmodule

`default_nettype wire
