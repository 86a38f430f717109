# SPDX-License-Identifier: Apache-2.0
"""A system that is any program on the engine, for the tests alone, and what tests of systems on it share."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from pathlib import Path

from modmul.core import Memory, Origin, drawing_from
from modmul.registry import room
from modmul.room import Build, Room, SystemRoom
from modmul.systems.describing import engine_core
from modmul.systems.engine import EngineConfig, moduli
from modmul.systems.modelling import modelled
from modmul.systems.rows import ENDS
from modmul.verify import checks
from modmul.verify.simulation import Simulation

HEAD = """\
.number one r2 m
.operand x y
.modulus m
"""
"""What a program with sums begins with: R mod M, R^2 mod M, and what sums are reduced by."""

SUMS = (
    HEAD
    + """\
      mul a, x, r2       ; x R
      add s, x, y        ; beside it
      sub t, x, y
      mul b, f, s        ; x (x + y)
twice:
      add t, t, t
      repeat 3, twice    ; 8 (x - y)
      sub b, b, t
      add c, b, s
      add s, y, y
      add a, x, y
      sub d, a, one
      sub c, c, a        ; b itself
      out c
"""
)
"""x (x + y) - 8 (x - y)."""

FLAGS = (
    HEAD
    + """\
      sub z, x, x        ; 0
      mul -, x, r2       ; x R
      less x, y
      mul a, f, x^y      ; x max(x, y)
      equal x, y
      mul -, y, r2
      mul b, f, x^z      ; x y, or 0 if they are the same
      less y, x
      sub a, a, b
again:
      add a, a, z        ; a itself
      repeat 3, again
      mul -, x^y, x^y    ; min(x, y)^2
      equal a, a
      release a, z
"""
)
"""x max(x, y), minus x y if they differ."""

TABLE = """\
.table t 4
.number t0=one r2 m
.operand x e
.modulus m
      mul t1, x, r2      ; x R
      add t2, t1, t1
      add t3, t2, t1
      sub a, x, x
digit:
      bits 2
      scan s
      add a, a, s
      repeat 3, digit
      sub p~, x, x
      jump test
round:
      add p~, p', t1
test:
      loop round
      add a, a, p~
      mul -, a, 1        ; leave the domain
      out f
"""
"""x by the first three digits of e and by the rounds; a digit 0 counts as 1 in place of 0 x."""


PLAIN = """\
.long s t u x k
.number one=1 k
.operand x y
.count digits=bits/1 more=(2*words+1)/2
      minus s, one, one
      rewind x
digit:
      bits 2
      acc s, s, y
      repeat digits, digit
      plus t, y, x
      minus u, t, s
      minus -, x.0, y, ^
      move a, x.0^y        ; the larger one
      move b, y^x.0
      minus -, x.0, y, ^
      plus u, u, 0^a
      minus u, u, 0^b, ^
      half u, u, ^
      half t, t^u
      move s, s^u
again:
      plus s, s, b
      repeat more, again
      rewind x, 1          ; from the lowest word of its upper half on
      bits 2
      acc t, t, k
      bits 2
      move c, a!b
      rewind x.0
      bits 2
      acc c, c, y
      bits 2
      acc t, t, c
      minus -, a, b, =
      move a, a^one
      plus s.1, s.1, a
      plus s, s, t
      out s
"""
"""Everything that the unit for plain sums does, and bits of any register."""

DOUBLE = """\
.number top m one
.operand x y
.modulus m
      add a, x, y
more: twice a, a, top
      repeat 5, more
      sub a, a, y
      out a
