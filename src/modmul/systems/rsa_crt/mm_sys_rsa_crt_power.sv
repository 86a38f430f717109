// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_rsa_crt_power: z = x^e mod M by left-to-right exponentiation with windows, on any core of the library. The
// core is mm_sys_core (in mm_sys_unit), one file that Python writes: the chosen core with its parameters, with the
// controls that it lacks left open. R is its Montgomery radix, 1 in the plain domain; a * b stands for its product
// a b / R mod M.
//
// Steps (k = Window, e has L bits and digits d of k bits from the top; the last one has the bits that are left)
//    1  A = x, E = e                                         the operands, word by word
//    2  A = T[1] = A * T[2^k]               x R mod M        enter the domain; T[2^k] = R^2 mod M, T[0] = R mod M
//    3  for j = 2 ... 2^k - 1: A = T[j] = A * T[1]           the table; j = 2 is a square (SECOND)
//    4  A = T[first digit]
//    5  for each further digit d of r bits: r times A = A * A
//    6    A = A * T[d]                                       d = 0 as any other digit
//    7  z = A * 1                                            leave the domain
// and, with product_i, a plain product in place of the power:
//    1, 2
//    8  z = A * y                                            (x R) y / R
//
// Time. The numbers of squares and products depend on L alone, and so does everything else: the entries of steps 4 and
// 6 are found by reading the whole table (mm_sys_rsa_crt_table), hidden behind the squares of step 5. With VariableTime
// = 1 only the entry itself is read, and step 6 is skipped where d = 0: faster, but for public exponents only.
//
// Context: that of mm_sys_context. Operands are x and e, as many beats as the longer of them; results have as many.
//
// Legal: what is legal for the core, 0 <= e < 2^L, L >= 1.
//
`default_nettype none

module mm_sys_rsa_crt_power #(
  parameter int Word          = 256,
  parameter int Beats         = 1,  // of an operand of the core, at most
  parameter int ContextBeats  = 1,  // of its context, at most
  parameter int ExponentBeats = 1,  // at most
  parameter int Window        = 4,
  parameter int VariableTime  = 0,
  parameter int ComputeR2     = 0,  // 1: R mod M and R^2 mod M do not come with the context (mm_sys_unit)
  parameter int RadixBits     = 1   // then, of log2 R
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Word-1:0]  ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Word-1:0]  x_i,
  input  wire  [Word-1:0]  y_i,
  input  wire              product_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Word-1:0]  z_o
);

  if (Window < 1 || Window > 6) begin : gen_illegal_window
    illegal_parameter_Window_must_be_1_to_6 u_illegal ();
  end
  if (VariableTime < 0 || VariableTime > 1) begin : gen_illegal_time
    illegal_parameter_VariableTime_must_be_0_or_1 u_illegal ();
  end

  // Sizes.
  localparam int SafeWindow = Window < 1 || Window > 6 ? 1 : Window;  // so that an illegal one is told of
  localparam int BeatBits   = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Digits     = 1 << SafeWindow;
  localparam int EntryBits  = SafeWindow + 1;
  localparam int SizeBits   = $clog2(SafeWindow + 1);

  localparam logic [EntryBits-1:0] One     = EntryBits'(0);
  localparam logic [EntryBits-1:0] Base    = EntryBits'(1);
  localparam logic [EntryBits-1:0] Third   = EntryBits'(3);
  localparam logic [EntryBits-1:0] Last    = EntryBits'(Digits - 1);
  localparam logic [EntryBits-1:0] Squared = EntryBits'(Digits);  // R^2 mod M

  typedef enum logic [3:0] {LOAD, ENTER, SECOND, TABLE, FIRST, SQUARE, MULTIPLY, LEAVE, PRODUCT} state_e;

  // ---------------------------------------------------------------- the frame: steps 1, 7 and 8, the core and A
  state_e                state_q;
  logic                  idle, start, product, leave, plain, done;
  logic                  root_load, root_square, unused_ctx_valid;
  logic [BeatBits-1:0]   last_beat, root_beat, feed_beat, result_beat;
  logic [Word-1:0]       a_word, e_word, core_y, core_z, root_word;
  logic                  result, result_first, result_last, result_part;
  logic                  arrived, feed, unused_feed_ready, fed_last, unused_fed, square, chain, keep;
  logic                  digit_valid, digit_last;
  logic [SafeWindow-1:0] digit_value;
  logic [SizeBits-1:0]   digit_size;

  // What is read from the table: S, or A in step 4.
  logic                 select_valid, select_last, select_start, select_all, select_digit, select_public, first_digit;
  logic [BeatBits-1:0]  select_beat;
  logic [Word-1:0]      select_word;
  logic [EntryBits-1:0] select_index;

  assign idle        = state_q == LOAD;
  assign leave       = (state_q == LEAVE) | (state_q == PRODUCT);
  assign plain       = state_q == PRODUCT;
  assign first_digit = select_valid & (state_q == FIRST);  // step 4

  mm_sys_frame #(
    .Word(Word),
    .Beats(Beats),
    .ContextBeats(ContextBeats),
    .ExponentBeats(ExponentBeats),
    .Window(SafeWindow),
    .ComputeR2(ComputeR2),
    .RadixBits(RadixBits)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .x_i, .y_i, .product_i,
    .out_valid_o, .out_ready_i, .z_o,
    .ctx_valid_o(unused_ctx_valid), .other_ready_i(1'b1), .other_error_i(1'b0),
    .root_load_o(root_load), .root_square_o(root_square), .root_beat_o(root_beat), .root_word_o(root_word),
    .idle_i(idle), .start_o(start), .product_o(product), .leave_i(leave), .plain_i(plain), .done_o(done),
    .last_beat_o(last_beat),
    .digit_valid_o(digit_valid), .digit_o(digit_value), .digit_size_o(digit_size), .digit_last_o(digit_last),
    .digit_next_i(select_digit),
    .a_word_o(a_word), .e_word_o(e_word), .feed_beat_o(feed_beat), .arrived_o(arrived),
    .feed_i(feed), .feed_ready_o(unused_feed_ready), .fed_o(unused_fed), .fed_last_o(fed_last),
    .core_x_i(a_word), .core_y_i(core_y), .square_i(square), .chain_i(chain), .keep_i(keep),
    .result_o(result), .result_first_o(result_first), .result_last_o(result_last), .result_part_o(result_part),
    .result_beat_o(result_beat), .word_o(core_z),
    .a_skip_i(1'b0), .a_write_i(first_digit), .a_beat_i(select_beat), .a_word_i(select_word)
  );

  // ---------------------------------------------------------------- S, the entry that the core multiplies with
  logic                s_write, s_ready_q, select_busy_q;
  logic                want_q;                   // a digit is to be selected
  logic [SizeBits-1:0] size_q, square_q;
  logic                last_q, zero_q, final_q;  // of the digit in S; of the one multiplied with last
  logic [Word-1:0]     s_word;

  assign s_write = select_valid & (state_q != FIRST);

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_s (
    .clk_i, .write_i(s_write), .write_addr_i(select_beat), .word_i(select_word),
    .read_addr_i(feed_beat), .word_o(s_word)
  );

  // ---------------------------------------------------------------- T
  logic                 t_write, to_t, to_t_q;
  logic [EntryBits-1:0] t_entry, entry_q, result_entry_q;
  logic [BeatBits-1:0]  t_beat;
  logic [Word-1:0]      t_next;

  assign to_t = result_first ? (state_q == ENTER) | (state_q == SECOND) | (state_q == TABLE) : to_t_q;

  always_comb begin
    if (state_q == LOAD) begin
      t_write = root_load;
      t_entry = root_square ? Squared : One;
      t_beat  = root_beat;
      t_next  = root_word;
    end else begin  // steps 2 and 3
      t_write = result & to_t;
      t_entry = result_first ? entry_q : result_entry_q;
      t_beat  = result_beat;
      t_next  = core_z;
    end
  end

  mm_sys_rsa_crt_table #(
    .Word(Word),
    .Beats(Beats),
    .Entries(Digits + 1),
    .Scanned(Digits)
  ) u_table (
    .clk_i, .rst_ni,
    .last_beat_i(last_beat),
    .write_i(t_write), .write_entry_i(t_entry), .write_beat_i(t_beat), .write_word_i(t_next),
    .start_i(select_start), .all_i(select_all), .index_i(select_index),
    .word_valid_o(select_valid), .word_beat_o(select_beat), .word_o(select_word), .last_o(select_last)
  );

  // Step 2 needs R^2, step 3 T[1] as soon as it is complete; steps 4 and 6 the entry of a digit.
  assign select_public = start | ((SafeWindow > 1) & result_last & to_t & (t_entry == Base));
  assign select_digit  = digit_valid & ~select_busy_q & (((state_q == FIRST) & ~result_part) | want_q);
  assign select_start  = select_public | select_digit;
  assign select_all    = select_digit & (VariableTime == 0);

  always_comb begin
    if (select_digit) select_index = EntryBits'(digit_value);
    else if (start)   select_index = Squared;
    else              select_index = Base;
  end

  // ---------------------------------------------------------------- the core
  logic feed_q, from_s, chained_q;

  assign square = (state_q == SQUARE) | (state_q == SECOND);
  assign from_s = (state_q == ENTER) | (state_q == MULTIPLY) | (state_q == TABLE);
  assign chain  = chained_q;                                // x is the result before
  assign keep   = (state_q == TABLE) & (entry_q != Third);  // y is T[1] again

  always_comb begin
    case (state_q)
      SECOND, SQUARE: core_y = a_word;
      PRODUCT:        core_y = e_word;
      LEAVE:          core_y = feed_beat == '0 ? Word'(1) : '0;
      default:        core_y = s_word;
    endcase
  end

  // A word of A may be read as soon as it has come, S when it is complete; a square may begin when the size of its
  // digit is known.
  assign feed = feed_q & arrived & (~from_s | s_ready_q) & ~((state_q == SQUARE) & want_q);

  // ---------------------------------------------------------------- the steps
  always_ff @(posedge clk_i) begin
    if (result_first) begin
      to_t_q         <= to_t;
      result_entry_q <= entry_q;
    end
    if (state_q == LOAD)           entry_q <= Base;
    else if (result_first && to_t) entry_q <= entry_q + 1'b1;
    if ((state_q == LOAD) || (state_q == FIRST)) chained_q <= 1'b0;
    else if (result_first)                       chained_q <= 1'b1;
    if (state_q != SQUARE) square_q <= '0;
    else if (result_first) square_q <= square_q + 1'b1 == size_q ? '0 : square_q + 1'b1;
    if (select_digit) begin
      size_q <= digit_size;
      last_q <= digit_last;
      zero_q <= digit_value == '0;
    end
    if (fed_last && (state_q == MULTIPLY)) final_q <= last_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= LOAD;
      feed_q        <= 1'b0;
      select_busy_q <= 1'b0;
      s_ready_q     <= 1'b0;
      want_q        <= 1'b0;
    end else begin
      if (fed_last) feed_q <= 1'b0;
      if (select_start)     select_busy_q <= 1'b1;
      else if (select_last) select_busy_q <= 1'b0;
      if (select_start)     s_ready_q <= 1'b0;
      else if (select_last) s_ready_q <= 1'b1;
      if (select_digit)     want_q <= 1'b0;

      case (state_q)
        LOAD: if (start) begin
          state_q <= ENTER;
          feed_q  <= 1'b1;
        end
        ENTER: if (result_first) begin
          state_q <= product ? PRODUCT : (SafeWindow > 1) ? SECOND : FIRST;
          feed_q  <= product | (SafeWindow > 1);
        end
        SECOND, TABLE: if (result_first) begin
          state_q <= entry_q == Last ? FIRST : TABLE;
          feed_q  <= entry_q != Last;
        end
        FIRST: if (select_busy_q && select_last) begin
          state_q <= last_q ? LEAVE : SQUARE;
          feed_q  <= 1'b1;
          want_q  <= ~last_q;
        end
        SQUARE: if (result_first) begin
          feed_q <= 1'b1;
          if (square_q + 1'b1 == size_q) begin
            state_q <= MULTIPLY;
            if ((VariableTime == 1) && zero_q) begin
              state_q <= last_q ? LEAVE : SQUARE;
              want_q  <= ~last_q;
            end
          end
        end
        MULTIPLY: begin
          if (fed_last) want_q <= ~last_q;
          if (result_first) begin
            state_q <= final_q ? LEAVE : SQUARE;
            feed_q  <= 1'b1;
          end
        end
        LEAVE, PRODUCT: if (done) state_q <= LOAD;
        default: state_q <= LOAD;
      endcase
    end
  end

endmodule

`default_nettype wire
