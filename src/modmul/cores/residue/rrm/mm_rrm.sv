// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm: z = x * y / R mod M, Montgomery multiplication by re-injected residues: the digit that a step drops is the
// address of its residue in a table. There is no quotient.
//
// Steps (k = DigitBits, B = 2^k, d = Delay, L = ceil(Width / k) + Extra, R = B^(L-1))
//    1  for each M: table[x, 0] = x * M                           x = 0 ... B-1
//    2  for each M and s = 1 ... B-1: table[0, s] = T[s] = s / B^(d+1) mod M                      T[s] <= M
//    3  for each y: table[x, s] = x * y + T[s]                    x = 1 ... B-1, all s             <= B * M
//    4  for i = 0 ... L-1, the sum S, a digit and a saved carry for each k bits:
//         S = floor(S / B) + table[x_i, s'], s' the digit that was dropped d steps before          S < 6M
//    5  V = S + P, P = p / B^d mod M, -M < P < M/3 + 1, for the d digits p that are still pending  -M < V < 2M
//    6  z = V + M, V or V - M                                     0 <= z < M
//
// A digit's saved carry belongs to the next digit, which the shift of step 4 moves down to this place: so the carry
// stays where it is, and the lowest digit is exact.
//
// With Banks = 2 the table of the next y is made while the loop runs.
//
// With Lazy = 1, in place of steps 5 and 6:
//    7  z = V = B^d * S + p                                       0 <= z < 2^Head * M, Head = k * d + 3 - k
// x and y may be such results, of Width + Head bits: L = ceil((Width + Head) / k) + d + 2, R = B^(L-1-d), entries are
// below (B-1) * 2^Head * M + M, and S is below (2^(Head+k) + 2) * M.
//
// Context: M and one more word, which is taken when steps 1 and 2 are done.
// Legal: odd M < 2^Width, 0 <= x, y <= M, or with Lazy = 1 below 2^Head * M.
//
`default_nettype none

module mm_rrm #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int DigitBits = 2,
  parameter int Delay     = 1,
  parameter int Banks     = 1,
  parameter int Lazy      = 0
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

  localparam bit LegalWidth = Width >= 2;
  localparam bit LegalWord  = Word == 8 || Word == 16 || Word == 32 || Word == 64;
  localparam bit LegalDigit = DigitBits == 1 || DigitBits == 2;
  localparam bit LegalBanks = Banks == 1 || Banks == 2;
  localparam bit LegalDelay = Delay == 0 || Delay == 1 || Delay == 2;
  localparam bit LegalPair  = Banks == 1 || Delay > 0;
  localparam bit LegalLazy  = Lazy == 0 || (Lazy == 1 && Banks == 1);

  if (!LegalWidth) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_16_32_or_64 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_DigitBits_must_be_1_or_2 u_illegal ();
  end
  if (!LegalDelay) begin : gen_illegal_delay
    illegal_parameter_Delay_must_be_0_1_or_2 u_illegal ();
  end
  if (!LegalBanks) begin : gen_illegal_banks
    illegal_parameter_Banks_must_be_1_or_2 u_illegal ();
  end
  if (!LegalPair) begin : gen_illegal_pair
    illegal_parameter_Banks_2_needs_a_Delay_from_1 u_illegal ();
  end
  if (!LegalLazy) begin : gen_illegal_lazy
    illegal_parameter_Lazy_must_be_0_or_1_and_1_needs_Banks_1 u_illegal ();
  end

  if (LegalWidth && LegalWord && LegalDigit && LegalDelay && LegalBanks && LegalPair && LegalLazy) begin : gen_legal
    if (Banks == 1) begin : gen_one
      mm_rrm_one #(
        .Width(Width), .Word(Word), .DigitBits(DigitBits), .Delay(Delay), .Lazy(Lazy == 1)
      ) u_rrm (
        .clk_i, .rst_ni,
        .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
        .in_valid_i, .in_ready_o, .x_i, .y_i, .out_valid_o, .out_ready_i, .z_o
      );
    end else begin : gen_two
      mm_rrm_two #(
        .Width(Width), .Word(Word), .DigitBits(DigitBits), .Delay(Delay)
      ) u_rrm (
        .clk_i, .rst_ni,
        .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
        .in_valid_i, .in_ready_o, .x_i, .y_i, .out_valid_o, .out_ready_i, .z_o
      );
    end
  end

endmodule

`default_nettype wire
