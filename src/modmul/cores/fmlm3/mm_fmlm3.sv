// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3: z = x * y / R mod N, R = 2^l - 1, the FFT-based Montgomery multiplier FMLM3 of paper 001
// (Algorithms 2 and 3, Figs. 3 to 8). l = Transform * Digit: numbers are P = Transform = 2^v digits of u = Digit
// bits, transforms are modulo M = 2^Bits + 1, and with M > 2*P*2^(2u) (Algorithm 2) or M > P^2 * 2^(3u) (Algorithm 3).
//
// Steps (Algorithm 2; Algorithm 3 has steps 1 and 5 for 1 to 5)
//    1  T(g) = T(y) T(N')                                         component by component modulo M
//    2  g = CT^-1(T(g))                                           0 <= g_n < M
//    3  z0 = g mod R                                              0 <= z0 <= R
//    4  T(z0) = CT(z0)
//    5  T(z1) = T(x) T(z0)
//    6  z1 = CT^-1(T(z1))
//    7  m = z1 mod R                                              0 <= m <= R, digit 0 at most 2^u
//    8  T'(m) = NCT(m)
//    9  T'(z2) = T'(x) T'(y)
//   10  T'(z3) = T'(m) T'(N)
//   11  T'(z4') = T'(z2) + T'(z3)
//   12  z4' = NCT^-1(T'(z4'))
//   13  z4: digits above the bound of equation 12 are negative
//   14  S = z4 mod Q', Q' = 2^l + 1, as low - top                 0 <= low < 2^l, top = -1, 0, 1
//   15  s = -S/2 mod Q'                                           0 <= s < Q'
//   16  t = s or s + Q', the one with the parity of xy + mN       0 <= t < 2N
//   17  z = t - N if t >= N, else t                               0 <= z < N
// Steps 15 and 16 are one subtraction and one shift: t = (k*Q' - S) / 2 with k = 0 ... 4 from the lowest bits.
//
// Context: N (P digits), then T(N'), times P for Algorithm 3, and T'(N), each P residues of ceil((Bits+1)/u)
// digits. N' = -N^-1 mod R. Legal: 1 <= N < 2^Width with gcd(N, R) = 1, which is not checked (N = 0 is); 0 <= x, y <= N.
//
// Operands can stay in the spectral domain: with square_i, chain_i and keep_i, see mm_fmlm3_control.
//
`default_nettype none

module mm_fmlm3 #(
  parameter int Width       = 256,
  parameter int Transform   = 8,
  parameter int Digit       = 32,
  parameter int Algorithm   = 2,
  parameter int Butterflies = 1
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Digit-1:0] ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Digit-1:0] x_i,
  input  wire  [Digit-1:0] y_i,
  input  wire              square_i,
  input  wire              chain_i,
  input  wire              keep_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Digit-1:0] z_o
);

  localparam logic LegalWidth       = Width >= 2;
  localparam logic LegalAlgorithm   = Algorithm == 2 || Algorithm == 3;
  localparam logic LegalButterflies = Butterflies == 1 || Butterflies == 2 || Butterflies == 4
                                      || Butterflies == 8;
  localparam logic LegalTransform   = Transform >= 4 && Transform <= 1024 && (1 << $clog2(Transform)) == Transform
                                      && LegalButterflies && Transform >= 4 * Butterflies * Butterflies;
  // A carry of a half is shorter than a half.
  localparam int   LogT             = LegalTransform ? $clog2(Transform) : 4;
  localparam int   HalfCarry        = Algorithm == 3 ? 2 * Digit + 2 * LogT + 2 : Digit + LogT + 3;
  localparam logic LegalDigit       = !LegalTransform || !LegalWidth || (Digit >= 2 && Digit <= 1024
                                      && Digit * Transform >= Width && Digit * Transform / 2 >= HalfCarry);
  localparam logic Legal            = LegalWidth && LegalAlgorithm && LegalButterflies && LegalTransform && LegalDigit;

  if (!LegalWidth) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalAlgorithm) begin : gen_illegal_algorithm
    illegal_parameter_Algorithm_must_be_2_or_3 u_illegal ();
  end
  if (!LegalButterflies) begin : gen_illegal_butterflies
    illegal_parameter_Butterflies_must_be_1_2_4_or_8 u_illegal ();
  end
  if (!LegalTransform) begin : gen_illegal_transform
    illegal_parameter_Transform_must_be_a_power_of_two u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_large_enough u_illegal ();
  end

  // Table 1 of the paper. Illegal parameters, which stop elaboration above, are replaced here.
  localparam int U     = Legal ? Digit : 8;
  localparam int P     = Legal ? Transform : 32;
  localparam int N     = Legal ? Butterflies : 2;
  localparam int V     = $clog2(P);
  localparam int LogN  = $clog2(N);
  localparam int Need  = Algorithm == 3 ? 2 * V + 3 * U : V + 2 * U + 1;
  localparam int Root2 = 2 * Need <= P ? 1 : 0;              // c = 1/2
  localparam int C     = (Need + P - 1) / P;                 // c, if not 1/2
  localparam int Bits  = Root2 > 0 ? P / 2 : C * P;          // cP
  localparam int Grain = Root2 > 0 ? 1 : C;
  localparam int Levels = Root2 > 0 ? V - 1 : V;
  localparam int Beats = Legal ? (Width + U - 1) / U : 1;

  // Segments of 2u or 4u bits (Section 5.3).
  localparam int LogSeg   = (N > 1 && 4 * U <= Bits + 2) ? 2 : 1;
  localparam int Seg      = 1 << LogSeg;
  localparam int SegBits  = Seg * U;
  localparam int Segs     = P / Seg;
  localparam int SegIndex = V - LogSeg;                      // bits of a segment's number

  // Memories: 2N banks of digits, which a step reads and writes all at once.
  localparam int Chan  = 2 * N;
  localparam int LogC  = LogN + 1;
  localparam int Row   = V - LogC;                           // bits of a row's number
  localparam int Res   = Bits + 1;                           // bits of a residue

  // Durations (mm_fmlm3_control).
  localparam int Delay     = Root2 > 0 ? 9 : 7;
  localparam int Steps     = P / (2 * N);
  localparam int Overlap   = P / (4 * N) + Delay;
  localparam int Stage     = Steps > Overlap ? Steps : Overlap;
  localparam int Product   = 3 + 4 * (Bits > 20 ? $clog2((Bits + 19) / 20) : 0);
  localparam int Forward   = (V - 1) * Stage + Steps + Delay - 1;
  localparam int Inverse   = (V - 1) * Stage + P / 2 + Delay + 3;
  localparam int Multiply  = P + Product + 7;
  localparam int Beside    = P + Product + 5;
  localparam int Load      = Segs + 4;
  localparam int Reduce    = Segs + 2;
  localparam int Subtract  = Segs + 4;
  localparam int MaxA      = Forward > Inverse ? Forward : Inverse;
  localparam int MaxB      = Multiply > Subtract ? Multiply : Subtract;
  localparam int TimeBits  = $clog2((MaxA > MaxB ? MaxA : MaxB) + 1);

  // ---- handshakes and loading -----------------------------------------------------------------

  localparam int Parts     = (Res + U - 1) / U;              // beats of a residue
  localparam int PartBits  = Parts > 1 ? $clog2(Parts) : 1;
  localparam logic [V-1:0] LastDigit = V'(P - 1);
  localparam logic [V-1:0] LastBeat  = V'(Beats - 1);

  typedef enum logic [2:0] {LOAD, FILL, RUN, FETCH, FIRST, UNLOAD} main_e;

  main_e               main_q;
  logic                ctx_whole_q, ctx_error_q, legal_q, in_part_q;
  logic [V-1:0]        digit_q;        // of N, x and y, or the result
  logic [1:0]          vector_q;       // of the context: 0 for N, then T(N'), T'(N)
  logic [PartBits-1:0] part_q;
  logic                ctx_load, in_load, out_take, start, done, last_part;

  assign ctx_ready_o = (main_q == LOAD) & ~in_part_q;
  assign in_ready_o  = (main_q == LOAD) & ctx_whole_q & legal_q & ~ctx_error_q & (in_part_q | ~ctx_valid_i);
  assign out_valid_o = main_q == UNLOAD;
  assign ctx_error_o = ctx_error_q;
  assign ctx_load    = ctx_valid_i & ctx_ready_o;
  assign in_load     = in_valid_i & in_ready_o;
  assign out_take    = out_valid_o & out_ready_i;
  assign last_part   = part_q == PartBits'(Parts - 1);

  logic square_q, chain_q, keep_q, start_q, start_qq;

  always_ff @(posedge clk_i) begin
    if (in_load && !in_part_q) begin
      square_q <= square_i;
      chain_q  <= chain_i;
      keep_q   <= keep_i;
    end
    if (ctx_load && (vector_q == 2'd0)) legal_q <= (ctx_data_i != '0) | (legal_q & (digit_q != '0));
  end

  // The last segments are written in the two cycles after the last digit.
  assign start = (in_load && digit_q == LastBeat && LastBeat == LastDigit) || (main_q == FILL && digit_q == LastDigit);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      main_q      <= LOAD;
      ctx_whole_q <= 1'b0;
      ctx_error_q <= 1'b0;
      in_part_q   <= 1'b0;
      digit_q     <= '0;
      vector_q    <= '0;
      part_q      <= '0;
      start_q     <= 1'b0;
      start_qq    <= 1'b0;
    end else begin
      start_q  <= start;
      start_qq <= start_q;
      if (ctx_whole_q) ctx_error_q <= ~legal_q;
      case (main_q)
        LOAD: begin
          if (ctx_load) begin
            ctx_whole_q <= 1'b0;
            part_q      <= (vector_q == 2'd0 || last_part) ? '0 : part_q + 1'b1;
            if (vector_q == 2'd0 || last_part) begin
              digit_q <= digit_q + 1'b1;
              if (digit_q == LastDigit) begin
                vector_q    <= (vector_q == 2'd2) ? 2'd0 : vector_q + 2'd1;
                ctx_whole_q <= vector_q == 2'd2;
              end
            end
          end else if (in_load) begin
            digit_q   <= digit_q + 1'b1;
            in_part_q <= digit_q != LastBeat;
            if (digit_q == LastBeat) begin
              if (LastBeat == LastDigit) main_q <= RUN;
              else                       main_q <= FILL;
            end
          end
        end
        FILL: begin
          digit_q <= digit_q + 1'b1;
          if (digit_q == LastDigit) main_q <= RUN;
        end
        RUN:   if (done) main_q <= FETCH;
        FETCH: main_q <= FIRST;
        FIRST: main_q <= UNLOAD;
        default: begin  // UNLOAD
          if (out_take) begin
            digit_q <= (digit_q == LastBeat) ? '0 : digit_q + 1'b1;
            if (digit_q == LastBeat) main_q <= LOAD;
          end
        end
      endcase
    end
  end

  // ---- the control unit -----------------------------------------------------------------------

  logic [TimeBits-1:0] now;
  logic                last_now, load, from_y, result, inject, reduce, m_load, fft, inverse, nega;
  logic                multiply, beside, plain, add, left_addend, subtract;
  logic [2:0]          vector, left, right;
  logic [1:0]          right_context;

  mm_fmlm3_control #(
    .Algorithm(Algorithm), .Load(Load), .Forward(Forward), .Inverse(Inverse), .Multiply(Multiply),
    .Beside(Beside), .Reduce(Reduce), .Subtract(Subtract)
  ) u_control (
    .clk_i, .rst_ni, .start_i(start_qq), .square_i(square_q), .chain_i(chain_q), .keep_i(keep_q), .done_o(done),
    .time_o(now), .last_time_o(last_now),
    .load_o(load), .from_y_o(from_y), .result_o(result), .inject_o(inject), .reduce_o(reduce), .m_o(m_load),
    .fft_o(fft), .inverse_o(inverse), .nega_o(nega), .vector_o(vector),
    .multiply_o(multiply), .beside_o(beside), .plain_o(plain), .add_o(add), .left_o(left), .right_o(right),
    .left_addend_o(left_addend), .right_context_o(right_context), .subtract_o(subtract)
  );

  // ---- pairs of digits become segments: the operands, N, the halves of an inverse transform ----

  logic                final_write, final_q, final_qq;  // digits leave the Final Stage Operators
  logic [U-1:0]        low_digit, high_digit;
  logic                pair;
  logic [U-1:0]        pair_low, pair_high, pair_high_q;
  logic                pair_q;
  logic [LogSeg-1:0]   in_segment_q;
  logic [SegBits-1:0]  low_q, high_q;
  logic [SegIndex-1:0] count_q, segment_q, segment_qq;
  logic                low_full_q, high_full_q, from_final_q, from_final_qq, of_n_q, of_n_qq;
  logic                operand, of_n;

  assign operand   = in_load | (main_q == FILL);
  assign of_n      = ctx_load & (vector_q == 2'd0);
  assign pair      = operand | of_n | final_qq;
  assign pair_low  = final_qq ? low_digit : of_n ? ctx_data_i : x_i & {U{in_load}};
  assign pair_high = final_qq ? high_digit : y_i & {U{in_load}};

  always_ff @(posedge clk_i) begin
    pair_q      <= pair;
    pair_high_q <= pair_high;
    if (pair) low_q <= {pair_low, low_q[SegBits-1:U]};
    if (pair_q) high_q <= {pair_high_q, high_q[SegBits-1:U]};
    segment_q     <= count_q;
    segment_qq    <= segment_q;
    from_final_q  <= final_qq;
    from_final_qq <= from_final_q;
    of_n_q        <= of_n;
    of_n_qq       <= of_n_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_segment_q <= '0;
      count_q      <= '0;
      low_full_q   <= 1'b0;
      high_full_q  <= 1'b0;
      final_q      <= 1'b0;
      final_qq     <= 1'b0;
    end else begin
      low_full_q   <= pair && (in_segment_q == '1);
      high_full_q  <= low_full_q;
      final_q      <= final_write;
      final_qq     <= final_q;
      if (main_q == FETCH || (fft && now == '0)) begin
        in_segment_q <= '0;
        count_q      <= '0;
      end else if (pair) begin
        in_segment_q <= in_segment_q + 1'b1;
        if (in_segment_q == '1) count_q <= count_q + 1'b1;
      end
    end
  end

  // ---- RAM of the time domain: x, y, z and t; and N and t - N ----------------------------------

  logic [SegBits-1:0]  seg_word, n_word, word, sum_word, t_word, less_word;
  logic                seg_write, n_write;
  logic [SegIndex+1:0] seg_waddr, seg_raddr;
  logic [SegIndex:0]   n_waddr, n_raddr;
  logic [SegBits-1:0]  seg_wdata, n_wdata;
  logic                use_n, less_q;                          // z is t - N
  logic [SegIndex-1:0] fetch_q;

  mm_fmlm3_ram #(
    .Bits(SegBits), .Depth(4 * Segs)
  ) u_segments (
    .clk_i, .write_i(seg_write), .waddr_i(seg_waddr), .wdata_i(seg_wdata), .raddr_i(seg_raddr), .rdata_o(seg_word)
  );

  mm_fmlm3_ram #(
    .Bits(SegBits), .Depth(2 * Segs)
  ) u_n (
    .clk_i, .write_i(n_write), .waddr_i(n_waddr), .wdata_i(n_wdata), .raddr_i(n_raddr), .rdata_o(n_word)
  );

  // Regions of the first: 0 x, 1 y, 2 z, 3 t; of the second: 0 N, 1 t - N.
  logic [SegIndex-1:0] now_seg;
  logic                subtracting;
  logic                seg_now, seg_now_q, seg_now_qq;         // a segment is being read, is in the adder
  logic                running;

  assign running = main_q == RUN;
  assign now_seg = SegIndex'(now);
  assign seg_now = (load | subtract) & (now < TimeBits'(Segs));
  assign subtracting = subtract & seg_now;
  assign seg_raddr = !running ? {2'd3, fetch_q} :
                     {(inject | subtract) ? 2'd2 : result ? 2'd3 : {1'b0, from_y}, now_seg};

  logic [SegIndex-1:0] now_seg_q, now_seg_qq, now_seg_3q, now_seg_4q;
  logic                last_seg_q, last_seg_qq, first_q, subtract_q, subtract_qq, subtract_3q, subtract_4q;

  assign n_raddr = !running ? {1'b1, fetch_q} : subtract ? {1'b0, now_seg_qq} : {1'b1, now_seg};
  assign use_n   = running ? result & less_q : less_q;
  assign word    = use_n ? n_word : seg_word;

  always_ff @(posedge clk_i) begin
    seg_now_q   <= seg_now;
    seg_now_qq  <= seg_now_q;
    first_q     <= seg_now & (now_seg == '0);
    last_seg_q  <= seg_now & (now_seg == '1);
    last_seg_qq <= last_seg_q;
    now_seg_q   <= now_seg;
    now_seg_qq  <= now_seg_q;
    now_seg_3q  <= now_seg_qq;
    now_seg_4q  <= now_seg_3q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {subtract_4q, subtract_3q, subtract_qq, subtract_q} <= '0;
    else         {subtract_4q, subtract_3q, subtract_qq, subtract_q} <= {subtract_3q, subtract_qq, subtract_q, subtracting};
  end

  // Steps 3, 7 and 14, and all that goes from this RAM to the transforms: the Ripple Carry Adder.
  localparam int CarryBits = Bits + 2 - U;

  logic [CarryBits-1:0] low_carry, high_carry;
  logic [1:0]           top;
  logic                 middle, load_carries;

  assign load_carries = load & (now == '0);
  assign middle = seg_now_q & (now_seg_q == SegIndex'(Segs / 2 - 1));

  mm_fmlm3_rca #(
    .Bits(SegBits), .CarryBits(CarryBits)
  ) u_rca (
    .clk_i, .load_i(load_carries), .inject_i(inject), .subtract_i(reduce),
    .low_carry_i(low_carry), .high_carry_i(high_carry), .middle_i(middle),
    .segment_i(word), .segment_o(sum_word), .top_o(top)
  );

  // Its digits in the transforms' RAM: the segment's own cycle, then once more digit 0 plus top.
  logic               into_q, into_first_q, again_q;           // sum_word is to be written to it
  logic [SegIndex-1:0] into_segment_q;
  logic [U-1:0]       digit0_q;
  logic [1:0]         lsb_q;                                   // lowest bits of S
  logic               x_lsb_q, y_lsb_q, m_lsb_q, n_lsb_q, zero_q;
  logic [1:0]         top_q;

  always_ff @(posedge clk_i) begin
    into_q         <= load & ~reduce & seg_now_q;
    into_first_q   <= first_q;
    into_segment_q <= now_seg_q;
    again_q        <= load & ~reduce & last_seg_qq;
    if (into_first_q) digit0_q <= sum_word[U-1:0];
    if (into_first_q && load) begin
      if (reduce)        lsb_q   <= sum_word[1:0];
      else if (from_y)   y_lsb_q <= sum_word[0];
      else if (!inject)  x_lsb_q <= sum_word[0];
    end
    if (again_q && m_load) m_lsb_q <= digit0_q[0] ^ top_q[0];
    if (of_n && digit_q == '0) n_lsb_q <= ctx_data_i[0];
    // Bits of S above the lowest are 0.
    if (seg_now_qq) zero_q <= (into_first_q | zero_q) & (into_first_q ? sum_word[SegBits-1:1] == '0 : sum_word == '0);
  end

  // Steps 15 to 17. k and top come to the lowest segment, k also above the highest one.
  logic               s_zero, parity, odd;
  logic [1:0]         s_low;
  logic [2:0]         k_q, first_word;
  logic               match;
  logic [SegBits-1:0] minuend, difference;
  logic               borrow, next_lsb, first_qq, first_3q, next_bit;
  logic               less_borrow, t_top_q;
  logic [2:0]         above;
  logic               unused_lsb, unused_above;

  // S = low - top is 0, its parity and second bit; parity of xy + mN.
  assign s_low  = lsb_q - top_q;
  assign odd    = s_low[0];
  assign s_zero = zero_q & ((lsb_q[0] == 1'b0 && top_q == 2'b00) || (lsb_q[0] == 1'b1 && top_q == 2'b01));
  assign parity = (x_lsb_q & (square_q ? x_lsb_q : y_lsb_q)) ^ (m_lsb_q & n_lsb_q);
  assign match  = parity == s_low[1];
  assign first_word = k_q + {top_q[1], top_q};
  assign minuend = first_q ? SegBits'(first_word) : '0;
  assign above   = k_q - {2'b00, borrow};
  assign next_bit = last_seg_qq ? above[0] : next_lsb;

  mm_fmlm3_subtracter #(
    .Bits(SegBits)
  ) u_double (
    .clk_i, .first_i(first_q), .a_i(minuend), .b_i(seg_word),
    .difference_o(difference), .borrow_o(borrow), .lsb_o(next_lsb)
  );

  mm_fmlm3_half #(
    .Bits(SegBits)
  ) u_half (
    .clk_i, .segment_i(difference), .next_i(next_bit), .segment_o(t_word)
  );

  mm_fmlm3_subtracter #(
    .Bits(SegBits)
  ) u_less (
    .clk_i, .first_i(first_3q), .a_i(t_word), .b_i(n_word),
    .difference_o(less_word), .borrow_o(less_borrow), .lsb_o(unused_lsb)
  );

  assign unused_above = above[2];

  always_ff @(posedge clk_i) begin
    first_qq <= first_q;
    first_3q <= first_qq;
    if (last_seg_qq) t_top_q <= above[1];
    if (load && last_seg_qq) top_q <= top;
    if (subtract && now == '0) k_q <= odd ? (match ? 3'd1 : 3'd3) : !match ? 3'd2 : s_zero ? 3'd0 : 3'd4;
    if (subtract && last_now) less_q <= t_top_q | ~less_borrow;
  end

  assign seg_write = (low_full_q & ~of_n_q) | (high_full_q & ~of_n_qq) | (load & reduce & seg_now_qq) | subtract_3q;
  assign seg_waddr = subtract_3q ? {2'd3, now_seg_3q} :
                     (load & reduce) ? {2'd2, now_seg_qq} :
                     high_full_q ? (from_final_qq ? {2'd2, segment_qq | SegIndex'(Segs / 2)} : {2'd1, segment_qq}) :
                     {from_final_q ? 2'd2 : 2'd0, segment_q};
  assign seg_wdata = subtract_3q ? t_word : (load & reduce) ? sum_word : high_full_q ? high_q : low_q;
  assign n_write   = (low_full_q & of_n_q) | subtract_4q;
  assign n_waddr   = subtract_4q ? {1'b1, now_seg_4q} : {1'b0, segment_q};
  assign n_wdata   = subtract_4q ? less_word : low_q;

  // ---- unloading ------------------------------------------------------------------------------

  logic [SegBits-1:0] out_q;
  logic [LogSeg-1:0]  out_digit;

  assign out_digit = LogSeg'(digit_q);
  assign z_o       = out_q[U-1:0];

  always_ff @(posedge clk_i) begin
    if (main_q == FIRST || (out_take && out_digit == '1)) begin
      out_q   <= word;
      fetch_q <= fetch_q + 1'b1;
    end else begin
      if (out_take) out_q <= out_q >> U;
      if (main_q == RUN || main_q == LOAD) fetch_q <= '0;
    end
  end

  // ---- RAM sets of the transforms and of the operands, the FFT unit ----------------------------

  logic [V-2:0]                    read_step, switch_step, write_step;
  logic [1:0]                      read_region, root;
  logic [(Levels+1)*N-1:0]         e1;
  logic [Levels:0]                 e0;
  logic                            fft_plain, fft_write, fft_last, fft_odd;
  logic [Chan*Res-1:0]             from_ram, to_ram, from_operands, w;
  logic [LogC-1:0]                 read_select, write_select;
  logic                            ext, from_ext_q, c, to_transform;
  logic [Res-1:0]                  product_w;
  logic                            product_c;

  mm_fmlm3_stages #(
    .LogP(V), .LogN(LogN), .Root2(Root2), .Delay(Delay)
  ) u_stages (
    .clk_i, .rst_ni, .run_i(fft), .restart_i(last_now), .inverse_i(inverse), .nega_i(nega),
    .read_region_o(read_region), .read_step_o(read_step), .switch_step_o(switch_step),
    .e1_o(e1), .e0_o(e0), .root_o(root), .plain_o(fft_plain),
    .write_o(fft_write), .write_last_o(fft_last), .write_odd_o(fft_odd), .write_step_o(write_step)
  );

  // Digits Seg*k + j of a segment go to the bit-reversed places, the top bits of which are those of j.
  logic            into_now, again_now, product_now;           // the butterflies' last adder is needed
  logic            product_ext_q, into_qq, again_qq;
  logic [V-1:0]    into_place_q;                               // the place of the segment's digit 0
  logic [LogC-1:0] into_low;

  // Digit i is in bank i mod 2N XOR its top bits, row floor(i / 2N).
  logic [Row-1:0]  read_row, switch_row, write_row, half_row;
  logic            unused_row;

  assign read_row   = Row'(read_step >> LogN);
  assign unused_row = ^{switch_row, write_row};
  assign switch_row = Row'(switch_step >> LogN);
  assign write_row  = Row'(write_step >> LogN);
  assign half_row   = Row'({1'b0, write_step} >> LogC);

  if (LogN > 0) begin : gen_lanes
    assign read_select  = switch_row[Row-1-:LogC] ^ {switch_step[LogN-1:0], 1'b0};
    assign write_select = into_qq ? into_low : to_transform ? {write_row[0], write_row[Row-1-:LogN]} : '0;
  end else begin : gen_one_lane
    assign read_select  = switch_row[Row-1-:LogC];
    assign write_select = into_qq ? into_low : to_transform ? write_row[0] : 1'b0;
  end

  always_ff @(posedge clk_i) begin
    into_qq  <= into_q;
    again_qq <= again_q;
  end

  for (genvar b = 0; b < V; b++) begin : gen_place
    if (b < SegIndex) begin : gen_low
      always_ff @(posedge clk_i) into_place_q[b] <= into_q & into_segment_q[SegIndex-1-b];
    end else begin : gen_top
      always_ff @(posedge clk_i) into_place_q[b] <= 1'b0;
    end
  end

  assign into_low = into_place_q[LogC-1:0];

  // Products go to bit-reversed places too, one a cycle.
  logic             product_q;                                 // one is to be written now
  logic [V-1:0]     product_place;
  logic [LogC-1:0]  product_bank;

  // What is written, and where.
  assign ext = into_now | again_now | product_now;
  assign to_transform = fft_write;
  assign c = from_ext_q ? (product_ext_q ? product_c : again_q & top_q[0]) : fft_plain;

  assign into_now  = load & ~reduce & seg_now_q;
  assign again_now = load & ~reduce & last_seg_qq;

  always_ff @(posedge clk_i) begin
    from_ext_q    <= ext;
    product_ext_q <= product_now;
  end

  // Operands of products in the order of rows, and of banks in a row. The right one is read a cycle after the
  // left one, so that they never come from one bank at a time.
  logic [V-1:0] left_index, right_index_q;

  for (genvar b = 0; b < Chan; b++) begin : gen_bank
    localparam logic [LogC-1:0] Bank = LogC'(b);
    localparam int Number = (LogSeg == 2 && LogC > 1) ? 2 * ((b >> (LogC - 2)) & 1) + (b >> (LogC - 1)) : b >> (LogC - 1);

    logic             fft_write_b, operand_write;
    logic [LogC-1:0]  channel;
    logic [Row-1:0]   row, into_row;
    logic [1:0]       region;
    logic [U-1:0]     digit;
    logic             into_bank;

    // The channel that goes to this bank; of a segment, channel c is digit Number(c).
    assign channel   = Bank ^ write_select;
    assign digit     = (b == 0 && again_q) ? digit0_q : sum_word[Number*U+:U];
    assign w[b*Res+:Res] = product_ext_q ? product_w : Res'(digit);
    assign into_row  = into_place_q[V-1:LogC] | (Row'(channel) << (Row - LogC));

    if (LogC > LogSeg) begin : gen_some
      assign into_bank = channel[LogC-LogSeg-1:0] == into_place_q[V-LogSeg-1-:LogC-LogSeg];
    end else begin : gen_all
      assign into_bank = 1'b1;
    end

    assign fft_write_b = (fft_write & ~fft_last) | (into_qq & into_bank) | (again_qq & b == 0)
                         | (product_q & product_bank == Bank);
    assign row = fft_write ? half_row | (Row'(channel[LogC-1]) << (Row - 1)) :
                 product_q ? product_place[V-1:LogC] : into_qq ? into_row : '0;
    assign region = fft_write ? {fft_odd, ~fft_odd} : 2'd0;

    mm_fmlm3_ram #(
      .Bits(Res), .Depth(4 << Row)
    ) u_digits (
      .clk_i, .write_i(fft_write_b), .waddr_i({region, row}), .wdata_i(to_ram[b*Res+:Res]),
      .raddr_i({read_region, read_row}), .rdata_o(from_ram[b*Res+:Res])
    );

    // T(x), T'(x), T(y), T'(y), T(z0), T'(m).
    assign operand_write = fft_write & fft_last & ~inverse;

    logic [Row+2:0] operand_raddr;

    assign operand_raddr = (left_index[LogC-1:0] == Bank) ? {left, left_index[V-1:LogC]}
                                                          : {right, right_index_q[V-1:LogC]};

    mm_fmlm3_ram #(
      .Bits(Res), .Depth(8 << Row)
    ) u_operands (
      .clk_i, .write_i(operand_write), .waddr_i({vector, row}), .wdata_i(to_ram[b*Res+:Res]),
      .raddr_i(operand_raddr), .rdata_o(from_operands[b*Res+:Res])
    );
  end

  assign final_write = fft_write & fft_last & inverse;

  mm_fmlm3_fft #(
    .Bits(Bits), .Grain(Grain), .Levels(Levels), .LogP(V), .LogN(LogN), .Root2(Root2), .Digit(U)
  ) u_fft (
    .clk_i, .data_i(from_ram), .select_i(read_select), .e1_i(e1), .e0_i(e0), .root_i(root),
    .ext_i(ext), .from_ext_i(from_ext_q), .w_i(w), .c_i(c), .write_select_i(write_select), .data_o(to_ram),
    .final_i(final_write), .nega_i(nega), .final_step_i(write_step),
    .low_digit_o(low_digit), .high_digit_o(high_digit), .low_carry_o(low_carry), .high_carry_o(high_carry)
  );

  // ---- component-wise multiplication ----------------------------------------------------------

  logic [V-1:0]       context_index;
  logic [LogC-1:0]    third_index_q;
  logic               multiply_now;
  logic [Res-1:0]     left_word, right_word, left_q, context_word, addend_word, left_operand, right_operand, residue;
  logic [LogC-1:0]    left_bank, right_bank;

  assign multiply_now = (multiply | beside) & (now < TimeBits'(P));
  assign left_index   = V'(now);
  assign left_bank    = right_index_q[LogC-1:0];
  assign right_bank   = third_index_q;
  assign left_word    = from_operands[left_bank*Res+:Res];
  assign right_word   = from_operands[right_bank*Res+:Res];

  always_ff @(posedge clk_i) begin
    right_index_q <= left_index;
    third_index_q <= left_bank;
    left_q        <= left_word;
  end

  // Digit number of an index.
  assign context_index = right_index_q ^ V'(right_index_q[V-1-:LogC]);

  // The context: T(N') and T'(N), from beats of a digit.
  logic [Parts*U-1:0] beats_q;
  logic               context_write_q;
  logic [V:0]         context_waddr_q;
  logic               unused_beats;

  assign unused_beats = ^beats_q;

  always_ff @(posedge clk_i) begin
    if (ctx_load) beats_q <= Parts > 1 ? {ctx_data_i, beats_q[Parts*U-1:U]} : (Parts*U)'(ctx_data_i);
    context_waddr_q <= {vector_q[1], digit_q};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) context_write_q <= 1'b0;
    else         context_write_q <= ctx_load & last_part & (vector_q != 2'd0);
  end

  mm_fmlm3_ram #(
    .Bits(Res), .Depth(2 * P)
  ) u_context (
    .clk_i, .write_i(context_write_q), .waddr_i(context_waddr_q), .wdata_i(beats_q[Res-1:0]),
    .raddr_i({right_context[0], context_index}), .rdata_o(context_word)
  );

  assign left_operand  = left_addend ? addend_word : left_q;
  assign right_operand = right_context[1] ? context_word : right_word;

  // The product of index i is the residue of cycle i + 5 + Product, and leaves as w two cycles later.
  localparam int Until = Product + 3;
  logic [Until:1]          busy_q;
  logic                    adding_now, store_q, storing_q, idle_q;
  logic [V-1:0]            index_q, index_qq, index_3q, index_4q, index_5q;
  logic [Res-1:0]          addend_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= '0;
    else         busy_q <= {busy_q[Until-1:1], multiply_now};
  end

  assign adding_now  = busy_q[Until];                          // index_q: its addend is read
  assign product_now = storing_q & multiply;                   // w comes in the next cycle

  always_ff @(posedge clk_i) begin
    index_q   <= (adding_now && !last_now) ? index_q + 1'b1 : '0;
    index_qq  <= index_q;
    index_3q  <= index_qq;
    index_4q  <= index_3q;
    index_5q  <= index_4q;
    addend_q  <= add ? addend_word : '1;                       // -1 stands for 0
    store_q   <= adding_now;
    idle_q    <= ~(multiply | beside);
    storing_q <= store_q;                                      // its residue is there
    product_q   <= product_ext_q;
  end

  mm_fmlm3_multiply_adder #(
    .Bits(Bits), .Scale(V)
  ) u_multiply_adder (
    .clk_i, .idle_i(idle_q), .a_i(left_operand), .b_i(right_operand), .plain_i(plain), .addend_i(addend_q),
    .residue_o(residue), .w_o(product_w), .c_o(product_c)
  );

  mm_fmlm3_ram #(
    .Bits(Res), .Depth(P)
  ) u_addends (
    .clk_i, .write_i(storing_q & beside), .waddr_i(index_3q), .wdata_i(residue),
    .raddr_i(left_addend ? right_index_q : index_q), .rdata_o(addend_word)
  );

  logic [V-1:0] product_index;

  assign product_index = index_5q ^ V'(index_5q[V-1-:LogC]);

  for (genvar b = 0; b < V; b++) begin : gen_product_place
    assign product_place[b] = product_index[V-1-b];
  end

  assign product_bank = product_place[LogC-1:0] ^ product_place[V-1-:LogC];

endmodule

`default_nettype wire
