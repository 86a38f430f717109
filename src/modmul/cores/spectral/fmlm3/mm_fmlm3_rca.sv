// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_rca: Ripple Carry Adder unit (Dai et al., Section 5.3 and Fig. 6 a): one segment a cycle. It
// reduces what the Final Stage Operators leave, z = low + high * B^(P/2) with a carry above each half,
// modulo R = B^P - 1, or modulo Q' = B^P + 1 with subtract_i (equation 17):
//
//    1  s = low + high * B^(P/2) + low carry * B^(P/2) + high carry, or - high carry
//    2  top = floor(s / B^P); the segments hold s mod B^P         top = 0, 1 modulo R; -1, 0, 1 modulo Q'
//
// With inject_i low the carries are taken as 0, so the segments pass unchanged. load_i comes a cycle before the first
// segment, middle_i with the last segment of the lower half. A carry is signed, and shorter than half a number.
//
`default_nettype none

module mm_fmlm3_rca #(
  parameter int Bits      = 64,   // of a segment
  parameter int CarryBits = 50
) (
  input  wire                  clk_i,
  input  wire                  load_i,
  input  wire                  inject_i,
  input  wire                  subtract_i,
  input  wire  [CarryBits-1:0] low_carry_i,
  input  wire  [CarryBits-1:0] high_carry_i,
  input  wire                  middle_i,
  input  wire  [Bits-1:0]      segment_i,
  output logic [Bits-1:0]      segment_o,   // a cycle later
  output logic [1:0]           top_o        // signed; after the last segment
);

  localparam int WideBits = CarryBits + Bits;

  logic [CarryBits-1:0] inject_q, upper_q, high, rest;
  logic [WideBits-1:0]  inject;
  logic                 carry_q, sign;
  logic [Bits-1:0]      low;
  logic [Bits+1:0]      sum;
  logic                 unused_sum;

  assign high   = subtract_i ? ~high_carry_i : high_carry_i;
  assign sign   = inject_i & high[CarryBits-1];
  assign inject = {{Bits{inject_q[CarryBits-1]}}, inject_q};
  assign rest   = inject[WideBits-1:Bits];
  assign low    = inject[Bits-1:0];
  assign sum    = {1'b0, low, 1'b1} + {1'b0, segment_i, carry_q};
  assign unused_sum = sum[0];

  // The lower half leaves -1 of a negative carry, which goes to the one injected next.
  always_ff @(posedge clk_i) begin
    segment_o <= sum[Bits:1];
    if (load_i) begin
      inject_q <= inject_i ? high : '0;
      upper_q  <= inject_i ? low_carry_i - CarryBits'(sign) : '0;
      carry_q  <= inject_i & subtract_i;
    end else begin
      inject_q <= middle_i ? upper_q : rest;
      carry_q  <= sum[Bits+1];
    end
  end

  assign top_o = {1'b0, carry_q} - {1'b0, inject_q[CarryBits-1]};

endmodule

`default_nettype wire
