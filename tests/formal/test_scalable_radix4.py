# SPDX-License-Identifier: Apache-2.0
"""The product of a row of elements that takes three times its numbers, too; and what shows it can fail."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    SECONDS,
    TRIPLED,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.scalable_booth4_left import LeftShifting
from modmul.prove.product.scalable_radix4 import DigitByDigit
from modmul.prove.product.systolic_row import is_
from modmul.prove.terms import Fact
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

PE, ARRAY, TRIPLE = "mm_scalable_radix4_pe", "mm_scalable_radix4_array", "mm_scalable_triple"
SEQUENCE, SHELL, RESULT = "mm_scalable_control", "mm_scalable_shell", "mm_scalable_result"

WRONG = (
    ("element 1 takes its digit and Q", PE, "x_q <= x_i", "x_q <= ~x_i"),
    ("making goes on holding", TRIPLE, "<= triple[Word+1:Word]", "<= {1'b0, triple[Word]}"),
    ("the result unit compares with M", RESULT, "(borrow3_q && !b_first_q)", "(borrow3_q && b_first_q)"),
    ("element 2 adds", PE, "(q_q[0] ? m3_i :", "(q_q[0] ? m3_i ^ m_i :"),
    ("element 0 adds", PE, "{y_i[Word-2:0], y_below_q[1]}", "{y_i[Word-2:0], y_below_q[0]}"),
    ("element 0 adds", PE, "cx_q & ~first", "cx_q"),
    ("element 1 adds", PE, "first & h_q", "first_q & h_q"),
    ("element 0 adds", PE, "{y3_i[Word-3:0], y3_below_q}", "{y3_i[Word-3:0], y3_below_q ^ y_below_q}"),
    ("element 0 takes its digit and Q", PE, "(qs[1] & qc[1]) | (qs[1] & carry)", "(qs[1] & qc[1])"),
    ("element 1 adds", PE, "zs_i & ~(Word'({2{first_q}}) << Low)", "zs_i"),
    ("element 0 keeps its digit and Q", PE, "if (first_next) begin", "if (first) begin"),
    ("flags goes on holding", PE, "m3_i[Word-1-:2] & {2{~first_next}}", "m3_i[Word-1-:2]"),
    ("the words of Y and M^ come in", ARRAY, "{m3_i[Word-3:0], m3_below_q}", "{m3_i[Word-3:0], ~m3_below_q}"),
    ("what leaves an element comes into", ARRAY, ".y3_i(y3s[i*Word+:Word])", ".y3_i(~y3s[i*Word+:Word])"),
    ("which words of Y and M^ come", SHELL, "word_i <= beats_q", "word_i < beats_q"),
    ("triple 0 goes on holding", TRIPLE, "word_i & {Word{~tail_q}}", "word_i"),
    ("making goes on holding", SHELL, "in_free  = ~full_q & ~tail_q", "in_free  = ~full_q"),
    ("count goes on holding", SHELL, "full_q & ~open_q[1]", "full_q"),
    ("digits goes on holding", SEQUENCE, "gap_q != GapBits'(GapAt)", "gap_q != GapBits'(GapAt + 1)"),
    ("the digits of x in pass 1", "mm_scalable_radix4", ".x_i(digit[2:1])", ".x_i(~digit[2:1])"),
    ("tail goes on holding", RESULT, "{m1[Word-2:0], below}", "{m1[Word-2:0], below & carry}"),
    ("result goes on holding", RESULT, "out_carry_q <= m3[Word]", "out_carry_q <= m3[Word-1]"),
    ("buffer 0 goes on holding", RESULT, "(t[0] ? m3[Word-1:0] : m2)", "(t[0] ? m2 : m3[Word-1:0])"),
    ("the buffer takes the words", RESULT, "{1'b1, ~minus3[Word]}", "{1'b1, minus3[Word]}"),
    ("Z goes round", "mm_scalable_fifo", "{(2 * Word){~clear_i}}", "{Word{~clear_i, 1'b1}}"),
    ("the aligner shifts", "mm_scalable_align", "{Pos{any}} : zs_i", "{Pos{any & ~all}} : zs_i"),
)
"""Of each kind of obligation about the netlist: which one, and a change with which it is refuted."""


@cache
def of_eight_bits() -> DigitByDigit:
    """The argument for a build with an element that drops a word, and one before and behind it."""
    found = small(room(TRIPLED), 8)
    assert isinstance(found, DigitByDigit)
    return found


@pytest.mark.parametrize(
    ("width", "settings"),
    [(256, {"Pes": 14}), (256, {"Pes": 16}), (256, {"Reduce": 0}), (20, {}), (16, {"Word": 8, "Pes": 5})],
)
def test_a_row_with_triples_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """In which words wait; without an aligner; with other ranges; with half words; with a late element."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(TRIPLED).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG)],
)
def test_a_wrong_row_with_triples_is_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    wrong = small(mutant(room(TRIPLED), tmp_path / "room", module, old, new), 8)
    asked = [obligation for each in (of_eight_bits(), wrong) for obligation in named(each, name)]
    only_the_first_is_proven(asked, store)


