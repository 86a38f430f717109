// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_control: nine states, named after those of Zhang et al., Fig. 9 (what each does is not the paper's), and
// the pipeline's tags.
//
//   state  what happens                                                             lines of Algorithm 4
//   INIT   nothing in flight: a context comes, or the first operand words
//   S0     more operand words come; the products x_j * y_k start                     2, 3, 6
//   S1     all words are there; column 0 waits for its word of x * y, for v0 * n0'   5, 6, 8
//   S2     column i waits for its products and its word of x * y, for v0 * n0'       3, 6, 8
//   S3     products m_j * n_(i+1-j), j < i, for column i + 1                         3, or 14 in column s
//   S4     m_i is on its way; as soon as it is there, m_i * n_0                      9, 10
//   S5     m_i * n_1 for column i + 1, which is then complete                        3, or 14 in column s
//   S6     the second loop: products of columns s+1 ... 2s-1, the words of z         12 to 19
//   S7     the result goes out, less N if it is not below N                          20 to 23
// i = 0 ... s-1; m_i is below W and v below s * W^2 + s * W (mm_fips).
//
// What the states decide is in tag 0 one cycle later; there products of x and y get the multipliers that are left
// (mm_fips_scan). Tag 1 is in cycle 1 of mm_fips_lane, and so on.
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
  parameter int Ring        = 0,
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
  output logic               operand_load_o,
  output logic               square_o,         // of the operands that come
  output logic [IdxBits-1:0] word_o,           // which word comes or goes
  output logic               clear_o,
  output logic               unload_take_o,
  output logic [IdxBits-1:0] last_word_o,      // s - 1
  // Cycle 1 of each lane: right operand. Cycle 2: left operand.
  output logic [2*IdxBits+1:0] right_addr_o,
  output logic                 right_inverse_o,
  output logic [2*IdxBits+1:0] left_addr_o,
  output logic                 left_v0_o,
  output logic                 left_new_o,
  // Products in p_o, by lane: what they are added to; the m_i that is there.
  output logic [1:0]         to_xy_o,
  output logic [1:0]         double_o,
  output logic [1:0]         to_v_o,
  output logic               high_o,           // lane 0: m_i * n_0, of which the upper word is left
  output logic               m_valid_o,
  output logic               xy_first_o,       // with the first product of a column
  output logic               v_first_o,
  output logic               carry_o,          // one later: the carry out of v0 + m_i * n_0
  output logic               xy_last_o,        // the column's sum is in the accumulator
  output logic               z_valid_o,
  // Words of x * y.
  input  wire                xy_there_i,
  output logic               xy_add_o,
  input  wire                z_done_i
);

  localparam int Header      = 16;
  localparam int HeaderBeats = (Header + Word - 1) / Word;
  localparam int HeaderRest  = HeaderBeats * Word;
  localparam int LenBits     = 14;
  localparam int Warm        = Product + 4;  // cycles to the first word of x * y
  localparam int WarmBits    = $clog2(Warm + 1);

  typedef enum logic [3:0] {INIT, S0, S1, S2, S3, S4, S5, S6, S7} state_e;

  state_e state_q, state_next;
  logic   idle_q, run_q, out_q;  // INIT, S1 ... S6, S7

  // ---- context: header beats {s, implicit, binary}, n0', the s words of N

  logic [HeaderRest-1:0] header_q, header_next;
  logic [1:0]            head_q;          // header beats still to come
  logic                  inverse_q, modulus_q, first_word_q;  // what comes next: n0', N, its first word
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
  assign ctx_last       = (modulus_q & last_count) | (inverse_q & (length == '0));

  // ---- the port contract

  logic in_load, in_load_q, in_part, in_free, run, square_q;

  // in_part: S0.
  assign in_free = idle_q | in_part;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(idle_q), .ctx_last_i(ctx_last), .ctx_legal_i(legal), .in_free_i(in_free), .in_last_i(last_count),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(in_part)
  );

  assign out_valid_o    = out_q;
  assign operand_load_o = in_load;
  assign square_o       = in_part ? square_q : square_i;
  assign word_o         = count_q[IdxBits-1:0];
  assign clear_o        = idle_q;
  assign unload_take_o  = out_valid_o & out_ready_i;
  assign last_word_o    = last_word[IdxBits-1:0];
  assign run            = run_q;

  // ---- lines 3, 6 and 14: products of x and y

  logic [1:0]         xy_take, xy_valid, xy_double;
  logic [IdxBits-1:0] xy_j, xy_k;
  logic               slot, xy_first, xy_last, closes;
  logic [CntBits-1:0] xy_low;

  assign slot = run | (in_part & in_load_q);

  mm_fips_scan #(
    .IdxBits(IdxBits), .CntBits(CntBits), .Ring(Ring)
  ) u_scan (
    .clk_i, .clear_i(clear_o), .last_word_i(last_word), .one_word_i(one_word_q),
    .square_i(square_q & (Squares != 0)), .prime_i(prime_o), .enable_i(slot), .behind_i(closes),
    .take_i(xy_take), .valid_o(xy_valid), .double_o(xy_double), .j_o(xy_j), .k_o(xy_k),
    .first_o(xy_first), .last_o(xy_last), .low_o(xy_low)
  );

  // ---- lines 3, 8, 9 and 14: products of m and N, and m_i

  logic [CntBits-1:0]  i_q, rest_q, low_q;
  logic [IdxBits-1:0]  j_q, k_q;
  logic                first_q, ended_q;                  // of the second loop
  logic                complete_q, wanted_q, added_q;     // column i: its products, its word of x * y
  logic                m_there_q, ahead_q, far_ahead_q, column_done_q, enter_s6;
  logic [WarmBits-1:0] warm_q;
  logic                last_i_q, low_end_q;               // i = s-1, low = s
  logic                m_there, z_allowed, pair, last_product;
  logic                do_m, do_n0, do_n1, do_products, do_empty, do_last;
  logic [1:0]          mn_valid;
  logic [IdxBits-1:0]  mn_j, mn_k, second_k, second_j;

  // Tags, those of lanes with two bits each: make_m is line 8, high line 9, v_first line 10 or 17, z line 16.
  logic [2*Product+1:2] to_xy_q, double_q;
  logic [2*Product+1:0] to_v_q;
  logic [Sum:1]         xy_last_q;
  logic [Sum:0]         z_q;
  logic [Product:1]     xy_first_q;
  logic [Product:0]     v_first_q, make_m_q, more_q;
  logic [Product-2:0]   v_last_q;
  logic [Product+1:0]   high_q;
  logic [2:0]           left_new_q;
  logic                 empty_q;

  assign pair    = Multipliers > 1;
  assign m_there = m_there_q | make_m_q[Product-3];

  // Line 16: a word of the result needs that of x * y, the products of which have been issued then.
  always_ff @(posedge clk_i) begin
    ahead_q       <= ~clear_o & (xy_low > low_q);
    far_ahead_q   <= ~clear_o & (xy_low > low_q + 1'b1);
    column_done_q <= do_last | enter_s6;
  end
  assign z_allowed = column_done_q ? far_ahead_q : ahead_q;

  // Line 8 in column i: m_i = v0 * n0'. S1 waits a fixed time from the first operands on, and S2 for the accumulator.
  assign do_m = ((state_q == S1 & warm_q == WarmBits'(Warm)) | state_q == S2) & complete_q & added_q;

  // Line 9 in column i: m_i * n_0. Then the last product of column i + 1, m_i * n_1, at once with two multipliers.
  assign do_n0 = state_q == S4 & m_there & (~(last_i_q & (pair | one_word_q)) | z_allowed);
  assign do_n1 = (state_q == S5 & (~last_i_q | z_allowed)) | (do_n0 & pair & ~one_word_q);

  // Line 12: column s is complete with the last m_i.
  assign enter_s6 = last_i_q & (do_n1 | (do_n0 & one_word_q));

  // S3: line 3 in column i + 1, or line 14 in column s, m_j * n_k with j < i. S6: line 14 in column s + low - 1, low =
  // 2 ... s - 1, and for column 2s - 1, which has no product, an empty operation. rest + 1 products are left.
  assign last_product = rest_q == '0 | (pair & rest_q == CntBits'(1));
  assign do_products  = state_q == S3 | (state_q == S6 & ~ended_q & ~low_end_q & (~last_product | z_allowed));
  assign do_empty     = state_q == S6 & ~ended_q & low_end_q & z_allowed;
  assign do_last      = do_empty | (state_q == S6 & do_products & last_product);

  assign mn_valid = do_products ? {pair & (rest_q != '0), 1'b1} : {do_n0 & do_n1, do_n0 | do_n1};
  assign mn_j     = do_products ? j_q : i_q[IdxBits-1:0];
  assign mn_k     = do_products ? k_q : do_n0 ? '0 : IdxBits'(1);
  assign second_j = do_products ? j_q + 1'b1 : i_q[IdxBits-1:0];
  assign second_k = do_products ? k_q - 1'b1 : IdxBits'(1);

  // What is left of the multipliers is for the products of x and y, op0 in lane 1 where lane 0 is taken.
  logic               taken;
  logic [1:0]         xy_lane, xy_lane_double;
  logic [IdxBits-1:0] xy_second_j, xy_second_k;

  assign taken          = make_m_q[0] | empty_q | to_v_q[0];
  assign xy_take        = !pair ? {1'b0, ~taken} : taken ? {1'b0, ~to_v_q[1]} : 2'b11;
  assign xy_lane        = taken ? {xy_valid[0], 1'b0} : xy_valid;
  assign xy_lane_double = taken ? {xy_double[0], 1'b0} : xy_double;
  assign xy_second_j    = taken ? xy_j : xy_j + 1'b1;
  assign xy_second_k    = taken ? xy_k : xy_k - 1'b1;

  // The upper half of the memories is for m and N.
  logic [IdxBits-1:0]   mn_j_q, mn_k_q, second_j_q, second_k_q;
  logic [IdxBits:0]     left0, left1, right0, right1;
  logic [2*IdxBits+1:0] left_addr_q;

  assign left0  = to_v_q[0] ? {1'b1, mn_j_q} : {1'b0, xy_j};
  assign right0 = to_v_q[0] ? {1'b1, mn_k_q} : {1'b0, xy_k};
  assign left1  = to_v_q[1] ? {1'b1, second_j_q} : {1'b0, xy_second_j};
  assign right1 = to_v_q[1] ? {1'b1, second_k_q} : {1'b0, xy_second_k};

  always_ff @(posedge clk_i) begin
    mn_j_q       <= mn_j;
    mn_k_q       <= mn_k;
    second_j_q   <= second_j;
    second_k_q   <= second_k;
    right_addr_o <= {right1, right0};
    left_addr_q  <= {left1, left0};
    left_addr_o  <= left_addr_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      empty_q    <= 1'b0;
      to_xy_q    <= '0;
      double_q   <= '0;
      to_v_q     <= '0;
      high_q     <= '0;
      make_m_q   <= '0;
      more_q     <= '0;
      left_new_q <= '0;
      xy_first_q <= '0;
      xy_last_q  <= '0;
      v_first_q  <= '0;
      v_last_q   <= '0;
      z_q        <= '0;
    end else begin
      empty_q    <= do_empty;
      to_v_q     <= {to_v_q[2*Product-1:0], mn_valid};
      high_q     <= {high_q[Product:0], do_n0};
      make_m_q   <= {make_m_q[Product-1:0], do_m};
      more_q     <= {more_q[Product-1:0], ~last_i_q};
      left_new_q <= {left_new_q[1:0], do_n0 & make_m_q[Product-3]};
      v_first_q  <= {v_first_q[Product-1:0], do_m | (state_q == S6 & (do_products | do_empty) & first_q)};
      v_last_q   <= {v_last_q[Product-3:0], do_n1 | (do_n0 & one_word_q)};
      z_q        <= {z_q[Sum-1:0], do_last | enter_s6};
      to_xy_q    <= {to_xy_q[2*Product-1:2], xy_lane};
      double_q   <= {double_q[2*Product-1:2], xy_lane_double};
      xy_first_q <= {xy_first_q[Product-1:1], xy_first};
      xy_last_q  <= {xy_last_q[Sum-1:1], xy_last};
    end
  end

  assign right_inverse_o = make_m_q[1];
  assign left_v0_o       = make_m_q[2];
  assign left_new_o      = left_new_q[2];
  assign to_xy_o         = to_xy_q[2*Product+1 -: 2];
  assign double_o        = double_q[2*Product+1 -: 2];
  assign to_v_o          = to_v_q[2*Product+1 -: 2];
  assign high_o          = high_q[Product];
  assign carry_o         = high_q[Product+1];
  assign m_valid_o       = make_m_q[Product];
  assign xy_first_o      = xy_first_q[Product];
  assign v_first_o       = v_first_q[Product];
  assign xy_last_o       = xy_last_q[Sum];
  assign z_valid_o       = z_q[Sum];

  // Lines 3 and 6: in the first loop, the word of x * y goes into the accumulator in a cycle without product for it.
  assign xy_add_o = wanted_q & xy_there_i & (to_v_o == 2'b00);
  assign closes   = do_m | do_last;

  always_ff @(posedge clk_i) begin
    in_load_q   <= in_load;
    one_word_q  <= words == CntBits'(1);
    two_words_q <= words == CntBits'(2);
    if (clear_o) begin
      i_q        <= '0;
      last_i_q   <= one_word_q;
      low_end_q  <= 1'b0;
      low_q      <= CntBits'(1);
      first_q    <= 1'b1;
      ended_q    <= 1'b0;
      complete_q <= 1'b1;
      wanted_q   <= 1'b1;
      added_q    <= 1'b0;
      m_there_q  <= 1'b0;
      warm_q     <= '0;
    end else begin
      if (slot && warm_q != WarmBits'(Warm)) warm_q <= warm_q + 1'b1;
      if (xy_add_o) begin
        wanted_q <= 1'b0;
        added_q  <= 1'b1;
      end
      if (make_m_q[Product-1]) wanted_q <= more_q[Product-1];
      if (v_last_q[Product-2]) complete_q <= 1'b1;
      m_there_q <= m_there & ~do_n0;
      if (do_m) begin  // lines 2 and 13, for column i + 1: j = 0, or 1 in column s
        complete_q <= 1'b0;
        added_q    <= 1'b0;
        j_q        <= IdxBits'(last_i_q);
        k_q        <= last_i_q ? i_q[IdxBits-1:0] : i_q[IdxBits-1:0] + 1'b1;
        rest_q     <= i_q - CntBits'(1) - CntBits'(last_i_q);
      end
      if (do_products) begin
        j_q    <= j_q + (pair ? IdxBits'(2) : IdxBits'(1));
        k_q    <= k_q - (pair ? IdxBits'(2) : IdxBits'(1));
        rest_q <= rest_q - (pair ? CntBits'(2) : CntBits'(1));
      end
      if (do_n1 && !last_i_q) begin  // line 1
        i_q      <= i_q + 1'b1;
        last_i_q <= i_q + 1'b1 == last_word;
      end
      if (state_q == S6) begin  // lines 12 and 13: j = i - s + 1 = low + 1 in the next column
        if (do_products | do_empty) first_q <= do_last;
        if (do_last) begin
          low_q     <= low_q + 1'b1;
          low_end_q <= low_q == last_word;
          j_q       <= low_q[IdxBits-1:0] + 1'b1;
          k_q       <= last_word[IdxBits-1:0];
          rest_q    <= last_word - low_q - CntBits'(1);
        end
        if (do_empty) ended_q <= 1'b1;
      end else if (enter_s6) begin
        low_q     <= CntBits'(2);
        low_end_q <= two_words_q;
        j_q       <= IdxBits'(2);
        k_q       <= last_word[IdxBits-1:0];
        rest_q    <= last_word - CntBits'(2);
        ended_q   <= one_word_q;
      end
    end
  end

  always_comb begin
    state_next = state_q;
    case (state_q)
      INIT, S0: begin
        if (in_load & last_count) state_next = S1;
        else if (in_load) state_next = S0;
      end
      S1, S2: begin
        if (do_m & (i_q == '0 | (last_i_q & i_q == CntBits'(1)))) state_next = S4;
        else if (do_m) state_next = S3;
      end
      S3: if (last_product) state_next = S4;
      S4: begin
        if (enter_s6) state_next = S6;
        else if (do_n1) state_next = S2;
        else if (do_n0) state_next = S5;
      end
      S5: begin
        if (enter_s6) state_next = S6;
        else if (do_n1) state_next = S2;
      end
      S6: if (z_done_i) state_next = S7;
      default: if (unload_take_o & last_count) state_next = INIT;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= INIT;
      idle_q    <= 1'b1;
      run_q     <= 1'b0;
      out_q     <= 1'b0;
      head_q    <= 2'(HeaderBeats);
      inverse_q <= 1'b0;
      modulus_q <= 1'b0;
      count_q   <= '0;
    end else begin
      state_q <= state_next;
      idle_q  <= state_next == INIT;
      run_q   <= state_next != INIT && state_next != S0 && state_next != S7;
      out_q   <= state_next == S7;
      if (ctx_load) begin
        head_q    <= ctx_last ? 2'(HeaderBeats) : (inverse_q | modulus_q) ? 2'd0 : head_q - 1'b1;
        inverse_q <= ~inverse_q & ~modulus_q & (head_q == 2'd1);
        modulus_q <= (inverse_q | modulus_q) & ~ctx_last;
      end
      if (modulus_load_o | in_load | unload_take_o) count_q <= last_count ? '0 : count_next;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ctx_load && !inverse_q && !modulus_q) header_q <= header_next;
    if (ctx_load) first_word_q <= inverse_q;
    if (modulus_load_o && first_word_q) odd_q <= ctx_data_i[0];
    if (in_load && !in_part) square_q <= square_i;
  end

endmodule

`default_nettype wire
