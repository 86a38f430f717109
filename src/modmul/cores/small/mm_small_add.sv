// SPDX-License-Identifier: Apache-2.0
//
// mm_small_add: sum = a + b + carry, or with Minus = 1 a - b - carry, modulo 2^Bits. Whatever makes b may go into the
// LUTs of the sum, as a table does; mm_small_add.xilinx.sv sees to that: it lets a, and nothing else, generate carries.
//
`default_nettype none

module mm_small_add #(
  parameter int Bits  = 12,
  parameter int Minus = 0
) (
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  input  wire             carry_i,
  output logic [Bits-1:0] sum_o
);

  localparam bit Invert = Minus != 0;

  // One addition, with the carry in front of the lowest bits.
  logic [Bits:0] a, b, sum;
  logic          unused_carry;

  assign a            = {a_i, 1'b1};
  assign b            = {b_i, carry_i} ^ {(Bits+1){Invert}};
  assign sum          = a + b;
  assign sum_o        = sum[Bits:1];
  assign unused_carry = sum[0];

endmodule

`default_nettype wire
