// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_memory: Depth words of Bus bits with one address for writing and reading.
//
`default_nettype none

module mm_bus_memory #(
  parameter int Bus   = 32,
  parameter int Depth = 8,
  localparam int AddressBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire                    clk_i,
  input  wire                    write_i,
  input  wire  [AddressBits-1:0] address_i,
  input  wire  [Bus-1:0]         word_i,
  output logic [Bus-1:0]         word_o
);

  (* ram_style = "distributed" *)
  logic [Bus-1:0] words [Depth];

  always_ff @(posedge clk_i) if (write_i) words[address_i] <= word_i;

  assign word_o = words[address_i];

endmodule

`default_nettype wire
