// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3: z = x * y / R mod N, R = 2^(Transform*Digit) - 1, the FFT-based Montgomery multiplier FMLM3 of
// paper 001. This is mm_fmlm3_chain, where the steps are, behind the ports of every core: each operation takes its
// operands from the time domain. With square_i, z = x * x / R mod N, with the transforms of one operand.
//
// Instantiate mm_fmlm3_chain itself for exponentiation: there an operand can be the last result, or be kept, in
// the spectral domain.
//
`default_nettype none

module mm_fmlm3 #(
  parameter int Width       = 256,
  parameter int Transform   = 8,
  parameter int Digit       = 32,
  parameter int Algorithm   = 2,
  parameter int Butterflies = 1
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Digit-1:0] ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Digit-1:0] x_i,
  input  wire  [Digit-1:0] y_i,
  input  wire              square_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Digit-1:0] z_o
);


  mm_fmlm3_chain #(
    .Width(Width), .Transform(Transform), .Digit(Digit), .Algorithm(Algorithm), .Butterflies(Butterflies)
  ) u_chain (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .x_i, .y_i, .square_i, .chain_i(1'b0), .keep_i(1'b0),
    .out_valid_o, .out_ready_i, .z_o
  );

endmodule

`default_nettype wire
