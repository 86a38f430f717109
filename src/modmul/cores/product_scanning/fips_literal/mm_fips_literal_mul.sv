// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal_mul: dual-field multiplier (Zhang et al., Fig. 5), p = a * b of integers or of polynomials.
//
// Steps
//    1  a row for every bit of a: b or 0                                   Word rows
//    2  sum, carry = Wallace tree of dual-field full and half adders       carry = 0 in GF(2^m)
//    3  p = sum + carry, CPA                                               p < 2^(2 Word)
//
// No registers: mul_result_reg follows it. Legal: Word >= 3.
//
`default_nettype none

module mm_fips_literal_mul #(
  parameter int Word = 32
) (
  input  wire               prime_i,
  input  wire  [Word-1:0]   a_i,
  input  wire  [Word-1:0]   b_i,
  output logic [2*Word-1:0] p_o
);

  logic [Word*2*Word-1:0] rows;
  logic [2*Word-1:0]      sum, carry;

  // Step 1.
  for (genvar k = 0; k < Word; k++) begin : gen_rows
    assign rows[k*2*Word +: 2*Word] = (2*Word)'(b_i & {Word{a_i[k]}}) << k;
  end

  // Step 2.
  mm_dual_wallace #(
    .Width(2 * Word), .Rows(Word)
  ) u_tree (
    .prime_i, .rows_i(rows), .sum_o(sum), .carry_o(carry)
  );

  // Step 3: in GF(2^m) the sum alone is the product.
  assign p_o = sum + carry;

endmodule

`default_nettype wire
