# SPDX-License-Identifier: Apache-2.0
# mypy: allow-untyped-calls
"""A comparison as one HTML file that needs nothing else: no network, no second file.

Plotly draws the charts and DataTables (as bundled by itables) sorts the table; both are inlined.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import cycle, groupby, product
from operator import attrgetter
from pathlib import Path

import itables.options
from jinja2 import Environment, PackageLoader, StrictUndefined
from plotly.graph_objs import Figure  # type: ignore[attr-defined]
from plotly.offline.offline import get_plotlyjs
from plotly.subplots import make_subplots

from modmul.report.rows import Comparison, Overlay, Row

__all__ = ["render"]

CHART_WIDTH = 1200  # px; the labels are placed for this width
SCATTER_HEIGHT = 600  # px
BAR_HEIGHT = 22  # px, of one bar with the gap to the next
FONT = {"family": "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif", "size": 13, "color": "#222"}
COLOURS = {"plain": "#1f5a94", "montgomery": "#b3541e"}
PUBLISHED_COLOUR = "#666"
PUBLISHED_SYMBOLS = ("square-open", "triangle-up-open", "diamond-open", "cross-open", "pentagon-open")
MISSING = "–"


def render(comparison: Comparison) -> str:
    """The page of ``comparison``: a whole HTML document.

    Frequencies, and whatever follows from them, appear only when the target is placed and routed.
    """
    timed = comparison.target.placed_and_routed and any(
        row.fmax_mhz is not None and row.failure is None for row in comparison.rows
    )
    bundle = Path(itables.options.dt_bundle)
    environment = Environment(
        loader=PackageLoader("modmul", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        comparison=comparison,
        timed=timed,
        seeds=_span([row.seeds for row in comparison.rows if row.fmax_mhz is not None]),
        verified=_span([row.verified for row in comparison.rows if row.verified]),
        failed=[row for row in comparison.rows if row.failure is not None],
        best=_best(comparison.rows, timed),
        columns=_columns(comparison.rows, timed),
        overlay_columns=_overlay_columns(comparison.overlays, timed),
        charts=[_trade_off(comparison, timed), _area_time(comparison, timed)],
        datatables_css=bundle.with_suffix(".css").read_text(encoding="utf-8"),
        datatables_js=b64encode(bundle.read_bytes()).decode("ascii"),
        plotly_js=get_plotlyjs(),
    )


# --- tables -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of numbers: heading, unit, meaning, and each row's value and text."""

    heading: str
    unit: str
    meaning: str
    values: list[float | None]

    @property
    def texts(self) -> list[str]:
        """The values for people: the smallest keeps three significant digits, integers all."""
        known = [abs(value) for value in self.values if value]
        digits = 2 - math.floor(math.log10(min(known))) if known else 0
        whole = all(value is None or isinstance(value, int) for value in self.values)
        decimals = 0 if whole else min(max(digits, 0), 4)
        return [MISSING if value is None else f"{value:,.{decimals}f}" for value in self.values]


def _columns(rows: Sequence[Row], timed: bool) -> list[Column]:
    """The numeric columns of the table; hard blocks only when some core uses them."""

    def column(heading: str, unit: str, meaning: str, value: Callable[[Row], float | None]) -> Column:
        return Column(heading, unit, meaning, [value(row) for row in rows])

    columns = [
        column("Width", "bits", "operand length", lambda row: row.width),
        column("Cycles", "", "compute cycles by the paper's way of counting", lambda row: row.cycles),
        column("Latency", "cycles", "last operand beat to first result beat", lambda row: row.latency),
        column("Interval", "cycles", "between two successive operations", lambda row: row.interval),
        column("LUTs", "", "look-up tables of the core alone", lambda row: row.luts),
        column("FFs", "", "flip-flops of the core alone", lambda row: row.ffs),
    ]
    if any(row.dsp for row in rows):
        columns.append(column("DSP", "", "multiplier blocks of the core alone", lambda row: row.dsp))
    if any(row.bram for row in rows):
        columns.append(column("BRAM", "", "memory blocks of the core alone", lambda row: row.bram))
    if timed:
        columns += [
            column("Fmax", "MHz", "median clock frequency over the seeds", lambda row: row.fmax_mhz),
            column(
                "Spread", "MHz", "highest less lowest Fmax over the seeds", lambda row: row.fmax_spread_mhz
            ),
            column("Time", "µs", "of one multiplication: latency / Fmax", lambda row: row.time_us),
            column("Rate", "M/s", "million multiplications a second", lambda row: row.throughput_mops),
            column("Throughput", "Mbit/s", "width · Fmax / interval", lambda row: row.throughput_mbps),
            column("AT/bit", "LUT·µs", "LUTs · time / width", lambda row: row.area_time_per_bit),
        ]
    return [
        *columns,
        column("LUT·cycles", "/bit²", "LUTs · interval / width²", lambda row: row.lut_cycles),
        column("Verified", "", "multiplications checked on this modulus", lambda row: row.verified),
    ]


