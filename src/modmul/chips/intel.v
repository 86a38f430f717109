// SPDX-License-Identifier: Apache-2.0
// Multipliers of the variable-precision blocks with the signedness of their operands, which Yosys' own mapping
// leaves out.
module \$__MM_MUL27X27 (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 27, B_WIDTH = 27, Y_WIDTH = 54;
  input [26:0] A, B;
  output [53:0] Y;
  MISTRAL_MUL27X27 #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED)) _TECHMAP_REPLACE_ (.A(A), .B(B), .Y(Y));
endmodule

module \$__MM_MUL18X18 (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 18, B_WIDTH = 18, Y_WIDTH = 36;
  input [17:0] A, B;
  output [35:0] Y;
  MISTRAL_MUL18X18 #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED)) _TECHMAP_REPLACE_ (.A(A), .B(B), .Y(Y));
endmodule
