# SPDX-License-Identifier: Apache-2.0
"""Chip families: netlists that multiply, place and route, parts that are too small, libraries of cells."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pyosys
import pytest

from modmul.chips import CHIPS, FAMILIES, Chip, UnknownChip, chip
from modmul.export import export
from modmul.measure import Job, Measurement, Store, ToolFailure, UnknownCell, count_cells, measure
from modmul.measure.area import shortage
from modmul.measure.synthesis import run_yosys, synthesis_flow
from modmul.registry import room
from modmul.room import Build
from modmul.study.measuring import measure as compare

SHARE = Path(pyosys.__file__).parent / "share"

MODELS: Mapping[str, tuple[str, ...]] = {
    "agilex": ("intel_alm/common/alm_sim.v", "intel_alm/common/dff_sim.v", "intel_alm/common/mem_sim.v"),
    "cyclonev": (
        *("intel_alm/common/alm_sim.v", "intel_alm/common/dff_sim.v", "intel_alm/common/mem_sim.v"),
        "intel_alm/common/dsp_sim.v",
    ),
    "gates": (),
    "gowin": ("gowin/cells_sim.v",),
    "ice40hx": ("ice40/cells_sim.v",),
    "ice40up": ("ice40/cells_sim.v",),
    "nexus": ("nexus/cells_sim.v",),
}
"""Yosys' models of the cells of the families without twins, which come with proofs of their own."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))


def netlist_multiplies(build: Build, target: Chip, folder: Path, *models: Path, change: str = "") -> bool:
    """Whether the exported bench of a build finds its netlist for a target right, by simulation.

    Args:
        change: ``"right->wrong"``: a text of the netlist that is replaced once.
    """
    design = build.design.tuned(target.family)
    work, bench = folder / "work", folder / "bench"
    work.mkdir(parents=True)
    commands = (*synthesis_flow(design, target), "write_verilog -noattr netlist.v")
    run_yosys(commands, (*design.sources, *target.files), work, work / "yosys.log", 300)
    export(build, None, bench, count=6)
    [top] = bench.glob("tb_*.sv")
    top.write_text(
        re.sub(rf"\b{design.top} #\(.*?\)\s+(?=\w+ \()", f"{design.top} ", top.read_text(), flags=re.DOTALL)
    )
    text = (work / "netlist.v").read_text()
    right, _, wrong = change.partition("->")
    assert right in text
    (bench / "netlist.v").write_text(text.replace(right, wrong, 1) if change else text)
    found = [*models, *(SHARE / name for name in MODELS.get(target.name, ()))]
    folders = {f"-I{path.parent}" for path in found}
    compile_ = [
        "iverilog",
        "-g2012",
        "-DNO_ICE40_DEFAULT_ASSIGNMENTS",
        "-s",
        top.stem,
        "-o",
        "bench.vvp",
        *folders,
    ]
    for command in ([*compile_, *map(str, found), "netlist.v", top.name], ["vvp", "-n", "bench.vvp"]):
        done = subprocess.run(command, cwd=bench, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode:
            print(done.stdout[-2000:], done.stderr[-2000:])
            return False
    print(done.stdout)
    return True
