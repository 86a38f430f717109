// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_filler: the entries x * y + T[s] of the table of mm_rrm_two, in groups of columns while words of y come in.
//
// Words of y are gathered into a group, which takes B^2 cycles, one for each entry: for s = 0, 1, ... B-1 first T[s],
// then y more each time, x = 1 ... B-1. The carries out of the group wait in a memory until the next group reaches
// their entries. The last group has DigitBits more columns.
//
//   cycle   of an entry
//   -1      t_q, first_q, added_q and carry_q get what it is made of
//   0       it is added up
//   1       write_o: it is in entry_o
//
// With pre_i, T[row_i] comes in place of y. It is stored in the first cycle of its group; entries are made from it as
// from y, with T[s] = 0.
//
`default_nettype none

module mm_rrm_filler #(
  parameter int Word      = 16,
  parameter int Words     = 3,  // in a group
  parameter int Groups    = 6,
  parameter int DigitBits = 2,
  // Derived, not to be set.
  parameter int PlaceBits = Words > 1 ? $clog2(Words) : 1,
  parameter int AddrBits  = 2 * DigitBits,
  parameter int Bits      = Word * Words
) (
  input  wire                       clk_i,
  input  wire                       rst_ni,
  input  wire                       load_i,   // a word of y comes
  input  wire  [PlaceBits-1:0]      place_i,  // its place in the group
  input  wire  [Word-1:0]           word_i,
  input  wire                       full_i,   // it is the last of its group
  output logic                      move_o,   // words of the next group may come
  output logic                      soon_o,   // the last of them, in the next cycle or later
  input  wire                       pre_i,
  input  wire  [DigitBits-1:0]      row_i,
  output logic [Groups-1:0]         write_o,  // into this group of columns
  output logic [AddrBits-1:0]       addr_o,   // x and s
  output logic [Bits+DigitBits-1:0] entry_o,
  output logic                      done_o    // the last entry of all is written
);

  localparam int GroupBits = Groups > 1 ? $clog2(Groups) : 1;
  localparam logic [GroupBits-1:0] LastGroup = GroupBits'(Groups - 1);
  localparam logic [AddrBits-1:0]  Soon      = AddrBits'((1 << AddrBits) - 4);

  logic [Bits-1:0]           words_q, y_q, added_q, t, t_q;
  logic                      full_q, busy_q, first_q, first_next, last, group_last, carry, carry_q;
  logic [AddrBits-1:0]       count_q, count_next;  // s and x
  logic [GroupBits-1:0]      group_q, group_next;
  logic [Bits+DigitBits-1:0] left;
  logic [Bits+DigitBits:0]   sum;
  logic                      unused_low;

  // ---- which entry

  assign last       = count_q == '1;
  assign move_o     = full_q & (~busy_q | last);
  assign count_next = busy_q ? count_q + 1'b1 : '0;
  assign first_next = DigitBits'(count_next) == '0;
  assign group_last = group_q == LastGroup;

  // A word is on its way for two cycles, and a group must never wait here, so that the time from the last word on is
  // always the same.
  assign soon_o = ~full_q & (~busy_q | count_q >= Soon);

  always_comb begin
    group_next = group_q;
    if (busy_q && last) group_next = group_last ? '0 : group_q + 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      busy_q  <= 1'b0;
      count_q <= '0;
      group_q <= '0;
      write_o <= '0;
      done_o  <= 1'b0;
    end else begin
      full_q  <= (load_i & full_i) | (full_q & ~move_o);
      busy_q  <= move_o | (busy_q & ~last);
      count_q <= count_next;
      group_q <= group_next;
      write_o <= Groups'(busy_q) << group_q;
      done_o  <= busy_q & last & group_last;
    end
  end

  // ---- y and T, of the group

  for (genvar i = 0; i < Words; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (move_o)                                  words_q[i*Word+:Word] <= '0;
      else if (load_i && place_i == PlaceBits'(i)) words_q[i*Word+:Word] <= word_i;
    end
  end

  mm_word_ram #(
    .Word(Bits), .Depth(1 << (GroupBits + DigitBits))
  ) u_residues (
    .clk_i, .write_i(pre_i & busy_q & ~(|count_q)), .write_addr_i({group_q, row_i}), .word_i(y_q),
    .read_addr_i({group_next, count_next[AddrBits-1:DigitBits]}), .word_o(t)
  );

  mm_word_ram #(
    .Word(1), .Depth(1 << AddrBits)
  ) u_carries (
    .clk_i, .write_i(busy_q), .write_addr_i(count_q), .word_i(sum[Bits+1]), .read_addr_i(count_next), .word_o(carry)
  );

  always_ff @(posedge clk_i) begin
    if (move_o) y_q <= words_q;
    first_q <= first_next;
    if (first_next) added_q <= '0;
    else            added_q <= y_q;
    if (pre_i) t_q <= '0;
    else       t_q <= t;
    carry_q <= carry & group_next != '0;
  end

  // ---- the entry; the carry enters through a bit of its own below the sum

  assign left       = first_q ? (Bits+DigitBits)'(t_q) : entry_o;
  assign sum        = {left, 1'b1} + {DigitBits'(0), added_q, carry_q};
  assign unused_low = sum[0];

  always_ff @(posedge clk_i) begin
    entry_o[Bits-1:0] <= sum[Bits:1];
    if (group_last) entry_o[Bits+:DigitBits] <= sum[Bits+1+:DigitBits];
    else            entry_o[Bits+:DigitBits] <= '0;
    addr_o <= {count_q[DigitBits-1:0], count_q[AddrBits-1:DigitBits]};
  end

endmodule

`default_nettype wire
