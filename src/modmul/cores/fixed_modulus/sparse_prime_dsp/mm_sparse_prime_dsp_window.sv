// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_window: on_o is high in the Length cycles from the Start-th after a pulse on. line_i[j] is the
// pulse of j cycles ago. Two pulses are more than Length cycles apart, or Length: then on_o stays high. Start >= 1,
// Length >= 1.
//
`default_nettype none

module mm_sparse_prime_dsp_window #(
  parameter int Start  = 1,
  parameter int Length = 1,
  parameter int Last   = 2   // of the line
) (
  input  wire          clk_i,
  input  wire          rst_ni,
  input  wire [Last:0] line_i,
  output logic         on_o
);

  logic unused_line;
  assign unused_line = ^line_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) on_o <= 1'b0;
    else         on_o <= line_i[Start-1] | (on_o & ~line_i[Start+Length-1]);
  end

endmodule

`default_nettype wire
