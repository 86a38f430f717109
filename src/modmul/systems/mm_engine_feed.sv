// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_feed: between the register file, the core and the result port of mm_engine.
//
// A feed sends the words of x and y, one after the other, to the core, or those of x to the port. Each is chosen among
// the words of registers a and b, those of the latest result (F), and the number 1. With chosen_i, b is sent in place
// of a: a choice between words that have both been read. It is made in front of a register of its own.
//
// Words wait in two places: those of a and b, and what is on its way to the core, which has two registers. With Pairs
// those of a and b have two as well, so that the reader, which is large, does not wait for this in the same cycle. With
// Staged so have those of F, whose memory is several levels of logic where numbers are long.
//
// Results of the core are taken as they come, a word a cycle: into F, and into the register file at the slot that was
// told with the operands. A feed that takes words from F waits for the first of them: word j is at the core in the
// second cycle after it has come, or with Staged in the third. F belongs to the latest operation before the feed.
// pending_o is the number of operations that have begun and whose results have not begun to come: a row that begins
// then finds each word of a result in the register file, for they come one a cycle.
//
// With Batch a register holds several numbers, one behind the other, which the core takes as operations of their own.
// Their results come when the core makes them; the first word of the last one counts as the first of the result.
//
`default_nettype none

module mm_engine_feed #(
  parameter int Word      = 16,
  parameter int Beats     = 16,
  parameter int AddrBits  = 9,
  parameter int SlotBits  = 4,
  parameter int InBits    = 4,
  parameter int Plain     = 0,  // 1: there is long_i
  parameter int Parts     = 2,  // registers of a long number
  parameter int Staged    = 0,
  parameter int Pairs     = 0,
  parameter int Batch     = 1,  // numbers of a register; of several, each has Beats / Batch words
  // Derived, not to be set.
  parameter int BeatBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int SlotCount = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [BeatBits-1:0]  last_beat_i,
  input  wire  [InBits-1:0]    last_in_i,
  // A feed: start_i, behind busy_o of the one before.
  input  wire                  start_i,
  input  wire                  out_i,        // to the port
  input  wire                  long_i,       // a number of Parts registers, to the port
  input  wire  [1:0]           x_from_i,     // 0: a, 1: b, 2: F, 3: the number 1, for x alone
  input  wire  [1:0]           y_from_i,
  input  wire                  chosen_i,
  input  wire                  square_i,
  input  wire                  write_i,
  input  wire  [SlotCount-1:0] slot_i,
  output logic                 busy_o,       // words have not left for the registers before the core
  output logic                 done_o,       // the last one has
  output logic                 empty_o,      // in the next cycle no word waits for the port
  output logic [2:0]           pending_o,
  output logic                 come_o,       // the first word of a result, of that of the last number
  output logic                 coming_o,     // others are still to come
  // Words of a and b.
  input  wire                  words_valid_i,
  output logic                 words_take_o,
  input  wire  [Word-1:0]      a_word_i,
  input  wire  [Word-1:0]      b_word_i,
  // Results for the register file.
  output logic                 z_write_o,
  output logic [AddrBits-1:0]  z_addr_o,
  // The core.
  output logic                 core_valid_o,
  input  wire                  core_ready_i,
  output logic [Word-1:0]      x_o,
  output logic [Word-1:0]      y_o,
  output logic                 square_o,
  input  wire                  z_valid_i,
  input  wire  [Word-1:0]      z_i,
  // The port.
  output logic                 out_valid_o,
  input  wire                  out_ready_i
);

  localparam logic [1:0] FromA = 2'd0;
  localparam logic [1:0] FromB = 2'd1;
  localparam logic [1:0] FromF = 2'd2;
  localparam int         Each  = Beats / Batch;

  logic                feed_q, done_q, out_q, words_q, last_q, top_q, first_q, ready, move;
  logic                valid_q, full, to_out_q, out_q2, taken, room;
  logic [1:0]          x_from_q;
  logic                y_f_q;
  logic [InBits-1:0]   next_q, end_q;
  logic [Word-1:0]     f_word, x, y;
  logic                x_b_q, y_b_q, square_q, pair_valid, pair_take;
  logic [Word-1:0]     x_pair, y_pair;

  // --- the feed -------------------------------------------------------------------------------------------------
  logic [BeatBits-1:0] before_last_q;
  logic                f_needed, f_needed_q;
  logic                latest, there;   // the first word of F has come: as the feed begins, and then
  logic                ok_q;            // a feed, and what it wants of F is there
  logic                f_ready;         // a word of F is there, if one is wanted
  logic [BeatBits-1:0] f_beat;          // of the word that is read
  logic [Word-1:0]     f_read;

  assign ready    = ~valid_q | taken;
  assign move     = ok_q & ~full & (~words_q | pair_valid) & f_ready;
  assign f_needed = (x_from_i == FromF) | ((y_from_i == FromF) & ~out_i);

  assign busy_o  = feed_q;
  assign done_o  = done_q;
  assign empty_o = ~full & (~valid_q | out_ready_i);

  logic [InBits-1:0] top;  // a number's last word

  if (Plain != 0) begin : gen_long
    logic [InBits-1:0] top_beat_q;
    logic [InBits-1:0] long_top;

    if (Parts == 2) begin : gen_two
      assign long_top = InBits'({last_beat_i, 1'b1});
    end else begin : gen_more
      // A sum, since synthesis takes a multiplier block for a product.
      always_comb begin
        long_top = InBits'(last_beat_i);
        for (int part = 1; part < Parts; part++) long_top += InBits'(last_beat_i) + 1'b1;
      end
    end

    always_ff @(posedge clk_i) top_beat_q <= out_i && long_i ? long_top : InBits'(last_beat_i);
    assign top = top_beat_q;
  end else begin : gen_short
    logic unused_long;
    assign top         = InBits'(last_beat_i);
    assign unused_long = long_i;
  end

  always_ff @(posedge clk_i) begin
    if (!feed_q) end_q <= out_i ? last_in_i : InBits'(last_beat_i);
    if (start_i) begin
      square_q   <= square_i;
      out_q      <= out_i;
      x_b_q      <= x_from_i == FromB || (chosen_i && x_from_i == FromA);
      y_b_q      <= y_from_i == FromB || (chosen_i && y_from_i == FromA);
      x_from_q   <= x_from_i == FromB ? FromA : x_from_i;
      y_f_q      <= y_from_i == FromF;
      words_q    <= ~x_from_i[1] | (~y_from_i[1] & ~out_i);
      f_needed_q <= f_needed;
      next_q     <= InBits'(1);
      first_q    <= 1'b1;
      last_q     <= end_q == '0;
      top_q      <= top == '0;
    end else if (move) begin
      next_q  <= next_q + 1'b1;
      first_q <= Batch > 1 ? ~out_q & (next_q % InBits'(Each) == '0) : 1'b0;
      last_q  <= next_q == end_q;
      // Behind the top word of a number, what leaves is filled up with zeros.
      top_q   <= next_q == top;
      x_from_q   <= x_from_q | {2{top_q}};  // One
      words_q    <= words_q & ~top_q;
    end
  end

  // Words of F.
  if (Staged != 0) begin : gen_staged_f
    logic                f_words_q, waits_q, run_q, last_read_q, f_valid, f_room;
    logic [BeatBits-1:0] beat_q;

    assign f_beat  = beat_q;
    assign f_ready = ~f_words_q | f_valid;

    mm_engine_stage #(
      .Bits(Word)
    ) u_f_stage (
      .clk_i, .rst_ni,
      .valid_i(run_q), .ready_o(f_room), .data_i(f_read),
      .valid_o(f_valid), .ready_i(ok_q & ~full & f_words_q & (~words_q | pair_valid)), .data_o(f_word)
    );

    always_ff @(posedge clk_i) begin
      if (start_i)   f_words_q <= f_needed;
      else if (move) f_words_q <= f_words_q & ~top_q;
      if (start_i) begin
        beat_q      <= '0;
        last_read_q <= last_beat_i == '0;
      end else if (run_q && f_room) begin
        beat_q      <= beat_q + 1'b1;
        last_read_q <= beat_q == before_last_q;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waits_q <= 1'b0;
        run_q   <= 1'b0;
      end else begin
        waits_q <= start_i ? f_needed & ~latest : waits_q & ~there;
        run_q   <= start_i ? f_needed & latest : (waits_q & there) | (run_q & ~(f_room & last_read_q));
      end
    end
  end else begin : gen_f
    logic [BeatBits-1:0] beat_q;

    assign f_beat  = beat_q;
    assign f_ready = 1'b1;
    assign f_word  = f_read;

    always_ff @(posedge clk_i) begin
      if (start_i)   beat_q <= '0;
      else if (move) beat_q <= BeatBits'(next_q);
    end
  end

  // Words of a and b for x and y.
  logic [2*Word-1:0] pair_next;

  assign pair_take = ok_q & ~full & words_q & f_ready;
  assign pair_next = {y_b_q ? b_word_i : a_word_i, x_b_q ? b_word_i : a_word_i};

  if (Pairs != 0) begin : gen_staged_pair
    mm_engine_stage #(
      .Bits(2 * Word)
    ) u_pair_stage (
      .clk_i, .rst_ni,
      .valid_i(words_valid_i), .ready_o(words_take_o), .data_i(pair_next),
      .valid_o(pair_valid), .ready_i(pair_take), .data_o({y_pair, x_pair})
    );
  end else begin : gen_pair
    logic              valid_pair_q;
    logic [2*Word-1:0] pair_q;

    assign words_take_o = ~valid_pair_q | pair_take;
    assign pair_valid   = valid_pair_q;

    assign {y_pair, x_pair} = pair_q;

    always_ff @(posedge clk_i) begin
      if (words_take_o) pair_q <= pair_next;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_pair_q <= 1'b0;
      else         valid_pair_q <= ~words_take_o | words_valid_i;
    end
  end

  always_comb begin
    case (x_from_q)
      FromA:   x = x_pair;  // or from b
      FromF:   x = f_word;
      default: x = Word'(first_q);
    endcase
    y = y_f_q ? f_word : y_pair;
  end

  // Whether the core is ready decides on no register of a word.
  assign taken   = to_out_q ? out_ready_i : core_ready_i;
  assign full    = ~room;

  mm_engine_stage #(
    .Bits(2 * Word + 1)
  ) u_stage (
    .clk_i, .rst_ni,
    .valid_i(move), .ready_o(room), .data_i({square_q, y, x}),
    .valid_o(valid_q), .ready_i(taken), .data_o({square_o, y_o, x_o})
  );

  always_ff @(posedge clk_i) begin
    if (!full) out_q2   <= out_q;
    if (ready) to_out_q <= full ? out_q2 : out_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      feed_q <= 1'b0;
      ok_q   <= 1'b0;
      done_q <= 1'b0;
    end else begin
      feed_q <= start_i | (feed_q & ~(move & last_q));
      done_q <= move & last_q;
      if (start_i)   ok_q <= ~f_needed | latest;
      else if (move) ok_q <= ~last_q;
      else           ok_q <= feed_q & (~f_needed_q | there);
    end
  end

  assign core_valid_o = valid_q & ~to_out_q;
  assign out_valid_o  = valid_q & to_out_q;

  // --- results ----------------------------------------------------------------------------------------------------
  logic [BeatBits-1:0]  z_beat_q;
  logic [2:0]           pending_q, pending, told_q, read_q;
  logic                 none_q, one_q, two_q;  // operations are pending
  logic                 z_top_q, z_first_q, z_last, issue;
  logic [SlotCount:0]   target_next, target, target_q;

  assign z_last      = z_valid_i & z_top_q;
  assign issue       = start_i & ~out_i;
  assign target_next = {write_i, slot_i};
  assign come_o      = Batch > 1 ? z_valid_i & (z_beat_q == BeatBits'(Beats - Each)) : z_valid_i & z_first_q;
  assign coming_o    = ~z_first_q;
  assign pending     = issue == come_o ? pending_q : come_o ? pending_q - 1'b1 : pending_q + 1'b1;

  mm_word_ram #(
    .Word(SlotCount + 1),
    .Depth(8)
  ) u_targets (
    .clk_i, .write_i(issue), .write_addr_i(told_q), .word_i(target_next), .read_addr_i(read_q), .word_o(target)
  );

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_f (
    .clk_i, .write_i(z_valid_i), .write_addr_i(z_beat_q), .word_i(z_i),
    .read_addr_i(f_beat), .word_o(f_read)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      z_beat_q  <= '0;
      pending_q <= '0;
      told_q    <= '0;
      read_q    <= '0;
      z_first_q <= 1'b1;
    end else begin
      if (z_valid_i) begin
        z_beat_q  <= z_last ? '0 : z_beat_q + 1'b1;
        z_first_q <= z_top_q;
      end
      if (z_last) read_q <= read_q + 1'b1;
      if (issue)  told_q <= told_q + 1'b1;
      pending_q <= pending;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {none_q, one_q, two_q} <= 3'b100;
    else         {none_q, one_q, two_q} <= {pending == 3'd0, pending == 3'd1, pending == 3'd2};
  end

  always_ff @(posedge clk_i) begin
    before_last_q <= last_beat_i - 1'b1;
    if (z_valid_i && !z_top_q)       z_top_q <= z_beat_q == before_last_q;
    else if (z_valid_i || z_first_q) z_top_q <= last_beat_i == '0;
  end

  // The feed's own operation is pending as it goes on.
  assign latest = none_q | (one_q & come_o);
  assign there  = out_q ? latest : one_q | (two_q & come_o);

  assign pending_o = pending_q;
  // Results are two cycles apart at least: operations begin further apart.
  always_ff @(posedge clk_i) target_q <= target;

  assign z_write_o = z_valid_i & target_q[SlotCount];
  assign z_addr_o  = (AddrBits'(target_q[SlotCount-1:0]) << SlotBits) | AddrBits'(z_beat_q);

endmodule

`default_nettype wire
