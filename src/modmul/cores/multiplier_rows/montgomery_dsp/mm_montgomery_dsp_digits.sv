// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_digits: the digits for the rows of mm_montgomery_dsp: those of x, from a memory of words, and those
// that S drops, when they are due.
//
`default_nettype none

module mm_montgomery_dsp_digits #(
  parameter int Digit  = 18,
  parameter int Lanes  = 2,     // digits in a word
  parameter int XAddr  = 3,     // bits of the number of a word of x
  parameter bit Fold   = 1'b0,  // a step takes several cycles
  parameter int XFan   = 0,     // registers between a digit of x and the blocks
  parameter int SFan   = 0,     // and between S and the blocks
  parameter int Spare  = 0,     // further cycles that a dropped digit waits, where a step takes several
  parameter int Behind = 4,     // cycles from the last step to the last digit behind it
  parameter int QWait  = 0,     // cycles that step 5 waits for it
  // Derived, not to be set.
  parameter int Word     = Lanes * Digit,
  parameter int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1
) (
  input  wire                 clk_i,
  input  wire                 in_load_i,
  input  wire  [XAddr-1:0]    in_beat_i,
  input  wire                 half_in_i,
  input  wire  [Word-1:0]     x_word_i,
  // From the control: the step, and the digit of x for the next one.
  input  wire                 run_i,
  input  wire                 first_i,
  input  wire                 last_i,
  input  wire                 behind_i,
  input  wire                 half_x_i,
  input  wire  [XAddr-1:0]    x_index_i,
  input  wire  [LaneBits-1:0] lane_i,
  input  wire                 x_there_i,
  input  wire  [Digit-1:0]    sum_i,      // the lowest digit of S
  output logic [Digit-1:0]    x_o,
  output logic [Digit-1:0]    s_o,
  output logic                s_first_o,  // where a step takes several cycles: the first one, for a dropped digit
  output logic [Digit-1:0]    q_s_o       // the same digit, for step 5
);

// ---- step 2: digits of x; a word is written the cycle after it came

  logic             in_q, half_in_q;
  logic [XAddr-1:0] in_beat_q;
  logic [Word-1:0]  x_in_q;

  always_ff @(posedge clk_i) begin
    in_q      <= in_load_i;
    half_in_q <= half_in_i;
    in_beat_q <= in_beat_i;
    x_in_q    <= x_word_i;
  end

  logic [Word-1:0] x_word;
  logic [Digit-1:0]        x_digit, x_q;

  mm_word_ram #(
    .Word(Word), .Depth(2 << XAddr)
  ) u_x (
    .clk_i, .write_i(in_q), .write_addr_i({half_in_q, in_beat_q}), .word_i(x_in_q),
    .read_addr_i({half_x_i, x_index_i}), .word_o(x_word)
  );

  assign x_digit = x_word[lane_i*Digit+:Digit];

  always_ff @(posedge clk_i) begin
    if (!run_i || last_i) x_q <= x_there_i ? x_digit : '0;
  end

  mm_delay #(
    .Bits(Digit), .Cycles(XFan)
  ) u_x_fan (
    .clk_i, .d_i(x_q), .q_o(x_o)
  );

  // ---- steps 3 and 4: the dropped digits, Delay steps later

  if (!Fold) begin : gen_at_once
    mm_delay #(
      .Bits(Digit), .Cycles(SFan)
    ) u_s_fan (
      .clk_i, .d_i(sum_i), .q_o(s_o)
    );
    logic unused_first;
    assign unused_first = first_i ^ behind_i;
    assign s_first_o    = 1'b0;
  end else begin : gen_steps
    logic [Digit-1:0] s_dropped, s_q;

    mm_delay #(
      .Bits(Digit), .Cycles(Spare)
    ) u_dropped (
      .clk_i, .d_i(sum_i), .q_o(s_dropped)
    );

    mm_delay #(
      .Bits(1), .Cycles(Behind)
    ) u_s_first (
      .clk_i, .d_i(first_i | behind_i), .q_o(s_first_o)
    );

    always_ff @(posedge clk_i) begin
      if (s_first_o) s_q <= s_dropped;
    end

    mm_delay #(
      .Bits(Digit), .Cycles(SFan - 1)
    ) u_s_fan (
      .clk_i, .d_i(s_q), .q_o(s_o)
    );
  end

  mm_delay #(
    .Bits(Digit), .Cycles(QWait)
  ) u_q_wait (
    .clk_i, .d_i(s_o), .q_o(q_s_o)
  );

endmodule

`default_nettype wire
