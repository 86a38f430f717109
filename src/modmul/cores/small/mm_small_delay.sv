// SPDX-License-Identifier: Apache-2.0
//
// mm_small_delay: q_o is d_i, Cycles enabled cycles later; with Cycles = 0 the two are the same wires. With Keep = 1
// each cycle is a flip-flop for each bit, also where synthesis would take a LUT for several.
//
`default_nettype none

module mm_small_delay #(
  parameter int Bits   = 17,
  parameter int Cycles = 1,
  parameter int Keep   = 0
) (
  input  wire             clk_i,
  input  wire             en_i,
  input  wire  [Bits-1:0] d_i,
  output logic [Bits-1:0] q_o
);

  for (genvar i = 0; i < Cycles; i++) begin : gen_cycle
    logic [Bits-1:0] next, late;

    if (i == 0) begin : gen_first
      assign next = d_i;
    end else begin : gen_next
      assign next = gen_cycle[i-1].late;
    end

    if (Keep != 0) begin : gen_keep
      (* keep *) logic [Bits-1:0] late_q;
      always_ff @(posedge clk_i) if (en_i) late_q <= next;
      assign late = late_q;
    end else begin : gen_any
      logic [Bits-1:0] late_q;
      always_ff @(posedge clk_i) if (en_i) late_q <= next;
      assign late = late_q;
    end
  end

  if (Cycles == 0) begin : gen_wire
    logic unused_inputs;
    assign unused_inputs = clk_i ^ en_i;
    assign q_o           = d_i;
  end else begin : gen_line
    assign q_o = gen_cycle[Cycles-1].late;
  end

endmodule

`default_nettype wire
