// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_operands: a register for an operand beat and its controls, between a system and its core, so that the logic of
// the two is not in series within one cycle. A beat is offered to the core from the cycle after it comes in until the
// core takes it; the next one may come in that cycle.
//
`default_nettype none

module mm_sys_operands #(
  parameter int Word     = 32,
  parameter int Controls = 3
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  input  wire  [Controls-1:0] controls_i,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Word-1:0]     x_o,
  output logic [Word-1:0]     y_o,
  output logic [Controls-1:0] controls_o
);

  assign in_ready_o = ~out_valid_o | out_ready_i;

  always_ff @(posedge clk_i) begin
    if (in_ready_o) begin
      x_o        <= x_i;
      y_o        <= y_i;
      controls_o <= controls_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)         out_valid_o <= 1'b0;
    else if (in_ready_o) out_valid_o <= in_valid_i;
  end

endmodule

`default_nettype wire
