// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_align: after the last element of a left-shifting kernel, shifts Z down from bit Pos of its words to bit
// 0, which takes a clock cycle; with Pos = 0 it is only wires. A word needs the lowest Pos bits of the next one; after
// the last word the sign takes their place (mm_scalable_sign).
//
`default_nettype none

module mm_scalable_align #(
  parameter int Word = 16,
  parameter int Pos  = 0
) (
  input  wire             clk_i,
  input  wire             first_i,   // word 0 comes in
  input  wire  [Word-1:0] zs_i,
  input  wire  [Word-1:0] zc_i,
  output logic [Word-1:0] zs_o,
  output logic [Word-1:0] zc_o
);

  if (Pos == 0) begin : gen_wires
    logic unused_inputs;

    assign unused_inputs = clk_i ^ first_i;
    assign zs_o          = zs_i;
    assign zc_o          = zc_i;
  end else begin : gen_shift
    localparam int Low = Pos < Word - 2 ? Pos : Word - 2;  // the sign takes two bits

    logic              any, all;
    logic [Word-1:Low] zs_q, zc_q;
    logic [Pos-1:0]    zs_top, zc_top;

    always_ff @(posedge clk_i) begin
      zs_q <= zs_i[Word-1:Low];
      zc_q <= zc_i[Word-1:Low];
    end

    mm_scalable_sign u_sign (
      .zs_i(zs_q[Word-1:Word-2]), .zc_i(zc_q[Word-1:Word-2]), .any_o(any), .all_o(all)
    );

    assign zs_top = first_i ? {Pos{any}} : zs_i[Pos-1:0];
    assign zc_top = first_i ? {Pos{all}} : zc_i[Pos-1:0];
    assign zs_o   = {zs_top, zs_q[Word-1:Pos]};
    assign zc_o   = {zc_top, zc_q[Word-1:Pos]};
  end

endmodule

`default_nettype wire
