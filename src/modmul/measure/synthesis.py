# SPDX-License-Identifier: Apache-2.0
"""Synthesis of a design with Yosys."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from modmul.chips import CLOCK_PS, READINGS, Chip, twins_of
from modmul.design import Design
from modmul.measure.area import Area, UnknownCell, count_cells
from modmul.tools.machine import LOCAL, Machine
from modmul.tools.run import ToolFailure, log_file, run_tool, work_dir
from modmul.tools.store import Store, file_digest, result_key, tool_versions

__all__ = ["elaboration", "known_area", "run_yosys", "strict", "synthesis_flow", "synthesise"]

STRICT = (
    "logger -werror .",
    # A memory too small for RAM cells becomes registers, which is what such a core wants.
    'logger -nowarn "Replacing memory .* with list of registers"',
    # All the shift registers of virtex2 are flip-flops, and Yosys' own block RAM cells of virtex2 have
    # data ports of the largest width.
    'logger -nowarn "Shift register inference not yet supported for family xc2v"',
    'logger -nowarn "Resizing cell port .*[.]D[IO]P?[AB] from"',
)
"""Every warning is an error, but for these.

Those of one family belong into its file (``Chip.silenced``). The last two stand here because they are part of
the flow of every shipped record.
"""

CELLS = "cells.json"

YOSYS = ("-P", "-m", "modmul.tools.yosys_job")

STA = "sta"
"""OpenSTA, which times a netlist of cells here, not on other machines."""


def strict(design: Design) -> tuple[str, ...]:
    """What makes an error of Yosys' warnings: :data:`STRICT`, but for sources that somebody else wrote."""
    return STRICT[1:] if design.foreign else STRICT


def elaboration(design: Design, wrapper: str = "") -> Iterator[str]:
    """The Yosys commands that read, elaborate and check a design.

    Args:
        wrapper: a module around it, in a file of its name, which is the top then; without one it is the
            design's. Around a design read by slang it gives no parameters.
    """
    for twins in map(twins_of, design.families):
        yield f"read_verilog -lib {twins.modelled} {twins.declared}"
    names = sorted(source.name for source in design.sources)
    if design.foreign:
        settings = [f"-G {name}={value}" for name, value in design.settings.items()]
        yield " ".join((f"read_slang --top {design.top}", *settings, *names))
    else:
        yield from (f"read_verilog -sv -defer {name}" for name in names)
    chosen = not (wrapper or design.foreign)
    settings = [f"-chparam {name} {value}" for name, value in design.settings.items() if chosen]
    yield " ".join((f"hierarchy -check -top {wrapper or design.top}", *settings))
    yield from ("proc", "check -assert")


def synthesis_flow(design: Design, target: Chip) -> tuple[str, ...]:
    """The Yosys commands that find the area of a design on a target."""
    return (
        *strict(design),
        *target.silenced,
        *elaboration(design),
        *target.commands(design.multiplier_blocks),
        f"tee -q -o {CELLS} stat -json",
    )


def synthesise(
    design: Design, target: Chip, store: Store, timeout: float = 1800, machine: Machine = LOCAL
) -> Area:
    """The area of a design on a target, from the store or by running Yosys.

    Args:
        timeout: seconds Yosys may take.
        machine: where it runs.

    Raises:
        ToolFailure: Yosys failed, warned, took too long, or left a cell that the counting rule
            does not know.
    """
    design = design.tuned(target.family)
    commands = synthesis_flow(design, target)
    key = _key(design, target)
    result = store.get(key)
    if result is None:
        log = log_file(f"{file_name(design)}-{target.slug}-{key[:12]}")
        with work_dir() as folder:
            sources = (*design.sources, *target.files)
            seconds = run_yosys(commands, sources, folder, log, timeout, machine)
            with reading(log):
                statistics = json.loads((folder / CELLS).read_text())
                # Modules that stay as they are (keep_hierarchy) are counted with what is in them.
                kept = {module.removeprefix("\\") for module in statistics["modules"]}
                counted = statistics["design"]["num_cells_by_type"]
                cells = {cell: int(count) for cell, count in counted.items() if cell not in kept}
            found = _readings(target, folder, log) | _timing(design, target, folder, log, timeout)
        result = {"cells": cells, "seconds": seconds, "log": str(log), **found}
        store.put(key, result)
    return _area(result, target)


