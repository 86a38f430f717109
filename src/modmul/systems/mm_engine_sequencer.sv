// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_sequencer: the program of mm_engine, a row after the other. A row, least significant bit first:
//   3  operation   0 MUL   a feed to the core
//                  1 OUT   a feed to the result port; the program ends with its last word
//                  2 SCAN  begins a scan of the table for the entry of the digit, to register d
//                  3 BITS  takes bits of the exponent into the digit, from the top: a of them, or those of the header
//                          for a = 0. With write: bits come from register a from now on, from its last word on, or
//                          from word target with choose[0]; or from the exponent again with choose[1]. Of a long
//                          register it is the part to begin with, and those below come behind it. The next BITS
//                          of 2, 4 or 8 takes fewer, so that those behind it come out even
//                  4 LOOP  while rounds are left: takes one off, turns the phase, goes to row target
//                  5 JUMP  goes to row target
//                  6 SUM   begins a sum of registers a and b, to register d; x = 1: a difference, x = 2: 2 a; y: a test
//                          of it; x = 3: a plain sum
//                  7 REPEAT as long as it has not been here {a, write, square, choose, y, x} times: goes to row target;
//                          with Counts, and the top bit of a set, as often as count a of the header says
//   3  pending     the row waits until no more results than this are still to begin to come
//   1  quiet       it waits until the reader is idle; a feed, until what it reads has been addressed
//   2  x, 2  y     where words come from (mm_engine_feed)
//   2  choose      b in place of a: 0 never, 1 if the last two bits of the digit differ, 2 if the last is 1, 3 by the
//                  flag
//   1  square      in OUT: the number is released by the flag
//   1  write       in JUMP: the rows that run on a context end here
//   a, b, d        registers of SlotCount + 1 bits: with the top bit set the phase is added to the slot, modulo 2.
//                  {d, b} is the target of LOOP, REPEAT and JUMP.
//   1  cross       with several Lanes: in SUM, b is the register of the lane behind
//   1  settled     with Sums: it waits until no word of a sum is still to be written
//   8  plain       with Plain: of SUM with x = 3, what mm_engine_plain does; whether a, b are long numbers; its test;
//                  whether d is long; in OUT and BITS, whether a is
// A row takes a cycle to be fetched and two to begin, and the next is fetched then, or with Lanes = 0 in the second of
// these two if it is the one behind, and as the last bit is taken: the feed, the reader and the units
// for sums know what they have to do, and go on. There is no other way to go on than these: no data of registers,
// and no digit, decides on a row. With Ahead, for long programs, rows are in tables of 16, so that a bit of each is
// one LUT: the row of its table is read into a register, 0 of all others, and fetched in the next cycle; behind a row
// that goes to another, and at the beginning, this takes a cycle more (TURN). With Ahead = 2 the OR of all tables has a
// register, too: a row that goes to another reads it at once, and so takes no longer. With several Lanes a start is
// heard a cycle later, and so is that a result has come.
//
// With Shadow the program is not here: rows_i is what another sequencer reads. It does the same as that one, in
// registers of its own, so whoever compares the two finds faults in either.
//
`default_nettype none

module mm_engine_sequencer #(
  parameter int Word      = 16,
  parameter int InBits    = 4,
  parameter int FirstBits = 5,
  parameter int RoundBits = 9,
  parameter int SlotCount = 5,
  parameter int Rows      = 1,
  parameter int Sums      = 0,      // 1: there is SUM
  parameter int Flags     = 0,      // 1: there is a flag
  parameter int Lanes     = 1,      // 0: of mm_engine_whole
  parameter int Ahead     = 0,      // registers between the tables and the fetch: 0 to 2
  parameter int Repeats   = 0,      // bits of the counter of REPEAT; 0: there is none
  parameter int Counts    = 0,      // counts of the header
  parameter int Plain     = 0,      // 1: there are plain sums, and long numbers, of several registers
  parameter int Parts     = 2,      // which they are
  parameter int Sources   = 0,      // 1: bits come from any register
  parameter int BeatBits  = 4,
  parameter int YSlot     = 0,
  parameter int Entry     = 0,      // the row to begin with, if entry_i is high at the first operand beat
  parameter int Setup     = 0,      // the row to begin with on a context
  parameter int SetupBits = 0,      // of the rounds of the rows from there on; 0: there are none
  parameter     Program   = 0,
  parameter int Shadow    = 0,      // 1: rows come in rows_i
  // Derived, not to be set.
  parameter int CountsBits = Counts > 0 ? Counts * Repeats : 1,
  parameter int MostBits   = SetupBits > 1 ? SetupBits : 1,
  parameter int RegBits    = SlotCount + 1,
  parameter int LowBits    = 15 + 3 * RegBits,
  parameter int MidBits    = LowBits + (Lanes > 1 ? 1 : 0) + (Sums != 0 ? 1 : 0),
  parameter int RowBits    = MidBits + (Plain != 0 ? 8 : 0),
  parameter int LeastRows  = Ahead != 0 ? 32 : 2,
  parameter int PcBits     = $clog2(Rows > LeastRows ? Rows : LeastRows),
  parameter int Tables     = Ahead != 0 ? 1 << (PcBits - 4) : 1,
  parameter int ReadBits   = Tables * RowBits
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  start_i,
  input  wire                  entry_i,
  input  wire                  setup_i,
  output logic                 idle_o,
  output logic                 ending_o,  // idle from the next cycle on
  // From the context.
  input  wire  [InBits-1:0]    last_exp_i,
  input  wire  [FirstBits-1:0] bits_i,
  input  wire  [RoundBits-1:0] rounds_i,
  input  wire  [MostBits-1:0]  setup_rounds_i,
  input  wire  [BeatBits-1:0]  last_beat_i,
  input  wire  [CountsBits-1:0] counts_i,   // one less than each
  // The feed.
  output logic                 feed_start_o,
  output logic                 feed_out_o,
  output logic [1:0]           feed_x_o,
  output logic [1:0]           feed_y_o,
  output logic [1:0]           choose_o,    // mm_engine_digit
  output logic                 feed_square_o,
  output logic                 feed_write_o,
  output logic [SlotCount-1:0] feed_slot_o,
  input  wire                  feed_busy_i,
  input  wire                  feed_done_i,
  input  wire  [2:0]           pending_i,
  input  wire                  come_i,      // with several lanes in place of pending_i
  input  wire                  coming_i,
  // The reader.
  output logic                 read_feed_o,
  output logic                 read_single_o,
  output logic                 read_scan_o,
  output logic                 read_sum_o,
  output logic                 read_plain_o,
  output logic                 long_o,
  output logic [6:0]           plain_o,     // mm_engine_plain: test, b_long, a_long, operation
  output logic [SlotCount-1:0] a_slot_o,
  output logic [SlotCount-1:0] b_slot_o,
  output logic                 cross_o,     // b of a sum is that of the lane behind
  output logic [SlotCount-1:0] exp_slot_o,
  output logic [InBits-1:0]    exp_beat_o,
  input  wire                  read_busy_i,
  input  wire                  read_sum_busy_i,
  input  wire                  sum_busy_i,
  output logic                 release_o,   // a number is released by the flag, or not
  // The digit.
  output logic                 digit_clear_o,
  output logic                 digit_take_o,  // the next bit
  input  wire                  single_i,      // a word of the exponent is there
  // Rows.
  output logic [PcBits-1:0]    pc_o,          // the next one
  output logic [ReadBits-1:0]  rows_o,        // what is read for it
  input  wire  [ReadBits-1:0]  rows_i
);

  localparam int Quick    = Lanes == 0 ? 1 : 0;  // a row is fetched while the one before begins
  localparam int LeftBits = $clog2(Word + 1);
  localparam int TurnBits = SetupBits > RoundBits ? SetupBits : RoundBits;

  localparam logic [2:0] Scan  = 3'd2;
  localparam logic [2:0] Bits  = 3'd3;
  localparam logic [2:0] Loop  = 3'd4;
  localparam logic [2:0] Jump  = 3'd5;
  localparam logic [2:0] Sum   = 3'd6;
  localparam logic [2:0] Again = 3'd7;

  typedef enum logic [2:0] {IDLE, TURN, FETCH, EXEC, FEED, TAKE} state_e;

  // --- the program --------------------------------------------------------------------------------------------
  logic [PcBits-1:0]   pc_q, pc_next;
  logic [ReadBits-1:0] read;
  logic [RowBits-1:0]  row, row_q;

  // One more, without a carry chain: synthesis would take its sums for the rows, which makes them late.
  assign pc_next[0] = ~pc_q[0];
  for (genvar place = 1; place < PcBits; place++) begin : gen_next
    assign pc_next[place] = pc_q[place] ^ (&pc_q[place-1:0]);
  end

  if (Shadow == 0) begin : gen_rows
    localparam int IndexBits = PcBits - $clog2(Tables);
    localparam int PartBits  = RowBits << IndexBits;
    localparam logic [Tables*PartBits-1:0] Text = (Tables*PartBits)'(Program);
    logic unused_rows;

    for (genvar part = 0; part < (Ahead > 1 ? 0 : Tables); part++) begin : gen_part
      (* keep_hierarchy = Ahead > 0 *)  // synthesis makes one bit of others, of the same or another table, if it may
      mm_engine_rows #(
        .RowBits(RowBits),
        .IndexBits(IndexBits),
        .Text(Text[part*PartBits +: PartBits])
      ) u_rows (
        .index_i(pc_q[IndexBits-1:0]), .row_o(read[part*RowBits +: RowBits])
      );
    end

    assign unused_rows = ^rows_i;
  end else begin : gen_shadow
    assign read = rows_i;
  end

  assign pc_o   = pc_q;
  assign rows_o = read;

  if (Ahead == 1) begin : gen_ahead
    logic [ReadBits-1:0] read_q;  // all 0 but for one table

    always_ff @(posedge clk_i) begin
      for (int part = 0; part < Tables; part++) begin
        if (pc_q[PcBits-1:4] == (PcBits-4)'(part)) read_q[part*RowBits +: RowBits] <= read[part*RowBits +: RowBits];
        else                                       read_q[part*RowBits +: RowBits] <= '0;
      end
    end

    always_comb begin
      row = '0;
      for (int part = 0; part < Tables; part++) row |= read_q[part*RowBits +: RowBits];
    end
  end else if (Ahead == 0) begin : gen_at_once
    assign row = read;
  end

  logic [2:0]           operation, most, pending;
  logic                 quiet, settled, may;
  logic [RegBits-1:0]   a, b, d;
  logic [2*RegBits-1:0] target;
  logic                 unused_target;

  // What kind of row it is.
  logic feeds_q, scans_q, takes_q, loops_q, jumps_q, ready_q, sums_q, agains_q, plains_q;
  logic behind, alone;  // it waits until the feed is idle; until no words of results come

  assign {d, b, a, feed_write_o, feed_square_o, choose_o, feed_y_o, feed_x_o, quiet, most, operation} =
    row_q[LowBits-1:0];

  if (Sums != 0) begin : gen_settled
    assign settled = row_q[MidBits-1];
  end else begin : gen_no_sums
    assign settled = 1'b0;
  end

  if (Lanes > 1) begin : gen_cross
    assign cross_o = row_q[LowBits];
  end else begin : gen_no_cross
    assign cross_o = 1'b0;
  end

  if (Plain != 0) begin : gen_plain
    logic plain_q;
    assign {long_o, plain_o} = row_q[RowBits-1:MidBits];
    assign read_plain_o      = plain_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) plain_q <= 1'b0;
      else         plain_q <= may & plains_q;
    end
  end else begin : gen_no_plain
    assign {long_o, plain_o} = 8'd0;
    assign read_plain_o      = 1'b0;
  end

  assign behind        = ~operation[2] | plains_q;  // MUL, OUT, SCAN, BITS
  assign alone         = scans_q | plains_q | ready_q;
  assign target        = {d, b};
  assign unused_target = ^target;

  // --- rows ---------------------------------------------------------------------------------------------------
  state_e               state_q;
  logic                 go, exec_q, may_q, turn_q, phase_q, more_q, take, ask_q, asked;
  logic                 feed_q, read_q, scan_q, sum_q, again, rewind, start, started, setup;
  logic                 read_busy, read_sum_busy, sum_busy, feed_busy, coming;
  logic [TurnBits-1:0]  rounds_q;
  logic [FirstBits-1:0] bits_q, begin_q;
  logic [FirstBits-1:0] fewer;
  logic [LeftBits-1:0]  left_q;
  logic                 some_q, any_q, begin_some_q;  // bits to take; bits left in the word
  logic [InBits-1:0]    exp_beat_q;

  // What a row waits for has happened in the cycle before. exec_q: it waits.
  assign may = exec_q & (pending <= most) & ~(quiet & (read_busy | (~feeds_q & read_sum_busy)))
             & ~(behind & feed_busy) & ~(settled & sum_busy) & ~(alone & coming);
  assign go    = may_q;
  // A start comes from the port's handshake, which with several lanes is far away: it is heard a cycle later.
  if (Lanes > 1) begin : gen_started
    logic start_q;
    assign start   = start_q;
    assign started = start_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) start_q <= 1'b0;
      else         start_q <= start_i;
    end
  end else begin : gen_start
    assign start   = start_i;
    assign started = 1'b0;
  end

  assign setup = (SetupBits != 0) & setup_i;
  assign take  = (state_q == TAKE) & some_q & any_q;

  assign idle_o        = (state_q == IDLE) & ~started;
  assign ending_o      = (state_q == FEED) & feed_done_i;
  assign feed_start_o  = feed_q;
  assign feed_out_o    = operation[0];  // of a feed
  assign release_o     = (Flags != 0) & feed_q & feed_out_o & feed_square_o;
  assign digit_clear_o = idle_o | (go & rewind);
  assign digit_take_o  = take;
  assign feed_slot_o   = {d[SlotCount-1:1], d[0] ^ (d[SlotCount] & phase_q)};
  assign a_slot_o      = {a[SlotCount-1:1], a[0] ^ (a[SlotCount] & phase_q)};
  assign b_slot_o      = {b[SlotCount-1:1], b[0] ^ (b[SlotCount] & phase_q)};
  assign read_feed_o   = read_q & feed_q;  // it never comes alone
  assign read_single_o = ask_q;
  assign read_scan_o   = scan_q;
  assign read_sum_o    = sum_q;
  assign exp_beat_o    = exp_beat_q;

  // --- the counter of REPEAT: 0 outside of its rows -----------------------------------------------------------
  if (Repeats != 0) begin : gen_repeats
    localparam int CountBits = RegBits + 8;
    logic [CountBits-1:0] times;
    logic [Repeats-1:0]   repeats_q, most_times;
    logic                 unused_times;

    assign times        = {a, feed_write_o, feed_square_o, choose_o, feed_y_o, feed_x_o};
    assign unused_times = ^times;
    assign again        = agains_q & (repeats_q != most_times);

    if (Counts != 0) begin : gen_counts
      // Chosen while the row is fetched.
      localparam int TimesAt = 7;
      logic [CountBits-1:0] next_times;
      logic [RegBits-1:0]   next_a;
      logic                 unused_row;
      logic [Repeats-1:0]   known, known_q;

      assign next_times = row[TimesAt +: CountBits];
      assign next_a     = next_times[CountBits-1:8];
      assign most_times = known_q;
      assign unused_row = ^next_times;

      always_comb begin
        known = Repeats'(next_times);
        for (int each = 0; each < Counts; each++) begin
          if (next_a == (RegBits'(1) << SlotCount | RegBits'(each))) known = counts_i[each*Repeats +: Repeats];
        end
      end

      always_ff @(posedge clk_i) begin
        if (state_q == FETCH) known_q <= known;
      end
    end else begin : gen_no_counts
      logic unused_counts;
      assign most_times    = Repeats'(times);
      assign unused_counts = ^counts_i;
    end

    always_ff @(posedge clk_i) begin
      if (state_q == IDLE)                 repeats_q <= '0;
      else if (go && agains_q) repeats_q <= turn_q ? repeats_q + 1'b1 : '0;
    end
  end else begin : gen_no_repeats
    logic unused_counts;
    assign again         = 1'b0;
    assign unused_counts = ^{counts_i, agains_q};
  end

  // With several lanes the reader is told a cycle later, and heard of a cycle later: until then, what has begun counts.
  // Any row but one that goes to another waits for one of these two.
  if (Lanes > 1) begin : gen_far
    logic       read_busy_q, read_sum_busy_q, sum_busy_q, feed_busy_q, coming_q, ask_q2, ask_q3, begun_q, begun_q2;
    logic       come_q, begins, unused_pending;
    logic [2:0] pending_q;
    assign pending        = pending_q;
    assign asked          = ask_q2 | ask_q3;
    assign read_busy      = read_busy_q;
    assign read_sum_busy  = read_sum_busy_q | begun_q2;
    assign sum_busy       = sum_busy_q;
    assign feed_busy      = feed_busy_q | begun_q2;
    assign coming         = coming_q;
    assign begins         = feed_q & ~feed_out_o;
    assign unused_pending = ^pending_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        pending_q                      <= '0;
        {read_busy_q, read_sum_busy_q} <= 2'b00;
        {sum_busy_q, feed_busy_q}      <= 2'b00;
        {come_q, coming_q}             <= 2'b00;
        {ask_q2, ask_q3}               <= 2'b00;
        {begun_q, begun_q2}            <= 2'b00;
      end else begin
        if (begins != come_q) pending_q <= come_q ? pending_q - 1'b1 : pending_q + 1'b1;
        {read_busy_q, read_sum_busy_q} <= {read_busy_i, read_sum_busy_i};
        {sum_busy_q, feed_busy_q}      <= {sum_busy_i, feed_busy_i};
        {come_q, coming_q}             <= {come_i, coming_i};
        {ask_q2, ask_q3}               <= {ask_q, ask_q2};
        {begun_q, begun_q2}            <= {feed_q | scan_q | sum_q | read_plain_o, begun_q};
      end
    end
  end else begin : gen_near
    logic unused_come;
    assign pending       = pending_i;
    assign asked         = 1'b0;
    assign read_busy     = read_busy_i;
    assign read_sum_busy = read_sum_busy_i;
    assign sum_busy      = sum_busy_i;
    assign feed_busy     = feed_busy_i;
    assign coming        = coming_i;
    assign unused_come   = come_i;
  end

  // --- where bits come from -----------------------------------------------------------------------------------
  if (Sources != 0) begin : gen_sources
    localparam int PartBits = $clog2(Parts);
    logic [SlotCount-1:0] slot_q;
    logic                 exponent_q, rewind_q;

    if (Word % 8 != 0) begin : gen_uneven
      // Of all words modulo 8; of a long register each part below has a number's.
      logic [2:0] first_words, below, words, over, over_q;
      logic       unused_over;

      // A sum, since synthesis takes a multiplier block for a product.
      function automatic logic [2:0] times(input logic [2:0] factor, input logic [2:0] number);
        times = ({3{factor[0]}} & number) + {{2{factor[1]}} & number[1:0], 1'b0} + {factor[2] & number[0], 2'b00};
      endfunction

      assign first_words = (choose_o[0] ? 3'(target) : 3'(last_beat_i)) + 3'd1;
      assign below       = {3{long_o}} & 3'(a[PartBits-1:0]);
      assign words       = first_words + times(below, 3'(last_beat_i) + 3'd1);
      assign over        = 3'd0 - times(3'(Word % 8), words);

      assign fewer       = 32'(a) == 32'd8 ? FirstBits'(over_q)
                         : 32'(a) == 32'd4 ? FirstBits'(over_q[1:0])
                         : 32'(a) == 32'd2 ? FirstBits'(over_q[0]) : '0;
      assign unused_over = ^over_q;

      always_ff @(posedge clk_i) begin
        if (state_q == IDLE)                over_q <= '0;
        else if (go && takes_q)             over_q <= over & {3{rewind & ~choose_o[1]}};
      end
    end else begin : gen_even
      assign fewer = '0;
    end

    // A row is there a cycle before it begins.
    always_ff @(posedge clk_i) rewind_q <= (operation == Bits) & feed_write_o;

    assign rewind = rewind_q;

    assign exp_slot_o = slot_q;

    always_ff @(posedge clk_i) begin
      if (state_q == IDLE) begin
        slot_q     <= SlotCount'(YSlot);
        exponent_q <= 1'b1;
        exp_beat_q <= last_exp_i;
      end else if (go && rewind) begin
        slot_q     <= a[SlotCount-1:0];
        exponent_q <= choose_o[1];
        exp_beat_q <= choose_o[1] ? last_exp_i : choose_o[0] ? InBits'(target) : InBits'(last_beat_i);
      end else if (ask_q) begin
        // Below the upper part of a number is a lower one.
        if (exp_beat_q == '0 && !exponent_q) begin
          exp_beat_q <= InBits'(last_beat_i);
          slot_q[PartBits-1:0] <= Parts == 2 ? '0 : slot_q[PartBits-1:0] - 1'b1;
        end else begin
          exp_beat_q <= exp_beat_q - 1'b1;
        end
      end
    end
  end else begin : gen_exponent
    logic unused_beat;
    assign rewind      = 1'b0;
    assign fewer       = '0;
    assign exp_slot_o  = '0;
    assign unused_beat = ^{last_beat_i, operation[1]};

    always_ff @(posedge clk_i) begin
      if (state_q == IDLE) exp_beat_q <= last_exp_i;
      else if (ask_q)      exp_beat_q <= exp_beat_q - 1'b1;
    end
  end

  // --- a row that is read early ---------------------------------------------------------------------------------
  if (Ahead > 1) begin : gen_early
    logic [PcBits-1:0]   first;                         // the row to begin with
    logic [3:0]          early;                         // the row of its table that is read
    logic [Tables-1:0]   hit, first_hit, target_hit_q;  // the table of it, of the one to begin with, of the target
    logic [Tables-1:0]   pc_hit_q, next_hit;            // of pc_q, and of the row behind it
    logic [ReadBits-1:0] part_q;                        // all 0 but for one table
    logic [RowBits-1:0]  joined, joined_q;

    localparam int TargetAt = LowBits - 2 * RegBits;
    localparam int PartBits = RowBits << 4;
    localparam logic [Tables*PartBits-1:0] Text = (Tables*PartBits)'(Program);

    for (genvar part = 0; part < (Shadow == 0 ? Tables : 0); part++) begin : gen_part
      (* keep_hierarchy *)
      mm_engine_rows #(
        .RowBits(RowBits), .IndexBits(4), .Text(Text[part*PartBits +: PartBits])
      ) u_rows (
        .index_i(early), .row_o(read[part*RowBits +: RowBits])
      );
    end

    assign row = joined_q;

    assign first    = setup ? PcBits'(Setup) : entry_i ? PcBits'(Entry) : '0;
    assign early    = state_q == IDLE ? first[3:0] : turn_q ? target[3:0] : pc_q[3:0];
    assign hit      = state_q == IDLE ? first_hit : turn_q ? target_hit_q : pc_hit_q;
    assign next_hit = &pc_q[3:0] ? pc_hit_q << 1 : pc_hit_q;

    always_comb begin
      joined = '0;
      for (int part = 0; part < Tables; part++) joined |= part_q[part*RowBits +: RowBits];
    end

    always_comb begin
      for (int part = 0; part < Tables; part++) first_hit[part] = first[PcBits-1:4] == (PcBits-4)'(part);
    end

    always_ff @(posedge clk_i) begin
      joined_q <= joined;
      pc_hit_q <= state_q == FETCH ? next_hit : hit;
      for (int part = 0; part < Tables; part++) begin
        if (hit[part]) part_q[part*RowBits +: RowBits] <= read[part*RowBits +: RowBits];
        else           part_q[part*RowBits +: RowBits] <= '0;
        if (state_q == FETCH) target_hit_q[part] <= row[TargetAt+4 +: PcBits-4] == (PcBits-4)'(part);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == FETCH) begin
      row_q    <= row;
      feeds_q  <= row[2:1] == 2'b00;
      scans_q  <= row[2:0] == Scan;
      takes_q  <= row[2:0] == Bits;
      loops_q  <= row[2:0] == Loop;
      jumps_q  <= row[2:0] == Jump;
      ready_q  <= (SetupBits != 0) & (row[2:0] == Jump) & row[14];
      sums_q   <= (row[2:0] == Sum) & ~((Plain != 0) & (&row[8:7]));
      plains_q <= (row[2:0] == Sum) & (Plain != 0) & (&row[8:7]);
      agains_q <= row[2:0] == Again;
    end
    if (state_q == IDLE) begin
      pc_q       <= setup ? PcBits'(Setup) : entry_i ? PcBits'(Entry) : '0;
      phase_q    <= 1'b0;
      rounds_q   <= setup ? TurnBits'(setup_rounds_i) : TurnBits'(rounds_i);
      any_q      <= 1'b0;
    end else begin
      if (state_q == FETCH) pc_q <= pc_next;
      if (Quick != 0 ? may & (jumps_q | (loops_q & more_q) | again) : turn_q) pc_q <= target[PcBits-1:0];
      if (turn_q && loops_q) begin
        rounds_q <= rounds_q - 1'b1;
        phase_q  <= ~phase_q;
      end
      if (go && rewind) any_q <= 1'b0;
      else if (single_i) any_q <= 1'b1;
      else if (take) any_q <= left_q != LeftBits'(1);
    end
    more_q <= rounds_q != '0;
    // A row is there a cycle before it begins.
    begin_q      <= a == '0 ? bits_i : FirstBits'(a) - fewer;
    begin_some_q <= (a != '0) | (bits_i != '0);
    if (go) begin
      bits_q <= begin_q;
      some_q <= ~rewind & begin_some_q;
    end else if (take) begin
      bits_q <= bits_q - 1'b1;
      some_q <= bits_q != FirstBits'(1);
    end
    if (single_i)  left_q <= LeftBits'(Word);
    else if (take) left_q <= left_q - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      exec_q  <= 1'b0;
      may_q   <= 1'b0;
      turn_q  <= 1'b0;
      feed_q  <= 1'b0;
      read_q  <= 1'b0;
      scan_q  <= 1'b0;
      sum_q   <= 1'b0;
      ask_q   <= 1'b0;
    end else begin
      exec_q <= (state_q == FETCH) | (exec_q & ~may);
      may_q  <= may;
      turn_q <= may & (jumps_q | (loops_q & more_q) | again);
      feed_q <= may & feeds_q;
      read_q <= may & feeds_q & ~(feed_x_o[1] & (feed_y_o[1] | feed_out_o));
      scan_q <= may & scans_q;
      sum_q  <= may & (Sums != 0) & sums_q;
      ask_q  <= (state_q == TAKE) & some_q & ~any_q & ~read_busy & ~ask_q & ~asked;
      case (state_q)
        IDLE: if (start || setup) state_q <= Ahead != 0 ? TURN : FETCH;
        TURN: state_q <= FETCH;
        FETCH: state_q <= EXEC;
        EXEC: if (Quick != 0 ? may & ~takes_q & ~loops_q & ~jumps_q & ~agains_q & ~(feeds_q & feed_out_o) : 1'b0) begin
          state_q <= FETCH;
        end else if (go) begin
          if (feeds_q && feed_out_o) state_q <= FEED;
          else if (takes_q) state_q <= TAKE;
          else if (ready_q) state_q <= IDLE;
          else              state_q <= Ahead != 0 && Quick == 0 && turn_q ? TURN : FETCH;
        end
        FEED: if (feed_done_i) state_q <= IDLE;  // OUT
        default: if (Quick != 0 ? !some_q || (take && bits_q == FirstBits'(1)) : !some_q) state_q <= FETCH;  // TAKE
      endcase
    end
  end

endmodule

`default_nettype wire
