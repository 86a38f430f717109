# SPDX-License-Identifier: Apache-2.0
"""Runs the external tools: each in its own process group, with a time limit and a log."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from modmul.paths import cache_dir

__all__ = ["ToolFailure", "kill_tools", "log_file", "run_tool", "work_dir"]

_ERROR = re.compile(r"\berror\b", re.IGNORECASE)

_running: set[subprocess.Popen[bytes]] = set()
_lock = threading.Lock()


class ToolFailure(RuntimeError):
    """A tool run that gave no result.

    Attributes:
        reason: one line.
        log: the tool's output.
    """

    def __init__(self, reason: str, log: Path) -> None:
        super().__init__(f"{reason} (log: {log})")
        self.reason = reason
        self.log = log


def log_file(name: str) -> Path:
    """The path of a log in the cache's ``logs`` folder, which is created when missing."""
    folder = cache_dir() / "logs"
    folder.mkdir(exist_ok=True)
    return folder / f"{name}.log"


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
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def run_tool(command: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
    """Run a command to its end and return the seconds it took.

    Args:
        command: program and arguments.
        folder: the folder it runs in; its temporary files go there too.
        log: receives its output, standard error included; overwritten.
        timeout: seconds after which it is killed.

    Raises:
        ToolFailure: it took too long, was killed, or reported an error.
    """
    start = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"TMPDIR": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        with _lock:
            _running.add(process)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise ToolFailure(f"took longer than {timeout:g} s", log) from None
        finally:
            _kill(process)
            process.wait()
            with _lock:
                _running.discard(process)
    if status:
        raise ToolFailure(_reason(status, log), log)
    return time.monotonic() - start


def _reason(status: int, log: Path) -> str:
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    lines = log.read_text(errors="replace").splitlines()
    errors = [line.removeprefix("ERROR: ").strip() for line in lines if _ERROR.search(line)]
    return errors[-1] if errors else f"failed with exit status {status}"
