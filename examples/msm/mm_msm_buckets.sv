// SPDX-License-Identifier: Apache-2.0
//
// mm_msm_buckets: a memory of words, one written and one read at the clock edge; what was read stays until the
// next reading.
//
`default_nettype none

module mm_msm_buckets #(
  parameter int Word  = 40,
  parameter int Depth = 32,
  // Derived, not to be set.
  parameter int AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] write_addr_i,
  input  wire  [Word-1:0]     word_i,
  input  wire                 read_i,
  input  wire  [AddrBits-1:0] read_addr_i,
  output logic [Word-1:0]     word_o
);

  logic [Word-1:0] words [Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_addr_i] <= word_i;
    if (read_i) word_o <= words[read_addr_i];
  end

endmodule

`default_nettype wire
