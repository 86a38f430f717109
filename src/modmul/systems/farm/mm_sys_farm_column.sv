// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_column: Stations stations in a row, with what collects operands in front of them and results behind them.
// Words of a context and the token that asks for refusals go the way of the operands; what comes out behind the last
// station is only that token: answer_o, with refused_o. The way to the first station begins at registers, u_start.
//
`default_nettype none

module mm_sys_farm_column #(
  parameter int Word     = 16,
  parameter int CoreWord = 16,
  parameter int Beats    = 16,
  parameter int Stations = 4,
  parameter int Queue    = 0,
  // Derived, not to be set.
  parameter int WordBits = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire  [WordBits-1:0] last_word_i,    // of an operand
  // The context.
  input  wire                 token_i,        // there is a word, and no operation in flight
  input  wire                 token_go_i,     // it goes now; only while it is ready
  output logic                token_ready_o,
  input  wire                 token_check_i,
  input  wire  [CoreWord-1:0] token_word_i,
  output logic                answer_o,
  output logic                refused_o,
  // Beats of operands, which come a cycle later or more than an operation is taken, that is only if it is free.
  output logic                free_o,
  input  wire                 take_i,
  input  wire                 load_i,
  input  wire                 load_last_i,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  // Beats of a result.
  output logic                out_there_o,
  input  wire                 out_take_i,
  input  wire                 out_last_i,     // it is the last beat
  output logic [Word-1:0]     z_o
);

  localparam int InBits  = 2 * CoreWord + 3;  // {context, check, last, y, x}
  localparam int OutBits = CoreWord + 1;      // {last, z}

  logic [(Stations+1)*InBits-1:0]  in_data;
  logic [(Stations+1)*OutBits-1:0] out_data;
  logic [Stations:0]               in_valid, in_ready, out_valid, out_ready;
  logic                            feed_valid, feed_last, start_ready;
  logic [CoreWord-1:0]             feed_x, feed_y, word_x;
  logic [InBits-1:0]               behind;
  logic                            unused_behind;

  mm_sys_farm_feed #(
    .Word(Word), .CoreWord(CoreWord), .Beats(Beats)
  ) u_feed (
    .clk_i, .rst_ni, .last_word_i,
    .free_o, .take_i, .load_i, .load_last_i, .x_i, .y_i,
    .valid_o(feed_valid), .ready_i(start_ready), .last_o(feed_last), .x_o(feed_x), .y_o(feed_y)
  );

  assign token_ready_o = start_ready;
  assign word_x        = token_i ? token_word_i : feed_x;

  mm_engine_stage #(
    .Bits(InBits)
  ) u_start (
    .clk_i, .rst_ni,
    .valid_i(token_go_i | feed_valid), .ready_o(start_ready),
    .data_i({token_i & ~token_check_i, token_i & token_check_i, feed_last, feed_y, word_x}),
    .valid_o(in_valid[0]), .ready_i(in_ready[0]), .data_o(in_data[0 +: InBits])
  );

  assign out_valid[0]           = 1'b0;
  assign out_data[0 +: OutBits] = OutBits'(0);

  for (genvar i = 0; i < Stations; i++) begin : gen_station
    (* keep_hierarchy *)  // synthesis makes one register of the resets of all stations, far from most of them
    mm_sys_farm_station #(
      .Word(CoreWord), .Beats(Beats), .Before(i), .Behind(Stations - 1 - i), .Queue(Queue)
    ) u_station (
      .clk_i, .rst_ni,
      .in_valid_i(in_valid[i]), .in_ready_o(in_ready[i]), .in_i(in_data[InBits*i +: InBits]),
      .in_valid_o(in_valid[i+1]), .in_ready_i(in_ready[i+1]), .in_o(in_data[InBits*(i+1) +: InBits]),
      .out_valid_i(out_valid[i]), .out_ready_o(out_ready[i]), .out_i(out_data[OutBits*i +: OutBits]),
      .out_valid_o(out_valid[i+1]), .out_ready_i(out_ready[i+1]), .out_o(out_data[OutBits*(i+1) +: OutBits])
    );
  end

  assign behind             = in_data[InBits*Stations +: InBits];
  assign in_ready[Stations] = 1'b1;
  assign unused_behind      = ^{behind, out_ready[0]};

  always_ff @(posedge clk_i) refused_o <= behind[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answer_o <= 1'b0;
    else         answer_o <= in_valid[Stations] & behind[InBits-2];
  end

  mm_sys_farm_collect #(
    .Word(Word), .CoreWord(CoreWord), .Beats(Beats)
  ) u_collect (
    .clk_i, .rst_ni,
    .valid_i(out_valid[Stations]), .ready_o(out_ready[Stations]), .last_i(out_data[OutBits*(Stations+1)-1]),
    .z_i(out_data[OutBits*Stations +: CoreWord]),
    .there_o(out_there_o), .take_i(out_take_i), .take_last_i(out_last_i), .z_o
  );

endmodule

`default_nettype wire
