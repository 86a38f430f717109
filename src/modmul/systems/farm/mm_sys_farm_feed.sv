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
  parameter int WordBits  = Beats > 1 ? $clog2(Beats) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire  [WordBits-1:0] last_word_i,
  output logic                free_o,
  input  wire                 take_i,
  input  wire                 load_i,
  input  wire                 load_last_i,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  output logic                valid_o,
  input  wire                 ready_i,
  output logic                last_o,
  output logic [CoreWord-1:0] x_o,
  output logic [CoreWord-1:0] y_o
);

  localparam int PortBits = PortBeats > 1 ? $clog2(PortBeats) : 1;
  localparam int Room     = PortBeats > 4 ? 2 : 4;
  localparam int RoomBits = $clog2(Room);
  localparam int Ratio    = Word / CoreWord;

  logic [RoomBits-1:0]         put_q, get_q;     // operations
  logic [RoomBits:0]           held_q, whole_q;  // how many are taken, and how many whole
  logic                        free_q;           // held_q is below Room
  logic [PortBits-1:0]         put_beat_q, beat_q;
  logic [Ratio-1:0]            side_q;           // which of the words of a beat
  logic [WordBits-1:0]         word_q, word_next;
  logic                        last_q;           // word_q is the last one
  logic                        come, shift, gone;
  logic [2*Ratio*CoreWord-1:0] words;
  logic [2*CoreWord-1:0]       word;

  assign come       = load_i & load_last_i;
  assign valid_o    = whole_q != '0;
  assign last_o     = last_q;
  assign shift      = valid_o & ready_i;
  assign gone       = shift & last_q;
  assign free_o     = free_q;
  assign {y_o, x_o} = word;

  for (genvar i = 0; i < Ratio; i++) begin : gen_side
    mm_word_ram #(
      .Word(2 * CoreWord), .Depth(Room << PortBits)
    ) u_words (
      .clk_i, .write_i(load_i), .write_addr_i({put_q, put_beat_q}),
      .word_i({y_i[CoreWord*i +: CoreWord], x_i[CoreWord*i +: CoreWord]}),
      .read_addr_i({get_q, beat_q}), .word_o(words[2*CoreWord*i +: 2*CoreWord])
    );
  end

  always_comb begin
    word_next = word_q;
    if (shift) word_next = last_q ? '0 : word_q + 1'b1;
    word = '0;
    for (int i = 0; i < Ratio; i++) begin
      word |= {(2*CoreWord){side_q[i]}} & words[2*CoreWord*i +: 2*CoreWord];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q      <= '0;
      get_q      <= '0;
      held_q     <= '0;
      free_q     <= 1'b1;
      whole_q    <= '0;
      put_beat_q <= '0;
      beat_q     <= '0;
      side_q     <= Ratio'(1);
      word_q     <= '0;
      last_q     <= 1'b0;
    end else begin
      if (come) put_q <= put_q + 1'b1;
      if (gone) get_q <= get_q + 1'b1;
      if (load_i) put_beat_q <= load_last_i ? '0 : put_beat_q + 1'b1;
      held_q  <= held_q + (RoomBits + 1)'(take_i) - (RoomBits + 1)'(gone);
      if (take_i && !gone)      free_q <= held_q != (RoomBits + 1)'(Room - 1);
      else if (gone && !take_i) free_q <= 1'b1;
      whole_q <= whole_q + (RoomBits + 1)'(come) - (RoomBits + 1)'(gone);
      word_q  <= word_next;
      last_q  <= word_next == last_word_i;
      if (shift) begin
        side_q <= last_q ? Ratio'(1) : Ratio'({side_q, side_q} >> (Ratio - 1));
        if (last_q)               beat_q <= '0;
        else if (side_q[Ratio-1]) beat_q <= beat_q + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
