// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_gather: pairs of digits become segments of 2^LogSeg digits, for the memories of the time domain (Dai
// et al., Section 5.3). Digits come two at a time, the lowest first: those of x and y, those of N alone, or those
// of the lower and of the upper half of a number from the Final Stage Operators.
//
//   cycle after the segment's last pair   what
//   1                                     low_full_o, low_o: the segment of the first digits of the pairs
//   2                                     high_full_o, high_o: that of the second ones
//
// Each comes with its index and the number that it belongs to, so that a memory with one write port takes both.
//
`default_nettype none

module mm_fmlm3_gather #(
  parameter int Digit    = 16,
  parameter int LogSeg   = 2,
  parameter int SegIndex = 4,        // bits of a segment's number
  // Derived, not to be set.
  parameter int SegBits  = Digit << LogSeg
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 restart_i,       // the next pair is the first of a number
  input  wire                 pair_i,
  input  wire  [Digit-1:0]    low_i,
  input  wire  [Digit-1:0]    high_i,
  input  wire                 modulus_i,       // low_i is a digit of N
  input  wire                 halves_i,        // digits of the lower and of the upper half
  output logic                low_full_o,
  output logic                low_modulus_o,
  output logic                low_halves_o,
  output logic [SegIndex-1:0] low_segment_o,
  output logic [SegBits-1:0]  low_o,
  output logic                high_full_o,
  output logic                high_modulus_o,  // not a segment: N comes alone
  output logic                high_halves_o,
  output logic [SegIndex-1:0] high_segment_o,
  output logic [SegBits-1:0]  high_o
);

  logic                pair_q;
  logic [Digit-1:0]    high_q;
  logic [LogSeg-1:0]   in_segment_q;
  logic [SegIndex-1:0] count_q;

  always_ff @(posedge clk_i) begin
    pair_q <= pair_i;
    high_q <= high_i;
    if (pair_i) low_o  <= {low_i, low_o[SegBits-1:Digit]};
    if (pair_q) high_o <= {high_q, high_o[SegBits-1:Digit]};
    low_segment_o  <= count_q;
    high_segment_o <= low_segment_o;
    low_halves_o   <= halves_i;
    high_halves_o  <= low_halves_o;
    low_modulus_o  <= modulus_i;
    high_modulus_o <= low_modulus_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_segment_q <= '0;
      count_q      <= '0;
      low_full_o   <= 1'b0;
      high_full_o  <= 1'b0;
    end else begin
      low_full_o  <= pair_i && (in_segment_q == '1);
      high_full_o <= low_full_o;
      if (restart_i) begin
        in_segment_q <= '0;
        count_q      <= '0;
      end else if (pair_i) begin
        in_segment_q <= in_segment_q + 1'b1;
        if (in_segment_q == '1) count_q <= count_q + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
