# SPDX-License-Identifier: Apache-2.0
"""Functional coverage of the port contract: what may come together at the ports, counted by the drivers.

A bin is named by what happens and when, such as ``"reset, computing"``. :func:`expected` says which a build
has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from modmul.core import Config, Core, Polynomial, field_of
from modmul.room import Build

__all__ = ["LONG", "PATTERNS", "expected", "lasting", "operands", "pattern"]

LONG = 3
"""Waits of so many cycles or more count alike."""

PATTERNS = ("none", "before", "inside", "both")
"""Where in an operand or a result there are cycles of waiting."""

LARGE = 8
"""Below it, corners of a modulus are the same."""


def lasting(what: str, cycles: int) -> str:
    """The bin of a wait."""
    return f"{what}, {cycles if cycles < LONG else f'{LONG} or more'} cycles"


def pattern(before: int, inside: int) -> str:
    """Where the cycles of waiting are."""
    return PATTERNS[(before > 0) + 2 * (inside > 0)]


def _kind(config: Config, modulus: int) -> str:
    """What a modulus looks like beside others of a build."""
    bits = modulus.degree if isinstance(modulus, Polynomial) else modulus.bit_length()
    ones = modulus.bit_count()
    if bits < config.width:
        kind = "short"
    elif ones == modulus.bit_length():
        kind = "all ones"
    elif ones <= 3:
        kind = "sparse"
    else:
        kind = "full"
    return f"{kind}, {field_of(modulus)}"


def _corners(core: Core, at: Config, modulus: int) -> dict[int, str]:
    """The corners of the operands of a modulus; the first name of a number is taken."""
    largest = core.function.operand_max(at, modulus)
    ones = (1 << largest.bit_length()) - 1
    named = (
        (0, "0"),
        (1, "1"),
        (modulus - 1, "M-1"),
        (modulus, "M"),
        (ones, "all ones"),
        (largest, "largest"),
    )
    return {value: name for value, name in reversed(named) if value <= largest}


def operands(
    core: Core, at: Config, modulus: int, x: int, y: int, controls: Mapping[str, bool]
) -> Iterator[str]:
    """The bins of a pair of operands."""
    if modulus < LARGE:
        return
    corners = _corners(core, at, modulus)
    of_x, of_y = corners.get(x, "other"), corners.get(y, "other")
    yield f"operands, {of_x} and {of_y}, M {_kind(at, modulus)}"
    for name, high in controls.items():
        yield f"{name} {'high' if high else 'low'}, x {of_x}"


def expected(build: Build, moduli: Sequence[int]) -> Iterator[str]:
    """All the bins that a build has, from its description; those of operands by the kinds of some moduli."""
    core, config = build.core, build.config
    some = core.function.some_modulus(config)
    holds = core.interface.in_flight(config)
    pieces = len(core.interface.context(config.at(some), some)) > 1
    beats = config.beats > 1
    phases = ["no context", "checking", "refused", "idle", "computing", "result"]
    phases += ["in context"] * pieces + ["in operands", "in result"] * beats
    for what, phase in product(("reset", "context offered", "operands offered"), phases):
        if not (what == "operands offered" and phase == "in operands"):
            yield f"{what}, {phase}"
    for before, after in product(("reset", "legal", "illegal"), ("legal", "illegal")):
        yield f"context, {after} after {before}"
    for count in range(1, holds + 1):
        yield f"in flight, {count}"
    for what, cycles in product(("idle before operands", "result stalled"), range(LONG + 1)):
        yield lasting(what, cycles)
    for what, cycles in product(("idle inside operands", "stalled inside a result"), range(LONG + 1)):
        if beats:
            yield lasting(what, cycles)
    for idle, stall in product(PATTERNS if beats else PATTERNS[:2], repeat=2):
        yield f"operation, idle {idle}, stalled {stall}"
    yield from dict.fromkeys(_of_operands(build, moduli))


def _of_operands(build: Build, moduli: Sequence[int]) -> Iterator[str]:
    core, config = build.core, build.config
    for modulus in moduli:
        at = config.at(modulus)
        corners = _corners(core, at, modulus) if modulus >= LARGE else {}
        for x, y in product(corners, repeat=2):
            yield from operands(core, at, modulus, x, y, {})
        for control in core.interface.controls:
            for x, high in product(corners, (False, True)):
                yield from list(operands(core, at, modulus, x, 0, {control.field: high}))[1:]
