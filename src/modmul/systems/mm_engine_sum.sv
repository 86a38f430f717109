// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_sum: sums and differences of registers modulo K, for mm_engine; K is the number in slot ModulusSlot, which
// is copied as it is written. 0 <= a, b < K, and so is the result. In GF(2^m) (binary_i) K is 0, and it is a ^ b.
//
// First pass, a word a cycle as the reader gives them
//    1  a and b, or the complement of b                      each word into a register
//       t = a + b, or a - b                                  its words, with their carry
//    2  u = t - K, or t + K                                  words of t and u into two memories
//       after the last word: the sum is u if t has a carry or u no borrow, the difference is u if t has a borrow
// Second pass, a word a cycle
//    3  the words of t or u, chosen by a mask, into a register and from there into the register file. Results of the
//       core that are written go first: hold_i. With Late they are read into registers before, and K is written a cycle
//       later: memories of many words are levels of logic.
// Words of scans take the same register, with nothing in their way: no scan runs beside a sum.
// With test_i there is no second pass, but a flag: a < b (1), or a = b (2).
// With twice_i it is 2 a: b has a single 1, at bit m-1, in GF(2^m), where K is x^m + ... without what does not fit into
// its words. There t = 2 a and u = t ^ K, and the sum is u if a has the bit of b.
// The first pass of the next sum may begin meanwhile. A word of it waits until the second pass has read its place.
//
`default_nettype none

module mm_engine_sum #(
  parameter int Word        = 16,
  parameter int Beats       = 16,
  parameter int AddrBits    = 9,
  parameter int SlotBits    = 4,
  parameter int ModulusSlot = 0,
  parameter int Binary      = 0,  // 1: there is GF(2^m); 2: nothing else
  parameter int Twice       = 0,  // 1: there is twice_i
  parameter int Flags       = 0,  // 1: there is test_i
  parameter int Late        = 0,  // 1: registers behind the memories
  // Derived, not to be set.
  parameter int BeatBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int SlotCount = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [BeatBits-1:0]  last_beat_i,
  input  wire                  binary_i,
  // The register file's write port.
  input  wire                  write_i,
  input  wire  [AddrBits-1:0]  write_addr_i,
  input  wire  [Word-1:0]      word_i,
  // A sum.
  input  wire                  start_i,
  input  wire                  subtract_i,
  input  wire                  twice_i,
  input  wire  [1:0]           test_i,      // in a difference
  input  wire  [SlotCount-1:0] slot_i,
  output logic                 busy_o,      // words or a flag are still to come
  output logic                 flag_write_o,
  output logic                 flag_o,
  // Words of a and b.
  input  wire                  valid_i,
  output logic                 room_o,
  input  wire  [Word-1:0]      a_word_i,
  input  wire  [Word-1:0]      b_word_i,
  // Words of a scan.
  input  wire                  kept_i,
  input  wire  [AddrBits-1:0]  kept_addr_i,
  input  wire  [Word-1:0]      kept_word_i,
  // Words of the result.
  input  wire                  hold_i,
  output logic                 sum_write_o, // in a cycle without hold_i
  output logic [AddrBits-1:0]  sum_addr_o,
  output logic [Word-1:0]      sum_word_o
);

  // --- K --------------------------------------------------------------------------------------------------------
  logic                 k_write, late_write;
  logic [SlotCount-1:0] write_slot;
  logic [BeatBits-1:0]  write_beat, late_beat, beat_q, beat_q2, beat_q3, write_beat_q;
  logic [Word-1:0]      k_word, late_word;

  assign write_slot = SlotCount'(write_addr_i >> SlotBits);
  assign write_beat = Beats > 1 ? write_addr_i[BeatBits-1:0] : '0;
  assign k_write    = write_i & (write_slot == SlotCount'(ModulusSlot));

  mm_delay #(
    .Bits(1 + BeatBits + Word), .Cycles(Late)
  ) u_k_write (
    .clk_i, .d_i({k_write, write_beat, word_i}), .q_o({late_write, late_beat, late_word})
  );

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_k (
    .clk_i, .write_i(late_write), .write_addr_i(late_beat), .word_i(late_word),
    .read_addr_i(beat_q2), .word_o(k_word)
  );

  // The carry of a long word is late: it goes into a register as it is, and what it decides is found behind that. With
  // more words the memories are longer, and what is decided then is on the longest path.
  localparam int Direct = Late == 0 && Binary == 0 && Word >= 64 && Beats <= 4 ? 1 : 0;

  // --- the first pass -------------------------------------------------------------------------------------------
  logic                 subtract_q, last_q, valid_q, valid_q2, carry_q, carry_q2, last, u_carry, first_end, room, run_q,
                        first_q;
  logic [BeatBits:0]    next_q;  // beat_q + 1
  logic [SlotCount-1:0] slot_q, slot_q2;
  logic [Word-1:0]      a_q, b_q, total, t, t_q, k_q, u, t_word, u_word;
  logic                 inverted, carry, use_u_q, use_u, go, second, added;
  logic [Word-1:0]      u_total, k_inverted, b_word;

  assign last           = beat_q2 == last_beat_i;
  assign {carry, total} = {1'b0, a_q} + {1'b0, b_q} + {{Word{1'b0}}, carry_q};                    // step 1
  assign {u_carry, u_total} = {1'b0, t_q} + {1'b0, k_q} + {{Word{1'b0}}, carry_q2};                      // step 2
  assign first_end      = valid_q2 & last_q;
  if (Twice != 0) begin : gen_twice
    logic twice_q, hit_word_q, hit_q, binary;

    assign binary     = (Binary == 2) | ((Binary == 1) & binary_i);
    assign b_word     = twice_q ? a_word_i : b_word_i;
    assign k_inverted = {Word{~subtract_q & ~binary}};
    assign u          = binary ? t_q ^ k_q : u_total;
    assign use_u      = binary ? twice_q & hit_q : subtract_q ? ~carry_q : carry_q | u_carry;
    assign added      = ~binary | twice_q;

    always_ff @(posedge clk_i) begin
      if (start_i) twice_q <= twice_i;
      hit_word_q <= |(a_word_i & b_word_i);
      if (start_i)      hit_q <= 1'b0;
      else if (valid_q) hit_q <= hit_q | hit_word_q;
    end
  end else begin : gen_no_twice
    logic unused_twice;
    assign b_word       = b_word_i;
    assign k_inverted   = {Word{~subtract_q}};
    assign u            = u_total;
    assign use_u        = Binary == 2 ? 1'b0 : subtract_q ? ~carry_q : carry_q | u_carry;
    assign added        = Binary == 2 ? 1'b0 : ~binary_i;
    assign unused_twice = twice_i;
  end

  if (Binary != 0) begin : gen_fields
    assign inverted = Binary == 2 ? 1'b0 : subtract_q & ~binary_i;
    assign t        = added ? total : a_q ^ b_q;
  end else begin : gen_field
    logic unused_binary;
    assign inverted      = subtract_q;
    assign t             = total;
    assign unused_binary = binary_i & added;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      subtract_q <= subtract_i;
      slot_q     <= slot_i;
      beat_q     <= '0;
      next_q     <= (BeatBits+1)'(1);
    end else if (valid_i) begin
      beat_q <= beat_q + 1'b1;
      next_q <= next_q + 1'b1;
    end
    if (start_i)       carry_q <= subtract_i;
    else if (valid_q)  carry_q <= carry;
    if (start_i)       carry_q2 <= ~subtract_i;
    else if (valid_q2) carry_q2 <= u_carry;
    a_q     <= a_word_i;
    b_q     <= b_word ^ {Word{inverted}};
    beat_q2 <= beat_q;
    t_q     <= t;
    k_q     <= k_word ^ k_inverted;
    beat_q3 <= beat_q2;
    last_q  <= last;
    if (first_end) begin
      slot_q2 <= slot_q;
      use_u_q <= use_u;
    end
    if (Direct != 0) begin
      if (first_end) use_u_q <= u_carry;
    end
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

  if (Flags != 0) begin : gen_flag
    // Whether a number is 0 is known of each of its parts, and of all of them a cycle later.
    localparam int Parts = (Word + 7) / 8;
    logic [1:0]         test_q;
    logic [8*Parts-1:0] t_padded;
    logic [Parts-1:0]   some, some_q, some_q2;
    logic               less_q, by_less_q, flag_write_q;

    assign t_padded     = (8*Parts)'(t_q);
    assign second       = first_end & (test_q == '0);
    assign flag_write_o = flag_write_q;
    assign flag_o       = by_less_q ? less_q : ~|some_q2;

    for (genvar part = 0; part < Parts; part++) begin : gen_part
      assign some[part] = some_q[part] | (|t_padded[8*part +: 8]);
    end

    always_ff @(posedge clk_i) begin
      if (start_i) test_q <= test_i;
      if (start_i)       some_q <= '0;
      else if (valid_q2) some_q <= some;
      some_q2   <= some;
      less_q    <= Binary == 2 ? 1'b0 : ~carry_q;
      by_less_q <= test_q[0];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flag_write_q <= 1'b0;
      else         flag_write_q <= first_end & (test_q != '0);
    end
  end else begin : gen_no_flag
    logic unused_test;
    assign second       = first_end;
    assign flag_write_o = 1'b0;
    assign flag_o       = 1'b0;
    assign unused_test  = ^test_i;
  end

  // --- the second pass ------------------------------------------------------------------------------------------
  logic [BeatBits-1:0] before_last_q;
  logic                write_last_q;
  logic [AddrBits-1:0] read_addr, sum_addr;
  logic [Word-1:0]     sum_t, sum_u;
  logic                sum_use_u, any;  // any: there is a word

  assign go        = ~(sum_write_o & hold_i);
  assign read_addr = (AddrBits'(slot_q2) << SlotBits) | AddrBits'(write_beat_q);
  // A cycle ahead, in which a word of the first pass may be taken.
  assign room = ~run_q | ~first_q | ({1'b0, write_beat_q} > next_q);

  if (Late != 0) begin : gen_late
    logic [AddrBits-1:0] addr_q;
    logic [Word-1:0]     read_t_q, read_u_q;
    logic                use_u_q2, any_q;

    assign {any, sum_use_u, sum_addr, sum_u, sum_t} = {any_q, use_u_q2, addr_q, read_u_q, read_t_q};

    always_ff @(posedge clk_i) begin
      if (go) {use_u_q2, addr_q, read_u_q, read_t_q} <= {use_u_q, read_addr, u_word, t_word};
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) any_q <= 1'b0;
      else if (go) any_q <= run_q;
    end
  end

  if (Direct != 0) begin : gen_direct
    logic subtract_q2, carry_q3;

    assign {any, sum_addr, sum_u, sum_t} = {run_q, read_addr, u_word, t_word};
    assign sum_use_u                     = subtract_q2 ? ~carry_q3 : carry_q3 | use_u_q;

    always_ff @(posedge clk_i) begin
      if (first_end) {subtract_q2, carry_q3} <= {subtract_q, carry_q};
    end
  end

  if (Late == 0 && Direct == 0) begin : gen_now
    assign {any, sum_use_u, sum_addr, sum_u, sum_t} = {run_q, use_u_q, read_addr, u_word, t_word};
  end

  always_ff @(posedge clk_i) begin
    before_last_q <= last_beat_i - 1'b1;
    if (first_end) begin
      write_beat_q <= '0;
      write_last_q <= last_beat_i == '0;
    end else if (go && run_q) begin
      write_beat_q <= write_beat_q + 1'b1;
      write_last_q <= write_beat_q == before_last_q;
    end
    if (go) begin
      sum_word_o <= kept_i ? kept_word_i : sum_use_u ? sum_u : sum_t;                                 // step 3
      sum_addr_o <= kept_i ? kept_addr_i : sum_addr;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q     <= 1'b0;
      valid_q     <= 1'b0;
      valid_q2    <= 1'b0;
      run_q       <= 1'b0;
      sum_write_o <= 1'b0;
      room_o      <= 1'b1;
    end else begin
      first_q  <= start_i | (first_q & ~first_end);
      valid_q  <= valid_i;
      valid_q2 <= valid_q;
      run_q    <= second | (run_q & ~(go & write_last_q));
      if (go) sum_write_o <= any | kept_i;
      room_o <= room;
    end
  end

  // A row that begins behind a word that leaves finds it.
  assign busy_o = first_q | run_q | any | (sum_write_o & hold_i);

endmodule

`default_nettype wire
