# SPDX-License-Identifier: Apache-2.0
"""What the systems that make powers mod M on any core share.

R is the core's Montgomery radix, 1 in the plain domain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

from modmul.core import (
    RUNTIME,
    Config,
    Control,
    Core,
    Memory,
    Polynomial,
    SystemConfig,
    ceil_div,
    plain_domain,
)

PRODUCT = Control("product_i", "z is the product of x and y mod M, not a power")


@dataclass(frozen=True)
class PowerConfig(SystemConfig):
    """The parameters of a system on a core. Systems subclass it and add their own.

    Attributes:
        width: bits of the longest modulus.
        exponent_bits: of the longest exponent, rounded up to whole words; 0 stands for those of an operand.
        serving: the core while it serves a modulus.
        length: bits of the present exponent; 0 stands for ``exponent_bits``.
        product: control ``product_i``.
    """

    exponent_bits: int = field(default=0, kw_only=True)
    serving: Config | None = field(default=None, kw_only=True, metadata=RUNTIME)
    length: int = field(default=0, kw_only=True, metadata=RUNTIME)
    product: bool = field(default=False, kw_only=True, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.exponent_bits:
            object.__setattr__(self, "exponent_bits", self.inner.bits)
        if self.exponent_bits < 1:
            raise ValueError(f"exponent_bits must be at least 1, got {self.exponent_bits}")
        if not 0 <= self.length <= self.exponent_beats * self.word:
            raise ValueError(f"exponents of {self.length} bits are longer than {self.exponent_bits}")

    @property
    def at_core(self) -> Config:
        """The core while it serves the modulus."""
        return self.serving or self.inner

    @property
    def bits(self) -> int:
        """The longer of operand and exponent."""
        return max(self.at_core.bits, self.exponent)

    @property
    def exponent(self) -> int:
        """Bits of the present exponent."""
        return self.length or self.exponent_bits

    @property
    def exponent_beats(self) -> int:
        """Beats of the longest exponent."""
        return ceil_div(self.exponent_bits, self.word)

    @property
    def radix(self) -> int:
        """R of the core."""
        return self.core.function.domain(self.at_core).radix

    @property
    def fields(self) -> tuple[str, ...]:
        return self.inner.fields

    @property
    def context_beats(self) -> int:
        """Beats of the longest context of the core."""
        return _context_beats(self.core.slug, self.inner, self.core)

    def at(self, modulus: int, **controls: bool) -> Self:
        return replace(super().at(modulus, **controls), serving=self.inner.at(modulus))

    def parameters(self) -> dict[str, int]:
        return {
            "Word": self.word,
            "Beats": self.inner.beats,
            "ContextBeats": self.context_beats,
            "ExponentBeats": self.exponent_beats,
        }


@lru_cache(maxsize=4096)
def _context_beats(_slug: str, inner: Config, core: Core) -> int:
    top = 1 << inner.width
    moduli = [core.function.some_modulus(inner), Polynomial(top | 3), Polynomial(top | 1)]
    return max(len(core.interface.context(inner.at(m), m)) for m in moduli if core.function.serves(inner, m))


# --- what is computed -------------------------------------------------------------------------------


def compute(config: PowerConfig, modulus: int, x: int, y: int, _memory: Memory) -> int:
    """A power, or with ``product_i`` a product, in the plain domain."""
    if config.product:
        return plain_domain(config).product(modulus, x, y)
    if not isinstance(modulus, Polynomial):
        return pow(x, y, modulus)
    z = modulus.product(1)
    for bit in bin(y)[2:]:
        z = modulus.product(z, z, x) if bit == "1" else modulus.product(z, z)
    return z


def formula(config: PowerConfig) -> str:
    """The same, as people write it."""
    return plain_domain(config).formula if config.product else "x ^ y mod M"


# --- time -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Timing:
    """Cycles of a core in a system that reads a result's words as they come, a register before the core.

    Attributes:
        core: the core.
        at: its build while it serves the modulus.
    """

    core: Core
    at: Config

    @property
    def beats(self) -> int:
        return self.at.beats

    @property
    def loading(self) -> int:
        """From an operation's first operand beat to its last, both counted."""
        return self._beats[-1] + 1

    @property
    def fetching(self) -> int:
        """From its first operand beat to the last one in the register before the core, both counted."""
        return self._beats[-2] + 2 if self.beats > 1 else 1

    @property
    def _beats(self) -> Sequence[int]:
        return (
            self.core.interface.operand_cycles(self.at)
            if self.core.interface.operand_cycles
            else range(self.beats)
        )

    @property
    def gap(self) -> int:
        """From a result's first beat to the next operand beat: the core is ready, two registers passed."""
        return max(self.beats if self.core.interface.in_flight(self.at) == 1 else 1, 2)

    def _with(self, controls: Mapping[str, bool]) -> Config:
        """The build with those controls high that the core has."""
        fields = {control.field for control in self.core.interface.controls}
        return replace(self.at, **{name: on for name, on in controls.items() if name in fields})

    def takes(self, **controls: bool) -> int:
        """From the last operand beat to the result; controls that the core lacks are left out."""
        return self.core.interface.latency(self._with(controls))

    def every(self, **controls: bool) -> int:
        """From operands to those that wait behind them; with several in flight from result to result."""
        return self.core.interface.interval(self._with(controls))

    def alone(self, **controls: bool) -> int:
        """From one operation to the next, which waits for its result, without anything of the system."""
        return (
            self.every(**controls)
            if self.core.interface.in_flight(self.at) == 1
            else self.loading + self.takes(**controls)
        )

    def operate(self, after: int, ready: int = 0, **controls: bool) -> tuple[int, int]:
        """First cycle in the core, and that of the result, of an operation behind the result in ``after``.

        Its operands are not there before ``ready``.
        """
        start = max(after + self.gap, ready + 1)
        return start, start + self.loading - 1 + self.takes(**controls)


# --- the description --------------------------------------------------------------------------------


def fixed(core: Core, width: int, modulus: int) -> Sequence[Config]:
    """The first build of a core for one modulus.

    Raises:
        ValueError: there is none, with the reason.
    """
    found = core.builds.for_modulus(width, modulus) if core.builds.for_modulus else ()
    return found[:1]
