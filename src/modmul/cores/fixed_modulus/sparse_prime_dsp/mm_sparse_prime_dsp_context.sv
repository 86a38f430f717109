// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_context: the context of mm_sparse_prime_dsp: each word is compared with that of M. legal_o says
// whether all words so far are equal, from the first to the current one.
//
`default_nettype none

module mm_sparse_prime_dsp_context #(
  parameter int Word  = 32,
  parameter int Beats = 8,
  parameter logic [Word*Beats-1:0] M = 1,
  // Derived, not to be set.
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                clk_i,
  input  wire [Word-1:0]     data_i,
  // A cycle later, from the control.
  input  wire                there_i,
  input  wire [BeatBits-1:0] beat_i,
  output logic               legal_o
);

  logic [Word-1:0] data_q, m_word;
  logic            same, same_q;

  always_comb begin
    m_word = '0;
    for (int j = 0; j < Beats; j++) if (beat_i == BeatBits'(j)) m_word = M[j*Word+:Word];
  end

  assign same    = data_q == m_word & (same_q | beat_i == '0);
  assign legal_o = there_i ? same : same_q;

  always_ff @(posedge clk_i) begin
    data_q <= data_i;
    if (there_i) same_q <= same;
  end

endmodule

`default_nettype wire
