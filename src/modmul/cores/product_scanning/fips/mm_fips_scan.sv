// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_scan: the order in which the products x_j * y_k are computed, column f = j + k by column (Zhang et al.,
// Algorithm 4 and Fig. 2).
//
//   lines 2 to 7      f = 0 ... s-1      j = 0 ... f, of which x_f * y_0 is line 6
//   lines 13 to 15    f = s ... 2s-2     j = f-s+1 ... s-1
//
//   multiplication       all products of the column                                         Formula 3
//   square, GF(p)        those with j <= k, doubled where j < k: 2 x_j * x_k, x_j * x_j     Formulas 4 and 5
//   square, GF(2^m)      the diagonal x_j * x_j alone, for 2ab = 0 in characteristic 2
//
// A column without products, and column 2s-1, which only has the remainder of the columns before, take an empty
// operation. In a cycle, the first of the next two products is op0 and the second op1; take_i says how many of them go
// to the multipliers. While the operands come, this module advances one cycle for each of their words; column f is
// reached f of these cycles after column 0 at the earliest, when word f is there. Word f - s of both operands is used
// for the last time in column f - 1, and freed with column f.
//
`default_nettype none

module mm_fips_scan #(
  parameter int IdxBits = 5,
  parameter int CntBits = 7,
  parameter int Ring    = 0   // columns it may be ahead of the controller; 0: no limit
) (
  input  wire                clk_i,
  input  wire                clear_i,
  input  wire  [CntBits-1:0] last_word_i, // s - 1
  input  wire                one_word_i,  // s = 1
  input  wire                square_i,    // a square whose symmetric products are left out
  input  wire                prime_i,
  input  wire                enable_i,
  input  wire                behind_i,    // the controller closes a column
  input  wire  [1:0]         take_i,      // lanes that are free
  output logic [1:0]         valid_o,     // products given to them
  output logic [1:0]         double_o,
  output logic [IdxBits-1:0] j_o,         // of op0; op1 has j + 1 and k - 1
  output logic [IdxBits-1:0] k_o,
  output logic               first_o,     // the first operation of a column, the last one
  output logic               last_o,
  output logic               begun_o,     // column 0 has been issued
  output logic               freed_o,     // a word of the operands has been used for the last time
  output logic               ahead_o      // columns that were issued two cycles ago are ahead of the controller
);

  localparam int LeadBits = $clog2(Ring > 0 ? Ring + 2 : 2 ** (IdxBits + 1)) + 1;

  logic [CntBits-1:0]  low_q, high_q, length_q, rest_q;
  logic [IdxBits-1:0]  j_q, k_q;
  logic                first_q, flush_q, done_q, upper_q, begun_q, issued_q, behind_q, one_q, two_q, odd;
  logic [LeadBits-1:0] lead_q;
  logic                ready, full, binary_square, empty, two, next_flush;
  logic [CntBits-1:0]  low_next, high_next, length_next, rest_next;
  logic [IdxBits:0]    column_q, column_next;

  assign binary_square = square_i & ~prime_i;
  assign odd           = length_q[0];
  assign empty         = flush_q | (binary_square & odd);

  // Lines 2 and 13. The column's products: words low ... high of x and of y; rest + 1 operations are left.
  assign ready   = enable_i & ~done_q & ~full & (take_i != 2'd0);
  assign two     = take_i[1] & (rest_q != '0);
  assign valid_o = (ready & ~empty) ? {two, 1'b1} : 2'b00;
  assign first_o = ready & first_q;
  assign last_o  = ready & (empty | rest_q == CntBits'(two));
  assign j_o     = j_q;
  assign k_o     = k_q;
  assign begun_o = begun_q;
  assign freed_o = last_o & (low_q != '0);  // low = max(0, f - s + 1)
  assign ahead_o = behind_q ? two_q : one_q;

  // Formula 4: all but the diagonal product are doubled.
  assign double_o[0] = square_i & prime_i & (odd | rest_q != '0);
  assign double_o[1] = square_i & prime_i & (odd | rest_q != CntBits'(1));

  // Lines 1 and 12. The next column: up to column s-1 one word more, from then on one less.
  assign low_next    = upper_q ? low_q + 1'b1 : low_q;
  assign high_next   = upper_q ? high_q : high_q + 1'b1;
  assign length_next = upper_q ? length_q - 1'b1 : length_q + 1'b1;
  assign next_flush  = upper_q & (low_q == last_word_i);
  assign column_next = column_q + 1'b1;

  assign rest_next = !square_i ? length_next : prime_i ? length_next >> 1 : '0;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      low_q    <= '0;
      high_q   <= '0;
      length_q <= '0;
      rest_q   <= '0;
      j_q      <= '0;
      k_q      <= '0;
      first_q  <= 1'b1;
      flush_q  <= 1'b0;
      done_q   <= 1'b0;
      upper_q  <= one_word_i;
      column_q <= '0;
      begun_q  <= 1'b0;
    end else if (ready) begin
      begun_q <= 1'b1;
      if (last_o) begin
        low_q    <= low_next;
        high_q   <= high_next;
        length_q <= length_next;
        rest_q   <= rest_next;
        j_q      <= binary_square ? column_next[IdxBits:1] : low_next[IdxBits-1:0];
        k_q      <= binary_square ? column_next[IdxBits:1] : high_next[IdxBits-1:0];
        first_q  <= 1'b1;
        flush_q  <= next_flush;
        done_q   <= flush_q;
        column_q <= column_next;
        upper_q  <= upper_q | (high_next == last_word_i);
      end else begin
        rest_q  <= rest_q - (two ? CntBits'(2) : CntBits'(1));
        j_q     <= j_q + (two ? IdxBits'(2) : IdxBits'(1));
        k_q     <= k_q - (two ? IdxBits'(2) : IdxBits'(1));
        first_q <= 1'b0;
      end
    end
  end

  // Columns ahead of the controller: lead_q, which is not 0 if there were two of them or, without behind_i, one.
  always_ff @(posedge clk_i) begin
    issued_q <= last_o & ~clear_i;
    behind_q <= behind_i;
    one_q    <= ~clear_i & (issued_q | lead_q != '0);
    two_q    <= ~clear_i & (lead_q > LeadBits'(1) | (issued_q & lead_q != '0));
    if (clear_i) lead_q <= '0;
    else         lead_q <= lead_q + LeadBits'(issued_q) - LeadBits'(behind_i);
  end

  // The words of x * y wait in a memory of finite length.
  if (Ring > 0) begin : gen_ring
    logic full_q;
    always_ff @(posedge clk_i) full_q <= lead_q >= LeadBits'(Ring - 1) && !clear_i;
    assign full = full_q;
  end else begin : gen_no_ring
    assign full = 1'b0;
  end

endmodule

`default_nettype wire
