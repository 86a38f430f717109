// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade_control: control of mm_montgomery_cascade. Operands come in while the previous operation runs;
// when both are complete and Period cycles have passed, the next one starts. From then on nothing waits: everything
// happens a fixed number of cycles later, and an operation starts only when there is room for its result.
//
`default_nettype none

module mm_montgomery_cascade_control #(
  parameter int Beats   = 16,   // digits of an operand, and steps
  parameter int Numbers = 7,    // in a context: M, -1 / M, and constants
  parameter int Delay   = 4,
  parameter int Period  = 17,   // > Beats
  parameter int Slots   = 4,    // operations from their start to the last word of the result
  // Derived, not to be set.
  parameter int BeatBits = $clog2(Beats > 1 ? Beats : 2)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  output logic                ctx_error_o,
  input  wire                 legal_i,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  input  wire                 leaves_i,    // the last word of a result leaves its memory
  input  wire                 valid_i,     // a word of a result is at the port
  // A beat of the context, a cycle after it came: the number it belongs to, and which of its words it is.
  output logic [Numbers-1:0]  ctx_there_o,
  output logic [BeatBits-1:0] ctx_beat_o,
  // A beat of operands, a cycle after it came.
  output logic                in_there_o,
  output logic [BeatBits-1:0] in_beat_o,
  output logic                half_in_o,   // half of the memory that x goes to
  // An operation, a step a cycle.
  output logic                start_o,     // the first step
  output logic                run_o,
  output logic                feed_o,      // a step that a digit comes back to; digit 0 is 0
  output logic                done_o,      // the last step
  output logic [BeatBits-1:0] step_o,
  output logic                half_run_o
);

  localparam int PeriodBits = $clog2(Period);
  localparam int OpBits     = $clog2(Slots + 1);

  logic [Numbers-1:0]    number_q;    // one bit
  logic [BeatBits-1:0]   ctx_beat_q, in_beat_q, step_q;
  logic [PeriodBits-1:0] wait_q;
  logic [OpBits-1:0]     ops, ops_q;
  logic                  ctx_load, ctx_next, in_load, in_last, unused_part;
  logic                  full_q, busy_q, room_q, free_q, half_q, start, start_q, run_q, done;

  // ---- beats

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q & ~full_q), .ctx_last_i(number_q[Numbers-1] & ctx_next), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(in_last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  assign ctx_next = ctx_beat_q == (number_q[1] ? BeatBits'(1) : BeatBits'(Beats - 1));
  assign in_last  = in_beat_q == BeatBits'(Beats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q    <= Numbers'(1);
      ctx_beat_q  <= '0;
      ctx_there_o <= '0;
      in_beat_q   <= '0;
      in_there_o  <= 1'b0;
      full_q      <= 1'b0;
      half_q      <= 1'b0;
    end else begin
      ctx_there_o <= number_q & {Numbers{ctx_load}};
      in_there_o  <= in_load;
      if (ctx_load) begin
        ctx_beat_q <= ctx_next ? '0 : ctx_beat_q + 1'b1;
        if (ctx_next) number_q <= {number_q[Numbers-2:0], number_q[Numbers-1]};
      end
      if (in_load) in_beat_q <= in_last ? '0 : in_beat_q + 1'b1;
      full_q <= (in_load & in_last) | (full_q & ~start);
      half_q <= half_q ^ start;
    end
  end

  always_ff @(posedge clk_i) begin
    ctx_beat_o <= ctx_beat_q;
    in_beat_o  <= in_beat_q;
    half_in_o  <= half_q;
  end

  // ---- operations: start is in the cycle before the first step

  assign start = full_q & ~busy_q & (room_q | leaves_i);
  assign done  = run_q & step_q == BeatBits'(Beats - 1);

  always_comb begin
    ops = ops_q;
    if (start && !leaves_i)      ops = ops_q + 1'b1;
    else if (!start && leaves_i) ops = ops_q - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ops_q   <= '0;
      room_q  <= 1'b1;
      busy_q  <= 1'b0;
      free_q  <= 1'b1;
      start_q <= 1'b0;
      run_q   <= 1'b0;
      feed_o  <= 1'b0;
    end else begin
      ops_q   <= ops;
      room_q  <= ops != OpBits'(Slots);
      busy_q  <= start | (busy_q & wait_q != '0);
      free_q  <= ops_q == '0 & ~full_q & ~valid_i;
      start_q <= start;
      run_q   <= start | (run_q & ~done);
      feed_o  <= run_q & ~done & 32'(step_q) >= 32'(Delay);
    end
  end

  always_ff @(posedge clk_i) begin
    wait_q <= busy_q ? wait_q - 1'b1 : PeriodBits'(Period - 2);
    step_q <= run_q & ~done ? step_q + 1'b1 : '0;
  end

  assign start_o    = start_q;
  assign run_o      = run_q;
  assign done_o     = done;
  assign step_o     = step_q;
  assign half_run_o = ~half_q;

endmodule

`default_nettype wire
