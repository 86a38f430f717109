// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_leaf: p = a * b, both signed, by rows of multiplier blocks (mm_pipelined_strip), one for each TileA - 1
// bits of a, whose products are added one after the other. If the remaining top bits of a fit the narrow side of a
// block, the last row is transposed: its blocks take TileA - 1 bits of b each.
//
//   Blocks + Strips + 1 cycles.
//
`default_nettype none

module mm_pipelined_leaf #(
  parameter int Bits  = 65,
  parameter int TileA = 25,
  parameter int TileB = 18
) (
  input  wire               clk_i,
  input  wire  [Bits-1:0]   a_i,
  input  wire  [Bits-1:0]   b_i,
  output logic [2*Bits-1:0] p_o
);

  // Compiled once for all its instances: /* verilator no_inline_module */

  localparam int CutA   = TileA - 1;
  localparam int CutB   = TileB - 1;
  localparam int Strips = Bits - 1 > CutA ? (Bits - 1 + CutA - 1) / CutA : 1;
  localparam int Blocks = Bits - 1 > CutB ? (Bits - 1 + CutB - 1) / CutB : 1;
  localparam int Rest   = Bits - (Strips - 1) * CutA;
  localparam int Turned = Strips > 1 && Rest <= TileB && Strips < Blocks ? 1 : 0;

  for (genvar i = 0; i < Strips; i++) begin : gen_strip
    localparam int Last  = i == Strips - 1 ? 1 : 0;
    localparam int ABits = Last != 0 ? Rest : CutA;
    localparam int Cut   = Last != 0 && Turned != 0 ? CutA : CutB;
    localparam int Wait  = (Last != 0 && Turned != 0 ? Blocks - Strips : 0) + (i > 1 ? i - 1 : 0);

    logic        [ABits-1:0]      a;
    logic        [ABits+Bits-1:0] p, p_late;
    logic signed [ABits+Bits:0]   sum;  // of this strip and those below it, from the lowest bit of this one on

    assign a = a_i[i*CutA+ABits-1:i*CutA];

    mm_pipelined_strip #(
      .ABits(ABits), .BBits(Bits), .ASigned(Last), .BSigned(1), .Cut(Cut)
    ) u_strip (
      .clk_i, .a_i(a), .b_i, .p_o(p)
    );

    mm_delay #(
      .Bits(ABits + Bits), .Cycles(Wait)
    ) u_late (
      .clk_i, .d_i(p), .q_o(p_late)
    );

    if (i == 0) begin : gen_first
      assign sum = {p_late[ABits+Bits-1], p_late};
    end else begin : gen_add
      logic signed [ABits+Bits:0] below, own, sum_q;

      assign below = (ABits+Bits+1)'(gen_strip[i-1].sum >>> CutA);
      assign own   = {p_late[ABits+Bits-1], p_late};
      always_ff @(posedge clk_i) sum_q <= own + below;
      assign sum = sum_q;
    end

    if (Last != 0) begin : gen_top
      assign p_o[2*Bits-1:i*CutA] = sum[ABits+Bits-1:0];

      logic unused_sign;
      assign unused_sign = sum[ABits+Bits];
    end else begin : gen_low
      logic [CutA-1:0] low, low_late;

      assign low = sum[CutA-1:0];

      mm_delay #(
        .Bits(CutA), .Cycles(Strips - 1 - i)
      ) u_low (
        .clk_i, .d_i(low), .q_o(low_late)
      );
      assign p_o[i*CutA+CutA-1:i*CutA] = low_late;
    end
  end

endmodule

`default_nettype wire
