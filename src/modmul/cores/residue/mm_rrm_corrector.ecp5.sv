// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_corrector for the ECP5: the chain of mm_rrm_corrector.sv, a bit in each half of a CCU2C. mm_rrm_adder.ecp5.sv
// says how these work.
//
//   bit     A        B        C        D        P                             G
//   first   first_i  below_i  1        1        0                             A and not B
//   carry   carry_i  0        1        1        not A                         A
//   word    v        m        above_i  below_i  v ^ m, v ^ ~m, or v           A
//   end     0        0        1        1        0                             A
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

  localparam int Halves = Word + 4;

  localparam logic [15:0] FirstInit = 16'h0002;
  localparam logic [15:0] CarryInit = 16'h500A;
  localparam logic [15:0] WordInit  = 16'hA69A;
  localparam logic [15:0] EndInit   = 16'h000A;

  logic [Halves-1:0] a, b, c, d, sum;
  logic [Halves/2:0] carry;
  logic              unused_ends;

  assign a = {2'b00, v_i, carry_i, first_i};
  assign b = {2'b00, m_i, 1'b0, below_i};
  assign c = {2'b11, {Word{above_i}}, 2'b11};
  assign d = {2'b11, {Word{below_i}}, 2'b11};

  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Halves; i += 2) begin : gen_pair
    CCU2C #(
      .INIT0(i == 0 ? FirstInit : i < Word + 2 ? WordInit : EndInit),
      .INIT1(i == 0 ? CarryInit : i < Word + 2 ? WordInit : EndInit),
      .INJECT1_0("NO"), .INJECT1_1("NO")
    ) u_pair (
      .CIN(carry[i/2]), .COUT(carry[i/2+1]),
      .A0(a[i]), .B0(b[i]), .C0(c[i]), .D0(d[i]), .S0(sum[i]),
      .A1(a[i+1]), .B1(b[i+1]), .C1(c[i+1]), .D1(d[i+1]), .S1(sum[i+1])
    );
  end

  assign z_o         = sum[Word+1:2];
  assign carry_o     = sum[Word+2];
  assign unused_ends = ^{carry[Halves/2], sum};

endmodule

`default_nettype wire
