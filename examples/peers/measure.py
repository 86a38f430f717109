# SPDX-License-Identifier: Apache-2.0
"""``python examples/peers/measure.py DIR``: measures cores that others published, from checkouts of theirs.

Each folder beside this file that has a ``core.py`` is a room: our wrapper, and what has to be known of the
core. An interrupted run goes on where it was.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from modmul.chips import CHIPS
from modmul.cli.options import JobsOption, OnOption
from modmul.cli.printing import say
from modmul.cli.progress import showing
from modmul.measure import SHIPPED_SEEDS, Job, Measurement, Store, measure
from modmul.registry import visit
from modmul.room import Build, Room, RoomError
from modmul.study.others import OTHERS, Other, read, write
from modmul.tools.checkout import PEERS
from modmul.tools.machines import machine_at
from modmul.tools.run import end_tools_on_signals
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError
from modmul.verify.runner import Plan, verify

HERE = Path(__file__).parent
WIDTH = 256
"""Bits of the operands at which all are measured."""


def peers(names: list[str] | None = None) -> list[Room]:
    """The rooms beside this file, or those of some names.

    Raises:
        RoomError: there is no such room.
    """
    found = sorted(file.parent for file in HERE.glob("*/core.py"))
    return [visit(HERE / name) for name in names] if names else [visit(folder) for folder in found]


def builds(room: Room) -> tuple[Build, ...]:
    """Those worth comparing."""
    return room.fitting(WIDTH, chip="ecp5")


def job(build: Build) -> Job:
    """What is measured of a build.

    Raises:
        RoomError: there is no checkout of its sources.
    """
    return Job(build.design, CHIPS["ecp5"], SHIPPED_SEEDS)


def main(
    checkouts: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the checkouts.")],
    only: Annotated[list[str] | None, typer.Option("--only", metavar="ROOM", help="Only this room.")] = None,
    on: OnOption = None,
    jobs: JobsOption = 2,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds one run of a tool may take.")] = 7200,
    count: Annotated[int, typer.Option(min=1, help="Random operations to verify of each core.")] = 10_000,
    check: Annotated[
        bool, typer.Option("--check", help="Only say which records are missing or stale.")
    ] = False,
) -> None:
    """Verify and measure every core whose record is missing or stale, and write the records."""
    os.environ[PEERS] = str(checkouts)
    known = read(OTHERS)
    todo: dict[Build, Job] = {}
    absent = False
    for room in peers(only):
        try:
            wanted = {build: job(build) for build in builds(room)}
        except RoomError as error:
            say(str(error))
            absent = True
            continue
        todo |= {b: j for b, j in wanted.items() if not any(each.covers(b, j) for each in known)}
    say(f"{len(todo)} measurements are missing or stale")
    if check or not todo:
        for build in todo:
            say(f"  {build}")
        raise typer.Exit(bool(todo) or absent)
    failed = absent
    with machine_at(on, say) as machine, showing() as listener:
        for build, each in todo.items():
            try:
                verify(build, Plan(count=count), listener=listener)
            except (VerificationError, ProtocolError, SimulatorError) as error:
                say(f"{build}: {error}")
                failed = True
                continue
            [(_, outcome)] = measure(
                [each], workers=jobs, store=Store(), listener=listener, timeout=timeout, machine=machine
            )
            failure = outcome.failure if isinstance(outcome, Measurement) else outcome
            if failure or not isinstance(outcome, Measurement):
                say(f"{build}: {failure}")
                failed = True
                continue
            new = Other.of(build, each, outcome)
            known = [*(old for old in known if old.record.build != new.record.build), new]
            write(each for each in known if each.record.design == new.record.design)
    raise typer.Exit(failed)


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
