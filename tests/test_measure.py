# SPDX-License-Identifier: Apache-2.0
"""Measuring: the counting rule, chips, the store, and synthesis. test_placing.py has place and route."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from small_designs import BODY, design_with, job, small

from modmul import chips
from modmul.core import PORTS
from modmul.design import Design
from modmul.measure import (
    CHIPS,
    Store,
    ToolFailure,
    UnknownCell,
    UnknownChip,
    chip,
    count_cells,
    place_and_route,
    route,
    synthesise,
)
from modmul.registry import Room, room
from modmul.tools.paths import cache_dir
from modmul.tools.store import result_key

pytestmark = pytest.mark.usefixtures("empty_cache")

SEEDS = (1, 2, 3)
ECP5 = CHIPS["ecp5"]
FPGAS = [name for name in CHIPS if name != "gates"]
ALIKE = ("virtex6", "ultrascaleplus")
"""Those whose synthesis differs from that of ``artix7`` in its library alone."""
FAMILIES = [pytest.param(name, marks=pytest.mark.long if name in ALIKE else ()) for name in FPGAS]
MULTIPLYING = [name for name in FAMILIES if CHIPS[str(name.values[0])].cells.multiplier]


# The counting rule


def test_every_lut_counts_once_and_multiplexers_and_carries_do_not() -> None:
    cells = {"LUT1": 1, "LUT3": 2, "LUT6": 4, "INV": 8, "MUXF7": 9, "CARRY4": 5, "VCC": 1, "$scopeinfo": 3}
    area = count_cells(cells | {"FDRE": 3, "FDCE": 4, "SRL16E": 16, "SRLC32E": 32}, CHIPS["artix7"])
    assert (area.luts, area.lut_ram, area.carries, area.ffs) == (15 + 48, 48, 5, 7)


def test_ecp5_carry_takes_two_luts_and_ram_six() -> None:
    area = count_cells({"LUT4": 1, "CCU2C": 10, "TRELLIS_DPR16X4": 100, "PFUMX": 7, "TRELLIS_FF": 5}, ECP5)
    assert (area.luts, area.lut_ram, area.carries, area.ffs) == (621, 600, 10, 5)


@pytest.mark.parametrize(
    ("name", "ram", "luts"),
    [
        ("virtex6", "RAM32X1S", 1),
        ("virtex6", "RAM32X1D", 2),
        ("artix7", "RAM128X1S", 2),
        ("artix7", "RAM64M", 4),
        ("virtex2", "RAM16X1D", 2),
        ("virtex2", "RAM32X1S", 2),
    ],
)
def test_a_ram_takes_the_luts_its_words_need(name: str, ram: str, luts: int) -> None:
    area = count_cells({ram: 3}, CHIPS[name])
    assert area.luts == area.lut_ram == 3 * luts


def test_blocks_are_counted() -> None:
    area = count_cells({"RAMB18E1": 1, "RAMB36E1": 1, "DSP48E1": 4}, CHIPS["artix7"])
    assert (area.bram, area.dsp, area.luts) == (3, 4, 0)
    assert count_cells({"RAMB16_S36_S36": 2}, CHIPS["virtex2"]).bram == 2


@pytest.mark.parametrize("unknown", ["$_AND_", "LUT7", "LDCE", "RAM512X1S", "illegal_parameter"])
def test_an_unknown_cell_is_an_error(unknown: str) -> None:
    with pytest.raises(UnknownCell, match=re.escape(unknown)):
        count_cells({"LUT6": 1, unknown: 1}, CHIPS["virtex6"])


# Targets


def test_an_unknown_target_names_the_near_ones() -> None:
    with pytest.raises(UnknownChip, match="did you mean virtex6"):
        chip("vertex6")
    with pytest.raises(ValueError, match=", ".join(CHIPS)):
        chip("?")


def test_seeds_need_a_target_with_place_and_route(booth: Room) -> None:
    with pytest.raises(ValueError, match="no open place and route for artix7"):
        job(booth, "artix7", SEEDS)


ICE40 = """
from modmul.chips import Cells, Chip

