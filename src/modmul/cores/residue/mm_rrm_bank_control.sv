// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_bank_control: control of a core with two banks of the table, mm_rrm_split or mm_rrm_two. Three things run in
// parallel: operands of the next operation come in and its bank is filled, the loop runs, and the converter turns a sum
// into a number and puts it out.
//
//   cycle of the loop, with Steps = L
//   0                a digit of x leaves the words
//   1                x_last_o: it was the last; x_some_o: it was one
//   3                clear_s_o: the sum starts anew
//   L                the last digit of the sum that is dropped
//   Period - 1       the loop of the next operation may begin in the cycle after it
//   L + 4            take_o: the sum is complete, and the converter takes it
//
// clear_e_o is there in cycle 2, clear_t_o in cycles 2 and 3.
//
// When M has come, two passes follow for each row of the residues (pre_o). A pass is a loop without residues, in which
// only the last digit of x counts; the sum is taken when d = Delay digits have been dropped after it: take_o is Early
// cycles earlier. The result comes in as y.
//
//   second_o   sum                 pending digits   result
//   0          0                   row * B^(d-1)    row / B mod M
//   1          of that, +Y or -Y   those dropped    row / B^(d+1) mod M, T[row]
//
//   converter
//   rest
//   read     the words of the sum                                                    step 5
//   show     Beats cycles, or longer where nobody takes the words of the result      step 6
//   last     the same, when all words are on their way
//
`default_nettype none

module mm_rrm_bank_control #(
  parameter int Beats  = 16,
  parameter int Words  = 4,   // of y in a group
  parameter int Rows   = 16,  // of the residues
  parameter int Digits = 64,  // of x
  parameter int Steps  = 66,
  parameter int Period = 67,  // cycles of the loop, Steps + 1 or more
  parameter int Delay  = 1,
  parameter bit Fixed  = 0,   // M is, and the context has no word behind it
  // Derived, not to be set.
  parameter int AddrBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int PlaceBits = Words > 1 ? $clog2(Words) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int StepBits  = $clog2(Period)
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
  // What came in the cycle before.
  output logic                 ctx_load_o, // of M
  output logic                 in_load_o,
  output logic [AddrBits-1:0]  beat_o,
  output logic [PlaceBits-1:0] place_o,    // of the word of y in its group
  output logic                 full_o,     // it is the last of its group
  input  wire                  move_i,     // the group is free
  input  wire                  soon_i,     // and its last word may come in the next cycle
  input  wire                  filled_i,   // the table is, in the next cycle
  // The residues.
  output logic                 pre_o,      // they are being computed
  output logic [RowBits-1:0]   row_o,      // this one; 0 when none is
  output logic                 second_o,   // in the second pass
  // The loop.
  output logic                 go_o,       // its first cycle is the next one
  output logic                 digits_o,   // a digit of x leaves the words
  output logic                 x_some_o,
  output logic                 x_last_o,
  output logic                 clear_t_o,
  output logic                 clear_e_o,
  output logic                 clear_s_o,
  output logic                 take_o,
  // The converter.
  output logic                 read_o,
  output logic                 first_o,      // the first cycle of read, or of show
  input  wire                  read_last_i,  // the last cycle of read
  output logic [AddrBits-1:0]  word_o,
  output logic                 move_o        // the words of the result move on
);

  localparam int                   Early          = Steps - Digits - Delay;  // 0 to 2
  localparam logic [AddrBits-1:0]  SecondLastBeat = AddrBits'(Beats - 2);
  localparam logic [PlaceBits-1:0] SecondLastPlace = PlaceBits'(Words - 2);
  localparam logic [StepBits-1:0]  LastDigit      = StepBits'(Digits - 1);
  localparam logic [StepBits-1:0]  LastSum        = StepBits'(Steps - 1);
  localparam logic [StepBits-1:0]  ThirdLastStep  = StepBits'(Period - 3);

  logic [AddrBits-1:0]  next_q;
  logic [PlaceBits-1:0] place_q;
  logic                 pre, pass_last, modulus, word_load;
  logic                 in_last_q, ctx_last_q, ctx_last, room_q, closed_q, held_q, free_q;
  logic                 ctx_load, in_load, load, last_next, closes, closing_q, closing, held, unused_part;

  logic [StepBits-1:0]  step_q;
  logic                 run_q, run_near_q, run_last_q, sum_q, sum_last_q, filled_q, some_q, goes, go_q, filled;
  logic [2:0]           begins_q;  // go_q, one to three cycles ago
  logic [2:0]           ends_q;    // sum_last_q, one to three cycles ago
  logic                 take_q, x_last;

  logic [AddrBits-1:0]  word_q;
  logic                 unread_q, rest_q, read_q, show_q, last_q, there_q, valid_q, first_q;
  logic                 at_last_q, reads, read_end, shown, show_last;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(free_q), .ctx_last_i(ctx_last), .ctx_legal_i(legal_i),
    .in_free_i(room_q), .in_last_i(in_last_q),
    .ctx_load_o(ctx_load), .in_load_o(word_load), .in_part_o(unused_part)
  );

  // ---- beats that come in

  // In pre, words of results come in as y. The value of the word after M does not matter.
  assign in_load   = word_load | (pre & valid_q & room_q);
  assign ctx_last  = Fixed ? in_last_q : ctx_last_q;
  assign modulus   = ~Fixed & ctx_load & ~ctx_last_q & in_last_q;
  assign load      = (ctx_load & ~ctx_last_q) | in_load;
  assign closes    = in_load & closing_q;
  // Of the beat after the next one: it is the last, or the last of its group.
  assign last_next = Beats == 1 || (!in_last_q && next_q == SecondLastBeat);
  assign closing   = last_next || (closing_q ? Words == 1 : place_q == SecondLastPlace);
  assign held      = (word_load & in_last_q) | (held_q & ~go_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q     <= '0;
      place_q    <= '0;
      in_last_q  <= Beats == 1;
      closing_q  <= Beats == 1 || Words == 1;
      ctx_last_q <= 1'b0;
      closed_q   <= 1'b0;
      held_q     <= 1'b0;
      room_q     <= 1'b1;
      free_q     <= 1'b1;
      ctx_load_o <= 1'b0;
      in_load_o  <= 1'b0;
    end else begin
      if (load)    next_q  <= in_last_q ? '0 : next_q + 1'b1;
      if (in_load) place_q <= closes ? '0 : place_q + 1'b1;
      if (load)    in_last_q <= last_next;
      if (in_load) closing_q <= closing;
      if (ctx_load) ctx_last_q <= modulus;
      // A group is closed until the filler has it, and operands are held until the loop has them.
      closed_q   <= closes | (closed_q & ~move_i);
      held_q     <= held;
      if (in_load) room_q <= ~closing_q & (~closing | soon_i);
      else         room_q <= ~(closed_q & ~move_i) & ~(held_q & ~go_q) & (~closing_q | soon_i);
      free_q     <= ~held_q & ~run_q & ~unread_q & rest_q & ~in_load & ~modulus & ~pre;
      ctx_load_o <= ctx_load & ~ctx_last_q;
      in_load_o  <= in_load;
    end
  end

  always_ff @(posedge clk_i) begin
    beat_o  <= next_q;
    place_o <= place_q;
    full_o  <= closes;
  end

  // ---- passes for the residues; after the last one the loop does not begin

  if (Fixed) begin : gen_no_passes
    assign pre       = 1'b0;
    assign row_o     = '0;
    assign second_o  = 1'b0;
    assign pass_last = 1'b0;
  end else begin : gen_passes
    logic [RowBits:0] pass_q;  // row and second_o
    logic             pre_q, pass_last_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        pre_q       <= 1'b0;
        pass_q      <= '0;
        pass_last_q <= 1'b0;
      end else begin
        pre_q       <= modulus | (pre_q & ~(filled_i & pass_last_q));
        if (pre_q && filled_i) pass_q <= pass_q + 1'b1;
        pass_last_q <= &pass_q;
      end
    end

    assign pre               = pre_q;
    assign {row_o, second_o} = pass_q;
    assign pass_last         = pass_last_q;
  end

  assign pre_o = pre;

  // ---- the loop: it may begin when it is certain that the sum before it will be read

  assign filled = (filled_i & ~pass_last) | filled_q;
  assign goes   = filled & (~run_q | run_near_q | run_last_q) & (rest_q | ~(unread_q | sum_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      filled_q   <= 1'b0;
      go_q       <= 1'b0;
      run_q      <= 1'b0;
      run_near_q <= 1'b0;
      run_last_q <= 1'b0;
      sum_q      <= 1'b0;
      sum_last_q <= 1'b0;
      unread_q   <= 1'b0;
      begins_q   <= '0;
      some_q     <= 1'b0;
      ends_q     <= '0;
      take_q     <= 1'b0;
    end else begin
      filled_q   <= modulus | (filled & ~goes);
      go_q       <= goes;
      run_q      <= go_q | (run_q & ~run_last_q);
      run_near_q <= run_q & step_q == ThirdLastStep;
      run_last_q <= run_near_q;
      sum_q      <= go_q | (sum_q & ~sum_last_q);
      sum_last_q <= run_q & step_q == LastSum;
      unread_q   <= sum_last_q | (unread_q & ~reads);
      begins_q   <= {begins_q[1:0], go_q};
      some_q     <= go_q | (some_q & ~x_last);
      ends_q     <= {ends_q[1:0], sum_last_q};
      take_q     <= pre ? ends_q[2-Early] : ends_q[2];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!run_q || run_last_q) step_q <= '0;
    else                      step_q <= step_q + 1'b1;
    x_some_o  <= pre ? x_last & second_o : some_q;
    x_last_o  <= x_last;
    clear_t_o <= |begins_q[2:1] | pre;
    clear_e_o <= begins_q[1];
    clear_s_o <= begins_q[2];
  end

  assign x_last   = step_q == LastDigit;
  assign go_o     = go_q;
  assign digits_o = some_q;
  assign take_o   = take_q;

  // ---- converter: one state each, rest_q, read_q, show_q, and last_q; all stand still where nobody takes a word

  assign reads     = unread_q & rest_q & ~ends_q[0] & ~ends_q[1];
  assign read_end  = read_q & read_last_i;
  assign move_o    = ~valid_q | (pre ? room_q : out_ready_i);
  assign show_last = show_q & at_last_q;
  assign shown     = last_q & ~there_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rest_q  <= 1'b1;
      read_q  <= 1'b0;
      show_q  <= 1'b0;
      last_q  <= 1'b0;
      valid_q <= 1'b0;
      there_q <= 1'b0;
    end else if (move_o) begin
      rest_q  <= (rest_q & ~reads) | shown;
      read_q  <= reads | (read_q & ~read_last_i);
      show_q  <= read_end | (show_q & ~show_last);
      last_q  <= show_last | (last_q & ~shown);
      there_q <= show_q;
      valid_q <= there_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move_o) first_q <= reads | read_end;
    if (rest_q || read_end) begin
      word_q    <= '0;
      at_last_q <= Beats == 1;
    end else if (move_o && (read_q || show_q)) begin
      word_q    <= word_q + 1'b1;
      at_last_q <= word_q == SecondLastBeat;
    end
  end

  assign read_o      = read_q;
  assign first_o     = first_q;
  assign word_o      = word_q;
  assign out_valid_o = valid_q & ~pre;

endmodule

`default_nettype wire
