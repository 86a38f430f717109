// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_butterfly: pipelined butterfly structure (Dai et al., Fig. 4 and equations 7 to 9):
// y0 = x0 * f0 + x1 * f1, y1 = x0 * f0 - x1 * f1 mod M, M = 2^Bits + 1, with factors f = 2^(Grain*e), times
// sqrt(2) if root_i says so. f0 is 1 but in the last stage of NCT^-1, where both have the factor A^-n of
// equation 6; only the butterfly that computes that stage has Scale = 1.
//
// Residues are held as A = a - 1, -1 <= A < 2^Bits.
//    1  shift operators; the top bit of an exponent is a factor -1, since 2^Bits = -1
//    2  with Root2 = 1 the Supplemental Block
//    3  V0 = D0 + D1 + 1, V1 = D0 + D1' + 1, D1' = -1 - D1 + 2^Bits  -1 <= V < 2^(Bits+1)
//    4  Y = V mod 2^Bits - floor(V / 2^Bits) if V >= 0               -1 <= Y < 2^Bits
// Latency 4 cycles, 6 with Root2: two for step 1, two for step 2, one each for steps 3 and 4.
//
// The adder of step 4 also brings in what else goes into the RAM sets: with ext_i, V becomes -1, and a
// cycle later Y = w - 1 + c_i, which turns a digit or a product w into this form. With c_i and without
// ext_i before it, Y = V + 1 instead: the residue itself, 0 <= y <= 2^Bits.
//
`default_nettype none

module mm_fmlm3_butterfly #(
  parameter int Bits   = 64,
  parameter int Grain  = 1,
  parameter int Levels = 6,
  parameter int Root2  = 0,
  parameter int Scale  = 1
) (
  input  wire             clk_i,
  input  wire  [Bits:0]   x0_i,
  input  wire  [Bits:0]   x1_i,
  input  wire  [Levels:0] e0_i,
  input  wire  [Levels:0] e1_i,
  input  wire  [1:0]      root_i,
  input  wire             ext_i,
  input  wire             from_ext_i,  // one cycle after ext_i, and so are w0_i, w1_i and c_i
  input  wire  [Bits:0]   w0_i,
  input  wire  [Bits:0]   w1_i,
  input  wire             c_i,
  output logic [Bits:0]   y0_o,
  output logic [Bits:0]   y1_o
);

  // Step 1. The sign bits of the residues and of the factors go along.
  logic [Bits-1:0] d0, d1;
  logic [1:0]      zero_q, zero_q2, sign_q, root_q, root_q2;
  logic            sign_q2, unused_sign;

  mm_fmlm3_shift #(
    .Bits(Bits), .Grain(Grain), .Levels(Levels)
  ) u_shift1 (
    .clk_i, .a_i(x1_i[Bits-1:0]), .amount_i(e1_i[Levels-1:0]), .zero_i(1'b0), .negate_i(1'b0), .y_o(d1)
  );

  if (Scale > 0) begin : gen_scale
    mm_fmlm3_shift #(
      .Bits(Bits), .Grain(Grain), .Levels(Levels), .Whole(1)
    ) u_shift0 (
      .clk_i, .a_i(x0_i[Bits-1:0]), .amount_i(e0_i[Levels-1:0]), .zero_i(zero_q[0]), .negate_i(sign_q[0]), .y_o(d0)
    );
  end else begin : gen_delay
    logic [Bits-1:0] x0_q, x0_q2;
    logic            unused_e0;

    assign unused_e0 = ^e0_i[Levels-1:0];
    assign d0        = x0_q2;

    always_ff @(posedge clk_i) begin
      // Cleared where it does not matter: a plain shift register would take LUTs.
      if (ext_i) x0_q <= '0;
      else       x0_q <= x0_i[Bits-1:0];
      x0_q2 <= x0_q;
    end
  end

  assign unused_sign = sign_q[0];

  always_ff @(posedge clk_i) begin
    zero_q  <= {x1_i[Bits], x0_i[Bits]};
    zero_q2 <= zero_q;
    sign_q  <= {e1_i[Levels], (Scale > 0) & e0_i[Levels]};
    sign_q2 <= sign_q[1];
    root_q  <= root_i;
    root_q2 <= root_q;
  end

  // Step 2.
  logic [Bits:0] s0, s1;
  logic          zero, sign;   // of the second

  if (Root2 > 0) begin : gen_root2
    logic [Bits:0] a0, a1;
    logic          sign_q3, sign_q4;

    assign a0 = {zero_q2[0], d0};
    assign a1 = {zero_q2[1], d1 | {Bits{zero_q2[1]}}};

    mm_fmlm3_root2 #(
      .Bits(Bits)
    ) u_root2_1 (
      .clk_i, .root2_i(root_q2[1]), .a_i(a1), .y_o(s1)
    );

    if (Scale > 0) begin : gen_scale
      mm_fmlm3_root2 #(
        .Bits(Bits)
      ) u_root2_0 (
        .clk_i, .root2_i(root_q2[0]), .a_i(a0), .y_o(s0)
      );
    end else begin : gen_delay
      logic [Bits:0] a0_q, a0_q2;
      logic          unused_root;

      assign unused_root = root_q2[0];
      assign s0          = a0_q2;

      always_ff @(posedge clk_i) begin
        a0_q  <= a0;
        a0_q2 <= a0_q;
      end
    end

    always_ff @(posedge clk_i) begin
      sign_q3 <= sign_q2;
      sign_q4 <= sign_q3;
    end

    assign sign = sign_q4;
    assign zero = s1[Bits];
  end else begin : gen_no_root2
    logic unused_root;

    assign unused_root = ^{root_q2, s1[Bits]};
    assign s0   = {zero_q2[0], d0};
    assign s1   = {zero_q2[1], d1};
    assign sign = sign_q2;
    assign zero = zero_q2[1];
  end

  // Step 3. The lowest bits of the sums make the carry in.
  logic [Bits:0]   p1, n1;
  logic [Bits+2:0] sum0, sum1;
  logic [Bits+1:0] v0_q, v1_q;
  logic            unused_carries;

  assign p1 = {zero, (s1[Bits-1:0] ^ {Bits{sign}}) | {Bits{zero}}};
  assign n1 = {zero, ~(s1[Bits-1:0] ^ {Bits{sign}}) | {Bits{zero}}};
  assign sum0 = {s0[Bits], s0, 1'b1} + {p1[Bits], p1, 1'b1};
  assign sum1 = {s0[Bits], s0, 1'b1} + {n1[Bits], n1, 1'b1};

  always_ff @(posedge clk_i) begin
    if (ext_i) begin
      v0_q <= '1;
      v1_q <= '1;
    end else begin
      v0_q <= sum0[Bits+2:1];
      v1_q <= sum1[Bits+2:1];
    end
  end

  // Step 4.
  logic [Bits:0]   less0, less1;
  logic [Bits+1:0] next0, next1;

  assign less0 = from_ext_i ? w0_i : {(Bits + 1){v0_q[Bits] & ~v0_q[Bits+1]}};
  assign less1 = from_ext_i ? w1_i : {(Bits + 1){v1_q[Bits] & ~v1_q[Bits+1]}};
  assign next0 = {v0_q[Bits+1], v0_q[Bits-1:0], 1'b1} + {less0, c_i};
  assign next1 = {v1_q[Bits+1], v1_q[Bits-1:0], 1'b1} + {less1, c_i};
  assign unused_carries = ^{sum0[0], sum1[0], next0[0], next1[0]};

  always_ff @(posedge clk_i) begin
    y0_o <= next0[Bits+1:1];
    y1_o <= next1[Bits+1:1];
  end

endmodule

`default_nettype wire
