// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_add: sum = a + b, or a - b where subtract_i is high, mod 2^Bits; Carry bits a cycle, from the lowest.
//
//   ceil(Bits / Carry) cycles.
//
`default_nettype none

module mm_pipelined_add #(
  parameter int Bits  = 254,
  parameter int Carry = 144
) (
  input  wire             clk_i,
  input  wire             subtract_i,
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  output logic [Bits-1:0] sum_o
);

  localparam int Steps = (Bits + Carry - 1) / Carry;

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    localparam int Low   = i * Carry;
    localparam int Piece = i == Steps - 1 ? Bits - Low : Carry;

    logic [2*Piece:0] both, both_late;
    logic [Piece-1:0] a, b, sum_q, sum_late;
    logic [Piece+1:0] total;
    logic             subtract, carry, carry_q, unused_low;

    assign both = {subtract_i, a_i[Low+Piece-1:Low], b_i[Low+Piece-1:Low]};

    mm_delay #(
      .Bits(2 * Piece + 1), .Cycles(i)
    ) u_late (
      .clk_i, .d_i(both), .q_o(both_late)
    );

    assign {subtract, a, b} = both_late;

    if (i == 0) begin : gen_first
      assign carry = subtract;
    end else begin : gen_carry
      assign carry = gen_step[i-1].carry_q;
    end

    assign total      = {1'b0, a, 1'b1} + {1'b0, b ^ {Piece{subtract}}, carry};
    assign unused_low = total[0];

    always_ff @(posedge clk_i) {carry_q, sum_q} <= total[Piece+1:1];

    mm_delay #(
      .Bits(Piece), .Cycles(Steps - 1 - i)
    ) u_sum (
      .clk_i, .d_i(sum_q), .q_o(sum_late)
    );

    assign sum_o[Low+Piece-1:Low] = sum_late;

    if (i == Steps - 1) begin : gen_last
      logic unused_carry;
      assign unused_carry = carry_q;
    end
  end

endmodule

`default_nettype wire
