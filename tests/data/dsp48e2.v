// SPDX-License-Identifier: Apache-2.0
// DSP48E2 of UltraScale+ as far as netlists here use it, after AMD's UG579: multiply, add, registers, cascades, shift by
// 17. Whatever else a netlist asks for makes P undefined. Neither the adder before the multiplier nor patterns are here.
module DSP48E2 #(
  parameter A_INPUT = "DIRECT", B_INPUT = "DIRECT", AMULTSEL = "A", BMULTSEL = "B", PREADDINSEL = "A",
  parameter USE_MULT = "MULTIPLY", USE_SIMD = "ONE48", USE_PATTERN_DETECT = "NO_PATDET",
  parameter SEL_PATTERN = "PATTERN", SEL_MASK = "MASK",
  parameter ACASCREG = 1, ADREG = 1, ALUMODEREG = 1, AREG = 1, BCASCREG = 1, BREG = 1, CARRYINREG = 1,
  parameter CARRYINSELREG = 1, CREG = 1, DREG = 1, INMODEREG = 1, MREG = 1, OPMODEREG = 1, PREG = 1,
  parameter [47:0] PATTERN = 0, MASK = 48'h3FFF_FFFF_FFFF
) (
  input  [29:0] A, ACIN,
  input  [17:0] B, BCIN,
  input  [47:0] C, PCIN,
  input  [26:0] D,
  input  [8:0]  OPMODE,
  input  [4:0]  INMODE,
  input  [3:0]  ALUMODE,
  input  [2:0]  CARRYINSEL,
  input         CARRYIN, CARRYCASCIN, MULTSIGNIN, CLK,
  input         CEA1, CEA2, CEB1, CEB2, CEC, CEM, CEP, CED, CEAD, CEINMODE, CEALUMODE, CECTRL, CECARRYIN,
  input         RSTA, RSTB, RSTC, RSTM, RSTP, RSTD, RSTINMODE, RSTALUMODE, RSTCTRL, RSTALLCARRYIN,
  output [29:0] ACOUT,
  output [17:0] BCOUT,
  output [47:0] P, PCOUT,
  output        PATTERNDETECT, PATTERNBDETECT, OVERFLOW
);
  localparam KNOWN = AMULTSEL == "A" && BMULTSEL == "B" && USE_MULT == "MULTIPLY" && USE_SIMD == "ONE48"
    && USE_PATTERN_DETECT == "NO_PATDET"
    && ALUMODEREG == 0 && CARRYINREG == 0 && CARRYINSELREG == 0 && INMODEREG == 0 && OPMODEREG == 0;

  reg        [29:0] a1 = 0, a2 = 0;
  reg        [17:0] b1 = 0, b2 = 0;
  reg        [47:0] c_q = 0, p_q = 0;
  reg signed [44:0] m_q = 0;

  wire [29:0] a_in = A_INPUT == "CASCADE" ? ACIN : A;
  wire [17:0] b_in = B_INPUT == "CASCADE" ? BCIN : B;
  wire [29:0] a = AREG == 0 ? a_in : a2;
  wire [17:0] b = BREG == 0 ? b_in : b2;
  wire [47:0] c = CREG == 0 ? C : c_q;

  assign ACOUT = ACASCREG == AREG ? a : a1;
  assign BCOUT = BCASCREG == BREG ? b : b1;

  wire signed [44:0] product = $signed(a[26:0]) * $signed(b);
  wire signed [44:0] m = MREG == 0 ? product : m_q;
  reg [47:0] w, x, y, z;

  always @* begin
    x = OPMODE[1:0] == 2'b00 ? 48'd0 : OPMODE[3:0] == 4'b0101 ? {{3{m[44]}}, m} : 48'bx;
    y = OPMODE[3:2] == 2'b00 || OPMODE[3:0] == 4'b0101 ? 48'd0 : OPMODE[3:2] == 2'b11 ? c : 48'bx;
    case (OPMODE[6:4])
      3'b000:  z = 48'd0;
      3'b001:  z = PCIN;
      3'b010:  z = p_q;
      3'b011:  z = c;
      3'b101:  z = {{17{PCIN[47]}}, PCIN[47:17]};
      3'b110:  z = {{17{p_q[47]}}, p_q[47:17]};
      default: z = 48'bx;
    endcase
    w = OPMODE[8:7] == 2'b00 ? 48'd0 : OPMODE[8:7] == 2'b01 ? p_q : OPMODE[8:7] == 2'b11 ? c : 48'bx;
  end

  wire plain = KNOWN && INMODE == 5'd0 && CARRYINSEL == 3'd0 && (PREG == 1 || OPMODE[6:4] != 3'b010);
  wire [47:0] others = w + x + y + CARRYIN;
  wire [47:0] sum = !plain ? 48'bx : ALUMODE == 4'b0000 ? z + others : ALUMODE == 4'b0011 ? z - others : 48'bx;

  always @(posedge CLK) begin
    if (RSTA) a1 <= 0; else if (CEA1) a1 <= a_in;
    if (RSTA) a2 <= 0; else if (CEA2) a2 <= AREG == 2 ? a1 : a_in;
    if (RSTB) b1 <= 0; else if (CEB1) b1 <= b_in;
    if (RSTB) b2 <= 0; else if (CEB2) b2 <= BREG == 2 ? b1 : b_in;
    if (RSTC) c_q <= 0; else if (CEC) c_q <= C;
    if (RSTM) m_q <= 0; else if (CEM) m_q <= product;
    if (RSTP) p_q <= 0; else if (CEP) p_q <= sum;
  end

  assign P = PREG == 0 ? sum : p_q;
  assign PCOUT = P;
endmodule
