// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_fft: FFT/FFT^-1 unit (Dai et al., Section 5.1 and Fig. 4) without the RAM sets: channel switcher,
// N = 2^LogN pipelined butterflies, two Final Stage Operators, channel switcher.
//
//   cycle after the read    what
//   1                       switcher: from the RAM of each digit to its butterfly
//   2 ... 3                 butterfly: shift operators
//   4 ... 5                 with Root2: the Supplemental Block
//   Delay-3, Delay-2        butterfly: addition and subtraction, correction modulo M
//   Delay-1                 switcher: to the RAM of each digit
//
// The Final Stage Operators take their digits in cycle Delay-1 from butterfly 0, which alone computes the last stage of
// an inverse transform: digit n and digit n + P/2 in one cycle, in order. So each operator works on one half of the
// number, and no digits have to be buffered.
// ext_i, w_i and c_i: what else is written to the RAM sets, see mm_fmlm3_butterfly.
//
`default_nettype none

module mm_fmlm3_fft #(
  parameter int Bits   = 64,
  parameter int Grain  = 1,
  parameter int Levels = 6,
  parameter int LogP   = 6,
  parameter int LogN   = 1,
  parameter int Root2  = 0,
  parameter int Digit  = 16,
  // Derived, not to be set.
  parameter int Channels  = 2 << LogN,
  parameter int CarryBits = Bits + 2 - Digit
) (
  input  wire                                clk_i,
  // Digits from the RAM sets and what to do with them.
  input  wire  [Channels*(Bits+1)-1:0]       data_i,
  input  wire  [LogN:0]                      select_i,
  input  wire  [(Levels+1)*Channels/2-1:0]   e1_i,
  input  wire  [Levels:0]                    e0_i,
  input  wire  [1:0]                         root_i,
  // Digits and products on their way to the RAM sets.
  input  wire                                ext_i,
  input  wire                                from_ext_i,
  input  wire  [Channels*(Bits+1)-1:0]       w_i,
  input  wire                                c_i,
  input  wire  [LogN:0]                      write_select_i,
  output logic [Channels*(Bits+1)-1:0]       data_o,
  // The Final Stage Operators.
  input  wire                                final_i,
  input  wire                                nega_i,
  input  wire  [LogP-2:0]                    final_step_i,
  output logic [Digit-1:0]                   low_digit_o,
  output logic [Digit-1:0]                   high_digit_o,
  output logic [CarryBits-1:0]               low_carry_o,
  output logic [CarryBits-1:0]               high_carry_o
);

  localparam int N = 1 << LogN;

  logic [Channels*(Bits+1)-1:0] from, to;
  logic [Channels*(Bits+1)-1:0] from_q;

  mm_fmlm3_switch #(
    .Bits(Bits + 1), .ChannelBits(LogN + 1)
  ) u_from (
    .select_i, .data_i, .data_o(from)
  );

  always_ff @(posedge clk_i) from_q <= from;

  for (genvar k = 0; k < N; k++) begin : gen_butterfly
    // Channels 2k and 2k+1 are digits 2n and 2n+1; results are digit n in channel k, n + P/2 in channel N + k.
    mm_fmlm3_butterfly #(
      .Bits(Bits), .Grain(Grain), .Levels(Levels), .Root2(Root2), .Scale(k == 0 ? 1 : 0)
    ) u_butterfly (
      .clk_i,
      .x0_i(from_q[2*k*(Bits+1)+:Bits+1]), .x1_i(from_q[(2*k+1)*(Bits+1)+:Bits+1]),
      .e0_i, .e1_i(e1_i[k*(Levels+1)+:Levels+1]), .root_i,
      .ext_i, .from_ext_i, .w0_i(w_i[k*(Bits+1)+:Bits+1]), .w1_i(w_i[(N+k)*(Bits+1)+:Bits+1]), .c_i,
      .y0_o(to[k*(Bits+1)+:Bits+1]), .y1_o(to[(N+k)*(Bits+1)+:Bits+1])
    );
  end

  mm_fmlm3_switch #(
    .Bits(Bits + 1), .ChannelBits(LogN + 1)
  ) u_to (
    .select_i(write_select_i), .data_i(to), .data_o
  );

  logic first;

  assign first = final_step_i == '0;

  mm_fmlm3_final #(
    .Bits(Bits), .Digit(Digit), .CountBits(LogP), .Turn(0)
  ) u_final_low (
    .clk_i, .first_i(first), .valid_i(final_i), .turn_i(1'b0), .restrict_i(nega_i),
    .count_i({1'b0, final_step_i}), .a_i(to[Bits:0]), .digit_o(low_digit_o), .carry_o(low_carry_o)
  );

  mm_fmlm3_final #(
    .Bits(Bits), .Digit(Digit), .CountBits(LogP), .Turn(1)
  ) u_final_high (
    .clk_i, .first_i(first), .valid_i(final_i), .turn_i(nega_i), .restrict_i(nega_i),
    .count_i({1'b1, final_step_i}), .a_i(to[N*(Bits+1)+:Bits+1]), .digit_o(high_digit_o), .carry_o(high_carry_o)
  );

endmodule

`default_nettype wire
