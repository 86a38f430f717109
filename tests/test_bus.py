# SPDX-License-Identifier: Apache-2.0
"""Cores on a bus: the shell keeps its promises in simulation, and both drivers drive it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

import pytest
from bus_checks import CHECKS, check_length_disagrees
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from modmul.bus.device import Device, DeviceError
from modmul.bus.registers import Code
from modmul.bus.shell import Shell
from modmul.bus.simulated import Simulated
from modmul.chips import CHIPS
from modmul.export import export
from modmul.registry import room, rooms
from modmul.verify.simulator import Unit, build

SEED = int(os.environ.get("MODMUL_SEED", "29"), 0)

SHELLS: Mapping[str, tuple[str, int, dict[str, int], int]] = {
    "one-beat": ("imml_booth4", 16, {}, 32),
    "odd-words": ("montgomery_csa1", 40, {"Word": 7}, 64),
    "lengths": ("scalable_booth4_left", 70, {}, 128),
    "control": ("fips", 64, {"FieldSet": 1}, 32),
}
"""Core, width, parameters and bus."""


@cache
def shells() -> Mapping[str, Shell]:
    """All compiled, in one run."""
    found = {
        name: Shell(room(core).build(width, options), bus)
        for name, (core, width, options, bus) in SHELLS.items()
    }
    build(*(Unit(shell.design) for shell in found.values()))
    return found


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_keeps_its_promises(name: str, check: str) -> None:
    print(f"MODMUL_SEED={SEED}")
    CHECKS[check](Simulated(shells()[name], seed=SEED), SEED)


def test_a_length_that_disagrees_ends_in_an_error() -> None:
    check_length_disagrees(Simulated(shells()["lengths"], seed=SEED), SEED)


@pytest.mark.parametrize("name", SHELLS)
def test_the_driver(name: str) -> None:
    shell = shells()[name]
    device = Device(Simulated(shell), shell)
    function = shell.build.core.function
    random = Random(SEED)
    modulus = function.some_modulus(shell.build.config)
    at = shell.build.config.at(modulus)
    with pytest.raises(ValueError, match="load a modulus first"):
        device.run(1, 1)
    device.load(modulus)
    for _ in range(5):
        x, y = (random.randint(0, function.operand_max(at, modulus)) for _ in "xy")
        assert function.accepts(at, modulus, function.answer(at, modulus, x, y), device.run(x, y))
    with pytest.raises(DeviceError) as refused:
        device.run((1 << at.bits) - 1, 1) if shell.bound(modulus) < (1 << at.bits) - 1 else device.exchange(1, [])
    assert refused.value.code is Code.RANGE


@pytest.mark.long
@pytest.mark.parametrize("slug", rooms())
def test_every_core(slug: str) -> None:
    found = room(slug)
    for width, bus in ((8, 32), (64, 64), (41, 128)):
        shell = Shell(found.build(width), bus)
        sim = Simulated(shell, seed=SEED)
        for check in CHECKS.values():
            check(sim, SEED)


# --- the exported folder ------------------------------------------------------------------------


def exported(shell: Shell, folder: Path) -> Path:
    export(shell.build, None, folder, chips=[CHIPS["ecp5"]], shell=shell)
    return folder / "axi"


def benched(folder: Path) -> tuple[int, str]:
    """The bench in Icarus: how it ended, and its last line."""
    run = subprocess.run(
        ["make", "-C", folder, "icarus"], capture_output=True, text=True, check=False, timeout=120
    )
    told = [line for line in run.stdout.splitlines() if line.startswith(("PASS", "FAIL"))]
    return run.returncode, told[-1] if told else run.stdout + run.stderr


def test_the_exported_bench_passes_and_can_fail(tmp_path: Path) -> None:
    folder = exported(Shell(room("montgomery_csa1").build(40, {"Word": 7}), 64, 2), tmp_path / "out")
    assert benched(folder) == (0, "PASS: 40 operations")
    source = folder / "rtl" / "mm_bus_gear.sv"
    right = source.read_text()
    source.write_text(right.replace("held_q >> Out", "held_q >> (Out + 1)"))
    status, told = benched(folder)
    assert status and told.startswith("FAIL")


@pytest.mark.parametrize(
    ("slug", "width", "options", "bus", "clocks"),
    [
        ("imml_booth4", 16, {}, 32, 2),
        pytest.param("fips", 64, {"FieldSet": 1}, 32, 1, marks=pytest.mark.long),
        pytest.param("scalable_booth4_left", 70, {}, 128, 2, marks=pytest.mark.long),
    ],
)
def test_cocotb(
    slug: str,
    width: int,
    options: dict[str, int],
    bus: int,
    clocks: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The masters of cocotbext-axi, in Icarus; two clocks have a random ratio."""
    shell = Shell(room(slug).build(width, options), bus, clocks)
    folder = exported(shell, tmp_path / "out")
    top = f"{shell.build.core.top}_axi"
    for path in (Path(__file__).parent / "bus", Path(__file__).parents[1] / "tools"):
        monkeypatch.syspath_prepend(str(path))
    runner = get_runner("icarus")
    runner.build(
        sources=[folder.parent / name for name in (folder / f"{top}.f").read_text().split()],
        hdl_toplevel=top,
        build_dir=tmp_path,
        timescale=("1ns", "1ps"),
    )
    results = runner.test(
        test_module="bus_cocotb",
        hdl_toplevel=top,
        build_dir=tmp_path,
        test_dir=tmp_path,
        timescale=("1ns", "1ps"),
        extra_env={
            "MODMUL_SLUG": slug,
            "MODMUL_WIDTH": str(width),
            "MODMUL_OPTIONS": json.dumps(options),
            "MODMUL_BUS": str(bus),
            "MODMUL_CLOCKS": str(clocks),
            "MODMUL_SEED": str(SEED),
        },
    )
    assert get_results(results) == (4, 0)
