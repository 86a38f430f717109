# SPDX-License-Identifier: Apache-2.0
"""A block diagram of box-drawing characters, as in the rooms' READMEs, as lines and words of an SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

__all__ = ["drawn"]

CELL = (8, 18)
"""Width and height of a character, in units of the drawing."""

UP, RIGHT, DOWN, LEFT = (0, -1), (1, 0), (0, 1), (-1, 0)
ARMS = {
    "─": (LEFT, RIGHT),
    "│": (UP, DOWN),
    "┌": (RIGHT, DOWN),
    "┐": (LEFT, DOWN),
    "└": (UP, RIGHT),
    "┘": (UP, LEFT),
    "├": (UP, RIGHT, DOWN),
    "┤": (UP, LEFT, DOWN),
    "┬": (LEFT, RIGHT, DOWN),
    "┴": (UP, LEFT, RIGHT),
    "┼": (UP, RIGHT, DOWN, LEFT),
    "►": (LEFT,),
    "◄": (RIGHT,),
    "▲": (DOWN,),
    "▼": (UP,),
}
"""The ways in which a line leaves the middle of a character; an arrow head points the other way."""

HEADS = frozenset("►◄▲▼")

Place = tuple[int, int]


def drawn(text: str, title: str) -> str:
    """An SVG element of the diagram, in the colour of the text around it.

    Args:
        text: lines of words and box-drawing characters; trailing blanks do not count.
        title: what it shows, for who does not see it.
    """
    rows = [row.rstrip() for row in text.rstrip("\n").split("\n")]
    width, height = CELL[0] * max(map(len, rows)), CELL[1] * len(rows)
    label = escape(title, quote=True)
    parts = [
        f'<svg class="diagram" role="img" aria-label="{label}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f'<path d="{"".join(_lines(rows))}"/>',
        f'<path class="head" d="{"".join(_heads(rows))}"/>',
        *_words(rows),
        "</svg>",
    ]
    return "".join(parts)


def _middle(place: Place) -> tuple[float, float]:
    """The middle of a character."""
    return (place[0] * CELL[0] + CELL[0] / 2, place[1] * CELL[1] + CELL[1] / 2)


def _lines(rows: list[str]) -> Iterator[str]:
    """Straight lines as long as they go, from border to border or to the middle of a character."""
    for way, other in ((RIGHT, LEFT), (DOWN, UP)):
        # Half a character before and behind each middle, in order along the line.
        halves: dict[int, list[tuple[float, float]]] = {}
        for y, row in enumerate(rows):
            for x, character in enumerate(row):
                arms = ARMS.get(character, ())
                along, across = (x, y) if way == RIGHT else (y, x)
                halves.setdefault(across, [])
                if other in arms:
                    halves[across].append((along, along + 0.5))
                if way in arms:
                    halves[across].append((along + 0.5, along + 1))
        for across, pieces in sorted(halves.items()):
            for start, end in _joined(sorted(pieces)):
                (ux, uy) = CELL if way == RIGHT else CELL[::-1]
                first, last, middle = start * ux, end * ux, (across + 0.5) * uy
                if way == RIGHT:
                    yield f"M{first:g} {middle:g}H{last:g}"
                else:
                    yield f"M{middle:g} {first:g}V{last:g}"


def _joined(pieces: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Pieces of a line that touch, as one."""
    start = end = -1.0
    for first, last in pieces:
        if first > end:
            if end > start:
                yield start, end
            start = first
        end = last
    if end > start:
        yield start, end


def _heads(rows: list[str]) -> Iterator[str]:
    """Arrow heads: triangles whose tip is at the border of the character that they point out of."""
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            if character in HEADS:
                [(dx, dy)] = ARMS[character]
                mx, my = _middle((x, y))
                tip = (mx - dx * CELL[0] / 2, my - dy * CELL[1] / 2)
                length, half = 8, 3.5
                base = (tip[0] + dx * length, tip[1] + dy * length)
                yield (
                    f"M{tip[0]:g} {tip[1]:g}L{base[0] + dy * half:g} {base[1] + dx * half:g}"
                    f"L{base[0] - dy * half:g} {base[1] - dx * half:g}Z"
                )


def _words(rows: list[str]) -> Iterator[str]:
    """Each run of text with single blanks in it, stretched to the room that it has in the source."""
    for y, row in enumerate(rows):
        plain = "".join(" " if character in ARMS else character for character in row)
        for found in re.finditer(r"\S+(?: \S+)*", plain):
            x = found.start() * CELL[0]
            length = len(found[0]) * CELL[0]
            baseline = y * CELL[1] + CELL[1] * 0.7
            yield f'<text x="{x}" y="{baseline:g}" textLength="{length}">{escape(found[0])}</text>'
