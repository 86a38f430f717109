// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_sparse: r = T mod M, or M more than that, for M = 2^n - D, n = Width, without multiplications: D is a
// sum of few powers of 2, added or subtracted, and a product by D takes an addition for each. In place of steps 2 to 4
// of mm_pipelined in a build for one modulus.
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

  // The non-adjacent form of D: 2^i is added where Plus has bit i, and subtracted where Minus has it.
  localparam logic [2*N:0] Thrice = D + D + D;
  localparam logic [2*N:0] Plus   = (Thrice & ~D) >> 1;
  localparam logic [2*N:0] Minus  = (D & ~Thrice) >> 1;

  localparam int Folds = count_folds(D);

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

    for (genvar i = 0; i <= N; i++) begin : gen_place
      logic [To-1:0]   so_far, after;
      logic [High-1:0] high_so_far, high_after;

      if (i == 0) begin : gen_start
        assign so_far      = low;
        assign high_so_far = high;
      end else begin : gen_go_on
        assign so_far      = gen_place[i-1].after;
        assign high_so_far = gen_place[i-1].high_after;
      end

      if (Plus[i] || Minus[i]) begin : gen_digit
        localparam int Adder = To - i;
        localparam int Steps = (Adder + Carry - 1) / Carry;

        logic [Adder-1:0] upper, addend, upper_sum;

        assign upper  = so_far[To-1:i];
        assign addend = Adder'(high_so_far);

        mm_pipelined_add #(
          .Bits(Adder), .Carry(Carry)
        ) u_add (
          .clk_i, .subtract_i(Minus[i]), .a_i(upper), .b_i(addend), .sum_o(upper_sum)
        );

        mm_delay #(
          .Bits(High), .Cycles(Steps)
        ) u_high (
          .clk_i, .d_i(high_so_far), .q_o(high_after)
        );

        assign after[To-1:i] = upper_sum;

        if (i > 0) begin : gen_pass
          mm_delay #(
            .Bits(i), .Cycles(Steps)
          ) u_lower (
            .clk_i, .d_i(so_far[i-1:0]), .q_o(after[i-1:0])
          );
        end
      end else begin : gen_none
        assign after      = so_far;
        assign high_after = high_so_far;
      end
    end

    assign sum = gen_place[N].after;

    logic unused_high;
    assign unused_high = ^gen_place[N].high_after;
  end

  assign r_o = (N+1)'(gen_fold[Folds-1].sum);

endmodule

`default_nettype wire
