// SPDX-License-Identifier: Apache-2.0
//
// mm_small_fixed: z = x * y mod M for the M of the build, operands and results every clock cycle. For primes of one to
// four multiplier blocks; the reduction takes none, and its way follows from M:
//
//    M = 2^n - 1                           mm_small_fixed_ones     ones
//    M = k * 2^m + 1, k = 2^g - 1, g > 3   mm_small_fixed_proth    proth, otherwise mm_small_fixed_deep
//    M = k * 2^m + 1, k = 1, 3, 5, 7       mm_small_fixed_digits   digits, with Carry = 0
//    any other, up to MostTables bits      mm_small_fixed_tables   tables
//
// Steps (n = Width)
//    1  T = x * y                                                  0 <= T <= M^2
//    2 ...  z = T mod M, by the steps of one of these modules      0 <= z < M
//
// Legal: Modulus odd and of n bits; 0 <= x, y <= M.
// Context: M. Any other is refused.
//
`default_nettype none

module mm_small_fixed #(
  parameter int Width   = 256,
  parameter int TileA   = 25,  // the wide side of a multiplier block, signed
  parameter int TileB   = 18,  // its narrow side
  parameter int Digit   = 5,   // bits that a table is asked for
  parameter int Carry   = 0,   // bits of an addition in a cycle, with a register behind each product; 0: few registers
  parameter int Queue   = 0,   // 1: the pipeline never stands still, and results go through a memory
  parameter     Modulus = 257'h0_ffffffff_ffffffff_ffffffff_ffffffff_00000000_00000000_00000000_00000001
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Width-1:0] ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Width-1:0] x_i,
  input  wire  [Width-1:0] y_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o
);

  localparam int MostTables = 64;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (TileA < 8 || TileA > 64) begin : gen_illegal_tile_a
    illegal_parameter_TileA_must_be_8_to_64 u_illegal ();
  end
  if (TileB < 8 || TileB > 64 || TileB > TileA) begin : gen_illegal_tile_b
    illegal_parameter_TileB_must_be_8_to_64_and_at_most_TileA u_illegal ();
  end
  if (Digit < 2 || Digit > 8) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_2_to_8 u_illegal ();
  end
  if (Carry != 0 && Carry < 8) begin : gen_illegal_carry
    illegal_parameter_Carry_must_be_0_or_at_least_8 u_illegal ();
  end
  if (Queue < 0 || Queue > 1) begin : gen_illegal_queue
    illegal_parameter_Queue_must_be_0_or_1 u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int A = TileA >= 8 && TileA <= 64 ? TileA : 25;
  localparam int B = TileB >= 8 && TileB <= A ? TileB : 8;
  localparam int D = Digit >= 2 && Digit <= 8 ? Digit : 5;
  localparam int P = Carry != 0 ? 1 : 0;
  localparam int R = P != 0 && Queue == 1 ? 2 : P;  // registers behind a product
  localparam int S = Carry >= 8 ? Carry : 8;

  localparam bit OfN = Modulus[0] && Modulus >> N - 1 == 1;  // odd, of N bits

  localparam logic [N-1:0] Ones = {N{1'b1}};
  localparam logic [N-1:0] M    = OfN ? N'(Modulus) : Ones;

  // ---- M = K * 2^Place + 1

  function automatic int zeros(input logic [N-1:0] number);
    zeros = 0;
    for (int i = N - 1; i >= 0; i--) if (number[i]) zeros = i;
  endfunction

  localparam int           Place = zeros(M - N'(1));
  localparam int           G     = N - Place;              // bits of K
  localparam logic [N-1:0] K     = M >> Place;             // and of it 1 less at most where Place is 0

  localparam bit IsOnes   = M == Ones;
  localparam bit IsProth  = ~IsOnes && G > 3 && K == Ones >> Place;
  localparam bit IsDigits = ~IsOnes && P == 0 && (K == N'(1) || K == N'(3) || K == N'(5) || K == N'(7));
  localparam bit IsTables = ~IsOnes && ~IsProth && ~IsDigits;

  if (!OfN) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_odd_and_of_Width_bits u_illegal ();
  end
  if (IsTables && N > MostTables) begin : gen_illegal_tables
    illegal_parameter_Modulus_of_more_than_64_bits_must_be_of_two_or_three_powers_of_2 u_illegal ();
  end

  // ---- the schedule

  localparam logic [2*N+8:0] Square = (2*N+9)'(M) * (2*N+9)'(M);

  function automatic int length(input logic [2*N+8:0] number);
    length = 0;
    for (int i = 0; i < 2 * N; i++) if (number[i]) length = i + 1;
  endfunction

  localparam int MostBehind = N < 5 ? N : 5;

  // Of step 2 of mm_small_fixed_proth the fewest levels, or with levels > 0 the fewest bits behind the point for so
  // many, with which what it cuts off is at most 1. That is counted in units of the last of these bits, times 256.
  function automatic int fewest(input int levels);
    logic [2*N+8:0] largest, lost;
    int             count, behind, place;
    fewest = 10;
    for (int c = 10; c > 0; c--) begin
      count   = levels == 0 ? c : levels;
      behind  = levels == 0 || c > MostBehind ? MostBehind : c;
      place   = G;
      largest = Square >> (N - behind);
      lost    = (2*N+9)'(256);
      for (int i = 0; i < count; i++) begin
        if (P != 0) begin
          largest = largest + (largest >> place);
          lost    = lost + (lost >> place) + (2*N+9)'(257);
        end else begin
          largest = largest + (largest >> place) + (largest >> 2 * place);
          lost    = lost + (lost >> place) + (lost >> 2 * place) + (2*N+9)'(514);
        end
        place = place * (P != 0 ? 2 : 3);
      end
      lost = lost + ((largest << 8) >> place) + (2*N+9)'(1);
      if (lost <= (2*N+9)'(256) << behind) fewest = levels == 0 ? c : behind;
    end
  endfunction

  localparam int Levels = IsProth ? fewest(0) : 1;
  localparam int Behind = IsProth ? fewest(Levels) : 1;

  localparam int Rows    = N > A - 1 && N > 2 * (B - 1) ? (N + A - 2) / (A - 1) : 1;
  localparam int Chain   = N > A - 1 && N <= 2 * (B - 1) ? 4 : (N + B - 2) / (B - 1);
  localparam int Adding  = P != 0 ? (2 * N + S - 1) / S : 1;  // cycles of a level of the tree behind the chains
  localparam int Product = Chain + 1 + R + (Rows == 3 && P == 0 ? 1 : Rows > 1 ? $clog2(Rows) * Adding : 0);

  // Cycles of an addition.
  function automatic int steps(input int bits);
    steps = P != 0 ? (bits + S - 1) / S : 1;
  endfunction

  // Cycles of the folds of mm_small_fixed_tables.
  function automatic int folds(input int most);
    logic [2*N+8:0] bound;
    int             bits, count, cycles;
    count  = 0;
    cycles = 0;
    bound  = Square;
    for (int i = 0; i < most; i++) begin
      if (bound >> (N - 1 + D) != '0) begin
        bits = 0;
        for (int b = 0; b < 2 * N; b++) if (bound[b]) bits = b + 1;
        bound = ((2*N+9)'(1) << (bits - D)) + (2*N+9)'(M) - (2*N+9)'(2);
        bits  = 0;
        for (int b = 0; b < 2 * N; b++) if (bound[b]) bits = b + 1;
        count  = count + 1;
        cycles = cycles + (bits + S - 1) / S;
      end
    end
    folds = P != 0 ? cycles : (count + 1) / 2;
  endfunction

  localparam int Last   = steps(N + 1) + steps(N);
  localparam int Proth  = P != 0 ? Levels * steps(N + Behind) + steps(G + 1) + 2 + steps(G) + Last
                                 : (Levels > 1 ? Levels - 1 : 1) + 2;
  localparam int Tables = IsTables && N <= MostTables ? folds(2 * N) + Last : 2;
  localparam int Reduce = IsOnes ? Last + P : IsProth ? Proth : IsDigits ? 3 : Tables;

  // ---- context and operands

  localparam int Depth = Product + Reduce;

  logic [N-1:0] z;
  logic         en, load, legal_q;

  always_ff @(posedge clk_i) if (load) legal_q <= ctx_data_i == M;

  if (Queue == 1) begin : gen_queue
    assign en = 1'b1;

    mm_small_queue #(
      .Width(N), .Depth(Depth)
    ) u_control (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i, .z_o,
      .ctx_legal_i(legal_q), .z_i(z), .ctx_load_o(load)
    );
  end else begin : gen_stall
    assign z_o = z;

    mm_small_control #(
      .Depth(Depth)
    ) u_control (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
      .ctx_legal_i(legal_q), .ctx_load_o(load), .en_o(en)
    );
  end

  // ---- step 1

  logic [2*N-1:0] t;

  mm_small_product #(
    .Bits(N), .TileA(A), .TileB(B), .Carry(S), .Deep(R)
  ) u_product (
    .clk_i, .en_i(en), .a_i(x_i), .b_i(y_i), .p_o(t)
  );

  // ---- the rest

  if (IsOnes) begin : gen_ones
    mm_small_fixed_ones #(
      .Width(N), .Carry(S), .Deep(P)
    ) u_reduce (
      .clk_i, .en_i(en), .t_i(t), .z_o(z)
    );
  end else if (IsProth && P != 0) begin : gen_deep
    mm_small_fixed_deep #(
      .Width(N), .G(G), .Levels(Levels), .Behind(Behind), .Carry(S)
    ) u_reduce (
      .clk_i, .en_i(en), .t_i(t), .z_o(z)
    );
  end else if (IsProth) begin : gen_proth
    mm_small_fixed_proth #(
      .Width(N), .G(G), .Levels(Levels), .Behind(Behind)
    ) u_reduce (
      .clk_i, .en_i(en), .t_i(t), .z_o(z)
    );
  end else if (IsDigits) begin : gen_digits
    mm_small_fixed_digits #(
      .Width(N), .K(int'(K)), .CBits(length(Square >> Place))
    ) u_reduce (
      .clk_i, .en_i(en), .t_i(t), .z_o(z)
    );
  end else begin : gen_tables
    mm_small_fixed_tables #(
      .Width(N), .Digit(D), .Carry(S), .Deep(P), .Modulus(M)
    ) u_reduce (
      .clk_i, .en_i(en), .t_i(t), .z_o(z)
    );
  end

endmodule

`default_nettype wire
