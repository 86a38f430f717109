// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_ones: z = T mod M for M = 2^n - 1, n = Width, 0 <= T <= M^2.
//
//    2  t = (T mod 2^n) + (T >> n), 0 <= t < 2M
//    3  z = t or t - M, as the lower n bits of t or of t + 1
//
//   Two cycles.
//
`default_nettype none

module mm_small_fixed_ones #(
  parameter int Width = 31
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  logic [Width:0]   low, high, sum, sum_q;
  logic [Width-1:0] none, z, z_q;
  logic             above;

  assign low  = {1'b0, t_i[Width-1:0]};
  assign high = {1'b0, t_i[2*Width-1:Width]};
  assign none = '0;

  assign above = sum_q[Width] | &sum_q[Width-1:0];  // t >= M

  mm_small_add #(.Bits(Width + 1)) u_sum (.a_i(low), .b_i(high), .carry_i(1'b0), .sum_o(sum));
  mm_small_add #(.Bits(Width)) u_z (.a_i(sum_q[Width-1:0]), .b_i(none), .carry_i(above), .sum_o(z));

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      sum_q <= sum;
      z_q   <= z;
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
