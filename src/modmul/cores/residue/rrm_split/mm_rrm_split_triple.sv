// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_triple: the three terms of a step of mm_rrm_split in one chain, for some digits, each separately with
// two saved carries.
//
//   s_next_o + 2^K * (h_o + c_o) = s_i + (x_i, or ~x_i where sign_i is 1) + t_i + h_i + c_i     <= 3 * 2^K - 1
//
// The three terms have a sum and a majority at each bit; the majority belongs to the bit above, and the chain adds the
// two. The majority at the top of a digit is h_o, the carry out of its chain c_o. h_i takes the free place of a
// majority below the lowest bit, c_i starts the chain, by a bit below the digit as in mm_rrm_split_cell.sv.
// mm_rrm_split_triple.xilinx.sv has sum and majority of a bit in one LUT.
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

  localparam int Slot = DigitBits + 1;
  localparam int Bits = Digits * Slot + 1;

  logic [Digits*DigitBits-1:0] x, single, major;
  logic [Bits-1:0]             left, right, sum;
  logic                        unused_first;

  assign x      = x_i ^ {Digits*DigitBits{sign_i}};
  assign single = s_i ^ x ^ t_i;
  assign major  = (s_i & x) | (s_i & t_i) | (x & t_i);

  assign left[Bits-1]  = 1'b0;
  assign right[Bits-1] = 1'b0;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign left[j*Slot+:Slot]  = {single[j*DigitBits+:DigitBits], c_i[j]};
    assign right[j*Slot+:Slot] = {major[j*DigitBits+:DigitBits-1], h_i[j], c_i[j]};

    assign s_next_o[j*DigitBits+:DigitBits] = sum[j*Slot+1+:DigitBits];
    assign h_o[j]                           = major[(j+1)*DigitBits-1];
    assign c_o[j]                           = sum[(j+1)*Slot];
  end

  assign sum          = left + right;
  assign unused_first = sum[0];

endmodule

`default_nettype wire
