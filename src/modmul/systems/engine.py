# SPDX-License-Identifier: Apache-2.0
"""Programs on ``mm_engine`` with a core: the parameters of a build, and its time (docs/engine.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Self

from modmul.core import BINARY_FIELD, RUNTIME, Config, Core, RsaKey, ceil_div, lane, multiple
from modmul.systems.arranging import SHORT_RUN, TRIES, arranged, arrangement
from modmul.systems.assembly import assemble
from modmul.systems.batches import of_several
from modmul.systems.checking import FORMULA
from modmul.systems.constants import check_radix, doublings, with_constants
from modmul.systems.kept import kept, key
from modmul.systems.power import PowerConfig, Timing
from modmul.systems.rows import ENDS, Program
from modmul.systems.timing import Geared, Unit, cycles
from modmul.systems.timing import multiplications as counted
from modmul.systems.whole import apart as apart_whole

__all__ = [
    "EngineConfig",
    "arrange",
    "assembled",
    "bare",
    "context_wait",
    "default_word",
    "interval",
    "latency",
    "moduli",
    "multiplications",
    "operand_cycles",
    "setup_cycles",
    "unit",
]

SHORT = 32
"""Bits of the engine's words where a core takes longer whole numbers; in long numbers an eighth of them."""

MOST_CORES = 4

MOST_NUMBERS = 64

SUM_BITS = 64
"""Of a sum in a cycle, where words are whole numbers and there are several, and nobody says otherwise."""


def default_word(inner: Config) -> int:
    """Bits of the engine's words where nobody says otherwise."""
    short = max(SHORT, 1 << max(ceil_div(inner.word, 8) - 1, 0).bit_length())
    return min(short, inner.word)


