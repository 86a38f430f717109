// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_block: a register file as mm_engine_memory, whose words are there in the cycle behind the address.
// Synthesis takes blocks of memory for it.
//
`default_nettype none

module mm_engine_block #(
  parameter int Word     = 16,
  parameter int AddrBits = 9
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] write_addr_i,
  input  wire  [Word-1:0]     word_i,
  input  wire  [AddrBits-1:0] read_addr_i,
  output logic [Word-1:0]     word_o
);

  logic [Word-1:0] words [1 << AddrBits];

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_addr_i] <= word_i;
    word_o <= words[read_addr_i];
  end

endmodule

`default_nettype wire
