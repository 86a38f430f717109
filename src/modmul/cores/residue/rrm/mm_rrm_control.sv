// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_control: control of mm_rrm. Three things run in parallel: operands of the next operation come in, the engine
// fills the table and runs the loop, and the converter turns a sum into a number and puts it out.
//
//   engine   what happens
//   idle     waits for operands, or for a modulus
//   write    y, or 0, is written to an entry of row 0                                step 2
//   fill     rows 1, 2, ... of the table                                             steps 1 and 3
//   wait     until the converter reads the sum before
//   run      Steps cycles, a digit of x in each: the loop                            step 4
//   latch    a context only: y is coming from the converter; with Lazy M is y already, and what is shown is nothing
//
//   converter
//   rest
//   read     the words of the sum                                                    step 5, or 7
//   show     Beats cycles, or longer where nobody takes the words of the result      step 6, or 7
//   last     the same, when all words are on their way
//
// From the run's first cycle on, with Steps = L, in the lowest cell; with Delay = 0 what is marked is a cycle earlier:
//
//   cycle
//   -1      the last entry is read to fill the table
//   0       the first digit of x becomes an address; before, the address is 0
//   1       start_o: the sum starts anew                                             *
//   1       the first entry is read
//   2       the first addition                                                       *
//   L - 1   run_last_q: the last digit of x; the first cycle of a fill may be the next one
//   L + 2   take_o: the sum is complete, and is taken                                *
//
// While the loop runs, a word of x may come in as soon as the loop has taken the word of the current operation that it
// replaces.
//
`default_nettype none

module mm_rrm_control #(
  parameter int Beats      = 16,
  parameter int Rows       = 3,    // of the table, besides row 0
  parameter int ColBits    = 2,
  parameter int DigitsWord = 8,    // digits of x in a word
  parameter int Steps      = 130,
  parameter int Delay      = 1,
  parameter int Cells      = 8,    // of the table, one cycle behind the other
  parameter bit Lazy       = 0,    // words of M are for y, and a word of the result is there a cycle earlier
  // Derived, not to be set.
  parameter int WordBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int AddrBits = 2 * ColBits,
  parameter int DigitLow = $clog2(DigitsWord),
  parameter int StepBits = $clog2(DigitsWord * (Beats + 2)),
  parameter int BeatBits = $clog2(Beats + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  output logic                ctx_error_o,
  input  wire                 legal_i,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic                m_load_o,      // a word of M comes
  output logic                m_first_o,     // the first of them
  output logic                loaded_o,      // words of x and y have come, or one of z, or of M, that is for y
  output logic [WordBits-1:0] beat_o,        // of the words that have come
  // Filling.
  output logic                fill_o,        // an entry is read
  output logic [AddrBits-1:0] fill_addr_o,   // this one; 0 where there is none
  output logic                row_0_o,       // entry 0 is read to write one of row 0
  output logic [ColBits-1:0]  col_o,         // in this column
  output logic                next_q_o,      // q of the next column is wanted
  // The loop.
  output logic                start_o,       // the sum starts anew
  output logic                blank_o,       // and so do the lowest digits of all cells, a cycle longer
  output logic                x_load_o,      // the next word of x
  output logic                x_clear_o,     // no digits of x
  output logic [WordBits-1:0] x_word_o,      // the word after the one that is used
  output logic                entry_free_o,  // the lowest digit of an entry is an address, two cycles later
  output logic                low_free_o,    // so is that of the sum
  output logic                pre_o,         // it is for the context
  output logic                take_o,
  // The converter.
  output logic                read_o,
  output logic                first_o,       // the first cycle of read, or of show
  input  wire                 read_last_i,   // the last cycle of read
  output logic [WordBits-1:0] word_o,
  output logic                bare_o,        // M, or with Lazy 0, in place of the sum
  output logic                move_o         // the words of the result move on
);

  localparam int PreSteps = Lazy ? 2 * Delay + 2 : Delay + 2;  // of a loop for a residue

  // What is found in the cycle before is compared with the value before.
  localparam logic [BeatBits-1:0] SecondLastBeat  = BeatBits'(Beats - 2);
  localparam logic [WordBits-1:0] SecondLastWord  = WordBits'(Beats - 2);
  localparam logic [AddrBits-1:0] SecondLastEntry = AddrBits'((Rows << ColBits) - 2);
  localparam logic [DigitLow-1:0] LastStep = DigitLow'(DigitsWord - 1);
  localparam logic [StepBits-1:0] FirstStep       = StepBits'(DigitsWord + 1);
  localparam logic [StepBits-1:0] SecondLastStep  = StepBits'(DigitsWord + Steps - 1);
  localparam logic [StepBits-1:0] SecondLastPre   = StepBits'(DigitsWord + PreSteps - 1);
  localparam logic [StepBits-1:0] NoWord          = StepBits'(Beats);

  logic [BeatBits-1:0] next_q;
  logic [WordBits-1:0] beat_q;
  logic                loaded_q, first_q, in_last_q, ctx_last_q, full_q, filling_q, room_q, before_q, free_q;
  logic                m_came_q, modulus_q, ctx_load, in_load, wrap, modulus, operands, unused_part;

  logic [AddrBits-1:0] entry_q;
  logic [StepBits-1:0] step_q;
  logic [ColBits-1:0]  col_q;
  logic                idle_q, latch_q, wait_q, run_q, pre_q, zero_q, zero_done_q, row_0_q, reading_q, entry_last_q;
  logic                go_q, done_q;
  logic                begins, follows, ready, to_fill, to_write, reading, low_last, fill_last, runs, waiting, go;
  logic                run_last, zero, x_clear_q;
  logic [Cells-1:0]    fill_last_q;  // the last entry is read, in each cell
  logic                go_q2, start_q, ran_q, x_load_q, entry_free_q, low_free_q;
  logic                run_last_q, run_last_q2, run_last_q3, take_q;

  logic [WordBits-1:0] word_q;
  logic                unread_q, rest_q, read_q, show_q, last_q, there_q, valid_q, begin_q, bare_q, inner_q, to_y_q;
  logic                y_there_q, at_last_q, reads, read_end, bare, shown, show_last, there;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q), .ctx_last_i(ctx_last_q), .ctx_legal_i(legal_i),
    .in_free_i(room_q), .in_last_i(in_last_q),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  // ---- beats that come in; full_q from the last beat of operands until the loop runs with them

  assign wrap        = ctx_load ? ctx_last_q : in_last_q;
  assign modulus     = ctx_load & in_last_q;
  assign operands    = in_load & in_last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q     <= '0;
      in_last_q  <= Beats == 1;
      ctx_last_q <= 1'b0;
      first_q    <= 1'b1;
      full_q     <= 1'b0;
      filling_q  <= 1'b0;
      room_q     <= 1'b1;
      modulus_q  <= 1'b0;
      free_q     <= 1'b1;
    end else begin
      if (ctx_load || in_load) begin
        next_q     <= wrap ? '0 : next_q + 1'b1;
        in_last_q  <= wrap ? Beats == 1 : next_q == SecondLastBeat;
        ctx_last_q <= modulus;
        first_q    <= wrap;
      end
      modulus_q <= modulus;
      full_q    <= operands | (full_q & ~(go_q & ~pre_q));
      filling_q <= reading | (filling_q & ~fill_last);
      // Two cycles pass until before_q knows of a beat. y stays until the last cell has it in the table.
      room_q <= ~operands & ~full_q & ~filling_q & (~run_q | (before_q & ~in_load & ~loaded_q));
      // Nothing is in flight. The two signals that end this state come a cycle earlier than what they start.
      free_q <= idle_q & rest_q & ~unread_q & ~full_q & ~pre_q & ~modulus & ~modulus_q & ~operands;
    end
  end

  always_ff @(posedge clk_i) begin
    m_came_q <= m_load_o;
    loaded_q <= in_load | to_y_q | (Lazy & m_came_q);
    beat_q   <= next_q[WordBits-1:0];
    before_q <= StepBits'(next_q) < step_q >> DigitLow;
  end

  assign m_load_o  = ctx_load & ~ctx_last_q;
  assign m_first_o = ctx_load & first_q;
  assign loaded_o  = loaded_q;
  assign beat_o    = beat_q;

  // ---- engine

  assign begins    = idle_q & full_q & (Delay > 0 | ~loaded_q);  // y is there a cycle later than full_q
  assign follows   = run_last_q & ~pre_q & full_q;
  assign to_fill   = follows | (latch_q & y_there_q & bare_q);
  assign to_write  = modulus_q | (latch_q & y_there_q & ~bare_q);
  assign reading   = reading_q | begins;
  assign low_last  = fill_last_q[0];
  assign fill_last = fill_last_q[Cells-1];
  assign runs      = ~zero_q & ~(row_0_q & col_q == '1);  // a run follows
  assign waiting   = (entry_last_q & runs) | wait_q;
  assign go        = waiting & (~unread_q | reads);
  assign ready     = done_q & ~filling_q;  // for operands
  assign zero      = modulus_q | (zero_q & ~fill_last);
  assign run_last  = run_q & step_q == (pre_q ? SecondLastPre : SecondLastStep);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_q       <= 1'b1;
      latch_q      <= 1'b0;
      wait_q       <= 1'b0;
      go_q         <= 1'b0;
      run_q        <= 1'b0;
      pre_q        <= 1'b0;
      zero_q       <= 1'b0;
      zero_done_q  <= 1'b0;
      done_q       <= 1'b0;
      reading_q    <= 1'b0;
      entry_last_q <= 1'b0;
      fill_last_q  <= '0;
      run_last_q   <= 1'b0;
      run_last_q2  <= 1'b0;
      unread_q     <= 1'b0;
    end else begin
      idle_q       <= (idle_q & ~begins & ~modulus_q) | (run_last_q & ~pre_q & ~full_q)
                    | ready;
      latch_q      <= (latch_q & ~y_there_q) | (fill_last & zero_q) | (run_last_q & pre_q);
      wait_q       <= waiting & ~go;
      go_q         <= go;
      run_q        <= go_q | (run_q & ~run_last_q);
      pre_q        <= modulus_q | (pre_q & ~ready);
      done_q       <= (entry_last_q & ~runs & ~zero_q) | (done_q & ~ready);
      zero_q       <= zero;
      zero_done_q  <= fill_last & zero_q;
      reading_q    <= to_fill | to_write | (reading & ~entry_last_q);
      entry_last_q <= to_write | (reading & ~entry_last_q & entry_q == SecondLastEntry);
      fill_last_q  <= Cells'({fill_last_q, entry_last_q});
      run_last_q   <= run_last;
      run_last_q2  <= run_last_q;
      unread_q     <= run_last_q | (unread_q & ~reads);
    end
  end

  always_ff @(posedge clk_i) begin
    row_0_q <= to_write | (row_0_q & ~to_fill & ~idle_q);
    if (!reading || entry_last_q) entry_q <= '0;
    else                          entry_q <= entry_q + 1'b1;
    if (!pre_q)                   col_q <= '0;
    else if (low_last && !zero_q) col_q <= col_q + 1'b1;

    // The word of x that is read is the next one: the steps count from DigitsWord on, and one ahead.
    if (run_q)     step_q <= step_q + 1'b1;
    else if (go_q) step_q <= FirstStep;
    else           step_q <= '0;
    x_load_q <= go | (run_q & ~(Lazy & pre_q) & step_q[DigitLow-1:0] == LastStep & (step_q >> DigitLow) < NoWord);

    x_clear_q    <= run_last | zero;
    go_q2        <= go_q;
    start_q      <= (Delay == 0 ? go_q : go_q2) | zero_q;
    ran_q        <= run_q & ~run_last_q & ~pre_q;
    entry_free_q <= run_q & ~run_last & ~run_last_q & ~pre_q;
    low_free_q   <= entry_free_q & ~run_last;
    run_last_q3  <= run_last_q2;
    take_q       <= Delay == 0 ? run_last_q2 : run_last_q3;
  end

  assign fill_o       = reading;
  assign fill_addr_o  = entry_q;
  assign row_0_o      = row_0_q;
  assign col_o        = col_q;
  assign next_q_o     = latch_q & y_there_q;
  assign start_o      = start_q;
  assign blank_o      = start_q | (Delay == 0 ? go_q : go_q2);
  assign x_load_o     = x_load_q;
  assign x_clear_o    = x_clear_q;
  assign x_word_o     = WordBits'(step_q >> DigitLow);
  assign entry_free_o = entry_free_q;
  assign low_free_o   = Delay == 0 ? ran_q : low_free_q;
  assign pre_o        = pre_q;
  assign take_o       = take_q;

  // ---- converter: one state each, rest_q, read_q, show_q, and last_q; all stand still where nobody takes a word

  assign reads     = unread_q & rest_q & ~(run_last_q2 & Delay > 0);
  assign read_end  = read_q & read_last_i;
  assign bare      = Lazy ? zero_done_q : fill_last & zero_q;  // q is known no earlier
  assign move_o    = ~valid_q | out_ready_i;
  assign show_last = show_q & at_last_q;
  assign there     = Lazy ? show_q : there_q;
  assign shown     = last_q & ~there;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rest_q  <= 1'b1;
      bare_q  <= 1'b1;
      read_q  <= 1'b0;
      show_q  <= 1'b0;
      last_q  <= 1'b0;
      valid_q <= 1'b0;
      there_q <= 1'b0;
    end else if (move_o) begin
      if (rest_q) bare_q <= ~reads;
      rest_q  <= (rest_q & ~reads & ~bare) | shown;
      read_q  <= reads | (read_q & ~read_last_i);
      show_q  <= bare | read_end | (show_q & ~show_last);
      last_q  <= show_last | (last_q & ~shown);
      there_q <= show_q;
      valid_q <= there & ~inner_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move_o) begin
      begin_q   <= reads | bare | read_end;
      to_y_q    <= there & inner_q & ~(Lazy & bare_q);
      y_there_q <= shown;
    end
    if (rest_q) inner_q <= pre_q;
    if (rest_q || read_end) begin
      word_q    <= '0;
      at_last_q <= Beats == 1;
    end else if (move_o && (read_q || show_q)) begin
      word_q    <= word_q + 1'b1;
      at_last_q <= word_q == SecondLastWord;
    end
  end

  assign read_o      = read_q;
  assign first_o     = begin_q;
  assign word_o      = word_q;
  assign bare_o      = bare_q;
  assign out_valid_o = valid_q;

endmodule

`default_nettype wire
