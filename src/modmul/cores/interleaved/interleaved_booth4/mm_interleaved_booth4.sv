// SPDX-License-Identifier: Apache-2.0
//
// mm_interleaved_booth4: z = x * y mod M, Booth-encoded radix-4 interleaved multiplication, serial
// (Javeed and Wang, reference [13]).
//
// Steps (n = Width, Booth digits from the most significant end)
//    1  R1 = x, R2 = 2x mod M, z = 0                              0 <= R1, R2 <= M
//    2  for each of ceil((n+1)/2) digits, one a cycle, steps 3 to 5 in series
//    3    v = 0, R1 or R2 by the Booth digit of y[i+1], y[i], y[i-1]
//    4    t = 4z mod M                    EU                      0 <= t < M
//    5    z = t - v or t + v mod M        A/S                     0 <= z < M
//
// Step 1 takes one cycle after loading: z starts as x, and R2 is the first tap of EU.
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
`default_nettype none

module mm_interleaved_booth4 #(
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

  localparam int Digits   = (Width + 2) / 2;  // ceil((n+1)/2)
  localparam int Steps    = Digits + 1;
  localparam int StepBits = $clog2(Steps);
  localparam int SrBits   = 2 * Digits + 1;   // y with y[-1] below and zeros above

  logic [Width-1:0]      m;
  logic                  load, busy, first;
  logic [StepBits-1:0]   step;
  logic [Width-1:0]      r1_q, r2_q, z_q;
  logic [SrBits-1:0]     sr_q;
  logic                  neg;
  logic [1:0]            mag;
  logic [Width-1:0]      v, z_next;
  logic [1:0][Width-1:0] eu;

  mm_frame #(
    .Width(Width),
    .Steps(Steps)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_o(m), .load_o(load), .busy_o(busy), .step_o(step)
  );

  assign first = step == '0;

  // Step 3: the BE block on the head of the shift register.
  mm_booth_recoder #(
    .Radix2(2)
  ) u_be (
    .window_i(sr_q[SrBits-1-:3]), .neg_o(neg), .mag_o(mag)
  );

  assign v = (mag[0] ? r1_q : '0) | (mag[1] ? r2_q : '0);

  // Step 4.
  mm_mod_shift #(
    .Width(Width), .Shift(2)
  ) u_eu (
    .m_i(m), .r_i(z_q), .taps_o(eu)
  );

  // Step 5.
  mm_mod_addsub #(
    .Width(Width)
  ) u_as (
    .m_i(m), .sub_i(neg), .a_i(eu[1]), .v_i(v), .z_o(z_next)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      r1_q <= x_i;
      z_q  <= x_i;
      sr_q <= SrBits'({y_i, 1'b0});
    end else if (busy) begin
      z_q <= first ? '0 : z_next;
      if (first) r2_q <= eu[0];  // step 1
      else       sr_q <= sr_q << 2;
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
