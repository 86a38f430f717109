// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_feed: collects the beats of both operands in a memory in LUTs, and gives them word by word once all have
// come. Whether they come with gaps is then gone: the words follow each other. There is room for Room operations.
//
`default_nettype none

module mm_sys_farm_feed #(
  parameter int Word     = 16,
  parameter int CoreWord = 16,
  parameter int Beats    = 16,
  // Derived, not to be set.
  parameter int PortBeats = (Beats * CoreWord + Word - 1) / Word,
  parameter int PortBits  = PortBeats > 1 ? $clog2(PortBeats) : 1,
  parameter int WordBits  = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire  [WordBits-1:0] last_word_i,
  input  wire                 load_i,
  input  wire  [PortBits-1:0] load_beat_i,
  input  wire                 load_last_i,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  output logic                free_o,
  output logic                valid_o,
  input  wire                 ready_i,
  output logic                last_o,
  output logic [CoreWord-1:0] x_o,
  output logic [CoreWord-1:0] y_o
);

  localparam int Room     = PortBeats > 4 ? 2 : 4;
  localparam int RoomBits = $clog2(Room);
  localparam int Ratio    = Word / CoreWord;
  localparam int SideBits = Ratio > 1 ? $clog2(Ratio) : 1;

  logic [RoomBits-1:0]         put_q, get_q;     // operations
  logic [RoomBits:0]           held_q, whole_q;  // how many are there, in part and whole
  logic [PortBits-1:0]         beat_q;
  logic [SideBits-1:0]         side_q;           // of the words of a beat
  logic [WordBits-1:0]         word_q;
  logic                        first, come, shift, gone;
  logic [2*Ratio*CoreWord-1:0] words;
  logic [2*CoreWord-1:0]       word;

  assign first      = load_i & (load_beat_i == '0);
  assign come       = load_i & load_last_i;
  assign valid_o    = whole_q != '0;
  assign last_o     = word_q == last_word_i;
  assign shift      = valid_o & ready_i;
  assign gone       = shift & last_o;
  assign free_o     = ({1'b0, held_q} + (RoomBits + 2)'(first)) < (RoomBits + 2)'(Room);
  assign {y_o, x_o} = word;

  for (genvar i = 0; i < Ratio; i++) begin : gen_side
    mm_word_ram #(
      .Word(2 * CoreWord), .Depth(Room << PortBits)
    ) u_words (
      .clk_i, .write_i(load_i), .write_addr_i({put_q, load_beat_i}),
      .word_i({y_i[CoreWord*i +: CoreWord], x_i[CoreWord*i +: CoreWord]}),
      .read_addr_i({get_q, beat_q}), .word_o(words[2*CoreWord*i +: 2*CoreWord])
    );
  end

  always_comb begin
    word = '0;
    for (int i = 0; i < Ratio; i++) begin
      word |= {(2*CoreWord){side_q == SideBits'(i)}} & words[2*CoreWord*i +: 2*CoreWord];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q   <= '0;
      get_q   <= '0;
      held_q  <= '0;
      whole_q <= '0;
      beat_q  <= '0;
      side_q  <= '0;
      word_q  <= '0;
    end else begin
      if (come) put_q <= put_q + 1'b1;
      if (gone) get_q <= get_q + 1'b1;
      held_q  <= held_q + (RoomBits + 1)'(first) - (RoomBits + 1)'(gone);
      whole_q <= whole_q + (RoomBits + 1)'(come) - (RoomBits + 1)'(gone);
      if (shift) begin
        word_q <= last_o ? '0 : word_q + 1'b1;
        side_q <= last_o || side_q == SideBits'(Ratio - 1) ? '0 : side_q + 1'b1;
        if (last_o)                              beat_q <= '0;
        else if (side_q == SideBits'(Ratio - 1)) beat_q <= beat_q + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
