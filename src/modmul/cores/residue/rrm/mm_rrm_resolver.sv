// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_resolver: step 7 of mm_rrm, words of V = B^d * S + p: the pending digits p are placed below those of S, and
// only the saved carries have to be added. It replaces mm_rrm_converter, with the same READ and SHOW.
//
//   cycle  READ, for word j
//   1      word j of the digits and of the carries is chosen
//   2      the other words are 0
//   3      word j of both
//   4      word j of V; SHOW begins in the next cycle
//
// From 18 words on, everything from cycle 3 on is a cycle later: the words are chosen in two cycles.
//
//   cycle  SHOW, for word j
//   0      word_i = j
//   1      z_o
//
// take_i: p is taken. READ may begin in the same cycle. Word j of S and C is there a cycle after READ's cycle j, and
// stays until it is there for the next READ. While bare_i, z_o is 0. Legal: V < 2^Bits.
//
`default_nettype none

module mm_rrm_resolver #(
  parameter int Word      = 16,
  parameter int Bits      = 259,
  parameter int DigitBits = 2,
  parameter int Digits    = 131,
  parameter int Delay     = 1,
  // Derived, not to be set.
  parameter int Beats    = (Bits + Word - 1) / Word,
  parameter int AddrBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int Pending  = Delay > 0 ? Delay * DigitBits : 1
) (
  input  wire                         clk_i,
  input  wire                         take_i,
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits-1:0]           c_i,
  input  wire  [Pending-1:0]          p_i,
  input  wire                         read_i,
  input  wire                         first_i,      // the first cycle of READ
  output logic                        read_last_o,  // the last of READ
  input  wire  [AddrBits-1:0]         word_i,
  input  wire                         bare_i,
  input  wire                         move_i,
  output logic [Word-1:0]             z_o
);

  localparam int All     = Beats * Word;
  localparam int Late    = Beats - int'(Beats % 4 == 1) > 16 ? 1 : 0;
  localparam int Written = Beats + Late + 2;
  localparam int Shift   = Delay * DigitBits;

  // ---- READ, cycles 1 and 2

  logic [Pending-1:0]     p_q;
  logic [All+Pending-1:0] s_all;
  logic [All-1:0]         c_all;
  logic [Written:0]       other_q;  // not word j, and some cycles more
  logic [Word-1:0]        s_word, c_word;
  logic                   unused_top;

  always_ff @(posedge clk_i) begin
    if (take_i) p_q <= p_i;
    other_q <= {other_q[Written-1:0], ~(read_i & first_i)};
  end

  if (Delay == 0) begin : gen_no_digit
    assign s_all = (All+Pending)'(s_i);
  end else begin : gen_digits
    assign s_all = (All+Pending)'({s_i, p_q});
  end

  // A carry of digit i has the weight of digit i + 1.
  for (genvar j = 0; j < All; j++) begin : gen_c
    localparam int Digit = (j - Shift) / DigitBits - 1;
    if (j >= Shift + DigitBits && Digit < Digits && (j - Shift) % DigitBits == 0) begin : gen_carry
      assign c_all[j] = c_i[Digit];
    end else begin : gen_none
      assign c_all[j] = 1'b0;
    end
  end

  assign unused_top = ^{p_q, s_i, c_i, s_all};

  mm_rrm_select #(
    .Word(Word), .Words(Beats)
  ) u_s (
    .clk_i, .other_i(other_q[Beats-1:0]), .words_i(s_all[All-1:0]), .word_o(s_word)
  );

  mm_rrm_select #(
    .Word(Word), .Words(Beats)
  ) u_c (
    .clk_i, .other_i(other_q[Beats-1:0]), .words_i(c_all), .word_o(c_word)
  );

  // ---- READ, cycles 3 and 4

  logic [Word+1:0]     total;
  logic [Word-1:0]     v_q;
  logic [AddrBits-1:0] v_addr_q;
  logic                ripple_q, write_q, unused_low;

  // The carry enters through a bit of its own below the sum.
  assign total      = {1'b0, s_word, 1'b1} + {1'b0, c_word, ripple_q};
  assign unused_low = total[0];

  always_ff @(posedge clk_i) begin
    v_q <= total[Word:1];
    if (!other_q[1+Late]) ripple_q <= 1'b0;
    else                  ripple_q <= total[Word+1];
    write_q <= ~other_q[2+Late] | (write_q & other_q[Written]);
    if (!other_q[2+Late]) v_addr_q <= '0;
    else                  v_addr_q <= v_addr_q + 1'b1;
  end

  assign read_last_o = ~other_q[3+Late];

  // ---- SHOW

  logic [Word-1:0] v_word;

  mm_rrm_memory #(
    .Word(Word), .Words(Beats), .Last(Bits - (Beats - 1) * Word)
  ) u_v (
    .clk_i, .write_i(write_q), .write_addr_i(v_addr_q), .word_i(v_q), .read_addr_i(word_i), .word_o(v_word)
  );

  always_ff @(posedge clk_i) begin
    if (move_i) begin
      if (bare_i) z_o <= '0;
      else        z_o <= v_word;
    end
  end

endmodule

`default_nettype wire
