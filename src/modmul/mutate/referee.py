# SPDX-License-Identifier: Apache-2.0
"""Whether a mutant that no check finds is equivalent to the original.

Yosys makes gates of the hardware with all mutants of a pool, once. For one of them the gates are put into an
and-inverter graph twice, with the original chosen and with the mutant, on the same inputs; what both share is
there once. ABC is asked two things.

1. *Step*: in each state that the original can be in behind a reset, does the mutant, in the same state, go
   to the same next one, with the same outputs? Then both are equal for ever. Registers are the original's.
2. *Product*: both have registers, the first values of which are any, and the same in both; do the outputs
   differ in any cycle behind the first reset? A run in which they do is found by unrolling, and that there is
   none by an invariant.

Registers begin with any values, and a reset comes at first. A mutant that behaves as the original does which
begins with the same values is no other core, since these values are nobody's choice. ``z_o`` counts while
``out_valid_o`` is high. Whoever drives the ports may do anything; where that leaves a mutant undecided, he is
kept to the contract (:mod:`modmul.mutate.driver`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Any

from modmul.design import CLOCK, Port
from modmul.measure.synthesis import file_name, run_yosys
from modmul.mutate.driver import DRIVER, driver, ports_of_driver
from modmul.mutate.operators import CHOOSER
from modmul.mutate.pool import Pool
from modmul.prove.reach import NO_ANSWER, PDR, PREPARED, Verdict, abc, verdict_of
from modmul.tools.run import ToolFailure, log_file, run_tool, work_dir

__all__ = ["FLOW", "SECONDS", "Gates", "Judgement", "Opinion", "compared", "gates", "refereed"]

GATES = (
    *("setattr -mod -unset keep_hierarchy", "setattr -unset keep_hierarchy"),
    *("flatten", "async2sync", "opt -full", "memory -nordff", "opt -full", "techmap"),
    *("opt", "dffunmap", "simplemap", "opt_expr", "opt_merge", "opt_clean", "aigmap", "opt_clean"),
)
"""The Yosys commands that make gates and registers of one bit of an elaborated design.

Asynchronous resets go at once: mutants of their values make registers that are loaded, and of what these take
``opt_dff`` of Yosys 0.70 loses a part.
"""

STEP = f"{PREPARED}; {PDR}"
UNROLLED = "bmc3"
TOP, KEPT = "mm_refereed", "ok_o"
SECONDS = 5.0
"""That ABC may take for each question."""
YOSYS_SECONDS = 1800.0
GRACE = 30.0

FLOW = (*GATES, STEP, UNROLLED)

Bit = int | str


class Judgement(StrEnum):
    """What the referee says of a mutant."""

    EQUIVALENT = "equivalent"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Opinion:
    """What the referee says of a mutant, and why.

    Attributes:
        judgement: of both.
        method: how that was found.
        frames: clock cycles from the first reset on in which nothing differs, or behind which it does.
    """

    judgement: Judgement
    method: str
    frames: int = 0


@dataclass(frozen=True)
class Gates:
    """Hardware with mutants as gates.

    Attributes:
        ports: each port with its bits.
        outputs: the names of those that go out.
        ands: the two inputs and the output of each cell; the inputs come before.
        nots: the input and the output of each inverter, likewise.
        order: the cells of both kinds, each behind those that drive it.
        registers: of each register the bit that comes next, and the one that it holds.
    """

    ports: Mapping[str, Sequence[Bit]]
    outputs: tuple[str, ...]
    order: tuple[tuple[Bit, ...], ...]
    registers: tuple[tuple[Bit, Bit], ...]

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of the ports that come in, but for the clock and the one that chooses."""
        return tuple(name for name in self.ports if name not in (*self.outputs, CLOCK, CHOOSER, KEPT))


def gates(pool: Pool) -> Gates:
    """The gates of the hardware with all mutants of a pool, and of what watches the driver.

    Raises:
        ToolFailure: Yosys failed.
    """
    design = pool.design
    with work_dir() as folder:
        (folder / "more").mkdir()
        written = folder / "more" / f"{TOP}.sv"
        written.write_text(f"{_top(pool)}\n{driver(pool.build)}", encoding="utf-8")
        sources = (*design.sources, written)
        commands = (
            *(f"read_verilog -sv -defer {each.name}" for each in sources),
            *(f"hierarchy -check -top {TOP}", "proc", *GATES, "write_json gates.json"),
        )
        log = log_file(f"{file_name(design)}-referee-{design.digest[:12]}")
        run_yosys(commands, sources, folder, log, YOSYS_SECONDS)
        modules = json.loads((folder / "gates.json").read_text())["modules"]
    [module] = [each for each in modules.values() if int(each["attributes"].get("top", "0"), 2)]
    return _read(module)


