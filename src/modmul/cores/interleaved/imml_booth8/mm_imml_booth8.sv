// SPDX-License-Identifier: Apache-2.0
//
// mm_imml_booth8: z = x * y mod M, Booth-encoded radix-8 interleaved multiplier with the Montgomery
// powering ladder's concurrency (Javeed and Wang, Algorithm 3 and Fig. 4).
//
// Steps (Algorithm 3, in its order; n = Width, digits taken from the least significant end)
//    1  z = 0, R1 = x, R2 = 2x, R3 = 3x, R4 = 4x mod M            0 <= R1 ... R4 <= M
//    2  for i = 0, 3, 6 ... : ceil((n+1)/3) digits, one a cycle
//    3    v = 0, R1, R2, R3 or R4 by the Booth digit of y[i+2] ... y[i-1]
//    4    Rk = 8 Rk mod M                 PU1 ... PU4             0 <= R1 ... R4 <= M
//    5    z = z - v or z + v mod M        A/S                     0 <= z < M
//    6  return z
//
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
// SharedTaps = 0: the paper's structure. Step 1 takes two cycles: R2 and R4 are the first two taps of
// PU1; then A/S, with z = x, adds R3 = x + R2.
// SharedTaps = 1: R2 and R4 are what PU1's first two A1 blocks put out anyway, so PU2 and PU4 are omitted; a register
// for v (the retimed multiplexer) keeps the taps out of the path through A/S; in step 1 it holds 2x.
//
`default_nettype none

module mm_imml_booth8 #(
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

  localparam int Digits   = (Width + 3) / 3;      // ceil((n+1)/3)
  localparam int Steps    = Digits + 2 + SharedTaps;
  localparam int StepBits = $clog2(Steps);
  localparam int SrBits   = 3 * Digits + 1;       // y with y[-1] below and zeros above

  logic [Width-1:0]    m;
  logic                load, busy, first, second;
  logic [StepBits-1:0] step;
  logic [Width-1:0]    r1_q, r3_q, z_q;
  logic [SrBits-1:0]   sr_q;
  logic                neg;
  logic [2:0]          mag;
  logic [Width-1:0]    r1_tap2, r1_tap4, r1_next, r3_next, unused_r3_tap2, unused_r3_tap4;
  logic [Width-1:0]    z_next;

  mm_frame #(
    .Width(Width),
    .Steps(Steps)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_o(m), .load_o(load), .busy_o(busy), .step_o(step)
  );

  assign first  = step == '0;
  assign second = step == StepBits'(1);

  // Step 3: the BE block on the foot of the shift register SR.
  mm_booth_recoder #(
    .Radix2(3)
  ) u_be (
    .window_i(sr_q[3:0]), .neg_o(neg), .mag_o(mag)
  );

  // Step 4: PU1 and PU3. The taps of PU1 are 2 R1 and 4 R1 mod M.
  mm_mod_shift #(
    .Width(Width), .Shift(3)
  ) u_pu1 (
    .m_i(m), .r_i(r1_q), .taps_o({r1_next, r1_tap4, r1_tap2})
  );

  mm_mod_shift #(
    .Width(Width), .Shift(3)
  ) u_pu3 (
    .m_i(m), .r_i(r3_q), .taps_o({r3_next, unused_r3_tap4, unused_r3_tap2})
  );

  if (SharedTaps == 0) begin : gen_paper
    logic [Width-1:0] r2_q, r4_q, v;
    logic [Width-1:0] r2_next, unused_r2_tap2, unused_r2_tap4;
    logic [Width-1:0] r4_next, unused_r4_tap2, unused_r4_tap4;

    // Step 4: PU2 and PU4.
    mm_mod_shift #(
      .Width(Width), .Shift(3)
    ) u_pu2 (
      .m_i(m), .r_i(r2_q), .taps_o({r2_next, unused_r2_tap4, unused_r2_tap2})
    );

    mm_mod_shift #(
      .Width(Width), .Shift(3)
    ) u_pu4 (
      .m_i(m), .r_i(r4_q), .taps_o({r4_next, unused_r4_tap4, unused_r4_tap2})
    );

    // Step 3: the multiple; in step 1 R2, to be added to z = x.
    always_comb begin
      unique case (second ? 3'd2 : mag)
        3'd0:    v = '0;
        3'd1:    v = r1_q;
        3'd2:    v = r2_q;
        3'd3:    v = r3_q;
        default: v = r4_q;
      endcase
    end

    // Step 5: A/S.
    mm_mod_addsub #(
      .Width(Width)
    ) u_as (
      .m_i(m), .sub_i(neg & ~second), .a_i(z_q), .v_i(v), .z_o(z_next)
    );

    always_ff @(posedge clk_i) begin
      if (load) begin  // step 1
        r1_q <= x_i;
        z_q  <= x_i;
        sr_q <= SrBits'({y_i, 1'b0});
      end else if (busy && first) begin
        r2_q <= r1_tap2;
        r4_q <= r1_tap4;
      end else if (busy && second) begin
        r3_q <= z_next;
        z_q  <= '0;
      end else if (busy) begin
        r1_q <= r1_next;
        r2_q <= r2_next;
        r3_q <= r3_next;
        r4_q <= r4_next;
        z_q  <= z_next;
        sr_q <= sr_q >> 3;
      end
    end
  end else begin : gen_shared
    logic [Width-1:0] v, v_q;
    logic             neg_q;

    // Step 3 with R2 and R4 from the taps of PU1; in step 1 2x.
    always_comb begin
      unique case (first ? 3'd2 : mag)
        3'd0:    v = '0;
        3'd1:    v = r1_q;
        3'd2:    v = r1_tap2;
        3'd3:    v = r3_q;
        default: v = r1_tap4;
      endcase
    end

    // Step 5: A/S, one cycle after the digit.
    mm_mod_addsub #(
      .Width(Width)
    ) u_as (
      .m_i(m), .sub_i(neg_q), .a_i(z_q), .v_i(v_q), .z_o(z_next)
    );

    always_ff @(posedge clk_i) begin
      if (load) begin  // step 1
        r1_q <= x_i;
        z_q  <= x_i;
        sr_q <= SrBits'({y_i, 1'b0});
      end else if (busy && second) begin
        r3_q <= z_next;
        z_q  <= '0;
      end else if (busy && !first) begin
        r1_q <= r1_next;
        r3_q <= r3_next;
        z_q  <= z_next;
        sr_q <= sr_q >> 3;
      end
      if (busy) begin
        v_q   <= v & {Width{~second}};
        neg_q <= neg & ~first & ~second;
      end
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
