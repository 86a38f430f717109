// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_serial: a + b, a word a cycle, least significant first; the sum comes a cycle later, and is 0 where
// clear_i is high.
//
`default_nettype none

module mm_montgomery_dsp_serial #(
  parameter int Bits = 36
) (
  input  wire             clk_i,
  input  wire             clear_i,
  input  wire  [Bits-1:0] a_i,
  input  wire  [Bits-1:0] b_i,
  output logic [Bits-1:0] sum_o
);

  logic [Bits-1:0] sum;
  logic            carry, carry_q;

  mm_montgomery_dsp_adder #(
    .Bits(Bits)
  ) u_add (
    .a_i, .b_i, .carry_i(carry_q), .sum_o(sum), .carry_o(carry)
  );

  always_ff @(posedge clk_i) {carry_q, sum_o} <= clear_i ? '0 : {carry, sum};

endmodule

`default_nettype wire