def _top(pool: Pool) -> str:
    """The text of the module with the hardware and what watches the driver."""
    design = pool.design
    settings = ", ".join(f".{name}({value})" for name, value in design.settings.items())
    ports = ", ".join(
        f"{port.direction} wire {f'[{port.bits - 1}:0] ' if port.bits > 1 else ''}{port.name}"
        for port in design.ports
    )

    def wires(some: Iterable[Port]) -> str:
        return ", ".join(f".{port.name}({port.name})" for port in some)

    return f"""module {TOP} ({ports}, output wire {KEPT});
  {design.top} {f"#({settings}) " if settings else ""}core ({wires(design.ports)});
  {DRIVER} driver ({wires(ports_of_driver(pool.build))}, .{KEPT}({KEPT}));
endmodule
"""


def _read(module: Mapping[str, Any]) -> Gates:
    ports = {name: port["bits"] for name, port in module["ports"].items()}
    outputs = tuple(
        name for name, port in module["ports"].items() if port["direction"] == "output" and name != KEPT
    )
    registers: list[tuple[Bit, Bit]] = []
    cells: dict[Bit, tuple[Bit, ...]] = {}
    for cell in module["cells"].values():
        pins = {name: bits[0] for name, bits in cell["connections"].items() if bits}
        if cell["type"] == "$_AND_":
            cells[pins["Y"]] = (pins["A"], pins["B"])
        elif cell["type"] == "$_NOT_":
            cells[pins["Y"]] = (pins["A"],)
        elif cell["type"] == "$_DFF_P_":
            registers.append((pins["D"], pins["Q"]))
        elif cell["type"] != "$scopeinfo":
            raise ValueError(f"a cell that the referee does not know: {cell['type']}")
    order: list[tuple[Bit, ...]] = []
    seen: set[Bit] = set()
    for root in cells:
        waiting = [root]
        while waiting:
            bit = waiting[-1]
            if bit in seen or bit not in cells:
                waiting.pop()
                continue
            below = [each for each in cells[bit] if each in cells and each not in seen]
            if below:
                waiting += below
                if len(waiting) > 2 * len(cells) + 2:
                    raise ValueError("gates in a circle")
                continue
            seen.add(bit)
            order.append((*cells[bit], bit))
            waiting.pop()
    return Gates(ports, outputs, tuple(order), tuple(registers))


# --- graphs -------------------------------------------------------------------------------------------


class _Graph:
    """An and-inverter graph; a literal is twice a number, and one more where it is inverted."""

    def __init__(self) -> None:
        self.count = 1
        self.ands: list[tuple[int, int, int]] = []
        self.inputs: list[int] = []
        self.latches: dict[int, int] = {}
        self.known: dict[tuple[int, int], int] = {}

    def input(self) -> int:
        self.inputs.append(self.fresh())
        return self.inputs[-1]

    def latch(self) -> int:
        """A register that begins at 0; ``latches`` says what comes behind."""
        literal = self.fresh()
        self.latches[literal] = literal
        return literal

    def fresh(self) -> int:
        self.count += 1
        return 2 * (self.count - 1)

    def and_(self, a: int, b: int) -> int:
        a, b = min(a, b), max(a, b)
        if a == 0 or a == b ^ 1:
            return 0
        if a in (1, b):
            return b
        if (a, b) not in self.known:
            self.known[a, b] = self.fresh()
            self.ands.append((self.known[a, b], a, b))
        return self.known[a, b]

    def or_(self, a: int, b: int) -> int:
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        return self.or_(self.and_(a, b ^ 1), self.and_(a ^ 1, b))

    def mux(self, choice: int, a: int, b: int) -> int:
        """``a`` where the choice is high, else ``b``."""
        return self.or_(self.and_(choice, a), self.and_(choice ^ 1, b))

    def any(self, literals: Iterable[int]) -> int:
        found = 0
        for each in literals:
            found = self.or_(found, each)
        return found

    def written(self, output: int) -> bytes:
        """As a file in the binary format of AIGER, with one output."""
        numbers = {0: 0}
        for literal in (*self.inputs, *self.latches, *(literal for literal, _, _ in self.ands)):
            numbers[literal] = 2 * len(numbers)

        def of(literal: int) -> int:
            return numbers[literal & ~1] | literal & 1

        sizes = (len(numbers) - 1, len(self.inputs), len(self.latches), 1, len(self.ands))
        lines = [f"aig {' '.join(map(str, sizes))}"]
        lines += [str(of(after)) for after in self.latches.values()]
        lines += [str(of(output)), ""]
        body = bytearray()
        for literal, *both in self.ands:
            high, low = sorted(map(of, both), reverse=True)
            body += _delta(of(literal) - high) + _delta(high - low)
        return "\n".join(lines).encode() + bytes(body)


def _delta(number: int) -> bytes:
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _evaluated(graph: _Graph, net: Gates, values: dict[Bit, int], number: int) -> dict[Bit, int]:
    """All bits of the gates with a mutant chosen, on inputs and registers."""
    found: dict[Bit, int] = {"0": 0, "1": 1, "x": 0, "z": 0, **values}
    for place, bit in enumerate(net.ports[CHOOSER]):
        found[bit] = number >> place & 1
    for *inputs, out in net.order:
        literals = [found[bit] for bit in inputs]
        found[out] = literals[0] ^ 1 if len(literals) == 1 else graph.and_(*literals)
    return found


