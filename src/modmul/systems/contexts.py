# SPDX-License-Identifier: Apache-2.0
"""What goes into ``mm_engine`` and comes out: the ranges of its numbers, and the context (docs/engine.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from modmul.core import Config, Core, Domain, Polynomial, ceil_div, to_beats
from modmul.systems.batches import joined
from modmul.systems.checking import PLAIN
from modmul.systems.engine import EngineConfig, moduli
from modmul.systems.rows import TESTS

__all__ = [
    "KNOWN",
    "ceiling",
    "check_flags",
    "context",
    "header",
    "numbers",
    "operand_max",
    "refused",
    "result_max",
    "times",
    "told",
]

# --- ranges -----------------------------------------------------------------------------------------


def times(core: Core, at: Config, modulus: int) -> int:
    """The least multiple of an integer M above the core's largest result, as a number of M.

    Args:
        at: the build of the core while it serves M.
    """
    return core.function.result_max(at, modulus) // modulus + 1


def ceiling(config: EngineConfig, modulus: int) -> int:
    """What sums are reduced by: the least multiple of M above the core's largest result; of a polynomial, 0.

    Args:
        config: while it serves the modulus.

    Raises:
        ValueError: the core does not take all operands below it.
    """
    if isinstance(modulus, Polynomial):
        return 0
    function, at = config.core.function, config.at_core
    multiple = times(config.core, at, modulus) * modulus
    if multiple - 1 > function.operand_max(at, modulus) or multiple >> config.number * config.word:
        raise ValueError(f"{config.core.slug} does not take all sums of its results; take another core")
    return multiple


def operand_max(config: EngineConfig, modulus: int) -> int:
    """The core's; with sums, no more than they take. Of several numbers that of each."""
    most = config.core.function.operand_max(config.at_core, modulus)
    if config.written.adds and not isinstance(modulus, Polynomial):
        most = min(most, ceiling(config, modulus) - 1)
    return most


def result_max(config: EngineConfig, modulus: int) -> int:
    """The core's; with sums, theirs. Of several numbers that of all, packed."""
    most = config.core.function.result_max(config.at_core, modulus)
    if config.written.adds and not isinstance(modulus, Polynomial):
        most = ceiling(config, modulus) - 1
    return joined([most] * config.batch, config.number * config.word)


def check_flags(config: EngineConfig, modulus: int) -> None:
    """Flags compare numbers as they are: raise ValueError where that does not compare what they stand for."""
    tests = {row.operation for row in config.written.rows if row.operation in (*TESTS, *PLAIN)}
    if "less" in tests and isinstance(modulus, Polynomial):
        raise ValueError("less compares integers, not polynomials; take a modulus of GF(p)")
    if tests and ceiling(config, modulus) not in (0, modulus):
        raise ValueError(
            f"{min(tests)} needs reduced numbers, which {config.core.slug} does not make; take another core"
        )


# --- the context ------------------------------------------------------------------------------------

KNOWN: Mapping[str, Callable[[Domain, int], int]] = {
    "one": lambda domain, modulus: domain.enter(modulus, 1),
    "r2": lambda domain, modulus: domain.enter(modulus, domain.radix),
    "r3": lambda domain, modulus: domain.enter(modulus, domain.enter(modulus, domain.radix)),
    "m": lambda _domain, modulus: modulus,
    "top": lambda _domain, modulus: 1 << modulus.degree - 1 if isinstance(modulus, Polynomial) else 0,
}
"""Numbers that follow from the modulus: R mod M, R^2 mod M, R^3 mod M, M, and x^(m-1) in GF(2^m), else 0."""


def numbers(config: EngineConfig, modulus: int, lane: int = 0) -> list[int]:
    """The numbers that come with the context, in order, while ``config`` serves ``modulus``.

    The one that sums are reduced by is :func:`ceiling`; M in GF(2^m) if a sum doubles, as far as it fits.

    Args:
        modulus: of the engine.
        lane: that they are for.

    Raises:
        ValueError: one of them is neither in :data:`KNOWN` nor in ``given``.
    """
    program = config.written  # in whatever order its rows come
    domain, given = config.core.function.domain(config.at_core), config.gives(modulus, lane)
    modulus = moduli(config, modulus)[lane]
    found = []
    for register, content in zip(program.numbers, program.contents, strict=True):
        if register == program.modulus:
            binary = isinstance(modulus, Polynomial) and program.doubles
            bits = config.number * config.word
            found.append(modulus % (1 << bits) if binary else ceiling(config, modulus))
            continue
        name, point, half = content.removeprefix("~").partition(".")
        if name in KNOWN:
            value = KNOWN[name](domain, modulus)
        elif name[0].isdigit():
            value = int(name, 0 if name.startswith("0x") else 10)
            if config.compute_r2 and not isinstance(modulus, Polynomial):
                value %= ceiling(config, modulus)  # which is 1 for M = 1
        elif name in given:
            value = given[name]
        else:
            raise ValueError(f"the program takes a number {name} with the context; give {name}=NUMBER")
        size = config.number * config.word
        parts = program.parts if point else 1
        if value >> parts * size:
            longest = f"{parts} numbers" if point else "the modulus"
            raise ValueError(f"the program's number {name} is longer than {longest}")
        if point:
            value = value >> size * int(half) & (1 << size) - 1
        found.append(domain.enter(modulus, value) if content.startswith("~") else value)
    return found


