// SPDX-License-Identifier: Apache-2.0
//
// mm_small_add: sum = a + b + carry, or with Minus = 1 a - b - carry, modulo 2^Bits. Whatever makes b may go into the
// LUTs of the sum, as a table does; mm_small_add.xilinx.sv sees to that: it lets a, and nothing else, generate carries.
//
`default_nettype none

module mm_small_add #(
  parameter int Bits  = 12,
  parameter int Minus = 0
) (
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  input  wire             carry_i,
  output logic [Bits-1:0] sum_o
);

  if (Minus != 0) begin : gen_minus
    assign sum_o = a_i - b_i - Bits'(carry_i);
  end else begin : gen_plus
    assign sum_o = a_i + b_i + Bits'(carry_i);
  end

endmodule

`default_nettype wire
