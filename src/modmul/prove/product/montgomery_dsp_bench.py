# SPDX-License-Identifier: Apache-2.0
"""What a bench remembers of the ports of a core whose operations overlap: the context, and any one of them.

Several operations overlap. The input ``pick_i``, of which the core knows nothing, chooses one of them with
its first words. For any operation of any run there is the same run in which it alone is chosen; so what is
proven of that one is proven of all. The bench keeps its operands, counts the operations whose results go out
before its own, and takes the words of its result.
"""

from __future__ import annotations

from collections.abc import Sequence

from modmul.prove.product.serial import COUNT, TOP, instance, ports
from modmul.room import Build

__all__ = ["COUNT_BITS", "bench"]

COUNT_BITS = 3
"""Bits in which operations are counted: at most one waits and four are under way."""


def bench(build: Build, beats_of_context: int, header: Sequence[int] = (), either: int = 0) -> str:
    """The text of the bench, with the core as ``core``.

    With the beats of a header, ``fit`` falls with the first context since a reset that begins with others;
    bits of the first beat may be any that are set in ``either``. ``followed`` says that an operation has been
    chosen whose result has not left, ``coming`` that some of its words have come, and not all; ``given`` is
    high in the cycle after its result has left.
    """
    config = build.config
    beats, word = config.beats, config.word
    controls = "".join(f"  input  wire {each.name},\n" for each in build.core.interface.controls)
    told = ["ctx_data_i" for _ in header]
    if either:
        told[0] = f"(ctx_data_i & ~{word}'({either}))"
    fits = " || ".join(
        f"(ctx_at == {COUNT}'({k}) && {of} != {word}'({beat}))"
        for k, (of, beat) in enumerate(zip(told, header, strict=True))
    )
    more = "  output logic fit,\n" if header else ""
    fit = (
        f"""
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fit <= 1'b1;
    else if (ctx_take && ({fits})) fit <= 1'b0;
  end
"""
        if header
        else ""
    )
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(word)}
  input  wire pick_i,
{controls}{more}  output logic [{beats_of_context * word - 1}:0] ctx, output logic [{beats * word - 1}:0] x,
  output logic [{beats * word - 1}:0] y, output logic [{beats * word - 1}:0] z,
  output logic [{COUNT - 1}:0] ctx_at, output logic [{COUNT - 1}:0] in_at,
  output logic [{COUNT - 1}:0] out_at,
  output logic [{COUNT_BITS - 1}:0] count, output logic [{COUNT_BITS - 1}:0] ahead,
  output logic whole, output logic followed, output logic coming, output logic given, output logic choose
);

  localparam int Word  = {word};
  localparam logic [{COUNT - 1}:0] Last    = {COUNT}'({beats - 1});
  localparam logic [{COUNT - 1}:0] CtxLast = {COUNT}'({beats_of_context - 1});

{instance(build)}

  logic ctx_take, in_take, out_take, came, left, mine;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign came     = in_take && in_at == Last;
  assign left     = out_take && out_at == Last;
  assign choose   = in_take && in_at == '0 && pick_i && !followed;
  assign mine     = choose || coming;

  for (genvar k = 0; k < {beats_of_context}; k++) begin : gen_context
    always_ff @(posedge clk_i) if (ctx_take && ctx_at == {COUNT}'(k)) ctx[k*Word+:Word] <= ctx_data_i;
  end

  for (genvar k = 0; k < {beats}; k++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (in_take && mine && in_at == {COUNT}'(k)) x[k*Word+:Word] <= x_i;
      if (in_take && mine && in_at == {COUNT}'(k)) y[k*Word+:Word] <= y_i;
      if (out_take && out_at == {COUNT}'(k)) z[k*Word+:Word] <= z_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (choose)    ahead <= count - {COUNT_BITS}'(left);
    else if (left) ahead <= ahead - 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{ctx_at, in_at, out_at}} <= '0;
      {{count, whole, followed, coming, given}} <= '0;
    end else begin
      if (ctx_take) whole <= ctx_at == CtxLast;
      if (ctx_take) ctx_at <= ctx_at == CtxLast ? '0 : ctx_at + 1'b1;
      if (in_take) in_at <= in_at == Last ? '0 : in_at + 1'b1;
      if (out_take) out_at <= out_at == Last ? '0 : out_at + 1'b1;
      count <= count + {COUNT_BITS}'(came) - {COUNT_BITS}'(left);
      if (choose) {{followed, coming}} <= 2'b11;
      else begin
        if (came) coming <= 1'b0;
        if (left && !coming && ahead == '0) followed <= 1'b0;
      end
      given <= left && followed && !coming && ahead == '0;
    end
  end
{fit}
endmodule

`default_nettype wire
"""
