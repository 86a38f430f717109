// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_context: the front end of a system that computes powers: the ports for context and operands (mm_context_gate),
// and the lengths that the context sets.
//
// Context: a header, the context of the core, R mod M, R^2 mod M. The header has, least significant bit first, the
// number of beats minus 1 of an operand of the core, of the core's context and of the exponent, then the number of bits
// in the exponent's last beat. Operands have as many beats as the longer of core's operand and exponent. A context
// whose header is illegal ends one beat after it.
//
// With ComputeR2 = 1 the header also has the plan of mm_sys_unit, and the core's context is followed by M, in place of
// R and R^2, and by a last beat of any value, which waits until both have been computed.
//
`default_nettype none

module mm_sys_context #(
  parameter int Word          = 32,
  parameter int Beats         = 8,  // of an operand of the core, at most
  parameter int ContextBeats  = 8,  // of its context, at most
  parameter int ExponentBeats = 8,  // at most
  parameter int ComputeR2     = 0,
  parameter int PlanBits      = 1,
  // Derived, not to be set.
  parameter int InBeats  = Beats > ExponentBeats ? Beats : ExponentBeats,
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int ExpBits  = ExponentBeats > 1 ? $clog2(ExponentBeats) : 1,
  parameter int InBits   = InBeats > 1 ? $clog2(InBeats) : 1,
  parameter int TopBits  = $clog2(Word + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // The port list.
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  input  wire  [Word-1:0]     ctx_data_i,
  output logic                ctx_error_o,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  // From the system.
  input  wire                 free_i,           // no operation is in flight
  input  wire                 core_ready_i,     // ctx_ready_o and
  input  wire                 core_error_i,     // ctx_error_o of all its cores
  // To the system: a beat offered to its cores, and what changes hands.
  output logic                core_valid_o,     // of the context; they are idle and take it in step
  output logic                load_o,           // a beat of R mod M, R^2 mod M or M
  output logic                load_square_o,    // of R^2 mod M
  output logic [BeatBits-1:0] load_beat_o,
  output logic                commit_o,         // the beat that waits
  input  wire                 commit_ready_i,   // comes next, and need wait no longer
  output logic [PlanBits-1:0] plan_o,
  output logic                in_load_o,        // a beat of the operands
  output logic                in_part_o,        // some have come, and not all
  output logic                in_last_o,        // the next one is the last
  output logic [InBits-1:0]   in_beat_o,
  // Lengths: the last beat of an operand of the core, of the exponent, of the longer of both; bits in the exponent's.
  output logic [BeatBits-1:0] last_beat_o,
  output logic [ExpBits-1:0]  last_exp_o,
  output logic [InBits-1:0]   last_in_o,
  output logic [TopBits-1:0]  top_o
);

  if (Word < 1) begin : gen_illegal_word
    illegal_parameter_Word_must_be_at_least_1 u_illegal ();
  end
  if (Beats < 1) begin : gen_illegal_beats
    illegal_parameter_Beats_must_be_at_least_1 u_illegal ();
  end
  if (ContextBeats < 1) begin : gen_illegal_context
    illegal_parameter_ContextBeats_must_be_at_least_1 u_illegal ();
  end
  if (ExponentBeats < 1) begin : gen_illegal_exponent
    illegal_parameter_ExponentBeats_must_be_at_least_1 u_illegal ();
  end

  localparam int CtxBits    = ContextBeats > 1 ? $clog2(ContextBeats) : 1;
  localparam int LengthBits = BeatBits + CtxBits + ExpBits + TopBits;
  localparam int HeadBits   = LengthBits + (ComputeR2 != 0 ? PlanBits : 0);
  localparam int HeadBeats  = (HeadBits + Word - 1) / Word;
  localparam int MostBeats  = HeadBeats > ContextBeats ? (HeadBeats > Beats ? HeadBeats : Beats)
                                                       : (ContextBeats > Beats ? ContextBeats : Beats);
  localparam int CountBits  = MostBeats > 1 ? $clog2(MostBeats) : 1;

  localparam logic [CountBits-1:0] LastHead = CountBits'(HeadBeats - 1);
  localparam logic [BeatBits:0]    MaxBeat  = (BeatBits+1)'(Beats - 1);
  localparam logic [CtxBits:0]     MaxCtx   = (CtxBits+1)'(ContextBeats - 1);
  localparam logic [ExpBits:0]     MaxExp   = (ExpBits+1)'(ExponentBeats - 1);
  localparam logic [TopBits:0]     MaxTop   = (TopBits+1)'(Word);

  typedef enum logic [1:0] {HEAD, CORE, NUMBER, END} phase_e;  // NUMBER: R mod M or M; END: R^2 mod M or the last beat

  phase_e               phase_q;
  logic [CountBits-1:0] count_q, last;
  logic [HeadBits-1:0]  head_q, head_next;
  logic [CtxBits-1:0]   last_ctx, last_ctx_next;
  logic [BeatBits-1:0]  last_beat_next;
  logic [ExpBits-1:0]   last_exp_next;
  logic [TopBits-1:0]   top_next;
  logic [InBits-1:0]    in_beat_q;
  logic                 head_legal_q, ctx_free, ctx_last, ctx_legal, ctx_load;

  // --- the header -----------------------------------------------------------------------------------------
  if (HeadBeats > 1) begin : gen_head_words
    localparam int HeldBits = HeadBeats * Word;
    logic [HeldBits-1:0] held_q, held_next;
    logic                unused_held;
    assign held_next   = {ctx_data_i, held_q[HeldBits-1:Word]};
    assign head_next   = held_next[HeadBits-1:0];
    assign unused_held = ^{held_q, held_next};
    always_ff @(posedge clk_i) if (ctx_load && (phase_q == HEAD)) held_q <= held_next;
  end else begin : gen_head_word
    logic unused_data;
    assign head_next   = ctx_data_i[HeadBits-1:0];
    assign unused_data = ^ctx_data_i;
  end

  // What follows from the header is computed as it is taken, so that it adds to no path of the system.
  assign {top_next, last_exp_next, last_ctx_next, last_beat_next} = head_next[LengthBits-1:0];

  always_ff @(posedge clk_i) begin
    if (ctx_load && (phase_q == HEAD)) begin
      head_q       <= head_next;
      last_in_o    <= InBits'(last_beat_next) > InBits'(last_exp_next) ? InBits'(last_beat_next)
                                                                       : InBits'(last_exp_next);
      head_legal_q <= ({1'b0, last_beat_next} <= MaxBeat) & ({1'b0, last_ctx_next} <= MaxCtx)
                    & ({1'b0, last_exp_next} <= MaxExp) & (top_next != '0) & ({1'b0, top_next} <= MaxTop);
    end
  end

  assign {top_o, last_exp_o, last_ctx, last_beat_o} = head_q[LengthBits-1:0];

  if (ComputeR2 != 0) begin : gen_plan
    assign plan_o = head_q[HeadBits-1:LengthBits];
  end else begin : gen_no_plan
    assign plan_o = '0;
  end

  // --- which beat comes next --------------------------------------------------------------------------------
  always_comb begin
    case (phase_q)
      HEAD:    last = LastHead;
      CORE:    last = head_legal_q ? CountBits'(last_ctx) : '0;
      NUMBER:  last = CountBits'(last_beat_o);
      default: last = ComputeR2 != 0 ? '0 : CountBits'(last_beat_o);
    endcase
  end

  assign ctx_last      = ((phase_q == CORE) & ~head_legal_q) | ((phase_q == END) & (count_q == last));
  assign core_valid_o  = ctx_valid_i & free_i & ~in_part_o & (phase_q == CORE) & head_legal_q;
  assign commit_o      = (ComputeR2 != 0) & (phase_q == END);
  assign load_o        = ctx_load & ((phase_q == NUMBER) | (phase_q == END)) & ~commit_o;
  assign load_square_o = phase_q == END;
  assign load_beat_o   = BeatBits'(count_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= HEAD;
      count_q <= '0;
    end else if (ctx_load) begin
      count_q <= count_q == last ? '0 : count_q + 1'b1;
      if (count_q == last) begin
        case (phase_q)
          HEAD:    phase_q <= CORE;
          CORE:    phase_q <= head_legal_q ? NUMBER : HEAD;
          NUMBER:  phase_q <= END;
          default: phase_q <= HEAD;
        endcase
      end
    end
  end

  // --- the ports ----------------------------------------------------------------------------------------------
  assign ctx_free  = free_i & ((phase_q != CORE) | core_ready_i) & (~commit_o | commit_ready_i);
  assign ctx_legal = head_legal_q & ~core_error_i;
  assign in_last_o = in_beat_q == last_in_o;
  assign in_beat_o = in_beat_q;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(ctx_free), .ctx_last_i(ctx_last), .ctx_legal_i(ctx_legal),
    .in_free_i(free_i), .in_last_i(in_last_o),
    .ctx_load_o(ctx_load), .in_load_o, .in_part_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)        in_beat_q <= '0;
    else if (in_load_o) in_beat_q <= in_last_o ? '0 : in_beat_q + 1'b1;
  end

endmodule

`default_nettype wire
