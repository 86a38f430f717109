# SPDX-License-Identifier: Apache-2.0
"""The port contract as hardware: a module that watches a core's ports and says when a rule is broken.

The text is made for one build from its description. It sees the ports alone, assumes nothing of whoever drives them,
and counts from the first reset on; a run in which a context begins with a header that the build does not know is
left alone from there to the next reset, since how many beats such a context has is up to the core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from modmul.core import Control
from modmul.design import CLOCK, Port
from modmul.prove.shapes import Ports, Shape, ports_of
from modmul.room import Build

__all__ = ["CONTRACT", "EQUAL", "TOP", "Rule", "watch_bench"]

TOP = "proof"
"""The module that holds the core and what watches it."""

PATIENCE = 4
"""Cycles that an idle core may let a context beat wait, besides ``Interface.context_wait``."""


@dataclass(frozen=True)
class Rule:
    """A rule of the contract.

    Attributes:
        name: in tables.
        meaning: for people.
        holds: in SystemVerilog, over the ports and what the watcher remembers.
    """

    name: str
    meaning: str
    holds: str


CONTRACT = (
    Rule(
        "held",
        "a result stays, and z_o with it, until it is taken",
        "!held_q || (out_valid_o && z_o == z_q)",
    ),
    Rule("answered", "a result comes only for operands that have come whole", "!out_valid_o || whole_q != 0"),
    Rule("in-flight", "at most `in_flight` operations are in flight", "flight_d <= Most"),
    Rule("closed", "no operands without a legal context, nor before t + 2", "!in_ready_o || open_q"),
    Rule(
        "open",
        "an idle core with a legal context takes operands from t + 2 on",
        "!(open_q && flight_q == 0 && !ctx_valid_i) || in_ready_o",
    ),
    Rule("context-first", "a waiting context goes before operands", "!(in_ready_o && ctx_valid_i) || in_at_q != 0"),
    Rule("context-alone", "no context while an operation is in flight", "!ctx_ready_o || flight_q == 0"),
    Rule("context-taken", "an idle core takes a context", "waits_q <= Patience"),
    Rule("error", "ctx_error_o is high from t + 2 on for an illegal context, else low", "ctx_error_o == error_q"),
    Rule("latency", "the first result of an operation alone comes after `latency`", "!late && !early"),
    Rule(
        "reset",
        "in reset there is no context, no operation, no error",
        "rst_ni || {ctx_ready_o, in_ready_o, out_valid_o, ctx_error_o} == 4'b1000",
    ),
)
"""The rules of docs/contract.md that the ports of one core can be held to, in the order of the outputs."""

EQUAL = ("ctx_ready_o", "in_ready_o", "out_valid_o", "ctx_error_o")
"""The ports that say when something happens."""


def _declared(ports: tuple[Port, ...], suffix: str = "") -> Iterator[str]:
    for port in ports:
        bits = f"[{port.bits - 1}:0] " if port.bits > 1 or port.name in ("ctx_data_i", "x_i", "y_i", "z_o") else ""
        yield f"  {'input  wire ' if port.is_input else 'output logic'} {bits}{port.name}{suffix}"


def _instance(build: Build, ports: tuple[Port, ...], name: str, renamed: Mapping[str, str]) -> str:
    settings = ", ".join(f".{key}({value})" for key, value in build.design.settings.items())
    wires = ", ".join(f".{port.name}({renamed.get(port.name, port.name)})" for port in ports)
    return f"  {build.design.top} #({settings}) {name} ({wires});"


def _table(name: str, bits: int, shapes: tuple[Shape, ...], value: str) -> str:
    """A constant of each kind of context, by its header."""
    if not shapes[0].header:
        return f"  assign {name} = {bits}'d{getattr(shapes[0], value)};"
    lines = [f"  always_comb begin {name} = {bits}'d1;"]
    for shape in shapes:
        test = " && ".join(f"header_q[{i}*Word+:Word] == {beat}" for i, beat in enumerate(shape.header))
        lines.append(f"    if ({test}) {name} = {bits}'d{getattr(shape, value)};")
    return "\n".join((*lines, "  end"))


def _latencies(shapes: tuple[Shape, ...], controls: tuple[Control, ...], bits: int) -> str:
    lines = ["  always_comb begin latency = '0;"]
    for shape in shapes:
        test = [f"header_q[{i}*Word+:Word] == {beat}" for i, beat in enumerate(shape.header)]
        for values, cycles in shape.latency.items():
            own = [f"control[{i}] == 1'b{int(value)}" for i, value in enumerate(values)]
            lines.append(f"    if ({' && '.join((*test, *own)) or '1'}) latency = {bits}'d{cycles};")
    del controls
    return "\n".join((*lines, "  end"))


def _legal(carried: Ports, width: int, word: int) -> str:
    """Whether a context is legal, beat by beat: ``legal_d`` of ``legal_q``, ``ctx_at_q`` and the data."""
    first = carried.modulus
    if carried.rule == "odd":
        return f"ctx_at_q == {first} ? ctx_data_i[0] : legal_q"
    if carried.rule == "full":
        beat, bit = divmod(width - 1, word)
        return f"ctx_at_q == {first + beat} ? ctx_data_i[{bit}] : legal_q"
    beats = carried.shapes[0].operand
    within = f"ctx_at_q >= {first} && ctx_at_q < {first + beats}"
    if carried.rule == "nonzero":
        return f"(ctx_at_q != {first} && legal_q) || ({within} && ctx_data_i != '0)"
    tests = " && ".join(
        f"(ctx_at_q != {first + i} || ctx_data_i == {word}'h{beat:x})" for i, beat in enumerate(carried.beats)
    )
    return f"(ctx_at_q == {first} || legal_q) && {tests}"


def watch_bench(build: Build) -> str:
    """A core and the watcher of its ports; output ``bad`` has a bit for each rule of :data:`CONTRACT`."""
    ports = build.design.ports
    config, core = build.config, build.core
    carried = ports_of(build)
    shapes, controls = carried.shapes, core.interface.controls
    most = core.interface.in_flight(config)
    header = len(shapes[0].header)
    longest = max(max(shape.latency.values()) for shape in shapes)
    patience = PATIENCE + core.interface.context_wait(config)
    bits = {
        "ctx": max(shape.context for shape in shapes).bit_length() + 1,
        "in": max(shape.operand for shape in shapes).bit_length() + 1,
        "flight": (most + 1).bit_length() + 1,
        "age": longest.bit_length() + 1,
        "wait": patience.bit_length() + 1,
    }
    names = ", ".join(control.name for control in reversed(controls))
    live = f"{{{names}}}" if controls else "1'b0"
    known = " || ".join(
        "(" + " && ".join(f"header_q[{i}*Word+:Word] == {beat}" for i, beat in enumerate(shape.header)) + ")"
        for shape in shapes
        if header
    )
    outputs = "\n".join(
        f"  assign bad[{i}] = {'seen_q' if rule.name == 'reset' else 'watching'} && !({rule.holds});"
        for i, rule in enumerate(CONTRACT)
    )
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{",".join(f"{chr(10)}{line}" for line in _declared(ports)).lstrip()},
  output logic [{len(CONTRACT) - 1}:0] bad
);

  localparam int Word = {config.word};
  localparam int Most = {most};
  localparam int Patience = {patience};

{_instance(build, ports, "core", {})}

  logic                      seen_q, known_q, known, watching;
  logic                      ctx_take, in_take, out_take, first, last, out_last, ctx_last;
  logic [{bits["ctx"] - 1}:0] ctx_at_q, ctx_beats;
  logic [{bits["in"] - 1}:0]  in_at_q, out_at_q, beats;
  logic [{bits["flight"] - 1}:0] flight_q, flight_d, whole_q;
  logic [{bits["age"] - 1}:0] age_q, latency, latency_q;
  logic [{bits["wait"] - 1}:0] waits_q;
  logic                      alone_q, alone_in_q, late, early, held_q, legal_q, legal_d, checked_q, open_q, error_q;
  logic [Word-1:0]           z_q;
  logic [{max(1, header) * config.word - 1}:0] header_q;
  logic [{max(1, len(controls)) - 1}:0] control, control_q;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign ctx_last = ctx_at_q >= {bits["ctx"]}'d{header} && ctx_at_q == ctx_beats - 1'b1;
  assign first    = in_take && in_at_q == '0;
  assign last     = in_take && in_at_q == beats - 1'b1;
  assign out_last = out_take && out_at_q == beats - 1'b1;
  assign flight_d = flight_q + {bits["flight"]}'(first) - {bits["flight"]}'(out_last);
  assign control  = in_at_q == '0 ? {live} : control_q;
  assign legal_d  = {_legal(carried, config.width, config.word)};
  assign late     = alone_q && age_q == latency_q && !out_valid_o;
  assign early    = alone_q && age_q != latency_q && out_valid_o;
  assign known    = {f"known_q && (ctx_at_q < {header} || {known})" if header else "1'b1"};
  assign watching = seen_q && rst_ni && known;

{_table("ctx_beats", bits["ctx"], shapes, "context")}
{_table("beats", bits["in"], shapes, "operand")}
{_latencies(shapes, controls, bits["age"])}

  initial seen_q = 1'b0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) seen_q <= 1'b1;
    z_q <= z_o;
    if (first) control_q <= {live};
    if (ctx_take) legal_q <= legal_d;
    if (last) latency_q <= latency;
{chr(10).join(f"    if (ctx_take && ctx_at_q == {i}) header_q[{i}*Word+:Word] <= ctx_data_i;" for i in range(header))}
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{ctx_at_q, in_at_q, out_at_q, flight_q, whole_q, age_q, waits_q}} <= '0;
      {{alone_q, alone_in_q, held_q, checked_q, open_q, error_q}} <= '0;
      known_q <= 1'b1;
    end else begin
      known_q   <= known;
      held_q    <= out_valid_o && !out_ready_i;
      flight_q  <= flight_d;
      whole_q   <= whole_q + {bits["flight"]}'(last) - {bits["flight"]}'(out_last);
      checked_q <= ctx_take && ctx_last;
      if (checked_q) error_q <= !legal_q;
      if (ctx_take)       open_q <= 1'b0;
      else if (checked_q) open_q <= legal_q;
      waits_q <= ctx_valid_i && !ctx_ready_o && flight_q == '0 ? waits_q + 1'b1 : '0;
      if (ctx_take) ctx_at_q <= ctx_last ? '0 : ctx_at_q + 1'b1;
      if (in_take)  in_at_q  <= last ? '0 : in_at_q + 1'b1;
      if (out_take) out_at_q <= out_last ? '0 : out_at_q + 1'b1;
      if (last) begin
        alone_q <= first ? flight_q == '0 : alone_in_q;
        age_q   <= {bits["age"]}'(1);
      end else begin
        if (first || age_q == latency_q) alone_q <= 1'b0;
        if (age_q != latency_q) age_q <= age_q + 1'b1;
      end
      if (first) alone_in_q <= flight_q == '0;
    end
  end

{outputs}

endmodule

`default_nettype wire
"""
