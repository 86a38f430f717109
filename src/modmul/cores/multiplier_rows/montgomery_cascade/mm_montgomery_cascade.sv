// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_cascade: z = x * y / R mod M, Montgomery multiplication in two rows of multiplier blocks, each of which
// passes its sum to its neighbour: a digit of x times all of y a cycle. The digit that a step drops is itself the
// quotient digit: what it was worth is given back Delay steps later, as a multiple of a constant.
//
// Steps (w = Word, B = 2^w, N = ceil(Width / w), e = Extra, R = B^N * 2^e)
//    1  for each M: K[j] = 1 / B^j mod M for j = 1 ... Delay + 1, and -1 / M mod B * 2^e: they come with the context
//    2  for t = 0 ... N-1, step 3
//    3    S = floor(S / B) + x_t * y + s_(t-Delay) * K[Delay+1], s_t the digit that is dropped       0 <= S < 2 B M
//    4  V = S + s_(N-Delay) * K[Delay] + ... + s_(N-1) * K[1]                               0 <= V < (Delay + 2) B M
//    5  Q = -V / M mod B * 2^e, where 2^e >= Delay + 2                                      0 <= Q < 2^e B
//    6  Z = (V + Q * M) / (B * 2^e)                                                         0 <= Z < 2 M
//    7  z = Z or Z - M                                                                      0 <= z < M
//
// S is two sums, that of x_t * y and that of s * K, and each is kept in columns of more than two digits: carries stay
// in their columns, except in column 0, which gives s_t.
//
// Legal: odd M < 2^Width, 0 <= x, y <= M.
//
`default_nettype none

module mm_montgomery_cascade #(
  parameter int Width  = 256,
  parameter int Word   = 17,
  parameter int Fanout = 0
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

  localparam bit LegalWord = Word >= 8 && Word <= 18;
  localparam bit LegalFan  = Fanout == 0 || Fanout == 1;
  localparam int W         = LegalWord ? Word : 17;
  localparam int Fan       = LegalFan ? Fanout : 0;
  localparam int SafeWidth = Width > 2 ? Width : 2;

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (!LegalWord) begin : gen_illegal_word
    illegal_parameter_Word_must_be_8_to_18 u_illegal ();
  end
  if (!LegalFan) begin : gen_illegal_fanout
    illegal_parameter_Fanout_must_be_0_or_1 u_illegal ();
  end

  function automatic int most(input int a, input int b);
    most = a > b ? a : b;
  endfunction

  localparam int N       = (SafeWidth + W - 1) / W;
  localparam int Delay   = 4 + Fan;
  localparam int Extra   = $clog2(Delay + 2);
  localparam int Bits    = 2 * W + $clog2(N);                     // of a column of a sum
  localparam int ZDigits = SafeWidth / W + 1;
  localparam int Slots   = 4;
  localparam int Result  = (SafeWidth + Extra) / W + 2;           // digits of V + Q * M
  localparam int Stay    = 2 * N + ZDigits + 16 + Delay + Fan;    // cycles of an operation in a slot
  localparam int Period  = most(most(most(N, Delay) + 1, Result), (Stay + Slots - 1) / Slots);
  localparam int Numbers = Delay + 3;                             // in a context
  localparam int At      = $clog2(N > 1 ? N : 2);

  // ---- control

  logic               in_there, half_in, start, run, feed, done, half_run, leaves, legal_q;
  logic [Numbers-1:0] ctx_there;
  logic [At-1:0]      ctx_beat, in_beat, step;

  mm_montgomery_cascade_control #(
    .Beats(N), .Numbers(Numbers), .Delay(Delay), .Period(Period), .Slots(Slots)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q), .in_valid_i, .in_ready_o,
    .leaves_i(leaves), .valid_i(out_valid_o),
    .ctx_there_o(ctx_there), .ctx_beat_o(ctx_beat), .in_there_o(in_there), .in_beat_o(in_beat), .half_in_o(half_in),
    .start_o(start), .run_o(run), .feed_o(feed), .done_o(done), .step_o(step), .half_run_o(half_run)
  );

  // ---- beats: y and K[Delay + 1] move in, the lowest digit first

  logic [W-1:0]   data_q, x_in_q, y_in_q;
  logic [2*W-1:0] inverse_q;
  logic [N*W-1:0] k_q, y_next_q, y_q;
  logic           y_start;

  mm_delay #(
    .Bits(1), .Cycles(Fan)
  ) u_y_start (
    .clk_i, .d_i(start), .q_o(y_start)
  );

  always_ff @(posedge clk_i) begin
    data_q <= ctx_data_i;
    x_in_q <= x_i;
    y_in_q <= y_i;
    if (ctx_there[0] && ctx_beat == '0) legal_q <= data_q[0];
    if (ctx_there[1]) inverse_q <= (2*W)'({data_q, inverse_q} >> W);
    if (ctx_there[2]) k_q       <= (N*W)'({data_q, k_q} >> W);
    if (in_there)     y_next_q  <= (N*W)'({y_in_q, y_next_q} >> W);
    if (y_start)      y_q       <= y_next_q;
  end

  // ---- digits of x

  logic [W-1:0] x_digit, x_q, x;

  mm_word_ram #(
    .Word(W), .Depth(2 << At)
  ) u_x (
    .clk_i, .write_i(in_there), .write_addr_i({half_in, in_beat}), .word_i(x_in_q),
    .read_addr_i({half_run, step}), .word_o(x_digit)
  );

  always_ff @(posedge clk_i) x_q <= x_digit;

  mm_delay #(
    .Bits(W), .Cycles(Fan)
  ) u_x_fan (
    .clk_i, .d_i(x_q), .q_o(x)
  );

  // ---- step 3: the rows, 3 + Fan cycles after the control

  logic [W-1:0]      s;
  logic [N*Bits-1:0] x_sum, s_sum;
  logic              row_run, digit_run;

  mm_delay #(
    .Bits(1), .Cycles(3 + Fan)
  ) u_row_run (
    .clk_i, .d_i(run), .q_o(row_run)
  );

  mm_montgomery_cascade_row #(
    .Digit(W), .Columns(N), .Bits(Bits)
  ) u_row_x (
    .clk_i, .run_i(row_run), .digit_i(x), .number_i(y_q), .sum_o(x_sum)
  );

  mm_montgomery_cascade_row #(
    .Digit(W), .Columns(N), .Bits(Bits)
  ) u_row_s (
    .clk_i, .run_i(row_run), .digit_i(s), .number_i(k_q), .sum_o(s_sum)
  );

  // ---- step 3: the digit that is dropped, and its carry

  logic [Bits:0]   both_q, total, total_q;
  logic [W-1:0]    feed_q;

  mm_delay #(
    .Bits(1), .Cycles(2)
  ) u_digit_run (
    .clk_i, .d_i(row_run), .q_o(digit_run)
  );

  assign total = both_q + (total_q >> W);

  always_ff @(posedge clk_i) begin
    both_q  <= (Bits+1)'(x_sum[Bits-1:0]) + (Bits+1)'(s_sum[Bits-1:0]);
    total_q <= digit_run ? total : '0;
    feed_q  <= feed ? total[W-1:0] : '0;
  end

  mm_delay #(
    .Bits(W), .Cycles(Fan)
  ) u_s_fan (
    .clk_i, .d_i(feed_q), .q_o(s)
  );

  // ---- steps 4 to 7

  logic          write, z_done, borrow;
  logic [At-1:0] beat;
  logic [W-1:0]  z, less;

  logic [3+Fan:0] done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= '0;
    else         done_q <= (4+Fan)'({done_q, done});
  end

  mm_montgomery_cascade_converter #(
    .Digit(W), .Columns(N), .Bits(Bits), .Delay(Delay), .Extra(Extra),
    .SumDigits(Result), .ZDigits(ZDigits)
  ) u_converter (
    .clk_i, .rst_ni, .start_i(done_q[3+Fan]), .x_i(x_sum), .s_i(s_sum), .dropped_i(total_q[W-1:0]), .first_i(total_q),
    .inverse_i(inverse_q[W+Extra-1:0]), .m_write_i(ctx_there[0]), .k_write_i(ctx_there[Numbers-1:3]),
    .addr_i(ctx_beat), .word_i(data_q),
    .write_o(write), .beat_o(beat), .z_o(z), .less_o(less), .done_o(z_done), .borrow_o(borrow)
  );

  mm_montgomery_cascade_output #(
    .Word(W), .Beats(N), .Slots(Slots)
  ) u_output (
    .clk_i, .rst_ni, .write_i(write), .beat_i(beat), .z_i(z), .less_i(less), .done_i(z_done), .borrow_i(borrow),
    .leaves_o(leaves), .out_valid_o, .out_ready_i, .z_o
  );

  logic unused_inverse;
  assign unused_inverse = ^inverse_q;

endmodule

`default_nettype wire