@dataclass(frozen=True)
class EngineConfig(PowerConfig):
    """The parameters of a program on the engine with a core. Systems subclass it and write the program.

    Attributes:
        engine_word: bits of the engine's words where the core takes whole numbers; 0 for the default. A core
            that takes words decides on them itself.
        cores: which take operations in turn, 1 to 4.
        compute_r2: 1: the hardware computes R mod M and R^2 mod M, which otherwise come with the context.
        given: numbers of the context that are not in :data:`contexts.KNOWN`, by name.
        batch: numbers of a register, 1 to 64: operations that run at the same time, on the same cores.
        sum_bits: of a sum in a cycle, where words are whole numbers (:attr:`whole`); 0: all of them, with a
            batch :data:`SUM_BITS`.
    """

    engine_word: int = field(default=0, kw_only=True)
    cores: int = field(default=1, kw_only=True)
    compute_r2: int = field(default=0, kw_only=True)
    given: tuple[tuple[str, int], ...] = field(default=(), kw_only=True, metadata=RUNTIME)
    batch: int = field(default=1, kw_only=True)
    sum_bits: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        takes_words = self.inner.beats > 1 or self.inner.bits != self.inner.word
        if not self.engine_word or takes_words:
            object.__setattr__(self, "engine_word", default_word(self.inner))
        if self.engine_word < 1:
            raise ValueError(f"engine_word must be at least 1 bit, got {self.engine_word}")
        if not 1 <= self.cores <= MOST_CORES:
            raise ValueError(f"cores must be 1 to {MOST_CORES}, got {self.cores}")
        if self.compute_r2 not in (0, 1):
            raise ValueError(f"compute_r2 must be 0 or 1, got {self.compute_r2}")
        if not 1 <= self.batch <= MOST_NUMBERS:
            raise ValueError(f"batch must be 1 to {MOST_NUMBERS}, got {self.batch}")
        if self.sum_bits < 0:
            raise ValueError(f"sum_bits must be 0 or bits of a sum in a cycle, got {self.sum_bits}")
        super().__post_init__()
        if self.compute_r2:
            check_radix(self.core.slug, self.radix)

    @property
    def geared(self) -> bool:
        """Whether the core takes whole numbers, and the engine shorter words."""
        inner = self.inner
        return inner.beats == 1 and inner.bits == inner.word and self.engine_word < inner.word

    @cached_property
    def whole(self) -> bool:
        """Whether words are whole numbers and the core takes one every cycle: no row waits once it has begun.

        So it is of one core, and of programs with sums and rows that several numbers can have.
        """
        if self.longest > 1 or self.cores > 1:
            return False
        stream = self.core.interface.operations(self.inner)
        alike = {(stream.latency(square), stream.interval(square)) for square in (False, True)}
        if stream.alone or not stream.tells_waiting or alike != {(stream.latency(False), 1)}:
            return False
        with suppress(ValueError):
            return of_several(assembled(self.text(), 1), self.batch).sums
        return False

    @property
    def sum_cycles(self) -> int:
        """Of a sum there; 0 where words are shorter, or the core takes none for some cycles."""
        return ceil_div(self.word, self._sum_bits) if self.whole else 0

    @property
    def _sum_bits(self) -> int:
        return min(self.sum_bits or (SUM_BITS if self.batch > 1 else self.word), self.word)

    @property
    def word(self) -> int:
        return self.engine_word if self.geared else self.inner.word

    @property
    def number(self) -> int:
        """Words of a number while it serves the modulus."""
        return ceil_div(self.inner.word, self.word) if self.geared else self.at_core.beats

    @property
    def longest(self) -> int:
        """Words of a number at most."""
        return ceil_div(self.inner.word, self.word) if self.geared else self.inner.beats

    @property
    def exponent_beats(self) -> int:
        """Words of the longest exponent, or of those of all numbers of a register."""
        return ceil_div(self.exponent_bits * self.batch, self.word)

    @property
    def ratio(self) -> int:
        """Words of a word of the core."""
        return ceil_div(self.inner.word, self.word)

    @property
    def bits(self) -> int:
        """Those of the ports: of long numbers where such go through them; of plain sums, all that fit in."""
        if self.batch > 1:
            return self.batch * max(self.number * self.word * self._short.width, self.exponent)
        if not self._short.plain:
            return super().bits
        return max(super().bits, self.number * self.word * self._short.width)

    @property
    def operations(self) -> int:
        return self.batch

    @property
    def x_registers(self) -> int:
        """Of each number of the first operand: one, or those of a long one."""
        return self.written.parts if self.written.operands[0] in self.written.longs else 1

    @property
    def z_registers(self) -> int:
        """Of each number that leaves."""
        return max(row.parts if row.long else 1 for row in self.written.rows if row.operation in ENDS)

    @property
    def in_beats(self) -> int:
        """Words of the longest operand."""
        return max(self.longest * self.batch * self._short.width, self.exponent_beats)

    @property
    def in_bits(self) -> int:
        """Bits of the index of an operand word."""
        return max((self.in_beats - 1).bit_length(), 1)

    @property
    def y_places(self) -> int:
        """Places of the register file that y takes."""
        return 1 << max(self.in_bits - max((self.longest * self.batch - 1).bit_length(), 0), 0)

    @property
    def window(self) -> int:
        """Bits of a digit. Systems override it."""
        return 1

    @property
    def shorter(self) -> int:
        """Bits by which a prime may be shorter than the core is wide. Systems override it."""
        return 0

    @property
    def reduces(self) -> bool:
        """Whether the program reduces results of the core before it compares them. Systems override it."""
        return False

    @cached_property
    def _short(self) -> Program:
        """The assembled program, y in one place: what is known before the places of y are."""
        return assembled(self.text(), 1)

    @cached_property
    def written(self) -> Program:
        """The assembled program, its rows as in the text, and each register in a place of its own."""
        text = self.text()
        if self.compute_r2:
            text = with_constants(text, self.radix, both_fields=BINARY_FIELD in self.fields)
        program = assembled(text, self.y_places)
        return of_several(program, self.batch) if self.batch > 1 or self.whole else program

    @property
    def program(self) -> Program:
        """The assembled program, as the hardware has it."""
        written = self.written
        if not self.arranges or written.kept:
            return written
        return _arranged(self.core.slug, self.idle, self.core)

    @property
    def idle(self) -> Self:
        """The build alone, whatever it serves."""
        unset: dict[str, Any] = {
            each.name: each.default for each in fields(self) if each.metadata.get("runtime")
        }
        return replace(self, **unset)

    @property
    def arranges(self) -> bool:
        """Whether rows may come in another order and registers share places. Systems override it."""
        return False

    def text(self) -> str:
        """The program. Systems override it."""
        raise NotImplementedError

    @property
    def packed(self) -> bool:
        return not set(self.written.longs).isdisjoint(self.written.operands)

    @property
    def crowded(self) -> bool:
        return self.lanes * self.cores > 1 or (self.written.ahead > 0 and BINARY_FIELD not in self.fields)

    @property
    def left_out(self) -> frozenset[str]:
        whole = {"mm_engine_whole", "mm_engine_whole_sum", "mm_engine_block"}
        several = {"mm_engine_numbers", "mm_engine_sums"}
        one = {"mm_engine_lane", "mm_engine_digit", "mm_engine_plain", "mm_engine_sum"}
        shared = {"mm_engine_cores", "mm_engine_feed", "mm_engine_reader", "mm_engine_stage"}
        if self.whole:
            memory = {"mm_engine_block" if self.batch > 1 else "mm_engine_memory"}
            return frozenset(several | one | shared | memory)
        return frozenset(whole | (one if self.batch > 1 else several))

    @property
    def lanes(self) -> int:
        """How many there are."""
        return self.written.lanes

    def at(self, modulus: int, **controls: bool) -> Self:
        return super().at(moduli(self, modulus)[0], **controls)

    def gives(self, modulus: int, lane: int) -> Mapping[str, int]:
        """Numbers of a lane's context that are not in :data:`contexts.KNOWN`, by name. Systems override it.

        Args:
            modulus: of the engine.
            lane: from 0 on.
        """
        del modulus, lane
        return dict(self.given)

    @property
    def setup_rounds(self) -> int:
        """Rounds of the rows that run on a context: doublings of 1 that make R^2, D the bits of R."""
        return doublings(self.radix)

    @property
    def setup_bits(self) -> int:
        """Bits of that number in the header; 0 without such rows."""
        longest = replace(self, serving=None).setup_rounds
        return max(longest.bit_length(), 1) if self.program.setup >= 0 else 0

    @property
    def names_field(self) -> bool:
        """Whether the header says of which field M is: sums differ, and the core has both."""
        return self.program.sums and BINARY_FIELD in self.fields and len(self.fields) > 1

    @property
    def counts(self) -> dict[str, int]:
        """How often rows are repeated where the context says so, by the name of the count."""
        units = {"bits": self.number * self.word, "words": self.number, "n": self.at_core.bits}
        return {name: _count(formula, units) for name, formula in self.written.counts}

    @property
    def repeat_bits(self) -> int:
        """Bits of the counter of ``repeat``; 0 without one."""
        program = self.program
        units = {"bits": self.longest * self.word, "words": self.longest, "n": self.inner.bits}
        most = [_count(formula, units) - 1 for _, formula in program.counts]
        used = bool(program.repeats) or any(row.counter for row in program.rows)
        return max(program.repeats, int(used), *(each.bit_length() for each in most), 0)

    def own(self) -> dict[str, str]:
        return {"ExponentBits": "exponent_bits", "EngineWord": "engine_word", "Cores": "cores"}

    @property
    def first(self) -> int:
        """Bits that are taken first: those above the exponent in its highest word, and the first digit."""
        above = -self.exponent * self.batch % self.word
        return above + self.batch * self.first_each

    @property
    def first_each(self) -> int:
        """Bits of each number's first digit."""
        return (self.exponent - 1) % self.window + 1

    @property
    def rounds(self) -> int:
        """Digits but the first."""
        return ceil_div(self.exponent, self.window) - 1

    def parameters(self) -> dict[str, int]:
        program = self.program
        places = [program.slots[name] for name in program.numbers]
        return {
            "Word": self.word,
            "Beats": self.longest * self.batch,
            "CoreWord": self.inner.word,
            "Cores": self.cores,
            "ContextBeats": self.context_beats * self.ratio,
            "InBeats": self.in_beats,
            "Slots": max(program.places, (1 << program.slot_bits - 1) + 1 if self.batch > 1 else 0),
            "XSlot": program.slots[program.operands[0]],
            "YSlot": program.slots[program.operands[1]],
            "Numbers": len(places),
            "NumberSlots": sum(place << 16 * at for at, place in enumerate(places)),
            "FirstBits": (self.word + self.window * self.batch).bit_length(),
            "RoundBits": (self.exponent_beats * self.word).bit_length(),
            "DigitBits": max(self.window, 2 * self.batch, program.digit),
            "Entries": max(program.entries, 1),
            "Rows": len(program.rows),
            "Entry": program.entry,
            "Program": program.encode(),
            **self._units(),
            **({"Lanes": program.lanes} if program.lanes > 1 else {}),
            **({"Ahead": 1 if self.whole else program.ahead} if program.ahead else {}),
            **({"Batch": self.batch} if self.batch > 1 else {}),
            **({"Whole": self._sum_bits, "Latency": unit(self).stream.latency(False)} if self.whole else {}),
        }

    def _units(self) -> dict[str, int]:
        """What only some programs need."""
        program = self.program
        sums = {
            "Sums": 1,
            "ModulusSlot": program.slots.get(program.modulus, 0),
            "Binary": 1 if self.names_field else 2 * (BINARY_FIELD in self.fields),
        }
        repeats = {"Repeats": self.repeat_bits} | ({"Counts": len(program.counts)} if program.counts else {})
        plain = {
            "Plain": 1,
            "AccBits": program.digit,
            "Halves": int(any(row.operation == "half" for row in program.rows)),
            "XLong": int(program.operands[0] in program.longs),
            "YLong": int(program.operands[1] in program.longs),
        }
        setup = {"Setup": program.setup, "SetupBits": self.setup_bits}
        return {
            **(sums if program.sums else {}),
            **({"Twice": 1} if program.doubles else {}),
            **({"Flags": int(program.flags)} if program.sums or program.flags else {}),
            **(repeats if self.repeat_bits else {}),
            **(plain if program.plain else {}),
            **({"Sources": 1} if program.rewinds else {}),
            **(setup if program.setup >= 0 else {}),
        }


