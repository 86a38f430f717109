// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_adder for the ECP5: the chain of mm_rrm_adder.sv, a bit in each half of a CCU2C.
//
// A half gives the sum P(A, B, C, D) ^ carry, and the carry propagates where P is 1. Where P is 0, G(A, B) is the new
// carry. P and G share a table: G is P for C = D = 0. So C and D must never both be 0 where G is to differ from P.
//
//   bit            A        B  C  D     P                     G
//   start          carry_i  0  1  1     0                     A
//   below a digit  c        0  1  fill  fill                  A
//   of a digit     a        s  y  fill  a ^ (fill ? y : s)    A, which is the other operand as well where P is 0
//   end            0        0  1  1     0                     A
//
`default_nettype none

module mm_rrm_adder #(
  parameter int DigitBits = 2,
  parameter int Digits    = 8
) (
  input  wire                         clk_i,
  input  wire                         fill_i,
  input  wire  [Digits*DigitBits-1:0] y_i,
  input  wire                         carry_i,
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits*DigitBits-1:0] a_i,
  input  wire  [Digits-1:0]           c_i,
  output logic [Digits*DigitBits-1:0] s_o,
  output logic [Digits-1:0]           c_o
);

  localparam int Slot   = DigitBits + 1;
  localparam int Bits   = Digits * Slot + 2;
  localparam int Halves = (Bits + 1) / 2 * 2;

  localparam logic [15:0] StartInit = 16'h000A;
  localparam logic [15:0] BelowInit = 16'hF00A;
  localparam logic [15:0] DigitInit = 16'h5A6A;

  (* keep *)
  logic [1:0]                  fill_q;  // twice, one for each half of the chain
  logic [Digits*DigitBits-1:0] y_q;
  logic [Halves-1:0]           a, b, c, d, sum;
  logic [Halves/2:0]           carry;
  logic                        unused_ends;

  always_ff @(posedge clk_i) begin
    fill_q <= {2{fill_i}};
    if (!fill_i) y_q <= '1;
    else         y_q <= y_i;
  end

  assign a[0] = carry_i;
  assign b[0] = 1'b0;
  assign c[0] = 1'b1;
  assign d[0] = 1'b1;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign a[j*Slot+1+:Slot] = {a_i[j*DigitBits+:DigitBits], c_i[j]};
    assign b[j*Slot+1+:Slot] = {s_i[j*DigitBits+:DigitBits], 1'b0};
    assign c[j*Slot+1+:Slot] = {y_q[j*DigitBits+:DigitBits], 1'b1};
    assign d[j*Slot+1+:Slot] = {Slot{fill_q[2*j/Digits]}};

    assign s_o[j*DigitBits+:DigitBits] = sum[j*Slot+2+:DigitBits];
    assign c_o[j]                      = sum[(j+1)*Slot+1];
  end

  for (genvar i = Bits - 1; i < Halves; i++) begin : gen_end
    assign a[i] = 1'b0;
    assign b[i] = 1'b0;
    assign c[i] = 1'b1;
    assign d[i] = 1'b1;
  end

  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Halves; i += 2) begin : gen_pair
    localparam bit Inner0 = i != 0 && i < Bits - 1;
    localparam bit Inner1 = i + 1 < Bits - 1;

    CCU2C #(
      .INIT0(!Inner0 ? StartInit : (i - 1) % Slot == 0 ? BelowInit : DigitInit),
      .INIT1(!Inner1 ? StartInit : i % Slot == 0 ? BelowInit : DigitInit),
      .INJECT1_0("NO"), .INJECT1_1("NO")
    ) u_pair (
      .CIN(carry[i/2]), .COUT(carry[i/2+1]),
      .A0(a[i]), .B0(b[i]), .C0(c[i]), .D0(d[i]), .S0(sum[i]),
      .A1(a[i+1]), .B1(b[i+1]), .C1(c[i+1]), .D1(d[i+1]), .S1(sum[i+1])
    );
  end

  assign unused_ends = ^{carry[Halves/2], sum};

endmodule

`default_nettype wire
