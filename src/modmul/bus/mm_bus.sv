// SPDX-License-Identifier: Apache-2.0
//
// mm_bus: a core or a system on an AXI bus (docs/bus.md). Two doors take frames and give answers: an AXI4-Stream pair,
// and the registers behind AXI4-Lite. A frame has the shell to itself until its last word; answers leave through the
// door by which their frames came, in order.
//
//   s_  stream in  --> slice --+
//                              +--> one frame at a time --> [fifo] --> receive --> execute --> core
//   registers, AXI4-Lite ------+                                                     |
//       ^                                                                            |
//       +-- answers <-- by the door <-- [fifo] <--------------------------------------+
//   m_  stream out <-- slice <--+
//
// Clocks = 2: the core and what drives it run with core_clk_i, and two queues cross; with Clocks = 1 core_clk_i is not
// used. The socket mm_bus_core holds the core, and is written by Python.
//
`default_nettype none

module mm_bus #(
  parameter int Bus      = 32,       // bits of a word of both streams: 32, 64 or 128
  parameter int Word     = 32,       // bits of the core's data ports
  parameter int Bits     = 256,      // of the longest operand
  parameter int Lengths  = 0,        // 1: the context says how long operands are
  parameter int Controls = 0,        // control ports of the core, 0 to 8
  parameter int Numbers  = 1,        // 0: operands are encoded, and not compared with the largest one
  parameter int Clocks   = 1,        // 2: the core has its own clock
  parameter int Timeout  = 1 << 20,  // clock cycles of the core without progress that end an operation
  parameter int BuildId  = 0         // read back from the registers
) (
  input  wire             clk_i,
  input  wire             core_clk_i,
  input  wire             rst_ni,
  // AXI4-Lite.
  input  wire  [12:0]     aw_addr_i,
  input  wire             aw_valid_i,
  output logic            aw_ready_o,
  input  wire  [31:0]     w_data_i,
  input  wire  [3:0]      w_strb_i,
  input  wire             w_valid_i,
  output logic            w_ready_o,
  output logic [1:0]      b_resp_o,
  output logic            b_valid_o,
  input  wire             b_ready_i,
  input  wire  [12:0]     ar_addr_i,
  input  wire             ar_valid_i,
  output logic            ar_ready_o,
  output logic [31:0]     r_data_o,
  output logic [1:0]      r_resp_o,
  output logic            r_valid_o,
  input  wire             r_ready_i,
  output logic            irq_o,
  // AXI4-Stream.
  input  wire             s_valid_i,
  output logic            s_ready_o,
  input  wire  [Bus-1:0]  s_data_i,
  input  wire             s_last_i,
  output logic            m_valid_o,
  input  wire             m_ready_i,
  output logic [Bus-1:0]  m_data_o,
  output logic            m_last_o
);

  localparam int Words       = (Bits + Bus - 1) / Bus;
  localparam int Beats       = (Bits + Word - 1) / Word;
  localparam int AddressBits = Words > 1 ? $clog2(Words) : 1;
  localparam int WordBits    = $clog2(Words + 1);
  localparam int BeatBits    = $clog2(Beats + 1);
  localparam int ControlBits = Controls > 0 ? Controls : 1;

  if (Bus != 32 && Bus != 64 && Bus != 128) begin : gen_bus
    illegal_parameter_Bus_must_be_32_64_or_128 u_illegal ();
  end
  if (Controls < 0 || Controls > 8) begin : gen_controls
    illegal_parameter_Controls_must_be_0_to_8 u_illegal ();
  end
  if (Clocks != 1 && Clocks != 2) begin : gen_clocks
    illegal_parameter_Clocks_must_be_1_or_2 u_illegal ();
  end
  if (Bits < 2 || Bits > 32768) begin : gen_bits
    illegal_parameter_Bits_must_be_2_to_32768 u_illegal ();
  end
  if (Timeout < 1) begin : gen_timeout
    illegal_parameter_Timeout_must_be_at_least_1 u_illegal ();
  end

  logic           live;  // reset of everything but the registers
  logic           open, busy, loaded;
  logic           put_valid, put_ready, put_last, get_valid, get_ready;
  logic [Bus-1:0] put_data;

  // What comes back from the core's side.
  logic           back_valid, back_ready, back_last, back_door;
  logic [Bus-1:0] back_data;

  mm_bus_registers #(
    .Bus(Bus), .Word(Word), .Bits(Bits), .Controls(Controls), .Lengths(Lengths), .Numbers(Numbers),
    .Clocks(Clocks), .Timeout(Timeout), .BuildId(BuildId)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .aw_addr_i,
    .aw_valid_i,
    .aw_ready_o,
    .w_data_i,
    .w_strb_i,
    .w_valid_i,
    .w_ready_o,
    .b_resp_o,
    .b_valid_o,
    .b_ready_i,
    .ar_addr_i,
    .ar_valid_i,
    .ar_ready_o,
    .r_data_o,
    .r_resp_o,
    .r_valid_o,
    .r_ready_i,
    .irq_o,
    .put_valid_o(put_valid),
    .put_ready_i(put_ready),
    .put_data_o (put_data),
    .put_last_o (put_last),
    .get_valid_i(get_valid),
    .get_ready_o(get_ready),
    .get_data_i (back_data),
    .get_last_i (back_last),
    .rst_no     (live),
    .open_o     (open),
    .busy_i     (busy),
    .loaded_i   (loaded)
  );

  // The stream in. A frame that a reset cuts is dropped to its end.
  logic         s_part_q, s_drop_q, s_take, s_ready, s_kept, in_valid, in_ready;
  logic [Bus:0] s_word, in_word;

  assign s_ready_o = s_ready;
  assign s_take    = s_valid_i & s_ready_o;
  assign s_kept    = s_take & ~s_drop_q;
  assign s_word    = {s_last_i, s_data_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_part_q <= 1'b0;
      s_drop_q <= 1'b0;
    end else begin
      if (s_take) s_part_q <= ~s_last_i;
      if (!open)                   s_drop_q <= s_part_q;
      else if (s_take && s_last_i) s_drop_q <= 1'b0;
    end
  end

  mm_bus_slice #(.Bits(Bus + 1)) u_s (
    .clk_i, .rst_ni(live), .in_valid_i(s_kept), .in_ready_o(s_ready), .in_data_i(s_word),
    .out_valid_o(in_valid), .out_ready_i(in_ready), .out_data_o(in_word)
  );

  // One frame at a time: that through the registers goes first.
  logic         held_q, held_door_q, door, to_valid, to_ready;
  logic [Bus+1:0] to_word;

  assign door      = held_q ? held_door_q : put_valid;
  assign to_valid  = door ? put_valid : in_valid;
  assign to_word   = door ? {1'b1, put_last, put_data} : {1'b0, in_word};
  assign put_ready = door & to_ready;
  assign in_ready  = ~door & to_ready;

  always_ff @(posedge clk_i or negedge live) begin
    if (!live) begin
      held_q      <= 1'b0;
      held_door_q <= 1'b0;
    end else if (to_valid) begin
      held_q      <= ~(to_ready & to_word[Bus]);
      held_door_q <= door;
    end
  end

  // The crossing.
  logic           go_valid, go_ready, end_valid, end_ready, end_last, end_door, core_clk, core_live, is_busy, is_loaded;
  logic [Bus+1:0] go_word, end_word, back_word;
  logic [Bus-1:0] end_data;

  assign end_word                          = {end_door, end_last, end_data};
  assign {back_door, back_last, back_data} = back_word;

  if (Clocks == 2) begin : gen_crossing
    assign core_clk = core_clk_i;
    mm_bus_sync u_reset (.clk_i(core_clk), .rst_ni(live), .d_i(1'b1), .q_o(core_live));
    mm_bus_sync u_busy (.clk_i, .rst_ni(live), .d_i(is_busy), .q_o(busy));
    mm_bus_sync u_loaded (.clk_i, .rst_ni(live), .d_i(is_loaded), .q_o(loaded));
    mm_bus_fifo #(.Bits(Bus + 2)) u_go (
      .in_clk_i(clk_i), .in_rst_ni(live), .in_valid_i(to_valid), .in_ready_o(to_ready), .in_data_i(to_word),
      .out_clk_i(core_clk), .out_rst_ni(core_live), .out_valid_o(go_valid), .out_ready_i(go_ready), .out_data_o(go_word)
    );
    mm_bus_fifo #(.Bits(Bus + 2)) u_back (
      .in_clk_i(core_clk), .in_rst_ni(core_live), .in_valid_i(end_valid), .in_ready_o(end_ready), .in_data_i(end_word),
      .out_clk_i(clk_i), .out_rst_ni(live), .out_valid_o(back_valid), .out_ready_i(back_ready), .out_data_o(back_word)
    );
  end else begin : gen_one_clock
    logic unused_clock;
    assign unused_clock = core_clk_i;
    assign core_clk     = clk_i;
    assign core_live    = live;
    assign busy         = is_busy;
    assign loaded       = is_loaded;
    assign go_valid     = to_valid;
    assign to_ready     = go_ready;
    assign go_word      = to_word;
    assign back_valid   = end_valid;
    assign end_ready    = back_ready;
    assign back_word    = end_word;
  end

  // Frames become jobs, and jobs answers.
  logic                   job_valid, job_taken, job_door, idle, replaced, read;
  logic [7:0]             job_code;
  logic [31:0]            job_header;
  logic [WordBits-1:0]    words;
  logic [BeatBits-1:0]    beats;
  logic [AddressBits-1:0] address;
  logic [Bus-1:0]         x_word, y_word;
  logic                   core_rst_n, ctx_valid, ctx_ready, ctx_error, core_in_valid, core_in_ready;
  logic                   core_out_valid, core_out_ready;
  logic [Word-1:0]        ctx_data, x, y, z;
  logic [ControlBits-1:0] controls;

  mm_bus_receive #(.Bus(Bus), .Word(Word), .Bits(Bits), .Lengths(Lengths)) u_receive (
    .clk_i       (core_clk),
    .rst_ni      (core_live),
    .in_valid_i  (go_valid),
    .in_ready_o  (go_ready),
    .in_data_i   (go_word[Bus-1:0]),
    .in_last_i   (go_word[Bus]),
    .in_door_i   (go_word[Bus+1]),
    .job_valid_o (job_valid),
    .job_taken_i (job_taken),
    .job_code_o  (job_code),
    .job_header_o(job_header),
    .job_door_o  (job_door),
    .idle_i      (idle),
    .replaced_o  (replaced),
    .words_o     (words),
    .beats_o     (beats),
    .read_i      (read),
    .address_i   (address),
    .x_o         (x_word),
    .y_o         (y_word),
    .ctx_valid_o (ctx_valid),
    .ctx_ready_i (ctx_ready),
    .ctx_data_o  (ctx_data)
  );

  mm_bus_execute #(
    .Bus(Bus), .Word(Word), .Bits(Bits), .Controls(Controls), .Timeout(Timeout)
  ) u_execute (
    .clk_i       (core_clk),
    .rst_ni      (core_live),
    .job_valid_i (job_valid),
    .job_taken_o (job_taken),
    .job_code_i  (job_code),
    .job_header_i(job_header),
    .job_door_i  (job_door),
    .idle_o      (idle),
    .replaced_i  (replaced),
    .words_i     (words),
    .beats_i     (beats),
    .read_o      (read),
    .address_o   (address),
    .x_i         (x_word),
    .y_i         (y_word),
    .core_rst_no (core_rst_n),
    .ctx_error_i (ctx_error),
    .in_valid_o  (core_in_valid),
    .in_ready_i  (core_in_ready),
    .x_o         (x),
    .y_o         (y),
    .controls_o  (controls),
    .out_valid_i (core_out_valid),
    .out_ready_o (core_out_ready),
    .z_i         (z),
    .out_valid_o (end_valid),
    .out_ready_i (end_ready),
    .out_data_o  (end_data),
    .out_last_o  (end_last),
    .out_door_o  (end_door),
    .loaded_o    (is_loaded),
    .busy_o      (is_busy)
  );

  mm_bus_core u_core (
    .clk_i      (core_clk),
    .rst_ni     (core_rst_n),
    .ctx_valid_i(ctx_valid),
    .ctx_ready_o(ctx_ready),
    .ctx_data_i (ctx_data),
    .ctx_error_o(ctx_error),
    .in_valid_i (core_in_valid),
    .in_ready_o (core_in_ready),
    .x_i        (x),
    .y_i        (y),
    .controls_i (controls),
    .out_valid_o(core_out_valid),
    .out_ready_i(core_out_ready),
    .z_o        (z)
  );

  // Answers go by their doors. One that a reset cuts ends with a word of zeros.
  logic         m_part_q, m_cut_q, m_valid, m_ready, m_take;
  logic [Bus:0] m_word, m_out;

  assign get_valid  = back_valid & back_door;
  assign m_valid    = m_cut_q | (back_valid & ~back_door & open);
  assign m_word     = m_cut_q ? {1'b1, Bus'(0)} : {back_last, back_data};
  assign m_take     = m_valid & m_ready;
  assign back_ready = back_door ? get_ready : m_ready & ~m_cut_q;
  assign m_last_o   = m_out[Bus];
  assign m_data_o   = m_out[Bus-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_part_q <= 1'b0;
      m_cut_q  <= 1'b0;
    end else begin
      if (m_take) m_part_q <= ~m_word[Bus];
      if (m_cut_q) m_cut_q <= ~m_take;
      else         m_cut_q <= ~open & m_part_q;
    end
  end

  mm_bus_slice #(.Bits(Bus + 1)) u_m (
    .clk_i, .rst_ni, .in_valid_i(m_valid), .in_ready_o(m_ready), .in_data_i(m_word),
    .out_valid_o(m_valid_o), .out_ready_i(m_ready_i), .out_data_o(m_out)
  );

endmodule

`default_nettype wire
