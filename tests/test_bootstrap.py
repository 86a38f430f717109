# SPDX-License-Identifier: Apache-2.0
"""A fresh clone installs what the lock pins, and says what it cannot install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text()


def pins() -> dict[str, list[str]]:
    """The pinned versions of each package (more than one where they depend on the machine)."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([\w.+]+)", LOCK, re.MULTILINE):
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def direct_requirements() -> list[str]:
    """What pyproject.toml asks for: to run, with every extra, to develop and to build."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = pyproject["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    direct = [*project["dependencies"], *extras, *pyproject["build-system"]["requires"]]
    return [line for line in direct if not line.startswith("modmul[")]


@pytest.mark.parametrize("line", direct_requirements())
def test_the_lock_pins_every_direct_requirement(line: str) -> None:
    requirement = Requirement(line)
    versions = pins().get(canonicalize_name(requirement.name), [])
    assert versions, "run 'make lock'"
    for version in versions:
        assert requirement.specifier.contains(version, prereleases=True), "run 'make lock'"


def test_every_requirement_of_the_lock_has_hashes() -> None:
    blocks = re.findall(r"^[^#\s].*(?:\n .*)*", LOCK, re.MULTILINE)
    assert len(blocks) == sum(map(len, pins().values()))
    for block in blocks:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", block), block.splitlines()[0]


def test_the_lock_names_no_machine() -> None:
    assert "://" not in LOCK
    assert not re.search(r"(^|\s)(/|-i |--\w*index|--find-links)", LOCK)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A fresh clone, as far as installing is concerned."""
    folder = tmp_path / "clone"
    for name in (
        "Makefile",
        "pyproject.toml",
        "requirements.lock",
        "tools/bootstrap.sh",
        "src/modmul/tools/doctor.py",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder to be the whole PATH: what every machine has, make and perl, but no g++ and no apt-get."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "cat", "dirname", "env", "make", "mkdir", "perl", "sha256sum", "sh", "touch"):
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    return folder


def run(clone: Path, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    ours |= {"PYTHON": sys.executable} | env
    return subprocess.run(command, cwd=clone, env=ours, capture_output=True, text=True, check=False)


def script(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(("target", "last"), [("test", "-m pytest"), ("demo", "modmul demo")])
def test_make_says_what_it_would_do(clone: Path, target: str, last: str) -> None:
    done = run(clone, "make", "-n", target)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "bootstrap.sh system" in lines[0]
    assert "bootstrap.sh venv" in lines[1]
    assert last in lines[-1]
    assert not (clone / ".venv").exists()


def test_without_apt_it_names_the_packages_and_fails(clone: Path, bare: Path) -> None:
    done = run(clone, "make", "test", PATH=str(bare))
    assert done.returncode != 0
    assert "apt-get install g++ iverilog\n" in done.stderr
    assert not (clone / ".venv").exists()


def test_with_apt_it_installs_what_is_missing(clone: Path, bare: Path, tmp_path: Path) -> None:
    log = tmp_path / "apt.log"
    script(bare, "sudo", 'shift; exec "$@"')  # called as: sudo -n program...
    script(bare, "apt-get", f'echo "$@" >>{log}; [ "$1" = update ] || ln -s perl {bare}/g++')
    for name in ("ln", "true"):
        (bare / name).symlink_to(str(shutil.which(name)))
    for _ in range(2):
        done = run(clone, "tools/bootstrap.sh", "system", "run", PATH=str(bare))
        assert done.returncode == 0, done.stderr
    update, install = log.read_text().splitlines()  # the second time found nothing to do
    assert update.split()[0] == "update"
    assert install.split()[0] == "install"
    assert install.split()[-1] == "g++"


def test_a_missing_browser_does_not_stop_the_tests(clone: Path, bare: Path) -> None:
    script(bare, "g++", "")
    script(bare, "iverilog", "")
    first, second = (run(clone, "tools/bootstrap.sh", "system", "test", PATH=str(bare)) for _ in range(2))
    assert first.returncode == second.returncode == 0
    assert "apt-get install chromium chromium-driver\n" in first.stderr
    assert "apt-get install ghdl\n" in first.stderr
    assert second.stderr == ""  # said once


def test_an_old_python_is_refused(clone: Path, bare: Path) -> None:
    script(bare, "python3", "exit 1")
    done = run(clone, "tools/bootstrap.sh", "system", "run", PATH=str(bare), PYTHON="")
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr


def test_a_newer_python_beside_an_old_one_is_taken(clone: Path, bare: Path) -> None:
    script(bare, "python3", "exit 1")
    script(bare, "python3.12", "")
    done = run(clone, "tools/bootstrap.sh", "python", PATH=str(bare), PYTHON="")
    assert done.stdout == "python3.12\n"
