// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3: z = x * y / R mod N, R = 2^l - 1, the FFT-based Montgomery multiplier FMLM3 of Dai et al.
// (Algorithms 2 and 3, Figs. 3 to 8). l = Transform * Digit: numbers are P = Transform = 2^v digits of u = Digit
// bits, transforms are modulo M = 2^Bits + 1, and with M > 2*P*2^(2u) (Algorithm 2) or M > P^2 * 2^(3u) (Algorithm 3).
//
// Steps (line numbers of Algorithm 2, in brackets those of Algorithm 3, in which step 1 gives T(z0))
//    1  (1)  T(g) = T(y) T(N')                                    mm_fmlm3_product, component by component modulo M
//    2       g = CT^-1(T(g))                                      mm_fmlm3_transform; 0 <= g_n < M
//    3       z0 = g mod R                                         mm_fmlm3_segments; 0 <= z0 <= R
//    4       T(z0) = CT(z0)                                       mm_fmlm3_transform
//    5  (2)  T(z1) = T(x) T(z0)                                   mm_fmlm3_product
//    6  (3)  z1 = CT^-1(T(z1))                                    mm_fmlm3_transform; 0 <= z1_n < M
//    7  (4)  m = z1 mod R                                         mm_fmlm3_segments; 0 <= m <= R, digit 0 at most 2^u
//    8  (5)  T'(m) = NCT(m)                                       mm_fmlm3_transform
//    9  (5)  T'(z2) = T'(x) T'(y)                                 mm_fmlm3_product, and so are the next two
//   10  (5)  T'(z3) = T'(m) T'(N)
//   11  (5)  T'(z4') = T'(z2) + T'(z3)
//   12  (5)  z4' = NCT^-1(T'(z4'))                                mm_fmlm3_transform; 0 <= z4'_n < M
//   13  (5)  z4: digits above the bound of equation 12 are negative
//   14  (5)  S = z4 mod Q', Q' = 2^l + 1, as low - top            mm_fmlm3_segments; 0 <= low < 2^l, top = -1, 0, 1
//   15  (5)  s = -S/2 mod Q'                                      mm_fmlm3_result; 0 <= s < Q'
//   16  (5)  t = s or s + Q', the one with the parity of xy + mN  mm_fmlm3_result; 0 <= t < 2N
//   17  (5)  z = t - N if t >= N, else t                          mm_fmlm3_result; 0 <= z < N
//   18  (5)  T(t) = CT(t)                                         mm_fmlm3_transform, with Spectral; 0 <= t < N is z
//   19  (5)  T'(t) = NCT(t)                                       likewise
// This module loads the context and the operands and unloads the result; mm_fmlm3_control says which step runs.
//
// A beat is a digit or, with Spectral = 1, a residue: operands come as the P residues of T followed by the P residues
// of T', and the result leaves in the same way.
//
// Context: N (P digits), then T(N'), times P for Algorithm 3, and T'(N), each P residues of ceil((Bits+1)/Word) beats.
// N' = -N^-1 mod R. Legal: 1 <= N < 2^Width with gcd(N, R) = 1, of which only N = 0 is checked; 0 <= x, y <= N.
//
// Operands can stay in the spectral domain: for square_i, chain_i and keep_i see mm_fmlm3_control.
//
`default_nettype none

module mm_fmlm3 #(
  parameter int Width       = 256,
  parameter int Transform   = 8,
  parameter int Digit       = 32,
  parameter int Algorithm   = 2,
  parameter int Butterflies = 1,
  parameter int Spectral    = 0,
  // Derived: the bits that M needs, cP of M = 2^(cP) + 1, bits of a beat.
  localparam int Needed = (Algorithm == 3 ? 2 : 1) * $clog2(Transform) + (Algorithm == 3 ? 3 * Digit : 2 * Digit + 1),
  localparam int Ring   = 2 * Needed <= Transform ? Transform / 2 :
                          (Needed + Transform - 1) / (Transform > 0 ? Transform : 1) * Transform,
  localparam int Word   = Spectral == 1 ? Ring + 1 : Digit
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Word-1:0]  ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Word-1:0]  x_i,
  input  wire  [Word-1:0]  y_i,
  input  wire              square_i,
  input  wire              chain_i,
  input  wire              keep_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Word-1:0]  z_o
);

  localparam logic LegalWidth       = Width >= 2;
  localparam logic LegalAlgorithm   = Algorithm == 2 || Algorithm == 3;
  localparam logic LegalButterflies = Butterflies == 1 || Butterflies == 2 || Butterflies == 4
                                      || Butterflies == 8;
  localparam logic LegalTransform   = Transform >= 4 && Transform <= 1024 && (1 << $clog2(Transform)) == Transform
                                      && LegalButterflies && Transform >= (Butterflies == 1 ? 4 : 8 * Butterflies);
  // A carry of a half is shorter than a half.
  localparam int   LogT             = LegalTransform ? $clog2(Transform) : 4;
  localparam int   HalfCarry        = Algorithm == 3 ? 2 * Digit + 2 * LogT + 2 : Digit + LogT + 3;
  localparam logic LegalDigit       = !LegalTransform || !LegalWidth || (Digit >= 2 && Digit <= 1024
                                      && Digit * Transform >= Width && Digit * Transform / 2 >= HalfCarry);
  localparam logic LegalSpectral    = Spectral == 0 || Spectral == 1;
  localparam logic Legal            = LegalWidth && LegalAlgorithm && LegalButterflies && LegalTransform && LegalDigit
                                      && LegalSpectral;

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
  if (!LegalSpectral) begin : gen_illegal_spectral
    illegal_parameter_Spectral_must_be_0_or_1 u_illegal ();
  end

  // Table 1 of the paper. Illegal parameters, which stop elaboration above, are replaced here.
  localparam int U     = Legal ? Digit : 8;
  localparam int P     = Legal ? Transform : 32;
  localparam int N     = Legal ? Butterflies : 2;
  localparam int V     = $clog2(P);
  localparam int LogN  = $clog2(N);
  localparam int Bits  = Legal ? Ring : 32;                  // cP
  localparam int Root2 = 2 * Bits == P ? 1 : 0;              // c = 1/2
  localparam int Beats = Spectral == 1 ? 2 * P : Legal ? (Width + U - 1) / U : 1;

  // Segments of 2u or 4u bits (Section 5.3).
  localparam int LogSeg   = (N > 1 && 4 * U <= Bits + 2) ? 2 : 1;
  localparam int Seg      = 1 << LogSeg;
  localparam int SegBits  = Seg * U;
  localparam int Segs     = P / Seg;
  localparam int SegIndex = V - LogSeg;                      // bits of a segment's number

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
  localparam int Load      = Segs + 5;
  localparam int Reduce    = Segs + 3;
  localparam int Subtract  = Segs + 5;
  localparam int MaxA      = Forward > Inverse ? Forward : Inverse;
  localparam int MaxB      = Multiply > Subtract ? Multiply : Subtract;
  localparam int TimeBits  = $clog2((MaxA > MaxB ? MaxA : MaxB) + 1);

  // ---- loading and unloading -------------------------------------------------------------------

  localparam int CarryBits = Bits + 2 - U;                   // of a carry above a half
  localparam int Parts     = Legal ? (Bits + Word) / Word : 1;   // beats of a residue, of Bits + 1 bits
  localparam int PartBits  = Parts > 1 ? $clog2(Parts) : 1;
  localparam logic [V-1:0] LastDigit = V'(P - 1);
  localparam logic [V-1:0] LastBeat  = V'(Beats - 1);

  typedef enum logic [2:0] {LOAD, FILL, RUN, FETCH, FIRST, UNLOAD} main_e;

  main_e               main_q;
  logic                legal_q;        // N is not 0
  logic [V-1:0]        digit_q;        // of N, x and y, or the result; or which residue
  logic [1:0]          vector_q;       // of the context: 0 for N, then T(N'), T'(N); of x, y and the result: T, T'
  logic [PartBits-1:0] part_q;
  logic                loading, ctx_load, in_load, in_part, out_take, of_n, start, done;
  logic                last_part, last_digit, last_beat, last_ctx;

  assign loading     = main_q == LOAD;
  assign last_part   = part_q == PartBits'(Parts - 1);
  assign last_digit  = digit_q == LastDigit;
  assign last_beat   = (digit_q == LastBeat) & (Spectral != 1 || vector_q[0]);
  assign last_ctx    = (vector_q == 2'd2) & last_digit & last_part;
  assign out_valid_o = main_q == UNLOAD;
  assign out_take    = out_valid_o & out_ready_i;
  assign of_n        = ctx_load & (vector_q == 2'd0);

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(loading), .ctx_last_i(last_ctx), .ctx_legal_i(legal_q), .in_free_i(loading), .in_last_i(last_beat),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(in_part)
  );

  logic square_q, chain_q, keep_q, half, half_q, half_q2, start_q, start_q2;

  always_ff @(posedge clk_i) begin
    if (in_load && !in_part) begin
      square_q <= square_i;
      chain_q  <= chain_i;
      keep_q   <= keep_i;
    end
    if (of_n) legal_q <= (ctx_data_i != '0) | (legal_q & (digit_q != '0));
  end

  // The last segments are written in the two cycles after the last digit.
  assign half  = (Spectral == 1) & in_load & last_digit & ~vector_q[0];
  assign start = (in_load && last_beat && LastBeat == LastDigit) || (main_q == FILL && last_digit);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      main_q   <= LOAD;
      digit_q  <= '0;
      vector_q <= '0;
      part_q   <= '0;
      half_q   <= 1'b0;
      half_q2  <= 1'b0;
      start_q  <= 1'b0;
      start_q2 <= 1'b0;
    end else begin
      half_q   <= half;
      half_q2  <= half_q;
      start_q  <= start;
      start_q2 <= start_q;
      case (main_q)
        LOAD: begin
          if (ctx_load) begin
            part_q <= (vector_q == 2'd0 || last_part) ? '0 : part_q + 1'b1;
            if (vector_q == 2'd0 || last_part) begin
              digit_q <= digit_q + 1'b1;
              if (last_digit) vector_q <= (vector_q == 2'd2) ? 2'd0 : vector_q + 2'd1;
            end
          end else if (in_load) begin
            digit_q <= digit_q + 1'b1;
            if (Spectral == 1 && last_digit) vector_q[0] <= ~vector_q[0];
            if (last_beat) begin
              if (LastBeat == LastDigit) main_q <= RUN;
              else                       main_q <= FILL;
            end
          end
        end
        FILL: begin
          digit_q <= digit_q + 1'b1;
          if (last_digit) main_q <= RUN;
        end
        RUN:   if (done) main_q <= FETCH;
        FETCH: main_q <= FIRST;
        FIRST: main_q <= UNLOAD;
        default: begin  // UNLOAD
          if (out_take) begin
            digit_q <= last_beat ? '0 : digit_q + 1'b1;
            if (Spectral == 1 && last_digit) vector_q[0] <= ~vector_q[0];
            if (last_beat) main_q <= LOAD;
          end
        end
      endcase
    end
  end

  // The result: segments from the time domain, a digit a beat; or residues from the RAM sets.
  logic [SegIndex-1:0] fetch;
  logic [SegBits-1:0]  word;
  logic [V:0]          unload_place;                         // of the residue that is read
  logic [Bits:0]       left_word, right_word;
  logic                running, unload;

  assign running      = main_q == RUN;
  assign unload       = (Spectral == 1) & ~running & ~loading;
  assign unload_place = {vector_q[0], digit_q} + (V+1)'(out_take);

  if (Spectral == 1) begin : gen_residues
    logic unused_word;

    assign fetch       = '0;
    assign z_o         = left_word;
    assign unused_word = ^word;
  end else begin : gen_digits
    logic [SegIndex-1:0] fetch_q;
    logic [SegBits-1:0]  out_q;
    logic [LogSeg-1:0]   out_digit;

    assign fetch     = fetch_q;
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
  end

  // ---- the control unit -----------------------------------------------------------------------

  logic [TimeBits-1:0] now;
  logic                last_now, load, from_y, result, inject, reduce, m_load, fft, inverse, nega;
  logic                multiply, beside, plain, add, left_addend, subtract;
  logic [2:0]          vector, left, right, left_read;
  logic [1:0]          right_context;

  mm_fmlm3_control #(
    .Algorithm(Algorithm), .Spectral(Spectral), .P(P), .Load(Load), .Forward(Forward), .Inverse(Inverse),
    .Multiply(Multiply), .Beside(Beside), .Reduce(Reduce), .Subtract(Subtract)
  ) u_control (
    .clk_i, .rst_ni,
    .start_i(start_q2), .half_i(half_q2), .square_i(square_q), .chain_i(chain_q), .keep_i(keep_q), .done_o(done),
    .time_o(now), .last_time_o(last_now),
    .load_o(load), .from_y_o(from_y), .result_o(result), .inject_o(inject), .reduce_o(reduce), .m_o(m_load),
    .fft_o(fft), .inverse_o(inverse), .nega_o(nega), .vector_o(vector),
    .multiply_o(multiply), .beside_o(beside), .plain_o(plain), .add_o(add), .left_o(left), .right_o(right),
    .left_addend_o(left_addend), .right_context_o(right_context), .subtract_o(subtract)
  );

  // T(t), T'(t) are where T(x), T'(x) are.
  assign left_read = unload ? {2'b00, unload_place[V]} : left;

  // ---- steps 3, 7 and 14 to 17: the time domain ------------------------------------------------

  logic                 operand, first_digit, fetching, x_lsb, y_lsb;
  logic [U-1:0]         x_digit, y_digit, n_digit;
  logic                 final_digits;
  logic [U-1:0]         low_digit, high_digit;
  logic [CarryBits-1:0] low_carry, high_carry;
  logic                 into_next, again_next, into, again, carry;
  logic [SegIndex-1:0]  into_segment;
  logic [SegBits-1:0]   digits;
  logic [U-1:0]         digit0;

  assign operand     = (Spectral != 1) & (in_load | (main_q == FILL));
  assign x_digit     = U'(x_i) & {U{in_load}};
  assign y_digit     = U'(y_i) & {U{in_load}};
  assign n_digit     = U'(ctx_data_i);
  assign first_digit = digit_q == '0;
  assign fetching    = main_q == FETCH;

  mm_fmlm3_segments #(
    .Digit(U), .LogSeg(LogSeg), .SegIndex(SegIndex), .CarryBits(CarryBits), .TimeBits(TimeBits),
    .Spectral(Spectral)
  ) u_segments (
    .clk_i, .rst_ni,
    .operand_i(operand), .x_i(x_digit), .y_i(y_digit),
    .modulus_i(of_n), .first_digit_i(first_digit), .n_i(n_digit),
    .final_i(final_digits), .low_digit_i(low_digit), .high_digit_i(high_digit),
    .low_carry_i(low_carry), .high_carry_i(high_carry),
    .square_i(square_q), .chain_i(chain_q), .x_lsb_i(x_lsb), .y_lsb_i(y_lsb),
    .time_i(now), .last_time_i(last_now), .load_i(load), .from_y_i(from_y), .result_i(result),
    .inject_i(inject), .reduce_i(reduce), .m_i(m_load), .fft_i(fft), .subtract_i(subtract),
    .into_next_o(into_next), .again_next_o(again_next), .into_o(into), .again_o(again),
    .into_segment_o(into_segment), .digits_o(digits), .digit0_o(digit0), .carry_o(carry),
    .running_i(running), .restart_i(fetching), .fetch_i(fetch), .word_o(word)
  );

  // ---- steps 2, 4, 6, 8, 12 and 13: the transforms ---------------------------------------------

  logic           product_next, product_c;
  logic [Bits:0]  product_w;
  logic [V-1:0]   product_place, left_index, right_index;

  mm_fmlm3_transform #(
    .Bits(Bits), .Digit(U), .LogP(V), .LogN(LogN), .LogSeg(LogSeg), .Root2(Root2), .Delay(Delay)
  ) u_transform (
    .clk_i, .rst_ni,
    .fft_i(fft), .last_time_i(last_now), .inverse_i(inverse), .nega_i(nega), .vector_i(vector),
    .into_next_i(into_next), .again_next_i(again_next), .into_i(into), .again_i(again),
    .into_segment_i(into_segment), .digits_i(digits), .digit0_i(digit0), .carry_i(carry),
    .product_next_i(product_next), .product_w_i(product_w), .product_c_i(product_c),
    .product_place_i(product_place),
    .left_i(left_read), .right_i(right), .left_index_i(left_index), .right_index_i(right_index),
    .left_o(left_word), .right_o(right_word),
    .final_o(final_digits), .low_digit_o(low_digit), .high_digit_o(high_digit),
    .low_carry_o(low_carry), .high_carry_o(high_carry)
  );

  // ---- steps 1, 5 and 9 to 11: component-wise multiplication -----------------------------------

  logic         residue_load, residue_whole, load_y;
  logic [V:0]   residue_index, in_place;
  logic [V-1:0] unload_index;

  assign residue_load  = ctx_load & (vector_q != 2'd0);
  assign residue_whole = residue_load & last_part;
  assign residue_index = {vector_q[1], digit_q};
  assign in_place      = {vector_q[0], digit_q};
  assign load_y        = in_part ? ~(square_q | keep_q) : ~(square_i | keep_i);
  assign unload_index  = unload_place[V-1:0];

  mm_fmlm3_product #(
    .Bits(Bits), .Word(Word), .LogP(V), .LogC(LogN + 1), .Latency(Product), .TimeBits(TimeBits), .Spectral(Spectral)
  ) u_product (
    .clk_i, .rst_ni,
    .load_i(residue_load), .whole_i(residue_whole), .residue_i(residue_index), .ctx_data_i,
    .in_load_i(in_load), .in_load_y_i(load_y), .in_place_i(in_place), .x_i, .y_i, .x_lsb_o(x_lsb), .y_lsb_o(y_lsb),
    .unload_i(unload), .unload_place_i(unload_index), .chain_i(chain_q),
    .left_of_i(left[2:1]), .right_of_i(right[2:1]), .right_nega_i(right[0]),
    .time_i(now), .last_time_i(last_now), .multiply_i(multiply), .beside_i(beside), .plain_i(plain), .add_i(add),
    .left_addend_i(left_addend), .right_context_i(right_context),
    .left_index_o(left_index), .right_index_o(right_index), .left_i(left_word), .right_i(right_word),
    .next_o(product_next), .w_o(product_w), .c_o(product_c), .place_o(product_place)
  );

endmodule

`default_nettype wire
