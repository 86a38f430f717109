// SPDX-License-Identifier: Apache-2.0
//
// mm_small_add3.xilinx.sv: mm_small_add3 for Xilinx FPGAs: both outputs of a LUT are used for each bit. One is the
// carry of the sum of three bits, which goes to the next bit's LUT; the other says whether the bit passes on the carry
// of the chain, which adds the sum of three bits and the carry that came from the bit below. Above b and c there is one
// such carry left to add, or, with Minus = 1, two's complements go on: b and c are inverted, and both carries with
// them.
//
//   input  I0  I1  I2  I3               I5
//          a   b   c   carry from below  1
//
`default_nettype none

module mm_small_add3 #(
  parameter int Bits  = 31,
  parameter int Short = 31,
  parameter int Minus = 0
) (
  input  wire  [Bits-1:0]  a_i,
  input  wire  [Short-1:0] b_i,
  input  wire  [Short-1:0] c_i,
  input  wire  [1:0]       carry_i,
  output logic [Bits-1:0]  sum_o
);

  localparam int Slices = (Bits + 3) / 4;
  localparam bit Invert = Minus != 0;

  // By the inputs a, b, c, carry: the sum of the four modulo 2, and the majority of the first three.
  localparam logic [15:0] SumInit   = Invert ? {8'h69, 8'h96} : {8'h69, 8'h96};
  localparam logic [15:0] CarryInit = Invert ? {8'h2B, 8'h2B} : {8'hE8, 8'hE8};

  logic [Slices*4-1:0] goes, starts, sum;
  logic [Slices*4:0]   carry;
  logic [Bits:0]       below;  // the carry of three bits, into each bit
  logic                first, unused_ends;

  assign first       = carry_i[0] ^ Invert;
  assign below[0]    = carry_i[1] ^ Invert;
  assign carry[0]    = 1'b0;
  assign sum_o       = sum[Bits-1:0];
  assign unused_ends = ^{carry, sum, below};

  for (genvar i = 0; i < Slices * 4; i++) begin : gen_bit
    if (i < Bits && (i < Short || Minus != 0)) begin : gen_three
      localparam int Own = i < Short ? i : 0;
      LUT6_2 #(
        .INIT({SumInit, SumInit, CarryInit, CarryInit})
      ) u_bit (
        .I0(a_i[i]), .I1(i < Short && b_i[Own]), .I2(i < Short && c_i[Own]), .I3(below[i]), .I4(1'b0), .I5(1'b1),
        .O6(goes[i]), .O5(below[i+1])
      );
      assign starts[i] = below[i];
    end else if (i < Bits) begin : gen_one
      assign goes[i]    = a_i[i] ^ below[i];
      assign starts[i]  = a_i[i];
      assign below[i+1] = 1'b0;
    end else begin : gen_none
      assign goes[i]   = 1'b0;
      assign starts[i] = 1'b0;
    end
  end

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    CARRY4 u_carry (
      .CI(carry[4*i]), .CYINIT(i == 0 ? first : 1'b0), .DI(starts[4*i+:4]), .S(goes[4*i+:4]), .O(sum[4*i+:4]),
      .CO(carry[4*i+4:4*i+1])
    );
  end

endmodule

`default_nettype wire
