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

from modmul.chips import CHIPS, FAMILIES, Chip, UnknownChip, chip, names
from modmul.design import Design
from modmul.export import export
from modmul.measure import Job, Measurement, Store, count_cells, measure, shortage, synthesise
from modmul.measure import route as routing
from modmul.measure.synthesis import elaboration, run_yosys, synthesis_flow
from modmul.registry import room
from modmul.room import Build
from modmul.study.measuring import measure as compare
from modmul.tools.run import ToolFailure

SHARE = Path(pyosys.__file__).parent / "share"

INTEL = tuple(f"intel_alm/common/{name}_sim.v" for name in ("alm", "dff", "dsp", "mem"))

MODELS: Mapping[str, tuple[str, ...]] = {
    "agilex": INTEL,
    "cyclonev": INTEL,
    "gates": (),
    "gowin": ("gowin/cells_sim.v",),
    "ice40hx": ("ice40/cells_sim.v",),
    "ice40up": ("ice40/cells_sim.v",),
    "nexus": ("nexus/cells_sim.v",),
}
"""Yosys' models of the cells of the families without twins. Those of the others declare some cells only."""

DSP48E2 = Path(__file__).with_name("data") / "dsp48e2.v"

BLOCKS: Mapping[str, tuple[str, ...]] = {
    "artix7": ("xilinx/cells_sim.v",),
    "ultrascaleplus": ("xilinx/cells_sim.v", str(DSP48E2)),
}
"""Models of the cells of families with twins that registers and additions are packed into blocks for."""

ROUTED = [name for name, each in CHIPS.items() if each.route and name != "ecp5"]

LIBRARY = """
library (toy) {{
  delay_model : table_lookup; time_unit : "1ns"; {thresholds}
  capacitive_load_unit (1, pf);
  lu_table_template (flat) {{ variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    index_1 ("0.1, 1"); index_2 ("0.01, 1"); }}
  cell (INVX1) {{ area : 2; pin (A) {{ direction : input; capacitance : 0.01; }}
    pin (Y) {{ direction : output; function : "(!A)"; {one} }} }}
  cell (BUFX1) {{ area : 3; pin (A) {{ direction : input; capacitance : 0.01; }}
    pin (Y) {{ direction : output; function : "A"; {same} }} }}
  cell (NAND2X1) {{ area : {nand}; pin (A) {{ direction : input; capacitance : 0.01; }}
    pin (B) {{ direction : input; capacitance : 0.01; }}
    pin (Y) {{ direction : output; function : "(!(A B))"; {timing} }} }}
  cell (NOR2X1) {{ area : 4; pin (A) {{ direction : input; capacitance : 0.01; }}
    pin (B) {{ direction : input; capacitance : 0.01; }}
    pin (Y) {{ direction : output; function : "(!(A+B))"; {timing} }} }}
  cell (AND2X1) {{ area : 6; pin (A) {{ direction : input; capacitance : 0.01; }}
    pin (B) {{ direction : input; capacitance : 0.01; }}
    pin (Y) {{ direction : output; function : "(A B)"; {rising} }} }}
  cell (OR2X1) {{ area : 6; pin (A) {{ direction : input; capacitance : 0.01; }}
    pin (B) {{ direction : input; capacitance : 0.01; }}
    pin (Y) {{ direction : output; function : "(A+B)"; {rising} }} }}
  cell (DFFX1) {{ area : 16; ff (IQ, IQN) {{ clocked_on : "CK"; next_state : "D"; }}
    pin (CK) {{ direction : input; clock : true; capacitance : 0.01; }}
    pin (D) {{ direction : input; capacitance : 0.01; {setup} }}
    pin (Q) {{ direction : output; function : "IQ"; {out} }} }}
  cell (DFFRX1) {{ area : 20; ff (IQ, IQN) {{ clocked_on : "CK"; next_state : "D"; clear : "(!R)"; }}
    pin (CK) {{ direction : input; clock : true; capacitance : 0.01; }}
    pin (R) {{ direction : input; capacitance : 0.01; }}
    pin (D) {{ direction : input; capacitance : 0.01; {setup} }}
    pin (Q) {{ direction : output; function : "IQ"; {out} }} }}
}}
"""

