# SPDX-License-Identifier: Apache-2.0
"""modmul_cs: the bit-serial carry-save multiplier of Mazonka et al., in a wrapper of ours."""

from dataclasses import dataclass

from modmul.core import Algorithm, Builds, Checkout, Config, Core, Function, Interface, Origin, full_modulus

LEAST = 4
"""Bits of the shortest operand."""


@dataclass(frozen=True)
class ModmulCs(Config):
    """A build."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width < LEAST:
            raise ValueError(f"width must be at least {LEAST} bits, got {self.width}")


def cycles(config: ModmulCs) -> int:
    """At most: a step takes one to four cycles, by the operands, and the wrapper waits for four."""
    return config.width + 15


def latency(config: ModmulCs) -> int:
    return cycles(config) + 1


def context(config: ModmulCs, modulus: int) -> list[int]:
    """M, and what leaves the top of the sums, modulo M."""
    top = 1 << config.width
    return config.split(
        modulus, *(value % modulus for value in (top, top // 4 * 3, 2 * top, 4 * top, 6 * top))
    )


def below(_config: ModmulCs, modulus: int) -> int:
    return modulus - 1


def explore(width: int) -> tuple[ModmulCs, ...]:
    return (ModmulCs(max(width, LEAST)),)


CORE = Core(
    slug="modmul_cs",
    title="ModmulCS, a bit a cycle",
    interface=Interface(latency=latency, interval=latency, context=context),
    algorithm=Algorithm(steps="n + 15", cycles=cycles),
    builds=Builds(ModmulCs, explore=explore),
    function=Function(check=full_modulus, moduli="2^(n-1) <= M < 2^n", operand_max=below),
    origin=Origin(
        section="examples/peers/README.md",
        checkout=Checkout(
            "momalab/ModmulCS",
            "afa800e9e4046f879f464ca5990198641dceed5a",
            "GPL-3.0-only",
            tuple(
                f"rtl/non-pipelined/{name}.v"
                for name in (
                    *("Majority", "Topup", "CarrySaveAdder", "Lcu", "Rx", "MainRound", "ShrinkerRound"),
                    *("SqueezerRule", "Squeezer", "SplitAdderRound", "SplitAdder", "Multiplier"),
                )
            ),
        ),
    ),
    status="somebody else's",
)
