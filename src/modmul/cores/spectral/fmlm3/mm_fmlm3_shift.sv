// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_shift: shift operator, y = a * 2^(Grain*amount) mod M, M = 2^Bits + 1 (Dai et al., Section 5.1).
//
// The residue a is held as A = a - 1, so that the shift is a rotation that inverts what wraps around:
//    1  A = A_hi * 2^(Bits-s) + A_lo,  s = Grain*amount           0 <= s < Bits
//    2  Y = A_lo * 2^s + (2^s - 1 - A_hi)                         0 <= Y < 2^Bits
// Here only for a != 0; a = 0 (A = -1) is a flag that the user of y carries along, and so is a factor -1; with
// Whole = 1 they are applied here: zero_i and negate_i come a cycle after a_i.
// amount < 2^Levels = Bits / Grain. Latency two cycles: Low levels, then the others.
//
`default_nettype none

module mm_fmlm3_shift #(
  parameter int Bits   = 64,
  parameter int Grain  = 1,
  parameter int Levels = 6,
  parameter int Whole  = 0
) (
  input  wire               clk_i,
  input  wire  [Bits-1:0]   a_i,
  input  wire  [Levels-1:0] amount_i,
  input  wire               zero_i,
  input  wire               negate_i,
  output logic [Bits-1:0]   y_o
);

  localparam int Low = Levels > 2 ? 2 * ((Levels + 2) / 4) : 1;

  logic [Levels:0][Bits-1:0] stage;  // stage[k]: before level k
  logic [Bits-1:0]           low_q;
  logic [Levels-1:0]         amount_q;
  logic                      unused_amount;

  assign stage[0] = a_i;
  assign unused_amount = ^amount_q;

  for (genvar k = 0; k < Levels; k++) begin : gen_level
    localparam int Shift = Grain << k;
    logic [Bits-1:0] from, turned;
    logic            turn;

    if (k == Low) begin : gen_second
      assign from = low_q;
    end else begin : gen_same
      assign from = stage[k];
    end
    if (k < Low) begin : gen_first
      assign turn = amount_i[k];
    end else begin : gen_other
      assign turn = amount_q[k];
    end
    assign turned     = {from[Bits-1-Shift:0], ~from[Bits-1-:Shift]};
    assign stage[k+1] = turn ? turned : from;
  end

  always_ff @(posedge clk_i) begin
    low_q    <= stage[Low];
    amount_q <= amount_i;
  end

  logic [Bits-1:0] y;

  assign y = (Levels > Low) ? stage[Levels] : low_q;

  if (Whole > 0) begin : gen_whole
    always_ff @(posedge clk_i) y_o <= (y ^ {Bits{negate_i}}) | {Bits{zero_i}};
  end else begin : gen_part
    logic unused_flags;

    assign unused_flags = ^{zero_i, negate_i};

    always_ff @(posedge clk_i) y_o <= y;
  end

endmodule

`default_nettype wire
