# SPDX-License-Identifier: Apache-2.0
"""The product modulo a sparse prime, of what is pushed out and added back; what shows that it can fail."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    SECONDS,
    SPARSE,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.sparse_prime import AddedBack
from modmul.prove.reach import Verdict
from modmul.prove.solve import Obligation, discharge
from modmul.prove.terms import Fact, number
from modmul.registry import Room, room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

CORE, CONTROL = "mm_sparse_prime", "mm_sparse_prime_control"
SUM, CONVERTER = "mm_sparse_prime_loop", "mm_sparse_prime_converter"
TIMES, SCHEDULE = "mm_sparse_prime_times", "mm_serial_loop"

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
SM2 = 2**256 - 2**224 - 2**96 + 2**64 - 1

WRONG = (
    (8, "pass 0", CONVERTER, "= (Top-j)'(p);", "= (Top-j)'(p >> 1);"),
    (8, "sum at rest", CORE, "(M - sum % M) % M", "sum % M"),
    (8, "result", CONVERTER, "z_o = cut_q ?", "z_o = ~cut_q ?"),
    (8, "control", CONTROL, "fold_q  <= pass_q != LastPass & pass_q", "fold_q  <= pass_q"),
    (24, "control", "mm_serial_input", "<= full_q2 & ~go_i", "<= (full_q2 | full_q) & ~go_i"),
    (24, "control", SCHEDULE, "run_q & digit_q == LastDigit);", "run_q & digit_q == '0);"),
    (24, "contexts", CORE, "(same_q | beat == '0)", "(same_q | beat != '0)"),
    (24, "contexts", "mm_context_gate", "whole_q & ctx_legal_i & ~ctx", "whole_q & ~ctx"),
    (24, "operands", CORE, "{(B/2){2'b01}}, x_carry_q}", "{(B/2){2'b01}}, 1'b0}"),
    (24, "operands", CORE, "if (m_load || lead) x_carry_q", "if (m_load) x_carry_q"),
    (24, "digits of x", SCHEDULE, "bank_q ^ run_q;", "bank_q;"),
    (24, "digits of x", CORE, "x_shift_q <= x_shift_q << K;", "x_shift_q <= x_shift_q << 1;"),
    (8, "digits of x", CORE, "{x_shift_q[B-1], ~x_shift_q[B-1]}", "{~x_shift_q[B-1], x_shift_q[B-1]}"),
    (24, "sum at rest", SUM, "c_q    <= '0;", "c_q    <= c_q;"),
    (24, "addends", SUM, "negative_q[r] <= code_i[2*r+:2] == 2'd0;", "negative_q[r] <= 1'b0;"),
    (24, "addends", SUM, "{1'b0, b[End-1:i], carry_in}", "{1'b0, b[End-1:i], 1'b0}"),
    (24, "addends", SUM, "{1'b0, t[EEnd-1:First]}", "{1'b0, t[EEnd-1:First] & ~t[First]}"),
    (24, "addends", SUM, "NE'((1 << TBits) - 1 - t)", "NE'((1 << TBits) - t)"),
    (24, "addends", SUM, "= c_q[Ages-2][j-Group];", "= c_q[Ages-1][j-Group];"),
    (24, "addends", SUM, "e_carry_q | f_carry[i];", "e_carry_q ^ f_q[i];"),
    (24, "the pieces", SUM, "(Bits+1)'(carry_in);", "(Bits+1)'({carry_in, 1'b0});"),
    (24, "the pieces", SUM, "f_q[NE-1:N] + TBits'(crossing);", "f_q[NE-1:N];"),
    (24, "words that are made", SUM, "c_q[(j-Below)/K][Below];", "c_q[0][Below];"),
    (24, "W and the digits", SUM, "+ TBits'(c_q[0][N]) +", "+"),
    (8, "addends", SUM, "e_low   = negative_q[0];", "e_low   = ~negative_q[0];"),
    (24, "W", CORE, "w_q <= WBits'(t_q);", "w_q <= WBits'(t);"),
    (16, "W", TIMES, "Minus[i] ? so_far - term : so_far + term", "so_far + term"),
    (16, "control", CONTROL, "& (~first_q | index_q >= WordsIndex);", ";"),
    (16, "products", CONVERTER, "high_i ? WBits'(high_q)", "high_i ? WBits'(high_q[0])"),
    (16, "words of the sum", CONVERTER, "{1'b0, c_q, u_carry_q}", "{1'b0, c_q, ~u_carry_q}"),
    (16, "words of the sum", CONVERTER, "u_sum[Word+1] & other_q[0];", "u_sum[Word+1] & ~other_q[0];"),
    (8, "passes", CONVERTER, "& (j < Part || index_i != IndexBits'(Beats - 1));", ";"),
    (8, "passes", CONVERTER, "HighBits'(far >> (N % Word));", "HighBits'(far);"),
    (8, "passes", CONVERTER, "show_i && !high_q[0]", "show_i && high_q[0]"),
    (24, "passes", CONVERTER, "<= index_i != '0 & sum[Word+1];", "<= index_i != '0 & sum[Word];"),
    (24, "what is right", CORE, "w_q <= (w_q << K) +", "w_q <= (w_q << 1) +"),
    (24, "what is right", CONVERTER, "c_taken_q <= c_i;", "c_taken_q <= s_i;"),
)
"""Of short builds, part of the proof, module, change."""


@cache
def proof(width: int) -> AddedBack:
    """The argument for a short build."""
    found = small(room(SPARSE), width)
    assert isinstance(found, AddedBack)
    return found


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (4096, {"Word": 64, "Digit": 1}),
        (4, {"Word": 16}),
        (4080, {"Word": 16, "Digit": 4}),
    ],
)
def test_moduli_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """More cycles than are counted, one digit, more words than are counted."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(SPARSE).build(width, settings))


