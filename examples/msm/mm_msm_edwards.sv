// SPDX-License-Identifier: Apache-2.0
//
// mm_msm_edwards: the sum of two points of a twisted Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 modulo the prime M of the
// build, one every clock cycle: of P in extended coordinates, x = X / Z, y = Y / Z, T = X * Y / Z, and of Q or, with
// subtract_i, -Q, given as u = y - x, v = y + x, k = 2 d x y. Hisil, Wong, Carter and Dawson, 2008: 7 products.
//
// Steps
//    1  a = Y - X, b = Y + X, e = 2 Z; with subtract_i u and v change places
//    2  A = a * u, B = b * v, C = T * k
//    3  E = B - A, H = B + A, F = e - C, G = e + C; with subtract_i F and G change places
//    4  X' = E * F, Y' = G * H, Z' = F * G, T' = E * H
//
// All are modulo M, and below M. It is right for any P and Q of odd order, P = Q, P = -Q and the neutral element (0, 1)
// among them: then Z' is never 0 (examples/msm/README.md).
//
//   sum_i and sum_o: X, Y, Z, T, X lowest. point_i: u, v, k, u lowest. There are no handshakes; whatever is at the
//   inputs in a cycle leaves a fixed number of cycles later, 2 A + 1 + 2 P for an mm_msm_add of A and an mm_msm_mul of
//   P cycles.
//
`default_nettype none

module mm_msm_edwards #(
  parameter int Width     = 10,
  parameter int TileA     = 25,
  parameter int TileB     = 18,
  parameter int Leaf      = 104,
  parameter int Carry     = 144,
  parameter int Terms     = 3,
  parameter     Modulus   = 577,
  parameter int MulCycles = 3,
  parameter int TopCycles = 3,
  parameter int LowCycles = 3,
  parameter int Guard     = 4
) (
  input  wire                clk_i,
  input  wire                subtract_i,
  input  wire  [4*Width-1:0] sum_i,
  input  wire  [3*Width-1:0] point_i,
  output logic [4*Width-1:0] sum_o
);

  localparam int N       = Width;
  localparam int Add     = (N + Carry) / Carry + (N + Carry - 1) / Carry;
  localparam int Product = MulCycles + TopCycles + LowCycles + Add;

  // ---- step 1

  logic [N-1:0] x1, y1, z1, a, b, e;

  assign x1 = sum_i[N-1:0];
  assign y1 = sum_i[2*N-1:N];
  assign z1 = sum_i[3*N-1:2*N];

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(1), .Modulus(Modulus)
  ) u_small_a (
    .clk_i, .a_i(y1), .b_i(x1), .z_o(a)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_small_b (
    .clk_i, .a_i(y1), .b_i(x1), .z_o(b)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_small_e (
    .clk_i, .a_i(z1), .b_i(z1), .z_o(e)
  );

  // T, k, v and u wait meanwhile.
  logic [N-1:0]   t1, k, u, v;
  logic [4*N-1:0] waits, waited;

  assign waits = {
    sum_i[4*N-1:3*N], point_i[3*N-1:2*N], subtract_i ? {point_i[N-1:0], point_i[2*N-1:N]} : point_i[2*N-1:0]
  };
  assign {t1, k, v, u} = waited;

  mm_delay #(
    .Bits(4 * N), .Cycles(Add)
  ) u_waits (
    .clk_i, .d_i(waits), .q_o(waited)
  );

  // ---- step 2

  logic [N-1:0]   large_a, large_b, c, e_late;
  logic [3*N-1:0] first_x, first_y, first_z;

  assign first_x               = {t1, b, a};
  assign first_y               = {k, v, u};
  assign {c, large_b, large_a} = first_z;

  mm_msm_muls #(
    .Count(3), .Width(N), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Terms(Terms), .Modulus(Modulus),
    .MulCycles(MulCycles), .TopCycles(TopCycles), .LowCycles(LowCycles), .Guard(Guard)
  ) u_first (
    .clk_i, .x_i(first_x), .y_i(first_y), .z_o(first_z)
  );

  mm_delay #(
    .Bits(N), .Cycles(Product)
  ) u_e_late (
    .clk_i, .d_i(e), .q_o(e_late)
  );

  // ---- step 3

  logic [N-1:0] e_next, h_next, less, more, e_q, h_q, f_q, g_q;
  logic         subtract_late;

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(1), .Modulus(Modulus)
  ) u_e (
    .clk_i, .a_i(large_b), .b_i(large_a), .z_o(e_next)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_h (
    .clk_i, .a_i(large_b), .b_i(large_a), .z_o(h_next)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(1), .Modulus(Modulus)
  ) u_f (
    .clk_i, .a_i(e_late), .b_i(c), .z_o(less)
  );

  mm_msm_add #(
    .Width(N), .Carry(Carry), .Subtract(0), .Modulus(Modulus)
  ) u_g (
    .clk_i, .a_i(e_late), .b_i(c), .z_o(more)
  );

  mm_delay #(
    .Bits(1), .Cycles(2 * Add + Product)
  ) u_subtract (
    .clk_i, .d_i(subtract_i), .q_o(subtract_late)
  );

  always_ff @(posedge clk_i) begin
    e_q        <= e_next;
    h_q        <= h_next;
    {g_q, f_q} <= subtract_late ? {less, more} : {more, less};
  end

  // ---- step 4

  logic [4*N-1:0] last_x, last_y;

  assign last_x = {e_q, f_q, g_q, e_q};
  assign last_y = {h_q, g_q, h_q, f_q};

  mm_msm_muls #(
    .Count(4), .Width(N), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Terms(Terms), .Modulus(Modulus),
    .MulCycles(MulCycles), .TopCycles(TopCycles), .LowCycles(LowCycles), .Guard(Guard)
  ) u_last (
    .clk_i, .x_i(last_x), .y_i(last_y), .z_o(sum_o)
  );

endmodule

`default_nettype wire
