// SPDX-License-Identifier: Apache-2.0
//
// mm_rrm_one: mm_rrm with one bank of the table, which the loop's own carry chain fills before each loop. The steps
// are those in the header of mm_rrm. In step 2, T[s] = (s + q * M) / B^(d+1): a loop over the digits of q with the
// multiples of step 1, which begins with the sum s. With Lazy, step 7 multiplies by B^d, and d more steps divide by
// it.
//
`default_nettype none

module mm_rrm_one #(
  parameter int Width     = 256,  // from 2
  parameter int Word      = 16,   // 8, 16, 32 or 64
  parameter int DigitBits = 2,    // 1 or 2
  parameter int Delay     = 1,    // 0, 1 or 2
  parameter bit Lazy      = 0     // step 7 in place of steps 5 and 6
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
  localparam int Head       = Lazy ? K * D + 3 - K : 0;  // operands and results are below 2^Head * M
  localparam int Bits       = Width + Head;
  localparam int Beats      = (Bits + Word - 1) / Word;
  localparam int WordBits   = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Extra      = K == 1 || Lazy ? D + 2 : 2;
  localparam int Steps      = (Bits + K - 1) / K + Extra;
  localparam int SumDigits  = (Bits + 3 + K - 1) / K > 4 ? (Bits + 3 + K - 1) / K : 4;
  localparam int SumBits    = SumDigits * K;
  localparam int CellLeast  = Lazy ? 24 : 20;
  localparam int CellDigits = (Word > CellLeast ? Word : CellLeast) / K;  // a word is in two cells at most
  localparam int CellBits   = CellDigits * K;
  localparam int Cells      = (SumDigits + CellDigits - 1) / CellDigits;
  localparam int Addr       = 2 * K;
  localparam int Rows       = (1 << K) - 1;
  localparam int Worth      = K * (D + 1);          // a digit that is dropped is worth s / 2^Worth, with T[s]
  localparam int Pending    = D > 0 ? K * D : 1;

  // ---- control

  logic                loaded, m_load, m_first, fill, row_0, next_q, start, blank, x_load, x_clear;
  logic                entry_free, low_free, pre, take, read, first, read_last, bare, move, legal_q;
  logic [WordBits-1:0] beat, x_word_index, word;
  logic [Addr-1:0]     fill_addr;
  logic [K-1:0]        col;

  mm_rrm_control #(
    .Beats(Beats), .Rows(Rows), .ColBits(K), .DigitsWord(Word / K), .Steps(Steps), .Delay(D), .Cells(Cells), .Lazy(Lazy)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .m_load_o(m_load), .m_first_o(m_first), .loaded_o(loaded), .beat_o(beat),
    .fill_o(fill), .fill_addr_o(fill_addr), .row_0_o(row_0), .col_o(col), .next_q_o(next_q),
    .start_o(start), .blank_o(blank), .x_load_o(x_load), .x_clear_o(x_clear), .x_word_o(x_word_index),
    .entry_free_o(entry_free), .low_free_o(low_free), .pre_o(pre), .take_o(take),
    .read_o(read), .first_o(first), .read_last_i(read_last), .word_o(word), .bare_o(bare), .move_o(move)
  );

  // ---- what comes in: y as a register, x as a memory of words

  logic                      m_load_q, m_first_q;
  logic [Word-1:0]       x_in_q, y_in_q, m_in_q, x_word, x_read, x_word_q, x_shift_q;
  logic [Beats*Word-1:0] y_q;

  always_ff @(posedge clk_i) begin
    m_load_q <= m_load;
    m_first_q <= m_first;
    x_in_q   <= x_i;
    if (Lazy && !m_load) m_in_q <= '0;
    else                 m_in_q <= ctx_data_i;
    // With Lazy words of M go this way, too. z_o is 0 then: bare has been high for a cycle when the first one comes.
    if (Lazy) y_in_q <= pre | m_load_q ? z_o | m_in_q : y_i;
    else      y_in_q <= pre ? z_o : y_i;
    if (loaded) y_q <= (Beats*Word)'({y_in_q, y_q} >> Word);
  end

  if (Lazy) begin : gen_x_lazy
    mm_rrm_memory #(
      .Word(Word), .Words(Beats), .Last(Bits - (Beats - 1) * Word)
    ) u_x (
      .clk_i, .write_i(loaded), .write_addr_i(beat), .word_i(x_in_q), .read_addr_i(x_word_index), .word_o(x_word)
    );
  end else begin : gen_x
    mm_word_ram #(
      .Word(Word), .Depth(1 << WordBits)
    ) u_x (
      .clk_i, .write_i(loaded), .write_addr_i(beat), .word_i(x_in_q), .read_addr_i(x_word_index), .word_o(x_word)
    );
  end

  // Where there are many words, their memory is several levels of logic, and has a register: a word is read long before
  // it is used, unless the table is so short that the first one is not.
  if (Beats > 16 && K > 1) begin : gen_x_register
    logic [Word-1:0] x_read_q;
    assign x_read = x_read_q;
    always_ff @(posedge clk_i) x_read_q <= x_word;
  end else begin : gen_no_x_register
    assign x_read = x_word;
  end

  // ---- steps 1 and 2: digits of q = s * u, in place of x; u = -1 / M mod 2^Worth

  logic [Worth-1:0] m_low_q, rest_q, u, q_q;
  logic [Worth:0]   u_q;  // bits of u come in at the top, and push a 1 to the end; the first is 1

  assign u = u_q[Worth:1];

  always_ff @(posedge clk_i) begin
    if (m_first_q) begin
      legal_q <= m_in_q[0];
      m_low_q <= m_in_q[Worth-1:0];
      rest_q  <= Worth'({1'b0, ~m_in_q[Worth-1:0]} >> 1);
      u_q     <= (Worth+1)'(3) << Worth - 1;
    end else if (!u_q[0]) begin  // u * M is -1 in one more bit
      rest_q <= Worth'({1'b0, rest_q - (m_low_q & {Worth{rest_q[0]}})} >> 1);
      u_q    <= {rest_q[0], u_q[Worth:1]};
    end
    if (!pre)        q_q <= '0;
    else if (next_q) q_q <= q_q + u;
  end

  always_ff @(posedge clk_i) begin
    x_word_q <= pre ? Word'(q_q) : x_read;
    if (x_clear)     x_shift_q <= '0;
    else if (x_load) x_shift_q <= x_word_q;
    else             x_shift_q <= x_shift_q >> K;
  end

  // ---- steps 1, 3 and 4: the table and the sum, in cells, each a cycle after the one below it

  logic [Cells:0]                cell_fill, cell_write, cell_start, cell_blank, cell_take, cell_carry;
  logic [Cells:0][Addr-1:0]      cell_addr, cell_write_addr;
  logic [Cells-1:0][K-1:0]       cell_entry, cell_s;
  logic [Cells:0][K-1:0]         cell_low;
  logic                          write, write_row_0, write_q;
  logic [Addr-1:0]               write_addr, write_addr_q;
  logic [Cells*CellBits-1:0]     s_next, start_value;
  logic [Cells*CellDigits-1:0]   c_next, taken_c;
  logic [Cells*CellBits-1:0]     taken_s, y_ext;
  logic [K-1:0]                  digit;
  logic                          unused_cells;

  if (D == 0) begin : gen_write
    assign write       = fill;
    assign write_row_0 = row_0;
    assign write_addr  = fill_addr;
  end else begin : gen_write_later
    logic            fill_q, row_0_q;
    logic [Addr-1:0] fill_addr_q;
    always_ff @(posedge clk_i) begin
      fill_q      <= fill;
      row_0_q     <= row_0;
      fill_addr_q <= fill_addr;
    end
    assign write       = fill_q;
    assign write_row_0 = row_0_q;
    assign write_addr  = fill_addr_q;
  end

  always_ff @(posedge clk_i) begin
    write_q      <= write;
    write_addr_q <= write_row_0 ? Addr'(col) : write_addr + (Addr'(1) << K);
  end

  assign cell_addr[0]       = {x_shift_q[K-1:0], digit};
  assign cell_fill[0]       = fill;
  assign cell_write[0]      = write_q;
  assign cell_write_addr[0] = write_addr_q;
  assign cell_start[0]      = start;
  assign cell_blank[0]      = blank;
  assign cell_take[0]       = take;
  assign cell_carry[0]      = 1'b0;

  assign y_ext       = (Cells*CellBits)'(y_q);
  assign start_value = (Cells*CellBits)'(col) << K;  // in step 2 the sum starts with s = col, a digit above its place

  // There is nothing above the digits of the last cell.
  if (Cells * CellDigits > SumDigits) begin : gen_none
    assign taken_s[Cells*CellBits-1:SumBits]     = '0;
    assign taken_c[Cells*CellDigits-1:SumDigits] = '0;
    assign s_next[Cells*CellBits-1:SumBits]      = '0;
    assign c_next[Cells*CellDigits-1:SumDigits]  = '0;
  end
  assign cell_low[Cells] = '0;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int Digits = (i + 1) * CellDigits > SumDigits ? SumDigits - i * CellDigits : CellDigits;

    mm_rrm_cell #(
      .DigitBits(K), .Digits(Digits), .Delay(D)
    ) u_cell (
      .clk_i,
      .addr_i(cell_addr[i]), .addr_set_i(i == 0 ? fill_addr : Addr'(0)), .fill_i(cell_fill[i]),
      .write_i(cell_write[i]), .write_addr_i(cell_write_addr[i]),
      .start_i(cell_start[i]), .blank_i(cell_blank[i]), .take_i(cell_take[i]), .carry_i(cell_carry[i]),
      .addr_o(cell_addr[i+1]), .fill_o(cell_fill[i+1]),
      .write_o(cell_write[i+1]), .write_addr_o(cell_write_addr[i+1]),
      .start_o(cell_start[i+1]), .blank_o(cell_blank[i+1]), .take_o(cell_take[i+1]), .carry_o(cell_carry[i+1]),
      .y_i(y_ext[i*CellBits+:Digits*K]), .start_value_i(start_value[i*CellBits+:Digits*K]),
      .above_i(cell_low[i+1]), .low_o(cell_low[i]), .entry_o(cell_entry[i]),
      .s_next_o(s_next[i*CellBits+:Digits*K]), .c_next_o(c_next[i*CellDigits+:Digits]), .s_o(cell_s[i]),
      .taken_s_o(taken_s[i*CellBits+:Digits*K]), .taken_c_o(taken_c[i*CellDigits+:Digits])
    );
  end

  assign unused_cells = ^{entry_free, cell_fill[Cells], cell_addr[Cells], cell_write[Cells], cell_write_addr[Cells],
                          cell_start[Cells], cell_blank[Cells], cell_take[Cells], cell_carry[Cells],
                          cell_entry, cell_s, cell_low[0],
                          y_ext, s_next, start_value, c_next, taken_s, taken_c};

  // ---- the digit that is dropped, as an address; 0 while there is none

  if (D == 0) begin : gen_same_cycle
    assign digit = s_next[K-1:0] & {K{low_free}};
  end else if (D == 1) begin : gen_next_cycle  // from what it is the sum of: a digit of the entry, and one of S + C
    logic [K-1:0] digit_a_q, digit_s_q;
    always_ff @(posedge clk_i) begin
      if (!entry_free) digit_a_q <= '0;
      else             digit_a_q <= cell_entry[0];
      if (!low_free) digit_s_q <= '0;
      else           digit_s_q <= s_next[2*K-1:K] + K'(c_next[0]);
    end
    assign digit = digit_a_q + digit_s_q;
  end else begin : gen_two_cycles
    logic [K-1:0] digit_q;
    always_ff @(posedge clk_i) begin
      if (!low_free) digit_q <= '0;
      else           digit_q <= s_next[K-1:0];
    end
    assign digit = digit_q;
  end

`ifdef FORMAL
  // The sum of step 4 has its range; for builds of one cell, whose digits are all of the same step.
  if (Cells == 1 && Beats == 1) begin : gen_range
    logic [Word-1:0] m_q;
    logic [SumBits+K:0]  sum;
    always_comb begin
      sum = (SumBits+K+1)'(s_next[SumBits-1:0]);
      for (int j = 0; j < SumDigits; j++) sum = sum + ((SumBits+K+1)'(c_next[j]) << (j + 1) * K);
      if (low_free) assert (sum < (SumBits+K+1)'((1 << Head + K) + 2) * (SumBits+K+1)'(m_q));
    end
    always_ff @(posedge clk_i) begin
      if (m_load) m_q <= ctx_data_i;
    end
  end
`endif

  // ---- the digits that are pending; unless Lazy, as the quotient that drops them

  logic [Pending-1:0] pending_q;

  if (D == 0) begin : gen_no_digit
    assign pending_q = '0;
  end else begin : gen_digits
    logic [Pending-1:0] dropped_q, dropped;  // the last D digits, the last one on top
    assign dropped = Pending'({cell_s[0], dropped_q} >> K);
    always_ff @(posedge clk_i) begin
      dropped_q <= dropped;
      pending_q <= Lazy ? dropped : dropped * u[Pending-1:0];
    end
  end

  // ---- step 7, or steps 5 and 6

  if (Lazy) begin : gen_lazy
    mm_rrm_resolver #(
      .Word(Word), .Bits(Bits), .DigitBits(K), .Digits(SumDigits), .Delay(D)
    ) u_resolver (
      .clk_i, .take_i(take), .s_i(taken_s[SumBits-1:0]), .c_i(taken_c[SumDigits-1:0]), .p_i(pending_q),
      .read_i(read), .first_i(first), .read_last_o(read_last), .word_i(word), .bare_i(bare), .move_i(move), .z_o
    );
  end else begin : gen_exact
    mm_rrm_converter #(
      .Word(Word), .Beats(Beats), .DigitBits(K), .Digits(SumDigits), .Pending(Pending)
    ) u_converter (
      .clk_i, .m_load_i(m_load_q), .m_beat_i(beat), .m_word_i(m_in_q),
      .take_i(take), .s_i(taken_s[SumBits-1:0]), .c_i(taken_c[SumDigits-1:0]), .q_i(pending_q),
      .read_i(read), .first_i(first), .read_last_o(read_last), .word_i(word), .bare_i(bare), .move_i(move), .z_o
    );
  end

endmodule

`default_nettype wire
