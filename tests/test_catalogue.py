# SPDX-License-Identifier: Apache-2.0
"""What ``modmul list`` and ``modmul show`` tell, with which filters, and what the shell completes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from modmul.cli.app import app
from modmul.cli.completing import core_names, list_of_cores, modulus_names, target_names, wing_names
from modmul.measure import CHIPS, SHIPPED
from modmul.moduli import NAMED
from modmul.registry import room, rooms, systems
from modmul.study.facts import named_moduli

RUNNER = CliRunner()


def asked(command: str) -> Any:
    """What a command prints as JSON."""
    done = RUNNER.invoke(app, [*command.split(), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def cores(command: str) -> set[str]:
    """The cores that a listing has."""
    return {entry["core"] for entry in asked(f"list {command}")}


def test_filters() -> None:
    for wing in wing_names():
        assert cores(f"--wing {wing}") == {slug for slug, each in rooms().items() if each.wing == wing}
    for paper in ("javeed", "none"):
        own = {slug for slug, each in rooms().items() if (each.core.origin.paper or "none") == paper}
        assert cores(f"--paper {paper}") == own
    plain, montgomery = cores("--domain plain"), cores("--domain montgomery")
    assert plain | montgomery == set(rooms()) and not plain & montgomery
    assert cores("--field gf2m") == cores("-m b163") == {"fips", "fips_literal", *cores("--wing binary")}
    assert "rrm" in cores("-m p256 --no-blocks") and "montgomery_dsp" in cores("-m p256 --blocks")
    assert cores("-m 0x100") and "rrm" not in cores("-m 0x100")
    assert cores("--wing residue --domain plain") == {"rrm_plain"}


@pytest.mark.parametrize("wrong", ["--wing x", "--paper x", "--domain x", "--field x", "-t x"])
def test_a_filter_that_nothing_can_pass(wrong: str) -> None:
    done = RUNNER.invoke(app, ["list", *wrong.split()])
    assert isinstance(done.exception, ValueError)
    known = {"--wing": "residue", "--paper": "javeed", "--domain": "plain", "--field": "gfp", "-t": "ecp5"}
    assert known[wrong.split(maxsplit=1)[0]] in str(done.exception)


def test_sizes_are_those_that_are_shipped() -> None:
    for target in ("ecp5", "artix7"):
        for entry in asked(f"list --target {target} --wing residue"):
            build = room(entry["core"]).build(256, chip=target)
            record = SHIPPED.earlier(build.design.tuned(CHIPS[target].family), CHIPS[target])
            assert record and entry["luts"] and entry["wing"] == "residue"
            assert (entry["fmax_mhz"] is None) == (not CHIPS[target].route)
    [unknown] = asked("list --wing pipelined")
    assert unknown["luts"] is None
    assert all(entry["luts"] is None for entry in asked("list --width 77"))


def test_wings() -> None:
    found = {entry["wing"]: entry for entry in asked("list --wings")}
    assert set(found) == set(wing_names())
    assert {slug for entry in found.values() for slug in entry["cores"].split(", ")} == set(rooms())


@pytest.mark.parametrize("name", [*rooms(), *(f"{system}:montgomery_csa2" for system in systems())])
def test_every_parameter_has_a_meaning(name: str) -> None:
    config = room(name).build(256).config
    meanings = config.meanings()
    assert list(meanings) == list(config.own())
    for name, meaning in meanings.items():
        assert len(meaning) > 3, name
        assert "`" not in meaning


def test_show_tells_what_parameters_mean_and_names_moduli() -> None:
    found = asked("show rrm_split")
    assert found["meanings"] == room("rrm_split").build(256).config.meanings()
    text = " ".join(RUNNER.invoke(app, ["show", "rrm_split"]).output.split())
    assert all(" ".join(meaning.split()) in text for meaning in found["meanings"].values())
    assert found["named moduli"] == named_moduli(room("rrm_split"))
    assert set(named_moduli(room("fips_literal"))) >= {"p256", "b163"}
    assert not set(named_moduli(room("rrm"))) & {
        name for name, each in NAMED.items() if each.field != "GF(p)"
    }


# --- completion ---------------------------------------------------------------------------------


def test_what_is_completed() -> None:
    assert core_names("rrm") == ["rrm", "rrm_plain", "rrm_split"]
    assert "modexp:" in core_names("mod") and core_names("modexp:rrm_s") == ["modexp:rrm_split"]
    assert list_of_cores("fips,rrm_p") == ["fips,rrm_plain"]
    assert target_names("ecp") == ["ecp5"]
    assert modulus_names("p25") == ["p256", "p256-order"]


def test_the_shell_is_answered() -> None:
    script = Path(sys.executable).with_name("modmul")
    asking = {"_MODMUL_COMPLETE": "complete_bash", "COMP_WORDS": "modmul show rrm_", "COMP_CWORD": "2"}
    done = subprocess.run(
        [script], env={**os.environ, **asking}, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stdout.split() == ["rrm_plain", "rrm_split"]


def test_the_module_is_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "modmul", "--version"], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.startswith("modmul ")
