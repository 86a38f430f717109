// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_results: the output queue of mm_pipelined: a memory with room for all operations in flight. A result is
// written Depth cycles after its operands came, waits until those before it are taken, and goes to a register at the
// output.
//
`default_nettype none

module mm_pipelined_results #(
  parameter int Width = 256,
  parameter int Depth = 72,  // cycles of steps 1 to 5
  parameter int Slots = 75   // operations in flight
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              in_load_i,   // an operation begins
  input  wire  [Width-1:0] z_i,         // the result of the one that began Depth cycles ago
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o,
  output logic             out_take_o   // a result is taken
);

  localparam int AddrBits = $clog2(Slots);

  logic [Depth-1:0]    there_q;  // bit j: an operation that began j + 1 cycles ago
  logic [AddrBits-1:0] write_q, read_q;
  logic                write, some, read, free, valid_q;
  logic [Width-1:0]    word, z_q;

  assign write       = there_q[Depth-1];
  assign some        = write_q != read_q;
  assign free        = ~valid_q | out_ready_i;
  assign read        = some & free;
  assign out_valid_o = valid_q;
  assign out_take_o  = valid_q & out_ready_i;
  assign z_o         = z_q;

  mm_word_ram #(
    .Word(Width), .Depth(1 << AddrBits)
  ) u_results (
    .clk_i, .write_i(write), .write_addr_i(write_q), .word_i(z_i), .read_addr_i(read_q), .word_o(word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q <= '0;
      write_q <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      there_q <= {there_q[Depth-2:0], in_load_i};
      if (write) write_q <= write_q + 1'b1;
      if (read) read_q <= read_q + 1'b1;
      if (free) valid_q <= some;
    end
  end

  always_ff @(posedge clk_i) if (read) z_q <= word;

endmodule

`default_nettype wire
