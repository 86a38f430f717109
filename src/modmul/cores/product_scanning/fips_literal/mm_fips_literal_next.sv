// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal_next: the product that comes after another one, with two multipliers.
//
// The order is that of the columns c = j + k. A column has its a_j * b_k first, then its m_j * n_k:
//
//   multiplication       a_j * b_k, low <= j <= high                     c - s < low, high < s
//   square, GF(p)        2 a_j * b_k and a_j * b_j, low <= j <= k
//   square, GF(2^m)      a_j * b_j, where c is even
//   all                  m_j * n_k, low <= j <= c - 2, j < s             m_(c-1) * n_1 and m_c * n_0 are not among them
//
// In a square in GF(2^m) column 1 has no product, but a_0 * b_1 in its place, which is not valid.
//
`default_nettype none

module mm_fips_literal_next #(
  parameter int IdxBits = 5
) (
  input  wire                prime_i,
  input  wire                equal_i,
  input  wire  [IdxBits-1:0] last_word_i,  // s - 1
  input  wire                mn_i,
  input  wire  [IdxBits-1:0] j_i,
  input  wire  [IdxBits-1:0] k_i,
  input  wire  [IdxBits-1:0] low_i,        // max(0, c - s + 1)
  input  wire  [IdxBits-1:0] high_i,       // min(c, s - 1)
  input  wire                end_i,        // there is none: all products have been given
  output logic               valid_o,      // this product is one
  output logic               double_o,     // and is doubled
  output logic               mn_o,
  output logic [IdxBits-1:0] j_o,
  output logic [IdxBits-1:0] k_o,
  output logic [IdxBits-1:0] low_o,
  output logic [IdxBits-1:0] high_o,
  output logic               end_o,
  output logic               column_o      // it is of the next column
);

  logic [IdxBits-1:0] half;
  logic [IdxBits:0]   column;
  logic               diagonal, upper, some_mn, ab_last, mn_last, to_mn, next_mn, next_aa;

  assign diagonal = equal_i & ~prime_i;
  assign valid_o  = ~end_i & (mn_i | ~diagonal | j_i == k_i);
  assign double_o = ~mn_i & equal_i & (j_i != k_i);

  assign upper   = high_i == last_word_i;
  assign some_mn = high_i > IdxBits'(1);
  assign ab_last = equal_i ? diagonal | j_i == k_i | j_i + 1'b1 == k_i : k_i == low_i;
  assign mn_last = k_i == low_i | (k_i == IdxBits'(2) & low_i < IdxBits'(2));
  assign to_mn   = ~mn_i & ab_last & some_mn;

  // The next column.
  assign column_o = ~end_i & (mn_i ? mn_last : ab_last & ~some_mn);
  assign end_o    = end_i | (column_o & low_i == last_word_i);
  assign low_o    = (column_o & upper) ? low_i + 1'b1 : low_i;
  assign high_o   = (column_o & ~upper) ? high_i + 1'b1 : high_i;
  assign column   = {1'b0, low_o} + {1'b0, high_o};
  assign half     = column[IdxBits:1];
  assign next_mn  = diagonal & column[0] & high_o > IdxBits'(1);
  assign next_aa  = column_o & diagonal & ~column[0];

  always_comb begin
    if (next_aa) begin
      mn_o = 1'b0;
      j_o  = half;
      k_o  = half;
    end else if (column_o | to_mn) begin
      mn_o = to_mn | next_mn;
      j_o  = low_o;
      k_o  = high_o;
    end else begin
      mn_o = mn_i;
      j_o  = j_i + 1'b1;
      k_o  = k_i - 1'b1;
    end
  end

endmodule

`default_nettype wire
