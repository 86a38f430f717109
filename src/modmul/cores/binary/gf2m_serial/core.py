# SPDX-License-Identifier: Apache-2.0
"""gf2m_serial: x * y / R mod M in GF(2^m), a digit of x a cycle, the lowest first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from modmul.core import (
    BINARY_FIELD,
    Algorithm,
    Builds,
    Config,
    Core,
    Domain,
    Function,
    Interface,
    Origin,
    Polynomial,
    Step,
    WordConfig,
    carryless_product,
    ceil_div,
)
from modmul.cores.binary.gf2m import check_binary, check_parameter, irreducible, refused

MOST_DIGIT = 64
"""Bits of the longest digit."""
GROUP = 4
"""Bits of s that choose an entry of a table."""
IN_FLIGHT = 3


@dataclass(frozen=True)
class GF2mSerial(WordConfig):
    """A build.

    Attributes:
        digit: bits of x in a cycle, 1 to :data:`MOST_DIGIT`; they divide a word.
        modulus: 0 for any modulus, or the only one: of degree ``width`` with the constant term 1, bit i for
            x^i.
    """

    digit: int = 8
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.digit <= MOST_DIGIT or self.word % self.digit:
            raise ValueError(
                f"digit must be 1 to {MOST_DIGIT} bits and divide the word of {self.word}, got {self.digit}"
            )
        if self.modulus:
            check_parameter(self.width, self.modulus)

    @property
    def fields(self) -> tuple[str, ...]:
        return (BINARY_FIELD,)

    @property
    def trace_bits(self) -> int:
        """s."""
        return self.width + self.digit - 1

    @property
    def steps(self) -> int:
        """L: digits of x."""
        return ceil_div(self.width, self.digit)


def latency(config: GF2mSerial) -> int:
    """The digits, and one more; into the memory, out of it, the sum of a digit."""
    return config.steps + 4


def cycles(config: GF2mSerial) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: GF2mSerial) -> int:
    """The loop, or the way out."""
    return max(config.steps + 1, config.beats + 3)


def domain(config: GF2mSerial) -> Domain:
    """R = x^(D*L)."""
    return Domain("montgomery", 1 << (config.digit * config.steps))


def folded(config: GF2mSerial, modulus: int, s: int) -> int:
    """Step 4: s, and the multiple of M that makes it divisible by x^D, without these bits."""
    for i in range(config.digit):
        s ^= modulus << i if s >> i & 1 else 0
    return s >> config.digit


def context(config: GF2mSerial, modulus: int) -> Sequence[int]:
    """M without x^n, and for any M the tables, one for each four bits of s."""
    found = config.split(modulus & ((1 << config.width) - 1))
    if not config.modulus:
        for low in range(0, config.digit, GROUP):
            most = 1 << min(GROUP, config.digit - low)
            for entry in range(1 << GROUP):
                found += config.split(folded(config, modulus, entry % most << low))
    return found


def refused_contexts(config: GF2mSerial) -> Sequence[Sequence[int]]:
    """Those of other moduli than the build's, or with constant term 0 and tables of zeros."""
    tables = 0 if config.modulus else ceil_div(config.digit, GROUP)
    return [[*words, *[0] * (tables << GROUP) * config.beats] for words in refused(config, config.modulus)]


def trace(_config: GF2mSerial) -> dict[str, str]:
    return {"s": "s_q", "z": "z_q"}


def model(config: GF2mSerial, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    yield Step("", {})
    yield Step("", {})
    s = 0
    yield Step("1", {"s": s})
    for i in range(config.steps):
        digit = x >> config.digit * i & ((1 << config.digit) - 1)
        s = folded(config, m, s) ^ carryless_product(digit, y)
        yield Step("3-5", {"s": s})
    yield Step("4-6", {"z": folded(config, m, s)})


def check(config: GF2mSerial, modulus: int) -> None:
    """Raise ValueError unless the modulus has the constant term 1, and is the one of the build if it has one."""
    check_binary(config, config.modulus, modulus)


def examples(config: GF2mSerial) -> Iterator[int] | None:
    """The modulus of the build, if it has one."""
    return iter((Polynomial(config.modulus),)) if config.modulus else None


def word_of(width: int) -> int:
    """Words of 32 bits, or one that is shorter: a multiple of 8 bits from 8 bits on."""
    return min(32, width if width < 8 else ceil_div(width, 8) * 8)


def builds(width: int, modulus: int) -> tuple[GF2mSerial, ...]:
    """Digits of 8 and of 16 bits, or shorter ones for short operands."""
    word = word_of(width)
    digits = (8, 16) if word % 16 == 0 else (8,) if word >= 8 else (word,)
    return tuple(GF2mSerial(width, word=word, digit=digit, modulus=modulus) for digit in digits)


def explore(width: int) -> tuple[GF2mSerial, ...]:
    """Any modulus, and one that is fixed."""
    return (*builds(width, 0), *builds(width, irreducible(width)))


def for_modulus(width: int, modulus: int) -> tuple[GF2mSerial, ...]:
    """Builds for one modulus.

    Raises:
        ValueError: there is none.
    """
    config = GF2mSerial(width, word=word_of(width), digit=1)
    check(config, modulus)
    return builds(width, int(modulus))


def variants(width: int) -> Sequence[GF2mSerial]:
    """Other words and digits, digits longer than the operand, dense moduli."""
    dense = (2 << width) - 1
    return (
        GF2mSerial(width, word=1, digit=1),
        GF2mSerial(width, word=3, digit=3, modulus=dense),
        GF2mSerial(width, word=10, digit=5),
        GF2mSerial(width, word=24, digit=24, modulus=dense),
        GF2mSerial(width, word=width + 5, digit=1, modulus=irreducible(width)),
    )


def values(width: int) -> Mapping[str, Sequence[int]]:
    """Words that digits divide."""
    return {"Word": tuple(word for word in (8, 16, 32, 64) if word <= max(width, 8)), "Digit": (1, 2, 4, 8, 16, 32)}


CORE = Core(
    slug="gf2m_serial",
    title="Digit-serial multiplier in GF(2^m)",
    interface=Interface(
        latency=latency,
        interval=interval,
        in_flight=lambda _config: IN_FLIGHT,
        context=context,
        refused=refused_contexts,
    ),
    function=Function(
        check=check,
        moduli="a polynomial of degree 1 … n with constant term 1, or that of the build",
        domain=domain,
        examples=examples,
    ),
    algorithm=Algorithm(
        steps="n/D + 3, D bits of x a cycle",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=GF2mSerial,
        explore=explore,
        for_modulus=for_modulus,
        variants=variants,
        values=values,
    ),
    origin=Origin(section="src/modmul/cores/binary/gf2m_serial/README.md"),
)
