// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_plain_cell: some digits of mm_rrm_plain: their columns of the table, and their part of the sum.
//
//   cycle t      the digit of x is code_i - 1; the digit that was pushed out is addr_i
//   cycle t + 1  its multiple of y, and the entry of the table
//   cycle t + 2  E, the sum of both, and of the carries that S saved a cycle before
//   cycle t + 3  S, the sum of S, shifted by a digit, and E                               step 3 of mm_rrm_plain
//
// Between the addition that saves a carry of S and the one that adds it, two shifts move the digits: that carry goes in
// three digits up, a carry of E one digit up.
//
`default_nettype none

module mm_rrm_plain_cell #(
  parameter int Digits = 8,
  parameter int Table  = 16,  // columns of the table, from the lowest on; in the others it is 0
  // Derived, not to be set.
  parameter int Bits = 2 * Digits,
  parameter int Word = Table > 0 ? Table : 1
) (
  input  wire               clk_i,
  input  wire               idle_i,
  input  wire  [1:0]        code_i,
  input  wire  [Bits-1:0]   y_i,
  input  wire  [Bits-1:0]   y_twice_i,
  input  wire               write_i,
  input  wire  [3:0]        write_addr_i,
  input  wire  [Word-1:0]   word_i,
  input  wire  [3:0]        addr_i,
  // From the digits below.
  input  wire  [1:0]        s_below_i,
  input  wire  [2:0]        c_below_i,
  input  wire               e_below_i,
  output logic              e_carry_o,
  output logic [Bits-1:0]   s_o,
  output logic [Digits-1:0] c_o
);

  logic [Word-1:0]   entry;
  logic [Bits-1:0]   x_q, t_q, e, e_q, s, s_q, s_shifted;
  logic [Digits-1:0] e_carry, e_carry_q, e_moved, c, c_q, c_moved;

  if (Table > 0) begin : gen_table
    mm_word_ram #(
      .Word(Word), .Depth(16)
    ) u_table (
      .clk_i, .write_i, .write_addr_i, .word_i, .read_addr_i(addr_i), .word_o(entry)
    );
  end else begin : gen_none
    logic unused_write;
    assign unused_write = ^{write_i, write_addr_i, word_i, addr_i};
    assign entry        = '0;
  end

  assign c_moved   = Digits'({c_q, c_below_i});
  assign e_moved   = Digits'({e_carry_q, e_below_i});
  assign s_shifted = Bits'({s_q, s_below_i});

  mm_rrm_plain_adder #(
    .Digits(Digits)
  ) u_e (
    .a_i(x_q), .b_i(t_q), .c_i(c_moved), .s_o(e), .c_o(e_carry)
  );

  mm_rrm_plain_adder #(
    .Digits(Digits)
  ) u_s (
    .a_i(s_shifted), .b_i(e_q), .c_i(e_moved), .s_o(s), .c_o(c)
  );

  always_ff @(posedge clk_i) begin
    case (code_i)
      2'd0:    x_q <= ~y_i;
      2'd1:    x_q <= '0;
      2'd2:    x_q <= y_i;
      default: x_q <= y_twice_i;
    endcase
    e_q       <= e;
    e_carry_q <= e_carry;
    if (idle_i) begin
      t_q <= '0;
      s_q <= '0;
      c_q <= '0;
    end else begin
      t_q <= Bits'(entry);
      s_q <= s;
      c_q <= c;
    end
  end

  assign e_carry_o = e_carry_q[Digits-1];
  assign s_o       = s_q;
  assign c_o       = c_q;

endmodule

`default_nettype wire
