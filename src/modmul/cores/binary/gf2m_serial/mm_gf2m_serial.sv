// SPDX-License-Identifier: Apache-2.0
//
// mm_gf2m_serial: z = x * y / R mod M in GF(2^m), a digit of x a cycle, the lowest first. R = x^(D*L).
//
// Steps (n = Width, D = Digit, L = ceil(n / D); x_i is digit i of x, and x_L = 0; degrees, all sums without carries)
//    1  s = 0
//    2  for i = 0 ... L, one digit a cycle, steps 3 to 5
//    3    p = x_i * y                            one cycle ahead        deg p < n + D - 1
//    4    r = (s + q * M) / x^D, q such that x^D divides it              deg r < n - 1, and below deg M
//    5    s = r + p                                                      deg s < n + D - 1
//    6  z = s
//
// Step 4 adds a multiple of M that depends on the D lowest bits of s alone, and linearly. For a fixed M it is a few
// sums, where M is sparse. For any M it stands in tables, one for each four of these bits, which come with the context:
// so no quotient is computed, and a dense M costs no more than a sparse one.
//
// While an operation runs, the operands of the next come in and the result of the last goes out.
//
// Legal: M of degree 1 ... n with constant term 1, or the modulus of the build; x and y of lower degree than M.
// Context: M without the term x^n; then, with Modulus = 0, the tables, the one for the lowest bits first, each from
// entry 0 on: r of step 4 for s = entry * x^(4*table), in as many words as an operand.
//
`default_nettype none

module mm_gf2m_serial #(
  parameter int Width   = 256,
  parameter int Word    = 32,
  parameter int Digit   = 8,
  parameter     Modulus = 0  // 0 for any
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

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Word < 1) begin : gen_illegal_word
    illegal_parameter_Word_must_be_at_least_1 u_illegal ();
  end
  if (Digit < 1 || Digit > 64 || Word % (Digit >= 1 ? Digit : 1) != 0) begin : gen_illegal_digit
    illegal_parameter_Digit_must_be_1_to_64_and_divide_Word u_illegal ();
  end

  // What is illegal is refused, and here replaced.
  localparam int N = Width >= 2 ? Width : 2;
  localparam int B = Word >= 1 ? Word : 1;
  localparam int D = Digit >= 1 && Digit <= 64 && B % (Digit >= 1 ? Digit : 1) == 0 ? Digit : 1;

  localparam bit         Fixed = Modulus != 0;
  localparam logic [N:0] M     = (N+1)'(Modulus);

  if (Fixed && (!Modulus[0] || Modulus >> N != 1)) begin : gen_illegal_modulus
    illegal_parameter_Modulus_must_be_0_or_of_degree_Width_with_constant_term_1 u_illegal ();
  end

  localparam int Beats     = (N + B - 1) / B;
  localparam int Steps     = (N + D - 1) / D;            // L
  localparam int Sum       = N + D - 1;                  // bits of s
  localparam int Groups    = (D + 3) / 4;                // of four bits of s, one table each
  localparam int Tables    = Fixed ? 0 : Groups;
  localparam int WordBits  = Beats > 1 ? $clog2(Beats) : 1;
  localparam int Digits    = B / D;                      // of a word
  localparam int DigitBits = Digits > 1 ? $clog2(Digits) : 1;
  localparam int TableBits = Tables > 1 ? $clog2(Tables) : 1;

  // ---- control

  logic                 ctx_load, table_load, in_load, go, first, add, last, bank, x_bank, rest, legal_q;
  logic [WordBits-1:0]  beat, x_word_index, out_beat;
  logic [3:0]           entry;
  logic [TableBits-1:0] of_table;
  logic [DigitBits-1:0] x_digit_index;

  mm_gf2m_serial_control #(
    .Beats(Beats), .Digits(Digits), .Steps(Steps), .Tables(Tables)
  ) u_control (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .legal_i(legal_q),
    .in_valid_i, .in_ready_o, .out_valid_o, .out_ready_i,
    .ctx_load_o(ctx_load), .table_load_o(table_load), .in_load_o(in_load), .beat_o(beat), .entry_o(entry),
    .table_o(of_table), .bank_o(bank), .go_o(go), .rest_o(rest),
    .x_bank_o(x_bank), .x_word_o(x_word_index), .x_digit_o(x_digit_index),
    .first_o(first), .add_o(add), .last_o(last), .out_beat_o(out_beat)
  );

  // ---- operands: x in a memory, two of them; y in a register, the next in another

  logic [B-1:0]            x_word;
  logic [Digits-1:0][D-1:0] x_digits;
  logic [D-1:0]            x_digit, x_q;
  logic [Beats*B-1:0]      y_next_q;
  logic [N-1:0]            y_q;
  logic                    unused_y;

  mm_word_ram #(
    .Word(B), .Depth(2 << WordBits)
  ) u_x (
    .clk_i, .write_i(in_load), .write_addr_i({bank, beat}), .word_i(x_i),
    .read_addr_i({x_bank, x_word_index}), .word_o(x_word)
  );

  assign x_digits = x_word;
  assign x_digit  = x_digits[x_digit_index];
  assign unused_y = ^y_next_q;

  always_ff @(posedge clk_i) begin
    if (in_load) y_next_q <= (Beats*B)'({y_i, y_next_q} >> B);
    if (go) y_q <= y_next_q[N-1:0];
    if (rest) x_q <= '0;
    else      x_q <= x_digit;
  end

  // ---- step 3: p, the sum of parts for each eight bits of the digit

  localparam int Parts = (D + 7) / 8;

  logic [Parts-1:0][Sum-1:0] part, part_q;

  for (genvar g = 0; g < Parts; g++) begin : gen_part
    localparam int Size = D - 8 * g < 8 ? D - 8 * g : 8;

    for (genvar i = 0; i < Size; i++) begin : gen_bit
      logic [Sum-1:0] so_far, multiple;

      assign multiple = Sum'(y_q & {N{x_q[8*g+i]}}) << (8 * g + i);

      if (i == 0) begin : gen_first
        assign so_far = multiple;
      end else begin : gen_next
        assign so_far = gen_bit[i-1].so_far ^ multiple;
      end
    end

    assign part[g] = gen_bit[Size-1].so_far;
  end

  always_ff @(posedge clk_i) part_q <= part;

  // ---- step 4: r

  logic [Sum-1:0] s_q;
  logic [N-1:0]   r;

  // r for s = x^i and a fixed M.
  function automatic logic [N-1:0] residue_of(input int i);
    logic [N+D:0] sum;
    sum = (N+D+1)'(1'b1) << i;
    for (int k = 0; k < D; k++) if (sum[k]) sum = sum ^ ((N+D+1)'(M) << k);
    residue_of = N'(sum >> D);
  endfunction

  if (Fixed) begin : gen_fixed
    for (genvar i = 0; i < D; i++) begin : gen_bit
      localparam logic [N-1:0] Residue = residue_of(i);

      logic [N-1:0] so_far;

      if (i == 0) begin : gen_first
        assign so_far = N'(s_q >> D) ^ (Residue & {N{s_q[0]}});
      end else begin : gen_next
        assign so_far = gen_bit[i-1].so_far ^ (Residue & {N{s_q[i]}});
      end
    end

    assign r = gen_bit[D-1].so_far;

    // Each word of the context is compared.
    logic [Beats-1:0][B-1:0] m;
    logic                    same, unused_table;

    assign m            = (Beats*B)'(M[N-1:0]);
    assign same         = ctx_data_i == m[beat] & (legal_q | beat == '0);
    assign unused_table = ^{table_load, entry, of_table};

    always_ff @(posedge clk_i) if (ctx_load) legal_q <= same;
  end else begin : gen_any
    for (genvar k = 0; k < Groups; k++) begin : gen_table
      localparam int Bits = D - 4 * k < 4 ? D - 4 * k : 4;

      logic [3:0]         four;
      logic [Beats*B-1:0] residue;
      logic [N-1:0]       so_far;
      logic               unused_residue;

      assign four = 4'(s_q[4*k+:Bits]);

      for (genvar j = 0; j < Beats; j++) begin : gen_word
        logic write;
        assign write = table_load & of_table == TableBits'(k) & beat == WordBits'(j);

        mm_word_ram #(
          .Word(B), .Depth(16)
        ) u_table (
          .clk_i, .write_i(write), .write_addr_i(entry), .word_i(ctx_data_i),
          .read_addr_i(four), .word_o(residue[j*B+:B])
        );
      end

      if (k == 0) begin : gen_first
        assign so_far = N'(s_q >> D) ^ residue[N-1:0];
      end else begin : gen_next
        assign so_far = gen_table[k-1].so_far ^ residue[N-1:0];
      end

      assign unused_residue = ^residue;
    end

    assign r = gen_table[Groups-1].so_far;

    always_ff @(posedge clk_i) if (ctx_load && !table_load && beat == '0) legal_q <= ctx_data_i[0];
  end

  // ---- steps 1, 5 and 6

  logic [Sum-1:0]          p, s_next;
  logic [N-1:0]            z_q;
  logic [Beats-1:0][B-1:0] z_words;

  always_comb begin
    p = '0;
    for (int g = 0; g < Parts; g++) p = p ^ part_q[g];
  end

  assign s_next = Sum'(r) ^ p;

  always_ff @(posedge clk_i) begin
    if (first)    s_q <= '0;
    else if (add) s_q <= s_next;
    if (last) z_q <= s_next[N-1:0];
  end

  assign z_words = (Beats*B)'(z_q);
  assign z_o     = z_words[out_beat];

endmodule

`default_nettype wire
