// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_rows: row index_i of a text of rows, the first in its lowest bits; rows behind the text are 0. A tree of
// choices, halving the text, that synthesis maps to LUTs.
//
`default_nettype none

module mm_engine_rows #(
  parameter int RowBits   = 15,
  parameter int IndexBits = 1,
  parameter     Text      = 0
) (
  input  wire  [IndexBits-1:0] index_i,
  output logic [RowBits-1:0]   row_o
);

  localparam int HalfBits = RowBits << (IndexBits - 1);
  localparam logic [2*HalfBits-1:0] All  = (2*HalfBits)'(Text);
  localparam logic [HalfBits-1:0]   Low  = All[HalfBits-1:0];
  localparam logic [HalfBits-1:0]   High = All[2*HalfBits-1:HalfBits];

  logic [RowBits-1:0] low, high;

  if (IndexBits == 1) begin : gen_rows
    assign low  = Low;
    assign high = High;
  end else begin : gen_halves
    mm_engine_rows #(
      .RowBits(RowBits), .IndexBits(IndexBits - 1), .Text(Low)
    ) u_low (
      .index_i(index_i[IndexBits-2:0]), .row_o(low)
    );

    mm_engine_rows #(
      .RowBits(RowBits), .IndexBits(IndexBits - 1), .Text(High)
    ) u_high (
      .index_i(index_i[IndexBits-2:0]), .row_o(high)
    );
  end

  assign row_o = (low & {RowBits{~index_i[IndexBits-1]}}) | (high & {RowBits{index_i[IndexBits-1]}});

endmodule

`default_nettype wire
