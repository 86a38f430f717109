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

  logic [Width:0]   sum_q;
  logic [Width-1:0] z_q;
  logic             above;

  assign above = sum_q[Width] | &sum_q[Width-1:0];  // t >= M

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      sum_q <= {1'b0, t_i[Width-1:0]} + {1'b0, t_i[2*Width-1:Width]};
      z_q   <= sum_q[Width-1:0] + Width'(above);
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
