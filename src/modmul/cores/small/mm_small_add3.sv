// SPDX-License-Identifier: Apache-2.0
//
// mm_small_add3: sum = a + b + c + carry_0 + carry_1, or with Minus = 1 a less all of these, modulo 2^Bits. b and c
// have Short bits. mm_small_add3.xilinx.sv takes a LUT for each bit of b, as an addition of two numbers does.
//
`default_nettype none

module mm_small_add3 #(
  parameter int Bits  = 31,
  parameter int Short = 31,
  parameter int Minus = 0
) (
  input  wire  [Bits-1:0]  a_i,
  input  wire  [Short-1:0] b_i,
  input  wire  [Short-1:0] c_i,
  input  wire  [1:0]       carry_i,
  output logic [Bits-1:0]  sum_o
);

  logic [Bits-1:0] rest;

  assign rest = Bits'(b_i) + Bits'(c_i) + Bits'(carry_i[0]) + Bits'(carry_i[1]);

  if (Minus != 0) begin : gen_minus
    assign sum_o = a_i - rest;
  end else begin : gen_plus
    assign sum_o = a_i + rest;
  end

endmodule

`default_nettype wire
