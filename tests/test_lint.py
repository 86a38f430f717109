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
from engine_program import DOUBLE, FLAGS, PLAIN, SUMS, programmed
from pyslang import Diagnostic, DiagnosticSeverity
from pyslang.ast import ArgumentDirection, Compilation
from pyslang.driver import Driver
from pyslang.syntax import (
    BinaryExpressionSyntax,
    ConcatenationExpressionSyntax,
    DataDeclarationSyntax,
    DeclaratorSyntax,
    IdentifierNameSyntax,
    IdentifierSelectNameSyntax,
    NamedPortConnectionSyntax,
    SyntaxKind,
    SyntaxTree,
)

import msm
import ntt
from modmul.bus.shell import Shell
from modmul.chips import CHIPS, twins_of
from modmul.core import Config
from modmul.design import Design, literal, twins
from modmul.measure.synthesis import STRICT, elaboration, run_yosys, synthesis_flow
from modmul.registry import Room, on, room, rooms, shared, systems
from modmul.tools.run import ToolFailure
from modmul.verify.simulator import lint

WIDTHS = (2, 3, 8, 255, 256)
FEWER = (2, 8, 47, 255)
ALL = list(rooms().values())
SOURCES = sorted(
    {source for room in ALL for source in room.sources}
    | {*Path(str(files("modmul"))).glob("rtl/*.sv"), *Path(str(files("modmul"))).glob("systems/**/*.sv")}
    | {*Path(str(files("modmul"))).glob("bus/*.sv")}
    | {twin for room in ALL for source in room.sources for twin in twins(source)}
    | {*ntt.HERE.glob("*.sv"), *msm.HERE.glob("*.sv")}
    | {*(Path(__file__).parent / "programs").glob("*.sv")}
)
DIRECTIONS = {ArgumentDirection.In: "input", ArgumentDirection.Out: "output"}


def ids(thing: Room | Path) -> str:
    return thing.core.slug if isinstance(thing, Room) else thing.name


each_core = pytest.mark.parametrize("room", ALL, ids=ids)
each_source = pytest.mark.parametrize("source", SOURCES, ids=ids)


def configurations(room: Room, widths: Sequence[int]) -> list[Config]:
    """Default, alternatives and test variants at each width."""
    found = (c for w in widths for c in (*room.core.builds.at(w), *room.core.builds.variants(w)))
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
    overrides = [f"-G{name}={literal(value)}" for name, value in parameters.items()]
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


@pytest.mark.parametrize("tuned", [source for source in SOURCES if len(source.suffixes) > 1], ids=ids)
def test_slang_reads_a_twin(tuned: Path) -> None:
    """What it says of Yosys' models of the cells does not count."""
    module, family, _ = tuned.name.split(".")
    known = twins_of(family)
    models = [
        Path(str(files("pyosys"))) / name.replace("+", "share") for name in (known.modelled, known.declared)
    ]
    own = [part for part in SOURCES if part.parent == tuned.parent and part.name.count(".") == 1]
    parts = sorted({*own, *shared().values()})
    said = slang(module, {}, [*models, *(part for part in parts if part.stem != module), tuned])[1]
    told = [line for line in said if line.startswith(tuned.name)]
    assert not [line for line in told if not line.endswith("has no connection")]  # pins without a use


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


@pytest.mark.long
@each_core
def test_synthesis_of_odd_lengths(room: Room, tmp_path: Path) -> None:
    """Every warning is an error here, too: one was a wrong netlist."""
    target = CHIPS["ecp5"]
    for width in (41, 82, 130):
        for config in room.core.builds.at(width):
            design = room.design(config).tuned(target.family)
            folder = tmp_path / design.digest
            folder.mkdir()
            run_yosys(synthesis_flow(design, target), design.sources, folder, folder / "yosys.log", 600)


