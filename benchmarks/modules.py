# SPDX-License-Identifier: Apache-2.0
"""Where the LUTs of a core go: what each of its modules takes where it is synthesised alone.

``python benchmarks/modules.py rrm_split`` prints a row for each module, with all that is in it, and below it
those in it; builds of one module with other parameters are one row. ``--set DigitBits=5 --set Chains=1`` and
``--target artix7`` ask for another build and chip. The last row is the core as records have it, made at once:
it is smaller, since logic is shared across modules, and what nobody reads goes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from modmul.chips import CHIPS
from modmul.cli.options import SetOption, TargetOption, settings
from modmul.cli.printing import print_table
from modmul.measure import Area, Chip, count_cells
from modmul.measure.synthesis import CELLS, run_yosys, synthesis_flow, synthesise
from modmul.registry import room
from modmul.room import Build
from modmul.tools.run import end_tools_on_signals, log_file, work_dir
from modmul.tools.store import Store

Cells = Counter[str]
"""How many there are of each type, and of each module, by Yosys' name of it with its parameters."""

NAME = re.compile(r"(?:\$paramod(?:\$\w+)?\\)?(\w+)")
"""Such a name."""

TIMEOUT = 3600.0
"""Seconds that Yosys may take."""


def synthesised(build: Build, chip: Chip) -> Mapping[str, Cells]:
    """The cells of each module of a build, and the modules in it."""
    design = build.design.tuned(chip.family)
    flow = synthesis_flow(design, chip)
    elaborated = flow.index("check -assert") + 1
    commands = (*flow[:elaborated], "setattr -mod -set keep_hierarchy 1", *flow[elaborated:])
    with work_dir() as folder:
        run_yosys(commands, (*design.sources, *chip.files), folder, log_file("modules"), TIMEOUT)
        modules: Mapping[str, Any] = json.loads((folder / CELLS).read_text())["modules"]
    return {name.removeprefix("\\"): Counter(each["num_cells_by_type"]) for name, each in modules.items()}


def cells(modules: Mapping[str, Cells], some: Cells) -> Cells:
    """Those of some modules, with all that is in them."""
    found = Cells()
    for name, times in some.items():
        inner = cells(modules, modules[name]) if name in modules else Cells({name: 1})
        found.update({each: times * count for each, count in inner.items()})
    return found


def tree(modules: Mapping[str, Cells], alike: Cells, depth: int = 0) -> Iterator[tuple[str, int, Cells]]:
    """Name, number and cells of a module, however its instances are built, and of those in it.

    Args:
        alike: how many there are of each of its builds.
        depth: of modules around it.
    """
    named = NAME.match(next(iter(alike)))
    assert named
    yield "  " * depth + named[1], alike.total(), cells(modules, alike)
    inside: dict[str, Cells] = {}
    for name, times in alike.items():
        for inner, count in modules[name].items():
            if inner in modules and (found := NAME.match(inner)):
                inside.setdefault(found[1], Cells())[inner] += times * count
    for each in inside.values():
        yield from tree(modules, each, depth + 1)


def main(
    core: Annotated[str, typer.Argument(help="The core, or SYSTEM:CORE.")],
    width: Annotated[int, typer.Option("--width", "-w", help="Operand length in bits.")] = 256,
    target: TargetOption = "ecp5",
    set_: SetOption = None,
) -> None:
    """Print what each module of a core takes, and what all of it does at once."""
    build, chip = room(core).build(width, settings(set_)), CHIPS[target]
    modules = synthesised(build, chip)
    found: list[tuple[str, int, Area]] = [
        (name, many, count_cells(each, chip))
        for name, many, each in tree(modules, Cells({build.design.top: 1}))
    ]
    found.append(("at once", 1, synthesise(build.design, chip, Store())))
    print_table(
        ("module", "how many", "LUTs", "of them memory", "FFs", "DSP", "RAM18"),
        [
            (name, *(f"{each:,}" for each in (many, area.luts, area.lut_ram, area.ffs, area.dsp, area.bram)))
            for name, many, area in found
        ],
        numbers=True,
    )


if __name__ == "__main__":
    end_tools_on_signals()
    typer.run(main)
