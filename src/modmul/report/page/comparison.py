# SPDX-License-Identifier: Apache-2.0
"""The page of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modmul.core import PRIME_FIELD, sources
from modmul.moduli.named import shown as written
from modmul.report.page.guides import guides
from modmul.report.page.template import filled
from modmul.study.columns import (
    DERIVED,
    DERIVED_MEANS,
    MISSING,
    OVERLAY_COLUMNS,
    ROW_COLUMNS,
    Column,
    shown,
    texts,
)
from modmul.study.others import Other, beside
from modmul.study.rows import Comparison, Overlay, Row, common_system

__all__ = ["Goal", "goals", "render", "winners"]

DETAILS = frozenset({"width", "cycles", "fmax_spread_mhz", "throughput_mbps", "verified"})
"""Columns that the page shows when asked; where there are clock frequencies also area × cycles."""

FIRST = (
    "luts",
    "dsp",
    "time_us",
    "throughput_mops",
    "operations_per_s",
    "operations_per_kluteq",
    "area_time_per_bit",
    "lut_cycles",
    "lut_equivalents",
    "bram",
)
"""Columns that come first, for a narrow screen shows few."""

MARKED = f"{DERIVED}: rests on a figure that the paper does not print, but that follows from what it prints."


@dataclass(frozen=True)
class Goal:
    """What a reader may want the best of.

    Attributes:
        key: of the column.
        title: the quality in words.
        largest: whether more is better.
    """

    key: str
    title: str
    largest: bool = False


@dataclass(frozen=True)
class Budget:
    """A slider: the builds on one side of a value are shown.

    Attributes:
        column: what it is of.
        least: whether it bounds from below.
        values: where it can stand, in order.
    """

    column: Column
    least: bool
    values: tuple[float, ...]

    @property
    def texts(self) -> list[str]:
        """The values for people."""
        return texts(self.values)


def goals(timed: bool) -> tuple[Goal, ...]:
    """The qualities of a comparison, the one that the order of the rows is by first.

    A page has those whose columns it shows.
    """
    if timed:
        return (
            Goal("area_time_per_bit", "Least area × time"),
            Goal("time_us", "Shortest time"),
            Goal("throughput_mops", "Highest rate", largest=True),
            Goal("operations_per_s", "Highest rate", largest=True),
            Goal("operations_per_kluteq", "Highest rate for the area", largest=True),
            Goal("lut_equivalents", "Smallest"),
        )
    return (
        Goal("lut_cycles", "Least area × cycles"),
        Goal("latency", "Fewest cycles to the result"),
        Goal("interval", "Fewest cycles between two"),
        Goal("lut_equivalents", "Smallest"),
    )


def winners(rows: Sequence[Row], goal: Goal) -> tuple[Row | None, Row | None]:
    """The best row with reduced results, and one beyond M-1 that is better still, if there is one.

    Where no row has reduced results the best of the others is the first.
    """
    sign = -1 if goal.largest else 1
    known = [
        (sign * value, not row.reduced, index, row)
        for index, row in enumerate(rows)
        if row.failure is None and row.luts is not None and (value := getattr(row, goal.key)) is not None
    ]
    if not known:
        return None, None
    best = min(known)[-1]
    reduced = [entry for entry in known if entry[-1].reduced]
    if best.reduced or not reduced:
        return best, None
    return min(reduced)[-1], best


def short(rows: Sequence[Row], ranked: Sequence[Row]) -> list[str]:
    """A short name of each ranked row: its core, and the parameters in which it differs from the first of it.

    Without the system where it is the same of all rows.

    Args:
        rows: in the order in which they were asked for, so that the default build of a core is its first.
    """
    system = common_system(rows)
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row.core, row)
    return [
        " ".join(
            [
                row.core.removeprefix(system),
                *(
                    written(name, value) if name == "Modulus" else f"{name}={value}"
                    for name, value in row.config.items()
                    if first[row.core].config.get(name) != value
                ),
            ]
        )
        for row in ranked
    ]


def render(comparison: Comparison) -> str:
    """The page of ``comparison``: a whole HTML document.

    The rows come best first, as on the command line. Frequencies, and whatever follows from them, appear only
    when the target is placed and routed.
    """
    timed, rows, overlays = comparison.timed, comparison.ranked, comparison.overlays
    columns = _ordered(shown(ROW_COLUMNS, rows, timed=timed))
    told = {column.key: column.texts(rows) for column in columns}
    shorts = short(comparison.rows, rows)
    fields = list(dict.fromkeys(name for row in rows for name in row.fields))
    fields = sorted(fields, key=lambda name: name != PRIME_FIELD)
    if all(set(row.fields) == {*fields} for row in rows):
        fields = []
    competing = [row for row in rows if not fields or fields[0] in row.fields]
    places = {id(row): place for place, row in enumerate(rows)}
    wanted = [goal for goal in goals(timed) if goal.key in told]
    explained = guides(rows)
    published = [_published(overlay, timed) for overlay in overlays]
    theirs = beside(comparison)
    rows_beside = [each.row(comparison.weights) for each in theirs]
    data = {
        "timed": timed,
        "target": comparison.target.name,
        "goals": [vars(goal) for goal in wanted],
        "columns": {column.key: column.title for column in columns},
        "axes": [axis for axis in _axes(timed) if axis["key"] in told],
        "rows": [_entry(row, shorts[i], columns, told, i) for i, row in enumerate(rows)],
        "overlays": published,
        "others": [
            _other(each, row, timed) for each, row in zip(theirs, rows_beside, strict=True) if row.luts
        ],
        "recordings": {guide.slug: record for guide in explained if (record := guide.recording())},
    }
    return filled(
        "comparison.html.j2",
        ("chart.js", "table.js", "comparison.js", "wave.js"),
        data,
        comparison=comparison,
        timed=timed,
        what="operations" if all(row.system for row in rows) else "multiplications",
        rows=rows,
        shorts=shorts,
        seeds=_span([row.seeds for row in rows if row.fmax_mhz is not None]),
        verified=_span([row.verified for row in rows if row.verified]),
        best=[(goal, *winners(competing, goal)) for goal in wanted],
        column_of={column.key: column for column in columns},
        told=told,
        order="area_time_per_bit" if timed else "lut_cycles",
        index_of=lambda row: places[id(row)],
        budgets=_budgets(rows, columns, timed),
        domains=list(dict.fromkeys(row.domain for row in rows)),
        fields=fields,
        unreduced=any(not row.reduced for row in rows),
        columns=[
            (column, _is_detail(column, timed), [column.value(row) for row in rows]) for column in columns
        ],
        overlay_columns=[
            (column, [column.value(overlay) for overlay in overlays], column.texts(overlays))
            for column in shown(OVERLAY_COLUMNS, overlays, timed=timed)
        ],
        others=theirs,
        other_rows=rows_beside,
        other_columns=[
            (column, [column.value(row) for row in rows_beside], column.texts(rows_beside))
            for column in _ordered(shown(ROW_COLUMNS, rows_beside, timed=timed))
            if not _is_detail(column, timed)
        ],
        undrawn=_undrawn(rows, shorts, timed),
        marked=MARKED if any(entry["label"].endswith(DERIVED) for entry in published) else "",
        derived=DERIVED_MEANS if any(overlay.derived for overlay in overlays) else "",
        missing=MISSING,
        guides=explained,
        explained={guide.slug for guide in explained},
        papers=sources(
            [
                *((row.paper, "") for row in rows),
                *((overlay.paper, overlay.design) for overlay in overlays),
            ]
        ),
    )


def _ordered(columns: Sequence[Column]) -> list[Column]:
    """Those of :data:`FIRST` first."""
    place = {key: number for number, key in enumerate(FIRST)}
    return sorted(columns, key=lambda column: place.get(column.key, len(FIRST)))


def _is_detail(column: Column, timed: bool) -> bool:
    return column.key in DETAILS or (timed and column.key == "lut_cycles")


def _axes(timed: bool) -> list[dict[str, Any]]:
    """What the upper chart may show against LUT-equivalents."""
    known = (
        (
            ("time_us", "time of one operation, µs", False),
            ("throughput_mops", "million operations a second", True),
            ("operations_per_s", "operations a second", True),
        )
        if timed
        else (
            ("interval", "clock cycles between two operations", False),
            ("latency", "clock cycles to the result", False),
        )
    )
    return [{"key": key, "title": title, "largest": largest} for key, title, largest in known]


def _entry(
    row: Row, short: str, columns: Sequence[Column], told: dict[str, list[str]], index: int
) -> dict[str, Any]:
    """A row for the scripts: values and texts by column."""
    return {
        "label": row.label,
        "short": short,
        "core": row.core,
        "domain": row.domain,
        "reduced": row.reduced,
        "fields": row.fields,
        "results": row.results,
        "measured": row.failure is None and row.luts is not None,
        "values": {column.key: column.value(row) for column in columns},
        "texts": {column.key: told[column.key][index] for column in columns},
    }


def _published(overlay: Overlay, timed: bool) -> dict[str, Any]:
    """A published figure for the scripts, marked where it rests on what is not printed."""
    rests = {"luts", "dsp", "bram", "time_us" if timed else "cycles"} & {*overlay.derived}
    return {
        "label": overlay.design + (DERIVED if rests else ""),
        "core": overlay.core,
        "source": f"{overlay.paper}, {overlay.table}: {overlay.device or 'no device named'}",
        "values": {
            "lut_equivalents": overlay.lut_equivalents,
            **(
                {
                    "time_us": overlay.time_us,
                    "throughput_mops": 1 / overlay.time_us if overlay.time_us else None,
                }
                if timed
                else {"interval": overlay.cycles, "latency": overlay.cycles}
            ),
        },
    }


def _other(other: Other, row: Row, timed: bool) -> dict[str, Any]:
    """Somebody else's core for the scripts."""
    keys = ("time_us", "throughput_mops") if timed else ("interval", "latency")
    return {
        "label": row.label,
        "source": str(other.checkout),
        "values": {key: getattr(row, key) for key in ("lut_equivalents", *keys)},
    }


