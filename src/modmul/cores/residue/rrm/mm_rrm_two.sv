// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_two: mm_rrm with two banks of the table: while the loop runs with one, mm_rrm_filler makes the entries for the
// next y in the other, as words of y come in. The steps are those in the header of mm_rrm. There is no step 1: M is
// needed only in step 5.
//
// Step 2 uses the conversion at the end of an operation, which divides, in two passes for each s (mm_rrm_bank_control).
// In the first pass the sum is 0 and the pending digits are s * B^(d-1): step 5 gives s / B mod M. That comes in as y;
// when d digits of it have been dropped, it is the sum of the second pass: s / B^(d+1) mod M.
//
//   cycle of the loop
//   0       a digit of x leaves the words
//   1       digit_q
//   3       it is an address, with the bank and the digit dropped d steps before      step 4
//   4       the entry of the table is in a_q, and is added to the sum                 step 4
//
`default_nettype none

module mm_rrm_two #(
  parameter int Width     = 256,  // from 2
  parameter int Word      = 16,   // 8, 16, 32 or 64
  parameter int DigitBits = 2,    // 1 or 2
  parameter int Delay     = 1     // 1 or 2
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

  localparam int K          = DigitBits;
  localparam int D          = Delay;
  localparam int Beats      = (Width + Word - 1) / Word;
  localparam int WordBits   = Beats > 1 ? $clog2(Beats) : 1;
  localparam int XDigits    = (Width + K - 1) / K;
  localparam int Extra      = K == 1 ? D + 2 : 2;
  localparam int Steps      = XDigits + Extra;
  localparam int ReadSteps  = Steps + 2 * Beats + (Beats > 16 ? 15 : 14);
  localparam int Period     = ReadSteps / 2 > Steps + 1 ? ReadSteps / 2 : Steps + 1;  // in less, sums might wait
  localparam int SumDigits  = (Width + 3 + K - 1) / K > 4 ? (Width + 3 + K - 1) / K : 4;
  localparam int SumBits    = SumDigits * K;
  localparam int Addr       = 2 * K;
  localparam int Columns    = Width + K;                                  // of the entries
  localparam int FillWords  = ((K == 1 ? 16 : 48) + Word - 1) / Word;     // so that filling takes less than the loop
  localparam int Words      = FillWords < Beats ? FillWords : Beats;
  localparam int Groups     = (Beats + Words - 1) / Words;
  localparam int GroupBits  = Words * Word;
  localparam int PlaceBits  = Words > 1 ? $clog2(Words) : 1;
  localparam int Pending    = K * D;

  // ---- control

  logic                 ctx_load, in_load, full, filler_move, filler_soon, filled, go, digits, x_some, unused_x_last;
  logic                 pre, second, clear_s, unused_clear_e, clear_d, take, read, first, read_last, move, legal_q;
  logic [WordBits-1:0]  beat, word;
  logic [K-1:0]         row;
  logic [PlaceBits-1:0] place;

  mm_rrm_bank_control #(
    .Beats(Beats), .Words(Words), .Rows(1 << K), .Digits(XDigits), .Steps(Steps), .Period(Period), .Delay(D)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .in_load_o(in_load), .beat_o(beat), .place_o(place), .full_o(full),
    .move_i(filler_move), .soon_i(filler_soon), .filled_i(filled), .pre_o(pre), .row_o(row), .second_o(second),
    .go_o(go), .digits_o(digits), .x_some_o(x_some), .x_last_o(unused_x_last),
    .clear_t_o(clear_d), .clear_e_o(unused_clear_e), .clear_s_o(clear_s), .take_o(take),
    .read_o(read), .first_o(first), .read_last_i(read_last), .word_o(word), .move_o(move)
  );

  // ---- what comes in; of M, u = -1 / M mod 2^Pending

  logic [Word-1:0] ctx_q, x_q, y_q;
  logic [3:0]      m_low_q, inverse;
  logic            bank_q, run_bank_q, unused_inverse;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) bank_q <= 1'b0;
    else         bank_q <= bank_q ^ go;
  end

  always_ff @(posedge clk_i) begin
    ctx_q <= ctx_data_i;
    x_q   <= x_i;
    y_q   <= pre ? z_o : y_i;
    if (ctx_load && beat == '0) begin
      legal_q <= ctx_q[0];
      m_low_q <= ctx_q[3:0];
    end
    if (go) run_bank_q <= bank_q;
  end

  // M * M is 1 or 9 mod 16: so M, or M + 8, is its own inverse's.
  assign inverse        = m_low_q ^ {m_low_q[2] ^ m_low_q[1], 3'b000};
  assign unused_inverse = ^inverse;

  // ---- digits of x: while no loop takes any, the first word of the next operation is loaded repeatedly

  localparam int DigitsWord = Word / K;
  localparam int LeftBits   = $clog2(DigitsWord);

  logic [Word-1:0]     x_word, x_shift_q;
  logic [WordBits-1:0] x_beat_q;
  logic [LeftBits-1:0] digit_count_q;
  logic                x_bank_q, x_load_q, some_q, some_q2;
  logic [K-1:0]        digit_q, digit_q2, digit_some;

  mm_word_ram #(
    .Word(Word), .Depth(2 << WordBits)
  ) u_x (
    .clk_i, .write_i(in_load), .write_addr_i({bank_q, beat}), .word_i(x_q), .read_addr_i({x_bank_q, x_beat_q}),
    .word_o(x_word)
  );

  always_ff @(posedge clk_i) begin
    x_shift_q <= x_load_q ? x_word : x_shift_q >> K;
    if (digits) digit_count_q <= digit_count_q + 1'b1;
    else        digit_count_q <= '0;
    x_load_q <= ~(digits | go) | (digits & digit_count_q == LeftBits'(DigitsWord - 2));
    if (digits) x_beat_q <= x_beat_q + WordBits'(x_load_q);
    else        x_beat_q <= WordBits'(go && Beats > 1);
    if (!digits && !go) x_bank_q <= bank_q;
  end

  // In step 2 there is one digit, 1, in the second pass.
  assign digit_some = (pre ? K'(1) : digit_q) & {K{x_some}};

  always_ff @(posedge clk_i) begin
    digit_q  <= x_shift_q[K-1:0];
    digit_q2 <= digit_some;
    some_q   <= x_some | ~pre;
    some_q2  <= some_q;
  end

  // ---- steps 2 and 3: the table

  logic [Groups-1:0]      write;
  logic [Addr-1:0]        write_addr;
  logic [GroupBits+K-1:0] made;
  logic [Columns-1:0]     a_q;
  logic [K-1:0]           dropped;  // to be a part of the address; also a register later
  logic                   unused_made;

  mm_rrm_filler #(
    .Word(Word), .Words(Words), .Groups(Groups), .DigitBits(K)
  ) u_filler (
    .clk_i, .rst_ni, .load_i(in_load), .place_i(place), .word_i(y_q), .full_i(full), .move_o(filler_move),
    .soon_o(filler_soon), .pre_i(pre), .row_i(row), .write_o(write), .addr_o(write_addr), .entry_o(made),
    .done_o(filled)
  );

  assign unused_made = ^made;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int Low  = g * GroupBits;
    localparam int Most = g < Groups - 1 ? GroupBits : GroupBits + K;
    localparam int Size = Columns - Low < Most ? Columns - Low : Most;

    logic [Addr-1:0] addr;
    logic [Size-1:0] entry;

    mm_rrm_copy #(
      .Bits(K)
    ) u_digit (
      .clk_i, .clear_i(1'b0), .d_i(digit_q2), .q_o(addr[Addr-1:K])
    );

    mm_rrm_copy #(
      .Bits(K)
    ) u_dropped (
      .clk_i, .clear_i(clear_d), .d_i(dropped), .q_o(addr[K-1:0])
    );

    mm_word_ram #(
      .Word(Size), .Depth(2 << Addr)
    ) u_table (
      .clk_i, .write_i(write[g]), .write_addr_i({bank_q, write_addr}), .word_i(made[Size-1:0]),
      .read_addr_i({run_bank_q, addr}), .word_o(entry)
    );

    // In step 2, table entries matter only where they are the sum of the second pass.
    always_ff @(posedge clk_i) begin
      if (!some_q2) a_q[Low+:Size] <= '0;
      else          a_q[Low+:Size] <= entry;
    end
  end

  // ---- step 4

  logic [SumBits-1:0]   s_q, s_next, a;
  logic [SumDigits-1:0] c_q, c_next;

  if (SumBits > Columns) begin : gen_above
    assign a = SumBits'(a_q);
  end else begin : gen_all
    assign a = a_q;
  end

  mm_rrm_digits #(
    .DigitBits(K), .Digits(SumDigits)
  ) u_digits (
    .s_i(s_q >> K), .a_i(a), .c_i(c_q), .s_o(s_next), .c_o(c_next)
  );

  always_ff @(posedge clk_i) begin
    if (clear_s) begin
      s_q <= '0;
      c_q <= '0;
    end else begin
      s_q <= s_next;
      c_q <= c_next;
    end
  end

  assign dropped = D == 1 ? s_next[K-1:0] : s_q[K-1:0];

`ifdef FORMAL
  // The sum of step 4 has its range, and no carry is lost at its top.
  if (Beats == 1) begin : gen_range
    logic [Word-1:0]    m_q;
    logic [SumBits+K:0] sum;
    logic               runs_q;
    always_comb begin
      sum = (SumBits+K+1)'(s_q);
      for (int j = 0; j < SumDigits; j++) sum = sum + ((SumBits+K+1)'(c_q[j]) << (j + 1) * K);
      if (runs_q) assert (sum < (SumBits+K+1)'(K == 1 ? 4 : 6) * (SumBits+K+1)'(m_q));
    end
    always_ff @(posedge clk_i) begin
      if (ctx_load) m_q <= ctx_q;
      runs_q <= ~pre & (clear_s | runs_q);
    end
  end
`endif

  // ---- steps 5 and 6

  logic [K-1:0]         s_low;
  logic [Pending-1:0]   pending, pending_q;
  logic [SumBits-1:0]   s_taken_q;
  logic [SumDigits-1:0] c_taken_q;

  assign s_low = s_q[K-1:0] | (row & {K{~second}});

  if (D == 1) begin : gen_pending_1
    assign pending = s_low;
  end else begin : gen_pending_2
    logic [K-1:0] low_q;
    always_ff @(posedge clk_i) low_q <= s_q[K-1:0];
    assign pending = {s_low, low_q};
  end

  always_ff @(posedge clk_i) begin
    pending_q <= pending * Pending'({~inverse[3:1], 1'b1});
    if (take) begin
      s_taken_q <= s_q;
      c_taken_q <= c_q;
    end
  end

  mm_rrm_converter #(
    .Word(Word), .Beats(Beats), .DigitBits(K), .Digits(SumDigits), .Pending(Pending)
  ) u_converter (
    .clk_i, .m_load_i(ctx_load), .m_beat_i(beat), .m_word_i(ctx_q),
    .take_i(take), .s_i(s_taken_q), .c_i(c_taken_q), .q_i(pending_q),
    .read_i(read), .first_i(first), .read_last_o(read_last), .word_i(word), .bare_i(1'b0), .move_i(move), .z_o
  );

endmodule

`default_nettype wire
