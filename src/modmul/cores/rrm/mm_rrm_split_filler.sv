// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_filler: the odd multiples of an operand, y, 3y, ..., (2 * Rows - 1) * y, for the table of mm_rrm_split.
//
// Words of y are gathered into groups of Bits columns. A group takes Rows cycles, in each of which 2y is added to the
// multiple before, and one more; the carry of each multiple waits in carry_q until the next group comes to that
// multiple. The last group has TopBits columns more.
//
`default_nettype none

module mm_rrm_split_filler #(
  parameter int Word    = 16,
  parameter int Words   = 4,  // in a group
  parameter int Groups  = 4,
  parameter int Rows    = 8,  // a power of two, from 2
  parameter int TopBits = 4,
  // Derived, not to be set.
  parameter int PlaceBits = Words > 1 ? $clog2(Words) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Bits      = Word * Words
) (
  input  wire                     clk_i,
  input  wire                     rst_ni,
  input  wire                     load_i,      // a word of y comes
  input  wire  [PlaceBits-1:0]    place_i,     // its place in the group
  input  wire  [Word-1:0]         word_i,
  input  wire                     full_i,      // it is the last of its group
  output logic                    move_o,      // words of the next group may come
  output logic                    soon_o,      // the last of them, in the next cycle or later
  output logic [Groups-1:0]       write_o,     // multiple_o is row_o of this group
  output logic [RowBits-1:0]      row_o,
  output logic [Bits+TopBits-1:0] multiple_o,
  output logic                    done_o       // it is the last row of the last group
);

  logic [Bits-1:0]       words_q, y_q, added;
  logic                  full_q, busy_q, low_q, top, row_last, carry, carry_in, unused_low;
  logic [RowBits-1:0]    row_q;
  logic [Rows-1:0]       carry_q;
  logic [2*Groups-1:0]   turned;
  logic [Groups-1:0]     group_q;
  logic [Bits+TopBits:0] sum;

  assign row_last = row_q == '1;
  assign move_o   = full_q & ~busy_q;
  assign turned   = {group_q, group_q} << 1;

  // Words are on their way for three cycles, and a group is never to wait here.
  assign soon_o = Rows < 6 ? 1'b1 : busy_q ? row_q >= RowBits'(Rows - 5) : ~full_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      busy_q  <= 1'b0;
      row_q   <= '0;
      group_q <= Groups'(1);
      write_o <= '0;
      done_o  <= 1'b0;
    end else begin
      full_q  <= (load_i & full_i) | (full_q & ~move_o);
      busy_q  <= move_o | (busy_q & ~row_last);
      if (busy_q)             row_q   <= row_q + 1'b1;
      if (busy_q && row_last) group_q <= turned[2*Groups-1:Groups];
      write_o <= group_q & {Groups{busy_q}};
      done_o  <= busy_q & row_last & group_q[Groups-1];
    end
  end

  for (genvar i = 0; i < Words; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (move_o)                                     words_q[i*Word+:Word] <= '0;
      else if (load_i && place_i == PlaceBits'(i)) words_q[i*Word+:Word] <= word_i;
    end
  end

  // Row 0 is y itself, the others are 2y more than the one before.
  assign added      = row_q == '0 ? y_q : {y_q[Bits-2:0], low_q};
  assign top        = row_q != '0 & y_q[Bits-1] & group_q[Groups-1];
  assign carry_in   = carry_q[0] & ~group_q[0];
  assign sum        = {multiple_o, 1'b1} + {TopBits'(top), added, carry_in};
  assign carry      = sum[Bits+1];
  assign unused_low = sum[0];

  always_ff @(posedge clk_i) begin
    if (move_o) begin
      y_q   <= words_q;
      low_q <= y_q[Bits-1] & ~group_q[0];
    end
    if (busy_q) carry_q <= {carry, carry_q[Rows-1:1]};
    row_o <= row_q;
    if (!busy_q) multiple_o[Bits-1:0] <= '0;
    else         multiple_o[Bits-1:0] <= sum[Bits:1];
    if (!busy_q || !group_q[Groups-1]) multiple_o[Bits+TopBits-1:Bits] <= '0;
    else                               multiple_o[Bits+TopBits-1:Bits] <= sum[Bits+TopBits:Bits+1];
  end

endmodule

`default_nettype wire
