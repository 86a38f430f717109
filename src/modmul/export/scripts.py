# SPDX-License-Identifier: Apache-2.0
"""What the exported folder has for a chip: file list, scripts of the tools, constraints, the counting rule.

All of it comes from the description of the chip; the commands are those that ``modmul measure`` runs.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from modmul.chips import READINGS, Chip
from modmul.design import Design, family
from modmul.measure.area import Area, count_cells
from modmul.measure.records import SHIPPED, SHIPPED_SEEDS
from modmul.measure.route import WRAPPER, netlist_flow, route_flow
from modmul.measure.synthesis import synthesis_flow

__all__ = [
    "ASIC_PERIOD",
    "CONSTRAINTS",
    "Render",
    "check_script",
    "chip_files",
    "librelane",
    "listing",
    "named",
    "place",
]

PERIOD = 4.0
"""Nanoseconds of the clock in the constraints of vendors' tools: 250 MHz, above what most cores reach."""

ASIC_PERIOD = 10.0
"""Nanoseconds of the clock in those of ASIC flows."""

CONSTRAINTS = {"vivado": "xdc", "quartus": "sdc", "radiant": "pdc", "diamond": "lpf"}
"""The vendors' tools with a script here, and the kind of file that each takes constraints in."""

COMMANDS = {
    "vivado": "vivado -mode batch -source",
    "quartus": "quartus_sh -t",
    "radiant": "radiantc",
    "diamond": "diamondc",
}
"""How each runs a script."""

COLUMNS = {"luts": "LUTs", "ffs": "flip-flops", "dsp": "multipliers", "bram": "RAM18"}
"""What is counted: a field of Area, and its name in the table."""

COUNTED = {"logic": "luts", "memory": "luts", "flip_flop": "ffs", "multiplier": "dsp", "block_ram": "bram"}
"""Where a field of Cells counts; one that is not here costs nothing."""

Render = Callable[..., str]
"""Fills a template of this package: its name, and what it needs besides what all get."""


def place(source: Path) -> str:
    """Where a source lies in the folder: the plain ones together, the twins of each family by themselves."""
    return f"twins/{family(source)}/{source.name}" if family(source) else f"rtl/{source.name}"


def listing(sources: Iterable[Path]) -> str:
    """A file list: a line for each source."""
    return "".join(f"{place(source)}\n" for source in sources)


def _script(commands: Iterable[str]) -> str:
    """A script of Yosys."""
    return "# SPDX-License-Identifier: Apache-2.0\n" + "".join(f"{command}\n" for command in commands)


def check_script(design: Design) -> str:
    """A script with which Yosys reads and checks the plain core in its template."""
    return _script(
        (
            *(f"read_verilog -sv -defer {place(source)}" for source in design.sources),
            f"read_verilog -sv -defer use/{design.top}_top.sv",
            f"hierarchy -check -top {design.top}_top",
            "proc",
            "check -assert",
        )
    )


def chip_files(design: Design, chip: Chip, render: Render) -> dict[str, str]:
    """The files of a chip: their places in the folder, and their texts.

    Args:
        design: the plain one, with known ports.
        render: fills a template.

    Raises:
        ValueError: the description of the chip names a vendor's tool that has no script here.
    """
    folder = f"chips/{chip.slug}"
    tuned = design.tuned(chip.family)
    vendor = chip.vendor
    if vendor and vendor.tool not in CONSTRAINTS:
        raise ValueError(
            f"{chip.name} names the tool {vendor.tool}; there are scripts for {', '.join(CONSTRAINTS)}"
        )
    options = _nextpnr_options(tuned, chip)
    texts = {
        f"{folder}/{design.top}.f": listing(tuned.sources),
        f"{folder}/area.ys": _script(synthesis_flow(tuned, chip)),
        f"{folder}/figures.json": _figures(design, chip),
        f"{folder}/chip.mk": render(
            "chip.mk.j2",
            chip=chip,
            vendor=vendor,
            vendor_command=COMMANDS[vendor.tool] if vendor else "",
            nextpnr_options=[shlex.quote(option) for option in options],
        ),
    }
    if chip.route:
        texts[f"{folder}/netlist.ys"] = _script(netlist_flow(tuned, chip))
    if vendor:
        values = {
            "chip": chip,
            "vendor": vendor,
            "period": PERIOD,
            "blocks": design.multiplier_blocks,
            "wrapper": WRAPPER,
            "listing": f"{folder}/{design.top}.f" if vendor.twins else f"{design.top}.f",
        }
        kind = CONSTRAINTS[vendor.tool]
        texts[f"{folder}/{vendor.tool}.tcl"] = render(f"{vendor.tool}.tcl.j2", **values)
        texts[f"{folder}/{design.top}.{kind}"] = render(f"{vendor.tool}.{kind}.j2", **values)
    return texts


