// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_frame: what every power x^e mod M needs around its schedule: the ports, the context, the operands, a core, the
// digits of the exponent, and the way of the result. mm_sys_rsa_crt_power is a schedule in this frame: it says what the
// core multiplies, and when.
//
// Memories. A takes x, then each result of the core that is neither to leave nor kept out by a_skip_i, and words of the
// schedule's own (a_write_i). E takes y, the exponent, which mm_sys_exponent cuts into digits of Window bits. Both are
// read with the words of an operand, at feed_beat_o.
//
// Schedule. start_o comes with the last word of the operands; idle_i falls after it, until done_o comes with the last
// word of the result. In between the schedule offers operands of the core, word by word, with feed_i; fed_o takes a
// word, fed_last_o the last one. Results come as words, with word_o. A word of a result may be fed once it has come:
// arrived_o says so for the word at feed_beat_o. With leave_i high, results that begin from then on leave; words of an
// earlier one do not. With plain_i high, E is read at feed_beat_o for a product x y in place of a power.
//
// A core beside the one in here, if the schedule has one, takes the same context: ctx_valid_o, other_ready_i and
// other_error_i. A beat waits until both take it.
//
`default_nettype none

module mm_sys_frame #(
  parameter int Word          = 256,
  parameter int Beats         = 1,  // of an operand of the core, at most
  parameter int ContextBeats  = 1,  // of its context, at most
  parameter int ExponentBeats = 1,  // at most
  parameter int Window        = 1,  // bits of a digit
  parameter int ComputeR2     = 0,  // 1: R mod M and R^2 mod M do not come with the context (mm_sys_unit)
  parameter int RadixBits     = 1,  // then, of log2 R
  // Derived, not to be set.
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int SizeBits = $clog2(Window + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // The ports of the system.
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  input  wire  [Word-1:0]     ctx_data_i,
  output logic                ctx_error_o,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  input  wire                 product_i,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Word-1:0]     z_o,
  // A core beside.
  output logic                ctx_valid_o,
  input  wire                 other_ready_i,
  input  wire                 other_error_i,
  // The constants 1 or R mod M and R^2 mod M, as the context is loaded.
  output logic                root_load_o,
  output logic                root_square_o,  // R^2
  output logic [BeatBits-1:0] root_beat_o,
  output logic [Word-1:0]     root_word_o,
  // From the first word to the last.
  input  wire                 idle_i,
  output logic                start_o,
  output logic                product_o,      // what product_i was
  input  wire                 leave_i,
  input  wire                 plain_i,
  output logic                done_o,
  output logic [BeatBits-1:0] last_beat_o,    // of an operand of the core
  // Digits of the exponent.
  output logic                digit_valid_o,
  output logic [Window-1:0]   digit_o,
  output logic [SizeBits-1:0] digit_size_o,
  output logic                digit_last_o,
  input  wire                 digit_next_i,
  // Operands of the core.
  output logic [Word-1:0]     a_word_o,
  output logic [Word-1:0]     e_word_o,
  output logic [BeatBits-1:0] feed_beat_o,
  output logic                arrived_o,
  input  wire                 feed_i,
  output logic                feed_ready_o,
  output logic                fed_o,
  output logic                fed_last_o,
  input  wire  [Word-1:0]     core_x_i,
  input  wire  [Word-1:0]     core_y_i,
  input  wire                 square_i,
  input  wire                 chain_i,
  input  wire                 keep_i,
  // Results of the core.
  output logic                result_o,
  output logic                result_first_o,
  output logic                result_last_o,
  output logic                result_part_o,  // some words of a result have come, some have not
  output logic [BeatBits-1:0] result_beat_o,
  output logic [Word-1:0]     word_o,
  // What A takes.
  input  wire                 a_skip_i,
  input  wire                 a_write_i,
  input  wire  [BeatBits-1:0] a_beat_i,
  input  wire  [Word-1:0]     a_word_i
);

  localparam int InBeats  = Beats > ExponentBeats ? Beats : ExponentBeats;
  localparam int ExpBits  = ExponentBeats > 1 ? $clog2(ExponentBeats) : 1;
  localparam int InBits   = InBeats > 1 ? $clog2(InBeats) : 1;
  localparam int TopBits  = $clog2(Word + 1);
  localparam int PlanBits = 2 * RadixBits + $clog2(RadixBits + 1) + 2;

  localparam logic [InBits:0] LastWord = (InBits+1)'(Beats - 1);

  // ---------------------------------------------------------------- context and operands
  logic [BeatBits-1:0] load_beat;
  logic [PlanBits-1:0] plan;
  logic [ExpBits-1:0]  last_exp;
  logic [InBits-1:0]   last_in, in_beat;
  logic [TopBits-1:0]  top;
  logic                ctx_valid, ctx_ready, error, core_ctx_valid, core_ctx_ready, core_error;
  logic                load, load_square, commit, commit_ready, in_load, in_part, in_last;

  mm_sys_context #(
    .Word(Word),
    .Beats(Beats),
    .ContextBeats(ContextBeats),
    .ExponentBeats(ExponentBeats),
    .ComputeR2(ComputeR2),
    .PlanBits(PlanBits)
  ) u_context (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o,
    .free_i(idle_i), .core_ready_i(ctx_ready), .core_error_i(error), .core_valid_o(ctx_valid),
    .load_o(load), .load_square_o(load_square), .load_beat_o(load_beat),
    .commit_o(commit), .commit_ready_i(commit_ready), .plan_o(plan),
    .in_load_o(in_load), .in_part_o(in_part), .in_last_o(in_last), .in_beat_o(in_beat),
    .last_beat_o, .last_exp_o(last_exp), .last_in_o(last_in), .top_o(top)
  );

  assign ctx_ready      = core_ctx_ready & other_ready_i;
  assign core_ctx_valid = ctx_valid & other_ready_i;
  assign ctx_valid_o    = ctx_valid & core_ctx_ready;
  assign error          = core_error | other_error_i;

  assign start_o = in_load & in_last;

  always_ff @(posedge clk_i) begin
    if (in_load && !in_part) product_o <= product_i;
  end

  // ---------------------------------------------------------------- the exponent
  logic [ExpBits-1:0] digit_beat;
  logic [InBits-1:0]  e_beat;

  assign e_beat = plain_i ? InBits'(feed_beat_o) : InBits'(digit_beat);

  mm_word_ram #(
    .Word(Word),
    .Depth(InBeats)
  ) u_e (
    .clk_i, .write_i(in_load), .write_addr_i(in_beat), .word_i(y_i),
    .read_addr_i(e_beat), .word_o(e_word_o)
  );

  mm_sys_exponent #(
    .Word(Word),
    .Beats(ExponentBeats),
    .Window(Window)
  ) u_exponent (
    .clk_i, .rst_ni,
    .start_i(start_o), .last_word_i(last_exp), .top_i(top), .beat_o(digit_beat), .word_i(e_word_o),
    .valid_o(digit_valid_o), .digit_o, .size_o(digit_size_o), .last_o(digit_last_o), .next_i(digit_next_i)
  );

  // ---------------------------------------------------------------- the core
  logic core_out_valid, core_out_ready;

  assign fed_o      = feed_i & feed_ready_o;
  assign fed_last_o = fed_o & (feed_beat_o == last_beat_o);
  assign arrived_o  = ~result_part_o | (feed_beat_o < result_beat_o);

  mm_sys_unit #(
    .Word(Word),
    .Beats(Beats),
    .ComputeR2(ComputeR2),
    .RadixBits(RadixBits)
  ) u_unit (
    .clk_i, .rst_ni,
    .ctx_valid_i(core_ctx_valid), .ctx_ready_o(core_ctx_ready), .ctx_data_i, .ctx_error_o(core_error),
    .load_i(load), .load_square_i(load_square), .load_beat_i(load_beat),
    .commit_i(commit), .ready_o(commit_ready), .last_beat_i(last_beat_o), .plan_i(plan),
    .root_load_o, .root_square_o, .root_beat_o, .root_word_o,
    .in_valid_i(feed_i), .in_ready_o(feed_ready_o), .x_i(core_x_i), .y_i(core_y_i),
    .square_i, .chain_i, .keep_i,
    .out_valid_o(core_out_valid), .out_ready_i(core_out_ready), .z_o(word_o)
  );

  // ---------------------------------------------------------------- results: they leave, or go to A
  logic              leaving, a_write;
  logic              rest_q;  // the words of a result that is not to leave, behind the first
  logic              fill_q;  // zeros follow the result, where the exponent is longer than an operand
  logic [InBits-1:0] out_beat_q;
  logic [Word-1:0]   a_next;

  logic [BeatBits-1:0] a_beat;

  assign leaving     = leave_i & ~rest_q;
  assign out_valid_o = (leaving & core_out_valid) | fill_q;
  assign z_o         = word_o & {Word{~fill_q}};
  assign done_o      = out_valid_o & out_ready_i & (out_beat_q == last_in);

  assign core_out_ready = ~leaving | out_ready_i;
  assign result_o       = core_out_valid & core_out_ready;
  assign result_first_o = result_o & ~result_part_o;
  assign result_last_o  = result_o & (result_beat_o == last_beat_o);

  assign a_write = (in_load & ({1'b0, in_beat} <= LastWord)) | (result_o & ~leaving & ~a_skip_i) | a_write_i;

  always_comb begin
    if (idle_i) begin
      a_next = x_i;
      a_beat = BeatBits'(in_beat);
    end else if (a_write_i) begin
      a_next = a_word_i;
      a_beat = a_beat_i;
    end else begin
      a_next = word_o;
      a_beat = result_beat_o;
    end
  end

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_a (
    .clk_i, .write_i(a_write), .write_addr_i(a_beat), .word_i(a_next),
    .read_addr_i(feed_beat_o), .word_o(a_word_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_beat_q    <= '0;
      fill_q        <= 1'b0;
      feed_beat_o   <= '0;
      result_part_o <= 1'b0;
      rest_q        <= 1'b0;
      result_beat_o <= '0;
    end else begin
      if (out_valid_o && out_ready_i)       out_beat_q <= done_o ? '0 : out_beat_q + 1'b1;
      if (done_o)                           fill_q     <= 1'b0;
      else if (leaving && result_last_o)    fill_q     <= 1'b1;
      if (fed_o) feed_beat_o <= fed_last_o ? '0 : feed_beat_o + 1'b1;
      if (result_o) begin
        result_part_o <= ~result_last_o;
        rest_q        <= ~result_last_o & ~leaving;
        result_beat_o <= result_last_o ? '0 : result_beat_o + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
