// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm: Cores cores (mm_farm_core, which Python writes) behind the port list of one. They stand in Columns
// columns of Cores / Columns stations each. Operation k goes to column k mod Columns, and there to station
// k / Columns mod (Cores / Columns); results leave in the same order.
//    1  operands are accepted Pace cycles after those before at the earliest, and if their column is free
//    2  their beats are collected by the column, and go on word by word                   mm_sys_farm_feed
//    3  each station takes one operation, and lets those for the stations behind it pass  mm_sys_farm_station
//    4  its core multiplies
//    5  each station lets the results of the stations in front of it pass, and adds one   mm_sys_farm_station
//    6  the words are collected, and leave as beats when it is the column's turn          mm_sys_farm_collect
//    7  a context goes through all columns at the same time; each station keeps a copy    mm_sys_farm_station
//    8  behind its last word a token asks all cores whether they refuse it; that word is taken at the port when the
//       token has come back from all columns
//
// Pace is that of the core: what Cores of them take in its interval. So every station finds its core free, no word
// waits for another one, and operations are as far apart as their results.
//
// Context: a header of as many beats as it needs, then the words of the core's context, one a beat. From the lowest bit
// up the header holds the number of these words, the words of an operand, its beats, and Pace, each less one.
//
// Between any two stations are registers, for words and for what holds them up. So nothing gets longer with Cores but
// what chooses between columns. That stands at the port, as do the ends of all columns, which collect operands and
// results; the way to their first stations has a cycle of its own.
//
`default_nettype none

module mm_sys_farm #(
  parameter int Word         = 16,
  parameter int CoreWord     = 16,
  parameter int Beats        = 16,  // words of the core's longest operand
  parameter int ContextWords = 17,  // of its longest context
  parameter int Cores        = 4,
  parameter int Columns      = 1,
  parameter int Queue        = 0,   // operations that wait at a station
  parameter int PaceBits     = 9,
  parameter int InFlight     = 12   // operations
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Word-1:0]  ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Word-1:0]  x_i,
  input  wire  [Word-1:0]  y_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Word-1:0]  z_o
);

  if (Cores < 1 || Cores > 512) begin : gen_illegal_cores
    illegal_parameter_Cores_must_be_1_to_512 u_illegal ();
  end
  if (Columns < 1 || (Columns > 0 && Cores % Columns != 0)) begin : gen_illegal_columns
    illegal_parameter_Columns_must_divide_Cores u_illegal ();
  end
  if (Queue < 0 || Queue > 1) begin : gen_illegal_queue
    illegal_parameter_Queue_must_be_0_or_1 u_illegal ();
  end

  localparam int PortBeats  = (Beats * CoreWord + Word - 1) / Word;
  localparam int PortBits   = PortBeats > 1 ? $clog2(PortBeats) : 1;
  localparam int WordBits   = Beats > 1 ? $clog2(Beats) : 1;
  localparam int CtxBits    = ContextWords > 1 ? $clog2(ContextWords) : 1;
  localparam int HeaderBits = CtxBits + WordBits + PortBits + PaceBits;
  localparam int Headers    = (HeaderBits + Word - 1) / Word;
  localparam int HeadBits   = Headers > 1 ? $clog2(Headers) : 1;
  localparam int CountBits  = $clog2(InFlight + 1);
  localparam int Some       = Columns > 0 ? Columns : 1;
  localparam int Stations   = Cores / Some > 0 ? Cores / Some : 1;

  // --- the context: steps 7 and 8 ---

  logic [Headers*Word-1:0] header_q;
  logic [CtxBits-1:0]      ctx_last_word, ctx_word_q;
  logic [WordBits-1:0]     last_word;
  logic [PortBits-1:0]     last_beat;
  logic [PaceBits-1:0]     pace;
  logic [HeadBits-1:0]     head_q;
  logic                    in_words_q, ctx_last_q, settled_q, ctx_free, ctx_load, copy, legal_q;
  logic                    token_valid_q, token_check_q, token_go, sent_q, asked, answered_q;
  logic [CoreWord-1:0]     token_q;
  logic [Some-1:0]         token_ready, answer, refused, answers_q;
  logic                    idle_q, full_q;
  logic                    unused_header;

  assign {pace, last_beat, last_word, ctx_last_word} = header_q[HeaderBits-1:0];
  assign unused_header = ^header_q;

  assign ctx_free = idle_q & settled_q & ~token_valid_q & (~ctx_last_q | answered_q);
  assign copy     = ctx_valid_i & idle_q & settled_q & ctx_last_q & ~sent_q & ~token_valid_q;
  assign token_go = token_valid_q & (&token_ready);
  assign asked    = sent_q & (&(answers_q | answer));

  always_ff @(posedge clk_i) begin
    if (ctx_load && !in_words_q) header_q <= (Headers*Word)'({ctx_data_i, header_q} >> Word);
    if (copy || ctx_load) token_q <= ctx_data_i[CoreWord-1:0];
    else if (token_go)    token_q <= '0;
    if (!sent_q) legal_q <= legal_q | copy;
    else if (|(answer & refused)) legal_q <= 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q        <= '0;
      in_words_q    <= 1'b0;
      ctx_word_q    <= '0;
      ctx_last_q    <= 1'b0;
      settled_q     <= 1'b1;
      token_valid_q <= 1'b0;
      token_check_q <= 1'b0;
      sent_q        <= 1'b0;
      answered_q    <= 1'b0;
      answers_q     <= '0;
    end else begin
      if (ctx_load && !in_words_q) begin
        head_q     <= head_q == HeadBits'(Headers - 1) ? '0 : head_q + 1'b1;
        in_words_q <= head_q == HeadBits'(Headers - 1);
      end
      if (ctx_load && in_words_q) begin
        ctx_word_q <= ctx_last_q ? '0 : ctx_word_q + 1'b1;
        if (ctx_last_q) in_words_q <= 1'b0;
      end
      // Right in the second cycle behind a beat: until then none is taken.
      ctx_last_q <= in_words_q & (ctx_word_q == ctx_last_word);
      settled_q  <= ~ctx_load;
      // The last word stays as it is until it is taken, so it goes ahead; the token that asks is behind it.
      if (copy || (ctx_load && in_words_q && !ctx_last_q)) token_valid_q <= 1'b1;
      else if (token_go) token_valid_q <= sent_q & ~token_check_q;
      if (token_go) token_check_q <= sent_q & ~token_check_q;
      sent_q     <= (sent_q | copy) & ~(ctx_load & ctx_last_q);
      answers_q  <= answered_q ? '0 : answers_q | answer;
      answered_q <= (answered_q | asked) & ~(ctx_load & ctx_last_q);
    end
  end

  // --- the operands: step 1 ---

  logic [Word-1:0]      x_q, y_q;
  logic [PortBits-1:0]  in_beat_q;
  logic [Some-1:0]      in_turn_q, load_q, column_free;
  logic                 in_free, in_last, in_load, in_part, in_first, load_last_q, paced_q;
  logic [PaceBits-1:0]  pace_q;
  logic [CountBits-1:0] count_q;
  logic                 out_gone;

  assign in_last = in_beat_q == last_beat;
  assign in_free = in_part | (paced_q & ~full_q & (|(column_free & in_turn_q)));

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(ctx_free), .ctx_last_i(ctx_last_q), .ctx_legal_i(legal_q), .in_free_i(in_free), .in_last_i(in_last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(in_part)
  );

  assign in_first = in_load & ~in_part;

  always_ff @(posedge clk_i) begin
    x_q         <= x_i;
    y_q         <= y_i;
    load_last_q <= in_last;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_beat_q <= '0;
      in_turn_q <= Some'(1);
      load_q    <= '0;
      pace_q    <= '0;
      paced_q   <= 1'b1;
      count_q   <= '0;
      full_q    <= 1'b0;
      idle_q    <= 1'b1;
    end else begin
      if (in_load) in_beat_q <= in_last ? '0 : in_beat_q + 1'b1;
      if (in_load && in_last) in_turn_q <= Some'({in_turn_q, in_turn_q} >> (Some - 1));
      load_q <= {Some{in_load}} & in_turn_q;
      if (in_first) begin
        pace_q  <= pace;
        paced_q <= pace == '0;
      end else if (!paced_q) begin
        pace_q  <= pace_q - 1'b1;
        paced_q <= pace_q == PaceBits'(1);
      end
      // What the count is to be is not waited for to say whether it is the first or the last one.
      if (in_first && !out_gone) begin
        count_q <= count_q + 1'b1;
        full_q  <= count_q == CountBits'(InFlight - 1);
        idle_q  <= 1'b0;
      end else if (!in_first && out_gone) begin
        count_q <= count_q - 1'b1;
        full_q  <= 1'b0;
        idle_q  <= count_q == CountBits'(1);
      end
    end
  end

  // --- the columns: steps 2 to 6 ---

  logic [Some-1:0]      out_there, out_turn_q, out_take;
  logic [Some*Word-1:0] out_words;
  logic [Word-1:0]      out_word;
  logic [PortBits-1:0]  out_beat_q;
  logic                 out_valid, out_ready, out_last, gone_last;

  for (genvar i = 0; i < Columns; i++) begin : gen_column
    mm_sys_farm_column #(
      .Word(Word), .CoreWord(CoreWord), .Beats(Beats), .Stations(Stations), .Queue(Queue)
    ) u_column (
      .clk_i, .rst_ni, .last_word_i(last_word),
      .token_i(token_valid_q), .token_go_i(token_go), .token_ready_o(token_ready[i]), .token_check_i(token_check_q),
      .token_word_i(token_q),
      .answer_o(answer[i]), .refused_o(refused[i]),
      .free_o(column_free[i]), .take_i(in_first & in_turn_q[i]),
      .load_i(load_q[i]), .load_last_i(load_last_q), .x_i(x_q), .y_i(y_q),
      .out_there_o(out_there[i]), .out_take_i(out_take[i]), .out_last_i(out_last),
      .z_o(out_words[Word*i +: Word])
    );
  end

  assign out_valid = |(out_there & out_turn_q);
  assign out_take  = out_turn_q & {Some{out_valid & out_ready}};
  assign out_last  = out_beat_q == last_beat;

  always_comb begin
    out_word = '0;
    for (int i = 0; i < Some; i++) out_word |= {Word{out_turn_q[i]}} & out_words[Word*i +: Word];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_turn_q <= Some'(1);
      out_beat_q <= '0;
    end else if (out_valid && out_ready) begin
      out_beat_q <= out_last ? '0 : out_beat_q + 1'b1;
      if (out_last) out_turn_q <= Some'({out_turn_q, out_turn_q} >> (Some - 1));
    end
  end

  mm_engine_stage #(
    .Bits(Word + 1)
  ) u_port (
    .clk_i, .rst_ni,
    .valid_i(out_valid), .ready_o(out_ready), .data_i({out_last, out_word}),
    .valid_o(out_valid_o), .ready_i(out_ready_i), .data_o({gone_last, z_o})
  );

  assign out_gone = out_valid_o & out_ready_i & gone_last;

endmodule

`default_nettype wire
