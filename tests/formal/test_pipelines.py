# SPDX-License-Identifier: Apache-2.0
"""The product of the pipeline for small moduli; and what shows that it can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    SECONDS,
    SHORT,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.small_any import Barrett
from modmul.prove.reach import Verdict
from modmul.prove.solve import discharge
from modmul.prove.terms import (
    Fact,
)
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

PIPE, PRODUCT, MAC, STANDS = "mm_small_any", "mm_small_product", "mm_small_mac", "mm_small_control"


WRONG_PIPES = (
    (16, "a block multiplies", MAC, "a_q * b_q", "a_q * b_q + PBits'(a_q[0] & b_q[0])"),
    (16, "the gate goes on", STANDS, "go & ~load &", "go &"),
    (16, "goes on holding from age 2", MAC, "behind + SBits'(c)", "behind - SBits'(c)"),
    (8, "goes on holding from age 5", "mm_small_any_quotient", "sum >> Cut)", "sum >> Cut + 1)"),
    (16, "the context goes on", STANDS, "<= last ? '0 : beat_q + 1'b1", "<= beat_q + 1'b1"),
    (16, "the context goes on", PIPE, "ctx_q} >> N);", "ctx_q} >> N - 1);"),
    (16, "the gate goes on", "mm_context_gate", "ctx_legal_i & ~ctx_load_o", "ctx_legal_i"),
    (16, "the count goes on", STANDS, "if (go) there_q <=", "there_q <="),
    (16, "there are none in reset", STANDS, "there_q <= '0;", "there_q <= Depth'(1);"),
    (16, "the highest bit of M", PIPE, "= m[N-1];", "= m[0];"),
    (16, "the operands are in their", PRODUCT, "assign a_late = a;", "assign a_late = ~a;"),
    (16, "goes on holding from age 1", MAC, "if (en_i) begin", "begin"),
    (16, "goes on holding from age 3", PRODUCT, "= sum[Kept-1:0];", "= ~sum[Kept-1:0];"),
    (16, "goes on holding from age 2", PRODUCT, "sum >> Part)", "sum >> Part + 1)"),
    (16, "goes on holding from age 4", PRODUCT, ".c_i(first)", ".c_i(~first)"),
    (24, "goes on holding from age 6", PRODUCT, "(1'b0), .sum_o(sum[2", "(1'b1), .sum_o(sum[2"),
    (16, "goes on holding from age 5", PIPE, "{2'b10, ctx_q", "{2'b11, ctx_q"),
    (16, "goes on holding from age 5", PIPE, "product[2*N-1:From];", "product[2*N-1:From] + 1'b1;"),
    (16, "goes on holding from age 5", PIPE, ".d_i(product[N:0])", ".d_i(product[N+1:1])"),
    (8, "goes on holding from age 7", "mm_small_any_rest", "= first;", "= ~first;"),
    (16, "goes on holding from age 9", PIPE, "{N{r[N]}}", "{N{r[N-1]}}"),
    (32, "goes on holding from age 2", PRODUCT, ".c_i(s0[2*Cut-1:Cut])", ".c_i(s0[2*Cut-2:Cut-1])"),
    (32, "goes on holding from age 6", "mm_small_any_quotient", "(Shift - 1 - Low)", "(Shift - Low)"),
    (32, "goes on holding from age 8", "mm_small_any_quotient", "= s2[Sum-1:Low];", "= s2[Sum-1:Low] + 1;"),
    (32, "goes on holding from age 9", "mm_small_any_rest", "(m_i[Above-1:0] << 1)", "m_i[Above-1:0]"),
    (32, "goes on holding from age 9", "mm_small_any_rest", "[Above-1:2*i] + mul", "[Above-1:2*i] - mul"),
)
"""The same of a pipeline for small moduli, each with the width of :data:`TILED`."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (32, {"Corner": 0}),
        (3, {}),
        (12, {"Carry": 36}),
        (12, {"Queue": 1}),
    ],
)
def test_pipelines_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """With a block behind the chain of step 3, too short, with other registers, with a memory of results."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(SHORT).build(width, settings))


@pytest.mark.parametrize(
    ("width", "name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 3 else []) for k, each in enumerate(WRONG_PIPES)],
)
def test_a_wrong_pipeline_is_refuted(
    width: int, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(SHORT)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, width), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


@pytest.mark.parametrize("width", [16, 32])
def test_what_is_used_of_a_pipeline_is_shown(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers defines a word, or is shown; each word is defined once."""
    used: set[str] = set()

    def told(facts: Iterable[Fact], *others: str, **more: Any) -> str:
        used.update(fact.over_bits() for fact in facts)
        return ""

    for module in ("small_words", "small_any_words"):
        monkeypatch.setattr(f"modmul.prove.product.{module}.refuting", told)
    proof = small(room(SHORT), width)
    assert isinstance(proof, Barrett)
    assert len(list(proof.of_numbers())) == 8
    flow = proof.flow
    defined = {word.term: fact.over_bits() for word, (_, fact) in flow.defined.items()}
    defined |= {word.term: block.product.over_bits() for word, block in flow.blocks.items()}
    texts = "".join(text for each in proof.of_netlist() for text in each.texts)
    shown = set(defined.values()) | {part.over_bits() for part in flow.parts.values()}
    assert used <= shown and all(each in texts for each in used)
    known, left = {word.term for word in flow.given}, dict(defined)
    assert not known & left.keys()
    while left:
        ready = {word for word, made in left.items() if set(re.findall(r"\|[^|]*\|", made)) <= known | {word}}
        assert ready
        known |= ready
        left = {word: made for word, made in left.items() if word not in ready}


