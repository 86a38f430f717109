// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_serial: z = x * y / R mod M in GF(2^m), a digit of x a cycle, the lowest first. R = x^(D*L).
//
// Steps (n = Width, D = Digit, L = ceil(n / D); x_i is digit i of x, and x_L = 0; all sums are without carries)
//    1  s = 0
//    2  for i = 0 ... L, one digit a cycle, steps 3 to 5
//    3    p = x_i * y                                       deg p < n + D - 1
//    4    r = (s + q * M) / x^D, q such that x^D divides it  deg r < n
//    5    s = r + p                                         deg s < n + D - 1
//    6  z = s                                               deg z < deg M
//
// What step 4 adds depends on the D lowest bits of s alone, and linearly. It stands in tables, one for each four of
// these bits, which come with the context: so no quotient is computed, and a dense M costs no more than a sparse one.
//
// While an operation runs, the operands of the next come in and the result of the last goes out.
//
// Legal: M of degree 1 ... n with constant term 1; x and y of lower degree than M.
// Context: M without the term x^n; then the tables, the one for the lowest bits first, each from entry 0 to 15: r of
// step 4 for s = entry * x^(4*table), in as many words as an operand. A last table of fewer bits repeats its entries.
//
`default_nettype none

module mm_gf2m_serial #(
  parameter int Width = 256,
  parameter int Word  = 32,
  parameter int Digit = 8
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             ctx_valid_i,
  output logic            ctx_ready_o,
  input  wire  [Word-1:0] ctx_data_i,
  output logic            ctx_error_o,
  input  wire             in_valid_i,
  output logic            in_ready_o,
  input  wire  [Word-1:0] x_i,
  input  wire  [Word-1:0] y_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Word < 1) begin : gen_illegal_word
    illegal_parameter_Word_must_be_at_least_1 u_illegal ();
  end
  if (Digit < 1 || Digit > 64 || Word % (Digit >= 1 ? Digit : 1) != 0) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_1_to_64_and_divide_Word u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int B = Word >= 1 ? Word : 1;
  localparam int D = Digit >= 1 && Digit <= 64 && B % (Digit >= 1 ? Digit : 1) == 0 ? Digit : 1;

  localparam int Beats     = (N + B - 1) / B;
  localparam int Steps     = (N + D - 1) / D;  // L
  localparam int Sum       = N + D - 1;        // bits of s
  localparam int Tables    = (D + 3) / 4;
  localparam int WordBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Digits    = B / D;            // of a word
  localparam int DigitBits = Digits > 1 ? $clog2(Digits) : 1;
  localparam int TableBits = Tables > 1 ? $clog2(Tables) : 1;

  // ---- control

  logic                 ctx_load, table_load, open, take, first, add, last, bank, x_bank, rest, legal_q;
  logic                 unused_square, unused_go_square;
  logic [WordBits-1:0]  beat, x_word, out_beat;
  logic [3:0]           entry;
  logic [TableBits-1:0] of_table;
  logic [DigitBits-1:0] x_digit;

  mm_gf2m_control #(
    .Beats(Beats), .Digits(Digits), .Steps(Steps), .Down(0), .Tables(Tables)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i, .square_i(1'b0),
    .ctx_load_o(ctx_load), .table_load_o(table_load), .in_open_o(open), .beat_o(beat), .entry_o(entry),
    .table_o(of_table), .bank_o(bank), .square_o(unused_square), .take_o(take), .go_square_o(unused_go_square),
    .rest_o(rest), .x_bank_o(x_bank), .x_word_o(x_word), .x_digit_o(x_digit),
    .first_o(first), .add_o(add), .last_o(last), .out_beat_o(out_beat)
  );

  always_ff @(posedge clk_i) if (ctx_load && !table_load && beat == '0) legal_q <= ctx_data_i[0];

  // ---- step 3

  logic [D-1:0]   x;
  logic [N-1:0]   y;
  logic [Sum-1:0] p;

  mm_gf2m_operands #(
    .Width(N), .Word(B), .Digit(D)
  ) u_operands (
    .clk_i, .open_i(open), .beat_i(beat), .bank_i(bank), .x_i, .y_i, .take_i(take), .rest_i(rest),
    .read_bank_i(x_bank), .word_i(x_word), .digit_i(x_digit), .x_o(x), .y_o(y)
  );

  mm_gf2m_digit #(
    .Width(N), .Digit(D)
  ) u_product (
    .clk_i, .x_i(x), .y_i(y), .p_o(p)
  );

  // ---- step 4

  logic [Sum-1:0] s_q;
  logic [N-1:0]   r;

  for (genvar k = 0; k < Tables; k++) begin : gen_table
    localparam int Bits = D - 4 * k < 4 ? D - 4 * k : 4;

    logic [3:0]         four;
    logic [Beats*B-1:0] residue;
    logic [N-1:0]       so_far;
    logic               unused_residue;

    assign four           = 4'(s_q[4*k+:Bits]);
    assign unused_residue = ^residue;

    for (genvar j = 0; j < Beats; j++) begin : gen_word
      logic write;
      assign write = table_load & of_table == TableBits'(k) & beat == WordBits'(j);

      mm_word_ram #(
        .Word(B), .Depth(16)
      ) u_table (
        .clk_i, .write_i(write), .write_addr_i(entry), .word_i(ctx_data_i),
        .read_addr_i(four), .word_o(residue[j*B+:B])
      );
    end

    if (k == 0) begin : gen_first
      assign so_far = N'(s_q >> D) ^ residue[N-1:0];
    end else begin : gen_next
      assign so_far = gen_table[k-1].so_far ^ residue[N-1:0];
    end
  end

  assign r = gen_table[Tables-1].so_far;

  // ---- steps 1, 5 and 6

  logic [Sum-1:0]          s_next;
  logic [N-1:0]            z_q;
  logic [Beats-1:0][B-1:0] z_words;

  assign s_next = Sum'(r) ^ p;

  always_ff @(posedge clk_i) begin
    if (first)    s_q <= '0;
    else if (add) s_q <= s_next;
    if (last) z_q <= s_next[N-1:0];
  end

  assign z_words = (Beats*B)'(z_q);
  assign z_o     = z_words[out_beat];

endmodule

`default_nettype wire
