// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_sum: step 3 of mm_sparse_prime_dsp where Q = H: the words of H and the carries that belong to its
// digits are added, lowest first. A word of Q comes a cycle after the word of H.
//
`default_nettype none

module mm_sparse_prime_dsp_sum #(
  parameter int Word  = 32,
  parameter int Words = 8
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             start_i,    // in the cycle before the first word
  input  wire  [Word-1:0] h_i,
  input  wire  [Word-1:0] carries_i,
  output logic [Word-1:0] q_o
);

  logic            h_on, carry_q, unused_below;
  logic [Word+1:0] total;

  mm_window #(
    .Start(1), .Length(Words)
  ) u_h_on (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(h_on)
  );

  // The carry enters through a bit of its own below the sum.
  assign total        = {1'b0, h_i, 1'b1} + {1'b0, carries_i, carry_q};
  assign unused_below = total[0];

  always_ff @(posedge clk_i) begin
    if (h_on) {carry_q, q_o} <= total[Word+1:1];
    else      {carry_q, q_o} <= '0;
  end

endmodule

`default_nettype wire
