// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_sum3: mm_pipelined_add3 a cycle later, in pieces that come one cycle after the other
// (mm_pipelined_skew): a piece waits for the carries of the one below it, and the next numbers may follow at once. The
// lowest bit is number Offset of its piece.
//
`default_nettype none

module mm_pipelined_sum3 #(
  parameter int Bits     = 130,
  parameter int Piece    = 130,
  parameter int Offset   = 0,
  parameter int Terms    = 3,
  parameter     Inverted = 0
) (
  input  wire             clk_i,
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  input  wire  [Bits-1:0] c_i,
  output logic [Bits-1:0] sum_o
);

  localparam int Pieces = (Offset + Bits + Piece - 1) / Piece;

  localparam logic [3*Bits-1:0] Flip = (3*Bits)'(Inverted);

  for (genvar i = 0; i < Pieces; i++) begin : gen_piece
    localparam int Low  = i == 0 ? 0 : i * Piece - Offset;
    localparam int Next = (i + 1) * Piece - Offset;
    localparam int Long = (Next < Bits ? Next : Bits) - Low;
    localparam int Both = Long + 2;  // with the carries

    localparam logic [3*Both-1:0] Flipped = {
      Both'(Flip[2*Bits+Low+:Long]), Both'(Flip[Bits+Low+:Long]), Both'(Flip[Low+:Long])
    };

    logic [Both-1:0] a, b, c, sum;
    logic [Long-1:0] sum_q;
    logic [1:0]      carry, carry_q;

    assign a = Both'(a_i[Low+:Long]);
    assign b = Both'(b_i[Low+:Long]);
    assign c = Both'(c_i[Low+:Long]);

    if (i == 0) begin : gen_first
      assign carry = '0;
    end else begin : gen_next
      // 0, 1 or 2 as a number; as bits to add, 0, 1 or 1 and 1.
      assign carry = {gen_piece[i-1].carry_q[1], |gen_piece[i-1].carry_q};
    end

    mm_pipelined_add3 #(
      .Bits(Both), .Terms(Terms), .Inverted(Flipped)
    ) u_add (
      .a_i(a), .b_i(b), .c_i(c), .carry_i(carry), .sum_o(sum)
    );

    always_ff @(posedge clk_i) {carry_q, sum_q} <= sum;

    assign sum_o[Low+:Long] = sum_q;

    if (i == Pieces - 1) begin : gen_last
      logic unused_carry;
      assign unused_carry = ^carry_q;
    end
  end

endmodule

`default_nettype wire
