// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_product: component-wise multiplication (Dai et al., Section 5.2, Figs. 3 and 5): the Multiply Adder, and
// memories of the context and of addends. P = 2^LogP products modulo M = 2^Bits + 1, one a cycle.
//
// Steps (line numbers of Algorithm 2, in brackets those of Algorithm 3)
//    1       T(g) = T(y) T(N')                                    0 <= components < M, as in all that follow
//       (1)  T(z0) = T(y) T(N'), into the memory of addends
//    5  (2)  T(z1) = T(x) T(z0)
//    9  (5)  T'(z2) = T'(x) T'(y), into the memory of addends
//   10  (5)  T'(z3) = T'(m) T'(N)
//   11  (5)  T'(z4') = T'(z2) + T'(z3)
// Every product is divided by P, on behalf of the inverse transform that follows (equation 6). In the context of
// Algorithm 3, T(N') is multiplied by P, since there step 2 takes the product of step 1.
//
//   cycle of index i   what
//   i                  the left operand's address
//   i + 1              the right operand's address, and those of the context and of an addend as left operand
//   i + 2              both operands; then the Multiply Adder
//   i + 5 + Latency    the residue, for the memory of addends, and the addend for step 11
//   i + 7 + Latency    w_o, c_o
//
`default_nettype none

module mm_fmlm3_product #(
  parameter int Bits     = 64,
  parameter int Word     = 16,         // of a beat of the context
  parameter int LogP     = 6,
  parameter int LogC     = 2,          // bits of a bank's number in mm_fmlm3_transform
  parameter int Latency  = 11,         // of the multiplier
  parameter int TimeBits = 8,
  parameter int Spectral = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // The context: T(N') and T'(N), from beats of a word; load_i with each, whole_i with the last of a residue.
  input  wire                 load_i,
  input  wire                 whole_i,
  input  wire  [LogP:0]       residue_i,      // which one
  input  wire  [Word-1:0]     ctx_data_i,
  // With Spectral x and y, a residue a beat, and the result, whose residues are read as left operands.
  input  wire                 in_load_i,
  input  wire                 in_load_y_i,
  input  wire  [LogP:0]       in_place_i,
  input  wire  [Word-1:0]     x_i,
  input  wire  [Word-1:0]     y_i,
  output logic                x_lsb_o,
  output logic                y_lsb_o,
  input  wire                 unload_i,
  input  wire  [LogP-1:0]     unload_place_i,
  // What runs (mm_fmlm3_control).
  input  wire  [TimeBits-1:0] time_i,
  input  wire                 last_time_i,
  input  wire                 multiply_i,
  input  wire                 beside_i,
  input  wire                 plain_i,
  input  wire                 add_i,
  input  wire                 chain_i,
  input  wire  [1:0]          left_of_i,      // 0 x, 1 y, 2 others
  input  wire  [1:0]          right_of_i,
  input  wire                 right_nega_i,
  input  wire                 left_addend_i,
  input  wire  [1:0]          right_context_i,
  // Operands from the RAM sets.
  output logic [LogP-1:0]     left_index_o,
  output logic [LogP-1:0]     right_index_o,
  input  wire  [Bits:0]       left_i,
  input  wire  [Bits:0]       right_i,
  // The product to the RAM sets: its strobe a cycle before it, its place a cycle after it.
  output logic                next_o,
  output logic [Bits:0]       w_o,
  output logic                c_o,
  output logic [LogP-1:0]     place_o
);

  localparam int P     = 1 << LogP;
  localparam int Res   = Bits + 1;
  localparam int Parts = (Res + Word - 1) / Word;            // beats of a residue
  localparam int Fold  = LogC > 1 ? 2 : 1;                   // as in mm_fmlm3_transform

  // ---- the context ------------------------------------------------------------------------------

  logic [Parts*Word-1:0] beats_q;
  logic                  context_write_q, unused_beats;
  logic [LogP:0]         context_waddr_q;
  logic [LogP-1:0]       context_index;
  logic [Res-1:0]        context_word;

  assign unused_beats = ^beats_q;

  always_ff @(posedge clk_i) begin
    if (load_i) beats_q <= (Parts*Word)'({ctx_data_i, beats_q} >> Word);
    context_waddr_q <= residue_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) context_write_q <= 1'b0;
    else         context_write_q <= whole_i;
  end

  // It is in the order of digits, while operands are in that of rows and banks.
  assign context_index = right_index_o ^ (LogP'(right_index_o[LogP-1-:Fold]) << (LogC - Fold));

  mm_fmlm3_ram #(
    .Bits(Res), .Depth(2 * P)
  ) u_context (
    .clk_i, .write_i(context_write_q), .waddr_i(context_waddr_q), .wdata_i(beats_q[Res-1:0]),
    .raddr_i({right_context_i[0], context_index}), .rdata_o(context_word)
  );

  // ---- operands from the ports ------------------------------------------------------------------

  logic [Res-1:0] x_word, y_word;
  logic [1:0]     left_port, right_port;                     // instead of the RAM sets: bit 0 x, bit 1 y

  if (Spectral == 1) begin : gen_spectral
    mm_fmlm3_operands #(
      .Bits(Bits), .LogP(LogP)
    ) u_operands (
      .clk_i, .load_i(in_load_i), .load_y_i(in_load_y_i), .place_i(in_place_i), .x_i, .y_i,
      .raddr_i({right_nega_i, context_index}), .x_o(x_word), .y_o(y_word), .x_lsb_o, .y_lsb_o
    );

    // T(x), T'(x) of a chain are in the RAM sets.
    assign left_port  = {left_of_i == 2'd1, left_of_i == 2'd0 && !chain_i};
    assign right_port = {right_of_i == 2'd1, right_of_i == 2'd0 && !chain_i};
  end else begin : gen_time
    logic unused_ports;

    assign x_word       = '0;
    assign y_word       = '0;
    assign left_port    = 2'b00;
    assign right_port   = 2'b00;
    assign x_lsb_o      = 1'b0;
    assign y_lsb_o      = 1'b0;
    assign unused_ports = ^{in_load_i, in_load_y_i, in_place_i, x_i, y_i, chain_i, left_of_i, right_of_i, right_nega_i};
  end

  // ---- steps 1, 5, 9 and 10: operands and products ----------------------------------------------

  logic [Res-1:0] left_q, addend_word, left, right, residue, addend_q;
  logic           idle_q;

  assign left_index_o = unload_i ? unload_place_i ^ (LogP'(unload_place_i[LogP-1-:Fold]) << (LogC - Fold))
                                 : LogP'(time_i);
  assign left         = left_addend_i ? addend_word :
                        left_port[0]  ? x_word :
                        left_port[1]  ? y_word : left_q;
  assign right        = right_context_i[1] ? context_word :
                        right_port[0]      ? x_word :
                        right_port[1]      ? y_word : right_i;

  always_ff @(posedge clk_i) begin
    right_index_o <= left_index_o;
    left_q        <= left_i;
    idle_q        <= ~(multiply_i | beside_i);
    addend_q      <= add_i ? addend_word : '1;               // step 11; -1 stands for 0
  end

  mm_fmlm3_multiply_adder #(
    .Bits(Bits), .Scale(LogP)
  ) u_multiply_adder (
    .clk_i, .idle_i(idle_q), .a_i(left), .b_i(right), .plain_i, .addend_i(addend_q),
    .residue_o(residue), .w_o, .c_o
  );

  // ---- where a product goes: index_q counts those whose addend is read --------------------------

  localparam int Until = Latency + 3;

  logic [Until:1]  busy_q;
  logic            now, adding, adding_q, adding_q2;
  logic [LogP-1:0] index_q, index_q2, index_q3, index_q4, index_q5, addend_raddr, place;

  assign now    = (multiply_i | beside_i) & (time_i < TimeBits'(P));
  assign adding = busy_q[Until];
  assign next_o = adding_q2 & multiply_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= '0;
    else         busy_q <= {busy_q[Until-1:1], now};
  end

  always_ff @(posedge clk_i) begin
    index_q   <= (adding && !last_time_i) ? index_q + 1'b1 : '0;
    index_q2  <= index_q;
    index_q3  <= index_q2;
    index_q4  <= index_q3;
    index_q5  <= index_q4;
    adding_q  <= adding;
    adding_q2 <= adding_q;                                   // its residue is there
  end

  assign addend_raddr = left_addend_i ? right_index_o : index_q;

  mm_fmlm3_ram #(
    .Bits(Res), .Depth(P)
  ) u_addends (
    .clk_i, .write_i(adding_q2 & beside_i), .waddr_i(index_q3), .wdata_i(residue),
    .raddr_i(addend_raddr), .rdata_o(addend_word)
  );

  // Places are those of digits, bit-reversed.
  assign place = index_q5 ^ (LogP'(index_q5[LogP-1-:Fold]) << (LogC - Fold));

  for (genvar b = 0; b < LogP; b++) begin : gen_place
    assign place_o[b] = place[LogP-1-b];
  end

endmodule

`default_nettype wire
