// SPDX-License-Identifier: Apache-2.0
//
// mm_interleaved_booth8: z = x * y mod M, Booth-encoded radix-8 interleaved multiplication, serial
// (Javeed and Wang, reference [13]).
//
// Steps (n = Width, Booth digits from the most significant end)
//    1  R1 = x, R2 = 2x, R3 = 3x, R4 = 4x mod M, z = 0            0 <= R1 ... R4 <= M
//    2  for each of ceil((n+1)/3) digits, one a cycle, steps 3 to 5 in series
//    3    v = 0, R1, R2, R3 or R4 by the Booth digit of y[i+2] ... y[i-1]
//    4    t = 8z mod M                    PU                      0 <= t < M
//    5    z = t - v or t + v mod M        A/S                     0 <= z < M
//
// Step 1 takes two cycles after loading: z starts as x, R2 and R4 are taps of PU, then A/S adds
// R3 = z + R2 past PU.
// Legal: 1 <= M < 2^n of either parity, 0 <= x, y <= M.
//
`default_nettype none

module mm_interleaved_booth8 #(
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

  localparam int Digits   = (Width + 3) / 3;  // ceil((n+1)/3)
  localparam int Steps    = Digits + 2;
  localparam int StepBits = $clog2(Steps);
  localparam int SrBits   = 3 * Digits + 1;   // y with y[-1] below and zeros above

  logic [Width-1:0]      m;
  logic                  load, busy, first, second;
  logic [StepBits-1:0]   step;
  logic [Width-1:0]      r1_q, r2_q, r3_q, r4_q, z_q;
  logic [SrBits-1:0]     sr_q;
  logic                  neg;
  logic [2:0]            mag;
  logic [Width-1:0]      v, z_next;
  logic [2:0][Width-1:0] pu;

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

  // Step 3: the BE block on the head of the shift register.
  mm_booth_recoder #(
    .Radix2(3)
  ) u_be (
    .window_i(sr_q[SrBits-1-:4]), .neg_o(neg), .mag_o(mag)
  );

  always_comb begin
    unique case (second ? 3'd2 : mag)
      3'd0:    v = '0;
      3'd1:    v = r1_q;
      3'd2:    v = r2_q;
      3'd3:    v = r3_q;
      default: v = r4_q;
    endcase
  end

  // Step 4.
  mm_mod_shift #(
    .Width(Width), .Shift(3)
  ) u_pu (
    .m_i(m), .r_i(z_q), .taps_o(pu)
  );

  // Step 5; in step 1 the sum for R3.
  mm_mod_addsub #(
    .Width(Width)
  ) u_as (
    .m_i(m), .sub_i(neg & ~second), .a_i(second ? z_q : pu[2]), .v_i(v), .z_o(z_next)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      r1_q <= x_i;
      z_q  <= x_i;
      sr_q <= SrBits'({y_i, 1'b0});
    end else if (busy) begin
      if (first) begin  // step 1
        r2_q <= pu[0];
        r4_q <= pu[1];
      end else begin
        z_q <= second ? '0 : z_next;
        if (second) r3_q <= z_next;  // step 1
        else        sr_q <= sr_q << 3;
      end
    end
  end

  assign z_o = z_q;

endmodule

`default_nettype wire
