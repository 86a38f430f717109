// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_cell: some columns of the table of mm_rrm, with its address register, and the adder that fills it.
//
//   run     the address is run_addr_i, the same in all cells
//   fill    run_addr_i is 0; the address comes from the cell below, a cycle later, and so does the carry:
//           cycle t      the entry of addr_q is read
//           cycle t + 1  entry + y + carry                               0 <= entry < 2^Bits in all cells together
//           cycle t + 2  it is written to the entry that write_addr_o names
//   clear_i makes the entry read 0, zero_i the entry written.
//
`default_nettype none

module mm_rrm_cell #(
  parameter int Bits     = 36,
  parameter int AddrBits = 4
) (
  input  wire                 clk_i,
  input  wire                 clear_i,
  input  wire                 zero_i,
  input  wire  [AddrBits-1:0] run_addr_i,
  input  wire  [AddrBits-1:0] fill_addr_i,
  input  wire                 write_i,
  input  wire  [AddrBits-1:0] write_addr_i,
  input  wire                 carry_i,
  input  wire  [Bits-1:0]     y_i,
  output logic [Bits-1:0]     entry_o,
  output logic [Bits-1:0]     a_o,  // a cycle later
  output logic [AddrBits-1:0] fill_addr_o,
  output logic                write_o,
  output logic [AddrBits-1:0] write_addr_o,
  output logic                carry_o
);

  logic [AddrBits-1:0] addr_q, fill_addr_q, write_addr_q;
  logic                write_q, carry_q, unused_low;
  logic [Bits-1:0]     entry, a_q, word_q;
  logic [Bits+1:0]     sum;

  always_ff @(posedge clk_i) begin
    addr_q       <= run_addr_i | fill_addr_i;
    fill_addr_q  <= fill_addr_i;
    write_q      <= write_i;
    write_addr_q <= write_addr_i;
  end

  mm_word_ram #(
    .Word(Bits), .Depth(1 << AddrBits)
  ) u_table (
    .clk_i, .write_i(write_q), .write_addr_i(write_addr_q), .word_i(word_q), .read_addr_i(addr_q), .word_o(entry)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) a_q <= '0;
    else         a_q <= entry;
  end

  // The carry enters through a bit of its own below the sum.
  assign sum        = {1'b0, a_q, 1'b1} + {1'b0, y_i, carry_i};
  assign unused_low = sum[0];

  always_ff @(posedge clk_i) begin
    if (zero_i) {carry_q, word_q} <= '0;
    else        {carry_q, word_q} <= sum[Bits+1:1];
  end

  assign entry_o      = entry;
  assign a_o          = a_q;
  assign fill_addr_o  = fill_addr_q;
  assign write_o      = write_q;
  assign write_addr_o = write_addr_q;
  assign carry_o      = carry_q;

endmodule

`default_nettype wire