@lru_cache(maxsize=256)
def assembled(text: str, long: int = 1) -> Program:
    """The assembled program, as often as it is asked for (:func:`modmul.systems.assembly.assemble`)."""
    return assemble(text, long=long)


@lru_cache(maxsize=256)
def _arranged(_slug: str, config: EngineConfig, _core: Core) -> Program:
    """The program in the best order that is found for the core, with shared places; never a slower one."""
    name, known = _order_key(config), kept()
    with suppress(KeyError, ValueError):
        _, way, *order = known.orders[name]  # behind how many were tried
        found = arranged(way, config.written, order)
        if known.learns:
            known.used.add(name)
        return found
    way, order = _arrangement(config)
    if known.learns:
        known.orders[name] = [TRIES, way, *(order if way > 2 else [])]
        known.used.add(name)
    return arranged(way, config.written, order)


def _order_key(config: EngineConfig) -> str:
    """A name for what the order of the rows is found from. How often the rows run is not part of it."""
    counts = {name: min(count, SHORT_RUN) for name, count in config.counts.items()}
    return key("order", config.text(), config.radix if config.compute_r2 else 0, counts, *_way(config))


def _cycles_key(config: EngineConfig) -> str:
    """A name for what the cycles follow from, the order that is kept among it."""
    name = _order_key(config.idle)
    how_often = (config.rounds, config.setup_rounds, config.counts, config.product)
    return key("cycles", name, kept().orders.get(name, [])[1:], how_often, *_way(config))


