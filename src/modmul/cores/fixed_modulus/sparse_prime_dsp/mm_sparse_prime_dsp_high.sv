// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_high: H of mm_sparse_prime_dsp, word by word, and the carries that belong to its digits. The row
// puts out a group of it each cycle. A register for each digit stores it, and the words are chosen from these:
// take_i[j] is high with group j, pick_i[j] with the j-th word to choose, which comes two cycles later. With Direct a
// group is a word, the order is right, and nothing is stored: a word comes a cycle after its group.
//
`default_nettype none

module mm_sparse_prime_dsp_high #(
  parameter int Digit   = 16,
  parameter int Lanes   = 2,     // digits of a word
  parameter int Beats   = 8,     // words of H
  parameter int Row     = 16,    // digits of a group
  parameter int Groups  = 1,
  parameter bit Direct  = 1'b0,
  parameter bit Highest = 1'b0,  // the highest word first, otherwise the lowest
  // Derived, not to be set.
  parameter int Word = Lanes * Digit
) (
  input  wire                  clk_i,
  input  wire  [Groups-1:0]    take_i,
  input  wire  [Beats-1:0]     pick_i,
  input  wire  [Row*Digit-1:0] above_i,
  input  wire  [Row*2-1:0]     carries_i,
  output logic [Word-1:0]      h_o,
  output logic [Word-1:0]      carries_o   // with it
);

  localparam int Steps = Lanes * Beats;

  logic [Lanes-1:0][1:0] pairs;  // the carries that count at a digit of a word

  if (Direct) begin : gen_direct
    logic unused_when;
    assign unused_when = ^{take_i, pick_i};
    assign pairs       = carries_i;
    always_ff @(posedge clk_i) h_o <= above_i;
  end else begin : gen_taken
    logic [Steps*Digit-1:0] taken, chosen_q;
    logic [Steps*2-1:0]     taken_carries, chosen_carries_q;
    logic [Word-1:0]        any;
    logic [Lanes*2-1:0]     any_carries;

    for (genvar i = 0; i < Steps; i++) begin : gen_digit
      if (i < Groups * Row) begin : gen_some
        logic [Digit-1:0] digit_q;
        logic [1:0]       carry_q;
        always_ff @(posedge clk_i) begin
          if (take_i[i/Row]) begin
            digit_q <= above_i[(i%Row)*Digit+:Digit];
            carry_q <= carries_i[(i%Row)*2+:2];
          end
        end
        assign taken[i*Digit+:Digit] = digit_q;
        assign taken_carries[i*2+:2] = carry_q;
      end else begin : gen_none
        assign taken[i*Digit+:Digit] = '0;
        assign taken_carries[i*2+:2] = '0;
      end
    end

    for (genvar j = 0; j < Beats; j++) begin : gen_word
      always_ff @(posedge clk_i) begin
        if (pick_i[Highest?Beats-1-j:j]) begin
          chosen_q[j*Word+:Word]               <= taken[j*Word+:Word];
          chosen_carries_q[j*Lanes*2+:Lanes*2] <= taken_carries[j*Lanes*2+:Lanes*2];
        end else begin
          chosen_q[j*Word+:Word]               <= '0;
          chosen_carries_q[j*Lanes*2+:Lanes*2] <= '0;
        end
      end
    end

    always_comb begin
      any         = '0;
      any_carries = '0;
      for (int j = 0; j < Beats; j++) begin
        any         = any | chosen_q[j*Word+:Word];
        any_carries = any_carries | chosen_carries_q[j*Lanes*2+:Lanes*2];
      end
    end

    assign pairs = any_carries;
    always_ff @(posedge clk_i) h_o <= any;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_carries
    logic [1:0] count_q;
    always_ff @(posedge clk_i) count_q <= {&pairs[l], ^pairs[l]};
    assign carries_o[l*Digit+:Digit] = Digit'(count_q);
  end

endmodule

`default_nettype wire
