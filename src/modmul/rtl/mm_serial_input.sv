// SPDX-License-Identifier: Apache-2.0
//
// mm_serial_input: contexts and operands of a core that works while the next operands come in. It counts the words of
// both, a cycle late, and says when the operands of an operation are complete; they wait until go_i.
//
// Tail = 1: one more beat follows the words of a context. It is none of them, and gives the core time to check whether
// they are legal.
//
`default_nettype none

module mm_serial_input #(
  parameter int Beats = 8,
  parameter int Tail  = 0,
  // Derived, not to be set.
  parameter int WordBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  output logic                ctx_error_o,
  input  wire                 legal_i,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  // A word, a cycle after it has changed hands.
  output logic                m_load_o,
  output logic                x_load_o,
  output logic [WordBits-1:0] beat_o,
  output logic                x_write_o,  // a cycle after x_load_o
  output logic [WordBits-1:0] x_beat_o,
  output logic                modulus_o,  // Tail = 1: a cycle after the last word of a modulus has changed hands
  // Operations.
  output logic                there_o,    // the operands of one are there, and written
  input  wire                 go_i,       // it begins
  input  wire                 rest_i      // none is under way, and no result waits
);

  localparam logic [WordBits-1:0] LastBeat       = WordBits'(Beats - 1);
  localparam logic [WordBits-1:0] SecondLastBeat = WordBits'(Beats - 2);  // not of one beat

  logic [WordBits-1:0] beat_q, beat_q2;
  logic                last, ctx_last, ctx_load, in_load, modulus, operands, free_q, unused_part;
  logic                whole_q, modulus_q, m_load_q, x_load_q, x_write_q, full_q, full_q2, full_q3;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q), .ctx_last_i(ctx_last), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  // beat_q counts a cycle late: it is the index of the word that came in the cycle before.
  assign last     = Beats == 1 || beat_q == (m_load_q || x_load_q ? SecondLastBeat : LastBeat);
  assign ctx_last = Tail != 0 ? whole_q : last;
  assign modulus  = Tail != 0 & ctx_load & last & ~whole_q;
  assign operands = in_load & last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_load_q  <= 1'b0;
      x_load_q  <= 1'b0;
      beat_q    <= '0;
      whole_q   <= 1'b0;
      modulus_q <= 1'b0;
      full_q    <= 1'b0;
      full_q2   <= 1'b0;
      full_q3   <= 1'b0;
      free_q    <= 1'b1;
    end else begin
      m_load_q <= ctx_load & ~whole_q;
      x_load_q <= in_load;
      if (m_load_q || x_load_q) beat_q <= beat_q == LastBeat ? '0 : beat_q + 1'b1;
      if (ctx_load) whole_q <= modulus;
      modulus_q <= modulus;
      full_q    <= operands | (full_q & ~go_i);
      full_q2   <= full_q & ~go_i;
      full_q3   <= full_q2 & ~go_i;
      // Nothing is in flight. What ends this state is known a cycle earlier than what it starts.
      free_q <= rest_i & ~full_q & ~modulus_q & ~modulus & ~operands;
    end
  end

  always_ff @(posedge clk_i) begin
    x_write_q <= x_load_q;
    beat_q2   <= beat_q;
  end

  assign m_load_o  = m_load_q;
  assign x_load_o  = x_load_q;
  assign beat_o    = beat_q;
  assign x_write_o = x_write_q;
  assign x_beat_o  = beat_q2;
  assign modulus_o = modulus_q;
  assign there_o   = full_q3;

endmodule

`default_nettype wire