@pytest.mark.long
@pytest.mark.parametrize("width", [31, 32, 33])
def test_every_result_of_a_pipeline_as_it_is_used_is_the_product(width: int, store: Store) -> None:
    for obligation, outcome in discharge(list(small(room(SHORT), width).all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


@pytest.mark.parametrize("width", [8, 24, 32])
def test_an_argument_about_numbers_of_a_pipeline_is_not_about_nothing(width: int) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    proof = small(room(SHORT), width)
    assert isinstance(proof, Barrett)
    for obligation in proof.of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_pipeline_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    flows = []
    for width in (8, 24, 32):
        proof = small(room(SHORT), width)
        assert isinstance(proof, Barrett)
        flows.append(proof.flow)
    right, longer, halved = flows
    inverse, signed = right.inverse_right()
    reduced, lost = list(right.reduced()), list(halved.reduced())[4]
    first, second = (each.blocks[0][1].product for each in (right.rows[0], right.quotients))
    texts = (
        (next(right.bounded()), "(<= 0 b ", "(<= (- 1) b "),
        (right.row(right.rows[0]), f"(<= 0 {first.name} {first.most})", "true"),
        (right.row_right(right.rows[0]), "(* x y1)", "(* x y0)"),
        (longer.summed(), f"(<= 0 xy {((1 << 30) - 1) ** 2})", "true"),
        (inverse, "(< rest M)", "true"),
        (inverse, "(<= 128 M)", "(<= 64 M)"),
        (signed, f"(<= q {1 << 10})", "true"),
        (right.quotient(), f"(<= 0 {second.name} {second.most})", "true"),
        (right.quotient_right(), "(* t v1)", "(* t v0)"),
        (reduced[1], "(+ (* q M) rest", "(+ (* q M)"),
        (reduced[3], "(< rest M)", "true"),
        (reduced[4], f"(< tau {1 << right.t_place})", f"(< tau {4 << right.t_place})"),
        (reduced[4], "(<= 128 M)", "(<= 1 M)"),
        (right.result(), "(< made M)", "(<= made M)"),
        (right.result(), "(<= (- M) made)", "true"),
        (right.ended(), "(= made (+ xy (* W M)))", "true"),
        (halved.quotient_right(), "(* t0 v0)", "(* t0 v1)"),
        (halved.quotient(), halved.quotient_value()[3][0], "(<= 0 d)"),
        (lost, f"(<= (* (- {1 << 36}) M) lost", f"(<= (* (- {1 << 37}) M) lost"),
        (list(halved.corner())[2], " 2))\n(assert (not", " 1))\n(assert (not"),
        (halved.rest(), "c4) 2", "c4) 1"),
        (halved.rest_right(), "(* 16777216 d0)", "(* 16777216 d1)"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)
