// SPDX-License-Identifier: Apache-2.0
//
// mm_engine: a processor for long numbers around any core of the library: its program, a parameter, is what a system
// does. docs/engine.md describes it.
//
//   context, x, y ──► mm_engine_port ──► register file ──► mm_engine_feed ──► mm_engine_cores ──► z
//                                        mm_engine_reader    ▲  (F: the latest result)  │
//                                               ▲            └───────────◄──────────────┤
//                                               └────────────────────◄──────────────────┘
//   mm_engine_sequencer: the rows of the program
//
// Steps
//    1  operands come in: x to register XSlot, y to YSlot
//    2  the rows of the program, from row 0, or from row Entry if control_i is high with the first operand beat
//    3  the last of them, OUT, sends a number to the result port
// With SetupBits, rows from row Setup on run while the last word of a context waits.
//
// With Lanes = 2, 3 or 4 there are as many modules of data, which do the same at the same time: each has numbers,
// core and modulus of its own, and operands come to all. What the first one says about its progress holds for all.
// No word leaves any more, until a reset, if another one ever says something else, if the sequencer ever does
// something else than a second one with registers of its own, or if words of operands do not go where a second count
// of them says. Behind a number that is not released the register file is overwritten with 0, before another context
// is taken. A lane is large, so registers stand at its borders: it is told what to do a cycle later, words of the
// port come two cycles later, and words on their way out leave in every fourth cycle.
//
// With Batch a register holds as many numbers, one behind the other, and each row does the same with all of them
// (mm_engine_numbers): the core has an operation of each, so it is busy while it works on the first of them. Numbers
// have as many words as they can have, and those of the context come for each. So do flags: a number whose flag is 0 is
// not released, and the others are. There are no lanes, plain sums, long y and rows that run on a context; x and
// the result can be long. The digit has a bit of each number, so BITS takes as many for one of the program.
//
// With Whole a word is a whole number, and the core takes one every cycle, so nothing waits once it has begun
// (mm_engine_whole). The same rows are there as with Batch, and sums take as many cycles as they have parts of Whole
// bits.
//
// The cycles of all of it depend on the context's header and on the program, and on nothing else.
//
`default_nettype none

module mm_engine #(
  parameter int Word         = 16,
  parameter int Beats        = 16,  // words of a number, at most
  parameter int CoreWord     = 16,  // bits of the core's ports
  parameter int Cores        = 1,   // which take operations in turn
  parameter int ContextBeats = 17,  // words of the core's context, at most
  parameter int InBeats      = 16,  // words of the operands, at most
  parameter int Slots        = 32,  // registers
  parameter int XSlot        = 0,
  parameter int YSlot        = 0,
  parameter int Numbers      = 2,   // of the context
  parameter     NumberSlots  = 0,   // their registers, 16 bits each
  parameter int FirstBits    = 5,   // of the number of bits to take first
  parameter int RoundBits    = 9,   // of the number of rounds
  parameter int DigitBits    = 4,
  parameter int Entries      = 16,  // of the table, from register 0 on
  parameter int Rows         = 1,
  parameter int Entry        = 0,
  parameter     Program      = 0,
  parameter int Setup        = 0,   // the row that contexts begin with, before their last word is taken
  parameter int SetupBits    = 0,   // of the number of rounds then; 0: no rows run on a context
  parameter int Sums         = 0,   // 1: with the unit of mm_engine_sum
  parameter int ModulusSlot  = 0,   // the register with its K
  parameter int Binary       = 0,   // 1: the last bit of the header says whether M is of GF(2^m); 2: it always is
  parameter int Flags        = 0,   // 1: its tests set a flag
  parameter int Twice        = 0,   // 1: there is a sum that doubles
  parameter int Repeats      = 0,   // bits of a counter of the program's own
  parameter int Counts       = 0,   // of the header, for that counter
  parameter int Plain        = 0,   // 1: with the unit of mm_engine_plain
  parameter int AccBits      = 0,   // its digit: 0, 1, 2, 4 or 8
  parameter int Halves       = 0,   // 1: it shifts right, too
  parameter int XLong        = 0,   // 1: x is a long number, of two registers or as many as there are lanes
  parameter int YLong        = 0,
  parameter int Sources      = 0,   // 1: bits come from any register
  parameter int Lanes        = 1,   // 1 to 4
  parameter int Ahead        = 0,   // registers between the tables of rows and the fetch
  parameter int Batch        = 1,   // numbers of a register, with which each row does the same
  parameter int Whole        = 0,   // bits of a sum in a cycle, where words are whole numbers; 0: elsewhere
  parameter int Latency      = 2    // of the core, there
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Word-1:0]  ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Word-1:0]  x_i,
  input  wire  [Word-1:0]  y_i,
  input  wire              control_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Word-1:0]  z_o
);

  localparam int BeatBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int InBits    = InBeats > 1 ? ($clog2(InBeats) > BeatBits ? $clog2(InBeats) : BeatBits) : BeatBits;
  localparam int SlotCount = Slots > 2 ? $clog2(Slots) : 1;
  localparam int SlotBits  = Beats > 1 ? $clog2(Beats) : 0;
  localparam int AddrBits  = SlotCount + SlotBits;
  localparam int Size      = Counts > 0 ? Counts * Repeats : 1;
  localparam int MostBits  = SetupBits > 1 ? SetupBits : 1;
  localparam int Parts     = Lanes > 2 ? Lanes : 2;  // registers of a long number
  localparam int PartBits  = Lanes > 2 ? 2 : 1;      // of such a register's index, and of a lane's

  if (Lanes < 1 || Lanes > 4) begin : gen_illegal_lanes
    illegal_parameter_Lanes_must_be_1_to_4 u_illegal ();
  end

  if (Latency < 2) begin : gen_illegal_latency
    illegal_parameter_Latency_must_be_at_least_2 u_illegal ();
  end

  // What a lane says about its progress, besides the results to come.
  localparam int SaysBits = 9;

  // As mm_engine_sequencer has them.
  localparam int LeastRows = Ahead != 0 ? 32 : 2;
  localparam int PcBits   = $clog2(Rows > LeastRows ? Rows : LeastRows);
  localparam int Tables   = Ahead != 0 ? 1 << (PcBits - 4) : 1;
  localparam int RowBits  = 18 + 3 * SlotCount + (Lanes > 1 ? 1 : 0) + (Sums != 0 ? 1 : 0) + (Plain != 0 ? 8 : 0);
  localparam int ReadBits = Tables * RowBits;

  logic                 idle, ending, port_idle, all_left, some_error, out_ready, first, start, control_q, entry;
  logic [BeatBits-1:0]  last_beat;
  logic [InBits-1:0]    last_in, last_exp, exp_beat;
  logic [FirstBits-1:0] bits;
  logic [RoundBits-1:0] rounds;
  logic [MostBits-1:0]  setup_rounds;
  logic                 setup;
  logic                 write_x, write_y, write_number, port_turn;
  logic [PartBits-1:0]  write_lane, core_lane;
  logic [AddrBits-1:0]  port_addr, wipe_addr;
  logic [Word-1:0]      held, port_word, core_ctx_data;
  logic                 core_ctx_valid, feed_start, feed_out, feed_square, feed_write;
  logic [1:0]           feed_x, feed_y, choose;
  logic [SlotCount-1:0] a_slot, b_slot, d_slot;
  logic                 read_feed, read_single, read_scan, read_sum, exchange;
  logic                 digit_clear, digit_take, binary, released, agreed, torn, refused, wiping, wipe;
  logic                 read_plain, is_long;
  logic [SlotCount-1:0] exp_slot;
  logic [6:0]           plain;
  logic [Size-1:0]      counts;
  logic [PcBits-1:0]    pc;
  logic [ReadBits-1:0]  rows;

  // Of the lanes.
  logic [Lanes-1:0]      core_ctx_ready, core_error, feed_busy, feed_done, feed_empty, read_busy, sum_busy, single;
  logic [Lanes-1:0]      out_valid, come, coming, read_sum_busy, flag;
  logic [Lanes*3-1:0]    pending;
  logic [Lanes*Word-1:0] b_words, z_words;

  mm_engine_port #(
    .Word(Word), .Beats(Beats), .ContextBeats(ContextBeats), .InBeats(1 << InBits), .AddrBits(AddrBits),
    .SlotBits(SlotBits), .FirstBits(FirstBits), .RoundBits(RoundBits), .XSlot(XSlot), .YSlot(YSlot),
    .Numbers(Numbers), .NumberSlots(NumberSlots), .Binary(Binary), .Flags(Flags), .XLong(XLong), .YLong(YLong),
    .Counts(Counts), .CountSize(Repeats), .Lanes(Lanes), .Parts(Parts),
    .SetupBits(SetupBits), .Whole(Batch > 1 || Whole != 0 ? 1 : 0)
  ) u_port (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .y_i,
    .idle_i(port_idle), .refused_i(refused | wiping), .first_o(first), .start_o(start),
    .last_beat_o(last_beat), .last_in_o(last_in), .last_exp_o(last_exp), .bits_o(bits), .rounds_o(rounds),
    .binary_o(binary), .counts_o(counts), .setup_o(setup), .setup_rounds_o(setup_rounds),
    .write_x_o(write_x), .write_y_o(write_y),
    .write_number_o(write_number), .write_lane_o(write_lane), .write_addr_o(port_addr), .held_o(held),
    .core_valid_o(core_ctx_valid), .core_data_o(core_ctx_data), .core_lane_o(core_lane),
    .core_ready_i(core_ctx_ready[core_lane]),
    .core_error_i(some_error)
  );

  // Registers alone choose what is written: contexts and operands while the engine is idle, and the last y a cycle
  // later. While wiping nothing else comes.
  logic                idle_q;
  logic [AddrBits-1:0] place;

  assign port_turn = idle | idle_q;
  assign port_word = (write_y | write_number ? held : x_i) & {Word{~wiping}};
  assign place     = wiping ? wipe_addr : port_addr;

  always_ff @(posedge clk_i) begin
    idle_q <= idle;
    if (first) control_q <= control_i;
  end

  assign entry = first ? control_i : control_q;

  mm_engine_sequencer #(
    .Word(Word), .InBits(InBits), .FirstBits(FirstBits), .RoundBits(RoundBits),
    .SlotCount(SlotCount), .Rows(Rows), .Sums(Sums), .Flags(Flags), .Repeats(Repeats), .Counts(Counts),
    .Plain(Plain), .Sources(Sources), .BeatBits(BeatBits), .YSlot(YSlot), .Lanes(Whole != 0 ? 0 : Lanes),
    .Ahead(Ahead), .Parts(Parts), .Entry(Entry), .Setup(Setup), .SetupBits(SetupBits), .Program(Program)
  ) u_sequencer (
    .clk_i, .rst_ni,
    .start_i(start), .entry_i(entry), .setup_i(setup), .idle_o(idle), .ending_o(ending),
    .last_exp_i(last_exp), .bits_i(bits), .rounds_i(rounds), .setup_rounds_i(setup_rounds),
    .last_beat_i(last_beat), .counts_i(counts),
    .feed_start_o(feed_start), .feed_out_o(feed_out), .feed_x_o(feed_x), .feed_y_o(feed_y), .choose_o(choose),
    .feed_square_o(feed_square), .feed_write_o(feed_write), .feed_slot_o(d_slot),
    .feed_busy_i(feed_busy[0]), .feed_done_i(feed_done[0]), .pending_i(pending[2:0]),
    .come_i(come[0]), .coming_i(coming[0]),
    .read_feed_o(read_feed), .read_single_o(read_single), .read_scan_o(read_scan), .read_sum_o(read_sum),
    .read_plain_o(read_plain), .long_o(is_long), .plain_o(plain),
    .a_slot_o(a_slot), .b_slot_o(b_slot), .cross_o(exchange), .exp_slot_o(exp_slot), .exp_beat_o(exp_beat),
    .read_busy_i(read_busy[0]), .read_sum_busy_i(read_sum_busy[0]), .sum_busy_i(sum_busy[0]),
    .release_o(released), .digit_clear_o(digit_clear), .digit_take_o(digit_take), .single_i(single[0]),
    .pc_o(pc), .rows_o(rows), .rows_i({ReadBits{1'b0}})
  );

  for (genvar lane = 0; lane < (Batch > 1 || Whole != 0 ? 0 : Lanes); lane++) begin : gen_lane
    logic                hers;
    logic [AddrBits-1:0] addr;

    assign hers = Lanes == 1 || write_lane == PartBits'(lane);

    // Each lane begins with another part of a long y, for it takes other random bits.
    if (lane > 0 && InBits > SlotBits && (Lanes == 2 || YLong != 0)) begin : gen_turned
      localparam logic [PartBits-1:0] Lane = PartBits'(lane);
      logic [PartBits-1:0] part;

      assign part = place[SlotBits +: PartBits];

      always_comb begin
        addr = place;
        if (write_y & ~wiping) addr[SlotBits +: PartBits] = part >= Lane ? part - Lane : part + PartBits'(Lanes - lane);
      end
    end else begin : gen_straight
      assign addr = place;
    end

    (* keep_hierarchy = Lanes > 1 *)  // synthesis merges what is the same in both, and then nothing can differ
    mm_engine_lane #(
      .Word(Word), .Beats(Beats), .CoreWord(CoreWord), .Cores(Cores), .AddrBits(AddrBits), .SlotBits(SlotBits),
      .InBits(InBits), .YSlot(YSlot), .DigitBits(DigitBits), .Entries(Entries), .Sums(Sums),
      .ModulusSlot(ModulusSlot), .Binary(Binary), .Flags(Flags), .Twice(Twice), .Plain(Plain), .AccBits(AccBits),
      .Halves(Halves), .Sources(Sources), .Lanes(Lanes), .Parts(Parts)
    ) u_lane (
      .clk_i, .rst_ni,
      .last_beat_i(last_beat), .last_in_i(last_in), .binary_i(binary),
      .core_ctx_valid_i(core_ctx_valid & (core_lane == PartBits'(lane))), .core_ctx_ready_o(core_ctx_ready[lane]),
      .core_ctx_data_i(core_ctx_data), .core_ctx_error_o(core_error[lane]),
      .port_turn_i(port_turn), .port_write_i(write_x | write_y | wipe | (write_number & hers)), .port_addr_i(addr),
      .port_word_i(port_word),
      .feed_start_i(feed_start), .feed_out_i(feed_out), .feed_x_i(feed_x), .feed_y_i(feed_y), .choose_i(choose),
      .feed_square_i(feed_square), .feed_write_i(feed_write), .d_slot_i(d_slot),
      .feed_busy_o(feed_busy[lane]), .feed_done_o(feed_done[lane]), .feed_empty_o(feed_empty[lane]),
      .pending_o(pending[3*lane +: 3]), .come_o(come[lane]), .coming_o(coming[lane]),
      .read_feed_i(read_feed), .read_single_i(read_single), .read_scan_i(read_scan), .read_sum_i(read_sum),
      .read_plain_i(read_plain), .long_i(is_long), .plain_i(plain),
      .a_slot_i(a_slot), .b_slot_i(b_slot), .cross_i(exchange), .exp_slot_i(exp_slot), .exp_beat_i(exp_beat),
      .read_busy_o(read_busy[lane]), .read_sum_busy_o(read_sum_busy[lane]),
      .sum_busy_o(sum_busy[lane]), .agreed_i(agreed), .flag_o(flag[lane]),
      .b_word_o(b_words[Word*lane +: Word]), .b_word_i(b_words[Word*((lane+1)%Lanes) +: Word]),
      .digit_clear_i(digit_clear), .digit_take_i(digit_take), .single_o(single[lane]),
      .out_valid_o(out_valid[lane]), .out_ready_i(out_ready), .z_o(z_words[Word*lane +: Word])
    );
  end

  // --- several numbers ------------------------------------------------------------------------------------------
  if (Batch > 1 && Whole == 0) begin : gen_numbers
    logic [Batch-1:0] flags;
    logic             unused_parts;

    if (Batch > 64 || Beats % Batch != 0) begin : gen_illegal_batch
      illegal_parameter_Batch_must_be_1_to_64_and_divide_Beats u_illegal ();
    end

    if (Lanes > 1 || AccBits != 0 || Halves != 0 || YLong != 0 || Sources != 0 || Twice != 0
        || SetupBits != 0) begin : gen_illegal_rows
      illegal_parameter_Batch_must_be_1_with_Lanes_AccBits_Halves_YLong_Sources_Twice_or_SetupBits u_illegal ();
    end

    mm_engine_numbers #(
      .Word(Word), .Beats(Beats), .Batch(Batch), .CoreWord(CoreWord), .Cores(Cores), .AddrBits(AddrBits),
      .SlotBits(SlotBits), .InBits(InBits), .YSlot(YSlot), .DigitBits(DigitBits), .Entries(Entries), .Sums(Sums),
      .ModulusSlot(ModulusSlot), .Binary(Binary), .Flags(Flags), .Long(Plain)
    ) u_numbers (
      .clk_i, .rst_ni,
      .last_beat_i(last_beat), .last_in_i(last_in), .binary_i(binary),
      .core_ctx_valid_i(core_ctx_valid), .core_ctx_ready_o(core_ctx_ready[0]), .core_ctx_data_i(core_ctx_data),
      .core_ctx_error_o(core_error[0]),
      .port_turn_i(port_turn), .port_write_i(write_x | write_y | write_number), .port_addr_i(place),
      .port_word_i(port_word),
      .feed_start_i(feed_start), .feed_out_i(feed_out), .feed_x_i(feed_x), .feed_y_i(feed_y), .choose_i(choose),
      .feed_square_i(feed_square), .feed_write_i(feed_write), .d_slot_i(d_slot),
      .feed_busy_o(feed_busy[0]), .feed_done_o(feed_done[0]), .feed_empty_o(feed_empty[0]),
      .pending_o(pending[2:0]), .come_o(come[0]), .coming_o(coming[0]),
      .read_feed_i(read_feed), .read_single_i(read_single), .read_scan_i(read_scan), .read_sum_i(read_sum),
      .a_slot_i(a_slot), .b_slot_i(b_slot), .exp_beat_i(exp_beat),
      .read_busy_o(read_busy[0]), .read_sum_busy_o(read_sum_busy[0]), .sum_busy_o(sum_busy[0]),
      .long_i(is_long), .flags_o(flags),
      .digit_clear_i(digit_clear), .digit_take_i(digit_take), .single_o(single[0]),
      .out_valid_o(out_valid[0]), .out_ready_i(out_ready), .z_o(z_words[Word-1:0])
    );

    assign flag[0]      = &flags;
    assign b_words      = '0;
    assign unused_parts = ^{b_words, agreed, wipe, read_plain, plain, exchange, exp_slot};
  end

  // --- words that are whole numbers -----------------------------------------------------------------------------
  if (Whole != 0) begin : gen_whole
    logic [Batch-1:0] flag_of;
    logic             unused_parts;

    if (Beats != Batch || CoreWord != Word || Cores > 1 || Sums == 0) begin : gen_illegal_words
      illegal_parameter_Whole_must_be_0_unless_a_word_is_a_number_of_one_core_with_Sums u_illegal ();
    end

    if (Batch > 64 || Lanes > 1 || AccBits != 0 || Halves != 0 || YLong != 0 || Sources != 0 || Twice != 0
        || SetupBits != 0) begin : gen_illegal_rows
      illegal_parameter_Whole_must_be_0_with_Lanes_AccBits_Halves_YLong_Sources_Twice_or_SetupBits u_illegal ();
    end

    mm_engine_whole #(
      .Word(Word), .Batch(Batch), .Latency(Latency), .Slots(Slots), .AddrBits(AddrBits), .SlotBits(SlotBits),
      .InBits(InBits), .YSlot(YSlot), .DigitBits(DigitBits), .Entries(Entries), .SumBits(Whole),
      .ModulusSlot(ModulusSlot), .Binary(Binary), .Flags(Flags), .Long(Plain)
    ) u_whole (
      .clk_i, .rst_ni,
      .last_in_i(last_in), .binary_i(binary),
      .core_ctx_valid_i(core_ctx_valid), .core_ctx_ready_o(core_ctx_ready[0]), .core_ctx_data_i(core_ctx_data),
      .core_ctx_error_o(core_error[0]),
      .port_turn_i(port_turn), .port_write_i(write_x | write_y | write_number), .port_addr_i(place),
      .port_word_i(port_word),
      .feed_start_i(feed_start), .feed_out_i(feed_out), .feed_x_i(feed_x), .feed_y_i(feed_y), .choose_i(choose),
      .feed_square_i(feed_square), .feed_write_i(feed_write), .d_slot_i(d_slot),
      .feed_busy_o(feed_busy[0]), .feed_done_o(feed_done[0]), .feed_empty_o(feed_empty[0]),
      .pending_o(pending[2:0]), .coming_o(coming[0]),
      .read_single_i(read_single), .read_scan_i(read_scan), .read_sum_i(read_sum),
      .a_slot_i(a_slot), .b_slot_i(b_slot), .exp_beat_i(exp_beat),
      .read_busy_o(read_busy[0]), .read_sum_busy_o(read_sum_busy[0]), .sum_busy_o(sum_busy[0]),
      .long_i(is_long), .flags_o(flag_of),
      .digit_clear_i(digit_clear), .digit_take_i(digit_take), .single_o(single[0]),
      .out_valid_o(out_valid[0]), .out_ready_i(out_ready), .z_o(z_words[Word-1:0])
    );

    assign flag[0]      = &flag_of;
    assign come[0]      = 1'b0;
    assign b_words      = '0;
    assign unused_parts = ^{b_words, agreed, wipe, read_feed, read_plain, plain, exchange, exp_slot, last_beat};
  end

  // Words leave behind the row that sends them alone: a word that goes astray before stays here.
  logic open_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else         open_q <= (feed_start & feed_out) | (open_q & ~torn & ~(idle & all_left));
  end

  // --- lanes that differ ----------------------------------------------------------------------------------------
  if (Lanes > 1) begin : gen_lanes
    // --- the second sequencer: compared in parts, and heard of two cycles later; a row takes longer to begin. What
    // begins something is compared always, what goes with it from the first row on. ---
    localparam int Begins    = 3;  // parts
    localparam int DoesBits  = 4 * Begins + 18 + 4 * SlotCount + InBits + PcBits;
    localparam int DoesParts = (DoesBits + 3) / 4;
    localparam int Others    = Lanes - 1;
    logic [4*Others-1:0]    parts_q;
    logic [4*DoesParts-1:0] does, shadow_does;
    logic [DoesParts:0]     does_parts_q;
    logic                   shadow_idle, shadow_ending, shadow_feed_start, shadow_feed_out, shadow_feed_square;
    logic                   shadow_feed_write, shadow_read_feed, shadow_read_single, shadow_read_scan;
    logic                   shadow_read_sum, shadow_read_plain, shadow_is_long, shadow_exchange, shadow_released;
    logic                   shadow_digit_clear, shadow_digit_take, unused_rows, begun_q, begun_q2, stray_q, astray;
    logic                   astray_q, miscounted_q;
    logic [1:0]             shadow_feed_x, shadow_feed_y, shadow_choose;
    logic [6:0]             shadow_plain;
    logic [SlotCount-1:0]   shadow_d_slot, shadow_a_slot, shadow_b_slot, shadow_exp_slot;
    logic [InBits-1:0]      shadow_exp_beat;
    logic [PcBits-1:0]      shadow_pc;
    logic [ReadBits-1:0]    shadow_rows;

    (* keep_hierarchy *)  // as for the lanes
    mm_engine_sequencer #(
      .Word(Word), .InBits(InBits), .FirstBits(FirstBits), .RoundBits(RoundBits),
      .SlotCount(SlotCount), .Rows(Rows), .Sums(Sums), .Flags(Flags), .Repeats(Repeats), .Counts(Counts),
      .Plain(Plain), .Sources(Sources), .BeatBits(BeatBits), .YSlot(YSlot), .Lanes(Lanes), .Ahead(Ahead), .Parts(Parts),
      .Entry(Entry), .Setup(Setup), .SetupBits(SetupBits), .Shadow(1)
    ) u_shadow (
      .clk_i, .rst_ni,
      .start_i(start), .entry_i(entry), .setup_i(setup), .idle_o(shadow_idle), .ending_o(shadow_ending),
      .last_exp_i(last_exp), .bits_i(bits), .rounds_i(rounds), .setup_rounds_i(setup_rounds),
      .last_beat_i(last_beat), .counts_i(counts),
      .feed_start_o(shadow_feed_start), .feed_out_o(shadow_feed_out), .feed_x_o(shadow_feed_x),
      .feed_y_o(shadow_feed_y), .choose_o(shadow_choose), .feed_square_o(shadow_feed_square),
      .feed_write_o(shadow_feed_write), .feed_slot_o(shadow_d_slot),
      .feed_busy_i(feed_busy[0]), .feed_done_i(feed_done[0]), .pending_i(pending[2:0]),
    .come_i(come[0]), .coming_i(coming[0]),
      .read_feed_o(shadow_read_feed), .read_single_o(shadow_read_single), .read_scan_o(shadow_read_scan),
      .read_sum_o(shadow_read_sum), .read_plain_o(shadow_read_plain), .long_o(shadow_is_long),
      .plain_o(shadow_plain), .a_slot_o(shadow_a_slot), .b_slot_o(shadow_b_slot), .cross_o(shadow_exchange),
      .exp_slot_o(shadow_exp_slot), .exp_beat_o(shadow_exp_beat),
      .read_busy_i(read_busy[0]), .read_sum_busy_i(read_sum_busy[0]), .sum_busy_i(sum_busy[0]),
      .release_o(shadow_released), .digit_clear_o(shadow_digit_clear), .digit_take_o(shadow_digit_take),
      .single_i(single[0]), .pc_o(shadow_pc), .rows_o(shadow_rows), .rows_i(rows)
    );

    assign does = (4*DoesParts)'({
      feed_out, feed_square, feed_write, is_long, exchange, feed_x, feed_y, choose, plain, d_slot, a_slot, b_slot,
      exp_slot, exp_beat, pc,
      (4*Begins)'({ending, feed_start, read_feed, read_single, read_scan, read_sum, read_plain, released, digit_clear,
                   digit_take})
    });
    assign shadow_does = (4*DoesParts)'({
      shadow_feed_out, shadow_feed_square, shadow_feed_write, shadow_is_long, shadow_exchange, shadow_feed_x,
      shadow_feed_y, shadow_choose, shadow_plain, shadow_d_slot, shadow_a_slot, shadow_b_slot, shadow_exp_slot,
      shadow_exp_beat, shadow_pc,
      (4*Begins)'({shadow_ending, shadow_feed_start, shadow_read_feed, shadow_read_single, shadow_read_scan,
                   shadow_read_sum, shadow_read_plain, shadow_released, shadow_digit_clear, shadow_digit_take})
    });
    assign unused_rows = ^shadow_rows;

    for (genvar at = 0; at < DoesParts; at++) begin : gen_does
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) does_parts_q[at] <= 1'b0;
        else         does_parts_q[at] <= (begun_q2 | (at < Begins)) & (does[4*at +: 4] != shadow_does[4*at +: 4]);
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        does_parts_q[DoesParts] <= 1'b0;
        {begun_q, begun_q2}     <= 2'b00;
        stray_q                 <= 1'b0;
      end else begin
        does_parts_q[DoesParts] <= idle ^ shadow_idle;
        {begun_q, begun_q2}     <= {~idle & ~idle_q & ~shadow_idle, begun_q & ~idle & ~shadow_idle};
        stray_q                 <= stray_q | (|does_parts_q) | (|parts_q) | astray_q | miscounted_q;
      end
    end

    // --- words of operands, counted a second time: where one of x goes, and which are the first and the last. What the
    // port does is the same for all lanes. That a word is the last one is known a cycle behind the counters: no word
    // comes directly behind another. ---
    logic [InBits-1:0]   words_q;
    logic                taken, taken_q, last_word_q, fits;
    logic [AddrBits-1:0] due, due_q, addr_q;
    logic                wrote_q;

    assign taken = in_valid_i & in_ready_o;

    always_ff @(posedge clk_i) last_word_q <= words_q == last_in;

    if (XLong != 0) begin : gen_x_long
      logic [BeatBits-1:0] beat_q;
      logic [PartBits-1:0] part_q;
      logic                over_q, part_end_q;

      assign fits = ~over_q;
      assign due  = AddrBits'(XSlot << SlotBits) | (AddrBits'(part_q) << SlotBits) | AddrBits'(beat_q);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          beat_q <= '0;
          part_q <= '0;
          over_q <= 1'b0;
        end else if (taken) begin
          beat_q <= last_word_q || part_end_q ? '0 : beat_q + 1'b1;
          part_q <= last_word_q ? '0 : part_q + PartBits'(part_end_q);
          over_q <= ~last_word_q & (over_q | (part_end_q & (part_q == PartBits'(Parts - 1))));
        end
      end

      always_ff @(posedge clk_i) part_end_q <= beat_q == last_beat;
    end else begin : gen_x_short
      assign fits = InBits == SlotBits || words_q >> SlotBits == '0;
      assign due  = AddrBits'(XSlot << SlotBits) | AddrBits'(words_q);
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        words_q      <= '0;
        taken_q      <= 1'b0;
        wrote_q      <= 1'b0;
        miscounted_q <= 1'b0;
      end else begin
        if (taken) words_q <= last_word_q ? '0 : words_q + 1'b1;
        taken_q      <= taken;
        wrote_q      <= taken & fits;
        miscounted_q <= (first ^ (taken & (words_q == '0))) | (start ^ (taken & last_word_q))
                      | (write_x ^ (taken & fits)) | (wrote_q & (addr_q != due_q)) | (taken & taken_q);
      end
    end

    always_ff @(posedge clk_i) {addr_q, due_q} <= {port_addr, due};

    // --- what lanes say: compared in parts, and heard of as a word that one of them alone sends is offered; and their
    // flags, in a register ---
    logic [SaysBits-1:0] says_q;
    logic                agreed_q;

    assign agreed = agreed_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) says_q <= '0;
      else begin
        says_q <= {out_valid[0], feed_empty[0], feed_done[0], read_busy[0], sum_busy[0], single[0],
                   feed_busy[0], coming[0], read_sum_busy[0]};
      end
    end

    for (genvar other = 1; other < Lanes; other++) begin : gen_other
      logic [SaysBits-1:0] other_says_q;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          other_says_q           <= '0;
          parts_q[4*other-4 +: 4] <= '0;
        end else begin
          other_says_q <= {out_valid[other], feed_empty[other], feed_done[other], read_busy[other], sum_busy[other],
                           single[other], feed_busy[other], coming[other], read_sum_busy[other]};
          parts_q[4*other-4] <= pending[2:0] != pending[3*other +: 3];
          parts_q[4*other-3] <= says_q[2:0] != other_says_q[2:0];
          parts_q[4*other-2] <= says_q[5:3] != other_says_q[5:3];
          parts_q[4*other-1] <= says_q[8:6] != other_says_q[8:6];
        end
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) agreed_q <= 1'b0;
      else         agreed_q <= &flag;
    end

    // --- words on their way out: taken from all lanes, which hear of it two cycles later, and offered ----------------
    // All lanes release the same number: a word that is not the same in all does not leave, and none behind it. A word
    // goes through pair_q, heard_q and leave_q, one at a time, and there_q says that there is one: anything else is a
    // fault. It is copied in heard_q, and the copies of all lanes are compared then. What offers it in leave_q is the
    // majority of three, so that a bit of one that flips when they have been compared does not leave, either.
    logic            checked_q, pair_q, heard_q, leave_q, torn_q, empty_q, error_q, there_q, free;
    logic [Word-1:0] word_q, word_q2, other_q2;
    logic [Word*Others-1:0] other_words_q, other_words_q2;

    localparam int OutParts = (Word * Others + 15) / 16;
    logic [16*OutParts-1:0] others, owns;
    logic [OutParts-1:0]    differs, differs_q;
    logic                   unlike, caught_q;

    assign others   = (16*OutParts)'(other_words_q2);
    assign owns     = (16*OutParts)'({Others{word_q2}});
    assign other_q2 = other_words_q2[Word-1:0];
    assign unlike   = checked_q & (|differs_q);

    for (genvar part = 0; part < OutParts; part++) begin : gen_differs
      assign differs[part] = others[16*part +: 16] != owns[16*part +: 16];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        differs_q <= '0;
        caught_q  <= 1'b0;
      end else begin
        differs_q <= differs;
        caught_q  <= leave_q & (unlike | astray_q | stray_q);
      end
    end

    assign free        = ~pair_q & ~heard_q & ~leave_q;
    assign astray      = (pair_q & heard_q) | (leave_q & (pair_q | heard_q)) | (free == there_q);
    assign out_ready   = pair_q;
    assign all_left    = feed_empty[0] & free;
    logic unused_ending, unused_come;
    assign unused_ending = ending;  // the port is told a cycle later
    assign unused_come   = ^come;   // what is pending tells it
    assign torn        = torn_q;
    assign out_valid_o = leave_q & there_q & open_q & ~(pair_q | heard_q | stray_q | unlike);
    assign z_o         = (word_q & word_q2) | (other_q2 & (word_q | word_q2));
    assign port_idle   = empty_q & ~pair_q & ~heard_q & (~leave_q | out_ready_i) & ~wiping & ~caught_q & ~torn_q;
    assign some_error  = error_q;

    always_ff @(posedge clk_i) begin
      if (free) {other_words_q, word_q} <= z_words;
      if (pair_q) {other_words_q2, word_q2} <= {other_words_q, word_q};
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        checked_q <= 1'b0;
        pair_q    <= 1'b0;
        heard_q   <= 1'b0;
        there_q   <= 1'b0;
        leave_q   <= 1'b0;
        torn_q    <= 1'b0;
        astray_q  <= 1'b0;
        empty_q   <= 1'b1;
        error_q   <= 1'b0;
      end else begin
        checked_q <= released | (checked_q & open_q);
        pair_q    <= out_valid[0] & free;
        heard_q   <= pair_q;
        there_q   <= free ? out_valid[0] : there_q & ~(leave_q & (~open_q | out_ready_i));
        leave_q   <= leave_q ? open_q & ~out_ready_i : heard_q;
        torn_q    <= caught_q;
        astray_q  <= astray;
        empty_q   <= idle & feed_empty[0] & ~start & ~setup;
        error_q   <= |core_error;
      end
    end

    // --- what is left behind a number that is not released, a cycle later ---
    logic                wiping_q, refused_q;
    logic [AddrBits-1:0] wipe_addr_q;

    assign refused   = refused_q | torn;
    assign wiping    = wiping_q;
    assign wipe      = wiping_q & idle;
    assign wipe_addr = wipe_addr_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wiping_q    <= 1'b0;
        refused_q   <= 1'b0;
        wipe_addr_q <= '0;
      end else begin
        refused_q <= released & ~agreed;
        wiping_q  <= refused | (wiping_q & ~(wipe & (&wipe_addr_q)));
        if (wipe) wipe_addr_q <= wipe_addr_q + 1'b1;
      end
    end
  end else begin : gen_one_lane
    logic unused_lane, unused_rows;
    // The last word of a result leaves.
    assign port_idle   = (idle | ending) & feed_empty[0];
    assign some_error  = core_error;
    assign all_left    = feed_empty[0];
    assign out_ready   = out_ready_i;
    assign out_valid_o = out_valid & open_q;
    assign z_o         = z_words;
    assign agreed      = flag;
    assign torn        = 1'b0;
    assign refused     = released & ~agreed;
    assign wiping      = 1'b0;
    assign wipe        = 1'b0;
    assign wipe_addr   = '0;
    assign unused_lane = write_lane;
    assign unused_rows = ^{pc, rows};
  end

endmodule

`default_nettype wire
