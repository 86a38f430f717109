# SPDX-License-Identifier: Apache-2.0
"""The checks of the contract on one build, with everything counted that happens in the hardware."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modmul.design import Design
from modmul.room import Build
from modmul.verify import checks
from modmul.verify.bins import expected
from modmul.verify.simulation import Simulation
from modmul.verify.simulator import Point, covering
from modmul.verify.states import WATCH, Machine, machines, watched

__all__ = ["Item", "Seen", "run"]

MODULI, TRIED = 48, 200
COUNT, PRESSED = 96_000, 240
"""Random products of all moduli together, and those of each field with waiting."""
RESETS, WALKS = 100, 40
"""More than the tests ask for, since every bit is to change in few cycles of one width."""

UNUSED = re.compile(r"\bunused_")
"""Signals that nothing reads; they are there to say so."""


@dataclass(frozen=True, order=True)
class Item:
    """What is to be covered of a build, as people read it.

    Attributes:
        kind: ``"line"``, ``"branch"``, ``"toggle"``, ``"state"`` or ``"contract"``.
        text: which: a bit and the way it changes, a line of a source and the way taken, a transition, a bin.
    """

    kind: str
    text: str


@dataclass(frozen=True)
class Seen:
    """What was counted of a build.

    Attributes:
        design: the hardware as it was counted, with what watches its states.
        points: the items that Verilator counts, each with its points; those of one line are one item, in
            whichever instance of their module.
        counts: how often each item was seen.
    """

    design: Design
    points: dict[Item, list[Point]]
    counts: Counter[Item]

    @property
    def missing(self) -> list[Item]:
        """What was never seen."""
        return [item for item, count in self.counts.items() if not count]


def run(build: Build, count: int = COUNT) -> Seen:
    """Run the checks on a build and count.

    Args:
        count: random products of all moduli together.

    Raises:
        VerificationError, ProtocolError: the core is wrong.
        SimulatorError: it cannot be simulated here.
    """
    rng = random.Random(str(build))
    with covering() as found:
        moduli = checks.interesting_moduli(build, rng, MODULI)
        simulation = Simulation(build, seed=rng.getrandbits(31))
        for modulus in moduli:
            for _ in checks.check_random(simulation, modulus, count // len(moduli), rng):
                pass
        for modulus in checks.one_of_each_field(moduli):
            checks.check_back_pressure(simulation, modulus, PRESSED, rng)
        checks.check_reset(simulation, moduli, rng, RESETS)
        checks.check_context(simulation, moduli, rng)
        checks.check_operands(simulation, moduli, rng)
        checks.check_paths(simulation, moduli, rng)
        checks.check_walk(simulation, moduli, rng, WALKS)
        del simulation
    design = watched(build.design)
    lines = {source.name: source.read_text(encoding="utf-8").splitlines() for source in design.sources}
    states = {machine.instance: machine for source in design.sources for machine in machines(source)}
    points: dict[Item, list[Point]] = {}
    counts: Counter[Item] = Counter()
    for point, count in found.points.items():
        item = _item(point, lines, states)
        if item is not None:
            points.setdefault(item, []).append(point)
            counts[item] += count
    for name in expected(build, checks.interesting_moduli(build, rng, TRIED)):
        counts[Item("contract", name)] = found.bins[name]
    return Seen(design, points, counts)


def _item(point: Point, lines: Mapping[str, Sequence[str]], states: Mapping[str, Machine]) -> Item | None:
    """What people call a point; ``None`` for what is no part of the core, or what nothing reads."""
    if point.file == f"{WATCH}.sv":
        return _transition(point, states)
    if point.kind == "toggle":
        signal, _, way = point.what.rpartition(":")
        path = ".".join((*point.instance.split(".")[2:], signal))
        return None if UNUSED.search(path) else Item("toggle", f"{path} {way}")
    text = " ".join(lines[point.file][point.line - 1].split())
    return Item(point.kind, f"{point.file}:{point.line}:{point.column}: {text}: {point.what}")


def _transition(point: Point, states: Mapping[str, Machine]) -> Item | None:
    """A transition of a state machine, or a reset in one of its states."""
    *path, instance = point.instance.partition(".gen_from")[0].split(".")
    machine = states[instance]
    register = ".".join((*path[2:], machine.register))
    numbers = [int(number) for number in re.findall(r"gen_(?:from|to)(?:\[|__BRA__)(\d+)", _whole(point))]
    names = [machine.states[number] for number in numbers]
    if point.kind == "user":
        return Item("state", f"{register} reset in {names[0]}")
    if ".arc:0->1" in point.what:
        return Item("state", f"{register} {' > '.join(names)}")
    return None


def _whole(point: Point) -> str:
    return f"{point.instance}.{point.what}"
