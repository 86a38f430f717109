// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_control: control of mm_rrm. Three things go on side by side: operands of the next operation come in, the
// engine fills the table and runs the loop, the converter makes a number of a sum and shows it.
//
//   engine   lasts             what happens
//   IDLE                       waits for operands, or for a modulus
//   WRITE    FillCycles        y, or 0, is written to an entry of row 0                     step 2
//   FILL     FillCycles        rows 1, 2, ... of the table                                  steps 1 and 3
//   START    1                 the sum is cleared; FILL waits until the converter has read it
//   RUN      Steps + 2         the loop; two cycles for address and table                   step 4
//   HOLD                       the sum waits for the converter, if that is not at rest
//   LATCH                      a context only: y is coming from the converter
//
//   converter                  what happens
//   REST
//   READ     Beats + ReadMore  the words of the sum                                         step 5
//   SHOW     Beats             the words of the result, or longer where nobody takes them   step 6
//   LAST     2                 the same, when all words are on their way
//
`default_nettype none

module mm_rrm_control #(
  parameter int Beats      = 16,
  parameter int Rows       = 3,   // of the table, besides row 0
  parameter int ColBits    = 2,
  parameter int DigitsWord = 8,   // digits of x in a word
  parameter int FillCycles = 24,
  parameter int Steps      = 130,
  parameter int PreSteps   = 3,
  parameter int ReadMore   = 6,
  // Derived, not to be set.
  parameter int BeatBits  = $clog2(Beats + ReadMore + 1),
  parameter int FillBits  = $clog2(FillCycles),
  parameter int StepBits  = $clog2(Steps + 2),
  parameter int CountBits = DigitsWord > 1 ? $clog2(DigitsWord) : 1
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
  // A beat of the context, one of them the first; a beat of operands.
  output logic                ctx_load_o,
  output logic                in_load_o,
  output logic [BeatBits-1:0] beat_o,
  output logic                half_in_o,     // half of the memory of x that operands go to
  // Filling.
  output logic [FillBits-1:0] fill_o,        // entry to read
  output logic                read_fill_o,   // there is one
  output logic                write_o,       // an entry is to be written, two cycles later
  output logic                row_0_o,       // it is in row 0
  output logic                zero_o,        // it is 0
  output logic [ColBits-1:0]  col_o,         // in this column
  output logic                next_col_o,    // from the next cycle on in the next one
  // The loop.
  output logic                start_o,       // the sum is cleared
  output logic                run_o,
  output logic                loop_o,        // run_o without its first and last cycle
  output logic                clear_o,       // entries are read as 0
  output logic                pre_o,         // it is for the context
  output logic                x_load_o,
  output logic [BeatBits-1:0] x_word_o,
  output logic                half_run_o,
  // The converter.
  output logic                read_o,
  output logic                read_first_o,
  output logic [BeatBits-1:0] word_o,
  output logic                bare_o,        // M in place of the sum
  output logic                show_o,        // word word_o of the result is wanted
  output logic                move_o,        // the words of the result move on
  output logic                to_y_o         // a word of the result is for y
);

  localparam logic [BeatBits-1:0]  LastBeat  = BeatBits'(Beats - 1);
  localparam logic [BeatBits-1:0]  CtxBeat   = BeatBits'(Beats);
  localparam logic [BeatBits-1:0]  ReadFree  = BeatBits'(Beats + 1);
  localparam logic [BeatBits-1:0]  ReadNext  = BeatBits'(Beats + ReadMore - 2);
  localparam logic [FillBits-1:0]  FillNext  = FillBits'(FillCycles - 2);
  localparam logic [FillBits-1:0]  LastEntry = FillBits'((Rows << ColBits) - 1);
  localparam logic [BeatBits-1:0]  BeforeLast = BeatBits'(Beats - 2);
  localparam logic [StepBits-1:0]  RunSteps  = StepBits'(Steps + 1);
  localparam logic [StepBits-1:0]  PreRun    = StepBits'(PreSteps + 1);
  localparam logic [CountBits-1:0] LastDigit = CountBits'(DigitsWord - 1);
  localparam logic [CountBits-1:0] NextDigit = CountBits'(DigitsWord - 2);

  typedef enum logic [2:0] {IDLE, WRITE, FILL, START, RUN, HOLD, LATCH} engine_e;

  engine_e              engine_q;
  logic [BeatBits-1:0]  beat_q, word_q, x_word_q;
  logic [FillBits-1:0]  fill_q;
  logic [StepBits-1:0]  step_q;
  logic [CountBits-1:0] digit_q;
  logic [ColBits-1:0]   col_q;
  logic                 full_q, half_q, pre_q, zero_q, clear_q, bare_q, sum_free_q, there_q, valid_q, y_there_q;
  logic                 free_q, start_q, run_q, loop_q, x_load_q, x_more_q, read_end_q, run_end_q, fill_end_q;
  logic                 filled, starting, summed, wrap, modulus, operands;
  logic                 shown, bare, unused_part, in_last_q, ctx_last_q, reading_q, to_fill;
  logic                 rest_q, read_q, show_q, last_q, first_q, inner_q;

  assign filled    = fill_end_q & sum_free_q;
  assign starting  = filled & (engine_q == FILL | (engine_q == WRITE & ~zero_q & col_q != '1));
  assign summed    = rest_q & (run_end_q | engine_q == HOLD);
  assign wrap      = ctx_load_o ? ctx_last_q : in_last_q;
  assign modulus   = ctx_load_o & in_last_q;
  assign operands  = in_load_o & in_last_q;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q), .ctx_last_i(ctx_last_q), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(in_last_q),
    .ctx_load_o, .in_load_o, .in_part_o(unused_part)
  );

  // Nothing is in flight. The two that end it are there a cycle earlier than what they start.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) free_q <= 1'b1;
    else         free_q <= engine_q == IDLE & rest_q & ~full_q & ~pre_q & ~modulus & ~operands;
  end

  // ---- beats that come in; full_q from the last beat of operands until the table is filled with them

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q     <= '0;
      in_last_q  <= Beats == 1;
      ctx_last_q <= 1'b0;
      full_q     <= 1'b0;
      half_q     <= 1'b0;
    end else begin
      if (ctx_load_o || in_load_o) begin
        beat_q     <= wrap ? '0 : beat_q + 1'b1;
        in_last_q  <= wrap ? Beats == 1 : beat_q == BeforeLast;
        ctx_last_q <= modulus;
      end
      if (operands)                                     full_q <= 1'b1;
      else if (engine_q == FILL && filled && !pre_q)    full_q <= 1'b0;
      if (engine_q == FILL && fill_q == '0 && !pre_q)   half_q <= ~half_q;
    end
  end

  assign beat_o     = beat_q;
  assign half_in_o  = half_q;
  assign half_run_o = ~half_q;

  // ---- engine

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      engine_q <= IDLE;
      pre_q    <= 1'b0;
      zero_q   <= 1'b0;
      run_q    <= 1'b0;
      start_q  <= 1'b0;
      run_end_q <= 1'b0;
    end else begin
      start_q <= starting;
      run_q   <= start_q | (run_q & ~run_end_q);
      run_end_q <= run_q & step_q == StepBits'(1);
      case (engine_q)
        IDLE: begin
          if (modulus) begin
            engine_q <= WRITE;
            pre_q    <= 1'b1;
            zero_q   <= 1'b1;
          end else if (full_q) engine_q <= FILL;
        end
        WRITE: begin
          if (filled) begin
            zero_q <= 1'b0;
            if (zero_q) engine_q <= LATCH;
            else if (col_q != '1) engine_q <= START;
            else begin
              engine_q <= IDLE;
              pre_q    <= 1'b0;
            end
          end
        end
        FILL:  if (filled) engine_q <= START;
        START: engine_q <= RUN;
        LATCH: if (y_there_q) engine_q <= bare_q ? FILL : WRITE;
        default: begin  // RUN, HOLD
          if (summed) begin
            if (pre_q)       engine_q <= LATCH;
            else if (full_q) engine_q <= FILL;
            else             engine_q <= IDLE;
          end else if (run_end_q) engine_q <= HOLD;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (engine_q != FILL && engine_q != WRITE) fill_q <= '0;
    else if (!fill_end_q)                      fill_q <= fill_q + 1'b1;
    loop_q    <= run_q & step_q != StepBits'(1) & ~run_end_q;
    fill_end_q <= (engine_q == FILL | engine_q == WRITE) & (fill_q == FillNext | fill_end_q) & ~filled;
    clear_q <= ~(engine_q == FILL & ~filled | run_q);
    if (!run_q) step_q <= pre_q ? PreRun : RunSteps;
    else        step_q <= step_q - 1'b1;
    if (!run_q) digit_q <= '0;
    else        digit_q <= digit_q == LastDigit ? '0 : digit_q + 1'b1;
    x_load_q <= starting | (run_q & digit_q == NextDigit & x_more_q & ~pre_q);
    reading_q <= to_fill | (reading_q & engine_q == FILL & fill_q != LastEntry);
    x_more_q <= x_word_q < CtxBeat;
    if (start_q)       x_word_q <= BeatBits'(1);
    else if (!run_q)   x_word_q <= '0;
    else if (x_load_q) x_word_q <= x_word_q + 1'b1;
    if (engine_q == IDLE) col_q <= '0;
    else if (next_col_o)  col_q <= col_q + 1'b1;
  end

  assign to_fill    = (full_q & (engine_q == IDLE | (summed & ~pre_q))) | (engine_q == LATCH & y_there_q & bare_q);
  assign next_col_o = filled & ((engine_q == FILL & pre_q) | (engine_q == WRITE & ~zero_q));
  assign fill_o   = fill_q;
  assign read_fill_o = reading_q;
  assign write_o  = reading_q | (engine_q == WRITE & fill_q == '0);
  assign row_0_o  = engine_q == WRITE;
  assign zero_o   = zero_q;
  assign col_o    = col_q;
  assign start_o  = start_q;
  assign run_o    = run_q;
  assign loop_o   = loop_q;
  assign clear_o  = clear_q;
  assign pre_o    = pre_q;
  assign x_load_o = x_load_q;
  assign x_word_o = x_word_q;

  // ---- converter

  // One state each: rest_q, read_q, show_q, and last_q (LAST). In the first cycle of READ and SHOW nothing waits.
  assign move_o = ~valid_q | out_ready_i | inner_q;
  assign shown  = last_q & move_o & ~there_q;
  assign bare   = engine_q == WRITE & zero_q & filled;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rest_q     <= 1'b1;
      read_q     <= 1'b0;
      show_q     <= 1'b0;
      last_q     <= 1'b0;
      valid_q    <= 1'b0;
      there_q    <= 1'b0;
      sum_free_q <= 1'b1;
      read_end_q <= 1'b0;
    end else begin
      read_end_q <= read_q & word_q == ReadNext;
      rest_q <= (rest_q & ~summed & ~bare) | shown;
      read_q <= summed | (read_q & ~read_end_q);
      show_q <= (rest_q & bare) | read_end_q | (show_q & ~(move_o & word_q == LastBeat));
      last_q <= (show_q & move_o & word_q == LastBeat) | (last_q & ~shown);
      if (summed)                               sum_free_q <= 1'b0;
      else if (read_q && word_q == ReadFree)    sum_free_q <= 1'b1;
      if (move_o) begin
        there_q <= show_q;
        valid_q <= there_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    first_q    <= rest_q | read_end_q;
    if (rest_q || read_end_q)             word_q <= '0;
    else if (read_q || (show_q & move_o)) word_q <= word_q + 1'b1;
    if (rest_q) begin
      bare_q  <= ~summed;
      inner_q <= pre_q;
    end
    y_there_q <= shown;
  end

  assign read_o       = read_q;
  assign read_first_o = first_q & ~rest_q;
  assign word_o       = word_q;
  assign bare_o       = bare_q;
  assign show_o       = show_q;
  assign to_y_o       = valid_q & inner_q;
  assign out_valid_o  = valid_q & ~inner_q;

endmodule

`default_nettype wire
