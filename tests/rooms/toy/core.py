# SPDX-License-Identifier: Apache-2.0
"""toy: everything a description can say at once, for the tests of what is shared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from modmul.core import (
    BINARY_FIELD,
    PRIME_FIELD,
    RUNTIME,
    SQUARE,
    Algorithm,
    Builds,
    Core,
    Function,
    Interface,
    Origin,
    Polynomial,
    Published,
    ScalableConfig,
    Step,
    check_width,
    field_of,
)


@dataclass(frozen=True)
class Toy(ScalableConfig):
    """``binary``: the modulus is a polynomial; ``square``: the control ``square_i``."""

    word: int = 8
    binary: bool = field(default=False, metadata=RUNTIME)
    square: bool = field(default=False, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width >= 1 << (self.word - 1):
            raise ValueError(f"word must hold the length, got {self.word}")

    @property
    def bits(self) -> int:
        """Integers go up to 2M - 1."""
        return self.n + 1

    @property
    def fields(self) -> tuple[str, ...]:
        return (PRIME_FIELD, BINARY_FIELD)

    @property
    def trace_bits(self) -> int:
        """The registers of both operands as one."""
        return 2 * self.beats * self.word

    def at(self, modulus: int, **controls: bool) -> Self:
        return replace(super().at(modulus, **controls), binary=field_of(modulus) == BINARY_FIELD)


def context(config: Toy, modulus: int) -> list[int]:
    """The field and the length, then M without the leading coefficient of a polynomial."""
    # x has the degree 1, and M = 1 the degree 0, but operands have two bits.
    rest = modulus ^ (1 << config.n) if config.binary else modulus
    return [(config.binary << (config.word - 1)) | config.n, *config.split(rest)]


def check(config: Toy, modulus: int) -> None:
    """Polynomials of degree 2 and more, and every integer."""
    check_width(config, modulus)
    if isinstance(modulus, Polynomial) and modulus.degree < 2:
        raise ValueError(f"the degree must be at least 2, got {modulus.degree}")


def refused(config: Toy) -> list[list[int]]:
    """No length, one bit, and M = 0."""
    return [[0, 0], [1, 1], [2, *[0] * len(replace(config, length=2).split(0))]]


def cycles(config: Toy) -> int:
    """One cycle a bit of x, and one more for a square."""
    return config.bits + config.square


def latency(config: Toy) -> int:
    return cycles(config) + 2


def interval(config: Toy) -> int:
    return cycles(config) + 1


def trace(_config: Toy) -> dict[str, str]:
    return {"z": "z_q", "y": "y_q", "out": "out_q"}


def model(config: Toy, m: int, x: int, y: int) -> Iterator[Step]:
    """Interleaved multiplication, the last step without a reduction."""
    y = x if config.square else y
    y = y - m if not config.binary and y >= m else y
    z = 0
    yield Step("load", {})
    yield Step("start", {"z": z, "y": y})
    if config.square:
        yield Step("wait", {"z": z})
    for i in reversed(range(config.bits)):
        v = y if (x >> i) & 1 else 0
        if config.binary:
            z = Polynomial(m).product(z, 2) ^ v
        else:
            z = 2 * z % m + v
            z = z % m if i else z
        yield Step("step", {"z": z} if i else {"out": z})


def blocks(config: Toy) -> Mapping[str, tuple[str, Mapping[str, int]]]:
    return {"step": ("mm_toy_step", {"Width": config.width})}


def notes(config: Toy) -> Mapping[str, list[str]]:
    return {"lengths": [f"{config.width} bits [at most]", "2 bits"]}


CORE = Core(
    slug="toy",
    title="A core for the tests",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        refused=refused,
        in_flight=lambda _config: 3,
        controls=(SQUARE,),
    ),
    function=Function(
        check=check,
        moduli="M < 2^n, or a polynomial of degree 2 … n",
        operand_max=lambda config, m: (1 << config.n) - 1 if config.binary else 2 * m - 1,
        result_max=lambda config, m: (1 << config.n) - 1 if config.binary else 2 * m - 2,
    ),
    algorithm=Algorithm(
        steps="n + 1",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=Toy,
    ),
    origin=Origin(
        section="tests",
        published=(
            Published(
                *("I", "Toy", "Virtex-6", 24),
                luts=100,
                ffs=100,
                cycles=25,
                options={"Word": 9},
                dsp=5,
                bram=3,
                derived=("cycles",),
            ),
            Published("I", "Toy, a step", "Artix-7", 24, luts=100, block="step"),
        ),
        blocks=blocks,
    ),
    notes=notes,
    status="an example",
)
