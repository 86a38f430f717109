// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_low for the ECP5: the chain of mm_rrm_split_low.sv, a bit in each half of a CCU2C. mm_rrm_adder.ecp5.sv
// says how these work.
//
//   bit     A  B  C  D  P      G
//   start   c  0  1  1  0      A
//   sum     s  e  1  1  A ^ B  A, which is the other operand as well where P is 0
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

  localparam int Halves = (DigitBits + 2) / 2 * 2;

  localparam logic [15:0] StartInit = 16'h000A;
  localparam logic [15:0] SumInit   = 16'h666A;

  logic [Halves-1:0] a, b, sum;
  logic [Halves/2:0] carry;
  logic              unused_ends;

  assign a        = Halves'({s_i, c_i});
  assign b        = Halves'({e_i, 1'b0});
  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Halves; i += 2) begin : gen_pair
    CCU2C #(
      .INIT0(i == 0 ? StartInit : SumInit), .INIT1(SumInit), .INJECT1_0("NO"), .INJECT1_1("NO")
    ) u_pair (
      .CIN(carry[i/2]), .COUT(carry[i/2+1]),
      .A0(a[i]), .B0(b[i]), .C0(1'b1), .D0(1'b1), .S0(sum[i]),
      .A1(a[i+1]), .B1(b[i+1]), .C1(1'b1), .D1(1'b1), .S1(sum[i+1])
    );
  end

  assign digit_o     = sum[DigitBits:1];
  assign unused_ends = ^{carry[Halves/2], sum};

endmodule

`default_nettype wire
