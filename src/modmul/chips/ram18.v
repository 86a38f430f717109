// SPDX-License-Identifier: Apache-2.0
//
// What models of block RAM of several families have in common: 1,024 words of 18 bits behind two ports, each of which
// reads and writes a word, a half of 9 bits, 4, 2 or 1 of the lower 8 bits of a half, or 36 bits, two words. write_a_i
// and write_b_i are enables: of each 9 bits, or with fewer bits the first. OLD_A and OLD_B say that a port that writes
// leaves the other one the old word to read; without it the other one reads the bits inverted, for nothing is known of
// them. NEW_A and NEW_B say that a port reads what it writes.
//
module mm_model_ram18 (
  clk_a_i, clk_b_i, write_a_i, write_b_i, addr_a_i, addr_b_i, word_a_i, word_b_i, word_a_o, word_b_o
);
  parameter READ_A  = 18;
  parameter READ_B  = 18;
  parameter WRITE_A = 18;
  parameter WRITE_B = 18;
  parameter NEW_A   = 0;
  parameter NEW_B   = 0;
  parameter OLD_A   = 0;
  parameter OLD_B   = 0;
  parameter [1024*18-1:0] TABLE = 0;

  input         clk_a_i, clk_b_i;
  input  [3:0]  write_a_i, write_b_i;
  input  [13:0] addr_a_i, addr_b_i;
  input  [35:0] word_a_i, word_b_i;
  output [35:0] word_a_o, word_b_o;

  reg [17:0] words [0:1023];

  integer row;
  initial begin
    for (row = 0; row < 1024; row = row + 1) words[row] = TABLE[18*row+:18];
  end

  // Where in a pair of words the bits of an address stand.
  function [4:0] place(input integer width, input [13:0] address);
    case (width)
      36:      place = 5'd0;
      18:      place = address[4] ? 5'd18 : 5'd0;
      9:       place = (address[4] ? 5'd18 : 5'd0) + (address[3] ? 5'd9 : 5'd0);
      4:       place = (address[4] ? 5'd18 : 5'd0) + (address[3] ? 5'd9 : 5'd0) + {2'd0, address[2], 2'd0};
      2:       place = (address[4] ? 5'd18 : 5'd0) + (address[3] ? 5'd9 : 5'd0) + {2'd0, address[2:1], 1'd0};
      default: place = (address[4] ? 5'd18 : 5'd0) + (address[3] ? 5'd9 : 5'd0) + {2'd0, address[2:0]};
    endcase
  endfunction

  function [35:0] written(input integer width, input [3:0] enables);
    case (width)
      36:      written = {{9{enables[3]}}, {9{enables[2]}}, {9{enables[1]}}, {9{enables[0]}}};
      18:      written = {18'd0, {9{enables[1]}}, {9{enables[0]}}};
      default: written = enables[0] ? (36'd1 << width) - 36'd1 : 36'd0;
    endcase
  endfunction

  function [35:0] read(input integer width, input [35:0] pair, input [13:0] address);
    read = (pair >> place(width, address)) & (width == 36 ? ~36'd0 : (36'd1 << width) - 36'd1);
  endfunction

  wire [9:0]  pair_a = {addr_a_i[13:5], 1'b0};
  wire [9:0]  pair_b = {addr_b_i[13:5], 1'b0};
  wire        same   = pair_a == pair_b;
  wire [35:0] old_a  = {words[pair_a|10'd1], words[pair_a]};
  wire [35:0] old_b  = {words[pair_b|10'd1], words[pair_b]};
  wire [35:0] mask_a = written(WRITE_A, write_a_i) << place(WRITE_A, addr_a_i);
  wire [35:0] mask_b = written(WRITE_B, write_b_i) << place(WRITE_B, addr_b_i);
  wire [35:0] new_a  = word_a_i << place(WRITE_A, addr_a_i) & mask_a;
  wire [35:0] new_b  = word_b_i << place(WRITE_B, addr_b_i) & mask_b;
  wire [35:0] own_a  = NEW_A != 0 ? old_a & ~mask_a | new_a : old_a;
  wire [35:0] own_b  = NEW_B != 0 ? old_b & ~mask_b | new_b : old_b;

  assign word_a_o = read(READ_A, same && OLD_B == 0 ? own_a ^ mask_b : own_a, addr_a_i);
  assign word_b_o = read(READ_B, same && OLD_A == 0 ? own_b ^ mask_a : own_b, addr_b_i);

  always @(posedge clk_a_i) begin
    if (mask_a[17:0] != 18'd0) words[pair_a] <= old_a[17:0] & ~mask_a[17:0] | new_a[17:0];
    if (mask_a[35:18] != 18'd0) words[pair_a|10'd1] <= old_a[35:18] & ~mask_a[35:18] | new_a[35:18];
  end

  always @(posedge clk_b_i) begin
    if (mask_b[17:0] != 18'd0) words[pair_b] <= old_b[17:0] & ~mask_b[17:0] | new_b[17:0];
    if (mask_b[35:18] != 18'd0) words[pair_b|10'd1] <= old_b[35:18] & ~mask_b[35:18] | new_b[35:18];
  end
endmodule
