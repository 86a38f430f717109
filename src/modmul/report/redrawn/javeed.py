# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of Javeed and Wang: throughput against area-time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from modmul.registry import DEFAULT_WIDTH
from modmul.report.redrawn.drawing import CLOCKED_ON, Chart, Drawing, Mark, Series, clocked, lacking, rooms_of
from modmul.study.papers import Line
from modmul.study.rows import short_labels

__all__ = ["drawings"]


def drawings(lines: Sequence[Line]) -> Iterator[Drawing]:
    """Fig. 5."""
    ours, without = clocked(rooms_of(lines))
    yield Drawing(
        "javeed",
        "Fig. 5",
        f"Throughput against area × time per bit, {DEFAULT_WIDTH} bits",
        (
            "The figure's points are not in the text that was at hand; the printed ones here are computed "
            "from the slices and times of Table III, times that leave out the precomputation.",
            f"Ours are the shipped measurements on {CLOCKED_ON.name} (modmul measure --target "
            f"{CLOCKED_ON.name}): LUT-equivalents instead of slices, and the time from the last operand "
            "word to the result. Other devices, tools and units: what can be compared is the order, and "
            "ratios within a panel.",
            "Up and to the left is better.",
            *lacking(without, "shipped clock frequency"),
        ),
        (
            Chart(
                "printed: Table III",
                ("slices · time / bit, slice·µs", "throughput, Mbit/s"),
                tuple(_printed(lines)),
                (True, True),
            ),
            Chart(
                f"ours: {CLOCKED_ON.name}",
                ("LUT-equivalents · time / bit, LUTeq·µs", "throughput, Mbit/s"),
                (
                    Series(
                        f"ours, {CLOCKED_ON.name}",
                        tuple(
                            Mark(row.area_time_per_bit or 0, row.throughput_mbps or 0, label)
                            for row, label in zip(ours, short_labels(ours), strict=True)
                        ),
                        joined=False,
                    ),
                ),
                (True, True),
            ),
        ),
    )


def _printed(lines: Sequence[Line]) -> Iterator[Series]:
    """The designs of the paper at this length, a series for each device."""
    devices: dict[str, list[Mark]] = {}
    for line in lines:
        row = line.published
        if row.width == DEFAULT_WIDTH and row.slices and row.time_us:
            mark = Mark(row.slices * row.time_us / row.width, row.width / row.time_us, row.design)
            devices.setdefault(row.device, []).append(mark)
    for kind, (device, marks) in enumerate(sorted(devices.items(), reverse=True)):
        yield Series(f"printed, {device}", tuple(marks), printed=True, kind=kind, joined=False)
