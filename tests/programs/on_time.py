# SPDX-License-Identifier: Apache-2.0
"""Programs of any rows, and whether each begins on the hardware in the cycle that the schedule says."""

from __future__ import annotations

import random
from dataclasses import replace

from engine_program import HEAD

from modmul.room import SystemRoom
from modmul.systems.engine import EngineConfig, unit
from modmul.systems.timing import cycles
from modmul.verify.simulation import Simulation

BITS = 96
"""Of the exponent, more than the rows take."""


def some_rows(rng: random.Random, count: int) -> str:
    """Products, squares, bits, scans and sums of whatever there is, some of them several times over.

    And products that wait for none before, so many that cores hold all they can; and many sums.
    """
    known, rows = ["x", "t0", "t1", "r2"], ["bits 1"]

    def row() -> str:
        a, b, d = rng.choice(known), rng.choice(known), rng.choice("abcdgh")
        factors = f"{a}, {b}", f"{a}, {a}", f"f, {a}", "f, 1"
        written = 2 * [f"mul {d}, {each}" for each in factors]
        written += [f"add {d}, {a}, {b}", f"sub {d}, {a}, {b}", f"scan {d}"]
        others = 2 * ["mul -, f, f"] + 3 * [f"bits {rng.randint(1, 2)}"]
        text = rng.choice(written + others)
        known.extend([d] if text in written else [])
        return text

    while len(rows) < count:
        if rng.random() < 0.15:
            again, label = [row() for _ in range(rng.randint(1, 4))], f"again{len(rows)}"
            rows += [f"{label}: {again[0]}", *again[1:], f"repeat {rng.randint(2, 4)}, {label}"]
        elif rng.random() < 0.15:
            for _ in range(rng.randint(3, 9)):
                a, b = rng.choice(known[:4]), rng.choice(known[:4])
                rows.append(f"mul {rng.choice('abcdgh')}, {a}, {b}")
                rows += rng.choice(([], [], [], ["bits 1"], ["bits 2"]))
        elif rng.random() < 0.3:
            for _ in range(rng.randint(3, 12)):
                some = rng.choice((known, known[:4]))  # they wait for each other, or not
                a, b, d = rng.choice(some), rng.choice(some), rng.choice("abcdgh")
                rows.append(f"{rng.choice(('add', 'sub', 'mul'))} {d}, {a}, {b}")
                known.append(d)
        else:
            rows.append(row())
    head = f".table t 2\n{HEAD.replace('one', 't0=one')}mul t1, x, r2\n"
    return "\n".join([head, *rows, "test: loop test", f"mul a, {rng.choice(known)}, f", "out a", ""])


def begins(found: SystemRoom) -> SystemRoom:
    """The same, and it can be seen when rows begin."""
    engine = "" if found.core.top == "mm_engine" else "u_engine."
    signal = f"{engine}u_sequencer.may_q"
    return replace(found, core=found.core.changed(trace=lambda _config: {"begins": signal}))


def on_time(simulation: Simulation, modulus: int) -> bool:
    """Whether every row of a run begins, and the result comes, in the very cycle that the schedule says."""
    simulation.load(modulus)
    at = simulation.at
    assert isinstance(at, EngineConfig)
    told: list[int] = []
    whole = cycles(
        *(at.program, unit(at, at.lanes), at.word, at.first, at.rounds, at.product),
        lambda _row, cycle: told.append(cycle),
        counts=at.counts,
    )
    states = simulation.follow(3, 5)
    begun = [cycle for cycle, state in enumerate(states, 1) if state["begins"]]
    return begun == told and len(states) == whole
