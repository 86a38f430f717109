// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_residues for Xilinx FPGAs with LUTs of six inputs: a LUT6_2 has two outputs of the same five inputs
// where I5 is 1, a column each. Columns that equal the one below them reuse its output; for a modulus with long runs of
// equal bits most do.
//
`default_nettype none

module mm_rrm_split_residues #(
  parameter int DigitBits = 4,
  parameter int Bits      = 16,
  parameter logic [(Bits<<DigitBits)-1:0] Residues = '0
) (
  input  wire  [DigitBits-1:0] digit_i,
  output logic [Bits-1:0]      residue_o
);

  localparam int Pairs = (Bits + 1) / 2;

  // A column, by the digit; above the highest one all are 0.
  function automatic logic [31:0] column(input logic [(Bits<<DigitBits)-1:0] residues, input int at);
    column = '0;
    for (int digit = 0; digit < 1 << DigitBits; digit++) begin
      if (at < Bits && residues[digit*Bits+at]) column = column | (32'd1 << digit);
    end
  endfunction

  logic [4:0]         digit;
  logic [2*Pairs-1:0] residue;
  logic               unused_residue;

  assign digit          = 5'(digit_i);
  assign residue_o      = residue[Bits-1:0];
  assign unused_residue = ^residue;

  for (genvar i = 0; i < Pairs; i++) begin : gen_pair
    localparam logic [31:0] Low   = column(Residues, 2 * i);
    localparam logic [31:0] High  = column(Residues, 2 * i + 1);
    localparam int          Below = i > 0 ? 2 * i - 1 : 0;

    if (i > 0 && Low == column(Residues, Below) && High == Low) begin : gen_same
      assign residue[2*i+:2] = {2{residue[Below]}};
    end else begin : gen_lut
      LUT6_2 #(
        .INIT({High, Low})
      ) u_pair (
        .I0(digit[0]), .I1(digit[1]), .I2(digit[2]), .I3(digit[3]), .I4(digit[4]), .I5(1'b1),
        .O5(residue[2*i]), .O6(residue[2*i+1])
      );
    end
  end

endmodule

`default_nettype wire
