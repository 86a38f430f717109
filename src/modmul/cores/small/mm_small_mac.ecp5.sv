// SPDX-License-Identifier: Apache-2.0
//
// mm_small_mac.ecp5.sv: mm_small_mac for ECP5. Operands of up to 18 bits go to one block, MULT18X18D, whose registers
// at the operands, and with Deep > 0 that of the product, are used, with en_i as their enable. Longer ones are left to
// synthesis.
//
`default_nettype none

module mm_small_mac #(
  parameter int ABits  = 17,
  parameter int BBits  = 17,
  parameter int CBits  = 24,
  parameter int SBits  = 35,
  parameter int Signed = 0,
  parameter int Deep   = 0
) (
  input  wire              clk_i,
  input  wire              en_i,
  input  wire  [ABits-1:0] a_i,
  input  wire  [BBits-1:0] b_i,
  input  wire  [CBits-1:0] c_i,
  output logic [SBits-1:0] s_o
);

  logic [SBits-1:0] first, behind, c, s_q;

  // The first of Deep registers behind the product is that of the block.
  mm_small_delay #(.Bits(SBits), .Cycles(Deep > 1 ? Deep - 1 : 0)) u_late (.clk_i, .en_i, .d_i(first), .q_o(behind));

  if (Signed != 0) begin : gen_c_signed
    assign c = SBits'($signed(c_i));
  end else begin : gen_c_unsigned
    assign c = SBits'(c_i);
  end

  if (ABits <= 18 && BBits <= 18) begin : gen_block
    logic [17:0] a, b;
    logic [35:0] p;

    assign a = 18'(a_i);

    if (Signed != 0) begin : gen_b_signed
      assign b      = 18'($signed(b_i));
      assign first  = SBits'($signed(p));
    end else begin : gen_b_unsigned
      assign b      = 18'(b_i);
      assign first  = SBits'(p);
    end

    MULT18X18D #(
      .REG_INPUTA_CLK("CLK0"), .REG_INPUTA_CE("CE0"), .REG_INPUTA_RST("RST0"),
      .REG_INPUTB_CLK("CLK0"), .REG_INPUTB_CE("CE0"), .REG_INPUTB_RST("RST0"),
      .REG_PIPELINE_CLK("NONE"), .REG_PIPELINE_CE("CE0"), .REG_PIPELINE_RST("RST0"),
      .REG_OUTPUT_CLK(Deep != 0 ? "CLK0" : "NONE"), .REG_OUTPUT_CE("CE0"), .REG_OUTPUT_RST("RST0")
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
      .SIGNEDA(1'b0), .SIGNEDB(Signed != 0), .SOURCEA(1'b0), .SOURCEB(1'b0),
      .CLK0(clk_i), .CLK1(1'b0), .CLK2(1'b0), .CLK3(1'b0),
      .CE0(en_i), .CE1(1'b1), .CE2(1'b1), .CE3(1'b1),
      .RST0(1'b0), .RST1(1'b0), .RST2(1'b0), .RST3(1'b0)
    );
  end else begin : gen_wide
    logic [ABits-1:0]              a_q;
    logic [BBits-1:0]              b_q;
    logic signed [ABits+BBits+1:0] product;

    if (Signed != 0) begin : gen_signed
      assign product = $signed({1'b0, a_q}) * $signed(b_q);
    end else begin : gen_unsigned
      assign product = $signed({1'b0, a_q}) * $signed({1'b0, b_q});
    end

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        a_q <= a_i;
        b_q <= b_i;
      end
    end

    mm_small_delay #(
      .Bits(SBits), .Cycles(Deep > 0 ? 1 : 0)
    ) u_first (
      .clk_i, .en_i, .d_i(SBits'(product)), .q_o(first)
    );
  end

  always_ff @(posedge clk_i) if (en_i) s_q <= behind + c;

  assign s_o = s_q;

endmodule

`default_nettype wire
