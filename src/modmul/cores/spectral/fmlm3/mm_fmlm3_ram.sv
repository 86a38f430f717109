// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_ram: one memory of the RAM unit (Dai et al., Section 5.4): simple dual port, one write and one
// read port, a read takes one cycle. The control unit never reads a word in the cycle that writes it.
// Memories of at most 16 words are LUT RAM, the others block RAM.
//
`default_nettype none

module mm_fmlm3_ram #(
  parameter int Bits  = 65,
  parameter int Depth = 64,
  // Derived, not to be set.
  parameter int AddrBits = $clog2(Depth)
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] waddr_i,
  input  wire  [Bits-1:0]     wdata_i,
  input  wire  [AddrBits-1:0] raddr_i,
  output logic [Bits-1:0]     rdata_o
);

  if (Depth > 16) begin : gen_block
    (* ram_style = "block", no_rw_check *)
    logic [Bits-1:0] words [Depth];

    always_ff @(posedge clk_i) begin
      if (write_i) words[waddr_i] <= wdata_i;
      rdata_o <= words[raddr_i];
    end
  end else begin : gen_distributed
    (* ram_style = "distributed", no_rw_check *)
    logic [Bits-1:0] words [Depth];

    always_ff @(posedge clk_i) begin
      if (write_i) words[waddr_i] <= wdata_i;
      rdata_o <= words[raddr_i];
    end
  end

endmodule

`default_nettype wire
