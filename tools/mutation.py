# SPDX-License-Identifier: Apache-2.0
"""``make mutation``: tries mutants of every module, keeps the record, writes the tables of docs/mutation.md.

``python tools/mutation.py [--limit SECONDS] [CORE …]``: of the modules of some cores, or of all. What is
known is not run again, but with a greater limit what is undecided; after Ctrl-C the same command goes on from
the mutant at hand. The record comes with the package, so the tables can be compared with it at any time. Both
are written after each core.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from modmul.mutate.judge import LATER, SOONER
from modmul.mutate.plan import RECORD, Found, Tried, hosted, known, record, score, stale, try_all
from modmul.mutate.pool import KINDS
from modmul.mutate.referee import SECONDS
from modmul.registry import own_cores
from modmul.tools.blocks import filled
from modmul.tools.progress import Progress
from modmul.tools.run import end_tools_on_signals
from modmul.tools.store import Store

PAGE = Path(__file__).parents[1] / "docs" / "mutation.md"


def renewed(text: str, found: Sequence[Found]) -> str:
    """The text of the page with what is known now."""
    parts = {"cores": _cores, "modules": _modules, "survivors": _survivors, "checks": _checks}
    return filled(text, {name: "\n".join(part(found)) for name, part in parts.items()})


HEAD = ("mutants", "killed", "equivalent", "survived", "score")


def _counts(mutants: Sequence[Tried]) -> str:
    killed = sum(bool(each.check) for each in mutants)
    equal, left = sum(each.equivalent for each in mutants), sum(each.survived for each in mutants)
    reached = score(mutants)
    percent = "" if reached is None else f"{100 * reached:.{0 if reached == 1 else 1}f} %"
    return f"{len(mutants):,} | {killed:,} | {equal:,} | {left:,} | {percent}"


def _cores(found: Sequence[Found]) -> Iterator[str]:
    """A core a line, those that were not run too."""
    yield f"| core | modules | {' | '.join(HEAD)} | CPU time, s |"
    yield f"|---|--:|{'--:|' * (len(HEAD) + 1)}"
    there = {each.core: each for each in found}
    for slug in own_cores():
        if slug in there:
            each = there[slug]
            told = f"{_counts(each.mutants)} | {each.seconds:,.0f}"
        else:
            told = f"not run |{' |' * (len(HEAD))}"
        yield f"| `{slug}` | {len(hosted(slug))} | {told} |"
    every = [tried for each in found for tried in each.mutants]
    modules = sum(len(hosted(each.core)) for each in found)
    yield f"| all | {modules} | {_counts(every)} | {sum(each.seconds for each in found):,.0f} |"


def _modules(found: Sequence[Found]) -> Iterator[str]:
    """A module a line."""
    yield f"| module | in | {' | '.join(HEAD)} |"
    yield f"|---|---|{'--:|' * len(HEAD)}"
    for each in found:
        for module, mutants in each.modules.items():
            yield f"| `{module}` | `{each.core}` | {_counts(mutants)} |"


def _survivors(found: Sequence[Found]) -> Iterator[str]:
    yield "| mutant | build | the referee says |"
    yield "|---|---|---|"
    for each in found:
        for tried in each.mutants:
            if tried.survived:
                cycles = f", {tried.frames} cycles" if tried.frames else ""
                what = f"`{tried.module}`, {tried.kind}, {tried.what}".replace("|", "\\|")
                yield f"| {what} | `{each.core}` {tried.config} | {tried.judgement}{cycles} |"


def _checks(found: Sequence[Found]) -> Iterator[str]:
    """Which check was the first to find how many."""
    yield f"| check | {' | '.join(KINDS)} |"
    yield f"|---|{'--:|' * len(KINDS)}"
    counts = Counter((tried.check, tried.kind) for each in found for tried in each.mutants if tried.check)
    names = dict.fromkeys((*SOONER, *LATER, *sorted(name for name, _ in counts)))
    for name in names:
        yield f"| {name} | {' | '.join(f'{counts[name, kind]:,}' for kind in KINDS)} |"


def _of_source(tried: Tried) -> bool:
    return tried.survived and tried.kind == "source"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cores", nargs="*", metavar="CORE", help="Default: all.")
    parser.add_argument(
        "--limit", type=float, default=SECONDS, help="Seconds that the referee may take for a question."
    )
    told = parser.parse_args()
    asked = told.cores or own_cores()
    end_tools_on_signals()
    there = {each.core: each for each in known()}
    old = set(stale(there.values()))
    old |= {slug for slug, each in there.items() if not each.further and any(map(_of_source, each.mutants))}
    if told.limit > SECONDS:  # what is undecided is asked again
        old |= {slug for slug, each in there.items() if any(tried.survived for tried in each.mutants)}
    todo = [slug for slug in asked if slug not in there or slug in old]

    def listen(progress: Progress) -> None:
        if progress.done % 10 == 0 or progress.done == progress.total:
            print(f"{progress.done:4} of {progress.total}  {progress.text}", file=sys.stderr, flush=True)

    for each in try_all(todo, Store(), told.limit, listen):  # kept at once, whatever becomes of the others
        there[each.core] = each
        every = [there[slug] for slug in own_cores() if slug in there]
        record(every)
        PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), every), encoding="utf-8")
        left = [tried for tried in each.mutants if tried.survived]
        print(f"{each.core}: {_counts(each.mutants)}  {each.seconds:,.0f} s", flush=True)
        for tried in left:
            print(f"  survived: {tried}: {tried.judgement} {tried.frames}", flush=True)
    for slug in stale(known()):
        print(f"to be tried again: {slug}")
    survived = sum(tried.survived for slug in asked for tried in there[slug].mutants)
    print(f"{len(todo)} cores tried, {survived} mutants survived; {RECORD.name} and {PAGE.name} are written")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
