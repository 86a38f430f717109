// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_control: context and operands of mm_pipelined: the registers of the context, and a count of the
// operations in flight, from their operands until their result is taken. Operands are accepted while there are fewer
// than Slots of them.
//
`default_nettype none

module mm_pipelined_control #(
  parameter int Width = 256,
  parameter int Beats = 3,   // of a context
  parameter int Slots = 75   // operations in flight
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire                    ctx_valid_i,
  output logic                   ctx_ready_o,
  input  wire  [Width-1:0]       ctx_data_i,
  output logic                   ctx_error_o,
  input  wire                    in_valid_i,
  output logic                   in_ready_o,
  input  wire                    ctx_legal_i,
  input  wire                    out_take_i,  // a result is taken
  output logic                   in_load_o,   // an operation begins
  output logic [Beats*Width-1:0] ctx_o        // the first beat lowest
);

  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam int SlotBits = $clog2(Slots + 1);

  logic [Beats*Width-1:0] ctx_q;
  logic [BeatBits-1:0]    beat_q;
  logic [SlotBits-1:0]    slots_q, slots_next;
  logic                   full_q, empty_q, ctx_last, ctx_load, in_free, unused_part;

  assign ctx_last   = beat_q == BeatBits'(Beats - 1);
  assign in_free    = ~full_q;
  assign slots_next = slots_q + SlotBits'(in_load_o) - SlotBits'(out_take_i);
  assign ctx_o      = ctx_q;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(empty_q), .ctx_last_i(ctx_last), .ctx_legal_i,
    .in_free_i(in_free), .in_last_i(1'b1),
    .ctx_load_o(ctx_load), .in_load_o, .in_part_o(unused_part)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q  <= '0;
      slots_q <= '0;
      full_q  <= 1'b0;
      empty_q <= 1'b1;
    end else begin
      if (ctx_load) beat_q <= ctx_last ? '0 : beat_q + 1'b1;
      slots_q <= slots_next;
      full_q  <= slots_next == SlotBits'(Slots);
      empty_q <= slots_next == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ctx_load) ctx_q <= (Beats*Width)'({ctx_data_i, ctx_q} >> Width);
  end

endmodule

`default_nettype wire
