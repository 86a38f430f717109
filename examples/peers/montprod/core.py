# SPDX-License-Identifier: Apache-2.0
"""montprod: the Montgomery multiplier of secworks' modexp, a bit at a time, in a wrapper of ours."""

from dataclasses import dataclass

from modmul.core import (
    Algorithm,
    Builds,
    Checkout,
    Config,
    Core,
    Domain,
    Function,
    Interface,
    Origin,
    ceil_div,
    check_odd,
)

SPARE = 3
"""Bits above the operand: a sum is below 6M, and what its top word carries out would be lost."""
MOST = 255 * 32 - SPARE
"""Bits of the longest operand: its counter of words has eight bits."""


@dataclass(frozen=True)
class Montprod(Config):
    """A build."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width > MOST:
            raise ValueError(f"width must be at most {MOST} bits, got {self.width}")

    @property
    def word(self) -> int:
        """Its memories have such words."""
        return 32

    @property
    def words(self) -> int:
        """Words of an operand."""
        return ceil_div(self.width + SPARE, self.word)

    @property
    def bits(self) -> int:
        """Those of the words."""
        return self.words * self.word


def cycles(config: Montprod) -> int:
    """From its start to the first word of the result: a step for each bit of the words of y."""
    return config.words + 3 + config.bits * (3 * config.words + 5)


def latency(config: Montprod) -> int:
    return cycles(config) + 1


def interval(config: Montprod) -> int:
    """The next operands come when the result has gone."""
    return latency(config) + 2 * config.words - 1


def domain(config: Montprod) -> Domain:
    return Domain("montgomery", 1 << config.bits)


def below(_config: Montprod, modulus: int) -> int:
    return 2 * modulus - 1


def explore(width: int) -> tuple[Montprod, ...]:
    return (Montprod(width),)


CORE = Core(
    slug="montprod",
    title="the Montgomery multiplier of secworks' modexp, a bit at a time",
    interface=Interface(latency=latency, interval=interval),
    algorithm=Algorithm(steps="32s(3s + 5) + s + 3, s words", cycles=cycles),
    builds=Builds(Montprod, explore=explore),
    function=Function(
        check=check_odd, moduli="odd M < 2^n", domain=domain, operand_max=below, result_max=below
    ),
    origin=Origin(
        section="examples/peers/README.md",
        checkout=Checkout(
            "secworks/modexp",
            "7a3211e0008c7b77c295640079bf014bc57ac6d6",
            "BSD-3-Clause",
            tuple(f"src/rtl/{name}.v" for name in ("adder32", "shr32", "blockmem1r1w", "montprod")),
        ),
    ),
    status="somebody else's",
)
