// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_result: the end of a scalable multiplication. It takes Z from the last processing element, a word of sum
// and of carry each clock cycle, lowest first, brings it into range and puts it out as one number. There are two
// buffers: while one result goes out, the next one may come in.
//
// Steps (5 and 6 of the cores' headers, in parts)
//    5a  A = what is to be added to Z (below)
//    5b  S, C = ZS + ZC + A, by a carry-save adder, with carry_i as the carry into the lowest bit of C
//    5c  B = S + C, or S + C + 1 (below), into a buffer        0 <= B < 2|M~|, < (Multiples + 1) M if Reduce = 1
//    6a  B - tM for t = 1 ... Multiples: only the signs count                        (Reduce = 1)
//    6b  Z = B - tM for the largest t that leaves it at least 0, on its way out      0 <= Z < M (Reduce = 1)
//        Z = B, which may leave as soon as its first word is there                   (Reduce = 0)
//
// Steps 5a to 5c, by kind of array
//    Booth = 0                Z is right as it comes: A = 0.
//    Booth = 1, Factors = 1   The array multiplies by M, and Z > -M: A = M. carry_i is H, the carry out of the digits
//                             of Z that were shifted out.
//    Booth = 1, Factors = 2   The array multiplies by M^, and M~ = 4 M^ - 1. If the last digit Q has its top bit set,
//                             which S_Q says, its Booth digit is 4 too small: 4 M^ is added, which is M~, and 1 in step
//                             5c (Pinckney et al., Section IV: in the FIFO). If M^ is negative, so that M~ = -M and
//                             Z > -M, M is added as well: of both sums the 1 is left.
//                                 S_Q    M^ >= 0           M^ < 0
//                                  0     A = 0             A = M
//                                  1     A = M~, and 1     A = 0, and 1
//                             carry_i is S_Q: the 1 at the lowest bit of a negative multiple, which each element leaves
//                             to the next one, and the last one to step 5b.
// The memory of M~ holds M if the context has no M~.
//
`default_nettype none

module mm_scalable_result #(
  parameter int Word      = 16,
  parameter int MaxBeats  = 16,  // words of an operand
  parameter int IdxBits   = 6,
  parameter int Booth     = 1,   // Z may be negative, and a carry comes with it
  parameter int Factors   = 2,   // 1: the array multiplies by M; 2: by M^, and with Booth the last 4 M^ is missing
  parameter int Multiples = 1,   // of M to subtract at most: 1 or 3
  parameter int Reduce    = 1,   // results below M
  // Derived, not to be set.
  parameter int AddrBits  = MaxBeats > 1 ? $clog2(MaxBeats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 m_write_i,      // a word of M
  input  wire                 tilde_write_i,  // a word of M~, or of M in its place
  input  wire  [AddrBits-1:0] ctx_addr_i,
  input  wire  [Word-1:0]     ctx_word_i,
  input  wire  [IdxBits-1:0]  words_i,        // of Z
  input  wire  [IdxBits-1:0]  beats_i,        // of an operand
  input  wire                 m_neg_i,        // M^ is negative
  input  wire                 first_i,        // word 0 of a result
  input  wire                 carry_i,        // Booth: S_Q (Factors = 2) or H (Factors = 1), with first_i
  input  wire  [Word-1:0]     zs_i,
  input  wire  [Word-1:0]     zc_i,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Word-1:0]     z_o,
  output logic                done_o          // the last word is taken
);

  // --- steps 5a to 5c: three stages, S and C, then B, then into the memory --------------------------------
  logic                gather_q, sum_q, b_q;            // a word in stage 1, 2, 3
  logic [IdxBits-1:0]  idx, idx_q, sum_idx_q, b_idx_q;
  logic                gather, last, sum_first_q, sum_last_q, b_first_q, b_last_q;
  logic [Word-1:0]     extra, s, s_q, c_q, b_word_q;
  logic [Word:0]       k, b_sum;
  logic                k_q, b_carry_q, plus_q, inject, plus;
  logic                in_buf_q, out_buf_q;             // the buffers that fill and that empty

  assign gather = first_i | gather_q;
  assign idx    = first_i ? '0 : idx_q;
  assign last   = idx == words_i - 1'b1;

  if (Booth != 0) begin : gen_booth
    logic            use_tilde;
    logic [Word-1:0] tilde;

    // Step 5a.
    if (Factors == 2) begin : gen_last_multiple
      logic q_neg, q_neg_q;

      // carry_i holds S_Q with word 0 only: by the last word it may be that of the next pipeline cycle.
      assign q_neg = first_i ? carry_i : q_neg_q;

      always_ff @(posedge clk_i) q_neg_q <= q_neg;

      assign use_tilde = (q_neg ^ m_neg_i) & (idx < beats_i);
      assign plus      = q_neg;
    end else begin : gen_no_multiple
      logic unused_neg;

      assign unused_neg = m_neg_i;
      assign use_tilde  = idx < beats_i;
      assign plus       = 1'b0;
    end

    mm_word_ram #(
      .Word(Word), .Depth(MaxBeats)
    ) u_tilde (
      .clk_i, .write_i(tilde_write_i), .write_addr_i(ctx_addr_i), .word_i(ctx_word_i),
      .read_addr_i(idx[AddrBits-1:0]), .word_o(tilde)
    );

    assign extra  = tilde & {Word{use_tilde}};
    assign inject = carry_i;
  end else begin : gen_plain
    logic unused_booth;

    assign unused_booth = tilde_write_i ^ m_neg_i ^ carry_i;
    assign extra        = '0;
    assign inject       = 1'b0;
    assign plus         = 1'b0;
  end

  // Step 5b.
  mm_csa #(
    .Width(Word)
  ) u_csa (
    .a_i(zs_i), .b_i(zc_i), .c_i(extra), .sum_o(s), .carry_o(k)
  );

  // Step 5c.
  assign b_sum = {1'b0, s_q} + {1'b0, c_q} + (Word + 1)'(sum_first_q ? plus_q : b_carry_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gather_q <= 1'b0;
      sum_q    <= 1'b0;
      b_q      <= 1'b0;
    end else begin
      gather_q <= gather & ~last;
      sum_q    <= gather;
      b_q      <= sum_q;
    end
  end

  always_ff @(posedge clk_i) begin
    idx_q       <= idx + 1'b1;
    s_q         <= s;
    c_q         <= {k[Word-1:1], first_i ? inject : k_q};  // step 5b, S_Q or H
    k_q         <= k[Word];
    plus_q      <= plus;                                   // the 1 of 4 M^ = 1 + M~
    sum_idx_q   <= idx;
    sum_first_q <= first_i;
    sum_last_q  <= last;
    b_word_q    <= b_sum[Word-1:0];
    b_carry_q   <= b_sum[Word];
    b_idx_q     <= sum_idx_q;
    b_first_q   <= sum_first_q;
    b_last_q    <= sum_last_q;
  end

  // --- the two result buffers -----------------------------------------------------------------------------
  logic [IdxBits-1:0] out_idx_q;
  logic [Word-1:0]    b_out;
  logic               issue, out_end;

  mm_word_ram #(
    .Word(Word), .Depth(2 << AddrBits)
  ) u_results (
    .clk_i, .write_i(b_q & (b_idx_q < beats_i)), .write_addr_i({in_buf_q, b_idx_q[AddrBits-1:0]}), .word_i(b_word_q),
    .read_addr_i({out_buf_q, out_idx_q[AddrBits-1:0]}), .word_o(b_out)
  );

  assign out_end = out_idx_q == beats_i - 1'b1;

  // --- steps 6a and 6b: compare and unload ------------------------------------------------------------------
  logic [1:0]      full_q;     // results there to go out, by buffer
  logic            may_issue, move, out_first_q, out_last_q, out_q, valid_q, z_last_q;
  logic [Word-1:0] out_word_q, z;

  // Two stages: a word of B and of M out of their memories, then the difference.
  assign move  = ~valid_q | out_ready_i;
  assign issue = may_issue & (~out_q | move);

  if (Reduce != 0) begin : gen_reduce
    // Steps 6a and 6b share one memory of M and the logic that computes tM: unloading waits while a result comes in.
    logic [Word-1:0]     m_word, m1, m1_q, taken, taken_q;
    logic [AddrBits-1:0] m_addr;
    logic [Word:0]       minus1, less;
    logic                borrow1_q, borrow_q, out_first, sum_in_q;
    logic [1:0]          times, times0_q, times1_q, t;

    assign m_addr    = sum_q ? sum_idx_q[AddrBits-1:0] : out_idx_q[AddrBits-1:0];
    assign out_first = out_idx_q == '0;
    assign may_issue = full_q[out_buf_q] & ~sum_q;
    assign t         = out_buf_q ? times1_q : times0_q;

    mm_word_ram #(
      .Word(Word), .Depth(MaxBeats)
    ) u_modulus (
      .clk_i, .write_i(m_write_i), .write_addr_i(ctx_addr_i), .word_i(ctx_word_i),
      .read_addr_i(m_addr), .word_o(m_word)
    );

    // tM, in step with B in step 6a and for the words that leave in step 6b; only B has words above those of M.
    assign m1     = m_word & {Word{~sum_q | sum_in_q}};
    assign minus1 = {1'b0, b_word_q} - {1'b0, m1_q} - (Word + 1)'(borrow1_q && !b_first_q);

    if (Multiples == 3) begin : gen_three
      logic            below, carry, in_below_q, in_carry_q, out_below_q, out_carry_q, borrow2_q, borrow3_q;
      logic [Word-1:0] m2, m2_q, m3_q;
      logic [Word:0]   m3, minus2, minus3;

      assign below  = sum_q ? in_below_q & ~sum_first_q : out_below_q & ~out_first;
      assign carry  = sum_q ? in_carry_q & ~sum_first_q : out_carry_q & ~out_first;
      assign m2     = {m1[Word-2:0], below};
      assign m3     = {1'b0, m1} + {1'b0, m2} + (Word + 1)'(carry);
      assign minus2 = {1'b0, b_word_q} - {1'b0, m2_q} - (Word + 1)'(borrow2_q && !b_first_q);
      assign minus3 = {1'b0, b_word_q} - {1'b0, m3_q} - (Word + 1)'(borrow3_q && !b_first_q);
      // Step 6a: t from the signs, when the last word is through; step 6b: tM for that t.
      assign times  = minus2[Word] ? {1'b0, ~minus1[Word]} : {1'b1, ~minus3[Word]};
      assign taken  = t[1] ? (t[0] ? m3[Word-1:0] : m2) : m1 & {Word{t[0]}};

      always_ff @(posedge clk_i) begin
        m2_q      <= m2;
        m3_q      <= m3[Word-1:0];
        borrow2_q <= minus2[Word];
        borrow3_q <= minus3[Word];
        if (sum_q) begin
          in_below_q <= m1[Word-1];
          in_carry_q <= m3[Word];
        end
        if (issue) begin
          out_below_q <= m1[Word-1];
          out_carry_q <= m3[Word];
        end
      end
    end else begin : gen_one
      logic unused_inputs;

      // Step 6a: t from the sign, when the last word is through; step 6b: tM for that t.
      assign times         = {1'b0, ~minus1[Word]};
      assign taken         = m1 & {Word{t[0]}};
      assign unused_inputs = ^{t[1], out_first, sum_first_q};
    end

    // Step 6b.
    assign less = {1'b0, out_word_q} - {1'b0, taken_q} - (Word + 1)'(borrow_q && !out_first_q);
    assign z    = less[Word-1:0];

    always_ff @(posedge clk_i) begin
      sum_in_q  <= idx < beats_i;
      m1_q      <= m1;
      borrow1_q <= minus1[Word];
      if (b_q && b_last_q && !in_buf_q) times0_q <= times;
      if (b_q && b_last_q && in_buf_q)  times1_q <= times;
      if (issue) taken_q <= taken;
      if (out_q && move) borrow_q <= less[Word];
    end
  end else begin : gen_keep
    logic unused_keep;

    assign unused_keep = ^{m_write_i, ctx_addr_i, ctx_word_i, out_first_q};
    assign z           = out_word_q;
    assign may_issue   = full_q[out_buf_q];
  end

  // A result may go out when it has been compared or, if it is not compared, when its first word is there.
  logic filled;

  assign filled = b_q & (Reduce != 0 ? b_last_q : b_first_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q    <= 2'b00;
      in_buf_q  <= 1'b0;
      out_buf_q <= 1'b0;
      out_idx_q <= '0;
      out_q     <= 1'b0;
      valid_q   <= 1'b0;
    end else begin
      if (b_q && b_last_q) in_buf_q <= ~in_buf_q;
      if (filled) full_q[in_buf_q] <= 1'b1;
      if (issue) begin
        out_idx_q <= out_end ? '0 : out_idx_q + 1'b1;
        if (out_end) begin
          full_q[out_buf_q] <= 1'b0;
          out_buf_q         <= ~out_buf_q;
        end
      end
      out_q <= issue | (out_q & ~move);
      if (move) valid_q <= out_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      out_word_q  <= b_out;
      out_first_q <= out_idx_q == '0;
      out_last_q  <= out_end;
    end
    if (out_q && move) begin
      z_o      <= z;
      z_last_q <= out_last_q;
    end
  end

  assign out_valid_o = valid_q;
  assign done_o      = valid_q & out_ready_i & z_last_q;

  logic unused_zeros;
  assign unused_zeros = k[0];

endmodule

`default_nettype wire
