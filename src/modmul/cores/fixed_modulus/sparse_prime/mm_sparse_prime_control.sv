// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_control: control of mm_sparse_prime. Three things go on side by side: operands of the next operation
// come in, the loop runs, the converter makes a number of a sum and shows it.
//
//   loop, from go on, with L = Steps
//   cycle
//   1              lead_o: the leading digit of x
//   2              it chooses the multiple of y
//   Extra + 4      cycle 0 of the sum: idle_o is low for L cycles
//   L + Extra + 4  take_o: the sum is complete
//   L + Extra + 7  W has the last digit that was pushed out
//
//   converter, from start_o on, with Passes passes of Words + Gap cycles, and one of Beats + 1
//   cycle
//   4              word 0 of pass 0
//
`default_nettype none

module mm_sparse_prime_control #(
  parameter int Beats  = 8,
  parameter int Digits = 16,   // of x in a word
  parameter int Steps  = 129,
  parameter int Extra  = 0,    // cycles more until a multiple of y is in the sum
  parameter int Wait   = 0,    // cycles more until the converter may begin
  parameter int Words  = 9,
  parameter int Gap    = 3,    // cycles between two passes of the converter
  parameter int Passes = 3,    // of the converter, but the first one
  // Derived, not to be set.
  parameter int WordBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int IndexBits = $clog2(Words + Gap)
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
  output logic                 idle_o,       // the sum is Start
  output logic                 take_o,
  output logic                 w_first_o,    // the digits that were pushed out last: the first of four
  output logic                 w_next_o,
  // The converter.
  output logic                 move_o,
  output logic                 start_o,
  output logic [IndexBits-1:0] index_o,      // of the word
  output logic                 first_o,      // pass 0
  output logic                 fold_o,       // that, and step 5
  output logic                 high_o,       // F is of what is at 2^n and above, no longer of W
  output logic                 show_o        // the last pass; before it, z is compared
);

  localparam int DigitBits = Digits > 1 ? $clog2(Digits) : 1;
  localparam int StepBits  = $clog2(Steps);
  localparam int PassBits  = $clog2(Passes + 1);

  localparam logic [WordBits-1:0]  LastBeat   = WordBits'(Beats - 1);
  localparam logic [WordBits-1:0]  SecondLastBeat = WordBits'(Beats - 2);  // not of one beat
  localparam logic [DigitBits-1:0] LastDigit  = DigitBits'(Digits - 1);
  localparam logic [IndexBits-1:0] BeatsIndex = IndexBits'(Beats);
  localparam logic [IndexBits-1:0] WordsIndex = IndexBits'(Words);
  localparam logic [IndexBits-1:0] End        = IndexBits'(Words + Gap - 1);
  localparam logic [StepBits-1:0]  SecondLast = StepBits'(Steps - 2);
  localparam logic [PassBits-1:0]  LastPass   = PassBits'(Passes - 1);

  // ---- what comes in

  logic [WordBits-1:0] beat_q, beat_q2;
  logic                last, ctx_load, in_load, operands, free_q, bank_q, unused_part;
  logic                m_load_q, x_load_q, x_write_q, full_q, full_q2, full_q3;
  logic                busy_q, rest_q, go;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q), .ctx_last_i(last), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  // beat_q counts a cycle late: it is where the word belongs that came in the cycle before.
  assign last     = Beats == 1 || beat_q == (m_load_q || x_load_q ? SecondLastBeat : LastBeat);
  assign operands = in_load & last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_load_q  <= 1'b0;
      x_load_q  <= 1'b0;
      beat_q    <= '0;
      full_q    <= 1'b0;
      full_q2   <= 1'b0;
      full_q3   <= 1'b0;
      free_q    <= 1'b1;
    end else begin
      m_load_q <= ctx_load;
      x_load_q <= in_load;
      if (m_load_q || x_load_q) beat_q <= beat_q == LastBeat ? '0 : beat_q + 1'b1;
      full_q    <= operands | (full_q & ~go);
      full_q2   <= full_q & ~go;
      full_q3   <= full_q2 & ~go;
      // Nothing is in flight. The one that ends it is there a cycle earlier than what it starts.
      free_q <= rest_q & ~full_q & ~busy_q & ~out_valid_o & ~operands;
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

  logic                  run_q, run_last_q, unread_q, starts;
  logic [StepBits-1:0]   step_q;
  logic [DigitBits-1:0]  digit_q;
  logic [WordBits-1:0]   x_word_q;
  logic [2+Extra:1]      run_late_q;
  logic                  idle_q, lead_q, next_q;
  logic [6+Extra+Wait:1] last_late_q;

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
      last_late_q <= {last_late_q[5+Extra+Wait:1], run_last_q};
      unread_q    <= last_late_q[5+Extra+Wait] | (unread_q & ~starts);
      bank_q      <= bank_q ^ go;
      run_late_q  <= {run_late_q[1+Extra:1], run_q};
      idle_q      <= ~run_late_q[2+Extra];
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
  assign take_o    = last_late_q[4+Extra];
  assign w_first_o = last_late_q[3+Extra];
  assign w_next_o  = last_late_q[4+Extra] | last_late_q[5+Extra] | last_late_q[6+Extra];

  // ---- the converter

  logic [3:1]           start_late_q;
  logic                 main_q, first_q, fold_q, high_q, show_q, begins, valid_q, done;
  logic [IndexBits-1:0] index_q;
  logic [PassBits-1:0]  pass_q;

  assign move_o = ~valid_q | out_ready_i;
  assign starts = move_o & rest_q & unread_q;
  assign done   = main_q & show_q & index_q == BeatsIndex;  // the last word follows
  assign begins = start_late_q[3];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rest_q       <= 1'b1;
      start_late_q <= '0;
      main_q       <= 1'b0;
      valid_q      <= 1'b0;
    end else if (move_o) begin
      rest_q       <= (rest_q & ~starts) | done;
      start_late_q <= {start_late_q[2:1], starts};
      main_q       <= begins | (main_q & ~done);
      // Word j is there two cycles after its index.
      valid_q      <= main_q & show_q & index_q != '0 & index_q <= BeatsIndex;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move_o) begin
      high_q <= main_q & fold_q & (~first_q | index_q >= WordsIndex);
      if (begins) begin
        index_q <= '0;
        pass_q  <= '0;
        first_q <= 1'b1;
        fold_q  <= 1'b1;
        show_q  <= 1'b0;
      end else if (!main_q) begin
        index_q <= End;
      end else if (index_q == End) begin
        index_q <= '0;
        pass_q  <= pass_q + 1'b1;
        first_q <= 1'b0;
        fold_q  <= pass_q != LastPass & pass_q != LastPass - 1'b1;
        show_q  <= pass_q == LastPass;
      end else begin
        index_q <= index_q + 1'b1;
      end
    end
  end

  assign start_o     = starts;
  assign index_o     = index_q;
  assign first_o     = first_q;
  assign fold_o      = fold_q;
  assign high_o      = high_q;
  assign show_o      = show_q;
  assign out_valid_o = valid_q;

endmodule

`default_nettype wire
