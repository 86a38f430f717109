// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_feed: collects the beats of both operands, and gives them word by word once all have come. Whether they
// come with gaps is then gone: the words follow each other.
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

  localparam int Bits = PortBeats * Word;

  logic [Bits-1:0]     x_q, y_q, x_down, y_down;
  logic [WordBits-1:0] word_q;
  logic                busy_q, whole_q, shift;

  assign x_down  = x_q >> CoreWord;
  assign y_down  = y_q >> CoreWord;
  assign shift   = whole_q & ready_i;
  assign free_o  = ~busy_q & ~load_i;
  assign valid_o = whole_q;
  assign last_o  = word_q == last_word_i;
  assign x_o     = x_q[CoreWord-1:0];
  assign y_o     = y_q[CoreWord-1:0];

  for (genvar i = 0; i < PortBeats; i++) begin : gen_beat
    always_ff @(posedge clk_i) begin
      if (load_i && load_beat_i == PortBits'(i)) begin
        x_q[Word*i +: Word] <= x_i;
        y_q[Word*i +: Word] <= y_i;
      end else if (shift) begin
        x_q[Word*i +: Word] <= x_down[Word*i +: Word];
        y_q[Word*i +: Word] <= y_down[Word*i +: Word];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      whole_q <= 1'b0;
      word_q  <= '0;
    end else begin
      busy_q  <= (busy_q | load_i) & ~(shift & last_o);
      whole_q <= (whole_q | (load_i & load_last_i)) & ~(shift & last_o);
      if (shift) word_q <= last_o ? '0 : word_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
