// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_converter: steps 4 to 6 of mm_sparse_prime, a word a cycle, in passes.
//
//   pass               what                                           step
//   0                  U = S + C + F(W)                               4
//   1 ... Folds        U = U mod 2^n + F(U >> n)                      5
//   Folds + 1          U + D: bit n of it says whether U >= M         6
//   Folds + 2          z = U, or U + D mod 2^n                        6
//
//   cycle  word j, a cycle after start_i in pass 0, from cycle 3 on in the others
//   0      word j of S and of the carries is chosen, the others are 0
//   1      an OR of them all
//   2      their sum
//   3      index_i = j: words of U and of what is added are read
//   4      sum
//   5      it is written to U; z_o
//
// F(w) = w * D + a constant: products of w, or of its complement, each at its place (mm_sparse_prime_times). They may
// take all the cycles between two passes.
//
`default_nettype none

module mm_sparse_prime_converter #(
  parameter int N        = 256,
  parameter int Word     = 32,
  parameter int Beats    = 8,
  parameter int Words    = 9,
  parameter int WBits    = 11,
  parameter int HighBits = 2,
  parameter logic [N-1:0] D = 977,
  parameter int Gap      = 3,
  // Derived, not to be set.
  parameter int IndexBits = $clog2(Words + Gap)
) (
  input  wire                  clk_i,
  // The sum, and the digits that are pending.
  input  wire                  take_i,
  input  wire  [N-1:0]         s_i,
  input  wire  [N-1:0]         c_i,
  input  wire  [WBits-1:0]     w_i,
  // Passes.
  input  wire                  move_i,
  input  wire                  start_i,
  input  wire  [IndexBits-1:0] index_i,
  input  wire                  first_i,
  input  wire                  fold_i,
  input  wire                  high_i,
  input  wire                  show_i,
  output logic [Word-1:0]      z_o
);

  localparam int Bits  = Words * Word;
  localparam int Part  = N - (Beats - 1) * Word;   // bits of an operand in its last word
  localparam int Above = N / Word;                 // the word with bit n
  localparam int Far   = Words - Above;            // words that have bits from 2^n on

  // ---- pass 0, cycles 0 to 2: words of S + C

  logic [Bits-1:0]  s_ext, c_ext, s_chosen_q, c_chosen_q;
  logic [N-1:0]     s_taken_q, c_taken_q;
  logic [Words-1:0] other_q;  // not word j
  logic [Word-1:0]  s_word, c_word, s_q, c_q, u_q;
  logic             u_carry_q;
  logic [Word+1:0]  u_sum;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      s_taken_q <= s_i;
      c_taken_q <= c_i;
    end
  end

  assign s_ext = Bits'(s_taken_q);
  assign c_ext = Bits'(c_taken_q);

  for (genvar j = 0; j < Words; j++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (other_q[j]) begin
        s_chosen_q[j*Word+:Word] <= '0;
        c_chosen_q[j*Word+:Word] <= '0;
      end else begin
        s_chosen_q[j*Word+:Word] <= s_ext[j*Word+:Word];
        c_chosen_q[j*Word+:Word] <= c_ext[j*Word+:Word];
      end
    end
  end

  always_comb begin
    s_word = '0;
    c_word = '0;
    for (int j = 0; j < Words; j++) begin
      s_word = s_word | s_chosen_q[j*Word+:Word];
      c_word = c_word | c_chosen_q[j*Word+:Word];
    end
  end

  // The carry enters through a bit of its own below the sum.
  assign u_sum = {1'b0, s_q, 1'b1} + {1'b0, c_q, u_carry_q};

  always_ff @(posedge clk_i) begin
    other_q   <= Words'({other_q, ~start_i});
    s_q       <= s_word;
    c_q       <= c_word;
    u_q       <= u_sum[Word:1];
    u_carry_q <= u_sum[Word+1] & other_q[0];  // 0 for the first word
  end

  // ---- F

  logic [HighBits-1:0] high_q;
  logic [WBits-1:0]    factor;
  logic [Bits-1:0]     product;

  assign factor = high_i ? WBits'(high_q) : w_i;

  // The non-adjacent form of D: the powers of 2 that are added, and those that are subtracted.
  localparam logic [N+1:0] Once   = (N+2)'(D);
  localparam logic [N+1:0] Thrice = Once + Once + Once;
  localparam logic [N+1:0] Plus   = (Thrice & ~Once) >> 1;
  localparam logic [N+1:0] Minus  = (Once & ~Thrice) >> 1;

  // Powers that are at most WBits apart are a group: the lowest power of each.
  function automatic logic [N+1:0] lowest_powers(input logic [N+1:0] all);
    int last;
    lowest_powers = '0;
    last          = -N - WBits;
    for (int j = 0; j <= N; j++) begin
      if (all[j]) begin
        if (j - last > WBits) lowest_powers = lowest_powers | ((N+2)'(1) << j);
        last = j;
      end
    end
  endfunction

  localparam logic [N+1:0] Lowest = lowest_powers(Plus | Minus);

  // Where the group that begins at `place` ends: the next one begins there, or all powers lie below.
  function automatic int group_end(input int place);
    group_end = N + 1;
    for (int j = N; j > 0; j--) if (j > place && Lowest[j]) group_end = j;
  endfunction

  function automatic int length(input logic [N+1:0] number);
    length = 0;
    for (int j = 0; j <= N + 1; j++) if (number[j]) length = j + 1;
  endfunction

  for (genvar j = 0; j <= N; j++) begin : gen_place
    if (Lowest[j]) begin : gen_group
      localparam int           End      = group_end(j);
      localparam int           Top      = End > N ? Bits : End;
      localparam logic [N+1:0] Mine     = ((N+2)'(1) << End) - ((N+2)'(1) << j);
      localparam bit           Negative = (Plus & Mine) < (Minus & Mine);
      localparam logic [N+1:0] Value    = (Plus & Mine) - (Minus & Mine);
      localparam logic [N+1:0] Size     = (Negative ? (Minus & Mine) - (Plus & Mine) : Value) >> j;
      localparam int           SizeBits = length(Size);
      localparam int           PBits    = WBits + SizeBits;

      logic [WBits-1:0] w;
      logic [PBits-1:0] p;
      logic             unused_zeros;

      assign w            = Negative ? ~factor : factor;
      assign unused_zeros = ^p;

      mm_sparse_prime_times #(
        .Bits(WBits), .FactorBits(SizeBits), .Factor(Size[SizeBits-1:0])
      ) u_times (
        .clk_i, .w_i(w), .p_o(p)
      );

      assign product[Top-1:j] = (Top-j)'(p);
    end
  end

  // ---- the passes, cycles 3 to 5

  logic [Bits-1:0]      d;
  logic [Word-1:0]      u_word, f_word, d_word, kept, a_q, b_q, sum_q;
  logic [IndexBits-1:0] index_q, index_q2;
  logic                 write_q, write_q2, far_q, far_q2, carry_q;
  logic [Word+1:0]      sum;

  assign d   = Bits'(D);
  assign sum = {1'b0, a_q, 1'b1} + {1'b0, b_q, carry_q};

  mm_word_ram #(
    .Word(Word), .Depth(1 << IndexBits)
  ) u_u (
    .clk_i, .write_i(write_q2), .write_addr_i(index_q2), .word_i(sum_q), .read_addr_i(index_i), .word_o(u_word)
  );

  always_comb begin
    f_word = '0;
    d_word = '0;
    for (int j = 0; j < Words; j++) begin
      if (index_i == IndexBits'(j)) begin
        f_word = product[j*Word+:Word];
        d_word = d[j*Word+:Word];
      end
    end
    // U mod 2^n.
    for (int j = 0; j < Word; j++) begin
      kept[j] = index_i < IndexBits'(Beats) & (j < Part || index_i != IndexBits'(Beats - 1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (move_i) begin
      if (first_i)     a_q <= u_q;
      else if (fold_i) a_q <= u_word & kept;
      else             a_q <= u_word;
      if (fold_i)                    b_q <= f_word;
      else if (show_i && !high_q[0]) b_q <= '0;
      else                           b_q <= d_word;
      carry_q  <= index_i != '0 & sum[Word+1];
      sum_q    <= sum[Word:1];
      index_q  <= index_i;
      index_q2 <= index_q;
      write_q  <= fold_i & index_i < IndexBits'(Words);
      write_q2 <= write_q;
      far_q    <= index_i == IndexBits'(Words - 1);
      far_q2   <= far_q;
    end
  end

  // What is at 2^n and above, after each pass.
  logic [Far*Word-1:0] far;

  if (Far > 1) begin : gen_far
    logic [(Far-1)*Word-1:0] before_q;
    always_ff @(posedge clk_i) if (move_i) before_q <= ((Far-1)*Word)'({sum_q, before_q} >> Word);
    assign far = {sum_q, before_q};
  end else begin : gen_near
    assign far = sum_q;
  end

  logic unused_far;
  assign unused_far = ^far;

  always_ff @(posedge clk_i) if (move_i && far_q2) high_q <= HighBits'(far >> (N % Word));

  // A result has n bits.
  logic cut_q;
  always_ff @(posedge clk_i) if (move_i) cut_q <= index_q == IndexBits'(Beats - 1);
  assign z_o = cut_q ? sum_q & ({Word{1'b1}} >> (Word - Part)) : sum_q;

endmodule

`default_nettype wire
