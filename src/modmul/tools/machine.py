# SPDX-License-Identifier: Apache-2.0
"""Where a tool runs: on this machine, or on a worker of a Dask scheduler (:mod:`modmul.tools.cluster`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from modmul.tools.run import run_tool

__all__ = ["LOCAL", "AddressError", "Local", "Machine", "MachineError"]


class MachineError(RuntimeError):
    """The machines cannot run tools; what was finished before is kept. The message is one line."""


class AddressError(ValueError):
    """No scheduler can be reached under an address; the message is one line."""


class Machine(Protocol):
    """Runs Python programs that are tools, from several threads at a time."""

    def slots(self, workers: int) -> int:
        """How many runs to ask for at the same time, at least 1; it may change from call to call.

        Args:
            workers: as many as there should be on this machine, at least 1.
        """

    def run(self, arguments: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
        """Run that machine's Python interpreter to its end and return the seconds it took.

        Args:
            arguments: those of the interpreter.
            folder: holds the files that the program needs; afterwards also those it has made. It runs there,
                or in a copy, without folders inside.
            log: receives its output, standard error included; overwritten.
            timeout: seconds after which it is killed.

        Raises:
            ToolFailure: the program gave no result.
            MachineError: this and every other run is in vain.
        """

    def stop(self) -> None:
        """End what runs for this object elsewhere, and refuse everything from now on.

        What runs here is ended by :func:`modmul.tools.run.kill_tools`.
        """


class Local:
    """This machine."""

    def slots(self, workers: int) -> int:
        """As many as the caller wants."""
        return workers

    def run(self, arguments: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
        """Run a Python program in ``folder`` itself; see :class:`Machine`."""
        return run_tool((sys.executable, *arguments), folder=folder, log=log, timeout=timeout)

    def stop(self) -> None:
        """Nothing runs elsewhere."""


LOCAL = Local()
