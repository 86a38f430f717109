// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_final: Final Stage Operator for one half of the digits, with its accumulator (Dai et al.,
// Section 5.1 and equation 22): digit n = 0 ... of an inverse transform, one a cycle, becomes a digit of
// the number. It ends steps 2, 6 and 12 of Algorithm 2 and, with restrict_i, is step 13. Within it:
//
//    1  with Turn = 1 and turn_i: a = a * 2^(-Bits/2), the rest of A^-n for the upper half (equation 6): a rotation
//       by half that inverts what wraps around
//    2  over = a > (count + 1) * 2^(2*Digit+1); then a is negative: a - M        (equation 12)
//    3  r = floor(r / 2^Digit) + a, or - M;  digit = r mod 2^Digit                (equation 22)
//
// The paper compares with 2(n+1)(B-1)^2. The product (n+1)*2B^2 separates the two cases as well, because
// M > 2*P*B^2, and needs only the bits above 2*Digit+1.
// The residue comes as A = a - 1, so that step 3 adds A + 1 or A - 2^Bits. The carry that is left,
// floor(r / 2^Digit), is for the other half. Latency two cycles.
//
`default_nettype none

module mm_fmlm3_final #(
  parameter int Bits      = 64,
  parameter int Digit     = 16,
  parameter int CountBits = 7,
  parameter int Turn      = 0,
  // Derived, not to be set.
  parameter int CarryBits = Bits + 2 - Digit
) (
  input  wire                   clk_i,
  input  wire                   first_i,
  input  wire                   valid_i,
  input  wire                   turn_i,
  input  wire                   restrict_i,
  input  wire  [CountBits-1:0]  count_i,
  input  wire  [Bits:0]         a_i,
  output logic [Digit-1:0]      digit_o,
  output logic [CarryBits-1:0]  carry_o
);

  localparam int Half    = Bits / 2;
  localparam int TopBits = Bits - 2 * Digit - 1;

  // Step 2, on the bits of step 1.
  logic               over, unused_whole;
  logic [TopBits-1:0] high;
  logic [Bits-1:0]    whole;
  logic [Bits:0]      a_q;
  logic               over_q, valid_q;

  assign whole = (Turn > 0 && turn_i) ? {~a_i[Half-1:0], a_i[Bits-1:Half]} : a_i[Bits-1:0];
  assign high  = whole[Bits-1-:TopBits];
  assign unused_whole = ^whole;
  assign over  = restrict_i & ~a_i[Bits] & (high > TopBits'(count_i));

  always_ff @(posedge clk_i) begin
    a_q     <= a_i;
    over_q  <= over;
    valid_q <= valid_i;
  end

  // Steps 1 and 3. turn_i stays the same for a transform.
  logic [Bits-1:0] turned;
  logic [Bits+1:0] r_q, rest;
  logic [Bits+2:0] sum;
  logic            unused_carry;

  assign turned = (Turn > 0 && turn_i) ? {~a_q[Half-1:0], a_q[Bits-1:Half]} | {Bits{a_q[Bits]}} : a_q[Bits-1:0];
  assign rest   = {{Digit{r_q[Bits+1]}}, r_q[Bits+1:Digit]};
  assign sum    = {rest, 1'b1} + {a_q[Bits] | over_q, a_q[Bits] | over_q, turned, ~over_q};
  assign unused_carry = sum[0];

  always_ff @(posedge clk_i) begin
    if (valid_i && first_i) r_q <= '0;
    else if (valid_q)       r_q <= sum[Bits+2:1];
  end

  assign digit_o = r_q[Digit-1:0];
  assign carry_o = r_q[Bits+1:Digit];

endmodule

`default_nettype wire
