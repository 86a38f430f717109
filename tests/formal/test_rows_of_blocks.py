# SPDX-License-Identifier: Apache-2.0
"""The product of rows of multiplier blocks; and what shows that it can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from formal_builds import (
    DSP,
    SECONDS,
    named,
    only_the_first_is_proven,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.montgomery_dsp import Rows
from modmul.prove.terms import (
    Fact,
)
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

COLUMN, QUOTIENT = "mm_montgomery_dsp_column", "mm_montgomery_dsp_quotient"


CONVERTER, SCHEDULE = "mm_montgomery_dsp_converter", "mm_montgomery_dsp_schedule"
BLOCK_CONTROL, QUEUE = "mm_montgomery_dsp_control", "mm_result_queue"
WRONG_BLOCKS = (
    (
        "in every cycle: the columns of S",
        COLUMN,
        "high_x_i), .carry_i(x_next_q)",
        "high_x_i), .carry_i(x_next_q | s_round)",
    ),
    ("in every cycle: Q", QUOTIENT, "line[Line-1]", "line[Line-2]"),
    ("slots goes on holding", BLOCK_CONTROL, "PeriodBits'(Period - 3)", "PeriodBits'(Period - 4)"),
    ("operands goes on holding", "mm_montgomery_dsp_row", "place_q[Place] && !full_i", "place_q[Place]"),
    ("in every cycle: the columns of S", COLUMN, "fresh_q ? '0 :", "fresh_q | fresh_i ? '0 :"),
    (
        "in every cycle: the columns of V",
        COLUMN,
        "tail_q <= v_later_i ?",
        "tail_q <= v_later_i & v_clear_i ?",
    ),
    (
        "in every cycle: the blocks of s",
        "mm_montgomery_dsp_row",
        ".x_i, .y_i(y[c]), .s_i,",
        ".x_i, .y_i(y[c]), .s_i(x_i),",
    ),
    (
        "in every cycle: the products of Q",
        "mm_block_mul",
        "PBits'(a_q) * PBits'(b_q)",
        "PBits'(a_q) * PBits'(b_q | 1'b1)",
    ),
    (
        "in every cycle: the products of Q",
        CONVERTER,
        "if (product_idle) product_high_q",
        "if (idle) product_high_q",
    ),
    ("in every cycle: the words of V", CONVERTER, "if (idle) high_q <= '0;", "if (m_next) high_q <= '0;"),
    (
        "in every cycle: the serial adders",
        "mm_montgomery_dsp_serial",
        ".carry_i(carry_q)",
        ".carry_i(carry_q & a_i[0])",
    ),
    ("in every cycle: Z and Z - M", CONVERTER, "borrow_q <= less[Word+1]", "borrow_q <= less[Word]"),
    ("in every cycle: the words of z wait", CONVERTER, "last ? ~sign_q", "last ? sign_q"),
    ("in every cycle: Q", QUOTIENT, "if (line[Mul+1]) total_q", "if (line[Mul+2]) total_q"),
    ("steps goes on holding", SCHEDULE, "if (k_sync && !drain)", "if (k_sync && (!drain | ending_i))"),
    ("words goes on holding", BLOCK_CONTROL, "ops_q != OpBits'(Slots);", "1'b1;"),
    (
        "operands goes on holding",
        "mm_montgomery_dsp_digits",
        "({half_x_i, x_index_i})",
        "({half_x_i ^ run_i, x_index_i})",
    ),
    ("gate goes on holding", BLOCK_CONTROL, "& ~full_q & ~start;", "& ~full_q;"),
    (
        "words of a context goes on",
        "mm_montgomery_dsp_context",
        "k_write_q <= '0;",
        "k_write_q <= KAddr'(1);",
    ),
    (
        "context goes on holding",
        "mm_montgomery_dsp_context",
        "k_word_o    <= word_o;",
        "k_word_o    <= data_q;",
    ),
    ("queue goes on holding", QUEUE, "one_q  <= none_q;", "one_q  <= 1'b0;"),
    ("result goes on holding", QUEUE, "if (take) next_q", "if (move) next_q"),
    (
        "modulus goes on holding",
        CONVERTER,
        "m_word_q & {Word{m_there_q}}",
        "m_word_q & {Word{m_there_q | m_next}}",
    ),
    ("ages goes on holding", "mm_window", "on_o == On && !line[Line]", "on_o == On"),
    ("at ages 6", "mm_montgomery_dsp_row", "k_q <= k_digit;", "k_q <= ~k_digit;"),
)
"""The same of rows of multiplier blocks."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (256, {"Columns": 2}),
        (256, {"Lazy": 1}),
        (256, {"Word": 18}),
        (252, {}),
        (52, {}),
        (256, {"Fanout": 1}),
    ],
)
def test_rows_of_blocks_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Folded, with other ranges, with words of one digit, with other last words, with few words."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(DSP).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 3 else []) for k, each in enumerate(WRONG_BLOCKS)],
)
def test_a_wrong_row_of_blocks_is_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(DSP)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


class Told(Rows):
    """Keeps the facts about the netlist that an argument about numbers uses."""

    facts: ClassVar[set[tuple[int, str]]] = set()

    def holding(self, facts: Iterable[Fact], goal: str, *more: str, **words: Any) -> str:
        every = list(facts)
        for fact in every:
            ages = [int(found) for word in fact.words() for found in re.findall(r"@(\d+)", word.name)]
            self.facts.add((min(ages, default=0), fact.over_bits()))
        return super().holding(every, goal, *more, **words)


def test_what_is_used_of_rows_of_blocks_is_shown() -> None:
    """Each fact under an argument about numbers is shown of the netlist, at its age or anywhere."""
    plain = small(room(DSP))
    proof = Told(plain.build, plain.system)
    assert len(list(proof.of_numbers())) > 20
    anywhere = {f.over_bits() for kind in proof.everywhere(proof.pair(0)).values() for f in kind()}
    anywhere |= {fact.over_bits() for fact in proof.m_made()}
    at_age = {(age, fact.over_bits()) for age in range(1, proof.last + 1) for fact in proof.at_age(age)}
    used = {each for each in proof.facts if each[1] not in anywhere}
    assert used and not {(age, text) for age, text in used if not {(age, text), (age - 1, text)} & at_age}


def test_an_argument_about_numbers_of_rows_of_blocks_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    proof = small(room(DSP))
    for obligation in proof.all():
        for text in obligation.texts[-1:] if obligation.solver == "z3" else ():
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_rows_of_blocks_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = small(room(DSP))
    assert isinstance(right, Rows)
    base, scale = right.base, right.scale
    texts = {
        right.summed(): (f"(* {base} r.6)", "r.6"),
        right.reached(): ("(< h (* 2 M))", "true"),
        right.ended(): ("(= (= sign 1) (< Z M))", "true"),
        list(right.bounded())[2]: ("(<= 0 d)", "true"),
        list(right.bounded())[4]: (f"(<= 0 qM (* {scale - 1} M))", "(<= 0 qM)"),
        right.composed(): ("(=> (and at.9_n at.8 past.8) past.9_n)", "true"),
    }
    for text, (old, new) in texts.items():
        assert old in text
        said = [SOLVERS["z3"](each, SECONDS) for each in (text, text.replace(old, new, 1))]
        assert said == ["unsat", "sat"], (old, new)
