// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_multiples: step 3 of mm_rrm_split, the table of odd multiples of Y in two banks, and the entry that the
// loop takes.
//
// Bank bank_i is filled in groups of columns, each in parts of 32, while the loop reads run_bank_i. The lowest bit of
// all multiples is 1; in multiple_o it is one_i, since it must be 0 under a sign.
//
//   cycle  the entry of a digit
//   0      row_i
//   1      some_i, without which multiple_o is 0
//   2      one_i; multiple_o
//
`default_nettype none

module mm_rrm_split_multiples #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int Words     = 4,    // of y in a group of columns
  parameter int Groups    = 4,
  parameter int DigitBits = 4,
  // Derived, not to be set.
  parameter int PlaceBits = Words > 1 ? $clog2(Words) : 1
) (
  input  wire                        clk_i,
  input  wire                        rst_ni,
  input  wire                        load_i,      // y_i is word place_i of its group
  input  wire  [PlaceBits-1:0]       place_i,
  input  wire  [Word-1:0]            y_i,
  input  wire                        full_i,      // the group has all its words
  output logic                       move_o,
  output logic                       soon_o,
  output logic                       done_o,      // the bank is filled
  input  wire                        bank_i,
  input  wire                        run_bank_i,
  input  wire  [DigitBits-2:0]       row_i,
  input  wire                        some_i,
  input  wire                        one_i,
  output logic [Width+DigitBits-1:0] multiple_o
);

  localparam int Half      = 1 << DigitBits - 1;  // rows of a bank
  localparam int Columns   = Width + DigitBits;
  localparam int GroupBits = Words * Word;
  localparam int Parts     = (GroupBits + 31) / 32;

  logic [Parts-1:0][Groups-1:0]    fill_write;
  logic [Parts-1:0][DigitBits-2:0] fill_row;
  logic [GroupBits+DigitBits-1:0]  filled;
  logic [Columns-1:0]              entry, entry_q;
  logic                            unused_fill, unused_entry;

  mm_rrm_split_filler #(
    .Word(Word), .Words(Words), .Groups(Groups), .Rows(Half), .TopBits(DigitBits)
  ) u_filler (
    .clk_i, .rst_ni, .load_i, .place_i, .word_i(y_i), .full_i,
    .move_o, .soon_o, .write_o(fill_write), .row_o(fill_row), .multiple_o(filled), .done_o
  );

  assign unused_fill = ^{fill_write, fill_row, filled};

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    for (genvar p = 0; p < Parts; p++) begin : gen_part
      localparam int Low  = g * GroupBits + p * 32;
      localparam int Left = GroupBits - p * 32;
      localparam int Most = p < Parts - 1 ? 32 : g < Groups - 1 ? Left : Left + DigitBits;
      localparam int Size = Columns - Low < Most ? Columns - Low : Most;

      if (Size > 0) begin : gen_some
        logic [DigitBits-2:0] entry_row;

        mm_rrm_copy #(
          .Bits(DigitBits - 1)
        ) u_row (
          .clk_i, .clear_i(1'b0), .d_i(row_i), .q_o(entry_row)
        );

        mm_word_ram #(
          .Word(Size), .Depth(2 * Half)
        ) u_multiples (
          .clk_i, .write_i(fill_write[p][g]), .write_addr_i({bank_i, fill_row[p]}), .word_i(filled[p*32+:Size]),
          .read_addr_i({run_bank_i, entry_row}), .word_o(entry[Low+:Size])
        );
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!some_i) entry_q <= '0;
    else         entry_q <= entry;
  end

  assign multiple_o   = {entry_q[Columns-1:1], one_i};
  assign unused_entry = entry_q[0];

endmodule

`default_nettype wire
