// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_pipelined: z = x * y mod M in GF(2^m) for the M of the build, operands and results every clock cycle.
//
// Steps (n = Width; all sums are without carries)
//    1  the operands of the short products, by Karatsuba's method    1 cycle
//    2  the short products, of at most Leaf bits                     1 cycle
//    3  t = x * y, put together of three products a level            a cycle a level     deg t < 2n - 1
//    4  z = t mod M                                                  1 cycle             deg z < n
//
// The pipeline never stalls. Results go through a memory with room for all operations in flight, and operands are only
// taken while there are fewer: so a waiting result does not lower the rate, and no enable goes to all registers.
//
// Legal: M = Modulus, of degree n with constant term 1, bit i for x^i; x and y of lower degree.
// Context: M without the term x^n.
//
`default_nettype none

module mm_gf2m_pipelined #(
  parameter int Width   = 256,
  parameter int Leaf    = 16,
  parameter     Modulus = 257'h1_00000000_00000000_00000000_00000000_00000000_00000000_00000000_00000425
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Width-1:0] ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Width-1:0] x_i,
  input  wire  [Width-1:0] y_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o
);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Leaf < 1) begin : gen_illegal_leaf
    illegal_parameter_Leaf_must_be_at_least_1 u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int L = Leaf >= 1 ? Leaf : 1;

  if (!Modulus[0] || Modulus >> N != 1) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_of_degree_Width_with_constant_term_1 u_illegal ();
  end

  localparam logic [N-1:0] M = N'(Modulus);  // without x^n

  // How often the operands are halved.
  function automatic int count_levels(input int bits);
    int rest;
    rest         = bits;
    count_levels = 0;
    for (int i = 0; i < 24; i++) begin
      if (rest > L) begin
        rest         = (rest + 1) / 2;
        count_levels = count_levels + 1;
      end
    end
  endfunction

  localparam int Depth = count_levels(N) + 3;
  localparam int Slots = Depth + 3;  // operations in flight

  // ---- context and operands

  logic [N-1:0] m;
  logic         legal, in_load, out_take;

  mm_pipelined_control #(
    .Width(N), .Beats(1), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_legal_i(legal), .out_take_i(out_take), .in_load_o(in_load), .ctx_o(m)
  );

  assign legal = m == M;

  // ---- steps 1 to 3

  logic [2*N-2:0] t;

  mm_gf2m_pipelined_product #(
    .Bits(N), .Leaf(L)
  ) u_product (
    .clk_i, .a_i(x_i), .b_i(y_i), .p_o(t)
  );

  // ---- step 4

  logic [N-1:0] z, z_q;

  mm_gf2m_reduce #(
    .Width(N), .Above(N - 1), .Modulus(Modulus)
  ) u_reduce (
    .t_i(t), .r_o(z)
  );

  always_ff @(posedge clk_i) z_q <= z;

  // ---- results

  mm_pipelined_results #(
    .Width(N), .Depth(Depth), .Slots(Slots)
  ) u_results (
    .clk_i, .rst_ni, .in_load_i(in_load), .z_i(z_q), .out_valid_o, .out_ready_i, .z_o, .out_take_o(out_take)
  );

endmodule

`default_nettype wire