TIMING = (
    'timing () {{ related_pin : "{pin}"; timing_sense : {sense}_unate; '
    "cell_rise (flat) {{ TABLE }} cell_fall (flat) {{ TABLE }} "
    "rise_transition (flat) {{ TABLE }} fall_transition (flat) {{ TABLE }} }}"
).replace("TABLE", 'index_1 ("0.1, 1"); index_2 ("0.01, 1"); values ("0.1, 0.1", "0.1, 0.1");')


SETUP = (
    'timing () { related_pin : "CK"; timing_type : setup_rising; '
    'rise_constraint (scalar) { values ("0.2"); } fall_constraint (scalar) { values ("0.2"); } }'
)

THRESHOLDS = " ".join(
    f"{kind}_threshold_pct_{edge} : {percent};"
    for edge in ("rise", "fall")
    for kind, percent in (("input", 50), ("output", 50), ("slew_lower", 20), ("slew_upper", 80))
)

CLOCKED = (
    'timing () { related_pin : "CK"; timing_type : rising_edge; cell_rise (scalar) { values ("0.3"); } '
    'cell_fall (scalar) { values ("0.3"); } rise_transition (scalar) { values ("0.1"); } '
    'fall_transition (scalar) { values ("0.1"); } }'
)


def library(folder: Path, name: str = "toy.lib", nand: str = "4") -> Path:
    """A small library of cells; each gate takes 0.1 ns, a flip-flop 0.3 after the clock and 0.2 before it."""
    both = [
        TIMING.format(pin="A", sense=s) + TIMING.format(pin="B", sense=s) for s in ("negative", "positive")
    ]
    text = LIBRARY.format(
        one=TIMING.format(pin="A", sense="negative"),
        timing=both[0],
        rising=both[1],
        same=TIMING.format(pin="A", sense="positive"),
        nand=nand,
        thresholds=THRESHOLDS,
        setup=SETUP,
        out=CLOCKED,
    )
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is taken from other runs."""
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))


def netlist_multiplies(build: Build, target: Chip, folder: Path, change: tuple[str, str] = ("", "")) -> bool:
    """Whether the exported bench of a build finds its netlist for a target right, in Icarus Verilog.

    Args:
        change: a text of the netlist, and what stands in its place.
    """
    design = build.design.tuned(target.family)
    work, bench = folder / "work", folder / "bench"
    work.mkdir()
    commands = (*synthesis_flow(design, target), "write_verilog -noattr netlist.v")
    run_yosys(commands, (*design.sources, *target.files), work, work / "yosys.log", 300)
    export(build, None, bench, count=3)
    [top] = bench.glob("bench/tb_*.sv")
    instance = re.compile(rf"\b{design.top} #\(.*?\)\s+(?=\w+ \()", re.DOTALL)
    top.write_text(instance.sub(f"{design.top} ", top.read_text()))  # the netlist has no parameters
    text = (work / "netlist.v").read_text()
    assert change[0] in text
    (bench / "netlist.v").write_text(text.replace(*change, 1))
    models = [SHARE / name for name in {**MODELS, **BLOCKS}[target.name]]
    folders = {f"-I{path.parent}" for path in models}
    define = "-DNO_ICE40_DEFAULT_ASSIGNMENTS"
    compiling = ["iverilog", "-g2012", define, "-s", top.stem, "-o", "bench.vvp", *folders]
    sources = [*map(str, models), "netlist.v", f"bench/{top.name}"]
    subprocess.run([*compiling, *sources], cwd=bench, capture_output=True, timeout=300, check=True)
    done = subprocess.run(
        ["vvp", "-n", "bench.vvp"], cwd=bench, capture_output=True, timeout=300, check=False
    )
    return done.returncode == 0 and b"PASS" in done.stdout


def small(slug: str, width: int, name: str) -> Build:
    found = room(slug)
    return found.of(found.core.builds.at(width, name)[0])


# Netlists


def test_every_family_without_twins_is_simulated() -> None:
    assert set(MODELS) == {name for name, each in CHIPS.items() if not each.family and name != "virtex2"}


@pytest.mark.parametrize("name", MODELS)
def test_a_netlist_multiplies(name: str, tmp_path: Path) -> None:
    assert netlist_multiplies(small("imml_booth4", 6, name), CHIPS[name], tmp_path)


def test_a_wrong_netlist_does_not(tmp_path: Path) -> None:
    wrong = ("SB_LUT4 #(\n    .LUT_INIT(16'h", "SB_LUT4 #(\n    .LUT_INIT(16'h1234 ^ 16'h")
    assert not netlist_multiplies(small("imml_booth4", 6, "ice40hx"), CHIPS["ice40hx"], tmp_path, wrong)


@pytest.mark.long
@pytest.mark.parametrize("slug", ["rrm", "montgomery_dsp"])
@pytest.mark.parametrize("name", [name for name in MODELS if name != "gowin"])
def test_a_netlist_with_memories_or_blocks_multiplies(name: str, slug: str, tmp_path: Path) -> None:
    """Yosys has no model of Gowin's multipliers."""
    assert netlist_multiplies(small(slug, 16, name), CHIPS[name], tmp_path)


