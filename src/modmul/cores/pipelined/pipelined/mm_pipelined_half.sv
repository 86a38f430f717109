// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_half: a part of a * b, by rows of multiplier blocks (mm_pipelined_strip), one for each TileA - 1 bits of
// a; blocks that would only serve the other part are left out.
//
//   High = 0   p = a * b mod 2^PBits. The rows begin at the lowest bits. ABits, BBits >= PBits.
//   High = 1   a * b / 2^(ABits + BBits - PBits), rounded down or less. The rows begin at the highest bits, and each
//              has as many blocks as serve it to Margin bits below the point; Guard >= Margin bits of each are kept.
//
//   The shortest row finishes first, so the rows are added from the last to the first.
//
`default_nettype none

module mm_pipelined_half #(
  parameter int ABits  = 132,
  parameter int BBits  = 132,
  parameter int PBits  = 129,
  parameter int High   = 1,
  parameter int Margin = 1,
  parameter int Guard  = 10,
  parameter int TileA  = 25,
  parameter int TileB  = 18,
  parameter int Corner = 9,
  parameter int Carry  = 144
) (
  input  wire              clk_i,
  input  wire  [ABits-1:0] a_i,
  input  wire  [BBits-1:0] b_i,
  output logic [PBits-1:0] p_o
);

  // Compiled once for all its instances: /* verilator no_inline_module */

  localparam int CutA  = TileA - 1;
  localparam int CutB  = TileB - 1;

  localparam int Served = PBits + Margin;
  localparam int Rows   = ((High != 0 && ABits < Served ? ABits : Served) + CutA - 1) / CutA;

  // Cycles until row i and those after it are added.
  function automatic int done(input int row);
    int ready;
    done = 0;
    for (int i = Rows - 1; i >= row; i--) begin
      ready = (Served - i * CutA + CutB - 1) / CutB + 2;
      if (i < Rows - 1 && ready < done) ready = done;
      done = i < Rows - 1 ? ready + (PBits + Guard - (i + 1 - High) * CutA + Carry - 1) / Carry : ready;
    end
  endfunction

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    localparam int Blocks = (Served - i * CutA + CutB - 1) / CutB;
    localparam int Kept   = PBits + Guard - i * CutA;  // bits of the row's product that count
    localparam int Top    = ABits - i * CutA;
    localparam int Piece  = High != 0 ? (Top < CutA ? Top : CutA) : (Kept < CutA ? Kept : CutA);
    localparam int Length = High != 0 ? Blocks * CutB : Kept;
    localparam int Whole  = High != 0 ? Piece + Length : Kept;

    logic [Piece-1:0]  a;
    logic [Length-1:0] b;
    logic [Whole-1:0]  product;
    logic [Kept-1:0]   own, sum;

    if (High != 0) begin : gen_high
      // The weight of the product's lowest bit relative to that of the lowest bit kept.
      localparam int Shift = Top - Piece + BBits - Length - (ABits + BBits - PBits - Guard);
      assign a = a_i[Top-1:Top-Piece];
      if (Length <= BBits) begin : gen_cut
        assign b = b_i[BBits-1:BBits-Length];
      end else begin : gen_pad
        assign b = {b_i, {(Length - BBits) {1'b0}}};
      end
      if (Shift < 0) begin : gen_drop
        logic unused_low;
        assign own        = product[Whole-1:-Shift];
        assign unused_low = ^product[-Shift-1:0];
      end else begin : gen_keep
        assign own = Kept'(product) << Shift;
      end
    end else begin : gen_low
      assign a   = a_i[i*CutA+Piece-1:i*CutA];
      assign b   = b_i[Length-1:0];
      assign own = product;
    end

    mm_pipelined_strip #(
      .ABits(Piece), .BBits(Length), .PBits(Whole), .Cut(CutB), .Corner(Corner)
    ) u_strip (
      .clk_i, .a_i(a), .b_i(b), .p_o(product)
    );

    if (i == Rows - 1) begin : gen_last
      assign sum = own;
    end else begin : gen_add
      localparam int Start = Blocks + 2 > done(i + 1) ? Blocks + 2 : done(i + 1);
      localparam int Pass  = High != 0 ? 0 : CutA;
      localparam int Below = Kept - CutA;
      localparam int Adder = Kept - Pass;

      logic [Kept-1:0]  own_late;
      logic [Below-1:0] below_late;
      logic [Adder-1:0] upper, addend, upper_sum;

      mm_delay #(
        .Bits(Kept), .Cycles(Start - Blocks - 2)
      ) u_own (
        .clk_i, .d_i(own), .q_o(own_late)
      );

      mm_delay #(
        .Bits(Below), .Cycles(Start - done(i + 1))
      ) u_below (
        .clk_i, .d_i(gen_row[i+1].sum), .q_o(below_late)
      );

      assign upper  = own_late[Kept-1:Pass];
      assign addend = Adder'(below_late);

      mm_pipelined_add #(
        .Bits(Adder), .Carry(Carry)
      ) u_add (
        .clk_i, .subtract_i(1'b0), .a_i(upper), .b_i(addend), .sum_o(upper_sum)
      );

      assign sum[Kept-1:Pass] = upper_sum;

      if (Pass > 0) begin : gen_pass
        logic [CutA-1:0] lower, lower_late;
        assign lower         = own_late[CutA-1:0];
        assign sum[CutA-1:0] = lower_late;

        mm_delay #(
          .Bits(CutA), .Cycles(done(i) - Start)
        ) u_lower (
          .clk_i, .d_i(lower), .q_o(lower_late)
        );
      end
    end
  end

  assign p_o = gen_row[0].sum[PBits+Guard-1:Guard];

  logic unused_bits;
  assign unused_bits = ^{a_i, b_i, gen_row[0].sum};

endmodule

`default_nettype wire
