// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_fifo: the FIFO of a scalable multiplier (Pinckney et al., Fig. 3): it holds the words of Z from the last
// processing element until the first one has gone through the operands. A word stays for delay_i + 1 cycles; if it does
// not have to wait it goes straight into the output register (b = 1).
//
`default_nettype none

module mm_scalable_fifo #(
  parameter int Word    = 16,
  parameter int Depth   = 1,  // the longest stay
  parameter int IdxBits = 6
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire  [IdxBits-1:0] delay_i,
  input  wire                clear_i,   // the first pipeline cycle of a multiplication: Z = 0
  input  wire  [Word-1:0]    zs_i,
  input  wire  [Word-1:0]    zc_i,
  output logic [Word-1:0]    zs_next_o, // what comes out with the next clock edge
  output logic [Word-1:0]    zc_next_o,
  output logic [Word-1:0]    zs_o,
  output logic [Word-1:0]    zc_o
);

  logic [2*Word-1:0] kept;

  if (Depth > 1) begin : gen_memory
    localparam int AddrBits = $clog2(Depth);

    logic [AddrBits-1:0] addr_q, read_addr;
    logic [2*Word-1:0]   word;

    assign read_addr = addr_q - AddrBits'(delay_i);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) addr_q <= '0;
      else         addr_q <= addr_q + 1'b1;
    end

    mm_word_ram #(
      .Word(2 * Word), .Depth(1 << AddrBits)
    ) u_memory (
      .clk_i, .write_i(1'b1), .write_addr_i(addr_q), .word_i({zs_i, zc_i}),
      .read_addr_i(read_addr), .word_o(word)
    );

    assign kept = (delay_i == '0) ? {zs_i, zc_i} : word;
  end else begin : gen_register
    logic unused_delay;

    assign unused_delay = ^{rst_ni, delay_i};
    assign kept         = {zs_i, zc_i};
  end

  assign {zs_next_o, zc_next_o} = kept & {(2 * Word){~clear_i}};

  always_ff @(posedge clk_i) begin
    zs_o <= zs_next_o;
    zc_o <= zc_next_o;
  end

endmodule

`default_nettype wire