PRODUCT = """
module mm_product (input wire clk_i, input wire [{top}:0] a_i, b_i, output logic [{double}:0] p_o);
  always_ff @(posedge clk_i) p_o <= a_i * b_i;
endmodule
"""


def product(width: int, folder: Path) -> Design:
    source = folder / "mm_product.sv"
    source.write_text(PRODUCT.format(top=width - 1, double=2 * width - 1))
    return Design("product", "mm_product", (source,), multiplier_blocks=True)


@pytest.mark.parametrize("name", ["cyclonev", "ice40up", "nexus"])
def test_blocks_take_unsigned_operands(name: str, tmp_path: Path) -> None:
    """The longest that fit: Yosys' own mapping for Cyclone V takes their upper bits for signs."""
    width = 16 if name == "ice40up" else 18
    design, target = product(width, tmp_path), CHIPS[name]
    commands = (*synthesis_flow(design, target), "write_verilog -noattr netlist.v")
    work = tmp_path / "work"
    work.mkdir()
    run_yosys(commands, (*design.sources, *target.files), work, work / "yosys.log", 300)
    full = (1 << width) - 1
    (work / "bench.sv").write_text(
        f"module bench; reg clk = 0; wire [{2 * width - 1}:0] p;\n"
        f"mm_product u_dut (.clk_i(clk), .a_i({width}'d{full}), .b_i({width}'d{full - 1}), .p_o(p));\n"
        f'initial begin repeat (4) #1 clk = !clk; $display("%0d", p); end endmodule\n'
    )
    models = [SHARE / path for path in MODELS[name]]
    options = ["-DNO_ICE40_DEFAULT_ASSIGNMENTS", *{f"-I{path.parent}" for path in models}]
    command = [
        "iverilog",
        "-g2012",
        *options,
        "-s",
        "bench",
        "-o",
        "bench.vvp",
        *map(str, models),
        "netlist.v",
        "bench.sv",
    ]
    subprocess.run(command, cwd=work, capture_output=True, timeout=60, check=True)
    done = subprocess.run(
        ["vvp", "bench.vvp"], cwd=work, capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) == full * (full - 1)


# Blocks of UltraScale+

PACKED = """
module mm_packed (
  input wire clk_i, rst_i, en_i, load_i,
  input wire signed [26:0] a_i,
  input wire signed [17:0] b_i, d_i,
  input wire signed [46:0] c_i,
  output logic signed [47:0] p_o, q_o, s_o, t_o, u_o
);
  logic signed [26:0] a_q, a_late_q, a_later_q;
  logic signed [17:0] b_q, b_late_q, e_q;
  logic signed [46:0] c_q;
  logic signed [44:0] m_q, n_q;
  logic signed [47:0] s_q;
  assign s_o = s_q;
  always_ff @(posedge clk_i) begin
    a_q       <= rst_i ? '0 : a_i;
    a_late_q  <= rst_i ? '0 : a_q;
    a_later_q <= a_late_q;
    b_q       <= rst_i ? '0 : b_i;
    b_late_q  <= rst_i ? '0 : b_q;
    e_q       <= d_i;
    if (rst_i) c_q <= '0;
    else if (en_i) c_q <= c_i;
    if (rst_i) m_q <= '0;
    else if (en_i) m_q <= a_late_q * b_late_q;
    p_o <= m_q + c_q;
    n_q <= a_q * e_q;
    t_o <= (p_o >>> 17) + n_q;
    u_o <= t_o + a_later_q * e_q;
    if (rst_i) s_q <= '0;
    else if (en_i) s_q <= (load_i ? 48'(c_i) : s_q) + a_i * d_i;
    q_o <= a_i[25:0] * $unsigned(c_i[23:0]);
  end
endmodule
"""
"""What a block holds: registers of operands, products and sums, with enable and reset; additions of C, of its
own sum, of that of the block before it a digit lower; operands from the block before it."""

