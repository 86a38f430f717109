# SPDX-License-Identifier: Apache-2.0
"""The builds of a core that are worth having: for whoever chooses, measures or tests them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from modmul.core.config import Config

__all__ = ["Builds"]

UNLIMITED = 1 << 20


@dataclass(frozen=True)
class Builds:
    """The configurations of a core.

    Attributes:
        config: its :class:`Config` class.
        explore: configurations of a width worth comparing, the default first; ``None`` for the one that has
            defaults alone.
        variants: further configurations of a width that the tests cover.
        longest_in_test: the longest operands, in bits, with which ``make test`` simulates it: a simulation of
            longer ones may take minutes to compile, and is in ``make long``.
        device_limits: name of a chip to the longest operands, in bits, of a build that its device holds; one
            that is not named holds all. Longer ones are not measured there unless asked for.
        placer: of nextpnr, where the default one does not do; ``""`` for the default.
    """

    config: type[Config]
    explore: Callable[[int], Sequence[Config]] | None = None
    variants: Callable[[int], Sequence[Config]] = field(default=lambda _width: ())
    longest_in_test: int = UNLIMITED
    device_limits: Mapping[str, int] = field(default_factory=dict, hash=False)
    placer: str = ""

    def at(self, width: int) -> Sequence[Config]:
        """Configurations worth comparing at ``width`` bits, the default first."""
        return self.explore(width) if self.explore else (self.config(width=width),)

    def fits(self, chip: str, width: int) -> bool:
        """Whether the device of that chip, by its name, holds a build of so many bits."""
        return width <= self.device_limits.get(chip, width)
