// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_ladder: z = x^e mod M by the Montgomery powering ladder (Javeed et al., Algorithm 1), on any core of the
// library: one, or two in parallel. The core is mm_sys_core (the first in mm_sys_unit), one file that Python writes:
// the chosen core with its parameters, with the controls that it lacks left open. R is its Montgomery radix, 1 in the
// plain domain; u * v stands for its product u v / R mod M.
//
// Steps (e has L bits)
//    1  A = x, E = e                                         the operands, word by word
//    2  R1 = A * (R^2 mod M), R0 = R mod M                   enter the domain
//    3  for each bit b of e, from the top:                   R1 = R0 x R throughout
//         R[1-b] = R0 * R1, R[b] = R[b] * R[b]               both of the values before
//    4  z = R0 * 1                                           leave the domain
// and, with product_i, a plain product in place of the power:
//    1, 2
//    5  z = R1 * y                                           (x R) y / R
//
// Cores = 1: the product is fed first, the square as soon as the core takes it. Cores = 2: one core multiplies while
// the other squares, both fed at the same time.
//
// Time and addresses depend on L alone, and not on bits of e. A holds the last result of the core that multiplies,
// which is the x of its next product (chain_i): the square with one core, the product with two. B holds the other one.
// Both are read for every square, and a multiplexer takes one of the two words. With one core the product arrives while
// the previous values still have to be squared, so B has two halves.
//
// Context: that of mm_sys_context. Operands are x and e, as many beats as the longer of them; results have as many.
//
// Legal: what is legal for the core, 0 <= e < 2^L, L >= 1.
//
`default_nettype none

module mm_sys_ladder #(
  parameter int Word          = 256,
  parameter int Beats         = 1,  // of an operand of the core, at most
  parameter int ContextBeats  = 1,  // of its context, at most
  parameter int ExponentBeats = 1,  // at most
  parameter int Cores         = 1,
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

  if (Cores < 1 || Cores > 2) begin : gen_illegal_cores
    illegal_parameter_Cores_must_be_1_or_2 u_illegal ();
  end

  localparam int InBeats  = Beats > ExponentBeats ? Beats : ExponentBeats;
  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam int ExpBits  = ExponentBeats > 1 ? $clog2(ExponentBeats) : 1;
  localparam int InBits   = InBeats > 1 ? $clog2(InBeats) : 1;
  localparam int TopBits  = $clog2(Word + 1);
  localparam int PlanBits = 2 * RadixBits + $clog2(RadixBits + 1) + 2;

  localparam logic [InBits:0] LastWord = (InBits+1)'(Beats - 1);

  typedef enum logic [2:0] {LOAD, ENTER, LADDER, LEAVE, PRODUCT, FILL} state_e;

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

  // ---------------------------------------------------------------- results of the core that multiplies
  logic                leaving, result, result_first, result_last, result_part_q;
  logic                rest_q;     // the words of a result that is not to leave, behind the first
  logic                turn_q;     // one core: the result that comes next is the square
  logic                enters, enters_q, crosses, crosses_q;  // that of step 2; with one core a product, for B
  logic [BeatBits-1:0] feed_beat_q, result_beat_q;
  logic                core_in_valid, core_in_ready, core_out_valid, core_out_ready;
  logic [Word-1:0]     core_x, core_y, core_z, root_next;

  // Steps 4 and 5: results go out, followed by zeros where the exponent is longer than an operand.
  assign leaving     = ((state_q == LEAVE) | (state_q == PRODUCT)) & ~rest_q;
  assign out_valid_o = (leaving & core_out_valid) | (state_q == FILL);
  assign z_o         = core_z & {Word{state_q != FILL}};

  assign core_out_ready = ~leaving | out_ready_i;
  assign result         = core_out_valid & core_out_ready;
  assign result_first   = result & ~result_part_q;
  assign result_last    = result & (result_beat_q == last_beat);
  assign enters         = result_first ? state_q == ENTER : enters_q;
  assign crosses        = result_first ? (Cores == 1) & (state_q == LADDER) & ~turn_q : crosses_q;

  // Of the core that squares, if there are two.
  logic                square_first, square_write, square_part;
  logic [BeatBits-1:0] square_beat;
  logic [Word-1:0]     square_z;

  // ---------------------------------------------------------------- the bits
  logic               step, step_end, digit, digit_last, unused_valid, unused_size;
  logic               one_q;     // A has R1, B has R0; otherwise the other way round
  logic               pick_q;    // the square is of B
  logic               last_q;    // the step is the last
  logic [ExpBits-1:0] digit_beat;
  logic [InBits-1:0]  e_beat;
  logic [Word-1:0]    e_word;

  assign e_beat = state_q == PRODUCT ? InBits'(feed_beat_q) : InBits'(digit_beat);

  mm_word_ram #(
    .Word(Word),
    .Depth(InBeats)
  ) u_e (
    .clk_i, .write_i(in_load), .write_addr_i(in_beat), .word_i(y_i),
    .read_addr_i(e_beat), .word_o(e_word)
  );

  // A bit is available two cycles after it is requested, the first one three cycles after the operands; neither a step
  // of the loop nor step 2 is shorter than that.
  mm_sys_exponent #(
    .Word(Word),
    .Beats(ExponentBeats),
    .Window(1)
  ) u_exponent (
    .clk_i, .rst_ni,
    .start_i(started), .last_word_i(last_exp), .top_i(top), .beat_o(digit_beat), .word_i(e_word),
    .valid_o(unused_valid), .digit_o(digit), .size_o(unused_size), .last_o(digit_last), .next_i(step)
  );

  // ---------------------------------------------------------------- A, B and the constants
  localparam int HighBits = Beats > 1 ? BeatBits : 0;
  localparam int PairBits = HighBits + 1;  // an address in one of two operands

  logic                a_write, b_write, half_q, root;
  logic [BeatBits-1:0] a_beat, b_beat, root_read;
  logic [PairBits-1:0] b_write_addr, b_read_addr, root_write_addr, root_read_addr;
  logic [Word-1:0]     a_next, a_word, b_next, b_word, root_word, picked;
  logic                b_write_half, pick;
  logic                feed_q, square_q;  // operands go in; those of a square, with one core

  assign a_write = (in_load & ({1'b0, in_beat} <= LastWord)) | (result & ~leaving & ~crosses);
  assign a_beat  = state_q == LOAD ? BeatBits'(in_beat) : result_beat_q;
  assign a_next  = state_q == LOAD ? x_i : core_z;

  assign b_write      = (result & (enters | crosses)) | square_write;
  assign b_beat       = square_write ? square_beat : result_beat_q;
  assign b_write_half = half_q ^ crosses;

  always_comb begin
    if (square_write) b_next = square_z;
    else if (enters)  b_next = root_word;
    else              b_next = core_z;
  end

  // R^2 mod M for step 2; R mod M when its result comes.
  assign root      = (state_q == ENTER) & feed_q;
  assign root_read = root ? feed_beat_q : result_beat_q;

  if (Beats > 1) begin : gen_words
    assign b_write_addr    = {b_write_half, b_beat};
    assign b_read_addr     = {half_q, feed_beat_q};
    assign root_write_addr = {root_square, root_beat};
    assign root_read_addr  = {root, root_read};
  end else begin : gen_word
    logic unused_beats;
    assign b_write_addr    = b_write_half;
    assign b_read_addr     = half_q;
    assign root_write_addr = root_square;
    assign root_read_addr  = root;
    assign unused_beats    = ^{b_beat, root_beat, root_read};
  end

  mm_word_ram #(
    .Word(Word),
    .Depth(Beats)
  ) u_a (
    .clk_i, .write_i(a_write), .write_addr_i(a_beat), .word_i(a_next),
    .read_addr_i(feed_beat_q), .word_o(a_word)
  );

  if (Cores == 1) begin : gen_halves
    mm_word_ram #(
      .Word(Word),
      .Depth(2 << HighBits)
    ) u_b (
      .clk_i, .write_i(b_write), .write_addr_i(b_write_addr), .word_i(b_next),
      .read_addr_i(b_read_addr), .word_o(b_word)
    );
  end else begin : gen_whole
    logic unused_addr;
    assign unused_addr = ^{b_write_addr, b_read_addr};

    mm_word_ram #(
      .Word(Word),
      .Depth(Beats)
    ) u_b (
      .clk_i, .write_i(b_write), .write_addr_i(b_beat), .word_i(b_next),
      .read_addr_i(feed_beat_q), .word_o(b_word)
    );
  end

  mm_word_ram #(
    .Word(Word),
    .Depth(2 << HighBits)
  ) u_root (
    .clk_i, .write_i(root_load), .write_addr_i(root_write_addr), .word_i(root_next),
    .read_addr_i(root_read_addr), .word_o(root_word)
  );

  assign pick   = state_q == LEAVE ? one_q : pick_q;
  assign picked = pick ? b_word : a_word;

  // ---------------------------------------------------------------- operands of the core that multiplies
  logic can_feed, other_ready, fed, fed_last, multiply, square, chain, keep;

  assign multiply = (state_q == LADDER) & ~square_q;
  assign square   = square_q;
  assign chain    = multiply | (state_q == PRODUCT);  // x is the result before
  assign keep     = 1'b0;

  always_comb begin
    core_x = square_q || (state_q == LEAVE) ? picked : a_word;
    case (state_q)
      ENTER:   core_y = root_word;
      PRODUCT: core_y = e_word;
      LEAVE:   core_y = feed_beat_q == '0 ? Word'(1) : '0;
      default: core_y = square_q ? picked : b_word;
    endcase
  end

  // A word may be read as soon as it has come. What one core squares has long been there.
  assign can_feed = feed_q & (square_q | ((~result_part_q | (feed_beat_q < result_beat_q))
                                          & (~square_part | (feed_beat_q < square_beat))));
  assign fed      = core_in_valid & core_in_ready;
  assign fed_last = fed & (feed_beat_q == last_beat);

  assign core_in_valid = can_feed & (~multiply | other_ready);

  logic core_ctx_valid_a, core_ctx_ready_a, core_error_a;

  mm_sys_unit #(
    .Word(Word),
    .Beats(Beats),
    .ComputeR2(ComputeR2),
    .RadixBits(RadixBits)
  ) u_unit (
    .clk_i, .rst_ni,
    .ctx_valid_i(core_ctx_valid_a), .ctx_ready_o(core_ctx_ready_a), .ctx_data_i, .ctx_error_o(core_error_a),
    .load_i(load), .load_square_i(load_square), .load_beat_i(load_beat),
    .commit_i(commit), .ready_o(commit_ready), .last_beat_i(last_beat), .plan_i(plan),
    .root_load_o(root_load), .root_square_o(root_square), .root_beat_o(root_beat), .root_word_o(root_next),
    .in_valid_i(core_in_valid), .in_ready_o(core_in_ready), .x_i(core_x), .y_i(core_y),
    .square_i(square), .chain_i(chain), .keep_i(keep),
    .out_valid_o(core_out_valid), .out_ready_i(core_out_ready), .z_o(core_z)
  );

  // ---------------------------------------------------------------- the core that squares
  if (Cores == 1) begin : gen_one
    assign core_ctx_valid_a = core_ctx_valid;
    assign core_ctx_ready   = core_ctx_ready_a;
    assign core_error       = core_error_a;
    assign other_ready      = 1'b1;
    assign square_first     = 1'b0;
    assign square_write     = 1'b0;
    assign square_part      = 1'b0;
    assign square_beat      = '0;
    assign square_z         = '0;
    assign step_end         = (state_q == LADDER) & result_first & turn_q;
    logic unused_first;
    assign unused_first = square_first;
  end else begin : gen_two
    logic                core_ctx_valid_b, core_ctx_ready_b, core_error_b, valid, high, low, part_q, multiplied_q;
    logic                squared_q, core_valid, core_ready, core_square;
    logic [Word-1:0]     core_a, core_b;
    logic [BeatBits-1:0] beat_q;

    // A beat of the context is for both: it waits until both take it.
    assign core_ctx_ready   = core_ctx_ready_a & core_ctx_ready_b;
    assign core_ctx_valid_a = core_ctx_valid & core_ctx_ready_b;
    assign core_ctx_valid_b = core_ctx_valid & core_ctx_ready_a;
    assign core_error       = core_error_a | core_error_b;
    assign valid            = can_feed & multiply & core_in_ready;
    assign high             = 1'b1;
    assign low              = 1'b0;

    mm_sys_operands #(
      .Word(Word),
      .Controls(1)
    ) u_operands (
      .clk_i, .rst_ni,
      .in_valid_i(valid), .in_ready_o(other_ready), .x_i(picked), .y_i(picked), .controls_i(high),
      .out_valid_o(core_valid), .out_ready_i(core_ready), .x_o(core_a), .y_o(core_b), .controls_o(core_square)
    );

    mm_sys_core u_core (
      .clk_i, .rst_ni,
      .ctx_valid_i(core_ctx_valid_b), .ctx_ready_o(core_ctx_ready_b), .ctx_data_i, .ctx_error_o(core_error_b),
      .in_valid_i(core_valid), .in_ready_o(core_ready), .x_i(core_a), .y_i(core_b),
      .square_i(core_square), .chain_i(low), .keep_i(low),
      .out_valid_o(square_write), .out_ready_i(high), .z_o(square_z)
    );

    assign square_first = square_write & ~part_q;
    assign square_part  = part_q;
    assign square_beat  = beat_q;
    assign step_end     = (state_q == LADDER) & (result_first | multiplied_q) & (square_first | squared_q);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        part_q       <= 1'b0;
        beat_q       <= '0;
        multiplied_q <= 1'b0;
        squared_q    <= 1'b0;
      end else begin
        if (square_write) begin
          part_q <= beat_q != last_beat;
          beat_q <= beat_q == last_beat ? '0 : beat_q + 1'b1;
        end
        if (step_end) begin
          multiplied_q <= 1'b0;
          squared_q    <= 1'b0;
        end else begin
          if (result_first && (state_q == LADDER)) multiplied_q <= 1'b1;
          if (square_first)                        squared_q    <= 1'b1;
        end
      end
    end
  end

  // ---------------------------------------------------------------- the steps
  assign step = ((state_q == ENTER) & result_first & ~product_q) | (step_end & ~last_q);

  always_ff @(posedge clk_i) begin
    if (in_load && !in_part) product_q <= product_i;
    if (result_first) begin
      enters_q  <= enters;
      crosses_q <= crosses;
    end
    if (state_q == LOAD) begin
      half_q <= 1'b0;
      one_q  <= 1'b1;
    end else begin
      if (step_end && (Cores == 1)) half_q <= ~half_q;
      if (step) one_q <= digit ^ (Cores == 2);
    end
    if (step) begin
      pick_q <= digit ^ one_q;
      last_q <= digit_last;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= LOAD;
      out_beat_q    <= '0;
      feed_q        <= 1'b0;
      feed_beat_q   <= '0;
      square_q      <= 1'b0;
      turn_q        <= 1'b0;
      result_part_q <= 1'b0;
      rest_q        <= 1'b0;
      result_beat_q <= '0;
    end else begin
      if (out_valid_o && out_ready_i) out_beat_q <= out_beat_q == last_in ? '0 : out_beat_q + 1'b1;

      if (fed) feed_beat_q <= fed_last ? '0 : feed_beat_q + 1'b1;
      if (fed_last) begin
        feed_q   <= (Cores == 1) & multiply;
        square_q <= (Cores == 1) & multiply;
      end
      if (result) begin
        result_part_q <= ~result_last;
        rest_q        <= ~result_last & ~leaving;
        result_beat_q <= result_last ? '0 : result_beat_q + 1'b1;
      end
      if (result_first) turn_q <= crosses;

      case (state_q)
        LOAD: if (started) begin
          state_q <= ENTER;
          feed_q  <= 1'b1;
        end
        ENTER: if (result_first) begin
          state_q <= product_q ? PRODUCT : LADDER;
          feed_q  <= 1'b1;
        end
        LADDER: if (step_end) begin
          if (last_q) state_q <= LEAVE;
          feed_q <= 1'b1;
        end
        LEAVE, PRODUCT: if (result_last && leaving) state_q <= out_beat_q == last_in ? LOAD : FILL;
        FILL: if (out_ready_i && (out_beat_q == last_in)) state_q <= LOAD;
        default: state_q <= LOAD;
      endcase
    end
  end

endmodule

`default_nettype wire
