// SPDX-License-Identifier: Apache-2.0
//
// mm_msm_weierstrass: the sum of two points of a curve y^2 = x^3 + b modulo the prime M of the build, one every clock
// cycle: of P in projective coordinates, x = X / Z, y = Y / Z, and of Q = (x, y) or, with subtract_i, -Q. Renes,
// Costello and Batina, 2016, algorithm 8: 11 products, and products by 3 and by 3 b, which is 2^Shift + 1.
//
// Steps
//    1  y = -y with subtract_i
//    2  a = X + Y, c = x + y, e = 3 b * Z
//    3  A = X * x, B = Y * y, C = a * c, D = y * Z, E = x * Z
//    4  F = A + B, G = D + Y, H = E + X, I = B + e, J = B - e, K = 3 * A
//    5  L = C - F, O = 3 b * H
//    6  the products G * O, L * J, O * K, J * I, K * L, I * G
//    7  X' = L * J - G * O, Y' = J * I + O * K, Z' = I * G + K * L
//
// All are modulo M, and below M but for y after step 1, which may be M. It is right for every P of a curve without
// points of order 2, P = Q, P = -Q and the neutral element (0 : 1 : 0) among them. Q cannot be the neutral element,
// which has no x and y.
//
//   sum_i and sum_o: X, Y, Z, X lowest. point_i: x, y, x lowest. There are no handshakes; whatever is at the inputs in
//   a cycle leaves a fixed number of cycles later (Latency in mm_msm).
//
`default_nettype none

module mm_msm_weierstrass #(
  parameter int Width     = 8,
  parameter int TileA     = 25,
  parameter int TileB     = 18,
  parameter int Leaf      = 104,
  parameter int Carry     = 144,
  parameter int Terms     = 3,
  parameter int Shift     = 3,    // 3 b = 2^Shift + 1
  parameter     Modulus   = 163,
  parameter int MulCycles = 3,
  parameter int TopCycles = 3,
  parameter int LowCycles = 3,
  parameter int Guard     = 4
) (
  input  wire                clk_i,
  input  wire                subtract_i,
  input  wire  [3*Width-1:0] sum_i,
  input  wire  [2*Width-1:0] point_i,
  output logic [3*Width-1:0] sum_o
);

  localparam int N       = Width;
  localparam int Negate  = (N + Carry - 1) / Carry;
  localparam int Add     = (N + Carry) / Carry + Negate;
  localparam int TimesB  = (N + Shift + Carry) / Carry + 1 + Add;
  localparam int Thrice  = (N + 1 + Carry) / Carry + 1 + Add;
  localparam int Product = MulCycles + TopCycles + LowCycles + Add;

  // ---- step 1; X, Y, Z and x wait

  logic [N-1:0]   y2, y_from, y, x1, y1, z1, x;
  logic [4*N-1:0] given, early;

  assign y2              = point_i[2*N-1:N];
  assign y_from          = N'(Modulus) & {N{subtract_i}};
  assign given           = {point_i[N-1:0], sum_i};
  assign {x, z1, y1, x1} = early;

  mm_pipelined_add #(
    .Bits(N), .Carry(Carry)
  ) u_y (
    .clk_i, .subtract_i, .a_i(y_from), .b_i(y2), .sum_o(y)
  );

  mm_delay #(
    .Bits(4 * N), .Cycles(Negate)
  ) u_early (
    .clk_i, .d_i(given), .q_o(early)
  );

  // ---- step 2

  logic [N-1:0]   a, c, small_e, e_late, x_second, y_second, x1_second, y1_second, z1_second;
  logic [5*N-1:0] points, points_second;

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_small_a (
    .clk_i, .a_i(x1), .b_i(y1), .z_o(a)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_small_c (
    .clk_i, .a_i(x), .b_i(y), .z_o(c)
  );

  mm_msm_times #(
    .Width(N), .Carry(Carry), .Shift(Shift), .Modulus(Modulus)
  ) u_small_e (
    .clk_i, .a_i(z1), .z_o(small_e)
  );

  assign points                                                = {x, y, z1, y1, x1};
  assign {x_second, y_second, z1_second, y1_second, x1_second} = points_second;

  mm_delay #(
    .Bits(5 * N), .Cycles(Add)
  ) u_points (
    .clk_i, .d_i(points), .q_o(points_second)
  );

  // ---- step 3

  logic [N-1:0]   large_a, large_b, large_c, large_d, large_e, x1_third, y1_third;
  logic [5*N-1:0] first_x, first_y, first_z;
  logic [2*N-1:0] sums_second, sums_third;

  assign first_x = {x_second, y_second, a, y1_second, x1_second};
  assign first_y = {z1_second, z1_second, c, y_second, x_second};

  assign {large_e, large_d, large_c, large_b, large_a} = first_z;

  mm_msm_muls #(
    .Count(5), .Width(N), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Terms(Terms), .Modulus(Modulus),
    .MulCycles(MulCycles), .TopCycles(TopCycles), .LowCycles(LowCycles), .Guard(Guard)
  ) u_first (
    .clk_i, .x_i(first_x), .y_i(first_y), .z_o(first_z)
  );

  assign sums_second          = {y1_second, x1_second};
  assign {y1_third, x1_third} = sums_third;

  mm_delay #(
    .Bits(2 * N), .Cycles(Product)
  ) u_sums (
    .clk_i, .d_i(sums_second), .q_o(sums_third)
  );

  mm_delay #(
    .Bits(N), .Cycles(Add + Product - TimesB)
  ) u_e_late (
    .clk_i, .d_i(small_e), .q_o(e_late)
  );

  // ---- step 4

  logic [N-1:0] f, g, h, i, j, k, c_late;

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_f (
    .clk_i, .a_i(large_a), .b_i(large_b), .z_o(f)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_g (
    .clk_i, .a_i(large_d), .b_i(y1_third), .z_o(g)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_h (
    .clk_i, .a_i(large_e), .b_i(x1_third), .z_o(h)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_i (
    .clk_i, .a_i(large_b), .b_i(e_late), .z_o(i)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(1), .Modulus(Modulus)
  ) u_j (
    .clk_i, .a_i(large_b), .b_i(e_late), .z_o(j)
  );

  mm_msm_times #(
    .Width(N), .Carry(Carry), .Shift(1), .Modulus(Modulus)
  ) u_k (
    .clk_i, .a_i(large_a), .z_o(k)
  );

  mm_delay #(
    .Bits(N), .Cycles(Add)
  ) u_c_late (
    .clk_i, .d_i(large_c), .q_o(c_late)
  );

  // ---- step 5; what is there earlier waits

  logic [N-1:0]   l, o, g_late, i_late, j_late, k_late, l_late;
  logic [3*N-1:0] sums_fifth, sums_sixth;

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(1), .Modulus(Modulus)
  ) u_l (
    .clk_i, .a_i(c_late), .b_i(f), .z_o(l)
  );

  mm_msm_times #(
    .Width(N), .Carry(Carry), .Shift(Shift), .Modulus(Modulus)
  ) u_o (
    .clk_i, .a_i(h), .z_o(o)
  );

  assign sums_fifth               = {j, i, g};
  assign {j_late, i_late, g_late} = sums_sixth;

  mm_delay #(
    .Bits(3 * N), .Cycles(TimesB)
  ) u_sums_late (
    .clk_i, .d_i(sums_fifth), .q_o(sums_sixth)
  );

  mm_delay #(
    .Bits(N), .Cycles(Add + TimesB - Thrice)
  ) u_k_late (
    .clk_i, .d_i(k), .q_o(k_late)
  );

  mm_delay #(
    .Bits(N), .Cycles(TimesB - Add)
  ) u_l_late (
    .clk_i, .d_i(l), .q_o(l_late)
  );

  // ---- step 6

  logic [N-1:0]   g_o, l_j, o_k, j_i, k_l, i_g;
  logic [6*N-1:0] last_x, last_y, last_z;

  assign last_x = {i_late, k_late, j_late, o, l_late, g_late};
  assign last_y = {g_late, l_late, i_late, k_late, j_late, o};

  assign {i_g, k_l, j_i, o_k, l_j, g_o} = last_z;

  mm_msm_muls #(
    .Count(6), .Width(N), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Terms(Terms), .Modulus(Modulus),
    .MulCycles(MulCycles), .TopCycles(TopCycles), .LowCycles(LowCycles), .Guard(Guard)
  ) u_last (
    .clk_i, .x_i(last_x), .y_i(last_y), .z_o(last_z)
  );

  // ---- step 7

  logic [N-1:0] x3, y3, z3;

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(1), .Modulus(Modulus)
  ) u_x3 (
    .clk_i, .a_i(l_j), .b_i(g_o), .z_o(x3)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_y3 (
    .clk_i, .a_i(j_i), .b_i(o_k), .z_o(y3)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_z3 (
    .clk_i, .a_i(i_g), .b_i(k_l), .z_o(z3)
  );

  assign sum_o = {z3, y3, x3};

endmodule

`default_nettype wire
