// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_merged: mm_rrm for digits of one or two bits, with one table.
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

module mm_rrm_merged #(
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

  localparam int K          = DigitBits;
  localparam int Beats      = (Width + Word - 1) / Word;
  localparam int WordBits   = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Extra      = K == 1 ? 3 : 2;
  localparam int Steps      = (Width + K - 1) / K + Extra;
  localparam int SumDigits  = (Width + 3 + K - 1) / K > 4 ? (Width + 3 + K - 1) / K : 4;
  localparam int SumBits    = SumDigits * K;
  localparam int CellDigits = 20 / K;
  localparam int CellBits   = CellDigits * K;
  localparam int Cells      = (SumDigits + CellDigits - 1) / CellDigits;
  localparam int Addr       = 2 * K;
  localparam int Rows       = (1 << K) - 1;

  // ---- control

  logic                loaded, m_load, fill, row_0, next_q, start, x_load, x_clear;
  logic                entry_free, low_free, pre, take, read, first, read_last, bare, move, legal_q;
  logic [WordBits-1:0] beat, x_word_index, word;
  logic [Addr-1:0]     fill_addr;
  logic [K-1:0]        col;

  mm_rrm_control #(
    .Beats(Beats), .Rows(Rows), .ColBits(K), .DigitsWord(Word / K), .Steps(Steps), .PreSteps(3), .Cells(Cells)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_load_o(m_load), .loaded_o(loaded), .beat_o(beat),
    .fill_o(fill), .fill_addr_o(fill_addr), .row_0_o(row_0), .col_o(col), .next_q_o(next_q),
    .start_o(start), .x_load_o(x_load), .x_clear_o(x_clear), .x_word_o(x_word_index),
    .entry_free_o(entry_free), .low_free_o(low_free), .pre_o(pre), .take_o(take),
    .read_o(read), .first_o(first), .read_last_i(read_last), .word_o(word), .bare_o(bare), .move_o(move)
  );

  // ---- what comes in: y as a register, x as a memory of words

  logic                      m_load_q;
  logic [Word-1:0]       x_in_q, y_in_q, m_in_q, x_word, x_word_q, x_shift_q;
  logic [Beats*Word-1:0] y_q;

  always_ff @(posedge clk_i) begin
    m_load_q <= m_load;
    x_in_q   <= x_i;
    m_in_q   <= ctx_data_i;
    y_in_q   <= pre ? z_o : y_i;
    if (loaded) y_q <= (Beats*Word)'({y_in_q, y_q} >> Word);
  end

  mm_word_ram #(
    .Word(Word), .Depth(1 << WordBits)
  ) u_x (
    .clk_i, .write_i(loaded), .write_addr_i(beat), .word_i(x_in_q), .read_addr_i(x_word_index), .word_o(x_word)
  );

  // ---- steps 1 and 2: digits of q = s * (-1 / M mod B^2), in place of x

  logic [Addr-1:0] u, u_q, q_q;
  logic [Addr-1:1] m_low_q;

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
    if (m_load_q && beat == '0) begin
      legal_q <= m_in_q[0];
      m_low_q <= m_in_q[Addr-1:1];
    end
    u_q <= u;
    if (!pre)        q_q <= '0;
    else if (next_q) q_q <= q_q + u_q;
  end

  always_ff @(posedge clk_i) begin
    x_word_q <= pre ? Word'(q_q) : x_word;
    if (x_clear)     x_shift_q <= '0;
    else if (x_load) x_shift_q <= x_word_q;
    else             x_shift_q <= x_shift_q >> K;
  end

  // ---- steps 1, 3 and 4: the table and the sum, in cells

  logic [Cells:0]            cell_fill, cell_write;
  logic [Cells:0][Addr-1:0]  cell_addr, cell_write_addr;
  logic [Cells:0]            cell_carry;
  logic [Cells-1:0][K-1:0]   cell_entry;
  logic                      write_q, row_0_q;
  logic [Addr-1:0]           run_addr, write_addr_q, write_addr_q2;
  logic [SumBits-1:0]        s, s_next, s_start;
  logic [SumDigits-1:0]      c, c_next;
  logic [SumBits+K-1:0]      s_above;
  logic [K-1:0]              digit, digit_a_q, digit_s_q, pending_q;
  logic                      write_q2, unused_cells;
  logic [Cells*CellBits-1:0] y_ext;

  always_ff @(posedge clk_i) begin
    write_q       <= fill;
    write_q2      <= write_q;
    row_0_q       <= row_0;
    write_addr_q  <= fill_addr;
    write_addr_q2 <= row_0_q ? Addr'(col) : write_addr_q + (Addr'(1) << K);
  end

  assign cell_fill[0]       = fill;
  assign cell_addr[0]       = fill_addr;
  assign cell_write[0]      = write_q2;
  assign cell_write_addr[0] = write_addr_q2;
  assign cell_carry[0]      = 1'b0;

  assign run_addr = {x_shift_q[K-1:0], digit};
  assign y_ext    = (Cells*CellBits)'(y_q);
  assign s_above  = {K'(0), s};
  // In step 2 the sum starts with s = col, a digit above its place.
  assign s_start  = SumBits'(col) << K;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int Digits = (i + 1) * CellDigits > SumDigits ? SumDigits - i * CellDigits : CellDigits;

    mm_rrm_cell #(
      .DigitBits(K), .Digits(Digits)
    ) u_cell (
      .clk_i, .rst_ni, .run_addr_i(run_addr),
      .fill_i(cell_fill[i]), .fill_addr_i(cell_addr[i]), .write_i(cell_write[i]), .write_addr_i(cell_write_addr[i]),
      .carry_i(cell_carry[i]), .y_i(y_ext[i*CellBits+:Digits*K]),
      .fill_o(cell_fill[i+1]), .fill_addr_o(cell_addr[i+1]), .write_o(cell_write[i+1]),
      .write_addr_o(cell_write_addr[i+1]),
      .start_i(start), .start_value_i(s_start[i*CellBits+:Digits*K]), .above_i(s_above[i*CellBits+Digits*K+:K]),
      .entry_o(cell_entry[i]), .s_next_o(s_next[i*CellBits+:Digits*K]), .c_next_o(c_next[i*CellDigits+:Digits]),
      .s_o(s[i*CellBits+:Digits*K]), .c_o(c[i*CellDigits+:Digits])
    );
    assign cell_carry[i+1] = c[i*CellDigits+Digits-1];
  end

  assign unused_cells = ^{cell_fill[Cells], cell_addr[Cells], cell_write[Cells], cell_write_addr[Cells],
                          cell_carry[Cells], cell_entry, y_ext, s_above, s_next, c_next};

  // The lowest digit once more, as an address: digit_a_q and digit_s_q are what it is the sum of, a digit of the entry,
  // and one of S with its carry. They are 0 while the table is filled.
  always_ff @(posedge clk_i) begin
    if (!entry_free) digit_a_q <= '0;
    else             digit_a_q <= cell_entry[0];
    if (!low_free) digit_s_q <= '0;
    else           digit_s_q <= s_next[2*K-1:K] + K'(c_next[0]);
    pending_q <= K'(s[K-1:0] * u_q);
  end

  assign digit = digit_a_q + digit_s_q;

  // ---- steps 5 and 6

  mm_rrm_converter #(
    .Word(Word), .Beats(Beats), .DigitBits(K), .Digits(SumDigits), .Pending(K)
  ) u_converter (
    .clk_i, .m_load_i(m_load_q), .m_beat_i(beat), .m_word_i(m_in_q),
    .take_i(take), .s_i(s), .c_i(c), .q_i(pending_q),
    .read_i(read), .first_i(first), .read_last_o(read_last), .word_i(word), .bare_i(bare), .move_i(move), .z_o
  );

endmodule

`default_nettype wire
