// SPDX-License-Identifier: Apache-2.0
//
// mm_csa: carry-save adder, a + b + c = sum + carry. Bit 0 of the carry is 0, and its top bit is bit Width, so nothing
// is lost.
//
`default_nettype none

module mm_csa #(
  parameter int Width = 256
) (
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] b_i,
  input  wire  [Width-1:0] c_i,
  output logic [Width-1:0] sum_o,
  output logic [Width:0]   carry_o
);

  assign sum_o   = a_i ^ b_i ^ c_i;
  assign carry_o = {(a_i & b_i) | (a_i & c_i) | (b_i & c_i), 1'b0};

endmodule

`default_nettype wire