def _differing(graph: _Graph, net: Gates, one: Mapping[Bit, int], other: Mapping[Bit, int]) -> int:
    """Whether outputs differ: a result while there is one."""
    [valid] = net.ports["out_valid_o"]
    differ = []
    for name in net.outputs:
        for bit in net.ports[name]:
            wrong = graph.xor(one[bit], other[bit])
            differ.append(graph.and_(wrong, one[valid]) if name == "z_o" else wrong)
    return graph.any(differ)


def _question(net: Gates, number: int, *, step: bool, kept: bool) -> bytes | None:
    """A graph whose output is high where a mutant differs; ``None`` where none can be."""
    graph = _Graph()
    values = {bit: graph.input() for name in net.inputs for bit in net.ports[name]}
    begun, seen = graph.latch(), graph.latch()
    [reset] = net.ports["rst_ni"]
    graph.latches[begun] = 1
    graph.latches[seen] = graph.or_(seen, values[reset] ^ 1)
    first = [graph.input() for _ in net.registers]
    latches = [[graph.latch() for _ in net.registers] for _ in range(1 if step else 2)]
    states: list[dict[Bit, int]] = []
    for own in latches:
        held = [graph.mux(begun, latch, any_) for latch, any_ in zip(own, first, strict=True)]
        states.append(dict(zip((q for _, q in net.registers), held, strict=True)))
    one = _evaluated(graph, net, values | states[0], 0)
    other = _evaluated(graph, net, values | states[-1], number)
    for own, each in zip(latches, (one, other), strict=False):
        for latch, (after, _) in zip(own, net.registers, strict=True):
            graph.latches[latch] = each[after]
    differ = _differing(graph, net, one, other)
    if step:
        differ = graph.or_(differ, graph.any(graph.xor(one[d], other[d]) for d, _ in net.registers))
    bad = graph.and_(differ, graph.or_(seen, values[reset] ^ 1))
    if kept:
        bad = graph.and_(bad, one[net.ports[KEPT][0]])
    return graph.written(bad) if bad else None


# --- answers ------------------------------------------------------------------------------------------


def refereed(net: Gates, number: int, seconds: float = SECONDS) -> Opinion:
    """What can be said of a mutant by its number in a step, whatever drives it.

    Args:
        net: the gates of its pool.
        seconds: that ABC may take.

    Raises:
        ToolFailure: ABC failed; that it takes too long is no failure.
    """
    question = _question(net, number, step=True, kept=False)
    if question is None:
        return Opinion(Judgement.EQUIVALENT, "step: structure")
    verdict, _, method = _asked(question, STEP, seconds)
    known = verdict is Verdict.PROVEN
    return Opinion(Judgement.EQUIVALENT if known else Judgement.UNDECIDED, f"step: {method}")


def compared(net: Gates, number: int, seconds: float = SECONDS) -> Opinion:
    """The same where the driver keeps to the contract, by a step and by the product.

    It takes longer, and tells which mutants are different, too.
    """
    step = _question(net, number, step=True, kept=True)
    if step is None or _asked(step, STEP, seconds)[0] is Verdict.PROVEN:
        return Opinion(Judgement.EQUIVALENT, "step: contract")
    question = _question(net, number, step=False, kept=True)
    if question is None:
        return Opinion(Judgement.EQUIVALENT, "product: structure")
    verdict, frames, _ = _asked(question, UNROLLED, seconds)
    if verdict is Verdict.REFUTED:
        return Opinion(Judgement.DIFFERENT, "product: unrolled", frames)
    verdict, more, method = _asked(question, STEP, seconds)
    if verdict is Verdict.PROVEN:
        return Opinion(Judgement.EQUIVALENT, f"product: {method}")
    if verdict is Verdict.REFUTED:
        return Opinion(Judgement.DIFFERENT, f"product: {method}", more)
    return Opinion(Judgement.UNDECIDED, "product: unrolled", frames)


def _asked(question: bytes, how: str, seconds: float) -> tuple[Verdict, int, str]:
    """What ABC says, with the number of clock cycles that it has looked at, and how."""
    with work_dir() as folder:
        (folder / "asked.aig").write_bytes(question)
        log = log_file(f"referee-{sha256(question).hexdigest()[:12]}")
        limited = f"{how} -T {int(seconds)}"
        for last in (f"{limited}; print_status", f"{PREPARED}; sat"):
            try:
                script = f"read asked.aig; {last}"
                run_tool((str(abc()), "-q", script), folder=folder, log=log, timeout=seconds + GRACE)
            except ToolFailure as failure:
                if not any(reason in failure.reason for reason in NO_ANSWER):
                    raise
                return Verdict.UNKNOWN, 0, ""
            text = log.read_text(errors="replace")
            if not re.search(r"lat\S* *= +0 ", text):
                break
        found = verdict_of(text, 0)
    frames = re.findall(r"(?:No output asserted in|completed) +(\d+) +frames", text)
    return found.verdict, found.frames or int((frames or ["0"])[-1]), found.method
