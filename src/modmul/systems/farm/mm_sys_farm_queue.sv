// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_queue: words of Depth beats wait in a memory in LUTs until they are taken, in order. Whether there is
// one, and room for one more, comes from registers.
//
`default_nettype none

module mm_sys_farm_queue #(
  parameter int Bits  = 32,
  parameter int Depth = 16
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             valid_i,
  output logic            ready_o,
  input  wire  [Bits-1:0] data_i,
  output logic            valid_o,
  input  wire             ready_i,
  output logic [Bits-1:0] data_o
);

  localparam int AddrBits = Depth > 1 ? $clog2(Depth) : 1;

  logic [AddrBits:0] put_q, get_q;  // a bit more than an address: which of them is a round ahead
  logic [AddrBits:0] put_next, get_next;
  logic              here_q, free_q, put, gone;

  assign put_next = put_q + 1'b1;
  assign get_next = get_q + 1'b1;
  assign valid_o  = here_q;
  assign ready_o  = free_q;
  assign put      = valid_i & free_q;
  assign gone     = here_q & ready_i;

  mm_word_ram #(
    .Word(Bits), .Depth(1 << AddrBits)
  ) u_words (
    .clk_i, .write_i(put), .write_addr_i(put_q[AddrBits-1:0]), .word_i(data_i),
    .read_addr_i(get_q[AddrBits-1:0]), .word_o(data_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q  <= '0;
      get_q  <= '0;
      here_q <= 1'b0;
      free_q <= 1'b1;
    end else begin
      if (put)  put_q <= put_next;
      if (gone) get_q <= get_next;
      if (put && !gone) begin
        here_q <= 1'b1;
        free_q <= (put_next ^ get_q) != {1'b1, AddrBits'(0)};
      end else if (gone && !put) begin
        here_q <= get_next != put_q;
        free_q <= 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
