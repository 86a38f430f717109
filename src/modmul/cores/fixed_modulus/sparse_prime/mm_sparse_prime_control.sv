// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_control: control of mm_sparse_prime. Three things run in parallel: operands of the next operation
// come in (mm_serial_input), the loop runs (mm_serial_loop), and the converter turns a sum into a number and puts it
// out.
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

  localparam int PassBits = $clog2(Passes + 1);

  localparam logic [IndexBits-1:0] BeatsIndex = IndexBits'(Beats);
  localparam logic [IndexBits-1:0] WordsIndex = IndexBits'(Words);
  localparam logic [IndexBits-1:0] End        = IndexBits'(Words + Gap - 1);
  localparam logic [PassBits-1:0]  LastPass   = PassBits'(Passes - 1);

  // ---- what comes in

  logic there, go, rest, busy, rest_q, unread, starts, unused_modulus, unused_take_c;

  mm_serial_input #(
    .Beats(Beats), .Tail(0)
  ) u_input (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i, .in_valid_i, .in_ready_o,
    .m_load_o, .x_load_o, .beat_o, .x_write_o, .x_beat_o, .modulus_o(unused_modulus),
    .there_o(there), .go_i(go), .rest_i(rest)
  );

  assign rest = rest_q & ~busy & ~out_valid_o;

  // ---- the loop

  mm_serial_loop #(
    .Beats(Beats), .Digits(Digits), .Steps(Steps), .Extra(Extra), .Wait(Wait)
  ) u_loop (
    .clk_i, .rst_ni, .there_i(there), .go_o(go), .busy_o(busy), .bank_o,
    .lead_o, .next_o, .x_word_o, .x_bank_o, .idle_o, .take_c_o(unused_take_c), .take_o, .w_first_o, .w_next_o,
    .unread_o(unread), .starts_i(starts)
  );

  // ---- the converter

  logic [3:1]           start_late_q;
  logic                 main_q, first_q, fold_q, high_q, show_q, begins, valid_q, done;
  logic [IndexBits-1:0] index_q;
  logic [PassBits-1:0]  pass_q;

  assign move_o = ~valid_q | out_ready_i;
  assign starts = move_o & rest_q & unread;
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