def _overlay_columns(overlays: Sequence[Overlay], timed: bool) -> list[Column]:
    """The numeric columns of the published figures."""

    def column(heading: str, unit: str, meaning: str, value: Callable[[Overlay], float | None]) -> Column:
        return Column(heading, unit, meaning, [value(overlay) for overlay in overlays])

    columns = [
        column("Width", "bits", "operand length", lambda overlay: overlay.width),
        column("Cycles", "", "behind the printed time", lambda overlay: overlay.cycles),
        column("Slices", "", "as printed", lambda overlay: overlay.slices),
        column("LUTs", "", "as printed", lambda overlay: overlay.luts),
        column("FFs", "", "as printed", lambda overlay: overlay.ffs),
    ]
    if timed:
        columns += [
            column("Fmax", "MHz", "as printed", lambda overlay: overlay.fmax_mhz),
            column("Time", "µs", "as printed", lambda overlay: overlay.time_us),
            column("Throughput", "Mbit/s", "width / time", lambda overlay: overlay.throughput_mbps),
        ]
    return columns


def _best(rows: Sequence[Row], timed: bool) -> list[tuple[str, str]]:
    """What a hurried reader wants: a quality and the label of the core that has it."""
    sound = [row for row in rows if row.failure is None]
    qualities: list[tuple[str, Callable[[Row], float | None]]] = [
        ("Fewest LUTs", lambda row: row.luts),
    ]
    if timed:
        qualities += [
            ("Shortest time", lambda row: row.time_us),
            ("Highest throughput", lambda row: row.throughput_mbps and -row.throughput_mbps),
            ("Least area-time", lambda row: row.area_time_per_bit),
        ]
    else:
        qualities.append(("Least area × cycles", lambda row: row.lut_cycles))
    best = []
    for quality, cost in qualities:
        known = [(value, row.label) for row in sound if (value := cost(row)) is not None]
        if known:
            best.append((quality, min(known)[1]))
    return best


def _span(numbers: Sequence[int | None]) -> str:
    """``"5"`` or ``"3 to 5"``; empty without numbers."""
    known = sorted({number for number in numbers if number is not None})
    ends = known if len(known) < 2 else [known[0], known[-1]]
    return " to ".join(f"{number:,}" for number in ends)


# --- charts -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chart:
    """A chart as HTML (empty when there is nothing to draw), with the words around it."""

    title: str
    html: str
    alt: str
    caption: list[str]


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


def _trade_off(comparison: Comparison, timed: bool) -> Chart:
    """Throughput against area-time per bit; LUTs against the interval where no Fmax is known."""
    if timed:
        title = "Throughput against area-time per bit"
        axes = ("area-time per bit, LUT·µs/bit", "throughput, Mbit/s")
        advice = "Up and to the left is better."
    else:
        title = "LUTs against interval cycles"
        axes = ("clock cycles between two multiplications", "LUTs")
        advice = "Down and to the left is better."

    measured: list[Point] = []
    published: list[Point] = []
    unmeasured: list[str] = []
    unprinted: list[str] = []
    for row in comparison.rows:
        x, y = (row.area_time_per_bit, row.throughput_mbps) if timed else (row.interval, row.luts)
        if row.failure is not None or not x or not y:
            unmeasured.append(f"{row.label} ({_lack(row)})")
            continue
        series = f"measured, {comparison.target.name}, {row.domain}"
        measured.append(Point(row.label, series, COLOURS[row.domain], False, x, y, row.title))
    for overlay in comparison.overlays:
        x, y = (
            (overlay.luts_time_per_bit, overlay.throughput_mbps) if timed else (overlay.cycles, overlay.luts)
        )
        if not x or not y:
            unprinted.append(_overlay_label(overlay))
            continue
        series = f"published, {overlay.device}"
        source = f"{series}: paper {overlay.paper}, table {overlay.table}, {overlay.width} bits"
        published.append(Point(overlay.design, series, PUBLISHED_COLOUR, True, x, y, source))

    points = [*measured, *published]
    caption = [f"{advice} Both axes are logarithmic." if points else "Nothing to draw."]
    if published:
        caption.append(
            "Hollow marks are published figures on the authors' devices: "
            "another technology, shown for orientation only."
        )
    if unmeasured:
        caption.append("Not in the chart: " + "; ".join(unmeasured) + ".")
    if unprinted:
        lacking = "LUTs or time" if timed else "LUTs or cycles"
        caption.append(f"Published without {lacking}: " + "; ".join(unprinted) + ".")
    return Chart(
        title,
        _html(_scatter(points, axes), "trade-off") if points else "",
        f"Scatter chart, {axes[1]} against {axes[0]}: {len(measured)} measured cores and "
        f"{len(published)} published figures. The tables of this page hold the numbers.",
        caption,
    )


