// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_reader: the read side of the register file of mm_engine, two copies of one memory. It has one thing to do
// at a time:
//    feed    the words of registers a and b, one after the other, for mm_engine_feed, which takes them
//    sum     the same for mm_engine_sum, which takes them while it has room
//    plain   the same for mm_engine_plain, a word a cycle
//    single  one word of the exponent, or of the register in its place, for mm_engine_sequencer
//    scan    the Entries slots from a on, all of them for each word: those of entry index_i are kept by a mask, and
//            written to slot d. The index decides nothing else: neither an address nor a time.
// With long_i a feed or a plain sum goes on in the slots behind a and b, Parts in all.
// An address is there in the cycle after the start, its word two cycles later; that of a scan is kept a cycle later,
// and written in the one behind it.
//
// Feeds and sums may begin while words of those before are still on their way from the memory: busy_o falls when the
// last one has been addressed. Each word knows what it is for, and waits for that alone, so words behind it do, too.
//
`default_nettype none

module mm_engine_reader #(
  parameter int Word      = 16,
  parameter int AddrBits  = 9,
  parameter int SlotBits  = 4,
  parameter int BeatBits  = 4,
  parameter int InBits    = 4,
  parameter int IndexBits = 4,
  parameter int Entries   = 16,
  parameter int YSlot     = 0,
  parameter int Plain     = 0,  // 1: there is long_i
  parameter int Parts     = 2,  // slots of a long number: 2 to 4
  parameter int Sources   = 0,  // 1: single words are those of exp_slot_i
  parameter int Sums      = 0,  // 1: there is sum_i
  // Derived, not to be set.
  parameter int SlotCount = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // The register file's write port.
  input  wire                  write_i,
  input  wire  [AddrBits-1:0]  write_addr_i,
  input  wire  [Word-1:0]      word_i,
  // What to do.
  input  wire                  start_i,    // one of the next
  input  wire                  feed_i,
  input  wire                  single_i,
  input  wire                  scan_i,
  input  wire                  sum_i,
  input  wire                  plain_i,
  input  wire                  long_i,
  input  wire  [SlotCount-1:0] a_slot_i,
  input  wire  [SlotCount-1:0] b_slot_i,
  input  wire  [SlotCount-1:0] d_slot_i,
  input  wire  [SlotCount-1:0] exp_slot_i,
  input  wire  [InBits-1:0]    exp_beat_i,
  input  wire  [BeatBits-1:0]  last_beat_i,
  input  wire  [IndexBits-1:0] index_i,
  output logic                 busy_o,     // words are to be addressed, or but for feeds and sums to come
  output logic                 sum_busy_o, // words of a sum are to come
  // Words.
  output logic                 valid_o,    // of a feed
  input  wire                  take_i,
  output logic                 sum_valid_o, // of a sum, in the cycle in which it is taken
  input  wire                  room_i,     // but for sums always there
  output logic                 plain_valid_o,
  output logic                 upper_o,    // a word of a slot behind the first
  output logic                 single_o,   // the word of the exponent
  output logic [Word-1:0]      a_word_o,
  output logic [Word-1:0]      b_word_o,
  output logic                 kept_o,     // a word of a scan, to be written
  output logic [AddrBits-1:0]  kept_addr_o,
  output logic [Word-1:0]      kept_word_o
);

  localparam int                   PartBits   = $clog2(Parts);
  localparam logic [IndexBits-1:0] BeforeLast = IndexBits'(Entries - 2);

  logic [SlotCount-1:0] a_slot_q, b_slot_q, d_slot_q;
  logic [InBits-1:0]    beat_q;
  logic [BeatBits-1:0]  beat_q2, beat_q3, beat_q4;
  logic [AddrBits-1:0]  a_addr, b_addr;
  logic                 advance, entry_last, last, ends, others_end, busy_q, sum_busy_q;
  logic                 feed_q, sum_q, plain_q, single_q, scan_q;       // what a word is for: it is addressed
  logic                 feed_q2, sum_q2, plain_q2, single_q2, scan_q2;  // read
  logic                 feed_q3, sum_q3, plain_q3, single_q3, scan_q3;  // there
  logic                 entry_last_q, beat_last_q;  // the address is that of the last entry, of the last word
  logic                 beat_near_q, none_q, one_q; // of the word before it; of a number of one word, of two words
  logic [SlotCount-1:0] exponent;
  logic [IndexBits-1:0] a_entry;  // of a scan
  logic                 part_last;           // this slot of a long number is the last one
  logic                 turn;                // the address is that of the last word of another slot
  logic [PartBits-1:0]  part_next;
  logic [InBits-1:0]    beat_next, near_q;
  logic                 hit_q, hit_q2, first_q, first_q2, last_q, last_q2, kept_q;
  logic [Word-1:0]      kept_word_q;

  // Nothing but sums is read while words for the feed wait.
  assign advance    = (take_i | ((Sums != 0) & ~feed_q3)) & (~sum_q3 | room_i);
  assign entry_last = ~scan_q | entry_last_q;
  assign last       = single_q | (entry_last & beat_last_q & part_last);
  assign a_addr     = (AddrBits'(a_slot_q) << SlotBits) | AddrBits'(beat_q);
  assign b_addr     = (AddrBits'(b_slot_q) << SlotBits) | AddrBits'(beat_q);

  mm_engine_memory #(
    .Word(Word),
    .AddrBits(AddrBits)
  ) u_a (
    .clk_i, .write_i, .write_addr_i, .word_i, .read_i(advance), .read_addr_i(a_addr), .word_o(a_word_o)
  );

  mm_engine_memory #(
    .Word(Word),
    .AddrBits(AddrBits)
  ) u_b (
    .clk_i, .write_i, .write_addr_i, .word_i, .read_i(advance), .read_addr_i(b_addr), .word_o(b_word_o)
  );

  if (Sources != 0) begin : gen_sources
    assign exponent = exp_slot_i;
  end else begin : gen_exponent
    logic unused_slot;
    assign exponent    = SlotCount'(YSlot);
    assign unused_slot = ^exp_slot_i;
  end

  // --- plain sums, and numbers of several registers: a slot that 2 or 4 divides and those behind it ---------------
  if (Plain != 0) begin : gen_plain
    localparam logic [PartBits-1:0] LastPart = PartBits'(Parts - 1);
    logic                long_q, turn_q, upper_q, upper_q2, whole;
    logic [PartBits-1:0] part_q;

    assign whole         = long_i & ~single_i & ~scan_i & ~sum_i;
    assign turn          = turn_q;
    assign part_last     = ~long_q | (part_q == LastPart);
    assign part_next     = part_q + 1'b1;
    assign plain_valid_o = plain_q3;
    assign upper_o       = upper_q2;

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        long_q  <= whole;
        part_q  <= '0;
        turn_q  <= whole & none_q;
      end else if (advance) begin
        if (turn_q) part_q <= part_next;
        if (turn_q) turn_q <= none_q & (part_next != LastPart);
        else        turn_q <= ~part_last & beat_near_q;
      end
      if (advance) begin
        upper_q <= part_q != '0;
        upper_q2 <= upper_q;
      end
    end
  end else begin : gen_short
    logic unused_plain;
    assign part_last     = 1'b1;
    assign part_next     = '0;
    assign turn          = 1'b0;
    assign plain_valid_o = 1'b0;
    assign upper_o       = 1'b0;
    assign unused_plain  = long_i;
  end

  assign a_entry     = a_slot_q[IndexBits-1:0];
  assign beat_next   = beat_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      a_slot_q <= single_i ? exponent : a_slot_i;
      b_slot_q <= b_slot_i;
      beat_q   <= single_i ? exp_beat_i : '0;
      if (scan_i) d_slot_q <= d_slot_i;
      entry_last_q <= Entries == 1;
      beat_last_q  <= none_q;
      beat_near_q  <= one_q;
    end else if (advance) begin
      if (scan_q) begin
        a_slot_q[IndexBits-1:0] <= a_entry + 1'b1;  // which is 0 behind the last one
        entry_last_q            <= entry_last_q ? Entries == 1 : a_entry == BeforeLast;
      end
      if (entry_last) begin
        beat_q      <= beat_next;
        beat_last_q <= beat_near_q;
        beat_near_q <= beat_q == near_q;
      end
      if (turn) begin
        beat_q      <= '0;
        beat_last_q <= none_q;
        beat_near_q <= one_q;
        a_slot_q[PartBits-1:0] <= part_next;
        b_slot_q[PartBits-1:0] <= part_next;
      end
    end
    none_q <= last_beat_i == '0;
    one_q  <= last_beat_i == BeatBits'(1);
    near_q <= InBits'(last_beat_i) - InBits'(2);
    if (advance) begin
      hit_q    <= a_entry == index_i;
      hit_q2   <= hit_q;
      first_q  <= a_entry == '0;
      first_q2 <= first_q;
      last_q   <= entry_last;
      last_q2  <= last_q;
      beat_q2  <= BeatBits'(beat_q);
      beat_q3  <= beat_q2;
    end
    kept_word_q <= ({Word{~first_q2}} & kept_word_q) | ({Word{hit_q2}} & a_word_o);
    beat_q4     <= beat_q3;
  end

  // Words for one thing come one right behind the other.
  assign ends       = advance & last;
  assign others_end = single_q3 | (plain_q3 & ~plain_q2) | (kept_q & ~scan_q3);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {feed_q, sum_q, plain_q, single_q, scan_q}      <= '0;
      {feed_q2, sum_q2, plain_q2, single_q2, scan_q2} <= '0;
      {feed_q3, sum_q3, plain_q3, single_q3, scan_q3} <= '0;
      {kept_q, busy_q, sum_busy_q}                    <= '0;
    end else begin
      if (start_i || ends) {feed_q, sum_q, plain_q, single_q, scan_q} <= {feed_i, sum_i, plain_i, single_i, scan_i};
      if (advance) begin
        {feed_q2, sum_q2, plain_q2, single_q2, scan_q2} <= {feed_q, sum_q, plain_q, single_q, scan_q};
        {feed_q3, sum_q3, plain_q3, single_q3, scan_q3} <= {feed_q2, sum_q2, plain_q2, single_q2, scan_q2};
      end
      kept_q     <= scan_q3 & last_q2;
      busy_q     <= start_i | (busy_q & ~(feed_q | sum_q ? ends : others_end));
      sum_busy_q <= sum_i | (sum_busy_q & ~(sum_q3 & ~sum_q2 & room_i));
    end
  end

  assign busy_o      = busy_q;
  assign sum_busy_o  = sum_busy_q;
  assign valid_o     = feed_q3;
  assign sum_valid_o = sum_q3 & room_i;
  assign single_o    = single_q3;
  assign kept_o      = kept_q;
  assign kept_addr_o = (AddrBits'(d_slot_q) << SlotBits) | AddrBits'(beat_q4);
  assign kept_word_o = kept_word_q;

endmodule

`default_nettype wire
