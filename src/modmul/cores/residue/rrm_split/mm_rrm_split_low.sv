// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_low: the lowest digit of the next sum of mm_rrm_split, (s_i + e_i + c_i) mod 2^DigitBits, which is an
// address. There are several copies of it, each near what it drives. Synthesis would merge them; in
// mm_rrm_split_low.ecp5.sv it finds a chain that it leaves alone.
//
`default_nettype none

module mm_rrm_split_low #(
  parameter int DigitBits = 4
) (
  input  wire  [DigitBits-1:0] s_i,
  input  wire  [DigitBits-1:0] e_i,
  input  wire                  c_i,
  output logic [DigitBits-1:0] digit_o
);

  assign digit_o = s_i + e_i + DigitBits'(c_i);

endmodule

`default_nettype wire
