// SPDX-License-Identifier: Apache-2.0
//
// mm_scalable_shell: everything in a scalable multiplier except its array, which is the row of processing elements with
// the sequence controller (Pinckney et al., Fig. 3). The shell has the ports of the core, the memories of X, Y and the
// modulus, the FIFO for Z between the last element and the first, and the unit that puts out the result. A core
// instantiates the shell next to its array, and says with Radix2 ... Triples which numbers the array works with.
//
// How a multiplication runs, with the steps of the cores' headers
//    -  The context comes in: the length n, then the numbers of the modulus.
//    -  X and Y come in, into one half of their memories. The other half is that of the multiplication under way.
//    1  go_o tells the controller that operands wait; it answers with start_i.
//  2-4  Each clock cycle the controller asks for a word of Y and of the modulus by its number, word_i, and where an
//       element needs one, for a digit of X (digit_i). Z goes round through the FIFO; new_i says that it is 0.
//  5-6  With result_i, word 0 of Z leaves the array, and mm_scalable_result takes Z.
// At most two multiplications are between their start and the last word of their result.
//
// The context is n in Head = ceil(LenBits / Word) words, the lowest first, and then two or three numbers of
// ceil((n + OperandExtra) / Word) words each:
//    M     always
//    M^    Factors = 2: by which the array multiplies in place of M
//    M~    Booth = 1, Factors = 2, SignedM = 0: here M or 3M, in the other cases M or -M and no number of its own
// A context with n outside 2 ... Width, or with an even M, is refused. The shell takes all words of such a context
// before it says so.
//
`default_nettype none

module mm_scalable_shell #(
  parameter int Width     = 256,
  parameter int Word      = 16,
  parameter int Reduce    = 1,
  parameter int Radix2    = 2,  // bits of a digit of X
  parameter int Factors   = 2,  // 1: the array multiplies by M; 2: by M^
  parameter int Booth     = 0,  // digits are signed, and so is Z
  parameter int SignedM   = 0,  // M^ = (M+1)/4 or -(M-1)/4, and not always (M'M+1)/4
  parameter int Triples   = 0,  // the array takes 3Y and 3M^ as well
  parameter int FifoDepth = 1,  // clock cycles that a word of Z stays in the FIFO at most
  parameter int IdxBits   = 6,  // of a word's number
  // Derived, not to be set.
  parameter int LenBits   = $clog2(Width + 1)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                ctx_valid_i,
  output logic               ctx_ready_o,
  input  wire  [Word-1:0]    ctx_data_i,
  output logic               ctx_error_o,
  input  wire                in_valid_i,
  output logic               in_ready_o,
  input  wire  [Word-1:0]    x_i,
  input  wire  [Word-1:0]    y_i,
  output logic               out_valid_o,
  input  wire                out_ready_i,
  output logic [Word-1:0]    z_o,
  // To and from the controller.
  output logic [LenBits-1:0] n_o,
  output logic               go_o,       // operands wait
  input  wire                start_i,    // they are multiplied from now on
  input  wire  [IdxBits-1:0] word_i,     // the word of Y and the modulus that goes in
  input  wire                new_i,      // Z = 0
  input  wire                digit_i,    // the next digit of X
  input  wire                result_i,   // word 0 of the result is there
  input  wire  [IdxBits-1:0] words_i,    // of Z
  input  wire  [IdxBits-1:0] delay_i,    // how long the FIFO holds a word, less one
  // To the elements: the digit of X with the bit below it, and the words one clock cycle after their number.
  output logic [Radix2:0]    digit_o,
  output logic [Word-1:0]    y_o,
  output logic [Word-1:0]    m_o,
  output logic [Word-1:0]    y3_o,
  output logic [Word-1:0]    m3_o,
  output logic [Word-1:0]    zs_next_o,  // zs_o and zc_o of the next clock cycle
  output logic [Word-1:0]    zc_next_o,
  output logic [Word-1:0]    zs_o,
  output logic [Word-1:0]    zc_o,
  // From the elements.
  input  wire                carry_i,    // Booth: S_Q (Factors = 2) or H (Factors = 1), with result_i
  input  wire  [Word-1:0]    zs_i,
  input  wire  [Word-1:0]    zc_i
);

  localparam int Unsigned     = (Factors == 2 && SignedM == 0) ? 1 : 0;     // M^ = (M'M+1) / 2^Radix2
  localparam int Multiples    = (Unsigned != 0 && Radix2 == 2) ? 3 : 1;     // M~ = M'M is at most so many times M
  localparam int Separate     = (Unsigned != 0 && Booth != 0) ? 1 : 0;      // M~ is a number of its own
  localparam int OperandExtra = (Reduce != 0 && Separate == 0) ? 0          // bits of an operand, or M~, above n
                              : Multiples == 3 ? 3 : 1;
  localparam int MaxBeats     = (Width + OperandExtra + Word - 1) / Word;   // words of an operand
  localparam int AddrBits     = MaxBeats > 1 ? $clog2(MaxBeats) : 1;

  localparam int Head       = (LenBits + Word - 1) / Word;
  localparam int HeadBits   = Head * Word;
  localparam int Shift      = $clog2(Word);
  localparam int CountBits  = HeadBits - Shift + 1;                         // of the words of any n that fits
  localparam int Numbers    = Factors + Separate;
  localparam int CtxBits    = (CountBits > IdxBits ? CountBits : IdxBits) + 1;
  localparam int NumberBits = $clog2(Numbers + 1);

  localparam logic [CtxBits-1:0]    HeadEnd   = CtxBits'(Head - 1);
  localparam logic [NumberBits-1:0] NumberEnd = NumberBits'(Numbers);

  // --- the context ----------------------------------------------------------------------------------------
  logic [HeadBits-1:0]   n_q, unused_spare;
  logic [HeadBits:0]     bits;
  logic [CtxBits-1:0]    last_beat_q, ctx_beat_q;
  logic [IdxBits-1:0]    beats_q;      // of an operand
  logic [NumberBits-1:0] number_q;     // 0: n, 1: M, 2: M^, 3: M~
  logic                  head, last_number, ctx_load, ctx_end, pause_q;
  logic                  legal, n_legal_q, too_long, odd_q, m_neg_q, m_ext_q;
  logic [AddrBits-1:0]   ctx_addr;

  assign bits        = {1'b0, n_q} + (HeadBits + 1)'(OperandExtra) - (HeadBits + 1)'(n_q != '0 || OperandExtra != 0);
  assign head        = number_q == '0;
  assign last_number = number_q == NumberEnd;
  assign ctx_end     = ctx_beat_q == (head ? HeadEnd : last_beat_q);
  assign ctx_addr    = ctx_beat_q[AddrBits-1:0];
  assign legal       = odd_q & n_legal_q;

  assign {too_long, unused_spare} = (HeadBits + 1)'(Width) - {1'b0, n_q};

  // After n the context waits for a clock cycle (pause_q), until it is known how long the numbers are.
  always_ff @(posedge clk_i) begin
    last_beat_q <= CtxBits'(bits >> Shift);
    beats_q     <= IdxBits'(last_beat_q) + 1'b1;
    n_legal_q   <= (n_q >= HeadBits'(2)) & ~too_long;
    if (ctx_load && head) n_q <= HeadBits'({ctx_data_i, n_q} >> Word);
    if (ctx_load && number_q == NumberBits'(1) && ctx_beat_q == '0) begin
      odd_q   <= ctx_data_i[0];
      m_neg_q <= (SignedM != 0) & ~ctx_data_i[1];
    end
    // The words above a number repeat its top bit: M^ may be negative, and is not for every M = 1 mod 4 (M = 1).
    if (ctx_load && number_q == NumberBits'(Factors)) m_ext_q <= (SignedM != 0) & ctx_data_i[Word-1];
  end

  // --- operands: X and Y come in, while the previous ones wait or are multiplied (step 1) ---------------------------
  logic               in_load, in_end, full_q, load_buf_q, run_buf_q, tail_q;
  logic [IdxBits-1:0] in_beat_q;
  logic [1:0]         open_q;       // multiplications started and not yet unloaded
  logic               done, ctx_free, in_free;
  logic               unused_in_part;

  assign in_end   = in_beat_q == IdxBits'(last_beat_q);
  assign in_free  = ~full_q & ~tail_q;
  assign ctx_free = in_free & ~pause_q & (open_q == 2'd0);
  assign go_o     = full_q & ~open_q[1];
  assign n_o      = n_q[LenBits-1:0];

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(ctx_free), .ctx_last_i(ctx_end & last_number), .ctx_legal_i(legal),
    .in_free_i(in_free), .in_last_i(in_end),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_in_part)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pause_q    <= 1'b0;
      ctx_beat_q <= '0;
      number_q   <= '0;
      in_beat_q  <= '0;
      full_q     <= 1'b0;
      tail_q     <= 1'b0;
      load_buf_q <= 1'b0;
      run_buf_q  <= 1'b0;
      open_q     <= 2'd0;
    end else begin
      pause_q <= ctx_load & head & ctx_end;
      if (ctx_load) begin
        ctx_beat_q <= ctx_end ? '0 : ctx_beat_q + 1'b1;
        if (ctx_end) number_q <= last_number ? '0 : number_q + 1'b1;
      end
      if (in_load) in_beat_q <= in_end ? '0 : in_beat_q + 1'b1;
      // 3Y has one more word than Y, and takes one more cycle.
      tail_q <= (Triples != 0) & in_load & in_end;
      if (start_i) begin
        full_q     <= 1'b0;
        run_buf_q  <= load_buf_q;
        load_buf_q <= ~load_buf_q;
      end else if ((Triples != 0) ? tail_q : in_load & in_end) begin
        full_q <= 1'b1;
      end
      open_q <= open_q + 2'(start_i) - 2'(done);
    end
  end

  // --- the memories and what leaves them (steps 2 to 4) ---------------------------------------------------------
  logic                in_range;
  logic [Word-1:0]     y_word, m_word, x_word;
  logic [AddrBits-1:0] word_addr;
  logic [IdxBits-1:0]  x_beat_q;
  logic [Word-1:0]     digits_q, x_first_q, x_wait_q;
  logic                x_below_q;

  assign in_range  = word_i < beats_q;
  assign word_addr = word_i[AddrBits-1:0];

  mm_word_ram #(
    .Word(Word), .Depth(2 << AddrBits)
  ) u_y (
    .clk_i, .write_i(in_load), .write_addr_i({load_buf_q, in_beat_q[AddrBits-1:0]}), .word_i(y_i),
    .read_addr_i({run_buf_q, word_addr}), .word_o(y_word)
  );

  mm_word_ram #(
    .Word(Word), .Depth(MaxBeats)
  ) u_m (
    .clk_i, .write_i(ctx_load && number_q == NumberBits'(Factors)), .write_addr_i(ctx_addr), .word_i(ctx_data_i),
    .read_addr_i(word_addr), .word_o(m_word)
  );

  always_ff @(posedge clk_i) begin
    y_o <= y_word & {Word{in_range}};
    m_o <= in_range ? m_word : {Word{m_ext_q}};
  end

  // X: its digits leave at the bottom of a shift register. The next word waits in a register next to it, and so does
  // the first word of the next multiplication.
  localparam int Digits    = Word / Radix2;
  localparam int DigitBits = $clog2(Digits);

  logic [DigitBits-1:0] digit_q;
  logic                 x_next;

  assign x_next = digit_i & (digit_q == DigitBits'(Digits - 1));

  mm_word_ram #(
    .Word(Word), .Depth(2 << AddrBits)
  ) u_x (
    .clk_i, .write_i(in_load), .write_addr_i({load_buf_q, in_beat_q[AddrBits-1:0]}), .word_i(x_i),
    .read_addr_i({run_buf_q, x_beat_q[AddrBits-1:0]}), .word_o(x_word)
  );

  always_ff @(posedge clk_i) begin
    if (in_load && in_beat_q == '0) x_first_q <= x_i;
    x_wait_q <= x_word & {Word{x_beat_q < beats_q}};
    if (start_i) begin
      digits_q  <= x_first_q;
      x_below_q <= 1'b0;
      digit_q   <= '0;
      x_beat_q  <= IdxBits'(1);
    end else if (digit_i) begin
      digits_q  <= x_next ? x_wait_q : digits_q >> Radix2;
      x_below_q <= digits_q[Radix2-1];
      digit_q   <= digit_q + 1'b1;
      if (x_next) x_beat_q <= x_beat_q + 1'b1;
    end
  end

  assign digit_o = {digits_q[Radix2-1:0], x_below_q};

  if (Triples != 0) begin : gen_triples
    logic [Word-1:0] y3_word, m3_word;
    logic            in_triple_range;

    mm_scalable_triple #(
      .Word(Word), .AddrBits(AddrBits + 1), .Buffers(2)
    ) u_y3 (
      .clk_i, .rst_ni, .write_i(in_load), .last_i(in_end), .word_i(y_i), .write_buf_i(load_buf_q),
      .read_buf_i(run_buf_q), .read_addr_i(word_i[AddrBits:0]), .word_o(y3_word)
    );

    mm_scalable_triple #(
      .Word(Word), .AddrBits(AddrBits + 1), .Buffers(1)
    ) u_m3 (
      .clk_i, .rst_ni, .write_i(ctx_load && number_q == NumberBits'(Factors)), .last_i(ctx_end), .word_i(ctx_data_i),
      .write_buf_i(1'b0), .read_buf_i(1'b0), .read_addr_i(word_i[AddrBits:0]), .word_o(m3_word)
    );

    assign in_triple_range = word_i <= beats_q;

    always_ff @(posedge clk_i) begin
      y3_o <= y3_word & {Word{in_triple_range}};
      m3_o <= m3_word & {Word{in_triple_range}};
    end
  end else begin : gen_no_triples
    assign y3_o = '0;
    assign m3_o = '0;
  end

  mm_scalable_fifo #(
    .Word(Word), .Depth(FifoDepth), .IdxBits(IdxBits)
  ) u_fifo (
    .clk_i, .rst_ni, .delay_i, .clear_i(new_i), .zs_i, .zc_i, .zs_next_o, .zc_next_o, .zs_o, .zc_o
  );

  mm_scalable_result #(
    .Word(Word), .MaxBeats(MaxBeats), .IdxBits(IdxBits), .Booth(Booth), .Factors(Factors), .Multiples(Multiples),
    .Reduce(Reduce)
  ) u_result (
    .clk_i, .rst_ni,
    .m_write_i(ctx_load && number_q == NumberBits'(1)),
    .tilde_write_i(ctx_load && number_q == NumberBits'(Separate != 0 ? 3 : 1)),
    .ctx_addr_i(ctx_addr), .ctx_word_i(ctx_data_i),
    .words_i, .beats_i(beats_q), .m_neg_i(m_neg_q),
    .first_i(result_i), .carry_i, .zs_i, .zc_i,
    .out_valid_o, .out_ready_i, .z_o, .done_o(done)
  );

endmodule

`default_nettype wire
