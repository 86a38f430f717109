// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_strip: p = a * b mod 2^PBits in a row of multiplier blocks, one for each Cut bits of b. A block adds
// what the block below it leaves above Cut bits, a cycle later; these additions take place inside the blocks.
//
//   a is signed if ASigned, b if BSigned; the last piece of a signed b has up to Cut + 1 bits.
//   A last piece of at most Corner bits whose product is wanted in as few bits is made of LUTs; it takes no block.
//   Blocks + 2 cycles: registers at the operands, after the product, after the sum.
//
`default_nettype none

module mm_pipelined_strip #(
  parameter int ABits   = 24,
  parameter int BBits   = 65,
  parameter int PBits   = ABits + BBits,
  parameter int ASigned = 0,
  parameter int BSigned = 0,
  parameter int Cut     = 17,
  parameter int Corner  = 0
) (
  input  wire              clk_i,
  input  wire  [ABits-1:0] a_i,
  input  wire  [BBits-1:0] b_i,
  output logic [PBits-1:0] p_o
);

  localparam int Blocks = BBits - BSigned > Cut ? (BBits - BSigned + Cut - 1) / Cut : 1;

  for (genvar j = 0; j < Blocks; j++) begin : gen_block
    localparam int Low   = j * Cut;
    localparam int Last  = j == Blocks - 1 ? 1 : 0;
    localparam int Piece = Last != 0 ? BBits - Low : Cut;
    localparam int Sum   = Last != 0 && PBits - Low < ABits + Piece ? PBits - Low : ABits + Piece;
    localparam int Luts  = Last != 0 && Piece <= Corner && Sum <= Corner ? 1 : 0;

    logic        [ABits-1:0]       a_late;
    logic        [Piece-1:0]       b_piece, b_late;
    logic signed [ABits:0]         a, a_q;
    logic signed [Piece:0]         b, b_q;
    logic signed [ABits+Piece+1:0] product;
    logic signed [Sum-1:0]         carry, product_q, sum_q;
    logic                          unused_product;

    assign b_piece = b_i[Low+Piece-1:Low];

    mm_delay #(
      .Bits(ABits), .Cycles(j)
    ) u_a (
      .clk_i, .d_i(a_i), .q_o(a_late)
    );

    mm_delay #(
      .Bits(Piece), .Cycles(j)
    ) u_b (
      .clk_i, .d_i(b_piece), .q_o(b_late)
    );

    assign a = {ASigned != 0 & a_late[ABits-1], a_late};
    assign b = {BSigned != 0 & Last != 0 & b_late[Piece-1], b_late};

    if (j == 0) begin : gen_first
      assign carry = '0;
    end else begin : gen_carry
      logic signed [ABits:0] above;  // what the block below leaves
      logic                  unused_above;
      assign unused_above = ^above;
      assign above = {ASigned != 0 & gen_block[j-1].sum_q[ABits+Cut-1], gen_block[j-1].sum_q[ABits+Cut-1:Cut]};
      assign carry = Sum'(above);
    end

    if (Luts != 0) begin : gen_luts
      mm_pipelined_corner #(
        .ABits(ABits + 1), .BBits(Piece + 1), .PBits(ABits + Piece + 2), .Kept(Sum)
      ) u_corner (
        .a_i(a_q), .b_i(b_q), .p_o(product)
      );
    end else begin : gen_multiplier
      assign product = a_q * b_q;
    end

    assign unused_product = ^product[ABits+Piece+1:Sum];

    always_ff @(posedge clk_i) begin
      a_q       <= a;
      b_q       <= b;
      product_q <= product[Sum-1:0];
      sum_q     <= product_q + carry;
    end

    if (Last != 0) begin : gen_top
      assign p_o[PBits-1:Low] = sum_q;
    end else begin : gen_low
      logic [Cut-1:0] low, low_late;

      assign low                = sum_q[Cut-1:0];
      assign p_o[Low+Cut-1:Low] = low_late;

      mm_delay #(
        .Bits(Cut), .Cycles(Blocks - 1 - j)
      ) u_low (
        .clk_i, .d_i(low), .q_o(low_late)
      );
    end
  end

endmodule

`default_nettype wire
