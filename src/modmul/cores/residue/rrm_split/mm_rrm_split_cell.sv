// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_cell: some digits of the two sums of mm_rrm_split, each digit with a saved carry of its own.
//
//   cycle t       x_i, sign_i and t_i are there                                        steps of mm_rrm
//   cycle t + 1   E = X + T is in registers                                            4a
//   cycle t + 2   S = floor(S / B) + E                                                 4b
//
// A saved carry belongs to the next digit. But the next E and the next S have 1/B of the weight, so each carry stays in
// its own digit of its own sum.
//
`default_nettype none

module mm_rrm_split_cell #(
  parameter int DigitBits = 4,
  parameter int Digits    = 8,
  // Derived, not to be set.
  parameter int Bits = Digits * DigitBits
) (
  input  wire                  clk_i,
  input  wire                  sign_i,
  input  wire  [Bits-1:0]      x_i,
  input  wire  [Bits-1:0]      t_i,
  input  wire                  clear_e_i,  // E becomes 0
  input  wire                  clear_s_i,  // the sum becomes 0
  input  wire  [DigitBits-1:0] above_i,    // the lowest digit of the cell above
  output logic [Bits-1:0]      s_next_o,
  output logic [Bits-1:0]      s_o,
  output logic [Digits-1:0]    c_o,
  output logic [Digits-1:0]    e_c_o       // the saved carries of the E that s_o has in it
);

  localparam int Slot = DigitBits + 1;

  logic [Bits-1:0]        e, e_q, s_q, s_shifted;
  logic [Digits-1:0]      e_c, e_c_q, e_c_q2, c_q, c_next;
  logic [Digits*Slot:0]   left, right, sum;
  logic                   unused_first;

  // T comes late, from a memory. No carry leaves a digit, but a chain is timed as if one could: each has its own.
  for (genvar j = 0; j < Digits; j++) begin : gen_e
    mm_rrm_split_adder #(
      .Bits(DigitBits)
    ) u_adder (
      .sign_i, .x_i(x_i[j*DigitBits+:DigitBits]), .t_i(t_i[j*DigitBits+:DigitBits]), .c_i(e_c_q[j]),
      .e_o(e[j*DigitBits+:DigitBits]), .c_o(e_c[j])
    );
  end

  always_ff @(posedge clk_i) begin
    e_c_q2 <= e_c_q;
    if (clear_e_i) begin
      e_q   <= '0;
      e_c_q <= '0;
    end else begin
      e_q   <= e;
      e_c_q <= e_c;
    end
  end

  // A chain with a bit below each digit, which adds c to c: its sum is the carry of the digit below, which goes no
  // further, and its own carry, c, starts the digit.
  assign s_shifted = Bits'({above_i, s_q} >> DigitBits);

  assign left[Digits*Slot]  = 1'b0;
  assign right[Digits*Slot] = 1'b0;

  for (genvar j = 0; j < Digits; j++) begin : gen_digit
    assign left[j*Slot+:Slot]               = {s_shifted[j*DigitBits+:DigitBits], c_q[j]};
    assign right[j*Slot+:Slot]              = {e_q[j*DigitBits+:DigitBits], c_q[j]};
    assign s_next_o[j*DigitBits+:DigitBits] = sum[j*Slot+1+:DigitBits];
    assign c_next[j]                        = sum[(j+1)*Slot];
  end

  assign sum          = left + right;
  assign unused_first = sum[0];

  always_ff @(posedge clk_i) begin
    if (clear_s_i) begin
      s_q <= '0;
      c_q <= '0;
    end else begin
      s_q <= s_next_o;
      c_q <= c_next;
    end
  end

  assign s_o   = s_q;
  assign c_o   = c_q;
  assign e_c_o = e_c_q2;

endmodule

`default_nettype wire
