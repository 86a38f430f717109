// SPDX-License-Identifier: Apache-2.0
//
// mm_fips_literal_input: the input unit (Zhang et al., Fig. 4), which fills the memories A, B and N and the registers
// n0', field and equal; the ports of the contract (mm_context_gate); the index of the word that comes, is computed, or
// goes.
//
`default_nettype none

module mm_fips_literal_input #(
  parameter int Word     = 32,
  parameter int MaxWords = 32,
  parameter int FieldSet = 3,
  parameter int IdxBits  = 5
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                ctx_valid_i,
  output logic               ctx_ready_o,
  output logic               ctx_error_o,
  input  wire  [Word-1:0]    ctx_data_i,
  input  wire                in_valid_i,
  output logic               in_ready_o,
  input  wire                square_i,
  input  wire                out_ready_i,
  // Control unit and operation unit.
  input  wire                init_i,          // the state: words may come
  input  wire                done_i,          // words may go
  input  wire                word_made_i,
  output logic               start_o,         // the last operand word comes
  output logic               unloaded_o,      // the last word of the result goes
  output logic               prime_o,         // register field: 1 in GF(p)
  output logic               equal_o,         // register equal: the operation is a square
  output logic               square_o,        // of the operands that come
  output logic               inverse_load_o,
  output logic               modulus_load_o,
  output logic               operand_load_o,
  output logic               unload_take_o,
  output logic [IdxBits-1:0] last_word_o,     // s - 1
  output logic [IdxBits-1:0] word_o,
  output logic [IdxBits-1:0] word_next_o
);

  localparam int Header      = 16;
  localparam int HeaderBeats = (Header + Word - 1) / Word;
  localparam int HeaderRest  = HeaderBeats * Word;
  localparam int LenBits     = 14;

  // ---- context: header beats {s, 0, binary}, n0', the s words of N

  logic [HeaderRest-1:0] header_q, header_next;
  logic [1:0]            head_q;                              // header beats still to come
  logic                  inverse_q, modulus_q, first_word_q;  // what comes next: n0', N, its first word
  logic                  odd_q;
  logic [LenBits-1:0]    length, last_index_q, count_q, count_next;
  logic                  binary, legal, ctx_load, ctx_last, last_count, in_load, in_part, square_q, step;
  logic                  unused_header;

  if (HeaderBeats > 1) begin : gen_header_beats
    assign header_next = {ctx_data_i, header_q[HeaderRest-1:Word]};
  end else begin : gen_header_beat
    assign header_next = ctx_data_i;
  end

  assign length        = header_q[Header-1:2];
  assign binary        = header_q[0];
  assign unused_header = ^({1'b0, header_q} >> Header);
  assign prime_o       = FieldSet == 1 ? 1'b1 : FieldSet == 2 ? 1'b0 : ~binary;
  assign legal         = odd_q & (length != '0) & (length <= LenBits'(MaxWords)) & ~header_q[1]
                       & (FieldSet == 3 | (FieldSet == 2) == binary);

  assign inverse_load_o = ctx_load & inverse_q;
  assign modulus_load_o = ctx_load & modulus_q;
  assign ctx_last       = (modulus_q & last_count) | (inverse_q & (length == '0));

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(init_i), .ctx_last_i(ctx_last), .ctx_legal_i(legal), .in_free_i(init_i), .in_last_i(last_count),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(in_part)
  );

  assign operand_load_o = in_load;
  assign square_o       = in_part ? square_q : square_i;
  assign equal_o        = square_q;
  assign unload_take_o  = done_i & out_ready_i;
  assign start_o        = in_load & last_count;
  assign unloaded_o     = unload_take_o & last_count;

  // ---- words

  assign last_count  = count_q == last_index_q;
  assign step        = modulus_load_o | in_load | (word_made_i & ~init_i) | unload_take_o;
  assign count_next  = !step ? count_q : last_count ? '0 : count_q + 1'b1;
  assign last_word_o = last_index_q[IdxBits-1:0];
  assign word_o      = count_q[IdxBits-1:0];
  assign word_next_o = count_next[IdxBits-1:0];

  always_ff @(posedge clk_i) begin
    last_index_q <= length - 1'b1;
    if (in_load & ~in_part) square_q <= square_i;
    if (ctx_load & ~inverse_q & ~modulus_q) header_q <= header_next;
    first_word_q <= ctx_load ? inverse_q : first_word_q;
    if (modulus_load_o & first_word_q) odd_q <= ctx_data_i[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q    <= 2'(HeaderBeats);
      inverse_q <= 1'b0;
      modulus_q <= 1'b0;
      count_q   <= '0;
    end else begin
      count_q <= count_next;
      if (ctx_load) begin
        head_q    <= ctx_last ? 2'(HeaderBeats) : (inverse_q | modulus_q) ? 2'd0 : head_q - 1'b1;
        inverse_q <= ~inverse_q & ~modulus_q & (head_q == 2'd1);
        modulus_q <= (inverse_q | modulus_q) & ~ctx_last;
      end
    end
  end

endmodule

`default_nettype wire
