// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_row: steps 3 and 4 of mm_montgomery_dsp: a row of columns, the memories of K, and y in registers;
// in a folded build y is in memories, and there is the transfer from the columns of one group to those of the next.
//
`default_nettype none

module mm_montgomery_dsp_row #(
  parameter int Digit  = 18,
  parameter int Lanes  = 2,     // digits in a word
  parameter int Row    = 16,    // columns
  parameter int Groups = 1,     // cycles of a step
  parameter int Digits = 15,    // of y and K
  parameter int Beats  = 8,     // words of y
  parameter int Parts  = 8,     // words of y that go to the columns of a group
  parameter int VBits  = 22,
  parameter int Halves = 3,
  parameter int XFan   = 0,
  parameter int SFan   = 0,
  parameter int KAddr  = 3,
  parameter int Mul    = 3,     // cycles of a product
  parameter bit Drain  = 1'b1,
  // Derived, not to be set.
  parameter int Word    = Lanes * Digit,
  parameter int GrpBits = Groups > 1 ? $clog2(Groups) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // Words of K and y.
  input  wire  [Parts-1:0]     k_here_i,
  input  wire  [KAddr-1:0]     k_write_i,
  input  wire  [Word-1:0]      k_word_i,
  input  wire                  in_load_i,
  input  wire                  in_last_i,
  input  wire                  half_in_i,
  input  wire                  full_i,
  input  wire  [Word-1:0]      y_word_i,
  // From the control.
  input  wire                  between_i,
  input  wire                  first_i,
  input  wire                  last_i,
  input  wire                  half_run_i,
  input  wire  [GrpBits-1:0]   group_i,
  // From the schedule, and the digits.
  input  wire  [KAddr-1:0]     k_addr_i,
  input  wire                  fresh_i,
  input  wire                  blank_i,
  input  wire                  v_clear_i,
  input  wire                  v_later_i,
  input  wire                  s_first_i,
  input  wire  [Digit-1:0]     x_i,
  input  wire  [Digit-1:0]     s_i,
  output logic [Digit-1:0]     sum_o,     // the lowest digit of S
  output logic [Halves-1:0]    upper_o,   // the lowest bits above it
  output logic [Row*VBits-1:0] v_next_o,
  output logic [Row*VBits-1:0] v_o
);

localparam bit Fold = Groups > 1;

  logic [Row-1:0][Digit-1:0] y, k, high_x, high_s, sum, round, next;
  logic [Row-1:0][2:0]   carries;
  logic [Digit-1:0]          below_x, below_s, above_top;
  logic [GrpBits:0]      y_addr, y_write_addr;

  // ---- the columns of the next word of y

  logic [Parts-1:0] place_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)        place_q <= Parts'(1);
    else if (in_load_i) place_q <= in_last_i ? Parts'(1) : Parts'({place_q, place_q[Parts-1]});
  end

  // ---- what goes from group to group

  if (!Fold) begin : gen_row
    assign below_x      = '0;
    assign below_s      = '0;
    assign above_top    = '0;
    assign y_addr       = '0;
    assign y_write_addr = '0;
  end else begin : gen_groups
    logic               none_x, none_s, last_sum, fresh_q, none_q;
    logic [Digit-1:0]       next_group, below_x_q, below_s_q;
    logic [GrpBits-1:0] group_in_q;
    logic [GrpBits:0]   y_write_addr_q;
    always_ff @(posedge clk_i) begin
      below_x_q <= none_x ? '0 : high_x[Row-1];
      below_s_q <= none_s ? '0 : high_s[Row-1];
    end
    assign below_x = below_x_q;
    assign below_s = below_s_q;
    mm_delay #(
      .Bits(1), .Cycles(XFan + Mul)
    ) u_none_x (
      .clk_i, .d_i(first_i), .q_o(none_x)
    );
    mm_delay #(
      .Bits(1), .Cycles(SFan + Mul)
    ) u_none_s (
      .clk_i, .d_i(s_first_i), .q_o(none_s)
    );
    mm_delay #(
      .Bits(1), .Cycles(XFan + Mul + 1)
    ) u_last (
      .clk_i, .d_i(last_i), .q_o(last_sum)
    );
    mm_delay #(
      .Bits(Digit), .Cycles(Groups - 2)
    ) u_next (
      .clk_i, .d_i(sum[0]), .q_o(next_group)
    );
    always_ff @(posedge clk_i) begin
      fresh_q <= fresh_i;
      none_q  <= last_sum | fresh_q;
    end
    assign above_top = next_group & {Digit{~none_q}};
    mm_delay #(
      .Bits(GrpBits + 1), .Cycles(XFan - 1)
    ) u_y_addr (
      .clk_i, .d_i({half_run_i, group_i}), .q_o(y_addr)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                          group_in_q <= '0;
      else if (in_load_i && in_last_i)          group_in_q <= '0;
      else if (in_load_i && place_q[Parts-1]) group_in_q <= group_in_q + 1'b1;
    end
    always_ff @(posedge clk_i) y_write_addr_q <= {half_in_i, group_in_q};
    assign y_write_addr = y_write_addr_q;
  end

  assign sum_o = sum[0];

  // ---- steps 3 and 4: the columns, with their digits of y and K

  for (genvar c = 0; c < Row; c++) begin : gen_column
    localparam int Lane   = c % Lanes;
    localparam bit Blocks = c < Digits;

    if (!Blocks) begin : gen_no_digits
      assign y[c] = '0;
      assign k[c] = '0;
    end else begin : gen_digits
      localparam int Place = c / Lanes;
      logic [Digit-1:0] k_digit, k_q, y_q;

      mm_word_ram #(
        .Word(Digit), .Depth(1 << KAddr)
      ) u_k (
        .clk_i, .write_i(k_here_i[Place]), .write_addr_i(k_write_i), .word_i(k_word_i[Lane*Digit+:Digit]),
        .read_addr_i(k_addr_i), .word_o(k_digit)
      );

      // Until a word has come, the value at the port is taken in every cycle; the last one taken is the word.
      if (!Fold) begin : gen_y_register
        logic [Digit-1:0] y_next, y_next_q;
        always_ff @(posedge clk_i) begin
          if (place_q[Place] && !full_i) y_next_q <= y_word_i[Lane*Digit+:Digit];
          if (between_i)                 y_q      <= y_next;
        end
        assign y_next = Place == Beats - 1 && !full_i ? y_word_i[Lane*Digit+:Digit] : y_next_q;
      end else begin : gen_y_words
        localparam int Full = (Beats - 1 - Place + Parts) / Parts;  // groups with such a word
        logic         here_q, there;
        logic [Digit-1:0] y_in_q, y_digit;
        mm_word_ram #(
          .Word(Digit), .Depth(2 << GrpBits)
        ) u_y (
          .clk_i, .write_i(here_q), .write_addr_i(y_write_addr), .word_i(y_in_q),
          .read_addr_i(y_addr), .word_o(y_digit)
        );
        if (Full < Groups) begin : gen_some
          assign there = y_addr[GrpBits-1:0] < GrpBits'(Full);
        end else begin : gen_all
          assign there = 1'b1;
        end
        always_ff @(posedge clk_i) begin
          here_q <= in_load_i & place_q[Place];
          y_in_q <= y_word_i[Lane*Digit+:Digit];
          y_q    <= there ? y_digit : '0;
        end
      end

      always_ff @(posedge clk_i) k_q <= k_digit;

      assign y[c] = y_q;
      assign k[c] = k_q;
    end

    mm_montgomery_dsp_column #(
      .Digit(Digit), .VBits(VBits), .Groups(Groups), .Mul(Mul), .Blocks(Blocks), .Drain(Drain)
    ) u_column (
      .clk_i, .fresh_i, .blank_i, .v_clear_i, .v_later_i,
      .x_i, .y_i(y[c]), .s_i, .k_i(k[c]),
      .high_x_i(c == 0 ? below_x : high_x[c == 0 ? 0 : c-1]), .high_s_i(c == 0 ? below_s : high_s[c == 0 ? 0 : c-1]),
      .high_x_o(high_x[c]), .high_s_o(high_s[c]),
      .above_i(c == Row - 1 ? above_top : next[c == Row-1 ? c : c+1]),
      .sum_o(sum[c]), .round_o(round[c]), .next_o(next[c]), .carries_o(carries[c]),
      .v_next_o(v_next_o[c*VBits+:VBits]), .v_o(v_o[c*VBits+:VBits])
    );
  end

  // ---- for step 5: the bits of S above its lowest digit

  if (Row > 1) begin : gen_upper
    assign upper_o = round[1][Halves-1:0] + Halves'(carries[0]);
  end else begin : gen_upper_later
    logic [Halves-1:0] carries_q;
    always_ff @(posedge clk_i) carries_q <= Halves'(carries[0]);
    assign upper_o = round[0][Halves-1:0] + carries_q;
  end

  logic unused_ends;
  assign unused_ends = ^{full_i, between_i, first_i, s_first_i, last_i, in_load_i, in_last_i, half_in_i, half_run_i,
                         group_i, y_word_i, k_word_i, high_x, high_s, sum, round, next, carries, y_addr, y_write_addr};

endmodule

`default_nettype wire
