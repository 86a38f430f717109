// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_rsa_crt: z = c^d mod N, N = p q, with the Chinese remainder theorem, on one or two engines
// (mm_sys_rsa_crt_power) with any core. p and q have exactly n = HalfBeats * Word bits. Both halves are computed in the
// same way; below, p stands for either.
//
// Steps
//    1  c < 2^2n and random bits are taken                                the operands, word by word
//    2  C = (c div 2^n) * T + (c mod 2^n) mod p, T = 2^n mod p            each part is below 2 p
//    3  C = C * A mod p, A = v^e                                          blinds the message
//    4  E = d_p + r (p - 1)       < 2^(n+Blind), r random                 blinds the exponent
//    5  s_p = C^E mod p
//    6  s_p = s_p * B mod p, B = v^-1
//    7  A = A * A, B = B * B mod p                                        for the next operation
//    8  h = (s_p - s_q) / q mod p                                         Garner
//    9  s = s_q + h q             < N
//   10  V = (s mod p)^e mod p                                             s mod p as in step 2
//   11  V = c mod p, for p and for q                                      c mod p as in step 2, made anew
//   12  if so, s leaves
//   13  if not, what has been computed is overwritten with 0, nothing leaves, and ctx_error_o stays high until a new
//       legal context has come
//
// The engines compute products and powers (* and ^); everything else is done in passes over words (mm_sys_rsa_crt_alu)
// of one memory. Steps 4 and 9 go through the multiplier two bits at a time, from the top. With BlindMessage = 0 steps
// 3, 6 and 7 are left out, with Blind = 0 r is 0, with Check = 0 steps 10, 11 and 13. mm_sys_rsa_crt_program has the
// steps row by row.
//
// Time. Nothing depends on the values of c, the random bits or the key, except on the number of bits of e.
//
// Context: of p, then of q: p, d_p, 2^n mod p, v^e mod p, v^-1 mod p (these two with BlindMessage = 1), the header of
// the engine's context for exponents of n + Blind bits, and with Check = 1 that for e, the rest of the engine's
// context; then 1/q mod p and, with Check = 1, e < 2^n. The engines see their contexts as they come, each with its
// header in front, and say whether they are legal. The first beat resets the engines. An engine that refuses a context
// during an operation ends it as a fault does.
//
// Operands: x is c; y is random, r of p in its bits from 0 on, r of q in its bits from n on.
//
`default_nettype none

module mm_sys_rsa_crt #(
  parameter int Word          = 256,
  parameter int Beats         = 1,  // of an operand of the core
  parameter int HalfBeats     = 1,  // of n bits
  parameter int HeadBeats     = 1,  // of the header of an engine's context
  parameter int CoreBeats     = 1,  // of the core's context
  parameter int ContextBeats  = 1,  // of the core's longest context
  parameter int ExponentBeats = 2,  // of n + Blind bits
  parameter int Window        = 4,
  parameter int Blind         = 64,
  parameter int BlindMessage  = 1,
  parameter int Check         = 1,
  parameter int Engines       = 2
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
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Word-1:0]  z_o
);

  if (HalfBeats < 1 || HalfBeats > Beats) begin : gen_illegal_half
    illegal_parameter_HalfBeats_must_be_1_to_Beats u_illegal ();
  end
  if (HeadBeats < 1) begin : gen_illegal_head
    illegal_parameter_HeadBeats_must_be_at_least_1 u_illegal ();
  end
  if (CoreBeats < 1 || CoreBeats > ContextBeats) begin : gen_illegal_core
    illegal_parameter_CoreBeats_must_be_1_to_ContextBeats u_illegal ();
  end
  if (Blind < 0 || Blind > HalfBeats * Word) begin : gen_illegal_blind
    illegal_parameter_Blind_must_be_0_to_the_bits_of_HalfBeats u_illegal ();
  end
  if (ExponentBeats * Word < HalfBeats * Word + Blind) begin : gen_illegal_exponent
    illegal_parameter_ExponentBeats_must_hold_HalfBeats_and_Blind u_illegal ();
  end
  if (BlindMessage < 0 || BlindMessage > 1) begin : gen_illegal_message
    illegal_parameter_BlindMessage_must_be_0_or_1 u_illegal ();
  end
  if (Check < 0 || Check > 1) begin : gen_illegal_check
    illegal_parameter_Check_must_be_0_or_1 u_illegal ();
  end
  if (Engines < 1 || Engines > 2) begin : gen_illegal_engines
    illegal_parameter_Engines_must_be_1_or_2 u_illegal ();
  end

  // Sizes: of the memory as in mm_sys_rsa_crt_program.
  localparam int AtShort   = (3 + 2 * BlindMessage) * Beats + Check * HeadBeats;
  localparam int AtCore    = AtShort + HeadBeats;
  localparam int AtX       = AtCore + CoreBeats + 2 * Beats;
  localparam int HalfWords = AtX + 3 * Beats + ExponentBeats;
  localparam int AtInverse = 2 * HalfWords;
  localparam int AtInput   = AtInverse + (1 + Check) * Beats;
  localparam int Depth     = AtInput + 4 * HalfBeats;
  localparam int AddrBits  = $clog2(Depth);
  localparam int InBeats   = 2 * HalfBeats;
  localparam int InBits    = $clog2(InBeats);
  localparam int LongBeats = Beats > ExponentBeats ? Beats : ExponentBeats;  // of an engine's operands
  localparam int BitBits   = Word > 1 ? $clog2(Word) : 1;
  localparam int WordBits  = HalfBeats > 1 ? $clog2(HalfBeats) : 1;
  localparam int Drawn     = Blind > 0 ? (Blind + Word - 1) / Word : 1;          // words of a random number
  localparam int DrawnTop  = Blind > 0 ? Blind - (Drawn - 1) * Word : 1;         // bits in its highest word

  localparam logic [AddrBits-1:0] ShortAddr   = AddrBits'(AtShort);
  localparam logic [AddrBits-1:0] CoreAddr    = AddrBits'(AtCore);
  localparam logic [AddrBits-1:0] WorkAddr    = AddrBits'(AtX);
  localparam logic [AddrBits-1:0] HalfAddr    = AddrBits'(HalfWords);
  localparam logic [AddrBits-1:0] InverseAddr = AddrBits'(AtInverse);
  localparam logic [AddrBits-1:0] InputAddr   = AddrBits'(AtInput);
  localparam logic [AddrBits-1:0] LastHead    = AddrBits'(HeadBeats - 1);
  localparam logic [AddrBits-1:0] LastLong    = AddrBits'(LongBeats - 1);
  localparam logic [AddrBits-1:0] LastBeat    = AddrBits'(Beats - 1);
  localparam logic [InBits-1:0]   LastIn      = InBits'(InBeats - 1);
  localparam logic [5:0]          Wipe        = 6'd46;

  // ---------------------------------------------------------------- context and handshakes
  logic                run_q, ctx_free, ctx_last, ctx_load, ctx_half, ctx_stream, ctx_first;
  logic                in_load, in_last, fresh_q, bad_q, differs_q;
  logic                engine_rst_n, error, stream_ready;
  logic [AddrBits-1:0] ctx_addr_q, ctx_place;
  logic [InBits-1:0]   in_beat_q;
  logic                unused_part;

  assign ctx_half   = ctx_addr_q >= HalfAddr;
  assign ctx_place  = ctx_half ? ctx_addr_q - HalfAddr : ctx_addr_q;  // within the half
  assign ctx_stream = (ctx_addr_q < InverseAddr) & (ctx_place >= ShortAddr);
  assign ctx_first  = ctx_load & (ctx_addr_q == '0);
  assign ctx_last   = ctx_addr_q == InputAddr - 1'b1;
  assign ctx_free   = ~run_q & (~ctx_stream | stream_ready);
  assign in_last    = in_beat_q == LastIn;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(ctx_free), .ctx_last_i(ctx_last), .ctx_legal_i(~(bad_q | error)),
    .in_free_i(~run_q), .in_last_i(in_last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_addr_q <= '0;
      in_beat_q  <= '0;
      fresh_q    <= 1'b0;
    end else begin
      fresh_q <= ctx_first;
      if (in_load) in_beat_q <= in_last ? '0 : in_beat_q + 1'b1;
      if (ctx_load) begin
        if (ctx_last)                          ctx_addr_q <= '0;
        else if (ctx_place != WorkAddr - 1'b1) ctx_addr_q <= ctx_addr_q + 1'b1;
        else                                   ctx_addr_q <= ctx_half ? InverseAddr : HalfAddr;
      end
    end
  end

  assign engine_rst_n = rst_ni & ~fresh_q;

  // ---------------------------------------------------------------- the program
  logic [5:0]          row_q, first;
  logic [1:0]          pass_q;
  logic                half_q, half_q2;  // of the next pass, of this one
  logic                start, done, done_q, busy_q, more, each, idle, test, stop, abort;
  logic                alu, no_a, no_b, minus, fix, step, even, zero, bits, random, same, give, power, load, long;
  logic                get, put;
  logic                alu_q, no_a_q, no_b_q, minus_q, fix_q, step_q, even_q, bits_q, random_q, same_q, give_q;
  logic                power_q, load_q, get_q, put_q, long_q;
  logic [AddrBits-1:0] a_addr, b_addr, d_addr, a_last, b_last, d_last;
  logic [AddrBits-1:0] a_addr_q, b_addr_q, d_addr_q, a_last_q, b_last_q, d_last_q, last_q;
  logic [AddrBits-1:0] place_q, got_q, grow_q;
  logic [WordBits-1:0] word_q;
  logic [BitBits-1:0]  bit_q;
  logic                last_bits, two_q;
  logic                reading_q, fetched_q, fetched_last_q, fetched_a_q, fetched_b_q;
  logic                valid_q, valid_last_q, a_on_q, b_on_q, ready, advance, read_last;

  mm_sys_rsa_crt_program #(
    .Beats(Beats),
    .HalfBeats(HalfBeats),
    .HeadBeats(HeadBeats),
    .CoreBeats(CoreBeats),
    .ExponentBeats(ExponentBeats),
    .Blind(Blind),
    .BlindMessage(BlindMessage),
    .Check(Check),
    .Engines(Engines)
  ) u_program (
    .row_i(row_q), .pass_i(pass_q), .half_i(half_q),
    .more_o(more), .each_o(each), .first_o(first),
    .a_addr_o(a_addr), .b_addr_o(b_addr), .d_addr_o(d_addr),
    .a_last_o(a_last), .b_last_o(b_last), .d_last_o(d_last),
    .idle_o(idle), .alu_o(alu), .no_a_o(no_a), .no_b_o(no_b), .minus_o(minus), .fix_o(fix), .step_o(step),
    .even_o(even), .zero_o(zero), .bits_o(bits), .random_o(random), .same_o(same), .give_o(give),
    .power_o(power), .load_o(load), .long_o(long), .get_o(get), .test_o(test), .put_o(put), .stop_o(stop)
  );

  // If the number of remaining bits, bit_q + 1, is even, two are taken.
  assign last_bits = {1'b0, bit_q} <= (BitBits+1)'(1);

  // A pass begins in the cycle after the end of the one before, in which the last word of that one is written.
  assign start = run_q & (~busy_q | (done_q & ~put_q)) & ~abort;
  assign abort = run_q & error & ~bad_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q  <= 1'b0;
      busy_q <= 1'b0;
      bad_q  <= 1'b0;
      row_q  <= '0;
      pass_q <= '0;
      half_q <= 1'b0;
    end else begin
      if (in_load && in_last) begin
        run_q  <= 1'b1;
        row_q  <= '0;
        pass_q <= '0;
        half_q <= 1'b0;
      end
      if (start) begin
        busy_q <= ~(idle | stop);
        if (stop) run_q <= 1'b0;
        // What comes next.
        if (step && (~last_bits || (word_q != '0))) begin
          if (last_bits) row_q <= row_q - 1'b1;  // the next word of the multiplier
        end else if (more) begin
          pass_q <= pass_q + 1'b1;
        end else begin
          pass_q <= '0;
          half_q <= each ^ half_q;
          row_q  <= each & ~half_q ? first : row_q + 1'b1;
        end
        if (test && differs_q) row_q <= Wipe;
      end else if (put_q && done && !abort) begin  // step 12
        busy_q <= 1'b0;
        run_q  <= 1'b0;
      end
      if (abort) begin
        busy_q <= 1'b0;
        row_q  <= Wipe;
        pass_q <= '0;
        half_q <= 1'b0;
      end
      // Step 13: the gate treats this like an illegal context.
      if (ctx_first) bad_q <= 1'b0;
      else           bad_q <= bad_q | error | (start & test & differs_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      half_q2  <= half_q;
      alu_q    <= alu;
      no_a_q   <= no_a;
      no_b_q   <= no_b;
      minus_q  <= minus;
      fix_q    <= fix;
      step_q   <= step;
      even_q   <= even;
      bits_q   <= bits;
      random_q <= random;
      same_q   <= same;
      give_q   <= give;
      power_q  <= power;
      load_q   <= load;
      get_q    <= get;
      put_q    <= put;
      if (load) long_q <= long;
    end
    // A loop over the bits of a multiplier; a result of step 9 grows by a word with each of its words.
    if (start && zero) begin
      word_q <= random ? WordBits'(Drawn - 1) : WordBits'(HalfBeats - 1);
      grow_q <= AddrBits'(HalfBeats - 1);
    end else if (start && bits) begin
      bit_q  <= random && (word_q == WordBits'(Drawn - 1)) ? BitBits'(DrawnTop - 1) : BitBits'(Word - 1);
      grow_q <= grow_q + 1'b1;
    end else if (start && step) begin
      bit_q <= bit_q - (bit_q[0] ? BitBits'(2) : BitBits'(1));
      two_q <= bit_q[0];
      if (last_bits) word_q <= word_q - 1'b1;
    end
  end

  // ---------------------------------------------------------------- words out of the memory, to whoever takes them
  logic [Word-1:0] a_read, b_read, a_q, b_q, a_word, b_word, write_word, write_word_q, alu_word, engine_z, drawn;
  logic            write, write_q, got, engine_in_ready, engine_ctx_ready, engine_out_valid;
  logic [AddrBits-1:0] write_addr, write_addr_q;

  assign advance   = ~valid_q | ready;
  assign read_last = place_q == last_q;

  always_comb begin
    if (give_q)      ready = engine_in_ready;
    else if (load_q) ready = engine_ctx_ready;
    else if (put_q)  ready = out_ready_i;
    else             ready = 1'b1;
  end

  assign got  = busy_q & get_q & engine_out_valid;
  assign done = (valid_q & valid_last_q & ready) | (got & (got_q == last_q));

  always_ff @(posedge clk_i) begin
    if (start) begin
      a_addr_q <= bits ? a_addr + AddrBits'(word_q) : a_addr;
      b_addr_q <= b_addr;
      d_addr_q <= d_addr;
      a_last_q <= a_last;
      b_last_q <= b_last;
      d_last_q <= d_last;
      place_q  <= '0;
      got_q    <= '0;
      if (load)              last_q <= a_last;
      else if (bits)         last_q <= '0;
      else if (give | get)   last_q <= long_q || (Check == 0) ? LastLong : LastBeat;
      else if (step & ~even) last_q <= grow_q;
      else                   last_q <= d_last;
    end else begin
      if (reading_q && advance) begin
        place_q  <= place_q + 1'b1;
        b_addr_q <= b_addr_q + 1'b1;
        a_addr_q <= a_addr_q + 1'b1;
        if (load_q && (place_q == LastHead)) a_addr_q <= half_q2 ? CoreAddr + HalfAddr : CoreAddr;
      end
      if ((valid_q && ready) || got) d_addr_q <= d_addr_q + 1'b1;
      if (got) got_q <= got_q + 1'b1;
    end
    // A word comes out of the memory, then into a register, and is used.
    if (advance) begin
      fetched_last_q <= read_last;
      fetched_a_q    <= ~no_a_q & (load_q | (place_q <= a_last_q));
      fetched_b_q    <= ~no_b_q & (place_q <= b_last_q);
      valid_last_q   <= fetched_last_q;
      a_on_q         <= fetched_a_q;
      b_on_q         <= fetched_b_q;
      a_q            <= a_read;
      b_q            <= b_read;
    end
    write_addr_q <= write_addr;
    write_word_q <= write_word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q <= 1'b0;
      fetched_q <= 1'b0;
      valid_q   <= 1'b0;
      write_q   <= 1'b0;
      done_q    <= 1'b0;
    end else begin
      write_q <= write;
      done_q  <= done;
      if (abort) begin
        reading_q <= 1'b0;
        fetched_q <= 1'b0;
        valid_q   <= 1'b0;
      end else begin
        if (start)                     reading_q <= ~(idle | stop | get);
        else if (reading_q && advance) reading_q <= ~read_last;
        if (advance) begin
          fetched_q <= reading_q;
          valid_q   <= fetched_q;
        end
      end
    end
  end

  assign a_word = a_q & {Word{a_on_q}};
  assign b_word = b_q & {Word{b_on_q}};

  mm_sys_rsa_crt_memory #(
    .Word(Word),
    .Depth(Depth)
  ) u_memory (
    .clk_i, .write_i(write_q), .addr_i(write_addr_q), .word_i(write_word_q),
    .read_i(advance), .a_addr_i(a_addr_q), .b_addr_i(b_addr_q), .a_o(a_read), .b_o(b_read)
  );

  // Words of an engine's result above an operand of the core are 0.
  always_comb begin
    if (run_q) begin
      write      = (alu_q & valid_q) | (got & (got_q <= d_last_q));
      write_addr = d_addr_q;
      write_word = get_q ? engine_z : alu_word;
    end else begin
      write      = ctx_load | in_load;
      write_addr = ctx_load ? ctx_addr_q : InputAddr + AddrBits'(in_beat_q);
      write_word = ctx_load ? ctx_data_i : x_i;
    end
  end

  // ---------------------------------------------------------------- arithmetic
  logic [Word:0]   multiplier_q;  // the bits that are left, from the top
  logic [Word-1:0] multiplier;
  logic [1:0]      next_bits;

  assign multiplier = random_q ? drawn : a_word;
  assign next_bits  = multiplier_q[Word:Word-1];

  mm_sys_rsa_crt_alu #(
    .Word(Word)
  ) u_alu (
    .clk_i, .start_i(start), .valid_i(valid_q), .last_i(valid_last_q), .a_i(a_word), .b_i(b_word),
    .minus_i(minus_q), .fix_i(fix_q), .step_i(step_q), .two_i(two_q), .bits_i(next_bits), .even_i(even_q),
    .word_o(alu_word)
  );

  always_ff @(posedge clk_i) begin
    if (valid_q && bits_q)                      multiplier_q <= {multiplier, 1'b0};
    else if (valid_q && valid_last_q && step_q) multiplier_q <= two_q ? multiplier_q << 2 : multiplier_q << 1;
    // Step 11.
    if (in_load)                                             differs_q <= 1'b0;
    else if (valid_q && same_q && (a_word != b_word)) differs_q <= 1'b1;
  end

  // The random numbers; the highest bit of r comes first.
  if (Blind > 0) begin : gen_random
    localparam int DrawnBits = Drawn > 1 ? $clog2(Drawn) : 1;
    localparam int Bits      = Blind < Word ? Blind : Word;
    logic [Bits-1:0]      r_p, r_q, r;
    logic [DrawnBits-1:0] r_addr_q, in_addr;
    logic                 top_q, load_first, load_second;

    assign in_addr = load_first ? DrawnBits'(in_beat_q) : DrawnBits'(in_beat_q - InBits'(HalfBeats));
    assign load_first = in_load & ({1'b0, in_beat_q} < (InBits+1)'(Drawn));
    assign load_second = in_load & ({1'b0, in_beat_q} >= (InBits+1)'(HalfBeats))
                   & ({1'b0, in_beat_q} < (InBits+1)'(HalfBeats + Drawn));

    mm_word_ram #(
      .Word(Bits),
      .Depth(Drawn)
    ) u_p (
      .clk_i, .write_i(load_first), .write_addr_i(in_addr), .word_i(y_i[Bits-1:0]),
      .read_addr_i(r_addr_q), .word_o(r_p)
    );

    mm_word_ram #(
      .Word(Bits),
      .Depth(Drawn)
    ) u_q (
      .clk_i, .write_i(load_second), .write_addr_i(in_addr), .word_i(y_i[Bits-1:0]),
      .read_addr_i(r_addr_q), .word_o(r_q)
    );

    always_ff @(posedge clk_i) begin
      if (start && bits) begin
        r_addr_q <= DrawnBits'(word_q);
        top_q    <= word_q == WordBits'(Drawn - 1);
      end
    end

    assign r     = half_q2 ? r_q : r_p;
    assign drawn = top_q ? Word'(r) << (Word - DrawnTop) : Word'(r);

    if (Bits < Word) begin : gen_rest
      logic unused_y;
      assign unused_y = ^y_i[Word-1:Bits];
    end
  end else begin : gen_no_random
    logic unused_y;
    assign drawn    = '0;
    assign unused_y = ^y_i;
  end

  // ---------------------------------------------------------------- the engines
  logic [Engines-1:0]      chosen, told, ctx_valid, ctx_ready, ctx_error, in_valid, in_ready, out_valid, out_ready;
  logic [Engines*Word-1:0] z;
  logic [Word-1:0]         engine_ctx;
  logic                    product;

  assign product    = ~power_q;
  assign engine_ctx = run_q ? a_word : ctx_data_i;

  for (genvar g = 0; g < Engines; g++) begin : gen_engine
    assign chosen[g]    = (Engines == 1) | (half_q2 == (g == 1));
    assign told[g]      = (Engines == 1) | (ctx_half == (g == 1));
    assign ctx_valid[g] = run_q ? load_q & valid_q & chosen[g] : ctx_load & ctx_stream & told[g];
    assign in_valid[g]  = give_q & valid_q & chosen[g];
    assign out_ready[g] = busy_q & get_q & chosen[g];

    mm_sys_rsa_crt_power #(
      .Word(Word),
      .Beats(Beats),
      .ContextBeats(ContextBeats),
      .ExponentBeats(ExponentBeats),
      .Window(Window)
    ) u_power (
      .clk_i, .rst_ni(engine_rst_n),
      .ctx_valid_i(ctx_valid[g]), .ctx_ready_o(ctx_ready[g]), .ctx_data_i(engine_ctx), .ctx_error_o(ctx_error[g]),
      .in_valid_i(in_valid[g]), .in_ready_o(in_ready[g]), .x_i(a_word), .y_i(b_word), .product_i(product),
      .out_valid_o(out_valid[g]), .out_ready_i(out_ready[g]), .z_o(z[g*Word +: Word])
    );
  end

  assign error            = |ctx_error;
  assign stream_ready     = |(ctx_ready & told);
  assign engine_ctx_ready = |(ctx_ready & chosen);
  assign engine_in_ready  = |(in_ready & chosen);
  assign engine_out_valid = |(out_valid & chosen);

  always_comb begin
    engine_z = '0;
    for (int g = 0; g < Engines; g++) engine_z = engine_z | (z[g*Word +: Word] & {Word{chosen[g]}});
  end

  // ---------------------------------------------------------------- the result
  assign out_valid_o = put_q & valid_q;
  assign z_o         = a_word & {Word{out_valid_o}};

endmodule

`default_nettype wire
