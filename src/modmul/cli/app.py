# SPDX-License-Identifier: Apache-2.0
"""The program: its commands, and what becomes of an exception.

Exit codes: 0 all went well, 1 a core or a tool failed, 2 bad input, 130 interrupted, 143 ended by SIGTERM,
129 by SIGHUP (a closed terminal).
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from modmul import __version__
from modmul.cli import catalogue, machine, proof, rsa, use
from modmul.cli.printing import out, say
from modmul.registry import RoomError
from modmul.tools.extras import MissingExtra
from modmul.tools.machine import MachineError
from modmul.tools.run import Ended, ToolFailure, end_tools_on_signals
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError

__all__ = ["app", "main"]

COMMANDS = (
    catalogue.list_,
    catalogue.show,
    proof.verify,
    proof.measure,
    proof.compare,
    proof.report,
    proof.papers,
    use.export,
    use.multiply,
    use.modexp,
    machine.doctor,
    machine.demo,
)
"""In the order of the help."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Modular-multiplier hardware: compare, verify, measure and export published architectures.",
)


def main() -> None:
    """Entry point: turns what the library raises into one line and an exit code."""
    end_tools_on_signals()
    try:
        app()
    except SystemExit as leaving:
        ended = _ended(leaving)
        if ended is None:
            raise
        sys.exit(ended.status)
    except Exception as error:
        status = _status(error)
        if status is None:
            raise
        say(f"error: {error}")
        sys.exit(status)


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
        *(MachineError, MissingExtra, RoomError, ToolFailure),
        *(VerificationError, ProtocolError, SimulatorError),
    )
    return 1 if isinstance(error, failed) else None


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"modmul {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for _command in COMMANDS:
    app.command(_command.__name__.rstrip("_"))(_command)
app.add_typer(rsa.app, name="rsa")
