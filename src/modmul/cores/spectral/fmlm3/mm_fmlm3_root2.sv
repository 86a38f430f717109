// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_root2: the Supplemental Block of Dai et al., Fig. 4, for c = 1/2, where A = sqrt(2):
// y = a * (2^(Bits/2) - 1) mod M, or y = a. A shift operator before it multiplies by a power of two, and
// sqrt(2) = 2^(3*Bits/4) - 2^(Bits/4) = 2^(Bits/4) * (2^(Bits/2) - 1).
//
// Residues are held as A = a - 1, with the sign bit set if a = 0 (A = -1).
//    1  V = rotation of A by Bits/2 + inverse of A + 1, or V = A  -1 <= V < 2^(Bits+1)
//    2  Y = V mod 2^Bits - floor(V / 2^Bits) if V >= 0            -1 <= Y < 2^Bits
// Latency two cycles.
//
`default_nettype none

module mm_fmlm3_root2 #(
  parameter int Bits = 64
) (
  input  wire             clk_i,
  input  wire             root2_i,
  input  wire  [Bits:0]   a_i,
  output logic [Bits:0]   y_o
);

  localparam int Half = Bits / 2;

  logic [Bits-1:0] turned, inverse;
  logic [Bits:0]   left, right;
  logic [Bits+1:0] v_q;
  logic            unused_low, less;
  logic [Bits+2:0] sum;

  assign turned  = {a_i[Half-1:0], ~a_i[Bits-1:Half]} | {Bits{a_i[Bits]}};
  assign inverse = ~a_i[Bits-1:0] | {Bits{a_i[Bits]}};
  assign left    = root2_i ? {a_i[Bits], turned} : a_i;
  assign right   = root2_i ? {a_i[Bits], inverse} : '0;
  assign sum     = {left[Bits], left, root2_i} + {right[Bits], right, root2_i};
  assign unused_low = sum[0];
  assign less    = v_q[Bits] & ~v_q[Bits+1];

  always_ff @(posedge clk_i) begin
    v_q <= sum[Bits+2:1];
    y_o <= {v_q[Bits+1], v_q[Bits-1:0]} + {(Bits + 1){less}};
  end

endmodule

`default_nettype wire
