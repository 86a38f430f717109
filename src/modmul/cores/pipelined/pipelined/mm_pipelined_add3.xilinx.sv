// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_add3.xilinx.sv: mm_pipelined_add3 for Xilinx FPGAs: both outputs of a LUT are used for each bit. One is
// the carry of the sum of three bits, which goes to the LUT of the next bit; the other says whether the bit passes on
// the carry of the chain, which adds the sum of three bits and the carry that came from the bit below.
//
//   input  I0  I1  I2  I3               I5
//          a   b   c   carry from below  1
//
`default_nettype none

module mm_pipelined_add3 #(
  parameter int Bits     = 12,
  parameter int Terms    = 3,
  parameter     Inverted = 0
) (
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  input  wire  [Bits-1:0] c_i,
  input  wire  [1:0]      carry_i,
  output logic [Bits-1:0] sum_o
);

  localparam int Slices = (Bits + 3) / 4;

  localparam logic [3*Bits-1:0] Flip = (3*Bits)'(Inverted);

  // The carry and, above it, the sum of three bits and a carry, by the inputs a, b, c, carry; some inputs inverted.
  function automatic logic [31:0] tables(input logic [2:0] inverted);
    logic [2:0] bits;
    for (int at = 0; at < 16; at++) begin
      bits           = at[2:0] ^ inverted;
      tables[at]     = (bits[0] & bits[1]) | (bits[0] & bits[2]) | (bits[1] & bits[2]);
      tables[16+at]  = ^bits ^ at[3];
    end
  endfunction

  logic [Slices*4-1:0] goes, starts, sum;
  logic [Slices*4:0]   carry;
  logic                unused_ends;

  assign carry[0] = 1'b0;
  assign sum_o    = sum[Bits-1:0];

  if (Terms == 2) begin : gen_two
    logic unused_c;
    assign goes        = (Slices*4)'(a_i ^ b_i ^ Flip[Bits-1:0] ^ Flip[2*Bits-1:Bits]);
    assign starts      = (Slices*4)'(a_i ^ Flip[Bits-1:0]);
    assign unused_c    = ^{c_i, carry_i[1]};
    assign unused_ends = ^{carry, sum};
  end else begin : gen_three
    logic [Slices*4:0] below;  // the carry of three bits, into each bit

    assign below[0]    = carry_i[1];
    assign unused_ends = ^{carry, sum, below};

    for (genvar i = 0; i < Slices * 4; i++) begin : gen_bit
      if (i < Bits) begin : gen_three
        localparam logic [31:0] Tables = tables({Flip[2*Bits+i], Flip[Bits+i], Flip[i]});
        LUT6_2 #(
          .INIT({Tables[31:16], Tables[31:16], Tables[15:0], Tables[15:0]})
        ) u_bit (
          .I0(a_i[i]), .I1(b_i[i]), .I2(c_i[i]), .I3(below[i]), .I4(1'b0), .I5(1'b1), .O6(goes[i]), .O5(below[i+1])
        );
        assign starts[i] = below[i];
      end else begin : gen_none
        assign goes[i]    = 1'b0;
        assign starts[i]  = 1'b0;
        assign below[i+1] = 1'b0;
      end
    end
  end

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    CARRY4 u_carry (
      .CI(carry[4*i]), .CYINIT(i == 0 ? carry_i[0] : 1'b0), .DI(starts[4*i+:4]), .S(goes[4*i+:4]), .O(sum[4*i+:4]),
      .CO(carry[4*i+4:4*i+1])
    );
  end

endmodule

`default_nettype wire
