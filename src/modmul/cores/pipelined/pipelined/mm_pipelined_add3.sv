// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_add3: sum = a + b + c + the two bits of carry_i, mod 2^Bits; with Terms = 2 without c, which is 0. Where
// Inverted has a bit, that of c, b or a (Bits of each, those of c on top) is taken inverted. A LUT for each bit is
// enough: mm_pipelined_add3.xilinx.sv adds three numbers so, mm_pipelined_add3.ecp5.sv two, with what is inverted.
//
`default_nettype none

module mm_pipelined_add3 #(
  parameter int Bits     = 12,
  parameter int Terms    = 3,
  parameter     Inverted = 0
) (
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  input  wire  [Bits-1:0] c_i,
  input  wire  [1:0]      carry_i,
  output logic [Bits-1:0] sum_o
);

  localparam logic [3*Bits-1:0] Flip = (3*Bits)'(Inverted);

  // With the first carry in front of the lowest bits.
  logic [Bits:0] a, b, c, sum;
  logic          unused_low;

  assign a          = {a_i ^ Flip[Bits-1:0], 1'b1};
  assign b          = {b_i ^ Flip[2*Bits-1:Bits], carry_i[0]};
  assign c          = {c_i ^ Flip[3*Bits-1:2*Bits], 1'b0};
  assign sum_o      = sum[Bits:1];
  assign unused_low = sum[0];

  if (Terms == 2) begin : gen_two
    logic unused_c;
    assign sum      = a + b;
    assign unused_c = ^{c, carry_i[1]};
  end else begin : gen_three
    assign sum = a + b + c + {(Bits+1)'(carry_i[1]) << 1};
  end

endmodule

`default_nettype wire
