// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_control: control of mm_montgomery_dsp. Operands come in while the previous operation runs; when
// both are complete and Period cycles have passed, the next one starts, at the earliest Wait cycles after the last
// word. From then on nothing waits: everything happens a fixed number of cycles later, and an operation starts only
// when there is room for its result. A digit of x is chosen in the cycle before the one in which its step begins.
//
`default_nettype none

module mm_montgomery_dsp_control #(
  parameter int Beats    = 8,
  parameter int Wait     = 0,    // 0, 1, 2
  parameter int Heads    = 13,   // beats of M and of what is not a constant K in a context
  parameter int Numbers  = 5,    // constants K behind them
  parameter int NumBeats = 8,    // beats of each
  parameter int Lanes    = 2,
  parameter int Groups   = 1,
  parameter int Steps    = 15,
  parameter int Period   = 16,
  parameter int Slots    = 4,    // operations from their start to the last word of the result
  // Derived, not to be set.
  parameter int BeatBits  = $clog2(Heads > NumBeats ? Heads + 1 : NumBeats + 1),
  parameter int GroupBits = Groups > 1 ? $clog2(Groups) : 1,
  parameter int LaneBits  = Lanes > 1 ? $clog2(Lanes) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  ctx_valid_i,
  output logic                 ctx_ready_o,
  output logic                 ctx_error_o,
  input  wire                  legal_i,
  input  wire                  in_valid_i,
  output logic                 in_ready_o,
  input  wire                  out_last_i,   // the last word of a result leaves
  // A beat of the context, a cycle after it came.
  output logic                 ctx_there_o,
  output logic                 ctx_m_o,      // none of a constant K
  output logic [BeatBits-1:0]  ctx_beat_o,
  // A beat of operands.
  output logic                 in_load_o,
  output logic [BeatBits-1:0]  in_beat_o,
  output logic                 in_last_o,    // the last word of each
  output logic                 full_o,       // the operands are there, and have not started
  output logic                 half_in_o,    // half of the memories that operands go to
  // An operation, from its first to its last digit of x.
  output logic                 start_o,      // in the cycle before
  output logic                 run_o,
  output logic                 first_o,      // first group of a step
  output logic                 last_o,       // last group of a step
  output logic                 between_o,    // none runs, or it is the last cycle: the next one may start
  output logic                 ending_o,     // the last cycle but one
  output logic                 behind_o,     // the cycle behind the last one
  output logic [GroupBits-1:0] group_o,
  output logic                 half_run_o,
  // The digit of x for the next step: the word of x, and the digit in it.
  output logic [BeatBits-1:0]  x_word_o,
  output logic [LaneBits-1:0]  x_lane_o,
  output logic                 x_there_o,    // there is such a word
  output logic                 half_x_o
);

  localparam int CtxBeats   = Heads + Numbers * NumBeats;
  localparam int CtxBits    = $clog2(CtxBeats);
  localparam int NumberBits = $clog2(Numbers + 1);
  localparam int LeftBits   = $clog2(Steps * Groups);
  localparam int PeriodBits = $clog2(Period);
  localparam int OpBits     = $clog2(Slots + 1);

  logic [NumberBits-1:0] number_q;
  logic [CtxBits-1:0]    ctx_count_q;
  logic [BeatBits-1:0]   ctx_beat_q, in_beat_q, x_word_q;
  logic [LeftBits-1:0]   left_q;
  logic [PeriodBits-1:0] wait_q;
  logic [OpBits-1:0]     ops_q;
  logic [GroupBits-1:0]  group_q;
  logic [LaneBits-1:0]   lane_q;
  logic                  full_q, half_q, half_run_q, half_x_q, busy_q, ready_q, run_q, ending_q, done_q, behind_q;
  logic                  free_q, between_q, start, operands, there, run;
  logic                  over_q, room_q, leaves_q;
  logic [OpBits-1:0]     ops;
  logic                  ctx_load, ctx_there_q, ctx_last_q, in_last_q, m_q, next_q, final_q, unused_part;

  // ---- beats

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q & ~full_q), .ctx_last_i(ctx_last_q), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(in_last_q),
    .ctx_load_o(ctx_load), .in_load_o, .in_part_o(unused_part)
  );

  // ctx_last_q, in_last_q: the next beat is the last one of its context, of its operands. A beat of the context finds
  // its place a cycle later; m_q, next_q, final_q: it is none of a K, the last of its number, of the last one. The last
  // beat of operands is always taken when it is not the first one.
  assign operands    = Beats > 1 ? in_valid_i & in_last_q : in_load_o;
  assign ctx_there_o = ctx_there_q;
  assign ctx_m_o     = m_q;
  assign ctx_beat_o  = ctx_beat_q;
  assign in_beat_o   = in_beat_q;
  assign in_last_o   = in_last_q;
  assign full_o      = full_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_count_q <= '0;
      ctx_last_q  <= 1'b0;
      ctx_there_q <= 1'b0;
      ctx_beat_q  <= '0;
      number_q    <= '0;
      m_q         <= 1'b1;
      next_q      <= 1'b0;
      final_q     <= 1'b0;
      in_beat_q   <= '0;
      in_last_q   <= Beats == 1;
      full_q      <= 1'b0;
      half_q      <= 1'b0;
      half_run_q  <= 1'b1;
    end else begin
      ctx_there_q <= ctx_load;
      if (ctx_load) begin
        ctx_count_q <= ctx_last_q ? '0 : ctx_count_q + 1'b1;
        ctx_last_q  <= ctx_count_q == CtxBits'(CtxBeats - 2);
      end
      if (ctx_there_q) begin
        ctx_beat_q <= next_q ? '0 : ctx_beat_q + 1'b1;
        if (next_q) begin
          number_q <= final_q ? '0 : number_q + 1'b1;
          m_q      <= final_q;
          final_q  <= number_q == NumberBits'(Numbers - 1);
          next_q   <= NumBeats == 1 && !final_q;
        end else begin
          next_q <= ctx_beat_q == (m_q ? BeatBits'(Heads - 2) : BeatBits'(NumBeats - 2));
        end
      end
      if (in_load_o) begin
        in_beat_q <= in_last_q ? '0 : in_beat_q + 1'b1;
        in_last_q <= in_last_q ? Beats == 1 : in_beat_q == BeatBits'(Beats - 2);
      end
      full_q     <= (operands | full_q) & ~start;
      half_q     <= half_q ^ start;
      half_run_q <= half_run_q ^ start;
    end
  end

  // ---- operations

  if (Wait == 0) begin : gen_at_once
    assign there = operands | full_q;
  end else if (Wait == 1) begin : gen_next
    assign there = full_q;
  end else begin : gen_later
    logic full_q2;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) full_q2 <= 1'b0;
      else         full_q2 <= full_q & ~start;
    end
    assign there = full_q2;
  end

  // After a start, busy_q holds the next one off, so that room_q has time to count it.
  assign start = there & ready_q;
  assign run   = start | (run_q & ~done_q);

  always_comb begin
    ops = ops_q;
    if (start && !leaves_q)      ops = ops_q + 1'b1;
    else if (!start && leaves_q) ops = ops_q - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      over_q    <= 1'b0;
      ready_q   <= 1'b1;
      room_q    <= 1'b1;
      leaves_q  <= 1'b0;
      run_q     <= 1'b0;
      between_q <= 1'b1;
      ending_q  <= 1'b0;
      done_q    <= 1'b0;
      behind_q  <= 1'b0;
      half_x_q  <= 1'b0;
      free_q    <= 1'b1;
      ops_q     <= '0;
    end else begin
      busy_q    <= start | (busy_q & ~over_q);
      over_q    <= wait_q == '0 & busy_q;
      ready_q   <= ~start & (~busy_q | over_q) & room_q;
      room_q    <= ops_q != OpBits'(Slots);
      leaves_q  <= out_last_i;
      run_q     <= run;
      between_q <= ~run | ending_q;
      ending_q  <= run_q & left_q == '0;
      done_q    <= ending_q;
      behind_q  <= done_q;
      half_x_q  <= half_x_q ^ ending_q;
      free_q    <= ops_q == '0 & ~full_q & ~start;
      ops_q     <= ops;
    end
  end

  always_ff @(posedge clk_i) begin
    wait_q <= busy_q ? wait_q - 1'b1 : PeriodBits'(Period - 3);
    left_q <= between_q ? LeftBits'(Steps * Groups - 3) : left_q - 1'b1;
    if (!run_q || last_o) group_q <= '0;
    else                  group_q <= group_q + 1'b1;
    if (ending_q || (between_q && !start)) begin
      lane_q   <= '0;
      x_word_q <= '0;
    end else if (!run_q || last_o) begin
      lane_q <= lane_q == LaneBits'(Lanes - 1) ? '0 : lane_q + 1'b1;
      if (lane_q == LaneBits'(Lanes - 1) && x_there_o) x_word_q <= x_word_q + 1'b1;
    end
  end

  assign start_o    = start;
  assign run_o      = run_q;
  assign first_o    = run_q & (Groups == 1 || group_q == '0);
  assign last_o     = Groups == 1 || group_q == GroupBits'(Groups - 1);
  assign between_o  = between_q;
  assign ending_o   = ending_q;
  assign behind_o   = behind_q;
  assign group_o    = group_q;
  assign x_word_o   = x_word_q;
  assign x_lane_o   = lane_q;
  assign x_there_o  = x_word_q != BeatBits'(Beats);
  assign half_in_o  = half_q;
  assign half_run_o = half_run_q;
  assign half_x_o   = half_x_q;

endmodule

`default_nettype wire
