// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_context: step 1 of mm_montgomery_dsp: where the beats of a context go, M, the constants C of Q, and
// the constants K of the row. A beat is at the outputs two cycles after it came, a beat of K three cycles after.
//
`default_nettype none

module mm_montgomery_dsp_context #(
  parameter int Word     = 36,
  parameter int Beats    = 8,    // of M
  parameter int Parts    = 8,    // words of a K that go to the columns of a group
  parameter int KAddr    = 3,    // bits of an address of K
  parameter int BeatBits = 4
) (
  input  wire                 clk_i,
  input  wire  [Word-1:0]     data_i,
  // A cycle later, from the control.
  input  wire                 there_i,
  input  wire                 m_i,        // none of a constant K
  input  wire  [BeatBits-1:0] beat_i,
  output logic                legal_o,    // M is odd
  output logic                m_load_o,   // word_o is one of M, at beat_o
  output logic                c_load_o,   // word_o is one of a C
  output logic [BeatBits-1:0] beat_o,
  output logic [Word-1:0]     word_o,
  output logic [Parts-1:0]    k_here_o,   // k_word_o goes to these columns
  output logic [KAddr-1:0]    k_write_o,
  output logic [Word-1:0]     k_word_o
);

  logic             k_load_q, head_load_q;
  logic [Word-1:0]  data_q;
  logic [KAddr-1:0] k_write_q;
  logic [Parts-1:0] k_place_q;  // the columns of the next word of a K

  always_ff @(posedge clk_i) begin
    data_q      <= data_i;
    word_o      <= data_q;
    k_word_o    <= word_o;
    head_load_q <= there_i & m_i;
    m_load_o    <= there_i & m_i & (beat_i < BeatBits'(Beats));
    c_load_o    <= there_i & m_i & (beat_i >= BeatBits'(Beats));
    k_load_q    <= there_i & ~m_i;
    beat_o      <= beat_i;
    k_write_o   <= k_write_q;
    k_here_o    <= k_place_q & {Parts{k_load_q}};
    if (m_load_o && beat_o == '0) legal_o <= word_o[0];
    if (head_load_q) begin
      k_write_q <= '0;
      k_place_q <= Parts'(1);
    end else if (k_load_q) begin
      k_place_q <= Parts'({k_place_q, k_place_q[Parts-1]});
      if (k_place_q[Parts-1]) k_write_q <= k_write_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
