# SPDX-License-Identifier: Apache-2.0
"""``make netlists``: checks the netlists of cores for the chip families that have models, keeps the record,
writes the table of docs/verification.md.

``python tools/netlists.py [--chip CHIP] [CORE …]``: of some families and cores, or of all; what is known is
not run again. The record comes with the package, so the table can be compared with it at any time. The record
is written after each netlist, the table at the end.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill

from modmul.chips import CHIPS
from modmul.registry import own_cores
from modmul.study.netlists import MODELLED, RECORD, Checked, check, known, record, stale
from modmul.tools.blocks import filled

PAGE = Path(__file__).parents[1] / "docs" / "verification.md"


def renewed(text: str, found: Sequence[Checked]) -> str:
    """The text of the page with what is known now."""
    lines = ["| family | netlists that pass | wrong | not simulated | not run |", "|---|--:|---|---|---|"]
    lines += [_row(name, [each for each in found if each.chip == name]) for name in MODELLED]
    return filled(text, {"netlists": "\n".join((*lines, "", *_reasons(found)))})


def _row(name: str, found: Sequence[Checked]) -> str:
    cores = own_cores()

    def told(some: Sequence[str]) -> str:
        """Cores by name; the others where these are fewer."""
        if 2 * len(some) <= len(cores):
            return ", ".join(f"`{core}`" for core in some)
        others = ", ".join(f"`{core}`" for core in cores if core not in some)
        return f"all but {others}" if others else f"all {len(some)}"

    left = [core for core in cores if core not in {each.core for each in found}]
    passed = [each for each in found if not each.wrong and not each.lacking]
    wrong = told([each.core for each in found if each.wrong])
    lacking = told([each.core for each in found if each.lacking])
    return f"| `{name}` | {len(passed)} of {len(cores)} | {wrong} | {lacking} | {told(left)} |"


def _reasons(found: Sequence[Checked]) -> Iterator[str]:
    """Why some are wrong, or not simulated."""
    for each in found:
        if why := each.wrong or each.lacking:
            yield fill(
                f"- `{each.core}` on `{each.chip}` ({each.config}): {why}",
                120,
                subsequent_indent="  ",
                break_on_hyphens=False,
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cores", nargs="*", metavar="CORE", help="Default: all.")
    parser.add_argument("--chip", action="append", choices=MODELLED, help="Default: all that have models.")
    arguments = parser.parse_args()
    there = {(each.chip, each.core): each for each in known() if not stale([each])}
    asked = [(c, core) for c in arguments.chip or MODELLED for core in arguments.cores or own_cores()]
    todo = [pair for pair in asked if pair not in there]
    for at, (name, core) in enumerate(todo, 1):
        print(f"{at:3} of {len(todo)}  {core} on {name}", file=sys.stderr, flush=True)
        there[name, core] = check(core, CHIPS[name])
        record(there.values())
    record(there.values())
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), known()), encoding="utf-8")
    wrong = [each for pair in asked if (each := there[pair]).wrong]
    for each in wrong:
        print(f"{each.core} on {each.chip}: {each.wrong}")
    print(f"{len(todo)} netlists checked, {len(wrong)} wrong; {RECORD.name} and {PAGE.name} are written")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
