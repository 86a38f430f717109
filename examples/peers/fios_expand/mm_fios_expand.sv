// SPDX-License-Identifier: Apache-2.0
//
// mm_fios_expand: FIOS_NOCASC_4A of LOUISNOYEZ/FIOS_DSP_MM in its configuration EXPAND, an element for each word, with
// the generic model of a multiplier block and all of its registers, behind our port list. Their top level does one
// product at a time; here the next one starts as soon as the first element is free, which is what it is built for.
//
//   context     Words words of M, and -1/M modulo 2^17. Their pipelines have no reset: the last beat waits until what
//               they held has gone through.
//   operands    y goes into one of two banks of a memory, x into a shift register, and from there to the elements in
//               groups: an element wants its word of x Delay cycles after the one before it, when the next x is there.
//   operation   starts Turn cycles after the one before at the earliest, and while fewer than Slots are on their way:
//               so many results the queue holds when nobody takes them.
//
// Legal: odd M < 2^n, 0 <= x, y < 2M; results below 2M. Seven words of 17 bits or more.
//
`default_nettype none

module mm_fios_expand #(
  parameter int Width = 256,
  // Derived, not to be set.
  parameter int Word = 17
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

  localparam int Words    = Width < 101 ? 7 : (Width + 1) / Word + 1;  // of numbers below 4 * 2^Width
  localparam int Delay    = 9;                                         // cycles from element to element
  localparam int Turn     = 2 * Words + 5;
  localparam int Group    = (Turn - 1) / Delay;                        // elements
  localparam int Groups   = (Words + Group - 1) / Group;
  localparam int Slots    = ((Words - 1) * Delay + 2 * Words + 16) / Turn + 1;
  localparam int Flush    = Words * Delay + 32;
  localparam int BeatBits = $clog2(Words + 1);
  localparam int AddrBits = $clog2(Words);
  localparam int TurnBits = $clog2(Turn);
  localparam int SlotBits = $clog2(Slots + 1);
  localparam int WaitBits = $clog2(Flush + 1);
  localparam int Bits     = Words * Word;

  logic [Groups-1:0][Bits-1:0] x_q;
  logic [Bits-1:0]             x_in_q, a;
  logic [Word-1:0]             prime_q, b, p, res;
  logic [BeatBits-1:0]         ctx_beat_q, in_beat_q;
  logic [AddrBits-1:0]         b_at_q, p_at_q;
  logic [TurnBits-1:0]         turn_q;
  logic [SlotBits-1:0]         taken_q;
  logic [WaitBits-1:0]         wait_q;
  logic [Group*Delay*(Groups-1)-1:0] later_q;  // bit k: an operation began k + 1 cycles ago
  logic                        legal_q, loaded_q, bank_q, bank_in_q, start_q, write_p, write_y;
  logic                        waiting, ctx_last, in_last, ctx_load, in_load, begin_one, leaves, unused_part;
  logic                        b_fetch, p_fetch, push;
  logic                        unused_shift, unused_done;

  assign waiting   = wait_q != '0;
  assign ctx_last  = ctx_beat_q == BeatBits'(Words);
  assign in_last   = in_beat_q == BeatBits'(Words - 1);
  assign begin_one = loaded_q & turn_q == '0 & taken_q != SlotBits'(Slots);

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(~loaded_q & taken_q == '0 & ~(waiting & ctx_last)), .ctx_last_i(ctx_last), .ctx_legal_i(legal_q),
    .in_free_i(~loaded_q), .in_last_i(in_last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  assign write_p = ctx_load & ~ctx_last;
  assign write_y = in_load;

  mm_word_ram #(
    .Word(Word), .Depth(1 << AddrBits)
  ) u_p (
    .clk_i, .write_i(write_p), .write_addr_i(ctx_beat_q[AddrBits-1:0]), .word_i(ctx_data_i),
    .read_addr_i(p_at_q), .word_o(p)
  );

  mm_word_ram #(
    .Word(Word), .Depth(2 << AddrBits)
  ) u_y (
    .clk_i, .write_i(write_y), .write_addr_i({bank_in_q, in_beat_q[AddrBits-1:0]}), .word_i(y_i),
    .read_addr_i({bank_q, b_at_q}), .word_o(b)
  );

  // Element g * Group + i takes word i of what has gone g groups far.
  for (genvar e = 0; e < Words; e++) begin : gen_a
    assign a[e*Word+:Word] = x_q[e/Group][(e%Group)*Word+:Word];
  end

  if (Width < 101) begin : gen_illegal
    illegal_parameter_Width_must_be_at_least_101 u_illegal ();
  end else begin : gen_theirs
    FIOS_NOCASC_4A #(
      .CONFIGURATION("EXPAND"), .DSP_PRIMITIVE("generic_DSP_4A"),
      .ABREG(1), .MREG(1), .CREG(1), .LOOP_DELAY(0), .WORD_WIDTH(Word), .s(Words)
    ) u_theirs (
      .clock_i(clk_i), .reset_i(waiting), .start_i(start_q), .p_prime_0_i(prime_q), .a_i(a), .b_i(b), .p_i(p),
      .a_shift_o(unused_shift), .b_fetch_o(b_fetch), .p_fetch_o(p_fetch), .RES_push_o(push), .done_o(unused_done),
      .RES_o(res)
    );
  end

  mm_result_queue #(
    .Word(Word), .Beats(Words), .Slots(Slots), .Through(0)
  ) u_queue (
    .clk_i, .rst_ni, .write_i(push & ~waiting), .word_i(res), .last_o(leaves), .out_valid_o, .out_ready_i, .z_o
  );

  always_ff @(posedge clk_i) begin
    if (ctx_load && ctx_last) prime_q <= ctx_data_i;
    if (ctx_load && ctx_beat_q == '0) legal_q <= ctx_data_i[0];
    if (in_load) x_in_q <= {x_i, x_in_q[Bits-1:Word]};
    if (begin_one) x_q[0] <= x_in_q;
    for (int g = 1; g < Groups; g++) if (later_q[g*Group*Delay-1]) x_q[g] <= x_q[g-1] >> (Group * Word);

    if (start_q)      b_at_q <= '0;
    else if (b_fetch) b_at_q <= b_at_q + 1'b1;
    if (start_q)      p_at_q <= '0;
    else if (p_fetch) p_at_q <= p_at_q + 1'b1;
    if (begin_one)    bank_q <= ~bank_in_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_beat_q <= '0;
      in_beat_q  <= '0;
      turn_q     <= '0;
      taken_q    <= '0;
      wait_q     <= WaitBits'(Flush);
      later_q    <= '0;
      loaded_q   <= 1'b0;
      bank_in_q  <= 1'b0;
      start_q    <= 1'b0;
    end else begin
      if (ctx_load) ctx_beat_q <= ctx_last ? '0 : ctx_beat_q + 1'b1;
      if (in_load)  in_beat_q  <= in_last ? '0 : in_beat_q + 1'b1;
      if (waiting)  wait_q     <= wait_q - 1'b1;

      if (in_load && in_last) bank_in_q <= ~bank_in_q;
      if (in_load && in_last) loaded_q <= 1'b1;
      else if (begin_one)     loaded_q <= 1'b0;

      if (begin_one)          turn_q <= TurnBits'(Turn - 1);
      else if (turn_q != '0)  turn_q <= turn_q - 1'b1;
      taken_q <= taken_q + SlotBits'(begin_one) - SlotBits'(leaves);
      start_q <= begin_one;
      later_q <= {later_q[Group*Delay*(Groups-1)-2:0], begin_one};
    end
  end

endmodule

`default_nettype wire
