// SPDX-License-Identifier: Apache-2.0
//
// mm_imml_radix4: z = x * y mod M, radix-4 interleaved multiplier with the Montgomery powering
// ladder's concurrency, without Booth recoding (Javeed and Wang, reference [18]).
//
// Steps (n = Width, digits of y from the least significant end)
//    1  z = 0, R1 = x, R2 = 2x mod M, R3 = 3x mod M               0 <= R1, R2, R3 <= M
//    2  for i = 0, 2, 4 ... : ceil(n/2) digits, one a cycle, steps 3 to 5 at once
//    3    v = 0, R1, R2 or R3 by y[i+1], y[i]
//    4    R1, R2, R3 = 4 R1, 4 R2, 4 R3 mod M   EU1, EU2, EU3     0 <= R1, R2, R3 <= M
//    5    z = z + v mod M                       A/S               0 <= z < M
//
// Step 1 takes two cycles after loading: z starts as x, R2 is the first tap of EU1, then A/S adds
// R3 = z + R2.
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
`default_nettype none

module mm_imml_radix4 #(
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

  localparam int Digits   = Width > 2 ? (Width + 1) / 2 : 1;  // ceil(n/2)
  localparam int Steps    = Digits + 2;
  localparam int StepBits = $clog2(Steps);
  localparam int SrBits   = 2 * Digits;

  logic [Width-1:0]    m;
  logic                load, busy, first, second;
  logic [StepBits-1:0] step;
  logic [Width-1:0]    r1_q, r2_q, r3_q, z_q;
  logic [SrBits-1:0]   sr_q;
  logic [1:0]          digit;
  logic [Width-1:0]    v, z_next;
  logic [Width-1:0]    r1_tap, r1_next, r2_next, r3_next, unused_r2_tap, unused_r3_tap;

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

  // Step 3; in step 1 R2, to be added to z = x.
  assign digit = second ? 2'd2 : sr_q[1:0];

  always_comb begin
    unique case (digit)
      2'd0:    v = '0;
      2'd1:    v = r1_q;
      2'd2:    v = r2_q;
      default: v = r3_q;
    endcase
  end

  // Step 4.
  mm_mod_shift #(.Width(Width), .Shift(2)) u_eu1 (
    .m_i(m), .r_i(r1_q), .taps_o({r1_next, r1_tap})
  );
  mm_mod_shift #(.Width(Width), .Shift(2)) u_eu2 (
    .m_i(m), .r_i(r2_q), .taps_o({r2_next, unused_r2_tap})
  );
  mm_mod_shift #(.Width(Width), .Shift(2)) u_eu3 (
    .m_i(m), .r_i(r3_q), .taps_o({r3_next, unused_r3_tap})
  );

  // Step 5; in step 1 the sum for R3.
  mm_mod_addsub #(
    .Width(Width)
  ) u_as (
    .m_i(m), .sub_i(1'b0), .a_i(z_q), .v_i(v), .z_o(z_next)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      r1_q <= x_i;
      z_q  <= x_i;
      sr_q <= SrBits'(y_i);
    end else if (busy) begin
      if (first) begin  // step 1
        r2_q <= r1_tap;
      end else if (second) begin
        r3_q <= z_next;
        z_q  <= '0;
      end else begin
        r1_q <= r1_next;
        r2_q <= r2_next;
        r3_q <= r3_next;
        z_q  <= z_next;
        sr_q <= SrBits'({2'b0, sr_q} >> 2);
      end
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
