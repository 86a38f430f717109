# SPDX-License-Identifier: Apache-2.0
"""LUTs and flip-flops of cores alone and on a bus, on ECP5, by synthesis.

``.venv/bin/python benchmarks/shells.py`` prints them; ``--write`` puts them into docs/bus.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

from modmul.bus.shell import Shell
from modmul.chips import CHIPS
from modmul.measure.synthesis import synthesise
from modmul.registry import room
from modmul.tools.blocks import filled
from modmul.tools.run import end_tools_on_signals
from modmul.tools.store import Store

CORES = ("montgomery_csa2", "imml_booth4")
WIDTH = 256
GUIDE = Path(__file__).parents[1] / "docs" / "bus.md"


def table() -> str:
    """The table, as Markdown."""
    lines = ["| core | LUTs and flip-flops alone | on a bus |", "|---|--:|--:|"]
    for core in CORES:
        build = room(core).build(WIDTH)
        areas = [synthesise(design, CHIPS["ecp5"], Store()) for design in (build.design, Shell(build).design)]
        lines.append(" | ".join((f"| `{core}`", *(f"{each.luts:,}, {each.ffs:,}" for each in areas))) + " |")
    return "\n".join((*lines, ""))


if __name__ == "__main__":
    end_tools_on_signals()
    made = table()
    print(made, end="")
    if "--write" in sys.argv[1:]:
        GUIDE.write_text(filled(GUIDE.read_text(encoding="utf-8"), {"shells": made}), encoding="utf-8")
