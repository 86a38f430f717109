// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_final: step 5 of mm_pipelined, z = r or r - M, for r < 2M; the sign of r - M decides.
//
//   ceil((Width + 2) / Carry) + 1 cycles.
//
`default_nettype none

module mm_pipelined_final #(
  parameter int Width = 256,
  parameter int Carry = 144
) (
  input  wire              clk_i,
  input  wire  [Width:0]   r_i,
  input  wire  [Width-1:0] m_i,
  output logic [Width-1:0] z_o
);

  localparam int Steps = (Width + 2 + Carry - 1) / Carry;

  logic [Width+1:0] r_long, m_long, difference;
  logic [Width-1:0] r_short, r_late, z_q;
  logic             unused_bit;

  assign r_long     = {1'b0, r_i};
  assign m_long     = {2'b00, m_i};
  assign r_short    = r_i[Width-1:0];
  assign unused_bit = difference[Width];

  mm_pipelined_add #(
    .Bits(Width + 2), .Carry(Carry)
  ) u_less (
    .clk_i, .subtract_i(1'b1), .a_i(r_long), .b_i(m_long), .sum_o(difference)
  );

  mm_delay #(
    .Bits(Width), .Cycles(Steps)
  ) u_r (
    .clk_i, .d_i(r_short), .q_o(r_late)
  );

  always_ff @(posedge clk_i) z_q <= difference[Width+1] ? r_late : difference[Width-1:0];

  assign z_o = z_q;

endmodule

`default_nettype wire
