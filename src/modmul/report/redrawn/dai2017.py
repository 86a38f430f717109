# SPDX-License-Identifier: Apache-2.0
"""Figures 2 and 9 of Dai et al., parameters and area-time products; and the operation counts of Table 2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log2
from typing import Any

from modmul.registry import Room
from modmul.report.redrawn.drawing import Chart, Drawing, Mark, Series, rooms_of
from modmul.study.papers import Line

__all__ = ["digit_products", "drawings", "parameters"]

LENGTH = 2048
"""Bits of the operands of Fig. 2."""

TABLE_4 = ((4, 17.0, 273), (5, 5.0, 161), (6, 2.0, 129), (7, 0.5, 65), (8, 0.5, 129), (9, 0.5, 257))
"""Sets 1 to 6: v = log2 P, c, and the bits cP + 1 of M."""

TABLE_2: Mapping[str, tuple[int, int, int]] = {
    "[20], FFT and Barrett": (10, 13, 0),
    "[26], RNS": (0, 15, 18),
    "[18], FFT": (12, 18, 0),
    "FMLM3": (7, 4, 0),
}
"""Digit products of a modular multiplication: a P log2 P + b P + c P^2."""

V = "v = log2 P"


def drawings(lines: Sequence[Line]) -> Iterator[Drawing]:
    """Figs. 2 and 9, and Table 2."""
    for room in rooms_of(lines, "Transform", "Digit", "Algorithm"):
        yield _figure_2(room)
        yield _figure_9([line for line in lines if line.room in (room, None)])
        yield _table_2(room)


def _line(name: str, points: Mapping[int, float], kind: int = 0) -> Series:
    """A series; of the paper where its name says so."""
    marks = tuple(Mark(x, y) for x, y in sorted(points.items()))
    return Series(name, marks, printed=name.startswith("printed"), kind=kind)


# --- Fig. 2 -------------------------------------------------------------------------------------


def parameters(room: Room, v: int) -> tuple[float, int]:
    """c, and the bits of M, of a build of Algorithm 2 for 2048 bits with transforms of 2^v digits."""
    settings = {"Transform": 1 << v, "Digit": LENGTH >> v, "Algorithm": 2}
    entry = room.build(LENGTH, settings).config.set  # type: ignore[attr-defined]
    return entry.c2 / 2, entry.k + 1


def _figure_2(room: Room) -> Drawing:
    ours = {v: parameters(room, v) for v, _, _ in TABLE_4}
    return Drawing(
        "dai2017",
        "Fig. 2",
        f"Transform length, bits of M and c, for operands of {LENGTH} bits",
        (
            "The figure's points are not in the text that was at hand, but Table 4 has what it shows; the "
            "printed points are from there.",
            f"Ours are the parameters of {room.core.slug} as it is built for each transform length (modmul "
            f"show {room.core.slug} --width {LENGTH} --set Transform=64 --set Digit=32 --set Algorithm=2). "
            "Behind the first c = 1/2 both P and M only grow.",
        ),
        (
            Chart(
                "P and the bits of M",
                (V, "P, and cP + 1"),
                (
                    _line("printed, P", {v: 2**v for v, _, _ in TABLE_4}, 0),
                    _line("printed, cP + 1", {v: bits for v, _, bits in TABLE_4}, 1),
                    _line("ours, P", {v: 2**v for v in ours}, 0),
                    _line("ours, cP + 1", {v: bits for v, (_, bits) in ours.items()}, 1),
                ),
            ),
            Chart(
                "c",
                (V, "c"),
                (
                    _line("printed, c", {v: c for v, c, _ in TABLE_4}),
                    _line("ours, c", {v: c for v, (c, _) in ours.items()}),
                ),
            ),
        ),
    )


# --- Fig. 9 -------------------------------------------------------------------------------------


def _figure_9(lines: Sequence[Line]) -> Drawing:
    rows = [line for line in lines if line.published.table == "7"]
    builds = [line.config for line in rows if line.config]
    times = [_line("printed, [18]", _printed(line for line in rows if "[18]" in line.published.design), 2)]
    cycles = []
    for kind, (butterflies, name) in enumerate(((1, "1 butterfly"), (2, "2 butterflies"))):
        mine = [line for line in lines if line.published.options.get("Butterflies") == butterflies]
        times.append(_line(f"printed, {name}", _printed(line for line in mine if line in rows), kind))
        known = [line for line in mine if line.published.table == "6" and line.config in builds]
        found = {line.published.width or 0: (line.figure("luts"), line.figure("cycles")) for line in known}
        printed = {
            n: luts.value * count.value for n, (luts, count) in found.items() if luts.value and count.value
        }
        ours = {n: luts.ours * count.ours for n, (luts, count) in found.items() if luts.ours and count.ours}
        cycles += [_line(f"printed, {name}", printed, kind), _line(f"ours, {name}", ours, kind)]
    axis = "bits of the operands"
    target = next((line.target.name for line in lines if line.target), "this device")
    return Drawing(
        "dai2017",
        "Fig. 9",
        "Area × time against the length of the operands",
        (
            "The figure's points are not in the text that was at hand, but Table 7 has them: of each "
            "length and number of butterflies the build of Table 6 with the least LUTs · time. A product "
            "that does not follow from its row, that of 2,048 bits with one butterfly, is drawn as it "
            "follows.",
            f"Ours: nothing open places and routes {target}, so there is no clock frequency and no time of "
            "ours; the second panel has LUTs · cycles of the same builds, theirs from Table 6, an "
            "operation of a chain of squares.",
        ),
        (
            Chart("printed: LUTs · time", (axis, "LUTs · µs"), tuple(times)),
            Chart("LUTs · cycles", (axis, "LUTs · cycles"), tuple(cycles)),
        ),
    )


def _printed(lines: Iterable[Line]) -> dict[int, float]:
    """LUTs · time of some rows by length; where the printed product does not follow, what follows."""
    found = {}
    for line in lines:
        product = line.figure("luts_us")
        value = product.value if product.agrees else product.follows
        if line.published.width and value:
            found[line.published.width] = value
    return found


# --- Table 2 ------------------------------------------------------------------------------------


def digit_products(room: Room, p: int, algorithm: int, **controls: bool) -> int:
    """Digit products of an operation, transforms of p digits, Algorithm 2 or 3, as the core counts them.

    Args:
        controls: run-time fields of the operation.
    """
    config: Any = room.build(LENGTH, {"Transform": p, "Digit": LENGTH // p, "Algorithm": algorithm}).config
    return room.core.algorithm.work(replace(config, **controls))["digit_products"]


def _table_2(room: Room) -> Drawing:
    lengths = (16, 32, 64, 128, 256, 512)
    series = [
        _line(f"printed, {name}", {p: a * p * log2(p) + b * p + c * p * p for p in lengths}, kind)
        for kind, (name, (a, b, c)) in enumerate(TABLE_2.items())
    ]
    for kind, (algorithm, name, controls) in enumerate(
        (
            (2, "Algorithm 2, an operation of a chain", {"square": True, "chain": True}),
            (3, "Algorithm 3, an operation of a chain", {"square": True, "chain": True}),
            (2, "Algorithm 2, two new operands", {}),
            (3, "Algorithm 3, two new operands", {}),
        )
    ):
        counts = {p: digit_products(room, p, algorithm, **controls) for p in lengths}
        series.append(_line(f"ours, {name}", counts, kind))
    return Drawing(
        "dai2017",
        "Table 2",
        "Digit products of a modular multiplication",
        (
            "Printed are the formulas of Table 2; that of [20] is an estimate there. As in the paper a "
            "transform counts P log2 P and a component-wise product P.",
            f"Ours are the transforms and products that the control unit of {room.core.slug} runs through. "
            "An operation of a chain transforms the one operand that it is given, forwards twice; two new "
            "operands take two transforms more.",
        ),
        (Chart("digit products", ("transform length P", "digit products"), tuple(series), (True, True)),),
    )
