# SPDX-License-Identifier: Apache-2.0
"""Fills the templates of this folder: HTML files that need nothing else, no network and no second file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["filled"]

HERE = Path(__file__).parent
ALWAYS = ("page.js",)


def filled(name: str, scripts: Sequence[str], data: object, **values: Any) -> str:
    """A template that extends ``base.html.j2``, with these values.

    Args:
        scripts: files of this folder, inlined as one module.
        data: for the scripts, what ``json.dumps`` takes; they find it as the element ``data``.
    """
    environment = Environment(
        loader=PackageLoader("modmul.report.page", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    inlined = "\n".join(_text(script) for script in (*ALWAYS, *scripts))
    packed = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return environment.get_template(name).render(
        **values, styles=Markup(_text("page.css")), scripts=Markup(inlined), data=Markup(packed)
    )


def _text(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")
