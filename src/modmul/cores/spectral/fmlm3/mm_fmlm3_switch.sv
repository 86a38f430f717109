// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_switch: channel switcher (Dai et al., Section 5.1 and Fig. 8): channel k of the output is
// channel k XOR select_i of the input. It puts the digits of one cycle into different RAMs, and into the
// order of the butterflies when they come back.
//
`default_nettype none

module mm_fmlm3_switch #(
  parameter int Bits        = 65,
  parameter int ChannelBits = 2,
  // Derived, not to be set.
  parameter int Channels = 1 << ChannelBits
) (
  input  wire  [ChannelBits-1:0]   select_i,
  input  wire  [Channels*Bits-1:0] data_i,
  output logic [Channels*Bits-1:0] data_o
);

  for (genvar k = 0; k < Channels; k++) begin : gen_channel
    logic [ChannelBits-1:0] from;

    assign from = select_i ^ ChannelBits'(k);
    assign data_o[k*Bits+:Bits] = data_i[from*Bits+:Bits];
  end

endmodule

`default_nettype wire