def _undrawn(rows: Sequence[Row], shorts: Sequence[str], timed: bool) -> list[str]:
    """The rows that are not in the charts, those with the same reason together."""
    found: dict[str, list[str]] = {}
    for row, short in zip(rows, shorts, strict=True):
        found.setdefault(_lack(row, timed), []).append(short)
    return [f"{', '.join(names)} ({lack})" for lack, names in found.items() if lack]


def _lack(row: Row, timed: bool) -> str:
    """Why a row is not in the charts; empty where it is."""
    if row.failure is not None:
        return "failed"
    if not row.luts:
        return "LUTs unknown"
    return "Fmax unknown" if timed and row.fmax_mhz is None else ""


def _budgets(rows: Sequence[Row], columns: Sequence[Column], timed: bool) -> list[Budget]:
    """A slider for each quantity that builds differ in."""
    least = ("throughput_mops", "operations_per_s")
    keys = ("luts", "dsp", "bram", *(("time_us", *least) if timed else ("latency", "interval")))
    found = []
    for column in (column for key in keys for column in columns if column.key == key):
        values = {value for row in rows if (value := column.value(row)) is not None}
        if len(values) > 1:
            found.append(Budget(column, column.key in least, tuple(sorted(values))))
    return found


def _span(numbers: Sequence[int | None]) -> str:
    """``"5"`` or ``"3 to 5"``; empty without numbers."""
    known = sorted({number for number in numbers if number is not None})
    ends = known if len(known) < 2 else [known[0], known[-1]]
    return " to ".join(f"{number:,}" for number in ends)
