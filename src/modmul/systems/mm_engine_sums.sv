// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_sums: sums and differences modulo K of the numbers of two registers, number by number, for
// mm_engine_numbers: what mm_engine_sum does with one. K is the number in slot ModulusSlot, there as often as there are
// numbers, and copied as it is written. 0 <= a, b < K, and so are the results. In GF(2^m) (binary_i) K is 0, and they
// are a ^ b.
//
// First pass, a word a cycle as the reader gives them
//    1  a and b, or the complement of b                      each word into a register
//       t = a + b, or a - b                                  its words, with a carry for each number
//    2  u = t - K, or t + K                                  words of t and u into two memories
//       after the last word of a number: it is u if t has a carry or u no borrow; a difference, if t has a borrow.
//       Which it is waits in a queue
// Second pass, a word a cycle, of one number while the first pass is at those behind it
//    3  the words of t or u, chosen by a mask, into a register and from there into the register file. Results of the
//       core that are written go first: hold_i. Words of scans take the same register: no scan runs beside a sum.
// With test_i there is no second pass, but a flag for each number: a < b (1), or a = b (2).
// The first pass of the next sum may begin meanwhile. A word of it waits until the second pass has read its place.
//
`default_nettype none

module mm_engine_sums #(
  parameter int Word        = 16,
  parameter int Beats       = 32,  // words of a register
  parameter int Batch       = 2,   // numbers in it
  parameter int AddrBits    = 9,
  parameter int SlotBits    = 5,
  parameter int ModulusSlot = 0,
  parameter int Binary      = 0,   // 1: there is GF(2^m); 2: nothing else
  parameter int Flags       = 0,   // 1: there is test_i
  parameter int Scans       = 0,   // 1: there is kept_i
  // Derived, not to be set.
  parameter int SlotCount = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  binary_i,
  // The register file's write port.
  input  wire                  write_i,
  input  wire  [AddrBits-1:0]  write_addr_i,
  input  wire  [Word-1:0]      word_i,
  // Sums.
  input  wire                  start_i,
  input  wire                  subtract_i,
  input  wire  [1:0]           test_i,       // in a difference
  input  wire  [SlotCount-1:0] slot_i,
  output logic                 busy_o,       // words or flags are still to come
  output logic [Batch-1:0]     flags_o,
  // Words of a and b.
  input  wire                  valid_i,
  output logic                 room_o,
  input  wire  [Word-1:0]      a_word_i,
  input  wire  [Word-1:0]      b_word_i,
  // Words of a scan.
  input  wire                  kept_i,
  input  wire  [AddrBits-1:0]  kept_addr_i,
  input  wire  [Word-1:0]      kept_word_i,
  // Words of the results.
  input  wire                  hold_i,
  output logic                 sum_write_o,  // in a cycle without hold_i
  output logic [AddrBits-1:0]  sum_addr_o,
  output logic [Word-1:0]      sum_word_o
);

  localparam int Each       = Beats / Batch;  // words of a number
  localparam int BeatBits   = $clog2(Beats);
  localparam int EachBits   = Each > 1 ? $clog2(Each) : 1;
  localparam int NumberBits = $clog2(Batch);
  localparam logic [BeatBits-1:0]   LastBeat   = BeatBits'(Beats - 1);
  localparam logic [EachBits-1:0]   LastOfEach = EachBits'(Each - 1);
  localparam logic [NumberBits-1:0] LastNumber = NumberBits'(Batch - 1);

  logic [BeatBits-1:0] beat_q, beat_q2, beat_q3, write_beat_q;
  logic                begins, row_begins, number_ends, row_ends, tests;  // tests: in the first pass is a test

  // --- K --------------------------------------------------------------------------------------------------------
  logic                 k_write;
  logic [SlotCount-1:0] write_slot;
  logic [Word-1:0]      k_word;

  assign write_slot = SlotCount'(write_addr_i >> SlotBits);
  assign k_write    = write_i & (write_slot == SlotCount'(ModulusSlot));

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_k (
    .clk_i, .write_i(k_write), .write_addr_i(write_addr_i[BeatBits-1:0]), .word_i,
    .read_addr_i(beat_q2), .word_o(k_word)
  );

  // --- the first pass -------------------------------------------------------------------------------------------
  logic                 subtract_q, last_q, last_q2, valid_q, valid_q2, carry_q, carry_q2, over_q;
  logic                 carry, u_carry, inverted, number_end, use_u;
  logic [EachBits-1:0]  each_q;  // the word of its number
  logic [BeatBits:0]    next_q;  // beat_q + 1
  logic [SlotCount-1:0] slot_q;
  logic [Word-1:0]      a_q, b_q, total, t, t_q, k_q, u, t_word, u_word;

  assign {carry, total} = {1'b0, a_q} + {1'b0, b_q} + {{Word{1'b0}}, carry_q};                    // step 1
  assign {u_carry, u}   = {1'b0, t_q} + {1'b0, k_q} + {{Word{1'b0}}, carry_q2};                   // step 2
  assign number_end     = valid_q2 & last_q2;

  if (Binary != 0) begin : gen_fields
    assign inverted = subtract_q & ~binary_i;
    assign t        = binary_i ? a_q ^ b_q : total;
  end else begin : gen_field
    logic unused_binary;
    assign inverted      = subtract_q;
    assign t             = total;
    assign unused_binary = binary_i;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      subtract_q <= subtract_i;
      slot_q     <= slot_i;
      beat_q     <= '0;
      next_q     <= (BeatBits+1)'(1);
      each_q     <= '0;
    end else if (valid_i) begin
      beat_q <= beat_q + 1'b1;
      next_q <= next_q + 1'b1;
      each_q <= each_q == LastOfEach ? '0 : each_q + 1'b1;
    end
    if (start_i)       carry_q <= subtract_i;
    else if (valid_q)  carry_q <= last_q ? subtract_q : carry;
    if (start_i)       carry_q2 <= ~subtract_i;
    else if (valid_q2) carry_q2 <= last_q2 ? ~subtract_q : u_carry;
    a_q     <= a_word_i;
    b_q     <= b_word_i ^ {Word{inverted}};
    beat_q2 <= beat_q;
    last_q  <= each_q == LastOfEach;
    t_q     <= t;
    k_q     <= k_word ^ {Word{~subtract_q}};
    beat_q3 <= beat_q2;
    last_q2 <= last_q;
    over_q  <= carry;
  end

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_t (
    .clk_i, .write_i(valid_q2), .write_addr_i(beat_q3), .word_i(t_q), .read_addr_i(write_beat_q), .word_o(t_word)
  );

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_u (
    .clk_i, .write_i(valid_q2), .write_addr_i(beat_q3), .word_i(u), .read_addr_i(write_beat_q), .word_o(u_word)
  );

  // --- between the passes ---------------------------------------------------------------------------------------
  logic [Batch-1:0]      over_queue_q, add_queue_q, carry_queue_q;  // what tells which of t and u a number is
  logic [NumberBits-1:0] end_q, begin_q;  // the number that ends next in the first pass, that begins next in the second
  logic [NumberBits:0]   waiting_q;       // numbers that have ended in the first, and not begun in the second
  logic [1:0]            rows_q;          // sums that have begun, and not been read: two if one is behind another

  // Decided as the second pass begins: the carry of u is late.
  assign use_u = over_queue_q[begin_q] | (add_queue_q[begin_q] & carry_queue_q[begin_q]);

  always_ff @(posedge clk_i) begin
    if (number_end) begin
      over_queue_q[end_q]  <= over_q ^ subtract_q;
      add_queue_q[end_q]   <= ~subtract_q;
      carry_queue_q[end_q] <= u_carry;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      end_q     <= '0;
      begin_q   <= '0;
      waiting_q <= '0;
      rows_q    <= '0;
    end else begin
      if (number_end) end_q   <= end_q == LastNumber ? '0 : end_q + 1'b1;
      if (begins)     begin_q <= begin_q == LastNumber ? '0 : begin_q + 1'b1;
      if ((number_end & ~tests) != begins) waiting_q <= begins ? waiting_q - 1'b1 : waiting_q + 1'b1;
      if (start_i != row_ends)  rows_q    <= row_ends ? rows_q - 1'b1 : rows_q + 1'b1;
    end
  end

  if (Flags != 0) begin : gen_flags
    // Whether a number is 0 is known of each of its parts, and of all of them a cycle later.
    localparam int Parts = (Word + 7) / 8;
    logic [1:0]            test_q;
    logic [8*Parts-1:0]    t_padded;
    logic [Parts-1:0]      some, some_q, some_q2;
    logic                  less_q, by_less_q, write_q;
    logic [NumberBits-1:0] number_q;
    logic [Batch-1:0]      flags_q;

    assign t_padded = (8*Parts)'(t_q);
    assign tests    = test_q != '0;
    assign flags_o  = flags_q;

    for (genvar part = 0; part < Parts; part++) begin : gen_part
      assign some[part] = some_q[part] | (|t_padded[8*part +: 8]);
    end

    always_ff @(posedge clk_i) begin
      if (start_i) test_q <= test_i;
      if (start_i)       some_q <= '0;
      else if (valid_q2) some_q <= last_q2 ? '0 : some;
      some_q2   <= some;
      less_q    <= ~over_q;
      by_less_q <= test_q[0];
      number_q  <= end_q;
      if (write_q) flags_q[number_q] <= (Binary == 2 ? 1'b0 : by_less_q) ? less_q : ~|some_q2;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) write_q <= 1'b0;
      else         write_q <= number_end & tests;
    end
  end else begin : gen_no_flags
    logic unused_test;
    assign tests       = 1'b0;
    assign flags_o     = '0;
    assign unused_test = ^test_i;
  end

  // --- the second pass ------------------------------------------------------------------------------------------
  logic                 run_q, use_u_q, go;
  logic [EachBits-1:0]  write_each_q;
  logic [SlotCount-1:0] slot_q2;

  assign go          = ~(sum_write_o & hold_i);
  assign number_ends = run_q & go & (write_each_q == LastOfEach);
  assign row_ends    = (number_ends & (write_beat_q == LastBeat)) | (number_end & tests & (end_q == LastNumber));
  assign begins      = (waiting_q != '0) & (~run_q | number_ends);
  assign row_begins  = begins & (begin_q == '0);

  always_ff @(posedge clk_i) begin
    if (begins) use_u_q <= use_u;
    if (row_begins) slot_q2 <= slot_q;
    if (row_begins)       write_beat_q <= '0;
    else if (go && run_q) write_beat_q <= write_beat_q + 1'b1;
    if (begins)           write_each_q <= '0;
    else if (go && run_q) write_each_q <= write_each_q + 1'b1;
    if (go) begin
      sum_word_o <= (Scans != 0) & kept_i ? kept_word_i                                            // step 3
                  : (Binary == 2 ? 1'b0 : use_u_q) ? u_word : t_word;
      sum_addr_o <= (Scans != 0) & kept_i ? kept_addr_i : (AddrBits'(slot_q2) << SlotBits) | AddrBits'(write_beat_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= 1'b0;
      valid_q2    <= 1'b0;
      run_q       <= 1'b0;
      sum_write_o <= 1'b0;
      room_o      <= 1'b1;
    end else begin
      valid_q  <= valid_i;
      valid_q2 <= valid_q;
      run_q    <= begins | (run_q & ~number_ends);
      if (go) sum_write_o <= run_q | ((Scans != 0) & kept_i);
      // A cycle ahead, in which a word of the first pass may be taken.
      room_o <= ~rows_q[1] | ({1'b0, write_beat_q} > next_q);
    end
  end

  // A row that begins behind a word that leaves finds it.
  assign busy_o = (rows_q != '0) | (sum_write_o & hold_i);

endmodule

`default_nettype wire
