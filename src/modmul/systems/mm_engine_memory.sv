// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_memory: a memory of words with a port to write and one to read, the register file of mm_engine. A word is
// at the output two cycles after its address; read_i moves both stages on, and without it they stay.
//
// Made for block memories with their output register; mm_engine_memory.ecp5.sv says so to those of ECP5. A word that is
// written in the cycle in which it is read comes out undefined: nobody reads it then.
//
`default_nettype none

module mm_engine_memory #(
  parameter int Word     = 16,
  parameter int AddrBits = 9
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] write_addr_i,
  input  wire  [Word-1:0]     word_i,
  input  wire                 read_i,
  input  wire  [AddrBits-1:0] read_addr_i,
  output logic [Word-1:0]     word_o
);

  logic [Word-1:0] words [1 << AddrBits];
  logic [Word-1:0] word_q;

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_addr_i] <= word_i;
    if (read_i) begin
      word_q <= words[read_addr_i];
      word_o <= word_q;
    end
  end

endmodule

`default_nettype wire