CHIP = Chip(
    name="toy",
    title="Lattice iCE40",
    lut_inputs=4,
    synthesis="synth_ice40",
    multiplier_blocks="-dsp",
    cells=Cells(
        logic={"SB_LUT4": 1},
        block_ram={"SB_RAM40_4K": 1},
        carry="SB_CARRY",
        flip_flop="SB_DFF[ENRS]*",
        multiplier={"SB_MAC16": 1},
    ),
    dsp_weight=133,
    bram_weight=400,
    relative="ecp5",
)
"""


def test_a_chip_family_from_outside_is_one_file(tmp_path: Path) -> None:
    """It measures, and it takes the builds tuned for its nearest relative."""
    (tmp_path / "toy_chip.py").write_text(ICE40)
    info = tmp_path / "toy_chip-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy_chip\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[modmul.chips]\ntoy = toy_chip\n")
    path = os.pathsep.join((str(tmp_path), *filter(None, sys.path)))
    command = (
        sys.executable,
        "-c",
        "from modmul.cli import main; main()",
        "measure",
        "interleaved_radix2",
        "--width",
        "8",
        "-t",
        "toy",
        "--json",
    )
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    [row] = found["rows"]
    assert found["target"] == {"name": "toy", "description": "Lattice iCE40", "placed_and_routed": False}
    assert row["luts"] > 8 and row["ffs"] > 8
    assert found["weights"] == {"dsp": 133, "bram": 400}


def test_a_file_in_the_package_is_a_chip_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy.py").write_text(ICE40)
    (tmp_path / "_helper.py").write_text("")
    monkeypatch.setattr(chips, "__path__", [*chips.__path__, str(tmp_path)])
    found = chips._load(chips._modules())
    assert {*found} == {*CHIPS, "toy"}
    monkeypatch.setattr(chips, "CHIPS", found)
    assert chips.relatives("toy") == ("toy", "ecp5")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('name="toy"->name="ecp5"', "two chip families are named ecp5"),
        ('relative="ecp5"->relative="ice"', "names 'ice' as its relative"),
        ("CHIP = ->OTHER = ", "cannot be imported"),
        ('multiplier_blocks="-dsp"->no_multiplier_blocks="-nodsp"', "-nodsp is not in the command"),
    ],
)
def test_a_wrong_chip_family_is_refused(
    change: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, wrong = change.split("->")
    assert ICE40.count(right) == 1
    name = f"wrong_{abs(hash(change))}"
    (tmp_path / f"{name}.py").write_text(ICE40.replace(right, wrong))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(chips.ChipError, match=message):
        chips._load([*chips._modules(), name])


@pytest.mark.parametrize("name", ["artix7", "virtex6", "ultrascaleplus"])
def test_builds_tuned_for_a_family_are_offered_there_and_not_elsewhere(name: str) -> None:
    split = room("rrm_split")
    assert [build.config.options()["Chains"] for build in split.fitting(384, chip=name)] == [1]
    assert split.build(384, chip=name).config.options()["Chains"] == 1
    for other in ("", "ecp5", "virtex2"):
        assert [build.config.options()["Chains"] for build in split.fitting(384, chip=other)] == [2]


def test_a_family_may_have_builds_that_its_relative_has_not() -> None:
    sides = {name: room("pipelined").build(256, chip=name).config.options()["TileA"] for name in CHIPS}
    assert sides["ultrascaleplus"] == 27 and sides["artix7"] == sides["virtex6"] == 25


# The store


def test_the_store_returns_what_was_put_and_keeps_it() -> None:
    store = Store()
    assert store.path == cache_dir() / "results.sqlite"
    assert store.get("k") is None
    store.put("k", {"cells": {"LUT4": 3}, "seconds": 0.5})
    store.put("k", {"cells": {"LUT4": 4}, "seconds": 0.5})
    assert Store().get("k") == {"cells": {"LUT4": 4}, "seconds": 0.5}


def test_the_store_is_safe_from_many_threads(tmp_path: Path) -> None:
    def work(worker: int) -> None:
        store = Store(tmp_path / "many.sqlite")
        for i in range(20):
            store.put(f"{worker}-{i}", {"i": i})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    store = Store(tmp_path / "many.sqlite")
    assert all(store.get(f"{worker}-{i}") == {"i": i} for worker in range(4) for i in range(20))


def test_the_key_changes_with_all_a_result_depends_on(tmp_path: Path) -> None:
    def key(
        text: str = "module a;",
        name: str = "a.sv",
        folder: str = "x",
        kind: str = "synthesis",
        width: int = 8,
        on: str = "ecp5",
        options: Sequence[str] = ("proc",),
        tool: str = "0.70",
    ) -> str:
        source = tmp_path / folder / name
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        return result_key(
            kind,
            inputs=[Design("a", "a", (source,), {"Width": width}).digest],
            target=on,
            options=options,
            tools={"pyosys": tool},
        )

    keys = [
        key(),
        key(text="module b;"),
        key(name="b.sv"),
        key(kind="route"),
        key(width=9),
        key(on="artix7"),
        key(options=("proc", "opt")),
        key(tool="0.71"),
    ]
    assert len(set(keys)) == len(keys)
    assert key(folder="y") == keys[0]


# Synthesis


@pytest.mark.parametrize("name", FPGAS)
def test_synthesis_of_a_small_core_is_plausible(booth: Room, name: str) -> None:
    area = synthesise(small(booth), CHIPS[name], Store())
    assert 4 * 8 <= area.ffs <= 4 * 8 + 24  # x, y, z, M and the control registers
    assert 5 * 8 <= area.luts <= 5 * 8 * 6  # four A1 blocks and A/S
    assert area.lut_ram == area.dsp == area.bram == 0
    assert area.carries > 0
    assert area.log is not None and area.log.is_file()


@pytest.mark.parametrize(
    "name", ["ecp5", *(pytest.param(name, marks=pytest.mark.long) for name in FPGAS if name != "ecp5")]
)
def test_a_wider_core_takes_more(booth: Room, name: str) -> None:
    narrow, wide = (synthesise(small(booth, width), CHIPS[name], Store()) for width in (8, 9))
    assert wide.luts > narrow.luts and wide.ffs > narrow.ffs


SUB = """
endmodule
module mm_sub (input wire [3:0] a_i, output logic [7:0] b_o);
assign b_o = {a_i, a_i};
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (BODY + "assign z_o = q;", None),
        (BODY + "assign z_o[6:0] = q[6:0];", "no driver"),
        (BODY + "assign z_o = nowhere.q;", "nowhere.q"),
        (BODY + "always_comb if (in_valid_i) z_o = q;", "[Ll]atch"),
        (
            BODY + "assign z_o = q; illegal_parameter_Width_must_be_odd u_illegal ();",
            "illegal_parameter_Width",
        ),
        (BODY + "assign z_o = q; assign z_o = x_i;", "conflicting drivers|multiple"),
        (BODY + "assign z_o = (z_o & x_i) ^ q;", "logic loop"),
        (BODY + "assign z_o = q", "syntax error"),
        (BODY + "mm_sub u_sub (.a_i(q[2:0]), .b_o(z_o));" + SUB, "Resizing cell port"),
        (BODY + "logic [3:0] part; assign z_o = q; assign part = q[9:6];", "out of bounds|out-of-bounds"),
    ],
)
def test_what_yosys_only_warns_of_is_a_failure(
    booth: Room, tmp_path: Path, body: str, reason: str | None
) -> None:
    broken = design_with(booth, tmp_path, body)
    if reason is None:
        assert synthesise(broken, ECP5, Store()).ffs == 8
        return
    with pytest.raises(ToolFailure, match=reason) as failure:
        synthesise(broken, ECP5, Store())
    assert "\n" not in failure.value.reason
    assert failure.value.log.is_file()


