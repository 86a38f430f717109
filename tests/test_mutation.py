# SPDX-License-Identifier: Apache-2.0
"""Mutants of modules: the record is of these sources, and who judges them can tell them apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mutation
import pytest

from modmul.cover.plan import builds
from modmul.mutate import plan
from modmul.mutate.judge import LATER, SOONER, judged
from modmul.mutate.operators import CHOOSER, Site, changed, sites
from modmul.mutate.plan import Found, Tried, known, sample, score, stale, tried
from modmul.mutate.pool import KINDS, Candidate, Pool, candidates, pooled
from modmul.mutate.referee import Gates, Judgement, Opinion, compared, gates, refereed
from modmul.registry import own_cores, room
from modmul.tools.store import Store

SMALL = "interleaved_radix2"
TOP, FRAME = f"mm_{SMALL}", "mm_frame"
SECONDS = 30.0


def test_the_record_is_that_of_these_sources() -> None:
    """If this fails: make mutation."""
    assert stale(known()) == []


def test_the_page_tells_what_is_known() -> None:
    text = mutation.PAGE.read_text(encoding="utf-8")
    assert mutation.renewed(text, known()) == text


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(each.core, marks=[] if each.core == "imml_radix4" else pytest.mark.long)
        for each in known()
    ],
)
def test_a_core_tried_again_gives_the_record(slug: str, tmp_path: Path) -> None:
    """But for mutants that the referee had more time for, or less."""
    [there] = [each for each in known() if each.core == slug]
    again = tried(slug, Store(tmp_path / "results.sqlite"))
    for module, mutants in again.modules.items():
        before = there.modules[module]
        assert len(mutants) == len(before)
        assert sorted(t.check for t in mutants) == sorted(t.check for t in before)


# --- who judges ---------------------------------------------------------------------------------------


def of_source(module: str, before: str, right: str, wrong: str) -> Candidate:
    """A mutant that has an expression of a module replaced, by what stands before it."""
    [source] = [each for each in room(SMALL).sources if each.stem == module]
    text = source.read_text(encoding="utf-8")
    assert text.count(before + right) == 1, right
    start = text.index(before + right) + len(before)
    return Candidate("source", module, "made", site=Site(module, start, start + len(right), wrong, 0, "made"))


MUTANTS = {
    "wrong": of_source(TOP, "", "{1'b0, z_q, 1'b0}", "{2'b00, z_q}"),
    "no-result": of_source(FRAME, "out_valid_o = ", "done_q", "1'b0"),
    "other-reset": of_source(FRAME, "if (!rst_ni) begin\n      busy_q <= ", "1'b0", "1'b1"),
    "same": of_source(TOP, "", "x_q << 1", "{x_q, 1'b0}"),
    "same-where-it-gets": of_source(FRAME, "", "~busy_q & ~done_q", "~(busy_q ^ done_q)"),
    "same-for-legal-operands": of_source(TOP, "{2'b00, ", "y_q", "(y_q > m ? '0 : y_q)"),
}
NUMBERS = {name: number for number, name in enumerate(MUTANTS, 1)}


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Pool:
    return pooled(room(SMALL).build(3), list(MUTANTS.values()), tmp_path_factory.mktemp("pool"))


@pytest.fixture(scope="module")
def net(pool: Pool) -> Gates:
    return gates(pool)


def test_the_checks_find_mutants_and_not_the_original(pool: Pool) -> None:
    found = {name: judged(pool, number) for name, number in {"original": 0, **NUMBERS}.items()}
    assert {name for name, check in found.items() if check} == {"wrong", "no-result", "other-reset"}
    assert set(found.values()) <= {"", *SOONER, *LATER}


def test_a_mutant_without_checks_survives(pool: Pool) -> None:
    assert judged(pool, NUMBERS["wrong"], ()) == ""


def test_the_referee_tells_equivalent_mutants_from_others(net: Gates) -> None:
    """Whatever drives them."""
    judgements = {name: refereed(net, number, SECONDS).judgement for name, number in NUMBERS.items()}
    equivalent = {name for name, judgement in judgements.items() if judgement is Judgement.EQUIVALENT}
    assert equivalent == {"same", "same-where-it-gets"}
    assert set(judgements.values()) == {Judgement.EQUIVALENT, Judgement.UNDECIDED}


@pytest.mark.parametrize("name", MUTANTS)
def test_the_referee_compares_them_behind_a_driver_that_keeps_to_the_contract(net: Gates, name: str) -> None:
    right = Judgement.EQUIVALENT if name.startswith("same") else Judgement.DIFFERENT
    assert compared(net, NUMBERS[name], SECONDS).judgement is right


def test_a_netlist_has_mutants_that_are_found_and_others(tmp_path: Path) -> None:
    build = room(SMALL).build(3)
    some = [each for each in candidates(build) if each.kind == "netlist" and each.module == TOP][:12]
    made = pooled(build, some, tmp_path)
    found = [bool(judged(made, number)) for number in range(len(some) + 1)]
    assert not found[0] and any(found)
    compared_ = gates(made)
    for number, killed in enumerate(found):
        if killed:
            assert refereed(compared_, number, SECONDS).judgement is not Judgement.EQUIVALENT


def test_mutants_of_resets_leave_the_others_as_they_are(tmp_path: Path) -> None:
    """They make registers that are loaded; with a context of one beat, its counter is 0 whatever it takes."""
    build = builds("gf2m_pipelined")[0]
    module = "mm_pipelined_control"
    [source] = [each for each in build.design.sources if each.stem == module]
    lines = source.read_text(encoding="utf-8").splitlines()
    some = [each for each in candidates(build) if each.kind == "source" and each.module == module]
    net = gates(pooled(build, some, tmp_path))
    counted = [
        number
        for number, each in enumerate(some, 1)
        if each.site is not None
        and lines[each.site.line - 1].lstrip().startswith("if (ctx_load) beat_q")
        and each.site.wrong in ("(!(ctx_load))", "(beat_q)")
    ]
    assert len(counted) == 2
    for number in counted:
        assert refereed(net, number, SECONDS).judgement is Judgement.EQUIVALENT


def test_what_no_short_build_shows_is_found_on_a_longer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of mutants of sources that the referee leaves undecided; what no build shows stays a survivor."""
    some = {
        "found": of_source(TOP, "", "x_q << 1", "(Width > 8 ? x_q : x_q << 1)"),
        "left": MUTANTS["same"],
    }
    undecided = Opinion(Judgement.UNDECIDED, "")
    for name, made in {
        "builds": lambda _slug: (room(SMALL).build(3), room(SMALL).build(2)),
        "sample": lambda _slug: {(0, "source"): list(some.values())},
        "sites": lambda _design: [each.site for each in some.values()],
        "refereed": lambda *_: undecided,
        "compared": lambda *_: undecided,
    }.items():
        monkeypatch.setattr(plan, name, made)
    found = tried(SMALL, Store(tmp_path / "results.sqlite"))
    killed, left = found.mutants
    assert found.further and killed.check and "Width=3" not in killed.config
    assert left.survived and left.config == "Width=3"
    assert found.digest == plan.digest(SMALL, also=True) != plan.digest(SMALL)


