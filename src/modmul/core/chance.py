# SPDX-License-Identifier: Apache-2.0
"""Where the random numbers of a context come from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from random import Random
from secrets import SystemRandom

__all__ = ["chance", "drawing_from"]

_SECURE = SystemRandom()
_CHANCE: ContextVar[Random | None] = ContextVar("chance", default=None)


def chance() -> Random:
    """What random numbers of contexts are drawn from: the operating system, where nobody says otherwise."""
    return _CHANCE.get() or _SECURE


@contextmanager
def drawing_from(random: Random) -> Iterator[None]:
    """Draw those of the contexts made meanwhile from a generator, to have them again. Not for secrets."""
    token = _CHANCE.set(random)
    try:
        yield
    finally:
        _CHANCE.reset(token)
