// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_control: contexts, operands and results of a core that takes a digit of x a cycle, and the schedule of the
// digits, the lowest first or the highest.
//
//   cycle, from go on, with L = Steps
//   i                     x_word_o, x_digit_o: a digit of x is read, 0 <= i < L
//   1                     first_o: s is cleared; y is there
//   2 + i                 add_o: the product of the digit and y is added to s
//   L                     rest_o: no digit
//   L + 2                 last_o: the result
//   L + 3                 out_valid_o
//
// Cycle L waits until the result before has left, and those behind it with it; the next operation begins in the cycle
// after. With Squares = 1 an operation with square_i has no digits: L is 0, and cycle 0 waits. take_o, which does not
// wait, says that its operands may be taken.
//
`default_nettype none

module mm_gf2m_control #(
  parameter int Beats   = 8,
  parameter int Digits  = 4,  // of x in a word
  parameter int Steps   = 32,
  parameter int Down    = 0,  // 1: the highest digit first
  parameter int Squares = 0,  // 1: a square has no digits
  parameter int Tables  = 0,  // behind the modulus in a context, of 16 entries
  // Derived, not to be set.
  parameter int WordBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int DigitBits = Digits > 1 ? $clog2(Digits) : 1,
  parameter int TableBits = Tables > 1 ? $clog2(Tables) : 1
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
  input  wire                  square_i,      // with the first word of operands
  // Words of a context and of operands.
  output logic                 ctx_load_o,
  output logic                 table_load_o,  // one of a table
  output logic                 in_open_o,     // operands may come
  output logic [WordBits-1:0]  beat_o,
  output logic [3:0]           entry_o,
  output logic [TableBits-1:0] table_o,
  output logic                 bank_o,        // where x goes
  output logic                 square_o,      // they are to be squared
  // An operation.
  output logic                 take_o,        // y may be taken, from now to cycle 0
  output logic                 go_square_o,
  output logic                 rest_o,
  output logic                 x_bank_o,
  output logic [WordBits-1:0]  x_word_o,
  output logic [DigitBits-1:0] x_digit_o,
  output logic                 first_o,
  output logic                 add_o,
  output logic                 last_o,
  output logic [WordBits-1:0]  out_beat_o
);

  localparam int StepBits = $clog2(Steps + 1);
  localparam int Top      = Down != 0 ? Steps - 1 : 0;  // the digit to begin with

  localparam logic [WordBits-1:0]  LastBeat   = WordBits'(Beats - 1);
  localparam logic [WordBits-1:0]  FromWord   = WordBits'(Top / Digits);
  localparam logic [DigitBits-1:0] FromDigit  = DigitBits'(Top % Digits);
  localparam logic [DigitBits-1:0] NewDigit   = DigitBits'(Down != 0 ? Digits - 1 : 0);  // of a word
  localparam logic [DigitBits-1:0] EndDigit   = DigitBits'(Down != 0 ? 0 : Digits - 1);
  localparam logic [StepBits-1:0]  BeforeLast = StepBits'(Steps - 1);
  localparam logic [TableBits-1:0] LastTable  = TableBits'(Tables > 0 ? Tables - 1 : 0);

  // ---- words that come in

  logic [WordBits-1:0]  beat_q;
  logic [3:0]           entry_q;
  logic [TableBits-1:0] table_q;
  logic                 in_table_q, bank_q, full_q, square_q, in_load, last_beat, table_end, ctx_last, ctx_free;
  logic                 in_part, go;

  assign last_beat = beat_q == LastBeat;
  assign table_end = last_beat & entry_q == 4'd15 & table_q == LastTable;
  assign ctx_last  = Tables == 0 ? last_beat : in_table_q & table_end;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(ctx_free), .ctx_last_i(ctx_last), .ctx_legal_i(legal_i),
    .in_free_i(~full_q), .in_last_i(last_beat),
    .ctx_load_o, .in_load_o(in_load), .in_part_o(in_part)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q     <= '0;
      entry_q    <= '0;
      table_q    <= '0;
      in_table_q <= 1'b0;
      bank_q     <= 1'b0;
      full_q     <= 1'b0;
    end else begin
      if (ctx_load_o || in_load) beat_q <= last_beat ? '0 : beat_q + 1'b1;
      if (ctx_load_o && last_beat && Tables > 0) begin
        in_table_q <= ~ctx_last;
        if (in_table_q) entry_q <= entry_q + 1'b1;
        if (in_table_q && entry_q == 4'd15) table_q <= ctx_last ? '0 : table_q + 1'b1;
      end
      bank_q <= bank_q ^ (in_load & last_beat);
      full_q <= (in_load & last_beat) | (full_q & ~go);
    end
  end

  always_ff @(posedge clk_i) if (in_load) square_q <= square_o;

  assign square_o     = in_part ? square_q : square_i;
  assign go_square_o  = square_q;
  assign table_load_o = ctx_load_o & in_table_q;
  assign beat_o       = beat_q;
  assign entry_o      = entry_q;
  assign table_o      = table_q;
  assign bank_o       = bank_q;
  assign in_open_o    = ~full_q;

  // ---- digits

  logic [StepBits-1:0]  step_q;
  logic [WordBits-1:0]  x_word_q, out_beat_q;
  logic [DigitBits-1:0] x_digit_q;
  logic                 run_q, x_bank_q, at_once, at_last, step_last_q, occupied_q, issue, first_q, add_q, add_q2;
  logic                 last_q, last_q2, valid_q, out_last;

  // All of these from five registers.
  assign at_once = Squares != 0 & square_q;
  assign take_o  = full_q & ~run_q;
  assign go      = take_o & ~(at_once & occupied_q);
  assign at_last = step_last_q | (go & at_once);
  assign rest_o  = at_last;
  assign issue   = go | (run_q & ~(step_last_q & occupied_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q       <= 1'b0;
      step_q      <= '0;
      step_last_q <= 1'b0;
      x_word_q    <= FromWord;
      x_digit_q   <= FromDigit;
      x_bank_q    <= 1'b0;
      add_q       <= 1'b0;
      add_q2      <= 1'b0;
      last_q      <= 1'b0;
      last_q2     <= 1'b0;
      valid_q     <= 1'b0;
      occupied_q  <= 1'b0;
      out_beat_q  <= '0;
    end else begin
      if (issue) begin
        run_q       <= ~at_last;
        step_last_q <= ~at_last & step_q == BeforeLast;
        if (at_last) begin
          step_q    <= '0;
          x_word_q  <= FromWord;
          x_digit_q <= FromDigit;
          x_bank_q  <= ~x_bank_q;
        end else begin
          step_q    <= step_q + 1'b1;
          x_digit_q <= x_digit_q == EndDigit ? NewDigit : Down != 0 ? x_digit_q - 1'b1 : x_digit_q + 1'b1;
          if (x_digit_q == EndDigit) x_word_q <= Down != 0 ? x_word_q - 1'b1 : x_word_q + 1'b1;
        end
      end
      add_q      <= issue;
      add_q2     <= add_q;
      last_q     <= issue & at_last;
      last_q2    <= last_q;
      valid_q    <= last_q2 | (valid_q & ~out_last);
      occupied_q <= (issue & at_last) | last_q | last_q2 | (valid_q & ~out_last);  // a result is on its way out
      if (out_valid_o && out_ready_i) out_beat_q <= out_last ? '0 : out_beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) first_q <= go;

  assign out_last    = out_ready_i & out_beat_q == LastBeat;
  assign out_valid_o = valid_q;
  assign out_beat_o  = out_beat_q;
  assign x_bank_o    = x_bank_q;
  assign x_word_o    = x_word_q;
  assign x_digit_o   = x_digit_q;
  assign first_o     = first_q;
  assign add_o       = add_q2;
  assign last_o      = last_q2;

  assign ctx_free = ~full_q & ~run_q & ~occupied_q;

endmodule

`default_nettype wire
