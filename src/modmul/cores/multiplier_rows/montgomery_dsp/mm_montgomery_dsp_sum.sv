// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_sum: turns the columns of V, as the row of mm_montgomery_dsp delivers them, into a word a cycle, as
// and when step 6 takes it.
//
`default_nettype none

module mm_montgomery_dsp_sum #(
  parameter int Lanes  = 2,
  parameter int VBits  = 22,
  parameter int Row    = 16,
  parameter int Groups = 1,
  parameter int Parts  = 8,    // words of a group
  parameter int Words  = 8,    // words of V
  parameter int VWait  = 0     // cycles that words of V wait for Q
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire                    there_i,    // a cycle ahead of the first group
  input  wire  [Row*VBits-1:0]   v_next_i,
  input  wire  [Row*VBits-1:0]   v_i,
  output logic [Lanes*VBits-1:0] word_o
);

  localparam bit Fold    = Groups > 1;
  localparam int GrpBits = Fold ? $clog2(Groups) : 1;

  logic                   unused_v;
  logic [Lanes*VBits-1:0] v_word;

  assign unused_v = ^{v_i, v_next_i};

  if (!Fold) begin : gen_shift
    localparam int All = (Words + 1) * Lanes * VBits;  // and a word 0, which moves in
    logic [All-1:0] v_q;
    always_ff @(posedge clk_i) v_q <= there_i ? All'(v_next_i) : v_q >> (Lanes * VBits);
    logic unused_rst;
    assign unused_rst = rst_ni;
    assign v_word     = v_q[Lanes*VBits-1:0];
  end else if (Parts > 1) begin : gen_buffer
    localparam int PartBits = $clog2(Parts);
    logic [Row*VBits-1:0] v_group, v_q;   // a group, and what is left of it: its words move down
    logic [GrpBits-1:0]   write_q, read_q;
    logic                 there_q, writes_q, load_q;
    logic [PartBits-1:0]  part_q;
    mm_word_ram #(
      .Word(Row * VBits), .Depth(1 << GrpBits)
    ) u_v (
      .clk_i, .write_i(writes_q), .write_addr_i(write_q), .word_i(v_i),
      .read_addr_i(read_q), .word_o(v_group)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        there_q  <= 1'b0;
        writes_q <= 1'b0;
      end else begin
        there_q  <= there_i;
        writes_q <= there_i | (writes_q & write_q != GrpBits'(Groups - 1));
      end
    end
    always_ff @(posedge clk_i) begin
      write_q <= there_i ? '0 : write_q + 1'b1;
      load_q  <= there_q | part_q == PartBits'(Parts - 1);
      if (there_q) begin
        read_q <= '0;
        part_q <= '0;
      end else if (part_q == PartBits'(Parts - 1)) begin
        read_q <= read_q + 1'b1;
        part_q <= '0;
      end else begin
        part_q <= part_q + 1'b1;
      end
      v_q <= load_q ? v_group : v_q >> (Lanes * VBits);
    end
    assign v_word = v_q[Lanes*VBits-1:0];
  end else begin : gen_pass
    logic unused_there;
    assign unused_there = there_i ^ rst_ni;
    assign v_word       = v_i;
  end

  mm_delay #(
    .Bits(Lanes * VBits), .Cycles(VWait)
  ) u_v_wait (
    .clk_i, .d_i(v_word), .q_o(word_o)
  );

endmodule

`default_nettype wire
