// SPDX-License-Identifier: Apache-2.0
//
// mm_serial_loop: schedule of a loop that takes the digits of x one after the other, the leading one first, and pushes
// digits out at the top of its sum. When the sum is complete, a converter reduces it to a number while the next loop
// runs.
//
//   cycle, from go_o on, with L = Steps
//   1                     lead_o: the leading digit of x
//   2                     it chooses the multiple of y
//   Extra + 4             cycle 0 of the sum: idle_o is low for L cycles
//   L + Extra + 4         take_o: the sum is complete
//   L + Extra + Wait + 6  unread_o: the converter may begin, and does with starts_i
//   L + Extra + 7         the last digit that was pushed out has been read
//
`default_nettype none

module mm_serial_loop #(
  parameter int Beats  = 8,
  parameter int Digits = 16,   // of x in a word
  parameter int Steps  = 129,
  parameter int Extra  = 0,    // cycles more until a multiple of y is in the sum
  parameter int Wait   = 0,    // cycles more until the converter may begin
  // Derived, not to be set.
  parameter int WordBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 there_i,    // operands wait
  output logic                go_o,
  output logic                busy_o,     // from there until the converter begins
  output logic                bank_o,     // where the next x goes
  output logic                lead_o,     // y, and the leading digit of x
  output logic                next_o,     // the next word of x follows
  output logic [WordBits-1:0] x_word_o,   // this one
  output logic                x_bank_o,
  output logic                idle_o,     // the sum is as at the start
  output logic                take_c_o,   // the cycle before take_o
  output logic                take_o,
  output logic                w_first_o,  // the digits that were pushed out last: the first of four
  output logic                w_next_o,
  output logic                unread_o,
  input  wire                 starts_i
);

  localparam int DigitBits = Digits > 1 ? $clog2(Digits) : 1;
  localparam int StepBits  = $clog2(Steps);

  localparam logic [WordBits-1:0]  LastBeat   = WordBits'(Beats - 1);
  localparam logic [DigitBits-1:0] LastDigit  = DigitBits'(Digits - 1);
  localparam logic [StepBits-1:0]  SecondLast = StepBits'(Steps - 2);

  logic                  busy_q, run_q, run_last_q, unread_q, bank_q, idle_q, lead_q, next_q;
  logic [StepBits-1:0]   step_q;
  logic [DigitBits-1:0]  digit_q;
  logic [WordBits-1:0]   x_word_q;
  logic [2+Extra:1]      run_late_q;
  logic [6+Extra+Wait:1] last_late_q;

  assign go_o = there_i & ~busy_q;

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
      busy_q      <= go_o | (busy_q & ~starts_i);
      run_q       <= go_o | (run_q & ~run_last_q);
      run_last_q  <= run_q & step_q == SecondLast;
      last_late_q <= {last_late_q[5+Extra+Wait:1], run_last_q};
      unread_q    <= last_late_q[5+Extra+Wait] | (unread_q & ~starts_i);
      bank_q      <= bank_q ^ go_o;
      run_late_q  <= {run_late_q[1+Extra:1], run_q};
      idle_q      <= ~run_late_q[2+Extra];
      lead_q      <= go_o;
    end
  end

  always_ff @(posedge clk_i) begin
    next_q <= go_o | (run_q & digit_q == LastDigit);
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

  assign busy_o    = busy_q;
  assign bank_o    = bank_q;
  assign lead_o    = lead_q;
  assign next_o    = next_q;
  assign x_word_o  = x_word_q;
  assign x_bank_o  = bank_q ^ run_q;
  assign idle_o    = idle_q;
  assign take_c_o  = last_late_q[3+Extra];
  assign take_o    = last_late_q[4+Extra];
  assign w_first_o = last_late_q[3+Extra];
  assign w_next_o  = last_late_q[4+Extra] | last_late_q[5+Extra] | last_late_q[6+Extra];
  assign unread_o  = unread_q;

endmodule

`default_nettype wire
