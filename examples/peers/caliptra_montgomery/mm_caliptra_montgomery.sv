// SPDX-License-Identifier: Apache-2.0
//
// mm_caliptra_montgomery: ecc_montgomerymultiplier of chipsalliance/caliptra-rtl behind our port list.
//
//   context     two beats: M, and -1/M modulo 2^Radix.
//   operation   starts in the cycle that accepts x and y. The result stands for one cycle only, so a register keeps it.
//   latency     from the start to ready_o, and one for that register; the interval is the same.
//
// Legal: odd M < 2^n, 0 <= x, y < M. Operands have an even number of digits of Radix bits, those above n being zero.
//
`default_nettype none

module mm_caliptra_montgomery #(
  parameter int Width = 256,
  parameter int Radix = 16
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              ctx_valid_i,
  output logic             ctx_ready_o,
  input  wire  [Width-1:0] ctx_data_i,
  output logic             ctx_error_o,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Width-1:0] x_i,
  input  wire  [Width-1:0] y_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] z_o
);

  localparam int Digit = Radix < 3 ? 3 : Radix;
  localparam int Full  = Width < 3 ? 2 * Digit : 2 * Digit * ((Width + 2 * Digit - 1) / (2 * Digit));

  logic [Width-1:0] m_q, z_q;
  logic [Digit-1:0] prime_q;
  logic             second_q, busy_q, done_q;
  logic             ctx_load, start, ready;
  logic             unused_part, unused_zeros;
  logic [Full-1:0]  x, y, m, p;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(~busy_q & ~done_q), .ctx_last_i(second_q), .ctx_legal_i(m_q[0]),
    .in_free_i(~busy_q & (~done_q | out_ready_i)), .in_last_i(1'b1),
    .ctx_load_o(ctx_load), .in_load_o(start), .in_part_o(unused_part)
  );

  assign x = Full'(x_i);
  assign y = Full'(y_i);
  assign m = Full'(m_q);

  if (Width < 3 || Radix < 3 || Radix > Width) begin : gen_illegal
    illegal_parameter_Radix_must_be_3_to_Width u_illegal ();
  end else begin : gen_theirs
    ecc_montgomerymultiplier #(
      .REG_SIZE(Full),
      .RADIX   (Digit)
    ) u_theirs (
      .clk(clk_i), .reset_n(rst_ni), .zeroize(1'b0),
      .start_i(start), .opa_i(x), .opb_i(y), .n_i(m), .n_prime_i(prime_q),
      .p_o(p), .ready_o(ready)
    );
  end

  assign unused_zeros = ^(p >> Width);
  assign out_valid_o  = done_q;
  assign z_o          = z_q;

  always_ff @(posedge clk_i) begin
    if (ctx_load && !second_q) m_q <= ctx_data_i;
    if (ctx_load && second_q) prime_q <= ctx_data_i[Digit-1:0];
    if (busy_q && ready) z_q <= p[Width-1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      busy_q   <= 1'b0;
      done_q   <= 1'b0;
    end else begin
      if (ctx_load) second_q <= ~second_q;

      if (start)                busy_q <= 1'b1;
      else if (busy_q && ready) busy_q <= 1'b0;

      if (busy_q && ready)  done_q <= 1'b1;
      else if (out_ready_i) done_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
