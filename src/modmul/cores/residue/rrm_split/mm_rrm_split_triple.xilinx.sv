// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_triple for Xilinx FPGAs with LUTs of six inputs: the chain of mm_rrm_split_triple.sv, a bit in each LUT
// of a slice. A LUT6_2 has two outputs of the same five inputs where I5 is 1. O5 is the majority of the bit, which goes
// to the LUT above; O6 is the bit's sum and the majority of the LUT below, and says whether the carry of the chain goes
// on. Where it does not, that majority is the new carry. The bit below a digit lets no carry go on and begins with c_i.
//
//   input  I0  I1  I2  I3                  I4
//          s   x   t   majority of below   sign
//
`default_nettype none

module mm_rrm_split_triple #(
  parameter int DigitBits = 5,
  parameter int Digits    = 6
) (
  input  wire                         sign_i,
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits*DigitBits-1:0] x_i,
  input  wire  [Digits*DigitBits-1:0] t_i,
  input  wire  [Digits-1:0]           h_i,
  input  wire  [Digits-1:0]           c_i,
  output logic [Digits*DigitBits-1:0] s_next_o,
  output logic [Digits-1:0]           h_o,
  output logic [Digits-1:0]           c_o
);

  localparam int Slot   = DigitBits + 1;
  localparam int Bits   = Digits * Slot + 1;
  localparam int Slices = (Bits + 3) / 4;

  // For sign 0 and 1: s ^ x ^ t ^ below, and the majority of s, x and t.
  localparam logic [31:0] SumInit   = {16'h9669, 16'h6996};
  localparam logic [31:0] MajorInit = {16'hB2B2, 16'hE8E8};

  logic [Digits*DigitBits-1:0] major;
  logic [Slices*4-1:0]         goes, starts, sum;
  logic [Slices*4:0]           carry;
  logic                        unused_ends;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign goes[j*Slot]   = 1'b0;
    assign starts[j*Slot] = c_i[j];

    for (genvar i = 0; i < DigitBits; i++) begin : gen_bit
      localparam int At = j * DigitBits + i;

      if (i == 0) begin : gen_first
        assign starts[j*Slot+1] = h_i[j];
      end else begin : gen_other
        assign starts[j*Slot+1+i] = major[At-1];
      end

      LUT6_2 #(
        .INIT({SumInit, MajorInit})
      ) u_bit (
        .I0(s_i[At]), .I1(x_i[At]), .I2(t_i[At]), .I3(starts[j*Slot+1+i]), .I4(sign_i), .I5(1'b1),
        .O5(major[At]), .O6(goes[j*Slot+1+i])
      );
    end

    assign s_next_o[j*DigitBits+:DigitBits] = sum[j*Slot+1+:DigitBits];
    assign h_o[j]                           = major[(j+1)*DigitBits-1];
    assign c_o[j]                           = sum[(j+1)*Slot];
  end

  assign goes[Slices*4-1:Bits-1]   = '0;
  assign starts[Slices*4-1:Bits-1] = '0;

  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    CARRY4 u_carry (
      .CI(carry[4*i]), .CYINIT(1'b0), .DI(starts[4*i+:4]), .S(goes[4*i+:4]), .O(sum[4*i+:4]), .CO(carry[4*i+4:4*i+1])
    );
  end

  assign unused_ends = ^{carry, sum};

endmodule

`default_nettype wire
