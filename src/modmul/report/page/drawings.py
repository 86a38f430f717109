# SPDX-License-Identifier: Apache-2.0
# mypy: allow-untyped-calls
"""Draws the panels of redrawn figures with Plotly."""

from __future__ import annotations

from html import escape

from modmul.core import ceil_div
from modmul.report.page.figures import FONT, PUBLISHED_COLOUR, Point, log_range, log_ticks, scatter
from modmul.report.redrawn import Chart, Pipeline, Series
from modmul.tools.extras import needing

with needing("page"):
    from plotly.graph_objs import Figure  # type: ignore[attr-defined]

__all__ = ["COLOURS", "figure_of"]

COLOURS = ("#1f5a94", "#b3541e", "#2f7d4f", "#7b4b94", "#9a7a00", "#a83250", "#3f7f8c", "#555555")
"""Of our series: those of the kinds of a core, then those of the next core."""

KINDS = 4
"""Colours of a core."""

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross")
"""Of each kind of series; hollow where it is printed."""

TURNS = ("#cfe0f1", "#f6ddc9", "#d5ead9")
"""Of pipeline cycles, in turn."""

CHART_HEIGHT = 350  # px, without the legend
LEGEND_LINE = 20  # px
NAMED_HEIGHT = 420  # px, of a chart whose points have names
CELL = (25, 30)  # px, of a clock cycle and an element
MOST_TICKS = 9  # of an axis that has a tick for each x


def figure_of(panel: Chart | Pipeline) -> Figure:
    """A panel as a figure; a chart of lines is as wide as its place on the page."""
    if isinstance(panel, Pipeline):
        return _pipeline(panel)
    return _named(panel) if panel.named else _lines(panel)


def _named(panel: Chart) -> Figure:
    """Points with their names beside them."""
    points = [
        Point(
            mark.name,
            series.name,
            _colour(series),
            series.printed,
            mark.x,
            mark.y,
            series.name,
        )
        for series in panel.series
        for mark in series.marks
    ]
    return scatter(points, panel.axes, NAMED_HEIGHT)


def _lines(panel: Chart) -> Figure:
    """Series over x: ours in colour, the paper's grey, dotted and hollow."""
    figure = Figure(
        layout={
            "height": CHART_HEIGHT + LEGEND_LINE * ceil_div(len(panel.series), 2),
            "margin": {"l": 70, "r": 15, "t": 30, "b": 10},
            "font": FONT,
            "template": "plotly_white",
            "hovermode": "x unified",
            "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "font": {"size": 12}},
        }
    )
    for series in panel.series:
        figure.add_scatter(**_trace(series))
    marks = [mark for series in panel.series for mark in series.marks]
    xs = sorted({mark.x for mark in marks})
    style = {
        "showline": True,
        "linecolor": "#999",
        "gridcolor": "#eee",
        "zeroline": False,
        "automargin": True,
    }
    for update, values, name, logarithmic in (
        (figure.update_xaxes, xs, panel.axes[0], panel.logarithmic[0]),
        (figure.update_yaxes, [mark.y for mark in marks], panel.axes[1], panel.logarithmic[1]),
    ):
        update(title={"text": escape(name), "standoff": 8, "font": {"size": FONT["size"]}}, **style)
        if logarithmic:
            ends = log_range(values)
            update(type="log", range=ends, **log_ticks(ends))
        else:
            update(rangemode="tozero", tickformat=",")
    if len(xs) <= MOST_TICKS:
        figure.update_xaxes(tickvals=xs, ticktext=[f"{x:,.10g}" for x in xs])
    return figure


def _colour(series: Series) -> str:
    return PUBLISHED_COLOUR if series.printed else COLOURS[(series.kind + KINDS * series.core) % len(COLOURS)]


def _trace(series: Series) -> dict[str, object]:
    colour = _colour(series)
    symbol = SYMBOLS[series.kind % len(SYMBOLS)]
    return {
        "name": escape(series.name),
        "x": [mark.x for mark in series.marks],
        "y": [mark.y for mark in series.marks],
        "mode": "lines+markers" if series.joined else "markers",
        "line": {
            "color": colour,
            "width": 1 if series.printed else 1.5,
            "dash": "dot" if series.printed else "solid",
        },
        "marker": {
            "size": 11 if series.printed or not series.joined else 7,
            "color": colour,
            "symbol": f"{symbol}-open" if series.printed else symbol,
            "line": {"width": 1.5 if series.printed else 0},
        },
        "hovertemplate": "%{y:,.5~g}",
    }


def _pipeline(panel: Pipeline) -> Figure:
    """A row for each element, a column for each clock cycle, a word in each cell."""
    elements = max(work.element for work in panel.works)
    cycles = max(work.cycle for work in panel.works)
    turns: list[list[int | None]] = [[None] * cycles for _ in range(elements)]
    words = [[""] * cycles for _ in range(elements)]
    for work in panel.works:
        turns[work.element - 1][work.cycle - 1] = (work.turn - 1) % len(TURNS)
        words[work.element - 1][work.cycle - 1] = str(work.word)
    margin = {"l": 60, "r": 10, "t": 10, "b": 45}
    figure = Figure(
        layout={
            "width": CELL[0] * cycles + margin["l"] + margin["r"],
            "height": CELL[1] * elements + margin["t"] + margin["b"],
            "margin": margin,
            "font": FONT,
            "template": "plotly_white",
        }
    )
    count = len(TURNS)
    figure.add_heatmap(
        x=list(range(1, cycles + 1)),
        y=[f"PE {element + 1}" for element in range(elements)],
        z=turns,
        text=words,
        texttemplate="%{text}",
        textfont={"size": 12, "color": "#222"},
        colorscale=[((place + end) / count, colour) for place, colour in enumerate(TURNS) for end in (0, 1)],
        zmin=-0.5,
        zmax=count - 0.5,
        showscale=False,
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hovertemplate="%{y}, clock cycle %{x}: word %{text}<extra></extra>",
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, ticks="")
    figure.update_xaxes(
        title={"text": "clock cycle", "standoff": 4, "font": {"size": FONT["size"]}},
        dtick=1 if cycles < 20 else 2,
        tick0=1,
        showgrid=False,
    )
    return figure
