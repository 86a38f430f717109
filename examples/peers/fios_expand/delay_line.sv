// SPDX-License-Identifier: Apache-2.0
//
// delay_line: a word, DELAY cycles later. Ours, with the name, parameters and ports that FIOS_DSP_MM instantiates:
// theirs assigns a register with = and with <=, which the front end of synthesis refuses.
//
`default_nettype none

module delay_line #(
  parameter int WIDTH = 17,
  parameter int DELAY = 2
) (
  input  wire              clock_i,
  input  wire              reset_i,
  input  wire              en_i,
  input  wire  [WIDTH-1:0] data_i,
  output logic [WIDTH-1:0] data_o
);

  if (DELAY == 0) begin : gen_none
    logic unused;
    assign unused = ^{clock_i, reset_i, en_i};
    assign data_o = data_i;
  end else begin : gen_delay
    logic [DELAY-1:0][WIDTH-1:0] words_q;

    always_ff @(posedge clock_i) begin
      if (reset_i)   words_q <= '0;
      else if (en_i) words_q <= (DELAY * WIDTH)'({words_q, data_i});
    end

    assign data_o = words_q[DELAY-1];
  end

endmodule

`default_nettype wire
