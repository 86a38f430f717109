# SPDX-License-Identifier: Apache-2.0
"""A whole operation of a short build, a question for each modulus (modmul.prove.whole)."""

from dataclasses import replace
from pathlib import Path

import pytest

from modmul.core import Domain, Polynomial
from modmul.prove.prover import prove
from modmul.prove.reach import Verdict
from modmul.prove.unroll import answers, bounded, verdict_of_answers
from modmul.prove.watch import TOP
from modmul.prove.whole import CHOICE, frames, operations, whole_bench
from modmul.registry import room, rooms
from modmul.room import Build
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

SECONDS = 300.0
QUICK = ("montgomery_csa2", "interleaved_csa", "fips", "gf2m_serial")
"""Of these one operation is proven in ``make test``: both kinds of domains, and both fields."""


def said(build: Build) -> Verdict:
    cases = CHOICE, len(operations(build))
    return bounded(build.design, whole_bench(build), TOP, frames(build), cases, SECONDS).verdict


@pytest.mark.parametrize(
    ("slug", "width"),
    [
        *((slug, 3) for slug in QUICK),
        *(pytest.param(slug, 4, marks=pytest.mark.long) for slug in rooms() if slug != "fmlm3"),
    ],
)
def test_an_operation_gives_the_product(slug: str, width: int, tmp_path: Path) -> None:
    """And what is proven is known the next time."""
    build, store = room(slug).build(width), Store(tmp_path / "results.sqlite")
    [proof] = prove(build, "whole", store, SECONDS)
    assert proof.proven and proof.detail == f"{len(operations(build))} moduli, {frames(build)} cycles"
    assert list(prove(build, "whole", store, 0.0)) == [proof]


WRONG = (
    ("interleaved_csa", "mm_interleaved_csa", "m = top ? '0 : Ext'(t_word);", "m = '0;"),
    ("interleaved_csa", "mm_interleaved_csa", "use_m = neg;", "use_m = 1'b0;"),
    ("montgomery_csa2", "mm_csa", "| (a_i & c_i)", ""),
    ("imml_booth4", "mm_frame", "if (busy_q && (step_q == LastStep)) done_q", "if (1'b0) done_q"),
    ("imml_booth4", "mm_frame", "StepBits'(Steps - 1)", "StepBits'(Steps - 2)"),
    ("fips", "mm_fips_control", "in_part ? square_q : square_i", "in_part ? square_q : 1'b0"),
)
"""A core; a module, what stands there, and what does then: in turn a sum, its reduction, a column are wrong,
no result comes, it comes too early, and the control decides nothing."""


def test_what_takes_too_long_is_not_proven() -> None:
    build = room("montgomery_csa2").build(3)
    cases = CHOICE, len(operations(build))
    assert answers(build.design, whole_bench(build), TOP, frames(build), cases, 1e-6) == []


def test_no_case_is_about_nothing() -> None:
    """The number behind the last modulus stands for none: of it nothing can be proven."""
    build = room("montgomery_csa2").build(3)
    cases = CHOICE, len(operations(build)) + 1
    outcome = bounded(build.design, whole_bench(build), TOP, frames(build), cases, SECONDS)
    assert outcome.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(("slug", "module", "now", "then"), WRONG)
def test_a_wrong_operation_is_refuted(slug: str, module: str, now: str, then: str, tmp_path: Path) -> None:
    assert said(mutant(room(slug), tmp_path, module, now, then).build(3)) is Verdict.REFUTED


def test_another_radix_is_refuted() -> None:
    """What makes a number the product comes from the description alone."""
    found = room("montgomery_csa2")
    function = replace(found.core.function, domain=lambda config: Domain("montgomery", 2 << config.width))
    other = replace(found, core=replace(found.core, function=function))
    assert said(other.build(3)) is Verdict.REFUTED


def test_every_modulus_is_a_choice() -> None:
    moduli = [each.modulus for each in operations(room("fips").build(4))]
    integers = [m for m in moduli if not isinstance(m, Polynomial)]
    assert integers == [*range(1, 16, 2)] and len(moduli) > len(integers)
    with pytest.raises(ValueError, match="at most 10 bits"):
        whole_bench(room("fips").build(16))
    [only] = operations(room("sparse_prime").build(6))
    assert only.modulus == 63 and only.operand == 63 and only.result == 62


NO, YES = "UNSATISFIABLE", "SATISFIABLE"


@pytest.mark.parametrize("choice", [1, 2])
def test_each_case_is_the_modulus_of_its_number(choice: int) -> None:
    build = room("montgomery_csa2").build(3)
    text = whole_bench(build).replace("!(done && right)", f"choice_q != {choice}")
    cases = CHOICE, len(operations(build))
    said = answers(build.design, text, TOP, frames(build), cases, SECONDS)
    assert said == [each for case in range(4) for each in (NO if case == choice else YES, YES)]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (3 * [NO, YES], Verdict.PROVEN),
        (2 * [NO, YES], Verdict.UNKNOWN),
        ([*2 * [NO, YES], NO], Verdict.UNKNOWN),
        ([*2 * [NO, YES], NO, NO], Verdict.UNKNOWN),
        ([NO, YES, YES, YES], Verdict.REFUTED),
        ([*2 * [NO, YES], "UNDECIDED", YES], Verdict.UNKNOWN),
        ([], Verdict.UNKNOWN),
    ],
)
def test_only_all_moduli_count(said: list[str], verdict: Verdict) -> None:
    assert verdict_of_answers(said, 3, 1.0).verdict is verdict
