// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_skew: pieces of a number later one by one, the lowest first, as additions in pieces take them: piece i
// comes i cycles later; with Back = 1 the other way round, so that all are there with the last of them.
//
`default_nettype none

module mm_pipelined_skew #(
  parameter int Bits  = 254,
  parameter int Piece = 127,
  parameter int Back  = 0
) (
  input  wire             clk_i,
  input  wire  [Bits-1:0] d_i,
  output logic [Bits-1:0] q_o
);

  localparam int Pieces = (Bits + Piece - 1) / Piece;

  for (genvar i = 0; i < Pieces; i++) begin : gen_piece
    localparam int Low  = i * Piece;
    localparam int Long = Bits - Low < Piece ? Bits - Low : Piece;

    logic [Long-1:0] late;

    mm_delay #(
      .Bits(Long), .Cycles(Back != 0 ? Pieces - 1 - i : i)
    ) u_late (
      .clk_i, .d_i(d_i[Low+Long-1:Low]), .q_o(late)
    );

    assign q_o[Low+Long-1:Low] = late;
  end

endmodule

`default_nettype wire
