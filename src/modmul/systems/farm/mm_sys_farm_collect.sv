// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_collect: collects the words of a result, and gives it beat by beat once all have come. Bits above the
// last word are zero.
//
`default_nettype none

module mm_sys_farm_collect #(
  parameter int Word     = 16,
  parameter int CoreWord = 16,
  parameter int Beats    = 16
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

  localparam int PortBeats = (Beats * CoreWord + Word - 1) / Word;
  localparam int Bits      = PortBeats * Word;
  localparam int Words     = Bits / CoreWord;
  localparam int WordBits  = Words > 1 ? $clog2(Words) : 1;

  logic [Bits-1:0]     z_q, z_down;
  logic [WordBits-1:0] word_q;
  logic                whole_q, put;

  assign put     = valid_i & ~whole_q;
  assign ready_o = ~whole_q;
  assign there_o = whole_q;
  assign z_o     = z_q[Word-1:0];
  assign z_down  = z_q >> Word;

  for (genvar i = 0; i < Words; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (put) begin
        if (word_q == WordBits'(i)) z_q[CoreWord*i +: CoreWord] <= z_i;
        else if (word_q == '0)      z_q[CoreWord*i +: CoreWord] <= '0;
      end else if (take_i) begin
        z_q[CoreWord*i +: CoreWord] <= z_down[CoreWord*i +: CoreWord];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      whole_q <= 1'b0;
      word_q  <= '0;
    end else begin
      if (put) word_q <= last_i ? '0 : word_q + 1'b1;
      whole_q <= (whole_q | (put & last_i)) & ~(take_i & take_last_i);
    end
  end

endmodule

`default_nettype wire
