// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_farm_station: a core on the way of words through a column. Operations come in order: it takes one, lets Behind
// pass, and takes the next one. On the way of results it lets Before pass, adds one, and so on. On both ways
// words wait for each other in a small memory.
//
//   in_i   {context, check, last, y, x}
//     context  the next station takes it when it can, and then the core, as a word of its context
//     check    waits until the core has said what it makes of the context, and adds to bit 0 whether that is refused
//     neither  a word of operands, the last one or not
//   out_i  {last, z}
//
// With Queue = 1 the words of an operation wait in a memory for a core that takes them at its own pace.
//
// A reset ends a cycle later here, and two in the core, from registers near: no word is here before.
//
`default_nettype none

module mm_sys_farm_station #(
  parameter int Word   = 16,
  parameter int Beats  = 16,
  parameter int Before = 0,
  parameter int Behind = 3,
  parameter int Queue  = 0
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 in_valid_i,
  output logic                in_ready_o,
  input  wire  [2*Word+2:0]   in_i,
  output logic                in_valid_o,
  input  wire                 in_ready_i,
  output logic [2*Word+2:0]   in_o,
  input  wire                 out_valid_i,
  output logic                out_ready_o,
  input  wire  [Word:0]       out_i,
  output logic                out_valid_o,
  input  wire                 out_ready_i,
  output logic [Word:0]       out_o
);

  localparam int WordBits   = Beats > 1 ? $clog2(Beats) : 1;
  localparam int BehindBits = Behind > 0 ? $clog2(Behind + 1) : 1;
  localparam int BeforeBits = Before > 0 ? $clog2(Before + 1) : 1;

  // --- the reset ---

  logic reset_q, reset_q2, rst_n, core_rst_n;

  assign rst_n      = ~reset_q;
  assign core_rst_n = ~reset_q2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) reset_q <= 1'b1;
    else         reset_q <= 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) reset_q2 <= 1'b1;
    else        reset_q2 <= 1'b0;
  end

  // --- operands and context ---

  logic                  valid, ready, context_word, check, last, operand;
  logic [Word-1:0]       x, y;
  logic [BehindBits-1:0] pass_q;            // operations that pass before it takes one
  logic                  own_q;             // none
  logic                  passed_q, said_q;  // passed_q: a word of a context is here, and the next station has it
  logic                  ctx_ready, ctx_take, ctx_error, put, put_ready, pass;

  mm_sys_farm_queue #(
    .Bits(2 * Word + 3), .Depth(2), .Ahead(3)
  ) u_in (
    .clk_i, .rst_ni(rst_n),
    .valid_i(in_valid_i), .ready_o(in_ready_o), .data_i(in_i),
    .valid_o(valid), .ready_i(ready), .data_o({context_word, check, last, y, x})
  );

  assign operand  = ~context_word & ~check;
  assign put      = valid & operand & own_q;
  assign ctx_take = passed_q & ctx_ready;
  assign pass     = (operand & ~own_q) | (context_word & ~passed_q) | (check & said_q);

  assign in_valid_o = valid & pass;
  assign in_o       = {context_word, check, last, y, x[Word-1:1], x[0] | (check & ctx_error)};

  always_comb begin
    if (context_word) ready = ctx_take;
    else if (check)   ready = said_q & in_ready_i;
    else              ready = own_q ? put_ready : in_ready_i;
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      pass_q   <= '0;
      own_q    <= 1'b1;
      passed_q <= 1'b0;
      said_q   <= 1'b0;
    end else begin
      if (valid && operand && last && ready) begin
        pass_q <= own_q ? BehindBits'(Behind) : pass_q - 1'b1;
        own_q  <= own_q ? Behind == 0 : pass_q == BehindBits'(1);
      end
      passed_q <= passed_q ? ~ctx_ready : valid & context_word & in_ready_i;
      said_q   <= ~ctx_take;
    end
  end

  // --- the core ---

  logic            core_valid, core_ready, core_out_valid, core_out_take;
  logic [Word-1:0] core_x, core_y, core_z;

  if (Queue != 0) begin : gen_queue
    mm_sys_farm_queue #(
      .Bits(2 * Word), .Depth(Beats)
    ) u_queue (
      .clk_i, .rst_ni(rst_n),
      .valid_i(put), .ready_o(put_ready), .data_i({y, x}),
      .valid_o(core_valid), .ready_i(core_ready), .data_o({core_y, core_x})
    );
  end else begin : gen_direct
    assign core_valid       = put;
    assign put_ready        = core_ready;
    assign {core_y, core_x} = {y, x};
  end

  mm_farm_core u_core (
    .clk_i, .rst_ni(core_rst_n),
    .ctx_valid_i(passed_q), .ctx_ready_o(ctx_ready), .ctx_data_i(x), .ctx_error_o(ctx_error),
    .in_valid_i(core_valid), .in_ready_o(core_ready), .x_i(core_x), .y_i(core_y),
    .square_i(1'b0), .chain_i(1'b0), .keep_i(1'b0),
    .out_valid_o(core_out_valid), .out_ready_i(core_out_take), .z_o(core_z)
  );

  // --- results: as many words as the operands have ---

  logic [WordBits-1:0]   put_word_q, last_word_q, out_word_q;
  logic [BeforeBits-1:0] wait_q;   // results that pass before it adds one
  logic                  adds_q;   // none
  logic                  out_last, leave_valid, leave_ready, leave_last;
  logic [Word:0]         leave;

  assign out_last      = out_word_q == last_word_q;
  assign leave_valid   = adds_q ? core_out_valid : out_valid_i;
  assign leave         = adds_q ? {out_last, core_z} : out_i;
  assign leave_last    = leave[Word];
  assign core_out_take = adds_q & leave_ready;
  assign out_ready_o   = ~adds_q & leave_ready;

  always_ff @(posedge clk_i) begin
    if (put && put_ready && last) last_word_q <= put_word_q;
  end

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      put_word_q <= '0;
      out_word_q <= '0;
      wait_q     <= BeforeBits'(Before);
      adds_q     <= Before == 0;
    end else begin
      if (put && put_ready) put_word_q <= last ? '0 : put_word_q + 1'b1;
      if (core_out_valid && core_out_take) out_word_q <= out_last ? '0 : out_word_q + 1'b1;
      if (leave_valid && leave_ready && leave_last) begin
        wait_q <= adds_q ? BeforeBits'(Before) : wait_q - 1'b1;
        adds_q <= adds_q ? Before == 0 : wait_q == BeforeBits'(1);
      end
    end
  end

  mm_sys_farm_queue #(
    .Bits(Word + 1), .Depth(2), .Ahead(1)
  ) u_out (
    .clk_i, .rst_ni(rst_n),
    .valid_i(leave_valid), .ready_o(leave_ready), .data_i(leave),
    .valid_o(out_valid_o), .ready_i(out_ready_i), .data_o(out_o)
  );

endmodule

`default_nettype wire
