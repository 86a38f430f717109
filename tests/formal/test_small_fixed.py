# SPDX-License-Identifier: Apache-2.0
"""The product of the pipeline for one small modulus; and what shows that it can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    FIXED,
    SECONDS,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.small_fixed import ForOne
from modmul.prove.product.small_fixed_divided import Digits, Proth
from modmul.prove.product.small_fixed_words import Fixed, Ones, Tables
from modmul.prove.reach import Verdict
from modmul.prove.solve import discharge
from modmul.prove.terms import Fact
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

PIPE, PRODUCT, MAC, STANDS = "mm_small_fixed", "mm_small_product", "mm_small_mac", "mm_small_control"
ONES, PROTH, DIGITS, TABLES = (f"{PIPE}_{way}" for way in ("ones", "proth", "digits", "tables"))

WRONG_PIPES = (
    (8, "a block multiplies", MAC, "a_q * b_q", "a_q * b_q + PBits'(a_q[0] & b_q[0])"),
    (8, "the context goes on", PIPE, "ctx_data_i == M", "ctx_data_i >= M"),
    (7, "goes on holding from age 3", ONES, "sum[Width] | &sum[Width-1:0]", "sum[Width]"),
    (8, "goes on holding from age 4", PROTH, "rest[G] | &rest[G-1:0]", "rest[G]"),
    (16, "goes on holding from age 6", DIGITS, "i % K : i / K)", "i % K : (i + 1) / K)"),
    (24, "goes on holding from age 7", TABLES, "(One << place) % M;", "(One << place + 1) % M;"),
    (8, "the gate goes on", "mm_context_gate", "ctx_legal_i & ~ctx_load_o", "ctx_legal_i"),
    (8, "the gate goes on", STANDS, "go & ~load &", "go &"),
    (8, "the count goes on", STANDS, "if (go) there_q <=", "there_q <="),
    (8, "there are none in reset", STANDS, "there_q <= '0;", "there_q <= Depth'(1);"),
    (8, "the operands are in their", PRODUCT, "assign a_late = a;", "assign a_late = ~a;"),
    (8, "goes on holding from age 1", MAC, "if (en_i) begin", "begin"),
    (8, "goes on holding from age 2", PRODUCT, "= sum[Kept-1:0];", "= ~sum[Kept-1:0];"),
    (16, "goes on holding from age 4", PRODUCT, ".c_i(first)", ".c_i(~first)"),
    (24, "goes on holding from age 6", PRODUCT, "(1'b0), .sum_o(sum[2", "(1'b1), .sum_o(sum[2"),
    (7, "goes on holding from age 2", ONES, "t_i[2*Width-1:Width]", "t_i[2*Width-2:Width-1]"),
    (8, "goes on holding from age 3", PROTH, "].late >> 2 * S)", "].late >> 2 * S + 1)"),
    (8, "goes on holding from age 4", PROTH, "sum ^ {q[0], none}", "sum"),
    (
        8,
        "goes on holding from age 4",
        PROTH,
        "{1'b0, top, t[Place-1:0]}",
        "{1'b0, rest[G-1:0], t[Place-1:0]}",
    ),
    (8, "goes on holding from age 5", f"{PIPE}_last", "{Width{r_i[Width]}}", "{Width{r_i[Width-1]}}"),
    (12, "goes on holding from age 2", PROTH, "= fraction[Behind];", "= 1'b0;"),
    (12, "goes on holding from age 2", PROTH, "XBits'(e >> S)", "XBits'(e >> S + 1)"),
    (12, "goes on holding from age 3", PROTH, "({above_late, more})", "({1'b0, more})"),
    (12, "goes on holding from age 3", PROTH, ".Cycles(Before), .Keep(1)", ".Cycles(Before + 1), .Keep(1)"),
    (16, "goes on holding from age 5", DIGITS, "low_q    <= t_i[Place-1:0]", "low_q    <= t_i[Place:1]"),
    (16, "goes on holding from age 6", DIGITS, ".Minus(1)", ".Minus(0)"),
    (24, "goes on holding from age 7", "mm_small_table", "at_i[d-1] ?", "~at_i[d-1] ?"),
    (24, "goes on holding from age 10", TABLES, "residues(N - 1, M)", "residues(N - 1, '0)"),
    (
        44,
        "goes on holding from age 7",
        PRODUCT,
        "'(row) << First;",
        "'(row) << First | (2*Bits)'(row[0]) << (First > 0 ? First - 1 : 0);",
    ),
    (44, "goes on holding from age 9", PRODUCT, "(1'b0), .sum_o(sum[2", "(l > 1), .sum_o(sum[2"),
    (48, "goes on holding from age 6", PROTH, "shift = shift * 3;", "shift = shift * 2;"),
)
"""The same of a pipeline for one small modulus, each with the width of :data:`ONE_BY_ONE`."""

NAMED = (
    (12, 3329),
    (14, 12289),
    (23, 8380417),
    (31, 2**31 - 2**27 + 1),
    (31, 2**31 - 2**24 + 1),
    (31, 2**31 - 1),
    (64, 2**64 - 2**32 + 1),
)
"""Width and modulus of the builds that the library is made for."""

LEVELS = ((7, 2**7 - 1), (12, 2**12 - 2**8 + 1), (48, 2**48 - 2**44 + 1))
"""Others, of which the second divides in two levels and the third in three."""


def proven(width: int) -> ForOne:
    proof = small(room(FIXED), width)
    assert isinstance(proof, ForOne)
    return proof


@pytest.mark.parametrize(("width", "settings"), [(12, {"Carry": 36}), (31, {"Queue": 1})])
def test_pipelines_for_one_modulus_that_the_argument_does_not_cover(
    width: int, settings: dict[str, int]
) -> None:
    """With registers behind each product, with a memory of results."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(FIXED).build(width, settings))


