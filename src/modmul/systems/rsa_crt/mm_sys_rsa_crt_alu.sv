// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_rsa_crt_alu: adds, subtracts, doubles and quadruples numbers word by word, the lowest first.
//
// A pass begins after start_i; its words come with valid_i, the highest also with last_i. below_q says whether the pass
// before ended without a carry: whether a - b was below 0, or a + b below 0 where a was such a difference.
//
`default_nettype none

module mm_sys_rsa_crt_alu #(
  parameter int Word = 32
) (
  input  wire             clk_i,
  input  wire             start_i,
  input  wire             valid_i,
  input  wire             last_i,
  input  wire  [Word-1:0] a_i,
  input  wire  [Word-1:0] b_i,
  input  wire             minus_i,  // a - b
  input  wire             fix_i,    // b only if the pass before was below 0
  input  wire             step_i,   // 2 a + bits_i[1] b
  input  wire             two_i,    // and with step_i 4 a + bits_i b
  input  wire  [1:0]      bits_i,
  input  wire             even_i,   // bit 0 of b is 0
  output logic [Word-1:0] word_o
);

  logic            first_q, below_q, once, twice, b_top, b_top_q;
  logic [1:0]      carry_q, carry_in, carry, a_top, a_top_q;  // a_top_q, b_top_q: the bits of a and b below the word
  logic [Word+1:0] a_long;
  logic [Word:0]   b_long;
  logic [Word-1:0] a, a_double, a_quad, b, b_plain, b_twice, even;
  logic            low, high;

  assign carry_in = first_q ? {1'b0, minus_i} : carry_q;
  assign a_top    = a_top_q & {2{~first_q}};
  assign b_top    = b_top_q & ~first_q;
  assign even     = Word'(even_i & first_q);
  assign b_plain  = b_i & ~even;
  assign a_long   = {a_i, a_top};
  assign b_long   = {b_plain, b_top};
  assign a_double = a_long[Word:1];
  assign a_quad   = a_long[Word-1:0];

  assign {high, low} = bits_i;

  always_comb begin
    if (step_i && two_i) begin
      a     = a_quad;
      once  = low;
      twice = high;
    end else if (step_i) begin
      a     = a_double;
      once  = high;
      twice = 1'b0;
    end else begin
      a     = a_i;
      once  = ~fix_i | below_q;
      twice = 1'b0;
    end
  end

  assign b       = (b_plain & {Word{once}}) ^ {Word{minus_i}};
  assign b_twice = b_long[Word-1:0] & {Word{twice}};

  assign {carry, word_o} = {2'b00, a} + {2'b00, b} + {2'b00, b_twice} + (Word+2)'(carry_in);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      first_q <= 1'b1;
    end else if (valid_i) begin
      first_q <= 1'b0;
    end
    if (valid_i) begin
      carry_q <= carry;
      a_top_q <= a_long[Word+1:Word];
      b_top_q <= b_long[Word];
      if (last_i) below_q <= ~carry[0];
    end
  end

endmodule

`default_nettype wire
