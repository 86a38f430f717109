// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed_digits: z = T mod M for M = k * 2^m + 1 with k = 1, 3, 5 or 7, 0 <= T <= M^2, n = Width. As k * 2^m is
// -1 modulo M, T = C * 2^m + L becomes R * 2^m + L - Q, where C = k * Q + R: a long division by k, whose digits of Q
// the LUTs of the subtraction take in.
//
//    2  the remainders s of C by k, from the top: s = s * 2^e + d mod k for each digit d of e bits
//    3  Q, digit by digit: s * 2^e + d divided by k; r = R * 2^m + L - Q, -M <= r < M
//    4  z = r or r + M
//
//   Remainder and digit have five bits together. Three cycles.
//
`default_nettype none

module mm_small_fixed_digits #(
  parameter int Width = 14,
  parameter int K     = 3,
  parameter int CBits = 16  // of C
) (
  input  wire                clk_i,
  input  wire                en_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int N      = Width;
  localparam int KBits  = K == 1 ? 1 : K == 3 ? 2 : 3;
  localparam int Place  = N - KBits;  // m
  localparam int SBits  = KBits;      // of a remainder
  localparam int Digit  = 5 - SBits;
  localparam int Lower  = CBits > 5 ? (CBits - 5 + Digit - 1) / Digit : 0;  // digits below the first
  localparam int First  = CBits - Lower * Digit;

  localparam logic [N:0] One = 1;
  localparam logic [N:0] M   = ((N+1)'(K) << Place) + One;

  // For numbers of five bits, those divided by k and their remainders, five bits each.
  function automatic logic [159:0] divided(input int rest);
    divided = '0;
    for (int i = 0; i < 32; i++) divided[5*i +: 5] = 5'(rest != 0 ? i % K : i / K);
  endfunction

  localparam logic [159:0] Quotients  = divided(0);
  localparam logic [159:0] Remainders = divided(1);

  // Step 2: remainder j is that of the first digit and j more; the last is R.
  logic [CBits-1:0]           c, c_q;
  logic [(Lower+1)*SBits-1:0] states, states_q;
  logic [Place-1:0]           low_q;
  logic [CBits-1:0]           q;
  logic                       unused_bits;

  assign c           = t_i[Place+CBits-1:Place];
  assign unused_bits = ^{t_i, q};  // Q < 2^(n+1)

  for (genvar j = 0; j <= Lower; j++) begin : gen_state
    logic [4:0] number, rest;
    logic       unused_rest;

    if (j == 0) begin : gen_first
      assign number = 5'(c[CBits-1:CBits-First]);
    end else begin : gen_next
      assign number = {states[(j-1)*SBits +: SBits], c[(Lower-j)*Digit +: Digit]};
    end

    mm_small_table #(.Digit(5), .Bits(5), .Words(Remainders)) u_rest (.at_i(number), .word_o(rest));

    assign states[j*SBits +: SBits] = rest[SBits-1:0];
    assign unused_rest              = ^rest;
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      c_q      <= c;
      states_q <= states;
      low_q    <= t_i[Place-1:0];
    end
  end

  // Step 3.
  for (genvar j = 0; j <= Lower; j++) begin : gen_digit
    localparam int Long = j == 0 ? First : Digit;

    logic [4:0] number, digit;
    logic       unused_digit;

    if (j == 0) begin : gen_first
      assign number = 5'(c_q[CBits-1:CBits-First]);
    end else begin : gen_next
      assign number = {states_q[(j-1)*SBits +: SBits], c_q[(Lower-j)*Digit +: Digit]};
    end

    mm_small_table #(.Digit(5), .Bits(5), .Words(Quotients)) u_digit (.at_i(number), .word_o(digit));

    assign q[(Lower-j)*Digit +: Long] = digit[Long-1:0];
    assign unused_digit               = ^digit;
  end

  logic [N:0] rest, q_long, r;

  assign rest   = (N+1)'({states_q[Lower*SBits +: SBits], low_q});
  assign q_long = (N+1)'(q);

  mm_small_sum #(
    .Bits(N + 1), .Minus(1)
  ) u_r (
    .clk_i, .en_i, .a_i(rest), .b_i(q_long), .carry_i(1'b0), .sum_o(r)
  );

  // Step 4.
  mm_small_fixed_last #(.Width(N), .Modulus(M[N-1:0])) u_last (.clk_i, .en_i, .r_i(r), .z_o);

endmodule

`default_nettype wire
