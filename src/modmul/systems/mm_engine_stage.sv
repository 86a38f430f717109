// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_stage: two registers for words on their way, which take them in turn. What holds up the word behind does
// not reach the one before in the same cycle: ready_o is a register. Nor does it reach the words: ready_i decides which
// of them is next, and on no register of theirs.
//
`default_nettype none

module mm_engine_stage #(
  parameter int Bits = 16
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             valid_i,
  output logic            ready_o,
  input  wire  [Bits-1:0] data_i,
  output logic            valid_o,
  input  wire             ready_i,
  output logic [Bits-1:0] data_o
);

  logic            full_q, put_q, get_q, put, free;
  logic [Bits-1:0] even_q, odd_q;

  assign ready_o = ~full_q;
  assign put     = valid_i & ~full_q;
  assign free    = ~valid_o | ready_i;
  assign data_o  = get_q ? odd_q : even_q;

  always_ff @(posedge clk_i) begin
    if (!full_q && !put_q) even_q <= data_i;
    if (!full_q && put_q)  odd_q  <= data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      full_q  <= 1'b0;
      put_q   <= 1'b0;
      get_q   <= 1'b0;
    end else begin
      valid_o <= ~free | full_q | valid_i;
      full_q  <= ~free & (full_q | valid_i);
      put_q   <= put_q ^ put;
      get_q   <= get_q ^ (valid_o & ready_i);
    end
  end

endmodule

`default_nettype wire
