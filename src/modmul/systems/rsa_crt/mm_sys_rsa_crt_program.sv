// SPDX-License-Identifier: Apache-2.0
//
// mm_sys_rsa_crt_program: the program of mm_sys_rsa_crt, a table of rows, and the addresses of its numbers in memory.
//
// RSA works modulo p and modulo q in parallel; half 0 is what belongs to p, half 1 what belongs to q. A row is one
// operation on the numbers a and b of a half, with the result d. It takes one to three passes over their words:
//   LONG, SHORT  the half's engine gets its context, for exponents of n + Blind bits or for e
//   MUL, POW     the half's engine gets a and b, for a b mod p or a^b mod p
//   GET          d = what the engine gives, less p if it is not below p
//   MOD          d = a mod p               for a < 2 p
//   SUM          d = a + b mod p           for a, b < p, d another number than b
//   DIF          d = a - b mod p           for a, b < p
//   ADD          d = a + b
//   ZERO         d = 0, and a loop begins over the words of a multiplier, from the highest on
//   BITS         a word of the multiplier a is fetched
//   STEP         d = 4 d + t b, t the next two bits of the multiplier, or 2 d + t b with one; until no bit is left
//   SAME         whether a = b
//   TEST         goes to row Wipe unless it was
//   PUT          a leaves as the result, the program ends
//   STOP         the program ends without a result
// A row marked "each" is carried out for half 0 and then for half 1. With two engines the halves take turns row by row,
// so that both engines work at the same time; with one, a whole stretch of rows is done for half 0 first.
//
`default_nettype none

module mm_sys_rsa_crt_program #(
  parameter int Beats         = 1,  // of an operand of the core
  parameter int HalfBeats     = 1,  // of n bits
  parameter int HeadBeats     = 1,
  parameter int CoreBeats     = 1,
  parameter int ExponentBeats = 1,
  parameter int Blind         = 64,
  parameter int BlindMessage  = 1,
  parameter int Check         = 1,
  parameter int Engines       = 2,
  // Derived, not to be set. The key of a half, as it comes in the context; then what is computed.
  parameter int AtP       = 0,
  parameter int AtD       = AtP + Beats,
  parameter int AtT       = AtD + Beats,
  parameter int AtA       = AtT + Beats,
  parameter int AtB       = AtA + BlindMessage * Beats,
  parameter int AtLong    = AtB + BlindMessage * Beats,
  parameter int AtShort   = AtLong + Check * HeadBeats,
  parameter int AtCore    = AtShort + HeadBeats,
  parameter int AtX       = AtCore + CoreBeats + 2 * Beats,
  parameter int AtY       = AtX + Beats,
  parameter int AtC       = AtY + Beats,
  parameter int AtE       = AtC + Beats,
  parameter int HalfWords = AtE + ExponentBeats,
  // After both halves: what they share.
  parameter int AtInverse = 2 * HalfWords,
  parameter int AtPublic  = AtInverse + Beats,
  parameter int AtInput   = AtPublic + Check * Beats,
  parameter int AtResult  = AtInput + 2 * HalfBeats,
  parameter int Depth     = AtResult + 2 * HalfBeats,
  parameter int AddrBits  = $clog2(Depth)
) (
  input  wire  [5:0]          row_i,
  input  wire  [1:0]          pass_i,
  input  wire                 half_i,
  // The row after this one, when its last pass has begun.
  output logic                more_o,   // another pass of this row comes first
  output logic                each_o,   // a stretch of both halves ends here
  output logic [5:0]          first_o,  // its first row
  // This pass.
  output logic [AddrBits-1:0] a_addr_o,
  output logic [AddrBits-1:0] b_addr_o,
  output logic [AddrBits-1:0] d_addr_o,
  output logic [AddrBits-1:0] a_last_o,  // words of a number, less 1; beyond them it is 0
  output logic [AddrBits-1:0] b_last_o,
  output logic [AddrBits-1:0] d_last_o,
  output logic                idle_o,    // nothing to do
  output logic                alu_o,     // d = what the rest of these say of a and b
  output logic                no_a_o,    // a = 0
  output logic                no_b_o,    // b = 0
  output logic                minus_o,   // a - b
  output logic                fix_o,     // b only if the pass before was below 0
  output logic                step_o,    // by the bits of the multiplier
  output logic                even_o,    // bit 0 of b is 0
  output logic                zero_o,    // a loop begins
  output logic                bits_o,
  output logic                random_o,  // the multiplier is the random number, not a; d is the exponent
  output logic                same_o,
  output logic                give_o,    // to the engine
  output logic                power_o,
  output logic                load_o,
  output logic                long_o,
  output logic                get_o,
  output logic                test_o,
  output logic                put_o,
  output logic                stop_o
);

  localparam logic [5:0] Wipe = 6'd46;

  localparam logic [3:0] IDLE  = 4'd0;
  localparam logic [3:0] LONG  = 4'd1;
  localparam logic [3:0] SHORT = 4'd2;
  localparam logic [3:0] MUL   = 4'd3;
  localparam logic [3:0] POW   = 4'd4;
  localparam logic [3:0] GET   = 4'd5;
  localparam logic [3:0] MOD   = 4'd6;
  localparam logic [3:0] SUM   = 4'd7;
  localparam logic [3:0] DIF   = 4'd8;
  localparam logic [3:0] ADD   = 4'd9;
  localparam logic [3:0] ZERO  = 4'd10;
  localparam logic [3:0] BITS  = 4'd11;
  localparam logic [3:0] STEP  = 4'd12;
  localparam logic [3:0] SAME  = 4'd13;
  localparam logic [3:0] TEST  = 4'd14;
  localparam logic [3:0] PUT   = 4'd15;

  // Of the half: P modulus, D exponent, T = 2^n mod p, A and B the pair that blinds, X, Y, C, E computed.
  localparam logic [4:0] P  = 5'd0;
  localparam logic [4:0] D  = 5'd1;
  localparam logic [4:0] T  = 5'd2;
  localparam logic [4:0] A  = 5'd3;
  localparam logic [4:0] B  = 5'd4;
  localparam logic [4:0] X  = 5'd5;
  localparam logic [4:0] Y  = 5'd6;
  localparam logic [4:0] C  = 5'd7;
  localparam logic [4:0] E  = 5'd8;
  localparam logic [4:0] H  = 5'd9;   // the headers
  // Of both: q and X of q, 1/q mod p, e, the operand and the result, and the lower and upper n bits of these.
  localparam logic [4:0] PQ = 5'd10;
  localparam logic [4:0] XQ = 5'd11;
  localparam logic [4:0] I  = 5'd12;
  localparam logic [4:0] F  = 5'd13;
  localparam logic [4:0] NL = 5'd14;
  localparam logic [4:0] NH = 5'd15;
  localparam logic [4:0] SL = 5'd16;
  localparam logic [4:0] SH = 5'd17;
  localparam logic [4:0] S  = 5'd18;

  localparam bit Mask = BlindMessage == 1;
  localparam bit Test = Check == 1;
  localparam bit Load = (Engines == 1) || Test;

  logic [3:0] op;
  logic [4:0] a, b, d, a_at, b_at, d_at;
  logic       run;

  // ---------------------------------------------------------------- the rows; steps of mm_sys_rsa_crt
  always_comb begin
    run = 1'b1;
    {op, a, b, d} = {IDLE, P, P, P};
    case (row_i)
      6'd0:    begin {op, a, b, d} = {LONG, H, P, P};     run = Load;       end
      6'd1:    begin {op, a, b, d} = {MOD, NH, P, Y};                       end  // step 2
      6'd2:    begin {op, a, b, d} = {MUL, Y, T, P};                        end
      6'd3:    begin {op, a, b, d} = {MOD, NL, P, C};                       end
      6'd4:    begin {op, a, b, d} = {ZERO, P, P, E};                       end  // step 4
      6'd5:    begin {op, a, b, d} = {BITS, P, P, E};     run = Blind > 0;  end
      6'd6:    begin {op, a, b, d} = {STEP, E, P, E};     run = Blind > 0;  end
      6'd7:    begin {op, a, b, d} = {ADD, E, D, E};                        end
      6'd8:    begin {op, a, b, d} = {GET, X, P, X};                        end  // step 2
      6'd9:    begin {op, a, b, d} = {SUM, X, C, X};                        end
      6'd10:   begin {op, a, b, d} = {MUL, X, A, P};      run = Mask;       end  // step 3
      6'd11:   begin {op, a, b, d} = {GET, X, P, X};      run = Mask;       end
      6'd12:   begin {op, a, b, d} = {POW, X, E, P};                        end  // step 5
      6'd13:   begin {op, a, b, d} = {GET, X, P, X};                        end
      6'd14:   begin {op, a, b, d} = {MUL, X, B, P};      run = Mask;       end  // step 6
      6'd15:   begin {op, a, b, d} = {GET, X, P, X};      run = Mask;       end
      6'd16:   begin {op, a, b, d} = {MUL, A, A, P};      run = Mask;       end  // step 7
      6'd17:   begin {op, a, b, d} = {GET, A, P, A};      run = Mask;       end
      6'd18:   begin {op, a, b, d} = {MUL, B, B, P};      run = Mask;       end
      6'd19:   begin {op, a, b, d} = {GET, B, P, B};      run = Mask;       end
      6'd20:   begin {op, a, b, d} = {LONG, H, P, P};     run = Engines == 1; end
      6'd21:   begin {op, a, b, d} = {MOD, XQ, P, Y};                       end  // step 8
      6'd22:   begin {op, a, b, d} = {DIF, X, Y, Y};                        end
      6'd23:   begin {op, a, b, d} = {MUL, Y, I, P};                        end
      6'd24:   begin {op, a, b, d} = {GET, Y, P, Y};                        end
      6'd25:   begin {op, a, b, d} = {ZERO, P, P, S};                       end  // step 9
      6'd26:   begin {op, a, b, d} = {BITS, Y, P, S};                       end
      6'd27:   begin {op, a, b, d} = {STEP, S, PQ, S};                      end
      6'd28:   begin {op, a, b, d} = {ADD, S, XQ, S};                       end
      6'd29:   begin {op, a, b, d} = {SHORT, H, P, P};    run = Test;       end
      6'd30:   begin {op, a, b, d} = {MOD, SH, P, Y};     run = Test;       end  // step 10
      6'd31:   begin {op, a, b, d} = {MUL, Y, T, P};      run = Test;       end
      6'd32:   begin {op, a, b, d} = {MOD, SL, P, C};     run = Test;       end
      6'd33:   begin {op, a, b, d} = {GET, X, P, X};      run = Test;       end
      6'd34:   begin {op, a, b, d} = {SUM, X, C, X};      run = Test;       end
      6'd35:   begin {op, a, b, d} = {POW, X, F, P};      run = Test;       end
      6'd36:   begin {op, a, b, d} = {MOD, NH, P, Y};     run = Test;       end  // step 11
      6'd37:   begin {op, a, b, d} = {MOD, NL, P, C};     run = Test;       end
      6'd38:   begin {op, a, b, d} = {GET, X, P, X};      run = Test;       end
      6'd39:   begin {op, a, b, d} = {MUL, Y, T, P};      run = Test;       end
      6'd40:   begin {op, a, b, d} = {GET, Y, P, Y};      run = Test;       end
      6'd41:   begin {op, a, b, d} = {SUM, Y, C, Y};      run = Test;       end
      6'd42:   begin {op, a, b, d} = {SAME, X, Y, X};     run = Test;       end
      6'd43:   begin {op, a, b, d} = {IDLE, P, P, P};                       end
      6'd44:   begin {op, a, b, d} = {TEST, P, P, P};     run = Test;       end
      6'd45:   begin {op, a, b, d} = {PUT, S, P, S};                        end  // step 12
      Wipe:    begin {op, a, b, d} = {ZERO, P, P, S};                       end  // step 13
      6'd47:   begin {op, a, b, d} = {ZERO, P, P, X};                       end
      6'd48:   begin {op, a, b, d} = {ZERO, P, P, Y};                       end
      6'd49:   begin {op, a, b, d} = {ZERO, P, P, C};                       end
      6'd50:   begin {op, a, b, d} = {ZERO, P, P, E};                       end
      default: ;
    endcase
  end

  assign stop_o = row_i == 6'd51;

  // Which rows both halves have, and where their stretch begins.
  always_comb begin
    each_o  = 1'b0;
    first_o = row_i;
    if (row_i >= 6'd47) begin
      each_o = row_i < 6'd51;
    end else if (Engines == 1) begin
      each_o  = (row_i == 6'd19) | (row_i == 6'd42);
      first_o = row_i == 6'd19 ? 6'd0 : 6'd29;
    end else if ((row_i >= 6'd4) && (row_i <= 6'd7)) begin
      each_o  = row_i == 6'd7;
      first_o = 6'd4;
    end else begin
      each_o = (row_i <= 6'd19) | ((row_i >= 6'd29) & (row_i <= 6'd42));
    end
  end

  // ---------------------------------------------------------------- the passes of a row
  logic subtract, fixing;

  always_comb begin
    subtract = 1'b0;  // p
    fixing   = 1'b0;
    more_o   = 1'b0;
    case (op)
      MOD: begin
        subtract = pass_i == 2'd0;
        fixing   = pass_i == 2'd1;
        more_o   = pass_i == 2'd0;
      end
      SUM: begin
        subtract = pass_i == 2'd0;
        fixing   = pass_i == 2'd2;
        more_o   = pass_i != 2'd2;
      end
      DIF: begin
        fixing = pass_i == 2'd1;
        more_o = pass_i == 2'd0;
      end
      GET: begin
        subtract = pass_i == 2'd1;
        fixing   = pass_i == 2'd2;
        more_o   = pass_i != 2'd2;
      end
      default: ;
    endcase
    more_o = more_o & run;
  end

  assign a_at = pass_i == 2'd0 ? a : d;  // later passes go on from d
  assign b_at = subtract | fixing ? P : b;
  assign d_at = d;

  assign idle_o   = ~run | (op == IDLE) | (op == TEST);
  assign alu_o    = run & ((op == MOD) | (op == SUM) | (op == DIF) | (op == ADD) | (op == ZERO) | (op == STEP)
                  | ((op == GET) & (pass_i != 2'd0)));
  assign no_a_o   = op == ZERO;
  assign no_b_o   = op == ZERO;
  assign minus_o  = subtract | ((op == DIF) & (pass_i == 2'd0)) | (op == SAME);
  assign fix_o    = fixing;
  assign step_o   = run & (op == STEP);
  assign even_o   = (op == STEP) & (d == E);
  assign zero_o   = op == ZERO;
  assign bits_o   = run & (op == BITS);
  assign random_o = d == E;
  assign same_o   = run & (op == SAME);
  assign give_o   = run & ((op == MUL) | (op == POW));
  assign power_o  = op == POW;
  assign load_o   = run & ((op == LONG) | (op == SHORT));
  assign long_o   = op == LONG;
  assign get_o    = run & (op == GET) & (pass_i == 2'd0);
  assign test_o   = run & (op == TEST);
  assign put_o    = op == PUT;

  // ---------------------------------------------------------------- where the numbers are
  function automatic logic [AddrBits-1:0] place(input logic [4:0] of, input logic half, input logic long);
    logic [AddrBits-1:0] at;
    case (of)
      P, PQ:   at = AddrBits'(AtP);
      D:       at = AddrBits'(AtD);
      T:       at = AddrBits'(AtT);
      A:       at = AddrBits'(AtA);
      B:       at = AddrBits'(AtB);
      X, XQ:   at = AddrBits'(AtX);
      Y:       at = AddrBits'(AtY);
      C:       at = AddrBits'(AtC);
      E:       at = AddrBits'(AtE);
      H:       at = long ? AddrBits'(AtLong) : AddrBits'(AtShort);
      I:       at = AddrBits'(AtInverse);
      F:       at = AddrBits'(AtPublic);
      NL:      at = AddrBits'(AtInput);
      NH:      at = AddrBits'(AtInput + HalfBeats);
      SH:      at = AddrBits'(AtResult + HalfBeats);
      default: at = AddrBits'(AtResult);
    endcase
    place = (half & (of < PQ)) | (of == PQ) | (of == XQ) ? at + AddrBits'(HalfWords) : at;
  endfunction

  function automatic logic [AddrBits-1:0] last(input logic [4:0] of);
    case (of)
      E:              last = AddrBits'(ExponentBeats - 1);
      H:              last = AddrBits'(HeadBeats + CoreBeats + 2 * Beats - 1);
      NL, NH, SL, SH: last = AddrBits'(HalfBeats - 1);
      S:              last = AddrBits'(2 * HalfBeats - 1);
      default:        last = AddrBits'(Beats - 1);
    endcase
  endfunction

  assign a_addr_o = place(a_at, half_i, long_o);
  assign b_addr_o = place(b_at, half_i, 1'b0);
  assign d_addr_o = place(d_at, half_i, 1'b0);
  assign a_last_o = last(a_at);
  assign b_last_o = last(b_at);
  assign d_last_o = last(d_at);

endmodule

`default_nettype wire
