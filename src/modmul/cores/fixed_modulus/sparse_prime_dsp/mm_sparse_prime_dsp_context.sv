// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_context: the context of mm_sparse_prime_dsp: each word is compared with that of M, four bits at a
// time as it comes, and what is found of them in the next cycle. legal_o says whether all words so far are equal, from
// the first to the current one.
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
  input  wire [BeatBits-1:0] next_i,   // of data_i
  // A cycle later, from the control.
  input  wire                there_i,
  output logic               legal_o
);

  localparam int Parts = (Word + 3) / 4;

  logic [Word-1:0]  m_word;
  logic [Parts-1:0] same_part, same_part_q;
  logic             same, same_q, first_q;

  always_comb begin
    m_word = '0;
    for (int j = 0; j < Beats; j++) if (next_i == BeatBits'(j)) m_word = M[j*Word+:Word];
  end

  for (genvar part = 0; part < Parts; part++) begin : gen_part
    localparam int Size = part == Parts - 1 ? Word - 4 * part : 4;
    assign same_part[part] = data_i[4*part+:Size] == m_word[4*part+:Size];
  end

  assign same    = (&same_part_q) & (same_q | first_q);
  assign legal_o = there_i ? same : same_q;

  always_ff @(posedge clk_i) begin
    same_part_q <= same_part;
    first_q     <= next_i == '0;
    if (there_i) same_q <= same;
  end

endmodule

`default_nettype wire
