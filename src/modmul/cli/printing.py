# SPDX-License-Identifier: Apache-2.0
"""How things look on the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from modmul.study.rows import Comparison

__all__ = ["err", "out", "print_comparison", "print_json", "print_table", "say"]

out = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 200)
err = Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One line on standard error, never wrapped."""
    err.print(text, markup=False, soft_wrap=True)


def print_json(data: object) -> None:
    """JSON on standard output."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = False) -> None:
    """A table on standard output; with ``numbers`` all but the first column are aligned to the right."""
    out.print(_table(headings, rows, numbers=numbers))


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if numbers and index else "left", no_wrap=numbers)
    for row in rows:
        table.add_row(*row)
    return table


def _fits(table: Table) -> bool:
    """Whether the terminal has room for it."""
    options = out.options.update(max_width=sys.maxsize)
    return table.__rich_measure__(out, options).maximum <= out.width


def print_comparison(comparison: Comparison, page: Path | None = None) -> None:
    """The rows of a comparison, best first, and what is to be said of them.

    Where the terminal is too narrow, parameters that tell no two rows of a core apart go, then columns.
    """
    from modmul.study.columns import DISPENSABLE, shown
    from modmul.study.rows import short_labels

    rows = comparison.ranked
    columns = shown(comparison.columns, rows, timed=comparison.timed, terminal=True)
    labels = [row.label for row in rows]

    def table() -> Table:
        headings = ["Core", *(f"{column.heading}\n{column.unit}" for column in columns), "From"]
        texts = (column.texts(rows) for column in columns)
        cells = zip(labels, *texts, (row.measured for row in rows), strict=True)
        return _table(headings, list(cells), numbers=True)

    if not _fits(table()):
        labels = short_labels(rows)
    left_out = []
    for column in [column for key in DISPENSABLE for column in columns if column.key == key]:
        if _fits(table()):
            break
        columns.remove(column)
        left_out.append(column.heading)
    out.print(f"\n{comparison.subject}", markup=False)
    out.print(table())
    if left_out:
        out.print(f"A wider terminal also shows {', '.join(left_out)}; --json has everything.", markup=False)
    unit = comparison.target.unit
    if any(column.key == "luts" for column in columns) and unit != "LUTs":
        out.print(f"LUTs and LUTeq are counted in {unit}.", markup=False)
    out.print(f"LUTeq: LUT-equivalents = {comparison.weights} (--weights changes them)", markup=False)
    for row in comparison.failed:
        say(f"{row.label}: {row.failure}; log: {row.log}")
    for skipped in comparison.skipped:
        out.print(f"not compared: {skipped.core}: {skipped.reason}", markup=False)
    for note in comparison.notes:
        out.print(note, markup=False)
    if page:
        out.print(f"page: {page}", markup=False)
