// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_plain_control: control of mm_rrm_plain. Three things go on side by side: operands of the next operation come
// in, the loop runs, the converter makes a number of a sum and shows it.
//
//   loop, from go on, with L = Steps
//   cycle
//   1          lead_o: the leading digit of x
//   2          it chooses the multiple of y
//   4          cycle 0 of the sum: idle_o is low for L cycles
//   L + 4      take_o: the sum is complete
//   L + 6      unread: the converter may begin
//   L + 7      W has the last digit that was pushed out
//
//   converter, from start_o on, with Passes + 1 passes of Beats + 2 cycles
//   cycle
//   5          word 0 of pass 0
//   Beats + 7  word 0 of the next pass
//
// For a context, the converter alone runs once for each entry of the table.
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

  localparam int DigitBits = $clog2(Digits);
  localparam int StepBits  = $clog2(Steps);
  localparam int PassBits  = $clog2(Passes + Further + 1);

  localparam logic [WordBits-1:0]  LastBeat   = WordBits'(Beats - 1);
  localparam logic [WordBits-1:0]  SecondLastBeat = WordBits'(Beats - 2);  // not of one beat
  localparam logic [DigitBits-1:0] LastDigit  = DigitBits'(Digits - 1);
  localparam logic [IndexBits-1:0] LastWord   = IndexBits'(Beats);
  localparam logic [IndexBits-1:0] Gap        = IndexBits'(Beats + 1);
  localparam logic [StepBits-1:0]  SecondLast = StepBits'(Steps - 2);
  localparam logic [PassBits-1:0]  LastPass   = PassBits'(Passes - 1);
  localparam logic [PassBits-1:0]  LastEntry  = PassBits'(Passes + Further - 1);
  localparam logic [3:0]           EntryFirst = 4'hF;  // -1
  localparam logic [3:0]           EntryEnd   = 4'h7;

  // ---- what comes in

  logic [WordBits-1:0] beat_q, beat_q2;
  logic                last, ctx_load, in_load, modulus, operands, free_q, whole_q, bank_q, modulus_q, unused_part;
  logic                m_load_q, x_load_q, x_write_q, full_q, full_q2, full_q3;
  logic                busy_q, rest_q, pre_q, go;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q), .ctx_last_i(whole_q), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  // beat_q counts a cycle late: it is where the word belongs that came in the cycle before.
  assign last     = Beats == 1 || beat_q == (m_load_q || x_load_q ? SecondLastBeat : LastBeat);
  assign modulus  = ctx_load & last & ~whole_q;
  assign operands = in_load & last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_load_q  <= 1'b0;
      x_load_q  <= 1'b0;
      beat_q    <= '0;
      whole_q   <= 1'b0;
      full_q    <= 1'b0;
      full_q2   <= 1'b0;
      full_q3   <= 1'b0;
      modulus_q <= 1'b0;
      free_q    <= 1'b1;
    end else begin
      // The last beat of a context belongs to no word.
      m_load_q <= ctx_load & ~whole_q;
      x_load_q <= in_load;
      if (m_load_q || x_load_q) beat_q <= beat_q == LastBeat ? '0 : beat_q + 1'b1;
      if (ctx_load) whole_q <= modulus;
      full_q    <= operands | (full_q & ~go);
      full_q2   <= full_q & ~go;
      full_q3   <= full_q2 & ~go;
      modulus_q <= modulus;
      // Nothing is in flight. The two that end it are there a cycle earlier than what they start.
      free_q <= rest_q & ~full_q & ~busy_q & ~pre_q & ~modulus_q & ~out_valid_o & ~modulus & ~operands;
    end
  end

  always_ff @(posedge clk_i) begin
    x_write_q <= x_load_q;
    beat_q2   <= beat_q;
  end

  assign m_load_o  = m_load_q;
  assign x_load_o  = x_load_q;
  assign beat_o    = beat_q;
  assign x_write_o = x_write_q;
  assign x_beat_o  = beat_q2;
  assign bank_o    = bank_q;

  // ---- the loop

  logic                 run_q, run_last_q, unread_q, starts;
  logic [StepBits-1:0]  step_q;
  logic [DigitBits-1:0] digit_q;
  logic [WordBits-1:0]  x_word_q;
  logic [2:1]           run_late_q;
  logic                 idle_q, lead_q, next_q;
  logic [6:1]           last_late_q;

  assign go = full_q3 & ~busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      run_q       <= 1'b0;
      run_last_q  <= 1'b0;
      last_late_q <= '0;
      unread_q    <= 1'b0;
      bank_q      <= 1'b0;
      run_late_q  <= '0;
      idle_q      <= 1'b1;
      lead_q      <= 1'b0;
    end else begin
      busy_q      <= go | (busy_q & ~starts);
      run_q       <= go | (run_q & ~run_last_q);
      run_last_q  <= run_q & step_q == SecondLast;
      last_late_q <= {last_late_q[5:1], run_last_q};
      unread_q    <= last_late_q[5] | (unread_q & ~starts);
      bank_q      <= bank_q ^ go;
      run_late_q  <= {run_late_q[1], run_q};
      idle_q      <= ~run_late_q[2];
      lead_q      <= go;
    end
  end

  always_ff @(posedge clk_i) begin
    next_q <= go | (run_q & digit_q == LastDigit);
    if (!run_q) begin
      step_q   <= '0;
      digit_q  <= '0;
      x_word_q <= LastBeat;
    end else begin
      step_q  <= step_q + 1'b1;
      digit_q <= digit_q + 1'b1;
      if (next_q) x_word_q <= x_word_q - 1'b1;
    end
  end

  assign lead_o    = lead_q;
  assign next_o    = next_q;
  assign x_word_o  = x_word_q;
  assign x_bank_o  = bank_q ^ run_q;
  assign idle_o    = idle_q;
  assign take_c_o  = last_late_q[3] | modulus_q;
  assign take_o    = last_late_q[4] | modulus_q;
  assign w_first_o = last_late_q[3];
  assign w_next_o  = last_late_q[4] | last_late_q[5] | last_late_q[6];

  // ---- the table

  logic       pre_begin_q, pre_begin_q2, pre_next;
  logic [3:0] entry_q, entry_q2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pre_q        <= 1'b0;
      pre_begin_q  <= 1'b0;
      pre_begin_q2 <= 1'b0;
    end else begin
      pre_q        <= modulus_q | (pre_q & ~(pre_next & entry_q == EntryEnd));
      pre_begin_q  <= modulus_q | (pre_next & entry_q != EntryEnd);
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
  assign starts     = move_o & rest_q & (unread_q | pre_begin_q2);
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