def _nextpnr_options(design: Design, chip: Chip) -> Sequence[str]:
    """Those of nextpnr, but for files and seed."""
    return route_flow(design, chip)[1 + len(netlist_flow(design, chip)) :] if chip.route else ()


def _figures(design: Design, chip: Chip) -> str:
    """How the cells of a chip count, and what was measured of the design on it."""
    record = SHIPPED.find(design, chip, SHIPPED_SEEDS if chip.route else ()) or SHIPPED.find(design, chip)
    measured = record and {
        "area": _columns(chip, count_cells(record.cells, chip)),
        "fmax_mhz": record.fmax_mhz,
        "tools": record.tools,
        "date": record.date,
    }
    told = {
        "design": design.top,
        "chip": chip.name,
        "title": f"{chip.title} ({chip.name})",
        "columns": list(named(chip).values()),
        "readings": {file: dict(chip.readings) for file in (READINGS,) if chip.readings},
        "measured": measured,
    }
    rules = [f"    {json.dumps(rule)}" for rule in rules_of(chip)]
    text = json.dumps(told, indent=2)
    return text.removesuffix("\n}") + ',\n  "rules": [\n' + ",\n".join(rules) + "\n  ]\n}\n"


def named(chip: Chip) -> dict[str, str]:
    """What is counted on a chip: a field of Area, and its name."""
    return COLUMNS | {"luts": chip.unit}


def _columns(chip: Chip, area: Area) -> dict[str, int]:
    return {name: getattr(area, field) for field, name in named(chip).items()}


def rules_of(chip: Chip) -> list[tuple[str, dict[str, str]]]:
    """The counting rule as a list: pattern of whole names of cells, and what each of them costs.

    A cell costs what all the patterns say that are its name; one that none is has no rule.
    """
    rows: list[tuple[str, dict[str, str]]] = [(re.escape("$scopeinfo"), {})]
    for field in fields(chip.cells):
        counted = getattr(chip.cells, field.name)
        column = named(chip).get(COUNTED.get(field.name, ""))
        if isinstance(counted, Mapping):
            rows += [
                (re.escape(cell), {column: str(cost)} if column else {}) for cell, cost in counted.items()
            ]
        elif counted:
            rows.append((counted, {column: "1"} if column else {}))
    return rows


def librelane(design: Design) -> str:
    """The configuration of LibreLane for the core with its parameters set."""
    sources = [*map(place, design.sources), f"use/{design.top}_top.sv"]
    told = {
        "meta": {"version": 2},
        "DESIGN_NAME": f"{design.top}_top",
        "VERILOG_FILES": [f"dir::{source}" for source in sources],
        "CLOCK_PORT": "clk_i",
        "CLOCK_PERIOD": ASIC_PERIOD,
        "PNR_SDC_FILE": f"dir::asic/{design.top}.sdc",
        "SIGNOFF_SDC_FILE": f"dir::asic/{design.top}.sdc",
        "FP_CORE_UTIL": 40,
    }
    return json.dumps(told, indent=2) + "\n"
