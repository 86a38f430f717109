// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_mul: p = a * b, three cycles later. The registers are where multiplier blocks have theirs: at the
// operands, inside, and at the product. mm_montgomery_dsp_mul.ecp5.sv is the same in cells of ECP5.
//
`default_nettype none

module mm_montgomery_dsp_mul #(
  parameter int Bits = 18
) (
  input  wire               clk_i,
  input  wire  [Bits-1:0]   a_i,
  input  wire  [Bits-1:0]   b_i,
  output logic [2*Bits-1:0] p_o
);

  logic [Bits-1:0]   a_q, b_q;
  logic [2*Bits-1:0] p_q;

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    p_q <= (2*Bits)'(a_q) * (2*Bits)'(b_q);
    p_o <= p_q;
  end

endmodule

`default_nettype wire
