// SPDX-License-Identifier: Apache-2.0
//
// mm_montgomery_dsp_schedule: tells the parts of mm_montgomery_dsp when to do what: each output is high a fixed number
// of cycles after the start of an operation or after its last step.
//
`default_nettype none

module mm_montgomery_dsp_schedule #(
  parameter int Groups = 1,
  parameter int Delay  = 4,
  parameter int Behind = 4,
  parameter int Steps  = 15,
  parameter int XFan   = 0,
  parameter int QWait  = 0,
  parameter int Mul    = 3,    // cycles of a product
  parameter int ToSum  = 12,   // from ending_i to the first group of V
  parameter int ToQ    = 10,   // to Q
  parameter int KAddr  = 3
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              start_i,    // the cycle before the first step
  input  wire              first_i,    // the first group of a step
  input  wire              ending_i,   // the last cycle but one of the last step
  // Steps 3 and 4: for the row.
  output logic [KAddr-1:0] k_addr_o,
  output logic             blank_o,
  output logic             fresh_o,
  output logic             v_clear_o,
  output logic             v_later_o,
  // Steps 5 to 7.
  output logic             q_start_o,
  output logic             v_there_o,  // a cycle ahead of the first group of V
  output logic             convert_o
);

  localparam bit Fold   = Groups > 1;
  localparam int ToV    = 2 + XFan;                       // from the last cycle but one of a run to step 4
  localparam int VClear = ToV + Mul + 3 + (Fold ? 1 : 0) - Groups;

  // ---- steps 3 and 4: K is read a cycle before the digits are at the blocks, the address a cycle earlier

  logic drain, k_sync;

  if (Delay > 0) begin : gen_drain
    logic begins, goes_on;

    mm_delay #(
      .Bits(1), .Cycles(XFan)
    ) u_begins (
      .clk_i, .d_i(ending_i), .q_o(begins)
    );

    mm_window #(
      .Start(1), .Length((Delay + 1) * Groups - 1)
    ) u_drain (
      .clk_i, .rst_ni, .pulse_i(begins), .on_o(goes_on)
    );

    assign drain = begins | goes_on;
  end else begin : gen_none
    assign drain = 1'b0;
  end

  if (Fold) begin : gen_k_sync
    mm_delay #(
      .Bits(1), .Cycles(Groups + XFan - 2)
    ) u_k_sync (
      .clk_i, .d_i(first_i), .q_o(k_sync)
    );
  end else begin : gen_k_one
    logic unused_first;
    assign unused_first = first_i;
    assign k_sync       = 1'b1;
  end

  mm_window #(
    .Start(XFan + Mul + 2 + Behind + Groups), .Length((Steps - Delay - 1) * Groups), .On(1'b0)
  ) u_blank (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(blank_o)
  );

  mm_window #(
    .Start(XFan + Mul + 1), .Length(Groups)
  ) u_fresh (
    .clk_i, .rst_ni, .pulse_i(start_i), .on_o(fresh_o)
  );

  mm_window #(
    .Start(VClear > 1 ? VClear : 1), .Length(Groups)
  ) u_v_clear (
    .clk_i, .rst_ni, .pulse_i(ending_i), .on_o(v_clear_o)
  );

  mm_window #(
    .Start(ToV + Mul + 2), .Length(Groups), .On(1'b0)
  ) u_v_later (
    .clk_i, .rst_ni, .pulse_i(ending_i), .on_o(v_later_o)
  );

  always_ff @(posedge clk_i) begin
    if (k_sync && !drain) k_addr_o <= '0;
    else                  k_addr_o <= k_addr_o + 1'b1;
  end

  // ---- steps 5 to 7

  mm_delay #(
    .Bits(1), .Cycles(XFan + QWait)
  ) u_q_start (
    .clk_i, .d_i(ending_i), .q_o(q_start_o)
  );

  mm_window #(
    .Start(ToQ - 3), .Length(1)
  ) u_convert (
    .clk_i, .rst_ni, .pulse_i(ending_i), .on_o(convert_o)
  );

  mm_window #(
    .Start(ToSum - 1), .Length(1)
  ) u_v_there (
    .clk_i, .rst_ni, .pulse_i(ending_i), .on_o(v_there_o)
  );

endmodule

`default_nettype wire
