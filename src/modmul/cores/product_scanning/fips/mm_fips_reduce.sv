// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_reduce: the words of the result, lines 16 and 19 to 23 of Algorithm 4 (Zhang et al.).
//
//   cycle   what happens                                                                               line
//   0       v0 of a column of the second loop, the column's word of x * y and, with the last word      16
//           in GF(2^m), m_(s-1) where N has a term x^(s * Word)
//   1       z_k, their sum, with the carry of the word before: z < 3N in GF(p)                         16, 19
//   2       z_k into the memory; the borrows of z - N and of z - 2N, word by word                      20
//
// Then, after a cycle to fetch the first, the words go out, in GF(p) with 2N or N subtracted if z is not below it:
// lines 21 to 23, 0 <= z < N. In GF(2^m) z has a lower degree than N. The next z_0 comes when the last word is out.
//
`default_nettype none

module mm_fips_reduce #(
  parameter int Word    = 32,
  parameter int IdxBits = 5
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                prime_i,
  input  wire                implicit_i,
  input  wire                clear_i,
  input  wire                modulus_load_i,
  input  wire  [IdxBits-1:0] modulus_index_i,
  input  wire  [Word-1:0]    modulus_i,
  input  wire                m_valid_i,    // m_(s-1)
  input  wire  [Word-1:0]    m_i,
  // Cycle 0.
  input  wire                z_valid_i,
  input  wire                z_last_i,
  input  wire  [Word:0]      v_i,          // v0, and the bit above it
  input  wire  [Word-1:0]    xy_i,
  output logic               z_done_o,     // the first word is fetched
  input  wire                take_i,       // the word on z_o has been taken
  input  wire                take_last_i,  // the last one
  output logic [Word-1:0]    z_o
);

  logic               valid_q, valid_q2, last_q, end_q, fetch_q;
  logic               carry_q, top_q, msb_q, borrow_q, borrow2_q;
  logic               above, above2, above_q, above2_q, restart_q;
  logic [IdxBits-1:0] index_q, index_q2, index_q3;
  logic [Word-1:0]    stored, modulus, addend, last_m_q;
  logic [Word-1:0]    v0_q, carry_addend_q, plain_addend_q, n_q, sum_q, less_q, twice_q;
  logic [Word:0]      sum, difference, difference2;
  logic               step;

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_result (
    .clk_i, .write_i(valid_q2), .write_addr_i(index_q3), .word_i(sum_q), .read_addr_i(index_q), .word_o(stored)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 ** IdxBits)
  ) u_modulus (
    .clk_i, .write_i(modulus_load_i), .write_addr_i(modulus_index_i), .word_i(modulus_i),
    .read_addr_i(index_q), .word_o(modulus)
  );

  // Cycle 0, line 16; the words go out in the same order.
  assign addend = implicit_i & z_last_i ? xy_i ^ last_m_q : xy_i;
  assign step   = z_valid_i | fetch_q | take_i;

  always_ff @(posedge clk_i) begin
    if (m_valid_i) last_m_q <= m_i;
    last_q    <= z_valid_i & z_last_i;
    restart_q <= clear_i | take_last_i;
    index_q2  <= index_q;
    v0_q      <= v_i[Word-1:0];
    n_q       <= modulus;
    if (z_valid_i) top_q <= v_i[Word];
    if (!prime_i) carry_addend_q <= '0;
    else          carry_addend_q <= addend;
    if (prime_i)  plain_addend_q <= '0;
    else          plain_addend_q <= addend;
    if (restart_q) index_q <= '0;
    else if (step) index_q <= (z_valid_i & z_last_i) ? '0 : index_q + 1'b1;
  end

  // Cycle 1, line 16.
  mm_dual_adder #(
    .Width(Word + 1)
  ) u_adder (
    .carry_a_i({1'b0, carry_addend_q}), .plain_a_i({1'b0, plain_addend_q}), .b_i({1'b0, v0_q}), .carry_i(carry_q),
    .sum_o(sum)
  );

  // Lines 19 and 20, when all words are there: above them are the carry and the bit above v0, above those of 2N the
  // top bit of N, and with the borrows z >= N, z >= 2N.
  assign above  = prime_i & (carry_q | top_q | ~borrow_q);
  assign above2 = prime_i & ((carry_q & top_q) | ((carry_q | top_q) & ~(msb_q & borrow2_q)) | ~(msb_q | borrow2_q));

  always_ff @(posedge clk_i) begin
    end_q    <= last_q;
    index_q3 <= index_q2;
    if (restart_q)    carry_q <= 1'b0;
    else if (valid_q) carry_q <= sum[Word];
    if (valid_q) begin
      sum_q   <= sum[Word-1:0];
      less_q  <= n_q;
      twice_q <= {n_q[Word-2:0], msb_q};
      msb_q   <= n_q[Word-1];
    end else if (fetch_q | take_i) begin
      sum_q  <= stored;
      less_q <= '0;
      if (fetch_q ? above2 : above2_q)     less_q <= {modulus[Word-2:0], msb_q & ~fetch_q};
      else if (fetch_q ? above : above_q)  less_q <= modulus;
      msb_q  <= modulus[Word-1];
    end
    if (restart_q) msb_q <= 1'b0;
    if (fetch_q) begin
      above_q  <= above;
      above2_q <= above2;
    end
  end

  // Cycle 2, line 20 and, while the result goes out, the same subtraction again, line 21.
  assign difference  = {1'b0, sum_q} - {1'b0, less_q} - (Word+1)'(borrow_q);
  assign difference2 = {1'b0, sum_q} - {1'b0, twice_q} - (Word+1)'(borrow2_q);
  assign z_o         = difference[Word-1:0];
  assign z_done_o    = fetch_q;

  always_ff @(posedge clk_i) begin
    if (restart_q | fetch_q)    borrow_q <= 1'b0;
    else if (valid_q2 | take_i) borrow_q <= difference[Word];
    if (restart_q)     borrow2_q <= 1'b0;
    else if (valid_q2) borrow2_q <= difference2[Word];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      valid_q2 <= 1'b0;
      fetch_q  <= 1'b0;
    end else begin
      valid_q  <= z_valid_i;
      valid_q2 <= valid_q;
      fetch_q  <= end_q & valid_q2;
    end
  end

endmodule

`default_nettype wire
