// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_last: z = r or r + M for -M <= r < M, r in Width + 1 bits: the last step of the reductions. It takes
// Cycles cycles.
//
`default_nettype none

module mm_small_fixed_last #(
  parameter int Width   = 12,
  parameter int Cycles  = 1,
  parameter     Modulus = 3329
) (
  input  wire              clk_i,
  input  wire              en_i,
  input  wire  [Width:0]   r_i,
  output logic [Width-1:0] z_o
);

  logic [Width-1:0] multiple;

  assign multiple = Width'(Modulus) & {Width{r_i[Width]}};

  mm_small_sum #(
    .Bits(Width), .Cycles(Cycles)
  ) u_sum (
    .clk_i, .en_i, .a_i(r_i[Width-1:0]), .b_i(multiple), .carry_i(1'b0), .sum_o(z_o)
  );

endmodule

`default_nettype wire
