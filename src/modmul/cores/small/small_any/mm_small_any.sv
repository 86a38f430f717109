// SPDX-License-Identifier: Apache-2.0
//
// mm_small_any: z = x * y mod M for any M of exactly n bits, n = Width, operands and results every clock cycle.
// Barrett's reduction with a negative inverse, so that nothing is subtracted, and with the products of step 2 and 3
// made only as far as they matter.
//
// Steps (G = 1 in builds for short moduli, otherwise 2)
//    1  T = x * y                                                                       0 <= T <= M^2
//    2  w = floor((t * v + c) / 2^(n+1+2G)), t = floor(T / 2^(n-1-G)): -T/M or nearly,  -T/M - 1 < w < -T/M + 1
//       v = -floor(2^(2n+G) / M), -2^(n+1+G) <= v < -2^(n+G)
//    3  r = T + w * M, in n + 1 bits                                                    -M <= r < M
//    4  z = r or r + M                                                                  0 <= z < M
//
// In step 2 the product is whole, and c = 0, in builds for short moduli; otherwise t and v are cut in halves, the
// product of the lower ones is left out, and c is half of 2^(n+1+2G).
//
// Legal: 2^(n-1) <= M < 2^n, of either parity; 0 <= x, y <= M.
// Context: M; the n + G bits of v below its highest two, which are 1 and 0, in as many beats as they need.
//
`default_nettype none

module mm_small_any #(
  parameter int Width  = 256,
  parameter int TileA  = 25,  // the wide side of a multiplier block, signed
  parameter int TileB  = 18,  // its narrow side
  parameter int Corner = 10,  // a product of so many bits, and in as many, is made of LUTs in step 3
  parameter int Carry  = 0,   // bits of an addition in a cycle, with a register behind each product; 0: few registers
  parameter int Queue  = 0    // 1: the pipeline never stands still, and results go through a memory
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Width-1:0] ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Width-1:0] x_i,
  input  wire  [Width-1:0] y_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o
);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (TileA < 8 || TileA > 64) begin : gen_illegal_tile_a
    illegal_parameter_TileA_must_be_8_to_64 u_illegal ();
  end
  if (TileB < 8 || TileB > 64 || TileB > TileA) begin : gen_illegal_tile_b
    illegal_parameter_TileB_must_be_8_to_64_and_at_most_TileA u_illegal ();
  end
  if (Corner < 0 || Corner > 16) begin : gen_illegal_corner
    illegal_parameter_Corner_must_be_0_to_16 u_illegal ();
  end
  if (Carry != 0 && Carry < 8) begin : gen_illegal_carry
    illegal_parameter_Carry_must_be_0_or_at_least_8 u_illegal ();
  end
  if (Queue < 0 || Queue > 1) begin : gen_illegal_queue
    illegal_parameter_Queue_must_be_0_or_1 u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int A = TileA >= 8 && TileA <= 64 ? TileA : 25;
  localparam int B = TileB >= 8 && TileB <= A ? TileB : 8;
  localparam int C = Corner >= 0 && Corner <= 16 ? Corner : 0;
  localparam int P = Carry != 0 ? 1 : 0;
  localparam int R = P != 0 && Queue == 1 ? 2 : P;  // registers behind a product
  localparam int S = Carry >= 8 ? Carry : 8;

  localparam int Cut  = B - 1;
  localparam int Wide = A - 1;

  // How step 2 goes: t in one piece; in halves; or in one block of any size, where these are too long for halves.
  localparam bit Short = N + 2 <= Wide;
  localparam bit Long  = ~Short && N + 2 > 2 * Cut;
  localparam int G     = Short || Long ? 1 : 2;
  localparam int TBits = N + 1 + G;
  localparam int VBits = N + 2 + G;
  localparam int From  = N - 1 - G;             // t begins here; below 0 t ends in zeros
  localparam int Shift = N + 1 + 2 * G;

  localparam int VLow  = N + G;                 // bits of v that the context has
  localparam int Beats = 1 + (VLow + N - 1) / N;

  // ---- the schedule

  localparam int Square   = N > Wide && N <= 2 * Cut ? 1 : 0;
  localparam int Rows     = N > Wide && Square == 0 ? (N + Wide - 1) / Wide : 1;
  localparam int Adding   = P != 0 ? (2 * N + S - 1) / S : 1;  // cycles of a level of the tree behind the chains
  localparam int Tree     = Rows == 3 && P == 0 ? 1 : Rows > 1 ? $clog2(Rows) * Adding : 0;
  localparam int Product  = (Square != 0 ? 4 : (N + Cut - 1) / Cut) + 1 + R + Tree;
  localparam int VBlocks  = Short ? (VBits - 1 + Cut - 1) / Cut : Long ? 1 : 3;
  localparam int Quotient = VBlocks + 1 + R;
  localparam int Above    = N + 1 > Wide ? N + 1 - Wide : 0;  // bits of w above a piece
  localparam bit InLuts   = Above > 0 && Above <= C;
  localparam int MBlocks  = Long ? 1 : (N + Cut - 1) / Cut + (Above > 0 && !InLuts ? 1 : 0);
  localparam int Rest     = MBlocks + 1 + R;

  // ---- context and operands

  localparam int Depth = Product + Quotient + Rest + 1 + P;

  logic [Beats*N-1:0] ctx_q;
  logic [N-1:0]       m, z;
  logic [VBits-1:0]   v;
  logic               en, load, legal, unused_ctx;

  always_ff @(posedge clk_i) if (load) ctx_q <= (Beats*N)'({ctx_data_i, ctx_q} >> N);

  if (Queue == 1) begin : gen_queue
    assign en = 1'b1;

    mm_small_queue #(
      .Width(N), .Depth(Depth), .Beats(Beats)
    ) u_control (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i, .z_o,
      .ctx_legal_i(legal), .z_i(z), .ctx_load_o(load)
    );
  end else begin : gen_stall
    assign z_o = z;

    mm_small_control #(
      .Depth(Depth), .Beats(Beats)
    ) u_control (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
      .ctx_legal_i(legal), .ctx_load_o(load), .en_o(en)
    );
  end

  assign m          = ctx_q[N-1:0];
  assign v          = {2'b10, ctx_q[N+VLow-1:N]};
  assign legal      = m[N-1];
  assign unused_ctx = ^ctx_q;

  // ---- step 1

  logic [2*N-1:0]   product;
  logic [TBits-1:0] t;
  logic [N:0]       product_late;
  logic [N:0]       w;

  mm_small_product #(
    .Bits(N), .TileA(A), .TileB(B), .Carry(S), .Deep(R)
  ) u_product (
    .clk_i, .en_i(en), .a_i(x_i), .b_i(y_i), .p_o(product)
  );

  if (From >= 0) begin : gen_top
    assign t = product[2*N-1:From];
  end else begin : gen_all
    assign t = TBits'(product) << -From;
  end

  // ---- step 2

  mm_small_any_quotient #(
    .TBits(TBits), .VBits(VBits), .Shift(Shift), .WBits(N + 1), .Blocks(VBlocks), .Halves(Short || Long ? 0 : 1),
    .Cut(Long ? VBits : Cut), .Deep(R)
  ) u_quotient (
    .clk_i, .en_i(en), .t_i(t), .v_i(v), .w_o(w)
  );

  // ---- step 3

  mm_small_delay #(
    .Bits(N + 1), .Cycles(Quotient)
  ) u_product_late (
    .clk_i, .en_i(en), .d_i(product[N:0]), .q_o(product_late)
  );

  logic [N:0] r;

  mm_small_any_rest #(
    .Width(N), .Wide(Long ? N + 1 : Wide), .Cut(Long ? N : Cut), .Above(Long ? 0 : Above), .InLuts(InLuts ? 1 : 0),
    .Deep(R)
  ) u_rest (
    .clk_i, .en_i(en), .t_i(product_late), .w_i(w), .m_i(m), .r_o(r)
  );

  // ---- step 4

  logic [N-1:0] multiple, multiple_late, r_late, z_next, z_q;

  assign multiple = m & {N{r[N]}};

  mm_small_delay #(
    .Bits(2 * N), .Cycles(P)
  ) u_multiple (
    .clk_i, .en_i(en), .d_i({multiple, r[N-1:0]}), .q_o({multiple_late, r_late})
  );
  mm_small_add #(.Bits(N)) u_z (.a_i(r_late), .b_i(multiple_late), .carry_i(1'b0), .sum_o(z_next));

  always_ff @(posedge clk_i) if (en) z_q <= z_next;

  assign z = z_q;

endmodule

`default_nettype wire
