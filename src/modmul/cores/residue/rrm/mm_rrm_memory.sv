// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_memory: the words of a number, for mm_rrm with Lazy = 1: a memory with synchronous write and asynchronous
// read. Where a last word of a few bits would double the memory, that word is a register.
//
`default_nettype none

module mm_rrm_memory #(
  parameter int Word  = 16,
  parameter int Words = 17,
  parameter int Last  = 3,   // bits of the last word
  // Derived, not to be set.
  parameter int AddrBits = Words > 1 ? $clog2(Words) : 1
) (
  input  wire                 clk_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] write_addr_i,
  input  wire  [Word-1:0]     word_i,
  input  wire  [AddrBits-1:0] read_addr_i,
  output logic [Word-1:0]     word_o
);

  localparam bit Apart = Words > 16 && 1 << (AddrBits - 1) == Words - 1;

  if (Apart) begin : gen_apart
    logic [Last-1:0] last_q;
    logic [Word-1:0] word;
    logic            write_last, read_last;

    assign write_last = write_addr_i[AddrBits-1];
    assign read_last  = read_addr_i[AddrBits-1];

    mm_word_ram #(
      .Word(Word), .Depth(Words - 1)
    ) u_words (
      .clk_i, .write_i(write_i & ~write_last), .write_addr_i(write_addr_i[AddrBits-2:0]), .word_i,
      .read_addr_i(read_addr_i[AddrBits-2:0]), .word_o(word)
    );

    always_ff @(posedge clk_i) begin
      if (write_i && write_last) last_q <= word_i[Last-1:0];
    end

    assign word_o = read_last ? Word'(last_q) : word;
  end else begin : gen_together
    mm_word_ram #(
      .Word(Word), .Depth(1 << AddrBits)
    ) u_words (
      .clk_i, .write_i, .write_addr_i, .word_i, .read_addr_i, .word_o
    );
  end

endmodule

`default_nettype wire
