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
  parameter int Sums         = 0,   // 1: with the unit of mm_engine_sum
  parameter int ModulusSlot  = 0,   // the register with its K
  parameter int Binary       = 0,   // 1: the last bit of the header says whether M is of GF(2^m)
  parameter int Flags        = 0,   // 1: its tests set a flag
  parameter int Repeats      = 0    // bits of a counter of the program's own
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
  localparam int IndexBits = Entries > 1 ? $clog2(Entries) : 1;  // the last bits of the digit

  logic                 idle, ending, idle_empty, first, start, control_q, entry;
  logic [BeatBits-1:0]  last_beat;
  logic [InBits-1:0]    last_in, last_exp, exp_beat;
  logic [FirstBits-1:0] bits;
  logic [RoundBits-1:0] rounds;
  logic                 write_x, write_held, z_write, kept;
  logic [AddrBits-1:0]  port_addr, z_addr, kept_addr;
  logic [Word-1:0]      held, kept_word;
  logic                 core_ctx_valid, core_ctx_ready, core_error, core_valid, core_ready, core_square, z_valid;
  logic [Word-1:0]      core_x, core_y, z, a_word, b_word;
  logic                 feed_start, feed_out, feed_chosen, feed_square, feed_write, feed_done, feed_empty;
  logic [1:0]           feed_x, feed_y;
  logic [SlotCount-1:0] feed_slot, a_slot, b_slot;
  logic [2:0]           pending;
  logic                 read_feed, read_single, read_scan, read_busy, single, words_valid, words_take;
  logic [DigitBits-1:0] digit;
  logic                 unused_digit;
  logic                 read_sum, sum_valid, sum_room, sum_busy, late, binary, flag, refused;
  logic [AddrBits-1:0]  late_addr;
  logic [Word-1:0]      late_word;

  mm_engine_port #(
    .Word(Word), .Beats(Beats), .ContextBeats(ContextBeats), .InBeats(1 << InBits), .AddrBits(AddrBits),
    .SlotBits(SlotBits), .FirstBits(FirstBits), .RoundBits(RoundBits), .XSlot(XSlot), .YSlot(YSlot),
    .Numbers(Numbers), .NumberSlots(NumberSlots), .Binary(Binary), .Flags(Flags)
  ) u_port (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .y_i,
    .idle_i(idle_empty), .refused_i(refused), .first_o(first), .start_o(start),
    .last_beat_o(last_beat), .last_in_o(last_in), .last_exp_o(last_exp), .bits_o(bits), .rounds_o(rounds),
    .binary_o(binary), .write_x_o(write_x), .write_held_o(write_held), .write_addr_o(port_addr), .held_o(held),
    .core_valid_o(core_ctx_valid), .core_ready_i(core_ctx_ready), .core_error_i(core_error)
  );

  // The last word of a result leaves.
  assign idle_empty = (idle | ending) & feed_empty;

  // --- what is written, a cycle later ---------------------------------------------------------------------------
  logic                write_q, idle_q, port_turn, late_turn;
  logic [AddrBits-1:0] write_addr_q;
  logic [Word-1:0]     write_word_q;

  // Registers alone choose: contexts and operands while the engine is idle, and the last y a cycle later; then results
  // and words of scans. Words of a sum wait for results.
  assign port_turn = idle | idle_q;
  assign late_turn = Sums != 0 ? ~z_write : late;

  always_ff @(posedge clk_i) begin
    idle_q  <= idle;
    write_q <= port_turn ? write_x | write_held : z_write | late;
    if (port_turn) begin
      write_addr_q <= port_addr;
      write_word_q <= write_held ? held : x_i;
    end else begin
      write_addr_q <= late_turn ? late_addr : z_addr;
      write_word_q <= late_turn ? late_word : z;
    end
    if (first) control_q <= control_i;
  end

  assign entry        = first ? control_i : control_q;
  assign unused_digit = ^digit;  // the table's index takes its last bits

  mm_engine_sequencer #(
    .Word(Word), .InBits(InBits), .FirstBits(FirstBits), .RoundBits(RoundBits), .DigitBits(DigitBits),
    .SlotCount(SlotCount), .Rows(Rows), .Sums(Sums), .Flags(Flags), .Repeats(Repeats),
    .Entry(Entry), .Program(Program)
  ) u_sequencer (
    .clk_i, .rst_ni,
    .start_i(start), .entry_i(entry), .idle_o(idle), .ending_o(ending),
    .last_exp_i(last_exp), .bits_i(bits), .rounds_i(rounds),
    .feed_start_o(feed_start), .feed_out_o(feed_out), .feed_x_o(feed_x), .feed_y_o(feed_y),
    .feed_chosen_o(feed_chosen), .feed_square_o(feed_square), .feed_write_o(feed_write), .feed_slot_o(feed_slot),
    .feed_done_i(feed_done), .pending_i(pending),
    .read_feed_o(read_feed), .read_single_o(read_single), .read_scan_o(read_scan),
    .read_sum_o(read_sum), .sum_busy_i(sum_busy), .flag_i(flag), .refused_o(refused),
    .a_slot_o(a_slot), .b_slot_o(b_slot), .exp_beat_o(exp_beat), .digit_o(digit),
    .read_busy_i(read_busy), .single_i(single), .word_i(a_word)
  );

  mm_engine_reader #(
    .Word(Word), .AddrBits(AddrBits), .SlotBits(SlotBits), .BeatBits(BeatBits), .InBits(InBits),
    .IndexBits(IndexBits), .Entries(Entries), .YSlot(YSlot)
  ) u_reader (
    .clk_i, .rst_ni,
    .write_i(write_q), .write_addr_i(write_addr_q), .word_i(write_word_q),
    .feed_i(read_feed), .single_i(read_single), .scan_i(read_scan), .sum_i(read_sum),
    .a_slot_i(a_slot), .b_slot_i(b_slot), .d_slot_i(feed_slot), .exp_beat_i(exp_beat), .last_beat_i(last_beat),
    .index_i(digit[IndexBits-1:0]), .busy_o(read_busy),
    .valid_o(words_valid), .take_i(words_take), .sum_valid_o(sum_valid), .room_i(sum_room), .single_o(single),
    .a_word_o(a_word), .b_word_o(b_word),
    .kept_o(kept), .kept_addr_o(kept_addr), .kept_word_o(kept_word)
  );

  if (Sums != 0) begin : gen_sums
    mm_engine_sum #(
      .Word(Word), .Beats(Beats), .AddrBits(AddrBits), .SlotBits(SlotBits), .ModulusSlot(ModulusSlot),
      .Binary(Binary), .Flags(Flags)
    ) u_sum (
      .clk_i, .rst_ni,
      .last_beat_i(last_beat), .binary_i(binary),
      .write_i(write_q), .write_addr_i(write_addr_q), .word_i(write_word_q),
      .start_i(read_sum), .subtract_i(feed_x[0]), .test_i(feed_y), .slot_i(feed_slot), .busy_o(sum_busy),
      .flag_o(flag),
      .valid_i(sum_valid), .room_o(sum_room), .a_word_i(a_word), .b_word_i(b_word),
      .kept_i(kept), .kept_addr_i(kept_addr), .kept_word_i(kept_word),
      .hold_i(z_write), .sum_write_o(late), .sum_addr_o(late_addr), .sum_word_o(late_word)
    );
  end else begin : gen_no_sums
    logic unused_sums;
    assign unused_sums = ^{read_sum, sum_valid, binary};
    assign sum_room    = 1'b1;
    assign sum_busy    = 1'b0;
    assign flag        = 1'b0;
    assign late        = kept;
    assign late_addr   = kept_addr;
    assign late_word   = kept_word;
  end

  mm_engine_feed #(
    .Word(Word), .Beats(Beats), .AddrBits(AddrBits), .SlotBits(SlotBits), .InBits(InBits)
  ) u_feed (
    .clk_i, .rst_ni,
    .last_beat_i(last_beat), .last_in_i(last_in),
    .start_i(feed_start), .out_i(feed_out), .x_from_i(feed_x), .y_from_i(feed_y), .chosen_i(feed_chosen),
    .square_i(feed_square), .write_i(feed_write), .slot_i(feed_slot),
    .done_o(feed_done), .empty_o(feed_empty), .pending_o(pending),
    .words_valid_i(words_valid), .words_take_o(words_take), .a_word_i(a_word), .b_word_i(b_word),
    .z_write_o(z_write), .z_addr_o(z_addr),
    .core_valid_o(core_valid), .core_ready_i(core_ready), .x_o(core_x), .y_o(core_y), .square_o(core_square),
    .z_valid_i(z_valid), .z_i(z),
    .out_valid_o, .out_ready_i
  );

  mm_engine_cores #(
    .Word(Word), .Beats(Beats), .CoreWord(CoreWord), .Cores(Cores)
  ) u_cores (
    .clk_i, .rst_ni, .last_beat_i(last_beat),
    .ctx_valid_i(core_ctx_valid), .ctx_ready_o(core_ctx_ready), .ctx_data_i(held), .ctx_error_o(core_error),
    .in_valid_i(core_valid), .in_ready_o(core_ready), .x_i(core_x), .y_i(core_y), .square_i(core_square),
    .out_valid_o(z_valid), .z_o(z)
  );

  assign z_o = core_x;

endmodule

`default_nettype wire
