// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm: z = x * y / R mod M, Montgomery multiplication by re-injected residues: the digit that a step drops is the
// address at which its residue stands in a table. There is no quotient.
//
// Steps (k = DigitBits, B = 2^k, L = ceil(Width / k) + Extra, R = B^(L-1))
//    1  for each M: table[x, 0] = x * M                           x = 0 ... B-1
//    2  for each M and s = 1 ... B-1: table[0, s] = T[s] = s / B^2 mod M, as (s + q * M) / B^2     T[s] < M
//    3  for each y: table[x, s] = x * y + T[s]                    x = 1 ... B-1, all s             < B * M
//    4  for i = 0 ... L-1, the sum S, a digit and a saved carry for each k bits:
//         S = floor(S / B) + table[x_i, s'], s the digit that was dropped, s' the one before       S < 6M
//    5  V = S + P, P = s / B mod M, -M/2 <= P < M/4 + 1, for the digit that is still pending       -M <= V < 2M
//    6  z = V + M, V or V - M                                     0 <= z < M
//
// A digit's saved carry counts in the next digit, and that is where the shift of step 4 takes the digit itself: the
// carry goes into its own digit, and the lowest digit is exact.
//
// Context: M, and a word more, which is taken when steps 1 and 2 are done.
// Legal: odd M < 2^Width, 0 <= x, y <= M.
//
`default_nettype none

module mm_rrm #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int DigitBits = 2
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
  localparam bit LegalDigit = DigitBits == 1 || DigitBits == 2;
  localparam int K          = LegalDigit ? DigitBits : 2;
  localparam int SafeWidth  = Width > 2 ? Width : 2;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_16_32_or_64 u_illegal ();
  end
  if (!LegalDigit) begin : gen_illegal_digit
    illegal_parameter_DigitBits_must_be_1_or_2 u_illegal ();
  end

  localparam int Beats      = (SafeWidth + SafeWord - 1) / SafeWord;
  localparam int Extra      = K == 1 ? 3 : 2;
  localparam int Steps      = (SafeWidth + K - 1) / K + Extra;
  localparam int SumDigits  = (SafeWidth + 3 + K - 1) / K > 4 ? (SafeWidth + 3 + K - 1) / K : 4;
  localparam int SumBits    = SumDigits * K;
  localparam int TableBits  = SafeWidth + K;
  localparam int CellBits   = 36;
  localparam int Cells      = (TableBits + CellBits - 1) / CellBits;
  localparam int Addr       = 2 * K;
  localparam int Rows       = (1 << K) - 1;
  localparam int FillCycles = (Rows << K) + Cells;
  localparam int PreSteps   = 3;
  localparam int ReadMore   = 7;
  localparam int BeatBits   = $clog2(Beats + ReadMore + 1);
  localparam int FillBits   = $clog2(FillCycles);
  localparam int XBits      = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Group      = 8;  // digits in a carry chain
  localparam int Groups     = (SumDigits + Group - 1) / Group;

  // ---- control

  logic                ctx_load, in_load, half_in, half_run, fill_read, fill_write, fill_row_0, zero, next_col;
  logic                start, run;
  logic                looping, clear, pre, x_load, read, read_first, bare, unused_show, move, to_y, legal_q, m_load;
  logic [BeatBits-1:0] beat, x_word_index, word;
  logic [FillBits-1:0] fill;
  logic [K-1:0]        col;

  mm_rrm_control #(
    .Beats(Beats), .Rows(Rows), .ColBits(K), .DigitsWord(SafeWord / K), .FillCycles(FillCycles), .Steps(Steps),
    .PreSteps(PreSteps), .ReadMore(ReadMore)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .in_load_o(in_load), .beat_o(beat), .half_in_o(half_in),
    .fill_o(fill), .read_fill_o(fill_read), .write_o(fill_write), .row_0_o(fill_row_0), .zero_o(zero),
    .col_o(col), .next_col_o(next_col),
    .start_o(start), .run_o(run), .loop_o(looping), .clear_o(clear), .pre_o(pre), .x_load_o(x_load),
    .x_word_o(x_word_index),
    .half_run_o(half_run),
    .read_o(read), .read_first_o(read_first), .word_o(word), .bare_o(bare), .show_o(unused_show), .move_o(move),
    .to_y_o(to_y)
  );

  assign m_load = ctx_load & (beat != BeatBits'(Beats));

  // ---- what comes in: y as a register, x as a memory of words, twice

  logic                      in_q, m_load_q;
  logic [BeatBits-1:0]       beat_q;
  logic [SafeWord-1:0]       x_in_q, y_in_q, m_in_q, x_word, x_word_q, x_shift_q;
  logic [XBits:0]            x_addr_q;
  logic [Beats*SafeWord-1:0] y_q;

  always_ff @(posedge clk_i) begin
    in_q     <= in_load | to_y;
    m_load_q <= m_load;
    beat_q   <= beat;
    x_in_q   <= x_i;
    m_in_q   <= ctx_data_i;
    y_in_q   <= pre ? z_o : y_i;
    x_addr_q <= {half_in, beat[XBits-1:0]};
    if (in_q) y_q <= (Beats*SafeWord)'({y_in_q, y_q} >> SafeWord);
  end

  mm_word_ram #(
    .Word(SafeWord), .Depth(2 << XBits)
  ) u_x (
    .clk_i, .write_i(in_q), .write_addr_i(x_addr_q), .word_i(x_in_q),
    .read_addr_i({half_run, x_word_index[XBits-1:0]}), .word_o(x_word)
  );

  // ---- steps 1 and 2: digits of q = s * (-1 / M mod B^2), in place of x

  logic [Addr-1:0]     u, u_q, q_q;
  logic [Addr-1:1]     m_low_q;
  logic [SafeWord-1:0] x_first;

  function automatic logic [Addr-1:0] minus_inverse(input logic [Addr-1:0] m);
    // Bit i of the inverse is that bit of 1 - (inverse so far) * m.
    logic [Addr-1:0] inverse, rest;
    inverse = '0;
    rest    = Addr'(1);
    for (int i = 0; i < Addr; i++) begin
      if (rest[i]) begin
        inverse = inverse | (Addr'(1) << i);
        rest    = rest - (m << i);
      end
    end
    minus_inverse = Addr'(0) - inverse;
  endfunction

  assign u = minus_inverse({m_low_q, 1'b1});

  always_ff @(posedge clk_i) begin
    if (m_load_q && beat_q == '0) begin
      legal_q <= m_in_q[0];
      m_low_q <= m_in_q[Addr-1:1];
    end
    u_q <= u;
    if (!pre)          q_q <= '0;
    else if (next_col) q_q <= q_q + u_q;
  end

  assign x_first = pre ? SafeWord'(q_q) : x_word_q;

  always_ff @(posedge clk_i) begin
    x_word_q <= x_word;
    if (!run && !start) x_shift_q <= '0;
    else if (x_load)    x_shift_q <= x_first;
    else                x_shift_q <= x_shift_q >> K;
  end

  // ---- steps 1 to 3: the table

  logic [SumBits-1:0]        table_out, entry;
  logic [Addr-1:0]           run_addr, fill_addr;
  logic [Cells:0][Addr-1:0]  cell_addr, cell_write_addr;
  logic [Cells:0]            cell_write, cell_carry;
  logic                      write_q, write_q2, row_0_q;
  logic [Addr-1:0]           write_addr_q, write_addr_q2;
  logic [SumBits-1:0]        s_q, s_next, s_start;
  logic [SumDigits-1:0]      c_q, c_next;
  logic [K-1:0]              digit, digit_a_q, digit_s_q;
  logic                      digit_c_q;
  logic [Cells*CellBits-1:0] y_ext;
  logic                      unused_ends;

  assign fill_addr  = Addr'(fill) & {Addr{fill_read}};
  assign run_addr   = {x_shift_q[K-1:0], digit};
  assign y_ext      = (Cells*CellBits)'(y_q);

  always_ff @(posedge clk_i) begin
    write_q       <= fill_write;
    write_q2      <= write_q;
    row_0_q       <= fill_row_0;
    write_addr_q  <= Addr'(fill);
    write_addr_q2 <= row_0_q ? Addr'(col) : write_addr_q + (Addr'(1) << K);
  end

  assign cell_addr[0]       = fill_addr;
  assign cell_write[0]      = write_q2;
  assign cell_write_addr[0] = write_addr_q2;
  assign cell_carry[0]      = 1'b0;

  for (genvar c = 0; c < Cells; c++) begin : gen_cell
    localparam int Bits = (c + 1) * CellBits > TableBits ? TableBits - c * CellBits : CellBits;

    mm_rrm_cell #(
      .Bits(Bits), .AddrBits(Addr)
    ) u_cell (
      .clk_i, .clear_i(clear), .zero_i(zero), .run_addr_i(run_addr),
      .fill_addr_i(cell_addr[c]), .write_i(cell_write[c]), .write_addr_i(cell_write_addr[c]), .carry_i(cell_carry[c]),
      .y_i(y_ext[c*CellBits+:Bits]), .entry_o(table_out[c*CellBits+:Bits]), .a_o(entry[c*CellBits+:Bits]),
      .fill_addr_o(cell_addr[c+1]), .write_o(cell_write[c+1]), .write_addr_o(cell_write_addr[c+1]),
      .carry_o(cell_carry[c+1])
    );
  end

  if (SumBits > TableBits) begin : gen_top
    assign entry[SumBits-1:TableBits]     = '0;
    assign table_out[SumBits-1:TableBits] = '0;
  end

  assign unused_ends = ^{cell_addr[Cells], cell_write[Cells], cell_write_addr[Cells], cell_carry[Cells], y_ext,
                         x_word_index, table_out, fill};

  // ---- step 4: the loop

  logic [SumBits-1:0] s_shifted;
  logic [K-1:0]       pending_q;

  assign s_shifted = s_q >> K;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int Digits = (g + 1) * Group > SumDigits ? SumDigits - g * Group : Group;

    mm_rrm_adder #(
      .DigitBits(K), .Digits(Digits)
    ) u_adder (
      .s_i(s_shifted[g*Group*K+:Digits*K]), .a_i(entry[g*Group*K+:Digits*K]), .c_i(c_q[g*Group+:Digits]),
      .s_o(s_next[g*Group*K+:Digits*K]), .c_o(c_next[g*Group+:Digits])
    );
  end

  // The lowest digit once more, as an address: what goes into it has registers of its own, 0 while the table is filled.
  always_ff @(posedge clk_i) begin
    if (!looping) begin
      digit_a_q <= '0;
      digit_s_q <= '0;
      digit_c_q <= 1'b0;
    end else begin
      digit_a_q <= table_out[K-1:0];
      digit_s_q <= s_next[2*K-1:K];
      digit_c_q <= c_next[0];
    end
  end

  assign digit[0] = digit_a_q[0] ^ digit_s_q[0] ^ digit_c_q;
  if (K > 1) begin : gen_digit
    logic carry;
    assign carry    = (digit_a_q[0] & digit_s_q[0]) | (digit_a_q[0] & digit_c_q) | (digit_s_q[0] & digit_c_q);
    assign digit[1] = digit_a_q[1] ^ digit_s_q[1] ^ carry;
  end

  // In steps 1 and 2 the sum starts with s, two digits above its place: it moves while the first entry is read.
  assign s_start = SumBits'(pre ? col : K'(0)) << (3 * K);

  always_ff @(posedge clk_i) begin
    if (start) begin
      s_q <= s_start;
      c_q <= '0;
    end else if (run) begin
      s_q       <= s_next;
      c_q       <= c_next;
      pending_q <= s_q[K-1:0];
    end
  end

  // ---- steps 5 and 6

  mm_rrm_converter #(
    .Word(SafeWord), .Beats(Beats), .DigitBits(K), .Digits(SumDigits), .BeatBits(BeatBits)
  ) u_converter (
    .clk_i, .m_load_i(m_load_q), .m_beat_i(beat_q), .m_word_i(m_in_q),
    .s_i(s_q), .c_i(c_q), .pending_i(pending_q),
    .read_i(read), .read_first_i(read_first), .word_i(word), .bare_i(bare), .move_i(move), .z_o
  );

endmodule

`default_nettype wire
