# SPDX-License-Identifier: Apache-2.0
# mypy: allow-untyped-calls
"""The page of the papers: for each its tables beside ours, then its figures."""

from __future__ import annotations

from collections.abc import Sequence

from modmul.core import PAPERS
from modmul.report.columns import MISSING
from modmul.report.page.drawings import figure_of
from modmul.report.page.figures import html
from modmul.report.page.template import filled
from modmul.report.papers import Line, Table, table
from modmul.report.redrawn import Drawing

__all__ = ["render_papers"]


def render_papers(
    lines: Sequence[Line], drawings: Sequence[Drawing], command: str = "", created: str = ""
) -> str:
    """The page: a whole HTML document.

    Args:
        lines: the rows of the papers, and ours.
        drawings: the redrawn figures.
        command: the command line that asks for the same.
        created: the day, ISO 8601.
    """
    sections = []
    for key in dict.fromkeys(line.room.core.paper for line in lines):
        rows = table([line for line in lines if line.room.core.paper == key])
        drawn = [
            (drawing, [html(figure_of(panel), f"{key}-{n}-{k}") for k, panel in enumerate(drawing.panels)])
            for n, drawing in enumerate(drawing for drawing in drawings if drawing.paper == key)
        ]
        name = PAPERS[key].short if key in PAPERS else key or "No paper"
        sections.append((key or "none", name, rows, _columns(rows), drawn))
    return filled("papers.html.j2", sections=sections, command=command, created=created)


def _columns(rows: Table) -> list[int]:
    """The columns that tell something: not the paper, which the section is of, and none without values."""
    return [
        column
        for column, heading in enumerate(rows.headings)
        if heading != "paper" and any(row[column] not in ("", MISSING) for row in rows.rows)
    ]
