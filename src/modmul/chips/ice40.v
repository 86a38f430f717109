// SPDX-License-Identifier: Apache-2.0
// A multiplier without registers: those that Yosys packs into the blocks end synthesis with a conflict on fmlm3.
module \$__MM_MUL16X16 (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 16, B_WIDTH = 16, Y_WIDTH = 32;
  input [15:0] A, B;
  output [31:0] Y;
  SB_MAC16 #(
    .TOPOUTPUT_SELECT(2'b11), .BOTOUTPUT_SELECT(2'b11), .A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED)
  ) _TECHMAP_REPLACE_ (.A(A), .B(B), .O(Y));
endmodule
