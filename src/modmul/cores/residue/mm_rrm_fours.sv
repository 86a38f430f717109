// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_fours: reduces words by fours: each output is the OR of four words, the last one of those that remain. An OR
// of four fits in a LUT, and is kept as one, so the OR of up to 16 words is two LUTs in series.
//
`default_nettype none

module mm_rrm_fours #(
  parameter int Word  = 16,
  parameter int Words = 16,
  // Derived, not to be set.
  parameter int Fours = (Words + 3) / 4
) (
  input  wire  [Words*Word-1:0] words_i,
  output logic [Fours*Word-1:0] fours_o
);

  for (genvar i = 0; i < Fours * Word; i++) begin : gen_bit
    localparam int First = i / Word * 4;
    localparam int Count = Words - First < 4 ? Words - First : 4;

    logic [Count-1:0] bits;

    for (genvar j = 0; j < Count; j++) begin : gen_word
      assign bits[j] = words_i[(First+j)*Word+i%Word];
    end

    (* keep *)
    logic some;

    assign some       = bits != '0;
    assign fours_o[i] = some;
  end

endmodule

`default_nettype wire
