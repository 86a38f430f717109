// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_plain_mul: the multiplier of a build with Dsp = 1, p = a * b in GF(p) only, made of multiplier blocks and
// their registers (mm_block_mul). Operands and latency are those of mm_dual_mul: b_i comes one cycle before a_i, and
// p_o follows Depth cycles after a's register.
//
`default_nettype none

module mm_fips_plain_mul #(
  parameter int Word  = 32,
  parameter int Depth = 3
) (
  input  wire               clk_i,
  input  wire  [Word-1:0]   b_i,   // one cycle before a_i
  input  wire  [Word-1:0]   a_i,
  output logic [2*Word-1:0] p_o
);

  logic [Word-1:0] b_q;

  always_ff @(posedge clk_i) b_q <= b_i;

  mm_block_mul #(
    .ABits(Word), .Cycles(Depth + 1)
  ) u_mul (
    .clk_i, .a_i, .b_i(b_q), .p_o
  );

endmodule

`default_nettype wire
