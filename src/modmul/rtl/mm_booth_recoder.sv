// SPDX-License-Identifier: Apache-2.0
//
// mm_booth_recoder: one radix-2^Radix2 Booth digit, the BE block (Javeed and Wang, Figs. 1, 2, 3(e), 4(c)).
//
//   window_i   Radix2+1 multiplier bits y[i+Radix2-1] ... y[i], y[i-1], the last being the overlap
//   digit      d = -2^(Radix2-1)*y[i+Radix2-1] + ... + y[i] + y[i-1],  |d| <= 2^(Radix2-1)
//   neg_o      BEctrl: 1 subtracts; it is y[i+Radix2-1]
//   mag_o      |d|, the multiple of the multiplicand to take
//
`default_nettype none

module mm_booth_recoder #(
  parameter int Radix2 = 2
) (
  input  wire  [Radix2:0]   window_i,
  output logic              neg_o,
  output logic [Radix2-1:0] mag_o
);

  // For a positive digit |d| = (window/2 rounded up); a negative one is that of the inverted window.
  logic [Radix2-1:0] bits;

  assign neg_o = window_i[Radix2];
  assign bits  = window_i[Radix2-1:0] ^ {Radix2{neg_o}};
  assign mag_o = {1'b0, bits[Radix2-1:1]} + {{(Radix2 - 1){1'b0}}, bits[0]};

endmodule

`default_nettype wire
