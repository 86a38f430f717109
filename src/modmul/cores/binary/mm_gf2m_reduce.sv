// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_reduce: r = t mod M for the M of the build, of t with Above bits from x^Width on; without registers.
//
// With M = x^Width + x^k + ... the upper Width - k bits are replaced at once: each is worth the other terms of M, which
// are below all of them. So a sparse M with k at most half of Width takes two rounds at most, and any M ends.
//
`default_nettype none

module mm_gf2m_reduce #(
  parameter int Width   = 8,
  parameter int Above   = 7,
  parameter     Modulus = 283
) (
  input  wire  [Width+Above-1:0] t_i,
  output logic [Width-1:0]       r_o
);

  localparam logic [Width-1:0] M = Width'(Modulus);  // without x^Width

  // Width - k.
  function automatic int distance(input logic [Width-1:0] lower);
    distance = Width;
    for (int i = 1; i < Width; i++) if (lower[i]) distance = Width - i;
  endfunction

  localparam int Most   = distance(M);
  localparam int Rounds = (Above + Most - 1) / Most;

  for (genvar k = 0; k < Rounds; k++) begin : gen_round
    localparam int High = Above - k * Most;           // bits from x^Width on
    localparam int Size = High < Most ? High : Most;  // of them these are replaced
    localparam int Low  = Width + High - Size;        // the first of them

    logic [Width+High-1:0] t;
    logic [Low-1:0]        lower, sum;
    logic [Size-1:0]       high;

    if (k == 0) begin : gen_first
      assign t = t_i;
    end else begin : gen_next
      assign t = gen_round[k-1].sum;
    end

    assign lower = t[Low-1:0];
    assign high  = t[Low+:Size];

    always_comb begin
      sum = lower;
      for (int i = 0; i < Width; i++) if (M[i]) sum = sum ^ (Low'(high) << (Low - Width + i));
    end
  end

  assign r_o = gen_round[Rounds-1].sum;

endmodule

`default_nettype wire
