# SPDX-License-Identifier: Apache-2.0
"""The doctor sees what is there and names the command that mends the rest."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from modmul.tools import doctor
from modmul.tools.doctor import PROGRAMS, Check
from modmul.tools.extras import EXTRAS


def path_without(folder: Path, *absent: str) -> str:
    """A PATH on which stand-ins of all the programs are found but the absent ones."""
    for program in PROGRAMS:
        if program.name not in absent:
            stand_in = folder / program.commands[0]
            assert stand_in.parent == folder
            stand_in.write_text("#!/bin/sh\necho stand-in 12.34.5\n")
            stand_in.chmod(0o755)
    return str(folder)


def check_of(name: str) -> Check:
    return next(check for check in doctor.checks() if check.name == name)


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path_factory.mktemp("cache")))


def test_this_machine_is_healthy() -> None:
    checks = doctor.checks()
    assert doctor.healthy(checks), [check for check in checks if not check.ok]


def test_every_check_says_what_for_and_how_to_mend() -> None:
    checks = doctor.checks()
    assert len({check.name for check in checks}) == len(checks)
    for check in checks:
        assert check.needed_for
        assert check.mend
        assert check.ok == (check.found is not None)


def test_programs_tell_their_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", path_without(tmp_path))
    assert {check_of(program.name).found for program in PROGRAMS if not program.file} == {"12.34.5"}


def test_a_package_without_a_program_is_known_by_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = tmp_path / "header.h"
    header.touch()
    known = doctor.Program("lib", ("lib",), "lib-dev", "this test", "long", file=str(header))
    monkeypatch.setattr(doctor, "PROGRAMS", (known,))
    assert check_of("lib").found == str(header)
    assert doctor.missing("long") == []
    header.unlink()
    assert doctor.missing("long") == ["lib-dev"]


def test_a_program_that_tells_no_version_is_shown_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_without(tmp_path))
    (tmp_path / "perl").write_text("#!/bin/sh\nexit 1\n")
    assert check_of("perl").found == str(tmp_path / "perl")


def test_a_missing_compiler_is_reported_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_without(tmp_path, "g++"))
    check = check_of("g++")
    assert not check.ok
    assert check.found is None
    assert check.mend.endswith("apt-get install g++")
    assert not doctor.healthy(doctor.checks())


def test_optional_programs_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", path_without(tmp_path, "iverilog", "chromium", "chromedriver"))
    assert not check_of("iverilog").ok
    assert doctor.healthy(doctor.checks())


def test_a_missing_wheel_is_reported_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "WHEELS", (("no-such-wheel", "this test"),))
    check = check_of("no-such-wheel")
    assert not check.ok
    assert check.mend.endswith("-m pip install no-such-wheel")


def test_a_missing_extra_is_told_and_no_illness(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = replace(EXTRAS["cluster"], packages={"no_such_module": "no-such-wheel"})
    monkeypatch.setitem(EXTRAS, "cluster", lacking)
    check = check_of("no-such-wheel")
    assert not check.ok
    assert check.needed_for == "work on several machines"
    assert check.mend.endswith("-m pip install 'modmul[cluster]'")
    assert doctor.healthy(doctor.checks())


def test_without_the_simulator_a_compiler_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_without(tmp_path, "g++"))
    extra = replace(EXTRAS["simulation"], packages={"no_such_module": "no-such-wheel"})
    monkeypatch.setitem(EXTRAS, "simulation", extra)
    assert not check_of("g++").ok
    assert doctor.healthy(doctor.checks())


def test_a_cache_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "file" / "cache"))
    check = check_of("cache folder")
    assert not check.ok
    assert "MODMUL_CACHE" in check.mend


@pytest.mark.parametrize(
    ("purpose", "absent", "packages"),
    [
        ("run", (), []),
        ("run", ("g++", "perl", "iverilog", "chromium"), ["g++"]),
        ("test", ("g++", "perl", "iverilog", "chromium"), ["g++", "perl", "iverilog"]),
        ("page", ("g++", "chromium", "chromedriver"), ["chromium", "chromium-driver"]),
        ("vhdl", ("ghdl", "chromium"), ["ghdl"]),
        ("long", ("qemu-s390x", "chromium"), ["qemu-user"]),
        ("venv", ("g++", "chromium"), []),
    ],
)
def test_the_packages_to_install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    purpose: str,
    absent: tuple[str, ...],
    packages: list[str],
) -> None:
    monkeypatch.setenv("PATH", path_without(tmp_path, *absent))
    assert doctor.missing(purpose) == packages


def test_a_python_without_ensurepip_needs_its_venv_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_without(tmp_path))
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    assert doctor.missing("venv") == doctor.missing("run") == doctor.missing("test") == [package]
    assert doctor.missing("page") == []


def test_it_runs_on_the_standard_library_alone(tmp_path: Path) -> None:
    script = shutil.copy(Path(doctor.__file__), tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", script, "--missing", "test"],
        env={"PATH": path_without(tmp_path, "make", "iverilog")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "make iverilog\n"
