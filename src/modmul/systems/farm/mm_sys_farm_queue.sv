// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_queue: words of Depth beats wait in a memory in LUTs until they are taken, in order. Whether there is
// one, and room for one more, comes from registers; so do, in a queue of two words, the Ahead upper bits of a word, on
// which it depends where it goes.
//
`default_nettype none

module mm_sys_farm_queue #(
  parameter int Bits  = 32,
  parameter int Depth = 16,
  parameter int Ahead = 0   // with Depth = 2
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
  localparam int LowBits  = Bits - Ahead;

  logic [AddrBits:0] put_q, get_q;  // a bit more than an address: which of them is a round ahead
  logic [AddrBits:0] put_next, get_next;
  logic              here_q, free_q, put, gone;
  logic              more, space;  // a word behind the first; room for one behind the next

  assign put_next = put_q + 1'b1;
  assign get_next = get_q + 1'b1;
  assign valid_o  = here_q;
  assign ready_o  = free_q;
  assign put      = valid_i & free_q;
  assign gone     = here_q & ready_i;
  assign more     = Depth == 2 ? ~free_q : get_next != put_q;
  assign space    = Depth == 2 ? ~here_q : (put_next ^ get_q) != {1'b1, AddrBits'(0)};

  mm_word_ram #(
    .Word(LowBits), .Depth(1 << AddrBits)
  ) u_words (
    .clk_i, .write_i(put), .write_addr_i(put_q[AddrBits-1:0]), .word_i(data_i[LowBits-1:0]),
    .read_addr_i(get_q[AddrBits-1:0]), .word_o(data_o[LowBits-1:0])
  );

  if (Ahead > 0) begin : gen_ahead
    logic [Ahead-1:0] first_q, second_q;

    assign data_o[Bits-1:LowBits] = first_q;

    always_ff @(posedge clk_i) begin
      if (gone || !here_q) first_q <= more ? second_q : data_i[Bits-1:LowBits];
      if (put) second_q <= data_i[Bits-1:LowBits];
    end
  end

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
        free_q <= space;
      end else if (gone && !put) begin
        here_q <= more;
        free_q <= 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
