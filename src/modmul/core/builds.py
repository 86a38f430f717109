# SPDX-License-Identifier: Apache-2.0
"""The builds of a core that are worth having: for whoever chooses, measures or tests them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from modmul.chips import relatives
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
        tuned: name of a chip family to its configurations of a width worth comparing, the default first,
            where they are not those of ``explore``. They also serve its relatives (``Chip.relative``).
        for_modulus: for a core with builds for one modulus each, those for a modulus at a width; raises
            ``ValueError`` with the reason where there is none.
        variants: further configurations of a width that the tests cover.
        values: of a width, the values worth trying of parameters with too many legal ones, such as words:
            parameter to values. Of one that is not named the configuration is asked.
        longest_in_test: the longest operands, in bits, with which ``make test`` simulates it: a simulation of
            longer ones may take minutes to compile, and is in ``make long``.
        device_limits: name of a chip family to the longest operands, in bits, of a build that its device
            holds; one that is not named holds all. Longer ones are not measured there unless asked for.
        made_for: the longest operands, in bits, that it is made for. Builds of longer ones work, and are not
            measured or compared unless asked for.
        crowded: whether the placer for crowded designs is to be taken: with the usual one wires of wide
            builds are long, or cannot be routed.
        only_width: the bits of the operands of all builds; 0 where there are builds of several widths.
    """

    config: type[Config]
    explore: Callable[[int], Sequence[Config]] | None = None
    for_modulus: Callable[[int, int], Sequence[Config]] | None = None
    variants: Callable[[int], Sequence[Config]] = field(default=lambda _width: ())
    values: Callable[[int], Mapping[str, Sequence[int]]] | None = None
    longest_in_test: int = UNLIMITED
    tuned: Mapping[str, Callable[[int], Sequence[Config]]] = field(default_factory=dict, hash=False)
    device_limits: Mapping[str, int] = field(default_factory=dict, hash=False)
    made_for: int = UNLIMITED
    crowded: bool = False
    only_width: int = 0

    def at(self, width: int, chip: str = "") -> Sequence[Config]:
        """Configurations worth comparing at ``width`` bits, on a chip family or in general; default first."""
        for name in relatives(chip):
            if name in self.tuned:
                return self.tuned[name](width)
        return self.explore(width) if self.explore else (self.config(width=width),)

    def all(self, width: int) -> Sequence[Config]:
        """Those in general, and behind them those tuned for chip families, each once."""
        tuned = (config for chip in self.tuned for config in self.at(width, chip))
        return tuple(dict.fromkeys((*self.at(width), *tuned)))

    def fits(self, chip: str, width: int) -> bool:
        """Whether a build of so many bits is worth having on that chip family, by its name."""
        return not self.unfit(chip, width)

    def unfit(self, chip: str, width: int) -> str:
        """Why a build of so many bits is not worth having on that chip family; ``""`` where it is."""
        if width > self.made_for:
            return f"it is made for up to {self.made_for} bits"
        limit = self.device_limits.get(chip, width)
        if width <= limit:
            return ""
        return f"the device of {chip} holds " + (
            f"no more than {limit} bits of it" if limit else "none of it"
        )
