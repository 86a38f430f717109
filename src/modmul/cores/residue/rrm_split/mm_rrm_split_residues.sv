// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_residues: some columns of the residues of a modulus that is fixed, those of digit s at s * Bits of
// Residues. They are logic with as many inputs as a digit has bits. mm_rrm_split_residues.xilinx.sv has two columns in
// a LUT.
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

  assign residue_o = Residues[int'(digit_i)*Bits+:Bits];

endmodule

`default_nettype wire
