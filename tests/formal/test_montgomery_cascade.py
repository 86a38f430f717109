# SPDX-License-Identifier: Apache-2.0
"""The product of rows of multiplier blocks that add up among themselves; and what shows that it can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest
from formal_builds import (
    CASCADE,
    SECONDS,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.montgomery_cascade import Cascade
from modmul.prove.product.montgomery_dsp_row import is_
from modmul.prove.terms import Fact, Word
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

CORE = "mm_montgomery_cascade"
CONTROL, CONVERTER, OUTPUT = f"{CORE}_control", f"{CORE}_converter", f"{CORE}_output"
ROW, SELECT = f"{CORE}_row", f"{CORE}_select"
WRONG = (
    (
        "in every cycle: the columns of S",
        ROW,
        "run_i ? Bits'(product) + above : '0;",
        "Bits'(product) + above;",
    ),
    ("slots goes on holding", CONTROL, "PeriodBits'(Period - 2)", "PeriodBits'(Period - 3)"),
    ("at ages 16", CONVERTER, "at_m[At-1] ? m : '0;", "m;"),
    ("in every cycle: Q", CONVERTER, "middle_q + v_sum[Extra-1:0]", "middle_q ^ v_sum[Extra-1:0]"),
    (
        "at ages 11",
        SELECT,
        "four[3*Bits+:Bits] : four[2*Bits+:Bits]",
        "four[2*Bits+:Bits] : four[3*Bits+:Bits]",
    ),
    ("at ages 11", CONVERTER, "k_q <= at[i*At-1] ? k : '0;", "k_q <= k;"),
    ("operands goes on holding", CORE, "if (in_there)     y_next_q", "if (in_valid_i)   y_next_q"),
    ("operands goes on holding", CONTROL, "half_q ^ start;", "half_q ^ start_q;"),
    (
        "result goes on holding",
        OUTPUT,
        "borrow_q[read_q[SlotBits-1:0]] ?",
        "borrow_q[write_q[SlotBits-1:0]] ?",
    ),
    ("result goes on holding", OUTPUT, "if (take) z_o", "if (1'b1) z_o"),
    ("ages goes on holding", CONVERTER, "IndexBits'(Columns - 1)", "IndexBits'(Columns - 2)"),
    ("ages goes on holding", CONTROL, "32'(step_q) >= 32'(Delay)", "32'(step_q) > 32'(Delay)"),
    ("words of a context goes on", CONTROL, "number_q[1] ? BeatBits'(1)", "number_q[1] ? BeatBits'(0)"),
    ("gate goes on holding", CONTROL, "ops_q == '0 & ~full_q & ~valid_i;", "ops_q == '0 & ~full_q;"),
    ("context goes on holding", CORE, "if (ctx_there[2]) k_q", "if (|ctx_there[3:2]) k_q"),
    ("queue goes on holding", CONTROL, "room_q  <= ops != OpBits'(Slots);", "room_q  <= 1'b1;"),
    ("place goes on holding", OUTPUT, "if (done_i) write_q", "if (done_i & out_ready_i) write_q"),
    ("in every cycle: the blocks of x", "mm_block_mul", "PBits'(b_q);", "PBits'(b_q | 1'b1);"),
    (
        "in every cycle: the blocks of s",
        CORE,
        ".digit_i(s), .number_i(k_q)",
        ".digit_i(s ^ x), .number_i(k_q)",
    ),
    ("in every cycle: the lowest column", CORE, "digit_run ?", "digit_run | total_q[0] ?"),
    ("in every cycle: the columns that are taken", CONVERTER, "s_q <= s_i[j*Bits", "s_q <= x_i[j*Bits"),
    ("in every cycle: the columns of V", CONVERTER, "VBits'(product) + v[", "VBits'(product) | v["),
    ("in every cycle: the digits that are", CONVERTER, "if (pulse[i-1]) digit_q", "if (pulse[i]) digit_q"),
    ("in every cycle: the products of Q", CONVERTER, "QBits'(v_late_q);", "QBits'(v_late_q | v_late);"),
    (
        "in every cycle: the digits of V",
        CONVERTER,
        "sum_q + (digits_q >> Digit)",
        "sum_q + QBits'(digits_q[2*Digit-1:Digit])",
    ),
    (
        "in every cycle: Z and Z - M",
        CONVERTER,
        "|there[ZDigits-Columns+3:3] & less[Digit+1]",
        "less[Digit+1]",
    ),
    ("each age comes behind the one", CONTROL, ".ctx_free_i(free_q & ~full_q)", ".ctx_free_i(free_q)"),
)
"""What is asked of the netlist, and hardware of which it is not true: the source, what stands there, and what
does then."""


@cache
def plain() -> Cascade:
    """The argument for a short build."""
    proof = small(room(CASCADE))
    assert isinstance(proof, Cascade)
    return proof


@pytest.mark.parametrize(
    ("width", "settings"),
    [(256, {"Fanout": 1}), (255, {}), (252, {}), (52, {}), (256, {"Word": 16})],
)
def test_cascades_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """With further registers, with no room in the last digit, with few digits."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(CASCADE).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG)],
)
def test_a_wrong_cascade_is_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    broken = mutant(room(CASCADE), tmp_path / "room", module, old, new)
    asked = [next(named(proof, name)) for proof in (plain(), small(broken))]
    only_the_first_is_proven(asked, store)


