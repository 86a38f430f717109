// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_cores: the cores of an engine, which take its operations in turn: operation k goes to core k mod Cores, and
// results leave in the same order. All get the same context. Whoever takes the results is always ready.
//
// Several cores, or one with Staged, have a stage of registers each in front of them, so that a core that takes no
// words does not hold up the engine in the same cycle. Behind them, and behind a gear, where words are chosen, stands a
// register; with Staged two, and one for words of a context. Between results of different cores is a cycle at least, in
// which mm_engine_feed finds where the next one goes.
//
`default_nettype none

module mm_engine_cores #(
  parameter int Word     = 16,
  parameter int Beats    = 16,
  parameter int CoreWord = 16,
  parameter int Cores    = 1,
  parameter int Staged   = 0,
  parameter int Apart    = 0,  // mm_engine_core
  // Derived, not to be set.
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire  [BeatBits-1:0] last_beat_i,
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  input  wire  [Word-1:0]     ctx_data_i,
  output logic                ctx_error_o,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  input  wire                 square_i,
  output logic                out_valid_o,
  output logic [Word-1:0]     z_o
);

  if (Cores < 1 || Cores > 4) begin : gen_illegal_cores
    illegal_parameter_Cores_must_be_1_to_4 u_illegal ();
  end

  logic [Cores-1:0]      ctx_ready, ctx_error, in_turn, in_ready, out_valid, out_turn;
  logic [Cores*Word-1:0] words;
  logic                  take, leave, ctx_valid, ctx_free;
  logic [Word-1:0]       word, ctx_data;

  assign ctx_error_o = |ctx_error;
  assign in_ready_o  = |(in_ready & in_turn);
  assign take        = in_valid_i & in_ready_o;
  assign leave       = |(out_valid & out_turn);

  for (genvar core = 0; core < Cores; core++) begin : gen_core
    logic            valid, ready, square;
    logic [Word-1:0] x, y;

    if (Cores > 1 || Staged != 0) begin : gen_stage
      mm_engine_stage #(
        .Bits(2 * Word + 1)
      ) u_stage (
        .clk_i, .rst_ni,
        .valid_i(in_valid_i & in_turn[core]), .ready_o(in_ready[core]), .data_i({square_i, y_i, x_i}),
        .valid_o(valid), .ready_i(ready), .data_o({square, y, x})
      );
    end else begin : gen_direct
      assign valid          = in_valid_i;
      assign in_ready[core] = ready;
      assign {square, y, x} = {square_i, y_i, x_i};
    end

    mm_engine_core #(
      .Word(Word), .Beats(Beats), .CoreWord(CoreWord), .Apart(Apart)
    ) u_core (
      .clk_i, .rst_ni,
      .ctx_valid_i(ctx_valid), .ctx_ready_o(ctx_ready[core]), .ctx_data_i(ctx_data),
      .ctx_error_o(ctx_error[core]),
      .in_valid_i(valid), .in_ready_o(ready), .x_i(x), .y_i(y), .square_i(square),
      .out_valid_o(out_valid[core]), .out_ready_i(out_turn[core]), .z_o(words[Word*core +: Word])
    );
  end

  // All take a word of the context at the same time. A core that is alone says whether it does: no gate makes that, and
  // with it in_ready, late.
  assign ctx_free = &ctx_ready;

  if (Staged != 0) begin : gen_context
    logic            valid_q, taken_q;  // a core that prepares itself takes its last word late, and so says this
    logic [Word-1:0] data_q;

    assign ctx_ready_o = taken_q;
    assign ctx_valid   = valid_q & (Cores == 1 | ctx_free);
    assign ctx_data    = data_q;

    always_ff @(posedge clk_i) data_q <= ctx_data_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {valid_q, taken_q} <= 2'b00;
      else begin
        valid_q <= valid_q ? ~ctx_free : ctx_valid_i & ~taken_q;
        taken_q <= valid_q & ctx_free;
      end
    end
  end else begin : gen_no_context
    assign ctx_ready_o = ctx_free;
    assign ctx_valid   = ctx_valid_i & (Cores == 1 | ctx_free);
    assign ctx_data    = ctx_data_i;
  end

  always_comb begin
    word = '0;
    for (int core = 0; core < Cores; core++) begin
      word |= {Word{out_turn[core]}} & words[Word*core +: Word];
    end
  end

  if (Cores > 1) begin : gen_turns
    logic [Cores-1:0]    in_q, out_q;
    logic [BeatBits-1:0] in_beat_q, out_beat_q;
    logic                take_last, leave_last, pause_q;

    assign take_last  = take & (in_beat_q == last_beat_i);
    assign leave_last = leave & (out_beat_q == last_beat_i);
    assign in_turn    = in_q;
    assign out_turn   = out_q & {Cores{~pause_q}};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        in_q       <= Cores'(1);
        out_q      <= Cores'(1);
        in_beat_q  <= '0;
        out_beat_q <= '0;
        pause_q    <= 1'b0;
      end else begin
        if (take)       in_beat_q  <= take_last ? '0 : in_beat_q + 1'b1;
        if (leave)      out_beat_q <= leave_last ? '0 : out_beat_q + 1'b1;
        if (take_last)  in_q       <= {in_q[Cores-2:0], in_q[Cores-1]};
        if (leave_last) out_q      <= {out_q[Cores-2:0], out_q[Cores-1]};
        pause_q <= leave_last;
      end
    end
  end else begin : gen_alone
    logic unused_last;

    assign in_turn     = 1'b1;
    assign out_turn    = 1'b1;
    assign unused_last = ^{last_beat_i, take};
  end

  if (Staged != 0) begin : gen_registers  // two: one for the way
    logic            valid_q;
    logic [Word-1:0] word_q;

    always_ff @(posedge clk_i) begin
      word_q <= word;
      z_o    <= word_q;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {out_valid_o, valid_q} <= 2'b00;
      else         {out_valid_o, valid_q} <= {valid_q, leave};
    end
  end else if (Cores > 1 || CoreWord != Word) begin : gen_register
    always_ff @(posedge clk_i) z_o <= word;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) out_valid_o <= 1'b0;
      else         out_valid_o <= leave;
    end
  end else begin : gen_direct
    assign out_valid_o = leave;
    assign z_o         = word;
  end

endmodule

`default_nettype wire
