# SPDX-License-Identifier: Apache-2.0
"""Figures 10 and 11 of Zhang et al., cycles of products, squares and powers; and the work a square saves.

Their counts, for s words of 32 bits: 2s^2 + s products of words in a multiplication and (3s^2 + 3s)/2 in a
square, a cycle each and 4 cycles more; with two multipliers half of it and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from modmul.core import Config
from modmul.registry import Room, on
from modmul.report.redrawn.drawing import Chart, Drawing, Mark, Series, lacking, rooms_of
from modmul.study.papers import Line, half_ones

__all__ = ["drawings", "left_to_right"]

WORD = 32
"""Bits of a word."""

MORE = 4
"""Cycles of an operation besides those of its products (Section 6)."""

SIZES = (4, 8, 16, 24, 32, 40, 48, 56, 64)
"""Words of the operands, those of Table 1."""

S = "s, words of 32 bits"


def drawings(lines: Sequence[Line]) -> Iterator[Drawing]:
    """Figs. 10 and 11, and the counts of Section 4."""
    rooms = rooms_of(lines, "Word", "Multipliers")
    yield _figure_10(lines, rooms)
    yield _figure_11(lines, rooms)
    yield _counts(lines, rooms)


# --- what the paper prints ----------------------------------------------------------------------


def printed_products(lines: Sequence[Line], *, square: bool) -> dict[int, int]:
    """Products of an operation by s, as Table 1 has them: of the proposed square, or of the traditional one.

    The traditional square makes those of a multiplication.
    """
    optimized = 1 if square else 0
    return {
        row.width // WORD: row.cycles
        for line in lines
        if (row := line.published).table == "1" and row.width and row.cycles
        if row.options.get("SquareOptimized", 1) == optimized
    }


def printed_cycles(lines: Sequence[Line], multipliers: int, *, square: bool) -> dict[int, int]:
    """Cycles of an operation by s: its products, with two multipliers half of them, and 4."""
    found = printed_products(lines, square=square)
    return {s: products // multipliers + MORE for s, products in found.items()}


# --- ours ---------------------------------------------------------------------------------------


def build(room: Room, s: int, multipliers: int) -> Config:
    """The core for s words, with one multiplier or two."""
    compared = room.core.builds.at(WORD * s)
    like = [config for config in compared if config.options()["Multipliers"] == multipliers]
    return (like or compared)[0].with_parameters({"Word": WORD, "Multipliers": multipliers})


def cycles(room: Room, s: int, multipliers: int, *, square: bool) -> int:
    """Cycles of an operation of a core in GF(p)."""
    config: Any = build(room, s, multipliers)
    return int(room.core.algorithm.cycles(replace(config, square=square)))


def work(room: Room, s: int, *, square: bool) -> Mapping[str, int]:
    """Products of words and operand reads of an operation in GF(p); nothing where the core tells nothing."""
    config: Any = build(room, s, 1)
    return room.core.algorithm.work(replace(config, square=square))


def left_to_right(core: str, s: int) -> int:
    """Cycles of a power from left to right on one core, half the exponent's bits being 1."""
    return half_ones(on("modexp", core).build(WORD * s, {"Window": 1}))


def ladder(core: str, s: int) -> int:
    """Cycles of a power by the ladder on two cores side by side, which no bit of the exponent changes."""
    room = on("ladder", core)
    return room.build(WORD * s, {"Cores": 2}).latency


# --- the drawings -------------------------------------------------------------------------------


def _line(name: str, values: Mapping[int, float], **how: Any) -> Series:
    return Series(name, tuple(Mark(s, value) for s, value in values.items()), **how)


def _figure_10(lines: Sequence[Line], rooms: Sequence[Room]) -> Drawing:
    panels = []
    saved: list[Series] = []
    for multipliers, title in ((1, "one multiplier"), (2, "two multipliers")):
        series = []
        for square, name in ((False, "multiplication"), (True, "square")):
            known = printed_cycles(lines, multipliers, square=square)
            series.append(_line(f"printed, {name}", known, printed=True, kind=int(square)))
        pairs = [printed_cycles(lines, multipliers, square=square) for square in (False, True)]
        share = {s: 100 * (1 - pairs[1][s] / pairs[0][s]) for s in pairs[0]}
        saved.append(_line(f"printed, {title}", share, printed=True, kind=multipliers - 1))
        for number, room in enumerate(rooms):
            slug = room.core.slug
            taken = [{s: cycles(room, s, multipliers, square=q) for s in SIZES} for q in (False, True)]
            for kind, name in enumerate(("multiplication", "square")):
                series.append(_line(f"{slug}, {name}", taken[kind], kind=kind, core=number))
            share = {s: 100 * (1 - taken[1][s] / taken[0][s]) for s in SIZES}
            saved.append(_line(f"{slug}, {title}", share, kind=multipliers - 1, core=number))
        panels.append(Chart(f"cycles, {title}", (S, "cycles"), tuple(series), (False, True)))
    panels.append(Chart("what a square saves", (S, "% of the multiplication's cycles"), tuple(saved)))
    return Drawing(
        "zhang2020",
        "Fig. 10",
        "Cycles of multiplication and square",
        (
            "The figure's points are not in the text that was at hand. It says that they are the cycles of "
            "Table 1 and 4 more, which the printed points here are; with two multipliers they are half of "
            "Table 1 and 4, of which the text prints those for s = 32.",
            "Ours are the cycles of the cores in GF(p), from the last operand word to the result (modmul "
            "show); the tests hold them equal to the simulated hardware.",
        ),
        tuple(panels),
    )


