// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_ripple: the sum or the difference of two numbers that come word by word, the lowest first, a word a cycle.
// The carry of a word is kept for the next one, and enters through a bit of its own below. mm_rrm_ripple.ecp5.sv does
// without the reset.
//
`default_nettype none

module mm_rrm_ripple #(
  parameter int Word  = 16,
  parameter int Minus = 0   // 1: the difference
) (
  input  wire             clk_i,
  input  wire             first_i,  // the words of the next cycle are the first ones
  input  wire  [Word-1:0] a_i,
  input  wire  [Word-1:0] b_i,
  output logic [Word-1:0] z_o
);

  logic            carry_q, unused_low;
  logic [Word+1:0] total;

  if (Minus != 0) begin : gen_minus
    assign total = {1'b0, a_i, 1'b0} - {1'b0, b_i, carry_q};
  end else begin : gen_plus
    assign total = {1'b0, a_i, 1'b1} + {1'b0, b_i, carry_q};
  end

  assign z_o        = total[Word:1];
  assign unused_low = total[0];

  always_ff @(posedge clk_i) begin
    if (first_i) carry_q <= 1'b0;
    else         carry_q <= total[Word+1];
  end

endmodule

`default_nettype wire
