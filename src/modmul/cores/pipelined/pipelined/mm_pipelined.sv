// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined: z = x * y mod M, operands and results every clock cycle, by Karatsuba's products, one fold, and
// Barrett's quotient.
//
// Steps (n = Width, c = ceil(n / 2), F = n + floor(n / 2), b = min(n, 4))
//    1  T = x * y                                                T < 2^(2n)
//    2  T' = T mod 2^F + (T >> F) * K, K = 2^F mod M             T' < 3 * 2^c * M
//    3  q = t * U >> (c + 4 + b), t = T' >> (n - b),
//       U = 2^(n + c + 4) / M, rounded down                      T'/M - 2 < q <= T'/M
//    4  r = T' - q * M                                           r < 2M
//    5  z = r or r - M                                           z < M
//
// With Modulus > 0 M is fixed, and mm_pipelined_fixed takes the place of steps 2 to 5: a quotient of all bits, and
// products by constants, in additions alone.
//
// Only the upper half of the product of step 3 is computed, and not quite exactly; of the product of step 4, only the
// lower half (mm_pipelined_half). The other products are full ones, by Karatsuba's method (mm_pipelined_mul).
//
// The pipeline never stalls. Results go through a memory with room for all operations in flight, and operands are only
// taken while there are fewer: so a waiting result does not lower the rate, and no enable goes to all registers.
//
// Legal: M with its top bit set, 2^(Width-1) <= M < 2^Width, of either parity; 0 <= x, y <= M. With Modulus > 0 only M
// = Modulus, which is odd.
// Context: M, 2^F mod M, and U in as many beats as it needs (context in core.py); with Modulus > 0 M alone.
//
`default_nettype none

module mm_pipelined #(
  parameter int Width   = 256,
  parameter int TileA   = 25,
  parameter int TileB   = 18,
  parameter int Leaf    = 104,
  parameter int Carry   = 144,
  parameter int Terms   = 3,
  parameter     Modulus = 0  // 0 for any
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

  localparam bit OfN = Width >= 2 && Modulus[0] && Modulus >> Width - 1 == 1;  // odd, of Width bits

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (TileA < 8 || TileA > 64) begin : gen_illegal_tile_a
    illegal_parameter_TileA_must_be_8_to_64 u_illegal ();
  end
  if (TileB < 8 || TileB > 64) begin : gen_illegal_tile_b
    illegal_parameter_TileB_must_be_8_to_64 u_illegal ();
  end
  if (Leaf < 8) begin : gen_illegal_leaf
    illegal_parameter_Leaf_must_be_at_least_8 u_illegal ();
  end
  if (Carry < 8) begin : gen_illegal_carry
    illegal_parameter_Carry_must_be_at_least_8 u_illegal ();
  end
  if (Terms != 2 && Terms != 3) begin : gen_illegal_terms
    illegal_parameter_Terms_must_be_2_or_3 u_illegal ();
  end
  if (Modulus != 0 && !OfN) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_0_or_odd_and_of_Width_bits u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int A = TileA >= 8 && TileA <= 64 ? TileA : 8;
  localparam int B = TileB >= 8 && TileB <= 64 ? TileB : 8;
  localparam int L = Leaf >= 8 ? Leaf : 8;
  localparam int S = Carry >= 8 ? Carry : 8;
  localparam int F = Terms == 2 ? 2 : 3;

  // ---- sizes

  localparam bit           Fixed = OfN;
  localparam logic [N-1:0] M     = Fixed ? N'(Modulus) : '1;

  localparam int C      = (N + 1) / 2;
  localparam int Behind = N < 4 ? N : 4;          // bits of t behind those of T' / 2^n
  localparam int TBits  = C + 1 + Behind;
  localparam int QBits  = C + 2;
  localparam int Split  = QBits < N ? QBits : N;  // bits of M that are multiplied by all of q
  localparam int RBits  = N + 1;
  localparam int UBits  = C + 5;
  localparam int UBeats = (UBits + N - 1) / N;
  localparam int Beats  = Fixed ? 1 : 2 + UBeats;  // of a context
  localparam int Corner = B / 2;
  localparam int Guard  = 5 + $clog2((UBits + A - 2) / (A - 1) + 1);

  // ---- schedule: the cycles of each step

  // Cycles of an addition.
  function automatic int steps(input int bits);
    steps = (bits + S - 1) / S;
  endfunction

  // Cycles of mm_pipelined_mul.
  function automatic int mul_cycles(input int bits);
    int n, half;
    mul_cycles = 0;
    n          = bits;
    for (int level = 0; level < 24; level++) begin
      if (n + 1 > L) begin
        half       = (n + 1) / 2;
        mul_cycles = mul_cycles + (half + S) / S + 2 * ((2 * half + S) / S) + (2 * n - half + S - 1) / S;
        if (half + 1 > L) mul_cycles = mul_cycles + (half + S - 1) / S;
        n          = half;
      end
    end
    mul_cycles = mul_cycles + (n + A - 2) / (A - 1) + (n + B - 2) / (B - 1) + 1;
  endfunction

  // Fractional bits that the rows of step 3 compute, so that what they leave out is below 3/4 - 1/32; what is cut off
  // after Guard bits is below 1/32.
  function automatic int margin(input int first);
    int dropped, blocks, weight;
    margin = first;
    for (int e = Guard; e > 0; e--) begin
      dropped = 0;
      for (int i = 0; i * (A - 1) < UBits; i++) begin
        weight = QBits - i * (A - 1);
        blocks = weight + e > 0 ? (weight + e + B - 2) / (B - 1) : 0;
        weight = weight - blocks * (B - 1);
        if (blocks * (B - 1) < TBits) dropped = dropped + (weight > -20 ? 1 << (20 + weight) : 1);
      end
      if (dropped <= 23 << 15) margin = e;
    end
  endfunction

  localparam int Margin = margin(Guard);

  // Cycles of mm_pipelined_half, of the upper part or the lower one.
  function automatic int half_cycles(input int bits, input int high);
    int rows, served, ready;
    half_cycles = 0;
    served      = high != 0 ? bits + Margin : bits;
    rows        = ((high != 0 && UBits < served ? UBits : served) + A - 2) / (A - 1);
    for (int i = rows - 1; i >= 0; i--) begin
      ready = (served - i * (A - 1) + B - 2) / (B - 1) + 2;
      if (i == rows - 1) half_cycles = ready;
      else begin
        half_cycles = ready > half_cycles ? ready : half_cycles;
        half_cycles = half_cycles + (bits + high * (Guard + A - 1) - (i + 1) * (A - 1) + S - 1) / S;
      end
    end
  endfunction

  // Rows of mm_pipelined_times for a factor: its odd digits from -7 to 7, those below place Top, and the constant.
  function automatic int count_rows(input logic [N+7:0] factor, input int top);
    logic [N+7:0] left;
    logic         negative;
    count_rows = 1;
    left       = factor;
    for (int place = 0; place < top; place++) begin
      if (left[0]) begin
        negative   = left[3];
        left[3:0]  = 4'b0000;
        count_rows = count_rows + 1;
        if (negative) left = left + (N+8)'(16);
      end
      left = left >> 1;
    end
  endfunction

  // Cycles of mm_pipelined_times.
  function automatic int times_cycles(input int rows, input int a_bits, input int bits);
    int most;
    times_cycles = (a_bits + 3 + S - 1) / S + (bits + S - 1) / S - 1;
    most         = 1;
    for (int i = 0; i < 20; i++) begin
      if (most < rows) begin
        most         = most * F;
        times_cycles = times_cycles + 1;
      end
    end
  endfunction

  localparam logic [2*N+3:0] Inverse  = ((2*N+4)'(1) << (2 * N + 3)) / (2*N+4)'(M);
  localparam int             TopRows  = count_rows((N+8)'(Inverse), N + 5);
  localparam int             LowRows  = count_rows((N+8)'(M), N + 1);
  localparam int             TopGuard = $clog2(TopRows) + 2;
  localparam int             TopTimes = times_cycles(TopRows, N + Behind, N + 1 + TopGuard);
  localparam int             LowTimes = times_cycles(LowRows, N + 1, N + 1);
  localparam int             TimesAll = TopTimes + LowTimes + steps(N + 1) + steps(N);

  localparam int MulCycles   = mul_cycles(N);
  localparam int FoldProduct = mul_cycles(C);
  localparam int FoldCycles  = FoldProduct + steps(N) + steps(N + C + 1);
  localparam int QCycles     = half_cycles(QBits, 1);
  localparam int LowCycles   = mul_cycles(QBits);
  localparam int HighCycles  = N > Split ? half_cycles(RBits - Split, 0) : 0;
  localparam int BothCycles  = LowCycles > HighCycles ? LowCycles : HighCycles;
  localparam int RestCycles  = BothCycles + (N > Split ? steps(RBits - Split) : 0) + steps(RBits);
  localparam int LastCycles  = steps(N + 2) + 1;
  localparam int AnyCycles   = FoldCycles + QCycles + RestCycles + LastCycles;
  localparam int Depth       = MulCycles + (Fixed ? TimesAll : AnyCycles);
  localparam int Slots       = Depth + 3;  // operations in flight

  // ---- context and operands

  logic [Beats*N-1:0] ctx;
  logic               legal, in_load, out_take;

  mm_pipelined_control #(
    .Width(N), .Beats(Beats), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_legal_i(legal), .out_take_i(out_take), .in_load_o(in_load), .ctx_o(ctx)
  );

  // ---- step 1: T = x * y

  logic [2*N-1:0] product;

  mm_pipelined_mul #(
    .Bits(N), .TileA(A), .TileB(B), .Leaf(L), .Carry(S), .Cycles(MulCycles)
  ) u_product (
    .clk_i, .a_i(x_i), .b_i(y_i), .p_o(product)
  );

  logic [N-1:0] m, z;
  logic [N:0]   r;

  if (Fixed) begin : gen_fixed
    assign m     = M;
    assign legal = ctx == M;
    assign r     = '0;

    // ---- in place of steps 2 to 5

    mm_pipelined_fixed #(
      .Width(N), .Carry(S), .Terms(F), .Guard(TopGuard), .TopCycles(TopTimes), .LowCycles(LowTimes), .Modulus(Modulus)
    ) u_fixed (
      .clk_i, .t_i(product), .z_o(z)
    );
  end else begin : gen_any
    logic [N-1:0]     k;
    logic [UBits-1:0] u;
    logic             unused_ctx;

    assign m          = ctx[N-1:0];
    assign k          = ctx[2*N-1:N];
    assign u          = ctx[2*N+UBits-1:2*N];
    assign unused_ctx = ^ctx;
    assign legal      = m[N-1];

    // ---- step 2: T' = T mod 2^F + (T >> F) * K

    logic [N+C:0] sum;

    mm_pipelined_fold #(
      .Width(N), .TileA(A), .TileB(B), .Leaf(L), .Carry(S), .ProductCycles(FoldProduct)
    ) u_fold (
      .clk_i, .t_i(product), .k_i(k), .sum_o(sum)
    );

    // ---- step 3: q = t * U >> (c + 4 + b); T' waits for it

    logic [TBits-1:0] t;
    logic [QBits-1:0] q;
    logic [N:0]       sum_low, sum_late;

    assign t       = sum[N+C:N-Behind];
    assign sum_low = sum[N:0];

    mm_pipelined_half #(
      .ABits(UBits), .BBits(TBits), .PBits(QBits), .High(1), .Margin(Margin), .Guard(Guard),
      .TileA(A), .TileB(B), .Corner(Corner), .Carry(S)
    ) u_quotient (
      .clk_i, .a_i(u), .b_i(t), .p_o(q)
    );

    mm_delay #(
      .Bits(N + 1), .Cycles(QCycles)
    ) u_sum_late (
      .clk_i, .d_i(sum_low), .q_o(sum_late)
    );

    // ---- step 4: r = T' - q * M

    mm_pipelined_remainder #(
      .Width(N), .QBits(QBits), .Split(Split), .TileA(A), .TileB(B), .Leaf(L), .Corner(Corner), .Carry(S),
      .LowCycles(LowCycles), .HighCycles(HighCycles)
    ) u_remainder (
      .clk_i, .t_i(sum_late), .q_i(q), .m_i(m), .r_o(r)
    );
  end

  // ---- step 5: z = r or r - M

  if (!Fixed) begin : gen_final
    mm_pipelined_final #(
      .Width(N), .Carry(S)
    ) u_final (
      .clk_i, .r_i(r), .m_i(m), .z_o(z)
    );
  end else begin : gen_done
    logic unused_r;
    assign unused_r = ^{m, r};
  end

  // ---- results

  mm_pipelined_results #(
    .Width(N), .Depth(Depth), .Slots(Slots)
  ) u_results (
    .clk_i, .rst_ni, .in_load_i(in_load), .z_i(z), .out_valid_o, .out_ready_i, .z_o, .out_take_o(out_take)
  );

endmodule

`default_nettype wire
