// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_plain: numbers without a modulus, for mm_engine: a word of registers a and b a cycle, as the reader gives
// them, and a word of the result a cycle, five cycles later, one more for a digit of four bits, two for one of eight. A
// number is one register, or Parts of them, the lowest first. b and a are 0 above their last word; what does not fit
// into d is dropped.
//    1 ACC    d = a * 2^Digit + digit * b
//    2 PLUS   d = a + b; with choose_i only if chosen_i, otherwise d = a
//    3 MINUS  d = a - b, likewise
//    4 HALF   d = a / 2, or b / 2 if chosen_i
//    5 MOVE   d = a, or b if chosen_i
//
//    1  the words of a and b, near: those of b may come from another lane
//    2  a; b times each bit of the digit, or its complement
//    3  a, shifted; p = digit * b, the parts of step 2 added two by two, a level a cycle, each with its carry
//    4  a + p, with its carry; from there into the register file. Nothing else is written meanwhile: a row that begins
//       one waits for all that do, and those behind it wait while busy_o says so.
// With test_i a flag is set: 1 the carry, the borrow or the bit that is shifted out; 2 whether the result is 0. This is
// known of parts of 8 bits, which stay until the next test: zero_o, with by_zero_o.
//
`default_nettype none

module mm_engine_plain #(
  parameter int Word     = 16,
  parameter int AddrBits = 9,
  parameter int SlotBits = 4,
  parameter int BeatBits = 4,
  parameter int Digit    = 2,  // bits of a digit: 1, 2, 4 or 8; 0: there is no ACC
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
  output logic                 flag_o,
  output logic                 by_zero_o,    // it is zero_o from the next cycle on
  output logic                 zero_o
);

  localparam logic [2:0] Acc   = 3'd1;
  localparam logic [2:0] Minus = 3'd3;
  localparam logic [2:0] Half  = 3'd4;

  if (Digit != 0 && Digit != 1 && Digit != 2 && Digit != 4 && Digit != 8) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_0_1_2_4_or_8 u_illegal ();
  end

  // Levels of the additions of step 3. Node 1 of their tree is p, those below node k are 2k and 2k+1, and the last Most
  // of them are the parts of step 2.
  localparam int Levels = Most > 2 ? $clog2(Most) : 1;

  logic [SlotCount-1:0]         slot_q;
  logic                         acc_q, half_q, minus_q, swap_q, a_long_q, b_long_q, keep_q;
  logic                         near_q, valid_q, valid_p, valid_last_q, upper_q;  // near_q: a word is, in step 1
  logic [Levels:0]              there;  // a word is, at each level
  logic [Levels:1]              there_q;
  logic [Most-1:0]              times_q;
  logic [(2*Most-1)*Word-1:0]   node;
  logic [Word-1:0]              a_word_q, b_word_q, a_in, b_in, a_q, once_q, a_shifted, a_left, a_p, p, total;
  logic                         carry, carry_q, out_bit;

  logic                 b_once, minus;

  assign b_once = ~operation_i[2] & (chosen_i | ~choose_i);  // PLUS and MINUS
  assign minus  = (operation_i == Minus) & b_once;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      slot_q    <= slot_i;
      acc_q     <= operation_i == Acc;
      half_q    <= operation_i == Half;
      minus_q   <= minus;
      swap_q    <= operation_i[2] & chosen_i;
      a_long_q  <= a_long_i;
      b_long_q  <= b_long_i;
      keep_q    <= keep_i;
      times_q   <= operation_i == Acc ? digit_i : Most'(b_once);
    end
  end

  // --- step 1 ---------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) {upper_q, a_word_q, b_word_q} <= {upper_i, a_word_i, b_word_i};

  // --- step 2 ---------------------------------------------------------------------------------------------------
  assign a_in = (swap_q ? b_word_q : a_word_q) & {Word{~upper_q | a_long_q}};
  assign b_in = b_word_q & {Word{~upper_q | b_long_q}};

  always_ff @(posedge clk_i) begin
    a_q    <= a_in;
    once_q <= (b_in & {Word{times_q[0]}}) ^ {Word{minus_q}};
  end

  // --- step 3: digits from the words before come in at the bottom -----------------------------------------------
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
    assign below  = near_q & a_in[0];  // of the next word, which there is but behind the last one
    assign a_down = Word'({below, a_q} >> 1);
    // The bit that is shifted out is that of the first word.
    always_ff @(posedge clk_i) begin
      if (valid_q && !there_q[1]) below_q <= a_q[0];
    end
    assign out_bit = below_q;
  end else begin : gen_no_down
    assign a_down  = a_q;
    assign out_bit = 1'b0;
  end

  assign a_shifted = half_q ? a_down : a_left;
  assign a_left    = acc_q ? a_up : a_q;

  assign node[(Most-1)*Word +: Word] = once_q;

  if (Most > 1) begin : gen_tree
    logic [Most-2:0] above_q;

    assign p = node[Word-1:0];

    always_ff @(posedge clk_i) begin
      if (start_i)     above_q <= '0;
      else if (near_q) above_q <= b_in[Word-1 -: Most-1];
    end

    for (genvar place = 1; place < Most; place++) begin : gen_part
      logic [Word-1:0] part_q;

      assign node[(Most+place-1)*Word +: Word] = part_q;

      always_ff @(posedge clk_i) part_q <= Word'({b_in, above_q[Most-2 -: place]}) & {Word{times_q[place]}};
    end

    for (genvar at = 1; at < Most; at++) begin : gen_node
      localparam int Below = Levels - $clog2(at + 1);  // the level of the two that it adds
      logic [Word-1:0] sum, sum_q;
      logic            more, more_q;

      assign {more, sum} = {1'b0, node[(2*at-1)*Word +: Word]} + {1'b0, node[2*at*Word +: Word]}
                         + {{Word{1'b0}}, more_q};
      assign node[(at-1)*Word +: Word] = sum_q;

      always_ff @(posedge clk_i) begin
        sum_q <= sum;
        if (start_i)           more_q <= 1'b0;
        else if (there[Below]) more_q <= more;
      end
    end
  end else begin : gen_once
    logic [Word-1:0] part_q;

    assign p = part_q;

    always_ff @(posedge clk_i) part_q <= node;
  end

  mm_delay #(
    .Bits(Word), .Cycles(Levels)
  ) u_a (
    .clk_i, .d_i(a_shifted), .q_o(a_p)
  );

  assign there   = {there_q, valid_q};
  assign valid_p = there[Levels];
  assign busy_o  = near_q | (|there);

  // --- step 4 ---------------------------------------------------------------------------------------------------
  assign {carry, total} = {1'b0, a_p} + {1'b0, p} + {{Word{1'b0}}, carry_q};

  always_ff @(posedge clk_i) begin
    if (start_i)      carry_q <= minus;
    else if (valid_p) carry_q <= carry;
    word_o <= total;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      near_q       <= 1'b0;
      valid_q      <= 1'b0;
      there_q      <= '0;
      valid_last_q <= 1'b0;
      write_o      <= 1'b0;
    end else begin
      near_q       <= valid_i;
      valid_q      <= near_q;
      there_q      <= there[Levels-1:0];
      valid_last_q <= valid_p;
      write_o      <= valid_p & keep_q;
    end
  end

  // --- where the words go ---------------------------------------------------------------------------------------
  localparam int PartBits = $clog2(Parts);
  logic [BeatBits-1:0] beat_q;
  logic [PartBits-1:0] part_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      beat_q <= '0;
      part_q <= '0;
    end else if (valid_last_q) begin
      beat_q <= beat_q == last_beat_i ? '0 : beat_q + 1'b1;
      if (beat_q == last_beat_i) part_q <= part_q + 1'b1;
    end
  end

  // The parts of a long register are behind each other, from a place on that 2 or 4 divides.
  assign addr_o = (AddrBits'(slot_q | SlotCount'(part_q)) << SlotBits) | AddrBits'(beat_q);

  // --- the flag -------------------------------------------------------------------------------------------------
  if (Flags != 0) begin : gen_flag
    localparam int Octets = (Word + 7) / 8;
    logic [1:0]          test_q;
    logic [8*Octets-1:0] octets;
    logic [Octets-1:0]   some_q;

    assign octets       = (8*Octets)'(word_o);
    assign flag_write_o = valid_last_q & ~valid_p & (test_q != '0);
    assign flag_o       = half_q ? out_bit : carry_q ^ minus_q;
    assign by_zero_o    = test_q[1];
    assign zero_o       = ~|some_q;

    always_ff @(posedge clk_i) begin
      if (start_i) test_q <= test_i;
    end

    for (genvar place = 0; place < Octets; place++) begin : gen_octet
      always_ff @(posedge clk_i) begin
        if (start_i && test_i[1])            some_q[place] <= 1'b0;
        else if (valid_last_q && test_q[1]) some_q[place] <= some_q[place] | (|octets[8*place +: 8]);
      end
    end
  end else begin : gen_no_flag
    logic unused_flag;
    assign flag_write_o = 1'b0;
    assign flag_o       = 1'b0;
    assign by_zero_o    = 1'b0;
    assign zero_o       = 1'b0;
    assign unused_flag  = ^{test_i, out_bit, minus_q, carry_q};
  end

endmodule

`default_nettype wire
