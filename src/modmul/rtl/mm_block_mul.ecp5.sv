// SPDX-License-Identifier: Apache-2.0
//
// mm_block_mul.ecp5.sv: mm_block_mul for ECP5. Operands of up to 18 bits go to one block, MULT18X18D, and its registers
// are used: with Cycles = 1 those at the operands, from 2 on that of the product, from 3 on the one inside. Longer
// operands are split in halves, p = a1 * b1 * 2^(k+l) + a1 * b0 * 2^k + a0 * b1 * 2^l + a0 * b0. The sum takes the last
// cycle, from Cycles = 4 on the last two, with a register in front of its longest addition.
//
`default_nettype none

module mm_block_mul #(
  parameter int ABits   = 18,
  parameter int BBits   = ABits,
  parameter int ASigned = 0,
  parameter int BSigned = ASigned,
  parameter int Cycles  = 3
) (
  input  wire                    clk_i,
  input  wire  [ABits-1:0]       a_i,
  input  wire  [BBits-1:0]       b_i,
  output logic [ABits+BBits-1:0] p_o
);

  localparam int Block = 18;
  localparam int PBits = ABits + BBits;

  if (Cycles < 1) begin : gen_illegal_cycles
    illegal_parameter_Cycles_must_be_at_least_1 u_illegal ();
  end

  if (ABits <= Block && BBits <= Block) begin : gen_block
    logic [17:0] a, b;
    logic [35:0] p;

    if (ASigned != 0) begin : gen_a_signed
      assign a = 18'($signed(a_i));
    end else begin : gen_a_unsigned
      assign a = 18'(a_i);
    end

    if (BSigned != 0) begin : gen_b_signed
      assign b = 18'($signed(b_i));
    end else begin : gen_b_unsigned
      assign b = 18'(b_i);
    end

    MULT18X18D #(
      .REG_INPUTA_CLK("CLK0"), .REG_INPUTA_CE("CE0"), .REG_INPUTA_RST("RST0"),
      .REG_INPUTB_CLK("CLK0"), .REG_INPUTB_CE("CE0"), .REG_INPUTB_RST("RST0"),
      .REG_PIPELINE_CLK(Cycles > 2 ? "CLK0" : "NONE"), .REG_PIPELINE_CE("CE0"), .REG_PIPELINE_RST("RST0"),
      .REG_OUTPUT_CLK(Cycles > 1 ? "CLK0" : "NONE"), .REG_OUTPUT_CE("CE0"), .REG_OUTPUT_RST("RST0")
    ) u_block (
      .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]),
      .A6(a[6]), .A7(a[7]), .A8(a[8]), .A9(a[9]), .A10(a[10]), .A11(a[11]),
      .A12(a[12]), .A13(a[13]), .A14(a[14]), .A15(a[15]), .A16(a[16]), .A17(a[17]),
      .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]), .B5(b[5]),
      .B6(b[6]), .B7(b[7]), .B8(b[8]), .B9(b[9]), .B10(b[10]), .B11(b[11]),
      .B12(b[12]), .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]), .B17(b[17]),
      .C0(1'b0), .C1(1'b0), .C2(1'b0), .C3(1'b0), .C4(1'b0), .C5(1'b0),
      .C6(1'b0), .C7(1'b0), .C8(1'b0), .C9(1'b0), .C10(1'b0), .C11(1'b0),
      .C12(1'b0), .C13(1'b0), .C14(1'b0), .C15(1'b0), .C16(1'b0), .C17(1'b0),
      .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]), .P4(p[4]), .P5(p[5]),
      .P6(p[6]), .P7(p[7]), .P8(p[8]), .P9(p[9]), .P10(p[10]), .P11(p[11]),
      .P12(p[12]), .P13(p[13]), .P14(p[14]), .P15(p[15]), .P16(p[16]), .P17(p[17]),
      .P18(p[18]), .P19(p[19]), .P20(p[20]), .P21(p[21]), .P22(p[22]), .P23(p[23]),
      .P24(p[24]), .P25(p[25]), .P26(p[26]), .P27(p[27]), .P28(p[28]), .P29(p[29]),
      .P30(p[30]), .P31(p[31]), .P32(p[32]), .P33(p[33]), .P34(p[34]), .P35(p[35]),
      .SIGNEDA(ASigned != 0), .SIGNEDB(BSigned != 0), .SOURCEA(1'b0), .SOURCEB(1'b0),
      .CLK0(clk_i), .CLK1(1'b0), .CLK2(1'b0), .CLK3(1'b0),
      .CE0(1'b1), .CE1(1'b1), .CE2(1'b1), .CE3(1'b1),
      .RST0(1'b0), .RST1(1'b0), .RST2(1'b0), .RST3(1'b0)
    );

    mm_delay #(
      .Bits(PBits), .Cycles(Cycles > 3 ? Cycles - 3 : 0)
    ) u_delay (
      .clk_i, .d_i(p[PBits-1:0]), .q_o(p_o)
    );
  end else if (ABits <= Block) begin : gen_turned
    mm_block_mul #(
      .ABits(BBits), .BBits(ABits), .ASigned(BSigned), .BSigned(ASigned), .Cycles(Cycles)
    ) u_turned (
      .clk_i, .a_i(b_i), .b_i(a_i), .p_o
    );
  end else begin : gen_sum
    localparam int Sum   = Cycles < 2 ? 0 : BBits <= Block || Cycles < 4 ? 1 : 2;
    localparam int Inner = Cycles - Sum;
    localparam int ALow  = (ABits + 1) / 2;
    localparam int AHigh = ABits - ALow;

    logic [PBits-1:0] outer, inner, outer_late, inner_late, p;

    if (BBits <= Block) begin : gen_two
      logic [AHigh+BBits-1:0] high;
      logic [ALow+BBits-1:0]  low;

      mm_block_mul #(
        .ABits(AHigh), .BBits(BBits), .ASigned(ASigned), .BSigned(BSigned), .Cycles(Inner)
      ) u_high (
        .clk_i, .a_i(a_i[ABits-1:ALow]), .b_i, .p_o(high)
      );
      mm_block_mul #(
        .ABits(ALow), .BBits(BBits), .ASigned(0), .BSigned(BSigned), .Cycles(Inner)
      ) u_low (
        .clk_i, .a_i(a_i[ALow-1:0]), .b_i, .p_o(low)
      );

      assign outer = {high, ALow'(0)};
      assign inner = BSigned != 0 ? PBits'($signed(low)) : PBits'(low);
    end else begin : gen_four
      localparam int BLow  = (BBits + 1) / 2;
      localparam int BHigh = BBits - BLow;
      logic [AHigh+BHigh-1:0] high;
      logic [AHigh+BLow-1:0]  cross_a;
      logic [ALow+BHigh-1:0]  cross_b;
      logic [ALow+BLow-1:0]   low;
      logic [PBits-1:0]       wide_a, wide_b;

      mm_block_mul #(
        .ABits(AHigh), .BBits(BHigh), .ASigned(ASigned), .BSigned(BSigned), .Cycles(Inner)
      ) u_high (
        .clk_i, .a_i(a_i[ABits-1:ALow]), .b_i(b_i[BBits-1:BLow]), .p_o(high)
      );
      mm_block_mul #(
        .ABits(AHigh), .BBits(BLow), .ASigned(ASigned), .BSigned(0), .Cycles(Inner)
      ) u_cross_a (
        .clk_i, .a_i(a_i[ABits-1:ALow]), .b_i(b_i[BLow-1:0]), .p_o(cross_a)
      );
      mm_block_mul #(
        .ABits(ALow), .BBits(BHigh), .ASigned(0), .BSigned(BSigned), .Cycles(Inner)
      ) u_cross_b (
        .clk_i, .a_i(a_i[ALow-1:0]), .b_i(b_i[BBits-1:BLow]), .p_o(cross_b)
      );
      mm_block_mul #(
        .ABits(ALow), .BBits(BLow), .ASigned(0), .BSigned(0), .Cycles(Inner)
      ) u_low (
        .clk_i, .a_i(a_i[ALow-1:0]), .b_i(b_i[BLow-1:0]), .p_o(low)
      );

      assign wide_a = ASigned != 0 ? PBits'($signed(cross_a)) : PBits'(cross_a);
      assign wide_b = BSigned != 0 ? PBits'($signed(cross_b)) : PBits'(cross_b);
      assign outer  = {high, low};
      assign inner  = (wide_a << ALow) + (wide_b << BLow);
    end

    mm_delay #(
      .Bits(2 * PBits), .Cycles(Sum > 1 ? 1 : 0)
    ) u_addends (
      .clk_i, .d_i({outer, inner}), .q_o({outer_late, inner_late})
    );

    assign p = outer_late + inner_late;

    mm_delay #(
      .Bits(PBits), .Cycles(Sum > 0 ? 1 : 0)
    ) u_sum (
      .clk_i, .d_i(p), .q_o(p_o)
    );
  end

endmodule

`default_nettype wire