def known_area(design: Design, target: Chip, store: Store) -> Area | None:
    """The area of a design on a target, if the store has it.

    Raises:
        MissingExtra: Yosys, on whose version a result depends, is not installed.
        ToolFailure: the counting rule does not know a cell.
    """
    result = store.get(_key(design.tuned(target.family), target))
    return None if result is None else _area(result, target)


def _key(design: Design, target: Chip) -> str:
    """The key of the area of a design, as tuned for a target."""
    return result_key(
        "synthesis",
        inputs=(design.digest, *digests(target)),
        target=target.name,
        options=(*synthesis_flow(design, target), *(_sta_flow(design, target) if shutil.which(STA) else ())),
        tools=tool_versions("pyosys"),
    )


def _sta_flow(design: Design, target: Chip) -> tuple[str, ...]:
    """The commands of OpenSTA for the netlist of a design."""
    return tuple(command.replace("{top}", design.top) for command in target.timing)


def _timing(design: Design, target: Chip, folder: Path, log: Path, timeout: float) -> dict[str, float]:
    """The clock period of the netlist in a folder, where OpenSTA is installed and can read the library.

    Raises:
        ToolFailure: OpenSTA ended with an error.
    """
    commands = _sta_flow(design, target)
    if not commands or not shutil.which(STA):
        return {}
    (folder / "time.tcl").write_text("\n".join((*commands, "exit", "")))
    own = log.with_suffix(".sta.log")
    run_tool((STA, "-no_splash", "time.tcl"), folder=folder, log=own, timeout=timeout)
    with reading(own):
        slack = re.findall(r"^worst slack (\S+)$", own.read_text(), re.MULTILINE)
        period = CLOCK_PS - float(slack[0]) if slack else math.inf
    return {"period_ps": period} if math.isfinite(period) else {}


def _area(result: Mapping[str, Any], target: Chip) -> Area:
    """The area that the store has of a design."""
    log = Path(result["log"])
    try:
        area = count_cells(result["cells"], target)
    except UnknownCell as error:
        raise ToolFailure(str(error), log) from error
    names = (*target.readings, *(("period_ps",) if "period_ps" in result else ()))
    readings: dict[str, Any] = {name: result[name] for name in names}
    return replace(area, seconds=result["seconds"], log=log, **readings)


def digests(target: Chip) -> tuple[str, ...]:
    """What decides a result besides the design and the commands: the contents of the target's own files."""
    return (file_digest(*target.files),) if target.files else ()


def _readings(target: Chip, folder: Path, log: Path) -> dict[str, Any]:
    """What the target reads off the output of its commands.

    Raises:
        ToolFailure: the output does not have it.
    """
    if not target.readings:
        return {}
    with reading(log):
        text = (folder / READINGS).read_text(errors="replace")
    found = {name: re.findall(pattern, text) for name, pattern in target.readings.items()}
    for name, values in found.items():
        if not values:
            raise ToolFailure(f"no {name} in the output of the tools", log)
    with reading(log):
        return {name: json.loads(values[-1]) for name, values in found.items()}


@contextmanager
def reading(log: Path) -> Iterator[None]:
    """Turn what is wrong with the files of a tool that has ended without an error into its failure.

    Raises:
        ToolFailure: one is missing, or does not hold what it should.
    """
    try:
        yield
    except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        said = error.strerror if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        raise ToolFailure(f"its output cannot be read ({' '.join(str(said).split())[:100]})", log) from error


def file_name(design: Design) -> str:
    """The name of a design in those of files."""
    return design.name.replace("/", "-").replace(":", "-")


def run_yosys(
    commands: Sequence[str],
    sources: Sequence[Path],
    folder: Path,
    log: Path,
    timeout: float,
    machine: Machine = LOCAL,
) -> float:
    """Run Yosys commands on copies of the sources in ``folder``; return the seconds it took.

    Raises:
        ToolFailure, MachineError: as :class:`~modmul.tools.machine.Machine` says.
    """
    for source in sources:
        shutil.copyfile(source, folder / source.name)
    job = folder / "job.json"
    job.write_text(json.dumps(commands))
    return machine.run((*YOSYS, job.name), folder=folder, log=log, timeout=timeout)
