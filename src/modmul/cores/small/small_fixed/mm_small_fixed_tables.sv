// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_tables: z = T mod M for any M of n = Width bits, 0 <= T <= M^2, by tables that the additions behind
// them take in: a LUT of an adder has the bit of the sum and as many inputs more, so a table of Digit bits costs
// nothing.
//
//    2  while T may reach 2^(n-1+d): T = T mod 2^s + R(T >> s), R(h) = h * 2^s mod M; T has s + d bits, d = Digit
//    3  r = T mod 2^(n-1) + R(T >> n-1) - M, R(h) = h * 2^(n-1) mod M; -M <= r < M, for 2^(n-1) <= M
//    4  z = r or r + M
//
//   Cycles: with Deep = 0 one for two folds of step 2, and two; with Deep = 1 those of an addition for each fold and
//   step, Carry bits a cycle.
//
`default_nettype none

module mm_small_fixed_tables #(
  parameter int Width   = 12,
  parameter int Digit   = 5,
  parameter int Carry   = 36,
  parameter int Deep    = 0,
  parameter     Modulus = 3329
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int N     = Width;
  localparam int Words = 1 << Digit;

  localparam logic [2*N:0] One     = 1;
  localparam logic [2*N:0] M       = (2*N+1)'(Modulus);
  localparam logic [2*N:0] Largest = M * M;

  // The bits of the largest T after some folds, and how many it takes; each takes Digit - 1 bits at least but the last.
  function automatic int bits_after(input int folds);
    logic [2*N:0] bound;
    bound = Largest;
    for (int i = 0; i <= folds; i++) begin
      bits_after = 0;
      for (int b = 0; b <= 2 * N; b++) if (bound[b]) bits_after = b + 1;
      bound = (One << (bits_after > Digit ? bits_after - Digit : 0)) + M - (2*N+1)'(2);
    end
  endfunction

  function automatic int count_folds(input int most);
    logic [2*N:0] bound;
    int           bits;
    bound       = Largest;
    count_folds = 0;
    for (int i = 0; i < most; i++) begin
      if (bound >= One << (N - 1 + Digit)) begin
        bits = 0;
        for (int b = 0; b <= 2 * N; b++) if (bound[b]) bits = b + 1;
        bound       = (One << (bits - Digit)) + M - (2*N+1)'(2);
        count_folds = count_folds + 1;
      end
    end
  endfunction

  // The table of all h at a place, less a constant, N + 1 bits each.
  function automatic logic [Words*(N+1)-1:0] residues(input int place, input logic [2*N:0] less);
    logic [2*N:0] unit, value;
    unit     = (One << place) % M;
    value    = '0;
    residues = '0;
    for (int h = 0; h < Words; h++) begin
      residues[h*(N+1) +: N+1] = (N+1)'(value - less);
      value = value + unit;
      if (value >= M) value = value - M;
    end
  endfunction

  localparam int Folds = count_folds(2 * N);

  // Step 2.
  for (genvar k = 0; k < Folds; k++) begin : gen_fold
    localparam int From  = bits_after(k);
    localparam int Place = From - Digit;
    localparam int To    = bits_after(k + 1);

    localparam logic [Words*(N+1)-1:0] Residues = residues(Place, '0);

    localparam int Cycles = Deep != 0 ? (To + Carry - 1) / Carry : k % 2 == 1 || k == Folds - 1 ? 1 : 0;

    logic [From-1:0] t;
    logic [To-1:0]   rest, addend, sum;
    logic [N:0]      residue;

    if (k == 0) begin : gen_first
      assign t = t_i[From-1:0];
    end else begin : gen_next
      assign t = gen_fold[k-1].sum;
    end

    mm_small_table #(
      .Digit(Digit), .Bits(N + 1), .Words(Residues)
    ) u_table (
      .at_i(t[From-1:Place]), .word_o(residue)
    );

    assign rest   = To'(t[Place-1:0]);
    assign addend = To'(residue);

    mm_small_sum #(
      .Bits(To), .Cycles(Cycles)
    ) u_sum (
      .clk_i, .en_i, .a_i(rest), .b_i(addend), .carry_i(1'b0), .sum_o(sum)
    );
  end

  // Step 3.
  localparam logic [Words*(N+1)-1:0] Negative = residues(N - 1, M);

  logic [N+Digit-2:0] last;
  logic [N:0]         residue, rest, r;

  if (Folds == 0) begin : gen_none
    assign last = (N+Digit-1)'(t_i);
  end else begin : gen_some
    assign last = (N+Digit-1)'(gen_fold[Folds-1].sum);
  end

  mm_small_table #(
    .Digit(Digit), .Bits(N + 1), .Words(Negative)
  ) u_table (
    .at_i(last[N+Digit-2:N-1]), .word_o(residue)
  );

  assign rest = (N+1)'(last[N-2:0]);

  mm_small_sum #(
    .Bits(N + 1), .Cycles(Deep != 0 ? (N + Carry) / Carry : 1)
  ) u_r (
    .clk_i, .en_i, .a_i(rest), .b_i(residue), .carry_i(1'b0), .sum_o(r)
  );

  // Step 4.
  mm_small_fixed_last #(
    .Width(N), .Cycles(Deep != 0 ? (N + Carry - 1) / Carry : 1), .Modulus(M[N-1:0])
  ) u_last (
    .clk_i, .en_i, .r_i(r), .z_o
  );

  logic unused_top;
  assign unused_top = ^t_i;

endmodule

`default_nettype wire