def _figure_11(lines: Sequence[Line], rooms: Sequence[Room]) -> Drawing:
    square, product = (printed_cycles(lines, 1, square=q) for q in (True, False))
    counts: dict[int, tuple[int, int]] = {}
    for s in product:
        counts[s] = WORD * s * square[s] + WORD * s // 2 * product[s], WORD * s * product[s]
    series = [
        _line(name, {s: both[kind] for s, both in counts.items()}, printed=True, kind=kind)
        for kind, name in enumerate(("printed, L_R", "printed, ML"))
    ]
    ratios = [_line("printed", {s: both[0] / both[1] for s, both in counts.items()}, printed=True)]
    for number, room in enumerate(rooms):
        slug = room.core.slug
        taken = {s: (left_to_right(slug, s), ladder(slug, s)) for s in SIZES}
        series += [
            _line(f"{slug}, {name}", {s: both[place] for s, both in taken.items()}, kind=place, core=number)
            for place, name in enumerate(("L_R", "ML"))
        ]
        ratios.append(_line(slug, {s: both[0] / both[1] for s, both in taken.items()}, core=number))
    return Drawing(
        "zhang2020",
        "Fig. 11",
        "Cycles of a power, left to right and by the ladder",
        (
            "Half of the exponent's bits are 1, and it is as long as the modulus. L_R squares for each bit "
            "and multiplies for each 1, on one multiplier unit; ML, the Montgomery ladder, does both side "
            "by side on two.",
            "The figure's points are not in the text that was at hand. The printed ones here are these "
            "counts of operations with the paper's cycles of one: a square and half a multiplication for "
            "each bit, and for the ladder a multiplication.",
            "The text gives the ratio of both as 1.25.",
            "Ours are the systems modexp (Window=1) and ladder (Cores=2) on the core, R mod M and R² mod "
            "M in the context, from the last operand word to the result; the tests hold them equal to the "
            "simulated hardware. modexp multiplies for each bit: the products for bits of 0 are taken off, "
            "each with the cycles of one alone.",
        ),
        (
            Chart("cycles of a power", (S, "cycles"), tuple(series), (False, True)),
            Chart("L_R over ML", (S, "ratio of cycles"), tuple(ratios)),
        ),
    )


def _counts(lines: Sequence[Line], rooms: Sequence[Room]) -> Drawing:
    series = [
        _line(f"printed, {name}", printed_products(lines, square=square), printed=True, kind=int(square))
        for square, name in ((False, "multiplication"), (True, "square"))
    ]
    saved = [_line("printed", {s: s * s - s for s in SIZES}, printed=True)]
    known = [room for room in rooms if work(room, SIZES[0], square=False)]
    for number, room in enumerate(known):
        slug = room.core.slug
        of = {square: {s: work(room, s, square=square) for s in SIZES} for square in (False, True)}
        for square, name in ((False, "multiplication"), (True, "square")):
            made = {s: found["products"] for s, found in of[square].items()}
            series.append(_line(f"{slug}, {name}", made, kind=int(square), core=number))
        reads = {s: of[False][s]["operand_reads"] - of[True][s]["operand_reads"] for s in SIZES}
        saved.append(_line(slug, reads, core=number))
    return Drawing(
        "zhang2020",
        "Section 3.2 and Table 1",
        "Products and reads of a multiplication and a square",
        (
            "Printed: 2s² + s products of words in a multiplication, (s² - s)/2 fewer in a square, and s² "
            "- s operand reads saved.",
            "Ours are the products of words that the core makes, of x and y, of m and N, and those for the "
            "words of m; it reads two words of x and y for each product of theirs.",
            *lacking([room.core.slug for room in rooms if room not in known], "count"),
        ),
        (
            Chart("products of words", (S, "products"), tuple(series), (False, True)),
            Chart("operand reads that a square saves", (S, "words"), tuple(saved), (False, True)),
        ),
    )
