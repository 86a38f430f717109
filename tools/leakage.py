# SPDX-License-Identifier: Apache-2.0
"""``make leakage``: runs what docs/leakage.md tells, keeps the record, writes the page's tables.

``python tools/leakage.py [TEXT …]``: the runs whose commands hold one of these texts, or all; what is known is
not run again. The record comes with the package, so the tables can be compared with it at any time. It is
written after each run.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from modmul.study.leaking import PLAN, RECORD, known, measured, record, stale

PAGE = Path(__file__).parents[1] / "docs" / "leakage.md"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="Default: all.")
    parser.add_argument("--jobs", type=int, default=2, help="Batches at the same time.")
    arguments = parser.parse_args()
    there = {each.command: each for each in known()}
    behind = set(stale(there.values()))
    asked = [one for one in PLAN if one.command in behind]
    todo = [one for one in asked if not arguments.texts or any(t in one.command for t in arguments.texts)]
    for at, one in enumerate(todo, 1):
        began = time.monotonic()
        there[one.command] = measured(one, jobs=arguments.jobs)
        record(there.values())
        seconds = time.monotonic() - began
        print(f"{at:3} of {len(todo)}  {seconds:6.0f} s  {one.command}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
