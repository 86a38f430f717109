// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split_result: steps 5 and 6 of mm_rrm_split: the complete sum, the multiple of M that makes the pending digits
// 0, and mm_rrm_converter, which adds both and puts out words of z.
//
// With Delay = 1 the pending digit is the lowest of S, with Delay = 2 also the one before it. In the first pass of
// step 0 it is row_i, S being 0.
//
`default_nettype none

module mm_rrm_split_result #(
  parameter int Word      = 16,
  parameter int Beats     = 16,
  parameter int DigitBits = 4,
  parameter int Digits    = 65,  // of the sum, but for that at the top
  parameter int Delay     = 1,
  parameter logic [Beats*Word-1:0] Modulus = '0,  // M, or 0 where it comes by words
  // Derived, not to be set.
  parameter int AddrBits  = Beats > 1 ? $clog2(Beats) : 1,
  parameter int Pending   = DigitBits * Delay
) (
  input  wire                         clk_i,
  input  wire                         m_load_i,
  input  wire  [AddrBits-1:0]         m_beat_i,
  input  wire  [Word-1:0]             m_word_i,
  input  wire  [Pending-1:0]          u_i,          // -1 / M mod 2^Pending
  input  wire                         take_i,       // the sum is there
  input  wire  [Digits*DigitBits-1:0] s_i,
  input  wire  [Digits-1:0]           c_i,
  input  wire  [Digits-1:0]           e_c_i,
  input  wire  [DigitBits-1:0]        top_i,
  input  wire  [DigitBits-1:0]        row_i,
  input  wire                         second_i,     // not the first pass of step 0
  input  wire                         read_i,
  input  wire                         first_i,
  output logic                        read_last_o,
  input  wire  [AddrBits-1:0]         word_i,
  input  wire                         move_i,
  output logic [Word-1:0]             z_o
);

  localparam int SumDigits = ((Beats + 1) * Word + DigitBits - 1) / DigitBits;
  localparam int SumBits   = SumDigits * DigitBits;

  // ---- step 5: q = -p / M for the pending digits p, and the sum in as many digits as the converter has

  logic [DigitBits-1:0]                    s_low;
  logic [Pending-1:0]                      pending, q_q;
  logic [SumBits+(Digits+1)*DigitBits-1:0] s_long;
  logic [SumBits-1:0]                      s_taken_q;
  logic [2*SumDigits-1:0]                  c_taken_q;
  logic                                    unused_long;

  assign s_low = s_i[DigitBits-1:0] | (row_i & {DigitBits{~second_i}});

  if (Delay == 1) begin : gen_pending_1
    assign pending = s_low;
  end else begin : gen_pending_2
    logic [DigitBits-1:0] low_q;
    always_ff @(posedge clk_i) low_q <= s_i[DigitBits-1:0];
    assign pending = {s_low, low_q};
  end

  assign s_long      = {{SumBits{top_i[DigitBits-1]}}, top_i, s_i};
  assign unused_long = ^s_long;

  always_ff @(posedge clk_i) begin
    q_q <= Pending'(pending * u_i);
    if (take_i) begin
      s_taken_q <= s_long[SumBits-1:0];
      c_taken_q <= {SumDigits'(e_c_i), SumDigits'(c_i)};
    end
  end

  // ---- steps 5 and 6: words of V and of z

  mm_rrm_converter #(
    .Word(Word), .Beats(Beats), .DigitBits(DigitBits), .Digits(SumDigits), .Pending(Pending), .Carries(2),
    .Modulus(Modulus)
  ) u_converter (
    .clk_i, .m_load_i, .m_beat_i, .m_word_i,
    .take_i, .s_i(s_taken_q), .c_i(c_taken_q), .q_i(q_q),
    .read_i, .first_i, .read_last_o, .word_i, .bare_i(1'b0), .move_i, .z_o
  );

endmodule

`default_nettype wire
