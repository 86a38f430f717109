# SPDX-License-Identifier: Apache-2.0
"""Places the names of points in the README's picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

__all__ = ["label_offsets", "log_range"]


def log_range(values: Sequence[float]) -> tuple[float, float]:
    """Ends of a logarithmic axis, as powers of ten, with room for labels."""
    low, high = math.log10(min(values)), math.log10(max(values))
    room = max(0.08 * (high - low), 0.05)
    return (low - room, high + room)


def label_offsets(
    places: Sequence[tuple[float, ...]], labels: Sequence[str], inner: tuple[int, int]
) -> list[tuple[float, float]]:
    """Where each label's centre lies relative to its point, px, so that few things overlap.

    Greedy: every label takes the nearest place around its point that is free of marks, of the
    labels placed before it and of the chart's edge.
    """
    half_height = 8.0
    taken = [(x, y, 8.0, 8.0) for x, y in places]
    offsets: list[tuple[float, float]] = []
    for (x, y), label in zip(places, labels, strict=True):
        half_width = 3.2 * len(label) + 4

        def clash(offset: tuple[float, float], x: float = x, y: float = y, half: float = half_width) -> float:
            left, bottom = x + offset[0], y + offset[1]
            outside = max(0.0, half - left, left + half - inner[0]) + max(
                0.0, half_height - bottom, bottom + half_height - inner[1]
            )
            return outside * 50 + sum(
                max(0.0, half + w - abs(left - cx)) * max(0.0, half_height + h - abs(bottom - cy))
                for cx, cy, w, h in taken
            )

        candidates = [
            (side * (half_width + 10 if abs(level) < 12 else half_width * reach), level)
            for level, side, reach in product(
                (0, 16, -16, 30, -30, 46, -46, 64, -64, 84, -84, 106, -106), (1, -1, 0), (0.5, 1.0)
            )
            if side or abs(level) >= 16
        ]
        best = min(candidates, key=clash)
        taken.append((x + best[0], y + best[1], half_width, half_height))
        offsets.append(best)
    return offsets
