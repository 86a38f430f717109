// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_accumulator: the three-word accumulator (v2, v1, v0) of Zhang et al., and its dual-field adder.
//
//   cycle   what happens                                                                      lines of Algorithm 4
//   0       addend_i, and whether it opens a column: shift_i
//   1       (v2, v1, v0) = (v2, v1, v0) + addend                                              3, 6, 9, 14
//           or, where a column is opened, (0, v2, v1) + addend                                10, 17
//   2       value_o
//
// carry_i is added too, in cycle 1; it has to be 0 in GF(2^m). The sum must stay below 2^Width; the products of a
// column and the remainder of the column before do so for Width = 2 Word + log2(words) + 2. With two multipliers there
// are two addends next to each other in addend_i (Fig. 8): a row of full adders in front of the adder takes in the
// second one. Legal: Addends 1 or 2.
//
`default_nettype none

module mm_fips_accumulator #(
  parameter int Word    = 32,
  parameter int Width   = 71,
  parameter int Addends = 1
) (
  input  wire                      clk_i,
  input  wire                      prime_i,
  input  wire                      clear_i,
  input  wire                      shift_i,
  input  wire  [Addends*Width-1:0] addend_i,
  input  wire                      carry_i,
  output logic                     shift_o,  // in cycle 1
  output logic [Width-1:0]         value_o
);

  logic [Addends*Width-1:0] carry_addend_q;
  logic [Width-1:0]         plain_addend, plain_addend_q, old, carry_part, rest, sum;
  logic                     shift_q;

  always_ff @(posedge clk_i) begin
    shift_q <= shift_i;
    if (!prime_i) carry_addend_q <= '0;
    else          carry_addend_q <= addend_i;
    if (prime_i)  plain_addend_q <= '0;
    else          plain_addend_q <= plain_addend;
  end

  // Lines 10 and 17.
  assign shift_o = shift_q;
  assign old     = shift_q ? value_o >> Word : value_o;

  // Lines 3, 6, 9 and 14.
  if (Addends > 1) begin : gen_pair
    assign plain_addend = addend_i[Width-1:0] ^ addend_i[2*Width-1:Width];

    // In GF(2^m), a_i and b_i are 0 and there is no carry to gate.
    mm_dual_csa #(
      .Width(Width)
    ) u_pair (
      .prime_i(1'b1), .a_i(carry_addend_q[Width-1:0]), .b_i(carry_addend_q[2*Width-1:Width]), .c_i(old),
      .sum_o(rest), .carry_o(carry_part)
    );
  end else begin : gen_single
    assign plain_addend = addend_i;
    assign carry_part   = carry_addend_q;
    assign rest         = old;
  end

  mm_dual_adder #(
    .Width(Width)
  ) u_adder (
    .carry_a_i(carry_part), .plain_a_i(plain_addend_q), .b_i(rest), .carry_i, .sum_o(sum)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) value_o <= '0;
    else         value_o <= sum;
  end

endmodule

`default_nettype wire
