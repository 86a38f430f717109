# SPDX-License-Identifier: Apache-2.0
"""``make soak`` finds wrong hardware and says how to see it again, and goes on where it was."""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import soak
from soak import Ran, State, Turn

from modmul.export.new_room import new_room
from modmul.registry import room, rooms
from modmul.verify.failures import VerificationError
from modmul.verify.mutant import mutant

ROOT = Path(__file__).parents[1]
NAME = "soaked"
LITTLE = 0.02
SMALL = "interleaved_radix2"


def guest(folder: Path, *wrong: tuple[str, str]) -> Path:
    """The folder of a core that is written for this, right or not."""
    new_room(NAME, folder)
    source = folder / NAME / f"mm_{NAME}.sv"
    text = source.read_text(encoding="utf-8")
    for old, new in wrong:
        assert text.count(old) == 1
        text = text.replace(old, new)
    source.write_text(text, encoding="utf-8")
    return folder / NAME


def command(*arguments: object, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "soak.py"), *map(str, arguments)],
        env=os.environ | {"MODMUL_CACHE": str(cache)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_failure_ends_it_with_what_repeats_it(tmp_path: Path, empty_cache: Path) -> None:
    wrong = guest(tmp_path, ("x_q[Width-1]}}", "x_q[Width-2]}}"))
    ended = command(NAME, "--seed", 5, "--count", 1000, "--work", LITTLE, "--room", wrong, cache=empty_cache)
    assert ended.returncode == 1, ended.stderr
    state = json.loads((empty_cache / "soak" / "state.json").read_text())["cores"][NAME]
    again, said = state["failed"]
    assert again in ended.stdout and said in ended.stdout
    assert state["done"] == 0 and state["turns"] == {}
    repeated = command(*shlex.split(again)[2:], cache=empty_cache)
    assert repeated.returncode == 1 and said in repeated.stdout
    source = wrong / f"mm_{NAME}.sv"
    source.write_text(source.read_text().replace("x_q[Width-2]}}", "x_q[Width-1]}}"))
    repeated = command(*shlex.split(again)[2:], cache=empty_cache)
    assert repeated.returncode == 0 and said not in repeated.stdout, repeated.stdout
    mended = command(NAME, "--count", 1000, "--work", LITTLE, "--room", wrong, cache=empty_cache)
    assert mended.returncode == 0, mended.stdout
    state = json.loads((empty_cache / "soak" / "state.json").read_text())["cores"][NAME]
    assert state["done"] >= 1000 and state["turns"] == {"5": 1} and state["failed"] == []
    assert list((empty_cache / "soak" / "simulators").glob("V*")) == []


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("mm_context_gate", "assign ctx_error_o = error_q;", "assign ctx_error_o = 1'b0;"),
        ("mm_frame", "always_ff @(posedge clk_i or negedge rst_ni)", "always_ff @(posedge clk_i)"),
    ],
)
def test_more_than_products_is_looked_at(module: str, right: str, wrong: str, tmp_path: Path) -> None:
    """What shows with illegal contexts and resets alone."""
    changed = mutant(room(SMALL), tmp_path / SMALL, module, right, wrong)
    with pytest.raises(VerificationError):
        for number in range(10):
            sum(soak.turn(changed.of(changed.core.builds.at(5)[0]), random.Random(number), LITTLE))


def test_a_turn_is_always_the_same() -> None:
    turns = [Turn(SMALL, 7, number, LITTLE).begin() for number in (3, 3, 4)]
    (build, counts), (same, again), (other, _) = turns
    assert build == same != other and list(counts) == list(again)


def here(job: Turn, cache: Path, tell: object, hangs: float = 0) -> Ran:
    """A turn in this process."""
    build, counts = job.begin()
    return Ran(str(build), sum(counts))


def test_it_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {slug: room(slug) for slug in (SMALL, "imml_radix4")}
    begun: list[tuple[str, int]] = []

    def run(job: Turn, cache: Path, tell: object, hangs: float = 0) -> Ran:
        begun.append((job.core, job.number))
        if len(begun) == 4:
            raise KeyboardInterrupt
        return here(job, cache, tell)

    monkeypatch.setattr(soak, "run", run)
    file = tmp_path / "state.json"
    with pytest.raises(KeyboardInterrupt):
        soak.soak(State(file, seed=9), asked, count=10**9, work=LITTLE)
    kept = State.read(file)
    done = {slug: each.done for slug, each in kept.cores.items()}
    assert kept.seed == 9 and min(done.values()) > 0
    soak.soak(kept, asked, count=sum(done.values()) + 1, work=LITTLE)
    assert begun == [(slug, number) for number in (0, 1) for slug in asked] + [("imml_radix4", 1)]
    assert State.read(file) == kept
    soak.soak(kept, asked, count=1, work=LITTLE)
    assert len(begun) == 5


def test_other_hardware_begins_anew(tmp_path: Path) -> None:
    found = room(SMALL)
    state = State(tmp_path / "state.json", seed=1)
    state.of(found).done = 100
    assert state.of(found).done == 100
    assert state.of(mutant(found, tmp_path / SMALL, "mm_frame", "if (!rst_ni)", "if (1'b0)")).done == 0


@pytest.mark.parametrize("slug", list(rooms()))
def test_random_builds_are_many_and_legal(slug: str) -> None:
    builds = {soak.random_build(room(slug), random.Random(number)) for number in range(20)}
    assert len(builds) > 10
    assert all(build.core.illegal_contexts(build.config) for build in builds)


def test_a_process_that_ends_or_hangs_is_a_failure(tmp_path: Path) -> None:
    folder = guest(tmp_path)
    job = Turn(NAME, 1, 0, LITTLE, (folder,))
    assert soak.run(job, tmp_path, lambda _: None, hangs=0).failure
    core = folder / "core.py"
    core.write_text(core.read_text() + "\nimport os\nos.kill(os.getpid(), 9)\n")
    assert "SIGKILL" in soak.run(job, tmp_path, lambda _: None).failure


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"seed": 1, "cores": {"rrm": {}}}', "\x00", '{"seed": 1'])
def test_a_damaged_state_is_left_alone(text: str, tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"state\.json\.damaged"):
        State.read(file)
    assert file.read_text() == text


def test_two_do_not_share_a_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path))
    with soak._alone(tmp_path / "soak"):
        ended = command(SMALL, "--count", 1, cache=tmp_path)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr
