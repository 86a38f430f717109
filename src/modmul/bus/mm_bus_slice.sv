// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_slice: a register between two sides of a stream, for data and for ready: every output comes from a register,
// and a word a cycle passes. Two words find room. out_valid_o and out_data_o stay until the word is taken.
//
`default_nettype none

module mm_bus_slice #(
  parameter int Bits = 32
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             in_valid_i,
  output logic            in_ready_o,
  input  wire  [Bits-1:0] in_data_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Bits-1:0] out_data_o
);

  logic            full_q;   // second_q holds the word behind that at the port
  logic            ready_q;  // in_ready_o, which is low in reset
  logic [Bits-1:0] second_q;
  logic            take, free;

  assign in_ready_o = ready_q;
  assign take       = in_valid_i & ready_q;
  assign free       = ~out_valid_o | out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_o <= 1'b0;
      full_q      <= 1'b0;
      ready_q     <= 1'b0;
    end else begin
      if (free) out_valid_o <= full_q | take;
      full_q  <= ~free & (full_q | take);
      ready_q <= free | ~(full_q | take);
    end
  end

  always_ff @(posedge clk_i) begin
    if (free) out_data_o <= full_q ? second_q : in_data_i;
    if (take) second_q <= in_data_i;
  end

endmodule

`default_nettype wire
