# SPDX-License-Identifier: Apache-2.0
"""Figure 7 of Pinckney et al., pipeline diagrams, followed in simulated hardware.

Which word an element works on is seen in its word of Y. The Y that is multiplied has other bits in each
word, also where an element of the left-shifting design has moved it up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from modmul.registry import Build, Room
from modmul.report.redrawn.drawing import Drawing, Pipeline, Work, rooms_of
from modmul.study.papers import Line
from modmul.verify.failures import VerificationError
from modmul.verify.simulation import Simulation

__all__ = ["PES", "WORD", "drawings", "followed"]

PES = 4
"""Processing elements p, those of the paper's case II."""

WORD = 8
"""Bits w of a word."""

SHOWN = 3
"""Pipeline cycles of each diagram."""

NAMES = {"first": "first_q", "y": "y_q"}, {"first": "first", "y": "y_i"}
"""Signals of an element of the right-shifting and of the left-shifting design while its adders
have a word: whether it is the lowest one, and the word of Y."""


@dataclass(frozen=True)
class Case:
    """A length of the operands.

    Attributes:
        name: of the paper.
        bits: n for the right-shifting design and for the left-shifting one.
    """

    name: str
    bits: tuple[int, int]


CASES = (
    Case("case I, the elements never wait", (67, 35)),
    Case("case II, the first waits for the last", (27, 27)),
)


def drawings(lines: Sequence[Line]) -> Iterator[Drawing]:
    """Fig. 7 of each of the two designs with Booth encoding; nothing for the others."""
    rooms = {room.core.slug: room for room in rooms_of(lines)}
    for slug, left in (("scalable_booth4_right", False), ("scalable_booth4_left", True)):
        if slug in rooms:
            yield _figure_7(rooms[slug], left)


def followed(room: Room, bits: int, longest: int = 0) -> list[Work]:
    """The works of all elements in one multiplication on the simulated core.

    Args:
        room: scalable_booth4_right or scalable_booth4_left.
        bits: n of the multiplication.
        longest: bits of the longest operands of the build; 0 stands for n.

    Raises:
        VerificationError: an element does not have the words of Y in their order.
    """
    build = _build(room, longest or bits)
    config: Any = build.config
    names = NAMES[config.left]
    traced = {
        f"{name}{element}": f"gen_core.u_array.gen_pe[{element}].u_pe.{signal}"
        for element in range(PES)
        for name, signal in names.items()
    }
    simulation = Simulation(replace(room, core=room.core.changed(trace=lambda _config: traced)).of(config))
    modulus = (1 << bits) - 1
    simulation.load(modulus)
    at: Any = simulation.at
    y = _telling(bits)
    states = simulation.follow(modulus // 3, y)
    works = []
    for element in range(PES):
        firsts = [t for t, state in enumerate(states) if state[f"first{element}"]][: at.passes]
        words = _words(at, y, element)
        for turn, start in enumerate(firsts, 1):
            # The result may be there before the last words are through.
            for word, t in enumerate(range(start, min(start + len(words), len(states)))):
                if states[t][f"y{element}"] != words[word]:
                    raise VerificationError(
                        f"{room.core.slug}: element {element + 1} lacks word {word} of Y in cycle {t}"
                    )
                works.append(Work(element + 1, t, turn, word))
    began = min(work.cycle for work in works) - 1
    return [replace(work, cycle=work.cycle - began) for work in works]


def _build(room: Room, bits: int) -> Build:
    return room.build(bits, {"Word": WORD, "Pes": PES})


def _telling(bits: int) -> int:
    """An operand whose words differ, at every place that is a multiple of two bits."""
    words = bytes((0x35 + 29 * i) & 0xFF for i in range(bits // 8 + 1))
    return int.from_bytes(words, "little") % (1 << (bits - 1))


def _words(at: Any, y: int, element: int) -> list[int]:
    """The words of Y as an element of a build has them: e, or e + 1 of Y moved up."""
    place = 2 * (element + 1) % WORD if at.left else 0
    return [y << place >> (WORD * word) & ((1 << WORD) - 1) for word in range(at.words + at.left)]


def _figure_7(room: Room, left: bool) -> Drawing:
    panels = []
    for case in CASES:
        bits = case.bits[left]
        works = followed(room, bits, max(other.bits[left] for other in CASES))
        config: Any = _build(room, bits).config
        title = f"{case.name}: n = {bits}, e = {config.words}; {SHOWN} of {config.passes} pipeline cycles"
        panels.append(Pipeline(title, tuple(work for work in works if work.turn <= SHOWN)))
    shifting = "left" if left else "right"
    more = (
        (
            "The paper has no such diagram of this design. A word takes one clock cycle in an element, and "
            "one more in the one whose Y has moved up by a whole word; there are e + 1 words."
        )
        if left
        else (
            "The figure itself is not in the text that was at hand. As the text tells it, it has e = 4 "
            f"with p = 2 (case I) and with p = 4 (case II). Here p is {PES} in both, of one build, and n "
            "chosen by the context: by the paper's own formula e = 4 with p = 2 is case II as well, for e "
            "is below 2p + 1."
        )
    )
    return Drawing(
        "pinckney2008",
        "Fig. 7, left-shifting" if left else "Fig. 7",
        f"Pipeline diagram of the {shifting}-shifting design",
        (
            "Rows are processing elements, columns clock cycles; a number is the word of Y, M^ and Z that "
            "the element's adders have, a colour a pipeline cycle.",
            more,
            f"Followed in a simulation of {room.core.slug} with Word={WORD}, Pes={PES}: the elements' own "
            "signals, each word of Y compared with what it must be.",
        ),
        tuple(panels),
    )
