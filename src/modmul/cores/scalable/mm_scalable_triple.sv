// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_triple: three times a number, computed while its words come in and kept in a memory: the hard multiple 3Y
// = Y + 2Y, by the carry-propagate adder that Booth encoding saves. It has one more word than the number, written one
// clock cycle after the last one.
//
`default_nettype none

module mm_scalable_triple #(
  parameter int Word     = 16,
  parameter int AddrBits = 5,
  parameter int Buffers  = 1   // 1 or 2
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 write_i,
  input  wire                 last_i,
  input  wire  [Word-1:0]     word_i,
  input  wire                 write_buf_i,
  input  wire                 read_buf_i,
  input  wire  [AddrBits-1:0] read_addr_i,
  output logic [Word-1:0]     word_o
);

  localparam int RamBits = AddrBits + Buffers - 1;

  logic                tail_q, tail_buf_q;
  logic [AddrBits-1:0] addr_q;
  logic [1:0]          over_q;
  logic [Word-1:0]     in;
  logic [Word+1:0]     triple;

  assign in     = word_i & {Word{~tail_q}};
  assign triple = {2'b00, in} + {1'b0, in, 1'b0} + (Word + 2)'(over_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q <= 1'b0;
      addr_q <= '0;
      over_q <= 2'd0;
    end else begin
      tail_q <= write_i & last_i;
      if (tail_q) begin
        addr_q <= '0;
        over_q <= 2'd0;
      end else if (write_i) begin
        addr_q <= addr_q + 1'b1;
        over_q <= triple[Word+1:Word];
      end
    end
  end

  always_ff @(posedge clk_i) tail_buf_q <= write_buf_i;

  mm_word_ram #(
    .Word(Word), .Depth(1 << RamBits)
  ) u_words (
    .clk_i, .write_i(write_i | tail_q), .write_addr_i(RamBits'({tail_q ? tail_buf_q : write_buf_i, addr_q})),
    .word_i(triple[Word-1:0]), .read_addr_i(RamBits'({read_buf_i, read_addr_i})), .word_o
  );

endmodule

`default_nettype wire
