# SPDX-License-Identifier: Apache-2.0
"""The charts of a comparison: what is in them, and the words around them."""

from __future__ import annotations

from dataclasses import dataclass

from modmul.report.page.figures import PUBLISHED_COLOUR, Bar, Panel, Point, bars, html, scatter
from modmul.study.columns import DERIVED
from modmul.study.rows import Comparison, Overlay, Row

__all__ = ["Chart", "charts"]

MARKED = f"{DERIVED}: rests on a figure that the paper does not print, but that follows from what it prints."
COLOURS = {"plain": "#1f5a94", "montgomery": "#b3541e"}


@dataclass(frozen=True)
class Chart:
    """A chart as HTML (empty when there is nothing to draw), with the words around it."""

    title: str
    html: str
    alt: str
    caption: list[str]


def charts(comparison: Comparison) -> list[Chart]:
    """The charts of the page."""
    return [_trade_off(comparison), _area_time(comparison)]


def _trade_off(comparison: Comparison) -> Chart:
    """Throughput against area-time per bit; LUT-equivalents against the interval where no Fmax is known."""
    timed = comparison.timed
    if timed:
        title = "Throughput against area-time per bit"
        axes = ("area-time per bit, LUTeq·µs/bit", "throughput, Mbit/s")
        advice = "Up and to the left is better."
    else:
        title = "LUT-equivalents against interval cycles"
        axes = ("clock cycles between two multiplications", "LUT-equivalents")
        advice = "Down and to the left is better."

    measured: list[Point] = []
    published: list[Point] = []
    unmeasured: list[str] = []
    unprinted: list[str] = []
    for row in comparison.rows:
        x, y = (row.area_time_per_bit, row.throughput_mbps) if timed else (row.interval, row.lut_equivalents)
        if row.failure is not None or not x or not y:
            unmeasured.append(f"{row.label} ({_lack(row)})")
            continue
        series = f"measured, {comparison.target.name}, {row.domain}"
        measured.append(Point(row.label, series, COLOURS[row.domain], False, x, y, row.title))
    for overlay in comparison.overlays:
        x, y = (
            (overlay.area_time_per_bit, overlay.rate_mbps)
            if timed
            else (overlay.cycles, overlay.lut_equivalents)
        )
        if not x or not y:
            unprinted.append(_overlay_label(overlay))
            continue
        series = f"published, {overlay.device or 'no device named'}"
        source = f"{series}: {overlay.paper}, {overlay.table}, {overlay.width} bits"
        label = overlay.design + _mark(overlay, timed)
        published.append(Point(label, series, PUBLISHED_COLOUR, True, x, y, source))

    points = [*measured, *published]
    scales = f"Both axes are logarithmic; LUT-equivalents (LUTeq) are {comparison.weights}."
    caption = [f"{advice} {scales}" if points else "Nothing to draw."]
    if published:
        caption.append(
            "Hollow marks are published figures on the authors' devices: "
            "another technology, shown for orientation only."
        )
    if any(point.label.endswith(DERIVED) for point in published):
        caption.append(MARKED)
    if unmeasured:
        caption.append("Not in the chart: " + "; ".join(unmeasured) + ".")
    if unprinted:
        lacking = "LUTs or time" if timed else "LUTs or cycles"
        caption.append(f"Published without {lacking}: " + "; ".join(unprinted) + ".")
    return Chart(
        title,
        html(scatter(points, axes), "trade-off") if points else "",
        f"Scatter chart, {axes[1]} against {axes[0]}: {len(measured)} measured cores and "
        f"{len(published)} published figures. The tables of this page hold the numbers.",
        caption,
    )


def _area_time(comparison: Comparison) -> Chart:
    """Bars of the area-time product, the smallest of each panel = 1; area × cycles without Fmax."""
    rows = [row for row in comparison.rows if row.failure is None]
    overlays = comparison.overlays
    if comparison.timed:
        title, unit = "Area-time product", "LUT-equivalents · time / bit"
        measured = [_row_bar(row, row.area_time_per_bit) for row in rows]
        by_luts = [_overlay_bar(overlay, overlay.area_time_per_bit, True) for overlay in overlays]
        by_slices = [
            _overlay_bar(overlay, overlay.slices_time_per_bit, True)
            for overlay in overlays
            if overlay.area_time_per_bit is None
        ]
    else:
        title, unit = "Area × cycles", "LUT-equivalents · cycles / bit²"
        measured = [_row_bar(row, row.lut_cycles) for row in rows]
        by_luts = [_overlay_bar(overlay, overlay.lut_cycles, False) for overlay in overlays]
        by_slices = []
    panels = [
        Panel(name, sorted(known, key=lambda bar: bar.value))
        for name, found in (
            (f"measured, {comparison.target.name} ({unit})", measured),
            (f"published ({unit})", by_luts),
            ("published without LUTs (slices · time / bit)", by_slices),
        )
        if (known := [bar for bar in found if bar is not None])
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
    if any(bar.label.endswith(DERIVED) for panel in panels for bar in panel.bars):
        caption.append(MARKED)
    return Chart(
        f"{title}, smallest = 1",
        html(bars(panels), "area-time") if panels else "",
        f"Bar chart of the normalised {title.lower()}: "
        + "; ".join(f"{len(panel.bars)} {panel.title}" for panel in panels)
        + ".",
        caption,
    )


def _row_bar(row: Row, value: float | None) -> Bar | None:
    return Bar(row.label, COLOURS[row.domain], False, value) if value else None


def _overlay_bar(overlay: Overlay, value: float | None, timed: bool) -> Bar | None:
    if not value:
        return None
    return Bar(_overlay_label(overlay) + _mark(overlay, timed), PUBLISHED_COLOUR, True, value)


def _mark(overlay: Overlay, timed: bool) -> str:
    """The mark of what rests on a figure that is not printed."""
    area = ("luts", "dsp", "bram") if overlay.luts else ("slices",)
    return DERIVED if {*area, "time_us" if timed else "cycles"} & {*overlay.derived} else ""


def _lack(row: Row) -> str:
    """Why a row is not in a chart."""
    if row.failure is not None:
        return "failed"
    return "LUTs unknown" if not row.luts else "Fmax unknown"


def _overlay_label(overlay: Overlay) -> str:
    return ", ".join(filter(None, (overlay.design, f"{overlay.width} bits", overlay.device)))