def header(config: EngineConfig, core_words: int, modulus: int = 1) -> list[int]:
    """Last words of a number, the core's context, the operands, the exponent; bits to take first; rounds.

    Then the program's counts, each less one. With ``names_field`` also whether M is of GF(2^m). Last the
    rounds of the rows that run on a context, where there are some.
    """
    exponent, longest = ceil_div(config.exponent * config.batch, config.word), config.longest * config.batch
    fields = (
        (config.number * config.batch - 1, max((longest - 1).bit_length(), 1)),
        (core_words - 1, max((config.context_beats * config.ratio - 1).bit_length(), 1)),
        (config.beats - 1, config.in_bits),
        (exponent - 1, config.in_bits),
        (config.first, (config.word + config.window * config.batch).bit_length()),
        (config.rounds, (config.exponent_beats * config.word).bit_length()),
        *((count - 1, config.repeat_bits) for count in config.counts.values()),
        *([(int(isinstance(modulus, Polynomial)), 1)] if config.names_field else []),
        (config.setup_rounds if config.setup_bits else 0, config.setup_bits),
    )
    value = place = 0
    for present, bits in fields:
        value |= present << place
        place += bits
    return [(value >> at) % (1 << config.word) for at in range(0, place, config.word)]


def _words(config: EngineConfig, beats: Sequence[int]) -> list[int]:
    """Beats of the core as words of the engine."""
    bits = config.ratio * config.word
    return (
        [word for beat in beats for word in to_beats(beat, bits, config.word)] if config.geared else [*beats]
    )


def context(config: EngineConfig, modulus: int) -> Sequence[int]:
    """Header; the core's context of each lane; each number for one lane after the other."""
    config = config.at(modulus)
    core, at = config.core, config.at_core
    inner = [_words(config, core.interface.context(at, each)) for each in moduli(config, modulus)]
    bits = config.number * config.word
    each_lane = [numbers(config, modulus, lane) for lane in range(len(inner))]
    rest = [
        word
        for of_lanes in zip(*each_lane, strict=True)
        for number in of_lanes
        for word in to_beats(number, bits, config.word) * config.batch
    ]
    return [*header(config, len(inner[0]), modulus), *chain(*inner), *rest]


def told(config: EngineConfig) -> Sequence[str]:
    """What a number that is not released tells."""
    if not any(row.operation == "release" for row in config.program.rows):
        return ()
    return ("u_port.gen_refused.refused_q", "gen_lanes.wiping_q", "gen_lanes.differs")


def refused(config: EngineConfig) -> Sequence[Sequence[int]]:
    """The core's illegal contexts, in each of the lanes."""
    found = []
    for beats in config.core.illegal_contexts(config.inner):
        if 1 <= len(beats) <= config.context_beats:
            words = _words(config, beats)
            rest = [0] * (config.lanes * len(config.program.numbers) * config.number * config.batch)
            for lane in range(config.lanes):
                inner = [_legal(config, len(words))] * config.lanes
                inner[lane] = words
                found.append([*header(config, len(words)), *chain(*inner), *rest])
    if config.batch > 1:
        found.append(_shorter(config))
    return found


def _shorter(config: EngineConfig) -> list[int]:
    """A legal context of a core, with numbers that have a word less than there is room for."""
    inner, function = config.inner, config.core.function
    modulus = function.some_modulus(inner)
    words = _words(config, config.core.interface.context(inner.at(modulus), modulus))
    each = config.number * config.batch - 1
    first, *others = header(config, len(words))
    return [first - 1, *others, *words, *[0] * (len(config.program.numbers) * each)]


def _legal(config: EngineConfig, words: int) -> list[int]:
    """A core's legal context, with zeros behind it."""
    inner, function = config.inner, config.core.function
    modulus = function.some_modulus(inner)
    legal = _words(config, config.core.interface.context(inner.at(modulus), modulus))
    return [*legal, *[0] * words][:words]
