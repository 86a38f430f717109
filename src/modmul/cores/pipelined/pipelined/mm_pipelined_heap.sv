// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_heap: the sum of Count rows, by a tree of additions of Terms numbers each; a recursive module. A row is
// one of four multiples of a number, shifted and perhaps inverted, or the constant. Only bits from place Base to below
// place Top count, and all numbers have these bits, in pieces of Piece bits that come one cycle after the other.
//
//   Rows: 21 bits each, those of the lowest row first: whether it is the constant, whether it is inverted, which of the
//   multiples, its place (17 bits); the places differ by 4 at least.
//   multiples_i: all four, for each piece anew, as late as it is; ABits each.
//   As many cycles as levels: the least L with Terms^L >= Count. One row alone takes none, and is not inverted yet.
//
`default_nettype none

module mm_pipelined_heap #(
  parameter int Count    = 2,
  parameter int ABits    = 20,
  parameter int Base     = 0,
  parameter int Top      = 24,
  parameter int Piece    = 24,
  parameter int Terms    = 3,
  parameter     Rows     = {21'h0A0004, 21'h100000},
  parameter     Constant = 0,
  // Derived, not to be set.
  parameter int Bits   = Top - Base,
  parameter int Pieces = (Bits + Piece - 1) / Piece
) (
  input  wire                       clk_i,
  input  wire  [Pieces*4*ABits-1:0] multiples_i,
  output logic [Bits-1:0]           sum_o
);

  localparam int RowBits = 21;

  localparam logic [Count*RowBits-1:0] All = (Count*RowBits)'(Rows);

  function automatic int power(input int level);
    power = 1;
    for (int i = 0; i < level; i++) power = power * Terms;
  endfunction

  function automatic int levels(input int rows);
    int most;
    levels = 0;
    most   = 1;
    for (int i = 0; i < 20; i++) begin
      if (most < rows) begin
        most   = most * Terms;
        levels = levels + 1;
      end
    end
  endfunction

  // The lowest bit of the sum of some rows, from Base on, and the one above its highest.
  function automatic int lowest(input int rows);
    int place;
    lowest = Bits;
    for (int i = 0; i < rows; i++) begin
      place = int'(All[i*RowBits+:17]) - Base;
      if (All[i*RowBits+20] || place < 0) lowest = 0;
      else if (place < lowest) lowest = place;
    end
  endfunction

  function automatic int highest(input int rows);
    int above;
    highest = 0;
    for (int i = 0; i < rows; i++) begin
      above = All[i*RowBits+20] ? Bits : int'(All[i*RowBits+:17]) + ABits - Base;
      if (above > highest) highest = above;
    end
    highest = highest + 1 < Bits ? highest + 1 : Bits;
  endfunction

  localparam int Level = levels(Count);
  localparam int Chunk = power(Level - 1);  // rows of a child
  localparam int Kids  = (Count + Chunk - 1) / Chunk;
  localparam int Low   = lowest(Count);
  localparam int High  = highest(Count);
  localparam int Sum   = High - Low;
  localparam int First = Low / Piece;       // piece

  // Where the children are inverted: those that are rows alone, if they are to be.
  function automatic logic [3*Sum-1:0] inverted(input int kids);
    int row, place;
    inverted = '0;
    for (int k = 0; k < kids; k++) begin
      row   = k * Chunk;
      place = int'(All[row*RowBits+:17]) - Base;
      if ((k == kids - 1 ? Count - row : Chunk) == 1 && All[row*RowBits+19]) begin
        for (int i = 0; i < Sum; i++) begin
          if (i + Low >= place && i + Low < place + ABits) inverted[k*Sum+i] = 1'b1;
        end
      end
    end
  endfunction

  localparam logic [3*Sum-1:0] Inverted = inverted(Kids);

  if (Count == 1) begin : gen_row
    if (All[20]) begin : gen_constant
      logic unused_multiples;
      assign sum_o            = Bits'(Constant);
      assign unused_multiples = clk_i ^ ^multiples_i;
    end else begin : gen_multiple
      localparam int Place = int'(All[16:0]);
      localparam int Which = int'(All[18:17]);
      localparam int Wide  = Base + Bits + ABits;

      for (genvar i = 0; i < Pieces; i++) begin : gen_piece
        localparam int From = i * Piece;
        localparam int Long = Bits - From < Piece ? Bits - From : Piece;

        logic [ABits-1:0] multiple;
        logic [Wide-1:0]  shifted;
        logic             unused_bits;

        assign multiple          = multiples_i[(i*4+Which)*ABits+:ABits];
        assign shifted           = Wide'(multiple) << Place;
        assign sum_o[From+:Long] = shifted[Base+From+:Long];
        assign unused_bits       = ^shifted;
      end

      logic unused_multiples;
      assign unused_multiples = clk_i ^ ^multiples_i;
    end
  end else begin : gen_sum
    logic [3*Sum-1:0] kids;
    logic [Sum-1:0]   sum;

    for (genvar k = 0; k < 3; k++) begin : gen_child
      if (k < Kids) begin : gen_there
        localparam int Own = k == Kids - 1 ? Count - k * Chunk : Chunk;

        localparam logic [Own*RowBits-1:0] OwnRows = All[k*Chunk*RowBits+:Own*RowBits];

        logic [Bits-1:0] child;
        logic            unused_child;

        mm_pipelined_heap #(
          .Count(Own), .ABits(ABits), .Base(Base), .Top(Top), .Piece(Piece), .Terms(Terms), .Rows(OwnRows),
          .Constant(Constant)
        ) u_child (
          .clk_i, .multiples_i, .sum_o(child)
        );

        mm_delay #(
          .Bits(Sum), .Cycles(Level - 1 - levels(Own))
        ) u_late (
          .clk_i, .d_i(child[Low+:Sum]), .q_o(kids[k*Sum+:Sum])
        );

        assign unused_child = ^child;
      end else begin : gen_none
        assign kids[k*Sum+:Sum] = '0;
      end
    end

    mm_pipelined_sum3 #(
      .Bits(Sum), .Piece(Piece), .Offset(Low - First * Piece), .Terms(Terms), .Inverted(Inverted)
    ) u_sum (
      .clk_i, .a_i(kids[0+:Sum]), .b_i(kids[Sum+:Sum]), .c_i(kids[2*Sum+:Sum]), .sum_o(sum)
    );

    assign sum_o = Bits'(sum) << Low;
  end

endmodule

`default_nettype wire
