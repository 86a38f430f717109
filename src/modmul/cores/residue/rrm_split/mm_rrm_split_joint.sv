// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_joint: some digits of the sum of mm_rrm_split, both steps 4a and 4b in one chain. Each digit has two
// saved carries.
//
//   cycle t       x_i, sign_i and t_i are there                                        steps of mm_rrm_split
//   cycle t + 1   S = floor(S / B) + X + T                                             4a, 4b
//
// A saved carry belongs to the next digit. But the next S has 1/B of the weight, so each carry stays in its own digit.
//
`default_nettype none

module mm_rrm_split_joint #(
  parameter int DigitBits = 5,
  parameter int Digits    = 6,
  // Derived, not to be set.
  parameter int Bits = Digits * DigitBits
) (
  input  wire                  clk_i,
  input  wire                  sign_i,
  input  wire  [Bits-1:0]      x_i,
  input  wire  [Bits-1:0]      t_i,
  input  wire                  clear_i,    // the sum becomes 0
  input  wire  [DigitBits-1:0] above_i,    // the lowest digit of the cell above
  output logic [Bits-1:0]      s_next_o,
  output logic [Bits-1:0]      s_o,
  output logic [Digits-1:0]    h_o,
  output logic [Digits-1:0]    c_o
);

  logic [Bits-1:0]   s_q, s_shifted;
  logic [Digits-1:0] h_q, c_q, h_next, c_next;

  assign s_shifted = Bits'({above_i, s_q} >> DigitBits);

  mm_rrm_split_triple #(
    .DigitBits(DigitBits), .Digits(Digits)
  ) u_triple (
    .sign_i, .s_i(s_shifted), .x_i, .t_i, .h_i(h_q), .c_i(c_q), .s_next_o, .h_o(h_next), .c_o(c_next)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      s_q <= '0;
      h_q <= '0;
      c_q <= '0;
    end else begin
      s_q <= s_next_o;
      h_q <= h_next;
      c_q <= c_next;
    end
  end

  assign s_o = s_q;
  assign h_o = h_q;
  assign c_o = c_q;

endmodule

`default_nettype wire
