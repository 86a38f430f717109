// SPDX-License-Identifier: Apache-2.0
//
// mm_context_gate: the rules of docs/contract.md for context and operands, the same in every core: whether a context
// beat or an operand beat may change hands in a cycle, and when ctx_error_o changes. Let t be the cycle in which the
// last context beat is taken.
//
//   cycle        what is known                                         what is allowed
//   first beat   the old context is gone                               no operands from the next cycle on
//   t + 1        whole_q: a whole context has come, and none since;    no operands yet
//                ctx_legal_i says whether the core can serve it
//   t + 2        open_q, or ctx_error_o, which until now keeps the     operands, if the context is legal
//                value of the context before
//
// A waiting context has priority over the next operands, but does not come between the beats of an operand (in_part_q),
// and is taken only while no operation is in flight (ctx_free_i).
//
`default_nettype none

module mm_context_gate (
  input  wire  clk_i,
  input  wire  rst_ni,
  // The port list.
  input  wire  ctx_valid_i,
  output logic ctx_ready_o,
  output logic ctx_error_o,
  input  wire  in_valid_i,
  output logic in_ready_o,
  // From the core.
  input  wire  ctx_free_i,   // no operation is in flight
  input  wire  ctx_last_i,   // the next context beat is the last of its context
  input  wire  ctx_legal_i,  // the core can serve the context; it counts from t + 1 to the next context beat
  input  wire  in_free_i,    // there is room for the next operand beat
  input  wire  in_last_i,    // the next operand beat is the last of its operands
  // To the core.
  output logic ctx_load_o,   // a context beat changes hands
  output logic in_load_o,    // an operand beat changes hands
  output logic in_part_o     // some beats of the operands have come, and not all
);

  logic whole_q, open_q, error_q, in_part_q;

  assign ctx_ready_o = ctx_free_i & ~in_part_q;
  assign in_ready_o  = open_q & in_free_i & (in_part_q | ~ctx_valid_i);
  assign ctx_error_o = error_q;
  assign ctx_load_o  = ctx_valid_i & ctx_ready_o;
  assign in_load_o   = in_valid_i & in_ready_o;
  assign in_part_o   = in_part_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      whole_q   <= 1'b0;
      open_q    <= 1'b0;
      error_q   <= 1'b0;
      in_part_q <= 1'b0;
    end else begin
      if (ctx_load_o) whole_q <= ctx_last_i;
      open_q <= whole_q & ctx_legal_i & ~ctx_load_o;
      if (whole_q) error_q <= ~ctx_legal_i;
      if (in_load_o) in_part_q <= ~in_last_i;
    end
  end

endmodule

`default_nettype wire
