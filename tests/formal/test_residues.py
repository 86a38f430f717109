# SPDX-License-Identifier: Apache-2.0
"""The product of residues that come back; and what shows that it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from formal_builds import (
    DROPPED,
    SECONDS,
    named,
    only_the_first_is_proven,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.rrm import Reinjected
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

CELL, ONE_BANK, ENGINE = "mm_rrm_cell", "mm_rrm_one", "mm_rrm_control"


WRONG_RESIDUES = (
    ("addresses", ONE_BANK, "digit_a_q + digit_s_q;", "digit_a_q | digit_s_q;"),
    ("READ", "mm_rrm_converter", "first_q[3] ? round_q[i]", "first_q[4] ? round_q[i]"),
    ("words of M", ONE_BANK, "rest_q - (m_low_q &", "rest_q + (m_low_q &"),
    ("control", ENGINE, "& ~(run_last_q2 & Delay > 0)", ""),
    ("residues", ENGINE, "~zero_q & ~(row_0_q & col_q == '1)", "~zero_q & ~(row_0_q & col_q == 2'd2)"),
    ("chains of the cells", CELL, "blank_q      <= blank_i;", "blank_q      <= blank_i & ~start_i;"),
    ("chains of the cells", ONE_BANK, "write_addr + (Addr'(1) << K)", "write_addr + (Addr'(1) << 1)"),
    ("table", CELL, ".read_addr_i(addr_q)", ".read_addr_i(addr_q | write_addr_q)"),
    ("entries are sums", CELL, "assign carry_o      = c_q[Digits-1];", "assign carry_o      = c_q[0];"),
    ("entries are sums", "mm_rrm_adder", "c_i[j] | fill_q}", "c_i[j]}"),
    ("words of operands", ENGINE, "(before_q & ~in_load & ~loaded_q)", "(before_q & ~loaded_q)"),
    ("digits of x", ONE_BANK, "x_shift_q <= x_shift_q >> K;", "x_shift_q <= x_shift_q >> 1;"),
    ("digits of x", ENGINE, "run_last | zero;", "zero;"),
    ("sums", CELL, ">> DigitBits) + DigitBits'(c_next[0])", ">> DigitBits)"),
    ("sums", "mm_rrm_adder", "c_i[j] & ~fill_q}", "1'b0}"),
    ("sums that are taken", ONE_BANK, "dropped * u[Pending-1:0]", "dropped"),
    ("sums that are taken", CELL, "taken_c_q <= c_q;", "taken_c_q <= c_next;"),
    ("READ", "mm_rrm_converter", "if (s_top[b]) s_q[b] <= 1'b1;", "if (s_top[b]) s_q[b] <= 1'b0;"),
    ("READ", "mm_rrm_converter", "(m_low << Low + 1)", "(m_low << Low)"),
    ("READ", "mm_rrm_converter", "m_low  = (m_lowest ^", "m_low  = (~m_lowest ^"),
    ("READ", "mm_rrm_ripple", "carry_q <= total[Word+1];", "carry_q <= total[Word];"),
    ("SHOW", "mm_rrm_corrector", "v_i, carry_i, first_i & ~below_i}", "v_i, carry_i, 1'b0}"),
    ("SHOW", "mm_rrm_converter", "above_q <= ~v_q[Word-1];", "above_q <= ~v_q[0];"),
    ("residues", ONE_BANK, "q_q <= q_q + u;", "q_q <= u;"),
    ("residues", ENGINE, "bare_q <= ~reads;", "bare_q <= ~reads & ~pre_q;"),
)
"""The same of residues that come back: part of the invariant, change."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (256, {"DigitBits": 1}),
        (256, {"Delay": 0}),
        (256, {"Banks": 2}),
        (256, {"Lazy": 1}),
        (512, {}),
        (250, {}),
        (32, {}),
        (64, {"Word": 8}),
    ],
)
def test_residues_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Digits of a bit, other delays, two banks, other ranges, 32 words, half words, two words, short ones."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(DROPPED).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG_RESIDUES)],
)
def test_wrong_residues_are_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(DROPPED)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, 8), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


def test_an_argument_about_numbers_of_residues_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers or words: no proof is one of the impossible."""
    proof = small(room(DROPPED), 8)
    assert isinstance(proof, Reinjected)
    for obligation in proof.of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS[obligation.solver](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_residues_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = small(room(DROPPED), 8)
    assert isinstance(right, Reinjected)
    ranges, residues = list(right.in_range()), list(right.residue_right())
    texts = {
        right.step_summed(): ("(+ s1 e0 c0)", "(+ s1 e0)"),
        list(right.loop_goes_on())[2]: ("(= (* 16 Tn) (+ p Me))", "(= (* 4 Tn) (+ p Me))"),
        right.distributed(): ("(* x1 y)", "(* x0 y)"),
        ranges[0]: ("(< T M)", "(< T (* 4 M))"),
        ranges[1]: ("(= xy 0)", "(<= xy M)"),
        right.v_summed(): ("(= c0 round)", "(= c0 0)"),
        next(right.results_right()): ("(< v (* 2 M))", "(<= v (* 2 M))"),
        right.product_right(): ("(= (* 16 T) (+ p Me))", "true"),
        residues[1]: ("(= p0 (mod V0 4))", "true"),
        right.composed(): ("(=> (and at.9_n sum.8 (and T.1 T.2 T.3)) sum.9_n)", "true"),
    }
    for text, (old, new) in texts.items():
        assert old in text, old
        said = [SOLVERS["z3"](each, SECONDS) for each in (text, text.replace(old, new, 1))]
        assert said == ["unsat", "sat"], (old, new)
