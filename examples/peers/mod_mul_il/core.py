# SPDX-License-Identifier: Apache-2.0
"""mod_mul_il: the interleaved multiplier of Soni et al., a bit a cycle, in a wrapper of ours."""

from dataclasses import dataclass

from modmul.core import Algorithm, Builds, Checkout, Config, Core, Function, Interface, Origin

LEAST = 3
"""Bits of the shortest operand."""


@dataclass(frozen=True)
class ModMulIl(Config):
    """A build."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width < LEAST:
            raise ValueError(f"width must be at least {LEAST} bits, got {self.width}")


def cycles(config: ModMulIl) -> int:
    """At most: it ends when no bit of x is left, and the wrapper waits for the longest x."""
    return config.width - 1


def latency(config: ModMulIl) -> int:
    return cycles(config) + 1


def below(_config: ModMulIl, modulus: int) -> int:
    return modulus - 1


def explore(width: int) -> tuple[ModMulIl, ...]:
    return (ModMulIl(max(width, LEAST)),)


CORE = Core(
    slug="mod_mul_il",
    title="the interleaved multiplier of modular-multipliers, a bit a cycle",
    interface=Interface(latency=latency, interval=latency),
    algorithm=Algorithm(steps="n - 1", cycles=cycles),
    builds=Builds(ModMulIl, explore=explore),
    function=Function(operand_max=below),
    origin=Origin(
        section="examples/peers/README.md",
        checkout=Checkout(
            "momalab/modular-multipliers",
            "722f6a7795f80c2128dd43f8fcb14c149f335011",
            "GPL-3.0-only",
            ("mod_mul_il/rtl/mod_mul_il.v",),
        ),
    ),
    status="somebody else's",
)
