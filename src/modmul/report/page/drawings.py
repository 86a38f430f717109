# SPDX-License-Identifier: Apache-2.0
"""The panels of redrawn figures: charts as plain data for the script, pipelines as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modmul.report.redrawn import Chart, Pipeline, Series

__all__ = ["Cell", "chart_of", "pipeline_of"]

COLOURS = 8
"""Colours of the style sheet: those of the kinds of a core, then those of the next core."""

KINDS = 4
"""Colours of a core."""

SYMBOLS = ("circle", "square", "diamond", "triangle", "cross")
"""Of each kind of series; hollow where it is printed."""

TURNS = 3
"""Colours of pipeline cycles, in turn."""

MOST_TICKS = 9
"""Of an axis that has a tick for each x."""


@dataclass(frozen=True)
class Cell:
    """What an element does in a clock cycle: a word, and the colour of its pipeline cycle."""

    word: str
    turn: int


def chart_of(panel: Chart) -> Mapping[str, Any]:
    """A chart for the script: ours in colour, the paper's grey, dotted and hollow."""
    xs = sorted({mark.x for series in panel.series for mark in series.marks})
    return {
        "axes": panel.axes,
        "log": (True, True) if panel.named else panel.logarithmic,
        "ticks": None if panel.named or len(xs) > MOST_TICKS else xs,
        "label": f"{panel.title}; the data are in the table below.",
        "named": panel.named,
        "series": [_series(series, panel) for series in panel.series],
    }


def _series(series: Series, panel: Chart) -> Mapping[str, Any]:
    colour = "printed" if series.printed else f"c{(series.kind + KINDS * series.core) % COLOURS}"
    marks = [
        {
            "x": mark.x,
            "y": mark.y,
            "label": mark.name,
            "tip": f"{mark.name or series.name}\n{_at(mark.x, mark.y, panel)}",
        }
        for mark in series.marks
    ]
    return {
        "name": series.name,
        "colour": colour,
        "symbol": SYMBOLS[series.kind % len(SYMBOLS)],
        "hollow": series.printed,
        "printed": series.printed,
        "joined": series.joined and not panel.named,
        "marks": marks,
    }


def _at(x: float, y: float, panel: Chart) -> str:
    return f"{panel.axes[0]}: {x:,.5g}\n{panel.axes[1]}: {y:,.5g}"


def pipeline_of(panel: Pipeline) -> Sequence[tuple[str, Sequence[Cell | None]]]:
    """A row for each element: its name, and what it does in each clock cycle."""
    cycles = max(work.cycle for work in panel.works)
    rows: dict[int, list[Cell | None]] = {}
    for work in panel.works:
        row = rows.setdefault(work.element, [None] * cycles)
        row[work.cycle - 1] = Cell(str(work.word), (work.turn - 1) % TURNS)
    return [(f"PE {element}", rows[element]) for element in sorted(rows)]
