// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_reduce: steps 4 to 6 of mm_sparse_prime_dsp: U, V and z from the words of L and Q, the lowest
// first, a word a cycle. The schedule is in mm_sparse_prime_dsp, and tells by pulses what comes (K = Words):
//
//   pulse          so many cycles before
//   start_i    1   the first word of L
//              2   the first word of Q
//   over_at_i  0   over_i, K cycles after the first word of L: by how much Q is below H, which is in no product by D'
//   r_start_i  2   word 0 of U mod 2^n and of floor(U / 2^n)
//   v_start_i  2   word 0 of V
//   z_start_i  0   the word of V + D' that has its bit at 2^n
//              1   word 0 of Z
//              2   on_o and the first word of z
//
`default_nettype none

module mm_sparse_prime_dsp_reduce #(
  parameter int Word   = 32,
  parameter int Words  = 8,
  parameter logic [Word*Words-1:0] DScaled = 1,   // D'
  parameter int Levels = 1,                       // cycles of a product by D' and an addition
  parameter int Above  = 1,                       // words of floor(U / 2^n)
  parameter int TBits  = 32,                      // bits that count in its first word
  parameter int Shift  = 0                        // z = Z / 2^Shift
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              start_i,
  input  wire              over_at_i,
  input  wire              r_start_i,
  input  wire              v_start_i,
  input  wire              z_start_i,
  input  wire  [Word-1:0]  l_i,
  input  wire  [Word-1:0]  q_i,
  input  wire  [TBits-1:0] over_i,
  output logic             on_o,
  output logic [Word-1:0]  z_o
);

  localparam int N = Word * Words;

  // ---- step 4: U

  logic            l_on, u_on;
  logic [Word-1:0] l_q, u;

  mm_window #(
    .Start(1), .Length(Words)
  ) u_l_on (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(l_on)
  );
  mm_window #(
    .Start(2), .Length(Words + Above)
  ) u_u_on (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(u_on)
  );

  always_ff @(posedge clk_i) begin
    if (over_at_i) l_q <= Word'(over_i);
    else if (l_on) l_q <= l_i;
    else           l_q <= '0;
  end

  mm_sparse_prime_dsp_fold #(
    .Word(Word), .FactorBits(N), .Factor(DScaled), .Levels(Levels)
  ) u_first_fold (
    .clk_i, .on_i(u_on), .a_i(l_q), .q_i, .u_o(u)
  );

  // ---- step 5: V

  logic            r_on, t_on, v_on;
  logic [Word-1:0] u_before, r_q, t_q, v;

  mm_delay #(
    .Bits(Word), .Cycles(Words)
  ) u_u_before (
    .clk_i, .d_i(u), .q_o(u_before)
  );
  mm_window #(
    .Start(1), .Length(Words)
  ) u_r_on (
    .clk_i, .rst_ni, .pulse_i(r_start_i), .on_o(r_on)
  );
  mm_window #(
    .Start(1), .Length(Above)
  ) u_t_on (
    .clk_i, .rst_ni, .pulse_i(r_start_i), .on_o(t_on)
  );
  mm_window #(
    .Start(2), .Length(Words + 1)
  ) u_v_on (
    .clk_i, .rst_ni, .pulse_i(r_start_i), .on_o(v_on)
  );

  always_ff @(posedge clk_i) begin
    r_q <= r_on ? u_before : '0;
    t_q <= t_on ? Word'(u[TBits-1:0]) : '0;
  end

  mm_sparse_prime_dsp_fold #(
    .Word(Word), .FactorBits(N), .Factor(DScaled), .Levels(Levels)
  ) u_second_fold (
    .clk_i, .on_i(v_on), .a_i(r_q), .q_i(t_q), .u_o(v)
  );

  // ---- step 6: V + D'

  localparam int IndexBits = $clog2(Words + 2);

  logic [IndexBits-1:0] index_q;
  logic [Word-1:0]      d_word, d_q, v_q, more, more_q;
  logic                 first_q, reaches_q;

  // D', from word 0 on; index_q is a word ahead.
  always_comb begin
    d_word = '0;
    for (int j = 0; j < Words; j++) if (index_q == IndexBits'(j)) d_word = DScaled[j*Word+:Word];
  end

  mm_rrm_ripple #(
    .Word(Word), .Minus(0)
  ) u_more (
    .clk_i, .first_i(first_q), .a_i(v), .b_i(d_q), .z_o(more)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_q <= 1'b0;
    else         first_q <= v_start_i;
  end

  always_ff @(posedge clk_i) begin
    index_q <= v_start_i ? '0 : index_q + IndexBits'(index_q != '1);
    d_q     <= d_word;
    v_q     <= v;
    more_q  <= more;
    if (z_start_i) reaches_q <= more[0];
  end

  // ---- step 6: Z, and z

  logic [Word-1:0]   v_late, more_late, z, z_q;
  logic [2*Word-1:0] z_pair;
  logic              z_more;

  mm_delay #(
    .Bits(2 * Word), .Cycles(Words)
  ) u_results (
    .clk_i, .d_i({v_q, more_q}), .q_o({v_late, more_late})
  );
  mm_window #(
    .Start(1), .Length(Words)
  ) u_z_more (
    .clk_i, .rst_ni, .pulse_i(z_start_i), .on_o(z_more)
  );
  mm_window #(
    .Start(2), .Length(Words)
  ) u_z_on (
    .clk_i, .rst_ni, .pulse_i(z_start_i), .on_o(on_o)
  );

  always_ff @(posedge clk_i) z_q <= z;

  assign z      = reaches_q ? more_late : v_late;
  assign z_pair = {z & {Word{z_more}}, z_q} >> Shift;
  assign z_o    = z_pair[Word-1:0];

  logic unused_bits;
  assign unused_bits = ^z_pair[2*Word-1:Word];

endmodule

`default_nettype wire
