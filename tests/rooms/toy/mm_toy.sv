// SPDX-License-Identifier: Apache-2.0
//
// mm_toy: x * y mod M in GF(p) and GF(2^m), the operand length chosen at run time, three operations in
// flight. It exists for the tests of what is shared; it is small, not good.
//
//   context   the beat {binary, length}, then M in beats, a polynomial without its leading coefficient
//   operands  length + 1 bits; integers up to 2M - 1, results up to 2M - 2
//   steps     length + 1, one bit of x a cycle; one more where square_i is high
//
`default_nettype none

module mm_toy #(
  parameter int Width = 8,
  parameter int Word  = 8
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
  input  wire             square_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  if (Width < 2) begin : gen_illegal_width
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Word < 2 || (Width >> (Word - 1)) != 0) begin : gen_illegal_word
    illegal_parameter_Word_is_too_short_for_the_length u_illegal ();
  end

  localparam int Beats = (Width + Word) / Word;
  localparam int Bits  = Beats * Word;

  // The context.
  logic            binary_q, part_q, check_q, legal_q;
  logic [Word-2:0] length_q;
  logic [Word-1:0] left_q;  // bits of M still to come
  logic [Bits-1:0] m_q;
  logic [Word-2:0] ctx_beat_q;
  logic            ctx_load, last_ctx;

  // Operands, operation, result.
  logic            in_part_q, in_full_q, in_square_q, busy_q, square_q, out_full_q;
  logic [Word-2:0] in_beat_q, out_beat_q;
  logic [Bits-1:0] xin_q, yin_q, x_q, out_q;
  logic [Word-1:0] step_q;
  logic            in_load, last_in, start, last_step, finish, out_take, last_out;
  logic [Bits-1:0] y_in;
  logic [Width:0]  z_next;
  logic            reduce;
  logic [Width-1:0] y_q, z_q, top, addend;

  assign ctx_ready_o = ~in_part_q & ~in_full_q & ~busy_q & ~out_full_q;
  assign ctx_load    = ctx_valid_i & ctx_ready_o;
  assign last_ctx    = part_q & (32'(left_q) <= Word);
  assign in_ready_o  = legal_q & ~in_full_q & (in_part_q | ~ctx_valid_i);
  assign in_load     = in_valid_i & in_ready_o;
  assign last_in     = (32'(in_beat_q) + 1) * Word > 32'(length_q);
  assign y_in        = in_square_q ? xin_q : yin_q;
  assign start       = in_full_q & ~busy_q;
  assign last_step   = step_q == {1'b0, length_q} + Word'(square_q);
  assign finish      = busy_q & last_step & ~out_full_q;
  assign out_valid_o = out_full_q;
  assign out_take    = out_full_q & out_ready_i;
  assign last_out    = (32'(out_beat_q) + 1) * Word > 32'(length_q);
  assign z_o         = out_q[Word-1:0];
  assign reduce      = ~last_step;
  assign addend      = y_q & {Width{x_q[Width] & (~square_q | (step_q != '0))}};
  assign top         = Width'(1) << (length_q - 1'b1);

  mm_toy_step #(
    .Width(Width)
  ) u_step (
    .binary_i(binary_q), .reduce_i(reduce), .top_i(top), .m_i(m_q[Width-1:0]), .z_i(z_q), .v_i(addend), .z_o(z_next)
  );

  always_ff @(posedge clk_i) begin
    if (ctx_load) begin
      if (!part_q) begin
        {binary_q, length_q} <= ctx_data_i;
        left_q               <= {1'b0, ctx_data_i[Word-2:0]} + 1'b1;
        ctx_beat_q           <= '0;
        m_q                  <= '0;
      end else begin
        m_q[32'(ctx_beat_q)*Word%Bits +: Word] <= ctx_data_i;
        left_q     <= left_q - Word'(Word);
        ctx_beat_q <= ctx_beat_q + 1'b1;
      end
    end
    if (in_load) begin
      if (!in_part_q) begin
        in_square_q <= square_i;
        xin_q       <= '0;
        yin_q       <= '0;
      end
      xin_q[32'(in_beat_q)*Word%Bits +: Word] <= x_i;
      yin_q[32'(in_beat_q)*Word%Bits +: Word] <= y_i;
    end
    if (start) begin
      square_q <= in_square_q;
      x_q      <= xin_q << (Width - 32'(length_q));
      y_q      <= Width'((y_in >= m_q && !binary_q) ? y_in - m_q : y_in);
      z_q      <= '0;
      step_q   <= '0;
    end else if (busy_q & ~last_step) begin
      if (!square_q || step_q != '0) x_q <= x_q << 1;
      z_q    <= Width'(z_next);
      step_q <= step_q + 1'b1;
    end
    if (finish)        out_q <= Bits'(z_next);
    else if (out_take) out_q <= out_q >> Word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {part_q, check_q, legal_q, ctx_error_o, in_part_q, in_full_q, busy_q, out_full_q} <= '0;
      in_beat_q  <= '0;
      out_beat_q <= '0;
    end else begin
      check_q <= ctx_load & last_ctx;
      if (ctx_load) begin
        part_q  <= ~last_ctx;
        legal_q <= 1'b0;
      end else if (check_q) begin
        legal_q <= 32'(length_q) >= 2 && 32'(length_q) <= Width && (m_q != '0 || binary_q);
      end
      if (check_q) ctx_error_o <= 32'(length_q) < 2 || 32'(length_q) > Width || (m_q == '0 && !binary_q);
      if (in_load) begin
        in_part_q <= ~last_in;
        in_full_q <= last_in;
        in_beat_q <= last_in ? '0 : in_beat_q + 1'b1;
      end
      if (start) begin
        in_full_q <= 1'b0;
        busy_q    <= 1'b1;
      end
      if (finish) begin
        busy_q     <= 1'b0;
        out_full_q <= 1'b1;
      end
      if (out_take) begin
        out_full_q <= ~last_out;
        out_beat_q <= last_out ? '0 : out_beat_q + 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
