// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_csa1: z = x * y * 2^-Width mod M, Montgomery multiplication with one carry-save adder and
// a look-up table (Amanor et al., Section 2.2, Fig. 2).
//
// Steps (the paper's Algorithm 2 with Fig. 2's table, the sum P kept as S + C; n = Width)
//    0  table: 0, y, M, y + M
//    1  S = C = 0
//    2  for i = 0 ... n-1, one bit a cycle
//    3    q = S_0 xor C_0 xor x_i * y_0;  A = table[q, x_i] = x_i * y + q * M;  the index q, x_i is made
//           at the end of the cycle before, from the bits that become S_0 and C_0
//    4    S, C = CSA(S, C, A)                                     S + C < 2M + 2y, even
//    5    S, C = S / 2, C / 2                                     S + C < M + y
//    6  P = S + C;  z = P - M if P >= M, else P                   0 <= z < M
//
// M enters the table with the context, y while it is loaded; step 0 computes y + M word by word, in one pass. Step 6
// goes word by word, in two passes: X = S + C - M, then M is added back if X is negative.
// Legal: odd M < 2^n, 0 <= x, y <= M.
//
`default_nettype none

module mm_montgomery_csa1 #(
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

  logic                ctx_load, in_load, out_take, pre, start, run, convert;
  logic                unused_ctx_word;
  logic [BeatBits-1:0] beat, res_beat;
  logic                pass, second_q, pre_q, sum_q, res_q;
  logic                res_valid;
  logic                legal_q, y0_q;
  logic                x_bit, neg, ym_top;
  logic [1:0]          index_q;  // q and the bit of x
  logic [1:0]          unused_sum_top;
  logic [Word-1:0]     m_word, y_word, res;

  mm_word_frame #(
    .Beats(Beats), .CtxWords(1), .PrePasses(1), .Steps(Width), .ConvertPasses(2)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .in_load_o(in_load), .out_take_o(out_take),
    .pre_o(pre), .start_o(start), .run_o(run), .convert_o(convert),
    .ctx_word_o(unused_ctx_word), .beat_o(beat), .pass_o(pass)
  );

  always_ff @(posedge clk_i) begin
    if (ctx_load && beat == '0) legal_q <= ctx_data_i[0];  // M odd
    if (in_load && beat == '0)  y0_q    <= y_i[0];
    second_q <= pass;
  end

  // In step with the word adder's stages 2 and 3, and its result.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {pre_q, sum_q, res_q} <= 3'b000;
    else         {pre_q, sum_q, res_q} <= {pre, pre_q, sum_q};
  end

  // y and M as memories of words, for steps 0 and 6.
  mm_word_memory #(
    .Word(Word), .Depth(Beats)
  ) u_m_words (
    .clk_i, .write_i(ctx_load), .addr_i(beat[AddrBits-1:0]), .word_i(ctx_data_i), .word_o(m_word)
  );

  mm_word_memory #(
    .Word(Word), .Depth(Beats)
  ) u_y_words (
    .clk_i, .write_i(in_load), .addr_i(beat[AddrBits-1:0]), .word_i(y_i), .word_o(y_word)
  );

  // Steps 0 and 3: the table, and the address under which it is written or read.
  logic [1:0]            addr;
  logic [Word-1:0]       table_word;
  logic [Beats*Word-1:0] entry;
  logic [Beats*Word:0]   a;
  logic [Width:0]        s_q, c_q;

  always_comb begin
    addr       = 2'd1;
    table_word = y_i;
    if (run) begin
      addr = index_q;
    end else if (res_q) begin
      addr       = 2'd3;
      table_word = res;
    end else if (ctx_load) begin
      addr       = 2'd2;
      table_word = ctx_data_i;
    end
  end

  mm_word_table #(
    .Word(Word), .Beats(Beats), .AddrBits(2)
  ) u_table (
    .clk_i, .addr_i(addr),
    .write_i(ctx_load | in_load | (res_q & res_valid)), .beat_i(res_q ? res_beat : beat),
    .word_i(table_word), .value_o(entry)
  );

  // Bit n of y + M is the top word of step 0's sum when Word divides Width.
  assign a = {ym_top & (&index_q), entry};

  // Step 4: s + c < 4M < 2^(n+2), and the lowest bits, which step 5 drops, are 0.
  logic [Width:0]   s;
  logic [Width+1:0] c;
  logic             unused_bits;

  mm_csa #(
    .Width(Width + 1)
  ) u_csa (
    .a_i(s_q), .b_i(c_q), .c_i(a[Width:0]), .sum_o(s), .carry_o(c)
  );

  assign unused_bits = ^{s[0], c[0], a};

  always_ff @(posedge clk_i) begin
    if (start) begin  // step 1
      s_q     <= '0;
      c_q     <= '0;
      index_q <= {x_bit & y0_q, x_bit};
    end else if (run) begin  // steps 3 to 5
      s_q     <= {1'b0, s[Width:1]};
      c_q     <= c[Width+1:1];
      index_q <= {s[1] ^ c[1] ^ (x_bit & y0_q), x_bit};
    end
  end

  // Steps 0 and 6, and the loading and unloading register X.
  logic [Ext-1:0] m_ext;

  assign m_ext = (beat == BeatBits'(Beats)) ? '0 : Ext'(m_word);

  mm_word_unit #(
    .Word(Word), .Beats(Beats), .Width(Width), .SumBits(Width + 1)
  ) u_unit (
    .clk_i,
    .in_load_i(in_load), .x_i, .run_i(start | run), .pre_i(pre), .convert_i(convert),
    .first_pass_i(~pass), .out_take_i(out_take), .beat_i(beat),
    .s_i(s_q), .c_i(c_q), .pre_a_i(y_word), .pre_b_i({Word{1'b0}}),
    .m_i(m_ext),
    .sub_i(~pre_q & ~second_q), .use_i(pre_q | ~second_q | neg),
    .x_bit_o(x_bit), .sum_top_o({neg, unused_sum_top, ym_top}),
    .res_valid_o(res_valid), .res_beat_o(res_beat), .res_o(res), .z_o
  );

endmodule

`default_nettype wire
