# SPDX-License-Identifier: Apache-2.0
"""``make faults``: flips bits in RSA with CRT, keeps the record, writes the tables of docs/verification.md.

``python tools/faults.py [TEXT …]``: the runs whose commands hold one of these texts, or all; what is known of
the present hardware is not run again. The record comes with the package, so the tables can be compared with
it at any time; it is written after each run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from modmul.study.flipping import PLAN, RECORD, SYSTEM, Known, known, measured, record, stale, totals
from modmul.tools.blocks import filled
from modmul.tools.run import end_tools_on_signals
from modmul.verify.faults import OUTCOMES

PAGE = Path(__file__).parents[1] / "docs" / "verification.md"

ENGINE = "mm_engine"
"""What names of the engine's modules begin with."""


def renewed(text: str, found: Sequence[Known]) -> str:
    """The text of the page with what is known now."""
    return filled(text, {"flips": "\n".join((*_runs(found), "", *_modules(found)))})


def _runs(found: Sequence[Known]) -> Iterator[str]:
    """A run a line, and all of them."""
    there = {each.command: each for each in found}
    yield f"| `{SYSTEM}` on | bits | registers | with a flip | their bits | flips | {' | '.join(OUTCOMES)} |"
    yield f"|---|{'--:|' * (5 + len(OUTCOMES))}"
    for asked in PLAN:
        if each := there.get(asked.command):
            settings = "".join(f", `{name} = {value}`" for name, value in asked.settings.items())
            counts = totals(each.modules.values())
            size = asked.width, each.registers, each.struck, each.bits
            yield _row(f"`{asked.core}`{settings}", *size, *_with_sum(counts))
    counts = totals(of for each in found for of in each.modules.values())
    yield _row("all", "", "", "", "", *_with_sum(counts))


def _modules(found: Sequence[Known]) -> Iterator[str]:
    """A module of the engine a line; cores, and what they share with it, together."""
    every = [pair for each in found for pair in each.modules.items()]
    yield f"| registers of | flips | {' | '.join(OUTCOMES)} |"
    yield f"|---|{'--:|' * (1 + len(OUTCOMES))}"
    for module in sorted({module for module, _ in every if module.startswith(ENGINE)}):
        yield _row(f"`{module}`", *_with_sum(totals(of for name, of in every if name == module)))
    others = totals(of for name, of in every if not name.startswith(ENGINE))
    yield _row("cores, and modules that they share with the engine", *_with_sum(others))


def _with_sum(counts: dict[str, int]) -> tuple[int, ...]:
    return sum(counts.values()), *counts.values()


def _row(*cells: object) -> str:
    return f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in cells)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="Default: all.")
    texts = parser.parse_args().texts
    there = {each.command: each for each in known()}
    behind = stale(there.values())
    todo = [
        asked
        for asked in PLAN
        if asked.command in behind and (not texts or any(text in asked.command for text in texts))
    ]
    for at, asked in enumerate(todo, 1):
        print(f"{at:3} of {len(todo)}  {asked.command}", file=sys.stderr, flush=True)
        there[asked.command] = measured(asked)
        record(there.values())
    record(there.values())  # without those that are planned no more
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), known()), encoding="utf-8")
    counts = totals(of for each in known() for of in each.modules.values())
    print(", ".join(f"{count:,} {name}" for name, count in counts.items()))
    print(f"{len(todo)} runs; {RECORD.name} and {PAGE.name} are written")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    end_tools_on_signals()
    sys.exit(main())
