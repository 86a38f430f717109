// SPDX-License-Identifier: Apache-2.0
//
// mm_mod_addsub: z = a + v mod M or a - v mod M, the A/S block (Javeed and Wang, Fig. 3(d)).
//
//   range in   0 <= a <= M, 0 <= v <= M (a < M when subtracting)
//   step 1     t = a + v          or  a - v
//   step 2     u = t - M          or  t + M
//   step 3     z = u when t >= M  or  t < 0,  else t
//   range out  0 <= z <= M (z < M when a < M)
//
`default_nettype none

module mm_mod_addsub #(
  parameter int Width = 256
) (
  input  wire  [Width-1:0] m_i,
  input  wire              sub_i,
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] v_i,
  output logic [Width-1:0] z_o
);

  // Two's complement throughout; t and u lie in (-M, 2M], so Width+2 bits hold value and sign.
  logic [Width+1:0] t;
  logic [Width+1:0] u;
  logic             take_u;

  assign t = {2'b00, a_i} + ({2'b00, v_i} ^ {(Width + 2){sub_i}}) + {{(Width + 1){1'b0}}, sub_i};
  assign u = t + ({2'b00, m_i} ^ {(Width + 2){~sub_i}}) + {{(Width + 1){1'b0}}, ~sub_i};

  // When adding, u is taken if it is not negative; when subtracting, if t is negative.
  assign take_u = sub_i ? t[Width+1] : ~u[Width+1];
  assign z_o    = take_u ? u[Width-1:0] : t[Width-1:0];

endmodule

`default_nettype wire
