# SPDX-License-Identifier: Apache-2.0
"""The page of the papers: for each its tables beside ours, then its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modmul.core import PAPERS
from modmul.report.page.drawings import Cell, chart_of, pipeline_of
from modmul.report.page.template import filled
from modmul.report.redrawn import Drawing, Pipeline
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
    charts: dict[str, Any] = {}
    sections = []
    for key in dict.fromkeys(line.paper for line in lines):
        members = [line for line in lines if line.paper == key]
        drawn = []
        for n, drawing in enumerate(drawing for drawing in drawings if drawing.paper == key):
            panels: list[tuple[str, Sequence[tuple[str, Sequence[Cell | None]]] | None]] = []
            for k, panel in enumerate(drawing.panels):
                name = f"{key}-{n}-{k}"
                if isinstance(panel, Pipeline):
                    panels.append((name, pipeline_of(panel)))
                else:
                    charts[name] = chart_of(panel)
                    panels.append((name, None))
            drawn.append((drawing, panels))
        title = PAPERS[key].short if key in PAPERS else key or "No paper"
        sections.append((key or "none", title, cited(members), tables(members), drawn))
    return filled(
        "papers.html.j2",
        ("chart.js", "papers.js"),
        {"charts": charts},
        sections=sections,
        legend=LEGEND,
        command=command,
        created=created,
    )