def _way(config: EngineConfig) -> tuple[object, ...]:
    return config.word, config.first, unit(config, config.lanes).facts


def arrange(config: EngineConfig, tries: int) -> None:
    """Find the order of a build's rows with more patience, unless that has been done.

    Args:
        config: the build alone, whatever it serves.
        tries: orders of the rows that are timed at most, beside those of lists; fewer of long programs.
    """
    name, known = _order_key(config), kept()
    if name not in known.orders or known.orders[name][0] < tries:
        way, order = _arrangement(config, tries)
        known.orders[name] = [tries, way, *order]
        for each in (_arranged, _latency):
            each.cache_clear()
    known.used.add(name)


def _arrangement(config: EngineConfig, tries: int = TRIES) -> tuple[int, list[int]]:
    """The fastest way to arrange a program, never slower than as it is written.

    Returns:
        the way of :func:`arranged`, and the order of the rows.
    """
    written = config.written

    def time(program: Program, most: int) -> list[int]:
        counts = {name: min(count, most) for name, count in config.counts.items()}
        rows = tuple(
            replace(row, count=min(row.count, most)) if row.operation == "repeat" else row
            for row in program.rows
        )
        program = replace(program, rows=rows)

        def of(control: bool, setup: bool) -> int:
            return cycles(
                program,
                unit(config, config.lanes),
                config.word,
                config.first,
                min(config.setup_rounds if setup else config.rounds, most),
                control,
                counts=counts,
                setup=setup,
            )

        ways = [
            (False, False),
            *([(True, False)] if program.entry else []),
            *([(False, True)] if program.setup >= 0 else []),
        ]
        return [of(*way) for way in ways]

    return arrangement(written, unit(config, config.lanes), time, tries)


def _count(formula: str, units: Mapping[str, int]) -> int:
    match = re.fullmatch(FORMULA, formula, re.ASCII)
    assert match, formula
    of = int(match["times"] or 1) * units[match["unit"]] + int(match["more"] or 0) if match["unit"] else 0
    found = ceil_div(of or int(match["fixed"] or 0), int(match["per"] or 1))
    if found < 1:
        raise ValueError(f"the count {formula} is {found} here; it must be at least 1")
    return found


