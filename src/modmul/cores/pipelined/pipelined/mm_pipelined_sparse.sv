// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_sparse: z = T mod M for M = 2^n - Less, n = Width, without multiplications: Less is a sum of few powers
// of 2, added or subtracted, and a product by Less takes an addition for each.
//
//    1  T = (T mod 2^n) + (T >> n) * Less    as often as it takes until T < 2M; each time T is bounded anew
//    2  z = T or T - M
//
// Less > 0 and 3 * Less <= 2^n.
//
`default_nettype none

module mm_pipelined_sparse #(
  parameter int Width = 255,
  parameter int Carry = 144,
  parameter logic [Width-1:0] Less = 19
) (
  input  wire                clk_i,
  input  wire  [2*Width-1:0] t_i,
  output logic [Width-1:0]   z_o
);

  localparam int N = Width;

  localparam logic [2*N:0] One     = 1;
  localparam logic [2*N:0] Longer  = (2*N+1)'(Less);
  localparam logic [2*N:0] Low     = (One << N) - One;                        // all ones below 2^n
  localparam logic [2*N:0] Twice   = (One << (N + 1)) - Longer - Longer;      // 2M
  localparam logic [N+1:0] Modulus = (N+2)'((One << N) - Longer);

  // The largest T after some folds.
  function automatic logic [2*N:0] bound(input int folds);
    bound = (One << (2 * N)) - One;
    for (int i = 0; i < folds; i++) bound = Low + (bound >> N) * Longer;
  endfunction

  function automatic int length(input logic [2*N:0] number);
    length = 0;
    for (int i = 0; i <= 2 * N; i++) if (number[i]) length = i + 1;
  endfunction

  function automatic int count_folds(input logic [2*N:0] start);
    logic [2*N:0] largest;
    largest     = start;
    count_folds = 0;
    for (int i = 0; i < 64; i++) begin
      if (largest >= Twice) begin
        largest     = Low + (largest >> N) * Longer;
        count_folds = count_folds + 1;
      end
    end
  endfunction

  // Digit number `which` of Less that is not 0, from the lowest: twice its place, and one more if it is -1; behind the
  // last one, minus the number of them.
  function automatic int digit(input int which);
    logic [2*N:0] rest;
    int           found;
    rest  = Longer;
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

  localparam int Folds  = count_folds((One << (2 * N)) - One);
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

  // ---- step 2

  localparam int Last = (N + 2 + Carry - 1) / Carry;

  logic [N+1:0] t_last, m, difference;
  logic [N-1:0] t_short, t_late;
  logic         unused_bit;

  assign t_last     = (N+2)'(gen_fold[Folds-1].sum);
  assign t_short    = t_last[N-1:0];
  assign m          = Modulus;
  assign unused_bit = difference[N];

  mm_pipelined_add #(
    .Bits(N + 2), .Carry(Carry)
  ) u_last (
    .clk_i, .subtract_i(1'b1), .a_i(t_last), .b_i(m), .sum_o(difference)
  );

  mm_delay #(
    .Bits(N), .Cycles(Last)
  ) u_late (
    .clk_i, .d_i(t_short), .q_o(t_late)
  );

  assign z_o = difference[N+1] ? t_late : difference[N-1:0];

endmodule

`default_nettype wire
