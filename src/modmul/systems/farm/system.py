# SPDX-License-Identifier: Apache-2.0
"""farm: many cores behind the port list of one, which take operations in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from modmul.core import (
    RUNTIME,
    Algorithm,
    Builds,
    Config,
    Core,
    Function,
    Interface,
    Memory,
    Origin,
    Polynomial,
    System,
    SystemConfig,
    ceil_div,
    to_beats,
)

MOST_CORES = 512

DEFAULT_CORES = 4

WAY = 5
"""Cycles of an operation alone besides its words, the stations and the core."""


@dataclass(frozen=True)
class Farm(SystemConfig):
    """The parameters of a farm of cores.

    Attributes:
        cores: how many there are, 1 to :data:`MOST_CORES`.
        columns: rows of stations that they stand in, a divisor of their number; 0 for the fewest that hold up
            nothing.
        port_word: bits of the data ports, a multiple of the core's; 0 for the fewest that hold up nothing.
        queue: 1: the words of an operation wait at each station; -1: if the core takes them at its own pace.
        serving: the core while it serves a modulus.
    """

    cores: int = field(default=DEFAULT_CORES, kw_only=True)
    columns: int = field(default=0, kw_only=True)
    port_word: int = field(default=0, kw_only=True)
    queue: int = field(default=-1, kw_only=True)
    serving: Config | None = field(default=None, kw_only=True, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.cores <= MOST_CORES:
            raise ValueError(f"cores must be 1 to {MOST_CORES}, got {self.cores}")
        if self.columns < 0 or (self.columns and self.cores % self.columns):
            raise ValueError(f"columns must divide the {self.cores} cores, got {self.columns}")
        if self.port_word < 0 or self.port_word % self.inner.word:
            raise ValueError(f"port_word must be a multiple of {self.inner.word} bits, got {self.port_word}")
        if self.core.interface.told(self.inner):
            raise ValueError(f"{self.core.slug} may refuse results, and a farm would not know whose")
        if self.queue not in (-1, 0, 1):
            raise ValueError(f"queue must be 0 or 1, got {self.queue}")
        if not self.port_word:
            object.__setattr__(self, "port_word", self._narrowest())
        if not self.columns:
            object.__setattr__(self, "columns", self._fewest())
        if self.queue < 0:
            object.__setattr__(self, "queue", int(self.loading > self.words))

    @property
    def crowded(self) -> bool:
        return self.cores > 1

    @property
    def vast(self) -> bool:
        return self.crowded

    @property
    def shared(self) -> int:
        """Cycles that a core may take for an operation if all together are to take no longer than one."""
        return ceil_div(self.core.interface.interval(self.at_core), self.cores)

    def _narrowest(self) -> int:
        word = self.inner.word
        while ceil_div(self.inner.bits, word) > self.shared and word < self.inner.bits:
            word *= 2
        return word

    def _fewest(self) -> int:
        enough = max(self.shared, self.beats)
        divisors = [n for n in range(1, self.cores + 1) if not self.cores % n]
        return next((n for n in divisors if ceil_div(self.turn, n) <= enough), self.cores)

    @property
    def at_core(self) -> Config:
        """The core while it serves the modulus."""
        return self.serving or self.inner

    @property
    def operations(self) -> int:
        return self.inner.operations if isinstance(self.inner, SystemConfig) else 1

    @property
    def word(self) -> int:
        return self.port_word or self.inner.word

    @property
    def bits(self) -> int:
        return self.at_core.bits

    @property
    def words(self) -> int:
        """Of the core, of an operand."""
        return self.at_core.beats

    @property
    def fields(self) -> tuple[str, ...]:
        return self.inner.fields

    @property
    def stations(self) -> int:
        """Of a column."""
        return self.cores // self.columns

    @property
    def loading(self) -> int:
        """Cycles in which an idle core takes the words of an operation."""
        cycles = self.core.interface.operand_cycles
        return cycles(self.at_core)[-1] + 1 if cycles else self.words

    @property
    def room(self) -> int:
        """Operations that a column has room for in front of its stations, and results behind them."""
        return 2 if ceil_div(self.inner.bits, self.word) > 4 else 4

    @property
    def turn(self) -> int:
        """Cycles of a column for an operation: its beats come in, its words go on while others come in."""
        beats, words = self.beats, self.words
        return max(beats, words, ceil_div(beats + words + 1, self.room))

    @property
    def pace(self) -> int:
        """Cycles from one operation to the next."""
        return max(self.shared, ceil_div(self.turn, self.columns), self.beats)

    @property
    def context_words(self) -> int:
        """Of the longest context of the core."""
        return _context_words(self.core.slug, self.inner, self.core)

    @property
    def header_bits(self) -> tuple[int, int, int, int]:
        """Those of each field of the header."""
        alone = replace(self, serving=None)
        counts = (self.context_words, alone.words, alone.beats)
        longest = max(self.core.interface.interval(self.inner), alone.turn)
        words, beats, port = (max((count - 1).bit_length(), 1) for count in counts)
        return words, beats, port, longest.bit_length()

    @property
    def in_flight(self) -> int:
        """Operations that there are room for: in cores, queues, and on the way."""
        in_core = self.core.interface.in_flight(self.inner)
        return self.cores * (in_core + self.queue) + 2 * self.columns * self.room + self.stations

    def at(self, modulus: int, **controls: bool) -> Self:
        return replace(super().at(modulus, **controls), serving=self.inner.at(modulus))

    def own(self) -> dict[str, str]:
        return {"Cores": "cores", "Columns": "columns", "PortWord": "port_word", "Queue": "queue"}

    def with_parameters(self, values: Mapping[str, int]) -> Self:
        """What is not named follows from the others."""
        follows = {"Columns": 0, "PortWord": 0, "Queue": -1}
        return super().with_parameters({**follows, **values})

    def parameters(self) -> dict[str, int]:
        alone = replace(self, serving=None)
        return {
            "Word": self.word,
            "CoreWord": self.inner.word,
            "Beats": alone.words,
            "ContextWords": self.context_words,
            "Cores": self.cores,
            "Columns": self.columns,
            "Queue": self.queue,
            "PaceBits": self.header_bits[-1],
            "InFlight": self.in_flight,
        }


@lru_cache(maxsize=4096)
def _context_words(_slug: str, inner: Config, core: Core) -> int:
    top = 1 << inner.width
    moduli = [core.function.some_modulus(inner), Polynomial(top | 3), Polynomial(top | 1)]
    return max(len(core.interface.context(inner.at(m), m)) for m in moduli if core.function.serves(inner, m))


def header(config: Farm, words: int) -> list[int]:
    """The beats in front of a core's context: how many words it has and an operand has, beats, the pace."""
    value = place = 0
    for count, bits in zip((words, config.words, config.beats, config.pace), config.header_bits, strict=True):
        value |= count - 1 << place
        place += bits
    return to_beats(value, place, config.word)


