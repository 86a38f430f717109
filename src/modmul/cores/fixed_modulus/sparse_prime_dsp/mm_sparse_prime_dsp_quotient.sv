// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_dsp_quotient: Q of mm_sparse_prime_dsp for a long D'. The words of H come in highest first, those of
// Q leave lowest first.
//
//   cycle                 the first word
//   0                     h_i, carries_i: a word of H; start_i was high in the cycle before
//   1                     their sum
//   Far + 1               Q_i = H_i + sum of d_j * Q_(i+K-j), -2^(Word+4) <= Q_i < 2^(Word+4), K = Words
//   Far + K + 2           Q_i in the other order
//   Far + K + 3           q_o: the words of Q - Bias, the last one is its sign
//   Far + K + 3           over_o: the lowest bits of H - Q + Bias, until the next Q
//
// The sums of Q_i move through a chain of Far registers: a sum passes the place of a power d_j in the cycle in which
// Q_(i+K-j) leaves the chain. Each addition has a cycle of its own.
//
`default_nettype none

module mm_sparse_prime_dsp_quotient #(
  parameter int Word  = 32,
  parameter int Words = 8,
  parameter logic [Words-1:0] Plus  = 1,  // j, where d_j is 1
  parameter logic [Words-1:0] Minus = 2,  // j, where d_j is -1
  parameter int Far   = 6,                // Words less the lowest j from 1 on
  parameter int Bias  = 16,
  parameter int TBits = 6
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              start_i,
  input  wire  [Word-1:0]  h_i,
  input  wire  [Word-1:0]  carries_i,
  output logic [Word-1:0]  q_o,
  output logic [TBits-1:0] over_o
);

  localparam int Bits     = Word + 5;
  localparam int AddrBits = Words > 1 ? $clog2(Words) : 1;

  // ---- when

  logic h_on;   // cycles 0 to Words - 1
  logic s_on;   // cycles Far to Far + Words - 1
  logic read;   // cycles Far + Words + 1 to Far + 2 * Words
  logic q_on;   // cycles Far + Words + 2 to Far + 2 * Words + 2

  mm_window #(
    .Start(1), .Length(Words)
  ) u_h_on (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(h_on)
  );
  mm_window #(
    .Start(Far + 1), .Length(Words)
  ) u_s_on (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(s_on)
  );
  mm_window #(
    .Start(Far + Words + 2), .Length(Words)
  ) u_read (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(read)
  );
  mm_window #(
    .Start(Far + Words + 3), .Length(Words + 1)
  ) u_q_on (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(q_on)
  );

  // ---- cycle 0

  logic [Far+1:1][Bits-1:0] chain_q;  // the last one is H_i, the first one Q_i

  always_ff @(posedge clk_i) chain_q[Far+1] <= h_on ? Bits'(h_i) + Bits'(carries_i) : '0;

  // ---- cycles 1 to Far

  for (genvar k = 1; k <= Far; k++) begin : gen_place
    localparam int J = Words - k;
    logic [Bits-1:0] next;

    if (Plus[J]) begin : gen_plus
      assign next = chain_q[k+1] + chain_q[1];
    end else if (Minus[J]) begin : gen_minus
      assign next = chain_q[k+1] - chain_q[1];
    end else begin : gen_none
      assign next = chain_q[k+1];
    end

    if (k == 1) begin : gen_last
      always_ff @(posedge clk_i) chain_q[k] <= s_on ? next : '0;
    end else begin : gen_other
      always_ff @(posedge clk_i) chain_q[k] <= next;
    end
  end

  // ---- the other order

  logic [AddrBits-1:0] write_addr_q, read_addr_q;
  logic                write_q;
  logic [Bits-1:0]     word, word_q;

  mm_word_ram #(
    .Word(Bits), .Depth(1 << AddrBits)
  ) u_words (
    .clk_i, .write_i(write_q), .write_addr_i(write_addr_q), .word_i(chain_q[1]), .read_addr_i(read_addr_q),
    .word_o(word)
  );

  always_ff @(posedge clk_i) begin
    write_q      <= s_on;
    write_addr_q <= write_q ? write_addr_q - 1'b1 : AddrBits'(Words - 1);
    read_addr_q  <= read ? read_addr_q + 1'b1 : '0;
    word_q       <= read ? word : '0;
  end

  // ---- the words of Q, each with a carry of either sign to the next one

  logic [Bits-1:0] sum, carry;
  logic [5:0]      carry_q;

  assign carry = {{(Bits-6){carry_q[5]}}, carry_q};
  assign sum   = word_q + carry;

  always_ff @(posedge clk_i) begin
    q_o     <= q_on ? sum[Word-1:0] : '0;
    carry_q <= q_on ? {sum[Bits-1], sum[Bits-1:Word]} : 6'(-Bias);
  end

  // ---- how much Q is above H

  logic [TBits-1:0] h_low_q;
  logic             h_there_q, q_there_q, q_first;

  assign q_first = q_on & ~q_there_q;

  always_ff @(posedge clk_i) begin
    h_there_q <= h_on;
    q_there_q <= q_on;
    if (h_there_q) h_low_q <= chain_q[Far+1][TBits-1:0];
    if (q_first)   over_o  <= h_low_q - sum[TBits-1:0];
  end

endmodule

`default_nettype wire
