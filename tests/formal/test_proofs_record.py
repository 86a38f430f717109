# SPDX-License-Identifier: Apache-2.0
"""The record of the proofs, when it goes stale, and the command."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Any

import proofs
import pytest
from formal_builds import BINARY, DROPPED, FIPS, LITERAL, MUTANTS, ONE, WIDTH, small
from typer.testing import CliRunner, Result

from modmul.cli.app import app
from modmul.prove.plan import UNPROVEN, goals, known, stale
from modmul.prove.product import PRODUCTS, arguments
from modmul.prove.prover import PROPERTIES
from modmul.prove.reach import Verdict
from modmul.prove.watch import CONTRACT, Rule
from modmul.registry import room
from modmul.tools.imports import sources
from modmul.tools.store import file_digest
from modmul.verify.mutant import mutant


def test_the_record_is_of_this_hardware() -> None:
    """Every goal has been tried on these sources, and everything is proven but for what is listed."""
    there = known()
    behind = [f"{goal.build.slug}: {goal.kind}" for goal in stale(goals(), there)]
    assert not behind, "run 'make formal'"
    left = {(p.core, p.width, p.kind, p.rule) for p in there if not p.proven}
    assert left == set(UNPROVEN)
    assert not [proof for proof in there if proof.verdict is Verdict.REFUTED]
    assert {proof.kind for proof in there} == set(PROPERTIES)


def test_the_page_shows_the_record() -> None:
    text = proofs.PAGE.read_text(encoding="utf-8")
    assert proofs.renewed(text, known()) == text, "run 'make formal'"


def test_the_record_goes_stale_with_the_hardware(tmp_path: Path) -> None:
    wrong = mutant(room("imml_booth4"), tmp_path, *MUTANTS["held"])
    [goal] = [g for g in goals(["imml_booth4"]) if g.kind == "contract" and g.build.config.width == WIDTH]
    changed = type(goal)(wrong.of(goal.build.config), goal.kind)
    assert not stale([goal], known()) and stale([changed], known()) == [changed]


def test_the_record_goes_stale_with_the_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [goal for goal in goals(["imml_booth4"]) if goal.kind in ("contract", "time")]
    assert len(some) == 2 and not stale(some, known())
    monkeypatch.setattr("modmul.prove.prover.FLOW", ("proc",))
    assert stale(some, known()) == some


PROVE = Path(str(files("modmul"))) / "prove"


@pytest.mark.parametrize("slug", PRODUCTS)
def test_what_an_argument_runs_is_what_its_record_goes_stale_with(slug: str) -> None:
    """Whatever is called of ``modmul.prove`` while its questions are put; others only if it extends them."""
    names: set[str] = set()
    build = small(room(slug)).build

    def note(frame: FrameType, _event: str, _value: Any) -> None:
        names.add(frame.f_code.co_filename)

    before = sys.gettrace()
    sys.settrace(note)
    try:
        for proof in arguments(build):
            for _ in proof.all():
                pass
    finally:
        sys.settrace(before)
    ran = {file for name in names if (file := Path(name)).is_relative_to(PROVE)} - {PROVE / "product" / INIT}
    used = {file for kind in PRODUCTS[slug] for file in sources(kind.__module__, "modmul.prove")}
    every = {kind for kinds in PRODUCTS.values() for kind in kinds}
    homes = {
        each: {_home(base) for kind in kinds for base in kind.__mro__ if base in every}
        for each, kinds in PRODUCTS.items()
    }
    assert homes[slug] <= ran <= used
    assert set().union(*homes.values()) & used == homes[slug]


INIT = "__init__.py"


def _home(kind: type) -> Path:
    return Path(str(sys.modules[kind.__module__].__file__))


def test_the_record_goes_stale_with_the_argument_of_its_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not with those of others."""
    slugs = (FIPS, LITERAL, ONE, DROPPED, BINARY)
    some = [goal for goal in goals(slugs) if goal.kind == "product"]
    digests = [goal.digest for goal in some]
    changed = PROVE / "product" / "fips_plan.py"

    def edited(*files: Path) -> str:
        return file_digest(*files) + " edited" * (changed in files)

    monkeypatch.setattr("modmul.prove.prover.file_digest", edited)
    stale_ = {goal.build.slug for goal, old in zip(some, digests, strict=True) if goal.digest != old}
    assert stale_ == {FIPS, LITERAL}
    changed = PROVE / "terms.py"
    stale_ = {goal.build.slug for goal, old in zip(some, digests, strict=True) if goal.digest != old}
    assert stale_ == set(slugs)


def asked(*words: str) -> Result:
    return CliRunner().invoke(app, ["prove", *words])


def test_the_command_proves_and_says_how() -> None:
    done = asked("imml_booth4", "-p", "contract", "-p", "operands", "--width", "4", "--json")
    assert done.exit_code == 0
    rows = json.loads(done.stdout)["results"]
    assert [row["rule"] for row in rows] == [rule.name for rule in CONTRACT] + [""]
    assert all(row["proven"] and row["method"] in ("PDR", "SAT", "structure") for row in rows)
    assert "in-flight" in asked("imml_booth4", "-p", "contract", "--width", "4").stdout


def test_a_modulus_chooses_the_build() -> None:
    done = asked("small_fixed", "-p", "operands", "-m", "3329", "--json")
    [row] = json.loads(done.stdout)["results"]
    assert done.exit_code == 0 and row["width"] == 12 and "Modulus=3329" in row["config"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("imml_booth4", "-p", "beauty"),
            "no property 'beauty'; there is operands, rows, contract, time, whole, product",
        ),
        (("--width", "4"), "name the cores to prove at a width"),
        (("-m", "p256"), "name the cores to prove at a width"),
        (("rrm", "-m", "4095", "--width", "8"), "take --width 12"),
        (("modexp:rrm", "-p", "product"), "there is no proof of product of modexp:rrm"),
        (("modexp:rrm", "-p", "product", "--width", "16"), "there is no proof that modexp:rrm is right"),
        (("montgomery_csa2", "-p", "product", "--width", "10", "--set", "Word=8"), "operands of whole words"),
    ],
)
def test_what_cannot_be_proven_is_refused(words: tuple[str, ...], said: str) -> None:
    done = asked(*words)
    assert done.exit_code != 0 and said in str(done.exception)


def test_the_command_fails_without_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something is proven that is listed as not to be."""
    listed = {("imml_booth4", 4, "contract", "held"): "no reason"}
    monkeypatch.setattr("modmul.prove.plan.UNPROVEN", listed)
    done = asked("imml_booth4", "-p", "contract", "--width", "4")
    assert done.exit_code == 1 and "take it off the list" in done.output
    monkeypatch.setattr("modmul.prove.plan.UNPROVEN", {})
    assert asked("imml_booth4", "-p", "contract", "--width", "4").exit_code == 0
    monkeypatch.setattr("modmul.prove.prover.CONTRACT", (*CONTRACT[:-1], BROKEN))
    monkeypatch.setattr("modmul.prove.watch.CONTRACT", (*CONTRACT[:-1], BROKEN))
    done = asked("imml_booth4", "-p", "contract", "--width", "4")
    assert done.exit_code == 1 and "broken: refuted" in done.output


BROKEN = Rule("broken", "a result never comes", "!out_valid_o")
