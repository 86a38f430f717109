// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_times: the part of a * Factor + Addend from place Base to below place Top, by additions; Factor and
// Addend are constants. With Base = 0 it is exact; otherwise it may be less, by as much as there are rows, and never
// more.
//
//    a  the multiples a, 3a, 5a, 7a
//    b  the sum of a row for each digit of Factor, -7, -5 ... 7, all odd, with four places for each at least
//
//   A negative row is an inverted one; what inverting adds is taken from the constant, a row of its own.
//   ceil((ABits + 3) / Carry) cycles, one for each level of the tree, and one less than pieces.
//
`default_nettype none

module mm_pipelined_times #(
  parameter int ABits  = 8,
  parameter int FBits  = 8,    // of Factor
  parameter int Base   = 0,
  parameter int Top    = 8,
  parameter int Carry  = 144,
  parameter int Terms  = 3,
  parameter     Factor = 255,
  parameter     Addend = 0     // at place 0, from 0 on
) (
  input  wire                 clk_i,
  input  wire  [ABits-1:0]    a_i,
  output logic [Top-Base-1:0] p_o
);

  localparam int MBits   = ABits + 3;  // of a multiple
  localparam int RowBits = 21;
  localparam int Bits    = Top - Base;
  localparam int Pieces  = (Bits + Carry - 1) / Carry;
  localparam int Piece   = (Bits + Pieces - 1) / Pieces;
  localparam int Most    = FBits / 4 + 2;  // rows, with the constant
  localparam int CBits   = FBits + 4;

  // Rows of mm_pipelined_heap, without the constant, and above them their number.
  function automatic logic [Most*RowBits+15:0] digits(input int top);
    logic [CBits-1:0] left;
    logic             negative;
    int               count;
    digits = '0;
    count  = 0;
    left   = CBits'(Factor);
    for (int place = 0; place <= FBits && place < top; place++) begin
      if (left[0]) begin
        negative = left[3];
        digits[count*RowBits+:RowBits] = {1'b0, negative, left[2:1] ^ {2{negative}}, 17'(place)};
        left[3:0] = 4'b0000;
        if (negative) left = left + CBits'(16);
        count = count + 1;
      end
      left = left >> 1;
    end
    digits[Most*RowBits+:16] = 16'(count);
  endfunction

  localparam logic [Most*RowBits+15:0] Digits = digits(Top);

  localparam int Found = int'(Digits[Most*RowBits+:16]);
  localparam int Count = Found + 1;

  // With the constant among those that have about as many bits.
  localparam logic [RowBits-1:0]       Whole = {1'b1, 20'(0)};
  localparam logic [Found*RowBits-1:0] Given = Digits[Found*RowBits-1:0];
  localparam logic [Count*RowBits-1:0] Rows  = Base == 0 ? {Given, Whole} : {Whole, Given};

  // What is to be added for all rows that are inverted: ~a is 2^MBits - 1 - a.
  function automatic logic [Top-1:0] constant(input int rows);
    logic [Top-1:0] ones;
    ones     = Top'((CBits + MBits)'(1) << MBits) - Top'(1);
    constant = Top'(Addend);
    for (int i = 0; i < rows; i++) begin
      if (Given[i*RowBits+19]) constant = constant - (ones << Given[i*RowBits+:17]);
    end
  endfunction

  localparam logic [Bits-1:0] Constant = Bits'(constant(Found) >> Base);

  // Step a.
  localparam int Steps = (MBits + Carry - 1) / Carry;

  logic [MBits-1:0] once, twice, four_times, eight_times, once_late, thrice, five_times, seven_times;

  assign once        = MBits'(a_i);
  assign twice       = once << 1;
  assign four_times  = once << 2;
  assign eight_times = once << 3;

  mm_delay #(
    .Bits(MBits), .Cycles(Steps)
  ) u_once (
    .clk_i, .d_i(once), .q_o(once_late)
  );

  mm_pipelined_add #(
    .Bits(MBits), .Carry(Carry)
  ) u_thrice (
    .clk_i, .subtract_i(1'b0), .a_i(twice), .b_i(once), .sum_o(thrice)
  );

  mm_pipelined_add #(
    .Bits(MBits), .Carry(Carry)
  ) u_five_times (
    .clk_i, .subtract_i(1'b0), .a_i(four_times), .b_i(once), .sum_o(five_times)
  );

  mm_pipelined_add #(
    .Bits(MBits), .Carry(Carry)
  ) u_seven_times (
    .clk_i, .subtract_i(1'b1), .a_i(eight_times), .b_i(once), .sum_o(seven_times)
  );

  // Step b.
  logic [Pieces*4*MBits-1:0] multiples;
  logic [Bits-1:0]           sum;

  for (genvar i = 0; i < Pieces; i++) begin : gen_piece
    logic [4*MBits-1:0] late;

    if (i == 0) begin : gen_first
      assign late = {seven_times, five_times, thrice, once_late};
    end else begin : gen_next
      mm_delay #(
        .Bits(4 * MBits), .Cycles(1)
      ) u_late (
        .clk_i, .d_i(gen_piece[i-1].late), .q_o(late)
      );
    end

    assign multiples[i*4*MBits+:4*MBits] = late;
  end

  mm_pipelined_heap #(
    .Count(Count), .ABits(MBits), .Base(Base), .Top(Top), .Piece(Piece), .Terms(Terms), .Rows(Rows),
    .Constant(Constant)
  ) u_heap (
    .clk_i, .multiples_i(multiples), .sum_o(sum)
  );

  mm_pipelined_skew #(
    .Bits(Bits), .Piece(Piece), .Back(1)
  ) u_sum (
    .clk_i, .d_i(sum), .q_o(p_o)
  );

endmodule

`default_nettype wire