"""
"""32 (x + y) - y."""


@dataclass(frozen=True)
class ProgramConfig(EngineConfig):
    """The parameters of a program.

    Attributes:
        source: its text.
    """

    source: str = field(default="", kw_only=True)

    def text(self) -> str:
        return self.source


def computed(config: ProgramConfig, modulus: int, x: int, y: int, _memory: Memory) -> int:
    """What the program gives by the model of the engine."""
    return modelled(config, modulus, x, y)[0]


def programmed(core: str | Room, text: str) -> SystemRoom:
    """A program on a core."""
    inner = room(core) if isinstance(core, str) else core

    def config(width: int, **settings: object) -> ProgramConfig:
        return ProgramConfig(width, source=text, **settings)  # type: ignore[arg-type]

    described = engine_core(
        inner.core,
        config,
        slug="sums",
        title="a program",
        steps="those of the program",
        origin=Origin(section="tests"),
        computed=computed,
        formula=lambda _config: "what the program says",
    )
    return SystemRoom(described, Path(__file__).parent, inner)


def some_program(rng: random.Random, rows: int) -> str:
    """Products, sums and differences of whatever there is, some of them three times over."""
    known = ["x", "y", "one", "r2", "a"]

    def body(count: int) -> list[str]:
        lines = []
        for _ in range(count):
            x, y = rng.choice(known), rng.choice(known)
            d = rng.choice("abcde")
            lines.append(
                rng.choice(
                    [
                        *[f"add {d}, {x}, {y}", f"sub {d}, {x}, {y}"] * 3,
                        *[f"mul {d}, {x}, {y}"] * 2,
                        *(f"mul {d}, f, {x}", f"mul {d}, f, f", f"mul {d}, f, 1"),
                    ]
                )
            )
            known.append(d)
        return lines

    lines = ["mul a, x, y", *body(rows), "again:", *body(rows // 2), "repeat 3, again", f"out {known[-1]}"]
    return HEAD + "\n".join(lines) + "\n"


def sweep(waits: Sequence[int]) -> str:
    """Sums beside a product, begun after several waits: some are written while its words come."""
    lines = ["add a, x, y", "add b, x, one", "sub c, y, one", "sub d, x, y"]
    for wait in waits:
        lines += ["mul a, b, c", f"at{wait}: repeat {wait}, at{wait}"]
        lines += ["add b, c, d", "sub c, d, c", "add e, d, d", "add d, e, a"]
    return HEAD + "\n".join([*lines, "add d, d, b", "sub d, d, c", "out d"]) + "\n"


def contract(build: Build, rng: random.Random, count: int = 20) -> None:
    """The checks of the port contract."""
    simulation = Simulation(build, seed=rng.getrandbits(31))
    moduli = checks.interesting_moduli(build, rng, 3)
    for modulus in moduli:
        assert sum(checks.check_random(simulation, modulus, count, rng)) >= count
    for modulus in checks.one_of_each_field(moduli):
        assert checks.check_back_pressure(simulation, modulus, 4, rng) == 20
    assert checks.check_reset(simulation, moduli, rng) >= 10
    assert checks.check_context(simulation, moduli, rng) >= 3
    assert checks.check_operands(simulation, moduli, rng) >= 6
    assert checks.check_paths(simulation, moduli, rng) >= 1


# --- what is written into registers -------------------------------------------------------------------


def seen(found: SystemRoom, *names: str) -> SystemRoom:
    """The same, and these signals of ``mm_engine`` can be followed, beside what is written into registers."""
    engine = "" if found.core.top == "mm_engine" else "u_engine."

    def trace(config: EngineConfig) -> dict[str, str]:
        lanes = (name for lane in writes(config) for name in lane)
        return {name: engine + name for name in (*lanes, *names)}

    return replace(found, core=found.core.changed(trace=trace))


def writes(config: EngineConfig) -> list[tuple[str, str, str, str]]:
    """Of each lane: whether the port writes next; whether a word is written, where, and the word.

    Where words are whole numbers, of products and of sums.
    """
    if config.whole:
        lane = "gen_whole.u_whole"
        return [
            (f"{lane}.port_turn_i", f"{lane}.{kind}write", f"{lane}.{kind}{addr}", f"{lane}.{kind}{word}")
            for kind, addr, word in (("", "write_addr", "write_word"), ("sum_", "addr", "word"))
        ]
    if config.batch > 1:
        lanes, turn = ["gen_numbers.u_numbers"], "port_turn_i"
    else:
        lanes, turn = [f"gen_lane[{lane}].u_lane" for lane in range(config.lanes)], "port_turn"
    return [
        (f"{lane}.{turn}", f"{lane}.write_q", f"{lane}.write_addr_q", f"{lane}.write_word_q")
        for lane in lanes
    ]


Numbers = dict[tuple[int, int], list[int]]
"""What is written into registers, one after the other: by lane, or number of a register, and place."""


def differences(simulation: Simulation, modulus: int, x: int, y: int, **controls: bool) -> list[str]:
    """Where an operation of the hardware writes other numbers into registers than the model: a line each.

    A place gets the numbers that the rows of the model write there, one after the other, and no others; of
    cores whose results are not reduced, any that are the same modulo M. The operation is followed until the
    result is there: if words of that are still to come, it is not compared.

    Args:
        simulation: of a room that :func:`seen` has made.
        modulus: whose context is loaded before.
        x, y: the operands.
    """
    with drawing_from(random.Random(1)):
        simulation.load(modulus)
    config = simulation.at.at(modulus, **controls)
    assert isinstance(config, EngineConfig)
    primes, accepts = moduli(config, modulus), config.core.function.accepts
    rows: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)

    def wrote(which: int, row: int, place: int, number: int) -> None:
        if row >= 0:  # and not an operand, or of the context
            rows[which, place].append((config.program.rows[row].line, number))

    with drawing_from(random.Random(1)):  # the same numbers as in the context
        modelled(config, modulus, x, y, wrote)
    come = written(config, simulation.follow(x, y, **controls))
    ends = [row for row in config.program.rows if row.operation in ENDS]
    result = {config.program.slots[name] for row in ends for name in row.reads}
    found = []
    for which, place in sorted({*rows, *come}):
        right, others = rows.get((which, place), []), come.get((which, place), [])
        if place in result and others and others[-1] < 0 and len(others) == len(right):
            right, others = right[:-1], others[:-1]
        where, prime = f"place {place} of {which}", primes[which % len(primes)]
        if len(right) != len(others):
            found.append(f"{where}: {len(right)} numbers are written, by the hardware {len(others)}")
        for (line, number), other in zip(right, others, strict=False):
            if other != number and not accepts(config.at_core, prime, number, other):
                found.append(f"{where}: line {line} writes {number:#x}, the hardware {other:#x}")
                break
    return found


def written(config: EngineConfig, states: Sequence[Mapping[str, int]]) -> Numbers:
    """What the rows of the hardware write. A row writes each word of a number once; one left out is -1.

    Args:
        config: while it serves the modulus.
        states: of an operation, as :meth:`Simulation.follow` gives them for a room of :func:`seen`.
    """
    bits = (config.longest * config.batch - 1).bit_length()
    words: dict[tuple[int, int], dict[int, list[int]]] = defaultdict(
        lambda: {at: [] for at in range(config.number)}
    )
    for before, state in pairwise([{port: 1 for port, *_ in writes(config)}, *states]):
        for lane, (port, write, addr, word) in enumerate(writes(config)):
            if state[write] and not before[port]:
                place, at = divmod(state[addr], 1 << bits)
                which, at = divmod(at, config.number) if config.batch > 1 else (lane, at)
                words[0 if config.whole and config.batch == 1 else which, place].setdefault(at, []).append(
                    state[word]
                )
    return {
        place: [
            sum(word << config.word * at for at, word in zip(of, number, strict=True))
            for number in zip_longest(*of.values(), fillvalue=-1)
        ]
        for place, of in words.items()
    }
