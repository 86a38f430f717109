// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_fold: step 2 of mm_pipelined, T' = T mod 2^F + (T >> F) * K, F = n + floor(n / 2), n = Width.
//
//    a  the products of T >> F, c bits, with the lower c bits of K and with those above, c = ceil(n / 2)
//    b  (T >> F) * K, their sum; its lower c bits are those of the first product
//    c  T' = T mod 2^F + (T >> F) * K                                            T' < 2^(n + c + 1)
//
//   ProductCycles + ceil(Width / Carry) + ceil((Width + c + 1) / Carry) cycles.
//
`default_nettype none

module mm_pipelined_fold #(
  parameter int Width         = 256,
  parameter int TileA         = 25,
  parameter int TileB         = 18,
  parameter int Leaf          = 104,
  parameter int Carry         = 144,
  parameter int ProductCycles = 21,  // of mm_pipelined_mul for Half bits
  // Derived, not to be set.
  parameter int Half = (Width + 1) / 2
) (
  input  wire                   clk_i,
  input  wire  [2*Width-1:0]    t_i,
  input  wire  [Width-1:0]      k_i,
  output logic [Width+Half:0]   sum_o
);

  localparam int N         = Width;
  localparam int C         = Half;
  localparam int F         = N + N / 2;
  localparam int JoinSteps = (N + Carry - 1) / Carry;  // cycles of the addition in b

  // Step a.
  logic [C-1:0]   high, k_low, k_high;
  logic [2*C-1:0] low_product, high_product;

  assign high   = t_i[2*N-1:F];
  assign k_low  = k_i[C-1:0];
  assign k_high = C'(k_i[N-1:C]);

  mm_pipelined_mul #(
    .Bits(C), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Cycles(ProductCycles)
  ) u_low_product (
    .clk_i, .a_i(high), .b_i(k_low), .p_o(low_product)
  );

  mm_pipelined_mul #(
    .Bits(C), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Cycles(ProductCycles)
  ) u_high_product (
    .clk_i, .a_i(high), .b_i(k_high), .p_o(high_product)
  );

  // Step b.
  logic [C-1:0] lower, lower_late;
  logic [N-1:0] join_a, join_b, join_sum;
  logic         unused_bits;

  assign lower       = low_product[C-1:0];
  assign join_a      = N'(low_product[2*C-1:C]);
  assign join_b      = high_product[N-1:0];
  assign unused_bits = ^high_product;

  mm_pipelined_add #(
    .Bits(N), .Carry(Carry)
  ) u_join (
    .clk_i, .subtract_i(1'b0), .a_i(join_a), .b_i(join_b), .sum_o(join_sum)
  );

  mm_delay #(
    .Bits(C), .Cycles(JoinSteps)
  ) u_lower (
    .clk_i, .d_i(lower), .q_o(lower_late)
  );

  // Step c.
  logic [F-1:0] low, low_late;
  logic [N+C:0] low_long, fold;

  assign low      = t_i[F-1:0];
  assign low_long = (N+C+1)'(low_late);
  assign fold     = {1'b0, join_sum, lower_late};

  mm_delay #(
    .Bits(F), .Cycles(ProductCycles + JoinSteps)
  ) u_low (
    .clk_i, .d_i(low), .q_o(low_late)
  );

  mm_pipelined_add #(
    .Bits(N + C + 1), .Carry(Carry)
  ) u_sum (
    .clk_i, .subtract_i(1'b0), .a_i(low_long), .b_i(fold), .sum_o
  );

endmodule

`default_nettype wire