COMPARING = """
module bench;
  reg clk = 0, rst, en, load; reg [26:0] a; reg [17:0] b, d; reg [46:0] c; integer i, wrong = 0;
  wire [47:0] p, q, s, t, u, pp, qq, ss, tt, uu;
  mm_packed u_plain (clk, rst, en, load, a, b, d, c, p, q, s, t, u);
  netlist u_mapped (clk, rst, en, load, a, b, d, c, pp, qq, ss, tt, uu);
  initial begin
    for (i = 0; i < 400; i = i + 1) begin
      {rst, en, load, a, b, d, c} = {$random, $random, $random, $random};
      rst = i < 4 || ($random & 7) == 7;
      #1 clk = 1;
      #1 clk = 0;
      if (i > 8 && {p, q, s, t, u} !== {pp, qq, ss, tt, uu}) wrong = wrong + 1;
    end
    $display("%0d", wrong);
  end
endmodule
"""


def packed(name: str, text: str, blocks: Path, folder: Path, *commands: str) -> Path:
    """A folder in which Yosys has packed a module into the blocks of a file, and run further commands."""
    source, work = folder / f"{name}.sv", folder / "work"
    source.write_text(text)
    work.mkdir()
    design = Design(name, name, (source,), multiplier_blocks=True)
    flow = (*elaboration(design), *CHIPS["ultrascaleplus"].multiplier_commands, "opt_clean", *commands)
    run_yosys(flow, (source, blocks), work, work / "yosys.log", 60)
    return work


def wrong_sums(blocks: Path, folder: Path) -> int:
    """In how many of 400 cycles of any inputs :data:`PACKED` differs from what a file's blocks make of it."""
    written = (
        "select -assert-count 6 t:DSP48E2",
        "rename mm_packed netlist",
        "write_verilog -noattr netlist.v",
    )
    work = packed("mm_packed", PACKED, blocks, folder, *written)
    (work / "bench.sv").write_text(COMPARING)
    sources = ["mm_packed.sv", "netlist.v", "bench.sv", str(DSP48E2)]
    compiling = ["iverilog", "-g2012", "-s", "bench", "-o", "bench.vvp", *sources]
    subprocess.run(compiling, cwd=work, capture_output=True, timeout=60, check=True)
    done = subprocess.run(
        ["vvp", "bench.vvp"], cwd=work, capture_output=True, text=True, timeout=60, check=True
    )
    return int(done.stdout)


def test_registers_and_sums_are_packed_into_blocks(tmp_path: Path) -> None:
    assert wrong_sums(CHIPS["ultrascaleplus"].files[0], tmp_path) == 0


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (".MREG(MREG)", ".MREG(0)"),
        (".BREG(BREG)", ".BREG(1)"),
        (".A_INPUT(A_INPUT)", '.A_INPUT("DIRECT")'),
        ("{2'b00, OPMODE}", "{2'b01, OPMODE}"),
        (".PCIN(PCIN)", ".PCIN(48'd0)"),
        ("CREG > 0 ? CEC :", "CREG > 1 ? CEC :"),
        ("AREG > 0 ? RSTA :", "AREG > 2 ? RSTA :"),
        ("PREG > 0 ? RSTP :", "PREG > 1 ? RSTP :"),
        ("{{3{A[26]}}, A}", "{{5{A[24]}}, A[24:0]}"),
    ],
)
def test_a_wrong_block_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    [blocks] = CHIPS["ultrascaleplus"].files
    text = blocks.read_text()
    assert text.count(right) == 1
    mutant = tmp_path / blocks.name
    mutant.write_text(text.replace(right, wrong))
    assert wrong_sums(mutant, tmp_path) > 0


