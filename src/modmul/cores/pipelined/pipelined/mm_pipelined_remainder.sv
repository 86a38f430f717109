// SPDX-License-Identifier: Apache-2.0
//
// mm_pipelined_remainder: step 4 of mm_pipelined, r = T' - q * M mod 2^(n + 1), n = Width. As r < 2M these are all its
// bits, and no others of T' and of q * M are computed.
//
//    a  the product of q, QBits bits, with as many lower bits of M; and, where M has more, the lower half of the
//       product of q with those above
//    b  q * M mod 2^(n + 1), their sum
//    c  r = T' - q * M
//
//   T' comes with q. Cycles: the longer of LowCycles and HighCycles, the addition of b if M has more than QBits bits,
//   and the subtraction of c.
//
`default_nettype none

module mm_pipelined_remainder #(
  parameter int Width      = 256,
  parameter int QBits      = 130,
  parameter int Split      = 130,  // bits of M that are multiplied by all of q: min(QBits, Width)
  parameter int TileA      = 25,
  parameter int TileB      = 18,
  parameter int Leaf       = 104,
  parameter int Corner     = 9,
  parameter int Carry      = 144,
  parameter int LowCycles  = 21,   // of mm_pipelined_mul for QBits bits
  parameter int HighCycles = 17    // of mm_pipelined_half for Width + 1 - Split bits; 0 without it
) (
  input  wire              clk_i,
  input  wire  [Width:0]   t_i,
  input  wire  [QBits-1:0] q_i,
  input  wire  [Width-1:0] m_i,
  output logic [Width:0]   r_o
);

  localparam int RBits    = Width + 1;
  localparam int Above    = Width > Split ? RBits - Split : 0;  // bits of the product from Split on, where M goes on
  localparam int Both     = LowCycles > HighCycles ? LowCycles : HighCycles;
  localparam int SumSteps = (Above + Carry - 1) / Carry;        // cycles of the addition in b

  // Step a, the lower bits of M.
  logic [QBits-1:0]   m_low;
  logic [2*QBits-1:0] product;
  logic [RBits-1:0]   low, low_late;
  logic               unused_product;

  assign m_low          = QBits'(m_i[Split-1:0]);
  assign low            = product[RBits-1:0];
  assign unused_product = ^product;

  mm_pipelined_mul #(
    .Bits(QBits), .TileA(TileA), .TileB(TileB), .Leaf(Leaf), .Carry(Carry), .Cycles(LowCycles)
  ) u_low (
    .clk_i, .a_i(q_i), .b_i(m_low), .p_o(product)
  );

  mm_delay #(
    .Bits(RBits), .Cycles(Both - LowCycles)
  ) u_low_late (
    .clk_i, .d_i(low), .q_o(low_late)
  );

  logic [RBits-1:0] multiple;

  if (Above > 0) begin : gen_high
    // Step a, the bits above.
    logic [Above-1:0] q_low, m_high, high, high_late;

    assign q_low  = q_i[Above-1:0];
    assign m_high = Above'(m_i[Width-1:Split]);

    mm_pipelined_half #(
      .ABits(Above), .BBits(Above), .PBits(Above), .High(0), .Margin(0), .Guard(0),
      .TileA(TileA), .TileB(TileB), .Corner(Corner), .Carry(Carry)
    ) u_high (
      .clk_i, .a_i(m_high), .b_i(q_low), .p_o(high)
    );

    mm_delay #(
      .Bits(Above), .Cycles(Both - HighCycles)
    ) u_high_late (
      .clk_i, .d_i(high), .q_o(high_late)
    );

    // Step b.
    logic [Above-1:0] above, above_sum;
    logic [Split-1:0] below, below_late;

    assign above = low_late[RBits-1:Split];
    assign below = low_late[Split-1:0];

    mm_pipelined_add #(
      .Bits(Above), .Carry(Carry)
    ) u_sum (
      .clk_i, .subtract_i(1'b0), .a_i(above), .b_i(high_late), .sum_o(above_sum)
    );

    mm_delay #(
      .Bits(Split), .Cycles(SumSteps)
    ) u_below (
      .clk_i, .d_i(below), .q_o(below_late)
    );

    assign multiple = {above_sum, below_late};
  end else begin : gen_low
    assign multiple = low_late;
  end

  // Step c.
  logic [RBits-1:0] t_late;

  mm_delay #(
    .Bits(RBits), .Cycles(Both + SumSteps)
  ) u_t (
    .clk_i, .d_i(t_i), .q_o(t_late)
  );

  mm_pipelined_add #(
    .Bits(RBits), .Carry(Carry)
  ) u_less (
    .clk_i, .subtract_i(1'b1), .a_i(t_late), .b_i(multiple), .sum_o(r_o)
  );

endmodule

`default_nettype wire
