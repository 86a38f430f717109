// SPDX-License-Identifier: Apache-2.0
//
// mm_dual_mul: dual-field multiplier (Zhang et al., Fig. 5), p = a * b of integers or of polynomials over GF(2).
//
// Steps
//    1  b3 = 3b: b + 2b in GF(p), b ^ 2b in GF(2^m)                        b3 < 2^(Word+2)
//    2  a row for every two bits of a: 0, b, 2b or b3                      Word/2 rows
//    3  dual-field adders: the sums of rows 2k and 2k+1                    Word/4 rows
//    4  sum, carry = Wallace tree of these sums
//    5  p = sum + carry, dual-field adder                                  p < 2^(2 Word)
//
// b_i comes one cycle before a_i, since step 1 takes one. Then p_o takes Depth cycles from the register of a:
//
//   Depth   registers
//     2     after steps 4 and 5
//     3     after steps 3, 4 and 5
//     4     after the even rows of step 2, and after steps 3, 4 and 5
//
// Legal: Word a multiple of 4, at least 8; 2 <= Depth <= 4.
//
`default_nettype none

module mm_dual_mul #(
  parameter int Word  = 32,
  parameter int Depth = 3
) (
  input  wire               clk_i,
  input  wire               prime_i,
  input  wire  [Word-1:0]   b_i,   // one cycle before a_i
  input  wire  [Word-1:0]   a_i,
  output logic [2*Word-1:0] p_o
);

  localparam int Pairs = Word / 4;
  localparam int Row   = Word + 2;
  localparam int Pair  = Word + 4;

  logic [Word-1:0] b, carry_b_q, plain_b_q, b_late_q, a_q;
  logic [Row-1:0]  b3, b3_q;

  // Step 1.
  always_ff @(posedge clk_i) begin
    if (!prime_i) carry_b_q <= '0;
    else          carry_b_q <= b_i;
    if (prime_i)  plain_b_q <= '0;
    else          plain_b_q <= b_i;
  end

  assign b = carry_b_q | plain_b_q;

  mm_dual_adder #(
    .Width(Row)
  ) u_triple (
    .carry_a_i({2'b00, carry_b_q}), .plain_a_i({2'b00, plain_b_q}), .b_i({1'b0, b, 1'b0}), .carry_i(1'b0), .sum_o(b3)
  );

  always_ff @(posedge clk_i) begin
    b_late_q <= b;
    b3_q     <= b3;
    a_q      <= a_i;
  end

  // Step 2: the even rows, then the odd ones.
  function automatic logic [Row-1:0] row(input logic [1:0] digit, input logic [Word-1:0] once,
                                         input logic [Row-1:0] thrice);
    case (digit)
      2'd0:    row = '0;
      2'd1:    row = {2'b00, once};
      2'd2:    row = {1'b0, once, 1'b0};
      default: row = thrice;
    endcase
  endfunction

  logic [Pairs*Row-1:0]  even, even_late, carry_even, odd;
  logic [2*Pairs-1:0]    a_digits, a_odd;   // every other digit of a
  logic [Word-1:0]       b_odd;
  logic [Row-1:0]        b3_odd;
  logic [Pairs*Pair-1:0] sums;

  for (genvar k = 0; k < Pairs; k++) begin : gen_rows
    assign even[k*Row +: Row] = row(a_q[4*k +: 2], b_late_q, b3_q);
    assign odd [k*Row +: Row] = row(a_odd[2*k +: 2], b_odd, b3_odd);
    assign a_digits[2*k +: 2] = a_q[4*k+2 +: 2];

    // Step 3.
    mm_dual_adder #(
      .Width(Pair)
    ) u_pair (
      .carry_a_i({2'b00, carry_even[k*Row +: Row]}),
      .plain_a_i({2'b00, carry_even[k*Row +: Row] ^ even_late[k*Row +: Row]}),
      .b_i({odd[k*Row +: Row], 2'b00}), .carry_i(1'b0), .sum_o(sums[k*Pair +: Pair])
    );
  end

  if (Depth > 3) begin : gen_even_rank
    logic [Pairs*Row-1:0] even_q, carry_even_q;
    logic [2*Pairs-1:0]   a_digits_q;
    logic [Word-1:0]      b_late_q2;
    logic [Row-1:0]       b3_q2;

    always_ff @(posedge clk_i) begin
      even_q     <= even;
      if (!prime_i) carry_even_q <= '0;
      else          carry_even_q <= even;
      a_digits_q <= a_digits;
      b_late_q2  <= b_late_q;
      b3_q2      <= b3_q;
    end

    assign even_late  = even_q;
    assign carry_even = carry_even_q;
    assign a_odd      = a_digits_q;
    assign b_odd      = b_late_q2;
    assign b3_odd     = b3_q2;
  end else begin : gen_no_even_rank
    assign even_late  = even;
    assign carry_even = even & {(Pairs*Row){prime_i}};
    assign a_odd      = a_digits;
    assign b_odd      = b_late_q;
    assign b3_odd     = b3_q;
  end

  // Step 4.
  logic [Pairs*Pair-1:0]   sums_late;
  logic [Pairs*2*Word-1:0] tree_rows;
  logic [2*Word-1:0]       sum, carry, sum_q, carry_q, plain_q, p;

  if (Depth > 2) begin : gen_sum_rank
    logic [Pairs*Pair-1:0] sums_q;

    always_ff @(posedge clk_i) sums_q <= sums;

    assign sums_late = sums_q;
  end else begin : gen_no_sum_rank
    assign sums_late = sums;
  end

  for (genvar k = 0; k < Pairs; k++) begin : gen_tree_rows
    assign tree_rows[k*2*Word +: 2*Word] = (2*Word)'(sums_late[k*Pair +: Pair]) << (4 * k);
  end

  mm_dual_wallace #(
    .Width(2 * Word), .Rows(Pairs)
  ) u_tree (
    .prime_i, .rows_i(tree_rows), .sum_o(sum), .carry_o(carry)
  );

  // Step 5.
  always_ff @(posedge clk_i) begin
    sum_q <= sum;
    if (!prime_i) carry_q <= '0;
    else          carry_q <= carry;
    if (prime_i)  plain_q <= '0;
    else          plain_q <= carry;
    p_o <= p;
  end

  mm_dual_adder #(
    .Width(2 * Word)
  ) u_last (
    .carry_a_i(carry_q), .plain_a_i(plain_q), .b_i(sum_q), .carry_i(1'b0), .sum_o(p)
  );

endmodule

`default_nettype wire
