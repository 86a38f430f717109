// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_rsa_crt_memory: words with one port to write and two to read. A word read comes out a cycle later and stays
// until the next read; a word written can be read from the next cycle on.
//
`default_nettype none

module mm_sys_rsa_crt_memory #(
  parameter int Word  = 32,
  parameter int Depth = 64,
  // Derived, not to be set.
  parameter int AddrBits = $clog2(Depth)
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] addr_i,
  input  wire  [Word-1:0]     word_i,
  input  wire                 read_i,
  input  wire  [AddrBits-1:0] a_addr_i,
  input  wire  [AddrBits-1:0] b_addr_i,
  output logic [Word-1:0]     a_o,
  output logic [Word-1:0]     b_o
);

  logic [Word-1:0] words [Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) words[addr_i] <= word_i;
    if (read_i) begin
      a_o <= words[a_addr_i];
      b_o <= words[b_addr_i];
    end
  end

endmodule

`default_nettype wire
