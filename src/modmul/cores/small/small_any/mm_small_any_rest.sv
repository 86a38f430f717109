// SPDX-License-Identifier: Apache-2.0
//
// mm_small_any_rest: step 3 of mm_small_any, r = T + w * M modulo 2^(n+1), n = Width. Of the product only its lower
// n + 1 bits are made: the lowest Wide bits of w times M, in a chain of blocks for Cut bits of M each; and the Above
// bits of w above those times as many of M, in as many bits,
//
//   with InLuts = 1 in LUTs, added to T in front of the chain: two bits of w a row, which choose 0, M, 2M or 3M;
//   with InLuts = 0 in a block behind the chain.
//
//   Cycles: the blocks of the chain, 1, Deep, and 1 for the block behind it.
//
`default_nettype none

module mm_small_any_rest #(
  parameter int Width  = 32,
  parameter int Wide   = 24,
  parameter int Cut    = 17,
  parameter int Above  = 9,
  parameter int InLuts = 1,
  parameter int Deep   = 0
) (
  input  wire              clk_i,
  input  wire              en_i,
  input  wire  [Width:0]   t_i,
  input  wire  [Width:0]   w_i,
  input  wire  [Width-1:0] m_i,
  output logic [Width:0]   r_o
);

  localparam int N      = Width;
  localparam int Blocks = (N + Cut - 1) / Cut;
  localparam int Piece  = N + 1 < Wide ? N + 1 : Wide;
  localparam int Behind = Above > 0 && InLuts == 0 ? 1 : 0;

  // T, and in LUTs the product by the upper bits of w.
  logic [N:0] first;

  if (Above > 0 && InLuts != 0) begin : gen_corner
    logic [Above-1:0] corner, thrice;
    logic [Above+1:0] upper;
    logic             unused_bits;

    assign thrice      = m_i[Above-1:0] + (m_i[Above-1:0] << 1);
    assign upper       = {2'b0, w_i[N:Wide]};
    assign unused_bits = ^{w_i, upper};

    for (genvar i = 0; 2 * i < Above; i++) begin : gen_row
      localparam int Left = Above - 2 * i;

      logic [Above-1:0] so_far, after;
      logic [Left-1:0]  once, twice, threefold, multiple;

      if (i == 0) begin : gen_first
        assign so_far = t_i[N:Wide];
      end else begin : gen_next
        assign so_far = gen_row[i-1].after;
      end

      assign once      = m_i[Left-1:0];
      assign twice     = once << 1;
      assign threefold = thrice[Left-1:0];

      always_comb begin
        case (upper[2*i +: 2])
          2'd0:    multiple = '0;
          2'd1:    multiple = once;
          2'd2:    multiple = twice;
          default: multiple = threefold;
        endcase
      end

      assign after[Above-1:2*i] = so_far[Above-1:2*i] + multiple;
      if (i > 0) begin : gen_pass
        assign after[2*i-1:0] = so_far[2*i-1:0];
      end
    end

    assign corner = gen_row[(Above-1)/2].after;

    mm_small_delay #(
      .Bits(N + 1), .Cycles(1 + Deep)
    ) u_first (
      .clk_i, .en_i, .d_i({corner, t_i[Wide-1:0]}), .q_o(first)
    );
  end else begin : gen_t
    mm_small_delay #(
      .Bits(N + 1), .Cycles(1 + Deep)
    ) u_first (
      .clk_i, .en_i, .d_i(t_i), .q_o(first)
    );
  end

  // The chain.
  for (genvar j = 0; j < Blocks; j++) begin : gen_block
    localparam int Low   = j * Cut;
    localparam int Digit = N - Low < Cut ? N - Low : Cut;
    localparam int Sum   = N + 1 - Low;
    localparam int Kept  = j == Blocks - 1 ? Sum : Cut;
    localparam int Used  = Piece < Sum ? Piece : Sum;

    logic [Piece-1:0] w, w_late;
    logic [Digit-1:0] m;
    logic [Sum-1:0]   carry, sum;
    logic [Kept-1:0]  kept;
    logic             unused_w;

    assign m        = m_i[Low+Digit-1:Low];
    assign kept     = sum[Kept-1:0];
    assign unused_w = ^w_late;

    if (j == 0) begin : gen_first
      assign w      = w_i[Piece-1:0];
      assign w_late = w;
      assign carry  = first;
    end else begin : gen_next
      assign w     = gen_block[j-1].w_late;
      assign carry = gen_block[j-1].sum[Sum+Cut-1:Cut];
      mm_small_delay #(.Bits(Piece), .Cycles(1)) u_w (.clk_i, .en_i, .d_i(w), .q_o(w_late));
    end

    mm_small_mac #(
      .ABits(Used), .BBits(Digit), .CBits(Sum), .SBits(Sum), .Signed(0), .Deep(Deep)
    ) u_mac (
      .clk_i, .en_i, .a_i(w_late[Used-1:0]), .b_i(m), .c_i(carry), .s_o(sum)
    );

    logic [Kept-1:0] kept_late;
    mm_small_delay #(.Bits(Kept), .Cycles(Blocks - 1 - j)) u_kept (.clk_i, .en_i, .d_i(kept), .q_o(kept_late));
  end

  logic [N:0] sum;

  for (genvar j = 0; j < Blocks; j++) begin : gen_digit
    localparam int Kept = j == Blocks - 1 ? N + 1 - j * Cut : Cut;
    assign sum[j*Cut+Kept-1:j*Cut] = gen_block[j].kept_late;
  end

  if (Behind != 0) begin : gen_behind
    logic [Above-1:0] upper, upper_late, last;
    logic [Wide-1:0]  sum_late;

    assign upper = w_i[N:Wide];

    mm_small_delay #(.Bits(Above), .Cycles(Blocks)) u_upper (.clk_i, .en_i, .d_i(upper), .q_o(upper_late));
    mm_small_delay #(.Bits(Wide), .Cycles(1)) u_sum (.clk_i, .en_i, .d_i(sum[Wide-1:0]), .q_o(sum_late));

    mm_small_mac #(
      .ABits(Above), .BBits(Above), .CBits(Above), .SBits(Above), .Signed(0), .Deep(Deep)
    ) u_mac (
      .clk_i, .en_i, .a_i(upper_late), .b_i(m_i[Above-1:0]), .c_i(sum[N:Wide]), .s_o(last)
    );

    assign r_o = {last, sum_late};
  end else begin : gen_chain
    logic unused_w;
    assign unused_w = ^w_i;
    assign r_o      = sum;
  end

endmodule

`default_nettype wire
