// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_unit: the core of a system (mm_sys_core, which Python writes) with a register in front of its operands, and
// the source of R mod M and R^2 mod M, word by word.
//
// ComputeR2 = 0: they come with the context (mm_sys_context), and the system drives the core's ports, through that
// register.
// ComputeR2 = 1: M comes with the context. While the last beat of the context waits (commit_i), they are computed, with
// R = 2^r, r = more * 2^squarings. plan_i has, least significant bit first, r, more, squarings, whether the field is
// GF(2^m), and whether M then has a term x^(Word * beats), which its words leave out.
//
//    1  t = 1
//    2  r times t = 2 t mod M                                R mod M: given to the system
//    3  more times t = 2 t mod M                             R 2^more
//    4  squarings times t = t t / R mod M, by the core       R 2^(2 more), ..., R 2^r = R^2 mod M: given to the system
//
// A doubling takes a word a cycle, in place: word j of t is read, and in the next cycle that of 2 t goes to F and that
// of 2 t - M, or 2 t + M in GF(2^m), to S. After the last word it is known which of the two is t: S if there is no
// borrow, and in GF(2^m), where words are compared as numbers, if S < F. If the core refuses the context, nothing is
// computed. Meanwhile the system offers no operands, holds all controls low, and is ready for results.
//
`default_nettype none

module mm_sys_unit #(
  parameter int Word      = 32,
  parameter int Beats     = 8,  // of an operand, at most
  parameter int ComputeR2 = 0,
  parameter int RadixBits = 1,  // of r
  // Derived, not to be set.
  parameter int BeatBits   = Beats > 1 ? $clog2(Beats) : 1,
  parameter int SquareBits = $clog2(RadixBits + 1),
  parameter int PlanBits   = 2 * RadixBits + SquareBits + 2
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // The core's context.
  input  wire                 ctx_valid_i,
  output logic                ctx_ready_o,
  input  wire  [Word-1:0]     ctx_data_i,
  output logic                ctx_error_o,
  // After it: a beat of R mod M and R^2 mod M, or of M.
  input  wire                 load_i,
  input  wire                 load_square_i,
  input  wire  [BeatBits-1:0] load_beat_i,
  input  wire                 commit_i,
  output logic                ready_o,        // for the beat that waits
  input  wire  [BeatBits-1:0] last_beat_i,    // of an operand
  input  wire  [PlanBits-1:0] plan_i,
  // To the system: words of R mod M, then of R^2 mod M.
  output logic                root_load_o,
  output logic                root_square_o,
  output logic [BeatBits-1:0] root_beat_o,
  output logic [Word-1:0]     root_word_o,
  // The core's other ports.
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  input  wire                 square_i,
  input  wire                 chain_i,
  input  wire                 keep_i,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Word-1:0]     z_o
);

  if (ComputeR2 < 0 || ComputeR2 > 1) begin : gen_illegal_compute
    illegal_parameter_ComputeR2_must_be_0_or_1 u_illegal ();
  end

  typedef enum logic [2:0] {IDLE, DOUBLE, SETTLE, GIVE, FEED, TAKE, DONE} state_e;

  logic            feeds, takes;  // the computation has the core
  logic            in_valid, core_valid, core_ready, out_valid;
  logic [Word-1:0] t_word, x, y, core_x, core_y;
  logic [2:0]      controls, core_controls;

  assign in_valid    = in_valid_i | feeds;
  assign controls    = {keep_i, chain_i, square_i | feeds};
  assign x           = feeds ? t_word : x_i;
  assign y           = feeds ? t_word : y_i;
  assign out_valid_o = out_valid & ~takes;

  mm_sys_operands #(
    .Word(Word)
  ) u_operands (
    .clk_i, .rst_ni,
    .in_valid_i(in_valid), .in_ready_o, .x_i(x), .y_i(y), .controls_i(controls),
    .out_valid_o(core_valid), .out_ready_i(core_ready), .x_o(core_x), .y_o(core_y), .controls_o(core_controls)
  );

  mm_sys_core u_core (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
    .in_valid_i(core_valid), .in_ready_o(core_ready), .x_i(core_x), .y_i(core_y),
    .square_i(core_controls[0]), .chain_i(core_controls[1]), .keep_i(core_controls[2]),
    .out_valid_o(out_valid), .out_ready_i, .z_o
  );

  if (ComputeR2 == 0) begin : gen_given
    logic unused_plan;
    assign unused_plan   = ^{plan_i, commit_i, last_beat_i};
    assign feeds         = 1'b0;
    assign takes         = 1'b0;
    assign t_word        = '0;
    assign ready_o       = 1'b1;
    assign root_load_o   = load_i;
    assign root_square_o = load_square_i;
    assign root_beat_o   = load_beat_i;
    assign root_word_o   = ctx_data_i;
  end else begin : gen_computed
    logic [RadixBits-1:0]  radix, more, left_q;
    logic [SquareBits-1:0] squarings, squares_q;
    logic                  binary, high_term, unused_load;

    assign {high_term, binary, squarings, more, radix} = plan_i;

    assign unused_load = load_square_i;

    state_e              state_q;
    logic [BeatBits-1:0] beat_q, write_beat_q;
    logic                second_q;  // R mod M has been given
    logic                s_q;       // t is in S
    logic                last, result;

    assign last   = beat_q == last_beat_i;
    assign feeds  = state_q == FEED;
    assign takes  = state_q == TAKE;
    assign result = takes & out_valid;

    // --- M, F, S ----------------------------------------------------------------------------------------
    logic                write_q, first_q, last_q, f_write, borrow_q, borrow, borrow_in, above_q, below;
    logic [BeatBits-1:0] f_beat;
    logic [Word-1:0]     m_word, f_word, s_word, f_next, s_next, t_q, m_q, double, sum, minuend, subtrahend, difference;

    mm_word_ram #(
      .Word(Word),
      .Depth(Beats)
    ) u_m (
      .clk_i, .write_i(load_i), .write_addr_i(load_beat_i), .word_i(ctx_data_i),
      .read_addr_i(beat_q), .word_o(m_word)
    );

    assign f_write = load_i | write_q | result;

    always_comb begin
      if (load_i) begin  // step 1
        f_beat = load_beat_i;
        f_next = load_beat_i == '0 ? Word'(1) : '0;
      end else if (write_q) begin  // steps 2 and 3
        f_beat = write_beat_q;
        f_next = double;
      end else begin  // step 4
        f_beat = beat_q;
        f_next = z_o;
      end
    end

    mm_word_ram #(
      .Word(Word),
      .Depth(Beats)
    ) u_f (
      .clk_i, .write_i(f_write), .write_addr_i(f_beat), .word_i(f_next),
      .read_addr_i(beat_q), .word_o(f_word)
    );

    mm_word_ram #(
      .Word(Word),
      .Depth(Beats)
    ) u_s (
      .clk_i, .write_i(write_q), .write_addr_i(write_beat_q), .word_i(s_next),
      .read_addr_i(beat_q), .word_o(s_word)
    );

    assign t_word = s_q ? s_word : f_word;

    // --- a word of 2 t, and of 2 t - M or 2 t + M --------------------------------------------------------------
    assign below      = ~first_q & above_q;
    assign borrow_in  = ~first_q & borrow_q;
    assign double     = Word'({t_q, below});
    assign sum        = double ^ m_q;
    assign minuend    = binary ? sum : double;
    assign subtrahend = binary ? double : m_q;
    assign s_next     = binary ? sum : difference;

    assign {borrow, difference} = {1'b0, minuend} - {1'b0, subtrahend} - {{Word{1'b0}}, borrow_in};

    always_ff @(posedge clk_i) begin
      t_q          <= t_word;
      m_q          <= m_word;
      first_q      <= beat_q == '0;
      last_q       <= last;
      write_beat_q <= beat_q;
      borrow_q     <= borrow;
      above_q      <= t_q[Word-1];
    end

    // --- the steps ------------------------------------------------------------------------------------------
    assign ready_o       = state_q == DONE;
    assign root_load_o   = state_q == GIVE;
    assign root_square_o = second_q;
    assign root_beat_o   = beat_q;
    assign root_word_o   = t_word;

    always_ff @(posedge clk_i) begin
      if (load_i || result) begin
        s_q <= 1'b0;
      end else if (write_q && last_q) begin
        if (binary) s_q <= high_term ? t_q[Word-1] : borrow;
        else        s_q <= t_q[Word-1] | ~borrow;
      end
      if (state_q == IDLE) begin
        left_q    <= radix;
        squares_q <= squarings;
        second_q  <= 1'b0;
      end else begin
        if ((state_q == DOUBLE) && last)      left_q    <= left_q - 1'b1;
        else if ((state_q == GIVE) && last)   left_q    <= more;
        if ((state_q == GIVE) && last)        second_q  <= 1'b1;
        if (result && last)                   squares_q <= squares_q - 1'b1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        state_q <= IDLE;
        beat_q  <= '0;
        write_q <= 1'b0;
      end else begin
        write_q <= state_q == DOUBLE;
        if ((state_q == DOUBLE) || (state_q == GIVE) || (feeds && in_ready_o) || result) begin
          beat_q <= last ? '0 : beat_q + 1'b1;
        end
        case (state_q)
          IDLE: if (commit_i) begin
            if (ctx_error_o)       state_q <= DONE;
            else if (radix == '0)  state_q <= GIVE;
            else                   state_q <= DOUBLE;
          end
          DOUBLE: if (last) state_q <= SETTLE;
          SETTLE: begin
            if (left_q != '0)                       state_q <= DOUBLE;
            else if (second_q && squares_q != '0)   state_q <= FEED;
            else                                    state_q <= GIVE;
          end
          GIVE: if (last) begin
            if (second_q)         state_q <= DONE;
            else if (more != '0)  state_q <= DOUBLE;
          end
          FEED: if (in_ready_o && last) state_q <= TAKE;
          TAKE: if (result && last) state_q <= squares_q == SquareBits'(1) ? GIVE : FEED;
          DONE: if (!commit_i) state_q <= IDLE;
          default: state_q <= IDLE;
        endcase
      end
    end
  end

endmodule

`default_nettype wire
