// SPDX-License-Identifier: Apache-2.0
//
// mm_mod_shift: z = 2^Shift * r mod M, Shift cascaded A1 blocks: the EU block (Shift = 2) and the
// PU block (Shift = 3) of Javeed and Wang, Figs. 3(c) and 4(b).
//
//   taps_o holds every tap of the chain: word j is 2^(j+1) * r mod M, the last word is the result.
//   range in   0 <= r <= M
//   range out  0 <= every tap <= M
//
`default_nettype none

module mm_mod_shift #(
  parameter int Width = 256,
  parameter int Shift = 2
) (
  input  wire  [Width-1:0]            m_i,
  input  wire  [Width-1:0]            r_i,
  output logic [Shift-1:0][Width-1:0] taps_o
);

  for (genvar j = 0; j < Shift; j++) begin : gen_a1
    logic [Width-1:0] r;

    if (j == 0) begin : gen_first
      assign r = r_i;
    end else begin : gen_next
      assign r = taps_o[j-1];
    end

    mm_mod_double #(
      .Width(Width)
    ) u_a1 (
      .m_i,
      .r_i(r),
      .z_o(taps_o[j])
    );
  end

endmodule

`default_nettype wire
