// SPDX-License-Identifier: Apache-2.0
//
// mm_imml_radix8: z = x * y mod M, radix-8 interleaved multiplier with the Montgomery powering
// ladder's concurrency, without Booth recoding (Javeed and Wang: reference [18] extended to radix 8).
//
// Steps (n = Width, digits of y from the least significant end)
//    1  z = 0, Rk = k x mod M for k = 1 ... 7                     0 <= R1 ... R7 <= M
//    2  for i = 0, 3, 6 ... : ceil(n/3) digits, one a cycle, steps 3 to 5 at once
//    3    v = 0 or R1 ... R7 by y[i+2], y[i+1], y[i]
//    4    Rk = 8 Rk mod M                 PU1 ... PU7             0 <= R1 ... R7 <= M
//    5    z = z + v mod M                 A/S                     0 <= z < M
//
// Step 1 takes four cycles after loading; z starts as x and stays so until the last of them:
//    R2, R4 from PU1's taps | R3 = z + R2 | R5 = z + R4, R6 from PU3's first tap | R7 = z + R6.
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
`default_nettype none

module mm_imml_radix8 #(
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

  localparam int Digits   = Width > 3 ? (Width + 2) / 3 : 1;  // ceil(n/3)
  localparam int Steps    = Digits + 4;
  localparam int StepBits = $clog2(Steps);
  localparam int SrBits   = 3 * Digits;

  logic [Width-1:0]      m;
  logic                  load, busy, pre;
  logic [StepBits-1:0]   step;
  logic [Width-1:0]      z_q;
  logic [7:1][Width-1:0] r_q;
  logic [7:1][Width-1:0] pu_tap2, pu_tap4, pu;
  logic [SrBits-1:0]     sr_q;
  logic [2:0]            digit;
  logic [Width-1:0]      v, z_next;
  logic                  unused_taps;

  mm_frame #(
    .Width(Width),
    .Steps(Steps)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_o(m), .load_o(load), .busy_o(busy), .step_o(step)
  );

  assign pre = step < StepBits'(4);

  // Step 3; in step 1 the multiple to add to z = x: R2, R4, R6.
  assign digit = pre ? {step[1:0], 1'b0} : sr_q[2:0];

  always_comb begin
    v = '0;
    for (int k = 1; k < 8; k++) begin
      if (digit == 3'(k)) v = r_q[k];
    end
  end

  // Step 4.
  for (genvar k = 1; k < 8; k++) begin : gen_pu
    mm_mod_shift #(
      .Width(Width), .Shift(3)
    ) u_pu (
      .m_i(m), .r_i(r_q[k]), .taps_o({pu[k], pu_tap4[k], pu_tap2[k]})
    );
  end

  assign unused_taps = ^{pu_tap4, pu_tap2};  // only PU1 and PU3 have their taps used

  // Step 5; in step 1 the sums for R3, R5, R7.
  mm_mod_addsub #(
    .Width(Width)
  ) u_as (
    .m_i(m), .sub_i(1'b0), .a_i(z_q), .v_i(v), .z_o(z_next)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      r_q[1] <= x_i;
      z_q    <= x_i;
      sr_q   <= SrBits'(y_i);
    end else if (busy && pre) begin  // step 1
      unique case (step)
        StepBits'(0): begin
          r_q[2] <= pu_tap2[1];
          r_q[4] <= pu_tap4[1];
        end
        StepBits'(1): r_q[3] <= z_next;
        StepBits'(2): begin
          r_q[5] <= z_next;
          r_q[6] <= pu_tap2[3];
        end
        default: begin
          r_q[7] <= z_next;
          z_q    <= '0;
        end
      endcase
    end else if (busy) begin
      r_q  <= pu;
      z_q  <= z_next;
      sr_q <= SrBits'({3'b0, sr_q} >> 3);
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
