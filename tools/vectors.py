# SPDX-License-Identifier: Apache-2.0
"""``make vectors``: runs published vectors on simulated hardware, keeps the record, writes the tables of
docs/verification.md.

``python tools/vectors.py [--every] [TEXT …]``: the jobs that hold one of these texts, or all; with
``--every`` also one of every curve on every core. What is known is not run again: a vector's outcome is kept
as soon as it is there, so after Ctrl-C the same command goes on. The record comes with the package, so the
tables can be compared with it at any time; it is written behind each job, the tables at the end. Rows of
hardware or vectors that have changed since leave it first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from modmul.moduli import CURVES
from modmul.registry import own_cores
from modmul.tools.blocks import filled
from modmul.tools.run import end_tools_on_signals
from modmul.tools.store import Store
from modmul.vectors.plan import (
    RECORD,
    SHOWN,
    SOURCES,
    Done,
    Job,
    accepting,
    known,
    on_every_core,
    on_quick_builds,
    record,
    tried,
)

PAGE = Path(__file__).parents[1] / "docs" / "verification.md"


def renewed(text: str, found: Sequence[Done]) -> str:
    """The text of the page with what is known now."""
    quick = {job.name for job in on_quick_builds()}
    some = [each for each in found if each.name in quick]
    parts = {"vectors": (_total(found), "", *_sources(some), *_wrong(found)), "vectors-cores": _cores(found)}
    return filled(text, {name: "\n".join(lines) for name, lines in parts.items()})


def _total(found: Sequence[Done]) -> str:
    ran, right, refused, operations = (
        sum(getattr(each, name) for each in found) for name in ("ran", "right", "refused", "operations")
    )
    wrong = f"{ran - right:,} are not" if ran - right else "none is wrong"
    seconds = sum(each.seconds for each in found)
    return (
        f"{ran:,} runs of a vector on simulated hardware, in {operations:,} operations: {right:,} are right, "
        f"{wrong}.\n{refused:,} more are refused, as they must be, before the hardware is asked, and do not "
        f"count. {seconds / 60:,.0f} minutes of CPU time."
    )


def _sources(found: Sequence[Done]) -> Iterator[str]:
    """A line for each source and kind of system."""
    yield "| vectors | curve, or bits | system | core | ran | right | refused before | cycles, 10^6 | CPU s |"
    yield "|---|---|---|---|--:|--:|--:|--:|--:|"
    for source in dict.fromkeys(each.name for each in SOURCES):
        own = [each for each in found if each.source == source]
        for system in dict.fromkeys(_system(each) for each in own):
            rows = [each for each in own if _system(each) == system]
            sizes = ", ".join(sorted(dict.fromkeys(each.size for each in rows), key=_place))
            cores = ", ".join(dict.fromkeys(f"`{each.core}`" for each in rows))
            counts = (
                f"{sum(getattr(each, name) for each in rows):,}" for name in ("ran", "right", "refused")
            )
            millions = f"{sum(each.cycles for each in rows) / 1e6:,.1f}"
            seconds = f"{sum(each.seconds for each in rows):,.0f}"
            yield f"| {' | '.join((source, sizes, system, cores, *counts, millions, seconds))} |"


def _system(done: Done) -> str:
    return f"`{done.system}`" if not done.system.startswith("ecc_") else "`ecc_…`"


def _place(size: str) -> tuple[int, int]:
    return (0, list(CURVES).index(size)) if size in CURVES else (1, int(size))


def _wrong(found: Sequence[Done]) -> Iterator[str]:
    """What is wrong: the first of each job, and of how many."""
    lines = [
        f"- {_name(each)}: {len(each.wrong)} of {each.ran}; {each.wrong[0]}" for each in found if each.wrong
    ]
    yield from ("", *lines) if lines else ()


def _name(done: Done) -> str:
    return f"{done.source}: {done.system} {done.size} on {done.core}"


def _cores(found: Sequence[Done]) -> Iterator[str]:
    """A line for each core: the vectors of each kind that are right, of how many that ran."""
    titles = [f"`{system}` {size}" if system[:4] != "ecc_" else f"`{system}`" for system, size in SHOWN]
    yield f"| core | {' | '.join(titles)} | other curves |"
    yield f"|---|{'--:|' * (len(SHOWN) + 1)}"
    others = {(job.system, job.size): accepting(job.system, job.size) for job in on_every_core(every=True)}
    for slug in own_cores():
        own = [each for each in found if each.core == slug]
        cells = [
            _cell([each for each in own if (each.system, each.size) == pair], slug, pair) for pair in SHOWN
        ]
        asked = [pair for pair, cores in others.items() if slug in cores]
        done = {(each.system, each.size) for each in own if each.right} & set(asked)
        cells.append(f"{len(done)} of {len(asked)}" if asked else "")
        if any(cells):
            yield f"| `{slug}` | {' | '.join(cells)} |"


def _cell(found: Sequence[Done], slug: str, pair: tuple[str, str]) -> str:
    if not found:
        return "not run" if slug in accepting(*pair) else ""
    return f"{sum(each.right for each in found):,} of {sum(each.ran for each in found):,}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="Default: all.")
    parser.add_argument("--every", action="store_true", help="Also one of every curve on every core.")
    parser.add_argument("--tables", action="store_true", help="Run nothing.")
    told = parser.parse_args()
    end_tools_on_signals()
    usual, rest = (*on_quick_builds(), *on_every_core()), tuple(on_every_core(every=True))
    jobs = [*usual, *(rest if told.every else ())]
    digests = {job.name: job.digest for job in (*usual, *rest)}
    # Others are of no job any more, or of what has changed.
    there = {each.name: each for each in known() if digests.get(each.name) == each.digest}
    todo = [
        job
        for job in jobs
        if (not told.texts or any(text in str(job) for text in told.texts)) and job.name not in there
    ]
    store = Store()
    for at, job in enumerate([] if told.tables else todo, 1):
        there[job.name] = _tried(job, store, f"{at:3} of {len(todo)}")
        record(there.values())
    record(there.values())
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), known()), encoding="utf-8")
    wrong = [f"{_name(each)}: {what}" for each in known() for what in each.wrong]
    for line in wrong:
        print(line)
    print(f"{len(wrong)} vectors are wrong; {RECORD.name} and {PAGE.name} are written")
    return 1 if wrong else 0


def _tried(job: Job, store: Store, place: str) -> Done:
    """What comes of a job, with a line that tells how far it is."""

    def listen(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{place}  {job}: {done} of {len(job.vectors)}", end="", file=sys.stderr, flush=True)

    found = tried(job, store, listen)
    start = "\r" if sys.stderr.isatty() else ""
    told = f"{found.right} of {found.ran} right, {found.refused} refused before, {found.seconds:,.1f} s"
    print(f"{start}{place}  {job}: {told}", file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
