// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_plain_control: control of mm_rrm_plain. Three things run in parallel: operands of the next operation come in
// (mm_serial_input), the loop runs (mm_serial_loop), and the converter turns a sum into a number and puts it out.
//
//   converter, from start_o on, with Passes + 1 passes of Beats + 2 cycles
//   cycle
//   5          word 0 of pass 0
//   Beats + 7  word 0 of the next pass
//
// For a context, only the converter runs, once for each entry of the table.
//
`default_nettype none

module mm_rrm_plain_control #(
  parameter int Beats   = 8,
  parameter int Digits  = 16,   // of x in a word
  parameter int Steps   = 129,
  parameter int Passes  = 12,   // of the converter, but the first one
  parameter int Further = 3,    // more of them for a context
  // Derived, not to be set.
  parameter int WordBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int IndexBits = $clog2(Beats + 2)
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  ctx_valid_i,
  output logic                 ctx_ready_o,
  output logic                 ctx_error_o,
  input  wire                  legal_i,
  input  wire                  in_valid_i,
  output logic                 in_ready_o,
  output logic                 out_valid_o,
  input  wire                  out_ready_i,
  // What comes in: a word, a cycle after it has changed hands.
  output logic                 m_load_o,
  output logic                 x_load_o,
  output logic [WordBits-1:0]  beat_o,
  output logic                 x_write_o,    // a cycle after x_load_o
  output logic [WordBits-1:0]  x_beat_o,
  output logic                 bank_o,
  // The loop.
  output logic                 lead_o,       // y, and the leading digit of x
  output logic                 next_o,       // the next word of x follows
  output logic [WordBits-1:0]  x_word_o,     // this one
  output logic                 x_bank_o,
  output logic                 idle_o,       // the sum is 0
  output logic                 take_c_o,     // the cycle before take_o
  output logic                 take_o,
  output logic                 w_first_o,    // the digits that were pushed out last: the first of four
  output logic                 w_next_o,
  // The converter.
  output logic                 move_o,
  output logic                 start_o,
  output logic [IndexBits-1:0] index_o,      // of the word
  output logic                 first_o,
  output logic                 last_o,
  output logic                 load_o,       // pass 0
  output logic                 show_o,       // the last pass
  // The table.
  output logic                 pre_o,
  output logic [3:0]           entry_o,
  output logic [3:0]           entry_write_addr_o,
  output logic                 entry_write_o  // as out_valid_o, for words of the table
);

  localparam int PassBits = $clog2(Passes + Further + 1);

  localparam logic [IndexBits-1:0] LastWord   = IndexBits'(Beats);
  localparam logic [IndexBits-1:0] Gap        = IndexBits'(Beats + 1);
  localparam logic [PassBits-1:0]  LastPass   = PassBits'(Passes - 1);
  localparam logic [PassBits-1:0]  LastEntry  = PassBits'(Passes + Further - 1);
  localparam logic [3:0]           EntryFirst = 4'hF;  // -1
  localparam logic [3:0]           EntryEnd   = 4'h7;

  // ---- what comes in

  logic there, go, rest, modulus, busy, rest_q, pre_q, unread, starts;

  mm_serial_input #(
    .Beats(Beats), .Tail(1)
  ) u_input (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i, .in_valid_i, .in_ready_o,
    .m_load_o, .x_load_o, .beat_o, .x_write_o, .x_beat_o, .modulus_o(modulus),
    .there_o(there), .go_i(go), .rest_i(rest)
  );

  assign rest = rest_q & ~busy & ~pre_q & ~out_valid_o;

  // ---- the loop

  logic take_c, take;

  mm_serial_loop #(
    .Beats(Beats), .Digits(Digits), .Steps(Steps)
  ) u_loop (
    .clk_i, .rst_ni, .there_i(there), .go_o(go), .busy_o(busy), .bank_o,
    .lead_o, .next_o, .x_word_o, .x_bank_o, .idle_o, .take_c_o(take_c), .take_o(take), .w_first_o, .w_next_o,
    .unread_o(unread), .starts_i(starts)
  );

  // For a context the sum is 0, and taken too.
  assign take_c_o = take_c | modulus;
  assign take_o   = take | modulus;

  // ---- the table

  logic       pre_begin_q, pre_begin_q2, pre_next;
  logic [3:0] entry_q, entry_q2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pre_q        <= 1'b0;
      pre_begin_q  <= 1'b0;
      pre_begin_q2 <= 1'b0;
    end else begin
      pre_q        <= modulus | (pre_q & ~(pre_next & entry_q == EntryEnd));
      pre_begin_q  <= modulus | (pre_next & entry_q != EntryEnd);
      pre_begin_q2 <= pre_begin_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!pre_q)        entry_q <= EntryFirst;
    else if (pre_next) entry_q <= entry_q + 1'b1;
    entry_q2 <= entry_q;
  end

  assign pre_o   = pre_q;
  assign entry_o = entry_q;
  assign entry_write_addr_o = entry_q2;

  // ---- the converter

  logic [4:1]           start_late_q;
  logic                 main_q, load_q, show_q, begins, valid_q, write_q, shown, done, word_there;
  logic [IndexBits-1:0] index_q;
  logic [PassBits-1:0]  pass_q;

  assign move_o     = ~valid_q | out_ready_i;
  assign starts     = move_o & rest_q & (unread | pre_begin_q2);
  assign done       = main_q & show_q & index_q == Gap;
  assign word_there = show_q & shown;
  assign pre_next   = done & pre_q;
  assign begins     = start_late_q[4];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rest_q       <= 1'b1;
      start_late_q <= '0;
      main_q       <= 1'b0;
      valid_q      <= 1'b0;
      write_q      <= 1'b0;
    end else if (move_o) begin
      rest_q       <= (rest_q & ~starts) | done;
      start_late_q <= {start_late_q[3:1], starts};
      main_q       <= begins | (main_q & ~done);
      valid_q      <= main_q & word_there & ~pre_q;
      write_q      <= main_q & word_there & pre_q;
    end
  end

  // A word is complete when the next one has been added: with words 2 to Beats + 1 of the pass.
  assign shown = index_q > IndexBits'(1);

  always_ff @(posedge clk_i) begin
    if (move_o) begin
      if (begins) begin
        index_q <= '0;
        pass_q  <= '0;
        load_q  <= 1'b1;
        show_q  <= 1'b0;
      end else if (!main_q) begin
        index_q <= Gap;
      end else if (index_q == Gap) begin
        index_q <= '0;
        pass_q  <= pass_q + 1'b1;
        load_q  <= 1'b0;
        show_q  <= pass_q == (pre_q ? LastEntry : LastPass);
      end else begin
        index_q <= index_q + 1'b1;
      end
    end
  end

  assign start_o       = starts;
  assign index_o       = index_q;
  assign first_o       = index_q == '0;
  assign last_o        = index_q == LastWord;
  assign load_o        = load_q;
  assign show_o        = show_q;
  assign out_valid_o   = valid_q;
  assign entry_write_o = write_q;

endmodule

`default_nettype wire
