// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade_delay: q_o is d_i, Cycles later; with Cycles = 0 the same wires.
//
`default_nettype none

module mm_montgomery_cascade_delay #(
  parameter int Bits   = 17,
  parameter int Cycles = 1
) (
  input  wire             clk_i,
  input  wire  [Bits-1:0] d_i,
  output logic [Bits-1:0] q_o
);

  if (Cycles == 0) begin : gen_wire
    logic unused_clk;
    assign unused_clk = clk_i;
    assign q_o        = d_i;
  end else begin : gen_line
    logic [Cycles*Bits-1:0] line_q;
    always_ff @(posedge clk_i) line_q <= (Cycles*Bits)'({line_q, d_i});
    assign q_o = line_q[Cycles*Bits-1-:Bits];
  end

endmodule

`default_nettype wire
