// SPDX-License-Identifier: Apache-2.0
//
// mm_small_product: p = a * b. An operand is cut into pieces, and the products of pieces are added up in the blocks
// that make them, from the lowest on: each block adds what the one before leaves above its lowest digit, a cycle later.
//
//   Up to TileA - 1 bits     a in one piece, b in pieces of TileB - 1 bits: a chain of one block for each piece
//   up to 2 * (TileB - 1)    both in two pieces of TileB - 1 bits: one chain of four blocks
//   more                     a chain as the first for each TileA - 1 bits of a, the last one with a on the narrow side
//                            of its blocks where that takes fewer, and a tree of additions; three chains are added at
//                            once with Deep = 0
//
//   Cycles: blocks in a chain, 1, Deep, and for each level of the tree 1, or with Deep = 1 those of 2 * Bits bits,
//   Carry bits in each; for three chains added at once 1.
//
`default_nettype none

module mm_small_product #(
  parameter int Bits  = 16,
  parameter int TileA = 25,
  parameter int TileB = 18,
  parameter int Carry = 36,
  parameter int Deep  = 0
) (
  input  wire               clk_i,
  input  wire               en_i,
  input  wire  [Bits-1:0]   a_i,
  input  wire  [Bits-1:0]   b_i,
  output logic [2*Bits-1:0] p_o
);

  localparam int Cut    = TileB - 1;
  localparam int Wide   = TileA - 1;
  localparam int Square = Bits > Wide && Bits <= 2 * Cut ? 1 : 0;

  if (Square != 0) begin : gen_square
    localparam int High = Bits - Cut;

    logic [Cut-1:0]    a0, b0, b0_late, a0_late, low0, low2;
    logic [High-1:0]   a1, b1, a1_late2, b1_late, b1_late3, a1_late3;
    logic [Cut-1:0]    b0_late2;
    logic [2*Cut-1:0]  s0;
    logic [2*Cut:0]    s1, s2;
    logic [2*High-1:0] s3;
    logic              none;

    assign none = 1'b0;
    assign a0   = a_i[Cut-1:0];
    assign a1   = a_i[Bits-1:Cut];
    assign b0   = b_i[Cut-1:0];
    assign b1   = b_i[Bits-1:Cut];

    mm_small_delay #(.Bits(Cut),  .Cycles(1)) u_a0 (.clk_i, .en_i, .d_i(a0), .q_o(a0_late));
    mm_small_delay #(.Bits(High), .Cycles(1)) u_b1 (.clk_i, .en_i, .d_i(b1), .q_o(b1_late));
    mm_small_delay #(.Bits(Cut),  .Cycles(1)) u_b0 (.clk_i, .en_i, .d_i(b0), .q_o(b0_late));
    mm_small_delay #(.Bits(Cut),  .Cycles(1)) u_b0_2 (.clk_i, .en_i, .d_i(b0_late), .q_o(b0_late2));
    mm_small_delay #(.Bits(High), .Cycles(2)) u_a1 (.clk_i, .en_i, .d_i(a1), .q_o(a1_late2));
    mm_small_delay #(.Bits(High), .Cycles(1)) u_a1_3 (.clk_i, .en_i, .d_i(a1_late2), .q_o(a1_late3));
    mm_small_delay #(.Bits(High), .Cycles(2)) u_b1_3 (.clk_i, .en_i, .d_i(b1_late), .q_o(b1_late3));

    mm_small_mac #(
      .ABits(Cut), .BBits(Cut), .CBits(1), .SBits(2 * Cut), .Deep(Deep)
    ) u_low (
      .clk_i, .en_i, .a_i(a0), .b_i(b0), .c_i(none), .s_o(s0)
    );
    mm_small_mac #(
      .ABits(Cut), .BBits(High), .CBits(Cut), .SBits(2 * Cut + 1), .Deep(Deep)
    ) u_cross_b (
      .clk_i, .en_i, .a_i(a0_late), .b_i(b1_late), .c_i(s0[2*Cut-1:Cut]), .s_o(s1)
    );
    mm_small_mac #(
      .ABits(Cut), .BBits(High), .CBits(2 * Cut + 1), .SBits(2 * Cut + 1), .Deep(Deep)
    ) u_cross_a (
      .clk_i, .en_i, .a_i(b0_late2), .b_i(a1_late2), .c_i(s1), .s_o(s2)
    );
    mm_small_mac #(
      .ABits(High), .BBits(High), .CBits(Cut + 1), .SBits(2 * High), .Deep(Deep)
    ) u_high (
      .clk_i, .en_i, .a_i(a1_late3), .b_i(b1_late3), .c_i(s2[2*Cut:Cut]), .s_o(s3)
    );

    mm_small_delay #(.Bits(Cut), .Cycles(3), .Keep(1)) u_low0 (.clk_i, .en_i, .d_i(s0[Cut-1:0]), .q_o(low0));
    mm_small_delay #(.Bits(Cut), .Cycles(1)) u_low2 (.clk_i, .en_i, .d_i(s2[Cut-1:0]), .q_o(low2));

    assign p_o = {s3, low2, low0};
  end else begin : gen_rows
    localparam int Rows   = (Bits + Wide - 1) / Wide;
    localparam int Blocks = (Bits + Cut - 1) / Cut;
    localparam int Levels = Rows > 1 ? $clog2(Rows) : 0;

    for (genvar r = 0; r < Rows; r++) begin : gen_row
      localparam int First = r * Wide;
      localparam int Piece = Bits - First < Wide ? Bits - First : Wide;
      localparam int Part  = Rows > 1 && Piece <= Cut ? Wide : Cut;  // bits of b for a block
      localparam int Chain = (Bits + Part - 1) / Part;

      logic [2*Bits-1:0]     whole;
      logic [Piece+Bits-1:0] row;

      for (genvar j = 0; j < Chain; j++) begin : gen_block
        localparam int Low   = j * Part;
        localparam int Digit = Bits - Low < Part ? Bits - Low : Part;
        localparam int Kept  = j == Chain - 1 ? Digit + Piece : Part;

        logic [Piece-1:0]       a, a_late;
        logic [Digit-1:0]       b, b_late;
        logic [Piece-1:0]       carry;
        logic [Piece+Digit-1:0] sum;

        assign b = b_i[Low+Digit-1:Low];

        if (j == 0) begin : gen_first
          assign a      = a_i[First+Piece-1:First];
          assign a_late = a;
          assign carry  = '0;
        end else begin : gen_next
          assign a     = gen_block[j-1].a_late;
          assign carry = Piece'(gen_block[j-1].sum >> Part);
          mm_small_delay #(.Bits(Piece), .Cycles(1)) u_a (.clk_i, .en_i, .d_i(a), .q_o(a_late));
        end

        mm_small_delay #(.Bits(Digit), .Cycles(j), .Keep(1)) u_b (.clk_i, .en_i, .d_i(b), .q_o(b_late));

        mm_small_mac #(
          .ABits(Piece), .BBits(Digit), .CBits(Piece), .SBits(Piece + Digit), .Deep(Deep)
        ) u_mac (
          .clk_i, .en_i, .a_i(a_late), .b_i(b_late), .c_i(carry), .s_o(sum)
        );

        logic [Kept-1:0] kept;
        logic            unused_sum;
        assign kept       = sum[Kept-1:0];
        assign unused_sum = ^sum;

        mm_small_delay #(
          .Bits(Kept), .Cycles(Blocks - 1 - j), .Keep(1)
        ) u_kept (
          .clk_i, .en_i, .d_i(kept), .q_o(row[Low+Kept-1:Low])
        );
      end

      assign whole = (2*Bits)'(row) << First;
    end

    if (Rows == 3 && Deep == 0) begin : gen_three
      localparam int Upper = 2 * Bits - Wide;
      localparam int Short = Wide + Bits;

      logic [2*Bits-1:0] whole_q;
      logic [Upper-1:0]  third, sum;
      logic [Short-1:0]  first, second;

      assign first  = Short'(gen_row[0].whole >> Wide);
      assign second = Short'(gen_row[1].whole >> Wide);
      assign third  = Upper'(gen_row[Rows-1].whole >> Wide);

      mm_small_add3 #(
        .Bits(Upper), .Short(Short)
      ) u_sum (
        .a_i(third), .b_i(second), .c_i(first), .carry_i(2'b00), .sum_o(sum)
      );

      always_ff @(posedge clk_i) if (en_i) whole_q <= {sum, gen_row[0].whole[Wide-1:0]};

      assign p_o = whole_q;
    end

    // The tree: node r of a level is the sum of the nodes 2r and 2r + 1 of the level before.
    for (genvar l = 0; l <= Levels && (Rows != 3 || Deep != 0); l++) begin : gen_level
      localparam int Nodes = (Rows + (1 << l) - 1) >> l;

      for (genvar r = 0; r < Nodes; r++) begin : gen_node
        logic [2*Bits-1:0] sum;

        if (l == 0) begin : gen_leaf
          assign sum = gen_row[r].whole;
        end else begin : gen_add
          localparam int Cycles = Deep != 0 ? (2 * Bits + Carry - 1) / Carry : 1;

          if (2 * r + 1 < (Rows + (1 << l - 1) - 1) >> l - 1) begin : gen_two
            localparam int Low = Wide << l - 1;  // bits of the left that the right does not reach

            logic [2*Bits-Low-1:0] left, right;
            logic                  unused_zeros;

            assign unused_zeros = ^gen_level[l-1].gen_node[2*r+1].sum;

            assign left  = gen_level[l-1].gen_node[2*r].sum[2*Bits-1:Low];
            assign right = gen_level[l-1].gen_node[2*r+1].sum[2*Bits-1:Low];

            mm_small_sum #(
              .Bits(2 * Bits - Low), .Cycles(Cycles)
            ) u_sum (
              .clk_i, .en_i, .a_i(left), .b_i(right), .carry_i(1'b0), .sum_o(sum[2*Bits-1:Low])
            );
            mm_small_delay #(
              .Bits(Low), .Cycles(Cycles)
            ) u_low (
              .clk_i, .en_i, .d_i(gen_level[l-1].gen_node[2*r].sum[Low-1:0]), .q_o(sum[Low-1:0])
            );
          end else begin : gen_one
            mm_small_delay #(
              .Bits(2 * Bits), .Cycles(Cycles)
            ) u_late (
              .clk_i, .en_i, .d_i(gen_level[l-1].gen_node[2*r].sum), .q_o(sum)
            );
          end
        end
      end
    end

    if (Rows != 3 || Deep != 0) begin : gen_tree
      assign p_o = gen_level[Levels].gen_node[0].sum;
    end
  end

endmodule

`default_nettype wire
