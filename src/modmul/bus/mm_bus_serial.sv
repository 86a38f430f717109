// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_serial: mm_bus at the end of a serial line, for boards without a processor.
//
`default_nettype none

module mm_bus_serial #(
  parameter int Divisor  = 217,  // clock cycles of a bit
  parameter int Word     = 32,   // the others as in mm_bus
  parameter int Bits     = 256,
  parameter int Lengths  = 0,
  parameter int Controls = 0,
  parameter int Numbers  = 1,
  parameter int Timeout  = 1 << 20,
  parameter int BuildId  = 0
) (
  input  wire  clk_i,
  input  wire  rst_ni,
  input  wire  rx_i,
  output logic tx_o,
  output logic busy_o  // an answer waits to be read
);

  logic [12:0] aw_addr, ar_addr;
  logic [31:0] w_data, r_data;
  logic [1:0]  b_resp, r_resp;
  logic        aw_valid, aw_ready, w_valid, w_ready, b_valid, b_ready, ar_valid, ar_ready, r_valid, r_ready;
  logic        s_ready, m_valid, m_last, unused_stream;
  logic [31:0] m_data;

  assign unused_stream = ^{s_ready, m_valid, m_last, m_data};

  mm_bus_uart #(.Divisor(Divisor)) u_uart (
    .clk_i, .rst_ni, .rx_i, .tx_o,
    .aw_addr_o(aw_addr), .aw_valid_o(aw_valid), .aw_ready_i(aw_ready),
    .w_data_o(w_data), .w_valid_o(w_valid), .w_ready_i(w_ready),
    .b_resp_i(b_resp), .b_valid_i(b_valid), .b_ready_o(b_ready),
    .ar_addr_o(ar_addr), .ar_valid_o(ar_valid), .ar_ready_i(ar_ready),
    .r_data_i(r_data), .r_resp_i(r_resp), .r_valid_i(r_valid), .r_ready_o(r_ready)
  );

  mm_bus #(
    .Bus(32), .Word(Word), .Bits(Bits), .Lengths(Lengths), .Controls(Controls), .Numbers(Numbers), .Clocks(1),
    .Timeout(Timeout), .BuildId(BuildId)
  ) u_bus (
    .clk_i, .core_clk_i(clk_i), .rst_ni,
    .aw_addr_i(aw_addr), .aw_valid_i(aw_valid), .aw_ready_o(aw_ready),
    .w_data_i(w_data), .w_strb_i(4'hf), .w_valid_i(w_valid), .w_ready_o(w_ready),
    .b_resp_o(b_resp), .b_valid_o(b_valid), .b_ready_i(b_ready),
    .ar_addr_i(ar_addr), .ar_valid_i(ar_valid), .ar_ready_o(ar_ready),
    .r_data_o(r_data), .r_resp_o(r_resp), .r_valid_o(r_valid), .r_ready_i(r_ready),
    .irq_o(busy_o),
    .s_valid_i(1'b0), .s_ready_o(s_ready), .s_data_i(32'd0), .s_last_i(1'b0),
    .m_valid_o(m_valid), .m_ready_i(1'b1), .m_data_o(m_data), .m_last_o(m_last)
  );

endmodule

`default_nettype wire
