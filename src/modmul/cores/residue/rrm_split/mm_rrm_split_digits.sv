// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_digits: step 2 of mm_rrm_split, the digits of X as rows of the table and signs.
//
// X is stored in words in two banks. Digit i comes from u, a digit of X read one bit higher; the bit above the last u
// is 1. In step 0 (pre_i) X has no bits.
//
//   cycle  digit i
//   0      the bits of u are in the shift register; digits_i
//   1      x_some_i, x_last_i; row_o                                  with Chains = 1, outputs are a cycle later
//   2      sign_o, some_o
//   3      one_o; with Chains = 1 sign_e_o
//   4      with Chains = 2 sign_e_o
//
`default_nettype none

module mm_rrm_split_digits #(
  parameter int Word      = 16,
  parameter int Beats     = 16,
  parameter int DigitBits = 4,
  parameter int Chains    = 2,
  // Derived, not to be set.
  parameter int AddrBits  = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                  clk_i,
  input  wire                  load_i,      // x_i is word beat_i of X in bank_i
  input  wire  [AddrBits-1:0]  beat_i,
  input  wire  [Word-1:0]      x_i,
  input  wire                  bank_i,
  input  wire                  go_i,        // a cycle before the first digit
  input  wire                  pre_i,
  input  wire                  digits_i,    // a digit leaves the shift register
  input  wire                  x_some_i,    // it is one of X
  input  wire                  x_last_i,    // and the last one
  input  wire                  negative_i,  // the sign of the product is changed
  output logic [DigitBits-2:0] row_o,       // (|x_i| - 1) / 2
  output logic                 sign_o,
  output logic                 some_o,      // the digit is not 0
  output logic                 one_o,       // the lowest bit of the multiple, but for its sign
  output logic                 sign_e_o     // the sign in what S takes
);

  localparam int LeftBits = $clog2(Word + 2 * DigitBits);

  logic [Word-1:0]           x_word;
  logic [Word+DigitBits-1:0] x_shift_q, x_shifted;
  logic [AddrBits-1:0]       x_beat_q;
  logic [LeftBits-1:0]       left_q, left_next;  // bits in x_shift_q but for its lowest digit
  logic                      x_bank_q, x_load_q, x_more_q, x_more, u_top, unused_digit;
  logic [DigitBits-1:0]      digit_q;
  logic [DigitBits-2:0]      row;
  logic                      sign_q, some_q, sign_before_q, one_q;

  mm_word_ram #(
    .Word(Word), .Depth(2 << AddrBits)
  ) u_x (
    .clk_i, .write_i(load_i), .write_addr_i({bank_i, beat_i}), .word_i(x_i),
    .read_addr_i({x_bank_q, x_beat_q}), .word_o(x_word)
  );

  // Between operations the first word of the next one is loaded repeatedly; then a word is loaded when fewer bits are
  // left than a digit has.
  assign x_more    = digits_i ? x_more_q & ~(x_load_q & x_beat_q == AddrBits'(Beats - 1)) : Beats > 1;
  assign x_shifted = x_shift_q >> DigitBits;

  always_comb begin
    left_next = left_q - LeftBits'(DigitBits);
    if (x_load_q)  left_next = left_q + LeftBits'(Word - DigitBits);
    if (!digits_i) left_next = go_i ? LeftBits'(Word - DigitBits) : '0;
  end

  if (Word % DigitBits == 0) begin : gen_whole
    always_ff @(posedge clk_i) begin
      if (pre_i) x_shift_q <= '0;
      else       x_shift_q <= x_load_q ? (Word+DigitBits)'(x_word) : x_shifted;
    end
  end else begin : gen_parts
    logic [Word+DigitBits-1:0] x_left;
    assign x_left = digits_i ? x_shifted : '0;
    always_ff @(posedge clk_i) begin
      if (pre_i) x_shift_q <= '0;
      else       x_shift_q <= x_load_q ? x_left | ((Word+DigitBits)'(x_word) << left_q) : x_shifted;
    end
  end

  always_ff @(posedge clk_i) begin
    left_q   <= left_next;
    x_load_q <= digits_i | go_i ? x_more & left_next < LeftBits'(DigitBits) : 1'b1;
    x_more_q <= x_more;
    if (digits_i) x_beat_q <= x_beat_q + AddrBits'(x_load_q);
    else          x_beat_q <= AddrBits'(go_i && Beats > 1);
    if (!digits_i && !go_i) x_bank_q <= bank_i;
  end

  assign unused_digit = digit_q[0];
  assign u_top        = x_shift_q[0] | x_last_i;
  assign row          = digit_q[DigitBits-1:1] ^ {DigitBits-1{~u_top}};

  always_ff @(posedge clk_i) begin
    digit_q       <= x_shift_q[DigitBits-1:0];
    sign_q        <= x_some_i & (u_top ^ ~negative_i);
    some_q        <= x_some_i;
    sign_before_q <= sign_o;
    one_q         <= some_o & ~sign_o;
  end

  assign one_o = one_q;

  // The multiple is needed a cycle later where it is not added to T first.
  if (Chains == 1) begin : gen_later
    logic [DigitBits-2:0] row_later_q;
    logic                 sign_later_q, some_later_q;
    always_ff @(posedge clk_i) begin
      row_later_q  <= row;
      sign_later_q <= sign_q;
      some_later_q <= some_q;
    end
    assign row_o    = row_later_q;
    assign sign_o   = sign_later_q;
    assign some_o   = some_later_q;
    assign sign_e_o = sign_before_q;
  end else begin : gen_now
    logic sign_e_q;
    always_ff @(posedge clk_i) sign_e_q <= sign_before_q;
    assign row_o    = row;
    assign sign_o   = sign_q;
    assign some_o   = some_q;
    assign sign_e_o = sign_e_q;
  end

endmodule

`default_nettype wire
