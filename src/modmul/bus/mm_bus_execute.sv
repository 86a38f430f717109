// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_execute: runs the jobs of mm_bus_receive on the core, one after the other, and answers each with a frame:
// a header {tag, kind, code}, and for an operation that went well the result in words_i words of Bus bits.
//
// A job, by its kind and code:
//   operation, no code       FEED the core, RUN until the result is there
//   operation with a code    WIPE the operands
//   context, no code         CHECK it: the core must accept operands now, and ctx_error_o be low
//   context with a code      KILL
//   of no kind               nothing
// KILL resets the core, so that the context is gone, and overwrites what has come of a result. It also ends an
// operation in which ctx_error_o rises, or in which the core and the shell wait for Timeout cycles. Then REPLY. The
// operands are overwritten as they are read, and the result as it leaves.
//
`default_nettype none

module mm_bus_execute #(
  parameter int Bus      = 32,
  parameter int Word     = 32,
  parameter int Bits     = 256,
  parameter int Controls = 0,      // control ports of the core
  parameter int Timeout  = 1 << 20,
  localparam int Words       = (Bits + Bus - 1) / Bus,
  localparam int Beats       = (Bits + Word - 1) / Word,
  localparam int AddressBits = Words > 1 ? $clog2(Words) : 1,
  localparam int WordBits    = $clog2(Words + 1),
  localparam int BeatBits    = $clog2(Beats + 1),
  localparam int ControlBits = Controls > 0 ? Controls : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  // Jobs.
  input  wire                    job_valid_i,
  output logic                   job_taken_o,
  input  wire  [7:0]             job_code_i,
  input  wire  [31:0]            job_header_i,
  input  wire                    job_door_i,
  output logic                   idle_o,
  input  wire                    replaced_i,
  input  wire  [WordBits-1:0]    words_i,
  input  wire  [BeatBits-1:0]    beats_i,
  output logic                   read_o,
  output logic [AddressBits-1:0] address_o,
  input  wire  [Bus-1:0]         x_i,
  input  wire  [Bus-1:0]         y_i,
  // The core.
  output logic                   core_rst_no,
  input  wire                    ctx_error_i,
  output logic                   in_valid_o,
  input  wire                    in_ready_i,
  output logic [Word-1:0]        x_o,
  output logic [Word-1:0]        y_o,
  output logic [ControlBits-1:0] controls_o,
  input  wire                    out_valid_i,
  output logic                   out_ready_o,
  input  wire  [Word-1:0]        z_i,
  // Answers.
  output logic                   out_valid_o,
  input  wire                    out_ready_i,
  output logic [Bus-1:0]         out_data_o,
  output logic                   out_last_o,
  output logic                   out_door_o,
  output logic                   loaded_o,     // the core holds a legal context
  output logic                   busy_o         // a job or an answer is under way
);

  // As in registers.rdl.
  localparam logic [7:0] Operation  = 8'd1;
  localparam logic [7:0] Context    = 8'd2;
  localparam logic [7:0] NoContext  = 8'd5;
  localparam logic [7:0] Refused    = 8'd6;
  localparam logic [7:0] Incomplete = 8'd8;
  localparam logic [7:0] Withheld   = 8'd9;
  localparam logic [7:0] TimedOut   = 8'd10;
  localparam logic [7:0] NoControl  = 8'd11;

  typedef enum logic [2:0] {IDLE, FEED, WIPE, RUN, CHECK, KILL, REPLY} state_e;

  localparam int WaitBits = $clog2(Timeout + 1);

  state_e               state_q;
  logic [7:0]           code_q;
  logic [31:0]          header_q;
  logic                 door_q;
  logic [WordBits-1:0]  index_q;     // words read, or written
  logic [BeatBits-1:0]  beats_left_q;
  logic [WaitBits-1:0]  waited_q;
  logic [1:0]           pause_q;
  logic                 alive_q;     // the core is not held in reset
  logic                 loaded_q;
  logic                 step, late, final_word;
  logic                 answer_free, answer_begin;
  logic [7:0]           kind;
  logic [8:0]           controls_wide;
  logic                 foreign_control;

  assign kind          = job_header_i[7:0];
  assign controls_wide = {1'b0, job_header_i[15:8]};
  assign final_word    = index_q == words_i - WordBits'(1);
  assign late          = waited_q == WaitBits'(Timeout);
  assign idle_o        = state_q == IDLE & ~job_valid_i & answer_free;
  assign loaded_o      = loaded_q;
  assign core_rst_no   = alive_q;

  // Controls that the core lacks are an error.
  assign foreign_control = (controls_wide >> Controls) != 9'd0;

  // Operands: words from the memories, then zeros until the last beat is full.
  logic           x_ready, x_valid, y_ready, y_valid, x_spare, y_spare, feed, feed_clear, unused_gears;
  logic           more, fed;
  logic [Bus-1:0] x_word, y_word;

  assign more         = index_q != words_i;
  assign feed         = state_q == FEED;
  assign feed_clear   = state_q == IDLE | state_q == KILL | state_q == RUN;
  assign x_word       = more ? x_i : Bus'(0);
  assign y_word       = more ? y_i : Bus'(0);
  assign in_valid_o   = feed & x_valid & beats_left_q != '0;
  assign fed          = in_valid_o & in_ready_i;
  assign controls_o   = header_q[8+:ControlBits];
  assign read_o       = (feed & x_ready & more) | state_q == WIPE;
  assign address_o    = index_q[AddressBits-1:0];
  assign unused_gears = ^{y_ready, y_valid, x_spare, y_spare};

  mm_bus_gear #(.In(Bus), .Out(Word)) u_x (
    .clk_i, .rst_ni, .clear_i(feed_clear), .in_valid_i(feed), .in_ready_o(x_ready), .in_data_i(x_word),
    .out_valid_o(x_valid), .out_ready_i(fed), .out_data_o(x_o), .spare_o(x_spare)
  );
  mm_bus_gear #(.In(Bus), .Out(Word)) u_y (
    .clk_i, .rst_ni, .clear_i(feed_clear), .in_valid_i(feed), .in_ready_o(y_ready), .in_data_i(y_word),
    .out_valid_o(y_valid), .out_ready_i(fed), .out_data_o(y_o), .spare_o(y_spare)
  );

  // The result: beats from the core, then zeros until the last word is full.
  logic            z_ready, z_valid, z_spare, z_give, z_take, run, beat, z_clear;
  logic [Word-1:0] z_beat;
  logic [Bus-1:0]  z_word, kept_word;

  assign run         = state_q == RUN & answer_free;
  assign out_ready_o = run & z_ready & beats_left_q != '0 & ~ctx_error_i;
  assign beat        = out_valid_i & out_ready_o;
  assign z_give      = beat | (run & beats_left_q == '0);
  assign z_beat      = beats_left_q != '0 ? z_i : Word'(0);
  assign z_take      = run & z_valid;
  assign z_clear     = state_q != RUN;

  mm_bus_gear #(.In(Word), .Out(Bus)) u_z (
    .clk_i, .rst_ni, .clear_i(z_clear), .in_valid_i(z_give), .in_ready_o(z_ready), .in_data_i(z_beat),
    .out_valid_o(z_valid), .out_ready_i(run), .out_data_o(z_word), .spare_o(z_spare)
  );

  assign step = fed | beat | z_take | (feed & x_ready);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= IDLE;
      code_q       <= '0;
      header_q     <= '0;
      door_q       <= 1'b0;
      index_q      <= '0;
      beats_left_q <= '0;
      waited_q     <= '0;
      pause_q      <= '0;
      alive_q      <= 1'b0;
      loaded_q     <= 1'b0;
    end else begin
      alive_q <= state_q != KILL;
      if (replaced_i) loaded_q <= 1'b0;
      waited_q <= step | state_q == IDLE | ~answer_free ? '0 : late ? waited_q : waited_q + WaitBits'(1);
      case (state_q)
        IDLE: if (job_valid_i) begin
          code_q       <= job_code_i;
          header_q     <= job_header_i;
          door_q       <= job_door_i;
          index_q      <= '0;
          beats_left_q <= beats_i;
          pause_q      <= '0;
          if (kind == Operation) begin
            if (!loaded_q)            code_q <= NoContext;
            else if (foreign_control) code_q <= NoControl;
            state_q <= job_code_i == 8'd0 && loaded_q && !foreign_control ? FEED : WIPE;
          end else if (kind == Context) begin
            state_q <= job_code_i == 8'd0 ? CHECK : KILL;
          end else begin
            state_q <= REPLY;
          end
        end
        FEED: begin
          if (x_ready && more) index_q <= index_q + WordBits'(1);
          if (fed) beats_left_q <= beats_left_q - BeatBits'(1);
          if (beats_left_q == '0) begin
            index_q      <= '0;
            beats_left_q <= beats_i;
            state_q      <= RUN;
          end else if (late && !fed) begin
            code_q  <= TimedOut;
            index_q <= '0;
            state_q <= WIPE;
          end
        end
        WIPE: begin
          index_q <= index_q + WordBits'(1);
          if (final_word) begin
            index_q <= '0;
            state_q <= code_q == TimedOut ? KILL : REPLY;
          end
        end
        RUN: begin
          if (beat) beats_left_q <= beats_left_q - BeatBits'(1);
          if (z_take) index_q <= index_q + WordBits'(1);
          if (ctx_error_i || (late && !step)) begin
            code_q  <= ctx_error_i ? Withheld : TimedOut;
            index_q <= '0;
            state_q <= KILL;
          end else if (z_take && final_word) begin
            state_q <= REPLY;
          end
        end
        CHECK: begin
          pause_q <= pause_q + 2'd1;
          if (pause_q == 2'd3) begin
            loaded_q <= in_ready_i & ~ctx_error_i;
            code_q   <= ctx_error_i ? Refused : in_ready_i ? 8'd0 : Incomplete;
            state_q  <= in_ready_i & ~ctx_error_i ? REPLY : KILL;
          end
        end
        KILL: begin
          loaded_q <= 1'b0;
          if (answer_free) index_q <= index_q + WordBits'(1);
          if (answer_free && final_word) state_q <= REPLY;
        end
        default: if (answer_free) state_q <= IDLE;
      endcase
    end
  end

  // The job's memories are free again once the operands are read, or nothing of them is needed.
  assign job_taken_o = (feed & beats_left_q == '0) | (state_q == WIPE & final_word)
                     | (state_q == IDLE & job_valid_i & kind != Operation);

  // The answer. The memory of the result belongs to it until the last word has left.
  logic                   header_due_q, words_due_q, answer_door_q, answer_write;
  logic [31:0]            answer_q;
  logic [AddressBits-1:0] answer_address, place_q;
  logic                   answer_out, answer_end, with_words;
  logic [Bus-1:0]         answer_word;

  assign answer_begin   = state_q == REPLY & answer_free;
  assign with_words     = code_q == 8'd0 & header_q[7:0] == Operation;
  assign answer_free    = ~header_due_q & ~words_due_q;
  assign out_valid_o    = header_due_q | words_due_q;
  assign out_data_o     = header_due_q ? Bus'(answer_q) : kept_word;
  assign out_last_o     = header_due_q ? ~words_due_q : answer_end;
  assign out_door_o     = answer_door_q;
  assign answer_out     = out_valid_o & out_ready_i;
  assign answer_end     = WordBits'(place_q) == words_i - WordBits'(1);
  assign answer_write   = z_take | (state_q == KILL & answer_free) | (words_due_q & ~header_due_q & out_ready_i);
  assign answer_address = answer_free ? index_q[AddressBits-1:0] : place_q;
  assign answer_word    = z_take ? z_word : Bus'(0);
  assign busy_o         = state_q != IDLE | job_valid_i | ~answer_free;

  mm_bus_memory #(.Bus(Bus), .Depth(Words)) u_result (
    .clk_i, .write_i(answer_write), .address_i(answer_address), .word_i(answer_word), .word_o(kept_word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      header_due_q  <= 1'b0;
      words_due_q   <= 1'b0;
      answer_door_q <= 1'b0;
      answer_q      <= '0;
      place_q       <= '0;
    end else if (answer_begin) begin
      header_due_q  <= 1'b1;
      words_due_q   <= with_words;
      answer_door_q <= door_q;
      answer_q      <= {header_q[31:16], header_q[7:0], code_q};
      place_q       <= '0;
    end else if (answer_out) begin
      header_due_q <= 1'b0;
      if (!header_due_q) begin
        place_q <= place_q + AddressBits'(1);
        if (answer_end) words_due_q <= 1'b0;
      end
    end
  end

  logic unused_bits;

  assign unused_bits = ^{z_spare, header_q[15:8]};

endmodule

`default_nettype wire
