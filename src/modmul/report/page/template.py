# SPDX-License-Identifier: Apache-2.0
# mypy: allow-untyped-calls
"""Fills the templates of this folder: HTML files that need nothing else, no network and no second file."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from modmul.tools.extras import needing

with needing("page"):
    from plotly.offline.offline import get_plotlyjs

__all__ = ["filled"]


def filled(name: str, **values: Any) -> str:
    """A template that extends ``base.html.j2``, with these values; Plotly is inlined."""
    environment = Environment(
        loader=PackageLoader("modmul.report.page", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name).render(**values, plotly_js=get_plotlyjs())
