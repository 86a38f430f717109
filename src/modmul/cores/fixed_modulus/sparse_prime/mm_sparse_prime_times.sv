// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_times: p = w * Factor, an addition for each power of 2 in Factor, each with a register behind it. So
// p is there Stages cycles after w, which stays until then.
//
`default_nettype none

module mm_sparse_prime_times #(
  parameter int Bits       = 11,
  parameter int FactorBits = 10,
  parameter logic [FactorBits-1:0] Factor = 977,
  // Derived, not to be set.
  parameter int PBits = Bits + FactorBits
) (
  input  wire              clk_i,
  input  wire  [Bits-1:0]  w_i,
  output logic [PBits-1:0] p_o
);

  // Digit number `which` of Factor that is not 0, from the lowest: twice its place, and one more if it is -1; behind
  // the last one, minus the number of them.
  function automatic int digit(input int which);
    logic [FactorBits+1:0] rest;
    int                    found;
    rest  = {2'b00, Factor};
    found = 0;
    digit = 0;
    for (int i = 0; i <= FactorBits; i++) begin
      if (rest[0]) begin
        if (found == which) digit = 2 * i + (rest[1] ? 1 : 0);
        rest  = rest[1] ? rest + (FactorBits+2)'(1) : rest - (FactorBits+2)'(1);
        found = found + 1;
      end
      rest = rest >> 1;
    end
    if (which >= found) digit = -found;
  endfunction

  localparam int Stages = -digit(FactorBits + 1);

  for (genvar j = 0; j < Stages; j++) begin : gen_stage
    localparam int Place = digit(j) / 2;
    localparam int Minus = digit(j) % 2;

    logic [PBits-1:0] so_far, term, sum_q;

    if (j == 0) begin : gen_first
      assign so_far = '0;
    end else begin : gen_next
      assign so_far = gen_stage[j-1].sum_q;
    end

    assign term = PBits'(w_i) << Place;

    always_ff @(posedge clk_i) begin
      if (Minus != 0) sum_q <= so_far - term;
      else            sum_q <= so_far + term;
    end
  end

  assign p_o = gen_stage[Stages-1].sum_q;

endmodule

`default_nettype wire
