// SPDX-License-Identifier: Apache-2.0
//
// mm_interleaved_csa: z = x * y mod M, redundant interleaved multiplication with one carry-save adder and
// a look-up table (Amanor et al., Section 2.1, Fig. 1).
//
// Steps (n = Width; what is cut off above bit n is t, in 0 ... 3)
//    0  table[t, b] = (2t * 2^n + b * y) mod M for t = 0 ... 3, b = 0, 1
//    1  S = C = 0, A = table[0, x_(n-1)]
//    2  for i = n-1 ... 0, one bit a cycle
//    3    S, C = CSA(2S, 2C, A)                                   A < 2^n
//    4    t = s_n + c_n + 2 c_(n+1);  S, C = S mod 2^n, C mod 2^n
//           as 2 t1 + t0: t1 = c_(n+1) or s_n c_n, t0 = s_n xor c_n
//    5    A = table[t, x_(i-1)]
//    6  F = S + C + (t * 2^n mod M)                               0 <= F < 5M
//    7  z = F mod M                                               0 <= z < M
//
// The context brings M and t * 2^n mod M for t = 2, 4, 6, 1, 3. Step 0 adds y to the entries for t = 1, 2, 3, two
// word-serial passes each: the sign of the sum minus M, then the entry. Steps 6 and 7 are five passes: F; F - 4M; then
// 2M and M, each added to a negative number and subtracted from any other; finally M added to a negative number.
// Legal: 2^(n-1) <= M < 2^n of either parity, 0 <= x, y <= M.
//
`default_nettype none

module mm_interleaved_csa #(
  parameter int Width = 256,
  parameter int Word  = 32
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             ctx_valid_i,
  output logic            ctx_ready_o,
  input  wire  [Word-1:0] ctx_data_i,
  output logic            ctx_error_o,
  input  wire             in_valid_i,
  output logic            in_ready_o,
  input  wire  [Word-1:0] x_i,
  input  wire  [Word-1:0] y_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Word < 1) begin : gen_illegal_word
    illegal_parameter_Word_must_be_at_least_1 u_illegal ();
  end

  localparam int Beats    = (Word > 0 && Width > Word) ? (Width + Word - 1) / Word : 1;
  localparam int BeatBits = $clog2(Beats + 2);
  localparam int AddrBits = Beats > 1 ? $clog2(Beats) : 1;  // of a memory of an operand's words
  localparam int Ext      = Word > 4 ? Word : 4;  // of mm_word_adder
  localparam int TopBit   = Width - 1 - (Beats - 1) * Word;  // of M, in its last word
  localparam int TBits    = $clog2(5 * Beats);

  logic                ctx_load, in_load, out_take, pre, start, run, convert;
  logic [2:0]          ctx_word;
  logic [BeatBits-1:0] beat, res_beat;
  logic [2:0]          pass, pass_q, sum_pass_q, res_pass_q;
  logic                pre_q, sum_q, res_q, res_valid;
  logic                top, ctx_is_m, first_pass, legal_q;
  logic                x_bit, neg;
  logic [2:0]          unused_sum_top;
  logic [Word-1:0]     m_word, y_word, t_word, res;
  logic [Ext-1:0]      m;
  logic                sub, use_m;

  mm_word_frame #(
    .Beats(Beats), .CtxWords(6), .PrePasses(6), .Steps(Width), .ConvertPasses(5)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .in_load_o(in_load), .out_take_o(out_take),
    .pre_o(pre), .start_o(start), .run_o(run), .convert_o(convert),
    .ctx_word_o(ctx_word), .beat_o(beat), .pass_o(pass)
  );

  assign top        = beat == BeatBits'(Beats);
  assign ctx_is_m   = ctx_word == '0;
  assign first_pass = pass == '0;

  always_ff @(posedge clk_i) begin
    if (ctx_load && ctx_is_m && beat == BeatBits'(Beats - 1)) legal_q <= ctx_data_i[TopBit];
    // In step with the word adder's stages 2 and 3, and its result.
    pass_q     <= pass;
    sum_pass_q <= pass_q;
    res_pass_q <= sum_pass_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pre_q, sum_q, res_q} <= 3'b000;
    else         {pre_q, sum_q, res_q} <= {pre, pre_q, sum_q};
  end

  // M, y and t * 2^n mod M as memories of words, for steps 0, 6 and 7.
  mm_word_memory #(
    .Word(Word), .Depth(Beats)
  ) u_m_words (
    .clk_i, .write_i(ctx_load & ctx_is_m), .addr_i(beat[AddrBits-1:0]), .word_i(ctx_data_i), .word_o(m_word)
  );

  mm_word_memory #(
    .Word(Word), .Depth(Beats)
  ) u_y_words (
    .clk_i, .write_i(in_load), .addr_i(beat[AddrBits-1:0]), .word_i(y_i), .word_o(y_word)
  );

  // Its blocks 0 ... 4 hold t = 2, 4, 6, 1, 3, context words 1 ... 5.
  logic [2:0]       t_block;
  logic [TBits-1:0] t_addr;
  logic [2:0]       index_q;  // t and the bit of x, the address of the table

  logic [1:0]       pair, t;

  assign pair = pass[2:1];     // step 0: t - 1, two passes each
  assign t    = index_q[2:1];

  always_comb begin
    if (convert)  t_block = (t == 2'd2) ? 3'd0 : (t == 2'd1) ? 3'd3 : 3'd4;
    else if (pre) t_block = {1'b0, pair};  // 2t = 2, 4, 6
    else          t_block = ctx_word - 3'd1;
  end

  assign t_addr = TBits'(t_block) * TBits'(Beats) + TBits'(beat);

  mm_word_memory #(
    .Word(Word), .Depth(5 * Beats)
  ) u_t_words (
    .clk_i, .write_i(ctx_load & ~ctx_is_m), .addr_i(t_addr), .word_i(ctx_data_i), .word_o(t_word)
  );

  // Steps 0 and 5: the table, and the address under which it is written or read.
  logic [2:0]            addr;
  logic                  table_write, second, entry_sum;
  logic [1:0]            ctx_t;
  logic [Word-1:0]       table_word;
  logic [Beats*Word-1:0] entry;

  assign ctx_t     = ctx_word[1:0];
  assign second    = pass_q[0];  // of the pair
  assign entry_sum = res_pass_q[0];

  always_comb begin
    addr        = 3'd1;
    table_write = in_load;
    table_word  = y_i;
    if (run) begin
      addr = index_q;
    end else if (res_q) begin
      addr        = res_pass_q + 3'd2;  // (t, 1) = 2t + 1 in the second pass of the pair
      table_write = res_valid & entry_sum;
      table_word  = res;
    end else if (ctx_load) begin  // 2 * 2^n, 4 * 2^n and 6 * 2^n mod M
      addr        = {ctx_t, 1'b0};
      table_write = ~ctx_is_m & (ctx_word < 3'd4);
      table_word  = ctx_data_i;
    end
  end

  mm_word_table #(
    .Word(Word), .Beats(Beats), .AddrBits(3)
  ) u_table (
    .clk_i, .addr_i(addr),
    .write_i(table_write), .beat_i(res_q ? res_beat : beat), .word_i(table_word), .value_o(entry)
  );

  // Steps 1 to 5.
  logic [Width-1:0] s_q, c_q;
  logic [Width:0]   s;
  logic [Width+1:0] c;
  logic             unused_bits;

  mm_csa #(
    .Width(Width + 1)
  ) u_csa (
    .a_i({s_q, 1'b0}), .b_i({c_q, 1'b0}), .c_i({1'b0, entry[Width-1:0]}), .sum_o(s), .carry_o(c)
  );

  assign unused_bits = ^entry;

  always_ff @(posedge clk_i) begin
    if (start) begin  // step 1
      s_q     <= '0;
      c_q     <= '0;
      index_q <= {2'd0, x_bit};
    end else if (run) begin  // steps 3 to 5
      s_q     <= s[Width-1:0];
      c_q     <= c[Width-1:0];
      index_q <= {c[Width+1] | (s[Width] & c[Width]), s[Width] ^ c[Width], x_bit};
    end
  end

  // Steps 6 and 7, and the loading and unloading register X. Multiples of M: its words, shifted up by one or two bits,
  // which come from the word below.
  logic [1:0]     below, below_q;
  logic [Ext+1:0] m_wide;
  logic [Ext-1:0] m1, m2, m4;

  assign m1     = m_wide[Ext+1:2];
  assign m2     = m_wide[Ext:1];
  assign m4     = m_wide[Ext-1:0];
  assign below  = (beat == '0) ? 2'b00 : below_q;
  assign m_wide = {top ? {Ext{1'b0}} : Ext'(m_word), below};

  always_ff @(posedge clk_i) below_q <= m_wide[Word+1:Word];

  always_comb begin
    m = m1;
    if (convert) begin
      unique case (pass)
        3'd0:    m = top ? '0 : Ext'(t_word);
        3'd1:    m = m4;
        3'd2:    m = m2;
        default: m = m1;
      endcase
    end
  end

  always_comb begin
    unique case (pass_q)
      3'd0: begin
        sub   = 1'b0;
        use_m = t != '0;
      end
      3'd1: begin
        sub   = 1'b1;
        use_m = 1'b1;
      end
      3'd2, 3'd3: begin
        sub   = ~neg;
        use_m = 1'b1;
      end
      default: begin
        sub   = 1'b0;
        use_m = neg;
      end
    endcase
    if (pre_q) begin
      sub   = 1'b1;
      use_m = ~second | ~neg;
    end
  end

  mm_word_unit #(
    .Word(Word), .Beats(Beats), .Width(Width), .SumBits(Width), .MsbFirst(1)
  ) u_unit (
    .clk_i,
    .in_load_i(in_load), .x_i, .run_i(start | run), .pre_i(pre), .convert_i(convert),
    .first_pass_i(first_pass), .out_take_i(out_take), .beat_i(beat),
    .s_i(s_q), .c_i(c_q), .pre_a_i(y_word), .pre_b_i(t_word),
    .m_i(m), .sub_i(sub), .use_i(use_m),
    .x_bit_o(x_bit), .sum_top_o({neg, unused_sum_top}),
    .res_valid_o(res_valid), .res_beat_o(res_beat), .res_o(res), .z_o
  );

endmodule

`default_nettype wire
