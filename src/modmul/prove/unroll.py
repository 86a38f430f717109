# SPDX-License-Identifier: Apache-2.0
"""Proofs about the first cycles of a netlist of gates: ABC unrolls it, a SAT solver answers, case by case."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from modmul.design import Design
from modmul.prove.reach import (
    ALONE,
    GATES,
    MAP,
    NETLIST,
    NO_ANSWER,
    Outcome,
    Verdict,
    abc,
    alone,
    bad_outputs,
    write,
)
from modmul.tools.run import ToolFailure, own_log, run_tool, work_dir

__all__ = ["BOUNDED", "answers", "bounded", "verdict_of_answers"]

UNROLL = ("&put", "scleanup", "frames -i -F {}", "orpos", "strash", "dc2", "sat")
"""What ABC does to ask about the runs of so many cycles with one formula."""

BOUNDED = (*GATES, *UNROLL)
"""What a result of :func:`bounded` depends on, besides the design and the bench."""


def bounded(
    design: Design, bench: str, top: str, frames: int, cases: tuple[str, int], seconds: float
) -> Outcome:
    """Whether an output of a bench is low in some cycles of every run from the initial states on.

    Args:
        bench: the SystemVerilog text of the top module, whose output ``bad`` has two bits: the one under
            proof, and one that has to be high in some run of each case, which is one about nothing otherwise.
        frames: how many cycles; what comes behind them is not looked at.
        cases: an input, and below which number it is in every cycle: each is a question of its own, in which
            much is known. Other values are not asked for.
        seconds: that one of them may take.

    Raises:
        ToolFailure: a tool failed; a proof that takes too long is an outcome, and no failure.
    """
    begun = time.monotonic()
    said = answers(design, bench, top, frames, cases, seconds)
    return verdict_of_answers(said, cases[1], time.monotonic() - begun)


def answers(
    design: Design, bench: str, top: str, frames: int, cases: tuple[str, int], seconds: float
) -> list[str]:
    """Whether outputs can be high, case by case, bit by bit: what ABC says of it, up to what takes too long.

    With the arguments of :func:`bounded`, and its errors.
    """
    with work_dir() as folder:
        log = write(design, bench, top, folder)
        name, count = cases
        bits, where = _inputs(folder / MAP, name), bad_outputs(folder / MAP)
        files = [f"{bit}-{ALONE}" for bit in sorted(where)]
        for bit, file in enumerate(files):
            (folder / file).write_bytes(alone((folder / NETLIST).read_bytes(), [where[bit]]))
        said = []
        with own_log(folder, log.with_suffix(".cases.log")) as own:
            for case, file in product(range(count), files):
                chosen = (f"&cof -V {place} -C {case >> bit & 1}" for bit, place in bits.items())
                script = "; ".join((f"&r {file}", *chosen, *UNROLL)).format(frames)
                try:
                    run_tool((str(abc()), "-q", script), folder=folder, log=own, timeout=seconds)
                except ToolFailure as failure:
                    if not any(reason in failure.reason for reason in NO_ANSWER):
                        raise
                    break
                text = own.read_text(errors="replace")
                said += re.findall(r"^(UNSATISFIABLE|SATISFIABLE|UNDECIDED)", text, re.MULTILINE)
    return said


def verdict_of_answers(said: Sequence[str], count: int, seconds: float) -> Outcome:
    """What follows of so many cases, of two outputs each: it is proven that the first is low in all of them,
    if the second can be high in all of them."""
    if "SATISFIABLE" in said[::2]:
        return Outcome(Verdict.REFUTED, "SAT", seconds)
    proven = said == count * ["UNSATISFIABLE", "SATISFIABLE"]
    return Outcome(Verdict.PROVEN if proven else Verdict.UNKNOWN, "SAT", seconds)


def _inputs(file: Path, name: str) -> dict[int, int]:
    """For each bit of an input, its place among those of the AIGER file."""
    lines = re.findall(rf"^input (\d+) (\d+) {name}$", file.read_text(), re.MULTILINE)
    return {int(bit): int(number) for number, bit in lines}
