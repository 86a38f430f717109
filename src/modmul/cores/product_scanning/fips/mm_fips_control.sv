// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_control: nine states, named after those of Zhang et al., Fig. 9 (what each does is not the paper's), and
// the pipeline's tags.
//
//   state  what happens                                                             lines of Algorithm 4
//   INIT   nothing in flight: a context comes, or the first operand words
//   S0     operand words come; the products x_j * y_k start                          2, 3, 6
//   S1     all words are there; the word of x * y of column 0                        5, 6
//   S2     the word of x * y of column i + 1; as soon as column i is complete,       3, 6, 8
//          m_i * n^_0 for column i + 1, or v0 * n0' in column s-1
//   S3     products m_j * n^_(i-j), j < i, for column i + 1                          3, or 14 in column s
//   S4     the last m_i, of column s-1, is on its way; as soon as it is there, m_i * n_0       9, 10
//   S5     m_i * n_1 for column s, which is then complete                            14
//   S6     the second loop: products of columns s+1 ... 2s-1, the words of z         12 to 19
//   S7     the result goes out, less N or 2N if it is not below                      20 to 23
// i = 0 ... s-1; m_i is below W and v below (s + 1) * W^2 (mm_fips).
//
// S0 and S7 run in parallel with the other states: while an operation computes, the result of the one before goes out,
// and the words of the next one replace those that have been used for the last time.
//
// What the states decide is in tag 0 one cycle later; there products of x and y get the multipliers that are free
// (mm_fips_scan). Tag 1 is in cycle 1 of mm_fips_lane, and so on. Everything is added to v in the order of the
// decisions, the same number of cycles after each.
//
`default_nettype none

module mm_fips_control #(
  parameter int Word        = 32,
  parameter int MaxWords    = 32,
  parameter int Multipliers = 1,
  parameter int Squares     = 1,
  parameter int FieldSet    = 3,
  parameter int Depth       = 3,
  parameter int IdxBits     = 5,
  parameter int CntBits     = 7,
  parameter int Ring        = 21,
  // Derived, not to be set: the tags with products in p_o, and those with sums in an accumulator.
  parameter int Product = Depth + 3,
  parameter int Sum     = Depth + 5
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                ctx_valid_i,
  output logic               ctx_ready_o,
  output logic               ctx_error_o,
  input  wire  [Word-1:0]    ctx_data_i,
  input  wire                in_valid_i,
  output logic               in_ready_o,
  input  wire                square_i,
  output logic               out_valid_o,
  input  wire                out_ready_i,
  // Loading and unloading.
  output logic               prime_o,
  output logic               implicit_o,       // N has a term x^(s * Word)
  output logic               inverse_load_o,
  output logic               modulus_load_o,
  output logic               hat_load_o,       // a word of N^
  output logic               operand_load_o,
  output logic               square_o,         // of the operands that come
  output logic [IdxBits-1:0] word_o,           // which word comes
  output logic               clear_o,          // nothing in flight
  output logic               unload_take_o,
  output logic               unload_last_o,
  output logic [IdxBits-1:0] last_word_o,      // s - 1
  // Cycle 1 of each lane: right operand, of which mn_o says that it is of N^ or N and n_o that it is of N. Cycle 2:
  // left operand, m where mn_o was set.
  output logic [2*IdxBits-1:0] right_addr_o,
  output logic [1:0]           right_mn_o,
  output logic [1:0]           right_n_o,
  output logic                 right_inverse_o,
  output logic [2*IdxBits-1:0] left_addr_o,
  output logic [1:0]           left_mn_o,
  output logic                 left_v0_o,
  output logic                 left_new_o,
  // Products in p_o, by lane: what they are added to; the last m_i is there.
  output logic [1:0]         to_xy_o,
  output logic [1:0]         double_o,
  output logic [1:0]         to_v_o,
  output logic               high_o,           // lane 0: m_i * n_0, of which the upper word is left
  output logic               m_valid_o,
  output logic               xy_first_o,       // with the first product of a column
  output logic               v_first_o,
  output logic               xy_add_o,         // a word of x * y goes to v
  output logic               carry_o,          // one later: the carry out of v0 + m_i * n_0
  output logic               xy_last_o,        // the column's sum is in the accumulator
  output logic               v0_valid_o,       // the same of v, in the first loop: v0 is m_i, but in column s-1
  output logic               z_valid_o,        // the same in the second loop
  output logic               z_last_o,         // with the last word
  input  wire                z_done_i
);

  localparam int Header      = 16;
  localparam int HeaderBeats = (Header + Word - 1) / Word;
  localparam int HeaderRest  = HeaderBeats * Word;
  localparam int LenBits     = 14;

  typedef enum logic [2:0] {S0, S1, S2, S3, S4, S5, S6} state_e;

  state_e state_q, state_next;
  logic   idle_q, out_q;  // INIT, S7

  // ---- context: header beats {s, implicit, binary}, n0', the s words of N, those of N^

  logic [HeaderRest-1:0] header_q, header_next;
  logic [1:0]            head_q;          // header beats still to come
  logic                  inverse_q, modulus_q, hat_q, first_word_q;  // what comes next: n0', N, N^, the first word of N
  logic                  odd_q;
  logic [LenBits-1:0]    length, last_index_q, count_q, count_next;
  logic [CntBits-1:0]    words, last_word;        // s, s - 1
  logic                  one_word_q, two_words_q; // s = 1, s = 2
  logic                  binary, implicit, legal, ctx_load, ctx_last, last_count;
  logic                  unused_header;

  if (HeaderBeats > 1) begin : gen_header_beats
    assign header_next = {ctx_data_i, header_q[HeaderRest-1:Word]};
  end else begin : gen_header_beat
    assign header_next = ctx_data_i;
  end

  assign length        = header_q[Header-1:2];
  assign implicit      = header_q[1];
  assign binary        = header_q[0];
  assign unused_header = ^({1'b0, header_q} >> Header);
  assign words         = length[CntBits-1:0];
  assign last_word     = last_index_q[CntBits-1:0];
  assign prime_o       = FieldSet == 1 ? 1'b1 : FieldSet == 2 ? 1'b0 : ~binary;
  assign implicit_o    = implicit & ~prime_o;
  assign legal         = odd_q & (length != '0) & (length <= LenBits'(MaxWords)) & (binary | ~implicit)
                       & (FieldSet == 3 | (FieldSet == 2) == binary);

  always_ff @(posedge clk_i) last_index_q <= length - 1'b1;
  assign count_next = count_q + 1'b1;
  assign last_count = count_q == last_index_q;

  assign inverse_load_o = ctx_load & inverse_q;
  assign modulus_load_o = ctx_load & modulus_q;
  assign hat_load_o     = ctx_load & hat_q;
  assign ctx_last       = (hat_q & last_count) | (inverse_q & (length == '0));

  // ---- the port contract, and operations in flight

  logic               in_load, in_load_q, in_part, in_free, in_last, square_q, square_seen;
  logic [1:0]         flight_q, flight_next;   // operations between their first operand word and their last result word
  logic [CntBits-1:0] room_q;                  // words of operands for which there is room
  logic               freed, freed_q;          // a word has been used for the last time
  logic               whole_q, next_whole_q;   // all words are there, those of the next operation too
  logic               end_op;                  // the last decision of an operation
  logic               unload_last;

  assign in_free = (room_q != '0) & (in_part | ~flight_q[1]);

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(idle_q), .ctx_last_i(ctx_last), .ctx_legal_i(legal), .in_free_i(in_free), .in_last_i(last_count),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(in_part)
  );

  assign in_last        = in_load & last_count;
  assign out_valid_o    = out_q;
  assign operand_load_o = in_load;
  assign square_o       = in_part ? square_q : square_i;
  assign square_seen    = in_load ? square_o : square_q;
  assign word_o         = count_q[IdxBits-1:0];
  assign clear_o        = idle_q;
  assign unload_take_o  = out_q & out_ready_i;
  assign unload_last_o  = unload_last;
  assign last_word_o    = last_word[IdxBits-1:0];
  assign flight_next    = flight_q + 2'(in_load && !in_part) - 2'(unload_last);

  // ---- lines 3, 6 and 14: products of x and y

  logic [1:0]         xy_take, xy_valid, xy_double;
  logic [IdxBits-1:0] xy_j, xy_k;
  logic               slot, xy_first, xy_last, closes, begun, ahead;
  logic               xy_square_q;

  // A cycle for each word that comes; from then on every cycle.
  assign slot = whole_q | in_load_q;

  mm_fips_scan #(
    .IdxBits(IdxBits), .CntBits(CntBits), .Ring(Ring)
  ) u_scan (
    .clk_i, .clear_i(clear_o | end_op), .last_word_i(last_word), .one_word_i(one_word_q),
    .square_i(xy_square_q & (Squares != 0)), .prime_i(prime_o), .enable_i(slot), .behind_i(closes),
    .take_i(xy_take), .valid_o(xy_valid), .double_o(xy_double), .j_o(xy_j), .k_o(xy_k),
    .first_o(xy_first), .last_o(xy_last), .begun_o(begun), .freed_o(freed), .ahead_o(ahead)
  );

  // ---- lines 3, 8, 9 and 14: products of m, N^ and N, and m_i

  logic [CntBits-1:0]  i_q, rest_q, low_q;
  logic [IdxBits-1:0]  j_q, k_q;
  logic                first_q;                  // the next decision is the first for a column
  logic                complete_q, wanted_q;     // column i is complete; column i + 1 waits for its word of x * y
  logic                m_there_q, warm_q, out_busy_q, enter_s6;
  logic                last_i_q, low_end_q;      // i = s-1, low = s
  logic                complete, m_there, z_allowed, pair, last_product;
  logic                do_xy, do_m, do_inverse, do_n0, do_n1, do_products, do_empty, do_last;
  logic [1:0]          mn_valid, mn_n;
  logic [IdxBits-1:0]  mn_j, mn_k, second_k, second_j;

  // Tags, those of lanes with two bits each: make_m is line 8 in column s-1, high line 9, v_first line 10 or 17, z 16.
  logic [2*Product+1:2] to_xy_q, double_q;
  logic [2*Product+1:0] to_v_q;
  logic [Sum:1]         xy_last_q;
  logic [Sum:0]         v_last_q, z_q, end_q;
  logic [Product:1]     xy_first_q;
  logic [Product:0]     v_first_q, xy_add_q, make_m_q;
  logic [Product+1:0]   high_q;
  logic [2:0]           left_v0_q, left_new_q;

  assign pair     = Multipliers > 1;
  assign complete = complete_q | v_last_q[Product-1];
  assign m_there  = m_there_q | make_m_q[Product-3];

  // Line 16: the result before has left.
  assign z_allowed = ahead & ~out_busy_q;

  // Lines 3 and 6 in the first loop: a word of x * y; S1 waits for that of column 0.
  assign do_xy = ahead & ((state_q == S1 & warm_q) | (state_q == S2 & wanted_q));

  // Line 8 in column i: m_i is v0, and m_i * n^_0 the last product of column i + 1; in column s-1, v0 * n0'.
  assign do_m       = state_q == S2 & ~wanted_q & complete & ~last_i_q;
  assign do_inverse = state_q == S2 & ~wanted_q & complete & last_i_q;

  // Line 9 in column s-1: m_i * n_0. Then the last product of column s, m_i * n_1, at once with two multipliers.
  assign do_n0 = state_q == S4 & m_there & (~(pair | one_word_q) | z_allowed);
  assign do_n1 = (state_q == S5 & z_allowed) | (do_n0 & pair & ~one_word_q);

  // Line 12: column s is complete.
  assign enter_s6 = do_n1 | (do_n0 & one_word_q);

  // S3: line 3 in column i + 1, or line 14 in column s, m_j * n^_(i-j) with j < i. S6: line 14 in column s + low - 1,
  // low = 2 ... s - 1, the last one m_(s-1) * n_low; for column 2s - 1, which has no product, an empty operation.
  // rest + 1 products are left.
  assign last_product = rest_q == '0 | (pair & rest_q == CntBits'(1));
  assign do_products  = state_q == S3 | (state_q == S6 & ~low_end_q & (~last_product | ahead));
  assign do_empty     = state_q == S6 & low_end_q & ahead;
  assign do_last      = do_empty | (state_q == S6 & do_products & last_product);
  assign end_op       = do_empty | (do_n0 & one_word_q);

  // Left operands: m_j; in S2 and S4, m_i.
  assign mn_valid = do_products ? {pair & (rest_q != '0), 1'b1} : {do_n0 & do_n1, do_n0 | do_n1 | do_m};
  assign mn_j     = do_products ? j_q : i_q[IdxBits-1:0];
  assign second_j = do_products ? j_q + 1'b1 : i_q[IdxBits-1:0];

  // Right operands: words of N^, or of N.
  assign mn_n[0]  = state_q == S6 ? rest_q == '0 : state_q == S4 | state_q == S5;
  assign mn_n[1]  = state_q == S6 ? rest_q == CntBits'(1) : state_q == S4;
  assign mn_k     = do_products ? (mn_n[0] ? low_q[IdxBits-1:0] : k_q) : IdxBits'(state_q == S5);
  assign second_k = do_products ? (mn_n[1] ? low_q[IdxBits-1:0] : k_q - 1'b1) : IdxBits'(1);

  // Free multipliers are for the products of x and y, with op0 in lane 1 where lane 0 is taken.
  logic               taken;
  logic [1:0]         xy_lane, xy_lane_double;
  logic [IdxBits-1:0] xy_second_j, xy_second_k;

  assign taken          = make_m_q[0] | to_v_q[0];
  assign xy_take        = !pair ? {1'b0, ~taken} : taken ? {1'b0, ~to_v_q[1]} : 2'b11;
  assign xy_lane        = taken ? {xy_valid[0], 1'b0} : xy_valid;
  assign xy_lane_double = taken ? {xy_double[0], 1'b0} : xy_double;
  assign xy_second_j    = taken ? xy_j : xy_j + 1'b1;
  assign xy_second_k    = taken ? xy_k : xy_k - 1'b1;

  logic [IdxBits-1:0]   mn_j_q, mn_k_q, second_j_q, second_k_q;
  logic [1:0]           mn_n_q, mn_tag;
  logic [2*IdxBits-1:0] left_addr_q;

  // v0 * n0' has its left operand from the memory of m too, if it does not come from the accumulator.
  assign mn_tag = {to_v_q[1], taken};

  always_ff @(posedge clk_i) begin
    mn_j_q       <= mn_j;
    mn_k_q       <= mn_k;
    mn_n_q       <= mn_n;
    second_j_q   <= second_j;
    second_k_q   <= second_k;
    right_addr_o <= {to_v_q[1] ? second_k_q : xy_second_k, taken ? mn_k_q : xy_k};
    left_addr_q  <= {to_v_q[1] ? second_j_q : xy_second_j, taken ? mn_j_q : xy_j};
    left_addr_o  <= left_addr_q;
    right_n_o    <= mn_n_q;
    right_mn_o   <= mn_tag;
    left_mn_o    <= right_mn_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      to_xy_q    <= '0;
      double_q   <= '0;
      to_v_q     <= '0;
      high_q     <= '0;
      make_m_q   <= '0;
      left_v0_q  <= '0;
      left_new_q <= '0;
      xy_first_q <= '0;
      xy_last_q  <= '0;
      xy_add_q   <= '0;
      v_first_q  <= '0;
      v_last_q   <= '0;
      z_q        <= '0;
      end_q      <= '0;
    end else begin
      to_v_q     <= {to_v_q[2*Product-1:0], mn_valid};
      high_q     <= {high_q[Product:0], do_n0};
      make_m_q   <= {make_m_q[Product-1:0], do_inverse};
      left_v0_q  <= {left_v0_q[1:0], (do_m | do_inverse) & v_last_q[Product-1]};
      left_new_q <= {left_new_q[1:0], do_n0 & make_m_q[Product-3]};
      xy_add_q   <= {xy_add_q[Product-1:0], do_xy};
      v_first_q  <= {v_first_q[Product-1:0], first_q & (do_xy | do_inverse | do_empty | mn_valid[0])};
      v_last_q   <= {v_last_q[Sum-1:0], (do_xy & state_q == S1) | do_m};
      z_q        <= {z_q[Sum-1:0], do_last | enter_s6};
      end_q      <= {end_q[Sum-1:0], end_op};
      to_xy_q    <= {to_xy_q[2*Product-1:2], xy_lane};
      double_q   <= {double_q[2*Product-1:2], xy_lane_double};
      xy_first_q <= {xy_first_q[Product-1:1], xy_first};
      xy_last_q  <= {xy_last_q[Sum-1:1], xy_last};
    end
  end

  // A decision made in the first possible cycle takes its left operand from where it has just been computed.
  assign right_inverse_o = make_m_q[1];
  assign left_v0_o       = left_v0_q[2];
  assign left_new_o      = left_new_q[2];
  assign to_xy_o         = to_xy_q[2*Product+1 -: 2];
  assign double_o        = double_q[2*Product+1 -: 2];
  assign to_v_o          = to_v_q[2*Product+1 -: 2];
  assign high_o          = high_q[Product];
  assign carry_o         = high_q[Product+1];
  assign m_valid_o       = make_m_q[Product];
  assign xy_first_o      = xy_first_q[Product];
  assign v_first_o       = v_first_q[Product];
  assign xy_add_o        = xy_add_q[Product];
  assign xy_last_o       = xy_last_q[Sum];
  assign v0_valid_o      = v_last_q[Sum];
  assign z_valid_o       = z_q[Sum];
  assign z_last_o        = end_q[Sum];

  assign closes = do_xy | do_last | enter_s6;

  always_ff @(posedge clk_i) begin
    in_load_q   <= in_load;
    freed_q     <= freed;
    one_word_q  <= words == CntBits'(1);
    two_words_q <= words == CntBits'(2);
    room_q      <= clear_o & ~in_load ? words : room_q + CntBits'(freed_q) - CntBits'(in_load);

    if (clear_o | end_op) begin
      i_q        <= '0;
      last_i_q   <= one_word_q;
      first_q    <= 1'b1;
      complete_q <= 1'b0;
      wanted_q   <= ~one_word_q;
      m_there_q  <= 1'b0;
      warm_q     <= 1'b0;
    end else begin
      if (slot & begun) warm_q <= 1'b1;
      if (do_xy & state_q == S2) wanted_q <= 1'b0;
      complete_q <= complete & ~do_m;
      m_there_q  <= m_there & ~do_n0;
      if ((do_xy & state_q == S1) | do_m | enter_s6 | do_last) first_q <= 1'b1;
      else if (do_xy | do_inverse | mn_valid[0]) first_q <= 1'b0;
      if (do_m) begin  // line 1: column i + 1
        i_q      <= i_q + 1'b1;
        last_i_q <= i_q + 1'b1 == last_word;
        wanted_q <= i_q + 1'b1 != last_word;
      end
    end

    // What begins with the next state is prepared in the one before, whenever that ends.
    case (state_q)
      S2: begin      // lines 2 and 13: column i + 1, for which there are products with j = 0 ... i - 1
        j_q    <= '0;
        k_q    <= i_q[IdxBits-1:0] + 1'b1;
        rest_q <= i_q;
      end
      S4, S5: begin  // lines 12 and 13: column s + 1
        low_q     <= CntBits'(2);
        low_end_q <= two_words_q;
        j_q       <= IdxBits'(1);
        k_q       <= last_word[IdxBits-1:0];
        rest_q    <= last_word - CntBits'(1);
      end
      default: begin
        if (state_q != S6 | ~last_product) begin
          j_q    <= j_q + (pair ? IdxBits'(2) : IdxBits'(1));
          k_q    <= k_q - (pair ? IdxBits'(2) : IdxBits'(1));
          rest_q <= rest_q - (pair ? CntBits'(2) : CntBits'(1));
        end else if (ahead) begin  // lines 12 and 13: the next column, j = low - 1 ... s - 1
          low_q     <= low_q + 1'b1;
          low_end_q <= low_q == last_word;
          j_q       <= low_q[IdxBits-1:0];
          k_q       <= last_word[IdxBits-1:0];
          rest_q    <= last_word - low_q;
        end
      end
    endcase
  end

  always_comb begin
    state_next = state_q;
    case (state_q)
      S0: if (in_last | whole_q) state_next = S1;
      S1: if (do_xy) state_next = S2;
      S2: begin
        if (do_m) state_next = S3;
        else if (do_inverse) state_next = S4;
      end
      S3: if (last_product) state_next = S2;
      S4: begin
        if (enter_s6) state_next = S6;
        else if (do_n0) state_next = S5;
      end
      S5: if (enter_s6) state_next = S6;
      default: ;
    endcase
    if (end_op) state_next = S0;
  end

  // S7: the words of the result.
  logic [CntBits-1:0] out_count_q;
  assign unload_last = unload_take_o & (out_count_q == last_word);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= S0;
      idle_q       <= 1'b1;
      flight_q     <= 2'd0;
      whole_q      <= 1'b0;
      next_whole_q <= 1'b0;
      out_q        <= 1'b0;
      out_busy_q   <= 1'b0;
      out_count_q  <= '0;
      head_q       <= 2'(HeaderBeats);
      inverse_q    <= 1'b0;
      modulus_q    <= 1'b0;
      hat_q        <= 1'b0;
      count_q      <= '0;
    end else begin
      state_q      <= state_next;
      flight_q     <= flight_next;
      idle_q       <= flight_next == 2'd0;
      whole_q      <= end_op ? next_whole_q | in_last : whole_q | in_last;
      next_whole_q <= ~end_op & (next_whole_q | (whole_q & in_last));
      out_busy_q   <= enter_s6 | (out_busy_q & ~unload_last);
      if (z_done_i) out_q <= 1'b1;
      else if (unload_last) out_q <= 1'b0;
      if (unload_take_o) out_count_q <= unload_last ? '0 : out_count_q + 1'b1;
      if (ctx_load) begin
        head_q    <= ctx_last ? 2'(HeaderBeats) : (inverse_q | modulus_q | hat_q) ? 2'd0 : head_q - 1'b1;
        inverse_q <= ~inverse_q & (head_q == 2'd1);
        modulus_q <= ~ctx_last & (inverse_q | (modulus_q & ~last_count));
        hat_q     <= ~ctx_last & ((modulus_q & last_count) | hat_q);
      end
      if (modulus_load_o | hat_load_o | in_load) count_q <= last_count ? '0 : count_next;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ctx_load && !inverse_q && !modulus_q && !hat_q) header_q <= header_next;
    if (ctx_load) first_word_q <= inverse_q;
    if (modulus_load_o && first_word_q) odd_q <= ctx_data_i[0];
    if (in_load && !in_part) square_q <= square_i;
    if (end_op || !begun) xy_square_q <= square_seen;
  end

endmodule

`default_nettype wire
