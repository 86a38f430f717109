# SPDX-License-Identifier: Apache-2.0
"""modexp: x^e mod M by windows, on any core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from modmul.core import Builds, Core, Origin, System, ceil_div
from modmul.systems.power import PowerConfig, Timing, computing, fixed, system_core

WINDOWS = range(1, 7)
SELECT = 4
"""Cycles from the last word of the table to the choice among its entries."""


def multiplications(bits: int, window: int) -> tuple[int, int]:
    """Squares and products of an exponentiation: steps 2 to 7 of ``mm_sys_modexp``.

    Args:
        bits: of the exponent, at least 1.
        window: bits of a digit.
    """
    digits = ceil_div(bits, window)
    table = (1 << window) - 2
    squares = max(bits - window, 0) + (table > 0)
    return squares, 1 + max(table - 1, 0) + (digits - 1) + 1


def best_window(bits: int, time: Timing) -> int:
    """The window with the fewest multiplications, the smallest of equals; at most 5, for the table's sake.

    The whole table is read for each digit. That must not take longer than the squares beside it.
    """
    square = time.alone(square=True)
    hidden = [window for window in WINDOWS[:5] if (time.beats << window) + SELECT <= window * square]
    return min(hidden or WINDOWS[:1], key=lambda window: sum(multiplications(bits, window)))


@dataclass(frozen=True)
class Modexp(PowerConfig):
    """The parameters of ``mm_sys_modexp`` on a core.

    Attributes:
        window: bits of a digit of the exponent, 1 to 6; 1 is the binary method, and multiplies at every bit.
        variable_time: 1 to leave out products with digits of 0: for exponents that need not be secret.
    """

    window: int = field(default=0, kw_only=True)
    variable_time: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.window:
            object.__setattr__(
                self, "window", best_window(self.exponent_bits, Timing(self.core, self.at_core))
            )
        if self.window not in WINDOWS:
            raise ValueError(f"window must be 1 to 6 bits, got {self.window}")
        if self.variable_time not in (0, 1):
            raise ValueError(f"variable_time must be 0 or 1, got {self.variable_time}")

    @property
    def constant_time(self) -> bool:
        return not self.variable_time

    def own(self) -> dict[str, str]:
        return {"Window": "window", "VariableTime": "variable_time", **super().own()}


def bare(config: Modexp) -> int:
    """Cycles of the multiplications of a power alone, one after the other, without anything of the system."""
    squares, products = multiplications(config.exponent, config.window)
    time = Timing(config.core, config.at_core)
    return squares * time.alone(square=True) + products * time.alone()


def latency(config: Modexp) -> int:
    """The schedule of ``mm_sys_modexp``: cycles behind the last operand beat.

    With ``variable_time`` it is that of an exponent without digits of 0.
    """
    return latency_of(config, -1)


def latency_of(config: Modexp, exponent: int) -> int:
    """That of one exponent, which only matters with ``variable_time``; -1 has no digit of 0."""
    serving = replace(config, serving=config.at_core)
    return _latency(config.core.slug, config.core, serving, exponent if config.variable_time else -1)


@lru_cache(maxsize=4096)
def _latency(_slug: str, core: Core, config: Modexp, exponent: int) -> int:
    window, time = config.window, Timing(core, config.at_core)
    beats = time.beats
    read = 1 if config.variable_time else 1 << window
    left = config.exponent

    def select(start: int, entries: int) -> int:
        """The first cycle in which an entry read from cycle ``start`` on can be used."""
        return start + entries * beats + SELECT

    # Step 2.
    _, result = time.operate(-time.gap, select(0, 1))
    if config.product:
        return time.operate(result, chain=True)[1]  # step 8
    if window > 1:  # step 3
        base = select(result + beats - 1, 1)
        _, result = time.operate(result, square=True, chain=True)
        for entry in range(3, 1 << window):
            _, result = time.operate(result, base, chain=True, keep=entry > 3)
    # Step 4. The digits' bits are fetched in the meantime.
    size = min(window, left)
    left -= size
    start = max(result + beats, size + 2)
    ready = select(start, read)
    if not left:
        return time.operate(-time.gap, ready)[1]  # step 7, x is no result of the core
    size = min(window, left)
    captured = max(ready, start + size + 1)
    after, chained = captured - time.gap, False
    while True:
        left -= size
        ready = select(captured, read)
        first = captured + 1
        for _ in range(size):  # step 5
            _, after = time.operate(after, first, square=True, chain=chained)
            chained = True
        seen = after + 1
        if (exponent >> left) % (1 << size):  # step 6
            fed, after = time.operate(after, ready, chain=True)
            seen = fed + time.fetching - 1
        if not left:
            return time.operate(after, chain=True)[1]  # step 7
        size = min(window, left)
        captured = max(seen, captured + size + 1)


def on(core: Core) -> Core:
    """The system on a core."""

    def explore(width: int) -> Sequence[Modexp]:
        return tuple(Modexp(width, inner=inner, core=core) for inner in core.builds.at(width)[:1])

    def for_modulus(width: int, modulus: int) -> Sequence[Modexp]:
        return tuple(Modexp(width, inner=inner, core=core) for inner in fixed(core, width, modulus))

    def variants(width: int) -> Sequence[PowerConfig]:
        builds = filter(
            core.interface.carries_numbers, (*core.builds.at(width)[1:], *core.builds.variants(width))
        )
        return (
            *(replace(config, window=window) for config in explore(width) for window in WINDOWS),
            *(Modexp(width, inner=inner, core=core) for inner in builds),
            *computing(explore(width)),
        )

    return system_core(
        core,
        slug="modexp",
        title="x^e mod M",
        steps="squares and products of a window method",
        latency=latency,
        latency_by=latency_of,
        builds=Builds(
            Modexp,
            explore=explore,
            variants=variants,
            for_modulus=for_modulus if core.builds.for_modulus else None,
        ),
        origin=Origin(section="exponentiation"),
    )


SYSTEM = System(slug="modexp", title="x^e mod M by windows, on any core", on=on)
