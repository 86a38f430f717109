// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_fifo: words from one clock to another, in order. Eight words find room. The pointers cross as Gray codes of
// one more bit than the address has, through two registers.
//
// Both sides have a reset of their own. They must be low at the same time, each until its own clock's edge; which one
// rises first does not matter.
//
`default_nettype none

module mm_bus_fifo #(
  parameter int Bits = 32
) (
  input  wire             in_clk_i,
  input  wire             in_rst_ni,
  input  wire             in_valid_i,
  output logic            in_ready_o,
  input  wire  [Bits-1:0] in_data_i,
  input  wire             out_clk_i,
  input  wire             out_rst_ni,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Bits-1:0] out_data_o
);

  localparam int Log = 3;

  logic [Bits-1:0] words [1 << Log];
  logic [Log:0]    write_q, write_next, write_gray_q, read_q, read_next, read_gray_q;
  (* async_reg = "true" *) logic [Log:0] seen_read_q, seen_read_q2, seen_write_q, seen_write_q2;
  logic            put, take, fetch, full, empty;

  // Full: the write pointer is a whole round ahead, which flips the two upper bits of its Gray code.
  assign full       = write_gray_q == {~seen_read_q2[Log:Log-1], seen_read_q2[Log-2:0]};
  assign in_ready_o = ~full;
  assign put        = in_valid_i & in_ready_o;
  assign write_next = write_q + (Log + 1)'(1);

  always_ff @(posedge in_clk_i or negedge in_rst_ni) begin
    if (!in_rst_ni) begin
      write_q      <= '0;
      write_gray_q <= '0;
      seen_read_q  <= '0;
      seen_read_q2 <= '0;
    end else begin
      seen_read_q  <= read_gray_q;
      seen_read_q2 <= seen_read_q;
      if (put) begin
        write_q      <= write_next;
        write_gray_q <= write_next ^ (write_next >> 1);
      end
    end
  end

  always_ff @(posedge in_clk_i) if (put) words[write_q[Log-1:0]] <= in_data_i;

  assign empty     = read_gray_q == seen_write_q2;
  assign take      = out_valid_o & out_ready_i;
  assign fetch     = ~empty & (~out_valid_o | take);
  assign read_next = read_q + (Log + 1)'(1);

  always_ff @(posedge out_clk_i or negedge out_rst_ni) begin
    if (!out_rst_ni) begin
      read_q        <= '0;
      read_gray_q   <= '0;
      seen_write_q  <= '0;
      seen_write_q2 <= '0;
      out_valid_o   <= 1'b0;
    end else begin
      seen_write_q  <= write_gray_q;
      seen_write_q2 <= seen_write_q;
      if (fetch) begin
        read_q      <= read_next;
        read_gray_q <= read_next ^ (read_next >> 1);
        out_valid_o <= 1'b1;
      end else if (take) begin
        out_valid_o <= 1'b0;
      end
    end
  end

  always_ff @(posedge out_clk_i) if (fetch) out_data_o <= words[read_q[Log-1:0]];

endmodule

`default_nettype wire
