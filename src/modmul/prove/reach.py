# SPDX-License-Identifier: Apache-2.0
"""Unbounded proofs about a netlist of gates: Yosys writes it, ABC proves that an output is never high.

The outputs are proven together, since what one of them excludes helps with the others; where that fails, each
alone. Each time what does not decide on it is left away, and registers that are always equal are merged (by
induction). Then property-directed reachability (PDR, IC3) looks for an invariant that excludes an output, or
for a run that makes it high. Where it finds neither soon, all states that can be reached are worked out, as a
binary decision diagram (BDD) of the some sixty registers that are left of a core's control: it has few nodes
even where counters are long or many operations are in flight, which takes PDR very long.

A question may be narrowed (:data:`NARROWED`), which makes diagrams much smaller. A bench watches from the
first reset on, so a run may as well begin with one (:func:`reset_first`): what registers hold before is not
followed. And registers of data may be left open (:data:`OPEN`): each holds anything in every cycle. What
holds then, holds all the more.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from modmul.design import Design
from modmul.measure.synthesis import file_name, run_yosys
from modmul.prove.control import OUTPUTS
from modmul.tools.run import ToolFailure, log_file, own_log, run_tool, work_dir

__all__ = [
    "FLOW",
    "NARROWED",
    "Outcome",
    "Verdict",
    "abc",
    "alone",
    "bad_outputs",
    "reach",
    "verdict_of",
    "write",
]

NETLIST = "proof.aig"

MAP = "proof.map"

ALONE, LESS = "alone.aig", "less.aig"

MERGED = "scleanup; lcorr; scorr; dc2; scorr"
"""What ABC does first: it leaves away what does not decide, and merges registers that are always equal."""

PREPARED = f"{MERGED}; print_stats"
"""The same; it says how many registers are left."""

REACHED = "reach -B 5000000 -F 1000000"
"""With the most nodes of a diagram, some 200 MB, and more cycles than any core takes."""

PDR = "pdr -nct"
"""With generalisation over counterexamples to it, and with abstraction."""

GATES = (
    *("proc", "check -assert", "flatten", "opt -full", "memory -nordff"),
    *("opt -full", "async2sync", "techmap", "opt -full", "dffunmap"),
    *("simplemap", "aigmap", "opt_clean"),
)
"""The Yosys commands between reading and writing.

Every register without a reset begins with any value: ``write_aiger -zinit`` gives each an input of its own
for that. A reset acts in its own cycle, as it does in the sources, and may come at any time.
"""

REGISTER = "$_DFF_P_"

OPEN = (
    f"select -set control {' '.join(f'w:{name}' for name in OUTPUTS)} {'%u ' * (len(OUTPUTS) - 1)}%ci*",
    f"select -set result w:z_o %ci*:-{REGISTER} %ci1",
    f"select -set data w:core.* %ci1 t:{REGISTER} %i @control %d @result %d",
    *("cutpoint @data", "opt_clean"),
)
"""More: registers of the core are left open, but for those that a handshake depends on, or z_o directly."""

BEGIN = """
  logic begun_q = 1'b0;
  wire  rst_ni  = rst_in & begun_q;

  always_ff @(posedge clk_i) begun_q <= 1'b1;
