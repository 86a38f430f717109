// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_copy for the ECP5: flip-flops that synthesis does not merge with others of the same value.
//
`default_nettype none

module mm_rrm_copy #(
  parameter int Bits = 4
) (
  input  wire             clk_i,
  input  wire             clear_i,
  input  wire  [Bits-1:0] d_i,
  output logic [Bits-1:0] q_o
);

  for (genvar i = 0; i < Bits; i++) begin : gen_bit
    TRELLIS_FF #(
      .GSR("DISABLED"), .CEMUX("1"), .CLKMUX("CLK"), .LSRMUX("LSR"), .REGSET("RESET"), .SRMODE("LSR_OVER_CE")
    ) u_bit (
      .CLK(clk_i), .LSR(clear_i), .CE(1'b1), .DI(d_i[i]), .M(), .Q(q_o[i])
    );
  end

endmodule

`default_nettype wire
