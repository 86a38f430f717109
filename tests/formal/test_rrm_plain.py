# SPDX-License-Identifier: Apache-2.0
"""The product of residues of what is pushed out at the top; and what shows that it can fail."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    PUSHED,
    SECONDS,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.rrm_plain import PushedOut
from modmul.prove.terms import Fact, Relation
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

TOP, CELL, ADDER = "mm_rrm_plain", "mm_rrm_plain_cell", "mm_rrm_plain_adder"
ENGINE, CONVERTER = "mm_rrm_plain_control", "mm_rrm_plain_converter"
LOOP, GATE = "mm_serial_loop", "mm_context_gate"


WRONG_SUMS = (
    ("each digit of a step", ADDER, "{b_i[2*j+:2], c_i[j]}", "{b_i[2*j+:2], 1'b0}"),
    ("table", TOP, ".write_addr_i(entry_write_addr)", ".write_addr_i(entry_write_addr & entry)"),
    ("what is pushed out waits", TOP, " + 4'(c[SumDigits-1])", ""),
    ("results", CONVERTER, "sum_q[Word-1:Shift]}", "sum_q[Word-2:Shift-1]}"),
    ("control", LOOP, "StepBits'(Steps - 2);", "StepBits'(Steps - 3);"),
    ("control", ENGINE, " & ~pre_q & ~out_valid_o;", " & ~pre_q;"),
    ("control", ENGINE, "(pre_q ? LastEntry : LastPass)", "LastPass"),
    ("control", GATE, "(in_part_q | ~ctx_valid_i)", "1'b1"),
    ("words", TOP, "m_in_q[(SafeWidth-1)%SafeWord]", "m_in_q[0]"),
    ("words", TOP, "{Digits{2'b01}}, x_carry_q}", "{Digits{2'b01}}, 1'b0}"),
    ("words", LOOP, "bank_q      <= bank_q ^ go_o;", "bank_q      <= bank_q;"),
    ("digits of x", TOP, "x_shift_q << 2;", "x_shift_q << 1;"),
    ("what is pushed out", TOP, "{negative_q & ~c[SumDigits-3],", "{negative_q,"),
    ("what is pushed out", TOP, "(w_q << 2) + w_digit", "(w_q << 1) + w_digit"),
    ("sums", CELL, "2'd0:    x_q <= ~y_i;", "2'd0:    x_q <= y_i;"),
    ("each digit of a step", CELL, "Bits'({s_q, s_below_i})", "Bits'({s_q, 2'b00})"),
    ("a sum that waits", LOOP, "take_o    = last_late_q[4+Extra];", "take_o    = last_late_q[3+Extra];"),
    ("U is that of the sum", ENGINE, "= move_o & rest_q &", "= rest_q &"),
    ("sums that are taken", TOP, "entry[3]", "1'b0"),
    ("sums that are taken", CONVERTER, "c_q[j] ^ d_q[j]}", "c_q[j] | d_q[j]}"),
    ("passes", ENGINE, "load_q  <= 1'b0;", "load_q  <= load_q;"),
    ("words of a pass", CONVERTER, "r_before_q & ~first_i}", "r_before_q}"),
    ("words of a pass", CONVERTER, "if (first_i) carry_q <= subtract;", "if (first_i) carry_q <= 1'b0;"),
    ("entry 7 is what was made", ENGINE, "EntryEnd   = 4'h7;", "EntryEnd   = 4'h6;"),
    (
        "the steps of the loop follow",
        GATE,
        "ctx_free_i & ~in_part_q;",
        "(ctx_free_i | in_free_i) & ~in_part_q;",
    ),
)
"""Part of the invariant or lemma that no longer holds; the source, what stands there, what does then."""


def right(width: int = 8) -> PushedOut:
    proof = small(room(PUSHED), width)
    assert isinstance(proof, PushedOut)
    return proof


@pytest.mark.parametrize(
    ("width", "settings"), [(250, {}), (32, {}), (16, {"Word": 16}), (1024, {"Word": 16})]
)
def test_builds_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Half words, one word, loops that are too long to be counted."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(PUSHED).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG_SUMS)],
)
def test_a_wrong_sum_is_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(PUSHED)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, 8), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


@pytest.mark.parametrize("width", [8, pytest.param(24, marks=pytest.mark.long)])
def test_what_is_used_of_a_sum_is_shown(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers is shown, of the netlist or of words."""
    used: set[str] = set()

    def told(facts: Iterable[Fact | Relation], *others: Any, **more: Any) -> str:
        used.update(fact.over_bits() for fact in facts)
        return ""

    monkeypatch.setattr("modmul.prove.product.rrm_plain_numbers.told", told)
    proof = right(width)
    shown = [each for each in proof.all() if each.solver == "bitwuzla"]
    texts = "".join(text for each in shown for text in each.texts)
    assert len(used) > 3 * proof.digits and all(each in texts for each in used)


def test_an_argument_about_numbers_of_a_sum_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers or words, so no proof is one of the impossible."""
    for obligation in right().of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS[obligation.solver](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_sum_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    proof = right()
    loops, ranges, firsts = (list(each()) for each in (proof.loop_goes_on, proof.in_range, proof.first_right))
    sums, middle, last = (list(each()) for each in (proof.u_right, proof.middle_right, proof.last_right))
    codes, step = list(proof.digit_times()), proof.step_facts()
    first = next(step).over_integers()
    texts = (
        (proof.step_summed(), first, "true"),
        (codes[0], str(proof.power - 1), str(proof.power)),
        (proof.numeral(), "(- |code3| 1)", "|code3|"),
        (loops[0], f"(* {proof.power << 8} a3)", f"(* {proof.power << 6} a3)"),
        (loops[1], "(= a3 0)", "true"),
        (proof.below_right(), "(<= |c.0| 1)", "(<= |c.0| 9)"),
        (ranges[1], "(<= 0 Q)", "true"),
        (ranges[2], "(< T |M|)", "(< T (* 2 |M|))"),
        (ranges[4], "(<= dy (* 2 |M|))", "(<= dy (* 3 |M|))"),
        (ranges[5], "(<= y |M|)", "true"),
        (sums[0], "(= |all| 85)", "true"),
        (sums[1], "(* 1 |c.0|)", "(* 2 |c.0|)"),
        (firsts[0], proof.of_m, "true"),
        (firsts[1], "(< W 0)", "true"),
        (firsts[2], "(<= W 224)", "(<= W 512)"),
        (middle[0], "(<= 0 v)", "(<= (- 1) v)"),
        (middle[2], "(* 2 v)", "v"),
        (last[0], "(* 2048 MK)", "(* 1024 MK)"),
        (last[2], "(* 16384 u)", "(* 8192 u)"),
        (last[4], "(* 8 u)", "(* 4 u)"),
        (proof.product_right(), "(* M k)", "k"),
        (proof.composed(), "(=> (and at.9_n sum.8 (and", "(=> (and at.9_n sum.8 ended_n (and"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)
