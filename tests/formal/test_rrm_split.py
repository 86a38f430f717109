# SPDX-License-Identifier: Apache-2.0
"""The product of residues that come back, in tables of their own; and what shows that it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from formal_builds import (
    SECONDS,
    SPLIT,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.rrm_split import Split
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

ENGINE, CONVERTER, FILLER = "mm_rrm_bank_control", "mm_rrm_converter", "mm_rrm_split_filler"
CELL, LOOP, DIGITS = "mm_rrm_split_cell", "mm_rrm_split_loop", "mm_rrm_split_digits"
OPERANDS, DROPPED, RESULT = "mm_rrm_split_operands", "mm_rrm_split_dropped", "mm_rrm_split_result"
CONTEXT, MULTIPLES = "mm_rrm_split_context", "mm_rrm_split_multiples"

WRONG = (
    ("words of Y", FILLER, "low_q <= high[p];", "low_q <= 1'b0;"),
    ("words of M", CONTEXT, "legal_q <= m_q[0];", "legal_q <= m_q[1];"),
    ("q", RESULT, "pending * u_i", "pending + u_i"),
    ("sums", DROPPED, "AtOnce ? clear_t_i :", "AtOnce ? clear_t_i & clear_s_i :"),
    ("sums", CELL, ".c_i(e_c_q[j])", ".c_i(1'b0)"),
    ("control", ENGINE, "~(held_q & ~go_q) & (~closing_q", "(~closing_q"),
    ("control", ENGINE, "(rest_q | ~(unread_q | sum_q))", "(rest_q | ~(unread_q & sum_q))"),
    ("words of M", CONTEXT, "minus_inverse = Pending'(0) - inverse;", "minus_inverse = inverse;"),
    ("operands", OPERANDS, "x_carry_q <= x_even;", "x_carry_q <= 1'b0;"),
    ("operands", OPERANDS, "(x_even_q & ~pre_i) ^ y_even_q", "x_even_q ^ y_even_q"),
    ("rows, part 2", FILLER, "first_carry & ~group_q[0]", "first_carry & group_q[0]"),
    ("rows, part 1", FILLER, "next_carry_q <= sum[Size];", "next_carry_q <= ~sum[Size];"),
    (
        "rows in the loop",
        MULTIPLES,
        ".write_addr_i({bank_i, fill_row[p]})",
        ".write_addr_i({~bank_i, fill_row[p]})",
    ),
    ("digits of X", DIGITS, "x_shift_q >> DigitBits;", "x_shift_q >> 1;"),
    ("digits of X", DIGITS, "u_top ^ ~negative_i", "u_top ^ negative_i"),
    ("entries", MULTIPLES, "if (!some_i) entry_q <= '0;", "if (some_i) entry_q <= '0;"),
    (
        "a step of the loop",
        CELL,
        "{e_q[j*DigitBits+:DigitBits], c_q[j]}",
        "{e_q[j*DigitBits+:DigitBits], 1'b0}",
    ),
    ("a step of the loop", LOOP, "below_q & sign_e_i;", "below_q;"),
    (
        "a sum that waits",
        RESULT,
        "{SumDigits'(e_c_i), SumDigits'(c_i)}",
        "{SumDigits'(e_c_i & c_i), SumDigits'(c_i)}",
    ),
    ("READ", CONVERTER, "c_added = (c_q ^ h_q)", "c_added = (c_q | h_q)"),
    ("READ", CONVERTER, "first_q[3] ? round_q[i]", "first_q[4] ? round_q[i]"),
    ("SHOW", CONVERTER, "above_q <= ~v_q[Word-1];", "above_q <= ~v_q[0];"),
    ("residues", DROPPED, "residue_i & {Word{~ctx_load_i}};", "residue_i;"),
    ("writes", DROPPED, "if (load_q) place_t_q", "place_t_q"),
)
"""Part of the invariant, or what is asked of operations; and a change."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (256, {"DigitBits": 3}),
        (256, {"Delay": 2, "Word": 8}),
        (256, {"Chains": 1}),
        (128, {"Modulus": 2**127 + 29}),
        (512, {}),
        (192, {}),
        (256, {"Word": 64}),
        (64, {}),
        (250, {}),
    ],
)
def test_builds_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Other digits, delays, chains, a modulus; 32 words, 12, too long ones, one group, parts of words."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(SPLIT).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 0 else []) for k, each in enumerate(WRONG)],
)
def test_wrong_hardware_is_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(SPLIT)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, 8), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


def proof() -> Split:
    found = small(room(SPLIT), 8)
    assert isinstance(found, Split)
    return found


def test_an_argument_about_numbers_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers or words: no proof is one of the impossible."""
    for obligation in proof().of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS[obligation.solver](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = proof()
    ranges, digits, products, residues = (
        list(texts)
        for texts in (right.in_range(), right.digits_made(), right.product_right(), right.residue_right())
    )
    texts = {
        right.made_odd(): ("(= k0 1)", "(= k0 0)"),
        list(right.signed())[1]: ("(- y)", "y"),
        right.rows_made(): ("(= W (* 2 Y))", "(= W Y)"),
        digits[0]: ("(- 7 l)", "(- 8 l)"),
        digits[1]: ("(= b0 1)", "(= b0 0)"),
        right.step_summed(): ("(= hn1 g1)", "true"),
        list(right.loop_goes_on())[2]: ("(= (* 256 Tn) (+ p Me))", "(= (* 16 Tn) (+ p Me))"),
        right.distributed(): ("(* x1 Y)", "(* x0 Y)"),
        ranges[0]: ("(< T M)", "(< T (* 2 M))"),
        ranges[1]: ("(= xY 0)", "true"),
        right.columns_summed(): ("(= c0 round)", "(= c0 0)"),
        right.v_summed(): ("(= rounds (+ r0 r1))", "(= rounds r0)"),
        next(right.results_right()): ("(< v (* 2 M))", "(<= v (* 2 M))"),
        products[0]: ("(= (* 256 T) (+ p Me))", "true"),
        residues[0]: ("(<= 0 p 15)", "(<= 0 p)"),
        residues[1]: ("(= W (+ z1 Mw))", "true"),
        right.composed(): ("(=> at.3_n at.2)", "true"),
    }
    for text, (old, new) in texts.items():
        refuted_without(text, "z3", old, new)