@pytest.mark.parametrize(
    ("width", "name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG_PIPES)],
)
def test_a_wrong_pipeline_for_one_modulus_is_refuted(
    width: int, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(FIXED)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, width), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


@pytest.mark.parametrize("width", [7, 12, 16, 24])
def test_what_is_used_of_a_pipeline_for_one_modulus_is_shown(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fact under an argument about numbers defines a word, or is shown; each word is defined once."""
    used: set[str] = set()

    def told(facts: Iterable[Fact], *others: str, **more: Any) -> str:
        used.update(fact.over_bits() for fact in facts)
        return ""

    for module in ("small_words", "small_fixed_words", "small_fixed_divided"):
        monkeypatch.setattr(f"modmul.prove.product.{module}.refuting", told)
    proof = proven(width)
    texts = "".join(text for each in proof.of_netlist() for text in each.texts)
    flow = proof.flow
    shown = {part.over_bits() for part in flow.parts.values()}
    assert all(any(each.texts for _ in each.texts) for each in proof.of_numbers())
    defined = {word.term: fact.over_bits() for word, (_, fact) in flow.defined.items()}
    defined |= {word.term: block.product.over_bits() for word, block in flow.blocks.items()}
    shown |= set(defined.values())
    assert used
    assert used <= shown and all(each in texts for each in used)
    known, left = {word.term for word in flow.given}, dict(defined)
    assert not known & left.keys()
    while left:
        ready = {word for word, made in left.items() if set(re.findall(r"\|[^|]*\|", made)) <= known | {word}}
        assert ready
        known |= ready
        left = {word: made for word, made in left.items() if word not in ready}


@pytest.mark.long
@pytest.mark.parametrize(("width", "modulus"), NAMED + LEVELS)
def test_every_result_of_a_build_for_one_modulus_is_the_product(
    width: int, modulus: int, store: Store
) -> None:
    build = room(FIXED).build(width, {"Modulus": modulus})
    (proof,) = arguments(build)
    for obligation, outcome in discharge(list(proof.all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


@pytest.mark.long
def test_every_result_of_a_build_with_many_rows_is_the_product(store: Store) -> None:
    """The second level adds what is below the places of its nodes, which is 0."""
    for obligation, outcome in discharge(list(proven(44).all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


@pytest.mark.long
@pytest.mark.parametrize("width", [2, 3, 4, 5, 6])
def test_results_of_every_short_modulus_are_products(width: int) -> None:
    for modulus in range((1 << width - 1) + 1, 1 << width, 2):
        (proof,) = arguments(room(FIXED).build(width, {"Modulus": modulus}))
        for obligation in proof.all():
            said = {SOLVERS[obligation.solver](text, SECONDS) for text in obligation.texts}
            assert said == {"unsat" if obligation.holds else "sat"}, (modulus, obligation.name)


@pytest.mark.parametrize("width", [7, 12, 16, 24])
def test_an_argument_about_numbers_of_one_modulus_is_not_about_nothing(width: int) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    for obligation in proven(width).of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_one_modulus_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    ones, one, two, digits, tables = flows = [proven(width).flow for width in (7, 8, 12, 16, 24)]
    assert all(isinstance(flow, Fixed) for flow in flows)
    assert isinstance(ones, Ones) and isinstance(digits, Digits) and isinstance(tables, Tables)
    assert isinstance(one, Proth) and isinstance(two, Proth)
    (below, less, square), (left, more) = one.product_bounded(), one.remains()
    wrong, second, *_ = digits.digits_right()
    block, (_, first), last = one.rows[0].blocks[0][1].product, digits.digits[0], len(tables.sums) - 1
    texts = (
        # Of every kind.
        (below, "(<= 0 x 240)", "(<= 0 x 241)"),
        (less, "(<= 0 y 240)", "(<= 0 y 241)"),
        (square, "(= y 241)", "(<= y 241)"),
        (next(one.bounded()), "(<= 0 b ", "(<= (- 1) b "),
        (one.row(one.rows[0]), f"(<= 0 {block.name} {block.most})", "true"),
        (one.row_right(one.rows[0]), "(* x y1)", "(* x y0)"),
        (tables.summed(), f"(<= 0 xy {((1 << 24) - 1) ** 2})", "true"),
        (tables.product_right(), "(* x1 y)", "(* x0 y)"),
        (one.corrected(one.r), "(< made 241)", "(<= made 241)"),
        (one.corrected(one.r), "(<= (- 241) made)", "true"),
        (one.right()[1], "(= T (+ made (* 241 Q)))", "true"),
        # M = 2**n - 1.
        (ones.folded(), ones.largest[1], "true"),
        (ones.result(), f"(<= 0 {ones.t.whole} 253)", "true"),
        (ones.reduction()["z is right"][1], "(= t (+ made 127))", "true"),
        # Division by k = 2**g - 1.
        (one.divided(), one.largest[1], "true"),
        (two.divided(), two.largest[1], "true"),
        (two.lowest_right(), two.defined[two.low][1].over_integers(), "true"),
        (left, one.near[0], "true"),
        (left, one.near[1], "true"),
        (more, f"(<= 0 {one.remainder.whole} 29)", f"(<= 0 {one.remainder.whole} 30)"),
        (one.put_together(), "(= rest (+ (* 15 more) R))", "true"),
        (one.reduction()["r"][0], f"(<= 0 {one.top.whole} 14)", "true"),
        (one.reduction()["r"][0], f" {241**2 - 241})", f" {241**2})"),
        # Digits.
        (second, digits.step(0)[1], "true"),
        (digits.reduction()["Q"][0], digits.step(1)[0], "true"),
        (digits.reduction()["Q"][0], digits.largest[1], "true"),
        (digits.reduction()["r"][0], f"(<= 0 {digits.states[-1].whole} 4)", "true"),
        (wrong, f"(= (* 1 {first.whole}) 0)", f"(= (* 1 {first.whole}) 1)"),
        # Tables.
        (tables.residue(0), tables.defined[tables.folds[0][2]][1].over_integers(), "true"),
        (tables.fold(0), tables.largest[1], "true"),
        (tables.fold(1), tables.multiple(1), "true"),
        (tables.fold(last), f"(<= 0 {tables.entry(last)} {tables.m - 1})", "true"),
        (tables.fold(last), f"(+ made (* {tables.m} (+ u 1)))", f"(+ made (* {tables.m} u))"),
        (tables.closed(), f"(* {tables.m} u1)", "(* 2 u1)"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


def test_that_the_context_is_the_modulus_rests_on_an_operation() -> None:
    """It is M while an operation is under way, and may be another one at other times."""
    proof = proven(8)
    [(text,)] = [each.texts for each in named(proof, "the context is M")]
    refuted_without(text, "bitwuzla", f"(assert {proof.system.state('s').is_('followed', 1)})", "")
