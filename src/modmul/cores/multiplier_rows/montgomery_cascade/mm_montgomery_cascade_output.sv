// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade_output: step 7. The words of Z and of Z - M wait in a memory until the last of them gives the
// sign of Z - M; then the right ones go to the port.
//
`default_nettype none

module mm_montgomery_cascade_output #(
  parameter int Word  = 17,
  parameter int Beats = 16,
  parameter int Slots = 4,   // results in the memory, a power of two
  // Derived, not to be set.
  parameter int BeatBits = $clog2(Beats > 1 ? Beats : 2)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 write_i,
  input  wire  [BeatBits-1:0] beat_i,
  input  wire  [Word-1:0]     z_i,
  input  wire  [Word-1:0]     less_i,
  input  wire                 done_i,    // with the last word of Z - M, or later
  input  wire                 borrow_i,  // Z < M
  output logic                leaves_o,  // the last word of a result leaves the memory
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Word-1:0]     z_o
);

  localparam int SlotBits = $clog2(Slots);

  logic [SlotBits:0]     write_q, read_q;  // results written, results read
  logic [Slots-1:0]      borrow_q;
  logic [BeatBits-1:0]   beat_q;
  logic [2*Word-1:0]     both;
  logic                  move, take, last;

  mm_word_ram #(
    .Word(2 * Word), .Depth(Slots << BeatBits)
  ) u_words (
    .clk_i, .write_i, .write_addr_i({write_q[SlotBits-1:0], beat_i}), .word_i({less_i, z_i}),
    .read_addr_i({read_q[SlotBits-1:0], beat_q}), .word_o(both)
  );

  assign move     = ~out_valid_o | out_ready_i;
  assign take     = move & write_q != read_q;
  assign last     = beat_q == BeatBits'(Beats - 1);
  assign leaves_o = take & last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q     <= '0;
      read_q      <= '0;
      beat_q      <= '0;
      out_valid_o <= 1'b0;
    end else begin
      if (done_i) write_q <= write_q + 1'b1;
      if (take) beat_q <= last ? '0 : beat_q + 1'b1;
      if (leaves_o) read_q <= read_q + 1'b1;
      if (move) out_valid_o <= take;
    end
  end

  always_ff @(posedge clk_i) begin
    if (done_i) borrow_q[write_q[SlotBits-1:0]] <= borrow_i;
    if (take) z_o <= borrow_q[read_q[SlotBits-1:0]] ? both[Word-1:0] : both[2*Word-1:Word];
  end

endmodule

`default_nettype wire
