# SPDX-License-Identifier: Apache-2.0
"""What crosses the ports of a core that is loaded and unloaded word by word, remembered by a bench around it.

The bench sees the ports alone. It keeps the last modulus m, the last operands x and y, and the words z of the
last result; ``given`` is high in the cycle after the last of these was taken. What a proof says of m, x, y
and z in such a cycle is therefore said of the ports.
"""

from __future__ import annotations

from modmul.room import Build

__all__ = ["COUNT", "TOP", "bench", "instance", "ports"]

TOP = "proof"

COUNT = 8
"""Bits in which beats are counted."""


def ports(word: int) -> str:
    """Those of the port list, of words of so many bits."""
    return f"""  input  wire clk_i, input wire rst_ni,
  input  wire ctx_valid_i, output logic ctx_ready_o, output logic ctx_error_o,
  input  wire in_valid_i, output logic in_ready_o, output logic out_valid_o, input wire out_ready_i,
  input  wire [{word - 1}:0] ctx_data_i, input wire [{word - 1}:0] x_i, input wire [{word - 1}:0] y_i,
  output logic [{word - 1}:0] z_o,"""


def instance(build: Build) -> str:
    """The core, with ports of the same names."""
    settings = ", ".join(f".{name}({value})" for name, value in build.design.settings.items())
    controls = "".join(f".{control.name}, " for control in build.core.interface.controls)
    return f"""  {build.design.top} #({settings}) core (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .x_i,
    .y_i, {controls}.out_valid_o, .out_ready_i, .z_o );"""


def bench(build: Build) -> str:
    """The text of the bench, with the core as ``core``.

    Raises:
        ValueError: words do not fill the operands, or there are too many.
    """
    config = build.config
    beats, word = config.beats, config.word
    if beats * word != config.bits:
        raise ValueError(f"{build}: the proof is written for operands of whole words")
    if beats + 2 >= 1 << COUNT:
        raise ValueError(f"{build}: the bench counts at most {(1 << COUNT) - 3} words")
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(word)}
  output logic [{beats * word - 1}:0] m, output logic [{beats * word - 1}:0] x,
  output logic [{beats * word - 1}:0] y, output logic [{beats * word - 1}:0] z,
  output logic [{COUNT - 1}:0] m_at, output logic [{COUNT - 1}:0] in_at, output logic [{COUNT - 1}:0] out_at,
  output logic whole, output logic given
);

  localparam int Word  = {word};
  localparam int Beats = {beats};
  localparam logic [{COUNT - 1}:0] Last = {COUNT}'(Beats - 1);

{instance(build)}

  logic ctx_take, in_take, out_take;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;

  for (genvar k = 0; k < Beats; k++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (ctx_take && m_at == {COUNT}'(k)) m[k*Word+:Word] <= ctx_data_i;
      if (in_take && in_at == {COUNT}'(k)) x[k*Word+:Word] <= x_i;
      if (in_take && in_at == {COUNT}'(k)) y[k*Word+:Word] <= y_i;
      if (out_take && out_at == {COUNT}'(k)) z[k*Word+:Word] <= z_o;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{m_at, in_at, out_at}} <= '0;
      {{whole, given}} <= '0;
    end else begin
      given <= out_take && out_at == Last;
      if (ctx_take) whole <= m_at == Last;
      if (ctx_take) m_at <= m_at == Last ? '0 : m_at + 1'b1;
      if (in_take) in_at <= in_at == Last ? '0 : in_at + 1'b1;
      if (out_take) out_at <= out_at == Last ? '0 : out_at + 1'b1;
    end
  end

endmodule

`default_nettype wire
"""
