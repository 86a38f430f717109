// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_exponent: cuts an exponent into digits of Window bits, the most significant bit first.
//
// The exponent has top_i bits in its highest word, last_word_i, and Word in each below. start_i begins with its first
// bit; the last digit has the remaining 1 to Window bits. A word is fetched in the cycle after start_i, then with the
// last bit of the word above it; one bit is taken per cycle, also across words. When valid_o is high, digit_o, size_o
// and last_o (no bit is left) stay until next_i, which requests the next digit.
//
`default_nettype none

module mm_sys_exponent #(
  parameter int Word   = 32,
  parameter int Beats  = 8,
  parameter int Window = 4,
  // Derived, not to be set.
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int TopBits  = $clog2(Word + 1),
  parameter int SizeBits = $clog2(Window + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 start_i,
  input  wire  [BeatBits-1:0] last_word_i,
  input  wire  [TopBits-1:0]  top_i,
  output logic [BeatBits-1:0] beat_o,  // the word that is wanted
  input  wire  [Word-1:0]     word_i,  // in the same cycle
  output logic                valid_o,
  output logic [Window-1:0]   digit_o,
  output logic [SizeBits-1:0] size_o,
  output logic                last_o,
  input  wire                 next_i
);

  localparam int PlaceBits = Word > 1 ? $clog2(Word) : 1;
  localparam logic [PlaceBits-1:0] HighPlace = PlaceBits'(Word - 1);
  localparam logic [SizeBits-1:0]  Full      = SizeBits'(Window);

  logic                 fetch_q;  // the first word is fetched
  logic                 left_q;   // the word has bits left
  logic                 end_q;    // it is the lowest
  logic [Word-1:0]      word_q;
  logic [BeatBits-1:0]  beat_q;
  logic [PlaceBits-1:0] place_q;
  logic [Window-1:0]    digit_q;
  logic [SizeBits-1:0]  size_q;
  logic                 fetch, take, lowest, full;

  assign full   = size_q == Full;
  assign take   = left_q & ~full;
  assign lowest = place_q == '0;
  assign fetch  = fetch_q | (take & lowest & ~end_q);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      beat_q  <= last_word_i;
      place_q <= PlaceBits'(top_i - 1'b1);
    end else begin
      if (fetch) begin
        word_q <= word_i;
        end_q  <= beat_q == '0;
        beat_q <= beat_q - 1'b1;
      end
      if (take) place_q <= lowest ? HighPlace : place_q - 1'b1;
    end
    if (start_i || next_i) begin
      digit_q <= '0;
      size_q  <= '0;
    end else if (take) begin
      digit_q <= Window'({digit_q, word_q[place_q]});
      size_q  <= size_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_q <= 1'b0;
      left_q  <= 1'b0;
    end else begin
      fetch_q <= start_i;
      if (start_i)                      left_q <= 1'b0;
      else if (fetch)                   left_q <= 1'b1;
      else if (take && lowest && end_q) left_q <= 1'b0;
    end
  end

  assign beat_o  = beat_q;
  assign valid_o = full | last_o;
  assign digit_o = digit_q;
  assign size_o  = size_q;
  assign last_o  = ~left_q & ~fetch_q;

endmodule

`default_nettype wire
