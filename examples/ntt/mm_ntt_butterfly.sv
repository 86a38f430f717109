// SPDX-License-Identifier: Apache-2.0
//
// mm_ntt_butterfly: a radix-2 butterfly modulo the prime M of the build, that of Cooley and Tukey, or with gentleman_i
// that of Gentleman and Sande, one every clock cycle.
//
// Steps
//    1  c, d = a, b; with gentleman_i c = a + b mod M, d = b - a mod M                          c, d < M
//    2  t = w * d mod M                         mm_small_fixed; c waits in a memory meanwhile   t < M
//    3  u = c + t mod M, v = c - t mod M; with gentleman_i u = c, v = t                         u, v < M
//    4  with halve_i: u / 2 and v / 2 mod M, an odd number after adding M                       u, v < M
//
// Operands are taken and results given by valid and ready, by the rules of docs/contract.md. There is no context: the
// modulus is fixed. How many cycles the multiplier takes does not matter, only that its results keep their order.
//
// Legal: 0 <= a, b, w < M.
//
`default_nettype none

module mm_ntt_butterfly #(
  parameter int Width   = 64,
  parameter int TileA   = 25,
  parameter int TileB   = 18,
  parameter     Modulus = 64'hffff_ffff_0000_0001
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire              gentleman_i,
  input  wire              halve_i,
  input  wire  [Width-1:0] w_i,
  input  wire  [Width-1:0] a_i,
  input  wire  [Width-1:0] b_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] u_o,
  output logic [Width-1:0] v_o
);

  localparam logic [Width-1:0] M    = Width'(Modulus);
  localparam logic [Width:0]   Long = {1'b0, M};

  function automatic logic [Width-1:0] plus(input logic [Width-1:0] one, input logic [Width-1:0] other);
    logic [Width:0] sum, less;
    sum  = {1'b0, one} + {1'b0, other};
    less = sum - Long;  // its top bit: sum < M, as sum < 2M
    plus = less[Width] ? sum[Width-1:0] : less[Width-1:0];
  endfunction

  function automatic logic [Width-1:0] minus(input logic [Width-1:0] one, input logic [Width-1:0] other);
    logic [Width:0] difference;
    difference = {1'b0, one} - {1'b0, other};  // its top bit: one < other
    minus      = difference[Width-1:0] + (difference[Width] ? M : Width'(0));
  endfunction

  function automatic logic [Width-1:0] half(input logic [Width-1:0] number);
    logic [Width:0] even;
    even = {1'b0, number} + (number[0] ? Long : (Width+1)'(0));
    half = Width'(even >> 1);
  endfunction

  // ---- step 1, in a register that moves when the multiplier takes what is in it

  logic             first, first_valid_q, first_halve_q, first_gentleman_q;
  logic [Width-1:0] first_w_q, first_c_q, first_d_q;

  assign in_ready_o = ~first_valid_q | first;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_valid_q <= 1'b0;
    else if (in_ready_o) first_valid_q <= in_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (in_ready_o) begin
      first_halve_q     <= halve_i;
      first_gentleman_q <= gentleman_i;
      first_w_q         <= w_i;
      first_c_q         <= gentleman_i ? plus(a_i, b_i) : a_i;
      first_d_q         <= gentleman_i ? minus(b_i, a_i) : b_i;
    end
  end

  // ---- step 2

  logic             ctx_valid, ctx_ready, unused_error, loaded_q;
  logic             mul_in_valid, mul_in_ready, mul_out_valid, step3;
  logic [Width-1:0] t;

  // The context of a build for one prime is that prime: once after reset.
  assign ctx_valid = ~loaded_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) loaded_q <= 1'b0;
    else if (ctx_ready) loaded_q <= 1'b1;
  end

  mm_small_fixed #(
    .Width(Width), .TileA(TileA), .TileB(TileB), .Modulus(Modulus)
  ) u_multiplier (
    .clk_i, .rst_ni,
    .ctx_valid_i(ctx_valid), .ctx_ready_o(ctx_ready), .ctx_data_i(M), .ctx_error_o(unused_error),
    .in_valid_i(mul_in_valid), .in_ready_o(mul_in_ready), .x_i(first_w_q), .y_i(first_d_q),
    .out_valid_o(mul_out_valid), .out_ready_i(step3), .z_o(t)
  );

  // What waits for step 3, c and what to do with it: as many as the multiplier holds, or fewer and it waits.
  localparam int AddrBits = 5;

  logic [AddrBits:0] write_q, read_q;
  logic              full, gentleman, halve;
  logic [Width-1:0]  c;
  logic [Width+1:0]  waits, waited;

  assign full                  = write_q == {~read_q[AddrBits], read_q[AddrBits-1:0]};
  assign mul_in_valid          = first_valid_q & ~full;
  assign first                 = first_valid_q & mul_in_ready & ~full;
  assign waits                 = {first_gentleman_q, first_halve_q, first_c_q};
  assign {gentleman, halve, c} = waited;

  mm_word_ram #(
    .Word(Width + 2), .Depth(1 << AddrBits)
  ) u_waiting (
    .clk_i, .write_i(first), .write_addr_i(write_q[AddrBits-1:0]), .word_i(waits),
    .read_addr_i(read_q[AddrBits-1:0]), .word_o(waited)
  );

  // ---- steps 3 and 4, a register each; both move when the last result is gone

  logic             move, valid_q, valid_q2, halve_q;
  logic [Width-1:0] u_q, v_q, u_q2, v_q2;

  assign move  = ~valid_q2 | out_ready_i;
  assign step3 = mul_out_valid & move;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= '0;
      read_q   <= '0;
      valid_q  <= 1'b0;
      valid_q2 <= 1'b0;
    end else begin
      if (first) write_q <= write_q + 1'b1;
      if (step3) read_q <= read_q + 1'b1;
      if (move) {valid_q2, valid_q} <= {valid_q, mul_out_valid};
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      u_q     <= gentleman ? c : plus(c, t);
      v_q     <= gentleman ? t : minus(c, t);
      halve_q <= halve;
      u_q2    <= halve_q ? half(u_q) : u_q;
      v_q2    <= halve_q ? half(v_q) : v_q;
    end
  end

  assign out_valid_o = valid_q2;
  assign u_o         = u_q2;
  assign v_o         = v_q2;

endmodule

`default_nettype wire
