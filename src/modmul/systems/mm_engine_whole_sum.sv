// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_whole_sum: sums and differences modulo K of numbers that are one word each, a pair a cycle, for
// mm_engine_whole. 0 <= a, b < K, and so are the results. In GF(2^m) (binary_i) K is 0, and they are a ^ b.
//
//    1  a and b, or the complement of b              into registers
//    2  t = a + b, or a - b                          SumBits bits a cycle, the lowest first, with a register for the
//       u = a + b - K, or a - b + K                  carry between two parts. Of u a carry-save adder makes the three
//                                                    numbers two; its digit above a part goes to the next one
//    3  a sum is u if that has no borrow; a difference, if t has one. The result leaves with tag_i
// With test_i there is no result, but a flag two cycles later: a < b (1), or a = b (2).
//
`default_nettype none

module mm_engine_whole_sum #(
  parameter int Word    = 16,
  parameter int SumBits = 16,  // of a sum in a cycle
  parameter int TagBits = 1,
  parameter int NumBits = 1,   // of a number's index, which a flag leaves with
  parameter int Binary  = 0,   // 1: there is GF(2^m); 2: nothing else
  parameter int Flags   = 0,   // 1: there is test_i
  parameter int Direct  = 0    // 1: results leave in the cycle in which they are known
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                binary_i,
  input  wire  [Word-1:0]    k_i,
  input  wire                valid_i,
  input  wire                subtract_i,
  input  wire  [1:0]         test_i,
  input  wire  [TagBits-1:0] tag_i,
  input  wire  [NumBits-1:0] number_i,
  input  wire  [Word-1:0]    a_i,
  input  wire  [Word-1:0]    b_i,
  output logic               write_o,
  output logic [TagBits-1:0] tag_o,
  output logic [Word-1:0]    word_o,
  output logic               flag_write_o,
  output logic [NumBits-1:0] flag_number_o,
  output logic               flag_o
);

  localparam int Parts = (Word + SumBits - 1) / SumBits;  // cycles of a sum

  // --- step 1 ------------------------------------------------------------------------------------------------------
  logic [Word-1:0]  a_q, b_q;
  logic [Parts:0]   valid_q, subtract_q;  // of the numbers in step 1, and behind each part
  logic             use_u, inverts;
  logic [Parts-1:0] over_q, u_over_q, u_top_q;  // carries
  logic [Word-1:0]  t, u;                       // all parts, in the same cycle
  logic [TagBits-1:0] tag;

  assign inverts = subtract_i & ~(Binary != 0 & binary_i);

  always_ff @(posedge clk_i) begin
    a_q        <= a_i;
    b_q        <= b_i ^ {Word{inverts}};
    subtract_q <= {subtract_q[Parts-1:0], subtract_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Parts-1:0], valid_i};
  end

  mm_delay #(
    .Bits(TagBits), .Cycles(Parts + 1)
  ) u_tag (
    .clk_i, .d_i(tag_i), .q_o(tag)
  );

  // --- step 2 ------------------------------------------------------------------------------------------------------
  for (genvar part = 0; part < Parts; part++) begin : gen_part
    localparam int Low  = part * SumBits;
    localparam int Bits = Low + SumBits > Word ? Word - Low : SumBits;
    logic [Bits-1:0] a, b, k, sum, sums, carries, more, u_next, t_q, u_q;
    logic            over, u_over, carry, u_carry, below;

    mm_delay #(
      .Bits(2 * Bits), .Cycles(part)
    ) u_operands (
      .clk_i, .d_i({b_q[Low +: Bits], a_q[Low +: Bits]}), .q_o({b, a})
    );

    if (part == 0) begin : gen_first
      assign {carry, u_carry, below} = {subtract_q[0], 2'b10};
    end else begin : gen_next
      assign {carry, u_carry, below} = {over_q[part-1], u_over_q[part-1], u_top_q[part-1]};
    end

    assign k       = k_i[Low +: Bits] ^ {Bits{~subtract_q[part]}};
    assign sums    = a ^ b ^ k;
    assign carries = (a & b) | (a & k) | (b & k);
    assign more    = Bits'({carries, below});

    assign {over, sum}      = {1'b0, a} + {1'b0, b} + (Bits+1)'(carry);
    assign {u_over, u_next} = {1'b0, sums} + {1'b0, more} + (Bits+1)'(u_carry);

    always_ff @(posedge clk_i) begin
      t_q            <= Binary != 0 & binary_i ? a ^ b : sum;
      u_q            <= u_next;
      over_q[part]   <= over;
      u_over_q[part] <= u_over;
      u_top_q[part]  <= carries[Bits-1];
    end

    mm_delay #(
      .Bits(2 * Bits), .Cycles(Parts - 1 - part)
    ) u_results (
      .clk_i, .d_i({u_q, t_q}), .q_o({u[Low +: Bits], t[Low +: Bits]})
    );
  end

  // --- step 3 ------------------------------------------------------------------------------------------------------
  logic [1:0] test;

  assign use_u = (Binary == 0 | ~binary_i)
               & (subtract_q[Parts] ? ~over_q[Parts-1] : u_over_q[Parts-1] | u_top_q[Parts-1]);

  if (Direct != 0) begin : gen_direct
    assign word_o  = (Binary == 2 ? 1'b0 : use_u) ? u : t;
    assign tag_o   = tag;
    assign write_o = valid_q[Parts] & (test == 2'd0);
  end else begin : gen_register
    always_ff @(posedge clk_i) begin
      word_o <= (Binary == 2 ? 1'b0 : use_u) ? u : t;
      tag_o  <= tag;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) write_o <= 1'b0;
      else         write_o <= valid_q[Parts] & (test == 2'd0);
    end
  end

  if (Flags != 0) begin : gen_flags
    // Whether a number is 0 is known of each of its parts, and of all of them a cycle later.
    localparam int Eighths = (Word + 7) / 8;
    logic [8*Eighths-1:0] padded;
    logic [Eighths-1:0]   some, some_q;
    logic                 less_q, by_less_q;
    logic [NumBits-1:0]   number, number_q;

    mm_delay #(
      .Bits(NumBits + 2), .Cycles(Parts + 1)
    ) u_test (
      .clk_i, .d_i({number_i, test_i}), .q_o({number, test})
    );

    assign padded = (8*Eighths)'(t);

    for (genvar part = 0; part < Eighths; part++) begin : gen_eighth
      assign some[part] = |padded[8*part +: 8];
    end

    always_ff @(posedge clk_i) begin
      some_q    <= some;
      less_q    <= ~over_q[Parts-1];
      by_less_q <= test[0];
      number_q  <= number;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flag_write_o <= 1'b0;
      else         flag_write_o <= valid_q[Parts] & (test != 2'd0);
    end

    assign flag_number_o = number_q;
    assign flag_o        = (Binary == 2 ? 1'b0 : by_less_q) ? less_q : ~|some_q;
  end else begin : gen_no_flags
    logic unused_test;
    assign test          = 2'd0;
    assign flag_write_o  = 1'b0;
    assign flag_number_o = '0;
    assign flag_o        = 1'b0;
    assign unused_test   = ^{test_i, number_i};
  end

endmodule

`default_nettype wire
