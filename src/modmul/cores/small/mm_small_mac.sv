// SPDX-License-Identifier: Apache-2.0
//
// mm_small_mac: s = a * b + c in a multiplier block and the addition behind it; a is unsigned, and so are b, c and s
// with Signed = 0. Registers are where a DSP48E1 has them: at the operands, with Deep = 1 behind the product, and
// behind the sum; with Deep = 2 there is one more behind the product. c comes when the product is there.
// mm_small_mac.ecp5.sv is the same made of an ECP5 block, with the addition in LUTs.
//
//   Cycles from a and b to s: 2 + Deep; from c to s: 1. s is the sum modulo 2^SBits.
//
`default_nettype none

module mm_small_mac #(
  parameter int ABits  = 17,
  parameter int BBits  = 17,
  parameter int CBits  = 24,
  parameter int SBits  = 35,
  parameter int Signed = 0,
  parameter int Deep   = 0
) (
  input  wire              clk_i,
  input  wire              en_i,
  input  wire  [ABits-1:0] a_i,
  input  wire  [BBits-1:0] b_i,
  input  wire  [CBits-1:0] c_i,
  output logic [SBits-1:0] s_o
);

  localparam int BLong = Signed != 0 ? BBits : BBits + 1;
  localparam int PBits = ABits + 1 + BLong;

  logic signed [ABits:0]   a, a_q;
  logic signed [BLong-1:0] b, b_q;
  logic signed [CBits:0]   c;
  logic signed [PBits-1:0] product;
  logic signed [SBits-1:0] behind, s_q;
  logic                    unused_bits;

  assign a              = {1'b0, a_i};
  assign c              = {Signed != 0 & c_i[CBits-1], c_i};
  assign product        = a_q * b_q;
  assign unused_bits    = ^{product, c};

  if (Signed != 0) begin : gen_signed
    assign b = b_i;
  end else begin : gen_unsigned
    assign b = {1'b0, b_i};
  end

  if (Deep != 0) begin : gen_deep
    logic signed [SBits-1:0] product_q;
    logic        [SBits-1:0] late;
    always_ff @(posedge clk_i) if (en_i) product_q <= SBits'(product);
    mm_small_delay #(.Bits(SBits), .Cycles(Deep - 1)) u_late (.clk_i, .en_i, .d_i(product_q), .q_o(late));
    assign behind = late;
  end else begin : gen_short
    assign behind = SBits'(product);
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      a_q <= a;
      b_q <= b;
      s_q <= behind + SBits'(c);
    end
  end

  assign s_o = s_q;

endmodule

`default_nettype wire
