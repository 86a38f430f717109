// SPDX-License-Identifier: Apache-2.0
//
// mm_word_ram: a memory of words in LUTs with two ports: one written at the clock edge, one read at any time.
//
`default_nettype none

module mm_word_ram #(
  parameter int Word  = 16,
  parameter int Depth = 16,
  // Derived, not to be set.
  parameter int AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] write_addr_i,
  input  wire  [Word-1:0]     word_i,
  input  wire  [AddrBits-1:0] read_addr_i,
  output logic [Word-1:0]     word_o
);

  (* ram_style = "distributed" *)
  logic [Word-1:0] words [Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_addr_i] <= word_i;
  end

  assign word_o = words[read_addr_i];

endmodule

`default_nettype wire
