// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_double: multiplier of the Karatsuba multiplier where its numbers have 19 to 25 bits, p = a * b, signed: two
// DSP blocks of 25 x 18 bits, or with Narrow one, and LUTs for the bits of b above the lowest 17.
// mm_fmlm3_double.ecp5.sv is the same in blocks of ECP5, which are 18 x 18 bits.
//
//    1  b = b1 * 2^17 + b0                                        0 <= b0 < 2^17
//    2  m0 = a * b0, m1 = a * b1
//    3  p = m1 * 2^17 + m0
//
// Latency 3 cycles, one for each step.
//
`default_nettype none

module mm_fmlm3_double #(
  parameter int Size   = 20,
  parameter int Narrow = 0,
  parameter int Block  = 18   // bits of a block's shorter operand; less for a proof
) (
  input  wire               clk_i,
  input  wire  [Size-1:0]   a_i,
  input  wire  [Size-1:0]   b_i,
  output logic [2*Size-1:0] p_o
);

  localparam int Whole = 2 * Size;
  localparam int Low   = Block - 1;     // of b, unsigned
  localparam int Rest  = Size - Low;    // of b, signed
  localparam int Wide  = Size + Rest;

  logic signed [Size-1:0]        a_q;
  logic signed [Low:0]           b0_q;
  logic signed [Size+Low:0]      m0_q;
  logic signed [Rest-1:0]        b1_q;
  logic signed [Size+Rest-1:0]   m1_q;
  logic signed [2*Size-1:0]      low, high;

  if (Narrow > 0) begin : gen_luts
    // a times the bits of b1, the top one negative.
    logic signed [Size+Rest-1:0] sum, wide;

    assign wide = Wide'(a_q);

    always_comb begin
      sum = '0;
      for (int k = 0; k < Rest; k++) begin
        if (b1_q[k]) sum = (k == Rest - 1) ? sum - (wide << k) : sum + (wide << k);
      end
    end

    always_ff @(posedge clk_i) m1_q <= sum;
  end else begin : gen_dsp
    always_ff @(posedge clk_i) m1_q <= a_q * b1_q;
  end

  always_ff @(posedge clk_i) begin
    a_q  <= a_i;
    b0_q <= {1'b0, b_i[Low-1:0]};
    b1_q <= b_i[Size-1:Low];
    m0_q <= a_q * b0_q;
    p_o  <= low + high;
  end

  assign low  = Whole'(m0_q);
  assign high = Whole'(m1_q) << Low;

endmodule

`default_nettype wire
