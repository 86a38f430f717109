// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_multiple for the ECP5: the chain of mm_rrm_split_multiple.sv, a bit in each half of a CCU2C.
// mm_rrm_adder.ecp5.sv says how these work.
//
//   bit     A         B  C       D       P                   G
//   start   carry_i   0  0       1       0                   A
//   sum     multiple  y  y << 1  single  A ^ (D ? B : C)     A, and C = 0 for the quarter of it
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

  localparam int Used   = Bits + TopBits + 1;
  localparam int Halves = (Used + 1) / 2 * 2;

  localparam logic [15:0] StartInit = 16'h000A;
  localparam logic [15:0] SumInit   = 16'h665A;

  logic [Halves-1:0] a, b, c, d, sum;
  logic [Halves/2:0] carry;
  logic              unused_ends;

  assign a        = Halves'({multiple_i, carry_i});
  assign b        = Halves'({y_i, 1'b0});
  assign c        = Halves'({top_i, y_i[Bits-2:0], low_i, 1'b0});
  assign d        = {{Halves-1{single_i}}, 1'b1};
  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Halves; i += 2) begin : gen_pair
    CCU2C #(
      .INIT0(i == 0 ? StartInit : SumInit), .INIT1(SumInit), .INJECT1_0("NO"), .INJECT1_1("NO")
    ) u_pair (
      .CIN(carry[i/2]), .COUT(carry[i/2+1]),
      .A0(a[i]), .B0(b[i]), .C0(c[i]), .D0(d[i]), .S0(sum[i]),
      .A1(a[i+1]), .B1(b[i+1]), .C1(c[i+1]), .D1(d[i+1]), .S1(sum[i+1])
    );
  end

  assign sum_o       = sum[Bits+TopBits:1];
  assign unused_ends = ^{carry[Halves/2], sum};

endmodule

`default_nettype wire
