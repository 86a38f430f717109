// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_column: a column of the row of mm_sparse_prime_dsp: a multiplier block and two additions. In a
// folded build it serves a column of each of the Groups groups, a group a cycle, and all sums circulate with a period
// of Groups cycles.
//
//   cycle   in the slot of step t and a group, with Mul = 3                        step of mm_sparse_prime_dsp
//   0       digits of X and y at the block
//   4       the product: its low half, the high half of the column below, a carry
//   4       above_i: S of the column above, and the carries, all of the step before
//   5       S = that + the sum of the halves + a carry                             2
//
// A carry belongs to the next column. A step shifts that column's digit down to this one, so the carry of an addition
// enters the same addition a step later. clear_x_i and clear_s_i keep the state of an operation out of the first step
// of the next one; above_i and carries_o still show it.
//
`default_nettype none

module mm_sparse_prime_dsp_column #(
  parameter int Digit  = 16,
  parameter int Groups = 1,
  parameter int Mul    = 3    // cycles of a product; what follows it comes later with it
) (
  input  wire              clk_i,
  input  wire              clear_x_i,  // cycle 3
  input  wire              clear_s_i,  // cycle 4
  input  wire  [Digit-1:0] x_i,        // cycle 0
  input  wire  [Digit-1:0] y_i,
  input  wire  [Digit-1:0] high_i,     // cycle 4: from the column below
  output logic [Digit-1:0] high_o,
  input  wire  [Digit-1:0] above_i,    // cycle 4
  output logic [Digit-1:0] sum_o,      // cycle 5: S
  output logic [Digit-1:0] round_o,    // the same, Groups - 1 cycles later
  output logic [1:0]       carries_o   // with it: the carries that the step leaves
);

  logic [2*Digit-1:0] product;
  logic [Digit-1:0]   low_q, x_sum, x_sum_q, above_q;
  logic               x_carry, x_carry_late, x_carry_q, x_keep_q, s_carry, s_carry_late, s_carry_q;
  logic               unused_x_low, unused_s_low;

  mm_block_mul #(
    .ABits(Digit), .Cycles(Mul)
  ) u_block (
    .clk_i, .a_i(x_i), .b_i(y_i), .p_o(product)
  );

  always_ff @(posedge clk_i) {high_o, low_q} <= product;

  // ---- cycle 4; the carry enters through a bit of its own below the sum

  assign {x_carry, x_sum, unused_x_low} = {1'b0, low_q, 1'b1} + {1'b0, high_i, x_carry_q};

  mm_delay #(
    .Bits(1), .Cycles(Groups - 1)
  ) u_x_carry (
    .clk_i, .d_i(x_carry), .q_o(x_carry_late)
  );

  always_ff @(posedge clk_i) begin
    x_sum_q   <= x_sum;
    x_carry_q <= clear_x_i ? 1'b0 : x_carry_late;
    x_keep_q  <= x_carry_late;
  end

  // ---- cycle 5

  assign {s_carry, sum_o, unused_s_low} = {1'b0, above_q, 1'b1} + {1'b0, x_sum_q, s_carry_q};

  mm_delay #(
    .Bits(Digit + 1), .Cycles(Groups - 1)
  ) u_round (
    .clk_i, .d_i({s_carry, sum_o}), .q_o({s_carry_late, round_o})
  );

  always_ff @(posedge clk_i) begin
    above_q   <= clear_s_i ? '0 : above_i;
    s_carry_q <= clear_s_i ? 1'b0 : s_carry_late;
  end

  assign carries_o = {x_keep_q, s_carry_late};

endmodule

`default_nettype wire
