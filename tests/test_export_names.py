# SPDX-License-Identifier: Apache-2.0
"""Exported folders with names of their own: several of them go into one design, and into one program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from modmul.bus.shell import Shell
from modmul.chips import CHIPS
from modmul.export import export
from modmul.measure.synthesis import STRICT, run_yosys
from modmul.registry import Build, room
from modmul.tools.run import ToolFailure
from modmul.verify.simulator import verilator_root

ECP5 = CHIPS["ecp5"]
BUILDS: Mapping[str, tuple[str, int, bool]] = {
    "left": ("montgomery_csa2", 32, True),
    "right": ("modexp:fips", 16, True),
    "third": ("modexp:montgomery_csa2", 8, False),
}
"""Core or system, width, and whether on a bus; all have modules in common."""

AXI = """
  {top} u_{name} (
    .aclk(clk), .aresetn(rst_n), .irq({name}_o[76]),
    .s_axi_awaddr(a), .s_axi_awprot(3'd0), .s_axi_awvalid(v), .s_axi_awready({name}_o[0]),
    .s_axi_wdata(d), .s_axi_wstrb(4'hf), .s_axi_wvalid(v), .s_axi_wready({name}_o[1]),
    .s_axi_bresp({name}_o[3:2]), .s_axi_bvalid({name}_o[4]), .s_axi_bready(v),
    .s_axi_araddr(a), .s_axi_arprot(3'd0), .s_axi_arvalid(v), .s_axi_arready({name}_o[5]),
    .s_axi_rdata({name}_o[37:6]), .s_axi_rresp({name}_o[39:38]), .s_axi_rvalid({name}_o[40]),
    .s_axi_rready(v), .s_axis_tvalid(v), .s_axis_tready({name}_o[41]), .s_axis_tdata(d), .s_axis_tlast(v),
    .m_axis_tvalid({name}_o[42]), .m_axis_tready(v), .m_axis_tdata({name}_o[74:43]),
    .m_axis_tlast({name}_o[75])
  );
"""

PLAIN = """
  {top} u_{name} (
    .clk_i(clk), .rst_ni(rst_n), .ctx_valid_i(v), .ctx_ready_o({name}_o[0]), .ctx_data_i(d[{high}:0]),
    .ctx_error_o({name}_o[1]), .in_valid_i(v), .in_ready_o({name}_o[2]), .x_i(d[{high}:0]), .y_i(d[{high}:0]),
    {controls}.out_valid_o({name}_o[3]), .out_ready_i(v), .z_o({name}_o[{word}:4])
  );
"""


def built(name: str) -> tuple[Build, Shell | None]:
    slug, width, on_bus = BUILDS[name]
    build = room(slug).build(width)
    return build, Shell(build) if on_bus else None


def exported(place: Path, own_names: bool = True) -> dict[str, Path]:
    """The folder of each build."""
    for name in BUILDS:
        build, shell = built(name)
        export(build, None, place / name, chips=[ECP5], count=4, shell=shell, name=name if own_names else "")
    return {name: place / name for name in BUILDS}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return exported(tmp_path_factory.mktemp("design"))


def design(folders: Mapping[str, Path]) -> tuple[str, list[Path]]:
    """A module with an instance of each, and the files of the folders."""
    instances, outputs, files = [], [], []
    for name, folder in folders.items():
        build, shell = built(name)
        [listing] = folder.glob("axi/*_axi.f" if shell else "*.f")
        files += [folder / line for line in listing.read_text().split()]
        if shell:
            instances.append(AXI.format(name=name, top=listing.stem))
            outputs.append(f"output wire [76:0] {name}_o")
            continue
        [top] = folder.glob("use/*_top.sv")
        files.append(top)
        controls = "".join(f".{control.name}(v), " for control in build.core.interface.controls)
        word = build.config.word
        instances.append(
            PLAIN.format(name=name, top=top.stem, high=word - 1, word=word + 3, controls=controls)
        )
        outputs.append(f"output wire [{word + 3}:0] {name}_o")
    ports = ", ".join(("input wire clk, rst_n, v, input wire [12:0] a, input wire [31:0] d", *outputs))
    return f"module whole ({ports});{''.join(instances)}endmodule\n", files


def elaborated(folders: Mapping[str, Path], place: Path) -> tuple[str, str]:
    """What Verilator and Yosys have against all folders in one design."""
    place.mkdir()
    text, files = design(folders)
    top = place / "whole.sv"
    top.write_text(text)
    verilator = verilator_root() / "bin" / "verilator"
    lint = subprocess.run(
        [verilator, "--lint-only", "--top-module", "whole", *files, top],
        capture_output=True,
        text=True,
        check=False,
    )
    commands = [
        *(f"read_verilog -sv -defer {file}" for file in (*files, top)),
        *("hierarchy -check -top whole", "proc", "check"),
    ]
    try:
        run_yosys([*STRICT, *commands], [], place, place / "log", 300)
    except ToolFailure as failure:
        return lint.stderr, str(failure)
    return lint.stderr, ""


def test_folders_of_different_names_go_into_one_design(folders: dict[str, Path], tmp_path: Path) -> None:
    """Without names they do not: neither tool takes two modules of one name."""
    assert elaborated(folders, tmp_path / "named") == ("", "")
    lint, read = elaborated(exported(tmp_path / "same", own_names=False), tmp_path / "plain")
    assert "%Warning-MODDUP" in lint and "Re-definition of module" in read


def test_fusesoc_takes_several(folders: dict[str, Path], tmp_path: Path) -> None:
    """As cores that one of the design depends on, linted by Verilator."""
    text, _ = design({name: folder for name, folder in folders.items() if built(name)[1]})
    (tmp_path / "whole.sv").write_text(text)
    cores = ("left_mm_montgomery_csa2_axi", "right_mm_sys_modexp_axi")
    depend = ", ".join(f'"modmul:cores:{core}"' for core in cores)
    (tmp_path / "whole.core").write_text(
        "CAPI=2:\nname: ::whole:1\nfilesets:\n  rtl:\n    file_type: systemVerilogSource\n"
        f"    files: [whole.sv]\n    depend: [{depend}]\n"
        "targets:\n  lint:\n    flow: lint\n    flow_options: {tool: verilator}\n"
        "    filesets: [rtl]\n    toplevel: whole\n"
    )
    fusesoc = Path(sys.executable).with_name("fusesoc")
    roots = [option for folder in (tmp_path, *folders.values()) for option in ("--cores-root", folder)]
    done = subprocess.run(
        [fusesoc, *roots, "run", "--work-root", tmp_path / "build", "--target", "lint", "whole"],
        env={"PATH": f"{verilator_root() / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    listed = "".join(file.read_text() for file in (tmp_path / "build").rglob("*.vc"))
    assert "left_mm_bus_core.sv" in listed and "right_mm_bus_core.sv" in listed


def test_a_named_folder_works_like_another(folders: dict[str, Path]) -> None:
    for folder, targets in ((folders["left"] / "axi", ("icarus", "driver")), (folders["third"], ("icarus",))):
        done = subprocess.run(
            ["make", "-C", folder, *targets], capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "PASS: 4 operations" in done.stdout


@pytest.mark.parametrize("goal", ["area", "route"])
def test_a_named_folder_is_measured_by_the_names_of_the_library(
    goal: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    """Yosys is given what it would be given without a name: the figures are the same, to the last digit."""
    plain = tmp_path / "plain"
    export(built("right")[0], None, plain, chips=[ECP5], count=4)
    given = []
    for folder in (plain, folders["right"]):
        done = subprocess.run(
            ["make", "-k", "-C", folder, goal, "SEEDS=1", "YOSYS=false"], capture_output=True, check=False
        )
        assert done.returncode
        files = [file for file in (folder / "build" / "ecp5" / goal).iterdir() if file.suffix != ".log"]
        given.append({file.name: file.read_bytes() for file in files})
    assert given[0] == given[1]
    assert {source.name for source in built("right")[0].design.tuned("ecp5").sources} < set(given[0])


def test_two_contexts_go_into_one_program(folders: dict[str, Path], tmp_path: Path) -> None:
    """The driver is the same in both folders, and compiled once."""
    drivers = [folders[name] / "axi" / "driver" for name in ("left", "right")]
    common = ["modmul_bus.c", "modmul_bus.h", "modmul_registers.h"]
    assert [(drivers[0] / file).read_bytes() for file in common] == [
        (drivers[1] / file).read_bytes() for file in common
    ]
    source, program = tmp_path / "both.c", tmp_path / "both"
    source.write_text("""
#include <stdio.h>
#include "modmul_bus.h"
#include "left_modmul_context.h"
#include "right_modmul_context.h"
int main(void) {
    modmul_device device = {0, 0, 0, 0, 0, 0, 0, 0};
    printf("%d %d ", (int)left_modmul_context[0], (int)right_modmul_context[0]);
    printf("%d %d ", LEFT_MODMUL_OPERAND_WORDS, RIGHT_MODMUL_OPERAND_WORDS);
    printf("%d\\n", LEFT_MODMUL_CONTEXT_BUILD == RIGHT_MODMUL_CONTEXT_BUILD);
    return device.slices != 0;
}
""")
    includes = [f"-I{driver}" for driver in drivers]
    subprocess.run(
        [
            "gcc",
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            *includes,
            "-o",
            program,
            source,
            drivers[0] / common[0],
        ],
        check=True,
    )
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    bits = [built(name)[0].config.bits for name in ("left", "right")]
    assert done.stdout.split() == [*map(str, bits), *(str(-(-each // 32)) for each in bits), "0"]


@pytest.mark.parametrize("name", ["2nd", "a__b", "a_", "_a", "a-b", "ä"])
def test_a_name_that_some_tool_refuses(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a folder is named by letters, digits and single underscores"):
        export(built("left")[0], None, tmp_path / "out", name=name)
    assert not list(tmp_path.iterdir())
