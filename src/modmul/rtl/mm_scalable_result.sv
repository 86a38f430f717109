// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_result: takes the words of a result from the last processing element of a scalable multiplier and
// gives them out as one number. While one result goes out another may come in.
//
//   gather    B = ZS + ZC + S_Q, and for a last digit Q with its top bit set + 4 M^ (paper 003, Section IV: the FIFO
//             adds the last multiple); a negative M^ makes Z > -M, so M is added to that:  0 <= B
//             4 M^ = 1 + M~: what is added is 1 and M~, M or nothing; M~ is a number of the context
//   compare   B - tM for t = 1 ... Multiples, beside it, of which only the signs are kept      (Reduce = 1)
//   unload    Z = B - tM for the largest t that leaves it positive                    0 <= Z < M (Reduce = 1)
//             Z = B, beginning with the first word that is there                                 (Reduce = 0)
//
`default_nettype none

module mm_scalable_result #(
  parameter int Word      = 16,
  parameter int MaxBeats  = 16,  // words of an operand
  parameter int IdxBits   = 6,
  parameter int Booth     = 1,   // with S_Q, the last multiple and signed M^
  parameter int Multiples = 1,   // 1 or 3
  parameter int Reduce    = 1,
  // Derived, not to be set.
  parameter int AddrBits  = MaxBeats > 1 ? $clog2(MaxBeats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 m_write_i,      // a word of M
  input  wire                 tilde_write_i,  // a word of M~
  input  wire  [AddrBits-1:0] ctx_addr_i,
  input  wire  [Word-1:0]     ctx_word_i,
  input  wire  [IdxBits-1:0]  words_i,        // of Z
  input  wire  [IdxBits-1:0]  beats_i,        // of an operand
  input  wire                 m_neg_i,        // M^ is negative
  input  wire                 first_i,        // word 0 of a result
  input  wire                 q_neg_i,        // S_Q, the top bit of the last Q, with first_i
  input  wire  [Word-1:0]     zs_i,
  input  wire  [Word-1:0]     zc_i,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Word-1:0]     z_o,
  output logic                done_o          // the last word is taken
);

  // --- gather: three stages, S + C, then B, then into the memory -----------------------------------------
  logic                gather_q, sum_q, b_q;            // a word in stage 1, 2, 3
  logic [IdxBits-1:0]  idx, idx_q, sum_idx_q, b_idx_q;
  logic                gather, last, sum_first_q, sum_last_q, b_first_q, b_last_q;
  logic [Word-1:0]     extra, s, s_q, c_q, b_word_q;
  logic [Word:0]       k, b_sum;
  logic                k_q, b_carry_q, plus_q, inject;
  logic                in_buf_q, out_buf_q;             // the buffers that fill and that empty

  assign gather = first_i | gather_q;
  assign idx    = first_i ? '0 : idx_q;
  assign last   = idx == words_i - 1'b1;

  if (Booth != 0) begin : gen_booth
    logic                q_neg, q_neg_q, use_tilde;
    logic [Word-1:0]     tilde;

    // The next pipeline cycle's Q may come before the last word.
    assign q_neg = first_i ? q_neg_i : q_neg_q;

    always_ff @(posedge clk_i) q_neg_q <= q_neg;

    mm_word_ram #(
      .Word(Word), .Depth(MaxBeats)
    ) u_tilde (
      .clk_i, .write_i(tilde_write_i), .write_addr_i(ctx_addr_i), .word_i(ctx_word_i),
      .read_addr_i(idx[AddrBits-1:0]), .word_o(tilde)
    );

    assign use_tilde = (q_neg ^ m_neg_i) & (idx < beats_i);
    assign extra     = tilde & {Word{use_tilde}};
    assign inject    = q_neg;
  end else begin : gen_plain
    logic unused_booth;

    assign unused_booth = tilde_write_i ^ m_neg_i ^ q_neg_i;
    assign extra        = '0;
    assign inject       = 1'b0;
  end

  mm_csa #(
    .Width(Word)
  ) u_csa (
    .a_i(zs_i), .b_i(zc_i), .c_i(extra), .sum_o(s), .carry_o(k)
  );

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
    c_q         <= {k[Word-1:1], first_i ? inject : k_q};  // S_Q
    k_q         <= k[Word];
    plus_q      <= inject;                                 // the 1 of 4 M^ = 1 + M~
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

  // --- compare and unload -----------------------------------------------------------------------------------
  logic [1:0]      full_q;     // results there to go out, by buffer
  logic            ready_to_fill;
  logic [Word-1:0] z;
  logic            valid_q, z_last_q;

  if (Reduce != 0) begin : gen_reduce
    // One memory of M for both: unloading waits while a result comes in.
    logic [Word-1:0]     m_word, m_masked, m_double;
    logic [IdxBits-1:0]  m_idx;
    logic                m_below, in_below_q, out_below_q;
    logic [Word:0]       minus1;
    logic                borrow1_q;
    logic [1:0]          times, times0_q, times1_q;
    logic                out_first;

    assign m_idx = b_q ? b_idx_q : out_idx_q;

    mm_word_ram #(
      .Word(Word), .Depth(MaxBeats)
    ) u_modulus (
      .clk_i, .write_i(m_write_i), .write_addr_i(ctx_addr_i), .word_i(ctx_word_i),
      .read_addr_i(m_idx[AddrBits-1:0]), .word_o(m_word)
    );

    assign m_masked = m_word & {Word{m_idx < beats_i}};
    assign m_below  = b_q ? in_below_q & ~b_first_q : out_below_q & ~out_first;
    assign m_double = {m_masked[Word-2:0], m_below};

    // B - M.
    assign minus1 = {1'b0, b_word_q} - {1'b0, m_masked} - (Word + 1)'(borrow1_q && !b_first_q);

    if (Multiples == 3) begin : gen_three
      logic [Word:0] minus2, minus3;
      logic          borrow2_q, borrow3_q;

      // B - 2M, and B - 3M = (B - M) - 2M, negative if either difference borrows at the end.
      assign minus2 = {1'b0, b_word_q} - {1'b0, m_double} - (Word + 1)'(borrow2_q && !b_first_q);
      assign minus3 = {1'b0, minus1[Word-1:0]} - {1'b0, m_double} - (Word + 1)'(borrow3_q && !b_first_q);
      assign times  = minus2[Word] ? {1'b0, ~minus1[Word]} : {1'b1, ~(minus1[Word] | minus3[Word])};

      always_ff @(posedge clk_i) begin
        borrow2_q <= minus2[Word];
        borrow3_q <= minus3[Word];
      end
    end else begin : gen_one
      assign times = {1'b0, ~minus1[Word]};
    end

    always_ff @(posedge clk_i) begin
      borrow1_q <= minus1[Word];
      if (b_q && b_last_q && !in_buf_q) times0_q <= times;
      if (b_q && b_last_q && in_buf_q)  times1_q <= times;
    end

    // B - tM on the way out.
    logic [1:0]    t;
    logic [Word:0] less1, less2;
    logic          out1_q, out2_q;

    assign t         = out_buf_q ? times1_q : times0_q;
    assign out_first = out_idx_q == '0;
    assign less1     = {1'b0, b_out} - {1'b0, m_masked & {Word{t[0]}}} - (Word + 1)'(out1_q && !out_first);
    assign z         = less2[Word-1:0];
    assign ready_to_fill = full_q[out_buf_q] & ~b_q;

    if (Multiples == 3) begin : gen_out_three
      assign less2 = {1'b0, less1[Word-1:0]} - {1'b0, m_double & {Word{t[1]}}} - (Word + 1)'(out2_q && !out_first);
    end else begin : gen_out_one
      logic unused_double;

      assign less2         = less1;
      assign unused_double = ^{m_double, t[1], out2_q};
    end

    always_ff @(posedge clk_i) begin
      if (b_q) in_below_q <= m_masked[Word-1];
      if (issue) begin
        out_below_q <= m_masked[Word-1];
        out1_q <= less1[Word];
        out2_q <= less2[Word];
      end
    end
  end else begin : gen_keep
    logic unused_keep;

    assign unused_keep   = ^{m_write_i, ctx_addr_i, ctx_word_i};
    assign z             = b_out;
    assign ready_to_fill = full_q[out_buf_q];
  end

  // A result may go out when it has been compared, or without that when its first word is there.
  logic filled;

  assign filled = b_q & (Reduce != 0 ? b_last_q : b_first_q);
  assign issue  = ready_to_fill & (~valid_q | out_ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q    <= 2'b00;
      in_buf_q  <= 1'b0;
      out_buf_q <= 1'b0;
      out_idx_q <= '0;
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
      valid_q <= issue | (valid_q & ~out_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      z_o      <= z;
      z_last_q <= out_end;
    end
  end

  assign out_valid_o = valid_q;
  assign done_o      = valid_q & out_ready_i & z_last_q;

  logic unused_zeros;
  assign unused_zeros = k[0];

endmodule

`default_nettype wire
