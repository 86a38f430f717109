# SPDX-License-Identifier: Apache-2.0
"""The port contract as hardware: a module that watches a core's ports and says when a rule is broken.

The text is made for one build from its description. It sees the ports alone, assumes nothing of whoever
drives them, and counts from the first reset on; a run in which a context begins with a header that the build
does not know is left alone from there to the next reset, since how many beats such a context has is up to the
core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modmul.design import Port
from modmul.prove.shapes import Ports, Shape, ports_of
from modmul.room import Build

__all__ = [
    "CONTRACT",
    "EQUAL",
    "TOP",
    "Rule",
    "by_shape",
    "contexts",
    "counter_bits",
    "pair_bench",
    "watch_bench",
]

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
    Rule(
        "context-first",
        "a waiting context goes before operands",
        "!(in_ready_o && ctx_valid_i) || in_at_q != 0",
    ),
    Rule("context-alone", "no context while an operation is in flight", "!ctx_ready_o || flight_q == 0"),
    Rule("context-taken", "an idle core takes a context", "waits_q <= Patience"),
    Rule(
        "error",
        "ctx_error_o is high from t + 2 on for an illegal context, else low",
        "ctx_error_o == error_q",
    ),
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


DATA = ("ctx_data_i", "x_i", "y_i", "z_o")
"""The ports that are words, also where these have one bit."""


def _ports(ports: Sequence[Port]) -> str:
    """The declarations of ports."""
    return ",\n".join(
        f"  {'input  wire ' if port.is_input else 'output logic'} "
        f"{f'[{port.bits - 1}:0] ' if port.name in DATA else ''}{port.name}"
        for port in ports
    )


def _instance(build: Build, ports: Sequence[Port], name: str, renamed: Mapping[str, str]) -> str:
    settings = ", ".join(f".{key}({value})" for key, value in build.design.settings.items())
    wires = ", ".join(f".{port.name}({renamed.get(port.name, port.name)})" for port in ports)
    return f"  {build.design.top} #({settings}) {name} ({wires});"


def counter_bits(largest: int) -> int:
    """Bits of a counter up to a number, and of one more."""
    return (largest + 1).bit_length()


def _is(shape: Shape) -> str:
    """That the last header was that of a kind of context."""
    tests = [f"header_q[{i}*Word+:Word] == {beat}" for i, beat in enumerate(shape.header)]
    return " && ".join(tests) or "1'b1"


def by_shape(name: str, shapes: Sequence[Shape], value: str, bits: int) -> str:
    """A number that each kind of context has, by the last header."""
    if not shapes[0].header:
        return f"  assign {name} = {bits}'d{getattr(shapes[0], value)};"
    lines = [f"  always_comb begin\n    {name} = '0;"]
    lines += [f"    if ({_is(shape)}) {name} = {bits}'d{getattr(shape, value)};" for shape in shapes]
    return "\n".join((*lines, "  end"))


def contexts(carried: Ports, word: int) -> str:
    """What counts the beats of contexts: ``ctx_at_q``, ``ctx_last``, ``header_q`` and ``known``.

    ``known`` falls with a header that the build does not know, and rises with the next reset.
    """
    shapes = carried.shapes
    header = len(shapes[0].header)
    bits = counter_bits(max(shape.context for shape in shapes))
    lines = (
        f"    if (ctx_take && ctx_at_q == {i}) header_q[{i}*Word+:Word] <= ctx_data_i;" for i in range(header)
    )
    some = " || ".join(f"({_is(shape)})" for shape in shapes)
    return f"""  logic [{bits - 1}:0] ctx_at_q, ctx_beats;
  logic [{max(1, header) * word - 1}:0] header_q;
  logic known_q, known, seen_q, watching, ctx_take, ctx_last;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign ctx_last = ctx_at_q >= {bits}'d{header} && ctx_at_q == ctx_beats - 1'b1;
  assign known    = known_q && (ctx_at_q < {bits}'d{max(header, 0)} || ctx_at_q == '0 || {some});
  assign watching = seen_q && rst_ni && known;

{by_shape("ctx_beats", shapes, "context", bits)}

  initial seen_q = 1'b0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) seen_q <= 1'b1;
{chr(10).join(lines)}
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_at_q <= '0;
      known_q  <= 1'b1;
    end else begin
      known_q <= known;
      if (ctx_take) ctx_at_q <= ctx_last ? '0 : ctx_at_q + 1'b1;
    end
  end
