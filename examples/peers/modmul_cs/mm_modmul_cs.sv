// SPDX-License-Identifier: Apache-2.0
//
// mm_modmul_cs: the Multiplier of momalab/ModmulCS that is not pipelined, behind our port list.
//
//   context     six beats: M, and 2^n, 3*2^(n-2), 2^(n+1), 2*2^(n+1) and 3*2^(n+1) modulo M.
//   operation   theirs starts whenever it is not in reset, so it is held there between operations. It takes one to four
//               cycles for a step, by the operands; a counter waits for the most, so that the time is always the same.
//   latency     n + 16; the interval is the same.
//
// Legal: 2^(n-1) <= M < 2^n, 0 <= x, y < M.
//
`default_nettype none

module mm_modmul_cs #(
  parameter int Width = 256
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Width-1:0] ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Width-1:0] x_i,
  input  wire  [Width-1:0] y_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o
);

  localparam int Beats     = 6;
  localparam int Steps     = Width < 4 ? 19 : Width + 15;
  localparam int StepBits  = $clog2(Steps);
  localparam int CountBits = Width < 4 ? 3 : $clog2(Width) + 1;

  logic [Width-1:0]     m_q, n_q, h_q, a_q, b_q, c_q;
  logic [2:0]           beat_q;
  logic [StepBits-1:0]  step_q;
  logic [CountBits-1:0] count;
  logic                 busy_q, run_q, done_q;
  logic                 ctx_load, ctx_last, load, last, reset, ready;
  logic                 unused_part;

  assign ctx_last = beat_q == 3'(Beats - 1);
  assign last     = step_q == StepBits'(Steps - 1);
  assign reset    = ~(load | (run_q & ~ready));
  assign count    = CountBits'(Width);

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(~busy_q & ~done_q), .ctx_last_i(ctx_last), .ctx_legal_i(m_q[Width-1]),
    .in_free_i(~busy_q & (~done_q | out_ready_i)), .in_last_i(1'b1),
    .ctx_load_o(ctx_load), .in_load_o(load), .in_part_o(unused_part)
  );

  if (Width < 4) begin : gen_illegal
    illegal_parameter_Width_must_be_at_least_4 u_illegal ();
  end else begin : gen_theirs
    Multiplier #(
      .N(Width)
    ) u_theirs (
      .clock(clk_i), .reset(reset), .in_a(x_i), .in_b(y_i),
      .r(m_q), .rn(n_q), .rm(h_q), .rx1(a_q), .rx2(b_q), .rx3(c_q), .k(count),
      .result(z_o), .done(ready)
    );
  end

  assign out_valid_o = done_q;

  always_ff @(posedge clk_i) begin
    if (ctx_load) begin
      c_q <= ctx_data_i;
      b_q <= c_q;
      a_q <= b_q;
      h_q <= a_q;
      n_q <= h_q;
      m_q <= n_q;
    end
    if (load)        step_q <= '0;
    else if (busy_q) step_q <= step_q + 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      busy_q <= 1'b0;
      run_q  <= 1'b0;
      done_q <= 1'b0;
    end else begin
      if (ctx_load) beat_q <= ctx_last ? '0 : beat_q + 1'b1;

      if (load)                busy_q <= 1'b1;
      else if (busy_q && last) busy_q <= 1'b0;

      if (load)       run_q <= 1'b1;
      else if (ready) run_q <= 1'b0;

      if (busy_q && last)   done_q <= 1'b1;
      else if (out_ready_i) done_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
