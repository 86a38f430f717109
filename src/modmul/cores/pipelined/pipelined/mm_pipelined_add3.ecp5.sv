// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_add3.ecp5.sv: mm_pipelined_add3 for the ECP5. With two terms the LUT of a bit inverts what is to be
// inverted; each half of a CCU2C is a LUT of A and B, with C and D high, whose table says below whether a carry starts
// there, and above whether one goes on. The first half makes the carry of the chain. With three terms it is the plain
// module.
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

  localparam logic [3*Bits-1:0] Flip = (3*Bits)'(Inverted);

  if (Terms == 2) begin : gen_two
    localparam int Cells = (Bits + 2) / 2;
    localparam int All   = 2 * Cells;

    localparam logic [All-1:0] FlipA = All'({Flip[Bits-1:0], 1'b0});
    localparam logic [All-1:0] FlipB = All'({Flip[2*Bits-1:Bits], 1'b0});

    logic [All-1:0] a, b, sum;
    logic [Cells:0] carry;
    logic           unused_ends;

    assign a           = All'({a_i, carry_i[0]});
    assign b           = All'({b_i, carry_i[0]});
    assign carry[0]    = 1'b0;
    assign sum_o       = sum[Bits:1];
    assign unused_ends = ^{c_i, carry_i[1], carry, sum};

    // The sum without a carry, and whether one starts, where it is not passed on.
    function automatic logic [15:0] table_of(input logic flip_a, input logic flip_b);
      table_of = {flip_a ^ flip_b ? 4'h9 : 4'h6, 8'h00, flip_a ? 4'h5 : 4'hA};
    endfunction

    for (genvar i = 0; i < Cells; i++) begin : gen_cell
      CCU2C #(
        .INIT0(table_of(FlipA[2*i], FlipB[2*i])), .INIT1(table_of(FlipA[2*i+1], FlipB[2*i+1])),
        .INJECT1_0("NO"), .INJECT1_1("NO")
      ) u_cell (
        .CIN(carry[i]), .A0(a[2*i]), .B0(b[2*i]), .C0(1'b1), .D0(1'b1), .A1(a[2*i+1]), .B1(b[2*i+1]), .C1(1'b1),
        .D1(1'b1), .S0(sum[2*i]), .S1(sum[2*i+1]), .COUT(carry[i+1])
      );
    end
  end else begin : gen_three
    logic [Bits:0] a, b, c, sum;
    logic          unused_low;

    assign a          = {a_i ^ Flip[Bits-1:0], 1'b1};
    assign b          = {b_i ^ Flip[2*Bits-1:Bits], carry_i[0]};
    assign c          = {c_i ^ Flip[3*Bits-1:2*Bits], 1'b0};
    assign sum        = a + b + c + {(Bits+1)'(carry_i[1]) << 1};
    assign sum_o      = sum[Bits:1];
    assign unused_low = sum[0];
  end

endmodule

`default_nettype wire
