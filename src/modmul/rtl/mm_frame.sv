// SPDX-License-Identifier: Apache-2.0
//
// mm_frame: what every bit-parallel core has around its datapath: the modulus register, the three
// handshakes of the port list (mm_context_gate) and the step counter.
//
//   context     one word, M; M = 0 raises ctx_error_o.
//   operation   load_o marks the cycle in which x and y are accepted; the Steps cycles after it have
//               busy_o high and step_o = 0 ... Steps-1; then out_valid_o until the result is taken.
//   latency     Steps + 1 cycles from accepted operands to a valid result; interval the same, since
//               the next operands may be accepted in the cycle the result leaves.
//
`default_nettype none

module mm_frame #(
  parameter int Width = 256,
  parameter int Steps = 131,
  // Derived, not to be set: bits of the step counter.
  parameter int StepBits = Steps > 1 ? $clog2(Steps) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  input  wire  [Width-1:0]    ctx_data_i,
  output logic                ctx_error_o,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Width-1:0]    m_o,
  output logic                load_o,
  output logic                busy_o,
  output logic [StepBits-1:0] step_o
);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end

  localparam logic [StepBits-1:0] LastStep = StepBits'(Steps - 1);

  logic [Width-1:0]    m_q;
  logic                busy_q;
  logic                done_q;
  logic [StepBits-1:0] step_q;
  logic                ctx_free, ctx_legal, ctx_load, in_free;
  logic                unused_in_part;

  assign ctx_free  = ~busy_q & ~done_q;
  assign ctx_legal = m_q != '0;
  assign in_free   = ~busy_q & (~done_q | out_ready_i);

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(ctx_free), .ctx_last_i(1'b1), .ctx_legal_i(ctx_legal), .in_free_i(in_free), .in_last_i(1'b1),
    .ctx_load_o(ctx_load), .in_load_o(load_o), .in_part_o(unused_in_part)
  );

  assign out_valid_o = done_q;

  assign m_o    = m_q;
  assign busy_o = busy_q;
  assign step_o = step_q;

  always_ff @(posedge clk_i) begin
    if (ctx_load) m_q <= ctx_data_i;
    if (load_o)      step_q <= '0;
    else if (busy_q) step_q <= step_q + 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      if (load_o)                              busy_q <= 1'b1;
      else if (busy_q && (step_q == LastStep)) busy_q <= 1'b0;

      if (busy_q && (step_q == LastStep)) done_q <= 1'b1;
      else if (out_ready_i)               done_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