# --- what is counted ----------------------------------------------------------------------------------

KILLED = Tried("mm_a", "Width=3", "source", "line 1: + is -", "random")
EQUAL = replace(KILLED, check="", judgement="equivalent", method="step: PDR")


@pytest.mark.parametrize("judgement", ["different", "undecided"])
def test_a_survivor_counts_and_an_equivalent_mutant_does_not(judgement: str) -> None:
    survivor = replace(EQUAL, judgement=judgement)
    assert score([KILLED, KILLED, KILLED, EQUAL]) == 1
    assert score([KILLED, KILLED, KILLED, EQUAL, survivor]) == 0.75
    assert score([EQUAL]) is None
    assert survivor.survived and not EQUAL.survived and not KILLED.survived


def test_the_record_keeps_what_survives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "RECORD", tmp_path / "mutation.json")
    module = replace(KILLED, module=TOP)
    survivor = replace(module, check="", judgement="different", method="product: unrolled", frames=9)
    found = Found(SMALL, (module, module, survivor), 1.0, "", further=True)
    plan.record([found])
    [again] = known()
    assert again.further
    assert score(again.mutants) == score(found.mutants) == 2 / 3
    assert [each for each in again.mutants if each.survived] == [survivor]
    assert stale([again]) == [SMALL]
    table = mutation.renewed(mutation.PAGE.read_text(encoding="utf-8"), [again])
    assert "66.7 %" in table and "different, 9 cycles" in table


# --- which mutants there are --------------------------------------------------------------------------


def test_a_sample_is_always_the_same_and_has_both_kinds() -> None:
    some = sample(SMALL)
    assert some == sample(SMALL)
    assert {candidate.kind for each in some.values() for candidate in each} == set(KINDS)
    assert sum(map(len, some.values())) == plan.FEW


def test_each_module_is_tried_in_one_core() -> None:
    modules = {source.stem for slug in own_cores() for b in builds(slug) for source in b.design.sources}
    assert sorted(modules) == sorted(module for slug in own_cores() for module in plan.hosted(slug))


def test_sources_change_in_what_runs_alone() -> None:
    """Neither resets, nor what parameters decide."""
    design = builds("montgomery_csa1")[1].design
    texts = {source.stem: source.read_text(encoding="utf-8") for source in design.sources}
    found = sites(design)
    assert {"+ is -", "a condition is negated", "an assignment is missing"} <= {site.what for site in found}
    for site in found:
        assert "rst_ni" not in texts[site.module][site.start : site.end]


def test_all_mutants_of_a_text_are_in_it_one_in_another() -> None:
    text = (
        "module mm_a (input wire [1:0] a_i, output wire b_o);\n  assign b_o = a_i[0] & ~a_i[1];\nendmodule\n"
    )
    whole, part = text.index("a_i[0] &"), text.index("~a_i[1]")
    outer = Site("mm_a", whole, part + 7, "a_i[0] | ~a_i[1]", 2, "& is |")
    inner = Site("mm_a", part, part + 7, "(a_i[1])", 2, "~ is missing")
    said = changed(text, [(1, outer), (2, inner)])
    assert f"({CHOOSER} == 16'd1 ? a_i[0] | ~a_i[1] : (a_i[0] & ({CHOOSER} == 16'd2 ?" in said
    assert changed(text, []) == text.replace("(input", f"( input wire [15:0] {CHOOSER}, input")
