// SPDX-License-Identifier: Apache-2.0
//
// mm_interleaved_radix2: z = x * y mod M, Blakley's interleaved multiplication, serial
// (Javeed and Wang, reference [7]; Amanor et al., Algorithm 1).
//
// Steps (Amanor et al., Algorithm 1, its line numbers; z is its P, n = Width)
//    1  z = 0
//    2  for i = n-1 ... 0, one bit a cycle
//  3-5    t = 2z + x_i * y                                        0 <= t <= 3M - 2
//    6    if t >= M: t = t - M                                    0 <= t <= 2M - 2
//    7    if t >= M: t = t - M, which is the next z               0 <= z < M
//
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
`default_nettype none

module mm_interleaved_radix2 #(
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
  logic [Width-1:0]    x_q, y_q, z_q;
  logic [Width+1:0]    t, t1, t2;

  mm_frame #(
    .Width(Width),
    .Steps(Steps)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_o(m), .load_o(load), .busy_o(busy), .step_o(unused_step)
  );

  // Steps 3 to 5.
  assign t  = {1'b0, z_q, 1'b0} + {2'b00, y_q & {Width{x_q[Width-1]}}};
  // Step 6: t - M lies in [-M, 2M - 2]; the top bit is its sign.
  assign t1 = t - {2'b00, m};
  // Step 7: z_next = t - 2M where that is not negative.
  assign t2 = (t1[Width+1] ? t : t1) - {2'b00, m};

  always_ff @(posedge clk_i) begin
    if (load) begin  // step 1
      x_q <= x_i;
      y_q <= y_i;
      z_q <= '0;
    end else if (busy) begin
      x_q <= x_q << 1;
      z_q <= !t2[Width+1] ? t2[Width-1:0] : t1[Width+1] ? t[Width-1:0] : t1[Width-1:0];
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
