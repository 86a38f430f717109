# SPDX-License-Identifier: Apache-2.0
"""How a core works, for the page: block diagram and steps out of its README, its formula, its recording."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from modmul.core import PAPERS
from modmul.registry import Room, UnknownCore, room
from modmul.report.page.diagram import ARMS, drawn
from modmul.report.waves import Wave, found, small
from modmul.study.rows import Row

__all__ = ["Guide", "guides"]

WIDTHS = (64, 128, 192, 256, 384, 521, 1024, 2048)
"""Operand lengths, bits, whose clock cycles are told."""

SECTIONS = ("Block diagram", "Steps")
"""The sections of a room's README that the page shows."""


@dataclass(frozen=True)
class Guide:
    """A core explained.

    Attributes:
        slug: of the core.
        title: one line for people.
        wing: the folder of its family.
        origin: the paper and the place in it, if there is one.
        sections: title, as HTML, and body of each of the :data:`SECTIONS` that its README has.
        formula: what its clock cycles are, in words.
        rows: the rows of it: label, cycles, latency, interval.
        lengths: of the default build at each of :data:`WIDTHS` that it has: bits, cycles, latency, interval.
        moduli: those that it serves.
        wave: its recording; ``None`` where none is of the sources as they are.
        steps: of the recording, the numbered steps that each clock cycle carries out.
    """

    slug: str
    title: str
    wing: str
    origin: str
    sections: tuple[tuple[Markup, Markup], ...]
    formula: str
    rows: tuple[Row, ...]
    lengths: tuple[tuple[int, int, int, int], ...]
    moduli: str
    wave: Wave | None
    steps: tuple[str, ...] = ()

    def recording(self) -> Mapping[str, Any] | None:
        """The recording as plain data for the page; ``None`` where there is none."""
        if self.wave is None:
            return None
        wave = self.wave
        return {
            "cycles": wave.cycles,
            "steps": self.steps,
            "signals": [signal.to_json() for signal in wave.signals],
        }

    @property
    def told(self) -> str:
        """What was recorded, in words."""
        if self.wave is None:
            return ""
        wave = self.wave
        options = ", ".join(f"{name} = {value}" for name, value in wave.parameters.items())
        return (
            f"{wave.x} and {wave.y} modulo {wave.modulus} gave {wave.result}, {wave.valid - wave.last} clock "
            f"cycles after the last beat of the operands; build: {options}; simulated with {wave.tool}, "
            "registers as in the model of the core. Numbers are hexadecimal; grey means nothing."
        )


def guides(rows: Iterable[Row]) -> list[Guide]:
    """A guide to each core of these rows, by wing and name; none to one that is not there any more."""
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(row.core, []).append(row)
    told = []
    for slug, members in of.items():
        try:
            told.append(_guide(room(slug), members))
        except UnknownCore:
            continue
    return sorted(told, key=lambda guide: (guide.wing, guide.slug))


def _guide(room: Room, rows: Sequence[Row]) -> Guide:
    core = room.core
    wave = None if ":" in core.slug else found(room)
    origin = core.origin
    paper = PAPERS[origin.paper].short if origin.paper in PAPERS else origin.paper
    return Guide(
        slug=core.slug,
        title=core.title,
        wing=room.wing.replace("_", " "),
        origin=f"{paper}, {origin.where}" if paper else "",
        sections=_sections(room),
        formula=core.algorithm.steps,
        rows=tuple(rows),
        lengths=tuple(_lengths(room)),
        moduli=core.function.moduli,
        wave=wave,
        steps=wave.steps(small(room)) if wave else (),
    )


def _lengths(room: Room) -> Iterator[tuple[int, int, int, int]]:
    """Bits, cycles, latency and interval of the default build at each length that it has."""
    for width in WIDTHS:
        try:
            build = room.build(width)
        except ValueError:
            continue
        yield width, build.cycles, build.latency, build.interval


@cache
def _sections(room: Room) -> tuple[tuple[Markup, Markup], ...]:
    """The sections of the README that the page shows, as HTML."""
    file = room.path / "README.md"
    if not file.is_file():
        return ()
    parts = re.split(r"^## (.*)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    markdown = _markdown()
    return tuple(
        (Markup(markdown.renderInline(title)), Markup(markdown.render(body, {"title": room.core.slug})))
        for title, body in zip(parts[1::2], parts[2::2], strict=True)
        if title.startswith(SECTIONS)
    )


@cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables; diagrams become drawings, and of links the text stays."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")

    def fence(
        _renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
    ) -> str:
        text = tokens[index].content
        if ARMS.keys() & set(text):
            title = f"Block diagram of {env.get('title', 'the core')}"
            return f"{_scrolling(title)}{drawn(text, title)}</div>"
        return RendererHTML().fence(tokens, index, options, env)

    def nothing(*_: Any) -> str:
        return ""

    def table_open(*_: Any) -> str:
        return f"{_scrolling('Table')}<table>"

    def table_close(*_: Any) -> str:
        return "</table></div>"

    markdown.add_render_rule("fence", fence)
    markdown.add_render_rule("table_open", table_open)
    markdown.add_render_rule("table_close", table_close)
    for name in ("link_open", "link_close"):
        markdown.add_render_rule(name, nothing)
    return markdown


def _scrolling(label: str) -> str:
    """The beginning of a part that scrolls sideways, with the keyboard too."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{label}">'
