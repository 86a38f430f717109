// SPDX-License-Identifier: Apache-2.0
//
// What a slice promises whoever drives it and however: valid and its data stay until they are taken.
//
module rules (input wire clk_i, input wire rst_ni, input wire in_valid_i, input wire [3:0] in_data_i, input wire ready_i);

  logic       in_ready, valid, held_q, awake_q = 1'b0;
  logic [3:0] data, data_q;

  mm_bus_slice #(.Bits(4)) u_slice (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o(in_ready), .in_data_i,
    .out_valid_o(valid), .out_ready_i(ready_i), .out_data_o(data)
  );

  always @(posedge clk_i) begin
    awake_q <= rst_ni;
    held_q  <= valid & ~ready_i;
    data_q  <= data;
  end

  always @(*) if (awake_q & rst_ni & held_q) assert (valid & data == data_q);

endmodule
