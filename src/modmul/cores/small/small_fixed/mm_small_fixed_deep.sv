// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_deep: what mm_small_fixed_proth does, with Deep = 1: one addition of at most Carry bits a cycle. Its
// steps are those, but in step 2 for 1 / k = 2^-g (1 + 2^-g) (1 + 2^-2g) (1 + 2^-4g) ...: E = E + (E >> s) for
// s = g, 2g, 4g, ..., Levels times.
//
//   Cycles: those of the additions of n + f bits, Levels times, g + 1, g, n + 1 and n bits, one before step 3's second,
//   and one before the last.
//
`default_nettype none

module mm_small_fixed_deep #(
  parameter int Width  = 31,
  parameter int G      = 4,
  parameter int Levels = 3,
  parameter int Behind = 3,
  parameter int Carry  = 36
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int N      = Width;
  localparam int Place  = N - G;
  localparam int EBits  = N + Behind;
  localparam int ESteps = (EBits + Carry - 1) / Carry;
  localparam int CSteps = (G + Carry) / Carry;
  localparam int TSteps = (G + Carry - 1) / Carry;
  localparam int RSteps = (N + Carry) / Carry;
  localparam int ZSteps = (N + Carry - 1) / Carry;

  localparam logic [N:0] One = 1;
  localparam logic [N:0] M   = (One << N) - (One << Place) + One;

  // Step 2.
  for (genvar i = 0; i <= Levels; i++) begin : gen_level
    logic [EBits-1:0] sum;

    if (i == 0) begin : gen_first
      assign sum = t_i[2*N-1:N-Behind];
    end else begin : gen_next
      logic [EBits-1:0] shifted;
      assign shifted = gen_level[i-1].sum >> (G << (i - 1));
      mm_small_sum #(
        .Bits(EBits), .Cycles(ESteps)
      ) u_sum (
        .clk_i, .en_i, .a_i(gen_level[i-1].sum), .b_i(shifted), .carry_i(1'b0), .sum_o(sum)
      );
    end
  end

  // Step 3: R, whether it reaches k, and R or R - k.
  logic [N-1:0]     q, q_rest, q_top, not_q, not_q_last;
  logic [N:0]       t;
  logic [Place-1:0] low_rest, low_top, low_last;
  logic [G:0]       c, sum, rest;
  logic [G-1:0]     none, rest_late, top;
  logic             more, more_late, not_more, not_more_last, unused_fraction;

  assign q               = gen_level[Levels].sum[EBits-1:Behind];
  assign c               = t[N:Place];
  assign none            = '0;
  assign unused_fraction = ^gen_level[Levels].sum;

  mm_small_delay #(.Bits(N + 1), .Cycles(Levels * ESteps)) u_t (.clk_i, .en_i, .d_i(t_i[N:0]), .q_o(t));

  mm_small_sum #(
    .Bits(G + 1), .Cycles(CSteps)
  ) u_rest (
    .clk_i, .en_i, .a_i(c), .b_i(q[G:0]), .carry_i(1'b0), .sum_o(sum)
  );
  mm_small_delay #(
    .Bits(N + Place), .Cycles(CSteps)
  ) u_beside_rest (
    .clk_i, .en_i, .d_i({q, t[Place-1:0]}), .q_o({q_rest, low_rest})
  );

  assign rest = sum ^ {q_rest[0], none};
  assign more = rest[G] | &rest[G-1:0];

  mm_small_delay #(
    .Bits(2 * N + 1), .Cycles(1)
  ) u_beside_more (
    .clk_i, .en_i, .d_i({q_rest, low_rest, rest[G-1:0], more}), .q_o({q_top, low_top, rest_late, more_late})
  );

  mm_small_sum #(
    .Bits(G), .Cycles(TSteps)
  ) u_top (
    .clk_i, .en_i, .a_i(rest_late), .b_i(none), .carry_i(more_late), .sum_o(top)
  );

  // What step 4 subtracts, inverted in front of these registers.
  assign not_q    = ~q_top;
  assign not_more = ~more_late;

  mm_small_delay #(
    .Bits(N + Place + 1), .Cycles(TSteps)
  ) u_beside_top (
    .clk_i, .en_i, .d_i({not_q, low_top, not_more}), .q_o({not_q_last, low_last, not_more_last})
  );

  // Steps 4 and 5.
  logic [N:0] minuend, not_subtrahend, r, r_late;

  assign minuend        = {1'b0, top, low_last};
  assign not_subtrahend = {1'b1, not_q_last};

  mm_small_sum #(
    .Bits(N + 1), .Cycles(RSteps)
  ) u_r (
    .clk_i, .en_i, .a_i(minuend), .b_i(not_subtrahend), .carry_i(not_more_last), .sum_o(r)
  );
  mm_small_delay #(.Bits(N + 1), .Cycles(1)) u_late (.clk_i, .en_i, .d_i(r), .q_o(r_late));
  mm_small_fixed_last #(
    .Width(N), .Cycles(ZSteps), .Modulus(M[N-1:0])
  ) u_last (
    .clk_i, .en_i, .r_i(r_late), .z_o
  );

endmodule

`default_nettype wire
