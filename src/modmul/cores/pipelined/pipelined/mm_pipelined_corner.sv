// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_corner: the lowest Kept bits of a * b, in LUTs, with zeros above. Kept <= ABits, BBits, PBits.
//
`default_nettype none

module mm_pipelined_corner #(
  parameter int ABits = 25,
  parameter int BBits = 10,
  parameter int PBits = 43,
  parameter int Kept  = 9
) (
  input  wire  [ABits-1:0] a_i,
  input  wire  [BBits-1:0] b_i,
  output logic [PBits-1:0] p_o
);

  function automatic logic [Kept-1:0] times(input logic [Kept-1:0] a, input logic [Kept-1:0] b);
    times = '0;
    for (int i = 0; i < Kept; i++) begin
      if (b[i]) times = times + (a << i);
    end
  endfunction

  logic unused_bits;

  assign unused_bits = ^{a_i, b_i};
  assign p_o         = PBits'(times(Kept'(a_i), Kept'(b_i)));

endmodule

`default_nettype wire
