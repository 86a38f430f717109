// SPDX-License-Identifier: Apache-2.0
//
// mm_small_add.xilinx.sv: mm_small_add for Xilinx FPGAs: a carry chain whose carries come from a where a and b are
// equal, so that b is needed in the LUT of a bit alone, together with what makes it.
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

  localparam int Slices = (Bits + 3) / 4;
  localparam bit Invert = Minus != 0;

  logic [Slices*4-1:0] goes, starts, sum;
  logic [Slices*4:0]   carry;
  logic                first, unused_ends;

  assign starts      = (Slices*4)'(a_i);
  assign goes        = (Slices*4)'(a_i ^ b_i ^ {Bits{Invert}});
  assign first       = carry_i ^ Invert;
  assign carry[0]    = 1'b0;
  assign sum_o       = sum[Bits-1:0];
  assign unused_ends = ^{carry, sum};

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    CARRY4 u_carry (
      .CI(carry[4*i]), .CYINIT(i == 0 ? first : 1'b0), .DI(starts[4*i+:4]), .S(goes[4*i+:4]), .O(sum[4*i+:4]),
      .CO(carry[4*i+4:4*i+1])
    );
  end

endmodule

`default_nettype wire
