# SPDX-License-Identifier: Apache-2.0
"""Parts of documents that a command writes: what is between ``<!-- begin NAME: made by … -->`` and
``<!-- end NAME -->``."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["content", "filled"]


def _part(text: str, name: str) -> slice:
    marks = rf"<!-- begin {re.escape(name)}: made by [^\n]* -->\n(.*?)<!-- end {re.escape(name)} -->"
    found = list(re.finditer(marks, text, re.DOTALL))
    if len(found) != 1:
        raise ValueError(f"{len(found)} parts are named {name}" if found else f"no part is named {name}")
    return slice(*found[0].span(1))


def content(text: str, name: str) -> str:
    """What stands between the marks of a part.

    Raises:
        ValueError: it has not exactly one pair of marks.
    """
    return text[_part(text, name)]


def filled(text: str, parts: Mapping[str, str]) -> str:
    """The text with other lines between the marks of each part.

    Raises:
        ValueError: a part has not exactly one pair of marks.
    """
    for name, lines in parts.items():
        part = _part(text, name)
        text = text[: part.start] + lines.rstrip("\n") + "\n" + text[part.stop :]
    return text
