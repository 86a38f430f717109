// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade_select: selects one of Words words, four to one at each level. index_i < Words.
//
`default_nettype none

module mm_montgomery_cascade_select #(
  parameter int Words = 16,
  parameter int Bits  = 39,
  // Derived, not to be set.
  parameter int IndexBits = Words > 1 ? $clog2(Words) : 1
) (
  input  wire  [IndexBits-1:0]  index_i,
  input  wire  [Words*Bits-1:0] words_i,
  output logic [Bits-1:0]       word_o
);

  if (Words == 1) begin : gen_wire
    logic unused_index;
    assign unused_index = index_i[0];
    assign word_o       = words_i;
  end else begin : gen_level
    localparam int Groups = (Words + 3) / 4;
    localparam int Next   = Groups > 1 ? $clog2(Groups) : 1;

    logic [4*Groups*Bits-1:0] padded;
    logic [Groups*Bits-1:0]   words;
    logic [Next+1:0]          index;
    logic [1:0]               low;
    logic [Next-1:0]          high;

    assign padded = (4*Groups*Bits)'(words_i);
    assign index  = (Next+2)'(index_i);
    assign low    = index[1:0];
    assign high   = index[Next+1:2];

    for (genvar g = 0; g < Groups; g++) begin : gen_four
      logic [4*Bits-1:0] four;
      assign four                = padded[4*g*Bits+:4*Bits];
      assign words[g*Bits+:Bits] = low[1] ? (low[0] ? four[3*Bits+:Bits] : four[2*Bits+:Bits])
                                          : (low[0] ? four[Bits+:Bits] : four[0+:Bits]);
    end

    mm_montgomery_cascade_select #(
      .Words(Groups), .Bits(Bits)
    ) u_next (
      .index_i(high), .words_i(words), .word_o
    );
  end

endmodule

`default_nettype wire
