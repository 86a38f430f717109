# SPDX-License-Identifier: Apache-2.0
"""What a redrawn figure is: panels of data, with the words around them. Nothing here draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from modmul.measure import CHIPS, SHIPPED, Job, is_recorded
from modmul.registry import DEFAULT_WIDTH, Build, Room
from modmul.study.columns import MISSING, texts
from modmul.study.measuring import Tools, measure
from modmul.study.papers import Line
from modmul.study.rows import Row

__all__ = [
    "CLOCKED_ON",
    "Chart",
    "Drawing",
    "Mark",
    "Panel",
    "Pipeline",
    "Series",
    "Table",
    "Work",
    "clocked",
    "lacking",
    "rooms_of",
]

CLOCKED_ON = CHIPS["ecp5"]
"""The target that is placed and routed: where a figure needs a clock frequency of ours."""


@dataclass(frozen=True)
class Table:
    """Numbers as people read them: headings, and rows of as many cells."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Mark:
    """A point of a series; with a name where it is a thing of its own, rather than a place on a line."""

    x: float
    y: float
    name: str = ""


@dataclass(frozen=True)
class Series:
    """Points that belong together.

    Attributes:
        name: for the legend.
        marks: the points, in the order in which a line goes through them.
        printed: of the paper, printed or derived from what is printed; ours otherwise.
        kind: series of one kind have marks of one shape, the paper's hollow and grey.
        joined: whether a line goes through the points; where none does the marks are larger.
        core: number of the core, where several have a series of each kind, in colours of their own.
    """

    name: str
    marks: tuple[Mark, ...]
    printed: bool = False
    kind: int = 0
    joined: bool = True
    core: int = 0


@dataclass(frozen=True)
class Chart:
    """Points and lines over two axes.

    Attributes:
        title: of the panel.
        axes: name and unit of x and of y.
        series: what is in it.
        logarithmic: whether the axes are, x and y.
    """

    title: str
    axes: tuple[str, str]
    series: tuple[Series, ...]
    logarithmic: tuple[bool, bool] = (False, False)

    @property
    def named(self) -> bool:
        """Whether the points are things of their own, rather than those of a line."""
        return any(mark.name for series in self.series for mark in series.marks)

    @property
    def wide(self) -> bool:
        """Whether it wants all of the page's width: names do."""
        return self.named

    @property
    def table(self) -> Table:
        """A row for each x, and a column for each series; or a row for each point that has a name."""
        if self.named:
            marks = [(mark, series.name) for series in self.series for mark in series.marks]
            xs, ys = (_texts([getattr(mark, axis) for mark, _ in marks]) for axis in "xy")
            rows = [(mark.name, name, x, y) for (mark, name), x, y in zip(marks, xs, ys, strict=True)]
            return Table(("", "", *self.axes), tuple(rows))
        known = [{mark.x: mark.y for mark in series.marks} for series in self.series]
        places = sorted({x for values in known for x in values})
        columns = [_texts(places), *(_texts([values.get(x) for x in places]) for values in known)]
        headings = (self.axes[0], *(series.name for series in self.series))
        return Table(headings, tuple(zip(*columns, strict=True)))


@dataclass(frozen=True)
class Work:
    """A word in a processing element.

    Attributes:
        element: its number, the first being 1.
        cycle: the clock cycle, the first with work being 1.
        turn: the pipeline cycle, the first being 1.
        word: number of the word, the lowest being 0.
    """

    element: int
    cycle: int
    turn: int
    word: int


@dataclass(frozen=True)
class Pipeline:
    """Which processing element works on which word in which clock cycle."""

    title: str
    works: tuple[Work, ...]

    wide: ClassVar[bool] = True

    @property
    def turns(self) -> dict[tuple[int, int], list[Work]]:
        """The works of each element in each pipeline cycle."""
        found: dict[tuple[int, int], list[Work]] = {}
        for work in self.works:
            found.setdefault((work.turn, work.element), []).append(work)
        return found

    @property
    def table(self) -> Table:
        """For each pipeline cycle the first and last clock cycle of each element."""
        elements = sorted({work.element for work in self.works})
        found = self.turns
        rows = [
            (
                str(turn),
                *(
                    f"{works[0].cycle} to {works[-1].cycle}" if (works := found.get((turn, e))) else MISSING
                    for e in elements
                ),
            )
            for turn in sorted({work.turn for work in self.works})
        ]
        return Table(("pipeline cycle", *(f"PE {element}" for element in elements)), tuple(rows))


Panel = Chart | Pipeline


@dataclass(frozen=True)
class Drawing:
    """A figure of a paper, or counts that it prints, from our own data.

    Attributes:
        paper: its key.
        figure: the paper's name for it.
        title: what it shows.
        caption: sentences: what is printed, what is ours, and where it is from.
        panels: the data.
    """

    paper: str
    figure: str
    title: str
    caption: tuple[str, ...]
    panels: tuple[Panel, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        return asdict(self)


def _texts(values: Sequence[float | None]) -> list[str]:
    """The numbers of a column, without decimals where all are whole."""
    whole = all(value is None or value == int(value) for value in values)
    return texts([value if value is None or not whole else int(value) for value in values])


def clocked(rooms: Iterable[Room], width: int = DEFAULT_WIDTH) -> tuple[list[Row], list[str]]:
    """Builds of some cores with their shipped area and clock frequency, and the cores of which there is none.

    No tool is run: a core whose record is missing or stale is one of the latter.
    """
    builds: list[Build] = []
    slugs = set()
    for room in rooms:
        slugs.add(room.core.slug)
        own = room.fitting(width)
        if all(is_recorded(Job(build.design, CLOCKED_ON), SHIPPED) for build in own):
            builds += own
    found = measure(builds, CLOCKED_ON, tools=Tools(look_up=True)).rows if builds else []
    with_clock = [row for row in found if row.time_us is not None]
    without = slugs - {row.core for row in with_clock}
    return with_clock, sorted(without)


def rooms_of(lines: Sequence[Line], *parameters: str) -> list[Room]:
    """The cores of some lines that have these parameters."""
    rooms = {line.room.core.slug: line.room for line in lines if line.room}.values()
    return [room for room in rooms if set(parameters) <= set(room.core.builds.at(DEFAULT_WIDTH)[0].options())]


def lacking(slugs: Sequence[str], what: str) -> Iterator[str]:
    """A sentence on cores that are not drawn because they have no such thing, if there are any."""
    if slugs:
        yield f"Not drawn, without {what}: {', '.join(slugs)}."
