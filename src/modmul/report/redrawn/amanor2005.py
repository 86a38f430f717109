# SPDX-License-Identifier: Apache-2.0
"""Figure 3 of Amanor et al.: area-time products of the three multipliers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from modmul.registry import DEFAULT_WIDTH
from modmul.report.redrawn.drawing import CLOCKED_ON, Chart, Drawing, Mark, Series, clocked, lacking, rooms_of
from modmul.study.papers import Line

__all__ = ["drawings"]


def drawings(lines: Sequence[Line]) -> Iterator[Drawing]:
    """Fig. 3."""
    rows = [(line, line.room) for line in lines if line.room and line.target]
    kinds = {slug: kind for kind, slug in enumerate(dict.fromkeys(room.core.slug for _, room in rows))}
    designs = {room.core.slug: line.published.design for line, room in rows}
    target = next((line.target.name for line, _ in rows if line.target), "")
    printed: dict[tuple[str, int], float] = {}
    ours: dict[tuple[str, int], float] = {}
    for line, room in rows:
        row, luts, cycles = line.published, line.figure("luts").ours, line.figure("cycles").ours
        if row.width and row.slices and row.time_us:
            printed[room.core.slug, row.width] = row.slices * row.time_us
        if row.width and luts and cycles:
            ours[room.core.slug, row.width] = luts * cycles
    measured, without = clocked(rooms_of(lines))
    timed = {(row.core, row.width): row.area_time_per_bit for row in measured if row.area_time_per_bit}
    axes = ("bits of the operands", "product, smallest of its length = 1")
    yield Drawing(
        "amanor2005",
        "Fig. 3",
        "Area × time, normalised",
        (
            "The figure's points are not in the text that was at hand, nor what they are normalised to. "
            "The printed ones here are the share of the device (Table 1) times the period (Table 2) times "
            "n cycles; at every length the smallest of the three is 1.",
            f"Ours are LUTs of synthesis for {target} (as above) times cycles, for nothing open places and "
            f"routes this device; and, for {DEFAULT_WIDTH} bits alone, the shipped LUT-equivalents · time "
            f"on {CLOCKED_ON.name} (modmul measure --target {CLOCKED_ON.name}).",
            *lacking(without, f"shipped clock frequency on {CLOCKED_ON.name}"),
        ),
        (
            Chart(
                "printed: share of the device × time",
                axes,
                tuple(_series(printed, kinds, designs, printed=True)),
                (True, False),
            ),
            Chart(
                f"ours: LUTs × cycles on {target}, LUT-equivalents × time on {CLOCKED_ON.name}",
                axes,
                (
                    *_series(ours, kinds, {slug: f"{slug}, {target}" for slug in kinds}),
                    *_series(
                        timed, kinds, {slug: f"{slug}, {CLOCKED_ON.name}" for slug in kinds}, joined=False
                    ),
                ),
                (True, False),
            ),
        ),
    )


def _series(
    products: Mapping[tuple[str, int], float],
    kinds: Mapping[str, int],
    names: Mapping[str, str],
    **how: bool,
) -> Iterator[Series]:
    """A series for each core of the products, by core and length, over the smallest of each length."""
    least: dict[int, float] = {}
    for (_, width), product in products.items():
        least[width] = min(product, least.get(width, product))
    for slug, kind in kinds.items():
        marks = sorted(
            (width, product / least[width]) for (of, width), product in products.items() if of == slug
        )
        if marks:
            yield Series(names[slug], tuple(Mark(*mark) for mark in marks), kind=kind, **how)
