// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_column: a column of mm_montgomery_dsp: two multiplier blocks, the sum S and the sum V. In a folded
// build it serves a column of each of the Groups groups, one group a cycle, and all sums circulate with a period of
// Groups cycles.
//
//   cycle   in the slot of step t and a group, with Mul = 3                       step of mm_montgomery_dsp
//   0       digits x, y, s, K of the column at the blocks
//   4       products, each added to the high half of the column below
//   5       S = S of the column above, one step earlier, + both sums              3
//   5, 6    low and high half of s * K, + the S of step T; V = V + that           4
//
// A carry belongs to the next column. Step 3 shifts, so the next step has that column's digit in this column, and the
// carry of an addition enters the same addition of the next step. Step 4 does not shift: V has VBits bits in a column,
// and takes the carries that S leaves. It takes them while the next operation is in its step 0, for which S and the
// carries must be 0; so there are two copies of them.
//
`default_nettype none

module mm_montgomery_dsp_column #(
  parameter int Digit  = 18,
  parameter int VBits  = 22,
  parameter int Groups = 1,
  parameter int Mul    = 3,     // cycles of a product; what follows it comes later with it
  parameter bit Blocks = 1'b1,  // otherwise the products are 0
  parameter bit Drain  = 1'b1   // step 4 has something to add
) (
  input  wire              clk_i,
  input  wire              fresh_i,   // cycle 3: step 0, to which S and the carries of what was before do not count
  input  wire              blank_i,   // cycle 4: s * K is not for S
  input  wire              v_clear_i, // cycle 6, with Groups > 1 cycle 7: V is cleared, a step before
  input  wire              v_later_i, // cycle 5: not S goes to V, but what is behind it
  input  wire  [Digit-1:0] x_i,       // cycle 0
  input  wire  [Digit-1:0] y_i,
  input  wire  [Digit-1:0] s_i,
  input  wire  [Digit-1:0] k_i,
  input  wire  [Digit-1:0] high_x_i,  // cycle 4: from the column below
  input  wire  [Digit-1:0] high_s_i,
  output logic [Digit-1:0] high_x_o,
  output logic [Digit-1:0] high_s_o,
  input  wire  [Digit-1:0] above_i,   // cycle 5: S of the column above, one step earlier
  output logic [Digit-1:0] sum_o,     // cycle 6: S
  output logic [Digit-1:0] round_o,   // the same, Groups - 1 cycles later
  output logic [Digit-1:0] next_o,    // with it: what the next step takes of it; in step 0 nothing
  output logic [2:0]       carries_o, // with it: the carries that S leaves to the next column
  output logic [VBits-1:0] v_next_o,  // cycle 6, with Groups > 1 cycle 7: V
  output logic [VBits-1:0] v_o        // the same, a cycle later
);

  logic [2*Digit-1:0] product_x, product_s;
  logic [Digit-1:0]   low_x_q, low_s_q;

  if (Blocks) begin : gen_blocks
    mm_block_mul #(
      .ABits(Digit), .Cycles(Mul)
    ) u_x (
      .clk_i, .a_i(x_i), .b_i(y_i), .p_o(product_x)
    );
    mm_block_mul #(
      .ABits(Digit), .Cycles(Mul)
    ) u_s (
      .clk_i, .a_i(s_i), .b_i(k_i), .p_o(product_s)
    );
  end else begin : gen_none
    logic unused_digits;
    assign unused_digits = ^{x_i, y_i, s_i, k_i};
    assign product_x = '0;
    assign product_s = '0;
  end

  always_ff @(posedge clk_i) begin
    {high_x_o, low_x_q} <= product_x;
    {high_s_o, low_s_q} <= product_s;
  end

  // ---- cycle 4

  logic fresh_q;

  always_ff @(posedge clk_i) fresh_q <= fresh_i;

  logic [Digit-1:0] x_sum, s_sum, x_sum_q, s_sum_q, s_part;
  logic             x_carry, s_carry, x_late, x_next_q, x_round_q, s_round, s_carry_q;

  mm_montgomery_dsp_adder #(
    .Bits(Digit)
  ) u_add_x (
    .a_i(low_x_q), .b_i(high_x_i), .carry_i(x_next_q), .sum_o(x_sum), .carry_o(x_carry)
  );

  mm_montgomery_dsp_adder #(
    .Bits(Digit)
  ) u_add_s (
    .a_i(low_s_q), .b_i(high_s_i), .carry_i(s_round), .sum_o(s_sum), .carry_o(s_carry)
  );

  always_ff @(posedge clk_i) x_sum_q <= x_sum;

  // What does not count is 0 in its register. In a folded row, which has more registers, that takes more ways to resets
  // than there are: there the sums of s * K, and the tails of S for V, are masked where they are used.
  if (Groups == 1) begin : gen_clear
    always_ff @(posedge clk_i) {s_carry_q, s_sum_q} <= blank_i ? '0 : {s_carry, s_sum};
    assign s_part = s_sum_q;
  end else begin : gen_mask
    logic part_q;
    always_ff @(posedge clk_i) begin
      s_carry_q <= ~blank_i & s_carry;
      s_sum_q   <= s_sum;
      part_q    <= ~blank_i;
    end
    assign s_part = s_sum_q & {Digit{part_q}};
  end

  mm_delay #(
    .Bits(1), .Cycles(Groups - 1)
  ) u_x_late (
    .clk_i, .d_i(x_carry), .q_o(x_late)
  );

  always_ff @(posedge clk_i) begin
    x_round_q <= x_late;
    x_next_q  <= fresh_i ? 1'b0 : x_late;
  end

  mm_delay #(
    .Bits(1), .Cycles(Groups - 1)
  ) u_s_round (
    .clk_i, .d_i(s_carry_q), .q_o(s_round)
  );

  // ---- cycle 5: step 3, three numbers become two, and these a digit

  logic [Digit-1:0] ones, twos, sum;
  logic [Digit:0]   late;
  logic             twos_late, twos_next_q, twos_round_q, sum_carry, sum_next_q, sum_round_q;

  assign ones = above_i ^ x_sum_q ^ s_part;
  assign twos = (above_i & x_sum_q) | (above_i & s_part) | (x_sum_q & s_part);

  mm_montgomery_dsp_adder #(
    .Bits(Digit)
  ) u_add (
    .a_i(ones), .b_i({twos[Digit-2:0], twos_next_q}), .carry_i(sum_next_q), .sum_o(sum), .carry_o(sum_carry)
  );

  mm_delay #(
    .Bits(Digit + 2), .Cycles(Groups - 1)
  ) u_late (
    .clk_i, .d_i({twos[Digit-1], sum_carry, sum}), .q_o({twos_late, late})
  );

  always_ff @(posedge clk_i) begin
    sum_o                                <= sum;
    {twos_round_q, sum_round_q, round_o} <= {twos_late, late};
    {twos_next_q, sum_next_q, next_o}    <= fresh_q ? '0 : {twos_late, late};
  end

  // ---- cycles 4 to 7: step 4

  logic x_round_q2, s_round_q;

  always_ff @(posedge clk_i) {x_round_q2, s_round_q} <= {x_round_q, s_round};

  assign carries_o = {2'b0, x_round_q2} + {2'b0, s_round_q} + {2'b0, twos_round_q} + {2'b0, sum_round_q};

  if (Drain) begin : gen_drain
    logic [Digit:0]   add_q, add_late;
    logic [Digit+2:0] add_q2, tail_q, tail;
    logic [VBits-1:0] v_round;

    always_ff @(posedge clk_i) add_q <= {1'b0, low_s_q} + {1'b0, high_s_i};

    mm_delay #(
      .Bits(Digit + 1), .Cycles(Groups > 1 ? 1 : 0)
    ) u_add_late (
      .clk_i, .d_i(add_q), .q_o(add_late)
    );

    always_ff @(posedge clk_i) begin
      add_q2 <= tail + (Digit+3)'(add_late);
      v_o    <= v_clear_i ? '0 : v_next_o;
    end

    if (Groups == 1) begin : gen_clear
      always_ff @(posedge clk_i) tail_q <= v_later_i ? '0 : {carries_o, round_o};
      assign tail = tail_q;
    end else begin : gen_mask
      logic tail_there_q;
      always_ff @(posedge clk_i) begin
        tail_q       <= {carries_o, round_o};
        tail_there_q <= ~v_later_i;
      end
      assign tail = tail_q & {(Digit+3){tail_there_q}};
    end

    assign v_next_o = v_round + VBits'(add_q2);

    mm_delay #(
      .Bits(VBits), .Cycles(Groups - 1)
    ) u_v (
      .clk_i, .d_i(v_o), .q_o(v_round)
    );
  end else begin : gen_sum
    logic unused_drain;
    assign unused_drain = v_later_i ^ v_clear_i;
    assign v_next_o = VBits'({carries_o, round_o});
    always_ff @(posedge clk_i) v_o <= v_next_o;
  end

endmodule

`default_nettype wire
