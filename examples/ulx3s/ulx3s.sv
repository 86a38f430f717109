// SPDX-License-Identifier: Apache-2.0
//
// ulx3s: a core of the library at the serial line of a ULX3S board (ECP5-85F), at a clock of
// 25 MHz · Factor / OutputDiv; 25 MHz · Factor, that of the PLL's oscillator, lies between 400 and 800 MHz.
// The lights: 0 an answer waits, 7 the clock runs.
//
`default_nettype none

module ulx3s #(
  parameter int Factor    = 24,
  parameter int OutputDiv = 8,
  parameter int Divisor   = 75,   // clock cycles of a bit of the line; the rest as in mm_bus_serial
  parameter int Word      = 32,
  parameter int Bits      = 256,
  parameter int Lengths   = 0,
  parameter int Controls  = 0,
  parameter int Numbers   = 1,
  parameter int Timeout   = 1 << 20,
  parameter int BuildId   = 0
) (
  input  wire        clk_25mhz,
  input  wire        ftdi_txd,    // to the board
  output logic       ftdi_rxd,
  output logic [7:0] led,
  output logic       wifi_gpio0   // high: the board stays on
);

  logic        clk, clk_back, locked, rst_n, busy;
  logic [25:0] beat_q;

  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .CLKI_DIV(1), .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(Factor), .CLKOP_CPHASE(Factor / 2), .CLKOP_FPHASE(0),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(OutputDiv), .CLKOS_CPHASE(Factor / 2), .CLKOS_FPHASE(0),
    .FEEDBK_PATH("CLKOP"), .CLKFB_DIV(1)
  ) u_pll (
    .RST(1'b0), .STDBY(1'b0), .CLKI(clk_25mhz), .CLKOP(clk_back), .CLKFB(clk_back), .CLKOS(clk), .CLKINTFB(),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0),
    .ENCLKOP(1'b0), .ENCLKOS(1'b0), .LOCK(locked)
  );

  mm_bus_sync u_reset (.clk_i(clk), .rst_ni(locked), .d_i(1'b1), .q_o(rst_n));

  mm_bus_serial #(
    .Divisor(Divisor), .Word(Word), .Bits(Bits), .Lengths(Lengths), .Controls(Controls), .Numbers(Numbers),
    .Timeout(Timeout), .BuildId(BuildId)
  ) u_device (
    .clk_i(clk), .rst_ni(rst_n), .rx_i(ftdi_txd), .tx_o(ftdi_rxd), .busy_o(busy)
  );

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) beat_q <= '0;
    else        beat_q <= beat_q + 26'd1;
  end

  assign led        = {beat_q[25], 6'd0, busy};
  assign wifi_gpio0 = 1'b1;

endmodule

`default_nettype wire
