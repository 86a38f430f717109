# SPDX-License-Identifier: Apache-2.0
"""Four front ends read every configuration of every core without a word; the sources keep to the style."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from pyslang import Diagnostic, DiagnosticSeverity
from pyslang.ast import ArgumentDirection, Compilation
from pyslang.driver import Driver

from modmul.core import Config
from modmul.measure.synthesis import STRICT, elaboration, run_yosys
from modmul.registry import Room, rooms
from modmul.tools.run import ToolFailure
from modmul.verify.simulator import lint

WIDTHS = (2, 3, 8, 255, 256)
FEWER = (2, 8, 255)
ALL = list(rooms().values())
SOURCES = sorted(
    {source for room in ALL for source in room.sources} | {*Path(str(files("modmul"))).glob("rtl/*.sv")}
)
DIRECTIONS = {ArgumentDirection.In: "input", ArgumentDirection.Out: "output"}


def ids(thing: Room | Path) -> str:
    return thing.core.slug if isinstance(thing, Room) else thing.name


each_core = pytest.mark.parametrize("room", ALL, ids=ids)
each_source = pytest.mark.parametrize("source", SOURCES, ids=ids)


def configurations(room: Room, widths: Sequence[int]) -> list[Config]:
    """Default, alternatives and test variants at each width."""
    found = (c for w in widths for c in (*room.core.configs(w), *room.core.variants(w)))
    return list(dict.fromkeys(found))


# --- the four front ends ------------------------------------------------------------------------


@each_core
def test_verilator(room: Room) -> None:
    for config in configurations(room, WIDTHS):
        lint(room.design(config))


def slang(top: str, parameters: Mapping[str, int], sources: Sequence[Path]) -> tuple[Compilation, list[str]]:
    """Parse, elaborate and analyse with slang's default warnings; the design and what slang says of it."""
    driver = Driver()
    driver.addStandardArgs()
    overrides = [f"-G{name}={value}" for name, value in parameters.items()]
    assert driver.parseCommandLine(shlex.join(["slang", "--top", top, *overrides, *map(str, sources)]))
    assert driver.processOptions()
    assert driver.parseAllSources()
    compilation = driver.createCompilation()
    found: list[Diagnostic] = [*compilation.getAllDiagnostics()]
    found += driver.runAnalysis(compilation).getDiagnostics()
    engine = driver.diagEngine
    said = []
    for diagnostic in found:
        severity = engine.getSeverity(diagnostic.code, diagnostic.location)
        if severity not in (DiagnosticSeverity.Ignored, DiagnosticSeverity.Note):
            name = Path(str(driver.sourceManager.getFileName(diagnostic.location))).name
            line = driver.sourceManager.getLineNumber(diagnostic.location)
            said.append(f"{name}:{line}: {severity.name}: {engine.formatMessage(diagnostic)}")
    return compilation, said


@each_core
def test_slang(room: Room) -> None:
    said = {
        str(config): messages
        for config in configurations(room, WIDTHS)
        if (messages := slang(room.core.top, config.parameters(), room.sources)[1])
    }
    assert not said


def test_slang_would_say_so(tmp_path: Path) -> None:
    """The test above sees warnings of the elaboration and of the analysis, and errors."""
    source = tmp_path / "leaf.sv"
    source.write_text(
        "module leaf #(parameter int Width = 8) (input wire [Width-1:0] a_i, output logic [3:0] b_o);\n"
        "assign b_o = a_i[3:0] << 4;\n"
        "logic [3:0] twice; assign twice = a_i[3:0]; always_comb twice = b_o;\n"
        "if (Width == 9) begin : gen_illegal illegal_parameter_Width u_illegal (); end\n"
        "endmodule\n"
    )
    text = "\n".join(slang("leaf", {}, [source])[1])
    assert "leaf.sv:2: Warning: shift count" in text
    assert re.search(r"leaf.sv:3: Error: .*'twice'", text)
    assert "illegal_parameter" not in text
    assert "illegal_parameter_Width" in "\n".join(slang("leaf", {"Width": 9}, [source])[1])


@each_core
def test_yosys(room: Room, tmp_path: Path) -> None:
    """Read, elaborated and checked with every warning an error; one process for all configurations."""
    commands = [*STRICT]
    for config in configurations(room, FEWER):
        commands += ["design -reset", *elaboration(room.design(config))]
    run_yosys(commands, room.sources, tmp_path, tmp_path / "yosys.log", 300)


