// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_whole: the data of mm_engine where a word is a whole number, and the core takes one every cycle: what
// mm_engine_lane and mm_engine_numbers are elsewhere. A register holds Batch numbers. Nothing waits for anything once
// it has begun: a row addresses its numbers one a cycle, and each of them is the same number of cycles behind.
//
//   cycle   a product                                          a sum
//     0     the row begins, and its registers are told
//     1     the first address                                  the first address, of two ports of its own
//   1 + R   words are there, and choices among them            words are there
//   2 + R   the core takes them                                mm_engine_whole_sum has them
//   L more  z, of which F is written
//   C more  z is written                                       P + C more: the result is written
//
// L is the latency of the core, P the cycles of a sum. One number alone comes out of the memory in R = 1 cycle, and is
// written as it comes, C = 0; with several R is 2, and there is a register in front of the memory, C = 1.
//
// So a row finds the numbers of another one if it finds the first: the others come one a cycle, and are read one a
// cycle. A product that takes F begins to address when the first word of F has come; no sum begins meanwhile, since
// registers that it reads could be written.
//
// There are two copies of the register file, one of products and one of sums, since both write in the same cycle. Which
// of them holds a register's latest value is known when a row begins, for all of its numbers: the row that wrote it
// has. Words of the port and of scans are written with those of products, while none come.
//
// Words leave one in four cycles. A scan goes through the table for each number.
//
`default_nettype none

module mm_engine_whole #(
  parameter int Word        = 16,
  parameter int Batch       = 1,   // numbers of a register
  parameter int Latency     = 2,   // of the core
  parameter int Slots       = 32,
  parameter int AddrBits    = 5,
  parameter int SlotBits    = 0,
  parameter int InBits      = 1,
  parameter int YSlot       = 0,
  parameter int DigitBits   = 4,   // the last bits and those before, twice Batch; or an index of each
  parameter int Entries     = 1,   // of the table
  parameter int SumBits     = 16,  // of a sum in a cycle
  parameter int ModulusSlot = 0,
  parameter int Binary      = 0,
  parameter int Flags       = 0,   // 1: there are flags
  parameter int Long        = 0,   // 1: numbers of two registers go to the result port
  // Derived, not to be set.
  parameter int SlotCount = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // From the context.
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
  // Products, and words that leave.
  input  wire                  feed_start_i,
  input  wire                  feed_out_i,
  input  wire  [1:0]           feed_x_i,     // 0: a, 1: b, 2: F, 3: the number 1, for x alone; of a sum whether it
                                             // is a difference
  input  wire  [1:0]           feed_y_i,     // likewise; of a sum the test
  input  wire  [1:0]           choose_i,     // b in place of a: 1 if its last two bits differ, 2 if its last is 1, 3 by
                                             // its flag
  input  wire                  feed_square_i,
  input  wire                  feed_write_i,
  input  wire  [SlotCount-1:0] d_slot_i,
  output logic                 feed_busy_o,
  output logic                 feed_done_o,
  output logic                 feed_empty_o,
  output logic [2:0]           pending_o,    // products whose first number is not there for a row that begins next
  output logic                 coming_o,     // numbers of a result come
  // Others.
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

  localparam int CountBits = Batch > 1 ? $clog2(Batch) : 1;
  localparam int IndexBits = Entries > 1 ? $clog2(Entries) : 1;  // of each number, its last bits of the digit
  localparam int SumParts  = (Word + SumBits - 1) / SumBits;
  localparam int Reads     = Batch > 1 ? 2 : 1;                   // R
  localparam int Direct    = Batch > 1 ? 0 : 1;
  localparam int Settles   = Reads + SumParts + 1 - Direct;       // cycles behind a sum's in which a row waits for it
  localparam int Tests     = Reads + SumParts + 1 + Batch;        // likewise, for a test's flags
  localparam int WaitBits  = $clog2(Tests + 1);
  localparam logic [CountBits-1:0] Last = CountBits'(Batch - 1);
  localparam logic [CountBits-1:0] Near = CountBits'(Batch > 1 ? Batch - 2 : 0);
  localparam logic [1:0] FromB = 2'd1;
  localparam logic [1:0] FromF = 2'd2;
  localparam logic [1:0] One   = 2'd3;

  function automatic logic [AddrBits-1:0] place(input logic [SlotCount-1:0] slot, input logic [CountBits-1:0] number);
    place = (AddrBits'(slot) << SlotBits) | (Batch > 1 ? AddrBits'(number) : '0);
  endfunction

  // --- where a register's latest value is: with products (0), or with sums -----------------------------------------
  logic [Slots-1:0]     by_sum_q;
  logic [SlotCount-1:0] port_slot;
  logic                 product, sums;

  assign port_slot = SlotCount'(port_addr_i >> SlotBits);
  assign product   = (feed_start_i & ~feed_out_i & feed_write_i) | ((Entries > 1) & read_scan_i);
  assign sums      = read_sum_i & ((Flags == 0) | (feed_y_i == 2'd0));

  always_ff @(posedge clk_i) begin
    for (int slot = 0; slot < Slots; slot++) begin
      if (port_turn_i) begin
        if (port_write_i && port_slot == SlotCount'(slot)) by_sum_q[slot] <= 1'b0;
      end else if ((product || sums) && d_slot_i == SlotCount'(slot)) begin
        by_sum_q[slot] <= sums;
      end
    end
  end

  // --- cycle 0: what a row tells -----------------------------------------------------------------------------------
  logic [SlotCount-1:0] a_slot_q, b_slot_q, scan_slot_q;
  logic [CountBits-1:0] count_q;
  logic                 a_sum_q, b_sum_q, square_q, y_f_q, y_b_q, long_q;
  logic [1:0]           x_from_q;
  logic                 wait_q, run_q, out_q, single_q, scan_q;  // until F comes; in cycle 1: what is addressed
  logic                 wants_f, there, begins, goes_on, count_last, ends, upper_q, over_q, out_last;
  logic [Batch-1:0]     by_digit, chosen, chosen_q;              // chosen_q: the next number's first
  logic [IndexBits-1:0] entry_q;
  logic                 entry_last;
  logic [2:0]           pending_q;
  logic                 issue, come;

  assign issue      = feed_start_i & ~feed_out_i;
  assign wants_f    = (feed_x_i == FromF) | ((feed_y_i == FromF) & ~feed_out_i);
  // A product that waits is pending itself.
  assign there      = pending_o == {2'b00, wait_q & ~out_q};
  assign begins     = (feed_start_i & (~wants_f | there)) | (wait_q & there);
  assign count_last = count_q == Last;
  assign entry_last = (Entries == 1) | (entry_q == IndexBits'(Entries - 1));
  assign goes_on    = out_q ? out_valid_o & out_ready_i & ~out_last : run_q & ~count_last;
  assign ends       = scan_q & entry_last & count_last;
  assign chosen     = (Flags != 0) & (&choose_i) ? flags_o : by_digit;

  always_ff @(posedge clk_i) begin
    if (feed_start_i) begin
      a_slot_q <= a_slot_i;
      b_slot_q <= b_slot_i;
      a_sum_q  <= by_sum_q[a_slot_i];
      b_sum_q  <= by_sum_q[b_slot_i];
      x_from_q <= feed_x_i;
      y_f_q    <= feed_y_i == FromF;
      y_b_q    <= feed_y_i == FromB;
      square_q <= feed_square_i;
      long_q   <= (Long != 0) & long_i;
      chosen_q <= chosen;
      count_q  <= '0;
      upper_q  <= 1'b0;
      over_q   <= 1'b0;
    end else if (read_single_i) begin
      a_slot_q <= SlotCount'(YSlot) + SlotCount'(AddrBits'(exp_beat_i) >> SlotBits);
      count_q  <= CountBits'(exp_beat_i);
    end else if ((Entries > 1) && read_scan_i) begin
      a_slot_q <= a_slot_i;
      count_q  <= '0;
    end else begin
      if (run_q | (scan_q & entry_last)) count_q <= count_last ? '0 : count_q + 1'b1;
      if (run_q) chosen_q <= Batch'({chosen_q, chosen_q} >> 1);
      if (run_q & out_q & count_last) begin
        // The upper parts of long numbers are in the registers behind.
        if (long_q) {a_slot_q[0], b_slot_q[0]} <= 2'b11;
        upper_q <= 1'b1;
        over_q  <= ~long_q | upper_q;
      end
      if (scan_q) a_slot_q[IndexBits-1:0] <= entry_last ? '0 : a_slot_q[IndexBits-1:0] + 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {wait_q, run_q, out_q, single_q, scan_q} <= '0;
    end else begin
      wait_q   <= feed_start_i ? wants_f & ~there : wait_q & ~there;
      run_q    <= begins | (goes_on & ~wait_q);
      out_q    <= feed_start_i ? feed_out_i : out_q & ~(feed_empty_o & out_last & out_valid_o);
      single_q <= read_single_i;
      scan_q   <= ((Entries > 1) & read_scan_i) | (scan_q & ~ends);
    end
  end

  // --- cycle 1: addresses ------------------------------------------------------------------------------------------
  // What goes with them, until the words are there: _3, since with several numbers that is cycle 3.
  logic [4*Reads-1:0]   kinds_q;
  logic                 feed_3, out_3, single_3, scan_3;
  logic                 a_sum, b_sum, a_sum_3, b_sum_3, x_chosen_3, y_f_3, y_b_3, square_3, over_3;
  logic [1:0]           x_from_3;
  logic [CountBits-1:0] count_3;
  logic                 looks;  // nothing else runs

  assign looks = out_q | scan_q;
  assign a_sum = single_q ? 1'b0 : looks ? by_sum_q[a_slot_q] : a_sum_q;
  assign b_sum = looks ? by_sum_q[b_slot_q] : b_sum_q;

  mm_delay #(
    .Bits(9 + CountBits), .Cycles(Reads)
  ) u_words (
    .clk_i, .d_i({a_sum, b_sum, chosen_q[0], y_f_q, y_b_q, square_q, over_q, x_from_q, count_q}),
    .q_o({a_sum_3, b_sum_3, x_chosen_3, y_f_3, y_b_3, square_3, over_3, x_from_3, count_3})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kinds_q <= '0;
    else         kinds_q <= (4*Reads)'({kinds_q, run_q & ~out_q, run_q & out_q, single_q, scan_q});
  end

  assign {feed_3, out_3, single_3, scan_3} = kinds_q[4*Reads-1 -: 4];

  // --- the register file -------------------------------------------------------------------------------------------
  logic                write, sum_write;
  logic [AddrBits-1:0] write_addr, sum_addr, a_addr, b_addr, sum_a_addr, sum_b_addr;
  logic [Word-1:0]     write_word, sum_word;
  logic [4*AddrBits-1:0] addresses;
  logic [4*Word-1:0]     of_products, of_sums;

  assign a_addr    = place(a_slot_q, count_q);
  assign b_addr    = place(b_slot_q, count_q);
  assign addresses = {sum_b_addr, sum_a_addr, b_addr, a_addr};

  for (genvar port = 0; port < 4; port++) begin : gen_port
    logic [AddrBits-1:0] address;

    assign address = addresses[AddrBits*port +: AddrBits];

    if (Reads == 1) begin : gen_blocks
      mm_engine_block #(
        .Word(Word), .AddrBits(AddrBits)
      ) u_products (
        .clk_i, .write_i(write), .write_addr_i(write_addr), .word_i(write_word),
        .read_addr_i(address), .word_o(of_products[Word*port +: Word])
      );

      mm_engine_block #(
        .Word(Word), .AddrBits(AddrBits)
      ) u_sums (
        .clk_i, .write_i(sum_write), .write_addr_i(sum_addr), .word_i(sum_word),
        .read_addr_i(address), .word_o(of_sums[Word*port +: Word])
      );
    end else begin : gen_memories
      mm_engine_memory #(
        .Word(Word), .AddrBits(AddrBits)
      ) u_products (
        .clk_i, .write_i(write), .write_addr_i(write_addr), .word_i(write_word),
        .read_i(1'b1), .read_addr_i(address), .word_o(of_products[Word*port +: Word])
      );

      mm_engine_memory #(
        .Word(Word), .AddrBits(AddrBits)
      ) u_sums (
        .clk_i, .write_i(sum_write), .write_addr_i(sum_addr), .word_i(sum_word),
        .read_i(1'b1), .read_addr_i(address), .word_o(of_sums[Word*port +: Word])
      );
    end
  end

  // --- cycle 1 + R: words, and choices among them ------------------------------------------------------------------
  logic [Word-1:0] a_word, b_word, a_or_b, f_word, x_q, y_q;
  logic            core_valid_q, core_square_q, out_valid_q, done_q;
  logic [InBits-1:0] out_beat_q;

  assign a_word = a_sum_3 ? of_sums[Word-1:0] : of_products[Word-1:0];
  assign b_word = b_sum_3 ? of_sums[2*Word-1:Word] : of_products[2*Word-1:Word];
  assign a_or_b = x_chosen_3 ? b_word : a_word;

  always_ff @(posedge clk_i) begin
    if (feed_3 | out_3) begin
      case (x_from_3)
        FromF:   x_q <= f_word;
        One:     x_q <= Word'(1);
        default: x_q <= x_from_3 == FromB ? b_word : a_or_b;
      endcase
      if (out_3 & over_3) x_q <= '0;
      y_q           <= y_f_3 ? f_word : y_b_3 ? b_word : a_or_b;
      core_square_q <= square_3;
    end
  end

  // --- cycle 2 + R: the core, and the result port ------------------------------------------------------------------
  logic            z_valid, unused_ready;
  logic [Word-1:0] z;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      core_valid_q <= 1'b0;
      out_valid_q  <= 1'b0;
      done_q       <= 1'b0;
    end else begin
      core_valid_q <= feed_3;
      out_valid_q  <= out_3 | (out_valid_q & ~out_ready_i);
      done_q       <= out_3 & out_last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (feed_start_i)                    out_beat_q <= '0;
    else if (out_valid_q && out_ready_i) out_beat_q <= out_beat_q + 1'b1;
  end

  assign out_last     = out_beat_q == last_in_i;
  assign out_valid_o  = out_valid_q;
  assign z_o          = x_q;
  assign feed_done_o  = done_q;
  assign feed_empty_o = ~out_valid_q | out_ready_i;
  assign feed_busy_o  = wait_q | out_q | (run_q & (count_q != Near) & ~count_last);

  mm_engine_core #(
    .Word(Word), .Beats(1), .CoreWord(Word), .Apart(1)
  ) u_core (
    .clk_i, .rst_ni,
    .ctx_valid_i(core_ctx_valid_i), .ctx_ready_o(core_ctx_ready_o), .ctx_data_i(core_ctx_data_i),
    .ctx_error_o(core_ctx_error_o),
    .in_valid_i(core_valid_q), .in_ready_o(unused_ready), .x_i(x_q), .y_i(y_q), .square_i(core_square_q),
    .out_valid_o(z_valid), .out_ready_i(1'b1), .z_o(z)
  );

  // --- results -----------------------------------------------------------------------------------------------------
  logic [CountBits-1:0] z_count_q, kept_count_q;
  logic [2:0]           told_q, read_q;
  logic [SlotCount:0]   target;
  logic                 z_write, kept_valid_q;
  logic [Word-1:0]      kept_q;

  assign pending_o = pending_q - {2'b00, come};
  assign coming_o  = (Batch > 1) & (z_valid | (z_count_q != '0));
  assign z_write   = z_valid & target[SlotCount];

  // A result of one number alone is known to come a cycle before.
  if (Direct != 0) begin : gen_soon
    logic [Latency-2:0] flight_q;

    assign come = flight_q[Latency-2];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flight_q <= '0;
      else         flight_q <= (Latency-1)'({flight_q, core_valid_q});
    end
  end else begin : gen_come
    assign come = z_valid & (z_count_q == '0);
  end

  mm_word_ram #(
    .Word(SlotCount + 1), .Depth(8)
  ) u_targets (
    .clk_i, .write_i(issue), .write_addr_i(told_q), .word_i({feed_write_i, d_slot_i}), .read_addr_i(read_q),
    .word_o(target)
  );

  mm_word_ram #(
    .Word(Word), .Depth(Batch)
  ) u_f (
    .clk_i, .write_i(z_valid), .write_addr_i(z_count_q), .word_i(z), .read_addr_i(count_3), .word_o(f_word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      z_count_q <= '0;
      pending_q <= '0;
      told_q    <= '0;
      read_q    <= '0;
    end else begin
      if (z_valid) z_count_q <= z_count_q == Last ? '0 : z_count_q + 1'b1;
      if (z_valid && z_count_q == Last) read_q <= read_q + 1'b1;
      if (issue) told_q <= told_q + 1'b1;
      pending_q <= pending_o + {2'b00, issue};
    end
  end

  // --- what is written: words of the port, of results, of scans; of one number alone in the same cycle -------------
  logic [AddrBits-1:0] next_addr;
  logic [Word-1:0]     next_word;

  assign next_addr = port_turn_i ? port_addr_i
                   : z_write ? place(target[SlotCount-1:0], z_count_q) : place(scan_slot_q, kept_count_q);
  assign next_word = port_turn_i ? port_word_i : z_write ? z : kept_q;

  if (Direct != 0) begin : gen_direct
    assign write      = port_turn_i ? port_write_i : z_write | kept_valid_q;
    assign write_addr = next_addr;
    assign write_word = next_word;
  end else begin : gen_register
    logic                write_q;
    logic [AddrBits-1:0] write_addr_q;
    logic [Word-1:0]     write_word_q;

    assign write      = write_q;
    assign write_addr = write_addr_q;
    assign write_word = write_word_q;

    always_ff @(posedge clk_i) begin
      write_addr_q <= next_addr;
      write_word_q <= next_word;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) write_q <= 1'b0;
      else         write_q <= port_turn_i ? port_write_i : z_write | kept_valid_q;
    end
  end

  // --- the digit, of the scalars of which bit k of each digit is that of number k ----------------------------------
  logic [Word-1:0]      scalars_q;
  logic [DigitBits-1:0] digit_q;

  assign by_digit = ({Batch{choose_i[0]}} & (digit_q[Batch-1:0] ^ digit_q[2*Batch-1:Batch]))
                  | ({Batch{choose_i[1]}} & digit_q[Batch-1:0]);
  assign single_o = single_3;

  always_ff @(posedge clk_i) begin
    if (digit_clear_i)     digit_q <= '0;
    else if (digit_take_i) digit_q <= {digit_q[DigitBits-2:0], scalars_q[Word-1]};
    if (single_3)          scalars_q <= of_products[Word-1:0];
    else if (digit_take_i) scalars_q <= Word'({scalars_q, 1'b0});
  end

  // --- scans: an entry a cycle, that of the number's index is kept by a mask ---------------------------------------
  if (Entries > 1) begin : gen_scans
    logic [IndexBits*Batch-1:0] indices, indices_q;
    logic                       hit, first, hit_3, first_3, last_3;

    for (genvar number = 0; number < Batch; number++) begin : gen_index
      for (genvar bit_at = 0; bit_at < IndexBits; bit_at++) begin : gen_bit
        assign indices[number*IndexBits + bit_at] = digit_q[bit_at*Batch + number];
      end
    end

    assign hit   = entry_q == indices_q[IndexBits-1:0];
    assign first = entry_q == '0;

    mm_delay #(
      .Bits(3), .Cycles(Reads)
    ) u_entry (
      .clk_i, .d_i({hit, first, entry_last}), .q_o({hit_3, first_3, last_3})
    );

    always_ff @(posedge clk_i) begin
      if (read_scan_i) begin
        scan_slot_q <= d_slot_i;
        entry_q     <= '0;
        indices_q   <= indices;
      end else if (scan_q) begin
        entry_q <= entry_last ? '0 : entry_q + 1'b1;
        if (entry_last) indices_q <= (IndexBits*Batch)'({indices_q, indices_q} >> IndexBits);
      end
      kept_q       <= ({Word{~first_3}} & kept_q) | ({Word{hit_3}} & a_word);
      kept_count_q <= count_3;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) kept_valid_q <= 1'b0;
      else         kept_valid_q <= scan_3 & last_3;
    end
  end else begin : gen_no_scans
    logic unused_scan;
    assign entry_q      = '0;
    assign scan_slot_q  = '0;
    assign kept_q       = '0;
    assign kept_count_q = '0;
    assign kept_valid_q = 1'b0;
    assign unused_scan  = ^{read_scan_i, entry_last, scan_3, a_word};
  end

  assign read_busy_o = single_q | scan_q | (|(kinds_q & {Reads{4'b0011}}));

  // --- sums, beside all that: their words by two ports of their own ------------------------------------------------
  logic                 sum_run_q, sum_a_q, sum_b_q, subtract_q, sum_a_3, sum_b_3, subtract_3;
  logic [SlotCount-1:0] sum_a_slot_q, sum_b_slot_q, sum_slot_q, sum_slot_3;
  logic [CountBits-1:0] sum_count_q, sum_count_3, flag_number;
  logic [1:0]           test_q, test_3;
  logic [Reads-1:0]     sums_q;
  logic [WaitBits-1:0]  settles_q, tests_q;
  logic                 k_write, flag_write, flag;
  logic [Word-1:0]      k_q, sum_a, sum_b;

  assign sum_a_addr = place(sum_a_slot_q, sum_count_q);
  assign sum_b_addr = place(sum_b_slot_q, sum_count_q);
  assign k_write    = port_turn_i & port_write_i & (port_slot == SlotCount'(ModulusSlot));

  always_ff @(posedge clk_i) begin
    if (k_write) k_q <= port_word_i;
    if (read_sum_i) begin
      sum_a_slot_q <= a_slot_i;
      sum_b_slot_q <= b_slot_i;
      sum_slot_q   <= d_slot_i;
      sum_a_q      <= by_sum_q[a_slot_i];
      sum_b_q      <= by_sum_q[b_slot_i];
      subtract_q   <= feed_x_i[0];
      test_q       <= (Flags != 0) ? feed_y_i : 2'd0;
      sum_count_q  <= '0;
    end else if (sum_run_q) begin
      sum_count_q <= sum_count_q + 1'b1;
    end
  end

  mm_delay #(
    .Bits(5 + SlotCount + CountBits), .Cycles(Reads)
  ) u_sum_words (
    .clk_i, .d_i({sum_a_q, sum_b_q, subtract_q, test_q, sum_slot_q, sum_count_q}),
    .q_o({sum_a_3, sum_b_3, subtract_3, test_3, sum_slot_3, sum_count_3})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_run_q <= 1'b0;
      sums_q    <= '0;
      settles_q <= '0;
      tests_q   <= '0;
    end else begin
      sums_q    <= Reads'({sums_q, sum_run_q});
      sum_run_q <= read_sum_i | (sum_run_q & (sum_count_q != Last));
      if (read_sum_i && sums)   settles_q <= WaitBits'(Settles);
      else if (settles_q != '0) settles_q <= settles_q - 1'b1;
      if (read_sum_i && !sums)  tests_q <= WaitBits'(Tests);
      else if (tests_q != '0)   tests_q <= tests_q - 1'b1;
    end
  end

  assign sum_a           = sum_a_3 ? of_sums[3*Word-1:2*Word] : of_products[3*Word-1:2*Word];
  assign sum_b           = sum_b_3 ? of_sums[4*Word-1:3*Word] : of_products[4*Word-1:3*Word];
  assign read_sum_busy_o = wait_q | (sum_run_q & (sum_count_q != Near) & (sum_count_q != Last));
  assign sum_busy_o      = (settles_q != '0) | (tests_q != '0);

  mm_engine_whole_sum #(
    .Word(Word), .SumBits(SumBits), .TagBits(AddrBits), .NumBits(CountBits), .Binary(Binary), .Flags(Flags),
    .Direct(Direct)
  ) u_sum (
    .clk_i, .rst_ni, .binary_i, .k_i(k_q),
    .valid_i(sums_q[Reads-1]), .subtract_i(subtract_3), .test_i(test_3), .tag_i(place(sum_slot_3, sum_count_3)),
    .number_i(sum_count_3), .a_i(sum_a), .b_i(sum_b),
    .write_o(sum_write), .tag_o(sum_addr), .word_o(sum_word),
    .flag_write_o(flag_write), .flag_number_o(flag_number), .flag_o(flag)
  );

  if (Flags != 0) begin : gen_flags
    logic [Batch-1:0] flags_q;

    assign flags_o = flags_q;

    always_ff @(posedge clk_i) begin
      if (flag_write) flags_q[flag_number] <= flag;
    end
  end else begin : gen_no_flags
    logic unused_flag;
    assign flags_o     = '0;
    assign unused_flag = ^{flag_write, flag_number, flag};
  end

endmodule

`default_nettype wire
