# SPDX-License-Identifier: Apache-2.0
"""Whether a core takes operands and shows results when its :class:`~modmul.core.Stream` says so."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from modmul.core import SQUARE
from modmul.verify.simulation import Simulation

__all__ = ["Planned", "as_described", "some_plan"]


class Planned(NamedTuple):
    """An operation: each beat of its operands is offered, and each of its result is taken, after some cycles.

    Attributes:
        square: whether it is a square, of a core that tells them apart.
        waits: behind the cycle that took the beat before.
        pauses: likewise; the first one from the first cycle of the result on.
    """

    square: bool
    waits: tuple[int, ...]
    pauses: tuple[int, ...]


def as_described(simulation: Simulation, plan: Sequence[Planned]) -> bool:
    """Whether beats are taken, and results shown, in the cycles that ``Interface.operations`` says.

    Args:
        simulation: with a context.
        plan: operations one behind the other.
    """
    stream = simulation.build.core.interface.operations(simulation.at)
    state, last = stream.idle, 0
    offered: dict[int, tuple[bool, bool]] = {}  # in a cycle: whether of a square, whether taken
    shown: dict[int, bool] = {}  # a beat of a result, and whether it is taken
    for square, waits, pauses in plan:
        for wait in waits:
            begin = last + 1 + wait
            last, state = stream.take(state, begin, square)
            offered |= {cycle: (square, cycle == last) for cycle in range(begin, last + 1)}
        first, state = stream.result(state, square)
        leaves = first - 1
        for pause in pauses:
            leaves += 1 + pause
            shown |= {cycle: cycle == leaves for cycle in range(leaves - pause, leaves + 1)}
        state = stream.leave(state, first + pauses[0], leaves)
    ports = simulation.design.ports
    inputs = [port.name for port in ports if port.is_input and port.name != "clk_i"]
    outputs = [port.name for port in ports if not port.is_input]
    rows = []
    for cycle in range(1, max(shown) + 4):
        square, _ = offered.get(cycle, (False, False))
        told = {
            "rst_ni": 1,
            "in_valid_i": cycle in offered,
            SQUARE.name: square,
            "out_ready_i": shown.get(cycle, False),
        }
        rows.append([int(told.get(name, 0)) for name in inputs])
    for cycle, row in enumerate(simulation.rows(rows), 1):
        seen = dict(zip(outputs, row, strict=True))
        taken = cycle in offered and seen["in_ready_o"]
        if taken != offered.get(cycle, (False, False))[1] or seen["out_valid_o"] != (cycle in shown):
            return False
    return True


def some_plan(
    beats: int, whole: int, rng: random.Random, *, count: int = 5, gaps: bool = True, shortest: int = 1
) -> list[Planned]:
    """Operations with long and short waits.

    Args:
        beats: of an operand.
        whole: cycles of the longest wait.
        count: operations.
        gaps: whether results, once they leave, may wait between two beats.
        shortest: cycles that a result waits at least, if it waits.
    """
    most = [rng.choice((0, 1, 5, whole)) for _ in range(3)]

    def few(most: int, count: int, least: int = 0) -> tuple[int, ...]:
        return tuple(rng.choice((0, 0, rng.randint(least, max(most, least)))) for _ in range(count))

    return [
        Planned(
            rng.random() < 0.4,
            few(most[0], 1) + few(most[1], beats - 1),
            few(most[2], 1, shortest) + few(min(most[2], 3) if gaps else 0, beats - 1),
        )
        for _ in range(count)
    ]
