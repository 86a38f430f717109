// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_fold: u = a + q * Factor, word by word, the least significant first, Levels cycles later. Factor
// is a sum of powers of 2 and their negatives, its non-adjacent form; q times each of them, and a, are the leaves of a
// tree of additions, each a word a cycle with its own carry. A sum of negative leaves is subtracted where it meets
// another sum.
//
// on_i is high with the words of a number, as many as u is to have, and low in the cycle before. Before its first word,
// q must be 0 for as many cycles as the highest power of Factor has words, and one more.
//
`default_nettype none

module mm_sparse_prime_dsp_fold #(
  parameter int Word       = 32,
  parameter int FactorBits = 33,
  parameter logic [FactorBits-1:0] Factor = 1,
  parameter int Levels     = 1   // $clog2(digits of Factor + 1)
) (
  input  wire             clk_i,
  input  wire             on_i,
  input  wire  [Word-1:0] a_i,
  input  wire  [Word-1:0] q_i,
  output logic [Word-1:0] u_o
);

  // The non-adjacent form of Factor: 2^i is added where Plus has bit i, and subtracted where Minus has it.
  localparam logic [FactorBits+1:0] Once   = (FactorBits+2)'(Factor);
  localparam logic [FactorBits+1:0] Thrice = Once + Once + Once;
  localparam logic [FactorBits+1:0] Plus   = (Thrice & ~Once) >> 1;
  localparam logic [FactorBits+1:0] Minus  = (Once & ~Thrice) >> 1;
  localparam logic [FactorBits+1:0] Digits = Plus | Minus;

  // How many leaves there are of a and the digits of places below `place`.
  function automatic int leaves_below(input int place, input logic [FactorBits+1:0] digits);
    leaves_below = 1;
    for (int i = 0; i < place; i++) if (digits[i]) leaves_below = leaves_below + 1;
  endfunction

  function automatic int highest(input logic [FactorBits+1:0] digits);
    highest = 0;
    for (int i = 0; i <= FactorBits; i++) if (digits[i]) highest = i;
  endfunction

  localparam int Leaves = leaves_below(FactorBits + 1, Digits);
  localparam int Line   = highest(Digits) / Word + 1;  // the oldest word of q

  // Bit i: leaf i is negative, or there is no such leaf; leaf 0 is a.
  function automatic logic [2*FactorBits+3:0] negative_leaves(
    input logic [FactorBits+1:0] digits, input logic [FactorBits+1:0] plus
  );
    logic [2*FactorBits+3:0] leaf;
    negative_leaves    = '1;
    negative_leaves[0] = 1'b0;
    leaf               = (2*FactorBits+4)'(2);
    for (int i = 0; i <= FactorBits; i++) begin
      if (plus[i]) negative_leaves = negative_leaves & ~leaf;
      if (digits[i]) leaf = leaf << 1;
    end
  endfunction

  localparam logic [2*FactorBits+3:0] Negative = negative_leaves(Digits, Plus);

  // Whether all leaves are negative below a node.
  function automatic logic all_negative(input int level, input int which);
    all_negative = 1'b1;
    for (int i = 0; i < Leaves; i++) if ((i >> level) == which && !Negative[i]) all_negative = 1'b0;
  endfunction

  // ---- words of q, from this one to the oldest

  logic [Line:0][Word-1:0] q;
  logic [Line:1][Word-1:0] line_q;

  always_ff @(posedge clk_i) line_q <= q[Line-1:0];

  assign q = {line_q, q_i};

  // ---- the leaves, and above them the nodes of each level

  logic [Levels:0][Leaves-1:0][Word-1:0] node;
  logic [Levels:0]                       on;
  logic                                  unused_nodes;

  assign node[0][0] = a_i;
  assign on[0]      = on_i;

  for (genvar i = 0; i <= FactorBits; i++) begin : gen_place
    if (Digits[i]) begin : gen_leaf
      logic [2*Word-1:0] pair;
      logic              unused_low;
      assign pair                             = {q[i/Word], q[i/Word+1]} << (i % Word);
      assign node[0][leaves_below(i, Digits)] = pair[2*Word-1:Word];
      assign unused_low                       = ^pair[Word-1:0];
    end
  end

  for (genvar l = 1; l <= Levels; l++) begin : gen_level
    localparam int Below = (Leaves - 1) / (1 << (l - 1)) + 1;  // nodes there

    logic on_q;
    always_ff @(posedge clk_i) on_q <= on[l-1];
    assign on[l] = on_q;

    for (genvar i = 0; i < Leaves; i++) begin : gen_node
      if (2 * i + 1 < Below) begin : gen_sum
        localparam logic NegativeA  = all_negative(l - 1, 2 * i);
        localparam logic NegativeB  = all_negative(l - 1, 2 * i + 1);
        localparam logic Difference = NegativeA != NegativeB;

        logic [Word-1:0] a, b, sum, sum_q;

        assign a = node[l-1][Difference&&NegativeA?2*i+1:2*i];
        assign b = node[l-1][Difference&&NegativeA?2*i:2*i+1];

        mm_rrm_ripple #(
          .Word(Word), .Minus(Difference ? 1 : 0)
        ) u_sum (
          .clk_i, .first_i(~on[l-1]), .a_i(a), .b_i(b), .z_o(sum)
        );

        always_ff @(posedge clk_i) sum_q <= sum;

        assign node[l][i] = sum_q;
      end else if (2 * i < Below) begin : gen_wait
        logic [Word-1:0] late_q;
        always_ff @(posedge clk_i) late_q <= node[l-1][2*i];
        assign node[l][i] = late_q;
      end else begin : gen_none
        assign node[l][i] = '0;
      end
    end
  end

  assign u_o          = node[Levels][0];
  assign unused_nodes = ^{node, on[Levels], q};

endmodule

`default_nettype wire
