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
    from modmul.report.rows import Comparison

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
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if numbers and index else "left", no_wrap=numbers)
    for row in rows:
        table.add_row(*row)
    out.print(table)


def print_comparison(comparison: Comparison, page: Path | None = None) -> None:
    """The rows of a comparison, best first, and what is to be said of them."""
    from modmul.report.columns import ROW_COLUMNS, shown

    rows = comparison.ranked
    columns = shown(ROW_COLUMNS, rows, timed=comparison.timed, terminal=True)
    out.print(f"\n{comparison.subject}", markup=False)
    headings = ["Core", *(f"{column.heading}\n{column.unit}" for column in columns), "From"]
    cells = zip(
        [row.label for row in rows],
        *(column.texts(rows) for column in columns),
        [row.measured for row in rows],
        strict=True,
    )
    print_table(headings, list(cells), numbers=True)
    out.print(f"LUTeq: LUT-equivalents = {comparison.weights} (--weights changes them)", markup=False)
    for row in comparison.failed:
        say(f"{row.label}: {row.failure}; log: {row.log}")
    for skipped in comparison.skipped:
        out.print(f"not compared: {skipped.core}: {skipped.reason}", markup=False)
    for note in comparison.notes:
        out.print(note, markup=False)
    if page:
        out.print(f"page: {page}", markup=False)
