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
// With Modulus > 0, M = 2^n - Less is fixed, and mm_pipelined_sparse takes the place of steps 2 to 5.
//
// Of the product of step 3 only the upper half is computed, and not quite exactly; of that of step 4 only the lower
// half (mm_pipelined_half). The others are Karatsuba's (mm_pipelined_mul).
//
// The pipeline never stalls. Results go through a memory with room for all operations in flight, and operands are only
// taken while fewer are: so a result that waits costs no rate, and no enable goes to all registers.
//
// Legal: M with its top bit set, 2^(Width-1) <= M < 2^Width, of either parity; 0 <= x, y <= M. With Modulus > 0 only
// M = Modulus, odd, and 3 * Less <= 2^Width: a fold with T >> n = 1 leaves less than 2^n + Less, to be at most
// 2M; and at most 64 folds. Every power of 2 in Less is an addition in each of them.
// Context: M, 2^F mod M, and U in as many beats as it needs (context in core.py); with Modulus > 0 M alone.
//
`default_nettype none

module mm_pipelined #(
  parameter int Width   = 256,
  parameter int TileA   = 25,
  parameter int TileB   = 18,
  parameter int Leaf    = 104,
  parameter int Carry   = 144,
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

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int A = TileA >= 8 && TileA <= 64 ? TileA : 8;
  localparam int B = TileB >= 8 && TileB <= 64 ? TileB : 8;
  localparam int L = Leaf >= 8 ? Leaf : 8;
  localparam int S = Carry >= 8 ? Carry : 8;

  // Folds of mm_pipelined_sparse until T < 2M, up to 65.
  function automatic int count_folds(input logic [2*N:0] start, input logic [2*N:0] factor);
    logic [2*N:0] largest, low;
    largest     = start;
    low         = (2*N+1)'({N{1'b1}});
    count_folds = 0;
    for (int i = 0; i < 65; i++) begin
      if (largest >= low + low + 2 - factor - factor) begin
        largest     = low + (largest >> N) * factor;
        count_folds = count_folds + 1;
      end
    end
  endfunction

  localparam bit           OfN   = Modulus[0] && Modulus >> N - 1 == 1;  // odd, of N bits
  localparam logic [N-1:0] Given = N'(0) - N'(Modulus);
  localparam bit           Third = OfN && (2*N+1)'(Given) * 3 <= (2*N+1)'(1) << N;
  localparam bit           Fixed = Third && count_folds({1'b0, {(2 * N) {1'b1}}}, (2*N+1)'(Given)) <= 64;
  localparam logic [N-1:0] Less  = Fixed ? Given : N'(1);
  localparam logic [N-1:0] M     = N'(0) - Less;

  if (Modulus != 0 && !OfN) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_0_or_odd_and_of_Width_bits u_illegal ();
  end
  if (OfN && !Fixed) begin : gen_illegal_less
    illegal_parameter_Modulus_must_be_2_to_the_Width_less_at_most_a_third_and_reduced_in_64_folds u_illegal ();
  end

  localparam int C      = (N + 1) / 2;
  localparam int F      = N + N / 2;
  localparam int Behind = N < 4 ? N : 4;          // bits of t behind those of T' / 2^n
  localparam int TBits  = C + 1 + Behind;
  localparam int QBits  = C + 2;
  localparam int Split  = QBits < N ? QBits : N;  // bits of M that are multiplied by all of q
  localparam int RBits  = N + 1;
  localparam int UBits  = C + 5;
  localparam int Corner = B / 2;
  localparam int Guard  = 5 + $clog2((UBits + A - 2) / (A - 1) + 1);

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

  // Bits behind the point to which the rows of step 3 are served, so that what they leave out is below 3/4 - 1/32; what
  // is cut off behind Guard bits is below 1/32.
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

  // Cycles of mm_pipelined_half.
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

  // Cycles of mm_pipelined_sparse.
  function automatic int sparse_cycles(input int ends);
    logic [2*N:0] largest, low, factor, rest;
    int           bits;
    largest       = {1'b0, {(2 * N) {1'b1}}};
    factor        = (2*N+1)'(Less);
    low           = (2*N+1)'({N{1'b1}});
    sparse_cycles = ends;
    for (int i = 0; i < 64; i++) begin
      if (largest >= low + low + 2 - factor - factor) begin
        largest = low + (largest >> N) * factor;
        bits    = N;
        for (int b = N; b <= 2 * N; b++) if (largest[b]) bits = b + 1;
        rest = factor;
        for (int b = 0; b <= N; b++) begin
          if (rest[0]) begin
            sparse_cycles = sparse_cycles + (bits - b + S - 1) / S;
            rest          = rest[1] ? rest + 1 : rest - 1;
          end
          rest = rest >> 1;
        end
      end
    end
  endfunction

  localparam int FoldCycles  = mul_cycles(C);
  localparam int LowerCycles = mul_cycles(QBits);
  localparam int UpperCycles = N > Split ? half_cycles(RBits - Split, 0) : 0;
  localparam int BothCycles  = LowerCycles > UpperCycles ? LowerCycles : UpperCycles;
  localparam int JoinSteps   = steps(N);
  localparam int SumSteps    = steps(N + C + 1);
  localparam int ProdSteps   = N > Split ? steps(RBits - Split) : 0;
  localparam int LessSteps   = steps(RBits);
  localparam int LastSteps   = steps(N + 2);
  localparam int FirstCycles = mul_cycles(N) + FoldCycles + JoinSteps + SumSteps;
  localparam int QCycles     = half_cycles(QBits, 1);
  localparam int AnyCycles   = FirstCycles + QCycles + BothCycles + ProdSteps + LessSteps + LastSteps + 1;
  localparam int Depth       = Fixed ? mul_cycles(N) + sparse_cycles(LastSteps + 1) : AnyCycles;

  // ---- context and operands

  localparam int UBeats    = (UBits + N - 1) / N;
  localparam int CtxBeats  = Fixed ? 1 : 2 + UBeats;
  localparam int BeatBits  = CtxBeats > 1 ? $clog2(CtxBeats) : 1;
  localparam int Slots     = Depth + 3;  // operations in flight
  localparam int SlotBits  = $clog2(Slots + 1);
  localparam int AddrBits  = $clog2(Slots);

  logic [CtxBeats*N-1:0] ctx_q;
  logic [BeatBits-1:0]       beat_q;
  logic [SlotBits-1:0]       slots_q;
  logic                      full_q, empty_q, ctx_last, ctx_load, in_load, unused_part;
  logic                      out_take, out_free;

  logic [N-1:0]              m, z;
  logic                      legal;

  assign m = ctx_q[N-1:0];
  assign ctx_last = beat_q == BeatBits'(CtxBeats - 1);

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(empty_q), .ctx_last_i(ctx_last), .ctx_legal_i(legal),
    .in_free_i(~full_q), .in_last_i(1'b1),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  logic [SlotBits-1:0] slots_next;

  assign out_take   = out_valid_o & out_ready_i;
  assign slots_next = slots_q + SlotBits'(in_load) - SlotBits'(out_take);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q  <= '0;
      slots_q <= '0;
      full_q  <= 1'b0;
      empty_q <= 1'b1;
    end else begin
      if (ctx_load) beat_q <= ctx_last ? '0 : beat_q + 1'b1;
      slots_q <= slots_next;
      full_q  <= slots_next == SlotBits'(Slots);
      empty_q <= slots_next == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ctx_load) ctx_q <= (CtxBeats*N)'({ctx_data_i, ctx_q} >> N);
  end

  // ---- step 1

  logic [2*N-1:0] product;

  mm_pipelined_mul #(
    .Bits(N), .TileA(A), .TileB(B), .Leaf(L), .Carry(S), .Cycles(mul_cycles(N))
  ) u_product (
    .clk_i, .a_i(x_i), .b_i(y_i), .p_o(product)
  );

  if (Fixed) begin : gen_fixed
    assign legal = m == M;

    mm_pipelined_sparse #(
      .Width(N), .Carry(S), .Less(Less)
    ) u_reduce (
      .clk_i, .t_i(product), .z_o(z)
    );
  end else begin : gen_any
    // The constants of the context.
    logic [N-1:0]     k;
    logic [UBits-1:0] u;
    logic             unused_ctx;

    assign k          = ctx_q[2*N-1:N];
    assign u          = ctx_q[2*N+UBits-1:2*N];
    assign unused_ctx = ^ctx_q;

    // ---- step 2

    logic [C-1:0]   high, k_low, k_high;
    logic [F-1:0]   low, low_late;
    logic [2*C-1:0] fold_low, fold_high;
    logic [C-1:0]   fold_lower, fold_lower_late;
    logic [N-1:0]   join_a, join_b, join_sum;
    logic [N+C:0]   low_long, fold, sum;
    logic           unused_fold;

    assign high   = product[2*N-1:F];
    assign low    = product[F-1:0];
    assign k_low  = k[C-1:0];
    assign k_high = C'(k[N-1:C]);

    mm_pipelined_mul #(
      .Bits(C), .TileA(A), .TileB(B), .Leaf(L), .Carry(S), .Cycles(FoldCycles)
    ) u_fold_low (
      .clk_i, .a_i(high), .b_i(k_low), .p_o(fold_low)
    );

    mm_pipelined_mul #(
      .Bits(C), .TileA(A), .TileB(B), .Leaf(L), .Carry(S), .Cycles(FoldCycles)
    ) u_fold_high (
      .clk_i, .a_i(high), .b_i(k_high), .p_o(fold_high)
    );

    assign fold_lower  = fold_low[C-1:0];
    assign join_a      = N'(fold_low[2*C-1:C]);
    assign join_b      = fold_high[N-1:0];
    assign unused_fold = ^fold_high;

    mm_pipelined_add #(
      .Bits(N), .Carry(S)
    ) u_join (
      .clk_i, .subtract_i(1'b0), .a_i(join_a), .b_i(join_b), .sum_o(join_sum)
    );

    mm_delay #(
      .Bits(C), .Cycles(JoinSteps)
    ) u_fold_lower (
      .clk_i, .d_i(fold_lower), .q_o(fold_lower_late)
    );

    mm_delay #(
      .Bits(F), .Cycles(FoldCycles + JoinSteps)
    ) u_low (
      .clk_i, .d_i(low), .q_o(low_late)
    );

    assign fold     = {1'b0, join_sum, fold_lower_late};
    assign low_long = (N+C+1)'(low_late);

    mm_pipelined_add #(
      .Bits(N + C + 1), .Carry(S)
    ) u_sum (
      .clk_i, .subtract_i(1'b0), .a_i(low_long), .b_i(fold), .sum_o(sum)
    );

    // ---- step 3

    logic [TBits-1:0] t;
    logic [QBits-1:0] q;

    assign t = sum[N+C:N-Behind];

    mm_pipelined_half #(
      .ABits(UBits), .BBits(TBits), .PBits(QBits), .High(1), .Margin(Margin), .Guard(Guard),
      .TileA(A), .TileB(B), .Corner(Corner), .Carry(S)
    ) u_quotient (
      .clk_i, .a_i(u), .b_i(t), .p_o(q)
    );

    // ---- step 4

    logic [QBits-1:0]   m_low;
    logic [2*QBits-1:0] lower;
    logic [RBits-1:0]   lower_late, multiple, sum_low, sum_late, r;
    logic               unused_bits;

    assign m_low       = QBits'(m[Split-1:0]);
    assign unused_bits = ^{lower, sum};

    mm_pipelined_mul #(
      .Bits(QBits), .TileA(A), .TileB(B), .Leaf(L), .Carry(S), .Cycles(LowerCycles)
    ) u_lower (
      .clk_i, .a_i(q), .b_i(m_low), .p_o(lower)
    );

    logic [RBits-1:0] lower_part;

    assign lower_part = lower[RBits-1:0];

    mm_delay #(
      .Bits(RBits), .Cycles(BothCycles - LowerCycles)
    ) u_lower_late (
      .clk_i, .d_i(lower_part), .q_o(lower_late)
    );

    if (N > Split) begin : gen_upper
      localparam int Bits = RBits - Split;

      logic [Bits-1:0]  q_low, m_high, upper, upper_late, above, above_sum;
      logic [Split-1:0] below, below_late;

      assign q_low  = q[Bits-1:0];
      assign m_high = Bits'(m[N-1:Split]);
      assign above  = lower_late[RBits-1:Split];
      assign below  = lower_late[Split-1:0];

      mm_pipelined_half #(
        .ABits(Bits), .BBits(Bits), .PBits(Bits), .High(0), .Margin(0), .Guard(0),
        .TileA(A), .TileB(B), .Corner(Corner), .Carry(S)
      ) u_upper (
        .clk_i, .a_i(m_high), .b_i(q_low), .p_o(upper)
      );

      mm_delay #(
        .Bits(Bits), .Cycles(BothCycles - UpperCycles)
      ) u_upper_late (
        .clk_i, .d_i(upper), .q_o(upper_late)
      );

      mm_pipelined_add #(
        .Bits(Bits), .Carry(S)
      ) u_both (
        .clk_i, .subtract_i(1'b0), .a_i(above), .b_i(upper_late), .sum_o(above_sum)
      );

      mm_delay #(
        .Bits(Split), .Cycles(ProdSteps)
      ) u_below (
        .clk_i, .d_i(below), .q_o(below_late)
      );

      assign multiple = {above_sum, below_late};
    end else begin : gen_lower
      assign multiple = lower_late;
    end

    assign sum_low = sum[RBits-1:0];

    mm_delay #(
      .Bits(RBits), .Cycles(QCycles + BothCycles + ProdSteps)
    ) u_sum_low (
      .clk_i, .d_i(sum_low), .q_o(sum_late)
    );

    mm_pipelined_add #(
      .Bits(RBits), .Carry(S)
    ) u_less (
      .clk_i, .subtract_i(1'b1), .a_i(sum_late), .b_i(multiple), .sum_o(r)
    );

    // ---- step 5

    logic [N+1:0] r_long, m_long, last;
    logic [N-1:0] r_short, r_late;

    assign r_long  = {1'b0, r};
    assign m_long  = {2'b00, m};
    assign r_short = r[N-1:0];

    mm_pipelined_add #(
      .Bits(N + 2), .Carry(S)
    ) u_last (
      .clk_i, .subtract_i(1'b1), .a_i(r_long), .b_i(m_long), .sum_o(last)
    );

    mm_delay #(
      .Bits(N), .Cycles(LastSteps)
    ) u_r (
      .clk_i, .d_i(r_short), .q_o(r_late)
    );

    logic unused_last;

    assign unused_last = last[N];

    assign z     = last[N+1] ? r_late : last[N-1:0];
    assign legal = m[N-1];
  end

  logic [N-1:0] z_q;

  always_ff @(posedge clk_i) z_q <= z;

  // ---- results

  logic [Depth-1:0]    there_q;  // bit j: an operation that began j + 1 cycles ago
  logic [AddrBits-1:0] write_q, read_q;
  logic                write, some, read, valid_q;
  logic [N-1:0]    word, z_out_q;

  assign write       = there_q[Depth-1];
  assign some        = write_q != read_q;
  assign out_free    = ~valid_q | out_ready_i;
  assign read        = some & out_free;
  assign out_valid_o = valid_q;
  assign z_o         = z_out_q;

  mm_word_ram #(
    .Word(N), .Depth(1 << AddrBits)
  ) u_results (
    .clk_i, .write_i(write), .write_addr_i(write_q), .word_i(z_q), .read_addr_i(read_q), .word_o(word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q <= '0;
      write_q <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      there_q <= {there_q[Depth-2:0], in_load};
      if (write) write_q <= write_q + 1'b1;
      if (read) read_q <= read_q + 1'b1;
      if (out_free) valid_q <= some;
    end
  end

  always_ff @(posedge clk_i) if (read) z_out_q <= word;

endmodule

`default_nettype wire