def test_a_sum_before_a_multiplication_stays_outside_its_block(tmp_path: Path) -> None:
    """It may be cut to its 25 bits, where the block has 27."""
    text = """
    module mm_early (input wire signed [24:0] a_i, d_i, input wire signed [17:0] b_i,
        output wire signed [42:0] p_o, q_o);
      logic signed [24:0] s, t;
      assign s = a_i + d_i, t = a_i - d_i, p_o = s * b_i, q_o = t * b_i;
    endmodule
    """
    counts = ("select -assert-count 2 t:DSP48E2", "select -assert-count 2 t:$add t:$sub")
    packed("mm_early", text, CHIPS["ultrascaleplus"].files[0], tmp_path, *counts)


def test_a_register_that_holds_a_bit_of_a_sum_twice_is_refused(tmp_path: Path) -> None:
    """Yosys moves the sum into the block, and leaves the second copy of the bit without a driver."""
    text = """
    module mm_twice (input wire clk_i, input wire signed [17:0] a_i, b_i, input wire signed [39:0] c_i,
        output logic signed [40:0] p_o);
      logic signed [39:0] s;
      assign s = a_i * b_i + c_i;
      always_ff @(posedge clk_i) p_o <= {s, s[39]};
    endmodule
    """
    with pytest.raises(ToolFailure, match="check -assert"):
        packed("mm_twice", text, CHIPS["ultrascaleplus"].files[0], tmp_path)


@pytest.mark.parametrize(
    ("name", "slug", "width"),
    [
        ("ultrascaleplus", "montgomery_cascade", 34),
        ("artix7", "small_fixed", 12),
        pytest.param("artix7", "montgomery_cascade", 34, marks=pytest.mark.long),
        *(
            pytest.param(name, *each, marks=pytest.mark.long)
            for name in BLOCKS
            for each in (
                *(("montgomery_dsp", 40), ("pipelined", 40), ("sparse_prime_dsp", 64)),
                *(("small_fixed", 14), ("small_fixed", 31), ("small_fixed", 64), ("small_any", 32)),
            )
        ),
    ],
)
def test_a_netlist_with_packed_blocks_multiplies(name: str, slug: str, width: int, tmp_path: Path) -> None:
    assert netlist_multiplies(small(slug, width, name), CHIPS[name], tmp_path)


@pytest.mark.long
def test_a_core_made_of_blocks_is_as_small_as_on_the_7_series() -> None:
    before, here = (
        synthesise(small("montgomery_cascade", 64, name).design, CHIPS[name], Store())
        for name in ("artix7", "ultrascaleplus")
    )
    assert here.dsp == before.dsp and here.ffs == pytest.approx(before.ffs, rel=0.01)
    assert here.luts - here.lut_ram < 1.02 * (before.luts - before.lut_ram)


# Counting


@pytest.mark.parametrize(
    ("name", "cells", "expected"),
    [
        ("nexus", {"LUT4": 3, "CCU2": 5, "DPR16X4": 2, "FD1P3DX": 4}, (25, 12, 5, 4, 0, 0)),
        ("nexus", {"MULT9X9": 3, "MULT36X36": 1, "PDP16K": 2, "VLO": 1}, (0, 0, 0, 0, 6, 2)),
        ("ice40up", {"SB_LUT4": 7, "SB_CARRY": 4, "SB_DFFESR": 3, "SB_MAC16": 2}, (7, 0, 4, 3, 2, 0)),
        ("ice40hx", {"SB_RAM40_4K": 5, "SB_RAM40_4KNRNW": 4}, (0, 0, 0, 0, 0, 2)),
        ("gowin", {"LUT3": 2, "ALU": 5, "RAM16SDP4": 1, "DFFNPE": 1, "MULT36X36": 1}, (15, 8, 5, 1, 4, 0)),
        ("cyclonev", {"MISTRAL_ALUT6": 2, "MISTRAL_ALUT_ARITH": 3, "MISTRAL_MLAB": 4}, (11, 4, 3, 0, 0, 0)),
        ("agilex", {"MISTRAL_MUL18X18": 3, "MISTRAL_M10K": 2}, (0, 0, 0, 0, 2, 2)),
        ("gates", {"$_NAND_": 2, "$_NOT_": 1, "$_DFF_P_": 1}, (8, 0, 0, 1, 0, 0)),
    ],
)
def test_cells_count_as_their_fabric_has_them(
    name: str, cells: dict[str, int], expected: tuple[int, ...]
) -> None:
    area = count_cells(cells, CHIPS[name])
    assert (area.luts, area.lut_ram, area.carries, area.ffs, area.dsp, area.bram) == expected


