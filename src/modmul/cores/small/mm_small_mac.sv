// SPDX-License-Identifier: Apache-2.0
//
// mm_small_mac: s = a * b + c, all unsigned, in a multiplier block and the addition behind it. Registers are where a
// DSP48E1 has them: at the operands, with Deep = 1 behind the product, and behind the sum; c comes when the product is
// there. mm_small_mac.ecp5.sv is the same made of an ECP5 block, with the addition in LUTs.
//
//   Cycles from a and b to s: 2 + Deep; from c to s: 1. The sum fits in SBits.
//
`default_nettype none

module mm_small_mac #(
  parameter int ABits = 17,
  parameter int BBits = 17,
  parameter int CBits = 24,
  parameter int SBits = 35,
  parameter int Deep  = 0
) (
  input  wire              clk_i,
  input  wire              en_i,
  input  wire  [ABits-1:0] a_i,
  input  wire  [BBits-1:0] b_i,
  input  wire  [CBits-1:0] c_i,
  output logic [SBits-1:0] s_o
);

  logic signed [ABits:0]       a, a_q;
  logic signed [BBits:0]       b, b_q;
  logic signed [ABits+BBits+1:0] product;
  logic signed [SBits-1:0]     addend, behind, s_q;
  logic                        unused_product;

  assign a       = {1'b0, a_i};
  assign b       = {1'b0, b_i};
  assign addend  = SBits'({1'b0, c_i});
  assign product = a_q * b_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      a_q <= a;
      b_q <= b;
      s_q <= behind + addend;
    end
  end

  if (Deep != 0) begin : gen_deep
    logic signed [SBits-1:0] product_q;
    always_ff @(posedge clk_i) if (en_i) product_q <= SBits'(product);
    assign behind = product_q;
  end else begin : gen_short
    assign behind = SBits'(product);
  end

  assign s_o            = s_q;
  assign unused_product = ^product;

endmodule

`default_nettype wire
