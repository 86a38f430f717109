// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_transform: RAM sets and FFT/FFT^-1 unit (Dai et al., Sections 5.1 and 5.4, Figs. 3 and 4): transforms of P =
// 2^LogP residues modulo M = 2^Bits + 1, N = 2^LogN butterflies, 2N banks of memory.
//
// Steps (line numbers of Algorithm 2, in brackets those of Algorithm 3)
//    4       T(z0) = CT(z0)                                       0 <= components < M, as all that follow
//    8  (5)  T'(m) = NCT(m)
//            T(x), T'(x), T(y), T'(y), with which the paper begins; in a chain x is the last t: steps 18 and 19
//    2, 6 (3)  g, z1 = CT^-1                                      0 <= digits < M
//   12, 13 (5)  z4 = NCT^-1, digits above the bound of equation 12 are negative
//
// A forward transform takes digits from the time domain, and its last stage writes into the memory of operands,
// vector_i. An inverse one takes products, and its last stage goes through the Final Stage Operators to the time
// domain. Digits and products are written to bit-reversed places, as equations 7 to 9 require.
//
// Digit i is in bank i mod 2N XOR its top bits, row floor(i / 2N). The memory of digits has three regions: 0 for what
// comes, 1 and 2 in turn for the results of the stages. That of operands has one for each vector.
//
`default_nettype none

module mm_fmlm3_transform #(
  parameter int Bits   = 64,
  parameter int Digit  = 16,
  parameter int LogP   = 6,
  parameter int LogN   = 1,
  parameter int LogSeg = 2,
  parameter int Root2  = 0,
  parameter int Delay  = 7,
  // Derived, not to be set.
  parameter int SegBits   = Digit << LogSeg,
  parameter int SegIndex  = LogP - LogSeg,
  parameter int CarryBits = Bits + 2 - Digit
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // What runs (mm_fmlm3_control).
  input  wire                  fft_i,
  input  wire                  last_time_i,
  input  wire                  inverse_i,
  input  wire                  nega_i,
  input  wire  [2:0]           vector_i,
  // Digits of a segment, and digit 0 again with a carry; strobes a cycle before them and with them.
  input  wire                  into_next_i,
  input  wire                  again_next_i,
  input  wire                  into_i,
  input  wire                  again_i,
  input  wire  [SegIndex-1:0]  into_segment_i,
  input  wire  [SegBits-1:0]   digits_i,
  input  wire  [Digit-1:0]     digit0_i,
  input  wire                  carry_i,
  // A product, as w - 1 + c (mm_fmlm3_multiply_adder); its strobe a cycle before it, its place a cycle after it.
  input  wire                  product_next_i,
  input  wire  [Bits:0]        product_w_i,
  input  wire                  product_c_i,
  input  wire  [LogP-1:0]      product_place_i,
  // Operands of products: the left one comes a cycle after its index, and the right one a cycle later.
  input  wire  [2:0]           left_i,
  input  wire  [2:0]           right_i,
  input  wire  [LogP-1:0]      left_index_i,
  input  wire  [LogP-1:0]      right_index_i,
  output logic [Bits:0]        left_o,
  output logic [Bits:0]        right_o,
  // Digits of both halves of an inverse transform, and the carries above them.
  output logic                 final_o,
  output logic [Digit-1:0]     low_digit_o,
  output logic [Digit-1:0]     high_digit_o,
  output logic [CarryBits-1:0] low_carry_o,
  output logic [CarryBits-1:0] high_carry_o
);

  localparam int Grain  = Root2 > 0 ? 1 : Bits >> LogP;      // c, or 1
  localparam int Levels = Root2 > 0 ? LogP - 1 : LogP;
  localparam int N      = 1 << LogN;
  localparam int Chan   = 2 * N;
  localparam int LogC   = LogN + 1;
  localparam int Row    = LogP - LogC;                       // bits of a row's number
  localparam int Res    = Bits + 1;                          // bits of a residue
  localparam int Fold   = LogN > 0 ? 2 : 1;                  // top bits of a place that turn its bank

  // ---- stages: what is read and written, and with which factors --------------------------------

  logic [LogP-2:0]         read_step, switch_step, write_step;
  logic [1:0]              read_region, root;
  logic [(Levels+1)*N-1:0] e1;
  logic [Levels:0]         e0;
  logic                    stage_plain, stage_write, stage_last, stage_odd;

  mm_fmlm3_stages #(
    .LogP(LogP), .LogN(LogN), .Root2(Root2), .Delay(Delay)
  ) u_stages (
    .clk_i, .rst_ni, .run_i(fft_i), .restart_i(last_time_i), .inverse_i, .nega_i,
    .read_region_o(read_region), .read_step_o(read_step), .switch_step_o(switch_step),
    .e1_o(e1), .e0_o(e0), .root_o(root), .plain_o(stage_plain),
    .write_o(stage_write), .write_last_o(stage_last), .write_odd_o(stage_odd), .write_step_o(write_step)
  );

  logic [Row-1:0] read_row, switch_row, write_row, half_row;
  logic           unused_row;

  assign read_row   = Row'(read_step >> LogN);
  assign switch_row = Row'(switch_step >> LogN);
  assign write_row  = Row'(write_step >> LogN);
  assign half_row   = Row'({1'b0, write_step} >> LogC);
  assign unused_row = ^{switch_row, write_row};

  // ---- what is written: results of a stage, digits, products -----------------------------------

  logic            into_q, again_q, product_q, product_q2;
  logic            ext, from_ext_q, c;
  logic [LogP-1:0] into_place_q;                             // the place of the segment's digit 0
  logic [LogC-1:0] into_low, into_turn, product_bank, read_select, write_select;

  // The butterflies' last adder is needed.
  assign ext = into_next_i | again_next_i | product_next_i;
  assign c   = from_ext_q ? (product_q ? product_c_i : again_i & carry_i) : stage_plain;

  always_ff @(posedge clk_i) begin
    from_ext_q <= ext;
    into_q     <= into_i;
    again_q    <= again_i;
    product_q  <= product_next_i;
    product_q2 <= product_q;
  end

  // Digits Seg*k + j of a segment go to the bit-reversed places, whose top bits are those of j.
  for (genvar b = 0; b < LogP; b++) begin : gen_place
    if (b < SegIndex) begin : gen_low
      always_ff @(posedge clk_i) into_place_q[b] <= into_i & into_segment_i[SegIndex-1-b];
    end else begin : gen_top
      always_ff @(posedge clk_i) into_place_q[b] <= 1'b0;
    end
  end

  assign into_low     = into_place_q[LogC-1:0];
  assign into_turn    = LogC'(into_place_q[LogP-1-:Fold]) << (LogC - Fold);
  assign product_bank = product_place_i[LogC-1:0] ^ (LogC'(product_place_i[LogP-1-:Fold]) << (LogC - Fold));

  // ---- Channel Switchers: which channel is whose bank ------------------------------------------
  //
  // The digit of a place is in row place / 2N, in the bank given by its low bits, the highest of which are XORed with
  // the top Fold bits: so 2N digits in order, N in order together with those P/2 further on, and the digits of a
  // segment, whose places differ in the top bits, are each in different banks. That needs P >= 8N, and P >= 4 for one
  // butterfly.

  if (LogN > 0) begin : gen_lanes
    assign read_select  = (LogC'(switch_row[Row-1-:2]) << (LogC - 2)) ^ {switch_step[LogN-1:0], 1'b0};
    assign write_select = into_q ? into_low :
                          stage_write ? LogC'({write_row[0], write_row[Row-1]}) << (LogC - 2) : '0;
  end else begin : gen_one_lane
    assign read_select  = switch_row[Row-1-:LogC];
    assign write_select = into_q ? into_low : stage_write ? write_row[0] : 1'b0;
  end

  // ---- RAM sets ---------------------------------------------------------------------------------

  logic [Chan*Res-1:0] from_ram, to_ram, from_operands, w;

  for (genvar b = 0; b < Chan; b++) begin : gen_bank
    localparam logic [LogC-1:0] Bank   = LogC'(b);
    localparam logic [LogC-1:0] Shared = LogC'((1 << (LogC - LogSeg)) - 1);  // what channels of a segment share
    localparam int Top    = b >> (LogC - 1);
    localparam int Second = LogC > 1 ? (b >> (LogC - 2)) & 1 : 0;
    localparam int Number = (LogSeg == 2 && LogC > 1) ? 2 * Second + Top : Top;

    logic             digit_write, operand_write, into_bank;
    logic [LogC-1:0]  channel;
    logic [Row-1:0]   row, into_row;
    logic [1:0]       region;
    logic [Digit-1:0] digit;
    logic [Row+2:0]   operand_raddr;

    // The channel that goes to this bank; of a segment, channel c is digit Number(c).
    assign channel       = Bank ^ write_select;
    assign digit         = (b == 0 && again_i) ? digit0_i : digits_i[Number*Digit+:Digit];
    assign w[b*Res+:Res] = product_q ? product_w_i : Res'(digit);
    assign into_row      = into_place_q[LogP-1:LogC] | (Row'(channel[LogC-1-:LogSeg]) << (Row - LogSeg));
    assign into_bank     = (channel & Shared) == into_turn;

    assign digit_write = (stage_write & ~stage_last) | (into_q & into_bank) | (again_q & b == 0)
                         | (product_q2 & product_bank == Bank);
    assign row = stage_write ? half_row | (Row'(channel[LogC-1]) << (Row - 1)) :
                 product_q2  ? product_place_i[LogP-1:LogC] : into_q ? into_row : '0;
    assign region = stage_write ? {stage_odd, ~stage_odd} : 2'd0;

    mm_fmlm3_ram #(
      .Bits(Res), .Depth(4 << Row)
    ) u_digits (
      .clk_i, .write_i(digit_write), .waddr_i({region, row}), .wdata_i(to_ram[b*Res+:Res]),
      .raddr_i({read_region, read_row}), .rdata_o(from_ram[b*Res+:Res])
    );

    // T(x), T'(x), T(y), T'(y), T(z0), T'(m).
    assign operand_write = stage_write & stage_last & ~inverse_i;
    assign operand_raddr = (left_index_i[LogC-1:0] == Bank) ? {left_i, left_index_i[LogP-1:LogC]}
                                                            : {right_i, right_index_i[LogP-1:LogC]};

    mm_fmlm3_ram #(
      .Bits(Res), .Depth(8 << Row)
    ) u_operands (
      .clk_i, .write_i(operand_write), .waddr_i({vector_i, row}), .wdata_i(to_ram[b*Res+:Res]),
      .raddr_i(operand_raddr), .rdata_o(from_operands[b*Res+:Res])
    );
  end

  // Operands of products come in the order of rows, and of banks in a row. The right one is read a cycle after the left
  // one, so that the two never come from the same bank at the same time.
  logic [LogC-1:0] left_bank, right_bank_q;

  assign left_bank = right_index_i[LogC-1:0];
  assign left_o    = from_operands[left_bank*Res+:Res];
  assign right_o   = from_operands[right_bank_q*Res+:Res];

  always_ff @(posedge clk_i) right_bank_q <= left_bank;

  // ---- steps 2, 4, 6, 8, 12 and 13: butterflies and Final Stage Operators -----------------------

  logic final_write, final_q;

  assign final_write = stage_write & stage_last & inverse_i;

  mm_fmlm3_fft #(
    .Bits(Bits), .Grain(Grain), .Levels(Levels), .LogP(LogP), .LogN(LogN), .Root2(Root2), .Digit(Digit)
  ) u_fft (
    .clk_i, .data_i(from_ram), .select_i(read_select), .e1_i(e1), .e0_i(e0), .root_i(root),
    .ext_i(ext), .from_ext_i(from_ext_q), .w_i(w), .c_i(c), .write_select_i(write_select), .data_o(to_ram),
    .final_i(final_write), .nega_i, .final_step_i(write_step), .low_digit_o, .high_digit_o, .low_carry_o, .high_carry_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      final_q <= 1'b0;
      final_o <= 1'b0;
    end else begin
      final_q <= final_write;
      final_o <= final_q;
    end
  end

endmodule

`default_nettype wire
