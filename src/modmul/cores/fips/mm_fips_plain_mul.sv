// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_plain_mul: the multiplier of a build with Dsp = 1, p = a * b in GF(p) alone.
//
// Written as a product with registers on both sides, which synthesis maps to multiplier blocks. Operands and
// latency are those of mm_dual_mul: b_i comes one cycle before a_i, and p_o follows Depth cycles after a's register.
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

  logic [Word-1:0]         b_q, b_q2, a_q;
  logic [Depth*2*Word-1:0] p_q;

  always_ff @(posedge clk_i) begin
    b_q  <= b_i;
    b_q2 <= b_q;
    a_q  <= a_i;
    p_q  <= (p_q << (2 * Word)) | (Depth*2*Word)'((2*Word)'(a_q) * (2*Word)'(b_q2));
  end

  assign p_o = p_q[(Depth-1)*2*Word +: 2*Word];

endmodule

`default_nettype wire