def _area_time(comparison: Comparison, timed: bool) -> Chart:
    """Bars of the area-time product, the smallest of each panel = 1; area × cycles without Fmax."""
    rows = [row for row in comparison.rows if row.failure is None]
    overlays = comparison.overlays
    if timed:
        title, unit = "Area-time product", "LUTs · time / bit"
        measured = [_row_bar(row, row.area_time_per_bit) for row in rows]
        by_luts = [_overlay_bar(overlay, overlay.luts_time_per_bit) for overlay in overlays]
        by_slices = [
            _overlay_bar(overlay, overlay.slices_time_per_bit)
            for overlay in overlays
            if overlay.luts_time_per_bit is None
        ]
    else:
        title, unit = "Area × cycles", "LUTs · cycles / bit²"
        measured = [_row_bar(row, row.lut_cycles) for row in rows]
        by_luts = [_overlay_bar(overlay, overlay.lut_cycles) for overlay in overlays]
        by_slices = []
    panels = [
        Panel(name, sorted(known, key=lambda bar: bar.value))
        for name, bars in (
            (f"measured, {comparison.target.name} ({unit})", measured),
            (f"published ({unit})", by_luts),
            ("published without LUTs (slices · time / bit)", by_slices),
        )
        if (known := [bar for bar in bars if bar is not None])
    ]
    caption = [
        "Each panel is normalised by itself: its smallest product is 1, and shorter is better."
        if panels
        else "Nothing to draw."
    ]
    if len({row.domain for row in rows}) > 1:
        caption.append("Colours tell the plain from the Montgomery domain, as in the chart above.")
    if any(bar.hollow for panel in panels for bar in panel.bars):
        caption.append(
            "Hollow bars are published figures from other devices and tools; technologies are not "
            "comparable, so read ratios within a panel (and a device), never across."
        )
    return Chart(
        f"{title}, smallest = 1",
        _html(_bars(panels), "area-time") if panels else "",
        f"Bar chart of the normalised {title.lower()}: "
        + "; ".join(f"{len(panel.bars)} {panel.title}" for panel in panels)
        + ".",
        caption,
    )


def _row_bar(row: Row, value: float | None) -> Bar | None:
    return Bar(row.label, COLOURS[row.domain], False, value) if value else None


def _overlay_bar(overlay: Overlay, value: float | None) -> Bar | None:
    return Bar(_overlay_label(overlay), PUBLISHED_COLOUR, True, value) if value else None


def _lack(row: Row) -> str:
    """Why a row is not in a chart."""
    if row.failure is not None:
        return "failed"
    return "LUTs unknown" if not row.luts else "Fmax unknown"


def _overlay_label(overlay: Overlay) -> str:
    return f"{overlay.design}, {overlay.width} bits, {overlay.device}"


def _html(figure: Figure, identifier: str) -> str:
    """The chart without plotly.js itself."""
    html: str = figure.to_html(
        full_html=False,
        include_plotlyjs=False,
        div_id=identifier,
        config={
            "displaylogo": False,
            "showSendToCloud": False,
            "modeBarButtons": [["toImage", "resetScale2d"]],
        },
    )
    return html


def _scatter(points: Sequence[Point], axes: tuple[str, str]) -> Figure:
    """Measured points filled and labelled, published ones hollow; both axes logarithmic."""
    margin = {"l": 70, "r": 20, "t": 50, "b": 55}
    figure = Figure(
        layout={
            "width": CHART_WIDTH,
            "height": SCATTER_HEIGHT,
            "margin": margin,
            "font": FONT,
            "template": "plotly_white",
            "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom"},
            "hoverlabel": {"align": "left"},
        }
    )
    ranges = [_log_range([point.x for point in points]), _log_range([point.y for point in points])]
    for update, name, ends in zip((figure.update_xaxes, figure.update_yaxes), axes, ranges, strict=True):
        update(
            type="log", range=ends, **_log_ticks(ends), title=name, zeroline=False,
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

    inner = (CHART_WIDTH - margin["l"] - margin["r"], SCATTER_HEIGHT - margin["t"] - margin["b"])
    places = [
        tuple(
            (math.log10(value) - ends[0]) / (ends[1] - ends[0]) * length
            for value, ends, length in zip((point.x, point.y), ranges, inner, strict=True)
        )
        for point in points
    ]
    for point, (dx, dy) in zip(points, _label_offsets(places, points, inner), strict=True):
        figure.add_annotation(
            x=math.log10(point.x), y=math.log10(point.y), ax=dx, ay=-dy, text=escape(point.label),
            font={"size": 11, "color": point.colour},
            arrowhead=0, arrowwidth=0.7, arrowcolor="#999", standoff=5, borderpad=0,
        )  # fmt: skip
    return figure


def _bars(panels: Sequence[Panel]) -> Figure:
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


def _log_range(values: Sequence[float]) -> tuple[float, float]:
    """Ends of a logarithmic axis, as powers of ten, with room for labels."""
    low, high = math.log10(min(values)), math.log10(max(values))
    room = max(0.08 * (high - low), 0.05)
    return (low - room, high + room)


def _log_ticks(ends: tuple[float, float]) -> dict[str, list[float] | list[str]]:
    """Ticks of a logarithmic axis at round numbers, more of them on a short axis."""
    digits = (1, 2, 5) if ends[1] - ends[0] > 1 else (1, 1.5, 2, 3, 4, 5, 6, 8)
    decades = range(math.floor(ends[0]), math.ceil(ends[1]))
    ticks = [digit * 10.0**decade for decade in decades for digit in digits]
    return {"tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def _label_offsets(
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
