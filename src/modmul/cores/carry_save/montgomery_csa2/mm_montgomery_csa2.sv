// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_csa2: z = x * y * 2^-Width mod M, Montgomery multiplication with two carry-save adders
// (Amanor et al., Section 2.2, Algorithm 2 with its reference [5]).
//
// Steps (Algorithm 2, its line numbers, the sum P kept as S + C; n = Width)
//    1  S = C = 0
//    2  for i = 0 ... n-1, one bit a cycle
//    3    S, C = CSA(S, C, x_i * y)                               S + C < M + 2y
//    4    q = S_0;  S, C = CSA(S, C, q * M)                       S + C < 2M + 2y, even
//    5    S, C = S / 2, C / 2                                     S + C < M + y
//    6  P = S + C;  z = P - M if P >= M, else P                   0 <= z < M
//
// Step 6 goes word by word, in two passes: X = S + C - M, then M is added back if X is negative.
// Legal: odd M < 2^n, 0 <= x, y <= M.
//
`default_nettype none

module mm_montgomery_csa2 #(
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

  logic                ctx_load, in_load, out_take, start, run, convert;
  logic                unused_pre, unused_ctx_word;
  logic [BeatBits-1:0] beat;
  logic                pass, second_q;
  logic                legal_q;
  logic                x_bit, neg;
  logic                unused_res_valid;
  logic [BeatBits-1:0] unused_res_beat;
  logic [2:0]          unused_sum_top;
  logic [Word-1:0]     m_word, unused_res;
  logic [Width-1:0]    y, m;
  logic [Width:0]      s_q, c_q;

  mm_word_frame #(
    .Beats(Beats), .CtxWords(1), .PrePasses(0), .Steps(Width), .ConvertPasses(2)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .in_load_o(in_load), .out_take_o(out_take),
    .pre_o(unused_pre), .start_o(start), .run_o(run), .convert_o(convert),
    .ctx_word_o(unused_ctx_word), .beat_o(beat), .pass_o(pass)
  );

  always_ff @(posedge clk_i) begin
    if (ctx_load && beat == '0) legal_q <= ctx_data_i[0];  // M odd
  end

  // The loading registers of y and M, and M also in a memory of words, for step 6.
  mm_word_register #(
    .Width(Width), .Word(Word)
  ) u_y (
    .clk_i, .load_i(in_load), .beat_i(beat), .word_i(y_i), .value_o(y)
  );

  mm_word_register #(
    .Width(Width), .Word(Word)
  ) u_m (
    .clk_i, .load_i(ctx_load), .beat_i(beat), .word_i(ctx_data_i), .value_o(m)
  );

  mm_word_memory #(
    .Word(Word), .Depth(Beats)
  ) u_m_words (
    .clk_i, .write_i(ctx_load), .addr_i(beat[AddrBits-1:0]), .word_i(ctx_data_i), .word_o(m_word)
  );

  // Step 3: s1 + c1 < 3M < 2^(n+2). Step 4: s2 + c2 < 4M < 2^(n+2), so bit n+2 of c2 is 0, and so
  // are the lowest bits, which step 5 drops.
  logic [Width:0]   s1;
  logic [Width+1:0] c1, s2;
  logic [Width+2:0] c2;
  logic             unused_zeros;

  mm_csa #(
    .Width(Width + 1)
  ) u_csa_y (
    .a_i(s_q), .b_i(c_q), .c_i({1'b0, y & {Width{x_bit}}}), .sum_o(s1), .carry_o(c1)
  );

  mm_csa #(
    .Width(Width + 2)
  ) u_csa_m (
    .a_i({1'b0, s1}), .b_i(c1), .c_i({2'b00, m & {Width{s1[0]}}}), .sum_o(s2), .carry_o(c2)
  );

  assign unused_zeros = ^{s2[0], c2[0], c2[Width+2]};

  always_ff @(posedge clk_i) begin
    if (start) begin  // step 1
      s_q <= '0;
      c_q <= '0;
    end else if (run) begin  // steps 3 to 5
      s_q <= s2[Width+1:1];
      c_q <= c2[Width+1:1];
    end
  end

  // Step 6, and the loading and unloading register X.
  logic [Ext-1:0] m_ext;

  assign m_ext = (beat == BeatBits'(Beats)) ? '0 : Ext'(m_word);

  mm_word_unit #(
    .Word(Word), .Beats(Beats), .Width(Width), .SumBits(Width + 1)
  ) u_unit (
    .clk_i,
    .in_load_i(in_load), .x_i, .run_i(run), .pre_i(1'b0), .convert_i(convert),
    .first_pass_i(~pass), .out_take_i(out_take), .beat_i(beat),
    .s_i(s_q), .c_i(c_q), .pre_a_i({Word{1'b0}}), .pre_b_i({Word{1'b0}}),
    .m_i(m_ext),
    .sub_i(~second_q), .use_i(~second_q | neg),
    .x_bit_o(x_bit), .sum_top_o({neg, unused_sum_top}),
    .res_valid_o(unused_res_valid), .res_beat_o(unused_res_beat), .res_o(unused_res), .z_o
  );

  always_ff @(posedge clk_i) second_q <= pass;

endmodule

`default_nettype wire
