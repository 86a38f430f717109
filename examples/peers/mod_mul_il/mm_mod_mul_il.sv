// SPDX-License-Identifier: Apache-2.0
//
// mm_mod_mul_il: mod_mul_il of momalab/modular-multipliers behind our port list.
//
//   operation   starts in the cycle that accepts x and y. Theirs ends when no bit of x is left, and its result stays; a
//               counter waits for the longest x, so that the time is always the same.
//   latency     n; the interval is the same.
//
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y < M.
//
`default_nettype none

module mm_mod_mul_il #(
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

  localparam int Steps    = Width < 3 ? 2 : Width - 1;
  localparam int StepBits = Steps > 1 ? $clog2(Steps) : 1;

  logic [Width-1:0]    m;
  logic [StepBits-1:0] unused_step;
  logic                load, unused_busy, unused_done;

  mm_frame #(
    .Width(Width),
    .Steps(Steps)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_o(m), .load_o(load), .busy_o(unused_busy), .step_o(unused_step)
  );

  if (Width < 3) begin : gen_illegal
    illegal_parameter_Width_must_be_at_least_3 u_illegal ();
  end else begin : gen_theirs
    mod_mul_il #(
      .NBITS(Width)
    ) u_theirs (
      .clk(clk_i), .rst_n(rst_ni), .enable_p(load), .a(x_i), .b(y_i), .m, .y(z_o), .done_irq_p(unused_done)
    );
  end

endmodule

`default_nettype wire