def context(config: Farm, modulus: int) -> Sequence[int]:
    """The header, and the core's context, a word a beat."""
    at = config.at(modulus)
    words = at.core.interface.context(at.at_core, modulus)
    return [*header(at, len(words)), *words]


def context_wait(config: Farm) -> int:
    """The core's last word is there before it is taken, and all are asked what they make of it."""
    return config.core.interface.context_wait(config.inner) + 4 * config.stations + 16


def refused(config: Farm) -> Sequence[Sequence[int]]:
    """The core's illegal contexts."""
    return [
        [*header(config, len(words)), *words]
        for words in config.core.illegal_contexts(config.inner)
        if 1 <= len(words) <= config.context_words
    ]


def latency(config: Farm) -> int:
    """To the core, its own, and back; the first word of its operand is not counted twice."""
    inner = config.core.interface.latency(config.at_core)
    way = config.stations + config.queue + WAY
    return way + config.loading - 1 + inner + config.words


def interval(config: Farm) -> int:
    """The pace."""
    return config.pace


def on(core: Core) -> Core:
    """A farm of a core, or of a system on one."""
    function, draw = core.function, core.function.draw

    def build(inner: Config, **own: Any) -> Farm:
        return Farm(inner.width, inner=inner, core=core, **own)

    def explore(width: int) -> Sequence[Farm]:
        return tuple(map(build, core.builds.at(width)[:1]))

    def for_modulus(width: int, modulus: int) -> Sequence[Farm]:
        assert core.builds.for_modulus
        return tuple(map(build, core.builds.for_modulus(width, modulus)[:1]))

    def variants(width: int) -> Sequence[Farm]:
        inner = core.builds.at(width)[0]
        return (
            build(inner, cores=1),
            build(inner, cores=3, columns=1, queue=1),
            build(inner, cores=6, columns=3, port_word=3 * inner.word),
        )

    def check(config: Farm, modulus: int) -> None:
        core.function.check(config.inner, modulus)

    def computed(config: Farm, modulus: int, x: int, y: int, memory: Memory) -> int:
        assert function.compute
        result: int = function.compute(config.at_core, modulus, x, y, memory)
        return result

    return Core(
        slug=f"farm:{core.slug}",
        title=f"Many of {core.slug}, which take operations in turn",
        interface=Interface(
            latency=latency,
            interval=interval,
            in_flight=lambda config: config.in_flight,
            context=context,
            context_wait=context_wait,
            refused=refused,
        ),
        function=Function(
            check=check,
            moduli=function.moduli,
            domain=lambda config: function.domain(config.at_core),
            compute=computed if function.compute else None,
            formula=(lambda config: function.computes(config.at_core)) if function.formula else None,
            operand_max=lambda config, modulus: function.operand_max(config.at_core, modulus),
            result_max=lambda config, modulus: function.result_max(config.at_core, modulus),
            examples=(lambda config: function.tried(config.inner)) if function.examples else None,
            draw=(lambda config, modulus, random: draw(config.at_core, modulus, random)) if draw else None,
        ),
        algorithm=Algorithm(
            steps="the interval of a core, by their number",
            cycles=lambda config: latency(config) - 1,
        ),
        builds=Builds(
            Farm,
            explore=explore,
            variants=variants,
            for_modulus=for_modulus if core.builds.for_modulus else None,
            made_for=core.builds.made_for,
            only_width=core.builds.only_width,
            crowded=True,
        ),
        origin=Origin(section="many cores on a device"),
        status=core.status,
        module="mm_sys_farm",
    )


SYSTEM = System(
    slug="farm",
    title="many cores behind the ports of one, any core or system on one",
    on=on,
    socket="mm_farm_core",
)
