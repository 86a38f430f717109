# SPDX-License-Identifier: Apache-2.0
"""fios_fold: the folded FIOS Montgomery multiplier of Noyez et al., in a wrapper of ours."""

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

LEAST = 101
"""Bits of the shortest operand: its control has states for the first seven words."""
DELAY = 9
"""Cycles from an element to the next."""


@dataclass(frozen=True)
class Fios(Config):
    """A build."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width < LEAST:
            raise ValueError(f"width must be at least {LEAST} bits, got {self.width}")

    @property
    def word(self) -> int:
        """A factor of its multipliers."""
        return 17

    @property
    def words(self) -> int:
        """Words of numbers below 4 · 2^width."""
        return ceil_div(self.width + 2, self.word)

    @property
    def bits(self) -> int:
        """Those of the words."""
        return self.words * self.word

    @property
    def multiplier_blocks(self) -> bool:
        """An element is one."""
        return True

    @property
    def elements(self) -> int:
        return (2 * self.words + 4) // DELAY + 1

    @property
    def drain(self) -> int:
        """Cycles after an operation in which what it began too much goes through the elements."""
        turn = 2 * self.words + 4
        behind = (self.elements - 1 - (self.words - 1) % self.elements) * DELAY
        if behind + DELAY < turn:
            return self.elements * DELAY + turn + 4
        return max(behind - turn + 12, 8)

    @property
    def flush(self) -> int:
        """Cycles after a reset in which what its pipelines held goes through."""
        return 2 * self.elements * DELAY + 16


def cycles(config: Fios) -> int:
    """From its start to its end."""
    return (config.words - 1) * DELAY + 2 * config.words + 5


def latency(config: Fios) -> int:
    """With what draining takes longer than the next operands need to come."""
    late = config.drain - config.words
    return cycles(config) + 2 + (late + 1 if late > 0 else 0)


def interval(config: Fios) -> int:
    """The next operands come while it drains and the result goes."""
    return latency(config) + config.words - 1


def domain(config: Fios) -> Domain:
    return Domain("montgomery", 1 << config.bits)


def context(config: Fios, modulus: int) -> list[int]:
    """The words of M, and -1/M modulo one."""
    return [*config.split(modulus), pow(-modulus, -1, 1 << config.word)]


def below(_config: Fios, modulus: int) -> int:
    return 2 * modulus - 1


def explore(width: int) -> tuple[Fios, ...]:
    return (Fios(max(width, LEAST)),)


CORE = Core(
    slug="fios_fold",
    title="FIOS_DSP_MM, folded",
    interface=Interface(
        latency=latency,
        interval=interval,
        in_flight=lambda _config: 2,
        context=context,
        context_wait=lambda config: config.flush,
    ),
    algorithm=Algorithm(steps="9(s - 1) + 2s + 5, s words", cycles=cycles),
    builds=Builds(Fios, explore=explore),
    function=Function(
        check=check_odd, moduli="odd M < 2^n", domain=domain, operand_max=below, result_max=below
    ),
    origin=Origin(
        section="examples/peers/README.md",
        checkout=Checkout(
            "LOUISNOYEZ/FIOS_DSP_MM",
            "19561c06cf76c4625b43149f02d29978ea246582",
            "",
            (
                "SRC/RTL/4A/NOCASC_4A/DSP_model_NOCASC_4A/generic_DSP_NOCASC_4A.sv",
                *(
                    f"SRC/RTL/4A/NOCASC_4A/{name}_NOCASC_4A.sv"
                    for name in (*(f"FIOS_control_{level}" for level in (1, 2, 3)), "PE", "FIOS_MM", "FIOS")
                ),
            ),
        ),
    ),
    status="somebody else's",
)
