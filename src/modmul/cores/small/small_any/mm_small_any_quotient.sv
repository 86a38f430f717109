// SPDX-License-Identifier: Apache-2.0
//
// mm_small_any_quotient: step 2 of mm_small_any, w = floor((t * v + c) / 2^Shift) modulo 2^WBits for a negative v.
//
//   Halves = 0    the whole product, in a chain of Blocks blocks for Cut bits of v each, the last with its sign; c = 0
//   Halves = 1    t = t1 * 2^l + t0, v = v1 * 2^l + v0: t1 * v1 * 2^(2l) + (t1 * v0 + t0 * v1) * 2^l, without the
//   product
//                 of t0 and v0, which is less than c = 2^(Shift-1); three blocks
//
//   Cycles: Blocks, 1, and Deep.
//
`default_nettype none

module mm_small_any_quotient #(
  parameter int TBits  = 35,
  parameter int VBits  = 36,
  parameter int Shift  = 37,
  parameter int WBits  = 33,
  parameter int Blocks = 3,
  parameter int Halves = 1,
  parameter int Cut    = 17,
  parameter int Deep   = 0
) (
  input  wire              clk_i,
  input  wire              en_i,
  input  wire  [TBits-1:0] t_i,
  input  wire  [VBits-1:0] v_i,
  output logic [WBits-1:0] w_o
);

  localparam int SBits = WBits + Shift + 1;

  if (Halves != 0) begin : gen_halves
    localparam int High = (WBits + 2) / 2;  // of t; of v one more, with the sign
    localparam int Low  = TBits - High;
    localparam int Sum  = High + Low + 3;
    localparam int Drop = Shift - 2 * Low;  // bits of the last sum below w

    logic [High-1:0] t1, t1_late2;
    logic [Low-1:0]  t0, t0_late;
    logic [High:0]   v1;
    logic [Low-1:0]  v0;
    logic [Sum-1:0]  half, s1, s2;
    logic [Sum-Low-1:0] carry;
    logic [WBits+Drop-1:0] s3;
    logic            unused_sums;

    assign t1          = t_i[TBits-1:Low];
    assign t0          = t_i[Low-1:0];
    assign v1          = v_i[VBits-1:Low];
    assign v0          = v_i[Low-1:0];
    assign half        = Sum'(1) << (Shift - 1 - Low);
    assign carry       = s2[Sum-1:Low];
    assign unused_sums = ^{s2, s3};

    mm_small_delay #(.Bits(Low),  .Cycles(1)) u_t0 (.clk_i, .en_i, .d_i(t0), .q_o(t0_late));
    mm_small_delay #(.Bits(High), .Cycles(2)) u_t1 (.clk_i, .en_i, .d_i(t1), .q_o(t1_late2));

    mm_small_mac #(
      .ABits(High), .BBits(Low), .CBits(Sum), .SBits(Sum), .Signed(0), .Deep(Deep)
    ) u_cross_v (
      .clk_i, .en_i, .a_i(t1), .b_i(v0), .c_i(half), .s_o(s1)
    );
    mm_small_mac #(
      .ABits(Low), .BBits(High + 1), .CBits(Sum), .SBits(Sum), .Signed(1), .Deep(Deep)
    ) u_cross_t (
      .clk_i, .en_i, .a_i(t0_late), .b_i(v1), .c_i(s1), .s_o(s2)
    );
    mm_small_mac #(
      .ABits(High), .BBits(High + 1), .CBits(Sum - Low), .SBits(WBits + Drop), .Signed(1), .Deep(Deep)
    ) u_high (
      .clk_i, .en_i, .a_i(t1_late2), .b_i(v1), .c_i(carry), .s_o(s3)
    );

    assign w_o = s3[WBits+Drop-1:Drop];
  end else begin : gen_whole
    for (genvar j = 0; j < Blocks; j++) begin : gen_block
      localparam int Low   = j * Cut;
      localparam int Last  = j == Blocks - 1 ? 1 : 0;
      localparam int Digit = Last != 0 ? VBits - Low : Cut;
      localparam int Left  = SBits - 1 - Low;  // of the sum, the bits that matter
      localparam int Sum   = Last != 0 ? Left : TBits + Cut + 2;

      logic [TBits-1:0] t, t_late;
      logic [Digit-1:0] v;
      logic [Sum-1:0]   carry, sum;
      logic             unused_bits;

      assign v           = v_i[Low+Digit-1:Low];
      assign unused_bits = ^{sum, t_late};

      if (j == 0) begin : gen_first
        assign t      = t_i;
        assign t_late = t;
        assign carry  = '0;
      end else begin : gen_next
        assign t     = gen_block[j-1].t_late;
        assign carry = Sum'(gen_block[j-1].sum >> Cut);
        mm_small_delay #(.Bits(TBits), .Cycles(1)) u_t (.clk_i, .en_i, .d_i(t), .q_o(t_late));
      end

      mm_small_mac #(
        .ABits(TBits), .BBits(Digit), .CBits(Sum), .SBits(Sum), .Signed(Last), .Deep(Deep)
      ) u_mac (
        .clk_i, .en_i, .a_i(t_late), .b_i(v), .c_i(carry), .s_o(sum)
      );
    end

    assign w_o = gen_block[Blocks-1].sum[WBits+Shift-(Blocks-1)*Cut-1:Shift-(Blocks-1)*Cut];
  end

endmodule

`default_nettype wire
