# SPDX-License-Identifier: Apache-2.0
"""Caches that are damaged, disks that are full, processes that share a cache, tools that go wrong.

A clear message, nothing lost, and nothing wrong kept. More of that is in ``test_faults.py`` (stores, records,
standard output), ``test_tools.py`` (signals, tools and their children) and ``test_exploring.py`` (studies).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from modmul.chips import CHIPS
from modmul.measure import Job, Measurement, measure
from modmul.measure import route as routing
from modmul.measure.synthesis import CELLS, YOSYS
from modmul.registry import Build, room
from modmul.tools.machine import Local
from modmul.tools.store import Store
from modmul.verify import simulator
from modmul.verify.failures import SimulatorError
from modmul.verify.simulation import Simulation, _unit, compiled

SCRIPT = Path(sys.executable).with_name("modmul")
CORE, WIDTH = "interleaved_radix2", 6
MULTIPLYING = ("multiply", CORE, "7", "9", "-m", "61", "-w", str(WIDTH))


def build() -> Build:
    found = room(CORE)
    return found.of(found.core.builds.at(WIDTH)[0])


def modmul(*line: str, cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MODMUL_CACHE": str(cache)}
    return subprocess.run([SCRIPT, *line], env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One that has what all simulations share and no more; nothing of the process remembers another one."""
    runtime = simulator._runtime().parent
    folder = tmp_path / "cache"
    shutil.copytree(runtime, folder / "simulators" / runtime.name)
    monkeypatch.setenv("MODMUL_CACHE", str(folder))
    simulator._library.cache_clear()
    return folder


def works(some: Build) -> None:
    simulation = Simulation(some)
    simulation.load(61)
    assert simulation.multiply(7, 9) == 2


