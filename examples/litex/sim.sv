// SPDX-License-Identifier: Apache-2.0
//
// sim: clock and reset for the system on chip, and what it writes to its serial line, until "end".
//
`default_nettype none

module sim;

  localparam longint Limit = 100_000_000;  // clock cycles

  logic       clk = 1'b0, rst = 1'b1, valid;
  logic [7:0] data, previous = 8'd0;
  longint     cycles = 0;

  always #5 clk = ~clk;

  soc u_soc (
    .sys_clk(clk), .sys_rst(rst),
    .serial_source_valid(valid), .serial_source_ready(1'b1), .serial_source_data(data),
    .serial_sink_valid(1'b0), .serial_sink_ready(), .serial_sink_data(8'd0)
  );

  always @(posedge clk) begin
    cycles <= cycles + 1;
    rst    <= cycles < 8;
    if (valid && !rst) begin
      $write("%c", data);
      previous <= data;
      if (data == 8'h0a && previous == "d") begin
        $write("%0d clock cycles\n", cycles);
        $finish(0);
      end
    end
    if (cycles == Limit) begin
      $write("no end in %0d clock cycles\n", Limit);
      $finish(0);
    end
  end

endmodule

`default_nettype wire
