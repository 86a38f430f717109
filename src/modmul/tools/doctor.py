# SPDX-License-Identifier: Apache-2.0
"""What this machine has and lacks, and the command that mends it.

The system programs and their apt packages are listed here and nowhere else: ``tools/bootstrap.sh``
asks ``python3 src/modmul/tools/doctor.py --missing test`` before anything is installed. Hence only the
standard library is imported at the top of this file.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

__all__ = ["PROGRAMS", "Check", "Program", "checks", "healthy", "install_command", "missing"]

MIN_PYTHON = (3, 11)


@dataclass(frozen=True)
class Program:
    """A program of the system.

    Attributes:
        name: what people call it.
        commands: any of these on PATH will do.
        package: the apt package that brings it.
        needed_for: what does not work without it.
        purpose: ``run`` (simulation), ``test`` (the test suite), ``page``, ``vhdl`` or ``long`` (the
            tests of these, and those that take minutes, which are skipped without it).
        version_flag: the option that prints the version.
        file: of a package without a program: the file that tells that it is there.
    """

    name: str
    commands: tuple[str, ...]
    package: str
    needed_for: str
    purpose: str
    version_flag: str = "--version"
    file: str = ""


PROGRAMS: tuple[Program, ...] = (
    Program("g++", ("g++",), "g++", "simulation: compiles what Verilator writes", "run"),
    Program("make", ("make",), "make", "simulation: builds what Verilator writes", "run"),
    Program("perl", ("perl",), "perl", "tests: Verilator's launcher", "test"),
    Program("iverilog", ("iverilog",), "iverilog", "tests: the second simulator", "test", "-V"),
    Program(
        "chromium",
        ("chromium", "chromium-browser", "google-chrome"),
        "chromium",
        "tests: the page in a browser",
        "page",
    ),
    Program("chromedriver", ("chromedriver",), "chromium-driver", "tests: the page in a browser", "page"),
    Program("opensta", ("sta",), "opensta", "liberty:FILE: the clock period with set-up", "long", "-version"),
    Program("ghdl", ("ghdl",), "ghdl", "tests: the exported template in VHDL", "vhdl"),
    Program(
        "libssl-dev",
        ("libssl-dev",),
        "libssl-dev",
        "examples/openssl: the provider for OpenSSL",
        "long",
        file="/usr/include/openssl/core_dispatch.h",
    ),
    Program(
        "s390x-linux-gnu-gcc",
        ("s390x-linux-gnu-gcc",),
        "gcc-s390x-linux-gnu",
        "tests: the driver in C, big-endian",
        "long",
    ),
    Program(
        "libc6-dev-s390x-cross",
        ("libc6-dev-s390x-cross",),
        "libc6-dev-s390x-cross",
        "tests: the driver in C, big-endian",
        "long",
        file="/usr/s390x-linux-gnu/include/stdio.h",
    ),
    Program("qemu-s390x", ("qemu-s390x",), "qemu-user", "tests: the driver in C, big-endian", "long"),
    Program(
        "riscv64-unknown-elf-gcc",
        ("riscv64-unknown-elf-gcc",),
        "gcc-riscv64-unknown-elf",
        "examples/litex: the program of the system on chip",
        "long",
    ),
)
"""Every system program the project uses."""

WHEELS: tuple[tuple[str, str], ...] = (
    ("pyslang", "tests: the slang front end"),
    ("cocotb", "tests: protocol and waveforms"),
    ("fusesoc", "tests: the core file for FuseSoC"),
)
"""The tools of the tests that come as Python packages: name, what for. What extras bring is in
:mod:`modmul.tools.extras`."""

_PURPOSES = {
    "venv": (),
    "run": ("run",),
    "test": ("run", "test"),
    **{optional: (optional,) for optional in ("page", "vhdl", "long")},
}


@dataclass(frozen=True)
class Check:
    """One thing looked at.

    Attributes:
        name: the thing.
        needed_for: what does not work without it.
        found: its version, or its path where it tells no version; None when it is missing.
        ok: it is there and usable.
        mend: the command that mends it.
        required: the library is of no use without it.
    """

    name: str
    needed_for: str
    found: str | None
    ok: bool
    mend: str
    required: bool = True


def install_command(*packages: str) -> str:
    """The command line that installs apt packages."""
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    return shlex.join([*sudo, "apt-get", "install", *packages])


def healthy(found: list[Check]) -> bool:
    """Whether everything required is there; extras and what the tests need may be missing."""
    return all(check.ok for check in found if check.required)


def checks() -> list[Check]:
    """Look at everything the project needs, required things first."""
    from modmul.tools.extras import EXTRAS  # noqa: PLC0415

    simulates = not EXTRAS["simulation"].missing
    found = [
        _python(),
        *(_program(program, simulates) for program in PROGRAMS),
        *(
            _wheel(package, extra.needed_for, f"modmul[{extra.name}]")
            for extra in EXTRAS.values()
            for package in extra.packages.values()
        ),
        *(_wheel(package, needed_for, package) for package, needed_for in WHEELS),
        _sqlite(),
        _cache(),
    ]
    return sorted(found, key=lambda check: not check.required)


def missing(purpose: str) -> list[str]:
    """The apt packages this machine lacks for ``venv``, ``run``, ``test``, ``page``, ``vhdl`` or ``long``."""
    packages = [
        program.package
        for program in PROGRAMS
        if program.purpose in _PURPOSES[purpose] and _which(program) is None
    ]
    in_venv = sys.prefix != sys.base_prefix  # made already: nothing is needed to make it
    if purpose in ("venv", "run", "test") and not in_venv and find_spec("ensurepip") is None:
        packages.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    return packages


def _python() -> Check:
    least = ".".join(map(str, MIN_PYTHON))
    mend = install_command(f"python{least}", f"python{least}-venv")
    return Check("Python", "everything", platform.python_version(), sys.version_info >= MIN_PYTHON, mend)


def _which(program: Program) -> str | None:
    if program.file and Path(program.file).exists():
        return program.file
    return next(filter(None, map(shutil.which, program.commands)), None)


def _program(program: Program, simulates: bool) -> Check:
    path = _which(program)
    return Check(
        program.name,
        program.needed_for,
        path and (_version(path, program.version_flag) or path),
        path is not None,
        install_command(program.package),
        required=simulates and program.purpose == "run",
    )


def _version(path: str, flag: str) -> str | None:
    try:
        told = subprocess.run([path, flag], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    number = re.search(r"\d+(\.\d+)+", told)
    return number and number[0]


def _wheel(name: str, needed_for: str, install: str) -> Check:
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        found = None
    mend = shlex.join([sys.executable, "-m", "pip", "install", install])
    return Check(name, needed_for, found, found is not None, mend, required=False)


def _sqlite() -> Check:
    found: str | None = None
    with suppress(ImportError):  # a Python built by hand without the SQLite headers
        from sqlite3 import sqlite_version as found  # noqa: PLC0415
    return Check("sqlite3", "the results store", found, found is not None, install_command("python3"))


def _cache() -> Check:
    found: str | None = None
    with suppress(ImportError, OSError, ValueError):
        from modmul.tools.paths import cache_dir  # noqa: PLC0415

        found = str(cache_dir())
    mend = 'export MODMUL_CACHE="$(mktemp -d)"'
    return Check("cache folder", "builds and the results store", found, found is not None, mend)


def _main() -> None:
    parser = argparse.ArgumentParser(description="Name the apt packages this machine lacks.")
    parser.add_argument("--missing", choices=_PURPOSES, required=True, help="what for")
    print(*missing(parser.parse_args().missing))


if __name__ == "__main__":
    _main()
