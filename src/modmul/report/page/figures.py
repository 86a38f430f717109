# SPDX-License-Identifier: Apache-2.0
# mypy: allow-untyped-calls
"""Draws points and bars with Plotly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import cycle, groupby, product
from operator import attrgetter

from modmul.tools.extras import needing

with needing("page"):
    from plotly.graph_objs import Figure  # type: ignore[attr-defined]
    from plotly.subplots import make_subplots

__all__ = [
    "FONT",
    "PUBLISHED_COLOUR",
    "Bar",
    "Panel",
    "Point",
    "bars",
    "html",
    "label_offsets",
    "log_range",
    "log_ticks",
    "scatter",
]

CHART_WIDTH = 1200  # px; the labels are placed for this width
SCATTER_HEIGHT = 600  # px
BAR_HEIGHT = 22  # px, of one bar with the gap to the next
FONT = {"family": "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif", "size": 13, "color": "#222"}
PUBLISHED_COLOUR = "#666"
PUBLISHED_SYMBOLS = ("square-open", "triangle-up-open", "diamond-open", "cross-open", "pentagon-open")


@dataclass(frozen=True)
class Point:
    """A point of a scatter chart; hollow when it is published rather than measured."""

    label: str
    series: str
    colour: str
    hollow: bool
    x: float
    y: float
    hover: str


@dataclass(frozen=True)
class Bar:
    """A bar; outlined rather than filled when it is published."""

    label: str
    colour: str
    hollow: bool
    value: float


@dataclass(frozen=True)
class Panel:
    """A group of bars with a unit of their own, the smallest first."""

    title: str
    bars: list[Bar]


def html(figure: Figure, identifier: str) -> str:
    """The chart without plotly.js itself."""
    text: str = figure.to_html(
        full_html=False,
        include_plotlyjs=False,
        div_id=identifier,
        config={
            "displaylogo": False,
            "showSendToCloud": False,
            "modeBarButtons": [["toImage", "resetScale2d"]],
        },
    )
    return text


def scatter(points: Sequence[Point], axes: tuple[str, str], height: int = SCATTER_HEIGHT) -> Figure:
    """Measured points filled and labelled, published ones hollow; both axes logarithmic."""
    margin = {"l": 70, "r": 20, "t": 50, "b": 55}
    figure = Figure(
        layout={
            "width": CHART_WIDTH,
            "height": height,
            "margin": margin,
            "font": FONT,
            "template": "plotly_white",
            "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom"},
            "hoverlabel": {"align": "left"},
        }
    )
    ranges = [log_range([point.x for point in points]), log_range([point.y for point in points])]
    for update, name, ends in zip((figure.update_xaxes, figure.update_yaxes), axes, ranges, strict=True):
        update(
            type="log", range=ends, **log_ticks(ends), title=name, zeroline=False,
            showline=True, linecolor="#999", gridcolor="#eee",
        )  # fmt: skip

    symbols = cycle(PUBLISHED_SYMBOLS)
    by_series = attrgetter("hollow", "series")
    for (hollow, series), members in groupby(sorted(points, key=by_series), key=by_series):
        group = list(members)
        figure.add_scatter(
            name=escape(series),
            x=[point.x for point in group],
            y=[point.y for point in group],
            mode="markers",
            marker={
                "size": 10,
                "color": group[0].colour,
                "symbol": next(symbols) if hollow else "circle",
                "line": {"width": 1.5 if hollow else 0},
            },
            customdata=[[escape(point.label), escape(point.hover)] for point in group],
            hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<br>"
            f"{axes[0]}: %{{x:.4~g}}<br>{axes[1]}: %{{y:.4~g}}<extra></extra>",
        )

    inner = (CHART_WIDTH - margin["l"] - margin["r"], height - margin["t"] - margin["b"])
    places = [
        tuple(
            (math.log10(value) - ends[0]) / (ends[1] - ends[0]) * length
            for value, ends, length in zip((point.x, point.y), ranges, inner, strict=True)
        )
        for point in points
    ]
    for point, (dx, dy) in zip(points, label_offsets(places, points, inner), strict=True):
        figure.add_annotation(
            x=math.log10(point.x), y=math.log10(point.y), ax=dx, ay=-dy, text=escape(point.label),
            font={"size": 11, "color": point.colour},
            arrowhead=0, arrowwidth=0.7, arrowcolor="#999", standoff=5, borderpad=0,
        )  # fmt: skip
    return figure


def bars(panels: Sequence[Panel]) -> Figure:
    """Horizontal bars, one panel below the other."""
    heading = 55  # px above a panel
    heights = [BAR_HEIGHT * len(panel.bars) for panel in panels]
    total = sum(heights) + heading * len(panels)
    longest = max(len(bar.label) for panel in panels for bar in panel.bars)
    scale = max(panel.bars[-1].value / panel.bars[0].value for panel in panels)
    figure: Figure = make_subplots(
        rows=len(panels),
        cols=1,
        row_heights=heights,
        vertical_spacing=heading / (total - heading) if len(panels) > 1 else 0,
        subplot_titles=[escape(panel.title) for panel in panels],
    )
    figure.update_layout(
        width=CHART_WIDTH,
        height=total + 10,
        margin={"l": min(20 + 7 * longest, CHART_WIDTH // 2), "r": 60, "t": heading, "b": 10},
        font=FONT,
        template="plotly_white",
        showlegend=False,
        bargap=0.3,
    )
    figure.update_annotations(x=0, xanchor="left", font_size=13)
    for number, panel in enumerate(panels, start=1):
        ratios = [bar.value / panel.bars[0].value for bar in panel.bars]
        labels = [escape(bar.label) for bar in panel.bars]
        hollow = panel.bars[0].hollow
        figure.add_bar(
            row=number,
            col=1,
            orientation="h",
            x=ratios,
            y=list(range(len(ratios))),
            text=[f"{ratio:.2f}" for ratio in ratios],
            textposition="outside",
            cliponaxis=False,
            marker={
                "color": ["#fff" if bar.hollow else bar.colour for bar in panel.bars],
                "line": {"color": PUBLISHED_COLOUR, "width": 1.2 if hollow else 0},
            },
            customdata=labels,
            hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
        )
        figure.update_xaxes(row=number, col=1, range=[0, scale], showticklabels=False, showgrid=False)
        figure.update_yaxes(
            row=number, col=1, tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed",
            showgrid=False, zeroline=False,
        )  # fmt: skip
    return figure


def log_range(values: Sequence[float]) -> tuple[float, float]:
    """Ends of a logarithmic axis, as powers of ten, with room for labels."""
    low, high = math.log10(min(values)), math.log10(max(values))
    room = max(0.08 * (high - low), 0.05)
    return (low - room, high + room)


def log_ticks(ends: tuple[float, float]) -> dict[str, list[float] | list[str]]:
    """Ticks of a logarithmic axis at round numbers, more of them on a short axis."""
    decades = ends[1] - ends[0]
    digits = (1,) if decades > 4 else (1, 2, 5) if decades > 1 else (1, 1.5, 2, 3, 4, 5, 6, 8)
    powers = range(math.floor(ends[0]), math.ceil(ends[1]))
    ticks = [digit * 10.0**power for power in powers for digit in digits]
    return {"tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def label_offsets(
    places: Sequence[tuple[float, ...]], points: Sequence[Point], inner: tuple[int, int]
) -> list[tuple[float, float]]:
    """Where each label's centre lies relative to its point, px, so that few things overlap.

    Greedy: every label takes the nearest place around its point that is free of marks, of the
    labels placed before it and of the chart's edge.
    """
    half_height = 8.0
    taken = [(x, y, 8.0, 8.0) for x, y in places]
    offsets: list[tuple[float, float]] = []
    for (x, y), point in zip(places, points, strict=True):
        half_width = 3.2 * len(point.label) + 4

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
