# SPDX-License-Identifier: Apache-2.0
"""What a program on ``mm_engine`` computes: the numbers that leave, and all registers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from modmul.core import Polynomial, ceil_div
from modmul.systems.batches import joined, parted
from modmul.systems.checking import PLAIN
from modmul.systems.contexts import numbers
from modmul.systems.engine import EngineConfig, moduli
from modmul.systems.rows import (
    CROSS,
    FLAG,
    ONE,
    STOPS,
    SUMS,
    TESTS,
    F,
    Program,
    Row,
    halves,
)

__all__ = ["Lane", "modelled", "run"]


@dataclass(frozen=True)
class Lane:
    """What one lane of the engine computes with.

    Attributes:
        values: of the context's numbers and the operands, by register.
        product: what the core computes.
        digits: begins anew with the bits of the exponent from the top, from the first word's highest bit on.
        wrote: told of each number that a row writes: the row, the place, the number. What comes in has the
            row -1; rows that run on a context are not told.
    """

    values: Mapping[str, int]
    product: Callable[[int, int], int]
    digits: Callable[[], Iterator[int]]
    wrote: Callable[[int, int, int], None] = lambda _row, _place, _number: None


Result = tuple[int, dict[str, int]]
"""The number that leaves, and all registers by place."""


def run(
    program: Program,
    lanes: Sequence[Lane],
    rounds: int,
    *,
    first: int,
    word: int,
    words: int,
    counts: Mapping[str, int],
    control: bool = False,
    binary: bool = False,
    setup_rounds: int = 0,
) -> list[Result]:
    """What the engine computes, row by row, in each of its lanes, which take the same rows at the same time.

    The rows that run on a context come first, where there are some.

    Args:
        rounds: of the loop.
        first: bits that ``bits first`` takes.
        word: bits of a word.
        words: of a number.
        counts: how often rows are repeated, by name.
        control: whether it begins at the entry.
        binary: whether sums are those of GF(2^m).
        setup_rounds: of the loop in the rows that run on a context.
    """
    running = [
        _run(program, lane, rounds, setup_rounds, first, word, words, counts, control, binary)
        for lane in lanes
    ]
    heard: list[int | None] = [None] * len(running)
    while True:
        told: list[tuple[str, int]] = []
        results: list[Result] = []
        for each, answer in zip(running, heard, strict=True):
            try:
                told.append(each.send(answer))  # type: ignore[arg-type]
            except StopIteration as end:
                results.append(end.value)
        if results:
            return results
        said = [value for _, value in told]
        heard = [min(said)] * len(said) if told[0][0] == FLAG else [*said[1:], said[0]]


def _run(
    program: Program,
    lane: Lane,
    rounds: int,
    setup_rounds: int,
    first: int,
    word: int,
    words: int,
    counts: Mapping[str, int],
    control: bool,
    binary: bool,
) -> Generator[tuple[str, int], int, Result]:
    """A lane. It yields a number and gets that of the lane behind; or its flag, and gets that of all."""
    values, product, digits = lane.values, lane.product, lane.digits
    size = word * words
    registers: dict[str, int] = {}
    at, phase, digit, latest, flag = 0, 0, 0, 0, 0
    ceiling, repeats = values.get(program.modulus, 0), 0

    def place(name: str) -> str:
        return str(program.slots[name] ^ (phase if name[-1] in "~'" else 0))

    def value(row: Row, name: str) -> int:
        if name in (F, ONE, ""):
            return {F: latest, ONE: 1, "": 0}[name]
        chosen = (0, (digit ^ digit >> 1) & 1, digit & 1, flag)[row.choose]
        if row.choose and not row.other:  # b, or 0
            return values_of(row, name) if chosen or name != row.y else 0
        return values_of(row, row.other if chosen else name)

    def values_of(row: Row, name: str) -> int:
        parts = halves(name, row.long, program.parts)
        return sum(registers[place(part)] << at * size for at, part in enumerate(parts))

    def write(parts: Sequence[str], value: int) -> None:
        for part in parts:
            kept = value % (1 << size) if len(parts) > 1 else value
            registers[place(part)] = kept
            lane.wrote(at - 1, int(place(part)), kept)
            value >>= size

    for name, given in values.items():
        write(halves(name, program.longs, program.parts), given)
    if program.setup >= 0:
        before = replace(program, entry=program.setup, setup=-1)
        quiet = Lane(values, product, digits)
        _, made = yield from _run(before, quiet, setup_rounds, 0, first, word, words, counts, True, binary)
        registers |= made
    taken, over = digits(), 0
    at = program.entry if control else 0

    while (row := program.rows[at]).operation not in STOPS:
        at += 1
        if row.operation == "mul":
            latest = product(value(row, row.x), value(row, row.y))
            write(row.writes, latest)
        elif row.operation == "scan":
            write(row.writes, registers[place(row.scanned[digit % program.entries])])
        elif row.operation == "bits":
            for _ in range(row.taken(over) or first):
                digit = digit << 1 | next(taken)
            over = 0
        elif row.operation == "rewind":
            digit = 0
            exponent = row.x == program.operands[1] and not row.long
            tops = [place(part) for part in reversed(row.sources)]
            over = 0 if exponent else row.over(word, words)
            taken = digits() if exponent else _bits(registers, tops, word, words, row)
        elif row.operation in PLAIN:
            most = size * (program.parts if row.whole else 1)
            x, y = value(row, row.x), value(row, row.y)
            if row.cross:
                y = yield CROSS, y
            outcome, flag = _plain(row, x, y, digit, flag, program.digit, most)
            write(row.writes, outcome)
        elif row.operation in SUMS:
            x, y = value(row, row.x), value(row, row.y)
            if row.cross:
                y = yield CROSS, y
            if row.operation in TESTS:
                flag = int(x < y if row.operation == "less" else x == y)
                continue
            if row.operation == "twice":
                total = 2 * x - ceiling * (2 * x >= ceiling)
                if binary:
                    total = (2 * x ^ (ceiling if x & y else 0)) % (1 << size)
            elif binary:
                total = x ^ y
            elif row.operation == "add":
                total = x + y - ceiling * (x + y >= ceiling)
            else:
                total = x - y + ceiling * (x < y)
            write(row.writes, total)
        elif row.operation == "repeat":
            repeats = (repeats + 1) % row.times(counts)
            at = row.target if repeats else at
        elif row.operation == "jump":
            at = row.target
        elif rounds:  # loop
            at, rounds, phase = row.target, rounds - 1, phase ^ 1
    if row.operation == "release":
        flag = yield FLAG, flag
    return value(row, row.x) if row.x else 0, registers


def _bits(
    registers: Mapping[str, int], places: Sequence[str], word: int, words: int, row: Row
) -> Iterator[int]:
    """Bits of a register, from the top; a word is read when its first bit is taken."""
    if row.count > words:
        raise ValueError(f"line {row.line}: rewind {row.x}, {row.count}: a number has {words} words")
    for at, place in enumerate(places):
        for beat in reversed(range(row.count if row.count and not at else words)):
            held = registers[place] >> beat * word
            yield from (held >> bit & 1 for bit in reversed(range(word)))
    raise ValueError(f"line {row.line}: more bits are taken of {row.x} than its {word * words * len(places)}")


def _plain(row: Row, x: int, y: int, digit: int, flag: int, taken: int, most: int) -> tuple[int, int]:
    """What a plain sum of so many bits gives, and the flag behind it."""
    carry = 0
    if row.operation == "acc":
        x = (x << taken) + digit % (1 << taken) * y
    elif row.operation == "plus":
        x += y
        carry = x >> most
    elif row.operation == "minus":
        carry = int(x < y)
        x -= y
    elif row.operation == "half":
        carry, x = x & 1, x >> 1
    x %= 1 << most
    return x, int(x == 0) if row.test == "=" else carry if row.test else flag


def modelled(
    config: EngineConfig,
    modulus: int,
    x: int,
    y: int,
    wrote: Callable[[int, int, int, int], None] = lambda _which, _row, _place, _number: None,
) -> tuple[int, dict[str, int]]:
    """The number that leaves and all registers by place, by the model of the engine.

    Args:
        config: while it serves the modulus.
        x, y: the operands; y is the exponent where there is one.
        wrote: told as :class:`Lane` says, first in which lane, or in which of several numbers of a register.

    Raises:
        ValueError: the program takes more bits of the exponent than there are.
    """
    program = config.program

    def results(lanes: Sequence[Lane], first: int) -> list[Result]:
        return run(
            program,
            lanes,
            config.rounds,
            first=first,
            word=config.word,
            words=config.number,
            counts=config.counts,
            control=config.product,
            binary=isinstance(modulus, Polynomial),
            setup_rounds=config.setup_rounds,
        )

    if config.batch == 1:
        lanes = [
            replace(_lane(config, modulus, lane, x, y), wrote=partial(wrote, lane))
            for lane in range(program.lanes)
        ]
        return results(lanes, config.first)[0]
    size = config.number * config.word
    given = parted(config.batch, size, x, y, registers=config.x_registers, bits=program.bits)
    made = [
        results([replace(_lane(config, modulus, 0, *each), wrote=partial(wrote, at))], config.first_each)[0]
        for at, each in enumerate(given)
    ]
    return (
        joined([number for number, _ in made], size, config.z_registers),
        {place: joined([of[place] for _, of in made], size) for place in made[0][1]},
    )


def _lane(config: EngineConfig, modulus: int, lane: int, x: int, y: int) -> Lane:
    """What a lane computes with. Each one has another part of a long y in the first place."""
    program, domain = config.program, config.core.function.domain(config.at_core)
    if lane and config.y_places > 1 and (config.lanes == 2 or program.operands[1] in program.longs):
        below = lane * config.number * config.word
        y = y % (1 << below) << config.number * config.word * program.parts - below | y >> below
    bits = config.exponent if config.batch > 1 else ceil_div(config.exponent, config.word) * config.word

    def digits() -> Iterator[int]:
        return chain((y >> at & 1 for at in reversed(range(bits))), _no_more(config))

    named = (*program.numbers, *program.operands)
    values = dict(zip(named, (*numbers(config, modulus, lane), x, y), strict=True))
    own = moduli(config, modulus)[lane]
    return Lane(values, lambda a, b: domain.product(own, a, b), digits)


def _no_more(config: EngineConfig) -> Iterator[int]:
    raise ValueError(
        f"the program takes more bits than an exponent of {config.exponent} has; "
        "let all rounds take as many, and 'bits first' those that are over"
    )
    yield 0
