# SPDX-License-Identifier: Apache-2.0
"""The program: its commands, and what becomes of an exception.

Exit codes: 0 all went well, 1 a core or a tool failed, 2 bad input, 130 interrupted, 143 ended by SIGTERM,
129 by SIGHUP (a closed terminal).
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from modmul.cli.printing import Output, OutputError, out, say
from modmul.measure import RecordError
from modmul.registry import EvenModulus, RoomError, serving
from modmul.tools.extras import MissingExtra
from modmul.tools.machine import MachineError
from modmul.tools.run import Ended, ToolFailure, end_tools_on_signals
from modmul.tools.store import StoreError
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError

__all__ = ["app", "main"]

COMMANDS = {
    "list": "catalogue:list_",
    "show": "catalogue:show",
    "choose": "choosing:choose",
    "verify": "proof:verify",
    "faults": "proof:faults",
    "leakage": "leaking:leakage",
    "prove": "proof:prove",
    "coverage": "covering:coverage",
    "measure": "proof:measure",
    "compare": "proof:compare",
    "explore": "exploring:explore",
    "report": "proof:report",
    "papers": "proof:papers",
    "export": "use:export",
    "new-room": "use:new_room",
    "multiply": "use:multiply",
    "modexp": "use:modexp",
    "run": "running:run",
    "bench": "bench:bench",
    "doctor": "machine:doctor",
    "demo": "machine:demo",
    "rsa": "rsa:app",
    "ecc": "ecc:app",
    "device": "device:app",
}
"""Module and function, or group, of each, in the order of the help."""


class Commands(TyperGroup):
    """Imports a command when somebody asks for it: one that answers in a second waits for no other."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        # Of an unknown one those are told that are like it.
        for name in [cmd_name] if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                self.commands[name] = _command(name)
        return self.commands.get(cmd_name)


def _command(name: str) -> Any:
    module, _, member = COMMANDS[name].partition(":")
    found = getattr(import_module(f"modmul.cli.{module}"), member)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name)
    else:
        alone.command(name)(found)
    return typer.main.get_group(alone).commands[name]


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Modular-multiplier hardware: compare, verify, measure and export published architectures.",
)


def main() -> None:
    """Entry point: turns what the library raises into one line and an exit code."""
    end_tools_on_signals()
    sys.stdout = Output(sys.stdout)
    code: str | int | None = 0
    try:
        try:
            app()
        except SystemExit as leaving:
            ended = _ended(leaving)
            code = ended.status if ended else leaving.code
        sys.stdout.flush()
    except OutputError as error:
        # What is left goes nowhere, in silence.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error.__cause__, BrokenPipeError):
            sys.exit(128 + signal.SIGPIPE)  # whoever read it, head for one, has enough
        say(f"error: {error}")
        sys.exit(1)
    except Exception as error:
        status = _status(error)
        if status is None:
            raise
        say(f"error: {_one_line(error)}")
        code = status
    sys.exit(code)


def _one_line(error: Exception) -> str:
    if _is_full(error):
        names = (error.filename2, error.filename) if isinstance(error, OSError) else ()
        place = next((f" ({name})" for name in names if name), "")  # of a copy, where it goes to
        return (
            f"the disk is full{place}: free some space, or set MODMUL_CACHE to a folder on another; "
            "what was finished is kept"
        )
    if isinstance(error, EvenModulus) and (others := serving(error.modulus)):
        return f"{error}; these take it: {', '.join(others)}"
    return str(error)


def _is_full(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def _ended(leaving: BaseException) -> Ended | None:
    """The signal behind an exit, which the option parser takes for Ctrl-C."""
    cause: BaseException | None = leaving
    while cause is not None and not isinstance(cause, Ended):
        cause = cause.__cause__ or cause.__context__
    return cause


def _status(error: Exception) -> int | None:
    """The exit code of what the library raises on purpose; ``None`` for what it does not."""
    if isinstance(error, ValueError):
        return 2
    failed = (
        *(MachineError, MissingExtra, RecordError, RoomError, StoreError, ToolFailure),
        *(VerificationError, ProtocolError, SimulatorError),
    )
    return 1 if isinstance(error, failed) or _is_full(error) else None


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        out.print(f"modmul {version('modmul')}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
