// SPDX-License-Identifier: Apache-2.0
//
// mm_small_sum: sum = a + b + carry, or with Minus = 1 a - b - carry, modulo 2^Bits, Cycles enabled cycles later: a
// piece of the bits in each cycle, from the lowest on.
//
`default_nettype none

module mm_small_sum #(
  parameter int Bits   = 31,
  parameter int Minus  = 0,
  parameter int Cycles = 1
) (
  input  wire             clk_i,
  input  wire             en_i,
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  input  wire             carry_i,
  output logic [Bits-1:0] sum_o
);

  localparam int Piece  = Cycles > 0 ? (Bits + Cycles - 1) / Cycles : Bits;
  localparam bit Invert = Minus != 0;  // a - b - c is a + ~b + ~c, with the carries of a sum
  localparam int Count  = (Bits + Piece - 1) / Piece;  // of pieces; cycles left over pass

  if (Cycles == 0) begin : gen_at_once
    logic unused_clk;
    assign unused_clk = clk_i ^ en_i;
    mm_small_add #(.Bits(Bits), .Minus(Minus)) u_add (.a_i, .b_i, .carry_i, .sum_o);
  end else begin : gen_pieces
    for (genvar i = 0; i < Count; i++) begin : gen_piece
      localparam int Low  = i * Piece;
      localparam int Long = Bits - Low < Piece ? Bits - Low : Piece;

      logic [Long:0]   a, b, sum, sum_q;
      logic [Long-1:0] a_late, b_late;
      logic            carry;

      mm_small_delay #(
        .Bits(2 * Long), .Cycles(i)
      ) u_operands (
        .clk_i, .en_i, .d_i({a_i[Low+Long-1:Low], b_i[Low+Long-1:Low]}), .q_o({a_late, b_late})
      );

      assign a = {1'b0, a_late};
      assign b = {1'b0, b_late ^ {Long{Invert}}};

      if (i == 0) begin : gen_first
        assign carry = carry_i ^ Invert;
      end else begin : gen_next
        assign carry = gen_piece[i-1].sum_q[Piece];
      end

      mm_small_add #(.Bits(Long + 1)) u_add (.a_i(a), .b_i(b), .carry_i(carry), .sum_o(sum));

      always_ff @(posedge clk_i) if (en_i) sum_q <= sum;

      mm_small_delay #(
        .Bits(Long), .Cycles(Cycles - 1 - i)
      ) u_sum (
        .clk_i, .en_i, .d_i(sum_q[Long-1:0]), .q_o(sum_o[Low+Long-1:Low])
      );

      if (i == Count - 1) begin : gen_last
        logic unused_carry;
        assign unused_carry = sum_q[Long];
      end
    end
  end

endmodule

`default_nettype wire
