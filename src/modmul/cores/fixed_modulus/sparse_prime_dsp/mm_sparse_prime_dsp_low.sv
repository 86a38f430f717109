// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_low: L of mm_sparse_prime_dsp: its digits come in from the row, one a step, and stay in a memory
// until its words are read. The memory has two halves: the next operation writes one while the other is read.
//
`default_nettype none

module mm_sparse_prime_dsp_low #(
  parameter int Digit = 16,
  parameter int Lanes = 2,   // digits of a word
  parameter int Beats = 8,   // words
  // Derived, not to be set.
  parameter int Word     = Lanes * Digit,
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              start_i,   // with the first digit
  input  wire              there_i,
  input  wire  [Digit-1:0] digit_i,
  input  wire              read_i,    // in the cycle before the first word
  output logic [Word-1:0]  word_o     // a word a cycle
);

  localparam int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;

  logic                write_q, half_q, read_half_q;
  logic [Digit-1:0]    digit_q;
  logic [LaneBits-1:0] lane_q;
  logic [BeatBits-1:0] beat_q, read_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic write;
    assign write = write_q & (Lanes == 1 | lane_q == LaneBits'(l));
    mm_word_ram #(
      .Word(Digit), .Depth(2 << BeatBits)
    ) u_digits (
      .clk_i, .write_i(write), .write_addr_i({half_q, beat_q}), .word_i(digit_q),
      .read_addr_i({read_half_q, read_q}), .word_o(word_o[l*Digit+:Digit])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      half_q      <= 1'b0;
      read_half_q <= 1'b0;
    end else begin
      half_q      <= half_q ^ start_i;
      read_half_q <= read_half_q ^ read_i;
    end
  end

  always_ff @(posedge clk_i) begin
    write_q <= there_i;
    digit_q <= digit_i;
    if (start_i) begin
      lane_q <= '0;
      beat_q <= '0;
    end else if (write_q) begin
      lane_q <= lane_q == LaneBits'(Lanes - 1) ? '0 : lane_q + 1'b1;
      if (lane_q == LaneBits'(Lanes - 1)) beat_q <= beat_q + 1'b1;
    end
    read_q <= read_i ? '0 : read_q + 1'b1;
  end

endmodule

`default_nettype wire
