// SPDX-License-Identifier: Apache-2.0
//
// mm_interleaved_radix2_parallel: z = x * y mod M, radix-2 interleaved multiplication whose doubling and addition run
// in parallel (Javeed and Wang, reference [16]).
//
// Steps (n = Width, multiplier bits from the least significant end)
//    1  z = 0, R = x                                              0 <= R <= M
//    2  for i = 0 ... n-1, one bit a cycle, steps 3 and 4 at once
//    3    if y_i: z = z + R mod M         A/S                     0 <= z < M
//    4    R = 2R mod M                    A1                      0 <= R <= M
//
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
`default_nettype none

module mm_interleaved_radix2_parallel #(
  parameter int Width = 256
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

  localparam int Steps    = Width;
  localparam int StepBits = $clog2(Steps);

  logic [Width-1:0]    m;
  logic                load, busy;
  logic [StepBits-1:0] unused_step;
  logic [Width-1:0]    r_q, y_q, z_q;
  logic [Width-1:0]    r_next, z_next;

  mm_frame #(
    .Width(Width),
    .Steps(Steps)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_o(m), .load_o(load), .busy_o(busy), .step_o(unused_step)
  );

  // Step 3.
  mm_mod_addsub #(
    .Width(Width)
  ) u_as (
    .m_i(m), .sub_i(1'b0), .a_i(z_q), .v_i(r_q & {Width{y_q[0]}}), .z_o(z_next)
  );

  // Step 4.
  mm_mod_double #(
    .Width(Width)
  ) u_a1 (
    .m_i(m), .r_i(r_q), .z_o(r_next)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin  // step 1
      r_q <= x_i;
      y_q <= y_i;
      z_q <= '0;
    end else if (busy) begin
      r_q <= r_next;
      y_q <= y_q >> 1;
      z_q <= z_next;
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
