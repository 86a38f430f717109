# SPDX-License-Identifier: Apache-2.0
"""The one shape of progress: what verification, measurement and everything made of them tell of their way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Listener", "Progress", "hours", "ignore"]


@dataclass(frozen=True)
class Progress:
    """How far a long work has come.

    Attributes:
        phase: what is being done, in a word or three; a work may have several, one after another.
        text: what happened last, in a few words; ``""`` at the beginning of a phase.
        done: steps of the phase finished so far.
        total: steps of the phase.
        left: seconds that the phase may still take, where the steps are unlike and whoever works knows better
            than by counting them; ``None`` otherwise.
    """

    phase: str
    text: str
    done: int
    total: int
    left: float | None = None


Listener = Callable[[Progress], None]
"""Called after each step, by one thread at a time."""


def ignore(_progress: Progress) -> None:
    """The listener of those who do not want to know."""


def hours(seconds: float) -> str:
    """A time that is not known well, for people: ``"2.5 h"``, ``"40 min"``, ``"50 s"``."""
    if seconds >= 5400:
        return f"{seconds / 3600:.{0 if seconds >= 36000 else 1}f} h"
    return f"{max(round(seconds / 60), 1)} min" if seconds >= 90 else f"{max(seconds, 1):.0f} s"
