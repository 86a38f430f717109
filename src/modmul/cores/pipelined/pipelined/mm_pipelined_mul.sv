// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_mul: p = a * b, unsigned, by Karatsuba's method down to operands of at most Leaf bits.
//
//   With a = a1 * 2^s + a0 and b likewise, s = ceil(Bits / 2):
//    1  d = (a1 - a0) * (b1 - b0), signs apart or, where the product is a leaf, in two's complement
//    2  middle = a0 * b0 + a1 * b1 - d
//    3  p = a1 * b1 * 2^(2s) + middle * 2^s + a0 * b0
//
//   Cycles is the number of cycles that follows from the other parameters (latency in core.py).
//
`default_nettype none

module mm_pipelined_mul #(
  parameter int Bits   = 127,
  parameter int TileA  = 25,
  parameter int TileB  = 18,
  parameter int Leaf   = 104,
  parameter int Carry  = 144,
  parameter int Cycles = 12
) (
  input  wire               clk_i,
  input  wire  [Bits-1:0]   a_i,
  input  wire  [Bits-1:0]   b_i,
  output logic [2*Bits-1:0] p_o
);

  // Compiled once for all its instances: /* verilator no_inline_module */

  if (Bits + 1 <= Leaf) begin : gen_leaf
    logic [Bits:0]     a, b;
    logic [2*Bits+1:0] p;
    logic              unused_sign;

    assign a = {1'b0, a_i};
    assign b = {1'b0, b_i};

    mm_pipelined_leaf #(
      .Bits(Bits + 1), .TileA(TileA), .TileB(TileB)
    ) u_leaf (
      .clk_i, .a_i(a), .b_i(b), .p_o(p)
    );

    assign p_o         = p[2*Bits-1:0];
    assign unused_sign = ^p[2*Bits+1:2*Bits];
  end else begin : gen_split
    localparam int Half     = (Bits + 1) / 2;
    localparam int Signed   = Half + 1 <= Leaf ? 1 : 0;            // the halves are leaves
    localparam int Differ   = (Half + Carry) / Carry;              // cycles of each addition
    localparam int Absolute = Signed != 0 ? 0 : (Half + Carry - 1) / Carry;
    localparam int Middle   = (2 * Half + Carry) / Carry;
    localparam int Upper    = 2 * Bits - Half;
    localparam int Final    = (Upper + Carry - 1) / Carry;
    localparam int Inner    = Cycles - Differ - Absolute - 2 * Middle - Final;

    logic [4*Half-1:0] halves, halves_late;    // b1, a1, b0, a0
    logic [4*Half-1:0] whole, whole_late;      // a1 * b1, a0 * b0
    logic [2*Half:0]   p0, p1, outer, d, d_late, middle;
    logic [Half-1:0]   a0, b0, a1, b1, a0_late, b0_late, a1_late, b1_late;
    logic [Half:0]     da, db;
    logic [2*Half-1:0] low_product, high_product;
    logic [Upper-1:0]  upper, addend, upper_sum;
    logic [Half-1:0]   lower, lower_late;
    logic              subtract, unused_zeros;

    assign a0     = a_i[Half-1:0];
    assign b0     = b_i[Half-1:0];
    assign a1     = Half'(a_i[Bits-1:Half]);
    assign b1     = Half'(b_i[Bits-1:Half]);
    assign halves = {b1, a1, b0, a0};

    mm_delay #(
      .Bits(4 * Half), .Cycles(Differ + Absolute)
    ) u_halves (
      .clk_i, .d_i(halves), .q_o(halves_late)
    );

    assign {b1_late, a1_late, b0_late, a0_late} = halves_late;

    mm_pipelined_mul #(
      .Bits(Half), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Cycles(Inner)
    ) u_low (
      .clk_i, .a_i(a0_late), .b_i(b0_late), .p_o(low_product)
    );

    mm_pipelined_mul #(
      .Bits(Half), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Cycles(Inner)
    ) u_high (
      .clk_i, .a_i(a1_late), .b_i(b1_late), .p_o(high_product)
    );

    // Step 1.
    logic [Half:0] a0_long, a1_long, b0_long, b1_long;

    assign a0_long = {1'b0, a0};
    assign a1_long = {1'b0, a1};
    assign b0_long = {1'b0, b0};
    assign b1_long = {1'b0, b1};

    mm_pipelined_add #(
      .Bits(Half + 1), .Carry(Carry)
    ) u_da (
      .clk_i, .subtract_i(1'b1), .a_i(a1_long), .b_i(a0_long), .sum_o(da)
    );

    mm_pipelined_add #(
      .Bits(Half + 1), .Carry(Carry)
    ) u_db (
      .clk_i, .subtract_i(1'b1), .a_i(b1_long), .b_i(b0_long), .sum_o(db)
    );

    if (Signed != 0) begin : gen_signed
      logic [2*Half+1:0] product;
      logic              unused_sign;

      mm_pipelined_leaf #(
        .Bits(Half + 1), .TileA(TileA), .TileB(TileB)
      ) u_middle (
        .clk_i, .a_i(da), .b_i(db), .p_o(product)
      );

      assign d           = product[2*Half:0];
      assign subtract    = 1'b1;
      assign unused_sign = product[2*Half+1];
    end else begin : gen_magnitude
      logic [Half-1:0]   da_low, db_low, da_size, db_size, zero;
      logic [2*Half-1:0] product;
      logic              equal;

      assign zero   = '0;
      assign da_low = da[Half-1:0];
      assign db_low = db[Half-1:0];
      assign equal  = ~(da[Half] ^ db[Half]);
      assign d      = {1'b0, product};

      mm_pipelined_add #(
        .Bits(Half), .Carry(Carry)
      ) u_da_size (
        .clk_i, .subtract_i(da[Half]), .a_i(zero), .b_i(da_low), .sum_o(da_size)
      );

      mm_pipelined_add #(
        .Bits(Half), .Carry(Carry)
      ) u_db_size (
        .clk_i, .subtract_i(db[Half]), .a_i(zero), .b_i(db_low), .sum_o(db_size)
      );

      mm_pipelined_mul #(
        .Bits(Half), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Cycles(Inner)
      ) u_middle (
        .clk_i, .a_i(da_size), .b_i(db_size), .p_o(product)
      );

      mm_delay #(
        .Bits(1), .Cycles(Absolute + Inner + Middle)
      ) u_equal (
        .clk_i, .d_i(equal), .q_o(subtract)
      );
    end

    // Step 2.
    assign p0 = {1'b0, low_product};
    assign p1 = {1'b0, high_product};

    mm_pipelined_add #(
      .Bits(2 * Half + 1), .Carry(Carry)
    ) u_outer (
      .clk_i, .subtract_i(1'b0), .a_i(p0), .b_i(p1), .sum_o(outer)
    );

    mm_delay #(
      .Bits(2 * Half + 1), .Cycles(Middle)
    ) u_d (
      .clk_i, .d_i(d), .q_o(d_late)
    );

    mm_pipelined_add #(
      .Bits(2 * Half + 1), .Carry(Carry)
    ) u_less (
      .clk_i, .subtract_i(subtract), .a_i(outer), .b_i(d_late), .sum_o(middle)
    );

    // Step 3.
    assign whole = {high_product, low_product};

    mm_delay #(
      .Bits(4 * Half), .Cycles(2 * Middle)
    ) u_whole (
      .clk_i, .d_i(whole), .q_o(whole_late)
    );

    assign upper  = whole_late[2*Bits-1:Half];
    assign lower  = whole_late[Half-1:0];
    assign addend = Upper'(middle);

    assign unused_zeros = ^whole_late;

    mm_pipelined_add #(
      .Bits(Upper), .Carry(Carry)
    ) u_upper (
      .clk_i, .subtract_i(1'b0), .a_i(upper), .b_i(addend), .sum_o(upper_sum)
    );

    mm_delay #(
      .Bits(Half), .Cycles(Final)
    ) u_lower (
      .clk_i, .d_i(lower), .q_o(lower_late)
    );

    assign p_o = {upper_sum, lower_late};
  end

endmodule

`default_nettype wire