def fake(folder: Path, text: str, name: str = "g++") -> Path:
    """A program of this name, in a folder for PATH."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return folder


def in_front(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


# --- simulations in the cache -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("which", "damage"),
    [("simulation", b""), ("simulation", b"\x7fELF" + bytes(100)), ("runtime", b"garbage")],
)
def test_a_damaged_simulation_is_made_again(which: str, damage: bytes, cache: Path) -> None:
    """In another process: this one has it in its memory."""
    unit = _unit(build())
    library = unit.library if which == "simulation" else simulator._runtime()
    simulator.build(unit)
    library.unlink()
    library.write_bytes(damage)
    done = modmul(*MULTIPLYING, cache=cache)
    assert done.returncode == 0 and done.stdout.startswith("0x2\n"), done.stderr
    assert library.stat().st_size > 1000


@pytest.mark.parametrize(
    "says",
    [
        "exit 0",
        'while [ "$1" != -o ]; do shift; done; echo garbage >"$2"',
        "kill -9 $$",
        "echo 'something: error: odd' >&2; exit 1",
        "head -c 300000 /dev/urandom; exit 1",
    ],
    ids=["nothing", "garbage", "killed", "error", "noise"],
)
def test_a_compiler_that_goes_wrong_leaves_nothing(
    says: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = build()
    version = simulator._compiler_version()
    with monkeypatch.context() as patch:
        patch.setattr(simulator, "_compiler_version", lambda: version)
        in_front(patch, fake(tmp_path / "bin", says))
        with pytest.raises(SimulatorError) as failed:
            Simulation(some)
        assert len(str(failed.value)) < 10_000
        assert not compiled(some)
        left = [file for file in (cache / "simulators").iterdir() if file.suffix != ".lock"]
        assert left == [simulator._runtime().parent]
    works(some)


@pytest.mark.parametrize("says", ["exit 0", "exit 1", "printf '\\377\\n'", "kill -9 $$"])
def test_a_compiler_without_a_version(says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_front(monkeypatch, fake(tmp_path / "bin", says))
    try:
        assert simulator._compiler_version.__wrapped__()
    except SimulatorError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert "printf" in says


def test_a_compiler_that_hangs_is_ended(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = build()
    version = simulator._compiler_version()
    with monkeypatch.context() as patch:
        patch.setattr(simulator, "_compiler_version", lambda: version)
        patch.setattr(simulator, "TIMEOUT", 1.0)
        in_front(patch, fake(tmp_path / "bin", f"echo $$ >{tmp_path}/number; sleep 600"))
        with pytest.raises(SimulatorError):
            Simulation(some)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "number").read_text()), 0)
    works(some)


def test_who_is_killed_while_it_compiles_blocks_nobody(cache: Path, tmp_path: Path) -> None:
    some, mark = build(), tmp_path / "began"
    version = f'case "$*" in *--version*) exec {shutil.which("g++")} "$@";; esac'
    folder = fake(tmp_path / "bin", f"{version}\necho $$ >{mark}.new; mv {mark}.new {mark}; exec sleep 600")
    killed = subprocess.Popen(
        [SCRIPT, *MULTIPLYING],
        env={**os.environ, "MODMUL_CACHE": str(cache), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not mark.exists() and killed.poll() is None:
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    os.kill(int(mark.read_text()), signal.SIGKILL)  # whom nobody could end any more
    assert not compiled(some)
    works(some)


# --- two processes ------------------------------------------------------------------------------------


def test_two_processes_share_an_empty_cache(cache: Path) -> None:
    lines = (MULTIPLYING, ("measure", CORE, "-w", "5", "-t", "virtex2", "--fresh", "--json"))
    running = [
        subprocess.Popen(
            [SCRIPT, *line],
            env={**os.environ, "MODMUL_CACHE": str(cache)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in lines * 2
    ]
    ended = [(*each.communicate(), each.returncode) for each in running]
    assert [code for _, _, code in ended] == [0] * 4, ended
    said = [text for text, _, _ in ended]
    assert said[0] == said[2]
    figures = [json.loads(text) for text in (said[1], said[3])]
    assert figures[0] and without_times(figures[0]) == without_times(figures[1])
    works(build())


def without_times(told: object) -> object:
    """JSON without how long something took, and where that is written."""
    if isinstance(told, list):
        return [without_times(each) for each in told]
    if isinstance(told, dict):
        return {
            name: without_times(each) for name, each in told.items() if name not in ("seconds", "log", "logs")
        }
    return told


def test_a_disk_that_is_full(cache: Path, tmp_path: Path) -> None:
    """A file system of its own that holds less than a simulation."""
    small = tmp_path / "small"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=300k none {small}"
    tried = subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("this system does not let a user mount")
    line = " ".join(map(str, (SCRIPT, *MULTIPLYING)))
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f"{mount} && {line}"],
        env={**os.environ, "MODMUL_CACHE": str(small)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and "MODMUL_CACHE" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


# --- tools that measure -------------------------------------------------------------------------------


class Odd(Local):
    """Tools that end without an error, and leave something else than they should.

    Args:
        leave: whether a run, by its folder and arguments, has left that; otherwise it is as it should be.
    """

    def __init__(self, leave: Callable[[Path, Sequence[str]], bool]) -> None:
        self.leave = leave

    def run(self, arguments: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
        if self.leave(folder, arguments):
            log.touch()
            return 1.0
        return super().run(arguments, folder=folder, log=log, timeout=timeout)


WRONG = (
    None,
    "",
    "{}",
    "[]",
    "null",
    "garbage",
    '{"modules": 1, "fmax": [], "design": 0}',
    "\xff",
    "[" * 3000,
)
"""What is in place of JSON; nothing at all."""


def stage(folder: Path, arguments: Sequence[str]) -> str:
    """What a run is for."""
    if tuple(arguments[: len(YOSYS)]) != YOSYS:
        return "route"
    return "netlist" if (folder / f"{routing.WRAPPER}.sv").exists() else "synthesis"


def fails(job: Job, store: Store, at: str, file: str, wrong: str | None) -> None:
    """With this in place of a file of a stage, the job fails in a line."""

    def leave(folder: Path, arguments: Sequence[str]) -> bool:
        if stage(folder, arguments) != at:
            return False
        if wrong is not None:
            (folder / file).write_bytes(wrong.encode("latin-1"))
        return True

    [(_, failed)] = measure([job], store=store, machine=Odd(leave))
    failure = failed.failure if isinstance(failed, Measurement) else failed
    assert failure and len(failure.reason.splitlines()) == 1, (at, wrong)


def test_tools_that_write_garbage_have_failed(cache: Path, tmp_path: Path) -> None:
    """And nothing of it is kept."""
    target, store = CHIPS["ecp5"], Store(tmp_path / "results.sqlite")
    assert target.route
    job = Job(build().design, target, (1,))
    for wrong in WRONG:
        fails(job, store, "synthesis", CELLS, wrong)
    fails(job, store, "netlist", routing.NETLIST, None)
    for wrong in WRONG:
        fails(job, store, "route", target.route.report, wrong)
    [(_, good)] = measure([job], store=store)
    assert isinstance(good, Measurement) and good.area.luts > 0 and good.timing
