// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_collect: collects the words of a result in a memory in LUTs, and gives it beat by beat once all have
// come. Bits above the last word are zero. There is room for Room results.
//
`default_nettype none

module mm_sys_farm_collect #(
  parameter int Word     = 16,
  parameter int CoreWord = 16,
  parameter int Beats    = 16,
  // Derived, not to be set.
  parameter int PortBeats = (Beats * CoreWord + Word - 1) / Word,
  parameter int PortBits  = PortBeats > 1 ? $clog2(PortBeats) : 1
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
  input  wire  [PortBits-1:0] beat_i,      // that is taken next
  output logic [Word-1:0]     z_o
);

  localparam int Room     = PortBeats > 4 ? 2 : 4;
  localparam int RoomBits = $clog2(Room);
  localparam int Ratio    = Word / CoreWord;
  localparam int SideBits = Ratio > 1 ? $clog2(Ratio) : 1;

  logic [RoomBits-1:0] put_q, get_q;     // results
  logic [RoomBits:0]   whole_q;          // how many are there
  logic [PortBits-1:0] beat_q;
  logic [SideBits-1:0] side_q;           // of the words of a beat
  logic [SideBits-1:0] last_side_q;      // of the last word of all
  logic                put, come, gone;
  logic [Word-1:0]     words;

  assign ready_o = whole_q != (RoomBits + 1)'(Room);
  assign put     = valid_i & ready_o;
  assign come    = put & last_i;
  assign gone    = take_i & take_last_i;
  assign there_o = whole_q != '0;

  for (genvar i = 0; i < Ratio; i++) begin : gen_side
    logic above;

    mm_word_ram #(
      .Word(CoreWord), .Depth(Room << PortBits)
    ) u_words (
      .clk_i, .write_i(put & (side_q == SideBits'(i))), .write_addr_i({put_q, beat_q}), .word_i(z_i),
      .read_addr_i({get_q, beat_i}), .word_o(words[CoreWord*i +: CoreWord])
    );

    if (i > 0) begin : gen_above
      assign above = take_last_i & (last_side_q < SideBits'(i));
    end else begin : gen_never
      logic unused_side;
      assign above       = 1'b0;
      assign unused_side = ^last_side_q;
    end

    assign z_o[CoreWord*i +: CoreWord] = words[CoreWord*i +: CoreWord] & ~{CoreWord{above}};
  end

  always_ff @(posedge clk_i) if (come) last_side_q <= side_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q   <= '0;
      get_q   <= '0;
      whole_q <= '0;
      beat_q  <= '0;
      side_q  <= '0;
    end else begin
      if (come) put_q <= put_q + 1'b1;
      if (gone) get_q <= get_q + 1'b1;
      whole_q <= whole_q + (RoomBits + 1)'(come) - (RoomBits + 1)'(gone);
      if (put) begin
        side_q <= last_i || side_q == SideBits'(Ratio - 1) ? '0 : side_q + 1'b1;
        if (last_i)                              beat_q <= '0;
        else if (side_q == SideBits'(Ratio - 1)) beat_q <= beat_q + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
