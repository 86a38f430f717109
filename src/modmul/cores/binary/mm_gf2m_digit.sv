// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_digit: p = x * y, a cycle later, of a digit x; p is the sum of registers for each eight bits of x.
//
`default_nettype none

module mm_gf2m_digit #(
  parameter int Width = 256,
  parameter int Digit = 8,
  // Derived, not to be set.
  parameter int Bits = Width + Digit - 1
) (
  input  wire              clk_i,
  input  wire  [Digit-1:0] x_i,
  input  wire  [Width-1:0] y_i,
  output logic [Bits-1:0]  p_o
);

  localparam int Parts = (Digit + 7) / 8;

  logic [Parts-1:0][Bits-1:0] part, part_q;

  for (genvar g = 0; g < Parts; g++) begin : gen_part
    localparam int Size = Digit - 8 * g < 8 ? Digit - 8 * g : 8;

    for (genvar i = 0; i < Size; i++) begin : gen_bit
      logic [Bits-1:0] so_far, multiple;

      assign multiple = Bits'(y_i & {Width{x_i[8*g+i]}}) << (8 * g + i);

      if (i == 0) begin : gen_first
        assign so_far = multiple;
      end else begin : gen_next
        assign so_far = gen_bit[i-1].so_far ^ multiple;
      end
    end

    assign part[g] = gen_bit[Size-1].so_far;
  end

  always_ff @(posedge clk_i) part_q <= part;

  always_comb begin
    p_o = '0;
    for (int g = 0; g < Parts; g++) p_o = p_o ^ part_q[g];
  end

endmodule

`default_nettype wire
