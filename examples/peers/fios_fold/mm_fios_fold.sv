// SPDX-License-Identifier: Apache-2.0
//
// mm_fios_fold: FIOS_NOCASC_4A of LOUISNOYEZ/FIOS_DSP_MM in its configuration FOLD, with the generic model of a
// multiplier block and all of its registers, behind our port list. In place of their top level, which fills shift
// registers from a memory for every product, these are filled from the ports; the modulus stays in one that turns.
//
//   context     Words words of M, and -1/M modulo 2^17. Their pipelines have no reset: the last beat waits until what
//               they held has gone through.
//   operation   starts when x and y are there and the last result has gone. The next operands come while a result goes,
//               and while what an operation began too much goes through the elements: Drain cycles, of which those
//               above Words delay the result.
//
// Legal: odd M < 2^n, 0 <= x, y < 2M; results below 2M. Seven words of 17 bits or more.
//
`default_nettype none

module mm_fios_fold #(
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
  localparam int Elements = (2 * Words + 4) / Delay + 1;
  localparam int Last     = (Words - 1) % Elements;                    // the element that ends the operation
  localparam int Behind   = (Elements - 1 - Last) * Delay;
  localparam int Drain    = Behind + Delay < 2 * Words + 4 ? Elements * Delay + 2 * Words + 8
                          : Behind > 2 * Words ? Behind - 2 * Words + 8 : 8;
  localparam int Flush    = 2 * Elements * Delay + 16;
  localparam int BeatBits = $clog2(Words + 1);
  localparam int WaitBits = $clog2(Flush + Drain);
  localparam int Bits     = Words * Word;

  logic [Bits-1:0]     a_q, b_q, p_q, z_q;
  logic [Word-1:0]     prime_q, res;
  logic [BeatBits-1:0] ctx_beat_q, in_beat_q, out_beat_q, turn_q;
  logic [WaitBits-1:0] wait_q;
  logic                legal_q, loaded_q, run_q, drain_q, out_q;
  logic                waiting, ctx_last, in_last, out_last, ctx_load, in_load, out_take, start, finish, unused_part;
  logic                turn, a_shift, b_fetch, p_fetch, push, done, reset;

  assign waiting  = wait_q != '0;
  assign ctx_last = ctx_beat_q == BeatBits'(Words);
  assign in_last  = in_beat_q == BeatBits'(Words - 1);
  assign out_last = out_beat_q == BeatBits'(Words - 1);
  assign out_take = out_q & out_ready_i;
  assign turn     = run_q & p_fetch & turn_q != BeatBits'(Words);  // theirs asks for M in every turn
  assign start    = loaded_q & ~out_q & ~waiting;
  assign finish   = Drain > Words ? drain_q & wait_q == WaitBits'(Words) : run_q & done;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(~(loaded_q | run_q | drain_q | out_q | (waiting & ctx_last))),
    .ctx_last_i(ctx_last), .ctx_legal_i(legal_q),
    .in_free_i(~(loaded_q | run_q) & wait_q <= WaitBits'(Words)), .in_last_i(in_last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  if (Width < 101) begin : gen_illegal
    illegal_parameter_Width_must_be_at_least_101 u_illegal ();
  end else begin : gen_theirs
    FIOS_NOCASC_4A #(
      .CONFIGURATION("FOLD"), .DSP_PRIMITIVE("generic_DSP_4A"),
      .ABREG(1), .MREG(1), .CREG(1), .LOOP_DELAY(0), .WORD_WIDTH(Word), .s(Words)
    ) u_theirs (
      .clock_i(clk_i), .reset_i(reset), .start_i(start), .p_prime_0_i(prime_q),
      .a_i(a_q[Elements*Word-1:0]), .b_i(b_q[Word-1:0]), .p_i(p_q[Word-1:0]),
      .a_shift_o(a_shift), .b_fetch_o(b_fetch), .p_fetch_o(p_fetch), .RES_push_o(push), .done_o(done), .RES_o(res)
    );
  end

  assign out_valid_o = out_q;
  assign z_o         = z_q[Word-1:0];

  always_ff @(posedge clk_i) begin
    if (ctx_load && !ctx_last) p_q <= {ctx_data_i, p_q[Bits-1:Word]};
    else if (turn) p_q <= {p_q[Word-1:0], p_q[Bits-1:Word]};
    if (ctx_load && ctx_last) prime_q <= ctx_data_i;
    if (ctx_load && ctx_beat_q == '0) legal_q <= ctx_data_i[0];

    if (start)     turn_q <= '0;
    else if (turn) turn_q <= turn_q + 1'b1;

    if (in_load)               a_q <= {x_i, a_q[Bits-1:Word]};
    else if (run_q && a_shift) a_q <= a_q >> (Elements * Word);
    if (in_load || (run_q && b_fetch)) b_q <= {y_i, b_q[Bits-1:Word]};
    if (out_take || (run_q && push)) z_q <= {res, z_q[Bits-1:Word]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_beat_q <= '0;
      in_beat_q  <= '0;
      out_beat_q <= '0;
      wait_q     <= WaitBits'(Flush);
      reset      <= 1'b1;
      loaded_q   <= 1'b0;
      run_q      <= 1'b0;
      drain_q    <= 1'b0;
      out_q      <= 1'b0;
    end else begin
      if (ctx_load) ctx_beat_q <= ctx_last ? '0 : ctx_beat_q + 1'b1;
      if (in_load)  in_beat_q  <= in_last ? '0 : in_beat_q + 1'b1;
      if (out_take) out_beat_q <= out_last ? '0 : out_beat_q + 1'b1;

      if (run_q && done) wait_q <= WaitBits'(Drain);
      else if (waiting)  wait_q <= wait_q - 1'b1;
      reset <= (run_q & done) | (waiting & wait_q != WaitBits'(1));

      if (in_load && in_last) loaded_q <= 1'b1;
      else if (start)         loaded_q <= 1'b0;

      if (start)     run_q <= 1'b1;
      else if (done) run_q <= 1'b0;

      if (run_q && done) drain_q <= Drain > Words;
      else if (finish)   drain_q <= 1'b0;

      if (finish)                    out_q <= 1'b1;
      else if (out_take && out_last) out_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