def icarus(design: Design) -> subprocess.CompletedProcess[str]:
    """Compile a design with Icarus, all warnings on; its output has file names without folders."""
    settings = (f"-P{design.top}.{name}={value}" for name, value in design.settings.items())
    command = ["iverilog", "-g2012", "-Wall", "-s", design.top, "-o", os.devnull, *settings]
    done = subprocess.run(
        [*command, *map(str, design.sources)], capture_output=True, text=True, timeout=120, check=False
    )
    done.stdout = re.sub(r"^.*/(?=\w+\.sv:)", "", done.stdout + done.stderr, flags=re.MULTILINE)
    return done


ICARUS_SAYS_ANYWAY = re.compile(r"vvp\.tgt sorry: Case unique/unique0 qualities are ignored\.$")
"""That Icarus ignores ``unique`` is harmless (docs/sv-subset.md). No class of -W is left out."""


def icarus_says(design: Design) -> list[str]:
    """Lines of Icarus; that it failed, if it did so without a word."""
    done = icarus(design)
    lines = [line for line in done.stdout.splitlines() if not ICARUS_SAYS_ANYWAY.search(line)]
    return lines or ["failed"] * (done.returncode != 0)


@each_core
def test_icarus(room: Room) -> None:
    for config in configurations(room, FEWER):
        assert (icarus_says(room.design(config)), str(config)) == ([], str(config))


# --- systems ------------------------------------------------------------------------------------


@pytest.mark.parametrize("core", ["imml_booth4", "montgomery_csa1", "fips"])
@pytest.mark.parametrize("system", list(systems()))
def test_systems(system: str, core: str, tmp_path: Path) -> None:
    """All four, on cores with one beat and several, with and without controls; and the port list."""
    found = on(system, core)
    for width in (16, 48) if system == "rsa_crt" else (4, 40):
        for config in (*found.core.builds.at(width), *found.core.builds.variants(width)):
            design = found.design(config)
            quick(design)
        thorough(design, tmp_path)


def quick(design: Design) -> None:
    """Verilator and slang say nothing, and the ports are as Python has them."""
    lint(design)
    compilation, said = slang(design.top, design.parameters, design.sources)
    assert (said, design.settings) == ([], design.settings)
    assert port_list(compilation) == [(port.name, port.direction, port.bits) for port in design.ports]


def thorough(design: Design, folder: Path) -> None:
    """Nor do Icarus and Yosys."""
    assert icarus_says(design) == []
    run_yosys([*STRICT, *elaboration(design)], design.sources, folder, folder / "yosys.log", 300)


@pytest.mark.parametrize("core", ["fips", pytest.param("imml_booth8", marks=pytest.mark.long)])
def test_units_of_the_engine(core: str, tmp_path: Path) -> None:
    """All four on a program that needs every unit, of one word and of several."""
    for text in (SUMS, FLAGS, DOUBLE, PLAIN):
        found = programmed(core, text)
        for width in (4, 40):
            for config in found.core.builds.at(width):
                quick(found.design(config))
        thorough(found.design(config), tmp_path)


def test_two_lanes(tmp_path: Path) -> None:
    """All four on both lanes of the engine, with numbers as long as primes and with longer ones."""
    for core, width in (("montgomery_csa2", 16), ("montgomery_dsp", 80)):
        found = on("rsa_crt", core)
        for config in found.core.builds.at(width):
            quick(found.design(config))
            thorough(found.design(config), tmp_path)


@pytest.mark.parametrize(
    ("core", "width", "bus", "clocks"),
    [("imml_booth4", 8, 32, 1), ("montgomery_dsp", 70, 64, 2), ("scalable_booth4_left", 41, 128, 2)],
)
def test_on_a_bus(core: str, width: int, bus: int, clocks: int, tmp_path: Path) -> None:
    """All four on the shell: words longer and shorter than the core's, one clock and two; a serial line."""
    shell = Shell(room(core).build(width), bus, clocks)
    designs = [shell.design, *([shell.on_line(4)] if (bus, clocks) == (32, 1) else [])]
    for design in designs:
        quick(design)
        thorough(design, tmp_path)
    wrong = shell.parameters | {"Bus": 16}
    assert "illegal_parameter_Bus" in "\n".join(slang("mm_bus", wrong, shell.design.sources)[1])


