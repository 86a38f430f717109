// SPDX-License-Identifier: Apache-2.0
//
// mm_word_frame: control of a core that is loaded and unloaded word by word around a loop over the
// bits of one operand. Its states are the five of Amanor et al., Section 3.1, with the word-serial passes
// that the paper leaves out ("preprocessing" and "final conversion") made explicit.
//
//   state     Amanor et al.        lasts (K = Beats)       what happens
//   LOAD      Idle, Loading        K beats                 context or operands come in, a word a beat
//   PRE                            PrePasses * (K+2)       word-serial precomputation
//   START     Loading Complete     1                       the loop's registers are cleared
//   RUN       Running              Steps                   the loop
//   CONVERT                        ConvertPasses * (K+2)   word-serial conversion and reduction
//   UNLOAD    Finished             K beats                 the result goes out, a word a beat
//
// A pass issues words 0 ... K, the last one being the bits above the operand, and waits one cycle for
// the adder (mm_word_adder).
// The context is CtxWords words of K beats. When the last beat has come, legal_i says whether the core can serve it
// (mm_context_gate).
// Latency from the last operand beat: 2 + Steps + (PrePasses + ConvertPasses) * (K+2).
//
`default_nettype none

module mm_word_frame #(
  parameter int Beats         = 8,
  parameter int CtxWords      = 1,
  parameter int PrePasses     = 0,
  parameter int Steps         = 256,
  parameter int ConvertPasses = 2,
  // Derived, not to be set.
  parameter int BeatBits = $clog2(Beats + 2),
  parameter int CtxBits  = CtxWords > 1 ? $clog2(CtxWords) : 1,
  parameter int MaxPass  = PrePasses > ConvertPasses ? PrePasses : ConvertPasses,
  parameter int PassBits = MaxPass > 1 ? $clog2(MaxPass) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  output logic                ctx_error_o,
  input  wire                 legal_i,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  // Strobes: a context beat, an operand beat and a result beat change hands.
  output logic                ctx_load_o,
  output logic                in_load_o,
  output logic                out_take_o,
  // States of the core.
  output logic                pre_o,
  output logic                start_o,
  output logic                run_o,
  output logic                convert_o,
  // Position within them: context word, beat and pass.
  output logic [CtxBits-1:0]  ctx_word_o,
  output logic [BeatBits-1:0] beat_o,
  output logic [PassBits-1:0] pass_o
);

  localparam int StepBits = Steps > 1 ? $clog2(Steps) : 1;
  localparam logic [BeatBits-1:0] LastBeat    = BeatBits'(Beats - 1);
  localparam logic [BeatBits-1:0] PassEnd     = BeatBits'(Beats + 1);
  localparam logic [CtxBits-1:0]  LastCtx     = CtxBits'(CtxWords - 1);
  localparam logic [StepBits-1:0] LastStep    = StepBits'(Steps - 1);
  localparam logic [PassBits-1:0] LastPre     = PassBits'(PrePasses > 0 ? PrePasses - 1 : 0);
  localparam logic [PassBits-1:0] LastConvert = PassBits'(ConvertPasses - 1);

  typedef enum logic [2:0] {LOAD, PRE, START, RUN, CONVERT, UNLOAD} state_e;

  state_e              state_q;
  logic [CtxBits-1:0]  ctx_word_q;
  logic [BeatBits-1:0] beat_q;
  logic [PassBits-1:0] pass_q;
  logic [StepBits-1:0] step_q;
  logic                loading, last_beat, last_word, pass_end;
  logic                unused_in_part;

  assign loading   = state_q == LOAD;
  assign last_beat = beat_q == LastBeat;
  assign last_word = ctx_word_q == LastCtx;
  assign pass_end  = beat_q == PassEnd;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(loading), .ctx_last_i(last_beat & last_word), .ctx_legal_i(legal_i),
    .in_free_i(loading), .in_last_i(last_beat),
    .ctx_load_o, .in_load_o, .in_part_o(unused_in_part)
  );

  assign out_valid_o = state_q == UNLOAD;
  assign out_take_o  = out_valid_o & out_ready_i;

  assign pre_o      = state_q == PRE;
  assign start_o    = state_q == START;
  assign run_o      = state_q == RUN;
  assign convert_o  = state_q == CONVERT;
  assign ctx_word_o = ctx_word_q;
  assign beat_o     = beat_q;
  assign pass_o     = pass_q;

  always_ff @(posedge clk_i) begin
    step_q <= run_o ? step_q + 1'b1 : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= LOAD;
      ctx_word_q <= '0;
      beat_q     <= '0;
      pass_q     <= '0;
    end else begin
      case (state_q)
        LOAD: begin
          if (ctx_load_o) begin
            beat_q <= last_beat ? '0 : beat_q + 1'b1;
            if (last_beat) ctx_word_q <= last_word ? '0 : ctx_word_q + 1'b1;
          end else if (in_load_o) begin
            beat_q <= last_beat ? '0 : beat_q + 1'b1;
            if (last_beat) state_q <= PrePasses > 0 ? PRE : START;
          end
        end
        PRE, CONVERT: begin
          beat_q <= pass_end ? '0 : beat_q + 1'b1;
          if (pass_end) begin
            pass_q <= pass_q + 1'b1;
            if (pass_q == (pre_o ? LastPre : LastConvert)) begin
              pass_q  <= '0;
              state_q <= pre_o ? START : UNLOAD;
            end
          end
        end
        START: state_q <= RUN;
        RUN: if (step_q == LastStep) state_q <= CONVERT;
        default: begin  // UNLOAD
          if (out_take_o) begin
            beat_q <= last_beat ? '0 : beat_q + 1'b1;
            if (last_beat) state_q <= LOAD;
          end
        end
      endcase
    end
  end

endmodule

`default_nettype wire
