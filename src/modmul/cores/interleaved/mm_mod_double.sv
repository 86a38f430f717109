// SPDX-License-Identifier: Apache-2.0
//
// mm_mod_double: z = 2r mod M, the A1 block (Javeed and Wang, Figs. 3(c) and 4(b)).
//
//   range in   0 <= r <= M
//   step       t = 2r - M;  z = t when t >= 0, else 2r
//   range out  0 <= z <= M   (z < M unless r = M)
//
`default_nettype none

module mm_mod_double #(
  parameter int Width = 256
) (
  input  wire  [Width-1:0] m_i,
  input  wire  [Width-1:0] r_i,
  output logic [Width-1:0] z_o
);

  // 2r - M lies in [-M, M]: Width+1 bits hold it, the top one being its sign.
  logic [Width:0] diff;

  assign diff = {r_i, 1'b0} - {1'b0, m_i};

  assign z_o = diff[Width] ? {r_i[Width-2:0], 1'b0} : diff[Width-1:0];

endmodule

`default_nettype wire
