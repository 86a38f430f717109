// SPDX-License-Identifier: Apache-2.0
//
// Beside a register of states while coverage is counted: which transitions it makes, and in which states a reset comes.
// It is in no core: modmul.verify.states puts it into copies of their sources.

`default_nettype none

module mm_cover_states #(
  parameter int States = 2,
  // Derived, not to be set: bits of a state.
  parameter int Bits   = 1
) (
  input wire            clk_i,
  input wire            rst_ni,
  input wire [Bits-1:0] state_i
);

  logic [Bits-1:0] last_q;
  logic            seen_q;

  always_ff @(posedge clk_i) last_q <= state_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= 1'b0;
    else         seen_q <= 1'b1;
  end

  for (genvar from = 0; from < States; from++) begin : gen_from
    for (genvar to = 0; to < States; to++) begin : gen_to
      if (from != to) begin : gen_arc
        logic arc;
        assign arc = seen_q & (last_q == Bits'(from)) & (state_i == Bits'(to));
      end
    end

`ifdef VERILATOR
    gen_reset: cover property (@(negedge rst_ni) state_i == Bits'(from));
`endif
  end

endmodule

`default_nettype wire
