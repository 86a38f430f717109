// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_multiple: the next multiple of y in a group of columns, of mm_rrm_split_filler.
//
//   sum_o = multiple_i + (single_i ? y_i : 2 * y_i + low_i, without top_i's column) + carry_i
//
// The sum has TopBits more columns than y; the highest bit of 2 * y is top_i, which may be held back. In
// mm_rrm_split_multiple.ecp5.sv a bit, including the choice of y or 2y, is a half of a CCU2C, and in
// mm_rrm_split_multiple.xilinx.sv a LUT.
//
`default_nettype none

module mm_rrm_split_multiple #(
  parameter int Bits    = 64,
  parameter int TopBits = 4
) (
  input  wire                     single_i,
  input  wire                     carry_i,
  input  wire                     low_i,
  input  wire                     top_i,
  input  wire  [Bits-1:0]         y_i,
  input  wire  [Bits+TopBits-1:0] multiple_i,
  output logic [Bits+TopBits-1:0] sum_o
);

  logic [Bits-1:0]       added;
  logic [Bits+TopBits:0] sum;
  logic                  top, unused_low;

  assign added      = single_i ? y_i : {y_i[Bits-2:0], low_i};
  assign top        = top_i & ~single_i;
  assign sum        = {multiple_i, 1'b1} + {TopBits'(top), added, carry_i};
  assign sum_o      = sum[Bits+TopBits:1];
  assign unused_low = sum[0];

endmodule

`default_nettype wire
