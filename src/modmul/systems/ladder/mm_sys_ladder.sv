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

  localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;

  typedef enum logic [2:0] {LOAD, ENTER, LADDER, LEAVE, PRODUCT} state_e;

  // --------------------------------------------------- the frame: steps 1, 4 and 5, A, and the core that multiplies
  state_e              state_q;
  logic                idle, start, product, leave, plain, done;
  logic                root_load, root_square;
  logic [BeatBits-1:0] last_beat, root_beat, feed_beat, result_beat;
  logic [Word-1:0]     a_word, e_word, core_x, core_y, core_z, root_next;
  logic                result, result_first, unused_last, unused_part;
  logic                arrived, feed, feed_ready, unused_fed, fed_last, square, chain;
  logic                digit, digit_last, step, unused_valid, unused_size;
  logic                other_valid, other_ready, other_error;  // the context of the core that squares
  logic                turn_q;  // one core: the result that comes next is the square
  logic                enters, enters_q, crosses, crosses_q;  // that of step 2; with one core a product, for B

  assign idle    = state_q == LOAD;
  assign leave   = (state_q == LEAVE) | (state_q == PRODUCT);
  assign plain   = state_q == PRODUCT;
  assign enters  = result_first ? state_q == ENTER : enters_q;
  assign crosses = result_first ? (Cores == 1) & (state_q == LADDER) & ~turn_q : crosses_q;

  // A bit is available two cycles after it is requested, the first one three cycles after the operands; neither a step
  // of the loop nor step 2 is shorter than that.
  mm_sys_frame #(
    .Word(Word),
    .Beats(Beats),
    .ContextBeats(ContextBeats),
    .ExponentBeats(ExponentBeats),
    .Window(1),
    .ComputeR2(ComputeR2),
    .RadixBits(RadixBits)
  ) u_frame (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .x_i, .y_i, .product_i,
    .out_valid_o, .out_ready_i, .z_o,
    .ctx_valid_o(other_valid), .other_ready_i(other_ready), .other_error_i(other_error),
    .root_load_o(root_load), .root_square_o(root_square), .root_beat_o(root_beat), .root_word_o(root_next),
    .idle_i(idle), .start_o(start), .product_o(product), .leave_i(leave), .plain_i(plain), .done_o(done),
    .last_beat_o(last_beat),
    .digit_valid_o(unused_valid), .digit_o(digit), .digit_size_o(unused_size), .digit_last_o(digit_last),
    .digit_next_i(step),
    .a_word_o(a_word), .e_word_o(e_word), .feed_beat_o(feed_beat), .arrived_o(arrived),
    .feed_i(feed), .feed_ready_o(feed_ready), .fed_o(unused_fed), .fed_last_o(fed_last),
    .core_x_i(core_x), .core_y_i(core_y), .square_i(square), .chain_i(chain), .keep_i(1'b0),
    .result_o(result), .result_first_o(result_first), .result_last_o(unused_last), .result_part_o(unused_part),
    .result_beat_o(result_beat), .word_o(core_z),
    .a_skip_i(crosses), .a_write_i(1'b0), .a_beat_i(BeatBits'(0)), .a_word_i(Word'(0))
  );

  // Of the core that squares, if there are two.
  logic                square_first, square_write, square_part;
  logic [BeatBits-1:0] square_beat;
  logic [Word-1:0]     square_z;

  // ---------------------------------------------------------------- B and the constants
  logic feed_q;    // operands go in
  logic square_q;  // those of a square, with one core
  logic step_end;
  logic one_q;     // A has R1, B has R0; otherwise the other way round
  logic pick_q;    // the square is of B
  logic last_q;    // the step is the last

  localparam int HighBits = Beats > 1 ? BeatBits : 0;
  localparam int PairBits = HighBits + 1;  // an address in one of two operands

  logic                b_write, half_q, root;
  logic [BeatBits-1:0] b_beat, root_read;
  logic [PairBits-1:0] b_write_addr, b_read_addr, root_write_addr, root_read_addr;
  logic [Word-1:0]     b_next, b_word, root_word, picked;
  logic                b_write_half, pick;

  assign b_write      = (result & (enters | crosses)) | square_write;
  assign b_beat       = square_write ? square_beat : result_beat;
  assign b_write_half = half_q ^ crosses;

  always_comb begin
    if (square_write) b_next = square_z;
    else if (enters)  b_next = root_word;
    else              b_next = core_z;
  end

  // R^2 mod M for step 2; R mod M when its result comes.
  assign root      = (state_q == ENTER) & feed_q;
  assign root_read = root ? feed_beat : result_beat;

  if (Beats > 1) begin : gen_words
    assign b_write_addr    = {b_write_half, b_beat};
    assign b_read_addr     = {half_q, feed_beat};
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
      .read_addr_i(feed_beat), .word_o(b_word)
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
  logic can_feed, square_ready, multiply;

  assign multiply = (state_q == LADDER) & ~square_q;
  assign square   = square_q;
  assign chain    = multiply | (state_q == PRODUCT);  // x is the result before

  always_comb begin
    core_x = square_q || (state_q == LEAVE) ? picked : a_word;
    case (state_q)
      ENTER:   core_y = root_word;
      PRODUCT: core_y = e_word;
      LEAVE:   core_y = feed_beat == '0 ? Word'(1) : '0;
      default: core_y = square_q ? picked : b_word;
    endcase
  end

  // A word may be read as soon as it has come. What one core squares has long been there.
  assign can_feed = feed_q & (square_q | (arrived & (~square_part | (feed_beat < square_beat))));
  assign feed     = can_feed & (~multiply | square_ready);

  // ---------------------------------------------------------------- the core that squares
  if (Cores == 1) begin : gen_one
    assign other_ready  = 1'b1;
    assign other_error  = 1'b0;
    assign square_ready = 1'b1;
    assign square_first = 1'b0;
    assign square_write = 1'b0;
    assign square_part  = 1'b0;
    assign square_beat  = '0;
    assign square_z     = '0;
    assign step_end     = (state_q == LADDER) & result_first & turn_q;
    logic unused_two;
    assign unused_two = ^{square_first, other_valid, feed_ready, last_beat};
  end else begin : gen_two
    logic                valid, part_q, multiplied_q, squared_q, core_valid, core_ready, core_square;
    logic [Word-1:0]     core_a, core_b;
    logic [BeatBits-1:0] beat_q;

    assign valid = can_feed & multiply & feed_ready;

    mm_sys_operands #(
      .Word(Word),
      .Controls(1)
    ) u_operands (
      .clk_i, .rst_ni,
      .in_valid_i(valid), .in_ready_o(square_ready), .x_i(picked), .y_i(picked), .controls_i(1'b1),
      .out_valid_o(core_valid), .out_ready_i(core_ready), .x_o(core_a), .y_o(core_b), .controls_o(core_square)
    );

    mm_sys_core u_core (
      .clk_i, .rst_ni,
      .ctx_valid_i(other_valid), .ctx_ready_o(other_ready), .ctx_data_i, .ctx_error_o(other_error),
      .in_valid_i(core_valid), .in_ready_o(core_ready), .x_i(core_a), .y_i(core_b),
      .square_i(core_square), .chain_i(1'b0), .keep_i(1'b0),
      .out_valid_o(square_write), .out_ready_i(1'b1), .z_o(square_z)
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
  assign step = ((state_q == ENTER) & result_first & ~product) | (step_end & ~last_q);

  always_ff @(posedge clk_i) begin
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
      state_q  <= LOAD;
      feed_q   <= 1'b0;
      square_q <= 1'b0;
      turn_q   <= 1'b0;
    end else begin
      if (fed_last) begin
        feed_q   <= (Cores == 1) & multiply;
        square_q <= (Cores == 1) & multiply;
      end
      if (result_first) turn_q <= crosses;

      case (state_q)
        LOAD: if (start) begin
          state_q <= ENTER;
          feed_q  <= 1'b1;
        end
        ENTER: if (result_first) begin
          state_q <= product ? PRODUCT : LADDER;
          feed_q  <= 1'b1;
        end
        LADDER: if (step_end) begin
          if (last_q) state_q <= LEAVE;
          feed_q <= 1'b1;
        end
        LEAVE, PRODUCT: if (done) state_q <= LOAD;
        default: state_q <= LOAD;
      endcase
    end
  end

endmodule

`default_nettype wire
