# SPDX-License-Identifier: Apache-2.0
"""A comparison, or the papers' figures beside ours, as one HTML file that needs nothing else.

Plotly draws the charts and DataTables (as bundled by itables) sorts a comparison's table; both are inlined.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path

from modmul.core import sources
from modmul.report.page.charts import charts
from modmul.report.page.papers import render_papers
from modmul.report.page.template import filled
from modmul.study.columns import DERIVED_MEANS, MISSING, OVERLAY_COLUMNS, shown
from modmul.study.rows import Comparison, Row
from modmul.tools.extras import needing

with needing("page"):
    import itables.options

__all__ = ["render", "render_papers"]


def render(comparison: Comparison) -> str:
    """The page of ``comparison``: a whole HTML document.

    Frequencies, and whatever follows from them, appear only when the target is placed and routed.
    """
    timed = comparison.timed
    rows, overlays = comparison.rows, comparison.overlays
    bundle = Path(itables.options.dt_bundle)
    return filled(
        "comparison.html.j2",
        comparison=comparison,
        timed=timed,
        seeds=_span([row.seeds for row in rows if row.fmax_mhz is not None]),
        verified=_span([row.verified for row in rows if row.verified]),
        best=_best(comparison.contenders, timed),
        columns=[
            (column, [column.value(row) for row in rows], column.texts(rows))
            for column in shown(comparison.columns, rows, timed=timed)
        ],
        overlay_columns=[
            (column, [column.value(overlay) for overlay in overlays], column.texts(overlays))
            for column in shown(OVERLAY_COLUMNS, overlays, timed=timed)
        ],
        derived=DERIVED_MEANS if any(overlay.derived for overlay in overlays) else "",
        missing=MISSING,
        papers=sources(
            [
                *((row.paper, "") for row in rows),
                *((overlay.paper, overlay.design) for overlay in overlays),
            ]
        ),
        charts=charts(comparison),
        datatables_css=bundle.with_suffix(".css").read_text(encoding="utf-8"),
        datatables_js=b64encode(bundle.read_bytes()).decode("ascii"),
    )


def _best(rows: Sequence[Row], timed: bool) -> list[tuple[str, str]]:
    """What a hurried reader wants: a quality and the label of the core that has it."""
    qualities: list[tuple[str, Callable[[Row], float | None]]] = [
        ("Fewest LUT-equivalents", lambda row: row.lut_equivalents),
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
        known = [(value, row.label) for row in rows if (value := cost(row)) is not None]
        if known:
            best.append((quality, min(known)[1]))
    return best


def _span(numbers: Sequence[int | None]) -> str:
    """``"5"`` or ``"3 to 5"``; empty without numbers."""
    known = sorted({number for number in numbers if number is not None})
    ends = known if len(known) < 2 else [known[0], known[-1]]
    return " to ".join(f"{number:,}" for number in ends)
