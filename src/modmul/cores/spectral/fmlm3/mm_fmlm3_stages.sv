// SPDX-License-Identifier: Apache-2.0
//
// mm_fmlm3_stages: control of the FFT/FFT^-1 unit (Dai et al., Section 5.1 and equations 7 to 9): constant
// geometry, P = 2^LogP digits, stage j = 0 ... LogP-1 reads x_2n, x_2n+1 and writes x_n, x_n+P/2, n = 0 ... P/2-1.
//
//   stage         butterflies a cycle   cycles
//   0 ... LogP-2   2^LogN               max(P/2N, P/4N + Delay), N = 2^LogN
//   last, CT/NCT   2^LogN               P/2N + Delay - 1
//   last, inverse  1                    P/2 + Delay - 1, and what the Final Stage Operators take
//
// A stage may begin before the previous one has ended: its step n reads what steps 2n and 2n+1 of that one write.
// Delay is the number of cycles from a read until the result can be read.
//
// Exponents (equations 7 to 9 and 24) are in units of Grain bits: w is 2 units, or 1 with Root2 (c = 1/2).
//   CT      e1 = -w-part
//   NCT     e1 = -w-part + J/2 powers of w; in the last stage with Root2: Bits/4 units and sqrt(2) in the supplement
//   CT^-1   e1 = w-part
//   NCT^-1  e1 = w-part; in the last stage times A^-n, and e0 = A^-n
// where w-part is floor(n/J)*J powers of w, J = 2^(LogP-1-j).
//
`default_nettype none

module mm_fmlm3_stages #(
  parameter int LogP  = 6,
  parameter int LogN  = 1,
  parameter int Root2 = 0,
  parameter int Delay = 7,
  // Derived, not to be set.
  parameter int Levels    = Root2 > 0 ? LogP - 1 : LogP,
  parameter int StepBits  = LogP - 1,
  parameter int StageBits = $clog2(LogP)
) (
  input  wire                             clk_i,
  input  wire                             rst_ni,
  input  wire                             run_i,       // low for at least one cycle, or restart_i, before a transform
  input  wire                             restart_i,
  input  wire                             inverse_i,
  input  wire                             nega_i,      // NCT or NCT^-1
  // The read, now.
  output logic [1:0]                      read_region_o,
  output logic [StepBits-1:0]             read_step_o,
  // One cycle after it.
  output logic [StepBits-1:0]             switch_step_o,
  // Two cycles after it.
  output logic [(Levels+1)*(1<<LogN)-1:0] e1_o,
  output logic [Levels:0]                 e0_o,
  output logic [1:0]                      root_o,
  // When the result is to be written: Delay - 1 cycles after it, and a cycle before that.
  output logic                            plain_o,
  output logic                            write_o,
  output logic                            write_last_o,
  output logic                            write_odd_o,
  output logic [StepBits-1:0]             write_step_o
);

  localparam int N        = 1 << LogN;
  localparam int Exp      = Levels + 1;       // bits of an exponent
  localparam int P        = 1 << LogP;
  localparam int Steps    = P / (2 * N);
  localparam int Overlap  = P / (4 * N) + Delay;
  localparam int Stage    = Steps > Overlap ? Steps : Overlap;
  localparam int MaxCount = (P / 2 > Stage) ? P / 2 : Stage;
  localparam int CountBits = $clog2(MaxCount + 1);
  localparam int Quarter   = Root2 > 0 ? P / 8 : 0;   // Bits / 4
  localparam logic [StageBits-1:0] LastStage = StageBits'(LogP - 1);
  localparam logic [CountBits-1:0] LastCount = CountBits'(Stage - 1);

  logic [StageBits-1:0] stage_q;
  logic [CountBits-1:0] count_q;
  logic                 last, slow, valid;
  logic [StepBits-1:0]  step;

  assign last  = stage_q == LastStage;
  assign slow  = last & inverse_i;
  assign valid = run_i & (slow ? count_q < CountBits'(P / 2) : count_q < CountBits'(Steps));
  assign step  = slow ? StepBits'(count_q) : StepBits'(count_q << LogN);
  assign read_region_o = (stage_q == '0) ? 2'd0 : {~stage_q[0], stage_q[0]};
  assign read_step_o   = step;

  always_ff @(posedge clk_i) begin
    if (!run_i || restart_i) begin
      stage_q <= '0;
      count_q <= '0;
    end else if (!last && count_q == LastCount) begin
      stage_q <= stage_q + 1'b1;
      count_q <= '0;
    end else if (valid || !last) begin
      count_q <= count_q + 1'b1;
    end
  end

  // What goes along with the digits: valid, last, odd stage, step.
  localparam int Info = StepBits + 2;
  logic [Delay-1:1][Info-1:0] along_q;

  logic [Delay-1:1]           valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Delay-2:1], valid};
  end

  always_ff @(posedge clk_i) begin
    along_q[1] <= {last, stage_q[0], step};
    for (int k = 2; k < Delay; k++) along_q[k] <= along_q[k-1];
  end

  assign {write_last_o, write_odd_o, write_step_o} = along_q[Delay-1];
  assign write_o       = valid_q[Delay-1];
  assign plain_o       = along_q[Delay-2][StepBits+1] & ~inverse_i;
  assign switch_step_o = along_q[1][StepBits-1:0];

  // Exponents, from the registers of the cycle after the read.
  logic [StageBits-1:0]                   stage_at_q;
  logic                                   last_at;
  logic [StepBits-1:0]                    first;      // n of the first butterfly
  logic [LogP-1:0]                        j_power, j_less;    // J, J - 1
  logic                                   unused_less;
  logic [StepBits-1:0]                    mask;
  logic [Levels:0]                        half, e0;
  logic [N-1:0][Levels:0]                 e1;
  logic                                   final_at;   // last stage of NCT^-1

  always_ff @(posedge clk_i) stage_at_q <= stage_q;

  assign last_at  = stage_at_q == LastStage;
  assign first    = along_q[1][StepBits-1:0];
  assign j_power  = LogP'(1) << (LastStage - stage_at_q);
  assign j_less   = j_power - 1'b1;
  assign mask     = ~j_less[StepBits-1:0];
  assign unused_less = j_less[LogP-1];
  assign final_at = last_at & inverse_i & nega_i;

  if (Root2 > 0) begin : gen_root2
    // Powers of w are units; J / 2 of them, or sqrt(2) = 2^(Bits/4) * supplement.
    assign half = last_at ? Exp'(Quarter) : Exp'(j_power >> 1);

    for (genvar k = 0; k < N; k++) begin : gen_exponent
      logic [StepBits-1:0] n, part;
      logic [Levels:0]     power;

      assign n     = first | StepBits'(k);
      assign part  = n & mask;
      assign power = Exp'(part);
      assign e1[k] = final_at  ? Exp'(n >> 1) + (n[0] ? Exp'(Quarter) : '0) :
                     inverse_i ? power : (nega_i ? half : '0) - power;
    end

    logic [Levels:0] up;

    assign up = Exp'(first >> 1) + Exp'(first[0]);
    assign e0 = ~final_at ? '0 : (first[0] ? Exp'(Quarter) : '0) - up;

    always_ff @(posedge clk_i) begin
      root_o <= {last_at & nega_i & (~inverse_i | first[0]), final_at & first[0]};
    end
  end else begin : gen_power
    // Powers of w are two units each; J / 2 of them are J units.
    assign half = Exp'(j_power);

    for (genvar k = 0; k < N; k++) begin : gen_exponent
      logic [StepBits-1:0] n, part;
      logic [Levels:0]     power;

      assign n     = first | StepBits'(k);
      assign part  = n & mask;
      assign power = Exp'({part, 1'b0});
      assign e1[k] = final_at  ? Exp'(n) :
                     inverse_i ? power : (nega_i ? half : '0) - power;
    end

    assign e0     = final_at ? Exp'(0) - Exp'(first) : '0;
    assign root_o = 2'b00;
  end

  always_ff @(posedge clk_i) begin
    e1_o <= e1;
    e0_o <= e0;
  end

endmodule

`default_nettype wire
