// SPDX-License-Identifier: Apache-2.0
// Memories of each shape that a block has, one with two ports that write, one with contents, and products.
module mm_one #(parameter int Bits = 18, AddrBits = 10, Filled = 0) (
  input  wire                 clk_i, read_i,
  input  wire  [3:0]          write_i,
  input  wire  [AddrBits-1:0] write_addr_i, read_addr_i,
  input  wire  [Bits-1:0]     word_i,
  output logic [Bits-1:0]     word_o
);
  localparam int Part = Bits < 9 ? Bits : 9;
  (* ram_style = "block", no_rw_check *)
  logic [Bits-1:0] words [1 << AddrBits];
  initial if (Filled != 0) for (int k = 0; k < 1 << AddrBits; k++) words[k] = Bits'(k * k * 40503 >> 3);
  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Bits / Part; k++) if (write_i[k]) words[write_addr_i][k*Part +: Part] <= word_i[k*Part +: Part];
    if (read_i) word_o <= words[read_addr_i];
  end
endmodule

module mm_both (
  input  wire         clk_i,
  input  wire  [1:0]  write_i,
  input  wire  [9:0]  a_i, b_i,
  input  wire  [17:0] c_i, d_i,
  output logic [17:0] p_o, q_o
);
  (* ram_style = "block", no_rw_check *)
  logic [17:0] words [1024];
  always_ff @(posedge clk_i) if (write_i[0]) words[a_i] <= c_i; else p_o <= words[a_i];
  always_ff @(posedge clk_i) if (write_i[1]) words[b_i] <= d_i; else q_o <= words[b_i];
endmodule

module mm_blocks (
  input  wire         clk_i, read_i,
  input  wire  [3:0]  write_i,
  input  wire  [13:0] write_addr_i, read_addr_i,
  input  wire  [35:0] word_i,
  output logic [87:0] words_o,
  output logic [35:0] both_o,
  output logic [35:0] product_o, signed_o
);
  mm_one #(.Bits(36), .AddrBits(9)) u_36 (
    .clk_i, .read_i, .write_i, .write_addr_i(write_addr_i[13:5]), .read_addr_i(read_addr_i[13:5]), .word_i(word_i),
    .word_o(words_o[35:0]));
  mm_one #(.Bits(18), .AddrBits(10)) u_18 (
    .clk_i, .read_i, .write_i, .write_addr_i(write_addr_i[13:4]), .read_addr_i(read_addr_i[13:4]),
    .word_i(word_i[17:0]), .word_o(words_o[53:36]));
  mm_one #(.Bits(9), .AddrBits(11)) u_9 (
    .clk_i, .read_i, .write_i, .write_addr_i(write_addr_i[13:3]), .read_addr_i(read_addr_i[13:3]),
    .word_i(word_i[8:0]), .word_o(words_o[62:54]));
  mm_one #(.Bits(4), .AddrBits(12)) u_4 (
    .clk_i, .read_i, .write_i, .write_addr_i(write_addr_i[13:2]), .read_addr_i(read_addr_i[13:2]),
    .word_i(word_i[3:0]), .word_o(words_o[66:63]));
  mm_one #(.Bits(2), .AddrBits(13)) u_2 (
    .clk_i, .read_i, .write_i, .write_addr_i(write_addr_i[13:1]), .read_addr_i(read_addr_i[13:1]),
    .word_i(word_i[1:0]), .word_o(words_o[68:67]));
  mm_one #(.Bits(1), .AddrBits(14)) u_1 (
    .clk_i, .read_i, .write_i, .write_addr_i, .read_addr_i, .word_i(word_i[0:0]), .word_o(words_o[69]));
  mm_one #(.Bits(18), .AddrBits(10), .Filled(1)) u_filled (
    .clk_i, .read_i, .write_i(word_i[35:33] == 3'd0 ? write_i : 4'd0), .write_addr_i(write_addr_i[13:4]),
    .read_addr_i(read_addr_i[13:4]), .word_i(word_i[17:0]), .word_o(words_o[87:70]));
  mm_both u_both (
    .clk_i, .write_i(write_i[1:0]), .a_i(write_addr_i[13:4]), .b_i(read_addr_i[13:4]), .c_i(word_i[17:0]),
    .d_i(word_i[35:18]), .p_o(both_o[17:0]), .q_o(both_o[35:18]));
  assign product_o = word_i[17:0] * word_i[35:18];
  assign signed_o  = $signed(word_i[17:0]) * $signed(word_i[35:18]);
endmodule
