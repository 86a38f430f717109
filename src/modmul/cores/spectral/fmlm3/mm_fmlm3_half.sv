// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_half: Shift Module (Dai et al., Section 5.3 and Fig. 6 c): division by 2, one segment a cycle, the
// lowest first. next_i is the lowest bit of the next segment. Latency one cycle.
//
`default_nettype none

module mm_fmlm3_half #(
  parameter int Bits = 64
) (
  input  wire             clk_i,
  input  wire  [Bits-1:0] segment_i,
  input  wire             next_i,
  output logic [Bits-1:0] segment_o
);

  logic unused_lsb;

  assign unused_lsb = segment_i[0];

  always_ff @(posedge clk_i) segment_o <= {next_i, segment_i[Bits-1:1]};

endmodule

`default_nettype wire
