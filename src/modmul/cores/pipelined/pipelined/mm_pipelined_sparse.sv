// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_sparse: r = T mod M or M more, for M = 2^n - D, n = Width, without multiplications: D is a sum of few
// powers of 2, added or subtracted, and a product by D takes an addition for each. In place of steps 2 to 4 of
// mm_pipelined in a build for one modulus.
//
//    T = (T mod 2^n) + (T >> n) * D    as often as it takes until T < 2M; each time T is bounded anew
//
// Legal: Modulus odd, 3 * D <= 2^n: a fold with T >> n = 1 leaves less than 2^n + D, to be at most 2M; and at most 64
// folds.
//
`default_nettype none

module mm_pipelined_sparse #(
  parameter int Width   = 16,
  parameter int Carry   = 144,
  parameter     Modulus = 65521
) (
  input  wire                clk_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width:0]     r_o
);

  localparam int N    = Width;
  localparam int Most = 64;  // folds

  localparam logic [2*N:0] One   = 1;
  localparam logic [2*N:0] Low   = (One << N) - One;  // all ones below 2^n
  localparam logic [2*N:0] First = (One << (2 * N)) - One;
  localparam logic [N-1:0] Given = N'(0) - N'(Modulus);

  // Folds until T < 2M, or one more than there may be.
  function automatic int count_folds(input logic [2*N:0] d);
    logic [2*N:0] largest;
    largest     = First;
    count_folds = 0;
    for (int i = 0; i <= Most; i++) begin
      if (largest >= (One << (N + 1)) - d - d) begin
        largest     = Low + (largest >> N) * d;
        count_folds = count_folds + 1;
      end
    end
  endfunction

  localparam bit OfN   = Modulus[0] && Modulus >> N - 1 == 1;  // odd, of N bits
  localparam bit Third = OfN && (2*N+1)'(Given) * 3 <= One << N;
  localparam bit Legal = Third && count_folds((2*N+1)'(Given)) <= Most;

  if (!OfN) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_0_or_odd_and_of_Width_bits u_illegal ();
  end
  if (OfN && !Legal) begin : gen_illegal_third
    illegal_parameter_Modulus_must_be_2_to_the_Width_less_at_most_a_third_and_reduced_in_64_folds u_illegal ();
  end

  // D; what is illegal is refused, and here replaced.
  localparam logic [2*N:0] D = Legal ? (2*N+1)'(Given) : One;

  // The largest T after some folds.
  function automatic logic [2*N:0] bound(input int folds);
    bound = First;
    for (int i = 0; i < folds; i++) bound = Low + (bound >> N) * D;
  endfunction

  function automatic int length(input logic [2*N:0] number);
    length = 0;
    for (int i = 0; i <= 2 * N; i++) if (number[i]) length = i + 1;
  endfunction

  // Digit number `which` of D that is not 0, from the lowest: twice its place, and one more if it is -1; behind the
  // last one, minus the number of them.
  function automatic int digit(input int which);
    logic [2*N:0] rest;
    int           found;
    rest  = D;
    found = 0;
    digit = 0;
    for (int i = 0; i <= N; i++) begin
      if (rest[0]) begin
        if (found == which) digit = 2 * i + (rest[1] ? 1 : 0);
        rest  = rest[1] ? rest + One : rest - One;
        found = found + 1;
      end
      rest = rest >> 1;
    end
    if (which >= found) digit = -found;
  endfunction

  localparam int Folds  = count_folds(D);
  localparam int Digits = -digit(N + 1);

  for (genvar k = 0; k < Folds; k++) begin : gen_fold
    localparam int From = length(bound(k));
    localparam int To   = length(bound(k + 1)) > N ? length(bound(k + 1)) : N;
    localparam int High = From - N;

    logic [From-1:0] t;
    logic [To-1:0]   low, sum;
    logic [High-1:0] high;

    if (k == 0) begin : gen_first
      assign t = t_i;
    end else begin : gen_next
      assign t = gen_fold[k-1].sum;
    end

    assign low  = To'(t[N-1:0]);
    assign high = t[From-1:N];

    for (genvar j = 0; j < Digits; j++) begin : gen_digit
      localparam int Place = digit(j) / 2;
      localparam int Minus = digit(j) % 2;
      localparam int Adder = To - Place;
      localparam int Steps = (Adder + Carry - 1) / Carry;

      logic [To-1:0]    so_far, after;
      logic [High-1:0]  high_so_far, high_late;
      logic [Adder-1:0] upper, addend, upper_sum;
      logic             minus;

      if (j == 0) begin : gen_start
        assign so_far      = low;
        assign high_so_far = high;
      end else begin : gen_go_on
        assign so_far      = gen_digit[j-1].after;
        assign high_so_far = gen_digit[j-1].high_late;
      end

      assign upper  = so_far[To-1:Place];
      assign addend = Adder'(high_so_far);
      assign minus  = Minus != 0;

      mm_pipelined_add #(
        .Bits(Adder), .Carry(Carry)
      ) u_add (
        .clk_i, .subtract_i(minus), .a_i(upper), .b_i(addend), .sum_o(upper_sum)
      );

      mm_delay #(
        .Bits(High), .Cycles(Steps)
      ) u_high (
        .clk_i, .d_i(high_so_far), .q_o(high_late)
      );

      assign after[To-1:Place] = upper_sum;

      if (Place > 0) begin : gen_pass
        logic [Place-1:0] lower, lower_late;
        assign lower            = so_far[Place-1:0];
        assign after[Place-1:0] = lower_late;

        mm_delay #(
          .Bits(Place), .Cycles(Steps)
        ) u_lower (
          .clk_i, .d_i(lower), .q_o(lower_late)
        );
      end
    end

    assign sum = gen_digit[Digits-1].after;

    logic unused_high;
    assign unused_high = ^gen_digit[Digits-1].high_late;
  end

  assign r_o = (N+1)'(gen_fold[Folds-1].sum);

endmodule

`default_nettype wire
