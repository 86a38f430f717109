// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade_mul: p = a * b, two cycles later. The registers are where multiplier blocks have theirs: at the
// operands and inside.
//
`default_nettype none

module mm_montgomery_cascade_mul #(
  parameter int ABits = 17,
  parameter int BBits = 17
) (
  input  wire                    clk_i,
  input  wire  [ABits-1:0]       a_i,
  input  wire  [BBits-1:0]       b_i,
  output logic [ABits+BBits-1:0] p_o
);

  logic [ABits-1:0] a_q;
  logic [BBits-1:0] b_q;

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    p_o <= (ABits+BBits)'(a_q) * (ABits+BBits)'(b_q);
  end

endmodule

`default_nettype wire
