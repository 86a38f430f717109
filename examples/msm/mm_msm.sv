// SPDX-License-Identifier: Apache-2.0
//
// mm_msm: the bucket loop of a multi-scalar multiplication, the sum of k_i * P_i: an addition of points a clock cycle.
// The digits of a scalar have up to WindowBits bits, all as many or some one less, so that each has about as many
// buckets; those of all W windows lie side by side in a memory, 2^(C-1) of each, for C bits of the longest.
//
// Steps
//    1  every bucket is the neutral element: after reset a bucket a cycle, later as they leave in step 5
//    2  k = the sum of d_j * 2^(s_j) for j = 0 ... W - 1, W = ceil((ScalarBits + 1) / WindowBits), s_j the bits of
//       the digits below; of c bits, -2^(c-1) < d_j <= 2^(c-1)
//    3  bucket |d_j| - 1 of window j gets P or, for d_j < 0, -P; nothing for d_j = 0; a digit a cycle
//    4  an addition to a bucket that still waits for the result of another goes to a queue; its oldest one is begun in
//       a cycle in which no other can be, when its bucket is there
//    5  after the last point, and all additions: the buckets leave, that of |d| = 1 and window 0 first
//
// A digit waits only if its bucket is not there and the queue is full, and then until the oldest one of the queue has
// begun. That happens at most as many cycles later as an addition takes, so all end. Buckets get their points in any
// order.
//
// Points, buckets and additions are those of mm_msm_edwards, or with Edwards = 0 those of mm_msm_weierstrass. Points
// are taken and buckets given by valid and ready, by the rules of docs/contract.md; last_i comes with the last point.
//
// Legal: 0 <= scalar < 2^ScalarBits; with Edwards = 0 no point is the neutral element.
//
`default_nettype none

module mm_msm #(
  parameter int Edwards    = 1,
  parameter int WindowBits = 4,    // of a digit, at most
  parameter int ScalarBits = 12,
  parameter int LogQueue   = 5,    // the queue of step 4 has 2^LogQueue places
  parameter int Width      = 10,
  parameter int TileA      = 25,
  parameter int TileB      = 18,
  parameter int Leaf       = 104,
  parameter int Carry      = 144,
  parameter int Terms      = 3,
  parameter int Shift      = 3,    // with Edwards = 0: 3 b = 2^Shift + 1
  parameter     Modulus    = 577,
  parameter int MulCycles  = 3,
  parameter int TopCycles  = 3,
  parameter int LowCycles  = 3,
  parameter int Guard      = 4,
  // Derived, not to be set.
  parameter int PointBits  = (Edwards != 0 ? 3 : 2) * Width,
  parameter int BucketBits = (Edwards != 0 ? 4 : 3) * Width
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  input  wire                   in_valid_i,
  output logic                  in_ready_o,
  input  wire                   last_i,
  input  wire  [ScalarBits-1:0] scalar_i,
  input  wire  [PointBits-1:0]  point_i,
  output logic                  out_valid_o,
  input  wire                   out_ready_i,
  output logic [BucketBits-1:0] bucket_o
);

  if (WindowBits < 2 || WindowBits > 16) begin : gen_illegal_window
    illegal_parameter_WindowBits_must_be_2_to_16 u_illegal ();
  end
  if (ScalarBits < WindowBits) begin : gen_illegal_scalar
    illegal_parameter_ScalarBits_must_be_at_least_WindowBits u_illegal ();
  end
  if (LogQueue < 1 || LogQueue > 10) begin : gen_illegal_queue
    illegal_parameter_LogQueue_must_be_1_to_10 u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int B = WindowBits >= 2 && WindowBits <= 16 ? WindowBits : 2;
  localparam int K = ScalarBits >= B ? ScalarBits : B;
  localparam int Q = LogQueue >= 1 && LogQueue <= 10 ? LogQueue : 1;
  localparam int N = Width;

  localparam int Windows   = (K + B) / B;                      // 2 at least
  localparam int C         = (K + Windows) / Windows;          // bits of the first digits
  localparam int First     = Windows - (C * Windows - K - 1);  // digits of C bits; the others have C - 1
  localparam int WindowNo  = $clog2(Windows);                  // bits
  localparam int Each      = 1 << (C - 1);
  localparam int Depth     = Windows * Each;
  localparam int PlaceBits = WindowNo + C - 1;

  // Cycles of an addition of points, and those in which its bucket is not there: reading and writing it as well.
  localparam int Negate  = (N + Carry - 1) / Carry;
  localparam int Add     = (N + Carry) / Carry + Negate;
  localparam int TimesB  = (N + Shift + Carry) / Carry + 1 + Add;
  localparam int Product = MulCycles + TopCycles + LowCycles + Add;
  localparam int Latency = Edwards != 0 ? 2 * (Add + Product) + 1 : Negate + 3 * Add + TimesB + 2 * Product;
  localparam int Flight  = Latency + 1;

  localparam logic [BucketBits-1:0] Neutral = Edwards != 0
    ? BucketBits'(1) << N | BucketBits'(1) << (2 * N) : BucketBits'(1) << N;

  typedef enum logic [1:0] {CLEAR, RUN, UNLOAD} state_e;

  state_e             state_q;
  logic [PlaceBits:0] count_q;  // buckets made neutral in step 1, read in step 5
  logic               run, done;

  assign run = state_q == RUN;

  // ---- step 2: a point, and its digits one by one

  logic                  held_q, ended_q, carry_q, accept, step, last_window, move, wide, negative, none;
  logic [WindowNo-1:0]   window_q;
  logic [K:0]            scalar_q;
  logic [PointBits-1:0]  point_q;
  logic [C-1:0]          low;
  logic [C:0]            half, digit, size, less_one;
  logic [PlaceBits-1:0]  place;

  assign wide        = {1'b0, window_q} < (WindowNo+1)'(First);
  assign low         = scalar_q[C-1:0] & (wide ? {C{1'b1}} : {C{1'b1}} >> 1);
  assign half        = wide ? (C+1)'(Each) : (C+1)'(Each / 2);
  assign digit       = {1'b0, low} + (C+1)'(carry_q);
  assign negative    = digit > half;
  assign size        = negative ? half + half - digit : digit;
  assign none        = size == '0;
  assign less_one    = size - 1'b1;
  assign place       = {window_q, less_one[C-2:0]};
  assign step        = held_q & move;
  assign last_window = window_q == WindowNo'(Windows - 1);
  assign in_ready_o  = run & ~ended_q & (~held_q | (step & last_window));
  assign accept      = in_valid_i & in_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q   <= 1'b0;
      ended_q  <= 1'b0;
      carry_q  <= 1'b0;
      window_q <= '0;
    end else begin
      if (accept) begin
        held_q   <= 1'b1;
        ended_q  <= last_i;
        carry_q  <= 1'b0;
        window_q <= '0;
      end else if (step) begin
        held_q   <= ~last_window;
        carry_q  <= negative;
        window_q <= window_q + 1'b1;
      end
      if (state_q == UNLOAD) ended_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      scalar_q <= {1'b0, scalar_i};
      point_q  <= point_i;
    end else if (step) begin
      scalar_q <= wide ? scalar_q >> C : scalar_q >> (C - 1);
    end
  end

  // ---- step 3: an addition that is to be begun, and the buckets that are not there

  localparam int Entry = PointBits + PlaceBits + 1;

  logic [Flight*PlaceBits-1:0] places_q;  // of the additions of the last cycles
  logic [Flight-1:0]           there_q, same_offer, same_head;
  logic                        offer_q, offer_free, head_free, issue, push, pop, gone, some, full;
  logic [Entry-1:0]            offered_q, head, begun, begun_q;
  logic [PlaceBits-1:0]        offer_place, head_place, begun_place;

  assign offer_place = offered_q[PlaceBits-1:0];
  assign head_place  = head[PlaceBits-1:0];
  assign begun_place = begun[PlaceBits-1:0];

  for (genvar i = 0; i < Flight; i++) begin : gen_same
    assign same_offer[i] = there_q[i] & places_q[i*PlaceBits+:PlaceBits] == offer_place;
    assign same_head[i]  = there_q[i] & places_q[i*PlaceBits+:PlaceBits] == head_place;
  end

  assign offer_free = offer_q & ~(|same_offer);
  assign head_free  = some & ~(|same_head);
  assign issue      = offer_free | head_free;
  assign pop        = head_free & ~offer_free;
  assign push       = offer_q & ~offer_free & ~full;
  assign gone       = offer_free | push;
  assign move       = ~offer_q | gone;
  assign begun      = offer_free ? offered_q : head;

  // ---- step 4

  logic [Q:0] write_q, read_q;

  assign some = write_q != read_q;
  assign full = write_q == {~read_q[Q], read_q[Q-1:0]};

  mm_word_ram #(
    .Word(Entry), .Depth(1 << Q)
  ) u_queue (
    .clk_i, .write_i(push), .write_addr_i(write_q[Q-1:0]), .word_i(offered_q), .read_addr_i(read_q[Q-1:0]),
    .word_o(head)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      there_q <= '0;
      write_q <= '0;
      read_q  <= '0;
    end else begin
      if (move) offer_q <= held_q & ~none;
      there_q <= {there_q[Flight-2:0], issue};
      if (push) write_q <= write_q + 1'b1;
      if (pop) read_q <= read_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) offered_q <= {point_q, negative, place};
    places_q <= {places_q[(Flight-1)*PlaceBits-1:0], begun_place};
    begun_q  <= begun;
  end

  // ---- the buckets and their additions

  logic                  left, read, taken, valid_q, wipe, wipe_q, write, subtract, unused_place;
  logic [PlaceBits-1:0]  read_addr, write_addr, wipe_addr_q, back_place;
  logic [PointBits-1:0]  point;
  logic [BucketBits-1:0] bucket, sum, word;

  assign left       = ~(count_q == (PlaceBits+1)'(Depth));
  assign taken      = out_valid_o & out_ready_i;
  assign read       = state_q == UNLOAD & left & (~valid_q | out_ready_i);
  assign back_place = places_q[(Flight-1)*PlaceBits+:PlaceBits];
  assign wipe       = state_q == CLEAR | wipe_q;
  assign write      = wipe | there_q[Flight-1];
  assign read_addr  = run ? begun_place : count_q[PlaceBits-1:0];
  assign write_addr = wipe_q ? wipe_addr_q : run ? back_place : count_q[PlaceBits-1:0];
  assign word       = wipe ? Neutral : sum;

  assign point        = begun_q[Entry-1:PlaceBits+1];
  assign subtract     = begun_q[PlaceBits];
  assign unused_place = ^{begun_q, less_one};

  mm_msm_buckets #(
    .Word(BucketBits), .Depth(Depth)
  ) u_buckets (
    .clk_i, .write_i(write), .write_addr_i(write_addr), .word_i(word),
    .read_i(issue | read), .read_addr_i(read_addr), .word_o(bucket)
  );

  if (Edwards != 0) begin : gen_edwards
    mm_msm_edwards #(
      .Width(N), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Terms(Terms), .Modulus(Modulus),
      .MulCycles(MulCycles), .TopCycles(TopCycles), .LowCycles(LowCycles), .Guard(Guard)
    ) u_add (
      .clk_i, .subtract_i(subtract), .sum_i(bucket), .point_i(point), .sum_o(sum)
    );
  end else begin : gen_weierstrass
    mm_msm_weierstrass #(
      .Width(N), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Terms(Terms), .Shift(Shift),
      .Modulus(Modulus), .MulCycles(MulCycles), .TopCycles(TopCycles), .LowCycles(LowCycles), .Guard(Guard)
    ) u_add (
      .clk_i, .subtract_i(subtract), .sum_i(bucket), .point_i(point), .sum_o(sum)
    );
  end

  // ---- step 5, and what comes when

  assign out_valid_o = valid_q;
  assign bucket_o    = bucket;
  assign done        = run & ended_q & ~held_q & ~offer_q & ~some & ~(|there_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= CLEAR;
      count_q <= '0;
      valid_q <= 1'b0;
      wipe_q  <= 1'b0;
    end else begin
      wipe_q <= read;
      if (read | taken) valid_q <= read;
      if (state_q == CLEAR | read) count_q <= count_q + 1'b1;
      case (state_q)
        CLEAR: begin
          if (count_q == (PlaceBits+1)'(Depth - 1)) begin
            state_q <= RUN;
            count_q <= '0;
          end
        end
        RUN: begin
          if (done) state_q <= UNLOAD;
        end
        default: begin
          if (taken & ~left) begin
            state_q <= RUN;
            count_q <= '0;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) wipe_addr_q <= count_q[PlaceBits-1:0];

endmodule

`default_nettype wire
