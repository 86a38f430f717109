// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_numbers: the data of mm_engine where a register holds several numbers, one behind the other: what
// mm_engine_lane is for one. Each row does the same with all of them:
//    1  the reader gives their words, one number behind the other
//    2  the digit has two bits of each, of the scalars of which bit k of each digit is that of number k. What they
//       choose between a and b is each number's own; so is a flag's choice, and the entry that a scan keeps
//    3  the cores take an operation of each, in turn, and are busy while they work on the first of them
//    4  sums have a carry and a choice of their own for each (mm_engine_sums)
// Nothing but lengths decides when any of it happens.
//
`default_nettype none

module mm_engine_numbers #(
  parameter int Word        = 16,
  parameter int Beats       = 32,  // words of a register
  parameter int Batch       = 2,   // numbers in it
  parameter int CoreWord    = 16,
  parameter int Cores       = 1,
  parameter int AddrBits    = 9,
  parameter int SlotBits    = 5,
  parameter int InBits      = 5,
  parameter int YSlot       = 0,
  parameter int DigitBits   = 4,   // the last bits and those before, twice Batch; or an index of each
  parameter int Entries     = 1,   // of the table
  parameter int Sums        = 0,
  parameter int ModulusSlot = 0,
  parameter int Binary      = 0,
  parameter int Flags       = 0,   // 1: there are flags
  parameter int Long        = 0,   // 1: numbers of two registers go to the result port
  // Derived, not to be set.
  parameter int BeatBits  = $clog2(Beats),
  parameter int SlotCount = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // From the context.
  input  wire  [BeatBits-1:0]  last_beat_i,
  input  wire  [InBits-1:0]    last_in_i,
  input  wire                  binary_i,
  input  wire                  core_ctx_valid_i,
  output logic                 core_ctx_ready_o,
  input  wire  [Word-1:0]      core_ctx_data_i,
  output logic                 core_ctx_error_o,
  // Words of the port for the register file.
  input  wire                  port_turn_i,  // nothing else is written
  input  wire                  port_write_i,
  input  wire  [AddrBits-1:0]  port_addr_i,
  input  wire  [Word-1:0]      port_word_i,
  // The feed.
  input  wire                  feed_start_i,
  input  wire                  feed_out_i,
  input  wire  [1:0]           feed_x_i,
  input  wire  [1:0]           feed_y_i,
  input  wire  [1:0]           choose_i,     // b in place of a: 1 if its last two bits differ, 2 if its last is 1, 3 by
                                             // its flag
  input  wire                  feed_square_i,
  input  wire                  feed_write_i,
  input  wire  [SlotCount-1:0] d_slot_i,
  output logic                 feed_busy_o,
  output logic                 feed_done_o,
  output logic                 feed_empty_o,
  output logic [2:0]           pending_o,
  output logic                 come_o,
  output logic                 coming_o,
  // The reader and the sums.
  input  wire                  read_feed_i,
  input  wire                  read_single_i,
  input  wire                  read_scan_i,
  input  wire                  read_sum_i,
  input  wire  [SlotCount-1:0] a_slot_i,
  input  wire  [SlotCount-1:0] b_slot_i,
  input  wire  [InBits-1:0]    exp_beat_i,
  output logic                 read_busy_o,
  output logic                 read_sum_busy_o,
  output logic                 sum_busy_o,
  input  wire                  long_i,
  output logic [Batch-1:0]     flags_o,
  // The digit.
  input  wire                  digit_clear_i,
  input  wire                  digit_take_i,
  output logic                 single_o,     // a word of the scalars is there
  // The result port.
  output logic                 out_valid_o,
  input  wire                  out_ready_i,
  output logic [Word-1:0]      z_o
);

  localparam int Each     = Beats / Batch;  // words of a number
  localparam int EachBits = Each > 1 ? $clog2(Each) : 1;
  localparam int IndexBits = Entries > 1 ? $clog2(Entries) : 1;  // of each number, its last bits of the digit
  localparam int Apart    = Sums != 0 ? 1 : 0;  // a register between the core and the register file
  localparam logic [EachBits-1:0] Last = EachBits'(Each - 1);

  logic                 z_write, result, z_valid, core_valid, core_ready, core_square, words_valid, words_take;
  logic                 sum_valid, sum_room, sum_write;
  logic [AddrBits-1:0]  z_addr, result_addr, sum_addr;
  logic [Word-1:0]      z, result_word, sum_word, core_x, core_y, a_word, b_word;

  // --- what is written, a cycle later: words of the port; then results; and words of sums, which wait for them -----
  logic                write_q;
  logic [AddrBits-1:0] write_addr_q;
  logic [Word-1:0]     write_word_q;

  mm_delay #(
    .Bits(AddrBits + Word), .Cycles(Apart)
  ) u_result (
    .clk_i, .d_i({z_addr, z}), .q_o({result_addr, result_word})
  );

  if (Apart != 0) begin : gen_apart
    logic result_q;
    assign result = result_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) result_q <= 1'b0;
      else         result_q <= z_write;
    end
  end else begin : gen_at_once
    assign result = z_write;
  end

  always_ff @(posedge clk_i) begin
    write_q <= port_turn_i ? port_write_i : result | sum_write;
    if (port_turn_i) begin
      write_addr_q <= port_addr_i;
      write_word_q <= port_word_i;
    end else begin
      write_addr_q <= result ? result_addr : sum_addr;
      write_word_q <= result ? result_word : sum_word;
    end
  end

  // --- step 1 -----------------------------------------------------------------------------------------------------
  logic                 start, unused_reader;
  logic                 plain_valid, upper, kept;
  logic [AddrBits-1:0]  kept_addr;
  logic [Word-1:0]      kept_word;
  logic [IndexBits-1:0] index;

  assign start         = read_feed_i | read_single_i | read_sum_i | ((Entries > 1) & read_scan_i);
  assign unused_reader = ^{plain_valid, upper};

  mm_engine_reader #(
    .Word(Word), .AddrBits(AddrBits), .SlotBits(SlotBits), .BeatBits(BeatBits), .InBits(InBits),
    .IndexBits(IndexBits), .Entries(Entries), .YSlot(YSlot), .Plain(Long), .Sums(Sums)
  ) u_reader (
    .clk_i, .rst_ni,
    .write_i(write_q), .write_addr_i(write_addr_q), .word_i(write_word_q),
    .start_i(start), .feed_i(read_feed_i), .single_i(read_single_i),
    .scan_i((Entries > 1) & read_scan_i), .sum_i(read_sum_i),
    .plain_i(1'b0), .long_i,
    .a_slot_i, .b_slot_i, .d_slot_i, .exp_slot_i({SlotCount{1'b0}}), .exp_beat_i, .last_beat_i,
    .index_i(index), .busy_o(read_busy_o), .sum_busy_o(read_sum_busy_o),
    .valid_o(words_valid), .take_i(words_take), .sum_valid_o(sum_valid), .room_i(sum_room),
    .plain_valid_o(plain_valid), .upper_o(upper), .single_o,
    .a_word_o(a_word), .b_word_o(b_word),
    .kept_o(kept), .kept_addr_o(kept_addr), .kept_word_o(kept_word)
  );

  // --- step 2 -----------------------------------------------------------------------------------------------------
  logic [Word-1:0]      scalars_q;
  logic [DigitBits-1:0] digit_q;
  logic [Batch-1:0]     by_digit;
  logic [Batch-1:0]     chosen, chosen_q;  // chosen_q: of the numbers whose words are to come, the next one first
  logic [EachBits-1:0]  beat_q;
  logic [Word-1:0]      a_or_b;
  logic                 taken;

  assign by_digit = ({Batch{choose_i[0]}} & (digit_q[Batch-1:0] ^ digit_q[2*Batch-1:Batch]))
                  | ({Batch{choose_i[1]}} & digit_q[Batch-1:0]);
  assign chosen = (Flags != 0) & (&choose_i) ? flags_o : by_digit;
  assign taken  = words_valid & words_take;
  assign a_or_b = chosen_q[0] ? b_word : a_word;

  always_ff @(posedge clk_i) begin
    if (digit_clear_i)     digit_q <= '0;
    else if (digit_take_i) digit_q <= {digit_q[DigitBits-2:0], scalars_q[Word-1]};
    if (single_o)          scalars_q <= a_word;
    else if (digit_take_i) scalars_q <= Word'({scalars_q, 1'b0});
    if (feed_start_i) begin
      chosen_q <= chosen;
      beat_q   <= '0;
    end else if (taken) begin
      beat_q <= beat_q == Last ? '0 : beat_q + 1'b1;
      if (beat_q == Last) chosen_q <= {(Long != 0) & chosen_q[0], chosen_q[Batch-1:1]};
    end
  end

  // A scan goes through the table for each word, without a pause: nothing else is read.
  if (Entries > 1) begin : gen_scans
    localparam int                   CountBits = $clog2(Entries * Each);
    localparam logic [CountBits-1:0] LastCount = CountBits'(Entries * Each - 1);
    logic [CountBits-1:0]       count_q;    // words that have been addressed for this number
    logic [IndexBits*Batch-1:0] indices, indices_q;

    for (genvar number = 0; number < Batch; number++) begin : gen_index
      for (genvar place = 0; place < IndexBits; place++) begin : gen_bit
        assign indices[number*IndexBits + place] = digit_q[place*Batch + number];
      end
    end

    assign index = indices_q[IndexBits-1:0];

    always_ff @(posedge clk_i) begin
      if (read_scan_i || count_q == LastCount) count_q <= '0;
      else                                     count_q <= count_q + 1'b1;
      if (read_scan_i)               indices_q <= indices;
      else if (count_q == LastCount) indices_q <= indices_q >> IndexBits;
    end
  end else begin : gen_no_scans
    logic unused_scan;
    assign index       = '0;
    assign unused_scan = read_scan_i;
  end

  mm_engine_feed #(
    .Word(Word), .Beats(Beats), .AddrBits(AddrBits), .SlotBits(SlotBits), .InBits(InBits), .Plain(Long),
    .Pairs(Apart), .Batch(Batch)
  ) u_feed (
    .clk_i, .rst_ni,
    .last_beat_i, .last_in_i,
    .start_i(feed_start_i), .out_i(feed_out_i), .long_i, .x_from_i(feed_x_i), .y_from_i(feed_y_i),
    .chosen_i(1'b0), .square_i(feed_square_i), .write_i(feed_write_i), .slot_i(d_slot_i),
    .busy_o(feed_busy_o), .done_o(feed_done_o), .empty_o(feed_empty_o), .pending_o, .come_o, .coming_o,
    .words_valid_i(words_valid), .words_take_o(words_take), .a_word_i(a_or_b), .b_word_i(b_word),
    .z_write_o(z_write), .z_addr_o(z_addr),
    .core_valid_o(core_valid), .core_ready_i(core_ready), .x_o(core_x), .y_o(core_y), .square_o(core_square),
    .z_valid_i(z_valid), .z_i(z),
    .out_valid_o, .out_ready_i
  );

  assign z_o = core_x;

  // --- step 3 -----------------------------------------------------------------------------------------------------
  mm_engine_cores #(
    .Word(Word), .Beats(Each), .CoreWord(CoreWord), .Cores(Cores)
  ) u_cores (
    .clk_i, .rst_ni, .last_beat_i(Last),
    .ctx_valid_i(core_ctx_valid_i), .ctx_ready_o(core_ctx_ready_o), .ctx_data_i(core_ctx_data_i),
    .ctx_error_o(core_ctx_error_o),
    .in_valid_i(core_valid), .in_ready_o(core_ready), .x_i(core_x), .y_i(core_y), .square_i(core_square),
    .out_valid_o(z_valid), .z_o(z)
  );

  // --- step 4 -----------------------------------------------------------------------------------------------------
  if (Sums != 0) begin : gen_sums
    mm_engine_sums #(
      .Word(Word), .Beats(Beats), .Batch(Batch), .AddrBits(AddrBits), .SlotBits(SlotBits), .ModulusSlot(ModulusSlot),
      .Binary(Binary), .Flags(Flags), .Scans(Entries > 1 ? 1 : 0)
    ) u_sums (
      .clk_i, .rst_ni, .binary_i,
      .write_i(write_q), .write_addr_i(write_addr_q), .word_i(write_word_q),
      .start_i(read_sum_i), .subtract_i(feed_x_i[0]), .test_i(feed_y_i), .slot_i(d_slot_i), .busy_o(sum_busy_o),
      .flags_o,
      .valid_i(sum_valid), .room_o(sum_room), .a_word_i(a_word), .b_word_i(b_word),
      .kept_i(kept), .kept_addr_i(kept_addr), .kept_word_i(kept_word),
      .hold_i(result), .sum_write_o(sum_write), .sum_addr_o(sum_addr), .sum_word_o(sum_word)
    );
  end else begin : gen_no_sums
    logic unused_sums;
    assign unused_sums = ^{sum_valid, binary_i};
    assign flags_o     = '0;
    assign sum_room    = 1'b1;
    assign sum_busy_o  = 1'b0;
    assign sum_write   = kept;
    assign sum_addr    = kept_addr;
    assign sum_word    = kept_word;
  end

endmodule

`default_nettype wire