def test_a_memory_that_asks_for_luts_becomes_registers_where_there_is_none(tmp_path: Path) -> None:
    design = small("rrm", 16, "ice40hx").design
    here, there = (synthesise(design, CHIPS[name], Store()) for name in ("ice40hx", "nexus"))
    assert here.lut_ram == 0 < there.lut_ram
    assert here.ffs > there.ffs


# Place and route


@pytest.mark.parametrize("name", ROUTED)
def test_place_and_route_gives_a_frequency(name: str) -> None:
    """Nothing of the core and of the wrapper is optimised away."""
    build = small("imml_booth4", 4, name)
    [(_, outcome)] = measure([Job(build.design, CHIPS[name], (1,))])
    assert isinstance(outcome, Measurement) and outcome.timing, outcome
    assert 10 < outcome.timing.median_mhz < 1000
    used = outcome.timing.utilisation
    registers = outcome.area.ffs + 4 + 3 * 4 + 2 * (4 + 4)
    [ffs] = [used[key][0] for key in ("OXIDE_FF", "ICESTORM_LC", "DFF") if key in used]
    assert ffs >= registers


def test_a_part_that_is_too_small_is_said_so_with_its_size() -> None:
    target = CHIPS["ice40up"]
    assert target.part
    tiny = replace(target, part=replace(target.part, luts=20))
    build = small("imml_booth4", 8, "ice40up")
    [(_, outcome)] = measure([Job(build.design, tiny, (1,))])
    assert isinstance(outcome, Measurement) and outcome.failure and outcome.timing is None
    assert outcome.failure.reason == f"iCE40UP5K is too small: {outcome.area.luts} LUTs needed, 20 there"
    [note] = [note for note in compare([build], tiny, seeds=()).notes if "too small" in note]
    assert outcome.failure.reason in note
    assert shortage(outcome.area, target) == shortage(outcome.area, CHIPS["artix7"]) == ""


def test_what_only_place_and_route_finds_too_large_is_said_so_too() -> None:
    """It counts the wrapper, and what packing costs."""
    found = CHIPS["ice40up"].route
    assert found
    log = "Info: Device utilisation:\nInfo: \t ICESTORM_LC:  5400/  5280   102%\nInfo: \t SB_IO: 3/ 96 3%\n"
    assert found.overfull(log) == {"ICESTORM_LC": (5400, 5280)}
    assert found.overfull(log.replace("5400", "5200")) == {}


def test_the_flow_of_a_family_is_part_of_what_decides_a_frequency() -> None:
    design = small("imml_booth4", 4, "nexus").design
    flows = {name: routing.route_flow(design, CHIPS[name]) for name in (*ROUTED, "ecp5")}
    assert len(set(flows.values())) == len(flows)


# Libraries of cells


def test_a_library_gives_area_and_delay(tmp_path: Path) -> None:
    target = chip(f"liberty:{library(tmp_path)}")
    area = synthesise(small("imml_booth4", 4, "").design, target, Store())
    cells = area.cells
    areas = {
        "INVX1": 2,
        "BUFX1": 3,
        "NAND2X1": 4,
        "NOR2X1": 4,
        "AND2X1": 6,
        "OR2X1": 6,
        "DFFX1": 16,
        "DFFRX1": 20,
    }
    assert area.ffs == cells["DFFX1"] + cells["DFFRX1"] > 16
    assert area.cell_area == sum(areas[name] * count for name, count in cells.items() if name != "$scopeinfo")
    assert area.luts == pytest.approx(area.cell_area / 4, abs=1)
    assert area.delay_ps and area.delay_ps % 100 == pytest.approx(0, abs=1)


