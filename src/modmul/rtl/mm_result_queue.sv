// SPDX-License-Identifier: Apache-2.0
//
// mm_result_queue: words of results on their way to the port. The oldest word is at the port; the others wait in a
// memory and two registers. With Through = 1 a word that finds the queue empty goes straight to the port, with no
// register between word_i and z_o; with Through = 0 it always goes to the register z_o first.
//
// The memory holds Slots results of Beats words. The queue does not say when it is full: whoever writes must know that
// there is room; last_o is high when the last word of a result leaves.
//
`default_nettype none

module mm_result_queue #(
  parameter int Word    = 36,
  parameter int Beats   = 8,  // words of a result
  parameter int Slots   = 4,  // results
  parameter int Through = 1
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             write_i,
  input  wire  [Word-1:0] word_i,
  output logic            last_o,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  localparam int OutAddr  = Slots * Beats > 1 ? $clog2(Slots * Beats) : 1;
  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;

  logic [OutAddr:0]    write_q, read_q, beyond_q;  // beyond_q is read_q + 2
  logic [BeatBits-1:0] out_beat_q;
  logic [Word-1:0]     z_word, next_q, z_q;
  logic                none_q, one_q;              // words in the memory
  logic                next_there_q, valid_q, move, none, write, take, leaves, at_once, leaves_at_once;

  mm_word_ram #(
    .Word(Word), .Depth(1 << OutAddr)
  ) u_z (
    .clk_i, .write_i(write), .write_addr_i(write_q[OutAddr-1:0]), .word_i,
    .read_addr_i(read_q[OutAddr-1:0]), .word_o(z_word)
  );

  assign move   = ~valid_q | out_ready_i;
  assign none   = none_q & ~next_there_q;
  assign write  = write_i & ~(move & none);
  assign take   = ~none_q & (move | ~next_there_q);
  assign leaves = out_valid_o & out_ready_i;
  assign last_o = leaves & out_beat_q == BeatBits'(Beats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q      <= '0;
      read_q       <= '0;
      beyond_q     <= (OutAddr+1)'(2);
      none_q       <= 1'b1;
      one_q        <= 1'b0;
      next_there_q <= 1'b0;
      valid_q      <= 1'b0;
      out_beat_q   <= '0;
    end else begin
      if (write) write_q <= write_q + 1'b1;
      if (take) begin
        read_q   <= read_q + 1'b1;
        beyond_q <= beyond_q + 1'b1;
      end
      if (write && !take) begin
        none_q <= 1'b0;
        one_q  <= none_q;
      end else if (!write && take) begin
        none_q <= one_q;
        one_q  <= beyond_q == write_q;
      end
      next_there_q <= take | (next_there_q & ~move);
      if (move) valid_q <= next_there_q | (write_i & none_q & ~leaves_at_once);
      if (leaves) out_beat_q <= last_o ? '0 : out_beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) next_q <= z_word;
    if (move) z_q <= next_there_q ? next_q : word_i;
  end

  // A word that no register holds.
  assign at_once        = Through != 0 & write_i & none & ~valid_q;
  assign leaves_at_once = at_once & out_ready_i;

  assign out_valid_o = valid_q | at_once;
  assign z_o         = Through != 0 && !valid_q ? word_i : z_q;

endmodule

`default_nettype wire
