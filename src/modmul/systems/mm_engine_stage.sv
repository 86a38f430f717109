// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_stage: a register for words on their way, and an extra one for the word that comes while the one before is
// held up. ready_o is a register: what holds up the word behind does not reach the one before in the same cycle.
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

  logic            extra_q, free;
  logic [Bits-1:0] extra_data_q;

  assign ready_o = ~extra_q;
  assign free    = ~valid_o | ready_i;

  always_ff @(posedge clk_i) begin
    if (!extra_q) extra_data_q <= data_i;
    if (free)     data_o       <= extra_q ? extra_data_q : data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      extra_q <= 1'b0;
    end else begin
      valid_o <= ~free | extra_q | valid_i;
      extra_q <= ~free & (extra_q | valid_i);
    end
  end

endmodule

`default_nettype wire
