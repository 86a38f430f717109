// SPDX-License-Identifier: Apache-2.0
//
// mm_montprod: montprod of secworks/modexp behind our port list, with the memories that it reads x, y and M from and
// writes the result to. In them the most significant word is the first.
//
//   context     Words words of M.
//   operation   starts with the last beat of x and y. The result begins to go when its first word has come; the next
//               operands come when it has gone.
//   latency     Words + 4 + 32 Words (3 Words + 5) from the last beat of the operands.
//
// Legal: odd M < 2^n, 0 <= x, y < 2M; results below 2M. Three bits above n are spare: a sum is below 6M, and theirs
// loses what the top word carries out.
//
`default_nettype none

module mm_montprod #(
  parameter int Width = 256,
  // Derived, not to be set.
  parameter int Word = 32
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

  if (Width < 2) begin : gen_illegal_short
    illegal_parameter_Width_must_be_at_least_2 u_illegal ();
  end
  if (Width > 8157) begin : gen_illegal_long
    illegal_parameter_Width_must_be_at_most_8157 u_illegal ();
  end

  localparam int Words    = Width > 8157 ? 255 : Width < 2 ? 1 : (Width + 34) / 32;
  localparam int AddrBits = Words > 1 ? $clog2(Words) : 1;
  localparam logic [AddrBits-1:0] Last = AddrBits'(Words - 1);

  logic [AddrBits-1:0] ctx_at_q, in_at_q, out_at_q;  // the words to come, from the last place on
  logic [7:0]          x_at, y_at, m_at, z_at;
  logic [Word-1:0]     x, y, m, z, x_q, y_q, m_q;
  logic                legal_q, busy_q, out_q;
  logic                ctx_load, in_load, in_last, out_take, start, write;
  logic                unused_part, unused_ready, unused_places;

  assign in_last  = in_at_q == '0;
  assign start    = in_load & in_last;
  assign out_take = out_q & out_ready_i;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(~busy_q), .ctx_last_i(ctx_at_q == '0), .ctx_legal_i(legal_q),
    .in_free_i(~busy_q), .in_last_i(in_last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(unused_part)
  );

  mm_word_ram #(.Word(Word), .Depth(1 << AddrBits)) u_m (
    .clk_i, .write_i(ctx_load), .write_addr_i(ctx_at_q), .word_i(ctx_data_i),
    .read_addr_i(m_at[AddrBits-1:0]), .word_o(m)
  );
  mm_word_ram #(.Word(Word), .Depth(1 << AddrBits)) u_x (
    .clk_i, .write_i(in_load), .write_addr_i(in_at_q), .word_i(x_i), .read_addr_i(x_at[AddrBits-1:0]), .word_o(x)
  );
  mm_word_ram #(.Word(Word), .Depth(1 << AddrBits)) u_y (
    .clk_i, .write_i(in_load), .write_addr_i(in_at_q), .word_i(y_i), .read_addr_i(y_at[AddrBits-1:0]), .word_o(y)
  );
  mm_word_ram #(.Word(Word), .Depth(1 << AddrBits)) u_z (
    .clk_i, .write_i(write), .write_addr_i(z_at[AddrBits-1:0]), .word_i(z), .read_addr_i(out_at_q), .word_o(z_o)
  );

  montprod u_theirs (
    .clk(clk_i), .reset_n(rst_ni), .calculate(start), .ready(unused_ready), .length(8'(Words)),
    .opa_addr(x_at), .opa_data(x_q), .opb_addr(y_at), .opb_data(y_q), .opm_addr(m_at), .opm_data(m_q),
    .result_addr(z_at), .result_data(z), .result_we(write)
  );

  assign unused_places = ^{x_at, y_at, m_at, z_at};
  assign out_valid_o   = out_q;

  always_ff @(posedge clk_i) begin
    x_q <= x;
    y_q <= y;
    m_q <= m;
    if (ctx_load && ctx_at_q == Last) legal_q <= ctx_data_i[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_at_q <= Last;
      in_at_q  <= Last;
      out_at_q <= Last;
      busy_q   <= 1'b0;
      out_q    <= 1'b0;
    end else begin
      if (ctx_load) ctx_at_q <= ctx_at_q == '0 ? Last : ctx_at_q - 1'b1;
      if (in_load)  in_at_q  <= in_last ? Last : in_at_q - 1'b1;
      if (out_take) out_at_q <= out_at_q == '0 ? Last : out_at_q - 1'b1;

      if (start)                           busy_q <= 1'b1;
      else if (out_take && out_at_q == '0) busy_q <= 1'b0;

      if (out_take && out_at_q == '0) out_q <= 1'b0;
      else if (write)                 out_q <= 1'b1;
    end
  end

endmodule

`default_nettype wire