"""
"""What makes a reset of the first cycle of every run, behind the ports of a bench."""

FLOW = (*GATES, MERGED, REACHED, PDR)
"""What a result of ABC depends on, besides the design and the bench."""

NARROWED = (*GATES, BEGIN, MERGED, REACHED, PDR, *OPEN)
"""The same of a question that is narrowed."""

NO_ANSWER = ("took longer", "SIGABRT", "SIGSEGV")
"""Failures of ABC that are no answer: it takes too long, is in a state that it excludes, or crashes."""

SHARE = 4
"""What is not proven together is tried for a share of the time each."""

TRIES = ((PDR, 1 / 12), (REACHED, 1 / 4), (PDR, 1))
"""What finds a proof, one after the other, and its share of the time: diagrams behind a short try of PDR."""

NARROW_TRIES = ((PDR, 1 / 12), (REACHED, 1))
"""The same of a question that is narrowed."""

YOSYS_SECONDS = 600.0

GRACE = 30.0
"""Seconds that ABC may take beyond its own limit."""


class Verdict(StrEnum):
    """What a proof came to."""

    PROVEN = "proven"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Outcome:
    """Of one property.

    Attributes:
        verdict: whether it holds.
        method: how that was found.
        seconds: that it took.
        frames: of the invariant, or of the run that breaks the property; 0 where there is none.
    """

    verdict: Verdict
    method: str
    seconds: float
    frames: int = 0


def abc() -> Path:
    """The ABC that comes with Yosys.

    Raises:
        ToolFailure: there is none.
    """
    found = find_spec("pyosys")
    folders = found.submodule_search_locations if found and found.submodule_search_locations else ()
    for folder in folders:
        if (program := Path(folder) / "yosys-abc").is_file():
            return program
    raise ToolFailure("pyosys comes without yosys-abc", log_file("abc"))


def gates(design: Design, bench: str, top: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    """The Yosys commands that make an and-inverter graph of a design and what watches it."""
    names = sorted(source.name for source in design.sources)
    return (
        *(f"read_verilog -sv -defer {name}" for name in (*names, bench)),
        f"hierarchy -check -top {top}",
        *GATES,
        *more,
        f"write_aiger -zinit -map {MAP} {NETLIST}",
    )


def reach(
    design: Design,
    bench: str,
    top: str,
    outputs: Sequence[str],
    seconds: float,
    asked: Sequence[str] | None = None,
    *,
    narrow: bool = False,
) -> Iterator[tuple[str, Outcome]]:
    """Which outputs of a bench are never high, in any cycle of any run from the initial states on.

    Args:
        bench: the SystemVerilog text of the top module, whose outputs under proof are ``bad``, a bit a
            property, and low up to the first reset.
        outputs: the names of the properties, bit 0 first.
        seconds: that a try may take for all of them together, and then, where that was in vain, for a share
            of it each (:data:`TRIES`).
        asked: those to be proven; ``None`` for all.
        narrow: whether to narrow the question; then all are asked together and none alone, and only a proof
            says something of the design.

    Raises:
        ToolFailure: a tool failed; a proof that takes too long is an outcome, and no failure.
    """
    with work_dir() as folder:
        log = write(design, reset_first(bench) if narrow else bench, top, folder, OPEN if narrow else ())
        where = bad_outputs(folder / MAP)
        wanted = [(name, where[i]) for i, name in enumerate(outputs) if asked is None or name in asked]
        if len(wanted) > 1 or narrow:
            numbers = [number for _, number in wanted]
            all_ = _one(folder, numbers, seconds, log, NARROW_TRIES if narrow else TRIES)
            if narrow or all_.verdict is Verdict.PROVEN:
                each = replace(all_, seconds=all_.seconds / len(wanted))
                yield from ((name, each) for name, _ in wanted)
                return
            seconds /= SHARE
        for name, number in wanted:
            yield name, _one(folder, [number], seconds, log)


def reset_first(bench: str) -> str:
    """A bench, in whose runs the first cycle is one of reset."""
    ports, body = bench.split(");", 1)
    return f"{ports.replace('rst_ni', 'rst_in')});\n{BEGIN}{body}"


def write(design: Design, bench: str, top: str, folder: Path, more: Sequence[str] = ()) -> Path:
    """Write the and-inverter graph of a design and its bench into a folder; the log of what follows."""
    (folder / "bench").mkdir()
    written = folder / "bench" / f"{top}.sv"
    written.write_text(bench, encoding="utf-8")
    mark = sha256(" ".join((bench, *more)).encode()).hexdigest()[:8]
    log = log_file(f"{file_name(design)}-{top}-{design.digest[:12]}-{mark}")
    run_yosys(gates(design, written.name, top, more), (*design.sources, written), folder, log, YOSYS_SECONDS)
    return log


def bad_outputs(file: Path) -> dict[int, int]:
    """For each property, its output in the AIGER file, from the map beside it."""
    lines = re.findall(r"^output (\d+) (\d+) bad$", file.read_text(), re.MULTILINE)
    return {int(bit): int(number) for number, bit in lines}


def alone(data: bytes, numbers: Sequence[int]) -> bytes:
    """An AIGER file with some of its outputs only."""
    header, rest = data.split(b"\n", 1)
    kind, most, inputs, latches, outputs, ands = header.split()
    lines = rest.split(b"\n", int(latches) + int(outputs))
    kept = [*lines[: int(latches)], *(lines[int(latches) + number] for number in numbers)]
    count = str(len(numbers)).encode()
    return b"\n".join((b" ".join((kind, most, inputs, latches, count, ands)), *kept, lines[-1]))


def _one(
    folder: Path,
    numbers: Sequence[int],
    seconds: float,
    log: Path,
    ways: Sequence[tuple[str, float]] = TRIES,
) -> Outcome:
    """Whether none of some outputs is ever high."""
    (folder / ALONE).write_bytes(alone((folder / NETLIST).read_bytes(), numbers))
    log = log.with_suffix(f".{numbers[0]}-{len(numbers)}.log")
    begun = time.monotonic()
    outcome = Outcome(Verdict.UNKNOWN, "PDR", 0.0)
    (folder / LESS).unlink(missing_ok=True)  # of the question before
    prepared = _said(folder, f"read {ALONE}; orpos; {PREPARED}; write {LESS}", seconds, log)
    limits = [(how, max(1, int(seconds * share))) for how, share in ways]
    tries = [(f"{how} -T {most}; print_status", float(most)) for how, most in limits]
    if re.search(r"lat\S* *= +0 ", prepared):  # no register is left: a formula of the inputs
        tries = [("sat", seconds)]
    for script, most in tries if (folder / LESS).exists() else ():
        outcome = verdict_of(_said(folder, f"read {LESS}; {script}", most, log), time.monotonic() - begun)
        if outcome.verdict is not Verdict.UNKNOWN:
            return outcome
    return replace(outcome, seconds=time.monotonic() - begun)


def _said(folder: Path, script: str, seconds: float, log: Path) -> str:
    """What ABC says; nothing where it does not come to an end."""
    with own_log(folder, log) as own:
        try:
            run_tool((str(abc()), "-q", script), folder=folder, log=own, timeout=seconds + GRACE)
        except ToolFailure as failure:
            if not any(reason in failure.reason for reason in NO_ANSWER):
                raise
            return ""
        return own.read_text(errors="replace")


def verdict_of(text: str, seconds: float) -> Outcome:
    """What ABC has said."""
    if found := re.findall(r"proved unreachable after (\d+) iterations", text):
        return Outcome(Verdict.PROVEN, "BDD", seconds, int(found[-1]))
    if re.search(r"Property proved\.", text):
        frames = re.findall(r"Invariant F\[(\d+)\]", text)
        return Outcome(Verdict.PROVEN, "PDR", seconds, int(frames[-1]) if frames else 0)
    if asserted := re.findall(r"was asserted in frame (\d+)", text):
        return Outcome(Verdict.REFUTED, "PDR", seconds, int(asserted[-1]))
    if re.search(r"^UNSATISFIABLE", text, re.MULTILINE):
        return Outcome(Verdict.PROVEN, "SAT", seconds)
    if re.search(r"^SATISFIABLE", text, re.MULTILINE):
        return Outcome(Verdict.REFUTED, "SAT", seconds)
    return Outcome(Verdict.UNKNOWN, "PDR", seconds)
