// SPDX-License-Identifier: Apache-2.0
//
// icebreaker: a small core of the library at the serial line of an iCEBreaker board (iCE40 UP5K), at its 12 MHz.
//
`default_nettype none

module icebreaker #(
  parameter int Divisor  = 104,  // clock cycles of a bit of the line; the rest as in mm_bus_serial
  parameter int Word     = 32,
  parameter int Bits     = 64,
  parameter int Lengths  = 0,
  parameter int Controls = 0,
  parameter int Numbers  = 1,
  parameter int Timeout  = 1 << 20,
  parameter int BuildId  = 0
) (
  input  wire  clk,
  input  wire  rx,
  output logic tx,
  output logic led_n  // an answer waits
);

  logic       rst_n, busy;
  logic [3:0] count_q = 4'd0;

  // The registers of an iCE40 begin with zeros: the first cycles are the reset.
  assign rst_n = count_q[3];
  assign led_n = ~busy;

  always_ff @(posedge clk) if (!rst_n) count_q <= count_q + 4'd1;

  mm_bus_serial #(
    .Divisor(Divisor), .Word(Word), .Bits(Bits), .Lengths(Lengths), .Controls(Controls), .Numbers(Numbers),
    .Timeout(Timeout), .BuildId(BuildId)
  ) u_device (
    .clk_i(clk), .rst_ni(rst_n), .rx_i(rx), .tx_o(tx), .busy_o(busy)
  );

endmodule

`default_nettype wire
