# SPDX-License-Identifier: Apache-2.0
"""Links between the documents lead somewhere: to a file that is there, and to a heading in it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    if (ROOT / name).is_file()
)


def tokens(page: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def links(page: Path) -> Iterator[str]:
    """The targets of links and pictures inside the project, as they are written."""
    for token in tokens(page):
        for inner in token.children or ():
            target = inner.attrGet("href") or inner.attrGet("src")
            if isinstance(target, str) and not re.match(r"[a-z]+:", target):
                yield target
        if token.type == "html_block":
            yield from re.findall(r'(?:src|srcset|href)="([^":]+)"', token.content)


def anchors(page: Path) -> set[str]:
    """What a link may name of a page: its headings in small letters, words joined by hyphens."""
    found: set[str] = set()
    for token, content in pairwise(tokens(page)):
        if token.type == "heading_open":
            text = "".join(part.content for part in content.children or ())
            name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            found.add(name if name not in found else f"{name}-1")
    return found


def broken(page: Path) -> list[str]:
    wrong = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            wrong.append(link)
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert broken(page) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text(
        "# One, two\n\n[a](#one-two) [b](#three) [c](b.md)\n\n| [d](a.md#one) |\n|---|\n| ![e](x.png) |\n"
    )
    assert broken(page) == ["#three", "b.md", "a.md#one", "x.png"]


def test_pages_are_found() -> None:
    assert ROOT / "README.md" in PAGES and len(PAGES) > 30
