// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_cell: some digits of mm_rrm: their columns of the table, and their part of the sum.
//
//   run     the table's address is run_addr_i, the same in all cells
//           cycle t      the entry of addr_q is read
//           cycle t + 1  sum + entry, a digit with a saved carry each             step 4 of mm_rrm
//   fill    run_addr_i is 0; the address comes from the cell below, a cycle later, and so does the carry:
//           cycle t      the entry of addr_q is read                              steps 1 and 3
//           cycle t + 1  entry + y + carry, over all cells together
//           cycle t + 2  it is in s_q, and is written to the entry of write_addr_q
//
`default_nettype none

module mm_rrm_cell #(
  parameter int DigitBits = 2,
  parameter int Digits    = 18,
  // Derived, not to be set.
  parameter int AddrBits = 2 * DigitBits,
  parameter int Bits     = Digits * DigitBits
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [AddrBits-1:0]  run_addr_i,
  // Filling, from the cell below and for the one above.
  input  wire                  fill_i,        // fill_addr_i is an entry to read
  input  wire  [AddrBits-1:0]  fill_addr_i,   // 0 where there is none
  input  wire                  write_i,       // two cycles later than fill_i
  input  wire  [AddrBits-1:0]  write_addr_i,
  input  wire                  carry_i,
  input  wire  [Bits-1:0]      y_i,
  output logic                 fill_o,
  output logic [AddrBits-1:0]  fill_addr_o,
  output logic                 write_o,
  output logic [AddrBits-1:0]  write_addr_o,
  // The sum.
  input  wire                  start_i,       // it becomes start_value_i
  input  wire  [Bits-1:0]      start_value_i,
  input  wire  [DigitBits-1:0] above_i,       // the lowest digit of the cell above
  output logic [DigitBits-1:0] entry_o,       // the lowest digit of what is read
  output logic [Bits-1:0]      s_next_o,
  output logic [Digits-1:0]    c_next_o,
  output logic [Bits-1:0]      s_o,
  output logic [Digits-1:0]    c_o
);

  logic [AddrBits-1:0] addr_q, fill_addr_q, write_addr_q;
  logic                fill_q, write_q;
  logic [Bits-1:0]     entry, a_q, s_q, s_shifted;
  logic [Digits-1:0]   c_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fill_q <= 1'b0;
    else         fill_q <= fill_i;
  end

  always_ff @(posedge clk_i) begin
    for (int b = 0; b < AddrBits; b++) begin  // an OR, as a set of the register
      if (fill_addr_i[b]) addr_q[b] <= 1'b1;
      else                addr_q[b] <= run_addr_i[b];
    end
    fill_addr_q  <= fill_addr_i;
    write_q      <= write_i;
    write_addr_q <= write_addr_i;
  end

  mm_word_ram #(
    .Word(Bits), .Depth(1 << AddrBits)
  ) u_table (
    .clk_i, .write_i(write_q), .write_addr_i(write_addr_q), .word_i(s_q), .read_addr_i(addr_q), .word_o(entry)
  );

  assign s_shifted = Bits'({above_i, s_q} >> DigitBits);

  mm_rrm_adder #(
    .DigitBits(DigitBits), .Digits(Digits)
  ) u_adder (
    .clk_i, .fill_i(fill_q), .y_i, .carry_i,
    .s_i(s_shifted), .a_i(a_q), .c_i(c_q), .s_o(s_next_o), .c_o(c_next_o)
  );

  always_ff @(posedge clk_i) begin
    a_q <= entry;
    if (start_i) begin
      s_q <= start_value_i;
      c_q <= '0;
    end else begin
      s_q <= s_next_o;
      c_q <= c_next_o;
    end
  end

  assign fill_o       = fill_q;
  assign fill_addr_o  = fill_addr_q;
  assign write_o      = write_q;
  assign write_addr_o = write_addr_q;
  assign entry_o      = entry[DigitBits-1:0];
  assign s_o          = s_q;
  assign c_o          = c_q;

endmodule

`default_nettype wire
