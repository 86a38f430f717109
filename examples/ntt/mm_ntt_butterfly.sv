// SPDX-License-Identifier: Apache-2.0
//
// mm_ntt_butterfly: a radix-2 butterfly modulo M = 2^64 - 2^32 + 1 (Goldilocks), one every clock cycle.
//
// Steps
//    1  t = w * b mod M                         mm_pipelined; a waits in a memory meanwhile     t < M
//    2  u = a + t mod M, v = a - t mod M                                                        u, v < M
//    3  with halve_i: u / 2 and v / 2 mod M, an odd number after adding M                       u, v < M
//
// Operands are taken and results given by valid and ready, by the rules of docs/contract.md. There is no context: the
// modulus is fixed. How many cycles the multiplier takes does not matter, only that its results keep their order.
//
// Legal: 0 <= a, b, w < M.
//
`default_nettype none

module mm_ntt_butterfly #(
  parameter int TileA = 25,
  parameter int TileB = 18
) (
  input  wire         clk_i,
  input  wire         rst_ni,
  input  wire         in_valid_i,
  output logic        in_ready_o,
  input  wire         halve_i,
  input  wire  [63:0] w_i,
  input  wire  [63:0] a_i,
  input  wire  [63:0] b_i,
  output logic        out_valid_o,
  input  wire         out_ready_i,
  output logic [63:0] u_o,
  output logic [63:0] v_o
);

  localparam logic [63:0] M = 64'hffff_ffff_0000_0001;

  // ---- step 1

  logic        ctx_valid, ctx_ready, unused_error, loaded_q;
  logic        mul_in_valid, mul_in_ready, mul_out_valid, in_load, step2;
  logic [63:0] t;

  // The context of a build for one prime is that prime: once after reset.
  assign ctx_valid = ~loaded_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) loaded_q <= 1'b0;
    else if (ctx_ready) loaded_q <= 1'b1;
  end

  mm_pipelined #(
    .Width(64), .TileA(TileA), .TileB(TileB), .Modulus(M)
  ) u_multiplier (
    .clk_i, .rst_ni,
    .ctx_valid_i(ctx_valid), .ctx_ready_o(ctx_ready), .ctx_data_i(M), .ctx_error_o(unused_error),
    .in_valid_i(mul_in_valid), .in_ready_o(mul_in_ready), .x_i(w_i), .y_i(b_i),
    .out_valid_o(mul_out_valid), .out_ready_i(step2), .z_o(t)
  );

  // What waits for step 2, a and whether to halve: as many as the multiplier holds, or fewer and it waits.
  localparam int AddrBits = 5;

  logic [AddrBits:0] write_q, read_q;
  logic              full, halve;
  logic [63:0]       a;
  logic [64:0]       waits, waited;

  assign full         = write_q == {~read_q[AddrBits], read_q[AddrBits-1:0]};
  assign mul_in_valid = in_valid_i & ~full;
  assign in_ready_o   = mul_in_ready & ~full;
  assign in_load      = in_valid_i & in_ready_o;
  assign waits        = {halve_i, a_i};
  assign {halve, a}   = waited;

  mm_word_ram #(
    .Word(65), .Depth(1 << AddrBits)
  ) u_waiting (
    .clk_i, .write_i(in_load), .write_addr_i(write_q[AddrBits-1:0]), .word_i(waits),
    .read_addr_i(read_q[AddrBits-1:0]), .word_o(waited)
  );

  // ---- steps 2 and 3, a register each; both move when the last result is gone

  logic        move, valid_q, valid_q2, halve_q;
  logic [63:0] u_q, v_q, u_q2, v_q2;
  logic [64:0] sum, less, difference;

  assign move  = ~valid_q2 | out_ready_i;
  assign step2 = mul_out_valid & move;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= '0;
      read_q   <= '0;
      valid_q  <= 1'b0;
      valid_q2 <= 1'b0;
    end else begin
      if (in_load) write_q <= write_q + 1'b1;
      if (step2) read_q <= read_q + 1'b1;
      if (move) {valid_q2, valid_q} <= {valid_q, mul_out_valid};
    end
  end

  assign sum        = {1'b0, a} + {1'b0, t};
  assign less       = sum - {1'b0, M};          // its top bit: sum < M, for sum < 2M < 2^64 + M
  assign difference = {1'b0, a} - {1'b0, t};    // its top bit: a < t

  function automatic logic [63:0] half(input logic [63:0] number);
    logic [64:0] even;
    even = {1'b0, number} + (number[0] ? {1'b0, M} : 65'd0);
    half = 64'(even >> 1);
  endfunction

  always_ff @(posedge clk_i) begin
    if (move) begin
      u_q     <= less[64] ? sum[63:0] : less[63:0];
      v_q     <= difference[63:0] + (difference[64] ? M : 64'd0);
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
