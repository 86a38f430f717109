// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_quotient: Q of mm_montgomery_dsp, from the digits that are pending in step 4 as they come, each
// times a constant of its own, C[j] = -K[j] / M mod B * 2^Halves for j = Delay ... 0, K[0] = 1. A block outside this
// module computes everything but the product of the highest bits of C[j], of which only Halves bits matter.
//
//   cycle   in the slot of step T + Delay - j                                     step of mm_montgomery_dsp
//  -2       start_i, for j = Delay
//   0       s_i, c_o at the block, at_o
//   Mul     product_i                                                             5
//   Mul + 1 their sum; for j = 0 it is Q
//
// For j = 0, S reaches Halves bits beyond the digit: upper_i. It is taken in cycle Upper after start_i.
//
`default_nettype none

module mm_montgomery_dsp_quotient #(
  parameter int Digit  = 18,
  parameter int Halves = 3,
  parameter int Delay  = 4,
  parameter int Groups = 1,
  parameter int Word   = 36,
  parameter int Upper  = 6,
  parameter int Mul    = 3,     // cycles of a product
  // Derived, not to be set.
  parameter int Quot   = Digit + Halves
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire               start_i,
  input  wire  [Halves-1:0] s_i,  // its lowest bits; the block takes all
  input  wire  [Halves-1:0] upper_i,
  input  wire               clear_i,  // the next word to write is the first one of C[Delay]
  input  wire               write_i,
  input  wire  [Word-1:0]   word_i,
  output logic              at_o,
  output logic [Digit-1:0]  c_o,
  input  wire  [Quot-1:0]   product_i,
  output logic [Quot-1:0]   q_o
);

  localparam int Last     = Delay * Groups;  // cycles from the first digit to the last one
  localparam int Line     = Last + Mul + 2;
  localparam int Held     = Mul - 2;         // cycles that the products of the highest bits wait for those of the block
  localparam int Parts    = (Quot + Word - 1) / Word;
  localparam int AddrBits = Delay > 0 ? $clog2(Delay + 1) : 1;

  // ---- when

  logic [Line:0] line;  // bit j: start_i was j cycles ago
  logic [Line:1] line_q;
  logic          at, next, add;

  assign line = {line_q, start_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) line_q <= '0;
    else         line_q <= line[Line-1:0];
  end

  always_comb begin
    at   = 1'b0;
    next = 1'b0;
    add  = 1'b0;
    for (int j = 0; j <= Delay; j++) at = at | line[j * Groups + 1];
    for (int j = 0; j < Delay; j++) begin
      next = next | line[(j + 1) * Groups];
      add  = add | line[j * Groups + Mul + 2];
    end
  end

  // ---- C[j]

  logic [AddrBits-1:0]   write_addr_q, addr_q;
  logic [Parts-1:0]      part_q;
  logic [Parts*Word-1:0] c;
  logic [Quot-1:0]       c_q;
  logic                  unused_c;

  for (genvar p = 0; p < Parts; p++) begin : gen_part
    localparam int Rest = Quot - p * Word;
    localparam int Bits = Rest < Word ? Rest : Word;
    logic [Bits-1:0] part;
    mm_word_ram #(
      .Word(Bits), .Depth(1 << AddrBits)
    ) u_c (
      .clk_i, .write_i(write_i & part_q[p]), .write_addr_i(write_addr_q), .word_i(word_i[Bits-1:0]),
      .read_addr_i(addr_q), .word_o(part)
    );
    assign c[p*Word+:Word] = Word'(part);
  end

  assign unused_c = ^{c, word_i};

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      part_q       <= Parts'(1);
      write_addr_q <= '0;
    end else if (write_i) begin
      part_q <= Parts'({part_q, part_q[Parts-1]});
      if (part_q[Parts-1]) write_addr_q <= write_addr_q + 1'b1;
    end
    if (start_i)   addr_q <= '0;
    else if (next) addr_q <= addr_q + 1'b1;
    c_q  <= c[Quot-1:0];
    at_o <= at;
  end

  assign c_o = c_q[Digit-1:0];

  // ---- step 5: Q

  function automatic logic [Halves-1:0] times(input logic [Halves-1:0] a, input logic [Halves-1:0] b);
    times = '0;
    for (int i = 0; i < Halves; i++) begin
      if (b[i]) times = times + (a << i);
    end
  endfunction

  logic [Halves-1:0]      upper_q;
  logic [Held*Halves-1:0] low_q;
  logic [Halves-1:0]      above_q;
  logic [Held*Halves-1:0] above_q2;
  logic [Halves-1:0]      above_q3, upper_product_q, highest;
  logic [Quot-1:0]        total_q, sum;

  assign highest        = total_q[Digit+:Halves] + above_q3;
  assign sum            = {highest, total_q[Digit-1:0]} + product_i;

  always_ff @(posedge clk_i) begin
    if (line[Upper]) upper_q <= upper_i;
    low_q           <= (Held*Halves)'({low_q, c_q[Halves-1:0]});
    above_q         <= times(s_i, c_q[Digit+:Halves]);
    above_q2        <= (Held*Halves)'({above_q2, above_q});
    upper_product_q <= times(upper_q, low_q[Held*Halves-1-:Halves]);
    above_q3        <= above_q2[Held*Halves-1-:Halves] + (upper_product_q & {Halves{line[Line-1]}});
    if (line[Mul+1]) total_q <= '0;
    else if (add)    total_q <= sum;
    if (line[Line]) q_o <= sum;
  end

endmodule

`default_nettype wire
