// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_collect: collects the words of a result in a memory in LUTs, and gives it beat by beat once all have
// come. With the first word of a beat the others are written zero, so bits above the last word are. There is room for
// Room results.
//
`default_nettype none

module mm_sys_farm_collect #(
  parameter int Word     = 16,
  parameter int CoreWord = 16,
  parameter int Beats    = 16,
  // Derived, not to be set.
  parameter int PortBeats = (Beats * CoreWord + Word - 1) / Word
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 valid_i,
  output logic                ready_o,
  input  wire                 last_i,
  input  wire  [CoreWord-1:0] z_i,
  output logic                there_o,
  input  wire                 take_i,
  input  wire                 take_last_i,
  output logic [Word-1:0]     z_o
);

  localparam int PortBits = PortBeats > 1 ? $clog2(PortBeats) : 1;
  localparam int Room     = PortBeats > 4 ? 2 : 4;
  localparam int RoomBits = $clog2(Room);
  localparam int Ratio    = Word / CoreWord;

  logic [RoomBits-1:0] put_q, get_q;  // results
  logic [RoomBits:0]   whole_q;       // how many are there
  logic                there_q;       // not none
  logic [PortBits-1:0] beat_q, get_beat_q;
  logic [Ratio-1:0]    side_q;        // which of the words of a beat
  logic                put, come, gone;

  assign ready_o = whole_q != (RoomBits + 1)'(Room);
  assign put     = valid_i & ready_o;
  assign come    = put & last_i;
  assign gone    = take_i & take_last_i;
  assign there_o = there_q;

  for (genvar i = 0; i < Ratio; i++) begin : gen_side
    mm_word_ram #(
      .Word(CoreWord), .Depth(Room << PortBits)
    ) u_words (
      .clk_i, .write_i(put & (side_q[0] | side_q[i])), .write_addr_i({put_q, beat_q}),
      .word_i(i > 0 ? z_i & ~{CoreWord{side_q[0]}} : z_i),
      .read_addr_i({get_q, get_beat_q}), .word_o(z_o[CoreWord*i +: CoreWord])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q      <= '0;
      get_q      <= '0;
      whole_q    <= '0;
      there_q    <= 1'b0;
      beat_q     <= '0;
      get_beat_q <= '0;
      side_q     <= Ratio'(1);
    end else begin
      if (come) put_q <= put_q + 1'b1;
      if (gone) get_q <= get_q + 1'b1;
      whole_q <= whole_q + (RoomBits + 1)'(come) - (RoomBits + 1)'(gone);
      if (come && !gone)      there_q <= 1'b1;
      else if (gone && !come) there_q <= whole_q != (RoomBits + 1)'(1);
      if (take_i) get_beat_q <= take_last_i ? '0 : get_beat_q + 1'b1;
      if (put) begin
        side_q <= last_i ? Ratio'(1) : Ratio'({side_q, side_q} >> (Ratio - 1));
        if (last_i)               beat_q <= '0;
        else if (side_q[Ratio-1]) beat_q <= beat_q + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
