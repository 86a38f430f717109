// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_pipelined_product: p = a * b without carries, by Karatsuba's method.
//
//   Up to Leaf bits the product is made at once: a register for the operands, one for the product. Longer operands are
//   halved, and the product of their sums takes the place of two products:
//
//     a = a1 x^h + a0, b = b1 x^h + b0
//     p = a1 b1 x^(2h) + ((a1 + a0) (b1 + b0) + a1 b1 + a0 b0) x^h + a0 b0
//
//   The sums of operands are made before the registers of the shortest products, those of products one level a cycle.
//
`default_nettype none

module mm_gf2m_pipelined_product #(
  parameter int Bits = 8,
  parameter int Leaf = 16
) (
  input  wire               clk_i,
  input  wire  [Bits-1:0]   a_i,
  input  wire  [Bits-1:0]   b_i,
  output logic [2*Bits-2:0] p_o
);

  logic [2*Bits-2:0] p, p_q;

  if (Bits <= Leaf) begin : gen_leaf
    logic [Bits-1:0] a_q, b_q;

    always_ff @(posedge clk_i) begin
      a_q <= a_i;
      b_q <= b_i;
    end

    for (genvar i = 0; i < Bits; i++) begin : gen_bit
      logic [2*Bits-2:0] so_far, multiple;

      assign multiple = (2*Bits-1)'(b_q & {Bits{a_q[i]}}) << i;

      if (i == 0) begin : gen_first
        assign so_far = multiple;
      end else begin : gen_next
        assign so_far = gen_bit[i-1].so_far ^ multiple;
      end
    end

    assign p = gen_bit[Bits-1].so_far;
  end else begin : gen_halves
    localparam int Half = (Bits + 1) / 2;

    logic [Half-1:0]   a0, a1, b0, b1, a_sum, b_sum;
    logic [2*Half-2:0] low, high, both, middle;
    logic [4*Half-2:0] whole;
    logic              unused_top;

    assign a0         = a_i[Half-1:0];
    assign b0         = b_i[Half-1:0];
    assign a1         = Half'(a_i >> Half);
    assign b1         = Half'(b_i >> Half);
    assign a_sum      = a1 ^ a0;
    assign b_sum      = b1 ^ b0;
    assign middle     = both ^ high ^ low;
    assign whole      = {high, 1'b0, low} ^ ((4*Half-1)'(middle) << Half);
    assign p          = whole[2*Bits-2:0];
    assign unused_top = ^whole;

    mm_gf2m_pipelined_product #(
      .Bits(Half), .Leaf(Leaf)
    ) u_low (
      .clk_i, .a_i(a0), .b_i(b0), .p_o(low)
    );

    mm_gf2m_pipelined_product #(
      .Bits(Half), .Leaf(Leaf)
    ) u_high (
      .clk_i, .a_i(a1), .b_i(b1), .p_o(high)
    );

    mm_gf2m_pipelined_product #(
      .Bits(Half), .Leaf(Leaf)
    ) u_both (
      .clk_i, .a_i(a_sum), .b_i(b_sum), .p_o(both)
    );
  end

  always_ff @(posedge clk_i) p_q <= p;

  assign p_o = p_q;

endmodule

`default_nettype wire
