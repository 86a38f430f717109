// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_gear: a run of bits in words of In bits becomes the same run in words of Out bits, the least significant
// first. Any In and Out.
//
// The bits wait in one register, in granules of the greatest common divisor of In and Out. clear_i drops them, and
// wins over both handshakes. Nothing combinational leads from one side to the other.
//
`default_nettype none

module mm_bus_gear #(
  parameter int In  = 32,
  parameter int Out = 36
) (
  input  wire            clk_i,
  input  wire            rst_ni,
  input  wire            clear_i,
  input  wire            in_valid_i,
  output logic           in_ready_o,
  input  wire  [In-1:0]  in_data_i,
  output logic           out_valid_o,
  input  wire            out_ready_i,
  output logic [Out-1:0] out_data_o,
  output logic           spare_o       // a whole word of In bits waits
);

  function automatic int gcd(input int a, input int b);
    int rest, other, swap;
    rest  = a;
    other = b;
    for (int k = 0; k < 64; k++) begin
      if (other != 0) begin
        swap  = rest % other;
        rest  = other;
        other = swap;
      end
    end
    gcd = rest;
  endfunction

  localparam int Grain     = gcd(In, Out);
  localparam int InGrains  = In / Grain;
  localparam int OutGrains = Out / Grain;
  localparam int Most      = InGrains + OutGrains;
  localparam int CountBits = $clog2(Most + 1);

  logic [In+Out-1:0]    held_q, kept, added;
  logic [CountBits-1:0] count_q, left;
  logic                 take, give;

  assign in_ready_o  = count_q <= CountBits'(OutGrains);
  assign out_valid_o = count_q >= CountBits'(OutGrains);
  assign spare_o     = count_q >= CountBits'(InGrains);
  assign out_data_o  = held_q[Out-1:0];
  assign take        = in_valid_i & in_ready_o;
  assign give        = out_valid_o & out_ready_i;
  assign kept        = give ? held_q >> Out : held_q;
  assign left        = give ? count_q - CountBits'(OutGrains) : count_q;
  assign added       = (In + Out)'(in_data_i) << (32'(left) * Grain);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      count_q <= '0;
    else if (clear_i) count_q <= '0;
    else if (take)    count_q <= left + CountBits'(InGrains);
    else              count_q <= left;
  end

  // What has left is overwritten with zeros.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      held_q <= '0;
    else if (clear_i) held_q <= '0;
    else if (take)    held_q <= kept | added;
    else if (give)    held_q <= kept;
  end

endmodule

`default_nettype wire
