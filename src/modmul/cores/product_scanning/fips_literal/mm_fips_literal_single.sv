// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal_single: the control unit for one multiplier (Zhang et al., Fig. 9), nine states.
//
//   state  what is multiplied                                                    lines of Algorithm 4
//   INIT   nothing; words come into the memories
//   S0     nothing; start was true
//   S1     nothing; a_0 and b_0 are read
//   S2     a_j * b_k and m_j * n_k, j < i, as P0 ... P3 say                       2 to 4
//   S3     a_i * b_0                                                             6
//   S4     v0 * n0', v0 as it leaves the adder                                   8
//   S5     m_i * n_0; then v / W                                                 9, 10
//   S6     a_j * b_k and m_j * n_k of the second loop, as P0 ... P3 say          12 to 18
//   S7     nothing; the last addition, then the last word of z, then done        19 to 22
//
//   P (Fig. 2), k = i - j                      products                          formula
//   P0     not a square                        a_j * b_k, m_j * n_k               3, without its misprint
//   P1     j < k                               2 a_j * b_k, m_j * n_k             4; in GF(2^m) m_j * n_k alone
//   P2     j = k                               a_j * b_k, m_j * n_k               5
//   P3     j > k                               m_j * n_k
//   P4     V_add: i = 0 or not a square        S3 comes before S4
//
// In a state, the words that the next one multiplies are read: 0 <= j, k < s. The registers j and i - j of the
// paper are j and k here; i is their sum.
//
`default_nettype none

module mm_fips_literal_single #(
  parameter int IdxBits = 5
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                prime_i,
  input  wire                equal_i,       // a square, and its symmetric products are left out
  input  wire  [IdxBits-1:0] last_word_i,   // s - 1
  input  wire                start_i,
  input  wire                unloaded_i,
  output logic               init_o,
  // What is read.
  output logic [IdxBits-1:0] left_addr_o,
  output logic [IdxBits-1:0] right_addr_o,
  output logic               mn_o,
  output logic               inverse_o,
  // What is multiplied.
  output logic               valid_o,
  output logic               double_o,
  output logic               make_m_o,
  output logic               new_m_o,
  output logic               column_end_o,
  output logic               second_loop_o,
  output logic               last_o,
  output logic               finish_o,
  output logic               done_o
);

  typedef enum logic [3:0] {INIT, S0, S1, S2, S3, S4, S5, S6, S7} state_e;

  state_e             state_q, state_next;
  logic [IdxBits-1:0] j_q, k_q, j_next, k_next;
  logic               mn_q, mn_next, double_q, added_q, done_q;
  logic               inner, last_j, second_half, p0, p1, p2, ab;

  assign inner  = state_q == S2 || state_q == S6;
  assign last_j = state_q == S6 ? j_q == last_word_i : k_q == IdxBits'(1);

  // After a_j * b_k comes m_j * n_k.
  assign second_half = inner & ~mn_q;

  always_comb begin
    state_next = state_q;
    j_next     = j_q;
    k_next     = k_q;
    case (state_q)
      INIT: if (start_i) state_next = S0;
      S0: begin
        state_next = S1;
        j_next     = '0;
        k_next     = '0;
      end
      S1: state_next = S3;
      S2, S6: begin
        if (mn_q & ~last_j) begin                         // line 2 or 13: the next j
          j_next = j_q + 1'b1;
          k_next = k_q - 1'b1;
        end else if (mn_q & state_q == S2) begin          // line 5
          j_next = j_q + 1'b1;
          k_next = '0;
          if (p0) state_next = S3;
          else    state_next = S4;
        end else if (mn_q & k_q != last_word_i) begin     // line 12: the next i
          j_next = k_q + 1'b1;
          k_next = last_word_i;
        end else if (mn_q) begin
          state_next = S7;
        end
      end
      S3: state_next = S4;
      S4: state_next = S5;
      S5: begin
        if (j_q != last_word_i) begin                     // line 1: the next i
          state_next = S2;
          j_next     = '0;
          k_next     = j_q + 1'b1;
        end else if (last_word_i != '0) begin             // line 12: i = s
          state_next = S6;
          j_next     = IdxBits'(1);
          k_next     = last_word_i;
        end else begin
          state_next = S7;
        end
      end
      default: if (unloaded_i) state_next = INIT;
    endcase
  end

  // Fig. 2, for what is read. P3 is what is left.
  assign p0 = ~equal_i;
  assign p1 = j_next < k_next;
  assign p2 = j_next == k_next;
  assign ab = p0 | (p1 & prime_i) | p2;

  assign mn_next = state_next == S5 || ((state_next == S2 || state_next == S6) && (second_half | ~ab));

  assign left_addr_o  = j_next;
  assign right_addr_o = k_next;
  assign mn_o         = mn_next;
  assign inverse_o    = state_next == S4;

  always_ff @(posedge clk_i) begin
    j_q      <= j_next;
    k_q      <= k_next;
    mn_q     <= mn_next;
    double_q <= ~mn_next & ~p0 & p1;
    added_q  <= state_q == S7;
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
  assign valid_o       = inner || state_q == S3 || state_q == S4 || state_q == S5;
  assign double_o      = double_q;
  assign make_m_o      = state_q == S4;
  assign new_m_o       = state_q == S5;
  assign column_end_o  = state_q == S5 || (state_q == S6 && mn_q && last_j);
  assign second_loop_o = state_q == S6;
  assign last_o        = state_q == S7;
  assign finish_o      = state_q == S7 && added_q && !done_q;
  assign done_o        = done_q;

endmodule

`default_nettype wire
