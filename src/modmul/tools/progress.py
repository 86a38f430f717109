# SPDX-License-Identifier: Apache-2.0
"""The one shape of progress: what verification, measurement and everything made of them tell of their way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Listener", "Progress", "ignore"]


@dataclass(frozen=True)
class Progress:
    """How far a long work has come.

    Attributes:
        phase: what is being done, in a word or three; a work may have several, one after another.
        text: what happened last, in a few words; ``""`` at the beginning of a phase.
        done: steps of the phase finished so far.
        total: steps of the phase.
    """

    phase: str
    text: str
    done: int
    total: int


Listener = Callable[[Progress], None]
"""Called after each step, by one thread at a time."""


def ignore(_progress: Progress) -> None:
    """The listener of those who do not want to know."""
