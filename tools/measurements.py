# SPDX-License-Identifier: Apache-2.0
"""``make measurements``: renews the measurements that come with the package (``src/modmul/results``)."""

from __future__ import annotations

from typing import Annotated

import typer

from modmul.cli.options import JobsOption, OnOption
from modmul.cli.printing import say
from modmul.cli.progress import showing
from modmul.measure import Job
from modmul.study.shipping import expected_seconds, missing, renew, wanted
from modmul.tools.machines import machine_at
from modmul.tools.run import end_tools_on_signals


def main(
    on: OnOption = None,
    jobs: JobsOption = 2,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds one run of a tool may take.")] = 7200,
    check: Annotated[bool, typer.Option("--check", help="Only say what is missing or stale.")] = False,
) -> None:
    """Measure what is missing or stale; an interrupted run goes on where it was."""
    todo = wanted()
    stale = missing(todo)
    say(f"{len(stale)} of {len(todo)} measurements are missing or stale")
    if check:
        for job in stale:
            say(f"  {_named(job)}")
        raise typer.Exit(bool(stale))
    seconds = expected_seconds(stale)
    if seconds is not None:
        at_a_time = 1 if on else jobs
        say(f"{seconds / at_a_time / 60:.0f} minutes at {at_a_time} tools at a time, less what the cache has")
    with machine_at(on, say) as machine, showing() as listener:
        failed = renew(todo, workers=jobs, listener=listener, timeout=timeout, machine=machine)
    for job, failure in failed:
        say(f"{_named(job)}: {failure}")
    raise typer.Exit(bool(failed))


def _named(job: Job) -> str:
    """In a line: a program is a parameter of some thousand digits."""
    parameters = job.design.parameters.items()
    settings = ", ".join(f"{name}={value}" for name, value in parameters if name != "Program")
    return f"{job.design.name} ({settings}) on {job.target.name}"


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
