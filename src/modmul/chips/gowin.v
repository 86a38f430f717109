// SPDX-License-Identifier: Apache-2.0
//
// Multipliers of Gowin as far as netlists here use them; Yosys declares the cells and has no models of them. Products
// without registers, of operands from the ports. A parameter that asks for more leads to a module that does not exist,
// so that no tool takes it.
//
module MULT9X9 (A, SIA, B, SIB, ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET, DOUT, SOA, SOB);
  parameter AREG = 1'b0;
  parameter BREG = 1'b0;
  parameter OUT_REG = 1'b0;
  parameter PIPE_REG = 1'b0;
  parameter ASIGN_REG = 1'b0;
  parameter BSIGN_REG = 1'b0;
  parameter SOA_REG = 1'b0;
  parameter MULT_RESET_MODE = "SYNC";

  input [8:0] A, SIA, B, SIB;
  input ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET;
  output [17:0] DOUT;
  output [8:0] SOA, SOB;

  generate
    if (AREG || BREG || OUT_REG || PIPE_REG || ASIGN_REG || BSIGN_REG || SOA_REG) begin : gen_refused
      MULT9X9_is_not_modelled_in_this_mode u_refused ();
    end
  endgenerate

  wire [17:0] wide_a = {{9{ASIGN & A[8]}}, A};
  wire [17:0] wide_b = {{9{BSIGN & B[8]}}, B};

  assign DOUT = ASEL || BSEL ? 18'bx : wide_a * wide_b;
  assign SOA  = 9'bx;
  assign SOB  = 9'bx;
endmodule

module MULT18X18 (A, SIA, B, SIB, ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET, DOUT, SOA, SOB);
  parameter AREG = 1'b0;
  parameter BREG = 1'b0;
  parameter OUT_REG = 1'b0;
  parameter PIPE_REG = 1'b0;
  parameter ASIGN_REG = 1'b0;
  parameter BSIGN_REG = 1'b0;
  parameter SOA_REG = 1'b0;
  parameter MULT_RESET_MODE = "SYNC";

  input [17:0] A, SIA, B, SIB;
  input ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET;
  output [35:0] DOUT;
  output [17:0] SOA, SOB;

  generate
    if (AREG || BREG || OUT_REG || PIPE_REG || ASIGN_REG || BSIGN_REG || SOA_REG) begin : gen_refused
      MULT18X18_is_not_modelled_in_this_mode u_refused ();
    end
  endgenerate

  wire [35:0] wide_a = {{18{ASIGN & A[17]}}, A};
  wire [35:0] wide_b = {{18{BSIGN & B[17]}}, B};

  assign DOUT = ASEL || BSEL ? 36'bx : wide_a * wide_b;
  assign SOA  = 18'bx;
  assign SOB  = 18'bx;
endmodule