@pytest.mark.parametrize("log_points", [2, 5])
def test_the_example(log_points: int, tmp_path: Path) -> None:
    """All four on the transform, whose twiddles are written, and the ports as Python has them."""
    sources = ntt.write(tmp_path / "ntt", log_points)
    whole, butterfly = ntt.design(sources, log_points), ntt.design(sources)
    for design in (whole, butterfly):
        compilation, said = slang(design.top, design.parameters, design.sources)
        assert not said
        assert port_list(compilation) == [(port.name, port.direction, port.bits) for port in design.ports]
    lint(whole)
    assert icarus_says(whole) == []
    run_yosys([*STRICT, *elaboration(whole)], sources, tmp_path, tmp_path / "yosys.log", 300)


@pytest.mark.parametrize(
    ("curve", "settings"), [("tiny-edwards", {}), ("tiny-weierstrass", {"carry": 8, "leaf": 8})]
)
def test_the_example_of_points(curve: str, settings: dict[str, int], tmp_path: Path) -> None:
    """All four on both sums of points and on the bucket loop, in one piece and in several."""
    sources = msm.write(tmp_path / "msm")
    for window in (3, 12):
        build = msm.Build(msm.CURVES[curve], window, **settings)
        for design in (build.adder(sources), build.loop(sources)):
            quick(design)
    thorough(design, tmp_path)
    assert "illegal_parameter_WindowBits" in "\n".join(
        slang(design.top, {**design.parameters, "WindowBits": 1}, sources)[1]
    )


# --- the port list ------------------------------------------------------------------------------


def port_list(compilation: Compilation) -> list[tuple[str, str, int]]:
    """Name, direction and width of each port of the elaborated top."""
    [top] = compilation.getRoot().topInstances
    return [(port.name, DIRECTIONS[port.direction], port.type.bitWidth) for port in top.body.portList]


@each_core
def test_ports(room: Room) -> None:
    """Names, order, directions and widths are those of the contract, in the elaborated design."""
    for config in configurations(room, WIDTHS):
        compilation, _ = slang(room.core.top, config.parameters(), room.sources)
        assert port_list(compilation) == [
            (port.name, port.direction, port.bits) for port in room.design(config).ports
        ]


@each_core
def test_parameters(room: Room) -> None:
    """The parameters of the top module are those of its configuration, the default of Width included."""
    builds = room.core.builds
    default = builds.at(256)[0] if builds.for_modulus else builds.config(width=256)
    compilation, _ = slang(room.core.top, {}, room.sources)
    [top] = compilation.getRoot().topInstances
    ports = {p.name: int(p.value.value) for p in top.body.parameters if p.isPortParam and not p.isLocalParam}
    assert ports == default.parameters()


# --- illegal parameters -------------------------------------------------------------------------


def illegal_parameters(room: Room) -> Iterator[dict[str, int]]:
    """Width = 1, and each other parameter with a value that Python refuses, the rest being legal."""
    config = room.core.builds.at(8)[0]
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
        illegal = replace(room.design(room.core.builds.at(8)[0]), parameters=parameters)
        done = icarus(illegal)
        assert done.returncode
        assert "illegal_parameter_" in done.stdout
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
    name = source.name.split(".")[0]
    assert re.findall(r"^\s*module\s+(\w+)", text, re.MULTILINE) == [name]
    assert text.index("`default_nettype none") < text.index(f"module {name}")
    assert name.startswith("mm_")
    assert not re.search(r"lint_off|verilator\s+\w+_off|translate_o(ff|n)|synopsys|synthesis\s+\w+_off", text)
    assert "\t" not in text
    assert not [line for line in lines if line != line.rstrip()]
    assert not [line for line in lines if len(line) > LONGEST]
    tree = SyntaxTree.fromText(text)
    assert not badly_named_registers(tree)
    assert not kept_vectors(tree), "Yosys connects their bits to others"
    assert not unsized_connections(tree), "Yosys reads the module twice, and may fail"
    assert not OPERATOR_AND_CAST.findall(text), "Yosys takes the operator for a part of the size"


