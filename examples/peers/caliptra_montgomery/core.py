# SPDX-License-Identifier: Apache-2.0
"""caliptra_montgomery: the Montgomery multiplier of the Caliptra root of trust, in a wrapper of ours."""

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

LEAST = 3
"""Bits of the shortest digit that it takes."""


@dataclass(frozen=True)
class Caliptra(Config):
    """A build.

    Attributes:
        radix: bits of a digit, from 3 to ``width``.
    """

    radix: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width < LEAST:
            raise ValueError(f"width must be at least {LEAST} bits, got {self.width}")
        if not LEAST <= self.radix <= self.width:
            raise ValueError(f"radix must be {LEAST} to {self.width} bits, got {self.radix}")

    @property
    def multiplier_blocks(self) -> bool:
        """Each of its elements has two multipliers of a digit."""
        return True

    @property
    def digits(self) -> int:
        """Digits of the operands, two for each element."""
        return 2 * ceil_div(self.width, 2 * self.radix)

    @property
    def steps(self) -> int:
        """Digits that the sum is shifted by."""
        return self.digits + 1


def cycles(config: Caliptra) -> int:
    return 3 * config.steps + 1


def latency(config: Caliptra) -> int:
    """From its start to its ready, and the register that keeps the result."""
    return cycles(config) + 1


def domain(config: Caliptra) -> Domain:
    return Domain("montgomery", 1 << config.steps * config.radix)


def context(config: Caliptra, modulus: int) -> list[int]:
    """M, and -1/M modulo a digit."""
    digit = 1 << config.radix
    return config.split(modulus, pow(-modulus, -1, digit))


def below(_config: Caliptra, modulus: int) -> int:
    return modulus - 1


def explore(width: int) -> tuple[Caliptra, ...]:
    """Digits of 16 bits, for which a multiplier block of 18 bits suffices."""
    return (Caliptra(max(width, LEAST), radix=max(min(16, width), LEAST)),)


def variants(width: int) -> tuple[Caliptra, ...]:
    return tuple(Caliptra(width, radix=radix) for radix in (LEAST, 32) if radix <= width)


CORE = Core(
    slug="caliptra_montgomery",
    title="Caliptra's Montgomery multiplier",
    interface=Interface(latency=latency, interval=latency, context=context),
    algorithm=Algorithm(steps="3(d + 1) + 1, d digits", cycles=cycles),
    builds=Builds(Caliptra, explore=explore, variants=variants),
    function=Function(check=check_odd, moduli="odd M < 2^n", domain=domain, operand_max=below),
    origin=Origin(
        section="examples/peers/README.md",
        checkout=Checkout(
            "chipsalliance/caliptra-rtl",
            "83423edead28c1fc47af892242d20927ac4c74b9",
            "Apache-2.0",
            tuple(
                f"src/ecc/rtl/ecc_{name}.sv"
                for name in ("mult_dsp", "pe", "pe_first", "pe_final", "montgomerymultiplier")
            ),
        ),
    ),
    status="somebody else's",
)
