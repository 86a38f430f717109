// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_row: steps 1 and 2 of mm_sparse_prime_dsp: the digits of X, the digits of y, and the columns
// that sum up their products. With one group every column keeps a digit of y in a register. With several it keeps one
// of each group in a memory, and a step takes a cycle for each group.
//
//   cycle              from start_i on
//   0                  run_i: the first group of step 0; the addresses of its digits
//   1                  these digits at the blocks
//   Mul + 3            sum_o, there_o: the lowest digit of S after step 0; then one every Groups cycles
//   Groups*T + Mul + 2 above_o, carries_o: H, a group a cycle
//
// With Mul = 5 the first cycle of a product is that of registers in front of the columns. Each column has its own: a
// digit of X goes a long way to all of them, and from there to the inputs of the blocks, which are hard to reach.
//
`default_nettype none

module mm_sparse_prime_dsp_row #(
  parameter int Digit  = 16,
  parameter int Lanes  = 2,    // digits of a word
  parameter int Beats  = 8,    // words of an operand: T = Lanes * Beats
  parameter int Shift  = 0,    // X = x * 2^Shift
  parameter int Row    = 16,   // columns
  parameter int Groups = 1,    // cycles of a step
  parameter int Parts  = 8,    // words of y that go to a group
  parameter int Mul    = 3,    // cycles of a product
  // Derived, not to be set.
  parameter int Word      = Lanes * Digit,
  parameter int BeatBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int GroupBits = Groups > 1 ? $clog2(Groups) : 1,
  parameter int LaneBits  = Lanes > 1 ? $clog2(Lanes) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [Word-1:0]      x_i,
  input  wire  [Word-1:0]      y_i,
  // A cycle later, from the control.
  input  wire                  in_there_i,
  input  wire  [BeatBits-1:0]  beat_i,
  input  wire                  half_in_i,
  // An operation.
  input  wire                  start_i,     // in the first cycle of run_i
  input  wire                  run_i,
  input  wire                  first_i,     // first group of a step
  input  wire                  last_i,      // last group of a step
  input  wire  [GroupBits-1:0] group_i,
  input  wire  [LaneBits-1:0]  lane_i,
  input  wire  [BeatBits-1:0]  word_i,
  input  wire                  half_run_i,
  output logic                 there_o,     // sum_o is a digit of L
  output logic [Digit-1:0]     sum_o,
  output logic [Row*Digit-1:0] above_o,     // S of the columns above
  output logic [Row*2-1:0]     carries_o    // the carries that count there
);

  localparam int Steps = Lanes * Beats;

  // ---- step 1: words of X; its digits

  logic [Word-1:0]   x_in_q, y_in_q, x_before_q, x_word;
  logic [2*Word-1:0] x_pair;
  logic [Digit-1:0]  x_q;

  always_ff @(posedge clk_i) begin
    x_in_q <= x_i;
    y_in_q <= y_i;
    if (in_there_i) x_before_q <= x_in_q;
  end

  assign x_pair = {x_in_q, beat_i == '0 ? Word'(0) : x_before_q} << Shift;

  mm_word_ram #(
    .Word(Word), .Depth(2 << BeatBits)
  ) u_x (
    .clk_i, .write_i(in_there_i), .write_addr_i({half_in_i, beat_i}), .word_i(x_pair[2*Word-1:Word]),
    .read_addr_i({half_run_i, word_i}), .word_o(x_word)
  );

  always_ff @(posedge clk_i) x_q <= run_i ? x_word[lane_i*Digit+:Digit] : '0;

  // ---- step 2: what one operation leaves is kept from the next

  logic keep_x, keep_s_q, clear_x, clear_s;

  mm_window #(
    .Start(Groups + Mul + 1), .Length(Steps > 1 ? (Steps - 1) * Groups : 1)
  ) u_keep_x (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(keep_x)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) keep_s_q <= 1'b0;
    else         keep_s_q <= keep_x;
  end

  assign clear_x = Steps == 1 | ~keep_x;
  assign clear_s = Steps == 1 | ~keep_s_q;

  // ---- step 2: the digits of y, and what the groups hand on to each other

  logic [Row-1:0][Digit-1:0] y, high, sum, round, above;
  logic [Row-1:0][1:0]       carries;
  logic [Digit-1:0]          below, top_q;

  if (Groups == 1) begin : gen_row
    logic [Word*Beats-1:0] y_next_q;
    logic [Row*Digit-1:0]  y_q;
    logic                  unused_top;

    always_ff @(posedge clk_i) begin
      for (int j = 0; j < Beats; j++) begin
        if (in_there_i && beat_i == BeatBits'(j)) y_next_q[j*Word+:Word] <= y_in_q;
      end
      if (start_i) y_q <= (Row*Digit)'(y_next_q);
      top_q <= high[Row-1];
    end

    assign y            = y_q;
    assign below        = '0;
    assign above[Row-1] = top_q;
    assign unused_top   = ^{y_next_q, last_i, group_i};
  end else begin : gen_groups
    logic                 none, top, top_late;
    logic [Digit-1:0]     below_q, next_group;
    logic [GroupBits-1:0] group_in_q;
    logic [Parts-1:0]     place_q;  // the columns of the next word of y

    mm_delay #(
      .Bits(1), .Cycles(Mul + 1)
    ) u_none (
      .clk_i, .d_i(first_i), .q_o(none)
    );
    mm_delay #(
      .Bits(1), .Cycles(Mul + 2)
    ) u_top (
      .clk_i, .d_i(run_i & last_i), .q_o(top)
    );
    mm_delay #(
      .Bits(1), .Cycles(Groups)
    ) u_top_late (
      .clk_i, .d_i(top), .q_o(top_late)
    );
    mm_delay #(
      .Bits(Digit), .Cycles(Groups - 2)
    ) u_next_group (
      .clk_i, .d_i(sum[0]), .q_o(next_group)
    );

    always_ff @(posedge clk_i) begin
      below_q <= none ? '0 : high[Row-1];
      if (top) top_q <= high[Row-1];
    end

    assign below        = below_q;
    assign above[Row-1] = top_late ? top_q : next_group;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        group_in_q <= '0;
        place_q    <= Parts'(1);
      end else if (in_there_i) begin
        if (beat_i == BeatBits'(Beats - 1)) begin
          group_in_q <= '0;
          place_q    <= Parts'(1);
        end else begin
          if (place_q[Parts-1]) group_in_q <= group_in_q + 1'b1;
          place_q <= Parts'({place_q, place_q[Parts-1]});
        end
      end
    end

    for (genvar c = 0; c < Row; c++) begin : gen_y
      localparam int Full = (Beats - 1 - c / Lanes + Parts) / Parts;  // groups with such a word
      logic [Digit-1:0] y_digit, y_q;
      logic             there;

      mm_word_ram #(
        .Word(Digit), .Depth(2 << GroupBits)
      ) u_y (
        .clk_i, .write_i(in_there_i & place_q[c/Lanes]), .write_addr_i({half_in_i, group_in_q}),
        .word_i(y_in_q[(c%Lanes)*Digit+:Digit]), .read_addr_i({half_run_i, group_i}), .word_o(y_digit)
      );

      if (Full < Groups) begin : gen_some
        assign there = group_i < GroupBits'(Full);
      end else begin : gen_all
        assign there = 1'b1;
      end

      always_ff @(posedge clk_i) y_q <= there ? y_digit : '0;
      assign y[c] = y_q;
    end
  end

  // ---- step 2: the columns

  for (genvar c = 0; c < (Mul > 4 ? 0 : Row); c++) begin : gen_column
    mm_sparse_prime_dsp_column #(
      .Digit(Digit), .Groups(Groups), .Mul(Mul)
    ) u_column (
      .clk_i, .clear_x_i(clear_x), .clear_s_i(clear_s),
      .x_i(x_q), .y_i(y[c]), .high_i(c == 0 ? below : high[c == 0 ? 0 : c-1]), .high_o(high[c]),
      .above_i(above[c]), .sum_o(sum[c]), .round_o(round[c]), .carries_o(carries[c])
    );
  end

  for (genvar c = 0; c < (Mul > 4 ? Row : 0); c++) begin : gen_far
    logic [Digit-1:0] x_far, y_far;

    (* keep_hierarchy *)  // synthesis would make one register of those of all columns
    mm_delay #(
      .Bits(2 * Digit), .Cycles(1)
    ) u_far (
      .clk_i, .d_i({x_q, y[c]}), .q_o({x_far, y_far})
    );

    mm_sparse_prime_dsp_column #(
      .Digit(Digit), .Groups(Groups), .Mul(Mul - 1)
    ) u_column (
      .clk_i, .clear_x_i(clear_x), .clear_s_i(clear_s),
      .x_i(x_far), .y_i(y_far), .high_i(c == 0 ? below : high[c == 0 ? 0 : c-1]), .high_o(high[c]),
      .above_i(above[c]), .sum_o(sum[c]), .round_o(round[c]), .carries_o(carries[c])
    );
  end

  for (genvar c = 0; c < Row - 1; c++) begin : gen_shift
    assign above[c] = round[c+1];
  end

  mm_delay #(
    .Bits(1), .Cycles(Mul + 3)
  ) u_there (
    .clk_i, .d_i(first_i), .q_o(there_o)
  );

  assign sum_o     = sum[0];
  assign above_o   = above;
  assign carries_o = carries;

  logic unused_bits;
  assign unused_bits = ^{x_pair, high, sum, round};

endmodule

`default_nettype wire
