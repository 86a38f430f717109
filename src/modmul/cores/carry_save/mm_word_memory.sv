// SPDX-License-Identifier: Apache-2.0
//
// mm_word_memory: a memory of words in LUTs: one port, written at the clock edge and read at any time.
//
`default_nettype none

module mm_word_memory #(
  parameter int Word  = 32,
  parameter int Depth = 16,
  // Derived, not to be set.
  parameter int AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] addr_i,
  input  wire  [Word-1:0]     word_i,
  output logic [Word-1:0]     word_o
);

  (* ram_style = "distributed" *)
  logic [Word-1:0] words [Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) words[addr_i] <= word_i;
  end

  assign word_o = words[addr_i];

endmodule

`default_nettype wire
