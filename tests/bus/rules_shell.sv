// SPDX-License-Identifier: Apache-2.0
//
// What the whole shell promises at its three outputs, whoever drives it, however, and whatever the core does: what is
// offered stays until it is taken, responses come to what was asked for and to nothing else, and a reset ends all.
// The core here gives any outputs in any cycle.
//
module mm_bus_core (
  input wire clk_i, input wire rst_ni, input wire ctx_valid_i, output wire ctx_ready_o, input wire [7:0] ctx_data_i,
  output wire ctx_error_o, input wire in_valid_i, output wire in_ready_o, input wire [7:0] x_i, input wire [7:0] y_i,
  input wire [0:0] controls_i, output wire out_valid_o, input wire out_ready_i, output wire [7:0] z_o
);

  (* anyseq *) wire [11:0] any;
  assign {ctx_ready_o, ctx_error_o, in_ready_o, out_valid_o, z_o} = any;

endmodule

module rules (
  input wire clk_i, input wire core_clk_i, input wire rst_ni,
  input wire [12:0] aw_addr_i, input wire aw_valid_i, input wire [31:0] w_data_i, input wire [3:0] w_strb_i,
  input wire w_valid_i, input wire b_ready_i, input wire [12:0] ar_addr_i, input wire ar_valid_i, input wire r_ready_i,
  input wire s_valid_i, input wire [31:0] s_data_i, input wire s_last_i, input wire m_ready_i
);

  logic        aw_ready_o, w_ready_o, b_valid_o, ar_ready_o, r_valid_o, irq_o, s_ready_o, m_valid_o, m_last_o;
  logic [1:0]  b_resp_o, r_resp_o;
  logic [31:0] r_data_o, m_data_o;

  mm_bus #(.Word(8), .Bits(8), .Timeout(2)) u_bus (.*);

  logic        awake_q = 1'b0, b_held_q, r_held_q, m_held_q;
  logic [1:0]  b_q, aw_open_q, w_open_q, ar_open_q;  // asked for, not answered
  logic [33:0] r_q;
  logic [32:0] m_q;

  // It begins with a reset.
  always @(*) assume (awake_q | ~rst_ni);

  always @(posedge clk_i) begin
    awake_q   <= 1'b1;
    b_held_q  <= rst_ni & b_valid_o & ~b_ready_i;
    r_held_q  <= rst_ni & r_valid_o & ~r_ready_i;
    m_held_q  <= rst_ni & m_valid_o & ~m_ready_i;
    b_q       <= b_resp_o;
    r_q       <= {r_resp_o, r_data_o};
    m_q       <= {m_last_o, m_data_o};
    aw_open_q <= rst_ni ? aw_open_q + 2'(aw_valid_i & aw_ready_o) - 2'(b_valid_o & b_ready_i) : 2'd0;
    w_open_q  <= rst_ni ? w_open_q + 2'(w_valid_i & w_ready_o) - 2'(b_valid_o & b_ready_i) : 2'd0;
    ar_open_q <= rst_ni ? ar_open_q + 2'(ar_valid_i & ar_ready_o) - 2'(r_valid_o & r_ready_i) : 2'd0;
  end

  always @(*) if (!rst_ni) begin
    assert (!b_valid_o & !r_valid_o & !m_valid_o);
  end else if (awake_q) begin
    if (b_held_q) assert (b_valid_o & b_resp_o == b_q);
    if (r_held_q) assert (r_valid_o & {r_resp_o, r_data_o} == r_q);
    if (m_held_q) assert (m_valid_o & {m_last_o, m_data_o} == m_q);
    // One waits to be answered, one's answer waits to be taken; a write has an address and data.
    assert (aw_open_q == 2'(b_valid_o) + 2'(!aw_ready_o));
    assert (w_open_q == 2'(b_valid_o) + 2'(!w_ready_o));
    assert (ar_open_q == 2'(r_valid_o) + 2'(!ar_ready_o));
  end

endmodule
