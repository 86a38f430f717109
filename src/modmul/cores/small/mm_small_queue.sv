// SPDX-License-Identifier: Apache-2.0
//
// mm_small_queue: the port contract around a pipeline of Depth registers that never stands still: results wait in a
// memory with room for all operations in flight, which are counted. In place of mm_small_control, for a pipeline so
// long that an enable of all its registers would be its slowest signal.
//
// The count lags a cycle behind, and what follows from it another one: operands are accepted while it is three below
// Slots, the operations that there is room for.
//
`default_nettype none

module mm_small_queue #(
  parameter int Width = 64,
  parameter int Depth = 25,  // registers from the operands to the result, at least 2
  parameter int Beats = 1    // of a context
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o,
  input  wire              ctx_legal_i,
  input  wire  [Width-1:0] z_i,         // the result of the operation that began Depth cycles ago
  output logic             ctx_load_o
);

  localparam int BeatBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Slots     = Depth + 4;
  localparam int CountBits = $clog2(Slots + 1);

  logic [Depth-1:0]     there_q;  // bit j: an operation that began j + 1 cycles ago
  logic [BeatBits-1:0]  beat_q;
  logic [CountBits-1:0] count_q;
  logic                 load_q, take_q, free_q, none_q, load, take, last, unused_part;

  assign last = beat_q == BeatBits'(Beats - 1);

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(none_q), .ctx_last_i(last), .ctx_legal_i,
    .in_free_i(free_q), .in_last_i(1'b1),
    .ctx_load_o, .in_load_o(load), .in_part_o(unused_part)
  );

  mm_result_queue #(
    .Word(Width), .Beats(1), .Slots(Slots), .Through(0)
  ) u_results (
    .clk_i, .rst_ni, .write_i(there_q[Depth-1]), .word_i(z_i), .last_o(take), .out_valid_o, .out_ready_i, .z_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q <= '0;
      beat_q  <= '0;
      count_q <= '0;
      load_q  <= 1'b0;
      take_q  <= 1'b0;
      free_q  <= 1'b1;
      none_q  <= 1'b1;
    end else begin
      there_q <= {there_q[Depth-2:0], load};
      load_q  <= load;
      take_q  <= take;
      count_q <= count_q + CountBits'(load_q) - CountBits'(take_q);
      free_q  <= count_q <= CountBits'(Slots - 3);
      none_q  <= count_q == '0 & ~load_q & ~load;
      if (ctx_load_o) beat_q <= last ? '0 : beat_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
