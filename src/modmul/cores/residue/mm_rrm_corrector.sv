// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_corrector: adds 0, M or -M to V for mm_rrm, a word at a time, with a carry from word to word.
//
//   above_i  below_i
//      0        1     V < 0             {carry_o, z_o} = v_i + m_i + carry_i
//      1        1     0 <= V < M        {carry_o, z_o} = v_i + carry_i
//      1        0     M <= V            {carry_o, z_o} = v_i + ~m_i + (carry_i or first_i)
//      0        0     never
//
// carry_i is 0 where first_i is 1. mm_rrm_corrector.ecp5.sv has a bit in each half of a CCU2C.
//
`default_nettype none

module mm_rrm_corrector #(
  parameter int Word = 16
) (
  input  wire             above_i,  // V is not below 0
  input  wire             below_i,  // V is below M
  input  wire             first_i,  // the lowest word
  input  wire             carry_i,
  input  wire  [Word-1:0] v_i,
  input  wire  [Word-1:0] m_i,
  output logic [Word-1:0] z_o,
  output logic            carry_o
);

  logic [Word-1:0] added;
  logic [Word+2:0] sum;
  logic            unused_low;

  assign added = (m_i ^ {Word{above_i}}) & {Word{above_i ^ below_i}};

  // Two bits below the sum: they generate a carry if either is 1.
  assign sum        = {1'b0, v_i, carry_i, first_i & ~below_i} + {1'b0, added, 1'b1, first_i & ~below_i};
  assign z_o        = sum[Word+1:2];
  assign carry_o    = sum[Word+2];
  assign unused_low = ^sum[1:0];

endmodule

`default_nettype wire
