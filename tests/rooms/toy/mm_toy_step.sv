// SPDX-License-Identifier: Apache-2.0
//
// mm_toy_step: one bit of the interleaved multiplication, of integers or of polynomials over GF(2).
//
//    integers      t = 2z mod M,  z' = t + v, less M where reduce_i is high      0 <= z, v < M
//    polynomials   z' = z * x mod M + v                     M without its leading coefficient
//
`default_nettype none

module mm_toy_step #(
  parameter int Width = 8
) (
  input  wire              binary_i,
  input  wire              reduce_i,
  input  wire  [Width-1:0] top_i,  // bit deg M - 1 alone, for polynomials
  input  wire  [Width-1:0] m_i,
  input  wire  [Width-1:0] z_i,
  input  wire  [Width-1:0] v_i,
  output logic [Width:0]   z_o
);

  logic [Width:0] m, twice, t, sum, carryless;

  assign m         = {1'b0, m_i};
  assign twice     = {z_i, 1'b0};
  assign t         = twice >= m ? twice - m : twice;
  assign sum       = t + {1'b0, v_i};
  assign carryless = {1'b0, twice[Width-1:0] & ~(top_i << 1)} ^ (|(z_i & top_i) ? m : '0) ^ {1'b0, v_i};
  assign z_o       = binary_i ? carryless : (reduce_i && sum >= m) ? sum - m : sum;

endmodule

`default_nettype wire
