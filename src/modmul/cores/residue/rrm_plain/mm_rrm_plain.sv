// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_plain: z = x * y mod M by re-injected residues, the most significant digit of x first: what a shift pushes out
// at the top is the address of its residue in a table.
//
// Steps (n = Width, D = SumDigits, 2^(n+1) <= 4^D; L = Steps, the digits of x)
//    1  for each M and t = -1 ... 7: table[t] = t * 4^(D+4) mod M                                  table[t] < M
//    2  x as digits x_i in {-1, 0, 1, 2}: x = sum of x_i * 4^(L-1-i)
//    3  for i = 0 ... L-1, the sum S, a digit and a saved carry for each two bits:
//         S = 4 * (S - t_i * 4^D) + x_i * y + table[t_(i-3)], t_i the digits from D on             -1 <= t_i <= 7
//    4  U = S + (4 t_(L-1) + 16 t_(L-2) + 64 t_(L-3)) * 4^D, for what is still pending             -M' <= U < 2M'
//    5  R = U - M', then R = 2 * R - M' or 2 * R + M', 11 times, M' = 2^11 * M                     -M' <= R < M'
//    6  z = R / 2^11 or (R + M') / 2^11                                                            0 <= z < M
//
// Legal: 2^(Width-1) <= M < 2^Width of either parity, 0 <= x, y <= M.
// Context: M and one more word, which is taken when step 1 is done.
//
`default_nettype none

module mm_rrm_plain #(
  parameter int Width = 256,
  parameter int Word  = 32
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

  localparam bit LegalWord = Word == 16 || Word == 32 || Word == 64;
  localparam int SafeWord  = LegalWord ? Word : 32;
  localparam int SafeWidth = Width > 2 ? Width : 2;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_16_32_or_64 u_illegal ();
  end

  localparam int Beats     = (SafeWidth + SafeWord - 1) / SafeWord;
  localparam int WordBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int IndexBits = $clog2(Beats + 2);
  localparam int Digits    = SafeWord / 2;
  localparam int Steps     = Beats * Digits + 1;
  localparam int SumDigits = SafeWidth / 2 + 1 > 3 ? SafeWidth / 2 + 1 : 3;
  localparam int SumBits   = 2 * SumDigits;
  localparam int CellDigits = 8;
  localparam int CellBits  = 2 * CellDigits;
  localparam int Cells     = (SumDigits + CellDigits - 1) / CellDigits;
  localparam int Shift     = 11;

  // ---- control

  logic                 m_load, x_load, x_write, bank, legal_q, lead, next, x_bank, idle, take_c, take;
  logic                 w_first, w_next, move, start, first, last, load, show, pre, entry_write;
  logic [WordBits-1:0]  beat, x_beat, x_word_index;
  logic [IndexBits-1:0] index;
  logic [3:0]           entry, entry_write_addr;

  mm_rrm_plain_control #(
    .Beats(Beats), .Digits(Digits), .Steps(Steps), .Passes(Shift + 1)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_load_o(m_load), .x_load_o(x_load), .x_write_o(x_write), .beat_o(beat), .x_beat_o(x_beat), .bank_o(bank),
    .lead_o(lead), .next_o(next), .x_word_o(x_word_index), .x_bank_o(x_bank),
    .idle_o(idle), .take_c_o(take_c), .take_o(take), .w_first_o(w_first), .w_next_o(w_next),
    .move_o(move), .start_o(start), .index_o(index), .first_o(first), .last_o(last), .load_o(load), .show_o(show),
    .pre_o(pre), .entry_o(entry), .entry_write_addr_o(entry_write_addr), .entry_write_o(entry_write)
  );

  // ---- what comes in; step 2: x_i + 1 are the digits of x + ...1111 in base 4

  logic [SafeWord-1:0]       m_in_q, x_in_q, y_in_q, x_sum_q, x_word, x_word_q, x_shift_q;
  logic [1:0]                code_q;
  logic [SafeWord+1:0]       x_recoded;
  logic                      x_carry_q, unused_low;
  logic [Beats*SafeWord-1:0] y_next_q;
  logic [SafeWidth-1:0]      y_q;

  assign x_recoded  = {1'b0, x_in_q, 1'b1} + {1'b0, {Digits{2'b01}}, x_carry_q};
  assign unused_low = ^{x_recoded[0], y_next_q};

  always_ff @(posedge clk_i) begin
    m_in_q <= ctx_data_i;
    x_in_q <= x_i;
    y_in_q <= y_i;
    x_sum_q <= x_recoded[SafeWord:1];
    if (pre || lead) x_carry_q <= 1'b0;
    else if (x_load) x_carry_q <= x_recoded[SafeWord+1];
    if (x_load) begin
      y_next_q <= (Beats*SafeWord)'({y_in_q, y_next_q} >> SafeWord);
    end
    if (lead) y_q <= y_next_q[SafeWidth-1:0];
    if (m_load) legal_q <= m_in_q[(SafeWidth-1)%SafeWord];
  end

  mm_word_ram #(
    .Word(SafeWord), .Depth(2 << WordBits)
  ) u_x (
    .clk_i, .write_i(x_write), .write_addr_i({bank, x_beat}), .word_i(x_sum_q),
    .read_addr_i({x_bank, x_word_index}), .word_o(x_word)
  );

  always_ff @(posedge clk_i) begin
    x_word_q <= x_word;
    if (next) x_shift_q <= x_word_q;
    else      x_shift_q <= x_shift_q << 2;
    // The leading digit is 0, or 1 where x + ...1111 has a bit more.
    if (lead) code_q <= {x_carry_q, ~x_carry_q};
    else      code_q <= x_shift_q[SafeWord-1:SafeWord-2];
  end

  // ---- step 3, in cells

  logic [Cells*CellBits-1:0]  y_ext, y_twice;
  logic [SumBits-1:0]         s;
  logic [SumBits+1:0]         s_below;
  logic [SumDigits-1:0]       c;
  logic [SumDigits+2:0]       c_below;
  logic [Cells:0]             e_below;
  logic [Beats-1:0]           slot_q;
  logic                       negative_q, c_high_q, unused_in;
  logic [1:0]                 e_top_q;
  logic [3:0]                 s_top_q, addr_q;

  assign y_ext      = (Cells*CellBits)'(y_q);
  assign y_twice    = y_ext << 1;
  assign s_below    = {s, 2'b00};
  assign c_below    = {c, 2'b00, negative_q};
  assign e_below[0] = 1'b0;
  assign unused_in  = ^{y_twice, s_below, c_below};

  // Words of the table come from the converter, one after the other.
  always_ff @(posedge clk_i) begin
    if (!entry_write) slot_q <= Beats'(1);
    else              slot_q <= Beats'({slot_q, 1'b0});
  end

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int First = i * CellBits;
    localparam int Here  = First + CellBits > SumBits ? SumDigits - i * CellDigits : CellDigits;
    localparam int Rest  = SafeWidth > First ? SafeWidth - First : 0;
    localparam int Table = Rest > 2 * Here ? 2 * Here : Rest;
    localparam int Slot  = First / SafeWord < Beats ? First / SafeWord : Beats - 1;

    mm_rrm_plain_cell #(
      .Digits(Here), .Table(Table)
    ) u_cell (
      .clk_i, .idle_i(idle), .code_i(code_q), .y_i(y_ext[First+:2*Here]), .y_twice_i(y_twice[First+:2*Here]),
      .write_i(entry_write & slot_q[Slot]), .write_addr_i(entry_write_addr),
      .word_i(z_o[First%SafeWord+:(Table > 0 ? Table : 1)]), .addr_i(addr_q),
      .s_below_i(s_below[First+:2]), .c_below_i(c_below[i*CellDigits+:3]), .e_below_i(e_below[i]),
      .e_carry_o(e_below[i+1]), .s_o(s[First+:2*Here]), .c_o(c[i*CellDigits+:Here])
    );
  end

  // ---- step 3, what is pushed out: the digit above those of the cells, and the carries that lead there

  always_ff @(posedge clk_i) begin
    negative_q <= code_q == 2'd0;
    e_top_q    <= {negative_q & ~c[SumDigits-3], negative_q ^ c[SumDigits-3]};
    addr_q     <= s_top_q + 4'(c[SumDigits-1]) + 4'(c_high_q);
    if (idle) begin
      s_top_q  <= '0;
      c_high_q <= 1'b0;
    end else begin
      s_top_q  <= 4'(s[SumBits-1:SumBits-2]) + {{2{e_top_q[1]}}, e_top_q} + 4'(e_below[Cells]);
      c_high_q <= c[SumDigits-2];
    end
  end

  // ---- steps 4 to 6; W, the digits that were pushed out and are pending, and the one after them

  logic [3:0]     pushed_q;
  logic [Shift:0] w_q, w_entry, w_digit;

  assign w_entry = {{(Shift-8){entry[3]}}, entry, 5'd0};
  assign w_digit = {{(Shift-3){pushed_q[3]}}, pushed_q};

  always_ff @(posedge clk_i) begin
    pushed_q <= addr_q;
    if (pre)          w_q <= w_entry;
    else if (w_first) w_q <= w_digit;
    else if (w_next)  w_q <= (w_q << 2) + w_digit;
  end

  mm_rrm_plain_converter #(
    .Word(SafeWord), .Beats(Beats), .Digits(SumDigits), .Shift(Shift)
  ) u_converter (
    .clk_i, .m_load_i(m_load), .m_beat_i(beat), .m_word_i(m_in_q),
    .take_c_i(take_c), .take_i(take), .s_i(s), .c_i(c), .w_i(w_q),
    .move_i(move), .start_i(start), .index_i(index), .first_i(first), .last_i(last), .load_i(load), .show_i(show), .z_o
  );

endmodule

`default_nettype wire
