// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp: z = x * y / R mod M, Montgomery multiplication in rows of multiplier blocks, a digit of x times
// all of y a cycle, or in a folded build a digit of x times a word of y. The digit that a step drops is itself the
// quotient digit, for what it is worth is given back Delay steps later, as a multiple of a constant.
//
// Steps (w = Digit, B = 2^w, N = ceil(Width / w), T = max(N, Delay + 1, 2), e = Halves, R = B^T * 2^e)
//    1  for each M: K[j] = 1 / B^j mod M for j = 1 ... Delay + 1, and -1 / M mod B * 2^e: they come with the context
//    2  for t = 0 ... T-1, step 3
//    3    S = floor(S / B) + x_t * y + s_(t-Delay) * K[Delay+1], s_t the digit that is dropped       0 <= S < 2 B M
//    4  V = S + s_(T-Delay) * K[Delay] + ... + s_(T-1) * K[1]                               0 <= V < (Delay + 2) B M
//    5  Q = -V / M mod B * 2^e, where 2^e >= Delay + 2                                      0 <= Q < 2^e B
//    6  Z = (V + Q * M) / (B * 2^e)                                                         0 <= Z < 2 M
//    7  z = Z or Z - M                                                                      0 <= z < M
//
// Legal: odd M < 2^Width, 0 <= x, y <= M.
//
`default_nettype none

module mm_montgomery_dsp #(
  parameter int Width  = 256,
  parameter int Word   = 36,
  parameter int Digit  = 18,
  parameter int Folded = 0,
  parameter int Fanout = 0
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             ctx_valid_i,
  output logic            ctx_ready_o,
  input  wire  [Word-1:0] ctx_data_i,
  output logic            ctx_error_o,
  input  wire             in_valid_i,
  output logic            in_ready_o,
  input  wire  [Word-1:0] x_i,
  input  wire  [Word-1:0] y_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  localparam bit LegalDigit = Digit >= 8 && Digit <= 32;
  localparam int W          = LegalDigit ? Digit : 18;
  localparam bit LegalWord  = Word >= W && Word % W == 0;
  localparam int SafeWord   = LegalWord ? Word : W;
  localparam int SafeWidth  = Width > 2 ? Width : 2;
  localparam bit LegalFan   = Fanout >= 0 && Fanout <= 2;
  localparam bit Fold       = Folded != 0;
  localparam int SFan       = (LegalFan ? Fanout : 0) + (Fold ? 1 : 0);  // registers between S and the blocks
  localparam int XFan       = SFan > 0 ? SFan : 1;                       // and between the words of x and the blocks

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_8_to_32 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_a_number_of_digits u_illegal ();
  end
  if (Folded != 0 && Folded != 1) begin : gen_illegal_folded
    illegal_parameter_Folded_must_be_0_or_1 u_illegal ();
  end
  if (!LegalFan) begin : gen_illegal_fanout
    illegal_parameter_Fanout_must_be_0_to_2 u_illegal ();
  end

  function automatic int most(input int a, input int b);
    most = a > b ? a : b;
  endfunction

  localparam int Lanes    = SafeWord / W;
  localparam int Beats    = (SafeWidth + SafeWord - 1) / SafeWord;
  localparam int N        = (SafeWidth + W - 1) / W;      // digits of x, y, K
  localparam int VDigits  = (SafeWidth + 5 + W - 1) / W + 1;
  localparam int Columns  = Fold ? Lanes : VDigits;
  localparam int Groups   = (VDigits + Columns - 1) / Columns;
  localparam int Loop     = 7 + SFan;                     // cycles from a digit of S to its product in S
  localparam int Delay    = (Loop + Groups - 1) / Groups - 1;
  localparam int Spare    = Groups * (Delay + 1) - Loop;
  localparam int Halves   = $clog2(Delay + 2);
  localparam int VBits    = W + $clog2(5 + 2 * Delay);
  localparam int Steps    = most(most(N, Delay + 1), 2);
  localparam int Words    = (VDigits + Lanes - 1) / Lanes;
  localparam int Late     = Groups > 1 ? 2 : 0;           // cycles that s * K waits for the S of step 4
  localparam int ToV      = 1 + XFan;                     // from the last digit of x to the digits behind it
  localparam int ToWord   = ToV + (Delay == 0 ? 7 : 7 + Late + (Delay - 1) * Groups);
  localparam int Quot     = W + Halves;
  localparam int ZWords   = SafeWidth / SafeWord + 1;
  localparam int Convert  = (Halves > 3 ? 6 + Halves : 9) + 2 + Quot / SafeWord + ZWords;
  localparam int Latency  = 1 + Groups * Steps + ToWord + Convert + 1;
  localparam int Slots    = 4;                            // operations between start and the last word of z
  localparam int Period   = most(most(Groups * (Steps + 1), Words + 4), (Latency + Beats + 1 + Slots) / Slots);
  localparam int NumBeats = Fold ? Groups : Beats;
  localparam int Heads    = Beats + (Quot + SafeWord - 1) / SafeWord;
  localparam int MAddr    = $clog2(Heads);
  localparam int KDepth   = Fold ? Groups * (Delay + 1) : Delay + 1;
  localparam int KAddr    = KDepth > 1 ? $clog2(KDepth) : 1;
  localparam int XAddr    = Beats > 1 ? $clog2(Beats) : 1;
  localparam int BeatBits = $clog2(Heads > NumBeats ? Heads + 1 : NumBeats + 1);
  localparam int GrpBits  = Groups > 1 ? $clog2(Groups) : 1;
  localparam int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;
  localparam int Places   = Fold ? 1 : Beats;

  // ---- control

  logic                ctx_there, ctx_m, ctx_next, in_load, half_in, start, run, first, last, done, x_there;
  logic                half_run, legal_q, out_last;
  logic [BeatBits-1:0] ctx_beat, in_beat, x_word_index;
  logic [GrpBits-1:0]  group;
  logic [LaneBits-1:0] x_lane;

  mm_montgomery_dsp_control #(
    .Beats(Beats), .Heads(Heads), .Numbers(Delay + 1), .NumBeats(NumBeats), .Lanes(Lanes), .Groups(Groups),
    .Steps(Steps), .Period(Period), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q), .in_valid_i, .in_ready_o, .out_last_i(out_last),
    .ctx_there_o(ctx_there), .ctx_m_o(ctx_m), .ctx_next_o(ctx_next), .ctx_beat_o(ctx_beat),
    .in_load_o(in_load), .in_beat_o(in_beat), .half_in_o(half_in),
    .start_o(start), .run_o(run), .first_o(first), .last_o(last), .done_o(done), .group_o(group),
    .x_word_o(x_word_index), .x_lane_o(x_lane), .x_there_o(x_there), .half_run_o(half_run)
  );

  // ---- beats, one to three cycles after they came

  logic                k_load_q, k_next_q, m_load_q, in_q, half_in_q;
  logic [BeatBits-1:0] ctx_beat_q, in_beat_q;
  logic [SafeWord-1:0] data_q, data_q2, data_q3, x_in_q, y_in_q;
  logic [(Heads-Beats)*SafeWord-1:0] inverse_q;  // the last words of these beats are -1 / M
  logic [KAddr-1:0]    k_write_q, k_write_q2;
  logic [Places-1:0]   k_here_q;            // for the columns that this word of a number has digits of
  logic [Places-1:0]   place_q, place_q2;   // the columns of the next word of operands, of this one

  always_ff @(posedge clk_i) begin
    in_q        <= in_load;
    half_in_q   <= half_in;
    in_beat_q   <= in_beat;
    x_in_q      <= x_i;
    y_in_q      <= y_i;
    data_q      <= ctx_data_i;
    data_q2     <= data_q;
    data_q3     <= data_q2;
    m_load_q    <= ctx_there & ctx_m;
    k_load_q    <= ctx_there & ~ctx_m;
    k_next_q    <= Fold | ctx_next;
    ctx_beat_q  <= ctx_beat;
    k_write_q2  <= k_write_q;
    place_q2    <= place_q;
    for (int b = 0; b < Places; b++) begin
      k_here_q[b] <= k_load_q & (Fold | ctx_beat_q == BeatBits'(b));
    end
    if (m_load_q && ctx_beat_q == '0) legal_q <= data_q2[0];
    if (m_load_q) inverse_q <= ((Heads-Beats)*SafeWord)'({data_q2, inverse_q} >> SafeWord);
    if (m_load_q)                  k_write_q <= '0;
    else if (k_load_q && k_next_q) k_write_q <= k_write_q + 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      place_q <= Places'(1);
    else if (in_load) place_q <= Places'({place_q, place_q[Places-1]});
  end

  // ---- digits of x

  logic [SafeWord-1:0] x_word;
  logic [W-1:0]        x_digit, x_q, x;

  mm_word_ram #(
    .Word(SafeWord), .Depth(2 << XAddr)
  ) u_x (
    .clk_i, .write_i(in_q), .write_addr_i({half_in_q, in_beat_q[XAddr-1:0]}), .word_i(x_in_q),
    .read_addr_i({half_run, x_word_index[XAddr-1:0]}), .word_o(x_word)
  );

  assign x_digit = x_word[x_lane*W+:W];

  always_ff @(posedge clk_i) begin
    if (!run || !x_there) x_q <= '0;
    else if (first)       x_q <= x_digit;
  end

  mm_delay #(
    .Bits(W), .Cycles(XFan - 1)
  ) u_x_fan (
    .clk_i, .d_i(x_q), .q_o(x)
  );

  // ---- the digits that are dropped, Delay steps later

  logic [W-1:0] sum_0, s;

  if (SFan == 0) begin : gen_at_once  // S is 0 where no operation runs; what it is behind step T does no harm
    assign s = sum_0;
  end else begin : gen_fan
    logic         s_there, s_first;
    logic [W-1:0] s_dropped, s_q;

    mm_delay #(
      .Bits(W), .Cycles(Spare)
    ) u_dropped (
      .clk_i, .d_i(sum_0), .q_o(s_dropped)
    );

    mm_delay #(
      .Bits(2), .Cycles(Delay * Groups)
    ) u_s_run (
      .clk_i, .d_i({run, first}), .q_o({s_there, s_first})
    );

    always_ff @(posedge clk_i) begin
      if (!s_there)     s_q <= '0;
      else if (s_first) s_q <= s_dropped;
    end

    mm_delay #(
      .Bits(W), .Cycles(SFan - 1)
    ) u_s_fan (
      .clk_i, .d_i(s_q), .q_o(s)
    );
  end

  // ---- when: K is read a cycle before the digits are at the blocks, the address a cycle earlier

  logic             drain, k_sync, blank, idle, v_clear, v_later;
  logic [KAddr-1:0] k_addr_q;

  if (Delay > 0) begin : gen_drain
    logic begins, goes_on;

    mm_delay #(
      .Bits(1), .Cycles(XFan - 1)
    ) u_begins (
      .clk_i, .d_i(done), .q_o(begins)
    );

    mm_montgomery_dsp_token #(
      .Start(1), .Length((Delay + 1) * Groups - 1)
    ) u_drain (
      .clk_i, .rst_ni, .pulse_i(begins), .on_o(goes_on)
    );

    assign drain = begins | goes_on;
  end else begin : gen_none
    assign drain = 1'b0;
  end

  mm_delay #(
    .Bits(1), .Cycles(Groups + XFan - 2)
  ) u_k_sync (
    .clk_i, .d_i(first), .q_o(k_sync)
  );

  mm_montgomery_dsp_token #(
    .Start(XFan + 5 + Delay * Groups), .Length((Steps - Delay) * Groups), .On(1'b0)
  ) u_blank (
    .clk_i, .rst_ni, .pulse_i(start), .on_o(blank)
  );

  mm_delay #(
    .Bits(1), .Cycles(XFan + 4)
  ) u_idle (
    .clk_i, .d_i(~run), .q_o(idle)
  );

  mm_montgomery_dsp_token #(
    .Start(most(ToV + 6 + Late - Groups, 1)), .Length(Groups)
  ) u_v_clear (
    .clk_i, .rst_ni, .pulse_i(done), .on_o(v_clear)
  );

  mm_montgomery_dsp_token #(
    .Start(ToV + 6), .Length(Groups), .On(1'b0)
  ) u_v_later (
    .clk_i, .rst_ni, .pulse_i(done), .on_o(v_later)
  );

  always_ff @(posedge clk_i) begin
    if (k_sync && !drain) k_addr_q <= '0;
    else                  k_addr_q <= k_addr_q + 1'b1;
  end

  // ---- columns

  logic [Columns-1:0][W-1:0] y, k, high_x, high_s, sum, round;
  logic [Columns*VBits-1:0]  v;
  logic [W-1:0]              below_x, below_s, above_top;
  logic                      y_there, y_start_q;
  logic [GrpBits:0]          y_addr, y_write_addr;
  logic [GrpBits-1:0]        y_write_beat;

  if (Groups == 1) begin : gen_row
    assign below_x   = '0;
    assign below_s   = '0;
    assign above_top = '0;
  end else begin : gen_groups
    logic         last_sum;
    logic [W-1:0] next_group, below_x_q, below_s_q;
    always_ff @(posedge clk_i) begin
      below_x_q <= high_x[Columns-1];
      below_s_q <= high_s[Columns-1];
    end
    assign below_x = below_x_q;
    assign below_s = below_s_q;
    mm_delay #(
      .Bits(1), .Cycles(XFan + 6)
    ) u_last (
      .clk_i, .d_i(last), .q_o(last_sum)
    );
    mm_delay #(
      .Bits(W), .Cycles(Groups - 2)
    ) u_next (
      .clk_i, .d_i(sum[0]), .q_o(next_group)
    );
    assign above_top = next_group & {W{~last_sum}};
  end

  assign sum_0        = sum[0];
  assign y_write_beat = GrpBits'(in_beat_q);
  assign y_write_addr = {half_in_q, y_write_beat};

  mm_delay #(
    .Bits(GrpBits + 1), .Cycles(XFan - 1)
  ) u_y_addr (
    .clk_i, .d_i({half_run, group}), .q_o(y_addr)
  );

  if (Beats < Groups) begin : gen_y_there
    assign y_there = y_addr[GrpBits-1:0] < GrpBits'(Beats);
  end else begin : gen_y_all
    assign y_there = 1'b1;
  end

  always_ff @(posedge clk_i) y_start_q <= start;

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    localparam int Lane   = c % Lanes;
    localparam bit Blocks = c < N;

    if (!Blocks) begin : gen_no_digits
      assign y[c] = '0;
      assign k[c] = '0;
    end else begin : gen_digits
      localparam int Place = Fold ? 0 : c / Lanes;
      logic [W-1:0] k_digit, k_q, y_q;

      mm_word_ram #(
        .Word(W), .Depth(1 << KAddr)
      ) u_k (
        .clk_i, .write_i(k_here_q[Place]), .write_addr_i(k_write_q2), .word_i(data_q3[Lane*W+:W]),
        .read_addr_i(k_addr_q), .word_o(k_digit)
      );

      if (Groups == 1) begin : gen_y_register
        logic [W-1:0] y_next_q;
        always_ff @(posedge clk_i) begin
          if (in_q && place_q2[Place]) y_next_q <= y_in_q[Lane*W+:W];
          if (y_start_q)               y_q      <= y_next_q;
        end
      end else begin : gen_y_words
        logic [W-1:0] y_digit;
        mm_word_ram #(
          .Word(W), .Depth(2 << GrpBits)
        ) u_y (
          .clk_i, .write_i(in_q), .write_addr_i(y_write_addr), .word_i(y_in_q[Lane*W+:W]),
          .read_addr_i(y_addr), .word_o(y_digit)
        );
        always_ff @(posedge clk_i) y_q <= y_there ? y_digit : '0;
      end

      always_ff @(posedge clk_i) k_q <= k_digit;

      assign y[c] = y_q;
      assign k[c] = k_q;
    end

    mm_montgomery_dsp_column #(
      .Digit(W), .VBits(VBits), .Groups(Groups), .Blocks(Blocks), .Drain(Delay > 0)
    ) u_column (
      .clk_i, .idle_i(idle), .blank_i(blank), .v_clear_i(v_clear), .v_later_i(v_later),
      .x_i(x), .y_i(y[c]), .s_i(s), .k_i(k[c]),
      .high_x_i(c == 0 ? below_x : high_x[c == 0 ? 0 : c-1]), .high_s_i(c == 0 ? below_s : high_s[c == 0 ? 0 : c-1]),
      .high_x_o(high_x[c]), .high_s_o(high_s[c]),
      .above_i(c == Columns - 1 ? above_top : round[c == Columns-1 ? c : c+1]),
      .sum_o(sum[c]), .round_o(round[c]), .v_o(v[c*VBits+:VBits])
    );
  end

  logic unused_ends;
  assign unused_ends = ^{last, x_word_index, in_beat_q, ctx_beat_q, half_in_q, data_q3, y_in_q, inverse_q, place_q2,
                         high_x, high_s, sum, round, half_run, y_addr, y_there, y_start_q, y_write_addr};

  // ---- words of V

  logic                   convert;
  logic [Lanes*VBits-1:0] v_word;

  mm_montgomery_dsp_token #(
    .Start(ToWord - 1), .Length(1)
  ) u_convert (
    .clk_i, .rst_ni, .pulse_i(done), .on_o(convert)
  );

  // The first word comes from the columns at once; a flip-flop of its own chooses it, for v_there drives all words.
  if (Groups == 1) begin : gen_shift
    localparam int Bits = (Words + 1) * Lanes * VBits;  // and a word 0, which moves in
    logic [Bits-1:0] v_words, v_q;
    logic            v_there, v_first_q;
    assign v_words = Bits'(v);
    always_ff @(posedge clk_i) begin
      v_first_q <= convert;
      v_q       <= (v_there ? v_words : v_q) >> (Lanes * VBits);
    end
    mm_montgomery_dsp_token #(
      .Start(1), .Length(1)
    ) u_v_there (
      .clk_i, .rst_ni, .pulse_i(convert), .on_o(v_there)
    );
    assign v_word = v_first_q ? v_words[Lanes*VBits-1:0] : v_q[Lanes*VBits-1:0];
  end else begin : gen_pass
    assign v_word = v;
  end

  // ---- steps 5 to 7

  logic                z_there;
  logic [SafeWord-1:0] z;

  mm_montgomery_dsp_converter #(
    .Digit(W), .Lanes(Lanes), .VBits(VBits), .Words(Words), .Beats(Beats), .ZWords(ZWords),
    .Halves(Halves), .AddrBits(MAddr)
  ) u_converter (
    .clk_i, .rst_ni, .start_i(convert), .v_i(v_word), .inverse_i(inverse_q[Quot-1:0]),
    .write_i(m_load_q), .addr_i(ctx_beat_q[MAddr-1:0]), .word_i(data_q2), .valid_o(z_there), .z_o(z)
  );

  // ---- words of z: at once to the port, or through a memory and a register while the port is not free

  localparam int OutAddr = Slots * Beats > 1 ? $clog2(Slots * Beats) : 1;

  logic [OutAddr:0]    write_q, read_q, beyond_q;  // beyond_q is read_q + 2
  logic [BeatBits-1:0] out_beat_q;
  logic [SafeWord-1:0] z_word, next_q;
  logic                none_q, one_q;              // words in the memory
  logic                next_there_q, valid_q, move, write, take;

  mm_word_ram #(
    .Word(SafeWord), .Depth(1 << OutAddr)
  ) u_z (
    .clk_i, .write_i(write), .write_addr_i(write_q[OutAddr-1:0]), .word_i(z),
    .read_addr_i(read_q[OutAddr-1:0]), .word_o(z_word)
  );

  assign move     = ~valid_q | out_ready_i;
  assign write    = z_there & ~(move & none_q & ~next_there_q);
  assign take     = ~none_q & (move | ~next_there_q);
  assign out_last = valid_q & out_ready_i & out_beat_q == BeatBits'(Beats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q      <= '0;
      read_q       <= '0;
      beyond_q     <= (OutAddr+1)'(2);
      none_q       <= 1'b1;
      one_q        <= 1'b0;
      next_there_q <= 1'b0;
      valid_q      <= 1'b0;
      out_beat_q   <= '0;
    end else begin
      if (write) write_q <= write_q + 1'b1;
      if (take) begin
        read_q   <= read_q + 1'b1;
        beyond_q <= beyond_q + 1'b1;
      end
      if (write && !take) begin
        none_q <= 1'b0;
        one_q  <= none_q;
      end else if (!write && take) begin
        none_q <= one_q;
        one_q  <= beyond_q == write_q;
      end
      next_there_q <= take | (next_there_q & ~move);
      if (move) valid_q <= next_there_q | (z_there & none_q);
      if (valid_q && out_ready_i) out_beat_q <= out_last ? '0 : out_beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) next_q <= z_word;
    if (move) z_o <= next_there_q ? next_q : z;
  end

  assign out_valid_o = valid_q;

endmodule

`default_nettype wire
