# SPDX-License-Identifier: Apache-2.0
"""Renews the recordings of small multiplications that the page shows: ``python tools/waves.py [--check]``."""

from __future__ import annotations

import argparse
import sys

from modmul.registry import rooms
from modmul.report.waves import FOLDER, found, small


def main() -> int:
    """Record what is missing or stale; with ``--check`` only name it, and fail if there is some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say what is missing or stale")
    parser.add_argument("--all", action="store_true", help="record all of them anew")
    asked = parser.parse_args()
    todo = [room for room in rooms().values() if asked.all or found(room) is None]
    print(f"{len(todo)} of {len(rooms())} recordings to make")
    if asked.check:
        print(*(room.core.slug for room in todo), sep="\n")
        return bool(todo)
    from modmul.report.recording import record_all  # noqa: PLC0415 - only whoever records needs a simulator

    FOLDER.mkdir(exist_ok=True)
    for wave in record_all(map(small, todo)):
        (FOLDER / f"{wave.core}.json").write_text(wave.lines(), encoding="utf-8")
        print(f"{wave.core}: {wave.cycles} clock cycles")
    for file in FOLDER.glob("*.json"):
        if file.stem not in rooms():
            file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
