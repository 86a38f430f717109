# SPDX-License-Identifier: Apache-2.0
"""Tools on the workers of a Dask scheduler: real processes, real tools twice, and everything that can die.

But for the first two tests the tools are small programs that write down when they start, and wait while there
is a file that says so.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modmul.cli.app import _status
from modmul.design import Design, Port
from modmul.measure import CHIPS, Job, Measurement, Store, ToolFailure, measure, route, synthesis
from modmul.registry import room
from modmul.tools import cluster as cluster_module
from modmul.tools.cluster import Cluster
from modmul.tools.extras import MissingExtra
from modmul.tools.machine import LOCAL, AddressError, MachineError
from modmul.tools.machines import machine_at
from modmul.tools.paths import cache_dir
from modmul.tools.run import log_file
from modmul.tools.store import tool_versions

SCRIPTS = Path(sys.executable).parent
SIMULATORS = cache_dir() / "simulators"
"""Those that were built before."""

PATIENCE = 60.0
"""Seconds after which something that should have happened counts as not happening."""


def until(what: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Farm:
    """A scheduler and workers of one thread, each a process with a cache folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler, _ = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)
        )
        until(lambda: file.exists() and file.read_text().endswith("}"))
        self.address: str = json.loads(file.read_text())["address"]

    def _start(self, kind: str, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
        place = self.folder / f"{kind}{len(self.processes)}"
        place.mkdir()
        log = place / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                (SCRIPTS / "dask", kind, "--no-dashboard", "--dashboard-address", "127.0.0.1:0", *arguments),
                cwd=place,
                env=os.environ
                | {"MODMUL_CACHE": str(place), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.processes.append(process)
        return process, log

    def grow(self, number: int) -> None:
        """Start workers until so many live."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        logs = []
        while len(self.workers) < number:
            options = ("--no-nanny", "--nthreads", "1", "--local-directory", str(self.folder))
            worker, log = self._start("worker", self.address, *options)
            self.workers.append(worker)
            logs.append(log)
        until(lambda: all("Registered to" in log.read_text() for log in logs))

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    farm = Farm(tmp_path_factory.mktemp("farm"))
    yield farm
    farm.end()


@pytest.fixture
def farm(started: Farm) -> Farm:
    """Two workers that have nothing to do."""
    started.grow(2)
    return started


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))
    return cache_dir()


def in_background(work: Callable[[], Any]) -> Future[Any]:
    pool = ThreadPoolExecutor(1)
    future = pool.submit(work)
    pool.shutdown(wait=False)
    return future


# --- the tools of the tests -----------------------------------------------------------------------

FAKE = """
import json, os, sys, time
from pathlib import Path

folder, *arguments = sys.argv[1:]
if arguments[0] == "job.json":
    last = json.loads(Path("job.json").read_text())[-1]
    name = "netlist" if last.startswith("write_json") else "area"
    answer, file = {"modules": {}, "design": {"num_cells_by_type": {"LUT4": 7}}}, last.split()[-1]
    if name == "area":
        file = "cells.json"
else:
    assert Path("netlist.json").is_file()
    seed = int(arguments[arguments.index("--seed") + 1])
    name, file = f"seed{seed}", arguments[arguments.index("--report") + 1]
    answer = {"fmax": {"clk": {"achieved": 100 + seed}}, "utilization": {"LUT": {"used": 7, "available": 9}}}
print(name, "says", "hello")
Path(folder, f"{name}.{os.getpid()}.{os.getppid()}").touch()
while Path(folder, f"hold-{name}").exists():
    time.sleep(0.02)
if Path(folder, f"poison-{name}").exists():
    os.kill(os.getppid(), 9)
if Path(folder, f"fail-{name}").exists():
    sys.exit("ERROR: no luck")
Path(file).write_text(json.dumps(answer))
"""


class Tools:
    """The programs that stand for Yosys and nextpnr, and what they write down."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.arguments = ("-P", "-c", FAKE, str(folder))

    def say(self, *texts: str) -> None:
        for text in texts:
            (self.folder / text).touch()

    def unsay(self, *texts: str) -> None:
        for text in texts:
            (self.folder / text).unlink()

    def starts(self, name: str) -> list[tuple[int, int]]:
        """Of each start of a tool, the number of its process and of the worker."""
        files = [file.name.split(".") for file in self.folder.iterdir() if file.name.startswith(f"{name}.")]
        return [(int(own), int(parent)) for _, own, parent in files]

    def counts(self) -> dict[str, int]:
        names = {file.name.split(".")[0] for file in self.folder.iterdir() if "." in file.name}
        return {name: len(self.starts(name)) for name in names}


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    folder = tmp_path / "shared"
    folder.mkdir()
    fakes = Tools(folder)
    monkeypatch.setattr(synthesis, "YOSYS", fakes.arguments)
    route_of_ecp5 = CHIPS["ecp5"].route
    assert route_of_ecp5
    routed = replace(route_of_ecp5, program=fakes.arguments)
    monkeypatch.setattr(route, "_route_of", lambda _target: routed)
    return fakes


def job(folder: Path, *seeds: int, name: str = "wire") -> Job:
    source = folder / f"{name}.sv"
    source.write_text(f"module {name} (input wire a_i, output wire b_o); assign b_o = a_i; endmodule\n")
    ports = (Port("a_i", "input", 1), Port("b_o", "output", 1))
    return Job(Design(name, name, (source,), ports=ports), CHIPS["ecp5"], seeds)


# --- what works -----------------------------------------------------------------------------------


def test_real_tools_give_the_same_figures_as_here(farm: Farm, tmp_path: Path) -> None:
    """The installed command; logs come here, the workers keep none."""

    def rows(cache: str, *options: str) -> Any:
        done = subprocess.run(
            (
                SCRIPTS / "modmul",
                "measure",
                "interleaved_radix2",
                "-w",
                "4",
                "--seeds",
                "1",
                "--json",
                *options,
            ),
            env=os.environ | {"MODMUL_CACHE": str(tmp_path / cache)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["rows"]

    assert rows("there", "--on", farm.address) == rows("here")
    logs = {cache: sorted((tmp_path / cache / "logs").iterdir()) for cache in ("there", "here")}
    assert [log.name for log in logs["there"]] == [log.name for log in logs["here"]]
    assert "Max frequency" in next(log for log in logs["there"] if "seed1" in log.name).read_text()
    left = [place for worker in farm.folder.glob("worker*") for place in (worker / "work").glob("*")]
    assert not left, "was left behind"


def test_a_comparison_measures_there_and_verifies_here(farm: Farm, tmp_path: Path) -> None:
    """The installed command; the scheduler tells how much it has had to do."""

    def steps() -> int:
        with Cluster(farm.address) as cluster:
            return int(
                cluster._client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)
            )

    command = (
        "compare -m 13 -w 4 --cores interleaved_radix2 --route none --count 1 --json --page page.html --on"
    )
    SIMULATORS.mkdir(parents=True, exist_ok=True)
    (cache_dir() / "simulators").symlink_to(SIMULATORS)
    before = steps()
    done = subprocess.run(
        (SCRIPTS / "modmul", *command.split(), farm.address),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert steps() > before
    [row] = json.loads(done.stdout)["rows"]
    found = room("interleaved_radix2")
    [(_, here)] = measure([Job(found.build(4).design, CHIPS["ecp5"])], store=Store(tmp_path / "here"))
    assert isinstance(here, Measurement)
    assert (row["luts"], row["ffs"]) == (here.area.luts, here.area.ffs)
    assert row["verified"] > 0 and (tmp_path / "page.html").is_file()


def test_every_thread_is_busy_and_failures_arrive_with_their_logs(
    farm: Farm, tools: Tools, tmp_path: Path
) -> None:
    """Both workers run a tool at the same time, though one at a time would do here."""
    tools.say("hold-seed1", "hold-seed2", "fail-seed3")
    jobs = [job(tmp_path, 1, 2), job(tmp_path, 3, name="other")]
    with Cluster(farm.address) as cluster:
        done = in_background(lambda: measure(jobs, workers=1, machine=cluster))
        until(lambda: tools.starts("seed1") and tools.starts("seed2"))
        tools.unsay("hold-seed1", "hold-seed2")
        good, bad = (outcome for _, outcome in done.result(PATIENCE))
    assert isinstance(good, Measurement) and good.timing and good.timing.fmax_mhz == {1: 101, 2: 102}
    assert good.timing.logs[2].read_text() == "seed2 says hello\n"
    assert len({worker for seed in (1, 2) for _, worker in tools.starts(f"seed{seed}")}) == 2
    assert isinstance(bad, Measurement) and bad.failure and bad.failure.reason == "no luck"
    assert bad.failure.log.parent == cache_dir() / "logs"
    assert bad.failure.log.read_text() == "seed3 says hello\nERROR: no luck\n"


def test_a_tool_that_takes_too_long_is_killed_there(farm: Farm, tools: Tools, tmp_path: Path) -> None:
    tools.say("hold-area")
    with Cluster(farm.address) as cluster:
        [(_, outcome)] = measure([job(tmp_path)], timeout=1, machine=cluster)
    assert isinstance(outcome, ToolFailure) and outcome.reason == "took longer than 1 s"
    [(tool, _)] = tools.starts("area")
    assert not alive(tool)


# --- what dies ------------------------------------------------------------------------------------


def test_a_worker_that_dies_loses_only_what_it_was_doing(farm: Farm, tools: Tools, tmp_path: Path) -> None:
    tools.say("hold-seed3", "hold-seed4")
    jobs = [job(tmp_path, 1, 2, 3, 4)]
    with Cluster(farm.address) as cluster:
        done = in_background(lambda: measure(jobs, machine=cluster))
        until(lambda: tools.starts("seed3") and tools.starts("seed4"))
        [(tool, worker)] = tools.starts("seed3")
        os.kill(worker, signal.SIGKILL)
        until(lambda: not alive(tool))
        tools.unsay("hold-seed3", "hold-seed4")
        [(_, outcome)] = done.result(PATIENCE)
    assert isinstance(outcome, Measurement) and outcome.timing
    assert outcome.timing.fmax_mhz == {1: 101, 2: 102, 3: 103, 4: 104}
    assert tools.counts() == {"area": 1, "netlist": 1, "seed1": 1, "seed2": 1, "seed3": 2, "seed4": 1}
    assert measure(jobs, machine=LOCAL) == [(jobs[0], outcome)], "all of it is in the store"


def test_a_tool_that_kills_its_workers_fails_alone(farm: Farm, tools: Tools, tmp_path: Path) -> None:
    """A worker that joins later is used at once."""
    tools.say("poison-seed1", "hold-seed2")
    jobs = [job(tmp_path, 1), job(tmp_path, 2, name="other")]
    with Cluster(farm.address) as cluster:
        done = in_background(lambda: measure(jobs, machine=cluster))
        until(lambda: any(worker.poll() is not None for worker in farm.workers))
        farm.grow(2)
        until(lambda: len(tools.starts("seed1")) == 2)
        tools.unsay("hold-seed2")
        bad, good = (outcome for _, outcome in done.result(PATIENCE))
    assert isinstance(bad, Measurement) and bad.failure
    assert bad.failure.reason == "each worker that ran it died" and bad.failure.log.read_text()
    assert isinstance(good, Measurement) and good.timing and good.timing.fmax_mhz == {2: 102}
    assert tools.counts() == {"area": 2, "netlist": 2, "seed1": 2, "seed2": 1}


PROGRAM = """
import sys
from pathlib import Path
from modmul.design import Design, Port
from modmul.measure import CHIPS, Job, measure, synthesis
from modmul.tools.cluster import Cluster
from modmul.tools.run import Ended, end_tools_on_signals

address, source, *synthesis.YOSYS = sys.argv[1:]
end_tools_on_signals()
try:
    with Cluster(address) as cluster:
        measure([Job(Design("wire", "wire", (Path(source),)), CHIPS["ecp5"])], machine=cluster)
except Ended as end:
    sys.exit(end.status)
"""


def test_an_interruption_kills_the_own_tools_alone(farm: Farm, tools: Tools, tmp_path: Path) -> None:
    tools.say("hold-area", "hold-seed1")
    [source] = job(tmp_path).design.sources
    with Cluster(farm.address) as cluster:
        (tmp_path / "own").mkdir()
        (tmp_path / "own" / "netlist.json").touch()
        arguments = (*tools.arguments, "--report", "report.json", "--seed", "1")
        other = in_background(
            lambda: cluster.run(arguments, folder=tmp_path / "own", log=log_file("own"), timeout=PATIENCE)
        )
        command = (sys.executable, "-c", PROGRAM, farm.address, source, *tools.arguments)
        with subprocess.Popen(command) as program:
            until(lambda: tools.starts("area") and tools.starts("seed1"))
            program.send_signal(signal.SIGTERM)
            assert program.wait(PATIENCE) == 128 + signal.SIGTERM
        [(tool, _)], [(others, _)] = tools.starts("area"), tools.starts("seed1")
        until(lambda: not alive(tool))
        assert alive(others)
        tools.unsay("hold-area", "hold-seed1")
        assert other.result(PATIENCE) > 0
    assert (tmp_path / "own" / "report.json").is_file()
    assert not list((cache_dir() / "work").iterdir())


def test_a_stopped_machine_takes_nothing_more(farm: Farm, tools: Tools, tmp_path: Path) -> None:
    with Cluster(farm.address) as cluster:
        cluster.stop()
        with pytest.raises(MachineError, match=f"the work at {farm.address} was stopped"):
            measure([job(tmp_path)], machine=cluster)
    assert not tools.counts()


def test_a_lost_scheduler_ends_the_work_and_keeps_what_was_finished(tools: Tools, tmp_path: Path) -> None:
    farm = Farm(tmp_path)
    told: list[str] = []
    try:
        with machine_at(farm.address, told.append) as machine:
            assert told == [f"{farm.address} has no workers yet; waiting for the first"]
            farm.grow(1)
            tools.say("hold-seed1")
            jobs = [job(tmp_path, 1)]
            done = in_background(lambda: measure(jobs, machine=machine))
            until(lambda: tools.starts("seed1"))
            farm.scheduler.kill()
            with pytest.raises(MachineError, match=f"the Dask scheduler {farm.address} is lost") as error:
                done.result(PATIENCE)
    finally:
        farm.end()
    assert "\n" not in str(error.value) and _status(error.value) == 1
    tools.unsay("hold-seed1")
    [(_, outcome)] = measure(jobs)
    assert isinstance(outcome, Measurement) and outcome.timing
    assert tools.counts() == {"area": 1, "netlist": 2, "seed1": 2}, "the area was kept"


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("package", ["modmul", "pyosys", "no-such-package"])
def test_other_versions_are_refused(
    farm: Farm, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of the workers that are there at the beginning, and of those that come later."""
    versions = tool_versions("modmul", "pyosys")
    has = versions.get(package, "missing")
    reason = (
        rf"^worker tcp://127.0.0.1:\d+ has {package} {has} instead of 0\.0; install the same versions there$"
    )
    with Cluster(farm.address) as cluster:
        monkeypatch.setattr(cluster_module, "tool_versions", lambda *_: versions | {package: "0.0"})
        with pytest.raises(MachineError, match=reason) as error:
            Cluster(farm.address)
        assert _status(error.value) == 1
        cluster._versions = versions | {package: "0.0"}
        with pytest.raises(MachineError, match=reason):
            cluster.run(("-c", ""), folder=tmp_path, log=log_file("none"), timeout=1)


def test_an_address_without_a_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        cases = {
            "nowhere": "has an address like tcp://host:8786, got 'nowhere'",
            "": "has an address like tcp://host:8786, got ''",
            "tcp://127.0.0.1": "answers at tcp://127.0.0.1: .*missing port",
            "tcp://127.0.0.1:1": r"answers at tcp://127.0.0.1:1: nothing came within 0\.5 s",
            f"tcp://127.0.0.1:{port}": f"answers at tcp://127.0.0.1:{port}: nothing came",
        }
        for address, reason in cases.items():
            with pytest.raises(AddressError, match=reason) as error, machine_at(address):
                pass
            assert _status(error.value) == 2 and "\n" not in str(error.value)


def test_a_worker_is_no_scheduler(farm: Farm) -> None:
    with Cluster(farm.address) as cluster:
        [worker, *_] = cluster._client.nthreads()
    with pytest.raises(AddressError, match="it is a Worker"):
        Cluster(worker)


def test_without_distributed_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "modmul.tools.cluster")
    with (
        pytest.raises(MissingExtra, match=r"pip install 'modmul\[cluster\]'$"),
        machine_at("tcp://127.0.0.1:1"),
    ):
        pass


def test_without_an_address_it_is_this_machine() -> None:
    with machine_at(None) as machine:
        assert machine is LOCAL and machine.slots(3) == 3
