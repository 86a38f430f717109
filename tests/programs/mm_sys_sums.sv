// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_sums: a program on mm_engine with everything that the engine has, for the tests, which write it.
//
`default_nettype none

module mm_sys_sums #(
  parameter int Word         = 16,
  parameter int Beats        = 16,
  parameter int CoreWord     = 16,
  parameter int Cores        = 1,
  parameter int ContextBeats = 17,
  parameter int InBeats      = 16,
  parameter int Slots        = 32,
  parameter int XSlot        = 0,
  parameter int YSlot        = 0,
  parameter int Numbers      = 2,
  parameter     NumberSlots  = 0,
  parameter int FirstBits    = 5,
  parameter int RoundBits    = 9,
  parameter int DigitBits    = 4,
  parameter int Entries      = 16,
  parameter int Rows         = 1,
  parameter int Entry        = 0,
  parameter     Program      = 0,
  parameter int Sums         = 0,
  parameter int ModulusSlot  = 0,
  parameter int Binary       = 0,
  parameter int Flags        = 0,
  parameter int Twice        = 0,
  parameter int Repeats      = 0,
  parameter int Counts       = 0,
  parameter int Plain        = 0,
  parameter int AccBits      = 0,
  parameter int Halves       = 0,
  parameter int XLong        = 0,
  parameter int YLong        = 0,
  parameter int Sources      = 0,
  parameter int Lanes        = 1,
  parameter int Setup        = 0,
  parameter int SetupBits    = 0,
  parameter int Ahead        = 0,
  parameter int Whole        = 0,
  parameter int Latency      = 2
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Word-1:0]  ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Word-1:0]  x_i,
  input  wire  [Word-1:0]  y_i,
  input  wire              product_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Word-1:0]  z_o
);

  mm_engine #(
    .Word(Word), .Beats(Beats), .CoreWord(CoreWord), .Cores(Cores), .ContextBeats(ContextBeats), .InBeats(InBeats),
    .Slots(Slots), .XSlot(XSlot), .YSlot(YSlot), .Numbers(Numbers), .NumberSlots(NumberSlots),
    .FirstBits(FirstBits), .RoundBits(RoundBits), .DigitBits(DigitBits), .Entries(Entries), .Rows(Rows),
    .Entry(Entry), .Program(Program), .Sums(Sums), .ModulusSlot(ModulusSlot), .Binary(Binary),
    .Flags(Flags), .Twice(Twice), .Repeats(Repeats), .Counts(Counts), .Plain(Plain), .AccBits(AccBits),
    .Halves(Halves), .XLong(XLong), .YLong(YLong), .Sources(Sources), .Lanes(Lanes), .Setup(Setup),
    .SetupBits(SetupBits), .Ahead(Ahead), .Whole(Whole), .Latency(Latency)
  ) u_engine (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .x_i, .y_i, .control_i(product_i),
    .out_valid_o, .out_ready_i, .z_o
  );

endmodule

`default_nettype wire
