// SPDX-License-Identifier: Apache-2.0
//
// MULT18X18D of ECP5 as far as netlists here use it; Yosys declares the cell and has no model of it. A parameter that
// asks for more leads to a module that does not exist, so that no tool takes it. A product, with registers
// at the operands, inside and behind it or without, all on CLK0, enabled by CE0 and reset by RST0; SIGNEDA and SIGNEDB
// are constants. Operands from the block before it give x.
//
module MULT18X18D (
  A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, B0, B1, B2, B3, B4, B5, B6, B7,
  B8, B9, B10, B11, B12, B13, B14, B15, B16, B17, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14,
  C15, C16, C17, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CLK1, CLK2, CLK3, CE0, CE1, CE2, CE3, RST0, RST1, RST2,
  RST3, P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22,
  P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  parameter REG_INPUTA_CLK = "NONE";
  parameter REG_INPUTA_CE  = "CE0";
  parameter REG_INPUTA_RST = "RST0";
  parameter REG_INPUTB_CLK = "NONE";
  parameter REG_INPUTB_CE  = "CE0";
  parameter REG_INPUTB_RST = "RST0";
  parameter REG_PIPELINE_CLK = "NONE";
  parameter REG_PIPELINE_CE  = "CE0";
  parameter REG_PIPELINE_RST = "RST0";
  parameter REG_OUTPUT_CLK = "NONE";
  parameter REG_OUTPUT_CE  = "CE0";
  parameter REG_OUTPUT_RST = "RST0";

  input
    A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, B0, B1, B2, B3, B4, B5, B6, B7,
    B8, B9, B10, B11, B12, B13, B14, B15, B16, B17, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13, C14,
    C15, C16, C17, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CLK1, CLK2, CLK3, CE0, CE1, CE2, CE3, RST0, RST1, RST2,
    RST3;
  output
    P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23,
    P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35;

  localparam MODELLED = (REG_INPUTA_CLK == "CLK0" || REG_INPUTA_CLK == "NONE")
    && (REG_INPUTB_CLK == "CLK0" || REG_INPUTB_CLK == "NONE")
    && (REG_PIPELINE_CLK == "CLK0" || REG_PIPELINE_CLK == "NONE")
    && (REG_OUTPUT_CLK == "CLK0" || REG_OUTPUT_CLK == "NONE")
    && REG_INPUTA_CE == "CE0" && REG_INPUTA_RST == "RST0" && REG_INPUTB_CE == "CE0" && REG_INPUTB_RST == "RST0"
    && REG_PIPELINE_CE == "CE0" && REG_PIPELINE_RST == "RST0"
    && REG_OUTPUT_CE == "CE0" && REG_OUTPUT_RST == "RST0";

  generate
    if (!MODELLED) begin : gen_refused
      MULT18X18D_is_not_modelled_in_this_mode u_refused ();
    end
  endgenerate

  wire [17:0] in_a = {
      A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  wire [17:0] in_b = {
      B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };

  reg [17:0] a_q, b_q;
  reg [35:0] inner_q, product_q;

  wire [17:0] a       = REG_INPUTA_CLK == "CLK0" ? a_q : in_a;
  wire [17:0] b       = REG_INPUTB_CLK == "CLK0" ? b_q : in_b;
  wire [35:0] wide_a  = {{18{SIGNEDA & a[17]}}, a};
  wire [35:0] wide_b  = {{18{SIGNEDB & b[17]}}, b};
  wire [35:0] inner   = SOURCEA || SOURCEB ? 36'bx : wide_a * wide_b;
  wire [35:0] product = REG_PIPELINE_CLK == "CLK0" ? inner_q : inner;

  always @(posedge CLK0) begin
    if (RST0) begin
      a_q       <= 18'd0;
      b_q       <= 18'd0;
      inner_q   <= 36'd0;
      product_q <= 36'd0;
    end else if (CE0) begin
      a_q       <= in_a;
      b_q       <= in_b;
      inner_q   <= inner;
      product_q <= product;
    end
  end

  assign {
      P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15, P14,
      P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = REG_OUTPUT_CLK == "CLK0" ? product_q : product;
endmodule
