// SPDX-License-Identifier: Apache-2.0
//
// mm_ntt: the number-theoretic transform of N = 2^LogPoints points modulo the prime M of the build, in place, a
// butterfly a clock cycle. K = LogPoints.
//
// Steps with Layers = 0: z_j = sum of x_i * w^(i*j), w of order N (Cooley and Tukey, decimation in time)
//    1  x_i, in order, goes to the place whose number has the bits of i in reverse
//    2  for s = 0 ... K - 1, for all pairs of places p, q = p + 2^s with bit s of p clear:
//       (c_p, c_q) = (c_p + w^e * c_q, c_p - w^e * c_q), e = (p mod 2^s) * N / 2^(s+1)
//    3  z_j leaves, in order
//
//    The inverse: both results of every butterfly are halved, so that all is divided by N, and step 3 goes through the
//    places 0, N - 1, ..., 1, since w^(-j) = w^(N-j).
//
// Steps with Layers > 0: the transforms of FIPS 203 (K = 8, 7 layers) and FIPS 204 (K = 8, 8 layers), in their order:
// the remainders of a polynomial by X^(N/2^Layers) - w^(2 * r + 1), r in the order of its Layers bits in reverse
//    1  x_i goes to place i
//    2  for s = K - 1 ... K - Layers, for all pairs as above, l = K - 1 - s:
//       (c_p, c_q) = (c_p + w^e * c_q, c_p - w^e * c_q), e the bits of 2^l + (p >> s + 1) in reverse
//    3  what is in place j leaves, in order
//
//    The inverse: s = K - Layers ... K - 1, and with the butterflies of Gentleman and Sande, both results halved:
//       (c_p, c_q) = (c_p + c_q, w^e * (c_q - c_p)), e the bits of 2^(l+1) - 1 - (p >> s + 1) in reverse
//
// mm_ntt_twiddles, which ntt.py writes, has the powers of w by the number e, or the number whose bits are reversed.
//
// The places are in two banks, by the parity of the bits of their number. Those of a pair differ in one bit, so a pair
// can be read in one cycle, and written in one. The next s begins when all pairs have been written.
//
// Legal: 0 <= x < M; inverse_i counts with the first point.
//
`default_nettype none

module mm_ntt #(
  parameter int LogPoints = 6,
  parameter int Layers    = 0,
  parameter int Width     = 64,
  parameter int TileA     = 25,
  parameter int TileB     = 18,
  parameter     Modulus   = 64'hffff_ffff_0000_0001
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire              inverse_i,
  input  wire  [Width-1:0] x_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o
);

  if (LogPoints < 2 || LogPoints > 16) begin : gen_illegal
    illegal_parameter_LogPoints_must_be_2_to_16 u_illegal ();
  end

  if (Layers < 0 || Layers > LogPoints) begin : gen_illegal_layers
    illegal_parameter_Layers_must_be_0_to_LogPoints u_illegal ();
  end

  localparam int K         = LogPoints >= 2 && LogPoints <= 16 ? LogPoints : 2;
  localparam bit Standard  = Layers > 0;
  localparam int Count     = Standard && Layers <= K ? Layers : K;  // of stages
  localparam int TurnBits  = Standard ? Count : K - 1;
  localparam int StageBits = $clog2(K);

  typedef enum logic [1:0] {LOAD, RUN, UNLOAD} state_e;

  state_e               state_q;
  logic                 inverse_q;
  logic [StageBits-1:0] stage_q;    // stages done
  logic [K:0]           count_q;    // points taken in step 1, pairs read in step 2, points read in step 3
  logic [K-1:0]         written_q;  // pairs written in step 2
  logic                 valid_q;    // what was read is waiting

  logic                 load, run, read, last_pair, pair_valid, pair_ready, write;
  logic [K-1:0]         half;
  logic [StageBits-1:0] s;

  assign load = state_q == LOAD & in_valid_i;
  assign run  = state_q == RUN;
  assign s    = ~Standard ? stage_q : inverse_q ? StageBits'(K - Count) + stage_q : StageBits'(K - 1) - stage_q;
  assign half = K'(1) << s;

  // p of a pair: a 0 goes in at bit s.
  function automatic logic [K-1:0] first(input logic [K-1:0] pair, input logic [K-1:0] bit_s);
    logic [K-1:0] below;
    below = bit_s - 1'b1;
    first = ((pair & ~below) << 1) | (pair & below);
  endfunction

  function automatic logic [K-1:0] reversed(input logic [K-1:0] place);
    for (int i = 0; i < K; i++) reversed[i] = place[K-1-i];
  endfunction

  // ---- reading: pairs in step 2, points in step 3

  logic [K-1:0] index, read_place, read_partner;
  logic [K-2:0] even_read, odd_read;
  logic         left, taken, odd, odd_q, gentleman;

  logic [TurnBits-1:0] turn;
  logic [Width-1:0]    even_word, odd_word, a, b, w, u, v;

  assign index        = count_q[K-1:0];
  assign left         = run ? ~count_q[K-1] : ~count_q[K];
  assign taken        = run ? pair_ready : out_ready_i;
  assign read         = state_q != LOAD & left & (~valid_q | taken);
  assign read_place   = run ? first(index, half) : inverse_q && !Standard ? -index : index;
  assign read_partner = run ? read_place | half : read_place;
  assign gentleman    = Standard & inverse_q;

  if (Standard) begin : gen_reversed
    logic [K:0] layer, block, number;
    logic       unused_top;

    assign layer      = (K+1)'(1) << (StageBits'(K - 1) - s);
    assign block      = (K+1)'(read_place >> s) >> 1;
    assign number     = inverse_q ? layer + layer - (K+1)'(1) - block : layer + block;
    assign turn       = number[TurnBits-1:0];
    assign unused_top = ^number;
  end else begin : gen_straight
    assign turn = index[K-2:0] << (StageBits'(K - 1) - s);  // e
  end

  assign odd       = ^read_place;
  assign even_read = (K-1)'((odd ? read_partner : read_place) >> 1);
  assign odd_read  = (K-1)'((odd ? read_place : read_partner) >> 1);

  mm_ntt_twiddles u_twiddles (
    .clk_i, .read_i(read), .index_i(turn), .w_o(w)
  );

  assign a           = odd_q ? odd_word : even_word;
  assign b           = odd_q ? even_word : odd_word;
  assign pair_valid  = run & valid_q;
  assign in_ready_o  = state_q == LOAD;
  assign out_valid_o = state_q == UNLOAD & valid_q;
  assign z_o         = a;

  mm_ntt_butterfly #(
    .Width(Width), .TileA(TileA), .TileB(TileB), .Modulus(Modulus)
  ) u_butterfly (
    .clk_i, .rst_ni,
    .in_valid_i(pair_valid), .in_ready_o(pair_ready), .gentleman_i(gentleman), .halve_i(inverse_q),
    .w_i(w), .a_i(a), .b_i(b),
    .out_valid_o(write), .out_ready_i(1'b1), .u_o(u), .v_o(v)
  );

  // ---- writing: points in step 1, pairs in step 2

  logic [K-1:0] write_place, write_partner;
  logic [K-2:0] even_write, odd_write;
  logic         swap, write_even, write_odd;

  logic [Width-1:0] even_new, odd_new;

  assign write_place   = run ? first(written_q, half) : Standard ? index : reversed(index);
  assign write_partner = run ? write_place | half : write_place;

  assign swap       = ^write_place;
  assign even_write = (K-1)'((swap ? write_partner : write_place) >> 1);
  assign odd_write  = (K-1)'((swap ? write_place : write_partner) >> 1);
  assign write_even = run ? write : load & ~swap;
  assign write_odd  = run ? write : load & swap;
  assign even_new   = ~run ? x_i : swap ? v : u;
  assign odd_new    = ~run ? x_i : swap ? u : v;

  mm_ntt_bank #(
    .Word(Width), .AddrBits(K - 1)
  ) u_even (
    .clk_i, .write_i(write_even), .write_addr_i(even_write), .word_i(even_new),
    .read_i(read), .read_addr_i(even_read), .word_o(even_word)
  );

  mm_ntt_bank #(
    .Word(Width), .AddrBits(K - 1)
  ) u_odd (
    .clk_i, .write_i(write_odd), .write_addr_i(odd_write), .word_i(odd_new),
    .read_i(read), .read_addr_i(odd_read), .word_o(odd_word)
  );

  // ---- what comes when

  assign last_pair = written_q[K-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= LOAD;
      inverse_q <= 1'b0;
      stage_q   <= '0;
      count_q   <= '0;
      written_q <= '0;
      valid_q   <= 1'b0;
      odd_q     <= 1'b0;
    end else begin
      if (load | read) count_q <= count_q + 1'b1;
      if (read) odd_q <= odd;
      if (read | taken) valid_q <= read;
      case (state_q)
        LOAD: begin
          if (load & count_q == 0) inverse_q <= inverse_i;
          if (load & (&index)) begin
            state_q <= RUN;
            count_q <= '0;
          end
        end
        RUN: begin
          if (write) written_q <= written_q + 1'b1;
          if (last_pair) begin
            written_q <= '0;
            count_q   <= '0;
            stage_q   <= stage_q + 1'b1;
            if (stage_q == StageBits'(Count - 1)) begin
              stage_q <= '0;
              state_q <= UNLOAD;
            end
          end
        end
        default: begin
          if (out_valid_o & out_ready_i & ~left) begin
            state_q <= LOAD;
            count_q <= '0;
          end
        end
      endcase
    end
  end

endmodule

`default_nettype wire
