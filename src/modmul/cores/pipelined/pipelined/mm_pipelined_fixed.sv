// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_fixed: z = T mod M for the one M of a build, of n = Width bits and odd, 0 <= T <= M^2, by Barrett's
// quotient, in place of steps 2 to 5 of mm_pipelined. Both products are by constants, and take additions alone; of the
// first only the upper part is computed, of the second only the lower part.
//
//    2  q = t * U >> (n + 3 + b), t = T >> (n - b), U = 2^(2n+3) / M,
//       rounded down, b = min(n, 4)                                   T/M - 2 < q <= T/M
//    3  r = T - q * M - M, in n + 1 bits                              -M <= r < M
//    4  z = r or r + M                                                0 <= z < M
//
//   q may be -1; it has n + 1 bits, in two's complement. Cycles: those of mm_pipelined_times for U, for M, and of two
//   additions; the first two come as TopCycles and LowCycles.
//
`default_nettype none

module mm_pipelined_fixed #(
  parameter int Width     = 16,
  parameter int Carry     = 144,
  parameter int Terms     = 3,
  parameter int Guard     = 5,  // bits of the first product behind the point
  parameter int TopCycles = 4,
  parameter int LowCycles = 4,
  parameter     Modulus   = 65521
) (
  input  wire                clk_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int N      = Width;
  localparam int Behind = N < 4 ? N : 4;   // b
  localparam int Point  = N + 3 + Behind;  // of the first product

  localparam logic [2*N+3:0] M       = (2*N+4)'(Modulus);
  localparam logic [2*N+3:0] One     = 1;
  localparam logic [N+3:0]   U       = (N+4)'((One << (2 * N + 3)) / M);
  localparam logic [N:0]     AtFirst = (N+1)'(M);

  // Step 2.
  logic [N+Behind-1:0] t;
  logic [N+Guard:0]    q_long;
  logic [N:0]          q;
  logic                unused_guard;

  assign t            = t_i[2*N-1:N-Behind];
  assign q            = q_long[N+Guard:Guard];
  assign unused_guard = ^q_long;

  mm_pipelined_times #(
    .ABits(N + Behind), .FBits(N + 4), .Base(Point - Guard), .Top(Point + N + 1), .Carry(Carry), .Terms(Terms),
    .Factor(U), .Addend(0)
  ) u_quotient (
    .clk_i, .a_i(t), .p_o(q_long)
  );

  // Step 3: q * M + M first.
  logic [N:0] t_low, t_late, multiple, r;

  assign t_low = t_i[N:0];

  mm_delay #(
    .Bits(N + 1), .Cycles(TopCycles + LowCycles)
  ) u_t (
    .clk_i, .d_i(t_low), .q_o(t_late)
  );

  mm_pipelined_times #(
    .ABits(N + 1), .FBits(N), .Base(0), .Top(N + 1), .Carry(Carry), .Terms(Terms), .Factor(AtFirst), .Addend(AtFirst)
  ) u_multiple (
    .clk_i, .a_i(q), .p_o(multiple)
  );

  mm_pipelined_add #(
    .Bits(N + 1), .Carry(Carry)
  ) u_r (
    .clk_i, .subtract_i(1'b1), .a_i(t_late), .b_i(multiple), .sum_o(r)
  );

  // Step 4.
  logic [N-1:0] r_low, more;

  assign r_low = r[N-1:0];
  assign more  = N'(Modulus) & {N{r[N]}};

  mm_pipelined_add #(
    .Bits(N), .Carry(Carry)
  ) u_z (
    .clk_i, .subtract_i(1'b0), .a_i(r_low), .b_i(more), .sum_o(z_o)
  );

endmodule

`default_nettype wire
