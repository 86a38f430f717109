// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_split: mm_rrm for digits of three to five bits. One table of x_i * y + T[s] would have 2^(2k) entries; here
// each term has a table of its own, and there are two sums, or with Chains = 1 one sum of three terms.
//
// Steps (k = DigitBits, B = 2^k, d = Delay, L = ceil(Width / k) + 2, R = B^(L-1))
//    0  for each M and s = 0 ... B-1: T[s] = s / B^(d+1) mod M, by two passes of steps 4b to 6      T[s] < M
//    1  for each x and y: X and Y, the operand if it is odd, and M minus it if it is even         0 < X, Y <= M, odd
//    2  X = sum of x_i * B^i, x_i odd, |x_i| < B: 2u - (B - 1), u a digit of floor(X / 2) + B^(L-2) / 2
//    3  table[r] = (2r + 1) * Y, r = 0 ... B/2 - 1, in one of two banks                           < B * M
//    4  for i = 0 ... L-1, x_i = 0 for the last two:
//         a  E = (-1)^sign * table[(|x_i| - 1) / 2] + T[s'], s' the digit dropped d steps before  |E| < B * M
//         b  S = floor(S / B) + E; with Chains = 1, a and b are one addition                      |S| < 2 * B * M
//    5  V = S + P, P the residue of the d digits that are still pending                           -M <= V < 2M
//    6  z = V + M, V or V - M                                                                     0 <= z < M
//
// sign is that of x_i, and changed if only one of X and Y is its operand. An odd v has -v = ~v + 1 = ~v with the lowest
// bit set, so nothing is added for a sign. E and S have digits of k bits with a saved carry each, and S one at the top,
// of 0, -1 or -2, for its sign. A bank is filled while the loop runs with the other.
//
// Step 0 takes s * B^(d-1) for the pending digits, with S = 0, which gives s / B mod M; that is y of the second pass,
// in which S = Y or -Y, and d digits are dropped.
//
// With Modulus > 0, M is fixed: the residues are logic, and there is no step 0.
//
// Context: M, and a word more, which is taken when step 0 is done; with Modulus > 0 that alone.
// Legal: odd M < 2^Width, 0 <= x, y <= M.
//
`default_nettype none

module mm_rrm_split #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int DigitBits = 4,
  parameter int Delay     = 1,
  parameter int Chains    = 2,
  parameter     Modulus   = 0  // 0 for any
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

  localparam bit LegalWord  = Word == 8 || Word == 16 || Word == 32 || Word == 64;
  localparam int SafeWord   = LegalWord ? Word : 16;
  localparam bit LegalDigit = DigitBits >= 3 && DigitBits <= 5;
  localparam int K          = LegalDigit ? DigitBits : 4;
  localparam bit LegalDelay = Delay == 1 || Delay == 2;
  localparam bit LegalPair  = K * (LegalDelay ? Delay : 1) <= SafeWord;
  localparam int D          = LegalDelay && LegalPair ? Delay : 1;
  localparam bit LegalChain = Chains == 1 || Chains == 2;
  localparam int SafeWidth  = Width > 2 ? Width : 2;
  localparam bit Fixed      = Modulus != 0;
  localparam bit LegalM     = !Fixed || (Modulus[0] && Modulus >> SafeWidth - 1 == 1);

  localparam logic [SafeWidth-1:0] M = SafeWidth'(Modulus);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_16_32_or_64 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_DigitBits_must_be_3_4_or_5 u_illegal ();
  end
  if (!LegalDelay) begin : gen_illegal_delay
    illegal_parameter_Delay_must_be_1_or_2 u_illegal ();
  end
  if (!LegalPair) begin : gen_illegal_pair
    illegal_parameter_Delay_digits_must_fit_into_a_word u_illegal ();
  end
  if (!LegalChain) begin : gen_illegal_chain
    illegal_parameter_Chains_must_be_1_or_2 u_illegal ();
  end
  if (!LegalM) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_0_or_odd_and_of_Width_bits u_illegal ();
  end

  localparam int Rows      = 1 << K;
  localparam int Half      = Rows / 2;
  localparam int Beats     = (SafeWidth + SafeWord - 1) / SafeWord;
  localparam int AddrBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int XDigits   = (SafeWidth + K - 1) / K;
  localparam int Steps     = XDigits + 2;
  localparam int ReadSteps = Steps + 2 * Beats + (Beats > 16 ? 15 : 14);
  localparam int Period    = ReadSteps / 2 > Steps + 1 ? ReadSteps / 2 : Steps + 1;  // in less, a sum might not be read
  localparam int FillWords = (Rows * K + SafeWord - 1) / SafeWord;  // so many that filling takes half of the loop
  localparam int Words     = FillWords < Beats ? FillWords : Beats;
  localparam int Groups    = (Beats + Words - 1) / Words;
  localparam int GroupBits = Words * SafeWord;
  localparam int PlaceBits = Words > 1 ? $clog2(Words) : 1;
  localparam int Columns   = SafeWidth + K;                     // of the multiples of Y
  localparam int Digits    = XDigits + 1;                   // of the sums, but for that at the top
  localparam int Bits      = Digits * K;
  localparam int CellDigit = 32 / K;
  localparam int Cells     = (Digits + CellDigit - 1) / CellDigit;
  localparam int Pending   = K * D;
  localparam int SumDigits = ((Beats + 1) * SafeWord + K - 1) / K;

  // ---- control

  logic                 ctx_load, in_load, full, filler_move, filler_soon, filled, go, digits, x_some, x_last;
  logic                 pre, second, clear_t, clear_e, clear_s, take, read, first, read_last, move, legal;
  logic [AddrBits-1:0]  beat, word;
  logic [K-1:0]         row;
  logic [PlaceBits-1:0] place;

  mm_rrm_bank_control #(
    .Beats(Beats), .Words(Words), .Rows(Rows), .Digits(XDigits), .Steps(Steps), .Period(Period),
    .Delay(D), .Fixed(Fixed)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .in_load_o(in_load), .beat_o(beat), .place_o(place), .full_o(full),
    .move_i(filler_move), .soon_i(filler_soon), .filled_i(filled), .pre_o(pre), .row_o(row), .second_o(second),
    .go_o(go), .digits_o(digits), .x_some_o(x_some), .x_last_o(x_last),
    .clear_t_o(clear_t), .clear_e_o(clear_e), .clear_s_o(clear_s), .take_o(take),
    .read_o(read), .first_o(first), .read_last_i(read_last), .word_o(word), .move_o(move)
  );

  // ---- the context

  localparam logic [Beats*SafeWord-1:0] WordsOfM = (Beats*SafeWord)'(M);

  logic                m_load_q;
  logic [AddrBits-1:0] m_beat_q;
  logic [SafeWord-1:0] ctx_q, m_q, m_word;
  logic [Pending-1:0]  u;  // -1 / M mod 2^Pending

  always_ff @(posedge clk_i) begin
    ctx_q    <= ctx_data_i;
    m_q      <= ctx_q;
    m_load_q <= ctx_load;
    m_beat_q <= beat;
  end

  function automatic logic [Pending-1:0] minus_inverse(input logic [Pending-1:0] m);
    // Bit i of the inverse is that bit of 1 - (inverse so far) * m.
    logic [Pending-1:0] inverse, rest;
    inverse = '0;
    rest    = Pending'(1);
    for (int i = 0; i < Pending; i++) begin
      if (rest[i]) begin
        inverse = inverse | (Pending'(1) << i);
        rest    = rest - (m << i);
      end
    end
    minus_inverse = Pending'(0) - inverse;
  endfunction

  if (Fixed) begin : gen_fixed
    logic so_far_q, same;

    assign m_word = WordsOfM[int'(beat)*SafeWord+:SafeWord];
    assign same   = (beat == '0 | so_far_q) & ctx_q == m_word;
    assign legal  = ctx_load ? same : so_far_q;
    assign u      = minus_inverse(Pending'(M));

    always_ff @(posedge clk_i) begin
      if (ctx_load) so_far_q <= same;
    end
  end else begin : gen_any
    logic               m_first_q, legal_q, unused_low;
    logic [Pending-1:0] m_low_q, u_q;

    mm_word_ram #(
      .Word(SafeWord), .Depth(1 << AddrBits)
    ) u_m (
      .clk_i, .write_i(m_load_q), .write_addr_i(m_beat_q), .word_i(m_q), .read_addr_i(beat), .word_o(m_word)
    );

    assign legal      = legal_q;
    assign u          = u_q;
    assign unused_low = m_low_q[0];

    always_ff @(posedge clk_i) begin
      m_first_q <= ctx_load & beat == '0;
      if (m_first_q) begin
        legal_q <= m_q[0];
        m_low_q <= m_q[Pending-1:0];
      end
      u_q <= minus_inverse({m_low_q[Pending-1:1], 1'b1});
    end
  end

  // ---- step 1

  logic                 in_load_q, in_load_q2, full_q, full_q2, x_even_q, y_even_q, negative_q, bank_q, run_bank_q;
  logic                 x_even, y_even, x_carry_q, y_carry_q, x_carry, y_carry;
  logic [AddrBits-1:0]  beat_q, beat_q2;
  logic [PlaceBits-1:0] place_q, place_q2;
  logic [SafeWord-1:0]      x_q, y_q, x_q2, y_q2, m_x_q, m_y_q, x_odd, y_odd, x_odd_q, y_odd_q;

  assign x_even = beat == '0 ? ~x_q[0] : x_even_q;
  assign y_even = beat == '0 ? ~y_q[0] : y_even_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_load_q  <= 1'b0;
      in_load_q2 <= 1'b0;
      bank_q     <= 1'b0;
    end else begin
      in_load_q  <= in_load;
      in_load_q2 <= in_load_q;
      bank_q     <= bank_q ^ go;
    end
  end

  always_ff @(posedge clk_i) begin
    {beat_q2, beat_q}   <= {beat_q, beat};
    {place_q2, place_q} <= {place_q, place};
    {full_q2, full_q}   <= {full_q, full};
    x_q                 <= x_i;
    y_q                 <= pre ? z_o : y_i;
    x_q2                <= x_q;
    y_q2                <= y_q;
    m_x_q               <= x_even ? m_word : '0;
    m_y_q               <= y_even ? m_word : '0;
    x_odd_q             <= x_odd;
    y_odd_q             <= y_odd;
    if (in_load) begin
      x_even_q <= x_even;
      y_even_q <= y_even;
    end
    if (in_load && beat == '0) begin
      x_carry_q <= x_even;
      y_carry_q <= y_even;
    end else if (in_load_q) begin
      x_carry_q <= x_carry;
      y_carry_q <= y_carry;
    end
    if (go) begin
      negative_q <= (x_even_q & ~pre) ^ y_even_q;
      run_bank_q <= bank_q;
    end
  end

  // The operand, or M + ~operand + 1.
  mm_rrm_split_adder #(
    .DigitBits(SafeWord), .Digits(1)
  ) u_x_odd (
    .sign_i(x_even_q), .x_i(x_q2), .t_i(m_x_q), .c_i(x_carry_q), .e_o(x_odd), .c_o(x_carry)
  );

  mm_rrm_split_adder #(
    .DigitBits(SafeWord), .Digits(1)
  ) u_y_odd (
    .sign_i(y_even_q), .x_i(y_q2), .t_i(m_y_q), .c_i(y_carry_q), .e_o(y_odd), .c_o(y_carry)
  );

  // ---- step 2: digits of X; without bits the last one is 1

  localparam int LeftBits = $clog2(SafeWord + 2 * K);

  logic [SafeWord-1:0]     x_word;
  logic [SafeWord+K-1:0]   x_shift_q, x_shifted;
  logic [AddrBits-1:0] x_beat_q;
  logic [LeftBits-1:0] left_q, left_next;  // bits in x_shift_q but for its lowest digit
  logic                x_bank_q, x_load_q, x_more_q, x_more, u_top, unused_digit;
  logic [K-1:0]        digit_q;
  logic [K-2:0]        x_row, row_now;
  logic                x_sign_q, x_some_q, sign_now, some_now, sign_q, one_q, sign_e;

  mm_word_ram #(
    .Word(SafeWord), .Depth(2 << AddrBits)
  ) u_x (
    .clk_i, .write_i(in_load_q2), .write_addr_i({bank_q, beat_q2}), .word_i(x_odd_q),
    .read_addr_i({x_bank_q, x_beat_q}), .word_o(x_word)
  );

  // Between operations the first word of the next one comes again and again; then one comes when fewer than K bits are
  // left.
  assign x_more    = digits ? x_more_q & ~(x_load_q & x_beat_q == AddrBits'(Beats - 1)) : Beats > 1;
  assign x_shifted = x_shift_q >> K;

  always_comb begin
    left_next = left_q - LeftBits'(K);
    if (x_load_q) left_next = left_q + LeftBits'(SafeWord - K);
    if (!digits)  left_next = go ? LeftBits'(SafeWord - K) : '0;
  end

  if (SafeWord % K == 0) begin : gen_whole
    always_ff @(posedge clk_i) begin
      if (pre) x_shift_q <= '0;
      else     x_shift_q <= x_load_q ? (SafeWord+K)'(x_word) : x_shifted;
    end
  end else begin : gen_parts
    logic [SafeWord+K-1:0] x_left;
    assign x_left = digits ? x_shifted : '0;
    always_ff @(posedge clk_i) begin
      if (pre) x_shift_q <= '0;
      else     x_shift_q <= x_load_q ? x_left | ((SafeWord+K)'(x_word) << left_q) : x_shifted;
    end
  end

  always_ff @(posedge clk_i) begin
    left_q   <= left_next;
    x_load_q <= digits | go ? x_more & left_next < LeftBits'(K) : 1'b1;
    x_more_q <= x_more;
    if (digits) x_beat_q <= x_beat_q + AddrBits'(x_load_q);
    else        x_beat_q <= AddrBits'(go && Beats > 1);
    if (!digits && !go) x_bank_q <= bank_q;
  end

  assign unused_digit = digit_q[0];

  // u is a digit of X, a bit higher; the bit above the last one is 1.
  assign u_top = x_shift_q[0] | x_last;
  assign x_row = digit_q[K-1:1] ^ {K-1{~u_top}};

  always_ff @(posedge clk_i) begin
    digit_q  <= x_shift_q[K-1:0];
    x_sign_q <= x_some & (u_top ^ ~negative_q);
    x_some_q <= x_some;
    sign_q   <= sign_now;
    one_q    <= some_now & ~sign_now;  // what the lowest bit is, but for the sign
  end

  // The multiple is needed a cycle later where it is not added to T first. sign_e is that of what S takes.
  if (Chains == 1) begin : gen_x_later
    logic [K-2:0] row_later_q;
    logic         sign_later_q, some_later_q;
    always_ff @(posedge clk_i) begin
      row_later_q  <= x_row;
      sign_later_q <= x_sign_q;
      some_later_q <= x_some_q;
    end
    assign row_now  = row_later_q;
    assign sign_now = sign_later_q;
    assign some_now = some_later_q;
    assign sign_e   = sign_q;
  end else begin : gen_x_now
    logic sign_e_q;
    always_ff @(posedge clk_i) sign_e_q <= sign_q;
    assign row_now  = x_row;
    assign sign_now = x_sign_q;
    assign some_now = x_some_q;
    assign sign_e   = sign_e_q;
  end

  // ---- step 3: the table

  localparam int Parts = (GroupBits + 31) / 32;

  logic [Parts-1:0][Groups-1:0] fill_write;
  logic [Parts-1:0][K-2:0]      fill_row;
  logic [GroupBits+K-1:0]       multiple;
  logic [Columns-1:0]           x_entry;
  logic [Bits-1:0]              x, t;
  logic                         unused_fill;

  mm_rrm_split_filler #(
    .Word(SafeWord), .Words(Words), .Groups(Groups), .Rows(Half), .TopBits(K)
  ) u_filler (
    .clk_i, .rst_ni, .load_i(in_load_q2), .place_i(place_q2), .word_i(y_odd_q), .full_i(full_q2),
    .move_o(filler_move), .soon_o(filler_soon), .write_o(fill_write), .row_o(fill_row), .multiple_o(multiple),
    .done_o(filled)
  );

  assign unused_fill = ^{fill_write, fill_row, multiple};

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    for (genvar p = 0; p < Parts; p++) begin : gen_part
      localparam int Low  = g * GroupBits + p * 32;
      localparam int Most = p < Parts - 1 ? 32 : g < Groups - 1 ? GroupBits - p * 32 : GroupBits - p * 32 + K;
      localparam int Size = Columns - Low < Most ? Columns - Low : Most;

      if (Size > 0) begin : gen_some
        logic [K-2:0] entry_row;

        mm_rrm_copy #(
          .Bits(K - 1)
        ) u_row (
          .clk_i, .clear_i(1'b0), .d_i(row_now), .q_o(entry_row)
        );

        mm_word_ram #(
          .Word(Size), .Depth(Rows)
        ) u_multiples (
          .clk_i, .write_i(fill_write[p][g]), .write_addr_i({bank_q, fill_row[p]}), .word_i(multiple[p*32+:Size]),
          .read_addr_i({run_bank_q, entry_row}), .word_o(x_entry[Low+:Size])
        );
      end
    end
  end

  // ---- step 4

  logic [Bits-1:0]    s, s_next, e;
  logic [K-1:0]       e_low;
  logic [Bits+K-1:0]  s_above;
  logic [Digits-1:0]  c, e_c;
  logic [K-1:0]       top;
  logic               below_q, twice_q, unused_s;  // the digit at the top is below 0, and -2
  logic [Columns-1:0] entry_q;

  always_ff @(posedge clk_i) begin
    if (!some_now) entry_q <= '0;
    else           entry_q <= x_entry;
  end

  assign x = Bits'({entry_q[Columns-1:1], one_q});

  // Step 0. What a first pass writes, the second replaces.
  logic [Beats-1:0]    residue_write;
  logic [K-1:0]        residue_row;
  logic [SafeWord-1:0] residue_word;
  logic                unused_residues;

  if (Fixed) begin : gen_no_passes
    assign residue_write = '0;
    assign residue_row   = '0;
    assign residue_word  = '0;
  end else begin : gen_passes
    logic [Beats-1:0]    place_t_q, residue_write_q;
    logic [2*Beats-1:0]  turned;
    logic [K-1:0]        row_q;
    logic [SafeWord-1:0] residue_q;
    logic                unused_turned;

    assign turned        = {place_t_q, place_t_q} << 1;
    assign unused_turned = ^turned;
    assign residue_write = residue_write_q;
    assign residue_row   = row_q;
    assign residue_word  = residue_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        place_t_q       <= Beats'(1);
        residue_write_q <= '0;
      end else begin
        if (pre && in_load) place_t_q <= turned[2*Beats-1:Beats];
        residue_write_q <= place_t_q & {Beats{pre & in_load}};
      end
    end

    always_ff @(posedge clk_i) begin
      row_q     <= row;
      residue_q <= y_q;
    end
  end

  assign unused_residues = ^{residue_write, residue_row, residue_word};

  // The residues of a modulus that is fixed, one after the other: each begins as its digit, and is halved, M
  // added where it is odd.
  function automatic logic [Rows*SafeWidth-1:0] residues(input logic [SafeWidth-1:0] m);
    logic [SafeWidth+K:0] found;
    residues = '0;
    for (int digit = 0; digit < Rows; digit++) begin
      found = (SafeWidth+K+1)'(digit);
      for (int i = 0; i < K * (D + 1); i++) begin
        if (found[0]) found = found + (SafeWidth+K+1)'(m);
        found = found >> 1;
      end
      if (found >= (SafeWidth+K+1)'(m)) found = found - (SafeWidth+K+1)'(m);
      residues[digit*SafeWidth+:SafeWidth] = SafeWidth'(found);
    end
  endfunction

  // Some columns of them, from one on.
  function automatic logic [Rows*SafeWord-1:0] columns(
    input logic [Rows*SafeWidth-1:0] all, input int low, input int bits
  );
    logic [SafeWidth-1:0] one;
    columns = '0;
    for (int digit = 0; digit < Rows; digit++) begin
      one     = all[digit*SafeWidth+:SafeWidth];
      columns = columns | ((Rows*SafeWord)'(SafeWord'(one >> low)) << digit * bits);
    end
  endfunction

  localparam logic [Rows*SafeWidth-1:0] Residues = Fixed ? residues(M) : '0;

  // The digit that the next step drops, for 64 columns each.
  localparam int LowWords = (64 + SafeWord - 1) / SafeWord;
  localparam int Lows     = (Beats + LowWords - 1) / LowWords;
  localparam int Later    = Chains == 1 ? D : D - 1;

  logic [Lows-1:0][K-1:0] low;
  logic                   unused_low;

  for (genvar i = 0; i < Lows; i++) begin : gen_low
    mm_rrm_split_low #(
      .DigitBits(K)
    ) u_low (
      .s_i(s[2*K-1:K]), .e_i(e_low), .c_i(c[0]), .digit_o(low[i])
    );
  end

  assign unused_low = ^low;

  for (genvar b = 0; b < Beats; b++) begin : gen_residue
    localparam int Low  = b * SafeWord;
    localparam int Size = b == Beats - 1 ? SafeWidth - Low : SafeWord;

    logic [K-1:0]    addr;
    logic [Size-1:0] residue, t_q;

    // A digit of S is an address when it is in its register, and a cycle earlier where there is E to be added to.
    if (Later == 0) begin : gen_now
      assign addr = low[b/LowWords];
    end else if (Later == 2) begin : gen_latest
      logic [K-1:0] addr_q;
      always_ff @(posedge clk_i) begin
        if (clear_s) addr_q <= '0;
        else         addr_q <= s[K-1:0];
      end
      assign addr = addr_q;
    end else begin : gen_later
      mm_rrm_copy #(
        .Bits(K)
      ) u_addr (
        .clk_i, .clear_i(clear_s), .d_i(s_next[K-1:0]), .q_o(addr)
      );
    end

    if (Fixed) begin : gen_logic
      mm_rrm_split_residues #(
        .DigitBits(K), .Bits(Size), .Residues((Rows*Size)'(columns(Residues, Low, Size)))
      ) u_residues (
        .digit_i(addr), .residue_o(residue)
      );
    end else begin : gen_table
      mm_word_ram #(
        .Word(Size), .Depth(Rows)
      ) u_residues (
        .clk_i, .write_i(residue_write[b]), .write_addr_i(residue_row), .word_i(residue_word[Size-1:0]),
        .read_addr_i(addr), .word_o(residue)
      );
    end

    always_ff @(posedge clk_i) begin
      if (clear_t) t_q <= '0;
      else         t_q <= residue;
    end

    assign t[Low+:Size] = t_q;
  end

  if (Bits > SafeWidth) begin : gen_no_residue
    assign t[Bits-1:SafeWidth] = '0;
  end

  assign top     = {{K-1{below_q}}, below_q & ~twice_q};
  assign s_above = {top, s};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int Low   = i * CellDigit;
    localparam int Count = i == Cells - 1 ? Digits - Low : CellDigit;

    logic sign;

    mm_rrm_copy #(
      .Bits(1)
    ) u_sign (
      .clk_i, .clear_i(1'b0), .d_i(sign_now), .q_o(sign)
    );

    if (Chains == 1) begin : gen_joint
      mm_rrm_split_joint #(
        .DigitBits(K), .Digits(Count)
      ) u_cell (
        .clk_i, .sign_i(sign), .x_i(x[Low*K+:Count*K]), .t_i(t[Low*K+:Count*K]),
        .clear_i(clear_s), .above_i(s_above[(Low+Count)*K+:K]),
        .s_next_o(s_next[Low*K+:Count*K]), .s_o(s[Low*K+:Count*K]), .h_o(e_c[Low+:Count]), .c_o(c[Low+:Count])
      );
      assign e[Low*K+:Count*K] = '0;
    end else begin : gen_cell_of_two
      mm_rrm_split_cell #(
        .DigitBits(K), .Digits(Count)
      ) u_cell (
        .clk_i, .sign_i(sign), .x_i(x[Low*K+:Count*K]), .t_i(t[Low*K+:Count*K]),
        .clear_e_i(clear_e), .clear_s_i(clear_s), .above_i(s_above[(Low+Count)*K+:K]),
        .e_o(e[Low*K+:Count*K]), .s_next_o(s_next[Low*K+:Count*K]),
        .s_o(s[Low*K+:Count*K]), .c_o(c[Low+:Count]), .e_c_o(e_c[Low+:Count])
      );
    end
  end

  always_ff @(posedge clk_i) begin
    below_q <= ~clear_s & (below_q | sign_e);
    twice_q <= ~clear_s & below_q & sign_e;
  end

  assign e_low    = e[K-1:0];
  assign unused_s = ^{s_next, s_above, e, entry_q, clear_e};

  // ---- steps 5 and 6

  logic [K-1:0]                s_low;
  logic [Pending-1:0]          pending, pending_q;
  logic [SumDigits*K+Bits:0]   s_long;
  logic [SumDigits*K-1:0]      s_signed, s_taken_q;
  logic [SumDigits-1:0]        c_ext, e_c_ext;
  logic [2*SumDigits-1:0]      c_taken_q;
  logic                        unused_long;

  assign s_low = s[K-1:0] | (row & {K{~second}});

  if (D == 1) begin : gen_pending_1
    assign pending = s_low;
  end else begin : gen_pending_2
    logic [K-1:0] low_q;
    always_ff @(posedge clk_i) low_q <= s[K-1:0];
    assign pending = {s_low, low_q};
  end

  assign s_long   = {{SumDigits*K{below_q}}, below_q & ~twice_q, s};
  assign s_signed = (SumDigits*K)'(s_long);
  assign unused_long = ^s_long;
  assign c_ext    = SumDigits'(c);
  assign e_c_ext  = SumDigits'(e_c);

  always_ff @(posedge clk_i) pending_q <= Pending'(pending * u);

  always_ff @(posedge clk_i) begin
    if (take) begin
      s_taken_q <= s_signed;
      c_taken_q <= {e_c_ext, c_ext};
    end
  end

  mm_rrm_converter #(
    .Word(SafeWord), .Beats(Beats), .DigitBits(K), .Digits(SumDigits), .Pending(Pending), .Carries(2),
    .Modulus(WordsOfM)
  ) u_converter (
    .clk_i, .m_load_i(m_load_q), .m_beat_i(m_beat_q), .m_word_i(m_q),
    .take_i(take), .s_i(s_taken_q), .c_i(c_taken_q), .q_i(pending_q),
    .read_i(read), .first_i(first), .read_last_o(read_last), .word_i(word), .bare_i(1'b0), .move_i(move), .z_o
  );

endmodule

`default_nettype wire
