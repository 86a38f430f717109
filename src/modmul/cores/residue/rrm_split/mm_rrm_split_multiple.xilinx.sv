// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_multiple for Xilinx FPGAs: the chain of mm_rrm_split_multiple.sv, a bit in each LUT of a slice. The LUT
// chooses y or 2y and says whether the carry propagates; where it does not, the bit of the multiple is the new carry.
//
//   input  I0        I1  I2      I3
//          multiple  y   y << 1  single
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

  localparam int Used   = Bits + TopBits;
  localparam int Slices = (Used + 3) / 4;

  localparam logic [15:0] SumInit = {8'h66, 8'h5A};  // with single, and without

  logic [Slices*4-1:0] goes, starts, sum;
  logic [Slices*4:0]   carry;
  logic                unused_ends;

  assign starts   = (Slices*4)'(multiple_i);
  assign carry[0] = 1'b0;

  for (genvar i = 0; i < Slices * 4; i++) begin : gen_bit
    if (i <= Bits && i < Used) begin : gen_sum
      localparam int One   = i < Bits ? i : 0;
      localparam int Below = i > 0 ? i - 1 : 0;
      LUT4 #(
        .INIT(SumInit)
      ) u_bit (
        .I0(multiple_i[i]), .I1(i < Bits && y_i[One]), .I2(i == Bits ? top_i : i == 0 ? low_i : y_i[Below]),
        .I3(single_i), .O(goes[i])
      );
    end else begin : gen_none
      assign goes[i] = starts[i];
    end
  end

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    CARRY4 u_carry (
      .CI(carry[4*i]), .CYINIT(i == 0 ? carry_i : 1'b0), .DI(starts[4*i+:4]), .S(goes[4*i+:4]), .O(sum[4*i+:4]),
      .CO(carry[4*i+4:4*i+1])
    );
  end

  assign sum_o       = sum[Used-1:0];
  assign unused_ends = ^{carry, sum};

endmodule

`default_nettype wire
