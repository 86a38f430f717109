// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_digits for Xilinx FPGAs with LUTs of six inputs: the digits of mm_rrm_digits.sv, a LUT for each bit. A LUT6_2
// has two outputs of the same five inputs where I5 is 1. That of a digit's highest bit has all bits of the digit and
// its carry as inputs, and gives the sum bit, O6, and the saved carry, O5.
//
//   input  I0  I1  I2  I3  I4
//          c   s   a   the same of the higher bit, for DigitBits = 2
//
`default_nettype none

module mm_rrm_digits #(
  parameter int DigitBits = 2,
  parameter int Digits    = 8
) (
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits*DigitBits-1:0] a_i,
  input  wire  [Digits-1:0]           c_i,
  output logic [Digits*DigitBits-1:0] s_o,
  output logic [Digits-1:0]           c_o
);

  // The sum of a bit, and of two: the higher bit and the carry.
  localparam logic [7:0]  OneSum   = 8'h96;
  localparam logic [7:0]  OneCarry = 8'hE8;
  localparam logic [31:0] TwoSum   = {OneCarry, ~OneCarry, ~OneCarry, OneCarry};
  localparam logic [31:0] TwoCarry = {8'hFF, OneCarry, OneCarry, 8'h00};

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    if (DigitBits == 1) begin : gen_bit
      LUT6_2 #(
        .INIT({{4{OneSum}}, {4{OneCarry}}})
      ) u_bit (
        .I0(c_i[j]), .I1(s_i[j]), .I2(a_i[j]), .I3(1'b0), .I4(1'b0), .I5(1'b1), .O5(c_o[j]), .O6(s_o[j])
      );
    end else begin : gen_pair
      assign s_o[2*j] = c_i[j] ^ s_i[2*j] ^ a_i[2*j];

      LUT6_2 #(
        .INIT({TwoSum, TwoCarry})
      ) u_high (
        .I0(c_i[j]), .I1(s_i[2*j]), .I2(a_i[2*j]), .I3(s_i[2*j+1]), .I4(a_i[2*j+1]), .I5(1'b1),
        .O5(c_o[j]), .O6(s_o[2*j+1])
      );
    end
  end

endmodule

`default_nettype wire
