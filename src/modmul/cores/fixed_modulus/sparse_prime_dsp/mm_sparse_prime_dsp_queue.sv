// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_queue: a queue for the words of results. z_o is a register and holds the oldest word; the words
// behind it are in a memory of Depth words. The queue does not say when it is full: mm_sparse_prime_dsp_control starts
// an operation only when there is room for its result. In mm_result_queue, by contrast, a word can reach the port
// without a register.
//
`default_nettype none

module mm_sparse_prime_dsp_queue #(
  parameter int Word  = 32,
  parameter int Depth = 32
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             write_i,
  input  wire  [Word-1:0] word_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  localparam int AddrBits = Depth > 1 ? $clog2(Depth) : 1;

  logic [AddrBits-1:0] write_q, read_q;
  logic [AddrBits:0]   count_q;
  logic                none_q, move, write, take;
  logic [Word-1:0]     word;

  mm_word_ram #(
    .Word(Word), .Depth(1 << AddrBits)
  ) u_words (
    .clk_i, .write_i(write), .write_addr_i(write_q), .word_i, .read_addr_i(read_q), .word_o(word)
  );

  assign move  = ~out_valid_o | out_ready_i;
  assign take  = move & ~none_q;
  assign write = write_i & ~(move & none_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q     <= '0;
      read_q      <= '0;
      count_q     <= '0;
      none_q      <= 1'b1;
      out_valid_o <= 1'b0;
    end else begin
      if (write) write_q <= write_q + 1'b1;
      if (take) read_q <= read_q + 1'b1;
      if (write && !take) begin
        count_q <= count_q + 1'b1;
        none_q  <= 1'b0;
      end else if (take && !write) begin
        count_q <= count_q - 1'b1;
        none_q  <= count_q == (AddrBits+1)'(1);
      end
      if (move) out_valid_o <= write_i | ~none_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) z_o <= none_q ? word_i : word;
  end

endmodule

`default_nettype wire
