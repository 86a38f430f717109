// SPDX-License-Identifier: Apache-2.0
//
// mm_bus_receive: takes frames (docs/bus.md) from the bus and makes jobs of them for mm_bus_execute.
//
//   frame      words of Bus bits; the last one comes with in_last_i
//   operation  header, x, y: each number in words_o words, the least significant first
//   context    header, bits of an operand, beats of the context, the largest operand in words_o words,
//              the beats of the context packed without gaps
//
// Operands wait in two memories until mm_bus_execute has read them, and are overwritten with zeros as it does so. Each
// is compared with the largest one while it comes, word by word. A context goes straight to the core. A frame that is
// wrong is taken to its end and becomes a job with a code; a context does so whole or in part, and mm_bus_execute
// then resets the core.
//
`default_nettype none

module mm_bus_receive #(
  parameter int Bus     = 32,
  parameter int Word    = 32,
  parameter int Bits    = 256,  // of the longest operand at the ports
  parameter int Lengths = 0,    // 1: the context says how long operands are
  localparam int Words       = (Bits + Bus - 1) / Bus,
  localparam int Beats       = (Bits + Word - 1) / Word,
  localparam int AddressBits = Words > 1 ? $clog2(Words) : 1,
  localparam int WordBits    = $clog2(Words + 1),
  localparam int BeatBits    = $clog2(Beats + 1)
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  // From the bus.
  input  wire                    in_valid_i,
  output logic                   in_ready_o,
  input  wire  [Bus-1:0]         in_data_i,
  input  wire                    in_last_i,
  input  wire                    in_door_i,
  // The job: stays until job_taken_i.
  output logic                   job_valid_o,
  input  wire                    job_taken_i,
  output logic [7:0]             job_code_o,
  output logic [31:0]            job_header_o,
  output logic                   job_door_o,
  input  wire                    idle_i,       // no job is under way
  output logic                   replaced_o,   // a new context begins: the old one is gone
  // Numbers of the context, and the operands of a job.
  output logic [WordBits-1:0]    words_o,
  output logic [BeatBits-1:0]    beats_o,
  input  wire                    read_i,       // the word is read, and overwritten
  input  wire  [AddressBits-1:0] address_i,
  output logic [Bus-1:0]         x_o,
  output logic [Bus-1:0]         y_o,
  // The context, to the core.
  output logic                   ctx_valid_o,
  input  wire                    ctx_ready_i,
  output logic [Word-1:0]        ctx_data_o
);

  // Kinds of frames and codes, as in registers.rdl.
  localparam logic [7:0] Operation  = 8'd1;
  localparam logic [7:0] Context    = 8'd2;
  localparam logic [7:0] BadKind    = 8'd1;
  localparam logic [7:0] Short      = 8'd2;
  localparam logic [7:0] Long       = 8'd3;
  localparam logic [7:0] Range      = 8'd4;
  localparam logic [7:0] BadLength  = 8'd7;
  localparam logic [7:0] Incomplete = 8'd8;

  typedef enum logic [3:0] {HEAD, SIZE, COUNT, MEASURE, BOUND, BEATS, X, Y, DROP, HAND} state_e;

  state_e                 state_q;
  logic [31:0]            header_q, low;
  logic                   door_q, ended_q;
  logic [7:0]             code_q;
  logic [WordBits-1:0]    index_q;
  logic [31:0]            left_q;             // beats of the context to come
  logic                   greater_q, greater; // the words of this number so far are above those of the largest one
  logic                   beyond_q;           // an operand was
  logic                   take, final_word, known;
  logic [Bus-1:0]         bound, zero_or_data;
  logic [AddressBits-1:0] address;
  logic                   write_x, write_y, write_bound;
  logic                   gear_ready, gear_valid, gear_spare, gear_clear, gear_take;
  logic                   is_operation, is_context;

  assign low          = in_data_i[31:0];
  assign is_operation = low[7:0] == Operation;
  assign is_context   = low[7:0] == Context;
  assign take         = in_valid_i & in_ready_o;
  assign final_word   = index_q == words_o - WordBits'(1);

  always_comb begin
    case (state_q)
      HEAD:    in_ready_o = idle_i | ~is_context;
      BEATS:   in_ready_o = gear_ready & ~ended_q & left_q != 32'd0;
      MEASURE,
      HAND:    in_ready_o = 1'b0;
      default: in_ready_o = 1'b1;
    endcase
  end

  // The lengths of the context, counted up: words and beats that hold so many bits.
  localparam int SumBits = $clog2(Bits + (Word > Bus ? Word : Bus) + 1);

  logic [SumBits-1:0] bits_q, word_sum_q, beat_sum_q;

  assign known = word_sum_q >= bits_q & beat_sum_q >= bits_q;

  if (Lengths == 0) begin : gen_fixed
    logic unused_sums;
    assign words_o     = WordBits'(Words);
    assign beats_o     = BeatBits'(Beats);
    assign bits_q      = SumBits'(Bits);
    assign word_sum_q  = bits_q;
    assign beat_sum_q  = bits_q;
    assign unused_sums = clk_i;
  end else begin : gen_lengths
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        bits_q     <= SumBits'(Bits);
        words_o    <= WordBits'(Words);
        beats_o    <= BeatBits'(Beats);
        word_sum_q <= SumBits'(Bits);
        beat_sum_q <= SumBits'(Bits);
      end else if (state_q == SIZE & take & low != 32'd0 & low <= 32'(Bits)) begin
        bits_q     <= SumBits'(low);
        words_o    <= '0;
        beats_o    <= '0;
        word_sum_q <= '0;
        beat_sum_q <= '0;
      end else begin
        if (word_sum_q < bits_q) begin
          word_sum_q <= word_sum_q + SumBits'(Bus);
          words_o    <= words_o + WordBits'(1);
        end
        if (beat_sum_q < bits_q) begin
          beat_sum_q <= beat_sum_q + SumBits'(Word);
          beats_o    <= beats_o + BeatBits'(1);
        end
      end
    end
  end

  logic length_legal;

  assign length_legal = Lengths == 0 ? low == 32'(Bits) : low != 32'd0 & low <= 32'(Bits);

  // Comparison with the largest operand, from the least significant word on.
  assign greater = in_data_i > bound | (in_data_i == bound & greater_q & index_q != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= HEAD;
      header_q    <= '0;
      door_q      <= 1'b0;
      ended_q     <= 1'b0;
      code_q      <= '0;
      index_q     <= '0;
      left_q      <= '0;
      greater_q   <= 1'b0;
      beyond_q    <= 1'b0;
    end else begin
      if (take) ended_q <= in_last_i;
      if (take && (state_q == X || state_q == Y)) greater_q <= greater;
      case (state_q)
        HEAD: if (take) begin
          header_q <= low;
          door_q   <= in_door_i;
          index_q  <= '0;
          beyond_q <= 1'b0;
          code_q   <= '0;
          if (in_last_i) begin
            code_q  <= is_operation | is_context ? Short : BadKind;
            state_q <= HAND;
          end else if (is_operation) begin
            state_q <= X;
          end else if (is_context) begin
            state_q <= SIZE;
          end else begin
            code_q  <= BadKind;
            state_q <= DROP;
          end
        end
        SIZE: if (take) begin
          state_q <= COUNT;
          if (in_last_i || !length_legal) begin
            code_q  <= in_last_i ? Short : BadLength;
            state_q <= in_last_i ? HAND : DROP;
          end
        end
        COUNT: if (take) begin
          left_q  <= low;
          state_q <= MEASURE;
          if (in_last_i || low == 32'd0) begin  // without a beat the core would keep its old context
            code_q  <= in_last_i ? Short : Incomplete;
            state_q <= in_last_i ? HAND : DROP;
          end
        end
        MEASURE: if (known) state_q <= BOUND;
        BOUND: if (take) begin
          index_q <= index_q + WordBits'(1);
          if (final_word) begin
            state_q <= BEATS;
          end else if (in_last_i) begin
            code_q  <= Short;
            state_q <= HAND;
          end
        end
        BEATS: begin
          if (gear_take) left_q <= left_q - 32'd1;
          if (left_q == 32'd0) begin
            // Too long: words to come, or one in the gear that no beat needed.
            if (!ended_q || gear_spare) code_q <= Long;
            state_q <= ended_q ? HAND : DROP;
          end else if (ended_q && !gear_valid) begin
            code_q  <= Short;
            state_q <= HAND;
          end
        end
        X: if (take) begin
          index_q <= final_word ? '0 : index_q + WordBits'(1);
          if (final_word) begin
            beyond_q <= greater;
            state_q  <= Y;
          end
          if (in_last_i) begin
            code_q  <= Short;
            state_q <= HAND;
          end
        end
        Y: if (take) begin
          index_q <= index_q + WordBits'(1);
          if (final_word) begin
            code_q  <= !in_last_i ? Long : beyond_q | greater ? Range : 8'd0;
            state_q <= in_last_i ? HAND : DROP;
          end else if (in_last_i) begin
            code_q  <= Short;
            state_q <= HAND;
          end
        end
        DROP: if (take && in_last_i) state_q <= HAND;
        default: if (job_taken_i) state_q <= HEAD;
      endcase
    end
  end

  assign job_valid_o  = state_q == HAND;
  assign job_code_o   = code_q;
  assign job_header_o = header_q;
  assign job_door_o   = door_q;
  assign replaced_o   = state_q == HEAD & take & is_context;

  // Operands and the largest one.
  assign address      = state_q == HAND ? address_i : index_q[AddressBits-1:0];
  assign zero_or_data = state_q == HAND ? Bus'(0) : in_data_i;
  assign write_x      = (state_q == X & take) | (state_q == HAND & read_i);
  assign write_y      = (state_q == Y & take) | (state_q == HAND & read_i);
  assign write_bound  = state_q == BOUND & take;

  mm_bus_memory #(.Bus(Bus), .Depth(Words)) u_x (
    .clk_i, .write_i(write_x), .address_i(address), .word_i(zero_or_data), .word_o(x_o)
  );
  mm_bus_memory #(.Bus(Bus), .Depth(Words)) u_y (
    .clk_i, .write_i(write_y), .address_i(address), .word_i(zero_or_data), .word_o(y_o)
  );
  mm_bus_memory #(.Bus(Bus), .Depth(Words)) u_bound (
    .clk_i, .write_i(write_bound), .address_i(address), .word_i(in_data_i), .word_o(bound)
  );

  // The beats of the context.
  logic gear_in, gear_out;

  assign gear_in     = state_q == BEATS & take;
  assign gear_clear  = state_q == HAND | state_q == DROP | state_q == HEAD;
  assign gear_out    = state_q == BEATS & left_q != 32'd0 & ctx_ready_i;
  assign ctx_valid_o = state_q == BEATS & left_q != 32'd0 & gear_valid;
  assign gear_take   = ctx_valid_o & ctx_ready_i;

  mm_bus_gear #(.In(Bus), .Out(Word)) u_gear (
    .clk_i,
    .rst_ni,
    .clear_i    (gear_clear),
    .in_valid_i (gear_in),
    .in_ready_o (gear_ready),
    .in_data_i  (in_data_i),
    .out_valid_o(gear_valid),
    .out_ready_i(gear_out),
    .out_data_o (ctx_data_o),
    .spare_o    (gear_spare)
  );

endmodule

`default_nettype wire
