// SPDX-License-Identifier: Apache-2.0
//
// mm_window: on_o is On for Length cycles, beginning with the Start-th cycle after a pulse, and the opposite otherwise.
// Pulses are at least Length cycles apart. Start >= 1, Length >= 1.
//
`default_nettype none

module mm_window #(
  parameter int Start  = 1,
  parameter int Length = 1,
  parameter bit On     = 1'b1
) (
  input  wire  clk_i,
  input  wire  rst_ni,
  input  wire  pulse_i,
  output logic on_o
);

  localparam int Line = Start + Length - 1;

  logic [Line:0] line;  // bit j: the pulse was j cycles ago
  logic [Line:1] line_q;

  assign line = {line_q, pulse_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q <= '0;
      on_o   <= ~On;
    end else begin
      line_q <= line[Line-1:0];
      on_o   <= line[Start-1] || (on_o == On && !line[Line]) ? On : ~On;
    end
  end

endmodule

`default_nettype wire
