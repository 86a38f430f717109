# SPDX-License-Identifier: Apache-2.0
"""``make coverage``: runs the checks on instrumented builds, keeps the record, writes the tables of
docs/coverage.md.

``python tools/coverage.py [CORE …]``: of some cores, or of all; what is known already is not run again. The
record comes with the package, so the tables can be compared with it at any time. Both are written after each
core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill

from modmul.cover.plan import (
    KINDS,
    RECORD,
    Coverage,
    Exclusions,
    cover_all,
    exclusions,
    faults,
    known,
    record,
    stale,
)
from modmul.registry import own_cores
from modmul.tools.blocks import filled
from modmul.tools.progress import Progress
from modmul.tools.run import end_tools_on_signals
from modmul.tools.store import Store

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"


def renewed(text: str, found: Sequence[Coverage], told: Exclusions) -> str:
    """The text of the page with what is known now."""
    parts = {
        "state": _state(found, told),
        "coverage": _table(found, told),
        "excluded": _reasons(told),
        "open": _open(found, told),
    }
    return filled(text, parts)


def _state(found: Sequence[Coverage], told: Exclusions) -> str:
    """Which cores are complete, which are not, and which were never run."""
    left = {each.core: len(each.open(told)) for each in found}
    kinds = {
        "complete": [slug for slug in own_cores() if left.get(slug) == 0],
        "with open items": [slug for slug in own_cores() if left.get(slug)],
        "not run": [slug for slug in own_cores() if slug not in left],
    }
    lines = [
        f"- {len(some)} of {len(own_cores())} {what}: {', '.join(f'`{slug}`' for slug in some)}"
        for what, some in kinds.items()
        if some
    ]
    return "\n".join(fill(line, 120, subsequent_indent="  ", break_on_hyphens=False) for line in lines)


def _table(found: Iterable[Coverage], told: Exclusions) -> str:
    """A core a line: of each kind, how much there is and what became of it."""
    lines = [f"| core | builds | {' | '.join(KINDS)} | verdict |", f"|{'---|' * (len(KINDS) + 3)}"]
    for each in found:
        left = len(each.open(told))
        cells = [_cell(each, kind) for kind in KINDS]
        verdict = f"**{left:,} open**" if left else "complete"
        lines.append(f"| `{each.core}` | {'; '.join(each.configs)} | {' | '.join(cells)} | {verdict} |")
    return "\n".join(lines)


def _cell(each: Coverage, kind: str) -> str:
    total, covered, proven = each.counts[kind]
    told = f"{covered:,} of {total:,}" if total else ""
    return told + (f", {proven:,} proven" if proven else "")


def _reasons(told: Exclusions) -> str:
    lines = ["| cores | kind | which | why |", "|---|---|---|---|"]
    for entry in told.excluded:
        cores = ", ".join(f"`{core}`" for core in entry.cores)
        items = " ".join(f"`{pattern.replace('|', chr(92) + '|')}`" for pattern in entry.items)
        build = f" (`{entry.build}`)" if entry.build else ""
        lines.append(f"| {cores}{build} | {entry.kind} | {items} | {' '.join(entry.reason.split())} |")
    return "\n".join(lines)


def _open(found: Iterable[Coverage], told: Exclusions) -> str:
    """The cores that were run with items of which nothing is said, by kind."""
    lines = []
    for each in found:
        if left := each.open(told):
            counts = {kind: sum(item.kind == kind for _, item in left) for kind in KINDS}
            shown: Mapping[str, int] = {kind: count for kind, count in counts.items() if count}
            lines.append(f"- `{each.core}`: {', '.join(f'{n:,} of {kind}' for kind, n in shown.items())}")
    return (
        "\n".join(lines)
        or "Nothing of the cores that were run: every item is covered, proven, or excluded with a reason."
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cores", nargs="*", metavar="CORE", help="Default: all.")
    asked = parser.parse_args().cores or own_cores()

    def listen(progress: Progress) -> None:
        print(f"{progress.done:3} of {progress.total}  {progress.text}", file=sys.stderr, flush=True)

    told = exclusions()
    there = {each.core: each for each in known()}
    done = 0
    for each in cover_all(asked, Store(), told, listen):  # kept at once, whatever becomes of the others
        there[each.core] = each
        done += 1
        every = [there[slug] for slug in own_cores() if slug in there]
        record(every)
        PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), every, told), encoding="utf-8")
    wrong = faults(every, told, own_cores())
    for line in wrong:
        print(line)
    for slug in stale(every, told):
        print(f"to be covered again: {slug}")
    print(f"{done} cores run, {len(wrong)} faults; {RECORD.name} and {PAGE.name} are written")
    return 1 if wrong else 0


if __name__ == "__main__":
    end_tools_on_signals()
    sys.exit(main())
