// SPDX-License-Identifier: Apache-2.0
//
// mm_small_table: word number at_i of a constant table, as a tree of choices between two: synthesis makes LUTs of it,
// and no memory.
//
`default_nettype none

module mm_small_table #(
  parameter int Digit = 5,   // bits of a number
  parameter int Bits  = 13,  // of a word
  parameter     Words = 0    // the first lowest
) (
  input  wire  [Digit-1:0] at_i,
  output logic [Bits-1:0]  word_o
);

  for (genvar d = 0; d <= Digit; d++) begin : gen_level
    logic [(1<<(Digit-d))*Bits-1:0] words;

    if (d == 0) begin : gen_all
      assign words = ((1<<Digit)*Bits)'(Words);
    end else begin : gen_half
      for (genvar i = 0; i < 1 << (Digit - d); i++) begin : gen_choice
        assign words[i*Bits +: Bits] = at_i[d-1] ? gen_level[d-1].words[(2*i+1)*Bits +: Bits]
                                                 : gen_level[d-1].words[2*i*Bits +: Bits];
      end
    end
  end

  assign word_o = gen_level[Digit].words;

endmodule

`default_nettype wire
