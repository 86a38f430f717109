# SPDX-License-Identifier: Apache-2.0
"""Rooms from any folder: written by ``new_room``, let in by ``visit``, verified like the others."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from modmul import registry
from modmul.cli import app
from modmul.export.new_room import new_room
from modmul.registry import RoomError, room, rooms, visit
from modmul.verify.failures import VerificationError
from modmul.verify.runner import Plan, verify
from modmul.verify.simulator import lint

DOC = (Path(__file__).parents[1] / "docs" / "adding-a-core.md").read_text(encoding="utf-8")
NAME = "my_multiplier"


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """No guest stays behind."""
    yield
    for slug, package in tuple(registry.GUESTS.items()):
        del registry.GUESTS[slug]
        for name in [name for name in sys.modules if name.split(".")[0] == package]:
            del sys.modules[name]
    rooms.cache_clear()
    registry.on.cache_clear()


def test_a_new_room_works_as_it_is(tmp_path: Path) -> None:
    files = new_room(NAME, tmp_path)
    assert {file.name for file in files} == {"core.py", f"mm_{NAME}.sv", "README.md"}
    found = visit(tmp_path / NAME)
    assert rooms()[NAME] == room(NAME) == found and found.wing == ""
    build = found.build(8)
    lint(build.design)
    result = verify(build, Plan(count=100))
    assert result.total > 100


def test_its_mistakes_are_found(tmp_path: Path) -> None:
    new_room(NAME, tmp_path)
    source = tmp_path / NAME / f"mm_{NAME}.sv"
    text = source.read_text()
    assert text.count("x_q[Width-1]}}") == 1
    source.write_text(text.replace("x_q[Width-1]}}", "x_q[Width-2]}}"))
    with pytest.raises(VerificationError):
        verify(visit(tmp_path / NAME).build(8), Plan(count=100))


def test_the_documents_show_what_is_written(tmp_path: Path) -> None:
    new_room("example_shift_add", tmp_path)
    for language, file in (("systemverilog", "mm_example_shift_add.sv"), ("python", "core.py")):
        blocks = re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)
        assert (tmp_path / "example_shift_add" / file).read_text() in blocks


@pytest.mark.parametrize("name", ["", "My", "1st", "a-b", "a/b", "rrm"])
def test_names_that_will_not_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"named|name"):
        new_room(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    [first, *_] = new_room(NAME, tmp_path)
    first.write_text("mine")
    with pytest.raises(ValueError, match="already"):
        new_room(NAME, tmp_path)
    assert first.read_text() == "mine"


def test_what_is_no_room_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    before = set(rooms())
    with pytest.raises(RoomError, match=r"no core\.py"):
        visit(tmp_path)
    new_room(NAME, tmp_path)
    (tmp_path / NAME / "core.py").write_text("1 / 0")
    with pytest.raises(RoomError, match="ZeroDivisionError"):
        visit(tmp_path / NAME)
    taken = tmp_path / "rrm"
    (tmp_path / NAME).rename(taken)
    with pytest.raises(RoomError, match="taken"):
        visit(taken)
    assert set(rooms()) == before and registry.GUESTS == {}


def test_a_room_may_come_again(tmp_path: Path) -> None:
    new_room(NAME, tmp_path)
    assert visit(tmp_path / NAME) == visit(tmp_path / NAME)


# ---- the commands


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        return 2, str(result.exception)
    return result.exit_code, result.output


def test_the_commands_take_a_room(tmp_path: Path) -> None:
    code, said = run("new-room", NAME, "-o", str(tmp_path))
    folder = str(tmp_path / NAME)
    assert code == 0 and folder in said
    code, said = run("show", NAME, "--room", folder, "--width", "8", "--json")
    assert code == 0 and json.loads(said)["latency"] == 9
    code, said = run("multiply", NAME, "200", "123", "-m", "251", "--room", folder)
    assert code == 0 and "0x2" in said.splitlines()
    code, _ = run("export", NAME, "--room", folder, "--width", "8", "-o", str(tmp_path / "out"))
    assert code == 0 and list((tmp_path / "out").rglob(f"mm_{NAME}.sv"))
    code, said = run("show", NAME, "--room", str(tmp_path))
    assert code != 0 and "no core.py" in said