def moduli(config: EngineConfig, modulus: int) -> tuple[int, ...]:
    """That of each lane: for several lanes the primes of a key, or multiples of them as long as the core.

    Raises:
        ValueError: it is no key, or one of more, fewer, longer or shorter primes.
    """
    if config.lanes == 1:
        return (modulus,)
    if not isinstance(modulus, RsaKey):
        raise ValueError("works with a whole RSA key, not with its modulus alone")
    if len(modulus.primes) != config.lanes:
        many = len(modulus.primes)
        raise ValueError(f"works with keys of {config.lanes} primes, this one has {many}; take Primes={many}")
    bits, lengths = config.inner.width, modulus.lengths
    found = tuple(multiple(prime, bits) for prime in modulus.primes)
    if bits - config.shorter > min(lengths) or any(each.bit_length() > bits for each in found):
        wide, shorter = lane(lengths)
        needed = f"{bits - config.shorter} to {bits - 2}, or" if config.shorter > 1 else "exactly"
        has = " and ".join(map(str, sorted(set(lengths))))
        option = f" --set Shorter={shorter}" if shorter else ""
        raise ValueError(
            f"needs primes of {needed} {bits} bits, these have {has}; "
            f"take --width {config.lanes * wide}{option}"
        )
    return found


# --- time -------------------------------------------------------------------------------------------


def unit(config: EngineConfig, lanes: int = 1) -> Unit:
    """The cores of a configuration, idle.

    Args:
        lanes: how many there are, which the program says.
    """
    stream = config.core.interface.operations(config.at_core)
    stream = Geared.of(stream, config.number) if config.geared else stream
    pairs = lanes > 1 or config.written.sums
    return Unit(stream, config.cores, lanes > 1, pairs, config.batch, config.sum_cycles)


def latency(config: EngineConfig) -> int:
    """Cycles from the last operand beat to the first of the result, row by row."""
    return _latency(config.core.slug, replace(config, serving=config.at_core), config.core)


@lru_cache(maxsize=4096)
def _latency(_slug: str, config: EngineConfig, _core: Core) -> int:
    name, known = _cycles_key(config), kept()
    found = known.cycles.get(name)
    if found is None:
        found = cycles(
            config.program,
            unit(config, config.lanes),
            config.word,
            config.first,
            config.rounds,
            config.product,
            counts=config.counts,
        )
    if known.learns:
        name = _cycles_key(config)  # with the order that has been found meanwhile
        known.cycles[name] = found
        known.used |= {name, _order_key(config.idle)}
    return found


SETTLES = 3
"""Cycles from the first in which the last word of a context waits to the start of the rows that run on it."""


def setup_cycles(config: EngineConfig) -> int:
    """Cycles that the last word of a context waits for the rows that run on it.

    Args:
        config: while it serves the modulus.
    """
    config = replace(config, serving=config.at_core, length=0, product=False)
    return _setup_cycles(config.core.slug, config, config.core) if config.program.setup >= 0 else 0


@lru_cache(maxsize=256)
def _setup_cycles(_slug: str, config: EngineConfig, _core: Core) -> int:
    ready = cycles(
        *(config.program, unit(config), config.word, 0, config.setup_rounds, False),
        counts=config.counts,
        setup=True,
    )
    return SETTLES + ready + 2


def multiplications(config: EngineConfig) -> tuple[int, int]:
    """Squares and products of a run, on each lane."""
    counts = counted(config.program, config.rounds, control=config.product, counts=config.counts)
    return counts[True], counts[False]


def bare(config: EngineConfig) -> int:
    """Cycles of the multiplications of a run alone, one after the other, without anything of the engine."""
    squares, products = multiplications(config)
    time = Timing(config.core, config.at_core)
    return config.batch * (squares * time.alone(square=True) + products * time.alone())


def context_wait(config: EngineConfig) -> int:
    """The most cycles that a word of a context waits: for the core, or for the rows that run on a context."""
    return config.core.interface.context_wait(config.inner) + config.ratio + 2 + setup_cycles(config)


def operand_cycles(config: EngineConfig) -> Sequence[int]:
    """A beat in every second cycle: x and y go into the register file one after the other."""
    return range(0, 2 * config.beats, 2)


def interval(config: EngineConfig) -> int:
    """Operands, the operation, the result's words; the next operands come a cycle later.

    With several lanes a word leaves in every fourth cycle; where words are whole numbers, as
    :mod:`modmul.systems.whole` says.
    """
    apart = 4 if config.lanes > 1 else apart_whole(config.batch) if config.whole else 1
    return (2 + apart) * (config.beats - 1) + latency(config) + 1
