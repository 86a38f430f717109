// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal_double: the control unit for two multipliers, after Fig. 9 of Zhang et al., which is for one.
//
//   state  what is multiplied: lane 0                  lane 1                                 lines of Algorithm 4
//   INIT   nothing; words come into the memories
//   S0     nothing; start was true
//   S1     nothing; the first words are read
//   S2     the next product of column i               the one after it                       2 to 6
//   S4     v0 * n0', v0 as it leaves the adder        the next product, of a later column    8
//   S5     m_i * n_0; then v / W                      m_i * n_1, of column i + 1             9, 10
//   S6     the next product of column i               the one after it                       12 to 18
//   S7     nothing; the last addition, then the last word of z, then done                    19 to 22
//
// The products come in the order of mm_fips_literal_next. That of lane 1 may be one column ahead of column i, and a_j *
// b_k two columns where Ahead is 2. S3, for the single product a_i * b_0, is part of S2.
//
// In a state, the words that the next one multiplies are read: 0 <= j, k < s.
//
`default_nettype none

module mm_fips_literal_double #(
  parameter int IdxBits = 5,
  parameter int Ahead   = 2
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  prime_i,
  input  wire                  equal_i,       // a square, and its symmetric products are left out
  input  wire  [IdxBits-1:0]   last_word_i,   // s - 1
  input  wire                  start_i,
  input  wire                  unloaded_i,
  output logic                 init_o,
  // What is read.
  output logic [2*IdxBits-1:0] left_addr_o,
  output logic [2*IdxBits-1:0] right_addr_o,
  output logic [1:0]           mn_o,
  output logic                 inverse_o,
  // What is multiplied.
  output logic [1:0]           valid_o,
  output logic [1:0]           double_o,
  output logic [1:0]           ahead_o,
  output logic                 make_m_o,
  output logic                 new_m_o,
  output logic                 column_end_o,
  output logic                 second_loop_o,
  output logic                 last_o,
  output logic                 finish_o,
  output logic                 done_o
);

  typedef enum logic [3:0] {INIT, S0, S1, S2, S4, S5, S6, S7} state_e;

  state_e             state_q, state_next;
  logic [IdxBits-1:0] i_q;                   // of the first loop
  logic               upper_q;               // the second loop
  logic               added_q, done_q;

  // ---- the next product, 0, and those after it, 1 and 2; how many columns each is ahead of column i

  logic               mn0_q, end0_q, mn1, end1, mn2, end2;
  logic [IdxBits-1:0] j0_q, k0_q, low0_q, high0_q, j1, k1, low1, high1, j2, k2, low2, high2;
  logic [1:0]         ahead0_q, ahead1, ahead2, ahead_taken, ahead_next;
  logic               valid0, double0, column1, valid1, double1, column2;
  logic               mine, allowed0, allowed1, take0, take1, pair, second, advance;

  mm_fips_literal_next #(
    .IdxBits(IdxBits)
  ) u_next1 (
    .prime_i, .equal_i, .last_word_i,
    .mn_i(mn0_q), .j_i(j0_q), .k_i(k0_q), .low_i(low0_q), .high_i(high0_q), .end_i(end0_q),
    .valid_o(valid0), .double_o(double0),
    .mn_o(mn1), .j_o(j1), .k_o(k1), .low_o(low1), .high_o(high1), .end_o(end1), .column_o(column1)
  );

  mm_fips_literal_next #(
    .IdxBits(IdxBits)
  ) u_next2 (
    .prime_i, .equal_i, .last_word_i,
    .mn_i(mn1), .j_i(j1), .k_i(k1), .low_i(low1), .high_i(high1), .end_i(end1),
    .valid_o(valid1), .double_o(double1),
    .mn_o(mn2), .j_o(j2), .k_o(k2), .low_o(low2), .high_o(high2), .end_o(end2), .column_o(column2)
  );

  assign ahead1   = ahead0_q + 2'(column1);
  assign ahead2   = ahead1 + 2'(column2);
  assign mine   = ahead0_q == 2'd0 & ~end0_q;
  assign allowed0 = ~end0_q & ahead0_q <= (mn0_q ? 2'd1 : 2'(Ahead));
  assign allowed1 = ~end1 & ahead1 <= (mn1 ? 2'd1 : 2'(Ahead));

  // ---- states

  always_comb begin
    case (state_q)
      INIT: begin
        if (start_i) state_next = S0;
        else         state_next = INIT;
      end
      S0: state_next = S1;
      S4: state_next = S5;
      S7: begin
        if (unloaded_i) state_next = INIT;
        else            state_next = S7;
      end
      default: begin  // lines 1, 2, 12 and 13
        if (~upper_q & mine)                state_next = S2;
        else if (~upper_q)                    state_next = S4;
        else if (end0_q & ahead0_q == 2'd0)   state_next = S7;
        else                                  state_next = S6;
      end
    endcase
  end

  assign pair        = state_next == S2 || state_next == S6;
  assign second      = state_next == S4;
  assign take0       = (pair & mine) | (second & allowed0);
  assign take1       = pair & mine & allowed1;
  assign ahead_taken = take1 ? ahead2 : take0 ? ahead1 : ahead0_q;
  assign advance     = state_next == S5 || (state_next == S6 && ahead_taken != 2'd0);
  assign ahead_next  = ahead_taken - 2'(advance);

  // ---- what is read

  assign mn_o[0]                           = state_next == S5 | mn0_q;
  assign left_addr_o[IdxBits-1:0]          = state_next == S5 ? i_q : j0_q;
  assign right_addr_o[IdxBits-1:0]         = state_next == S5 ? '0 : k0_q;
  assign mn_o[1]                           = state_next == S5 | (second ? mn0_q : mn1);
  assign left_addr_o[2*IdxBits-1:IdxBits]  = state_next == S5 ? i_q : second ? j0_q : j1;
  assign right_addr_o[2*IdxBits-1:IdxBits] = state_next == S5 ? IdxBits'(1) : second ? k0_q : k1;
  assign inverse_o                         = second;

  always_ff @(posedge clk_i) begin
    if (init_o) begin
      i_q      <= '0;
      upper_q  <= 1'b0;
      mn0_q    <= 1'b0;
      j0_q     <= '0;
      k0_q     <= '0;
      low0_q   <= '0;
      high0_q  <= '0;
      end0_q   <= 1'b0;
      ahead0_q <= 2'd0;
    end else begin
      if (state_next == S5) begin
        i_q     <= i_q + 1'b1;
        upper_q <= i_q == last_word_i;
      end
      if (take0) begin
        mn0_q   <= take1 ? mn2 : mn1;
        j0_q    <= take1 ? j2 : j1;
        k0_q    <= take1 ? k2 : k1;
        low0_q  <= take1 ? low2 : low1;
        high0_q <= take1 ? high2 : high1;
        end0_q  <= take1 ? end2 : end1;
      end
      ahead0_q <= ahead_next;
    end
  end

  // ---- what is multiplied

  always_ff @(posedge clk_i) begin
    valid_o[0]   <= (pair & take0 & valid0) | second | state_next == S5;
    double_o[0]  <= pair & double0;
    valid_o[1]   <= (take1 & valid1) | (second & take0 & valid0) | (state_next == S5 & last_word_i != '0);
    double_o[1]  <= (second & double0) | (pair & double1);
    ahead_o      <= state_next == S5 ? 2'd1 : second ? ahead0_q : ahead1;
    column_end_o <= advance;
    added_q      <= state_q == S7;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= INIT;
      done_q  <= 1'b0;
    end else begin
      state_q <= state_next;
      done_q  <= (done_q | finish_o) & ~unloaded_i;
    end
  end

  assign init_o        = state_q == INIT;
  assign make_m_o      = state_q == S4;
  assign new_m_o       = state_q == S5;
  assign second_loop_o = state_q == S6;
  assign last_o        = state_q == S7;
  assign finish_o      = state_q == S7 && added_q && !done_q;
  assign done_o        = done_q;

endmodule

`default_nettype wire
