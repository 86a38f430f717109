// SPDX-License-Identifier: Apache-2.0
//
// mm_dual_wallace: Wallace tree of dual-field full and half adders (Zhang et al., Fig. 5).
//
//   GF(p)    sum_o + carry_o = the sum of the rows   mod 2^Width
//   GF(2^m)  sum_o ^ carry_o = the exclusive or of the rows
//
// Each level makes two rows of every three: Rows - floor(Rows/3) are left. The module instantiates itself for the
// levels after its own. Legal: Rows >= 2; with 2 rows there is nothing to do.
//
`default_nettype none

module mm_dual_wallace #(
  parameter int Width = 64,
  parameter int Rows  = 8
) (
  input  wire                   prime_i,
  input  wire  [Rows*Width-1:0] rows_i,
  output logic [Width-1:0]      sum_o,
  output logic [Width-1:0]      carry_o
);

  localparam int Left = Rows - Rows / 3;

  if (Rows > 2) begin : gen_level
    logic [Left*Width-1:0] left;

    for (genvar k = 0; k < Rows / 3; k++) begin : gen_adders
      mm_dual_csa #(
        .Width(Width)
      ) u_csa (
        .prime_i,
        .a_i(rows_i[(3*k)*Width +: Width]), .b_i(rows_i[(3*k+1)*Width +: Width]),
        .c_i(rows_i[(3*k+2)*Width +: Width]),
        .sum_o(left[(2*k)*Width +: Width]), .carry_o(left[(2*k+1)*Width +: Width])
      );
    end
    for (genvar k = 0; k < Rows % 3; k++) begin : gen_rest
      assign left[(2*(Rows/3)+k)*Width +: Width] = rows_i[(3*(Rows/3)+k)*Width +: Width];
    end

    mm_dual_wallace #(
      .Width(Width), .Rows(Left)
    ) u_next (
      .prime_i, .rows_i(left), .sum_o, .carry_o
    );
  end else begin : gen_end
    logic unused_prime;
    assign unused_prime = prime_i;
    assign sum_o   = rows_i[Width-1:0];
    assign carry_o = rows_i[2*Width-1:Width];
  end

endmodule

`default_nettype wire
