// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_times: p = w * Factor, an addition for each power of 2 in Factor, each followed by a register: p
// comes that many cycles after w, which must stay until then.
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

  // The non-adjacent form of Factor: 2^i is added where Plus has bit i, and subtracted where Minus has it.
  localparam logic [FactorBits+1:0] Once   = (FactorBits+2)'(Factor);
  localparam logic [FactorBits+1:0] Thrice = Once + Once + Once;
  localparam logic [FactorBits+1:0] Plus   = (Thrice & ~Once) >> 1;
  localparam logic [FactorBits+1:0] Minus  = (Once & ~Thrice) >> 1;

  for (genvar i = 0; i <= FactorBits; i++) begin : gen_place
    logic [PBits-1:0] so_far, sum;

    if (i == 0) begin : gen_first
      assign so_far = '0;
    end else begin : gen_next
      assign so_far = gen_place[i-1].sum;
    end

    if (Plus[i] || Minus[i]) begin : gen_stage
      logic [PBits-1:0] term, sum_q;
      assign term = PBits'(w_i) << i;
      always_ff @(posedge clk_i) sum_q <= Minus[i] ? so_far - term : so_far + term;
      assign sum = sum_q;
    end else begin : gen_pass
      assign sum = so_far;
    end
  end

  assign p_o = gen_place[FactorBits].sum;

endmodule

`default_nettype wire