class Told(Cascade):
    """Keeps the facts about the netlist that an argument about numbers uses."""

    facts: ClassVar[set[tuple[int, str]]] = set()

    def holding(self, facts: Iterable[Fact], goal: str, *more: str, **words: Any) -> str:
        every = list(facts)
        for fact in every:
            ages = [int(found) for word in fact.words() for found in re.findall(r"@(\d+)", word.name)]
            self.facts.add((min(ages, default=0), fact.over_bits()))
        return super().holding(every, goal, *more, **words)


def test_what_is_used_of_cascades_is_shown() -> None:
    """Each fact under an argument about numbers is shown of the netlist, at its age or anywhere."""
    proof = Told(plain().build, plain().system)
    assert len(list(proof.of_numbers())) > 20
    anywhere = {f.over_bits() for kind in proof.everywhere(proof.pair(0)).values() for f in kind()}
    at_age = {(age, fact.over_bits()) for age in range(1, proof.last + 1) for fact in proof.at_age(age)}
    used = {each for each in proof.facts if each[1] not in anywhere}
    assert used and not {(age, text) for age, text in used if not {(age, text), (age - 1, text)} & at_age}


def test_an_argument_about_numbers_of_cascades_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    for obligation in plain().all():
        for text in obligation.texts[-1:] if obligation.solver == "z3" else ():
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_cascades_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = plain()
    base, scale, n = right.base, right.scale, right.steps

    def most(word: Word, value: int) -> str:
        return f"(assert {right.up_to(word, value)})"

    def nothing(word: Word) -> str:
        return f"(assert (= {word.whole} 0))"

    before = is_(right.pair(right.out - 1).now("core.u_converter.write_o"), 0).over_integers()
    texts = (
        (next(right.most_of_products()), f"(<= 0 a {base - 1})", f"(<= 0 a {base})"),
        (right.moved(1), most(right.column_at("x", 0, 1), right.most), ""),
        (right.lowest_of(1), most(right.lowest_at(0), right.most_lowest), ""),
        (right.step(1), nothing(right.product_at("s", 1, 0)), ""),
        (right.v_column(0), most(right.lowest_at(n - 1), right.most_lowest), ""),
        (right.v_column(n), nothing(right.back_at(1, n)), ""),
        (right.q_column(0), most(right.v_at(0), right.most_v), ""),
        (right.digit_of(0), nothing(right.sum_at(-1)), ""),
        (right.digit_of(1), most(right.digits_at(0), right.most_carried * base), ""),
        (list(right.next_lowest())[1], "(= |next@27| 1)", "true"),
        (list(right.next_lowest())[3], "(* q m0)", "q"),
        (right.z_words_made(), nothing(right.digit_at(n + 1)), ""),
        (right.less_words(), f"(assert {before})", ""),
        (right.exact(), f"(* {base} u)", "u"),
        (right.summed(), f"(* {base} r.5)", "r.5"),
        (right.reached(), "(< h (* 2 M))", "true"),
        (right.reached(), f"(< left {base})", "true"),
        (right.ended(), "(= (= sign 1) (< Z M))", "true"),
        (list(right.bounded())[2], "(<= 0 d)", "true"),
        (list(right.bounded())[4], f"(<= 0 qM (* {scale - 1} M))", "(<= 0 qM)"),
        (right.composed(), "(=> (and at.9_n at.8 past.8) past.9_n)", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


@pytest.mark.long
def test_a_digit_that_is_left_over_is_seen_in_the_next_operation() -> None:
    """Where operations are as near as they can be, what is carried out of the highest digit has to be 0."""
    near = small(room(CASCADE), 24)
    assert isinstance(near, Cascade) and near.period == near.steps + 1
    over = f"(assert (= {near.carried_at(near.steps).whole} 0))"
    refuted_without(near.above_digits(), "z3", over, "")
