# SPDX-License-Identifier: Apache-2.0
"""Faults: a bit of a register flips in the middle of an operation, and what leaves is told apart.

All registers and memories of the hardware take turns, so that none is left out, however short it is; the bit
and the clock cycle are random. Behind each faulty operation the next one is looked at, too, since a fault may
stay.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice

from modmul.core import drawing_from
from modmul.room import Build
from modmul.tools.progress import Listener, Progress, ignore
from modmul.verify.checks import interesting_moduli
from modmul.verify.ports import shown
from modmul.verify.registers import Register, registers
from modmul.verify.simulation import Fault, Simulation, Struck

__all__ = ["OUTCOMES", "Strike", "strikes"]

OUTCOMES: Mapping[str, str] = {
    "harmless": "the right results leave, as if nothing had been",
    "detected": "ctx_error_o rises; what has left is right",
    "stopped": "no more words leave before a reset; what has left is right",
    "wrong": "something leaves that is not right",
}
"""What may come of a fault, in two operations: that of the fault and the next one."""

EVERY = 64
"""Operations between two words of progress."""


@dataclass(frozen=True)
class Strike:
    """A fault, and what came of it: one of :data:`OUTCOMES`.

    Its text is what it takes to have it again.
    """

    register: Register
    fault: Fault
    modulus: int
    x: int
    y: int
    outcome: str

    def __str__(self) -> str:
        at, fault = self.register, self.fault
        word = f"[{fault.word}]" if at.depth else ""
        where = f"{at.path}{word}, bit {fault.bit}, cycle {fault.cycle}"
        return f"{where}: M = {shown(self.modulus)}, x = {self.x:#x}, y = {self.y:#x}"


def strikes(
    build: Build,
    count: int,
    *,
    seed: int = 1,
    modulus: int | None = None,
    only: str = "",
    listener: Listener = ignore,
) -> Iterator[Strike]:
    """Flip ``count`` bits, each in an operation of its own behind a reset.

    Args:
        seed: of everything random.
        modulus: the only one; ``None`` for the first that the checks would take.
        only: registers whose paths hold this text.
        listener: told how far it is.

    Raises:
        ValueError: the core cannot serve the modulus, or no register has such a path.
        SimulatorError: it cannot be simulated here.
    """
    rng = random.Random(f"{seed} {build.core.slug} {build.config}")
    if modulus is None:
        modulus = interesting_moduli(build, rng, 1)[0]
    build.core.function.check(build.config, modulus)
    listener(Progress("faults", f"{build.slug}: compiling", 0, count))
    found = [each for each in registers(build.design) if only in each.path]
    if not found:
        raise ValueError(f"{build.slug} has no register with {only!r} in its path")
    simulation = Simulation(build, seed=seed, flipped=found)
    order = list(range(len(found)))
    rng.shuffle(order)
    for done, number in enumerate(islice(cycle(order), count), 1):
        yield _strike(simulation, modulus, number, found[number], rng)
        if done % EVERY == 0 or done == count:
            listener(Progress("faults", build.slug, done, count))


def _strike(simulation: Simulation, modulus: int, number: int, at: Register, rng: random.Random) -> Strike:
    core = simulation.room.core
    simulation.reset()
    with drawing_from(rng):
        simulation.load(modulus)
    cycles = core.interface.latency(simulation.at) + 2 * simulation.at.beats
    fault = Fault(rng.randrange(cycles), number, rng.randrange(max(at.depth, 1)), rng.randrange(at.bits))
    [(x, y)] = core.function.drawn(simulation.at, modulus, rng, 1)
    outcome = _judged(simulation, modulus, x, y, simulation.strike(x, y, fault))
    if outcome in ("harmless", "detected"):
        # Nothing follows where it was detected; if something does, it has to be right.
        again = _judged(simulation, modulus, x, y, simulation.strike(x, y))
        outcome = again if outcome == "harmless" or again == "wrong" else outcome
    return Strike(at, fault, modulus, x, y, outcome)


def _judged(simulation: Simulation, modulus: int, x: int, y: int, struck: Struck) -> str:
    core, at = simulation.room.core, simulation.at
    right = core.function.answer(at, modulus, x, y, {})
    if struck.beats == at.beats:
        left = core.interface.decode(at, struck.words)
        good = left == right or core.function.accepts(at, modulus, right, left)
        return "harmless" if good else "wrong"
    known = (1 << struck.beats * at.word) - 1
    if struck.beats > at.beats or (struck.words ^ core.interface.encode(at, right)) & known:
        return "wrong"
    return "detected" if struck.error else "stopped"