def test_a_wrong_argument_about_a_row_with_triples_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    row = of_eight_bits()
    in_range, _ = row.in_range
    equation, order = row.bit(3, 1)
    same_x, multiple, divided, ranged = row.quarter()
    once, thrice = row.belongs()
    nothing = row.named(row.now, row.pe(1), "m_i", row.period)
    going = list(row.four_times(0, 1, "y3"))
    texts = (
        (row.summed_up(0), next(row.word_facts(0, 0)).over_integers(), "true"),
        (row.summed_up(1), list(row.taken_facts(1))[2].over_integers(), "true"),
        (row.multiple(0, "x", "y", 3), list(row.multiple_facts(0, 1, "x", "y"))[3].over_integers(), "true"),
        (row.multiple(0, "q", "m", 2), "(* 4 V)", "V"),
        (row.multiple(1, "q", "m", 1), is_(nothing, 0).over_integers(), "true"),
        (row.passed_on(0, "y3"), going[0].over_integers(), "true"),
        (row.passed_on(0, "y3"), going[-1].over_integers(), "true"),
        (row.passed_on(0, "m"), f"(< V {1 << row.width})", "true"),
        (row.element(0, 1, 1), in_range, "true"),
        (row.element(1, 2, 3), "(= (* 4 H) (+ m 1))", "true"),
        (row.element(2, 3, 1), "(= (+ qs qc) (+ 1 (* 4 h)))", "true"),
        (row.two_times(), list(row.double_facts())[1].over_integers(), "true"),
        (row.three_times("h"), list(row.triple_facts("h"))[1].over_integers(), "true"),
        (row.entered("y3"), next(row.four_times(-1, 1, "y3")).over_integers(), "true"),
        (row.entered("m3"), list(row.fetched(0))[-1].over_integers(), "true"),
        (row.shifted(row.period), next(row.aligned(1, row.now, row.now)).over_integers(), "true"),
        (row.shifted(row.words), list(row.aligned(0, row.now, row.now))[2].over_integers(), "true"),
        (row.signed(), in_range, "true"),
        (once, "(<= 0 M)", "true"),
        (thrice, f"(< M {1 << row.width})", "true"),
        (row.begun(), "(<= 0 y)", "true"),
        (equation, "(* 4 V)", "V"),
        (order, in_range, "true"),
        (same_x, f"(< x {1 << row.width})", "true"),
        (multiple, "(- (* 4 H) 1)", "(* 4 H)"),
        (divided, "(= l (* 4 k))", "true"),
        (ranged, "(= l (* 4 k))", "true"),
        (row.taken_up(), next(row.gathered(1)).over_integers(), "true"),
        (row.counted(1, "borrow1_q"), next(row.compared(0)).over_integers(), "true"),
        (row.counted(2, "borrow2_q"), list(row.compared(1))[1].over_integers(), "true"),
        (row.counted(3, "borrow3_q"), list(row.compared(row.words - 1))[2].over_integers(), "true"),
        (row.monotonous(), "(<= 0 b)", "true"),
        (row.bounded(1), f"(* {row.radix - 1} m)", f"(* {2 * row.radix} m)"),
        (row.bounded(3), f"(<= 0 (* x y) (* {1 << row.width} m))", "true"),
        (row.product_of(1, 1), "(< B m)", "(< B 0)"),
        (row.product_of(3, 2), "(= (* 2 m) (+ taken", "(= m (+ taken"),
        (row.product_of(3, 3), "(< B (* 3 m))", "(< B (* 2 m))"),
        (row.composed(), "(=> at.1_n at.0)", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


@pytest.mark.parametrize(
    "most", [pytest.param(1, id="some"), pytest.param(sys.maxsize, id="all", marks=pytest.mark.long)]
)
def test_an_argument_about_numbers_of_a_row_with_triples_is_not_about_nothing(most: int) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    for obligation in of_eight_bits().of_numbers():
        for text in obligation.texts[:most]:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_what_is_used_of_a_row_with_triples_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers is shown of the netlist, or says which digit is looked at."""
    used: dict[str, set[str]] = {}
    holding = LeftShifting._holding

    def told(self: LeftShifting, facts: Iterable[Fact], goal: str, *more: str, **words: Any) -> str:
        every = list(facts)
        used.update((fact.over_bits(), {word.name for word in fact.words()}) for fact in every)
        return holding(self, every, goal, *more, **words)

    monkeypatch.setattr(LeftShifting, "_holding", told)
    proof = of_eight_bits()
    assert len(list(proof.of_numbers())) > 20
    start = len(proof.system.header)
    shown = "\n".join(text[start:] for each in proof.of_netlist() for text in each.texts)
    condition = ("(=> ", "(=>")  # behind which nothing is shown
    shown = shown.replace(*condition)
    assumed = [names for fact, names in used.items() if f" {fact.replace(*condition)}" not in shown]
    assert len(assumed) < len(used) and set().union(*assumed) == {"x_q.digit", "q_q.digit"}