KEPT = """
assign {ctx_ready_o, ctx_error_o, in_ready_o, out_valid_o} = {rst_ni, ctx_valid_i, in_valid_i, out_ready_i};
logic [Width-1:0] q, other_q;
KEEP mm_sub #(.Width(Width)) u_one (.clk_i, .d_i(x_i ^ ctx_data_i), .q_o(q));
KEEP mm_sub #(.Width(Width)) u_other (.clk_i, .d_i(x_i ^ ctx_data_i), .q_o(other_q));
assign z_o = y_i[0] ? q : {other_q[0], other_q[Width-1:1]};
endmodule
module mm_sub #(parameter int Width = 8) (
  input wire clk_i, input wire [Width-1:0] d_i, output logic [Width-1:0] q_o
);
always_ff @(posedge clk_i) q_o <= d_i;
"""


@pytest.mark.parametrize(("keep", "ffs"), [("", 8), ("(* keep_hierarchy *)", 16)])
def test_modules_that_are_kept_are_counted(booth: Room, tmp_path: Path, keep: str, ffs: int) -> None:
    """Two that do the same are one without."""
    area = synthesise(design_with(booth, tmp_path, KEPT.replace("KEEP", keep)), ECP5, Store())
    assert area.ffs == ffs
    assert 8 <= area.luts <= 32


