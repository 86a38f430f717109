// SPDX-License-Identifier: Apache-2.0
//
// mm_engine_port: the engine's side of the port contract for context and operands. What comes in goes to the register
// file, a word a cycle; the context of the core goes to the core.
//
// Context, in words of the engine
//    1  a header, least significant bit first: the last word of a number, of the core's context, of the operands and of
//       the exponent; the bits to take first; the number of rounds; Counts counts; with Binary = 1, whether M is of
//       GF(2^m); with SetupBits, the number of rounds for the rows that run on a context
//    2  the context of the core, for each of the lanes
//    3  Numbers numbers, to the registers of NumberSlots; each for one lane after the other
// A word to the core waits in a register until the core takes it, and holds up those behind it. A context whose header
// does not fit this build ends one word after it.
//
// With SetupBits, the last word of a context that the core does not refuse is written as soon as it is offered, and
// waits. setup_o starts the rows that run on a context; when they have ended, the word is taken.
//
// Operands: a word of x goes to slot XSlot, and in the next cycle, in which no other is taken, that of y to YSlot; both
// to all lanes.
//
`default_nettype none

module mm_engine_port #(
  parameter int Word         = 16,
  parameter int Beats        = 16,
  parameter int ContextBeats = 17,
  parameter int InBeats      = 16,
  parameter int AddrBits     = 9,
  parameter int SlotBits     = 4,   // of a word's index in a slot
  parameter int FirstBits    = 5,
  parameter int RoundBits    = 9,
  parameter int XSlot        = 0,
  parameter int YSlot        = 0,
  parameter int Numbers      = 2,
  parameter     NumberSlots  = 0,   // 16 bits each
  parameter int Binary       = 0,   // 1: the header says whether M is of GF(2^m); 2: it always is
  parameter int Flags        = 0,
  parameter int Lanes        = 1,
  parameter int Parts        = 2,   // registers of a long number
  parameter int XLong        = 0,   // 1: x is a long number
  parameter int YLong        = 0,
  parameter int Counts       = 0,   // counts of the program in the header
  parameter int CountSize    = 1,   // bits of one
  parameter int SetupBits    = 0,   // of the rounds of rows that run on a context; 0: there are none
  parameter int Whole        = 0,   // 1: a number has Beats words, never fewer
  // Derived, not to be set.
  parameter int LaneBits = Lanes > 2 ? 2 : 1,
  parameter int BeatBits = Beats > 1 ? $clog2(Beats) : 1,
  parameter int CtxBits  = ContextBeats > 1 ? $clog2(ContextBeats) : 1,
  parameter int InBits   = InBeats > 1 ? $clog2(InBeats) : 1,
  parameter int CountsBits = Counts > 0 ? Counts * CountSize : 1,
  parameter int MostBits   = SetupBits > 1 ? SetupBits : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  ctx_valid_i,
  output logic                 ctx_ready_o,
  input  wire  [Word-1:0]      ctx_data_i,
  output logic                 ctx_error_o,
  input  wire                  in_valid_i,
  output logic                 in_ready_o,
  input  wire  [Word-1:0]      y_i,
  // The engine.
  input  wire                  idle_i,
  input  wire                  refused_i,     // the result is not released: an error until the next context
  output logic                 first_o,       // the first word of operands is taken
  output logic                 start_o,       // the last one
  output logic [BeatBits-1:0]  last_beat_o,
  output logic [InBits-1:0]    last_in_o,
  output logic [InBits-1:0]    last_exp_o,
  output logic [FirstBits-1:0] bits_o,
  output logic [RoundBits-1:0] rounds_o,
  output logic                 binary_o,
  output logic [CountsBits-1:0] counts_o,
  output logic                 setup_o,       // the rows that run on a context begin
  output logic [MostBits-1:0]  setup_rounds_o,
  // To the register file: x_i, or what was held.
  output logic                 write_x_o,
  output logic                 write_y_o,
  output logic                 write_number_o,
  output logic [LaneBits-1:0]  write_lane_o,  // of a number
  output logic [AddrBits-1:0]  write_addr_o,
  output logic [Word-1:0]      held_o,
  // The core's context.
  output logic                 core_valid_o,
  output logic [Word-1:0]      core_data_o,   // in a register of its own: no word of an operand comes here
  output logic [LaneBits-1:0]  core_lane_o,
  input  wire                  core_ready_i,  // that of the lane
  input  wire                  core_error_i
);

  localparam int FieldBits   = BeatBits + CtxBits + 2 * InBits + FirstBits + RoundBits;
  localparam int AllBits    = FieldBits + Counts * CountSize;
  localparam int OwnBits    = AllBits + (Binary == 1 ? 1 : 0);
  localparam int HeadBits   = OwnBits + SetupBits;
  localparam int HeadBeats  = (HeadBits + Word - 1) / Word;
  localparam int MostBeats  = HeadBeats > ContextBeats ? (HeadBeats > Beats ? HeadBeats : Beats)
                                                       : (ContextBeats > Beats ? ContextBeats : Beats);
  localparam int CountBits  = MostBeats > 1 ? $clog2(MostBeats) : 1;
  localparam int NumberBits = Numbers > 1 ? $clog2(Numbers) : 1;
  localparam int SlotCount  = AddrBits - SlotBits > 0 ? AddrBits - SlotBits : 1;

  localparam logic [16*Numbers-1:0] AllSlots   = (16*Numbers)'(NumberSlots);
  localparam logic [CountBits-1:0]  LastHead   = CountBits'(HeadBeats - 1);
  localparam logic [BeatBits:0]     MaxBeat    = (BeatBits+1)'(Beats - 1);
  localparam logic [CtxBits:0]      MaxCtx     = (CtxBits+1)'(ContextBeats - 1);
  localparam logic [InBits:0]       MaxIn      = (InBits+1)'(InBeats - 1);
  localparam logic [NumberBits-1:0] LastNumber = NumberBits'(Numbers - 1);
  localparam logic [AddrBits-1:0]   XAddr      = AddrBits'(XSlot << SlotBits);
  localparam logic [AddrBits-1:0]   YAddr      = AddrBits'(YSlot << SlotBits);

  typedef enum logic [1:0] {HEAD, CORE, NUMBER} phase_e;

  phase_e                phase_q;
  logic [CountBits-1:0]  count_q, last, number_beat_q;
  logic [NumberBits-1:0] number_q, number_q2;
  logic [HeadBits-1:0]   head_q, head_next;
  logic [BeatBits-1:0]   last_beat_next;
  logic [CtxBits-1:0]    last_ctx, last_ctx_next;
  logic [InBits-1:0]     last_in_next, last_exp_next, in_beat_q, in_beat_q2;
  logic                  ctx_free_q, in_free_q, last_q, last_number_q, last_in_q, head_legal_q;
  logic                  refused, core_valid_q, write_number_q, write_y_q;
  logic                  ctx_last, ctx_legal, ctx_load, in_load, in_part, in_last;
  logic                  at_last, waits, setup;
  logic [Word-1:0]       held_q;
  logic                  unused_next;

  // --- step 1 ---------------------------------------------------------------------------------------------
  if (HeadBeats > 1) begin : gen_head_words
    localparam int HeldBits = HeadBeats * Word;
    logic [HeldBits-1:0] words_q, words_next;
    logic                unused_words;
    assign words_next   = {ctx_data_i, words_q[HeldBits-1:Word]};
    assign head_next    = words_next[HeadBits-1:0];
    assign unused_words = ^{words_q, words_next};
    always_ff @(posedge clk_i) if (ctx_load && (phase_q == HEAD)) words_q <= words_next;
  end else begin : gen_head_word
    logic unused_data;
    assign head_next   = ctx_data_i[HeadBits-1:0];
    assign unused_data = ^ctx_data_i;
  end

  assign {last_exp_next, last_in_next, last_ctx_next, last_beat_next} =
    head_next[BeatBits+CtxBits+2*InBits-1:0];
  assign unused_next = ^last_exp_next;

  always_ff @(posedge clk_i) begin
    if (ctx_load && (phase_q == HEAD)) begin
      head_q       <= head_next;
      head_legal_q <= ({1'b0, last_beat_next} <= MaxBeat) & ({1'b0, last_ctx_next} <= MaxCtx)
                    & ({1'b0, last_in_next} <= MaxIn);
    end
  end

  assign {rounds_o, bits_o, last_exp_o, last_in_o, last_ctx, last_beat_o} = head_q[FieldBits-1:0];
  assign binary_o = Binary == 2 ? 1'b1 : (Binary != 0) & head_q[OwnBits-1];

  if (Counts != 0) begin : gen_counts
    assign counts_o = head_q[AllBits-1:FieldBits];
  end else begin : gen_no_counts
    assign counts_o = '0;
  end

  // --- which lane it is for ---------------------------------------------------------------------------------
  logic                lane_last;
  logic [LaneBits-1:0] core_lane_q, write_lane_q;

  if (Lanes > 1) begin : gen_lanes
    localparam logic [LaneBits-1:0] LastLane = LaneBits'(Lanes - 1);
    logic [LaneBits-1:0] lane_q;
    assign lane_last = lane_q == LastLane;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                      lane_q <= '0;
      else if (ctx_load && last_q && (phase_q != HEAD)) lane_q <= lane_last || !head_legal_q ? '0 : lane_q + 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (ctx_load) core_lane_q <= lane_q;
      write_lane_q <= lane_q;
    end
  end else begin : gen_lane
    assign lane_last    = 1'b1;
    assign core_lane_q  = '0;
    assign write_lane_q = '0;
  end

  // --- which word comes next --------------------------------------------------------------------------------
  always_comb begin
    case (phase_q)
      HEAD:    last = LastHead;
      CORE:    last = head_legal_q ? CountBits'(last_ctx) : '0;
      default: last = CountBits'(last_beat_o);
    endcase
  end

  // A cycle behind the counters: words are taken in every second cycle at most.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q        <= HeadBeats == 1;
      last_number_q <= (Numbers == 1) & (Lanes == 1);
    end else begin
      last_q        <= count_q == last;
      last_number_q <= (number_q == LastNumber) & lane_last;
    end
  end

  always_ff @(posedge clk_i) last_in_q <= in_beat_q == last_in_o;

  assign at_last  = (phase_q == NUMBER) & last_q & last_number_q;
  assign ctx_last = ((phase_q == CORE) & ~head_legal_q) | at_last;

  // --- the rows that run on a context -------------------------------------------------------------------------
  if (SetupBits != 0) begin : gen_setup
    logic [2:0] offered_q;  // in the last cycles: so many that the core has had time to refuse its context
    logic       ready_q;    // they have begun, or need not run

    assign setup          = offered_q[2] & ~ready_q & ~core_error_i;
    assign waits          = at_last & ~ready_q;
    assign setup_rounds_o = head_q[HeadBits-1:OwnBits];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        offered_q <= '0;
        ready_q   <= 1'b0;
      end else begin
        offered_q <= {offered_q[1:0], ctx_valid_i & ctx_free_q & waits};
        ready_q   <= (ready_q | offered_q[2]) & ~ctx_load;
      end
    end
  end else begin : gen_no_setup
    assign setup          = 1'b0;
    assign waits          = 1'b0;
    assign setup_rounds_o = '0;
  end

  assign setup_o = setup;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q        <= HEAD;
      count_q        <= '0;
      number_q       <= '0;
      core_valid_q   <= 1'b0;
      ctx_free_q     <= 1'b1;
      in_free_q      <= 1'b1;
      write_number_q <= 1'b0;
      write_y_q      <= 1'b0;
      in_beat_q      <= '0;
    end else begin
      if (ctx_load) begin
        count_q <= last_q ? '0 : count_q + 1'b1;
        if (last_q) begin
          case (phase_q)
            HEAD: phase_q <= CORE;
            CORE: if (lane_last || !head_legal_q) phase_q <= head_legal_q ? NUMBER : HEAD;
            default: begin
              if (lane_last) number_q <= last_number_q ? '0 : number_q + 1'b1;
              if (last_number_q) phase_q <= HEAD;
            end
          endcase
        end
      end
      core_valid_q   <= (ctx_load & (phase_q == CORE) & head_legal_q) | (core_valid_q & ~core_ready_i);  // step 2
      ctx_free_q     <= idle_i & ~start_o & ~setup & ~ctx_load & ~(core_valid_q & ~core_ready_i);
      in_free_q      <= idle_i & ~in_load;
      write_number_q <= setup | (ctx_load & (phase_q == NUMBER) & ((SetupBits == 0) | ~at_last));       // step 3
      write_y_q      <= in_load;
      // Between operands it is 0, whatever has happened to it.
      if (in_load)       in_beat_q <= in_last ? '0 : in_beat_q + 1'b1;
      else if (!in_part) in_beat_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ctx_load) core_data_o <= ctx_data_i;
    if (in_free_q) held_q <= in_part || !ctx_valid_i ? y_i : ctx_data_i;
    number_beat_q <= count_q;
    number_q2     <= number_q;
    in_beat_q2    <= in_beat_q;
  end

  // --- to the register file ---------------------------------------------------------------------------------
  logic [SlotCount-1:0] number_slot;
  logic                 x_fits, y_fits;
  logic [AddrBits-1:0]  x_place, y_place;

  assign number_slot = SlotCount'(AllSlots[16*number_q2 +: 16]);

  if (InBits > SlotBits) begin : gen_long
    assign x_fits = in_beat_q[InBits-1:SlotBits] == '0;
  end else begin : gen_short
    assign x_fits = 1'b1;
  end

  assign write_y_o      = write_y_q & y_fits;
  assign write_number_o = write_number_q;
  assign write_lane_o   = write_lane_q;
  assign core_lane_o    = core_lane_q;
  assign held_o         = held_q;

  always_comb begin
    if (write_y_q)           write_addr_o = YAddr | y_place;
    else if (write_number_q) write_addr_o = (AddrBits'(number_slot) << SlotBits) | AddrBits'(number_beat_q);
    else                     write_addr_o = XAddr | x_place;
  end

  // A number of Parts registers: each part is in the slot behind that of the part below.
  if (XLong != 0 || YLong != 0) begin : gen_halves
    logic [BeatBits-1:0] half_beat_q;
    localparam int                  PartBits = $clog2(Parts);
    localparam logic [PartBits-1:0] LastPart = PartBits'(Parts - 1);
    logic [PartBits-1:0] part_q;
    logic                over_q, over_q2, half_last_q, last_part;
    logic [AddrBits-1:0] half_place, half_place_q;

    assign last_part  = part_q == LastPart;
    assign half_place = (AddrBits'(part_q) << SlotBits) | AddrBits'(half_beat_q);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        half_beat_q <= '0;
        part_q      <= '0;
        over_q      <= 1'b0;
      end else if (in_load) begin
        half_beat_q <= in_last || half_last_q ? '0 : half_beat_q + 1'b1;
        part_q      <= in_last ? '0 : half_last_q && !last_part ? part_q + 1'b1 : part_q;
        over_q      <= ~in_last & (over_q | (last_part & half_last_q));
      end else if (!in_part) begin
        half_beat_q <= '0;
        part_q      <= '0;
        over_q      <= 1'b0;
      end
    end

    // A cycle behind the counter, as above.
    always_ff @(posedge clk_i) begin
      half_last_q  <= half_beat_q == last_beat_o;
      half_place_q <= half_place;
      over_q2      <= over_q;
    end

    if (XLong != 0) begin : gen_x
      logic unused_fits;
      assign x_place     = half_place;
      assign write_x_o   = in_load & ~over_q;
      assign unused_fits = x_fits;
    end else begin : gen_x_short
      assign x_place   = AddrBits'(in_beat_q);
      assign write_x_o = in_load & x_fits;
    end

    if (YLong != 0) begin : gen_y
      logic unused_beat;
      assign y_place     = half_place_q;
      assign y_fits      = ~over_q2;
      assign unused_beat = ^in_beat_q2;
    end else begin : gen_y_short
      logic unused_halves;
      assign y_place       = AddrBits'(in_beat_q2);
      assign y_fits        = 1'b1;
      assign unused_halves = ^{half_place_q, over_q2};
    end
  end else begin : gen_whole
    assign x_place   = AddrBits'(in_beat_q);
    assign write_x_o = in_load & x_fits;
    assign y_place   = AddrBits'(in_beat_q2);
    assign y_fits    = 1'b1;
  end

  if (Flags != 0) begin : gen_refused
    logic refused_q;
    assign refused = refused_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) refused_q <= 1'b0;
      else         refused_q <= (refused_q | refused_i) & ~ctx_load;
    end
  end else begin : gen_released
    logic unused_refused;
    assign refused        = 1'b0;
    assign unused_refused = refused_i;
  end

  // --- the ports ----------------------------------------------------------------------------------------------
  assign ctx_legal    = Whole != 0 ? head_legal_q & ~core_error_i & ~refused & (last_beat_o == BeatBits'(Beats - 1))
                      : head_legal_q & ~core_error_i & ~refused;
  assign in_last      = last_in_q;
  assign core_valid_o = core_valid_q;
  assign first_o      = in_load & ~in_part;
  assign start_o      = in_load & in_last;

  mm_context_gate u_gate (
    .clk_i, .rst_ni,
    .ctx_valid_i, .ctx_ready_o, .ctx_error_o, .in_valid_i, .in_ready_o,
    .ctx_free_i(ctx_free_q & ~waits), .ctx_last_i(ctx_last), .ctx_legal_i(ctx_legal),
    .in_free_i(in_free_q), .in_last_i(in_last),
    .ctx_load_o(ctx_load), .in_load_o(in_load), .in_part_o(in_part)
  );

endmodule

`default_nettype wire
