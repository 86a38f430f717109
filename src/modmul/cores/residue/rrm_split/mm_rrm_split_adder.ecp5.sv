// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_adder for the ECP5: the chain of mm_rrm_split_adder.sv, a bit in each half of a CCU2C.
// mm_rrm_adder.ecp5.sv says how these work.
//
//   bit                   A  B  C     D  P             G
//   of a digit            t  x  sign  1  t ^ x ^ sign  A, which is the other operand as well where P is 0
//   below a digit, end    c  0  1     1  0             A
//
`default_nettype none

module mm_rrm_split_adder #(
  parameter int DigitBits = 4,
  parameter int Digits    = 8
) (
  input  wire                         sign_i,
  input  wire  [Digits*DigitBits-1:0] x_i,
  input  wire  [Digits*DigitBits-1:0] t_i,
  input  wire  [Digits-1:0]           c_i,
  output logic [Digits*DigitBits-1:0] e_o,
  output logic [Digits-1:0]           c_o
);

  localparam int Slot   = DigitBits + 1;
  localparam int Bits   = Digits * Slot + 1;
  localparam int Halves = (Bits + 1) / 2 * 2;

  localparam logic [15:0] BelowInit = 16'h000A;
  localparam logic [15:0] DigitInit = 16'h965A;

  logic [Halves-1:0] a, b, c, sum;
  logic [Halves/2:0] carry;
  logic              unused_ends;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign a[j*Slot+:Slot] = {t_i[j*DigitBits+:DigitBits], c_i[j]};
    assign b[j*Slot+:Slot] = {x_i[j*DigitBits+:DigitBits], 1'b0};
    assign c[j*Slot+:Slot] = {{DigitBits{sign_i}}, 1'b1};

    assign e_o[j*DigitBits+:DigitBits] = sum[j*Slot+1+:DigitBits];
    assign c_o[j]                      = sum[(j+1)*Slot];
  end

  for (genvar i = Bits - 1; i < Halves; i++) begin : gen_end
    assign a[i] = 1'b0;
    assign b[i] = 1'b0;
    assign c[i] = 1'b1;
  end

  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Halves; i += 2) begin : gen_pair
    localparam bit Inner0 = i < Bits - 1 && i % Slot != 0;
    localparam bit Inner1 = i + 1 < Bits - 1 && (i + 1) % Slot != 0;

    CCU2C #(
      .INIT0(Inner0 ? DigitInit : BelowInit), .INIT1(Inner1 ? DigitInit : BelowInit),
      .INJECT1_0("NO"), .INJECT1_1("NO")
    ) u_pair (
      .CIN(carry[i/2]), .COUT(carry[i/2+1]),
      .A0(a[i]), .B0(b[i]), .C0(c[i]), .D0(1'b1), .S0(sum[i]),
      .A1(a[i+1]), .B1(b[i+1]), .C1(c[i+1]), .D1(1'b1), .S1(sum[i+1])
    );
  end

  assign unused_ends = ^{carry[Halves/2], sum};

endmodule

`default_nettype wire