"""


def _legal(carried: Ports, width: int, word: int) -> str:
    """Whether a context is legal, as far as its beats have come: of ``legal_q``, ``ctx_at_q`` and the
    beat."""
    first = carried.modulus
    if carried.rule == "odd":
        return f"ctx_at_q == {first} ? ctx_data_i[0] : legal_q"
    if carried.rule == "full":
        beat, bit = divmod(width - 1, word)
        return f"ctx_at_q == {first + beat} ? ctx_data_i[{bit}] : legal_q"
    beats = carried.length or carried.shapes[0].operand
    within = f"ctx_at_q >= {first} && ctx_at_q < {first + beats}"
    if carried.rule == "nonzero":
        return f"(ctx_at_q != {first} && legal_q) || ({within} && ctx_data_i != '0)"
    tests = " && ".join(
        f"(ctx_at_q != {first + i} || ctx_data_i == {word}'h{beat:x})" for i, beat in enumerate(carried.beats)
    )
    return f"(ctx_at_q == {first} || legal_q) && {tests}"


def watch_bench(build: Build) -> str:
    """A core and the watcher of its ports; output ``bad`` has a bit for each rule of :data:`CONTRACT`."""
    ports, config, core = build.design.ports, build.config, build.core
    carried = ports_of(build)
    shapes, controls = carried.shapes, core.interface.controls
    most = core.interface.in_flight(config)
    patience = PATIENCE + core.interface.context_wait(config)
    beat, age = (
        counter_bits(max(s.operand for s in shapes)),
        counter_bits(max(max(s.latency.values()) for s in shapes)),
    )
    flight, wait = counter_bits(most + 1), counter_bits(patience + 1)
    live = f"{{{', '.join(control.name for control in reversed(controls))}}}" if controls else "1'b0"
    latencies = "\n".join(
        "    if ("
        + " && ".join((_is(shape), *(f"control[{i}] == 1'b{int(on)}" for i, on in enumerate(values))))
        + f") latency = {age}'d{cycles};"
        for shape in shapes
        for values, cycles in shape.latency.items()
    )
    outputs = "\n".join(
        f"  assign bad[{i}] = {'seen_q' if rule.name == 'reset' else 'watching'} && !({rule.holds});"
        for i, rule in enumerate(CONTRACT)
    )
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{_ports(ports)},
  output logic [{len(CONTRACT) - 1}:0] bad
);

  localparam int Word     = {config.word};
  localparam int Most     = {most};
  localparam int Patience = {patience};

{_instance(build, ports, "core", {})}

{contexts(carried, config.word)}
  logic in_take, out_take, first, last, out_last, alone_q, alone_in_q, late, early, held_q, legal_q,
  checked_q; logic open_q, error_q; logic [{beat - 1}:0] in_at_q, out_at_q, beats; logic [{flight - 1}:0]
  flight_q, flight_d, whole_q; logic [{age - 1}:0] age_q, latency, latency_q; logic [{wait - 1}:0] waits_q;
  logic [Word-1:0] z_q; logic [{max(1, len(controls)) - 1}:0] control, control_q;

  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign first    = in_take && in_at_q == '0;
  assign last     = in_take && in_at_q == beats - 1'b1;
  assign out_last = out_take && out_at_q == beats - 1'b1;
  assign flight_d = flight_q + {flight}'(first) - {flight}'(out_last);
  assign control  = in_at_q == '0 ? {live} : control_q;
  assign late     = alone_q && age_q == latency_q && !out_valid_o;
  assign early    = alone_q && age_q != latency_q && out_valid_o;

{by_shape("beats", shapes, "operand", beat)}

  always_comb begin
    latency = '0;
{latencies}
  end

  always_ff @(posedge clk_i) begin
    z_q <= z_o;
    if (first)    control_q <= {live};
    if (ctx_take) legal_q   <= {_legal(carried, config.width, config.word)};
    if (last)     latency_q <= latency;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{in_at_q, out_at_q, flight_q, whole_q, age_q, waits_q}} <= '0;
      {{alone_q, alone_in_q, held_q, checked_q, open_q, error_q}} <= '0;
    end else begin
      held_q    <= out_valid_o && !out_ready_i;
      flight_q  <= flight_d;
      whole_q   <= whole_q + {flight}'(last) - {flight}'(out_last);
      checked_q <= ctx_take && ctx_last;
      if (checked_q) error_q <= !legal_q;
      if (ctx_take)       open_q <= 1'b0;
      else if (checked_q) open_q <= legal_q;
      waits_q <= ctx_valid_i && !ctx_ready_o && flight_q == '0 ? waits_q + 1'b1 : '0;
      if (in_take)  in_at_q  <= last ? '0 : in_at_q + 1'b1;
      if (out_take) out_at_q <= out_last ? '0 : out_at_q + 1'b1;
      if (first) alone_in_q <= flight_q == '0;
      if (last) begin
        alone_q <= first ? flight_q == '0 : alone_in_q;
        age_q   <= {age}'(1);
      end else begin
        if (first || age_q == latency_q) alone_q <= 1'b0;
        if (age_q != latency_q)          age_q   <= age_q + 1'b1;
      end
    end
  end

{outputs}

endmodule

`default_nettype wire
"""


def pair_bench(build: Build, *, moduli: bool) -> str:
    """Two copies of a core that are driven alike but for operands; output ``bad`` says that their ports
    differ.

    Args:
        moduli: the contexts differ too, but for their headers, which give the length. Runs are left alone
            from where one copy refuses a context that the other serves, to the next reset.
    """
    ports, config = build.design.ports, build.config
    carried = ports_of(build)
    header = len(carried.shapes[0].header)
    free = ("x_i", "y_i", *(("ctx_data_i",) if moduli else ()))
    second = {name: f"{name}_2" for name in (*free, *EQUAL, "z_o")}
    if moduli and header:
        second["ctx_data_i"] = "ctx_data_2"
    more = [f"  input  wire [{config.word - 1}:0] {name}_2" for name in free]
    chosen = ""
    if moduli and header:
        own = f"  assign ctx_data_2 = ctx_at_q < {header} ? ctx_data_i : ctx_data_i_2;"
        chosen = f"  logic [Word-1:0] ctx_data_2;\n{own}"
    differ = " || ".join(f"{name} != {name}_2" for name in EQUAL if not (moduli and name == "ctx_error_o"))
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{_ports(ports)},
{chr(10).join(f"{line}," for line in more)}
  output logic [0:0] bad
);

  localparam int Word = {config.word};

  logic {", ".join(f"{name}_2" for name in EQUAL)};
  logic [Word-1:0] z_o_2;
{chosen}

{_instance(build, ports, "core", {})}
{_instance(build, ports, "other", second)}

{contexts(carried, config.word)}
  logic same_q, same;

  assign same = same_q && {"ctx_error_o == ctx_error_o_2" if moduli else "1'b1"};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) same_q <= 1'b1;
    else         same_q <= same;
  end

  assign bad[0] = watching && same && ({differ});

endmodule

`default_nettype wire
"""
