// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_karatsuba: pipelined Karatsuba multiplier, p = a * b, of signed numbers, recursive
// (Dai et al., Section 5.2 and equation 25). The numbers have Bits + Extra bits; h = ceil(Bits / 2).
//
//    1  a = a1 * 2^h + a0, b = b1 * 2^h + b0                      0 <= a0, b0 < 2^h
//    2  d = a0 - a1, e = b0 - b1
//    3  p0 = a0 * b0, p1 = a1 * b1, pd = d * e                    three multipliers of h + Extra bits
//    4  p = p1 * 2^(2h) + (p0 + p1 - pd) * 2^h + p0
//
// From operands in 0 ... 2^Bits the ranges of a level are, with H its Bits: 0 ... 2^H, then -2^H ... 2^H,
// -2^H ... 2^(H+1), -2^(H+1) ... 2^(H+1) (three levels, Extra = 2), and down to the seventh level -2^(H+2) ... 2^(H+2)
// (Extra = 3).
//
// A multiplier of at most 18 bits is one DSP block (mm_block_mul), one of up to 25 bits is mm_fmlm3_double: two blocks,
// or with Narrow one and LUTs. Narrow is for pd of the first level: with that there are 45 DSP blocks for
// M = 2^160 + 1, as in the paper, and 108 for 2^288 + 1, where the paper has 135.
// idle_i clears registers that would otherwise become long shift registers in LUTs; no product is in the pipeline then.
// Latency 3 + 4 * Levels cycles: one for step 2, three for step 4, three for a multiplier.
//
`default_nettype none

module mm_fmlm3_karatsuba #(
  parameter int Bits   = 64,
  parameter int Extra  = 2,
  parameter int Levels = 2,
  parameter int Narrow = 0,
  parameter int Top    = 1,
  // Derived, not to be set.
  parameter int Size = Bits + Extra
) (
  input  wire               clk_i,
  input  wire               idle_i,
  input  wire  [Size-1:0]   a_i,
  input  wire  [Size-1:0]   b_i,
  output logic [2*Size-1:0] p_o
);

  if (Levels > 0) begin : gen_split
    localparam int H     = (Bits + 1) / 2;
    localparam int Part  = H + Extra;
    localparam int Whole = 2 * Size;
    localparam int Above = Whole - 2 * H;

    // Steps 1 and 2.
    logic [Part-1:0] a0, a1, b0, b1;
    logic [Part-1:0] a0_q, a1_q, b0_q, b1_q, d_q, e_q;

    assign a0 = Part'(a_i[H-1:0]);
    assign b0 = Part'(b_i[H-1:0]);
    assign a1 = Part'($signed(a_i[Size-1:H]));
    assign b1 = Part'($signed(b_i[Size-1:H]));

    always_ff @(posedge clk_i) begin
      a0_q <= a0;
      a1_q <= a1;
      b0_q <= b0;
      b1_q <= b1;
      d_q  <= a0 - a1;
      e_q  <= b0 - b1;
    end

    // Step 3.
    logic [2*Part-1:0] p0, p1, pd;

    mm_fmlm3_karatsuba #(
      .Bits(H), .Extra(Extra), .Levels(Levels - 1), .Narrow(Narrow), .Top(0)
    ) u_low (
      .clk_i, .idle_i, .a_i(a0_q), .b_i(b0_q), .p_o(p0)
    );

    mm_fmlm3_karatsuba #(
      .Bits(H), .Extra(Extra), .Levels(Levels - 1), .Narrow(Narrow), .Top(0)
    ) u_high (
      .clk_i, .idle_i, .a_i(a1_q), .b_i(b1_q), .p_o(p1)
    );

    mm_fmlm3_karatsuba #(
      .Bits(H), .Extra(Extra), .Levels(Levels - 1), .Narrow((Narrow > 0 || Top > 0) ? 1 : 0), .Top(0)
    ) u_difference (
      .clk_i, .idle_i, .a_i(d_q), .b_i(e_q), .p_o(pd)
    );

    // Step 4, in three cycles.
    logic [2*Part-1:0] both_q, pd_q, middle_q, p0_q, p0_q2, p1_q, p1_q2;
    logic [2*Size-1:0] outer, middle;

    assign outer  = {Above'(p1_q2), p0_q2[2*H-1:0]};
    assign middle = Whole'($signed(middle_q)) << H;

    always_ff @(posedge clk_i) begin
      both_q   <= p0 + p1;
      pd_q     <= pd;
      middle_q <= both_q - pd_q;
      p0_q     <= p0;
      p1_q     <= p1;
      p1_q2    <= p1_q;
      p_o      <= middle + outer;
      if (idle_i) p0_q2 <= '0;
      else        p0_q2 <= p0_q;
    end

    logic unused_top;

    assign unused_top = ^{p0_q2[2*Part-1:2*H], p1_q2};
  end else if (Size <= 18) begin : gen_single
    logic unused_idle;

    assign unused_idle = idle_i;

    mm_block_mul #(
      .ABits(Size), .ASigned(1), .Cycles(3)
    ) u_block (
      .clk_i, .a_i, .b_i, .p_o
    );
  end else begin : gen_double
    logic unused_idle;

    assign unused_idle = idle_i;

    mm_fmlm3_double #(
      .Size(Size), .Narrow(Narrow)
    ) u_double (
      .clk_i, .a_i, .b_i, .p_o
    );
  end

endmodule

`default_nettype wire
