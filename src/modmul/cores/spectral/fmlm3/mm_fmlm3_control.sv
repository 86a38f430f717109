// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_control: control unit (Dai et al., Fig. 3): which step of Algorithm 2 or 3 runs, for how long, on what. One
// unit works at a time, except for two component-wise multiplications, which run in parallel with a transform.
//
//   state  Algorithm 2  Algorithm 3  what                                        cycles
//   LX, LY                           digits of x, y into the RAM sets            Load
//   CTX, NCTX                        T(x), T'(x)                                 Forward
//   CTY, NCTY                        T(y), T'(y); the second with step 1 of      Forward
//                                    Algorithm 3: T(z0) = T(y) T(N')
//   P1     1                         T(g) = T(y) T(N')                           Multiply
//   ICT1   2                         g = CT^-1                                   Inverse
//   RZ     3                         z0 = g mod R                                Load
//   CTZ    4                         T(z0)                                       Forward
//   P2     5            2            T(z1) = T(x) T(z0)                          Multiply
//   ICT2   6, 9         3            z1 = CT^-1; meanwhile T'(z2) = T'(x) T'(y)   Inverse
//   RM     7            4            m = z1 mod R                                Load
//   NCTM   8            5 (8)        T'(m)                                       Forward
//   P4     10, 11       5 (10, 11)   T'(z4') = T'(m) T'(N) + T'(z2)              Multiply
//   INCT   12, 13       5 (12, 13)   z4 = NCT^-1, restricted                     Inverse
//   RQ     14           5 (14)       S + top * B^P = z4                          Reduce
//   SUB    15-17        5 (15-17)    t and t - N                                 Subtract
//
// The paper's x and y are exchanged in steps 1 to 6, so that the products of y can be kept.
//   square_i  y is x: LY, CTY, NCTY are left out
//   chain_i   x is the last result: LX takes it from where it is
//   keep_i    y is that of the last operation with neither square_i nor keep_i: LY, CTY, NCTY and P1 to CTZ are
//             left out
// A chain of operations computes T(t), T'(t) of a result, steps 18 and 19, as T(x), T'(x) of the next.
//
// With Spectral T(x) to T'(y) come from the ports, and an operation ends with LX, CTX, NCTX of its result: steps 18 and
// 19. P1, then also in Algorithm 3 (Beside cycles), runs while T'(x) and T'(y) come: it begins with half_i, when T(x)
// and T(y) are there, and waits for start_i after its first P cycles.
//
`default_nettype none

module mm_fmlm3_control #(
  parameter int Algorithm = 3,
  parameter int Spectral  = 0,
  parameter int P         = 32,
  parameter int Load      = 20,
  parameter int Forward   = 100,
  parameter int Inverse   = 120,
  parameter int Multiply  = 80,
  parameter int Beside    = 80,
  parameter int Reduce    = 20,
  parameter int Subtract  = 20,
  // Derived, not to be set.
  parameter int Longer    = Forward > Beside ? Forward : Beside,
  parameter int LongerInv = Inverse > Beside ? Inverse : Beside,
  parameter int MaxA      = Longer > LongerInv ? Longer : LongerInv,
  parameter int MaxB      = Multiply > Reduce ? Multiply : Reduce,
  parameter int MaxC      = Subtract > Load ? Subtract : Load,
  parameter int MaxBC     = MaxB > MaxC ? MaxB : MaxC,
  parameter int MaxTime   = MaxA > MaxBC ? MaxA : MaxBC,
  parameter int TimeBits  = $clog2(MaxTime + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 start_i,      // all operands are there
  input  wire                 half_i,       // with Spectral: T(x), T(y) are
  input  wire                 square_i,
  input  wire                 chain_i,
  input  wire                 keep_i,
  output logic                done_o,       // in the last cycle
  // The present state.
  output logic [TimeBits-1:0] time_o,       // 0 in its first cycle
  output logic                last_time_o,
  output logic                load_o,       // LX, LY, RZ, RM, RQ
  output logic                from_y_o,     // LY
  output logic                result_o,     // LX of a chained operation, or of a result
  output logic                inject_o,     // RZ, RM, RQ
  output logic                reduce_o,     // RQ
  output logic                m_o,          // RM
  output logic                fft_o,
  output logic                inverse_o,
  output logic                nega_o,
  output logic [2:0]          vector_o,     // where a CT or NCT writes
  output logic                multiply_o,   // into the digits of a transform
  output logic                beside_o,     // into the memory of addends
  output logic                plain_o,      // as the residue itself
  output logic                add_o,        // with the memory of addends
  output logic [2:0]          left_o,       // the operands
  output logic [2:0]          right_o,
  output logic                left_addend_o,
  output logic [1:0]          right_context_o,
  output logic                subtract_o
);

  typedef enum logic [4:0] {
    IDLE, LX, CTX, NCTX, LY, CTY, NCTY, P1, ICT1, RZ, CTZ, P2, ICT2, RM, NCTM, P4, INCT, RQ, SUB
  } state_e;

  // Vectors in the operand memory.
  localparam logic [2:0] Tx = 3'd0, TxNega = 3'd1, Ty = 3'd2, TyNega = 3'd3, Tm = 3'd4, Tz = 3'd5;
  localparam logic       Three = Algorithm == 3;
  localparam logic       Ends  = Spectral == 1;     // operations begin with products and end with transforms

  state_e              state_q, state, next, first;  // state: of the next cycle
  logic [TimeBits-1:0] time_q, length;
  logic                square_q, chain_q, keep_q, square, chain, keep, skip_y, go, whole_q, waits;
  logic                early, early_q, inverse, nega, ends_y;

  assign first = !Ends ? LX : (!Three && keep_i && !square_i) ? P2 : P1;
  assign go    = first == P1 ? half_i : start_i;
  assign waits = state_q == P1 && Ends && !whole_q && time_q == TimeBits'(P);

  assign skip_y = square_q | keep_q;
  assign square = go ? square_i : square_q;
  assign chain  = go ? chain_i : chain_q;
  assign keep   = go ? keep_i : keep_q;

  always_comb begin
    case (state_q)
      LX:      next = CTX;
      CTX:     next = NCTX;
      NCTX: begin
        if (Ends)                                   next = IDLE;
        else if (!skip_y)                           next = LY;
        else if (Three || (keep_q && !square_q))    next = P2;
        else                                        next = P1;
      end
      LY:      next = CTY;
      CTY:     next = NCTY;
      NCTY: begin
        if (Three) next = P2;
        else       next = P1;
      end
      P1: begin
        if (Three) next = P2;
        else       next = ICT1;
      end
      ICT1:    next = RZ;
      RZ:      next = CTZ;
      CTZ:     next = P2;
      P2:      next = ICT2;
      ICT2:    next = RM;
      RM:      next = NCTM;
      NCTM:    next = P4;
      P4:      next = INCT;
      INCT:    next = RQ;
      RQ:      next = SUB;
      SUB: begin
        if (Ends) next = LX;
        else      next = IDLE;
      end
      default: next = IDLE;
    endcase
  end

  always_comb begin
    case (state_q)
      LX, LY, RZ, RM:            length = TimeBits'(Load - 1);
      CTX, CTY, CTZ, NCTM:       length = TimeBits'(Forward - 1);
      NCTX, NCTY:                length = early_q ? TimeBits'(Longer - 1) : TimeBits'(Forward - 1);
      P1:                        length = early_q ? TimeBits'(Beside - 1) : TimeBits'(Multiply - 1);
      P2, P4:                    length = TimeBits'(Multiply - 1);
      ICT1, INCT:                length = TimeBits'(Inverse - 1);
      ICT2:                      length = TimeBits'(LongerInv - 1);
      RQ:                        length = TimeBits'(Reduce - 1);
      default:                   length = TimeBits'(Subtract - 1);
    endcase
  end

  assign done_o      = (state_q == (Ends ? NCTX : SUB)) & last_time_o;
  assign time_o      = time_q;

  always_ff @(posedge clk_i) begin
    square_q <= square;
    chain_q  <= chain;
    keep_q   <= keep;
    if (go || start_i) whole_q <= start_i;
    if (!waits)        time_q  <= (go || last_time_o) ? '0 : time_q + 1'b1;
    last_time_o <= ~go & ~last_time_o & ~waits & time_q + 1'b1 == length;  // a state has two at least
  end

  always_comb begin
    state = state_q;
    if (go)                                  state = first;
    else if (last_time_o && state_q != IDLE) state = next;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= IDLE;
    else         state_q <= state;
  end

  // ---- what a state is for the other units: found in the cycle before it, since it goes to many places

  // Step 1 of Algorithm 3 runs in parallel with the last NCT before P2.
  assign ends_y  = (state == NCTX && (square || keep) && !Ends) || state == NCTY;
  assign early   = Three && (state == P1 || ends_y);
  assign inverse = state == ICT1 || state == ICT2 || state == INCT;
  assign nega    = state == NCTX || state == NCTY || state == NCTM || state == INCT;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      early_q    <= 1'b0;
      load_o     <= 1'b0;
      inject_o   <= 1'b0;
      fft_o      <= 1'b0;
      multiply_o <= 1'b0;
      beside_o   <= 1'b0;
      subtract_o <= 1'b0;
    end else begin
      early_q    <= early;
      load_o     <= state == LX || state == LY || state == RZ || state == RM || state == RQ;
      inject_o   <= state == RZ || state == RM || state == RQ;
      fft_o      <= inverse || nega || state == CTX || state == CTY || state == CTZ;
      multiply_o <= (state == P1 && !Three) || state == P2 || state == P4;
      beside_o   <= early || state == ICT2;
      subtract_o <= state == SUB;
    end
  end

  assign plain_o = early_q;

  // Operands: a vector or the memory of addends (T(z0) of Algorithm 3) times a vector or one of the context.
  always_ff @(posedge clk_i) begin
    from_y_o        <= state == LY;
    result_o        <= state == LX && (chain || Ends);
    reduce_o        <= state == RQ;
    m_o             <= state == RM;
    inverse_o       <= inverse;
    nega_o          <= nega;
    add_o           <= state == P4;
    left_addend_o   <= 1'b0;
    right_context_o <= 2'b00;    // bit 1: of the context, bit 0: T'(N) and not T(N')
    right_o         <= Tx;
    case (state)
      P2: begin
        left_o        <= square ? Tm : Tz;
        left_addend_o <= Three;
      end
      ICT2: begin
        left_o  <= TxNega;
        right_o <= square ? TxNega : TyNega;
      end
      P4: begin
        left_o          <= Tm;
        right_context_o <= 2'b11;
      end
      default: begin  // P1, NCTX, NCTY
        left_o          <= square ? Tx : Ty;
        right_context_o <= 2'b10;
      end
    endcase
    case (state)
      CTX:     vector_o <= Tx;
      NCTX:    vector_o <= TxNega;
      CTY:     vector_o <= Ty;
      NCTY:    vector_o <= TyNega;
      CTZ:     vector_o <= square ? Tm : Tz;
      default: vector_o <= Tm;
    endcase
  end

endmodule

`default_nettype wire
