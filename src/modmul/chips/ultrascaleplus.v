// SPDX-License-Identifier: Apache-2.0
// A multiplier of 27 by 18 bits, signed, as a DSP48E1 with a wider A: Yosys packs registers, additions and cascades
// into this block of the 7 series, and into no DSP48E2. INMODE[2] is without effect here and keeps it from the adder
// before the multiplier, whose sums end at 25 bits in the one block and at 27 in the other.
module \$__MM_MUL27X18 (A, B, Y);
  parameter A_SIGNED = 1, B_SIGNED = 1, A_WIDTH = 27, B_WIDTH = 18, Y_WIDTH = 45;
  input [26:0] A;
  input [17:0] B;
  output [44:0] Y;
  wire [47:0] p;
  DSP48E1 #(
    .A_INPUT("DIRECT"), .B_INPUT("DIRECT"), .USE_MULT("MULTIPLY"), .USE_DPORT("FALSE"), .USE_SIMD("ONE48"),
    .ACASCREG(0), .ADREG(0), .ALUMODEREG(0), .AREG(0), .BCASCREG(0), .BREG(0), .CARRYINREG(0), .CARRYINSELREG(0),
    .CREG(0), .DREG(0), .INMODEREG(0), .MREG(0), .OPMODEREG(0), .PREG(0)
  ) _TECHMAP_REPLACE_ (
    .A({{3{A[26]}}, A}), .B(B), .C(48'd0), .D(25'd0), .P(p), .CARRYIN(1'b0),
    .INMODE(5'b00100), .ALUMODE(4'b0000), .OPMODE(7'b0000101), .CARRYINSEL(3'b000),
    .ACIN(30'd0), .BCIN(18'd0), .PCIN(48'd0)
  );
  assign Y = p[44:0];
endmodule

// What became of it, as a DSP48E2. The clock, the enables and the resets of registers that are not used have no wire.
module \$__MM_DSP48E1 (
  input  [29:0] A, ACIN,
  input  [17:0] B, BCIN,
  input  [47:0] C, PCIN,
  input  [24:0] D,
  input  [6:0]  OPMODE,
  input  [4:0]  INMODE,
  input  [3:0]  ALUMODE,
  input  [2:0]  CARRYINSEL,
  input         CARRYIN, CLK, CEA1, CEA2, CEB1, CEB2, CEC, CEM, CEP, CED, CEAD, RSTA, RSTB, RSTC, RSTM, RSTP, RSTD,
  output [29:0] ACOUT,
  output [17:0] BCOUT,
  output [47:0] P, PCOUT,
  output        PATTERNDETECT, PATTERNBDETECT, OVERFLOW
);
  parameter A_INPUT = "DIRECT", B_INPUT = "DIRECT", USE_MULT = "MULTIPLY", USE_DPORT = "FALSE", USE_SIMD = "ONE48";
  parameter ACASCREG = 0, ADREG = 0, ALUMODEREG = 0, AREG = 0, BCASCREG = 0, BREG = 0, CARRYINREG = 0;
  parameter CARRYINSELREG = 0, CREG = 0, DREG = 0, INMODEREG = 0, MREG = 0, OPMODEREG = 0, PREG = 0;
  parameter USE_PATTERN_DETECT = "NO_PATDET", SEL_PATTERN = "PATTERN", SEL_MASK = "MASK";
  parameter [47:0] PATTERN = 0, MASK = 48'h3FFF_FFFF_FFFF;

  wire _TECHMAP_FAIL_ = USE_DPORT != "FALSE" || DREG != 0 || ADREG != 0;

  DSP48E2 #(
    .A_INPUT(A_INPUT), .B_INPUT(B_INPUT), .AMULTSEL("A"), .BMULTSEL("B"), .USE_MULT(USE_MULT), .USE_SIMD(USE_SIMD),
    .ACASCREG(ACASCREG), .ADREG(0), .ALUMODEREG(ALUMODEREG), .AREG(AREG), .BCASCREG(BCASCREG), .BREG(BREG),
    .CARRYINREG(CARRYINREG), .CARRYINSELREG(CARRYINSELREG), .CREG(CREG), .DREG(0), .INMODEREG(INMODEREG),
    .MREG(MREG), .OPMODEREG(OPMODEREG), .PREG(PREG),
    .USE_PATTERN_DETECT(USE_PATTERN_DETECT), .SEL_PATTERN(SEL_PATTERN), .SEL_MASK(SEL_MASK), .PATTERN(PATTERN),
    .MASK(MASK)
  ) _TECHMAP_REPLACE_ (
    .A(A), .B(B), .C(C), .D(27'd0), .P(P), .CARRYIN(CARRYIN), .CARRYCASCIN(1'b0), .MULTSIGNIN(1'b0),
    .INMODE(5'd0), .ALUMODE(ALUMODE), .OPMODE({2'b00, OPMODE}), .CARRYINSEL(CARRYINSEL),
    .ACIN(ACIN), .BCIN(BCIN), .PCIN(PCIN), .ACOUT(ACOUT), .BCOUT(BCOUT), .PCOUT(PCOUT),
    .PATTERNDETECT(PATTERNDETECT), .PATTERNBDETECT(PATTERNBDETECT), .OVERFLOW(OVERFLOW),
    .CLK(AREG + BREG + CREG + MREG + PREG > 0 ? CLK : 1'b0),
    .CEA1(AREG > 1 ? CEA1 : 1'b0), .CEA2(AREG > 0 ? CEA2 : 1'b0), .RSTA(AREG > 0 ? RSTA : 1'b0),
    .CEB1(BREG > 1 ? CEB1 : 1'b0), .CEB2(BREG > 0 ? CEB2 : 1'b0), .RSTB(BREG > 0 ? RSTB : 1'b0),
    .CEC(CREG > 0 ? CEC : 1'b0), .RSTC(CREG > 0 ? RSTC : 1'b0),
    .CEM(MREG > 0 ? CEM : 1'b0), .RSTM(MREG > 0 ? RSTM : 1'b0),
    .CEP(PREG > 0 ? CEP : 1'b0), .RSTP(PREG > 0 ? RSTP : 1'b0),
    .CED(1'b0), .CEAD(1'b0), .RSTD(1'b0), .CEINMODE(1'b0), .RSTINMODE(1'b0), .CEALUMODE(1'b0), .RSTALUMODE(1'b0),
    .CECTRL(1'b0), .RSTCTRL(1'b0), .CECARRYIN(1'b0), .RSTALLCARRYIN(1'b0)
  );
endmodule
