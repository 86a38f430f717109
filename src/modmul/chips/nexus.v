// SPDX-License-Identifier: Apache-2.0
// The first cell of a carry chain, without its CIN: synthesis ties it to 0, where nextpnr wants nothing.
// The carry that goes on is A1, whatever comes in.
module \$__FIRST_CCU2 (
  input  CIN, A0, B0, C0, D0, A1, B1, C1, D1,
  output S0, S1, COUT
);
  parameter INIT0 = "0xFFFF";
  parameter INIT1 = "0x00AA";
  parameter INJECT = "NO";

  CCU2 #(.INIT0(INIT0), .INIT1(INIT1), .INJECT(INJECT)) _TECHMAP_REPLACE_ (
    .A0(A0), .B0(B0), .C0(C0), .D0(D0), .A1(A1), .B1(B1), .C1(C1), .D1(D1), .S0(S0), .S1(S1), .COUT(COUT)
  );
endmodule

// Multipliers without registers: netlists with those that Yosys packs into the blocks were found wrong.
module \$__MM_MUL18X18 (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 18, B_WIDTH = 18, Y_WIDTH = 36;
  input [17:0] A, B;
  output [35:0] Y;
  MULT18X18 #(.REGINPUTA("BYPASS"), .REGINPUTB("BYPASS"), .REGOUTPUT("BYPASS")) _TECHMAP_REPLACE_ (
    .A(A), .B(B), .Z(Y), .SIGNEDA(A_SIGNED ? 1'b1 : 1'b0), .SIGNEDB(B_SIGNED ? 1'b1 : 1'b0),
    .CLK(1'b0), .CEA(1'b0), .CEB(1'b0), .CEOUT(1'b0), .RSTA(1'b0), .RSTB(1'b0), .RSTOUT(1'b0)
  );
endmodule
