# SPDX-License-Identifier: Apache-2.0
# mypy: allow-untyped-calls
"""The page of the papers: for each its tables beside ours, then its figures."""

from __future__ import annotations

from collections.abc import Sequence

from modmul.core import PAPERS
from modmul.report.page.drawings import figure_of
from modmul.report.page.figures import html
from modmul.report.page.template import filled
from modmul.report.redrawn import Drawing
from modmul.study.papers import LEGEND, Line, cited, tables

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
    for key in dict.fromkeys(line.paper for line in lines):
        members = [line for line in lines if line.paper == key]
        drawn = [
            (drawing, [html(figure_of(panel), f"{key}-{n}-{k}") for k, panel in enumerate(drawing.panels)])
            for n, drawing in enumerate(drawing for drawing in drawings if drawing.paper == key)
        ]
        name = PAPERS[key].short if key in PAPERS else key or "No paper"
        sections.append((key or "none", name, cited(members), tables(members), drawn))
    return filled("papers.html.j2", sections=sections, legend=LEGEND, command=command, created=created)
