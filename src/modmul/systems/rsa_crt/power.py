# SPDX-License-Identifier: Apache-2.0
"""The engines of ``rsa_crt``: ``mm_sys_rsa_crt_power``, powers x^e mod M by windows, on any core.

R is the core's Montgomery radix, 1 in the plain domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from modmul.core import Core, ceil_div
from modmul.systems.power import PowerConfig, Timing

WINDOWS = range(1, 7)
SELECT = 4
"""Cycles from the last word of the table to the choice among its entries."""


def multiplications(bits: int, window: int) -> tuple[int, int]:
    """Squares and products of an exponentiation: steps 2 to 7 of ``mm_sys_rsa_crt_power``.

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
class Power(PowerConfig):
    """The parameters of ``mm_sys_rsa_crt_power`` on a core.

    Attributes:
        window: bits of a digit of the exponent, 1 to 6; 1 is the binary method, and multiplies at every bit.
    """

    window: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.window:
            object.__setattr__(
                self, "window", best_window(self.exponent_bits, Timing(self.core, self.at_core))
            )
        if self.window not in WINDOWS:
            raise ValueError(f"window must be 1 to 6 bits, got {self.window}")


# --- the context ------------------------------------------------------------------------------------


def header(config: PowerConfig, core_beats: int, top: int = -1) -> list[int]:
    """The header's beats: last beats of operand, core's context and exponent, bits in the exponent's last.

    Args:
        top: the last of them; -1: as the exponent has them.
    """
    exponent = ceil_div(config.exponent, config.word)
    fields = (
        (config.at_core.beats - 1, max((config.inner.beats - 1).bit_length(), 1)),
        (core_beats - 1, max((config.context_beats - 1).bit_length(), 1)),
        (exponent - 1, max((config.exponent_beats - 1).bit_length(), 1)),
        ((config.exponent - 1) % config.word + 1 if top < 0 else top, config.word.bit_length()),
    )
    value = place = 0
    for present, bits in fields:
        value |= present << place
        place += bits
    return [(value >> at) % (1 << config.word) for at in range(0, place, config.word)]


def context(config: PowerConfig, modulus: int) -> Sequence[int]:
    """Header, the core's context, R mod M, R^2 mod M."""
    config = config.at(modulus)
    core, at = config.core, config.at_core
    inner = core.interface.context(at, modulus)
    domain = core.function.domain(at)
    rest = at.split(domain.enter(modulus, 1), domain.enter(modulus, domain.radix))
    return [*header(config, len(inner)), *inner, *rest]


def refused(config: PowerConfig) -> Sequence[Sequence[int]]:
    """A header without exponent; the core's illegal contexts."""
    legal = context(config, config.core.function.some_modulus(config.inner))
    empty = header(config, config.context_beats, 0)
    found = [[*empty, legal[len(empty)]]]
    beats = 2 * config.inner.beats
    for run in config.core.illegal_contexts(config.inner):
        if 1 <= len(run) <= config.context_beats:
            found.append([*header(config, len(run)), *run, *[0] * beats])
    return found


# --- time -------------------------------------------------------------------------------------------


def latency(config: Power) -> int:
    """The schedule of ``mm_sys_rsa_crt_power``: cycles behind the last operand beat."""
    return _latency(config.core.slug, config.core, replace(config, serving=config.at_core))


@lru_cache(maxsize=4096)
def _latency(_slug: str, core: Core, config: Power) -> int:
    window, time = config.window, Timing(core, config.at_core)
    beats = time.beats
    read = 1 << window
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
        fed, after = time.operate(after, ready, chain=True)  # step 6
        seen = fed + time.fetching - 1
        if not left:
            return time.operate(after, chain=True)[1]  # step 7
        size = min(window, left)
        captured = max(seen, captured + size + 1)
