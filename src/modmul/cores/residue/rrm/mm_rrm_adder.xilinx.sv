// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_adder for Xilinx FPGAs: the chain of mm_rrm_adder.sv, a bit in each LUT of a slice. The LUT says whether the
// carry propagates; where it does not, a_i or c_i is the new carry. Left to itself, synthesis may exchange the two, and
// then takes another LUT for the choice of y or s.
//
//   bit            the carry goes on   else it is
//   start          no                  carry_i
//   below a digit  in fill             c
//   of a digit     a ^ (y or s)        a
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
  localparam int Slices = (Bits + 3) / 4;

  logic                        fill_q;
  logic [Digits*DigitBits-1:0] y_q, operand;
  logic [Slices*4-1:0]         goes, starts, sum;
  logic [Slices*4:0]           carry;
  logic                        unused_ends;

  always_ff @(posedge clk_i) begin
    fill_q <= fill_i;
    y_q    <= y_i;
  end

  assign operand   = fill_q ? y_q : s_i;
  assign goes[0]   = 1'b0;
  assign starts[0] = carry_i;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign goes[j*Slot+1+:Slot]   = {a_i[j*DigitBits+:DigitBits] ^ operand[j*DigitBits+:DigitBits], fill_q};
    assign starts[j*Slot+1+:Slot] = {a_i[j*DigitBits+:DigitBits], c_i[j]};

    assign s_o[j*DigitBits+:DigitBits] = sum[j*Slot+2+:DigitBits];
    assign c_o[j]                      = sum[(j+1)*Slot+1];
  end

  assign goes[Slices*4-1:Bits-1]   = '0;
  assign starts[Slices*4-1:Bits-1] = '0;
  assign carry[0]                  = 1'b0;

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    CARRY4 u_carry (
      .CI(carry[4*i]), .CYINIT(1'b0), .DI(starts[4*i+:4]), .S(goes[4*i+:4]), .O(sum[4*i+:4]), .CO(carry[4*i+4:4*i+1])
    );
  end

  assign unused_ends = ^{carry, sum};

endmodule

`default_nettype wire
