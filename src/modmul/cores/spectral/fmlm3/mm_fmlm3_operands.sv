// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_operands: with Spectral, T(x), T'(x), T(y) and T'(y) as they come from the ports (Dai et al., the inputs of
// Algorithms 2 and 3), and the lowest bits of x and y for step 16.
//
// The residues of T(x) add up to P x_0 + j M, x_0 being the lowest digit of x, 0 <= j < P = 2^LogP, P x_0 < M = 2^Bits
// + 1. Modulo 2P that is P x_0 + j, so that bit LogP of the sum is the lowest bit of x.
//
`default_nettype none

module mm_fmlm3_operands #(
  parameter int Bits = 64,
  parameter int LogP = 6
) (
  input  wire             clk_i,
  // Residues of x and of y, the first ones those of T(x), T(y); with load_y_i low y stays as it is.
  input  wire             load_i,
  input  wire             load_y_i,
  input  wire  [LogP:0]   place_i,       // which one; the highest bit says that it is of T'
  input  wire  [Bits:0]   x_i,
  input  wire  [Bits:0]   y_i,
  // Operands of products, a cycle after their address.
  input  wire  [LogP:0]   raddr_i,
  output logic [Bits:0]   x_o,
  output logic [Bits:0]   y_o,
  output logic            x_lsb_o,
  output logic            y_lsb_o
);

  localparam int P = 1 << LogP;

  logic          write_y, cyclic, first;
  logic [LogP:0] x_sum_q, y_sum_q;

  assign write_y = load_i & load_y_i;
  assign cyclic  = ~place_i[LogP];
  assign first   = place_i == '0;
  assign x_lsb_o = x_sum_q[LogP];
  assign y_lsb_o = y_sum_q[LogP];

  always_ff @(posedge clk_i) begin
    if (load_i && cyclic)  x_sum_q <= (x_sum_q & {(LogP+1){~first}}) + x_i[LogP:0];
    if (write_y && cyclic) y_sum_q <= (y_sum_q & {(LogP+1){~first}}) + y_i[LogP:0];
  end

  mm_fmlm3_ram #(
    .Bits(Bits + 1), .Depth(2 * P)
  ) u_x (
    .clk_i, .write_i(load_i), .waddr_i(place_i), .wdata_i(x_i), .raddr_i, .rdata_o(x_o)
  );

  mm_fmlm3_ram #(
    .Bits(Bits + 1), .Depth(2 * P)
  ) u_y (
    .clk_i, .write_i(write_y), .waddr_i(place_i), .wdata_i(y_i), .raddr_i, .rdata_o(y_o)
  );

endmodule

`default_nettype wire
