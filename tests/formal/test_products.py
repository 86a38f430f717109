# SPDX-License-Identifier: Apache-2.0
"""Results are products: of short builds of every core, and how questions are asked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from formal_builds import (
    AT_ONCE,
    BITWISE,
    IN_TURN,
    LEFT,
    RIGHT,
    SECONDS,
    TWO,
    UPWARD,
    WIDTH,
    named,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import PRODUCTS, SHARED
from modmul.prove.product.interleaved_cores import CORES
from modmul.prove.reach import Verdict, reach
from modmul.prove.solve import Obligation, discharge
from modmul.prove.terms import (
    Compared,
    Congruent,
    Joined,
    Product,
    Relation,
    Word,
    all_of,
    any_of,
    equal,
    implies,
    negation,
)
from modmul.prove.watch import CONTRACT, TOP, watch_bench
from modmul.registry import room
from modmul.tools.run import log_file, run_tool
from modmul.tools.store import Store


@pytest.mark.long
@pytest.mark.parametrize("width", [8, 16, 24])
@pytest.mark.parametrize(
    ("slug", "place"), [(slug, k) for slug in PRODUCTS for k in range(len(PRODUCTS[slug]))]
)
def test_every_result_is_the_product(slug: str, place: int, width: int, store: Store) -> None:
    proof = small(room(slug), width, place=place)
    for obligation, outcome in discharge(list(proof.all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


CASES = 2
"""Of an obligation, about as many in ``make test``."""


@pytest.mark.parametrize(
    "most", [pytest.param(CASES, id="some"), pytest.param(sys.maxsize, id="all", marks=pytest.mark.long)]
)
@pytest.mark.parametrize(
    ("slug", "width", "shared"),
    [
        *((slug, 3, 0) for slug in CORES),
        *((slug, 3, 1) for slug in SHARED),
        *((slug, 8, 0) for slug in (LEFT, RIGHT)),
        *(pytest.param(slug, 8, 0, marks=pytest.mark.long) for slug in (BITWISE, IN_TURN, UPWARD, AT_ONCE)),
    ],
)
def test_results_of_short_operands_are_products(slug: str, width: int, shared: int, most: int) -> None:
    """Of three bits, which some digits do not divide; asked here, since a process each would take longer."""
    for obligation in small(room(slug), width, shared).all():
        wanted = "unsat" if obligation.holds else "sat"
        some = obligation.texts[:: len(obligation.texts) // most or 1]
        said = {SOLVERS[obligation.solver](text, SECONDS) for text in some}
        assert said == {wanted}, obligation.name


def test_both_readings_of_a_relation_are_one(store: Store) -> None:
    """For all values of the bits; and a relation that is read wrongly is found."""
    a, b = Word("a", "a", 3), Word("b", "b", 2)
    relation = Relation({(a, 0): 1, (a, 2): 2}, {(a, 1): 1, (b, 0): 1, (b, 1): 3}, 1)
    lines = ["(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 2))"]
    for word in (a, b):
        for place in range(word.bits):
            bit = f"(ite (= ((_ extract {place} {place}) {word.term}) #b1) 1 0)"
            lines.append(f"(define-fun {word.bit(place)} () Int {bit})")
    same = equal(relation.over_bits(), relation.over_integers())
    wrong = equal(relation.over_bits(), relation.over_integers().replace("(* 3 ", "(* 2 "))
    texts = ["\n".join((*lines, f"(assert {negation(each)})")) for each in (same, wrong)]
    asked = [Obligation("", "", "z3", (text,)) for text in texts]
    assert [outcome.verdict for _, outcome in discharge(asked, store, SECONDS)] == [
        Verdict.PROVEN,
        Verdict.REFUTED,
    ]
    for weights in ({(a, 0): -1}, {(a, 0): 300}):
        with pytest.raises(ValueError, match="small and not negative"):
            Relation(weights, {})
    with pytest.raises(ValueError, match="has no bit 3"):
        Relation({(a, 3): 1}, {})


def test_both_readings_of_facts_about_words_are_one(store: Store) -> None:
    """For all values of the words; with another weight, sign or length one reading is another fact."""
    a, b = Word("A", "a", 3), Word("B", "b", 2)
    cut, product = a.cut(2, 1, "high"), Word("P", "p", 5)
    lines = ["(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 2))(declare-const p (_ BitVec 5))"]
    for word in (a, b, cut, product):
        bits = (f"(ite (= ((_ extract {i} {i}) {word.term}) #b1) {1 << i} 0)" for i in range(word.bits))
        lines.append(f"(define-fun {word.whole} () Int (+ {' '.join(bits)}))")
    sums, less = Compared({a: 2, b: 1}, "=", {cut: 5}, 4), Compared({a: 1}, "<", {b: 3}, 1)
    most, modulo = Compared({cut: 3}, "<=", {b: 1}), Congruent({a: 3, b: 1}, {cut: 1}, 2)
    facts = (
        (sums, Compared({a: 2, b: 1}, "=", {cut: 5}, 3)),
        (less, Compared({a: 1}, "<=", {b: 3}, 1)),
        (most, Compared({cut: 3}, "<=", {b: 2})),
        (modulo, Congruent({a: 3, b: 1}, {cut: 1}, 3)),
        (Joined(implies, (less, modulo)), Joined(implies, (modulo, less))),
        (Joined(any_of, (sums, most)), Joined(all_of, (sums, most))),
        (Product(product, a, b), Product(product, a, cut)),
    )
    for fact, other in facts:
        pairs = [equal(fact.over_bits(), each.over_integers()) for each in (fact, other)]
        asked = [
            Obligation("", "", "z3", ("\n".join((*lines, f"(assert {negation(pair)})")),)) for pair in pairs
        ]
        verdicts = [outcome.verdict for _, outcome in discharge(asked, store, SECONDS)]
        assert verdicts == [Verdict.PROVEN, Verdict.REFUTED], fact
    for wrong in (lambda: Compared({a: -1}, "=", {}), lambda: Congruent({a: 8}, {b: 1}, 3)):
        with pytest.raises(ValueError, match="not negative"):
            wrong()
    with pytest.raises(ValueError, match="as long as both"):
        Product(product, a, a)


def test_an_answered_question_is_not_asked_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    right = small(room(TWO))
    asked = list(named(right, "these are all states"))
    [(_, first)] = discharge(asked, store, SECONDS)
    monkeypatch.setattr("modmul.prove.solve.run_tool", None)
    [(_, again)] = discharge(asked, store, SECONDS)
    assert first == again and first.verdict is Verdict.PROVEN


def overwritten(command: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
    """Runs a tool while another process begins with the same question, and so with a log of the same name."""
    took = run_tool(command, folder=folder, log=log, timeout=timeout)
    log_file(log.stem).write_bytes(b"")
    return took


def test_answers_do_not_mix_with_those_of_others_who_ask_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modmul.prove.solve.run_tool", overwritten)
    monkeypatch.setattr("modmul.prove.reach.run_tool", overwritten)
    for solver in SOLVERS:
        asked = Obligation("", "", solver, ("(set-logic QF_BV)(assert false)",))
        [(_, outcome)] = discharge([asked], store, SECONDS)
        assert outcome.verdict is Verdict.PROVEN
    build = room("imml_booth4").build(WIDTH)
    names = [rule.name for rule in CONTRACT]
    [(_, outcome)] = reach(build.design, watch_bench(build), TOP, names, SECONDS, ["reset"])
    assert outcome.verdict is Verdict.PROVEN
