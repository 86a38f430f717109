// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_loop: step 4 of mm_rrm_split.
//
//   a  E = (-1)^sign * x_i + t_i
//   b  S = floor(S / B) + E; with Chains = 1, a and b are one addition
//
// Both sums are kept in cells of up to 32 columns. The digit of S at the top, top_o, is 0, -1 or -2, for its sign.
//
`default_nettype none

module mm_rrm_split_loop #(
  parameter int DigitBits = 4,
  parameter int Digits    = 65,  // of the sums, but for that at the top
  parameter int Chains    = 2,
  // Derived, not to be set.
  parameter int Bits      = Digits * DigitBits
) (
  input  wire                  clk_i,
  input  wire                  clear_e_i,
  input  wire                  clear_s_i,
  input  wire                  sign_i,    // of x_i, a cycle before it
  input  wire                  sign_e_i,  // of what S takes
  input  wire  [Bits-1:0]      x_i,       // the multiple; its lowest bit is 0 with a sign
  input  wire  [Bits-1:0]      t_i,       // the residue
  output logic [Bits-1:0]      s_o,
  output logic [DigitBits-1:0] s_next_o,  // the lowest digit of S in the next cycle
  output logic [Digits-1:0]    c_o,       // the saved carries of S
  output logic [Digits-1:0]    e_c_o,     // those of E, or with Chains = 1 the majorities
  output logic [DigitBits-1:0] top_o
);

  localparam int CellDigit = 32 / DigitBits;
  localparam int Cells     = (Digits + CellDigit - 1) / CellDigit;

  logic [Bits-1:0]           s_next;
  logic [Bits+DigitBits-1:0] s_above;
  logic                      below_q, twice_q, unused_s;  // the digit at the top is below 0, and -2

  assign top_o   = {{DigitBits-1{below_q}}, below_q & ~twice_q};
  assign s_above = {top_o, s_o};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int First = i * CellDigit;
    localparam int Count = i == Cells - 1 ? Digits - First : CellDigit;
    localparam int Low   = First * DigitBits;
    localparam int Size  = Count * DigitBits;

    logic sign;

    mm_rrm_copy #(
      .Bits(1)
    ) u_sign (
      .clk_i, .clear_i(1'b0), .d_i(sign_i), .q_o(sign)
    );

    if (Chains == 1) begin : gen_joint
      mm_rrm_split_joint #(
        .DigitBits(DigitBits), .Digits(Count)
      ) u_cell (
        .clk_i, .sign_i(sign), .x_i(x_i[Low+:Size]), .t_i(t_i[Low+:Size]),
        .clear_i(clear_s_i), .above_i(s_above[Low+Size+:DigitBits]),
        .s_next_o(s_next[Low+:Size]), .s_o(s_o[Low+:Size]), .h_o(e_c_o[First+:Count]), .c_o(c_o[First+:Count])
      );
    end else begin : gen_cell_of_two
      mm_rrm_split_cell #(
        .DigitBits(DigitBits), .Digits(Count)
      ) u_cell (
        .clk_i, .sign_i(sign), .x_i(x_i[Low+:Size]), .t_i(t_i[Low+:Size]),
        .clear_e_i, .clear_s_i, .above_i(s_above[Low+Size+:DigitBits]),
        .s_next_o(s_next[Low+:Size]), .s_o(s_o[Low+:Size]), .c_o(c_o[First+:Count]), .e_c_o(e_c_o[First+:Count])
      );
    end
  end

  always_ff @(posedge clk_i) begin
    below_q <= ~clear_s_i & (below_q | sign_e_i);
    twice_q <= ~clear_s_i & below_q & sign_e_i;
  end

  assign s_next_o = s_next[DigitBits-1:0];
  assign unused_s = ^{s_next, s_above, clear_e_i};

endmodule

`default_nettype wire
