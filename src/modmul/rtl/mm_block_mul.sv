// SPDX-License-Identifier: Apache-2.0
//
// mm_block_mul: p = a * b, Cycles later, each operand unsigned or, with ASigned or BSigned, signed. Written so that the
// registers are where multiplier blocks have theirs: at the operands, and one for each cycle after the product. For
// DSP48E1 synthesis finds them by itself; mm_block_mul.ecp5.sv is the same made of ECP5 blocks, and says which
// registers they use. Legal: Cycles from 1 on.
//
`default_nettype none

module mm_block_mul #(
  parameter int ABits   = 18,
  parameter int BBits   = ABits,
  parameter int ASigned = 0,
  parameter int BSigned = ASigned,
  parameter int Cycles  = 3
) (
  input  wire                    clk_i,
  input  wire  [ABits-1:0]       a_i,
  input  wire  [BBits-1:0]       b_i,
  output logic [ABits+BBits-1:0] p_o
);

  localparam int PBits = ABits + BBits;

  if (Cycles < 1) begin : gen_illegal_cycles
    illegal_parameter_Cycles_must_be_at_least_1 u_illegal ();
  end

  logic [ABits-1:0] a_q;
  logic [BBits-1:0] b_q;
  logic [PBits-1:0] product;

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
  end

  if (ASigned == 0 && BSigned == 0) begin : gen_unsigned
    assign product = PBits'(a_q) * PBits'(b_q);
  end else begin : gen_signed
    localparam int A = ASigned != 0 ? ABits : ABits + 1;
    localparam int B = BSigned != 0 ? BBits : BBits + 1;
    logic signed [A-1:0]     a;
    logic signed [B-1:0]     b;
    logic signed [PBits-1:0] wide;
    assign a       = A'(a_q);
    assign b       = B'(b_q);
    assign wide    = a * b;
    assign product = wide;
  end

  mm_delay #(
    .Bits(PBits), .Cycles(Cycles - 1)
  ) u_delay (
    .clk_i, .d_i(product), .q_o(p_o)
  );

endmodule

`default_nettype wire