OPERATOR_AND_CAST = re.compile(r"[!~&|^+-]\w+'\(")
"""An operator right in front of a cast."""


def test_an_operator_in_front_of_a_cast_is_seen() -> None:
    assert OPERATOR_AND_CAST.findall("a = ~N'(b) & -(N+1)'(c) | d & N'(e);") == ["~N'("]
    assert OPERATOR_AND_CAST.findall("a = x - N'(b); c = ~d; e = |(N'(f)); g = !32'(h);") == ["!32'("]


LONGEST = 120
"""Characters of a line, in SystemVerilog and in Markdown."""


def badly_named_registers(tree: SyntaxTree) -> list[str]:
    """What clocked processes assign and is named unlike a register.

    That is ``x_q``, then ``x_q2`` for ``x_q`` one cycle later, and so on. Output ports and memories keep
    their names.
    """
    registers: set[str] = set()
    memories: set[str] = set()
    names: set[str] = set()

    def target(left: object) -> None:
        if isinstance(left, ConcatenationExpressionSyntax):
            for part in left.expressions:
                target(part)
        elif isinstance(left, IdentifierNameSyntax | IdentifierSelectNameSyntax):
            registers.add(left.identifier.valueText)

    def visit(node: object) -> None:
        if isinstance(node, DeclaratorSyntax):
            names.add(node.name.valueText)
            if len(node.dimensions):
                memories.add(node.name.valueText)
        elif (
            isinstance(node, BinaryExpressionSyntax)
            and node.kind == SyntaxKind.NonblockingAssignmentExpression
        ):
            target(node.left)

    tree.root.visit(visit)
    wrong = []
    for name in sorted(registers - memories):
        stage = re.fullmatch(r"(\w+)_q([2-9]|[1-9]\d)?", name)
        if stage and stage[2]:
            before = f"{stage[1]}_q{'' if stage[2] == '2' else int(stage[2]) - 1}"
            if before not in names:
                wrong.append(f"{name} without {before}")
        elif not stage and not name.endswith("_o"):
            wrong.append(name)
    return wrong


def test_a_badly_named_register_is_seen() -> None:
    source = """
module leaf (input wire clk_i, input wire a_i, output logic z_o);
  logic       a_q, a_qq, a_q3, a_q4, a_3q, b, c_q, d;
  logic [7:0] words [4], e_q2;
  always_ff @(posedge clk_i) begin
    {a_q, a_qq} <= {a_i, a_q};
    if (b <= a_i) a_q3 <= a_q;
    a_q4     <= a_q3;
    a_3q     <= a_q;
    b        <= a_i;
    words[0] <= e_q2;
    e_q2[3]  <= b;
    z_o      <= a_q;
  end
  assign d = b;
endmodule
"""
    wrong = ["a_3q", "a_q3 without a_q2", "a_qq", "b", "e_q2 without e_q"]
    assert badly_named_registers(SyntaxTree.fromText(source)) == wrong


def kept_vectors(tree: SyntaxTree) -> list[str]:
    """Signals of several bits with the attribute ``keep``, but for registers."""
    found: list[str] = []

    def visit(node: object) -> None:
        if isinstance(node, DataDeclarationSyntax) and any(
            "keep" in str(attribute) for attribute in node.attributes
        ):
            found.extend(
                name
                for name in (
                    part.name.valueText for part in node.declarators if isinstance(part, DeclaratorSyntax)
                )
                if "[" in str(node.type) and not re.search(r"_q\d*$", name)
            )

    tree.root.visit(visit)
    return found


