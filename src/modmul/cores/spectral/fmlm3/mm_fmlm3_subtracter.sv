// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_subtracter: Subtracter unit (Dai et al., Section 5.3 and Fig. 6 b): a - b, one segment a cycle, the lowest
// first. difference_o and borrow_o come a cycle after the segments; lsb_o, for the Shift Module, is the lowest bit of
// the difference of the current segments.
//
`default_nettype none

module mm_fmlm3_subtracter #(
  parameter int Bits = 64
) (
  input  wire             clk_i,
  input  wire             first_i,
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  output logic [Bits-1:0] difference_o,
  output logic            borrow_o,
  output logic            lsb_o
);

  logic [Bits+1:0] sum;
  logic            no_borrow, unused_sum;

  assign no_borrow  = first_i | ~borrow_o;
  assign sum        = {1'b0, a_i, 1'b1} + {1'b0, ~b_i, no_borrow};
  assign unused_sum = sum[0];
  assign lsb_o      = sum[1];

  always_ff @(posedge clk_i) begin
    difference_o <= sum[Bits:1];
    borrow_o     <= ~sum[Bits+1];
  end

endmodule

`default_nettype wire
