// SPDX-License-Identifier: Apache-2.0
//
// mm_sparse_prime_loop: the sum of mm_sparse_prime.
//
//   cycle t      the digit of x is code_i, two bits a row, each a digit -1, 0, 1, 2 of x, and one
//   cycle t + 1  X, the multiple of y of each row; with two rows E, their sum, a cycle later, and so all that follows
//   cycle t + 2  E with T, the residue of what was pushed out three steps before
//   cycle t + 3  S, the sum of S, shifted by a digit, and of E                                step 3 of mm_sparse_prime
//   cycle t + 4  t + Offset, the part at 2^n and above
//   cycle t + 5  T
//
// Where carries are saved: S is cut into pieces of Group bits, counted from the top. The carry of a piece waits until
// shifts have moved its place by Group bits, to where another piece begins, and is added there. T has few bits. Where
// it has some, E and T are added first, up to the end of the piece, and leave a carry there, too. To make room for it,
// that piece is joined to the one below. The carry that would have arrived at the cut between them, and gone on to that
// end, is added with T, at a bit where T is 0 (in `cut_places`).
//
`default_nettype none

module mm_sparse_prime_loop #(
  parameter int N      = 256,
  parameter int K      = 2,
  parameter int Group  = 16,
  parameter int TBits  = 4,
  parameter int Offset = 1,
  parameter logic [N-1:0] Plus  = 977,
  parameter logic [N-1:0] Minus = 0,
  parameter logic [N-1:0] Start = 0,
  // Derived, not to be set.
  parameter int Rows = K > 1 ? K / 2 : 1
) (
  input  wire               clk_i,
  input  wire               idle_i,
  input  wire  [2*Rows-1:0] code_i,
  input  wire  [N-1:0]      y_i,
  output logic [N-1:0]      s_o,
  output logic [N-1:0]      c_o,  // the carries that are saved
  output logic [TBits-1:0]  t_o   // t + Offset
);

  localparam int Ages = Group / K;      // steps that a carry waits
  localparam int NE   = N + TBits;      // bits of E and T

  // ---- T for each t

  localparam logic [NE-1:0] More = NE'(Plus);
  localparam logic [NE-1:0] Less = NE'(Minus);

  // Bits of T that are ever 1.
  function automatic logic [NE-1:0] any_residue(input int count);
    int rest;
    any_residue = '0;
    rest        = count;
    for (int t = 0; t < count; t++) begin
      rest        = rest - 1;
      any_residue = any_residue | (NE'(t) * More + NE'(rest) * Less);
    end
  endfunction

  localparam logic [NE-1:0] Touched = any_residue(1 << TBits);

  // Bit j of T, by t.
  function automatic logic [(1<<TBits)-1:0] column(input int j);
    logic [NE-1:0] value;
    column = '0;
    for (int t = 0; t < (1 << TBits); t++) begin
      value     = NE'(t) * More + NE'((1 << TBits) - 1 - t) * Less;
      column[t] = |(value & (NE'(1) << j));
    end
  endfunction

  // ---- where the pieces begin and end

  function automatic logic [N:0] cut_places(input logic [NE-1:0] touched);
    logic [NE-1:0] below;
    int            top, low;
    cut_places    = '0;
    cut_places[N] = 1'b1;
    top           = N;
    for (int i = 0; i <= N / Group; i++) begin
      low   = top - Group;
      below = touched & ((NE'(1) << top) - NE'(1));
      if (top < N && (below >> (low > 0 ? low : 0)) != '0) begin
        low = low - Group;
        for (int j = 0; j < N / Group; j++) begin
          if (low > 0) if (touched[low+Group]) low = low - Group;
        end
      end
      if (low > 0) cut_places[low] = 1'b1;
      top = low > 0 ? low : 0;
    end
  endfunction

  localparam logic [N:0]    Cuts  = cut_places(Touched);
  localparam logic [N:0]    Moved = (N+1)'({Cuts, {Group{1'b0}}});
  localparam logic [N-1:0]  Apart = Moved[N-1:0] & ~Cuts[N-1:0];
  localparam logic [NE-1:0] Meets = NE'(Apart);                          // carries that are added with T
  localparam logic [N:0]    CutsE = {1'b0, Moved[N-1:0] & Cuts[N-1:0]};  // where the others come to

  // The end of the piece that begins at bit b.
  function automatic int piece_end(input int b, input logic [N:0] cuts);
    piece_end = N;
    for (int j = N; j > b; j = j - Group) if (cuts[j]) piece_end = j;
  endfunction

  // Where T, or a carry, begins in the piece between two cuts, or its end; the highest piece has all from 2^n on, too.
  function automatic int t_begin(input int low, input int top);
    t_begin = top == N ? NE : top;
    for (int j = NE - 1; j >= 0; j--) begin
      if ((Touched[j] || Meets[j]) && j >= low && (j < top || top == N)) t_begin = j;
    end
  endfunction

  // ---- the rows

  logic [Rows-1:0][N+1:0] x_q;
  logic [Rows-1:0]        negative_q;

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    always_ff @(posedge clk_i) begin
      case (code_i[2*r+:2])
        2'd0:    x_q[r] <= ~{2'b00, y_i};
        2'd1:    x_q[r] <= '0;
        2'd2:    x_q[r] <= {2'b00, y_i};
        default: x_q[r] <= {1'b0, y_i, 1'b0};
      endcase
      negative_q[r] <= code_i[2*r+:2] == 2'd0;
    end
  end

  // ---- E: carries by the place where they count

  logic [Ages-1:0][N:0] c_q;     // of S, by age
  logic [NE-1:0]        e;
  logic [N:0]           e_carry;
  logic                 e_low;   // counts at bit 0

  if (Rows == 1) begin : gen_one
    assign e       = {{(TBits-2){x_q[0][N+1]}}, x_q[0]};
    assign e_low   = negative_q[0];
    assign e_carry = (N+1)'({c_q[Ages-1], {Group{1'b0}}});
  end else begin : gen_two
    logic [NE-1:0] a, b, e_q;
    logic [N:0]    carry, carry_q;
    logic          low_q;

    // A negative multiple is the complement of y, and one more at bit 0.
    assign a = {{(TBits-2){x_q[0][N+1]}}, x_q[0]};
    assign b = {{(TBits-4){x_q[1][N+1]}}, x_q[1], {2{negative_q[1]}}};

    for (genvar i = 0; i < N; i++) begin : gen_piece
      if (i == 0 || CutsE[i]) begin : gen_begin
        localparam int End  = piece_end(i, CutsE) == N ? NE : piece_end(i, CutsE);
        localparam int Bits = End - i;

        logic            carry_in;
        logic [Bits+1:0] sum;

        if (i == 0) begin : gen_low
          assign carry_in = negative_q[0];
        end else begin : gen_saved
          assign carry_in = c_q[Ages-3][i-Group];
        end

        // The carry enters through a bit of its own below the sum: one chain, though Yosys shortens a and b at the top.
        assign sum = {1'b0, a[End-1:i], 1'b1} + {1'b0, b[End-1:i], carry_in};

        always_ff @(posedge clk_i) e_q[End-1:i] <= sum[Bits:1];

        logic unused_bits;
        assign unused_bits = ^sum;

        if (End < NE) begin : gen_carry
          assign carry[End] = sum[Bits+1];
        end else begin : gen_end
          assign carry[0] = 1'b0;
        end
      end
      if (i > 0 && !CutsE[i]) begin : gen_none
        assign carry[i] = 1'b0;
      end
    end
    assign carry[N] = 1'b0;

    always_ff @(posedge clk_i) begin
      carry_q <= carry;
      low_q   <= negative_q[1];
    end

    assign e       = e_q;
    assign e_low   = low_q;
    assign e_carry = carry_q;
  end

  // ---- E and T, and S

  logic [NE-1:0]   t, f_q;
  logic [N:0]      f_carry, s_carry;
  logic [N-1:0]    s_q, s_next;
  logic [N+K-1:0]  shifted;
  logic            low_q;

  assign shifted = {s_q, {K{1'b0}}};

  for (genvar i = 0; i < N; i++) begin : gen_piece
    if (i == 0 || Cuts[i]) begin : gen_begin
      localparam int End   = piece_end(i, Cuts);
      localparam int EEnd  = End == N ? NE : End;
      localparam int First = t_begin(i, End);
      localparam int Bits  = End - i;

      logic          carry_in;
      logic [Bits:0] sum;

      if (First > i) begin : gen_copy
        always_ff @(posedge clk_i) f_q[First-1:i] <= e[First-1:i];
      end
      if (First < EEnd) begin : gen_add
        localparam int FBits = EEnd - First;
        logic [FBits:0] f_sum;
        logic           f_top_q;

        assign f_sum = {1'b0, e[EEnd-1:First]} + {1'b0, t[EEnd-1:First]};

        always_ff @(posedge clk_i) begin
          f_q[EEnd-1:First] <= f_sum[FBits-1:0];
          f_top_q           <= f_sum[FBits];
        end

        assign f_carry[End] = f_top_q & (End < N);
      end else begin : gen_no_carry
        assign f_carry[End] = 1'b0;
      end

      // At most one of these carries arrives at any place.
      if (i == 0) begin : gen_low
        assign carry_in = low_q;
      end else if (Rows == 1) begin : gen_saved
        assign carry_in = e_carry[i] | f_carry[i];
      end else begin : gen_late
        logic e_carry_q;
        always_ff @(posedge clk_i) e_carry_q <= e_carry[i];
        assign carry_in = e_carry_q | f_carry[i];
      end

      assign sum             = {1'b0, shifted[End-1:i]} + {1'b0, f_q[End-1:i]} + (Bits+1)'(carry_in);
      assign s_next[End-1:i] = sum[Bits-1:0];
      assign s_carry[End]    = sum[Bits];
    end
    if (i == 0 || !Cuts[i]) begin : gen_none
      assign s_carry[i]   = 1'b0;
      assign f_carry[i] = 1'b0;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{e_carry, f_carry, t};

  // ---- what is pushed out

  logic [TBits-1:0] high_q;
  logic [TBits-1:0] pushed_q;
  logic             crossing;

  if (N > Group) begin : gen_crossing
    assign crossing = c_q[Ages-1][N-Group];
  end else begin : gen_no_crossing
    assign crossing = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    low_q    <= e_low;
    pushed_q <= high_q + TBits'(c_q[0][N]) + TBits'(Offset);
    if (idle_i) begin
      s_q    <= Start;
      c_q    <= '0;
      high_q <= '0;
    end else begin
      s_q    <= s_next;
      c_q    <= (Ages*(N+1))'({c_q, s_carry});
      high_q <= TBits'(shifted[N+K-1:N]) + f_q[NE-1:N] + TBits'(crossing);
    end
  end

  for (genvar j = 0; j < NE; j++) begin : gen_residue
    if (Touched[j]) begin : gen_bit
      localparam logic [(1<<TBits)-1:0] Column = column(j);
      logic t_q;
      always_ff @(posedge clk_i) t_q <= Column[pushed_q];
      assign t[j] = t_q;
    end else if (Meets[j]) begin : gen_carry
      assign t[j] = c_q[Ages-2][j-Group];
    end else begin : gen_zero
      assign t[j] = 1'b0;
    end
  end

  // ---- the carries, where they count after the last step

  for (genvar j = 0; j < N; j++) begin : gen_saved
    localparam int Below = N - (N - j + Group - 1) / Group * Group;  // the last cut, if there is one
    if (Below > 0 && (j - Below) % K == 0) begin : gen_carry
      assign c_o[j] = c_q[(j-Below)/K][Below];
    end else begin : gen_zero
      assign c_o[j] = 1'b0;
    end
  end

  assign s_o = s_q;
  assign t_o = pushed_q;

endmodule

`default_nettype wire
