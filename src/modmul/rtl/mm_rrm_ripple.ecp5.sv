// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_ripple for the ECP5: the carry is not reset, for a flip-flop with a reset of its own lands away from the sum's
// carry chain. It is kept out of the first word where it enters: 0 + carry has no carry, and 1 - carry no borrow. In a
// simulator with four states it would stay unknown for ever.
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

  logic            carry_q, low_q, unused_low;
  logic [Word+1:0] total;

  if (Minus != 0) begin : gen_minus
    assign total = {1'b0, a_i, low_q} - {1'b0, b_i, carry_q};
  end else begin : gen_plus
    assign total = {1'b0, a_i, low_q} + {1'b0, b_i, carry_q};
  end

  assign z_o        = total[Word:1];
  assign unused_low = total[0];

  always_ff @(posedge clk_i) begin
    carry_q <= total[Word+1];
    low_q   <= Minus != 0 ? first_i : ~first_i;
  end

endmodule

`default_nettype wire
