# SPDX-License-Identifier: Apache-2.0
"""Systems that are programs on ``mm_engine``: configuration, context, time, description (docs/engine.md)."""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import Any, Self

from modmul.core import (
    BINARY_FIELD,
    RUNTIME,
    Algorithm,
    Builds,
    Config,
    Core,
    Domain,
    Function,
    Interface,
    Memory,
    Origin,
    Polynomial,
    RsaKey,
    ceil_div,
    lane,
    multiple,
    to_beats,
)
from modmul.systems.assembly import (
    ENDS,
    TESTS,
    TURNS,
    F,
    Lane,
    Program,
    Result,
    Row,
    assemble,
    run,
    waiting,
)
from modmul.systems.batches import joined, parted
from modmul.systems.checking import FORMULA, PLAIN
from modmul.systems.constants import check_radix, doublings, with_constants
from modmul.systems.kept import kept, key
from modmul.systems.ordering import ordered, reordered
from modmul.systems.power import PRODUCT, PowerConfig, Timing, compute, fixed, formula
from modmul.systems.sharing import forwarded, shared
from modmul.systems.timing import Geared, Unit, cycles
from modmul.systems.timing import multiplications as counted
from modmul.systems.whole import apart as apart_whole

__all__ = [
    "KNOWN",
    "EngineConfig",
    "arrange",
    "assembled",
    "bare",
    "ceiling",
    "default_word",
    "engine_core",
    "header",
    "modelled",
    "moduli",
    "multiplications",
    "numbers",
    "of_several",
    "times",
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
        given: numbers of the context that are not in :data:`KNOWN`, by name.
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
        """Numbers of a lane's context that are not in :data:`KNOWN`, by name. Systems override it.

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


SEVERAL = ("mul", "add", "sub", "move", "bits", "scan", *TESTS, *ENDS, *TURNS)
"""Rows that do the same with several numbers."""


@lru_cache(maxsize=256)
def of_several(program: Program, batch: int) -> Program:
    """A program whose registers hold so many numbers. Numbers move there by products with 1.

    Raises:
        ValueError: one of its rows does not work with several.
    """
    for row in program.rows:
        if row.operation not in SEVERAL or (row.operation == "move" and row.long):
            what = f"{row.operation} of long registers" if row.long else row.operation
            raise ValueError(
                f"line {row.line}: {what} is not there for several numbers at a time; take Batch=1"
            )
        if row.operation != "bits" and program.operands[1] in row.reads and program.bits:
            raise ValueError(
                f"line {row.line}: {program.operands[1]} is a number here, and bits come from it elsewhere; "
                "with several numbers at a time it is one or the other"
            )
    if program.lanes > 1 or program.operands[1] in program.longs:
        raise ValueError("lanes and a long y are not there for several numbers at a time; take Batch=1")
    return replace(_without_moves(program), batch=batch)


def _without_moves(program: Program) -> Program:
    """The program with products in place of moves: with R mod M, in f where b may come in place of a.

    Raises:
        ValueError: R mod M is none of its numbers.
    """
    moves = [row for row in program.rows if row.operation == "move"]
    one = next((at for name, at in zip(program.contents, program.numbers, strict=True) if name == "one"), "")
    if moves and not one:
        raise ValueError(
            f"line {moves[0].line}: with several numbers at a time, move is a product by 1; add .number one"
        )
    places, rows = [0], list[Row]()
    for row in program.rows:
        if row.operation == "move" and row.choose:
            rows.append(replace(row, operation="mul", d="", x=one, y=one, other="", choose=0))
            rows.append(replace(row, operation="mul", x=F, y=row.x))
        else:
            rows.append(replace(row, operation="mul", y=one) if row.operation == "move" else row)
        places.append(len(rows))
    return waiting(
        replace(
            program,
            rows=tuple(replace(row, target=places[row.target]) for row in rows),
            entry=places[program.entry],
        )
    )


@lru_cache(maxsize=256)
def assembled(text: str, long: int = 1) -> Program:
    """The assembled program, as often as it is asked for (:func:`modmul.systems.assembly.assemble`)."""
    return assemble(text, long=long)


TRIES = 200
"""Orders of the rows that are timed at most, beside those of the lists."""

ROWS_TRIED = 20_000
"""Rows of all these orders, at most."""

SHORT_RUN = 3
"""Rounds of each loop, at most, in the runs that they are timed with."""

WHOLE_RUN = sys.maxsize
"""Likewise, where nothing is cut short."""


@lru_cache(maxsize=256)
def _arranged(_slug: str, config: EngineConfig, _core: Core) -> Program:
    """The program in the best order that is found for the core, with shared places; never a slower one."""
    name, known = _order_key(config), kept()
    with suppress(KeyError, ValueError):
        _, way, *order = known.orders[name]  # behind how many were tried
        found = _arranged_as(way, config.written, order)
        if known.learns:
            known.used.add(name)
        return found
    way, order = _arrangement(config)
    if known.learns:
        known.orders[name] = [TRIES, way, *(order if way > 2 else [])]
        known.used.add(name)
    return _arranged_as(way, config.written, order)


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


WAYS = 5
"""To arrange a program (:func:`_arranged_as`)."""


def _arranged_as(way: int, written: Program, order: Sequence[int]) -> Program:
    """0: as it is; 1: places shared; 2: f in place of registers, too; 3 and 4: the same in another order.

    Raises:
        ValueError: there is no such way, or in this order the rows would not compute the same.
    """
    if not 0 <= way < WAYS:
        raise ValueError(f"there are {WAYS} ways to arrange a program, got {way}")
    if not way:
        return written
    found = reordered(written, order) if way > 2 else written
    return shared(found if way % 2 else forwarded(found))


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
        the way of :func:`_arranged_as`, and the order of the rows.
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

    order = ordered(
        written,
        unit(config, config.lanes),
        lambda program: sum(time(program, SHORT_RUN)),
        min(tries, ROWS_TRIED * tries // TRIES // len(written.rows)),
    )
    before = time(written, WHOLE_RUN)
    best, least = 0, sum(before)
    for way in range(WAYS):
        taken = time(_arranged_as(way, written, order), WHOLE_RUN)
        if all(map(operator.le, taken, before)) and sum(taken) <= least:
            best, least = way, sum(taken)
    return best, order


def _count(formula: str, units: Mapping[str, int]) -> int:
    match = re.fullmatch(FORMULA, formula, re.ASCII)
    assert match, formula
    of = int(match["times"] or 1) * units[match["unit"]] + int(match["more"] or 0) if match["unit"] else 0
    found = ceil_div(of or int(match["fixed"] or 0), int(match["per"] or 1))
    if found < 1:
        raise ValueError(f"the count {formula} is {found} here; it must be at least 1")
    return found


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


def _check_flags(config: EngineConfig, modulus: int) -> None:
    """Flags compare numbers as they are: raise ValueError where that does not compare what they stand for."""
    tests = {row.operation for row in config.written.rows if row.operation in (*TESTS, *PLAIN)}
    if "less" in tests and isinstance(modulus, Polynomial):
        raise ValueError("less compares integers, not polynomials; take a modulus of GF(p)")
    if tests and ceiling(config, modulus) not in (0, modulus):
        raise ValueError(
            f"{min(tests)} needs reduced numbers, which {config.core.slug} does not make; take another core"
        )


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


# --- what it computes -------------------------------------------------------------------------------


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


# --- the description --------------------------------------------------------------------------------


def engine_core(
    core: Core,
    config: Callable[..., EngineConfig],
    *,
    slug: str,
    title: str,
    steps: str,
    origin: Origin,
    more: Callable[[EngineConfig], Sequence[EngineConfig]] = lambda _config: (),
    computed: Callable[[Any, int, int, int, Memory], int] = compute,
    formula: Callable[[Any], str] = formula,
) -> Core:
    """The description of a program on the engine with a core.

    Args:
        core: what the engine multiplies with.
        config: makes a configuration of a width, with ``inner`` and ``core``.
        slug, title: of the system.
        steps: its cycle count as text.
        origin: where it is from.
        more: further configurations like one, for the tests.
        computed, formula: what it computes, and that as people write it.
    """

    def explore(width: int) -> Sequence[EngineConfig]:
        return tuple(config(width, inner=inner, core=core) for inner in core.builds.at(width)[:1])

    def for_modulus(width: int, modulus: int) -> Sequence[EngineConfig]:
        return tuple(config(width, inner=inner, core=core) for inner in fixed(core, width, modulus))

    def variants(width: int) -> Sequence[EngineConfig]:
        builds = filter(
            core.interface.carries_numbers, (*core.builds.at(width)[1:], *core.builds.variants(width))
        )
        others = [config(width, inner=inner, core=core) for inner in builds]
        for known in explore(width):
            others += [*more(known)]
            short = replace(known, engine_word=max(known.inner.word // 3, 1))
            others += [short] if short.geared else []
            others += [replace(known, cores=2)]
        return tuple(others)

    def check(config: EngineConfig, modulus: int) -> None:
        primes = moduli(config, modulus)
        if config.batch > 1 and config.cores > 1 and not unit(config).stream.tells_waiting:
            raise ValueError(
                f"results of several {core.slug} wait for each other in cycles that are not told; "
                "take Cores=1 or Batch=1"
            )
        if config.batch > 1 and config.at(modulus).number != config.longest:
            raise ValueError(
                f"with Batch={config.batch} a modulus has all {config.longest} words of this build; "
                "take a --width as short as the modulus"
            )
        for each in primes:
            core.function.check(config.inner, each)
            at = config.inner.at(each)
            if core.function.result_max(at, each) > core.function.operand_max(at, each):
                raise ValueError(f"results of {core.slug} may be larger than its operands; take another core")
            operand_max(config.at(modulus), each)
            if not config.reduces:
                _check_flags(config.at(modulus), each)
        config.at(modulus).counts  # noqa: B018 - legal ones
        if config.written.digit > config.word:
            raise ValueError(
                f"acc takes digits of {config.written.digit} bits, and words of this build have "
                f"{config.word}; take longer words or shorter digits"
            )

    return Core(
        slug=f"{slug}:{core.slug}",
        title=f"{title} with {core.slug}",
        interface=Interface(
            latency=latency,
            interval=interval,
            operand_cycles=operand_cycles,
            context=context,
            context_wait=context_wait,
            refused=refused,
            controls=(PRODUCT,),
            told=told,
        ),
        function=Function(
            check=check,
            moduli=core.function.moduli,
            examples=(lambda config: core.function.tried(config.inner)) if core.function.examples else None,
            compute=computed,
            formula=formula,
            operand_max=operand_max,
            result_max=result_max,
        ),
        algorithm=Algorithm(steps=steps, cycles=lambda config: latency(config) - 1),
        builds=Builds(
            EngineConfig,
            explore=explore,
            variants=variants,
            for_modulus=for_modulus if core.builds.for_modulus else None,
        ),
        origin=origin,
        status=core.status,
        module=f"mm_sys_{slug}",
    )
