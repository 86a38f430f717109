// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm: z = x * y / R mod M, Montgomery multiplication by re-injected residues: the digit that a step drops is the
// address at which its residue stands in a table. There is no quotient.
//
//   DigitBits   module          table
//   1, 2        mm_rrm_merged   one for x_i * y and the residues together
//   3, 4        mm_rrm_split    one for each
//
// The steps are in these. Legal: odd M < 2^Width, 0 <= x, y <= M.
//
`default_nettype none

module mm_rrm #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int DigitBits = 2,
  parameter int Delay     = 1
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             ctx_valid_i,
  output logic            ctx_ready_o,
  input  wire  [Word-1:0] ctx_data_i,
  output logic            ctx_error_o,
  input  wire             in_valid_i,
  output logic            in_ready_o,
  input  wire  [Word-1:0] x_i,
  input  wire  [Word-1:0] y_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  localparam bit LegalWord  = Word == 8 || Word == 16 || Word == 32 || Word == 64;
  localparam int SafeWord   = LegalWord ? Word : 16;
  localparam bit LegalDigit = DigitBits >= 1 && DigitBits <= 4;
  localparam int SafeDigit  = LegalDigit ? DigitBits : 2;
  localparam bit LegalDelay = Delay == 1 || (Delay == 2 && SafeDigit > 2);
  localparam int SafeDelay  = LegalDelay ? Delay : 1;
  localparam int SafeWidth  = Width > 2 ? Width : 2;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_16_32_or_64 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_DigitBits_must_be_1_to_4 u_illegal ();
  end
  if (!LegalDelay) begin : gen_illegal_delay
    illegal_parameter_Delay_must_be_1_or_2_for_DigitBits_above_2 u_illegal ();
  end

  if (SafeDigit <= 2) begin : gen_merged
    mm_rrm_merged #(
      .Width(SafeWidth), .Word(SafeWord), .DigitBits(SafeDigit)
    ) u_core (
      .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .x_i, .y_i,
      .out_valid_o, .out_ready_i, .z_o
    );
  end else begin : gen_split
    mm_rrm_split #(
      .Width(SafeWidth), .Word(SafeWord), .DigitBits(SafeDigit), .Delay(SafeDelay)
    ) u_core (
      .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .x_i, .y_i,
      .out_valid_o, .out_ready_i, .z_o
    );
  end

endmodule

`default_nettype wire
