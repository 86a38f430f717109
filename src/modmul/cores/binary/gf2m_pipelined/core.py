# SPDX-License-Identifier: Apache-2.0
"""gf2m_pipelined: x * y mod M in GF(2^m) for a fixed M, every clock cycle, by Karatsuba's method."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from modmul.core import (
    BINARY_FIELD,
    Algorithm,
    Builds,
    Config,
    Core,
    Function,
    Interface,
    Origin,
    Polynomial,
    Step,
    carryless_product,
    ceil_div,
)
from modmul.cores.binary.gf2m import (
    check_buildable,
    check_fixed,
    check_parameter,
    fixed_context,
    fixed_refused,
    irreducible,
    some_moduli,
)


@dataclass(frozen=True)
class GF2mPipelined(Config):
    """A build.

    Attributes:
        leaf: bits of the longest operands that are multiplied without being halved, at least 1.
        modulus: the one of the build: of degree ``width`` with the constant term 1, bit i for x^i.
    """

    leaf: int = 16
    modulus: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.leaf < 1:
            raise ValueError(f"leaf must be at least 1 bit, got {self.leaf}")
        check_parameter(self.width, self.modulus)

    @property
    def fields(self) -> tuple[str, ...]:
        return (BINARY_FIELD,)

    @property
    def trace_bits(self) -> int:
        """t."""
        return 2 * self.width - 1

    @property
    def levels(self) -> int:
        """How often the operands are halved."""
        bits, count = self.width, 0
        while bits > self.leaf:
            bits, count = ceil_div(bits, 2), count + 1
        return count


def cycles(config: GF2mPipelined) -> int:
    """Steps 1 to 4."""
    return config.levels + 3


def latency(config: GF2mPipelined) -> int:
    """The steps, and two cycles on the way out."""
    return cycles(config) + 2


def interval(_config: GF2mPipelined) -> int:
    """Operands come every cycle."""
    return 1


def in_flight(config: GF2mPipelined) -> int:
    """As many as the pipeline and the way out hold."""
    return latency(config) + 1


def trace(_config: GF2mPipelined) -> dict[str, str]:
    return {"t": "t", "z": "z_q"}


def model(config: GF2mPipelined, m: int, x: int, y: int) -> Iterator[Step]:
    """The steps of the module header, by number."""
    yield Step("1", {})
    yield Step("2", {})
    for _ in range(config.levels - 1):
        yield Step("3", {})
    if config.levels:
        yield Step("3", {"t": carryless_product(x, y)})
    yield Step("4", {"z": Polynomial(m).product(x, y)})
    yield Step("", {})
    yield Step("", {})


def check(config: GF2mPipelined, modulus: int) -> None:
    """Raise ValueError unless the modulus is the one of the build."""
    check_fixed(config, config.modulus, modulus)


def refused(config: GF2mPipelined) -> Sequence[Sequence[int]]:
    """Other moduli."""
    return fixed_refused(config, config.modulus)


def examples(config: GF2mPipelined) -> Iterator[int]:
    """The modulus of the build."""
    yield Polynomial(config.modulus)


def explore(width: int) -> tuple[GF2mPipelined, ...]:
    """For a sparse polynomial."""
    return (GF2mPipelined(width, modulus=irreducible(width)),)


def for_modulus(width: int, modulus: int) -> tuple[GF2mPipelined, ...]:
    """The build for one modulus.

    Raises:
        ValueError: there is none.
    """
    check_buildable(explore(width)[0], modulus)
    return (GF2mPipelined(width, modulus=int(modulus)),)


def variants(width: int) -> tuple[GF2mPipelined, ...]:
    """Other leaves, and a modulus of many terms."""
    _, dense = some_moduli(width)
    return (GF2mPipelined(width, leaf=3 if width <= 64 else 24, modulus=dense),)


def values(_width: int) -> Mapping[str, Sequence[int]]:
    """Leaves of some gates."""
    return {"Leaf": (8, 12, 16, 20, 24, 32, 48)}


CORE = Core(
    slug="gf2m_pipelined",
    title="Bit-parallel Karatsuba multiplier in GF(2^m): one result a clock cycle",
    interface=Interface(
        latency=latency,
        interval=interval,
        in_flight=in_flight,
        context=fixed_context,
        refused=refused,
    ),
    function=Function(
        check=check,
        moduli="the polynomial of the build",
        examples=examples,
    ),
    algorithm=Algorithm(
        steps="1 a result; 3 and the levels of Karatsuba's method for the first",
        cycles=cycles,
        model=model,
        trace=trace,
    ),
    builds=Builds(
        config=GF2mPipelined,
        explore=explore,
        for_modulus=for_modulus,
        variants=variants,
        values=values,
        longest_in_test=300,
    ),
    origin=Origin(section="src/modmul/cores/binary/gf2m_pipelined/README.md"),
)
