// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade_row: S = floor(S / B) + digit * number, a step a cycle, in a row of multiplier blocks. A column
// of S has Bits bits, so that no carry ever leaves it, and a step moves it as a whole one column down: from a block to
// its neighbour.
//
//   cycle   of a step
//   0       digit and number
//   2       products
//   3       S = S of the column above + product; S = 0 where run_i is low in cycle 2
//
`default_nettype none

module mm_montgomery_cascade_row #(
  parameter int Digit   = 17,
  parameter int Columns = 16,
  parameter int Bits    = 38
) (
  input  wire                      clk_i,
  input  wire                      run_i,
  input  wire  [Digit-1:0]         digit_i,
  input  wire  [Columns*Digit-1:0] number_i,
  output logic [Columns*Bits-1:0]  sum_o
);

  for (genvar j = 0; j < Columns; j++) begin : gen_column
    logic [2*Digit-1:0] product;
    logic [Bits-1:0]    above, sum_q;

    mm_block_mul #(
      .ABits(Digit), .BBits(Digit), .Cycles(2)
    ) u_mul (
      .clk_i, .a_i(number_i[j*Digit+:Digit]), .b_i(digit_i), .p_o(product)
    );

    if (j == Columns - 1) begin : gen_top
      assign above = '0;
    end else begin : gen_middle
      assign above = sum_o[(j+1)*Bits+:Bits];
    end

    always_ff @(posedge clk_i) sum_q <= run_i ? Bits'(product) + above : '0;

    assign sum_o[j*Bits+:Bits] = sum_q;
  end

endmodule

`default_nettype wire
