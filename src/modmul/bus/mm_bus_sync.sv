// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_sync: a level from another clock, or with d_i = 1 a reset that falls at once and rises with this clock.
//
`default_nettype none

module mm_bus_sync (
  input  wire  clk_i,
  input  wire  rst_ni,
  input  wire  d_i,
  output logic q_o
);

  (* async_reg = "true" *) logic level_q, level_q2;

  assign q_o = level_q2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_q  <= 1'b0;
      level_q2 <= 1'b0;
    end else begin
      level_q  <= d_i;
      level_q2 <= level_q;
    end
  end

endmodule

`default_nettype wire
