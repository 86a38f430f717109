# SPDX-License-Identifier: Apache-2.0
"""What the systems that make powers mod M on any core share.

Ports, context and exponents are the same in all of them: ``mm_sys_context`` is the other side of
:func:`header` and :func:`context`. R is the core's Montgomery radix, 1 in the plain domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from modmul.core import (
    RUNTIME,
    Algorithm,
    Builds,
    Config,
    Control,
    Core,
    Function,
    Interface,
    Memory,
    Origin,
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
        compute_r2: 1: the hardware computes R mod M and R^2 mod M, which otherwise come with the context.
        serving: the core while it serves a modulus.
        length: bits of the present exponent; 0 stands for ``exponent_bits``.
        product: control ``product_i``.
    """

    exponent_bits: int = field(default=0, kw_only=True)
    compute_r2: int = field(default=0, kw_only=True)
    serving: Config | None = field(default=None, kw_only=True, metadata=RUNTIME)
    length: int = field(default=0, kw_only=True, metadata=RUNTIME)
    product: bool = field(default=False, kw_only=True, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.exponent_bits:
            object.__setattr__(self, "exponent_bits", self.inner.bits)
        if self.exponent_bits < 1:
            raise ValueError(f"exponent_bits must be at least 1, got {self.exponent_bits}")
        if self.compute_r2 not in (0, 1):
            raise ValueError(f"compute_r2 must be 0 or 1, got {self.compute_r2}")
        if self.compute_r2:
            self.check_radix()
        if not 0 <= self.length <= self.exponent_beats * self.word:
            raise ValueError(f"exponents of {self.length} bits are longer than {self.exponent_bits}")

    def check_radix(self) -> None:
        """Raise ValueError if R^2 cannot be computed."""
        if self.radix.bit_count() > 1:
            slug = self.core.slug
            raise ValueError(f"compute_r2 needs a radix R that is a power of two, unlike {slug}'s")

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
    def radix_bits(self) -> int:
        """Bits of log2 R, at least 1."""
        return max((self.core.function.domain(self.inner).radix.bit_length() - 1).bit_length(), 1)

    @property
    def fields(self) -> tuple[str, ...]:
        return self.inner.fields

    @property
    def context_beats(self) -> int:
        """Beats of the longest context of the core."""
        return _context_beats(self.core.slug, self.inner, self.core)

    def at(self, modulus: int, **controls: bool) -> Self:
        return replace(super().at(modulus, **controls), serving=self.inner.at(modulus))

    def own(self) -> dict[str, str]:
        return {"ExponentBits": "exponent_bits", "ComputeR2": "compute_r2"}

    def parameters(self) -> dict[str, int]:
        return {
            "Word": self.word,
            "Beats": self.inner.beats,
            "ContextBeats": self.context_beats,
            "ExponentBeats": self.exponent_beats,
            **{name: int(getattr(self, of)) for name, of in self.own().items() if name != "ExponentBits"},
            "RadixBits": self.radix_bits if self.compute_r2 else 1,
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


# --- the context ------------------------------------------------------------------------------------


def plan(config: PowerConfig) -> tuple[int, int, int]:
    """How ``mm_sys_unit`` computes R^2: log2 R doublings of 1, more doublings, squarings."""
    doublings = config.radix.bit_length() - 1
    squarings = (doublings & -doublings).bit_length() - 1 if doublings else 0
    return doublings, doublings >> squarings, squarings


def _header(config: PowerConfig, core_beats: int, top: int, modulus: int = 1) -> list[int]:
    exponent = ceil_div(config.exponent, config.word)
    fields = [
        (config.at_core.beats - 1, max((config.inner.beats - 1).bit_length(), 1)),
        (core_beats - 1, max((config.context_beats - 1).bit_length(), 1)),
        (exponent - 1, max((config.exponent_beats - 1).bit_length(), 1)),
        (top, config.word.bit_length()),
    ]
    if config.compute_r2:
        radix_bits = config.radix_bits
        sizes = radix_bits, radix_bits, radix_bits.bit_length()
        fields += zip(plan(config), sizes, strict=True)
        fields += [(int(isinstance(modulus, Polynomial)), 1), (modulus >> _operand_bits(config), 1)]
    value = place = 0
    for present, bits in fields:
        value |= present << place
        place += bits
    return [(value >> at) % (1 << config.word) for at in range(0, place, config.word)]


def _operand_bits(config: PowerConfig) -> int:
    """Bits of an operand of the core with all its words."""
    return config.at_core.beats * config.word


def header(config: PowerConfig, core_beats: int, modulus: int = 1) -> list[int]:
    """The header's beats: last beats of operand, core's context and exponent, bits in the exponent's last.

    With ``compute_r2`` also the plan, whether the field is GF(2^m), and whether M has a term above its words.
    """
    return _header(config, core_beats, (config.exponent - 1) % config.word + 1, modulus)


def context(config: PowerConfig, modulus: int) -> Sequence[int]:
    """Header, the core's context, R mod M, R^2 mod M, or with ``compute_r2`` M and a last beat."""
    config = config.at(modulus)
    core, at = config.core, config.at_core
    inner = core.interface.context(at, modulus)
    domain = core.function.domain(at)
    if config.compute_r2:
        rest = [*at.split(modulus & ((1 << _operand_bits(config)) - 1)), 0]
    else:
        rest = at.split(domain.enter(modulus, 1), domain.enter(modulus, domain.radix))
    return [*header(config, len(inner), modulus), *inner, *rest]


def refused(config: PowerConfig) -> Sequence[Sequence[int]]:
    """A header without exponent; the core's illegal contexts."""
    legal = context(config, config.core.function.some_modulus(config.inner))
    empty = _header(config, config.context_beats, 0)
    found = [[*empty, legal[len(empty)]]]
    beats = config.inner.beats + 1 if config.compute_r2 else 2 * config.inner.beats
    for run in config.core.illegal_contexts(config.inner):
        if 1 <= len(run) <= config.context_beats:
            found.append([*header(config, len(run)), *run, *[0] * beats])
    return found


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


def context_wait(config: PowerConfig) -> int:
    """The most cycles that ``mm_sys_unit`` computes while the last beat of a context waits."""
    if not config.compute_r2:
        return 0
    doublings = 2 * (config.radix.bit_length() - 1)
    squaring = 2 * config.at_core.beats + 1 + Timing(config.core, config.at_core).takes(square=True)
    passes = (doublings + 2) * (config.at_core.beats + 1)
    return passes + config.radix_bits * squaring


def computing(configs: Sequence[PowerConfig]) -> tuple[PowerConfig, ...]:
    """The same with ``compute_r2``, where that is possible."""
    return tuple(replace(c, compute_r2=1) for c in configs if c.radix.bit_count() == 1)


# --- the description --------------------------------------------------------------------------------


def fixed(core: Core, width: int, modulus: int) -> Sequence[Config]:
    """The first build of a core for one modulus.

    Raises:
        ValueError: there is none, with the reason.
    """
    found = core.builds.for_modulus(width, modulus) if core.builds.for_modulus else ()
    return found[:1]


def system_core(
    core: Core,
    *,
    slug: str,
    title: str,
    steps: str,
    latency: Callable[[Any], int],
    builds: Builds,
    origin: Origin,
    latency_by: Callable[[Any, int], int] | None = None,
) -> Core:
    """The description of a system on a core as a core.

    Args:
        core: what it is built on.
        slug, title: of the system.
        steps: its cycle count as text.
        latency: of a power or, with the field ``product``, of a product.
        builds: its configurations.
        origin: where it is from.
        latency_by: the latency of a power with a given exponent, where that matters.
    """

    def check(config: PowerConfig, modulus: int) -> None:
        core.function.check(config.inner, modulus)

    def interval(config: PowerConfig) -> int:
        """Operands come, the power is made, results leave, and the next operands come a cycle later."""
        return latency(config) + 2 * config.beats - 1

    return Core(
        slug=f"{slug}:{core.slug}",
        title=f"{title} with {core.slug}",
        interface=Interface(
            latency=latency,
            interval=interval,
            latency_by=latency_by,
            context=context,
            context_wait=context_wait,
            refused=refused,
            controls=(PRODUCT,),
        ),
        function=Function(
            check=check,
            moduli=core.function.moduli,
            compute=compute,
            formula=formula,
            operand_max=lambda config, modulus: core.function.operand_max(config.at_core, modulus),
            result_max=lambda config, modulus: core.function.result_max(config.at_core, modulus),
        ),
        algorithm=Algorithm(steps=steps, cycles=lambda config: latency(config) - 1),
        builds=replace(builds, crowded=core.builds.crowded),
        origin=origin,
        status=core.status,
        module=f"mm_sys_{slug}",
    )