def asked(found: Room, width: int, name: str) -> Obligation:
    """The first obligation whose name begins so."""
    return next(named(small(found, width), name))


@pytest.mark.parametrize(
    ("width", "name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG)],
)
def test_a_wrong_sparse_prime_is_refuted(
    width: int, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(SPARSE)
    questions = [
        next(named(proof(width), name)),
        asked(mutant(found, tmp_path, module, old, new), width, name),
    ]
    only_the_first_is_proven(questions, store)


@pytest.mark.parametrize(
    "width", [8, pytest.param(16, marks=pytest.mark.long), pytest.param(24, marks=pytest.mark.long)]
)
def test_what_is_used_of_a_sparse_prime_is_shown(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers is shown; and a name is of one word."""
    used: set[str] = set()

    def told(facts: Iterable[Fact], *_others: Any) -> str:
        every = list(facts)
        used.update(fact.over_bits() for fact in every)
        words = {word for fact in every for word in fact.words()}
        assert len({word.name for word in words}) == len(words)
        return ""

    found = proof(width)
    texts = "".join(text for each in found.of_steps() for text in each.texts)
    monkeypatch.setattr("modmul.prove.product.sparse_prime.refuting", told)
    assert len(list(found.of_numbers())) == 7
    assert len(used) > 50
    assert all(fact in texts for fact in used)


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (256, {}),
        (256, {"Modulus": P256}),
        (256, {"Modulus": SM2}),
        (255, {}),
        (255, {"Digit": 2}),
        (192, {"Digit": 1, "Word": 64}),
    ],
)
def test_every_result_modulo_a_prime_in_use_is_the_product(
    width: int, settings: dict[str, int], store: Store
) -> None:
    """secp256k1, P-256, SM2, and Curve25519, of two digits; P-192, bit by bit."""
    (found,) = arguments(room(SPARSE).build(width, settings))
    for obligation, outcome in discharge(list(found.all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


@pytest.mark.parametrize("width", [8, 24])
def test_an_argument_about_numbers_of_a_sparse_prime_is_not_about_nothing(width: int) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    for obligation in proof(width).of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_sparse_prime_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right, bits = proof(24), proof(8)
    n, m, step = right.width, right.modulus, right.summed()
    first, second = list(right.folded())
    texts = (
        (step, f"(< |y| {1 << n})", f"(< |y| {2 << n})"),
        (step, "(* 1 |fc80|) (* 1 |ec80|)", "(* 1 |fc80|)"),
        (step, f"(* {1 << 48} |cs3.32|)", f"(* {1 << 49} |cs3.32|)"),
        (step, "(* 1 |in0|) (* 1 |neg1|)", "(* 1 |in0|) (* 1 |neg0|)"),
        (step, "(= (* 1 |cn1.32|) (* 1 |cs0.32|))", "true"),
        (step, "(* (- 1) |cs3.80|)", "0"),
        (step, "(* (- 1) |cn0.96|)", "0"),
        (step, "(= (* 1 |Offset|) 5)", "(= (* 1 |Offset|) 4)"),
        (bits.summed(), "(assert (< 0 (* 1 |code0|)))", ""),
        (right.kept_right(), "(= (* 1 |pu|) (* 1 |p3|))", "true"),
        (right.kept_right(), f"{number(-m * right.removed)} |pu|", f"{number(-m * right.removed - m)} |pu|"),
        (next(right.distributed()), "(* (- 1) y)", "(* 1 y)"),
        (right.digits_right(), "(= (* 1 |x0.1|) 1)", "true"),
        (right.begun(), "(= C 0)", "true"),
        (right.constants_right(), "(= A.1 (+ (* 16 A.0)", "(= A.1 (+ (* 15 A.0)"),
        (first, "(= (+ (* 1 |w0|) (* 1 |w|))", "(= (+ (* 2 |w0|) (* 1 |w|))"),
        (first, "(= (* 1 |A|) (+ (* 1 |S|) (* 1 |C|)))", "(= (* 1 |A|) (* 1 |S|))"),
        (second, f"(<= |Us| {right.most[0]})", "true"),
        (second, "(= (* 1 |w|) (* 1 |high|))", "true"),
        (right.result_right(), f"(<= |As| {right.most[-1]})", f"(<= |As| {2 * m})"),
        (right.result_right(), f"(= K (* {m} a))", "true"),
        (right.result_right(), f"(* {right.d} |Us.bit|)", f"{right.d}"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)
