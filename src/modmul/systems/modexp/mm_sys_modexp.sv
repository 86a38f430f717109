// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_modexp: z = x^e mod M by left-to-right exponentiation with windows, on any core of the library. The core is
// mm_sys_core (in mm_sys_unit), one file that Python writes: the chosen core with its parameters, with the controls
// that it lacks left open. R is its Montgomery radix, 1 in the plain domain; a * b stands for its product a b / R mod
// M.
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
// 6 are found by reading the whole table (mm_sys_modexp_table), hidden behind the squares of step 5. With VariableTime
// = 1 only the entry itself is read, and step 6 is skipped where d = 0: faster, but for public exponents only.
//
// Context: that of mm_sys_context. Operands are x and e, as many beats as the longer of them; results have as many.
//
// Legal: what is legal for the core, 0 <= e < 2^L, L >= 1.
//
`default_nettype none

module mm_sys_modexp #(
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
  localparam int InBeats    = Beats > ExponentBeats ? Beats : ExponentBeats;
  localparam int BeatBits   = Beats > 1 ? $clog2(Beats) : 1;
  localparam int ExpBits    = ExponentBeats > 1 ? $clog2(ExponentBeats) : 1;
  localparam int InBits     = InBeats > 1 ? $clog2(InBeats) : 1;
  localparam int TopBits    = $clog2(Word + 1);
  localparam int PlanBits   = 2 * RadixBits + $clog2(RadixBits + 1) + 2;
  localparam int Digits     = 1 << SafeWindow;
  localparam int EntryBits  = SafeWindow + 1;
  localparam int SizeBits   = $clog2(SafeWindow + 1);

  localparam logic [EntryBits-1:0] One      = EntryBits'(0);
  localparam logic [EntryBits-1:0] Base     = EntryBits'(1);
  localparam logic [EntryBits-1:0] Third    = EntryBits'(3);
  localparam logic [EntryBits-1:0] Last     = EntryBits'(Digits - 1);
  localparam logic [EntryBits-1:0] Squared  = EntryBits'(Digits);  // R^2 mod M
  localparam logic [InBits:0]      LastWord = (InBits+1)'(Beats - 1);

  typedef enum logic [3:0] {LOAD, ENTER, SECOND, TABLE, FIRST, SQUARE, MULTIPLY, LEAVE, PRODUCT, FILL} state_e;

  // ---------------------------------------------------------------- context and operands
  state_e               state_q;
  logic [BeatBits-1:0]  last_beat, load_beat, root_beat;
  logic [PlanBits-1:0]  plan;
  logic [ExpBits-1:0]   last_exp;
  logic [InBits-1:0]    last_in, in_beat, out_beat_q;
  logic [TopBits-1:0]   top;
  logic                 core_ctx_valid, core_ctx_ready, core_error;
  logic                 load, load_square, commit, commit_ready, root_load, root_square;
  logic                 in_last, in_load, in_part, started, product_q;

  mm_sys_context #(
    .Word(Word),
    .Beats(Beats),
    .ContextBeats(ContextBeats),
    .ExponentBeats(ExponentBeats),
    .ComputeR2(ComputeR2),
    .PlanBits(PlanBits)
  ) u_context (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o,
    .free_i(state_q == LOAD), .core_ready_i(core_ctx_ready), .core_error_i(core_error),
    .core_valid_o(core_ctx_valid),
    .load_o(load), .load_square_o(load_square), .load_beat_o(load_beat),
    .commit_o(commit), .commit_ready_i(commit_ready), .plan_o(plan),
    .in_load_o(in_load), .in_part_o(in_part), .in_last_o(in_last), .in_beat_o(in_beat),
    .last_beat_o(last_beat), .last_exp_o(last_exp), .last_in_o(last_in), .top_o(top)
  );

  assign started = in_load & in_last;

  // ---------------------------------------------------------------- results
  logic                 leaving, result, result_first, result_last, result_part_q;
  logic                 rest_q;  // the words of a result that is not to leave, behind the first
  logic [BeatBits-1:0]  feed_beat_q, result_beat_q;
  logic                 core_in_valid, core_in_ready, core_out_valid, core_out_ready;
  logic [Word-1:0]      core_y, core_z, root_word;

  // Steps 7 and 8: results of the core go out, followed by zeros where the exponent is longer than an operand.
  assign leaving     = ((state_q == LEAVE) | (state_q == PRODUCT)) & ~rest_q;
  assign out_valid_o = (leaving & core_out_valid) | (state_q == FILL);
  assign z_o         = core_z & {Word{state_q != FILL}};

  assign core_out_ready = ~leaving | out_ready_i;
  assign result         = core_out_valid & core_out_ready;
  assign result_first   = result & ~result_part_q;
  assign result_last    = result & (result_beat_q == last_beat);

  // ---------------------------------------------------------------- what is read from the table: S, or A in step 4
  logic                 select_valid, select_last, select_start, select_all, select_busy_q, s_ready_q;
  logic                 select_public, select_digit, want_q;
  logic [BeatBits-1:0]  select_beat;
  logic [Word-1:0]      select_word;
  logic [EntryBits-1:0] select_index;
  logic                 digit_valid, digit_last;
  logic [ExpBits-1:0]   digit_beat;
  logic [SafeWindow-1:0] digit_value;
  logic [SizeBits-1:0]  digit_size, size_q, square_q;
  logic                 last_q, zero_q, final_q;  // of the digit in S; of the one multiplied with last

  // ---------------------------------------------------------------- A, S, E
  logic                 a_write, s_write;
  logic [BeatBits-1:0]  a_beat;
  logic [Word-1:0]      a_next, a_word, s_word, e_word;
  logic [InBits-1:0]    e_beat;

  assign a_write = (in_load & ({1'b0, in_beat} <= LastWord)) | (result & ~leaving)
                 | (select_valid & (state_q == FIRST));
  assign s_write = select_valid & (state_q != FIRST);
  assign e_beat  = state_q == PRODUCT ? InBits'(feed_beat_q) : InBits'(digit_beat);

  always_comb begin
    if (state_q == LOAD) begin  // step 1
      a_next = x_i;
      a_beat = BeatBits'(in_beat);
    end else if (select_valid && (state_q == FIRST)) begin  // step 4
      a_next = select_word;
      a_beat = select_beat;
    end else begin
      a_next = core_z;
      a_beat = result_beat_q;
    end
  end

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_a (
    .clk_i, .write_i(a_write), .write_addr_i(a_beat), .word_i(a_next),
    .read_addr_i(feed_beat_q), .word_o(a_word)
  );

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_s (
    .clk_i, .write_i(s_write), .write_addr_i(select_beat), .word_i(select_word),
    .read_addr_i(feed_beat_q), .word_o(s_word)
  );

  mm_word_ram #(
    .Word(Word),
    .Depth(InBeats)
  ) u_e (
    .clk_i, .write_i(in_load), .write_addr_i(in_beat), .word_i(y_i),
    .read_addr_i(e_beat), .word_o(e_word)
  );

  mm_sys_exponent #(
    .Word(Word),
    .Beats(ExponentBeats),
    .Window(SafeWindow)
  ) u_exponent (
    .clk_i, .rst_ni,
    .start_i(started), .last_word_i(last_exp), .top_i(top), .beat_o(digit_beat), .word_i(e_word),
    .valid_o(digit_valid), .digit_o(digit_value), .size_o(digit_size), .last_o(digit_last),
    .next_i(select_digit)
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
      t_beat  = result_beat_q;
      t_next  = core_z;
    end
  end

  mm_sys_modexp_table #(
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
  assign select_public = started | ((SafeWindow > 1) & result_last & to_t & (t_entry == Base));
  assign select_digit  = digit_valid & ~select_busy_q & (((state_q == FIRST) & ~result_part_q) | want_q);
  assign select_start  = select_public | select_digit;
  assign select_all    = select_digit & (VariableTime == 0);

  always_comb begin
    if (select_digit)  select_index = EntryBits'(digit_value);
    else if (started)  select_index = Squared;
    else               select_index = Base;
  end

  // ---------------------------------------------------------------- the core
  logic feed_q, fed, fed_last, from_s, square, chain, keep, chained_q;

  assign square = (state_q == SQUARE) | (state_q == SECOND);
  assign from_s = (state_q == ENTER) | (state_q == MULTIPLY) | (state_q == TABLE);
  assign chain  = chained_q;                                         // x is the result before
  assign keep   = (state_q == TABLE) & (entry_q != Third);  // y is T[1] again

  always_comb begin
    case (state_q)
      SECOND, SQUARE: core_y = a_word;
      PRODUCT:        core_y = e_word;
      LEAVE:          core_y = feed_beat_q == '0 ? Word'(1) : '0;
      default:        core_y = s_word;
    endcase
  end

  // A word of A may be read as soon as it has come, S when it is complete; a square may begin when the size of its
  // digit is known.
  assign core_in_valid = feed_q & (~result_part_q | (feed_beat_q < result_beat_q)) & (~from_s | s_ready_q)
                       & ~((state_q == SQUARE) & want_q);
  assign fed      = core_in_valid & core_in_ready;
  assign fed_last = fed & (feed_beat_q == last_beat);

  mm_sys_unit #(
    .Word(Word),
    .Beats(Beats),
    .ComputeR2(ComputeR2),
    .RadixBits(RadixBits)
  ) u_unit (
    .clk_i, .rst_ni,
    .ctx_valid_i(core_ctx_valid), .ctx_ready_o(core_ctx_ready), .ctx_data_i, .ctx_error_o(core_error),
    .load_i(load), .load_square_i(load_square), .load_beat_i(load_beat),
    .commit_i(commit), .ready_o(commit_ready), .last_beat_i(last_beat), .plan_i(plan),
    .root_load_o(root_load), .root_square_o(root_square), .root_beat_o(root_beat), .root_word_o(root_word),
    .in_valid_i(core_in_valid), .in_ready_o(core_in_ready), .x_i(a_word), .y_i(core_y),
    .square_i(square), .chain_i(chain), .keep_i(keep),
    .out_valid_o(core_out_valid), .out_ready_i(core_out_ready), .z_o(core_z)
  );

  // ---------------------------------------------------------------- the steps
  always_ff @(posedge clk_i) begin
    if (in_load && !in_part) product_q <= product_i;
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
      out_beat_q    <= '0;
      feed_q        <= 1'b0;
      feed_beat_q   <= '0;
      result_part_q <= 1'b0;
      rest_q        <= 1'b0;
      result_beat_q <= '0;
      select_busy_q <= 1'b0;
      s_ready_q     <= 1'b0;
      want_q        <= 1'b0;
    end else begin
      if (out_valid_o && out_ready_i) out_beat_q <= out_beat_q == last_in ? '0 : out_beat_q + 1'b1;

      if (fed) feed_beat_q <= fed_last ? '0 : feed_beat_q + 1'b1;
      if (fed_last) feed_q <= 1'b0;
      if (result) begin
        result_part_q <= ~result_last;
        rest_q        <= ~result_last & ~leaving;
        result_beat_q <= result_last ? '0 : result_beat_q + 1'b1;
      end

      if (select_start)     select_busy_q <= 1'b1;
      else if (select_last) select_busy_q <= 1'b0;
      if (select_start)     s_ready_q <= 1'b0;
      else if (select_last) s_ready_q <= 1'b1;
      if (select_digit)     want_q <= 1'b0;

      case (state_q)
        LOAD: if (started) begin
          state_q <= ENTER;
          feed_q  <= 1'b1;
        end
        ENTER: if (result_first) begin
          state_q <= product_q ? PRODUCT : (SafeWindow > 1) ? SECOND : FIRST;
          feed_q  <= product_q | (SafeWindow > 1);
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
        LEAVE, PRODUCT: if (result_last && leaving) state_q <= out_beat_q == last_in ? LOAD : FILL;
        FILL: if (out_ready_i && (out_beat_q == last_in)) state_q <= LOAD;
        default: state_q <= LOAD;
      endcase
    end
  end

endmodule

`default_nettype wire
