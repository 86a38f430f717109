// SPDX-License-Identifier: Apache-2.0
//
// What the registers promise whoever drives them and however: both responses and the word of a frame stay until they
// are taken, but for a reset through CONTROL, which takes the word away.
//
module rules (
  input wire clk_i, input wire rst_ni, input wire [12:0] aw_addr_i, input wire aw_valid_i, input wire [31:0] w_data_i,
  input wire [3:0] w_strb_i, input wire w_valid_i, input wire b_ready_i, input wire [12:0] ar_addr_i,
  input wire ar_valid_i, input wire r_ready_i, input wire put_ready_i, input wire get_valid_i,
  input wire [31:0] get_data_i, input wire get_last_i, input wire busy_i, input wire loaded_i
);

  logic        aw_ready_o, w_ready_o, b_valid_o, ar_ready_o, r_valid_o, irq_o, put_valid_o, put_last_o, get_ready_o;
  logic        rst_no, open_o;
  logic [1:0]  b_resp_o, r_resp_o;
  logic [31:0] r_data_o, put_data_o;

  mm_bus_registers #(.Bits(64)) u_registers (.*);

  logic        awake_q = 1'b0, b_held_q, r_held_q, put_held_q, open_q;
  logic [1:0]  b_q;
  logic [33:0] r_q;
  logic [32:0] put_q;

  always @(posedge clk_i) begin
    awake_q    <= rst_ni;
    b_held_q   <= b_valid_o & ~b_ready_i;
    r_held_q   <= r_valid_o & ~r_ready_i;
    put_held_q <= put_valid_o & ~put_ready_i;
    open_q     <= open_o;
    b_q        <= b_resp_o;
    r_q        <= {r_resp_o, r_data_o};
    put_q      <= {put_last_o, put_data_o};
  end

  always @(*) if (awake_q & rst_ni) begin
    if (b_held_q) assert (b_valid_o & b_resp_o == b_q);
    if (r_held_q) assert (r_valid_o & {r_resp_o, r_data_o} == r_q);
    if (put_held_q & open_q) assert (put_valid_o & {put_last_o, put_data_o} == put_q);
  end

endmodule
