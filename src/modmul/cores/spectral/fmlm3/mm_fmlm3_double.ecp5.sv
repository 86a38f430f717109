// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_double.ecp5.sv: mm_fmlm3_double for ECP5. Up to 21 bits one block multiplies the lower 18 of both operands,
// and the three above are multiplied in LUTs; from 22 bits on more blocks cost less than these LUTs (mm_block_mul).
//
//    1  a = a1 * 2^18 + a0, b = b1 * 2^18 + b0                    0 <= a0, b0 < 2^18
//    2  m0 = a0 * b0, m1 = a1 * b + b1 * a0
//    3  p = m1 * 2^18 + m0
//
`default_nettype none

module mm_fmlm3_double #(
  parameter int Size   = 20,
  parameter int Narrow = 0,
  parameter int Block  = 18   // bits of a block's shorter operand; less for a proof
) (
  input  wire               clk_i,
  input  wire  [Size-1:0]   a_i,
  input  wire  [Size-1:0]   b_i,
  output logic [2*Size-1:0] p_o
);

  if (Size <= Block + 3) begin : gen_luts
    localparam int Whole = 2 * Size;
    localparam int Rest  = Size - Block;
    localparam int Wide  = Size + Rest;

    logic [Size-1:0] a_q, b_q;
    logic [Wide-1:0] m1, m1_q;
    logic [2*Block-1:0] m0;

    mm_block_mul #(
      .ABits(Block), .Cycles(2)
    ) u_block (
      .clk_i, .a_i(a_i[Block-1:0]), .b_i(b_i[Block-1:0]), .p_o(m0)
    );

    // A row for bit k of a1 and of b1, the top one negative.
    always_comb begin
      m1 = '0;
      for (int k = 0; k < Rest; k++) begin
        logic [Wide-1:0] row;
        row = ((a_q[Block+k] ? Wide'($signed(b_q)) : '0) + (b_q[Block+k] ? Wide'(a_q[Block-1:0]) : '0)) << k;
        m1  = (k == Rest - 1) ? m1 - row : m1 + row;
      end
    end

    always_ff @(posedge clk_i) begin
      a_q  <= a_i;
      b_q  <= b_i;
      m1_q <= m1;
      p_o  <= Whole'(m0) + (Whole'($signed(m1_q)) << Block);
    end
  end else begin : gen_blocks
    mm_block_mul #(
      .ABits(Size), .ASigned(1), .Cycles(3)
    ) u_blocks (
      .clk_i, .a_i, .b_i, .p_o
    );
  end

endmodule

`default_nettype wire
