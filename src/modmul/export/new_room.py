# SPDX-License-Identifier: Apache-2.0
"""Writes the folder of a new core that works, to change it into one's own."""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from modmul.registry import rooms
from modmul.tools.paths import writing

__all__ = ["new_room"]

FILES = {"core.sv.j2": "mm_{slug}.sv", "core.py.j2": "core.py", "README.md.j2": "README.md"}


def new_room(slug: str, parent: Path) -> list[Path]:
    """Write a room: double and add, with its description and model, that passes all checks as it is.

    Args:
        slug: its name, of small letters, digits and underscores; the folder in ``parent`` is named like it.

    Returns:
        the files.

    Raises:
        ValueError: it is no such name, a core has it, or the folder is there.
        PlaceError: the folder cannot be written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", slug):
        raise ValueError(f"a core is named by small letters, digits and underscores, got {slug!r}")
    if slug in rooms():
        raise ValueError(f"there is a core named {slug}; take another name")
    folder = parent / slug
    if folder.exists():
        raise ValueError(f"{folder} is there already; nothing was written")
    templates = Environment(
        loader=PackageLoader("modmul.export", "room"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # it writes no HTML
    )
    texts = {
        folder / name.format(slug=slug): templates.get_template(template).render(slug=slug)
        for template, name in FILES.items()
    }
    with writing("room", folder):
        folder.mkdir(parents=True)
        for file, text in texts.items():
            file.write_text(text, encoding="utf-8")
    return list(texts)
