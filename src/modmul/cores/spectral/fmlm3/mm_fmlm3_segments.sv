// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_segments: the time domain (Dai et al., Sections 5.3 and 5.4, Figs. 6 and 7): memories of the numbers
// x, y, z, t, N and t - N in segments of 2^LogSeg digits, Ripple Carry Adder, Subtracters and Shift Module.
//
// Steps (line numbers of Algorithm 2, in brackets those of Algorithm 3)
//    3       z0 = z mod R, z = g of step 2                        0 <= z0 <= R, on its way to the transforms
//    7  (4)  m = z mod R, z = z1 of step 6                        0 <= m <= R, likewise
//   14  (5)  S = z mod Q', z = z4 of step 13, as low - top        0 <= low < 2^l, top = -1, 0, 1
//   15-17    t and t - N: mm_fmlm3_result                         0 <= t < 2N
// x, y and the last result of a chain pass the adder unchanged on their way to the transforms.
//
// z comes from the Final Stage Operators as digits and a carry above each half. Modulo R the digits of the sum go to
// the transforms, and digit 0 again with the carry out of the highest, 0 or 1, added: it may be 2^u.
//
//   cycle after a segment's address   what
//   1                                 the segment, out of its memory: a block of RAM takes most of a cycle
//   2                                 in the Ripple Carry Adder
//   3                                 digits_o; low of step 14 back into the memory
//   4, 5                              steps 15 to 17: t, t - N into the memories
//
`default_nettype none

module mm_fmlm3_segments #(
  parameter int Digit     = 16,
  parameter int LogSeg    = 2,
  parameter int SegIndex  = 4,       // bits of a segment's number
  parameter int CarryBits = 50,
  parameter int TimeBits  = 8,
  parameter int Spectral  = 0,
  // Derived, not to be set.
  parameter int SegBits   = Digit << LogSeg
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  // Digits of x and y, or of N, from the port.
  input  wire                  operand_i,
  input  wire  [Digit-1:0]     x_i,
  input  wire  [Digit-1:0]     y_i,
  input  wire                  modulus_i,
  input  wire                  first_digit_i,
  input  wire  [Digit-1:0]     n_i,
  // Digits of z from the Final Stage Operators, and the carries above them.
  input  wire                  final_i,
  input  wire  [Digit-1:0]     low_digit_i,
  input  wire  [Digit-1:0]     high_digit_i,
  input  wire  [CarryBits-1:0] low_carry_i,
  input  wire  [CarryBits-1:0] high_carry_i,
  // What runs (mm_fmlm3_control).
  input  wire                  square_i,
  input  wire                  chain_i,
  input  wire                  x_lsb_i,        // the lowest bits of x and y, with Spectral
  input  wire                  y_lsb_i,
  input  wire  [TimeBits-1:0]  time_i,
  input  wire                  last_time_i,
  input  wire                  load_i,
  input  wire                  from_y_i,
  input  wire                  result_i,
  input  wire                  inject_i,
  input  wire                  reduce_i,
  input  wire                  m_i,
  input  wire                  fft_i,
  input  wire                  subtract_i,
  // Digits on their way to the transforms. Strobes: a segment's, digit 0 again; each a cycle before them and with them.
  output logic                 into_next_o,
  output logic                 again_next_o,
  output logic                 into_o,
  output logic                 again_o,
  output logic [SegIndex-1:0]  into_segment_o,
  output logic [SegBits-1:0]   digits_o,
  output logic [Digit-1:0]     digit0_o,
  output logic                 carry_o,
  // Segments of the result, a cycle after their address, while nothing runs.
  input  wire                  running_i,
  input  wire                  restart_i,
  input  wire  [SegIndex-1:0]  fetch_i,
  output logic [SegBits-1:0]   word_o
);

  localparam int Segs = 1 << SegIndex;

  // ---- digits become segments: x and y, N, z ---------------------------------------------------

  logic                restart, pair, low_full, low_modulus, low_halves, high_full, high_modulus, high_halves;
  logic [Digit-1:0]    pair_low, pair_high;
  logic [SegIndex-1:0] low_segment, high_segment;
  logic [SegBits-1:0]  low, high;

  assign restart   = restart_i | (fft_i & (time_i == '0));
  assign pair      = operand_i | modulus_i | final_i;
  assign pair_low  = final_i ? low_digit_i : modulus_i ? n_i : x_i;
  assign pair_high = final_i ? high_digit_i : y_i;

  mm_fmlm3_gather #(
    .Digit(Digit), .LogSeg(LogSeg), .SegIndex(SegIndex)
  ) u_gather (
    .clk_i, .rst_ni, .restart_i(restart), .pair_i(pair), .low_i(pair_low), .high_i(pair_high),
    .modulus_i, .halves_i(final_i),
    .low_full_o(low_full), .low_modulus_o(low_modulus), .low_halves_o(low_halves), .low_segment_o(low_segment),
    .low_o(low),
    .high_full_o(high_full), .high_modulus_o(high_modulus), .high_halves_o(high_halves),
    .high_segment_o(high_segment), .high_o(high)
  );

  // ---- the segment that is read, and those that are on their way ------------------------------

  logic [SegIndex-1:0] seg, seg_q, seg_q2, seg_q3, seg_q4, seg_q5;   // seg is read now
  logic                seg_valid, seg_valid_q, seg_valid_q2, seg_valid_q3;
  logic                first_q, first_q2, first_q3;            // the lowest segment
  logic                last_q, last_q2, last_q3;               // the highest one
  logic                subtract_q, subtract_q2, subtract_q3, subtract_q4, subtract_q5;

  assign seg       = SegIndex'(time_i);
  assign seg_valid = (load_i | subtract_i) & (time_i < TimeBits'(Segs));

  always_ff @(posedge clk_i) begin
    seg_q        <= seg;
    seg_q2       <= seg_q;
    seg_q3       <= seg_q2;
    seg_q4       <= seg_q3;
    seg_q5       <= seg_q4;
    seg_valid_q  <= seg_valid;
    seg_valid_q2 <= seg_valid_q;
    seg_valid_q3 <= seg_valid_q2;
    first_q      <= seg_valid & (seg == '0);
    first_q2     <= first_q;
    first_q3     <= first_q2;
    last_q       <= seg_valid & (seg == '1);
    last_q2      <= last_q;
    last_q3      <= last_q2;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {subtract_q5, subtract_q4, subtract_q3, subtract_q2, subtract_q} <= '0;
    end else begin
      subtract_q  <= subtract_i & seg_valid;
      subtract_q2 <= subtract_q;
      subtract_q3 <= subtract_q2;
      subtract_q4 <= subtract_q3;
      subtract_q5 <= subtract_q4;
    end
  end

  // ---- memories: regions 0 x, 1 y, 2 z and then low, 3 t; and 0 N, 1 t - N ---------------------

  logic [SegBits-1:0]  segment, modulus, sum, t, less;
  logic                write, modulus_write, low_back, is_less, use_less;
  logic [SegIndex+1:0] waddr, raddr;
  logic [SegIndex:0]   modulus_waddr, modulus_raddr;
  logic [SegBits-1:0]  wdata, modulus_wdata;

  assign low_back = load_i & reduce_i;
  assign write    = (low_full & ~low_modulus) | (high_full & ~high_modulus) | (low_back & seg_valid_q3) | subtract_q4;
  assign waddr    = subtract_q4 ? {2'd3, seg_q4} :
                    low_back    ? {2'd2, seg_q3} :
                    high_full   ? (high_halves ? {2'd2, high_segment | SegIndex'(Segs / 2)} : {2'd1, high_segment}) :
                                  {low_halves ? 2'd2 : 2'd0, low_segment};
  assign wdata    = subtract_q4 ? t : low_back ? sum : high_full ? high : low;
  assign raddr    = !running_i ? {2'd3, fetch_i} :
                    {(inject_i | subtract_i) ? 2'd2 : result_i ? 2'd3 : {1'b0, from_y_i}, seg};

  mm_fmlm3_ram #(
    .Bits(SegBits), .Depth(4 * Segs)
  ) u_segments (
    .clk_i, .write_i(write), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(raddr), .rdata_o(segment)
  );

  assign modulus_write = (low_full & low_modulus) | subtract_q5;
  assign modulus_waddr = subtract_q5 ? {1'b1, seg_q5} : {1'b0, low_segment};
  assign modulus_wdata = subtract_q5 ? less : low;
  assign modulus_raddr = !running_i ? {1'b1, fetch_i} : subtract_i ? {1'b0, seg_q2} : {1'b1, seg};

  mm_fmlm3_ram #(
    .Bits(SegBits), .Depth(2 * Segs)
  ) u_n (
    .clk_i, .write_i(modulus_write), .waddr_i(modulus_waddr), .wdata_i(modulus_wdata), .raddr_i(modulus_raddr),
    .rdata_o(modulus)
  );

  // Step 17: the result is t - N or t.
  assign use_less = is_less & (~running_i | result_i);
  assign word_o   = use_less ? modulus : segment;

  logic [SegBits-1:0] word_q, modulus_q;

  always_ff @(posedge clk_i) begin
    word_q    <= word_o;
    modulus_q <= modulus;
  end

  // ---- steps 3, 7 and 14: the Ripple Carry Adder ----------------------------------------------

  logic [1:0] top, top_q;
  logic       load_carries, middle;

  assign load_carries = load_i & (time_i == TimeBits'(1));
  assign middle       = seg_valid_q2 & (seg_q2 == SegIndex'(Segs / 2 - 1));

  mm_fmlm3_rca #(
    .Bits(SegBits), .CarryBits(CarryBits)
  ) u_rca (
    .clk_i, .load_i(load_carries), .inject_i, .subtract_i(reduce_i),
    .low_carry_i, .high_carry_i, .middle_i(middle),
    .segment_i(word_q), .segment_o(sum), .top_o(top)
  );

  // Steps 3 and 7: a segment's digits go on in its own cycle, then once more digit 0 plus top.
  assign into_next_o  = load_i & ~reduce_i & seg_valid_q2;
  assign again_next_o = load_i & ~reduce_i & last_q3;
  assign digits_o     = sum;
  assign carry_o      = top_q[0];

  always_ff @(posedge clk_i) begin
    into_o         <= into_next_o;
    again_o        <= again_next_o;
    into_segment_o <= seg_q2;
    if (first_q3)          digit0_o <= sum[Digit-1:0];
    if (load_i && last_q3) top_q    <= top;
  end

  // ---- steps 15 to 17 -------------------------------------------------------------------------

  logic n_there, x_there, y_there, s_there, m_there, m_lsb, pass_start, pass_end;

  assign n_there    = modulus_i & first_digit_i;
  assign x_there    = first_q3 & load_i & ~reduce_i & ~from_y_i & ~inject_i;
  assign y_there    = first_q3 & load_i & ~reduce_i & from_y_i;
  assign s_there    = first_q3 & low_back;
  assign m_there    = again_o & m_i;
  assign m_lsb      = digit0_o[0] ^ top_q[0];
  assign pass_start = subtract_i & (time_i == TimeBits'(1));
  assign pass_end   = subtract_i & last_time_i;

  mm_fmlm3_result #(
    .Bits(SegBits), .Spectral(Spectral)
  ) u_result (
    .clk_i, .square_i, .chain_i, .x_lsb_i, .y_lsb_i,
    .n_i(n_there), .n_lsb_i(n_i[0]), .x_i(x_there), .y_i(y_there), .s_i(s_there), .m_i(m_there), .m_lsb_i(m_lsb),
    .sum_i(seg_valid_q3), .first_sum_i(first_q3), .segment_sum_i(sum), .top_i(top_q),
    .start_i(pass_start), .end_i(pass_end), .first_i(first_q2), .last_i(last_q3),
    .segment_i(word_q), .modulus_i(modulus_q), .t_o(t), .less_o(less), .is_less_o(is_less)
  );

endmodule

`default_nettype wire
