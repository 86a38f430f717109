// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_cell: some digits of mm_rrm: their columns of the table, and their part of the sum.
//
// A cell passes whatever it receives on to the one above it, a cycle later. So no signal goes to all cells.
//
//   cycle t      the entry of addr_q is read
//   cycle t + 1  run: sum + entry, a digit with a saved carry each                  step 4 of mm_rrm
//                fill: entry + y, and the carry of the cell below                   steps 1 and 3
//   cycle t + 2  run: it is the sum
//                fill: it is in s_q, and is written to the entry of write_addr_q
//
// With Delay = 0, everything but the first happens a cycle earlier.
//
// The cell above is a cycle behind, so it is still computing the digit that comes down from it in this cycle. That
// digit therefore comes as the sum of two registers: a digit of the entry, and low_q, which is a digit of S with its
// carry.
//
`default_nettype none

module mm_rrm_cell #(
  parameter int DigitBits = 2,
  parameter int Digits    = 10,
  parameter int Delay     = 1,
  // Derived, not to be set.
  parameter int AddrBits = 2 * DigitBits,
  parameter int Bits     = Digits * DigitBits
) (
  input  wire                  clk_i,
  // From the cell below, and for the one above.
  input  wire  [AddrBits-1:0]  addr_i,
  input  wire  [AddrBits-1:0]  addr_set_i,     // bits that are 1 in any case
  input  wire                  fill_i,         // it is an entry to add y to
  input  wire                  write_i,        // two cycles later than fill_i, or one with Delay = 0
  input  wire  [AddrBits-1:0]  write_addr_i,
  input  wire                  start_i,        // the sum becomes start_value_i
  input  wire                  blank_i,        // the same for low_q, in this cycle and in the one before it
  input  wire                  take_i,         // taken_s_o and taken_c_o become the sum
  input  wire                  carry_i,
  output logic [AddrBits-1:0]  addr_o,
  output logic                 fill_o,
  output logic                 write_o,
  output logic [AddrBits-1:0]  write_addr_o,
  output logic                 start_o,
  output logic                 blank_o,
  output logic                 take_o,
  output logic                 carry_o,
  // Digits.
  input  wire  [Bits-1:0]      y_i,
  input  wire  [Bits-1:0]      start_value_i,
  input  wire  [DigitBits-1:0] above_i,        // low_o of the cell above
  output logic [DigitBits-1:0] low_o,          // the lowest digit of the sum, a cycle before it is there
  output logic [DigitBits-1:0] entry_o,        // the lowest digit of what is read
  output logic [Bits-1:0]      s_next_o,       // the sum, a cycle before it is there
  output logic [Digits-1:0]    c_next_o,
  output logic [DigitBits-1:0] s_o,            // its lowest digit
  output logic [Bits-1:0]      taken_s_o,
  output logic [Digits-1:0]    taken_c_o
);

  logic [AddrBits-1:0] addr_q, write_addr_q;
  logic                fill_q, write_q, start_q, blank_q, take_q, fill_next;
  logic [Bits-1:0]     entry, a, s_q, s_next, s_shifted, taken_s_q;
  logic [Digits-1:0]   c_q, c_next, taken_c_q;

  logic [DigitBits-1:0] low_q;

  always_ff @(posedge clk_i) begin
    fill_q <= fill_i;
    for (int b = 0; b < AddrBits; b++) begin  // an OR, as a set of the register
      if (addr_set_i[b]) addr_q[b] <= 1'b1;
      else               addr_q[b] <= addr_i[b];
    end
    write_q      <= write_i;
    write_addr_q <= write_addr_i;
    start_q      <= start_i;
    blank_q      <= blank_i;
    take_q       <= take_i;
  end

  mm_word_ram #(
    .Word(Bits), .Depth(1 << AddrBits)
  ) u_table (
    .clk_i, .write_i(write_q), .write_addr_i(write_addr_q), .word_i(s_q), .read_addr_i(addr_q), .word_o(entry)
  );

  if (Delay == 0) begin : gen_at_once
    assign a         = entry;
    assign fill_next = fill_i;
  end else begin : gen_later
    logic [Bits-1:0] a_q;
    always_ff @(posedge clk_i) begin
      a_q <= entry;
    end
    assign a         = a_q;
    assign fill_next = fill_q;
  end

  assign s_shifted = Bits'({above_i, s_q} >> DigitBits);

  mm_rrm_adder #(
    .DigitBits(DigitBits), .Digits(Digits)
  ) u_adder (
    .clk_i, .fill_i(fill_next), .y_i, .carry_i,
    .s_i(s_shifted), .a_i(a), .c_i(c_q), .s_o(s_next), .c_o(c_next)
  );

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      s_q <= start_value_i;
      c_q <= '0;
    end else begin
      s_q <= s_next;
      c_q <= c_next;
    end
    if (blank_i) low_q <= '0;
    else         low_q <= DigitBits'({above_i, s_next} >> DigitBits) + DigitBits'(c_next[0]);
    if (take_i) begin
      taken_s_q <= s_q;
      taken_c_q <= c_q;
    end
  end

  assign addr_o       = addr_q;
  assign fill_o       = fill_q;
  assign write_o      = write_q;
  assign write_addr_o = write_addr_q;
  assign start_o      = start_q;
  assign blank_o      = blank_q;
  assign low_o        = a[DigitBits-1:0] + low_q;
  assign take_o       = take_q;
  assign carry_o      = c_q[Digits-1];
  assign entry_o      = entry[DigitBits-1:0];
  assign s_next_o     = s_next;
  assign c_next_o     = c_next;
  assign s_o          = s_q[DigitBits-1:0];
  assign taken_s_o    = taken_s_q;
  assign taken_c_o    = taken_c_q;

endmodule

`default_nettype wire
