// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_lane: the data of mm_engine: register file, feed, sums, digit and cores. All that decides when something
// happens comes from the sequencer and the port; what goes back to them depends on lengths alone, but for the flag.
//
`default_nettype none

module mm_engine_lane #(
  parameter int Word        = 16,
  parameter int Beats       = 16,
  parameter int CoreWord    = 16,
  parameter int Cores       = 1,
  parameter int AddrBits    = 9,
  parameter int SlotBits    = 4,
  parameter int InBits      = 4,
  parameter int YSlot       = 0,
  parameter int DigitBits   = 4,
  parameter int Entries     = 16,
  parameter int Sums        = 0,
  parameter int ModulusSlot = 0,
  parameter int Binary      = 0,
  parameter int Flags       = 0,
  parameter int Twice       = 0,
  parameter int Lanes       = 1,
  parameter int Parts       = 2,    // registers of a long number
  parameter int Plain       = 0,
  parameter int AccBits     = 0,
  parameter int Halves      = 0,
  parameter int Sources     = 0,
  // Derived, not to be set.
  parameter int BeatBits  = Beats > 1 ? $clog2(Beats) : 1,
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
  input  wire                  port_turn_i,    // nothing else is written
  input  wire                  port_write_i,
  input  wire  [AddrBits-1:0]  port_addr_i,
  input  wire  [Word-1:0]      port_word_i,
  // The feed.
  input  wire                  feed_start_i,
  input  wire                  feed_out_i,
  input  wire  [1:0]           feed_x_i,
  input  wire  [1:0]           feed_y_i,
  input  wire  [1:0]           choose_i,
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
  input  wire                  read_plain_i,
  input  wire                  long_i,         // numbers of Parts registers
  input  wire  [6:0]           plain_i,        // mm_engine_plain: test, b_long, a_long, operation
  input  wire  [SlotCount-1:0] a_slot_i,
  input  wire  [SlotCount-1:0] b_slot_i,
  input  wire                  cross_i,        // b of a sum is that of the lane behind
  input  wire  [SlotCount-1:0] exp_slot_i,
  input  wire  [InBits-1:0]    exp_beat_i,
  output logic                 read_busy_o,
  output logic                 read_sum_busy_o,
  output logic                 sum_busy_o,
  output logic                 flag_o,
  input  wire                  agreed_i,       // the flag of all lanes
  output logic [Word-1:0]      b_word_o,       // for the lane before
  input  wire  [Word-1:0]      b_word_i,       // of the lane behind
  // The digit.
  input  wire                  digit_clear_i,
  input  wire                  digit_take_i,
  output logic                 single_o,       // a word of the exponent is there
  // The result port.
  output logic                 out_valid_o,
  input  wire                  out_ready_i,
  output logic [Word-1:0]      z_o
);

  localparam int IndexBits = Entries > 1 ? $clog2(Entries) : 1;  // the last bits of the digit

  logic                 rst_n, core_rst_n;  // with another lane they end a cycle later, and two, from registers near
  logic                 z_write, kept, core_valid, core_ready, core_square, z_valid, words_valid, words_take;
  logic                 sum_valid, sum_room, sum_late, late, chosen, busy, plain_busy, plain_valid, plain_late, upper;
  logic                 chosen_now;
  logic                 sum_flag, sum_flag_write, plain_flag, plain_flag_write, by_zero, zero, choosing;
  logic [AddrBits-1:0]  z_addr, kept_addr, sum_addr, plain_addr, late_addr;
  logic [Word-1:0]      kept_word, sum_word, plain_word, late_word, core_x, core_y, z, a_word, b_word, own_or_other;
  logic [DigitBits-1:0] digit_bits;
  logic                 unused_digit;

  // --- what the sequencer and the port say: with another lane, a cycle later ------------------------------------
  localparam int Later    = Lanes > 1 ? 1 : 0;
  localparam int Apart    = Lanes > 1 || Sums != 0 ? 1 : 0;  // registers between the core, the feed and the reader
  localparam int DoBits   = 12;  // what is to be done
  localparam int WithBits = 18 + 4 * SlotCount + InBits + AddrBits + Word;
  logic                 feed_start, feed_out, feed_square, feed_write;
  logic                 read_start, read_feed, read_single, read_scan, read_sum;
  logic                 read_plain, is_long, exchange, digit_clear, digit_take, port_turn, port_write;
  logic [1:0]           feed_x, feed_y, choose;
  logic [6:0]           plain;
  logic [SlotCount-1:0] a_slot, b_slot, d_slot, exp_slot;
  logic [InBits-1:0]    exp_beat;
  logic [AddrBits-1:0]  port_addr, result_addr;
  logic [Word-1:0]      port_word, result_word;
  logic [DoBits-1:0]    what, what_now;
  logic                 any_read, out_ready, result;  // result: one is written
  logic                 turn_now, write_now;          // of the port
  logic [AddrBits-1:0]  addr_now;
  logic [Word-1:0]      word_now;

  assign any_read = read_feed_i | read_single_i | read_scan_i | read_sum_i | read_plain_i;
  assign what_now = {any_read, read_feed_i, read_single_i, read_scan_i, read_sum_i, read_plain_i,
                     feed_start_i, digit_clear_i, digit_take_i, turn_now, write_now, out_ready_i};
  assign {read_start, read_feed, read_single, read_scan, read_sum, read_plain,
          feed_start, digit_clear, digit_take, port_turn, port_write, out_ready} = what;

  logic [BeatBits-1:0]  last_beat;
  logic [InBits-1:0]    last_in;
  logic                 binary;

  mm_delay #(
    .Bits(BeatBits + InBits + 1), .Cycles(Later)
  ) u_header (
    .clk_i, .d_i({last_beat_i, last_in_i, binary_i}), .q_o({last_beat, last_in, binary})
  );

  mm_delay #(
    .Bits(WithBits), .Cycles(Later)
  ) u_with (
    .clk_i,
    .d_i({feed_out_i, feed_x_i, feed_y_i, choose_i, feed_square_i, feed_write_i, long_i, plain_i, cross_i,
          a_slot_i, b_slot_i, d_slot_i, exp_slot_i, exp_beat_i, addr_now, word_now}),
    .q_o({feed_out, feed_x, feed_y, choose, feed_square, feed_write, is_long, plain, exchange,
          a_slot, b_slot, d_slot, exp_slot, exp_beat, port_addr, port_word})
  );

  mm_delay #(
    .Bits(AddrBits + Word), .Cycles(Apart)
  ) u_result (
    .clk_i, .d_i({z_addr, z}), .q_o({result_addr, result_word})
  );

  if (Lanes > 1) begin : gen_later
    logic                reset_q, reset_q2, turn_q, port_write_q;
    logic [DoBits-1:0]   what_q;
    logic [AddrBits-1:0] addr_q;
    logic [Word-1:0]     word_q;

    assign rst_n      = ~reset_q;
    assign core_rst_n = ~reset_q2;
    assign what       = what_q;

    // Words of the port come from far: a cycle more, in registers of each lane, for x is compared.
    assign {turn_now, write_now, addr_now, word_now} = {turn_q, port_write_q, addr_q, word_q};

    always_ff @(posedge clk_i) {addr_q, word_q} <= {port_addr_i, port_word_i};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) reset_q <= 1'b1;
      else         reset_q <= 1'b0;
    end

    always_ff @(posedge clk_i or negedge rst_n) begin
      if (!rst_n) reset_q2 <= 1'b1;
      else        reset_q2 <= 1'b0;
    end

    always_ff @(posedge clk_i or negedge rst_n) begin
      if (!rst_n) begin
        what_q                 <= '0;
        {turn_q, port_write_q} <= 2'b00;
      end else begin
        what_q                 <= what_now;
        {turn_q, port_write_q} <= {port_turn_i, port_write_i};
      end
    end
  end else begin : gen_now
    assign rst_n      = rst_ni;
    assign core_rst_n = rst_ni;
    assign what       = what_now;

    assign {turn_now, write_now, addr_now, word_now} = {port_turn_i, port_write_i, port_addr_i, port_word_i};
  end

  if (Apart != 0) begin : gen_apart
    logic result_q;
    assign result = result_q;
    always_ff @(posedge clk_i or negedge rst_n) begin
      if (!rst_n) result_q <= 1'b0;
      else        result_q <= z_write;
    end
  end else begin : gen_at_once
    assign result = z_write;
  end

  // --- what is written, a cycle later: words of the port; then results, and words of scans and sums ---------------
  logic                write_q, late_turn;
  logic [AddrBits-1:0] write_addr_q;
  logic [Word-1:0]     write_word_q;

  // Words of a sum wait for results.
  assign late_turn = Sums != 0 ? ~result : late;

  always_ff @(posedge clk_i) begin
    write_q <= port_turn ? port_write : result | late;
    if (port_turn) begin
      write_addr_q <= port_addr;
      write_word_q <= port_word;
    end else begin
      write_addr_q <= late_turn ? late_addr : result_addr;
      write_word_q <= late_turn ? late_word : result_word;
    end
  end

  mm_engine_digit #(
    .Word(Word), .DigitBits(DigitBits), .Flags(Flags)
  ) u_digit (
    .clk_i, .clear_i(digit_clear), .load_i(single_o), .word_i(a_word), .take_i(digit_take), .digit_o(digit_bits),
    .choose_i(choose), .flag_i(choosing), .chosen_o(chosen_now)
  );

  assign unused_digit = ^digit_bits;  // the table's index takes its last bits

  if (Lanes > 1) begin : gen_lanes
    logic cross_q, chosen_q;
    assign choosing     = feed_out ? agreed_i : flag_o;
    assign chosen       = chosen_q;
    assign own_or_other = cross_q ? b_word_i : b_word;
    always_ff @(posedge clk_i) begin
      chosen_q <= chosen_now;
      if (read_sum | read_plain) cross_q <= exchange;
    end
  end else begin : gen_lane
    logic unused_other;
    assign choosing     = flag_o;
    assign chosen       = chosen_now;
    assign own_or_other = b_word;
    assign unused_other = ^{exchange, agreed_i, b_word_i};
  end

  assign b_word_o = b_word;

  mm_engine_reader #(
    .Word(Word), .AddrBits(AddrBits), .SlotBits(SlotBits), .BeatBits(BeatBits), .InBits(InBits),
    .IndexBits(IndexBits), .Entries(Entries), .YSlot(YSlot), .Plain(Plain), .Parts(Parts), .Sources(Sources),
    .Sums(Sums)
  ) u_reader (
    .clk_i, .rst_ni(rst_n),
    .write_i(write_q), .write_addr_i(write_addr_q), .word_i(write_word_q),
    .start_i(read_start), .feed_i(read_feed), .single_i(read_single), .scan_i(read_scan), .sum_i(read_sum),
    .plain_i(read_plain), .long_i(is_long),
    .a_slot_i(a_slot), .b_slot_i(b_slot), .d_slot_i(d_slot), .exp_slot_i(exp_slot), .exp_beat_i(exp_beat),
    .last_beat_i(last_beat),
    .index_i(digit_bits[IndexBits-1:0]), .busy_o(busy), .sum_busy_o(read_sum_busy_o),
    .valid_o(words_valid), .take_i(words_take), .sum_valid_o(sum_valid), .room_i(sum_room),
    .plain_valid_o(plain_valid), .upper_o(upper), .single_o,
    .a_word_o(a_word), .b_word_o(b_word),
    .kept_o(kept), .kept_addr_o(kept_addr), .kept_word_o(kept_word)
  );

  if (Sums != 0) begin : gen_sums
    mm_engine_sum #(
      .Word(Word), .Beats(Beats), .AddrBits(AddrBits), .SlotBits(SlotBits), .ModulusSlot(ModulusSlot),
      .Binary(Binary), .Twice(Twice), .Flags(Flags), .Late(Lanes > 1 ? 1 : 0)
    ) u_sum (
      .clk_i, .rst_ni(rst_n),
      .last_beat_i(last_beat), .binary_i(binary),
      .write_i(write_q), .write_addr_i(write_addr_q), .word_i(write_word_q),
      .start_i(read_sum), .subtract_i(feed_x[0]), .twice_i(feed_x[1]), .test_i(feed_y),
      .slot_i(d_slot), .busy_o(sum_busy_o),
      .flag_write_o(sum_flag_write), .flag_o(sum_flag),
      .valid_i(sum_valid), .room_o(sum_room), .a_word_i(a_word), .b_word_i(own_or_other),
      .kept_i(kept), .kept_addr_i(kept_addr), .kept_word_i(kept_word),
      .hold_i(result), .sum_write_o(sum_late), .sum_addr_o(sum_addr), .sum_word_o(sum_word)
    );
  end else begin : gen_no_sums
    logic unused_sums;
    assign unused_sums    = ^{read_sum, sum_valid, binary};
    assign sum_room       = 1'b1;
    assign sum_busy_o     = 1'b0;
    assign sum_flag_write = 1'b0;
    assign sum_flag       = 1'b0;
    assign sum_late       = kept;
    assign sum_addr       = kept_addr;
    assign sum_word       = kept_word;
  end

  if (Plain != 0) begin : gen_plain
    localparam int Most = AccBits > 1 ? AccBits : 1;

    mm_engine_plain #(
      .Word(Word), .AddrBits(AddrBits), .SlotBits(SlotBits), .BeatBits(BeatBits), .Digit(AccBits), .Halves(Halves),
      .Flags(Flags), .Parts(Parts)
    ) u_plain (
      .clk_i, .rst_ni(rst_n), .last_beat_i(last_beat),
      .start_i(read_plain), .operation_i(plain[2:0]), .a_long_i(plain[3]), .b_long_i(plain[4]),
      .test_i(plain[6:5]), .keep_i(feed_write), .slot_i(d_slot), .choose_i(|choose), .chosen_i(chosen),
      .digit_i(digit_bits[Most-1:0]),
      .busy_o(plain_busy),
      .valid_i(plain_valid), .upper_i(upper), .a_word_i(a_word), .b_word_i(own_or_other),
      .write_o(plain_late), .addr_o(plain_addr), .word_o(plain_word),
      .flag_write_o(plain_flag_write), .flag_o(plain_flag), .by_zero_o(by_zero), .zero_o(zero)
    );

  end else begin : gen_no_plain
    logic unused_plain;
    assign unused_plain     = ^{plain, plain_valid, upper, own_or_other};
    assign plain_busy       = 1'b0;
    assign plain_late       = 1'b0;
    assign plain_addr       = '0;
    assign plain_word       = '0;
    assign plain_flag_write = 1'b0;
    assign plain_flag       = 1'b0;
    assign by_zero          = 1'b0;
    assign zero             = 1'b0;
  end

  assign late      = sum_late | plain_late;
  assign late_addr = plain_late ? plain_addr : sum_addr;
  assign late_word = plain_late ? plain_word : sum_word;

  assign read_busy_o = busy | plain_busy;

  // --- the flag -----------------------------------------------------------------------------------------------------
  if (Flags != 0) begin : gen_flag
    logic flag_q, by_zero_q;

    assign flag_o = by_zero_q ? zero : flag_q;

    always_ff @(posedge clk_i) begin
      // Between operations it is 0, so that no row finds that of the one before.
      if (port_turn)             {by_zero_q, flag_q} <= 2'b00;
      else if (sum_flag_write)   {by_zero_q, flag_q} <= {1'b0, sum_flag};
      else if (plain_flag_write) {by_zero_q, flag_q} <= {by_zero, plain_flag};
    end
  end else begin : gen_no_flag
    logic unused_flag;
    assign flag_o      = 1'b0;
    assign unused_flag = ^{sum_flag_write, sum_flag, plain_flag_write, plain_flag, by_zero, zero};
  end

  mm_engine_feed #(
    .Word(Word), .Beats(Beats), .AddrBits(AddrBits), .SlotBits(SlotBits), .InBits(InBits), .Plain(Plain),
    .Parts(Parts), .Staged(Lanes > 1 ? 1 : 0), .Pairs(Apart)
  ) u_feed (
    .clk_i, .rst_ni(rst_n),
    .last_beat_i(last_beat), .last_in_i(last_in),
    .start_i(feed_start), .out_i(feed_out), .long_i(is_long), .x_from_i(feed_x), .y_from_i(feed_y), .chosen_i(chosen),
    .square_i(feed_square), .write_i(feed_write), .slot_i(d_slot),
    .busy_o(feed_busy_o), .done_o(feed_done_o), .empty_o(feed_empty_o), .pending_o, .come_o, .coming_o,
    .words_valid_i(words_valid), .words_take_o(words_take), .a_word_i(a_word), .b_word_i(b_word),
    .z_write_o(z_write), .z_addr_o(z_addr),
    .core_valid_o(core_valid), .core_ready_i(core_ready), .x_o(core_x), .y_o(core_y), .square_o(core_square),
    .z_valid_i(z_valid), .z_i(z),
    .out_valid_o, .out_ready_i(out_ready)
  );

  // A core's control gets a level of logic more where it is mapped with the engine. In GF(2^m) that is the longest path
  // between 256 and 384 bits: below, those of the engine are as long, and above, the clock is near the core's anyway.
  mm_engine_cores #(
    .Word(Word), .Beats(Beats), .CoreWord(CoreWord), .Cores(Cores), .Staged(Lanes > 1 ? 1 : 0),
    .Apart(Lanes == 1 && Binary == 2 && Beats * Word > 256 && Beats * Word <= 384 ? 1 : 0)
  ) u_cores (
    .clk_i, .rst_ni(core_rst_n), .last_beat_i(last_beat),
    .ctx_valid_i(core_ctx_valid_i), .ctx_ready_o(core_ctx_ready_o), .ctx_data_i(core_ctx_data_i),
    .ctx_error_o(core_ctx_error_o),
    .in_valid_i(core_valid), .in_ready_o(core_ready), .x_i(core_x), .y_i(core_y), .square_i(core_square),
    .out_valid_o(z_valid), .z_o(z)
  );

  assign z_o = core_x;

endmodule

`default_nettype wire