def test_another_content_of_a_library_is_another_measurement(tmp_path: Path) -> None:
    design, store = small("imml_booth4", 4, "").design, Store()
    areas = [
        synthesise(design, chip(f"liberty:{library(tmp_path, nand=nand)}"), store) for nand in ("4", "8")
    ]
    assert areas[0].cell_area and areas[1].cell_area and areas[0].cell_area < areas[1].cell_area


@pytest.mark.skipif(shutil.which("sta") is None, reason="needs Debian's opensta")
def test_a_library_gives_a_clock_period_where_there_is_opensta(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With set-up and clock-to-output, which ABC's delay is without; another measurement without OpenSTA."""
    design, path, store = small("interleaved_radix2", 4, "").design, library(tmp_path), Store()
    timed = synthesise(design, chip(f"liberty:{path}"), store)
    assert timed.period_ps and timed.delay_ps
    assert 0 < timed.period_ps - 500 <= timed.delay_ps + 1
    assert (timed.period_ps + 1) % 100 < 2
    path.write_text(path.read_text().replace('"0.2"', '"0.25"'))
    assert synthesise(design, chip(f"liberty:{path}"), store).period_ps == pytest.approx(
        timed.period_ps + 50, abs=1
    )
    path.write_text(path.read_text().replace("table_lookup", "cmos2"))
    assert synthesise(design, chip(f"liberty:{path}"), store).period_ps is None, "OpenSTA cannot read it"
    library(tmp_path)
    monkeypatch.setattr("modmul.measure.synthesis.shutil.which", lambda _: None)
    assert synthesise(design, chip(f"liberty:{path}"), store).period_ps is None


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("cell (", "sell (", "no Liberty file"),
        ("ff (", "gg (", "no flip-flops"),
        ("NAND2X1", "OTHER", "two-input NAND"),
        ('"A"; timing', '"(!A)"; timing', "no buffer"),
    ],
)
def test_a_library_that_will_not_do_says_why(right: str, wrong: str, message: str, tmp_path: Path) -> None:
    path = library(tmp_path)
    path.write_text(path.read_text().replace(right, wrong))
    with pytest.raises(UnknownChip, match=message):
        chip(f"liberty:{path}")


def test_a_library_has_to_be_there_and_have_a_plain_name(tmp_path: Path) -> None:
    with pytest.raises(UnknownChip, match="cannot be read"):
        chip(f"liberty:{tmp_path / 'none.lib'}")
    with pytest.raises(UnknownChip, match="rename"):
        chip(f"liberty:{library(tmp_path, 'a b.lib')}")
    with pytest.raises(UnknownChip, match="liberty:FILE"):
        chip("liberty")


def test_gates_have_a_depth(tmp_path: Path) -> None:
    short, long = (
        synthesise(small("interleaved_radix2", width, "").design, CHIPS["gates"], Store()) for width in (4, 8)
    )
    assert short.depth and long.depth and 2 < short.depth < long.depth


# Names


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("artix-7", {"artix7"}),
        ("Kintex7", {"artix7"}),
        ("zynq", {"artix7"}),
        ("Zynq UltraScale+", {"ultrascaleplus"}),
        ("ice40", {"ice40hx", "ice40up"}),
        ("LIFCL-40", {"nexus"}),
        ("GW1NR-9", {"gowin"}),
        ("Cyclone 10 LP", {"ecp5"}),
        ("stratix10", {"agilex"}),
    ],
)
def test_an_unknown_chip_names_its_nearest_relative(name: str, nearest: set[str]) -> None:
    with pytest.raises(UnknownChip) as unknown:
        chip(name)
    said = str(unknown.value).partition(";")[2]
    assert {each for each in CHIPS if re.search(rf"\b{each}\b \(", said)} == nearest


def test_names_that_stand_for_chips_are_plain() -> None:
    for each in CHIPS.values():
        assert all(re.fullmatch("[a-z0-9]+", begin) for begin in each.stands_for), each.name
    assert names() == [*CHIPS, *(f"{each.name}:{each.argument}" for each in FAMILIES.values())]
