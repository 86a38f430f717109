// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_context: the words of M in mm_rrm_split, whether M is legal, and -1 / M mod 2^Pending for step 5.
//
//   cycle  ctx_load_i for word j
//   0      beat_i = j; the word was at ctx_data_i a cycle before
//   1      m_load_o: the word is m_o, and its place m_beat_o
//
// m_word_o is word beat_i of M, in the same cycle. With Modulus > 0 the words are logic, and the context is legal if it
// equals them; otherwise M is legal if it is odd.
//
`default_nettype none

module mm_rrm_split_context #(
  parameter int Word    = 16,
  parameter int Beats   = 16,
  parameter int Pending = 4,  // bits of the digits that are pending after the loop
  parameter logic [Beats*Word-1:0] Modulus = '0,  // M, or 0 where it comes by words
  // Derived, not to be set.
  parameter int AddrBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                 clk_i,
  input  wire                 ctx_load_i,
  input  wire  [AddrBits-1:0] beat_i,
  input  wire  [Word-1:0]     ctx_data_i,
  output logic                legal_o,
  output logic [Word-1:0]     m_word_o,
  output logic                m_load_o,
  output logic [AddrBits-1:0] m_beat_o,
  output logic [Word-1:0]     m_o,
  output logic [Pending-1:0]  u_o          // -1 / M mod 2^Pending
);

  logic                m_load_q;
  logic [AddrBits-1:0] m_beat_q;
  logic [Word-1:0]     ctx_q, m_q;

  always_ff @(posedge clk_i) begin
    ctx_q    <= ctx_data_i;
    m_q      <= ctx_q;
    m_load_q <= ctx_load_i;
    m_beat_q <= beat_i;
  end

  assign m_load_o = m_load_q;
  assign m_beat_o = m_beat_q;
  assign m_o      = m_q;

  function automatic logic [Pending-1:0] minus_inverse(input logic [Pending-1:0] m);
    // Bit i of the inverse is that bit of 1 - (inverse so far) * m.
    logic [Pending-1:0] inverse, rest;
    inverse = '0;
    rest    = Pending'(1);
    for (int i = 0; i < Pending; i++) begin
      if (rest[i]) begin
        inverse = inverse | (Pending'(1) << i);
        rest    = rest - (m << i);
      end
    end
    minus_inverse = Pending'(0) - inverse;
  endfunction

  if (Modulus != '0) begin : gen_fixed
    logic so_far_q, same;

    assign m_word_o = Modulus[int'(beat_i)*Word+:Word];
    assign same     = (beat_i == '0 | so_far_q) & ctx_q == m_word_o;
    assign legal_o  = ctx_load_i ? same : so_far_q;
    assign u_o      = minus_inverse(Modulus[Pending-1:0]);

    always_ff @(posedge clk_i) begin
      if (ctx_load_i) so_far_q <= same;
    end
  end else begin : gen_any
    logic               m_first_q, legal_q, unused_low;
    logic [Pending-1:0] m_low_q, u_q;

    mm_word_ram #(
      .Word(Word), .Depth(1 << AddrBits)
    ) u_m (
      .clk_i, .write_i(m_load_q), .write_addr_i(m_beat_q), .word_i(m_q), .read_addr_i(beat_i), .word_o(m_word_o)
    );

    assign legal_o    = legal_q;
    assign u_o        = u_q;
    assign unused_low = m_low_q[0];

    always_ff @(posedge clk_i) begin
      m_first_q <= ctx_load_i & beat_i == '0;
      if (m_first_q) begin
        legal_q <= m_q[0];
        m_low_q <= m_q[Pending-1:0];
      end
      u_q <= minus_inverse({m_low_q[Pending-1:1], 1'b1});
    end
  end

endmodule

`default_nettype wire
