// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_control: control of mm_sparse_prime_dsp. Operands come in while the previous operation runs; when
// both are complete and Period cycles have passed, the next one starts. From then on nothing waits: everything happens
// a fixed number of cycles later, and an operation starts only when there is room for its result.
//
`default_nettype none

module mm_sparse_prime_dsp_control #(
  parameter int Beats  = 8,
  parameter int Lanes  = 2,    // digits of X in a word
  parameter int Groups = 1,    // cycles of a step
  parameter int Period = 16,   // from 2 on
  parameter int Slots  = 4,    // operations from their start to the last word of the result
  // Derived, not to be set.
  parameter int BeatBits  = Beats > 1 ? $clog2(Beats) : 1,
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
  input  wire                  leaves_i,      // the last word of a result leaves
  output logic [BeatBits-1:0]  next_o,        // of the word that comes
  // A word, a cycle after it came.
  output logic                 ctx_there_o,
  output logic                 in_there_o,
  output logic [BeatBits-1:0]  beat_o,
  output logic                 half_in_o,     // half of the memories that operands go to
  // An operation: from the cycle after its start on, the digits of X, a step each.
  output logic                 start_o,
  output logic                 run_o,
  output logic                 first_o,       // first group of a step
  output logic                 last_o,        // last group of a step
  output logic [GroupBits-1:0] group_o,
  output logic [LaneBits-1:0]  lane_o,
  output logic [BeatBits-1:0]  word_o,
  output logic                 half_run_o
);

  localparam int OpBits     = $clog2(Slots + 1);
  localparam int PeriodBits = $clog2(Period);

  localparam logic [BeatBits-1:0] LastBeat = BeatBits'(Beats - 1);

  // ---- beats

  logic [BeatBits-1:0] beat_q;
  logic                ctx_load, in_load, last, full_q, free_q, start, unused_part;

  assign last = Beats == 1 || beat_q == LastBeat;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q & ~full_q), .ctx_last_i(last), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q      <= '0;
      ctx_there_o <= 1'b0;
      in_there_o  <= 1'b0;
      full_q      <= 1'b0;
    end else begin
      if (ctx_load || in_load) beat_q <= last ? '0 : beat_q + 1'b1;
      ctx_there_o <= ctx_load;
      in_there_o  <= in_load;
      full_q      <= (in_load & last) | (full_q & ~start);
    end
  end

  always_ff @(posedge clk_i) beat_o <= beat_q;

  assign next_o = beat_q;

  // ---- operations

  logic [OpBits-1:0]     ops_q, ops;
  logic [PeriodBits-1:0] wait_q;
  logic                  ready_q, done_q, half_q, half_run_q;

  assign start = full_q & ready_q;

  always_comb begin
    ops = ops_q;
    if (start && !done_q)      ops = ops_q + 1'b1;
    else if (!start && done_q) ops = ops_q - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ops_q      <= '0;
      wait_q     <= '0;
      ready_q    <= 1'b0;
      done_q     <= 1'b0;
      free_q     <= 1'b1;
      half_q     <= 1'b0;
      half_run_q <= 1'b0;
    end else begin
      ops_q   <= ops;
      ready_q <= ~start & wait_q == '0 & ops_q != OpBits'(Slots);
      done_q  <= leaves_i;
      free_q  <= ops_q == '0 & ~full_q;
      if (start)             wait_q <= PeriodBits'(Period - 2);
      else if (wait_q != '0) wait_q <= wait_q - 1'b1;
      if (start) half_run_q <= half_q;
      half_q <= half_q ^ start;
    end
  end

  // ---- steps

  logic [GroupBits-1:0] group_q;
  logic [LaneBits-1:0]  lane_q;
  logic [BeatBits-1:0]  word_q;
  logic                 run_q, last_lane, last_word;

  assign last_o    = Groups == 1 || group_q == GroupBits'(Groups - 1);
  assign last_lane = Lanes == 1 || lane_q == LaneBits'(Lanes - 1);
  assign last_word = Beats == 1 || word_q == LastBeat;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) run_q <= 1'b0;
    else         run_q <= start | (run_q & ~(last_o & last_lane & last_word));
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      group_q <= '0;
      lane_q  <= '0;
      word_q  <= '0;
    end else begin
      group_q <= last_o ? '0 : group_q + 1'b1;
      if (last_o) lane_q <= last_lane ? '0 : lane_q + 1'b1;
      if (last_o && last_lane) word_q <= word_q + 1'b1;
    end
  end

  assign start_o    = start;
  assign run_o      = run_q;
  assign first_o    = run_q & (Groups == 1 || group_q == '0);
  assign group_o    = group_q;
  assign lane_o     = lane_q;
  assign word_o     = word_q;
  assign half_in_o  = half_q;
  assign half_run_o = half_run_q;

endmodule

`default_nettype wire
