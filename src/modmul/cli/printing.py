# SPDX-License-Identifier: Apache-2.0
"""How things look on the terminal."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

if TYPE_CHECKING:
    from modmul.study.columns import Column
    from modmul.study.rows import Comparison, Row

__all__ = [
    "Output",
    "OutputError",
    "err",
    "out",
    "print_builds",
    "print_comparison",
    "print_csv",
    "print_json",
    "print_table",
    "say",
]


class OutputError(RuntimeError):
    """Standard output does not take what is printed; the cause is the ``OSError``."""


class Output(TextIOWrapper):
    """A standard output that tells its own errors from those of other files.

    Args:
        stream: what it takes the place of.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream.buffer, stream.encoding, stream.errors, line_buffering=stream.isatty())
        self._stream = stream  # which would close the buffer if it ended

    def write(self, text: str) -> int:
        """As of any stream.

        Raises:
            OutputError: it takes no more.
        """
        with _refused():
            return super().write(text)

    def flush(self) -> None:
        """As of any stream.

        Raises:
            OutputError: it takes no more.
        """
        with _refused():
            super().flush()


@contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write standard output: {error.strerror}") from error


out = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 200)
err = Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """One line on standard error, never wrapped."""
    err.print(text, markup=False, soft_wrap=True)


def print_json(data: object) -> None:
    """JSON on standard output."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def print_csv(comparison: Comparison) -> None:
    """The rows of a comparison as CSV on standard output, best first, a line of names before them.

    Numbers are as in JSON, a parameter's value too; what is not known is empty.
    """
    from modmul.study.columns import ROW_COLUMNS

    keys = ("core", "domain", "results", "reduced", "seeds", "measured", "shipped", "failure")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("target", *keys, "parameters", *(column.key for column in ROW_COLUMNS)))
    for row in comparison.ranked:
        parameters = " ".join(f"{name}={value}" for name, value in row.config.items())
        known = (getattr(row, key) for key in keys)
        values = (column.value(row) for column in ROW_COLUMNS)
        writer.writerow((comparison.target.name, *known, parameters, *values))


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = False) -> None:
    """A table on standard output; with ``numbers`` all but texts of several words are aligned to the right.

    No number is cut: where a terminal is too narrow such texts are folded, and if that is not enough, or
    elsewhere, lines are as long as they have to be.
    """
    table = _table(headings, rows, numbers=numbers)
    if not numbers:
        out.print(table)
        return
    texts: dict[int, int] = {}  # column to characters of its longest word
    for index in range(len(headings)):
        words = [cells[index].split() for cells in rows]
        if any(len(each) > 1 for each in words):
            texts[index] = max(len(word) for each in words for word in each)
            table.columns[index].justify = "left"
    if out.is_terminal and not _fits(table):
        for index, longest in texts.items():
            table.columns[index].no_wrap = False
            table.columns[index].width = longest
    width = max(out.width, _room(table).maximum)
    wide = Console(file=out.file, force_terminal=out.is_terminal, highlight=False, markup=False, width=width)
    wide.print(table)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if numbers and index else "left", no_wrap=numbers)
    for row in rows:
        table.add_row(*row)
    return table


def _fits(table: Table, *, folded: bool = False) -> bool:
    """Whether the terminal has room for it.

    Args:
        folded: with what can be folded in several lines.
    """
    room = _room(table)
    return (room.minimum if folded else room.maximum) <= out.width


def _room(table: Table) -> Measurement:
    """The least and the most characters in a line that it can have."""
    return table.__rich_measure__(out, out.options.update(max_width=sys.maxsize))


def print_builds(
    first: str,
    names: Sequence[str],
    rows: Sequence[Row],
    columns: Sequence[Column],
    behind: Mapping[str, Sequence[str]],
    short: Sequence[str] = (),
) -> None:
    """A table of builds on standard output.

    Where the terminal is too narrow, the short names are taken, then columns go; before the last of these go
    the first and the last one are folded.

    Args:
        first: the heading of the names.
        columns: of the rows.
        behind: further columns behind these: heading to texts; one at least.
        short: other names; none where there are no shorter ones.
    """
    from modmul.study.columns import DISPENSABLE, LAST

    shown = list(columns)

    def table(names: Sequence[str]) -> Table:
        headings = [first, *(f"{column.heading}\n{column.unit}" for column in shown), *behind]
        cells = zip(names, *(column.texts(rows) for column in shown), *behind.values(), strict=True)
        made = _table(headings, list(cells), numbers=True)
        made.columns[0].no_wrap = made.columns[-1].no_wrap = False
        return made

    if short and not _fits(table(names)):
        names = short
    left_out = []
    for column in [column for key in (*DISPENSABLE, *LAST) for column in columns if column.key == key]:
        if _fits(table(names), folded=column.key in LAST):
            break
        shown.remove(column)
        left_out.append(column.heading)
    out.print(table(names))
    if left_out:
        out.print(f"A wider terminal also shows {', '.join(left_out)}; --json has everything.", markup=False)


def print_comparison(comparison: Comparison, page: Path | None = None, title: str = "") -> None:
    """The rows of a comparison, best first, and what is to be said of them.

    Where the terminal is too narrow, parameters that tell no two rows of a core apart go first.

    Args:
        page: where a page with the same was written.
        title: what stands above the table; what was measured, on what, unless given.
    """
    from modmul.study.columns import shown
    from modmul.study.rows import UNREDUCED_MEANS, by_reason, short_labels

    rows = comparison.ranked
    columns = shown(comparison.columns, rows, timed=comparison.timed, terminal=True)
    out.print(f"\n{title or comparison.subject}", markup=False)
    behind = {"From": [row.measured for row in rows]}
    print_builds("Core", [row.label for row in rows], rows, columns, behind, short_labels(rows))
    unit = comparison.target.unit
    if any(column.key == "luts" for column in columns) and unit != "LUTs":
        out.print(f"LUTs and LUTeq are counted in {unit}.", markup=False)
    out.print(f"LUTeq: LUT-equivalents = {comparison.weights} (--weights changes them)", markup=False)
    if not all(row.reduced for row in rows):
        where = "" if comparison.unreduced else "; they stand behind the others (--unreduced ranks them too)"
        out.print(f"{UNREDUCED_MEANS}{where}", markup=False)
    for row in comparison.failed:
        say(f"{row.label}: {row.failure}; log: {row.log}")
    for reason, cores in by_reason(comparison.skipped).items():
        out.print(f"not compared: {', '.join(cores)}: {reason}", markup=False)
    for note in comparison.notes:
        out.print(note, markup=False)
    if page:
        out.print(f"page: {page}", markup=False)
