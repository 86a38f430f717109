# SPDX-License-Identifier: Apache-2.0
"""Cores on a bus: the shell keeps its promises in simulation, and both drivers drive it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from random import Random

import pytest
from bus_checks import CHECKS, check_length_disagrees

from modmul.bus.device import Device, DeviceError
from modmul.bus.registers import Code
from modmul.bus.shell import Shell
from modmul.bus.simulated import Simulated
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
