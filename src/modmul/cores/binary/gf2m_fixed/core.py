# SPDX-License-Identifier: Apache-2.0
"""gf2m_fixed: x * y mod M in GF(2^m) for a fixed M, a digit of x a cycle; squares at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from modmul.core import (
    RUNTIME,
    SQUARE,
    Algorithm,
    Builds,
    Core,
    Function,
    Interface,
    Origin,
    Polynomial,
    Step,
    carryless_product,
)
from modmul.cores.binary.gf2m import (
    DigitSerial,
    check_buildable,
    check_fixed,
    check_parameter,
    digits,
    fixed_context,
    fixed_refused,
    irreducible,
    lengths,
    some_moduli,
    stream,
    values,
)
from modmul.cores.binary.gf2m import interval as interval_of
from modmul.cores.binary.gf2m import latency as latency_of


@dataclass(frozen=True)
class GF2mFixed(DigitSerial):
    """A build.

    Attributes:
        square_at_once: 1 for squares in a few cycles, 0 for squares that take as long as products.
        modulus: the one of the build: of degree ``width`` with the constant term 1, bit i for x^i.
    """

    square_at_once: int = 0
    modulus: int = 0
    square: bool = field(default=False, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.square_at_once not in (0, 1):
            raise ValueError(f"square_at_once must be 0 or 1, got {self.square_at_once}")
        check_parameter(self.width, self.modulus)

    @property
    def at_once(self) -> bool:
        """Whether an operation has no digits."""
        return self.square and bool(self.square_at_once)


def latency(config: GF2mFixed) -> int:
    """As with any M; a square has no digits."""
    return 4 if config.at_once else latency_of(config)


def cycles(config: GF2mFixed) -> int:
    """From the last operand word to the result."""
    return latency(config) - 1


def interval(config: GF2mFixed) -> int:
    """The loop, or the way out."""
    return config.beats + 3 if config.at_once else interval_of(config)


def trace(_config: GF2mFixed) -> dict[str, str]:
    return {"s": "s_q", "z": "z_q"}


def model(config: GF2mFixed, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    modulus = Polynomial(m)
    factor = x if config.square else y
    yield Step("", {})
    yield Step("", {})
    s = 0
    yield Step("1", {"s": s})
    if config.at_once:
        yield Step("7", {"z": modulus.product(x, x)})
        return
    for i in reversed(range(config.steps)):
        digit = x >> config.digit * i & ((1 << config.digit) - 1)
        s = modulus.product(s, 1) << config.digit ^ carryless_product(digit, factor)
        yield Step("3-5", {"s": s})
    yield Step("6", {"z": modulus.product(s, 1)})


def check(config: GF2mFixed, modulus: int) -> None:
    """Raise ValueError unless the modulus is the one of the build."""
    check_fixed(config, config.modulus, modulus)


def refused(config: GF2mFixed) -> Sequence[Sequence[int]]:
    """Other moduli."""
    return fixed_refused(config, config.modulus)


def examples(config: GF2mFixed) -> Iterator[int]:
    """The modulus of the build."""
    yield Polynomial(config.modulus)


def builds(width: int, modulus: int) -> tuple[GF2mFixed, ...]:
    """Digits of 8 and of 16 bits, or shorter ones for short operands; for long ones quick squares, too."""
    found = tuple(GF2mFixed(width, word=word, digit=digit, modulus=modulus) for word, digit in digits(width))
    return found if width <= 32 else (*found, replace(found[0], square_at_once=1))


def explore(width: int) -> tuple[GF2mFixed, ...]:
    """For a sparse polynomial."""
    return builds(width, irreducible(width))


def for_modulus(width: int, modulus: int) -> tuple[GF2mFixed, ...]:
    """Builds for one modulus.

    Raises:
        ValueError: there is none.
    """
    check_buildable(explore(width)[0], modulus)
    return builds(width, int(modulus))


def variants(width: int) -> tuple[GF2mFixed, ...]:
    """Other words and digits, some longer than the operand; a modulus of many terms; quick squares."""
    moduli = some_moduli(width)
    return tuple(
        GF2mFixed(width, word=word, digit=digit, square_at_once=int(turn > 0), modulus=moduli[turn % 2])
        for turn, (word, digit) in enumerate(lengths())
    )


CORE = Core(
    slug="gf2m_fixed",
    title="Digit-serial multiplier and squarer in GF(2^m) for one modulus",
    interface=Interface(
        latency=latency,
        interval=interval,
        in_flight=lambda config: config.in_flight,
        context=fixed_context,
        refused=refused,
        controls=(SQUARE,),
        stream=stream,
    ),
    function=Function(
        check=check,
        moduli="the polynomial of the build",
        examples=examples,
    ),
    algorithm=Algorithm(
        steps="n/D + 3, D bits of x a cycle; a square 3",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=GF2mFixed,
        explore=explore,
        for_modulus=for_modulus,
        variants=variants,
        values=values,
    ),
    origin=Origin(section="src/modmul/cores/binary/gf2m_fixed/README.md"),
)
