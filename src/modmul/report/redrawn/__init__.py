# SPDX-License-Identifier: Apache-2.0
"""The papers' figures redrawn from our own data beside the printed points: a module for each paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from modmul.registry import Room
from modmul.report.redrawn import amanor2005, dai2017, javeed, zhang2020
from modmul.report.redrawn.drawing import Chart, Drawing, Pipeline, Series
from modmul.study.papers import Line

__all__ = ["Chart", "Drawing", "Pipeline", "Series", "extras", "redrawn"]

SIMULATED = frozenset({"pinckney2008"})
"""The papers whose figures take a simulation."""


def _pinckney2008(lines: Sequence[Line]) -> Iterator[Drawing]:
    # Here, for whoever draws the others needs no simulator.
    from modmul.report.redrawn import pinckney2008  # noqa: PLC0415

    return pinckney2008.drawings(lines)


PAPERS: Mapping[str, Callable[[Sequence[Line]], Iterator[Drawing]]] = {
    "amanor2005": amanor2005.drawings,
    "dai2017": dai2017.drawings,
    "javeed": javeed.drawings,
    "pinckney2008": _pinckney2008,
    "zhang2020": zhang2020.drawings,
}


def extras(rooms: Sequence[Room]) -> tuple[str, ...]:
    """The extras that :func:`redrawn` takes for lines of these cores."""
    return ("simulation",) if SIMULATED & {room.core.origin.paper for room in rooms} else ()


def redrawn(lines: Sequence[Line]) -> list[Drawing]:
    """The figures of the papers that some lines are of, from the data of these lines' cores.

    Raises:
        MissingExtra: a figure takes a simulation, and what that takes is not installed.
        SimulatorError: a simulation cannot be compiled.
        VerificationError: what is simulated does not do what its figure shows.
    """
    of: dict[str, list[Line]] = {}
    for line in lines:
        of.setdefault(line.paper, []).append(line)
    found = (_known(drawing) for paper in of if paper in PAPERS for drawing in PAPERS[paper](of[paper]))
    return [drawing for drawing in found if drawing.panels]


def _known(drawing: Drawing) -> Drawing:
    """Without series that have no points, for want of a core or a measurement, and without empty panels."""
    panels: list[Chart | Pipeline] = []
    for panel in drawing.panels:
        if isinstance(panel, Pipeline):
            panels.append(panel)
        elif series := tuple(series for series in panel.series if series.marks):
            panels.append(replace(panel, series=series))
    return replace(drawing, panels=tuple(panels))
