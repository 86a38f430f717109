// SPDX-License-Identifier: Apache-2.0
//
// mm_small_control: the port contract around a pipeline of Depth registers that stands still as a whole: en_o is low
// while a result waits at the port, and every register of the pipeline, those in the multiplier blocks included, has it
// as its enable. So nothing is stored behind the pipeline, and stalling takes no LUT for a bit.
//
// A context has Beats beats. ctx_load_o tells when one is taken; the core keeps what it needs of them, and says in the
// cycle after the last whether it can serve them.
//
`default_nettype none

module mm_small_control #(
  parameter int Depth = 5,  // registers from the operands to the result, at least 2
  parameter int Beats = 1   // of a context
) (
  input  wire  clk_i,
  input  wire  rst_ni,
  input  wire  ctx_valid_i,
  output logic                ctx_ready_o,
  output logic                ctx_error_o,
  input  wire  in_valid_i,
  output logic                in_ready_o,
  output logic                out_valid_o,
  input  wire  out_ready_i,
  input  wire  ctx_legal_i,
  output logic                ctx_load_o,
  output logic                en_o
);

  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;

  logic [Depth-1:0]    there_q;  // bit j: an operation that began j + 1 enabled cycles ago
  logic [BeatBits-1:0] beat_q;
  logic                none_q, last, load, unused_part;

  // The same as en_o, for what is near: that one goes to all registers.
  (* keep *) logic go;

  assign last        = beat_q == BeatBits'(Beats - 1);
  assign out_valid_o = there_q[Depth-1];
  assign en_o        = out_ready_i | ~there_q[Depth-1];
  assign go          = out_ready_i | ~there_q[Depth-1];

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(none_q), .ctx_last_i(last), .ctx_legal_i,
    .in_free_i(go), .in_last_i(1'b1),
    .ctx_load_o, .in_load_o(load), .in_part_o(unused_part)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q <= '0;
      none_q  <= 1'b1;
      beat_q  <= '0;
    end else begin
      none_q <= go & ~load & there_q[Depth-2:0] == '0;
      if (go) there_q <= {there_q[Depth-2:0], load};
      if (ctx_load_o) beat_q <= last ? '0 : beat_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
