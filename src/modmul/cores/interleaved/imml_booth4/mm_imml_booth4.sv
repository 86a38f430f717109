// SPDX-License-Identifier: Apache-2.0
//
// mm_imml_booth4: z = x * y mod M, Booth-encoded radix-4 interleaved multiplier with the Montgomery
// powering ladder's concurrency (Javeed and Wang, Algorithm 2 and Fig. 3).
//
// Steps (Algorithm 2, its line numbers; n = Width, digits taken from the least significant end)
//    1  z = 0, R1 = x, R2 = 2x mod M                              0 <= R1, R2 <= M
//    2  for i = 0, 2, 4 ... : ceil((n+1)/2) digits, one a cycle
//  3-8    v = 0, R1 or R2 by the Booth digit of y[i+1], y[i], y[i-1]
//    9    R1 = 4 R1 mod M                 EU1                     0 <= R1 <= M
//   10    R2 = 4 R2 mod M                 EU2                     0 <= R2 <= M
// 11-14   z = z - v or z + v mod M        A/S                     0 <= z < M
//   15  return z
//
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
// SharedTaps = 0: the paper's structure. Step 1 takes R2 from EU1's first A1 block, in one cycle.
// SharedTaps = 1: R2 is what EU1's first A1 block puts out anyway, so EU2 and the precomputation are omitted; a
// register for v (the retimed multiplexer) keeps the taps out of the path through A/S.
//
`default_nettype none

module mm_imml_booth4 #(
  parameter int Width      = 256,
  parameter int SharedTaps = 0
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

  if (SharedTaps < 0 || SharedTaps > 1) begin : gen_illegal_taps
    illegal_parameter_SharedTaps_must_be_0_or_1 u_illegal ();
  end

  localparam int Digits   = (Width + 2) / 2;  // ceil((n+1)/2)
  localparam int Steps    = Digits + 1;       // and one cycle of step 1, or to fill v's register
  localparam int StepBits = $clog2(Steps);
  localparam int SrBits   = 2 * Digits + 1;   // y with y[-1] below and zeros above

  logic [Width-1:0]      m;
  logic                  load, busy, first;
  logic [StepBits-1:0]   step;
  logic [Width-1:0]      r1_q, z_q;
  logic [SrBits-1:0]     sr_q;
  logic                  neg;
  logic [1:0]            mag;
  logic [1:0][Width-1:0] eu1;
  logic [Width-1:0]      z_next;

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

  // Steps 3 to 8: the BE block on the foot of the shift register SR.
  mm_booth_recoder #(
    .Radix2(2)
  ) u_be (
    .window_i(sr_q[2:0]), .neg_o(neg), .mag_o(mag)
  );

  // Step 9: EU1. Its first tap is 2 R1 mod M.
  mm_mod_shift #(
    .Width(Width), .Shift(2)
  ) u_eu1 (
    .m_i(m), .r_i(r1_q), .taps_o(eu1)
  );

  if (SharedTaps == 0) begin : gen_paper
    logic [Width-1:0] r2_q, v;
    logic [Width-1:0] r2_next, unused_tap;

    // Step 10: EU2.
    mm_mod_shift #(
      .Width(Width), .Shift(2)
    ) u_eu2 (
      .m_i(m), .r_i(r2_q), .taps_o({r2_next, unused_tap})
    );

    // Steps 3 to 8: the multiple.
    assign v = (mag[0] ? r1_q : '0) | (mag[1] ? r2_q : '0);

    // Steps 11 to 14: A/S.
    mm_mod_addsub #(
      .Width(Width)
    ) u_as (
      .m_i(m), .sub_i(neg), .a_i(z_q), .v_i(v), .z_o(z_next)
    );

    always_ff @(posedge clk_i) begin
      if (load) begin  // step 1
        r1_q <= x_i;
        z_q  <= '0;
        sr_q <= SrBits'({y_i, 1'b0});
      end else if (busy && !first) begin
        r1_q <= eu1[1];
        z_q  <= z_next;
        sr_q <= sr_q >> 2;
      end
      if (busy) r2_q <= first ? eu1[0] : r2_next;  // step 1: R2 = 2x mod M; then step 10
    end
  end else begin : gen_shared
    logic [Width-1:0] v_q;
    logic             neg_q;

    // Steps 11 to 14: A/S, one cycle after the digit.
    mm_mod_addsub #(
      .Width(Width)
    ) u_as (
      .m_i(m), .sub_i(neg_q), .a_i(z_q), .v_i(v_q), .z_o(z_next)
    );

    always_ff @(posedge clk_i) begin
      if (load) begin  // step 1
        r1_q <= x_i;
        z_q  <= '0;
        sr_q <= SrBits'({y_i, 1'b0});
      end else if (busy) begin
        r1_q <= eu1[1];
        if (!first) z_q <= z_next;
        sr_q <= sr_q >> 2;
      end
      // Steps 3 to 8 with R2 = eu1[0]: the multiple and its sign, registered.
      v_q   <= (mag[0] ? r1_q : '0) | (mag[1] ? eu1[0] : '0);
      neg_q <= neg;
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