def unsized_connections(tree: SyntaxTree) -> list[str]:
    """Connections of ports with a literal of any width, ``'0`` or ``'1``."""
    found: list[str] = []

    def visit(node: object) -> None:
        if isinstance(node, NamedPortConnectionSyntax) and re.search(r"(?<!\w)'[01](?!\w)", str(node)):
            found.append(node.name.valueText)

    tree.root.visit(visit)
    return found


def test_what_yosys_gets_wrong_is_seen() -> None:
    source = """
module leaf (input wire [3:0] a_i, output logic [3:0] z_o);
  (* keep *)
  logic [3:0] b, c;
  (* keep *)  // one bit
  logic       d;
  (* keep *)
  logic [1:0] e_q, e_q2;
  logic [1:0] f;
  leaf #(.N(4'd0)) u_leaf (.a_i(a_i == '0), .b_i(2'b00), .c_i({1'b1, c}), .d_i('1), .z_o);
endmodule
"""
    assert kept_vectors(SyntaxTree.fromText(source)) == ["b", "c"]
    assert unsized_connections(SyntaxTree.fromText(source)) == ["a_i", "d_i"]


def misnamed(text: str) -> list[str]:
    """Names of missing modules that do not begin with a parameter of the module, or name what is none."""
    parameters = set(re.findall(r"\bparameter\s+(?:\w+\s+)?(\w+)\s*=", text))
    named = re.findall(r"\billegal_parameter_\w+", text)
    words = {name: name.removeprefix("illegal_parameter_").split("_") for name in named}
    capital = {name: {word for word in parts if word[0].isupper()} for name, parts in words.items()}
    return [name for name in named if words[name][0] not in parameters or capital[name] - parameters]


@each_source
def test_illegal_parameters_are_named(source: Path) -> None:
    """Every ``illegal_parameter_X_...`` of a module names X, a parameter of that module."""
    assert not misnamed(source.read_text(encoding="utf-8"))


def test_a_parameter_with_another_name_is_found() -> None:
    head = "module m #(parameter int FieldSet = 3, parameter int Dsp = 0) ();"
    text = head + " illegal_parameter_{} u (); endmodule"
    wrong = ("Fields_must_be_1_2_or_3", "Dsp_must_be_0_with_Fields_1", "must_be_1", "field_set_must_be_1")
    assert [misnamed(text.format(name)) for name in wrong] == [
        [f"illegal_parameter_{name}"] for name in wrong
    ]
    assert not misnamed(text.format("FieldSet_must_be_1_2_or_3_with_Dsp_1"))


def test_every_source_was_looked_at() -> None:
    package = Path(str(files("modmul")))
    assert set(package.rglob("*.sv")) <= set(SOURCES)


# --- documents ----------------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    {
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("tests/rooms/*/*.md"),
        *ROOT.glob("examples/*/*.md"),
    }
    | {room.path / "README.md" for room in ALL}
)


def too_long(text: str) -> list[int]:
    """Numbers of the lines above the limit, but for tables, code, and words that cannot be broken."""
    found = []
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        alone = re.fullmatch(r"\s*([-*+]\s+|\d+\.\s+)?\S+", line)
        if len(line) > LONGEST and not (code or alone or line.lstrip().startswith("|")):
            found.append(number)
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: os.path.relpath(path, ROOT))
def test_lines_of_documents(document: Path) -> None:
    assert not too_long(document.read_text(encoding="utf-8"))


def test_a_long_line_is_seen() -> None:
    words, word = "word " * 30, "x" * 200
    text = f"{words}\n```\n{words}\n```\n| {words} |\n{word}\n- {word}\n- and {word}\n{'é' * 119} x\n"
    assert too_long(text) == [1, 8, 9]
