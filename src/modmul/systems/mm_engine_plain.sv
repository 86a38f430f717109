// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_plain: numbers without a modulus, for mm_engine: a word of registers a and b a cycle, as the reader gives
// them, and a word of the result a cycle, four cycles later, or five if Digit is 4. A number is one register, or Parts
// of them, the lowest first. b and a are 0 above their last word; what does not fit into d is dropped.
//    1 ACC    d = a * 2^Digit + digit * b
//    2 PLUS   d = a + b; with choose_i only if chosen_i, otherwise d = a
//    3 MINUS  d = a - b, likewise
//    4 HALF   d = a / 2, or b / 2 if chosen_i
//    5 MOVE   d = a, or b if chosen_i
//
//    1  a; b times each bit of the digit, or its complement
//    2  a, shifted; p = digit * b, with its carry; a digit of four bits in two halves, which a further step adds
//    3  a + p, with its carry; from there into the register file. Nothing else is written meanwhile: a row that begins
//       one waits for all that do, and those behind it wait while busy_o says so.
// With test_i a flag is set: 1 the carry, the borrow or the bit that is shifted out; 2 whether the result is 0.
//
`default_nettype none

module mm_engine_plain #(
  parameter int Word     = 16,
  parameter int AddrBits = 9,
  parameter int SlotBits = 4,
  parameter int BeatBits = 4,
  parameter int Digit    = 2,  // bits of a digit: 1, 2 or 4; 0: there is no ACC
  parameter int Halves   = 0,  // 1: there is HALF
  parameter int Flags    = 0,  // 1: there is test_i
  parameter int Parts    = 2,  // registers of a long number: 2 to 4
  // Derived, not to be set.
  parameter int SlotCount = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1,
  parameter int Most      = Digit > 1 ? Digit : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [BeatBits-1:0]  last_beat_i,
  // A row.
  input  wire                  start_i,
  input  wire  [2:0]           operation_i,
  input  wire                  a_long_i,
  input  wire                  b_long_i,
  input  wire  [1:0]           test_i,
  input  wire                  keep_i,       // the result is written
  input  wire  [SlotCount-1:0] slot_i,
  input  wire                  choose_i,
  input  wire                  chosen_i,
  input  wire  [Most-1:0]      digit_i,
  output logic                 busy_o,       // what is read now may be older than the result
  // Words of a and b, one a cycle.
  input  wire                  valid_i,
  input  wire                  upper_i,      // of a register behind the first
  input  wire  [Word-1:0]      a_word_i,
  input  wire  [Word-1:0]      b_word_i,
  // Words of the result.
  output logic                 write_o,
  output logic [AddrBits-1:0]  addr_o,
  output logic [Word-1:0]      word_o,
  output logic                 flag_write_o,
  output logic                 flag_o
);

  localparam logic [2:0] Acc   = 3'd1;
  localparam logic [2:0] Minus = 3'd3;
  localparam logic [2:0] Half  = 3'd4;

  if (Digit != 0 && Digit != 1 && Digit != 2 && Digit != 4) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_0_1_2_or_4 u_illegal ();
  end

  logic [SlotCount-1:0] slot_q;
  logic                 acc_q, half_q, minus_q, swap_q, a_long_q, b_long_q, keep_q;
  logic                 valid_q, valid_q2, valid_p, valid_q3;
  logic [Most-1:0]      times_q;
  logic [Word-1:0]      a_in, b_in, a_q, once_q, a_shifted, a_q2, a_left, low, low_q, a_p, p, total;
  logic                 low_carry, low_carry_q, carry, carry_q, out_bit;

  logic                 b_once, minus;

  assign b_once = ~operation_i[2] & (chosen_i | ~choose_i);  // PLUS and MINUS
  assign minus  = (operation_i == Minus) & b_once;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      slot_q    <= slot_i;
      acc_q     <= operation_i == Acc;
      half_q    <= operation_i == Half;
      minus_q   <= minus;
      swap_q <= operation_i[2] & chosen_i;
      a_long_q  <= a_long_i;
      b_long_q  <= b_long_i;
      keep_q    <= keep_i;
      times_q   <= operation_i == Acc ? digit_i : Most'(b_once);
    end
  end

  // --- step 1 ---------------------------------------------------------------------------------------------------
  assign a_in = (swap_q ? b_word_i : a_word_i) & {Word{~upper_i | a_long_q}};
  assign b_in = b_word_i & {Word{~upper_i | b_long_q}};

  always_ff @(posedge clk_i) begin
    a_q    <= a_in;
    once_q <= (b_in & {Word{times_q[0]}}) ^ {Word{minus_q}};
  end

  // --- step 2: digits from the words before come in at the bottom -----------------------------------------------
  logic [Word-1:0] a_up, a_down;

  if (Digit != 0) begin : gen_up
    logic [Digit-1:0] above_q;

    assign a_up = Word'({a_q, above_q});

    always_ff @(posedge clk_i) begin
      if (start_i)      above_q <= '0;
      else if (valid_q) above_q <= a_q[Word-1 -: Digit];
    end
  end else begin : gen_no_up
    assign a_up = a_q;
  end

  if (Halves != 0) begin : gen_down
    logic below_q, below;
    assign below  = valid_i & a_in[0];  // of the next word, which there is but behind the last one
    assign a_down = Word'({below, a_q} >> 1);
    // The bit that is shifted out is that of the first word.
    always_ff @(posedge clk_i) begin
      if (valid_q && !valid_q2) below_q <= a_q[0];
    end
    assign out_bit = below_q;
  end else begin : gen_no_down
    assign a_down  = a_q;
    assign out_bit = 1'b0;
  end

  assign a_shifted = half_q ? a_down : a_left;
  assign a_left    = acc_q ? a_up : a_q;

  if (Digit > 1) begin : gen_twice
    logic            above_q;
    logic [Word-1:0] twice_q;

    assign {low_carry, low} = {1'b0, once_q} + {1'b0, twice_q} + {{Word{1'b0}}, low_carry_q};

    always_ff @(posedge clk_i) begin
      twice_q <= Word'({b_in, above_q}) & {Word{times_q[1]}};
      if (start_i)      above_q <= 1'b0;
      else if (valid_i) above_q <= b_in[Word-1];
    end
  end else begin : gen_once
    assign {low_carry, low} = {1'b0, once_q};
  end

  always_ff @(posedge clk_i) begin
    a_q2  <= a_shifted;
    low_q <= low;
    if (start_i)      low_carry_q <= 1'b0;
    else if (valid_q) low_carry_q <= low_carry;
  end

  if (Digit == 4) begin : gen_four
    logic [2:0]      above_q;
    logic [Word-1:0] fours_q, eights_q, high, high_q, a_q3, both, p_q;
    logic            high_carry, high_carry_q, both_carry, both_carry_q, valid_p_q;

    assign {high_carry, high} = {1'b0, fours_q} + {1'b0, eights_q} + {{Word{1'b0}}, high_carry_q};
    assign {both_carry, both} = {1'b0, low_q} + {1'b0, high_q} + {{Word{1'b0}}, both_carry_q};

    always_ff @(posedge clk_i) begin
      fours_q  <= Word'({b_in, above_q[2:1]}) & {Word{times_q[2]}};
      eights_q <= Word'({b_in, above_q}) & {Word{times_q[3]}};
      high_q   <= high;
      a_q3     <= a_q2;
      p_q      <= both;
      if (start_i) begin
        above_q      <= '0;
        high_carry_q <= 1'b0;
        both_carry_q <= 1'b0;
      end else begin
        if (valid_i)  above_q      <= b_in[Word-1 -: 3];
        if (valid_q)  high_carry_q <= high_carry;
        if (valid_q2) both_carry_q <= both_carry;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_p_q <= 1'b0;
      else         valid_p_q <= valid_q2;
    end

    assign p       = p_q;
    assign a_p     = a_q3;
    assign valid_p = valid_p_q;
    assign busy_o  = valid_q | valid_q2 | valid_p_q;
  end else begin : gen_not_four
    assign p       = low_q;
    assign a_p     = a_q2;
    assign valid_p = valid_q2;
    assign busy_o  = valid_q | valid_q2;
  end

  // --- step 3 ---------------------------------------------------------------------------------------------------
  assign {carry, total} = {1'b0, a_p} + {1'b0, p} + {{Word{1'b0}}, carry_q};

  always_ff @(posedge clk_i) begin
    if (start_i)      carry_q <= minus;
    else if (valid_p) carry_q <= carry;
    word_o <= total;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
    end else begin
      valid_q  <= valid_i;
      valid_q2 <= valid_q;
      valid_q3 <= valid_p;
    end
  end

  assign write_o = valid_q3 & keep_q;

  // --- where the words go ---------------------------------------------------------------------------------------
  localparam int PartBits = $clog2(Parts);
  logic [BeatBits-1:0] beat_q;
  logic [PartBits-1:0] part_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      beat_q <= '0;
      part_q <= '0;
    end else if (valid_q3) begin
      beat_q <= beat_q == last_beat_i ? '0 : beat_q + 1'b1;
      if (beat_q == last_beat_i) part_q <= part_q + 1'b1;
    end
  end

  // The parts of a long register are behind each other, from a place on that 2 or 4 divides.
  assign addr_o = (AddrBits'(slot_q | SlotCount'(part_q)) << SlotBits) | AddrBits'(beat_q);

  // --- the flag -------------------------------------------------------------------------------------------------
  if (Flags != 0) begin : gen_flag
    logic [1:0] test_q;
    logic       some_q, some;

    assign some         = some_q | (word_o != '0);
    assign flag_write_o = valid_q3 & ~valid_p & (test_q != '0);
    assign flag_o       = test_q[1] ? ~some : half_q ? out_bit : carry_q ^ minus_q;

    always_ff @(posedge clk_i) begin
      if (start_i) test_q <= test_i;
      if (start_i)       some_q <= 1'b0;
      else if (valid_q3) some_q <= some;
    end
  end else begin : gen_no_flag
    logic unused_flag;
    assign flag_write_o = 1'b0;
    assign flag_o       = 1'b0;
    assign unused_flag  = ^{test_i, out_bit, minus_q, carry_q};
  end

endmodule

`default_nettype wire
