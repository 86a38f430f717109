# SPDX-License-Identifier: Apache-2.0
"""Runs the external tools: each in its own process group, with a time limit and a log.

No tool outlives this process' wish for it: a time limit, an exception in :mod:`modmul.tools.pool`, and the
signals of :func:`end_tools_on_signals` kill it with all its children.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BufferedWriter
from pathlib import Path
from types import FrameType

from modmul.tools.paths import cache_dir

__all__ = [
    "DiskFull",
    "Ended",
    "Stopped",
    "ToolFailure",
    "end_tools",
    "end_tools_on_signals",
    "kill_tools",
    "log_file",
    "own_log",
    "run_tool",
    "work_dir",
]

_ALWAYS = {"LANGUAGE": "en", "PYTHONUNBUFFERED": "1"}
"""Variables of all tools: what they say is English, and what goes wrong stands behind what was before it."""

_ERROR = re.compile(r"\berror\b", re.IGNORECASE)

_FULL = os.strerror(errno.ENOSPC).encode()

RESERVE = 4096
"""Bytes on the disk that a log has before its tool begins."""

KEEP_SIZE = 1
"""``FALLOC_FL_KEEP_SIZE`` of ``fallocate(2)``."""

LITTLE_SPACE = 8 << 20
"""Bytes: a tool that fails where no more are free has failed for want of them."""

_stopped: set[subprocess.Popen[bytes]] = set()  # killed because nobody wants their results any more
_running: dict[subprocess.Popen[bytes], str] = {}  # with their owners
_ended: set[str] = set()  # the owners for whom no tool is started any more
_lock = threading.RLock()  # a signal's handler may come while its own thread holds it
_ending = False


class ToolFailure(RuntimeError):
    """A tool run that gave no result.

    Attributes:
        reason: one line.
        log: the tool's output.
    """

    def __init__(self, reason: str, log: Path) -> None:
        super().__init__(reason, log)
        self.reason = reason
        self.log = log

    def __str__(self) -> str:
        return f"{self.reason} (log: {self.log})"


class Stopped(ToolFailure):
    """A tool was killed because nobody wants its result any more: nothing has failed."""

    def __init__(self, log: Path) -> None:
        super().__init__("stopped", log)


class DiskFull(OSError):
    """There is no room for what a tool, or this process, has to write.

    Everything that needs the disk will fail, so it ends the whole work and not one piece of it.

    Args:
        place: the file or folder.
    """

    def __init__(self, place: Path) -> None:
        super().__init__(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place))


class Ended(KeyboardInterrupt):
    """A signal asked this process to end; what it had started has been killed.

    Attributes:
        status: what to exit with: 128 and the signal's number.
    """

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number


def log_file(name: str) -> Path:
    """The path of a log in the cache's ``logs`` folder, which is created when missing."""
    folder = cache_dir() / "logs"
    folder.mkdir(exist_ok=True)
    return folder / f"{name}.log"


@contextmanager
def own_log(folder: Path, log: Path) -> Iterator[Path]:
    """The log of tools whose output is read: in a folder of one's own, and afterwards in place of ``log``.

    Who asks the same at the same time has the same :func:`log_file`, and would overwrite it before it is
    read. Failures name the log that stays.
    """
    own = folder / log.name
    try:
        yield own
    except ToolFailure as failure:
        failure.log = log
        raise
    finally:
        with suppress(FileNotFoundError):  # no tool was started
            shutil.move(own, log)


@contextmanager
def work_dir() -> Iterator[Path]:
    """An empty folder, removed afterwards."""
    folder = cache_dir() / "work"
    folder.mkdir(exist_ok=True)
    path = Path(tempfile.mkdtemp(dir=folder))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def kill_tools() -> None:
    """Kill every tool this process is running, with its children."""
    with _lock:
        for process in _running:
            _stopped.add(process)
            _kill(process)


def end_tools(owner: str) -> None:
    """Kill the tools that this process is running for one owner, with their children, and start none for it
    from now on."""
    with _lock:
        _ended.add(owner)
        for process in [process for process, whose in _running.items() if whose == owner]:
            _stopped.add(process)
            _kill(process)


def end_tools_on_signals() -> None:
    """From now on SIGTERM and SIGHUP (a closed terminal) kill all tools, and raise :class:`Ended` here.

    No tool is started afterwards. For programs, and called by their main thread.
    """

    def end(number: int, _frame: FrameType | None) -> None:
        global _ending  # noqa: PLW0603 (the process itself ends)
        with _lock:
            _ending = True
            kill_tools()
        raise Ended(number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run_tool(
    command: Sequence[str],
    *,
    folder: Path,
    log: Path,
    timeout: float,
    environment: Mapping[str, str] | None = None,
    owner: str = "",
) -> float:
    """Run a command to its end and return the seconds it took.

    Args:
        command: program and arguments.
        folder: the folder it runs in; its temporary files go there too.
        log: receives its output, standard error included; overwritten.
        timeout: seconds after which it is killed.
        environment: variables besides those of this process.
        owner: for whom it runs, where one process runs tools for several (:func:`end_tools`).

    Raises:
        Stopped: :func:`kill_tools` or :func:`end_tools` killed it.
        ToolFailure: it is not installed, took too long, was killed, or reported an error.
        DiskFull: it failed, and there is no room where it ran.
    """
    start = time.monotonic()
    with log.open("wb") as output:
        _reserve(output, log)
        with _lock:
            if _ending or owner in _ended:
                raise ToolFailure("not started: what wants it is about to end", log)
            try:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=os.environ | _ALWAYS | {"TMPDIR": str(folder)} | dict(environment or {}),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except FileNotFoundError as error:
                raise ToolFailure(
                    f"{command[0]} is not installed; 'modmul doctor' says what to do", log
                ) from error
            _running[process] = owner
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise ToolFailure(f"took longer than {timeout:g} s", log) from None
        finally:
            with _lock:
                # Its children too, also those that have outlived it; the group's number is ours until wait().
                _kill(process)
                del _running[process]
                stopped = process in _stopped
                _stopped.discard(process)
            process.wait()
    if status and stopped:
        raise Stopped(log)
    if status:
        if shutil.disk_usage(folder).free < LITTLE_SPACE or _FULL in log.read_bytes():
            raise DiskFull(folder)
        raise ToolFailure(_reason(status, log), log)
    return time.monotonic() - start


def _reserve(output: BufferedWriter, log: Path) -> None:
    """Keep room for the first lines of a log, so that a tool can say that the disk is full; its size stays 0.

    Raises:
        DiskFull: there is not even that.
    """
    allocate = getattr(ctypes.CDLL(None, use_errno=True), "fallocate", None)
    if allocate is None:  # no Linux
        return
    allocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_longlong, ctypes.c_longlong)
    failed = allocate(output.fileno(), KEEP_SIZE, 0, RESERVE)
    if failed and ctypes.get_errno() == errno.ENOSPC:  # other errors: this file system cannot do it
        raise DiskFull(log)


def _reason(status: int, log: Path) -> str:
    if status < 0:
        name = signal.Signals(-status).name
        return f"killed by {name}{', as where memory runs out' if -status == signal.SIGKILL else ''}"
    lines = log.read_text(errors="replace").splitlines()
    errors = [line.removeprefix("ERROR: ").strip() for line in lines if _ERROR.search(line)]
    return errors[-1] if errors else f"failed with exit status {status}"
