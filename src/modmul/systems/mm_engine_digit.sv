// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_digit: the bits of an exponent that a lane of mm_engine has last taken, from the top, and what they choose.
// A word of the exponent comes with load_i; take_i shifts its top bit into the digit. When either happens is the
// sequencer's to say: nothing here reaches it.
//
`default_nettype none

module mm_engine_digit #(
  parameter int Word      = 16,
  parameter int DigitBits = 4,
  parameter int Flags     = 0    // 1: there is a flag
) (
  input  wire                  clk_i,
  input  wire                  clear_i,
  input  wire                  load_i,
  input  wire  [Word-1:0]      word_i,
  input  wire                  take_i,
  output logic [DigitBits-1:0] digit_o,
  // Whether b comes in place of a: 0 never, 1 if the last two bits differ, 2 if the last is 1, 3 by the flag.
  input  wire  [1:0]           choose_i,
  input  wire                  flag_i,
  output logic                 chosen_o
);

  logic [DigitBits-1:0] digit_q;
  logic [Word-1:0]      word_q;
  logic                 by_digit;

  assign by_digit = (choose_i[0] & (digit_q[0] ^ digit_q[1])) | (choose_i[1] & digit_q[0]);
  assign digit_o  = digit_q;

  if (Flags != 0) begin : gen_flag
    assign chosen_o = &choose_i ? flag_i : by_digit;
  end else begin : gen_no_flag
    logic unused_flag;
    assign chosen_o    = by_digit;
    assign unused_flag = flag_i;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i)     digit_q <= '0;
    else if (take_i) digit_q <= {digit_q[DigitBits-2:0], word_q[Word-1]};
    if (load_i)      word_q <= word_i;
    else if (take_i) word_q <= Word'({word_q, 1'b0});
  end

endmodule

`default_nettype wire
