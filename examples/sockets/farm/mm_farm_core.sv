// SPDX-License-Identifier: Apache-2.0
//
// mm_farm_core: montgomery_csa2 as the core of a system. Written by Python.
//
`default_nettype none

module mm_farm_core (
  input wire clk_i,
  input wire rst_ni,
  input wire ctx_valid_i,
  output logic ctx_ready_o,
  input wire [31:0] ctx_data_i,
  output logic ctx_error_o,
  input wire in_valid_i,
  output logic in_ready_o,
  input wire [31:0] x_i,
  input wire [31:0] y_i,
  input wire square_i,
  input wire chain_i,
  input wire keep_i,
  output logic out_valid_o,
  input wire out_ready_i,
  output logic [31:0] z_o
);

  logic unused_controls;
  assign unused_controls = ^{square_i, chain_i, keep_i};

  mm_montgomery_csa2 #(
    .Width(256),
    .Word(32)
  ) u_core (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .x_i, .y_i, .out_valid_o, .out_ready_i, .z_o
  );

endmodule

`default_nettype wire
