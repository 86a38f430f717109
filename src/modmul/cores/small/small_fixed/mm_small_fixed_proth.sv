// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_proth: z = T mod M for M = k * 2^m + 1 with k = 2^g - 1, 0 <= T <= M^2, n = g + m = Width. As
// k * 2^m is -1 modulo M, T = C * 2^m + L becomes R * 2^m + L - Q, where C = k * Q + R: a division by k, which is
// additions, for 1 / k = 2^-g (1 + 2^-g + 2^-2g) (1 + 2^-3g + 2^-6g) ...
//
//    2  E = T >> n - f, f bits behind the point; then, Levels times, E = E + (E >> s) + (E >> 2s) for s = g, 3g, 9g,
//       ...; q = E >> f
//    3  R = C - k * q in g + 1 bits; Q = q + c, R = R - c * k, c = 1 if R >= k: q is Q or one less
//    4  r = R * 2^m + L - Q, -M <= r < M
//    5  z = r or r + M
//
//   f and Levels are such that all that is cut off in step 2 is less than 1. The last of several levels is kept apart
//   from E, as X, until step 4 subtracts both.
//   Cycles: one for each level but the last of several, one for steps 3 and 4, one for step 5.
//
`default_nettype none

module mm_small_fixed_proth #(
  parameter int Width  = 31,
  parameter int G      = 4,
  parameter int Levels = 2,
  parameter int Behind = 3   // f
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int N      = Width;
  localparam int Place  = N - G;                                            // m
  localparam int EBits  = N + Behind;
  localparam int Apart  = Levels > 1 ? 1 : 0;
  localparam int Before = Levels - Apart;                                   // cycles before that of step 3
  localparam int Low    = Behind + G + 1 < EBits ? Behind + G + 1 : EBits;  // bits of E that step 3 asks for

  localparam logic [N:0] One = 1;
  localparam logic [N:0] M   = (One << N) - (One << Place) + One;

  function automatic int shift(input int level);
    shift = G;
    for (int i = 0; i < level; i++) shift = shift * 3;
  endfunction

  // Step 2.
  for (genvar i = 0; i <= Levels - Apart; i++) begin : gen_level
    logic [EBits-1:0] sum, late;

    if (i == 0) begin : gen_first
      assign sum  = t_i[2*N-1:N-Behind];
      assign late = sum;
    end else begin : gen_next
      localparam int S     = shift(i - 1);
      localparam int Short = EBits > S ? EBits - S : 1;

      logic [Short-1:0] b, c;
      assign b = Short'(gen_level[i-1].late >> S);
      assign c = Short'(gen_level[i-1].late >> 2 * S);

      mm_small_add3 #(
        .Bits(EBits), .Short(Short)
      ) u_sum (
        .a_i(gen_level[i-1].late), .b_i(b), .c_i(c), .carry_i(2'b00), .sum_o(sum)
      );

      mm_small_delay #(
        .Bits(EBits), .Cycles(Apart != 0 && i == Levels - 1 ? 0 : 1)
      ) u_late (
        .clk_i, .en_i, .d_i(sum), .q_o(late)
      );
    end
  end

  logic [EBits-1:0]  e, x, e_late, x_late;
  logic [Low-1:0]    low, low_late;
  logic [Behind:0]   fraction;
  logic              above, above_late;  // the carry out of the fractions of E and X
  logic              unused_low;

  assign e = gen_level[Levels-Apart].late;

  if (Apart != 0) begin : gen_apart
    localparam int S     = shift(Levels - 1);
    localparam int XBits = EBits > S ? EBits - S : 1;

    logic [XBits-1:0] once, twice, both;

    assign once  = XBits'(e >> S);
    assign twice = XBits'(e >> 2 * S);

    mm_small_add #(.Bits(XBits)) u_x (.a_i(once), .b_i(twice), .carry_i(1'b0), .sum_o(both));
    mm_small_add #(.Bits(Low)) u_low (.a_i(e[Low-1:0]), .b_i(x[Low-1:0]), .carry_i(1'b0), .sum_o(low));

    assign x        = EBits'(both);
    assign fraction = {1'b0, e[Behind-1:0]} + {1'b0, x[Behind-1:0]};
    assign above    = fraction[Behind];
  end else begin : gen_whole
    assign x        = '0;
    assign low      = e[Low-1:0];
    assign fraction = '0;
    assign above    = 1'b0;
  end

  mm_small_delay #(
    .Bits(2 * EBits + Low + 1), .Cycles(Apart)
  ) u_quotient (
    .clk_i, .en_i, .d_i({e, x, low, above}), .q_o({e_late, x_late, low_late, above_late})
  );

  // Step 3.
  logic [N:0]   t;  // what is left of T: L, and g + 1 bits of C
  logic [G:0]   q, c, sum, rest;
  logic [G-1:0] none, top;
  logic         more;

  mm_small_delay #(.Bits(N + 1), .Cycles(Before), .Keep(1)) u_t (.clk_i, .en_i, .d_i(t_i[N:0]), .q_o(t));

  assign q          = (G+1)'(low_late >> Behind);
  assign c          = t[N:Place];
  assign none       = '0;
  assign rest       = sum ^ {q[0], none};
  assign more       = rest[G] | &rest[G-1:0];
  assign unused_low = ^{low_late, fraction};

  mm_small_add #(.Bits(G + 1)) u_rest (.a_i(c), .b_i(q), .carry_i(1'b0), .sum_o(sum));
  mm_small_add #(.Bits(G)) u_top (.a_i(rest[G-1:0]), .b_i(none), .carry_i(more), .sum_o(top));

  // Step 4.
  logic [N:0] minuend, r, r_q;
  logic       unused_fractions;

  assign minuend          = {1'b0, top, t[Place-1:0]};
  assign unused_fractions = ^{e_late, x_late, e, x, above_late};

  if (Apart != 0) begin : gen_two
    mm_small_add3 #(
      .Bits(N + 1), .Short(N), .Minus(1)
    ) u_r (
      .a_i(minuend), .b_i(e_late[EBits-1:Behind]), .c_i(x_late[EBits-1:Behind]), .carry_i({above_late, more}), .sum_o(r)
    );
  end else begin : gen_one
    logic [N:0] e_long;
    assign e_long = {1'b0, e_late[EBits-1:Behind]};
    mm_small_add #(.Bits(N + 1), .Minus(1)) u_r (.a_i(minuend), .b_i(e_long), .carry_i(more), .sum_o(r));
  end

  always_ff @(posedge clk_i) if (en_i) r_q <= r;

  // Step 5.
  mm_small_fixed_last #(.Width(N), .Modulus(M[N-1:0])) u_last (.clk_i, .en_i, .r_i(r_q), .z_o);

endmodule

`default_nettype wire
