// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_multiply_adder: Multiply Adder (Dai et al., Section 5.2 and Fig. 5): r = a * b / 2^Scale mod M and
// r + c mod M, M = 2^Bits + 1, one pair of operands a cycle. Scale = log2 P: every product goes into one
// inverse transform, which is to be divided by P (equation 6); here the division is a choice of wires.
//
//    1  p = a * b, Karatsuba                                    0 <= a, b <= 2^Bits, 0 <= p <= 2^(2*Bits)
//    2  p = ph * 2^(Bits+Scale) + pl * 2^Scale + ps             0 <= pl < 2^Bits, 0 <= ps < 2^Scale
//       r = pl - h, h = ph + ps * 2^(Bits-Scale)                equation 18, since 2^-Scale = -2^(Bits-Scale)
//       V = pl + (2^Bits - 1 - h) + 1                           1 <= V < 2^(Bits+1)
//    3  R = V mod 2^Bits - floor(V / 2^Bits), + plain_i         R = r - 1, -1 <= R < 2^Bits; or R = r
//    4  W = R + C + 1, C = c - 1                                 -1 <= W < 2^(Bits+1)
//    5  w_o = W mod 2^Bits, c_o = 1 unless W >= 2^Bits: the butterfly's adder makes w_o - 1 + c_o of them
//
// p = 2^(2*Bits) only has ph = 2^(Bits-Scale), and pl = ps = 0; the lowest bit of ps stands for it.
// Latency of residue_o: 3 + MulLatency, of w_o and c_o: 4 + MulLatency cycles. addend_i, which is C, comes
// with residue_o, plain_i a cycle before it.
//
`default_nettype none

module mm_fmlm3_multiply_adder #(
  parameter int Bits  = 64,
  parameter int Scale = 6,
  // Derived, not to be set.
  parameter int Levels = Bits > 20 ? $clog2((Bits + 19) / 20) : 0
) (
  input  wire             clk_i,
  input  wire             idle_i,
  input  wire  [Bits:0]   a_i,
  input  wire  [Bits:0]   b_i,
  input  wire             plain_i,
  input  wire  [Bits:0]   addend_i,
  output logic [Bits:0]   residue_o,
  output logic [Bits:0]   w_o,
  output logic            c_o
);

  localparam int Extra = Levels > 7 ? 4 : Levels > 3 ? 3 : 2;
  localparam int Size  = Bits + Extra;

  // Step 1.
  logic [Bits:0]       a_q, b_q;
  logic [2*Size-1:0]   p;
  logic [Size-1:0]     a, b;

  assign a = Size'(a_q);
  assign b = Size'(b_q);

  mm_fmlm3_karatsuba #(
    .Bits(Bits), .Extra(Extra), .Levels(Levels), .Narrow(0), .Top(1)
  ) u_karatsuba (
    .clk_i, .idle_i, .a_i(a), .b_i(b), .p_o(p)
  );

  // Step 2.
  logic [Bits-1:0] pl, h;
  logic [Bits:0]   v_q;
  logic [Bits+1:0] difference;
  logic            unused_top;

  assign pl = p[Scale+:Bits];
  assign h  = {p[Scale-1:1], p[0] | p[2*Bits], p[Bits+Scale+:(Bits-Scale)]};
  assign difference = {1'b0, pl, 1'b1} + {1'b0, ~h, 1'b1};
  assign unused_top = ^{p[2*Size-1:2*Bits+1], difference[0]};

  // Step 3.
  logic [Bits+1:0] residue;
  logic            unused_residue;

  assign residue = {1'b0, v_q[Bits-1:0], 1'b1} + {{(Bits + 1){v_q[Bits]}}, plain_i};
  assign unused_residue = residue[0];

  // Step 4.
  logic [Bits+2:0] sum;
  logic [Bits+1:0] w_q;
  logic            unused_sum;

  assign sum = {residue_o[Bits], residue_o, 1'b1} + {addend_i[Bits], addend_i, 1'b1};
  assign unused_sum = sum[0];

  always_ff @(posedge clk_i) begin
    a_q       <= a_i;
    b_q       <= b_i;
    v_q       <= difference[Bits+1:1];
    residue_o <= residue[Bits+1:1];
    w_q       <= sum[Bits+2:1];
  end

  // Step 5.
  assign w_o = {w_q[Bits+1], w_q[Bits-1:0]};
  assign c_o = ~(w_q[Bits] & ~w_q[Bits+1]);

endmodule

`default_nettype wire
