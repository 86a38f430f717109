// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_core: the core of an engine (mm_sys_core, which Python writes), word by word. A core whose words are those
// of the engine is there as it is. One that takes whole numbers gets a gear:
//    1  words of x and y are shifted in                                 Beats cycles
//    2  the core takes them when it is ready; the next ones may come in meanwhile
//    3  words are read out of its result, which it holds until the last has been read
// Words of a context are collected, too; the last one is taken when the core takes them all.
//
// With Apart a core without a gear stays a module of its own in synthesis. Otherwise its logic is mapped together with
// that of the engine, and as that has longer paths, those of the core get longer than they are in the core alone.
//
`default_nettype none

module mm_engine_core #(
  parameter int Word     = 16,
  parameter int Beats    = 16,
  parameter int CoreWord = 16,
  parameter int Apart    = 0
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
  input  wire             square_i,
  output logic            out_valid_o,
  input  wire             out_ready_i,
  output logic [Word-1:0] z_o
);

  if (CoreWord == Word && Apart != 0) begin : gen_apart
    (* keep_hierarchy *)
    mm_sys_core u_core (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
      .in_valid_i, .in_ready_o, .x_i, .y_i, .square_i, .chain_i(1'b0), .keep_i(1'b0),
      .out_valid_o, .out_ready_i, .z_o
    );
  end

  if (CoreWord == Word && Apart == 0) begin : gen_words
    mm_sys_core u_core (
      .clk_i, .rst_ni,
      .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o,
      .in_valid_i, .in_ready_o, .x_i, .y_i, .square_i, .chain_i(1'b0), .keep_i(1'b0),
      .out_valid_o, .out_ready_i, .z_o
    );
  end

  if (CoreWord != Word) begin : gen_gear
    localparam int Bits     = Beats * Word;
    localparam int BeatBits = Beats > 1 ? $clog2(Beats) : 1;
    localparam logic [BeatBits-1:0] Last = BeatBits'(Beats - 1);

    logic [Bits-1:0]     m, m_q, x_q, y_q, z;
    logic [CoreWord-1:0] core_z;
    logic [BeatBits-1:0] m_beat_q, in_beat_q, out_beat_q;
    logic                m_last, full_q, square_q, core_ctx_ready, core_in_ready, core_taken;
    logic                unused_top;

    assign m           = {ctx_data_i, m_q[Bits-1:Word]};
    assign m_last      = m_beat_q == Last;
    assign ctx_ready_o = ~m_last | core_ctx_ready;
    assign in_ready_o  = ~full_q;
    assign core_taken  = out_ready_i & (out_beat_q == Last);
    assign z           = Bits'(core_z);
    assign z_o         = z[Word*out_beat_q +: Word];  // step 3
    assign unused_top  = ^{m, m_q, x_q, y_q};

    always_ff @(posedge clk_i) begin
      if (ctx_valid_i && ctx_ready_o) m_q <= m;
      if (in_valid_i && in_ready_o) begin  // step 1
        x_q <= {x_i, x_q[Bits-1:Word]};
        y_q <= {y_i, y_q[Bits-1:Word]};
        if (in_beat_q == '0) square_q <= square_i;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        m_beat_q    <= '0;
        in_beat_q   <= '0;
        out_beat_q  <= '0;
        full_q      <= 1'b0;
      end else begin
        if (ctx_valid_i && ctx_ready_o) m_beat_q <= m_last ? '0 : m_beat_q + 1'b1;
        if (in_valid_i && in_ready_o) in_beat_q <= in_beat_q == Last ? '0 : in_beat_q + 1'b1;
        full_q <= (in_valid_i & in_ready_o & in_beat_q == Last) | (full_q & ~core_in_ready);  // step 2
        if (out_valid_o && out_ready_i) out_beat_q <= core_taken ? '0 : out_beat_q + 1'b1;
      end
    end

    mm_sys_core u_core (
      .clk_i, .rst_ni,
      .ctx_valid_i(ctx_valid_i & m_last), .ctx_ready_o(core_ctx_ready), .ctx_data_i(m[CoreWord-1:0]), .ctx_error_o,
      .in_valid_i(full_q), .in_ready_o(core_in_ready), .x_i(x_q[CoreWord-1:0]), .y_i(y_q[CoreWord-1:0]),
      .square_i(square_q), .chain_i(1'b0), .keep_i(1'b0),
      .out_valid_o, .out_ready_i(core_taken), .z_o(core_z)
    );
  end

endmodule

`default_nettype wire
