// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_adder for the ECP5: the chain of mm_rrm_split_adder.sv, a bit in each half of a CCU2C.
// mm_rrm_adder.ecp5.sv says how these work.
//
//   bit       A  B  C     D  P             G
//   below     c  0  1     1  0             A
//   digit     t  x  sign  1  t ^ x ^ sign  A, which is the other operand as well where P is 0
//   above     0  0  1     1  0             A
//
`default_nettype none

module mm_rrm_split_adder #(
  parameter int Bits = 4
) (
  input  wire             sign_i,
  input  wire  [Bits-1:0] x_i,
  input  wire  [Bits-1:0] t_i,
  input  wire             c_i,
  output logic [Bits-1:0] e_o,
  output logic            c_o
);

  localparam int Halves = (Bits + 3) / 2 * 2;

  localparam logic [15:0] EndInit = 16'h000A;
  localparam logic [15:0] SumInit = 16'h965A;

  logic [Halves-1:0] a, b, c, sum;
  logic [Halves/2:0] carry;
  logic              unused_ends;

  assign a        = Halves'({t_i, c_i});
  assign b        = Halves'({x_i, 1'b0});
  assign c        = {{Halves-Bits-1{1'b1}}, {Bits{sign_i}}, 1'b1};
  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Halves; i += 2) begin : gen_pair
    CCU2C #(
      .INIT0(i > 0 && i <= Bits ? SumInit : EndInit), .INIT1(i + 1 <= Bits ? SumInit : EndInit),
      .INJECT1_0("NO"), .INJECT1_1("NO")
    ) u_pair (
      .CIN(carry[i/2]), .COUT(carry[i/2+1]),
      .A0(a[i]), .B0(b[i]), .C0(c[i]), .D0(1'b1), .S0(sum[i]),
      .A1(a[i+1]), .B1(b[i+1]), .C1(c[i+1]), .D1(1'b1), .S1(sum[i+1])
    );
  end

  assign e_o         = sum[Bits:1];
  assign c_o         = sum[Bits+1];
  assign unused_ends = ^{carry[Halves/2], sum};

endmodule

`default_nettype wire