MEMORY = """
assign {ctx_ready_o, ctx_error_o, in_ready_o, out_valid_o} = {rst_ni, ctx_valid_i, in_valid_i, out_ready_i};
logic [Width-1:0] words [0:31];
always_ff @(posedge clk_i) if (in_valid_i) words[x_i[4:0]] <= y_i;
assign z_o = words[ctx_data_i[4:0]];
"""


@pytest.mark.parametrize(("name", "lut_ram"), [("ecp5", 24), ("artix7", 8), ("virtex6", 8), ("virtex2", 32)])
def test_a_small_memory_is_counted_in_luts(booth: Room, tmp_path: Path, name: str, lut_ram: int) -> None:
    area = synthesise(design_with(booth, tmp_path, MEMORY), CHIPS[name], Store())
    assert (area.lut_ram, area.ffs, area.bram) == (lut_ram, 0, 0)


BLOCK_MEMORY = """
assign {ctx_ready_o, ctx_error_o, in_ready_o, out_valid_o} = {rst_ni, ctx_valid_i, in_valid_i, out_ready_i};
logic [Width-1:0] words [0:1023];
always_ff @(posedge clk_i) begin
  if (in_valid_i) words[x_i[9:0]] <= y_i;
  z_o <= words[ctx_data_i[9:0]];
end
"""


@pytest.mark.parametrize("name", FAMILIES)
def test_a_large_memory_is_counted_in_blocks_of_18_kbit(booth: Room, tmp_path: Path, name: str) -> None:
    area = synthesise(design_with(booth, tmp_path, BLOCK_MEMORY, 32), CHIPS[name], Store())
    # Four blocks of 10 kbit on the families of ALMs.
    assert (area.lut_ram, area.bram) == (0, 3 if "MISTRAL_M10K" in area.cells else 2)


MULTIPLIER = """
logic [Width-1:0] p_q;
always_ff @(posedge clk_i) p_q <= Width'(x_i[Width/2-1:0] * y_i[Width/2-1:0]);
assign z_o = p_q ^ q;
"""


@pytest.mark.parametrize("name", MULTIPLYING)
def test_multiplier_blocks_are_for_cores_that_ask_for_them(booth: Room, tmp_path: Path, name: str) -> None:
    plain = design_with(booth, tmp_path, BODY + MULTIPLIER, 20)
    blocks = replace(plain, multiplier_blocks=True)
    areas = [synthesise(design, CHIPS[name], Store()) for design in (plain, blocks)]
    assert [area.dsp for area in areas] == [0, 1]
    assert areas[0].luts > areas[1].luts


# Place and route


def test_a_core_with_multiplier_blocks_is_routed_with_them(booth: Room, tmp_path: Path) -> None:
    blocks = design_with(booth, tmp_path, BODY + MULTIPLIER, 32, multiplier_blocks=True)
    timing = place_and_route(blocks, ECP5, (1,), Store())
    assert timing.utilisation["MULT18X18D"][0] == 1


def test_the_wrapper_connects_every_port(booth: Room) -> None:
    text = route.wrapper(small(booth))
    assert all(text.count(f".{name}(") == 1 for name, _, _ in PORTS)
    assert ".rst_ni(in_q[0 +: 1])" in text
    assert ".clk_i(clk_i)" in text
    assert "mm_imml_booth4 #(.Width(8), .SharedTaps(0)) u_core (" in text
