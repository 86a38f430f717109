// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_filler: the odd multiples of an operand, y, 3y, ..., (2 * Rows - 1) * y, for the table of mm_rrm_split.
//
// Words of y are gathered into groups. A group takes Rows + 1 cycles: in each of Rows cycles 2y is added to the
// multiple before. It has parts of at most 32 columns, each a cycle after the one below it, whose carry it takes; the
// carries out of the group wait in a memory until the next group reaches their multiples. The last group has TopBits
// more columns.
//
`default_nettype none

module mm_rrm_split_filler #(
  parameter int Word    = 16,
  parameter int Words   = 4,  // in a group; up to 192 bits
  parameter int Groups  = 4,
  parameter int Rows    = 8,  // a power of two, from 2
  parameter int TopBits = 4,
  // Derived, not to be set.
  parameter int PlaceBits = Words > 1 ? $clog2(Words) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Bits      = Word * Words,
  parameter int Parts     = (Bits + 31) / 32
) (
  input  wire                          clk_i,
  input  wire                          rst_ni,
  input  wire                          load_i,      // a word of y comes
  input  wire  [PlaceBits-1:0]         place_i,     // its place in the group
  input  wire  [Word-1:0]              word_i,
  input  wire                          full_i,      // it is the last of its group
  output logic                         move_o,      // words of the next group may come
  output logic                         soon_o,      // the last of them, in the next cycle or later
  // For each part: multiple_o is row_o of a group.
  output logic [Parts-1:0][Groups-1:0]  write_o,
  output logic [Parts-1:0][RowBits-1:0] row_o,
  output logic [Bits+TopBits-1:0]       multiple_o,
  output logic                          done_o      // the last row of all is written
);

  logic [Bits-1:0]                words_q;
  logic                           full_q, busy_q, row_last, first_carry, first_carry_q;
  logic [RowBits-1:0]             row_q;
  logic [Groups-1:0]              group_q;
  logic [2*Groups-1:0]            turned;
  // Of the parts, from the lowest.
  logic [Parts:0]                 move, busy, high, carry;
  logic [Parts:0][RowBits-1:0]    row;
  logic [Parts:0][Groups-1:0]     group;
  logic                           unused_ends;

  assign move_o = move[0];
  assign turned = {group_q, group_q} << 1;

  // Words are on their way for three cycles, and a group must never wait here.
  assign soon_o = Rows < 6 ? 1'b1 : busy_q ? row_q >= RowBits'(Rows - 5) : ~full_q;

  assign row_last = row_q == '1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      busy_q  <= 1'b0;
      row_q   <= '0;
      group_q <= Groups'(1);
      done_o  <= 1'b0;
    end else begin
      full_q <= (load_i & full_i) | (full_q & ~move[0]);
      busy_q <= move[0] | (busy_q & ~row_last);
      if (busy_q)             row_q   <= row_q + 1'b1;
      if (busy_q && row_last) group_q <= turned[2*Groups-1:Groups];
      done_o <= busy[Parts-1] & row[Parts-1] == '1 & group[Parts-1][Groups-1];
    end
  end

  for (genvar i = 0; i < Words; i++) begin : gen_word
    localparam int Taker = ((i + 1) * Word - 1) / 32;  // the last part that takes of it

    always_ff @(posedge clk_i) begin
      if (move[Taker])                              words_q[i*Word+:Word] <= '0;
      else if (load_i && place_i == PlaceBits'(i)) words_q[i*Word+:Word] <= word_i;
    end
  end

  // The carry of the next row, out of the group before. The highest part, which writes it, runs later than the lowest.
  mm_word_ram #(
    .Word(1), .Depth(Rows)
  ) u_carries (
    .clk_i, .write_i(busy[Parts-1]), .write_addr_i(row[Parts-1]), .word_i(carry[Parts]),
    .read_addr_i(row_q + RowBits'(busy_q)), .word_o(first_carry)
  );

  always_ff @(posedge clk_i) first_carry_q <= first_carry & ~group_q[0];

  assign move[0]     = full_q & ~busy_q;
  assign busy[0]     = busy_q;
  assign row[0]      = row_q;
  assign group[0]    = group_q;
  assign carry[0]    = first_carry_q;
  assign high[0]     = high[Parts] & ~group[0][0];

  for (genvar p = 0; p < Parts; p++) begin : gen_part
    localparam bit Last   = p == Parts - 1;
    localparam int Low    = p * 32;
    localparam int Size   = Last ? Bits - Low : 32;
    localparam int Above  = Last ? TopBits : 1;
    localparam int Stored = Last ? Size + TopBits : Size;

    logic [Size-1:0]       y_q;
    logic [Size+Above-1:0] multiple, sum;
    logic                  low_q, top, single_q;

    // Row 0 is y itself, the others are 2y more than the one before.
    assign multiple  = (Size+Above)'(multiple_o[Low+:Stored]);
    assign top       = Last & y_q[Size-1] & group[p][Groups-1];

    mm_rrm_split_multiple #(
      .Bits(Size), .TopBits(Above)
    ) u_multiple (
      .single_i(single_q), .carry_i(carry[p]), .low_i(low_q), .top_i(top), .y_i(y_q), .multiple_i(multiple), .sum_o(sum)
    );

    always_ff @(posedge clk_i) begin
      if (move[p]) begin
        y_q   <= words_q[Low+:Size];
        low_q <= high[p];
      end
      single_q <= ~busy[p];
      row_o[p] <= row[p];
      if (!busy[p]) multiple_o[Low+:Size] <= '0;
      else          multiple_o[Low+:Size] <= sum[Size-1:0];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) write_o[p] <= '0;
      else         write_o[p] <= group[p] & {Groups{busy[p]}};
    end

    assign high[p+1] = y_q[Size-1];

    if (Last) begin : gen_last
      assign move[p+1]  = 1'b0;
      assign busy[p+1]  = 1'b0;
      assign row[p+1]   = '0;
      assign group[p+1] = '0;
      assign carry[p+1] = sum[Size];
      always_ff @(posedge clk_i) begin
        if (!busy[p] || !group[p][Groups-1]) multiple_o[Bits+:TopBits] <= '0;
        else                                 multiple_o[Bits+:TopBits] <= sum[Size+:TopBits];
      end
    end else begin : gen_next
      logic                next_move_q, next_busy_q, next_carry_q;
      logic [RowBits-1:0]  next_row_q;
      logic [Groups-1:0]   next_group_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          next_move_q <= 1'b0;
          next_busy_q <= 1'b0;
        end else begin
          next_move_q <= move[p];
          next_busy_q <= busy[p];
        end
      end
      always_ff @(posedge clk_i) begin
        next_carry_q <= sum[Size];
        next_row_q   <= row[p];
        next_group_q <= group[p];
      end
      assign move[p+1]  = next_move_q;
      assign busy[p+1]  = next_busy_q;
      assign row[p+1]   = next_row_q;
      assign group[p+1] = next_group_q;
      assign carry[p+1] = next_carry_q;
    end
  end

  assign unused_ends = ^{turned, move, busy, high, carry, row, group};

endmodule

`default_nettype wire
