// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_copy: one of several copies of a register, each near what it drives. Synthesis would merge them; in
// mm_rrm_copy.ecp5.sv it finds flip-flops that it leaves alone.
//
`default_nettype none

module mm_rrm_copy #(
  parameter int Bits = 4
) (
  input  wire             clk_i,
  input  wire             clear_i,
  input  wire  [Bits-1:0] d_i,
  output logic [Bits-1:0] q_o
);

  always_ff @(posedge clk_i) begin
    if (clear_i) q_o <= '0;
    else         q_o <= d_i;
  end

endmodule

`default_nettype wire