def icarus(room: Room, parameters: dict[str, int]) -> subprocess.CompletedProcess[str]:
    """Compile a core with Icarus, all warnings on; its output has file names without folders."""
    settings = (f"-P{room.core.top}.{name}={value}" for name, value in parameters.items())
    command = ["iverilog", "-g2012", "-Wall", "-s", room.core.top, "-o", os.devnull, *settings]
    done = subprocess.run(
        [*command, *map(str, room.sources)], capture_output=True, text=True, timeout=120, check=False
    )
    done.stdout = re.sub(r"^.*/(?=\w+\.sv:)", "", done.stdout + done.stderr, flags=re.MULTILINE)
    return done


ICARUS_SAYS_ANYWAY = re.compile(r"vvp\.tgt sorry: Case unique/unique0 qualities are ignored\.$")
"""That Icarus ignores ``unique`` is harmless (docs/sv-subset.md). No class of -W is left out."""


@each_core
def test_icarus(room: Room) -> None:
    for config in configurations(room, FEWER):
        done = icarus(room, config.parameters())
        lines = [line for line in done.stdout.splitlines() if not ICARUS_SAYS_ANYWAY.search(line)]
        assert (done.returncode, lines) == (0, []), config


# --- the port list ------------------------------------------------------------------------------


@each_core
def test_ports(room: Room) -> None:
    """Names, order, directions and widths are those of the contract, in the elaborated design."""
    for config in configurations(room, WIDTHS):
        compilation, _ = slang(room.core.top, config.parameters(), room.sources)
        [top] = compilation.getRoot().topInstances
        assert top.name == room.core.top
        assert [
            (port.name, DIRECTIONS[port.direction], port.type.bitWidth) for port in top.body.portList
        ] == [(port.name, port.direction, port.bits) for port in room.design(config).ports]


@each_core
def test_parameters(room: Room) -> None:
    """The parameters of the top module are those of its configuration, the default of Width included."""
    default = room.core.config(width=256)
    compilation, _ = slang(room.core.top, {}, room.sources)
    [top] = compilation.getRoot().topInstances
    ports = {p.name: int(p.value.value) for p in top.body.parameters if p.isPortParam}
    assert ports == default.parameters()


# --- illegal parameters -------------------------------------------------------------------------


def illegal_parameters(room: Room) -> Iterator[dict[str, int]]:
    """Width = 1, and each other parameter with a value that Python refuses, the rest being legal."""
    config = room.core.configs(8)[0]
    for name in config.parameters():
        for value in (1,) if name == "Width" else (0, 2, 999):
            try:
                config.with_parameters({name: value})
            except ValueError:
                yield config.parameters() | {name: value}
                break


@each_core
def test_illegal_parameters(room: Room, tmp_path: Path) -> None:
    """slang, Icarus and Yosys stop at a module named illegal_parameter_… (Verilator: test_contract.py)."""
    found = list(illegal_parameters(room))
    assert found[0]["Width"] == 1
    for parameters in found:
        assert "illegal_parameter_" in "\n".join(slang(room.core.top, parameters, room.sources)[1])
        done = icarus(room, parameters)
        assert done.returncode
        assert "illegal_parameter_" in done.stdout
        illegal = replace(room.design(room.core.configs(8)[0]), parameters=parameters)
        with pytest.raises(ToolFailure, match="illegal_parameter_"):
            run_yosys([*elaboration(illegal)], room.sources, tmp_path, tmp_path / "yosys.log", 60)


# --- style --------------------------------------------------------------------------------------


@each_source
def test_style(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[0] == "// SPDX-License-Identifier: Apache-2.0"
    assert lines[-1] == "`default_nettype wire"
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert lines.count("`default_nettype none") == lines.count("`default_nettype wire") == 1
    assert re.findall(r"^\s*module\s+(\w+)", text, re.MULTILINE) == [source.stem]
    assert text.index("`default_nettype none") < text.index(f"module {source.stem}")
    assert source.stem.startswith("mm_")
    assert not re.search(r"lint_off|verilator\s+\w+_off|translate_o(ff|n)|synopsys|synthesis\s+\w+_off", text)
    assert "\t" not in text
    assert not [line for line in lines if line != line.rstrip()]


def test_every_source_was_looked_at() -> None:
    package = Path(str(files("modmul")))
    assert set(package.rglob("*.sv")) <= set(SOURCES)
