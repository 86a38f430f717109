# SPDX-License-Identifier: Apache-2.0
"""Simulations are compiled once, together where they are asked for together, and end in any order."""

from __future__ import annotations

import gc
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from modmul.design import Design, Port
from modmul.registry import room
from modmul.tools.run import run_tool
from modmul.verify import simulator
from modmul.verify.failures import SimulatorError
from modmul.verify.simulation import Simulation
from modmul.verify.simulator import Model, Unit, build

PORTS = (Port("clk_i", "input", 1), Port("a_i", "input", 8), Port("b_o", "output", 8))


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that the simulator runs, in a cache that has what all simulations share and no more."""
    runtime = simulator._runtime().parent
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))
    simulators = tmp_path / "cache" / "simulators"
    simulators.mkdir(parents=True)
    (simulators / runtime.name).symlink_to(runtime)
    names: list[str] = []

    def run(command: Sequence[str], **options: Any) -> float:
        names.append(Path(command[0]).name)
        return run_tool(command, **options)

    monkeypatch.setattr(simulator, "run_tool", run)
    return names


def adder(folder: Path, number: int) -> Unit:
    """A register of a sum, which is readable."""
    source = folder / "adder.sv"
    source.write_text(
        "module adder #(parameter int Number = 1) "
        "(input wire clk_i, input wire [7:0] a_i, output logic [7:0] b_o);\n"
        "logic [7:0] sum_q;\n"
        "always_ff @(posedge clk_i) sum_q <= a_i + 8'(Number);\n"
        "assign b_o = ~sum_q;\nendmodule\n"
    )
    return Unit(Design("adder", "adder", (source,), {"Number": number}, PORTS), ("sum_q",))


def test_a_port_is_read_alone(tmp_path: Path) -> None:
    """Whatever was read before."""
    source = tmp_path / "two.sv"
    source.write_text(
        "module two (input wire clk_i, input wire [95:0] a_i, output wire [95:0] b_o, output wire c_o);\n"
        "assign b_o = a_i;\nassign c_o = a_i[95] ^ clk_i;\nendmodule\n"
    )
    ports = (Port("clk_i", "input", 1), Port("a_i", "input", 96), Port("b_o", "output", 96))
    model = Model(Unit(Design("two", "two", (source,), {}, (*ports, Port("c_o", "output", 1)))))
    model.poke("a_i", (1 << 96) - 1)
    assert model.peek("b_o") == (1 << 96) - 1
    assert model.peek("c_o") == 1


def test_designs_asked_for_together_are_compiled_together_and_once(tmp_path: Path, runs: list[str]) -> None:
    units = [adder(tmp_path, number) for number in (1, 2, 3, 2)]
    build(*units[:1])
    assert runs == ["verilator_bin", "g++"]
    runs.clear()
    build(*units)
    assert runs == ["verilator_bin", "verilator_bin", "g++"]
    runs.clear()
    build(*units)
    rows = [Model(unit).rows([[10], [20], [0]]) for unit in units]
    assert [[255 - b for [b] in row[1:]] for row in rows] == [[10 + n, 20 + n] for n in (1, 2, 3, 2)]
    assert not runs


def test_two_who_need_the_same_at_the_same_time_compile_it_once(tmp_path: Path, runs: list[str]) -> None:
    units = [adder(tmp_path, number) for number in (1, 2, 3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda some: build(*some), (units[:2], units[1:], units[::-1])))
    assert runs.count("verilator_bin") == 3
    assert runs.count("g++") <= 3


def test_what_verilator_refuses_is_said(tmp_path: Path, runs: list[str]) -> None:
    unit = adder(tmp_path, 1)
    unit.design.sources[0].write_text("module adder (); nothing here; endmodule\n")
    with pytest.raises(SimulatorError, match=r"adder\.sv:1:"):
        build(unit)
    assert not unit.library.exists()
    assert runs == ["verilator_bin"]


def test_simulations_end_in_any_order(rng: random.Random) -> None:
    """Each lists its readable signals in a context of its own, whichever another was used or ended last."""
    found = [room(slug) for slug in ("interleaved_radix2", "imml_booth4", "interleaved_radix2")]
    gc.collect()
    gc.freeze()  # what other tests have left is not looked through each time
    try:
        for _ in range(10):
            alive = [Simulation(one.of(one.core.builds.at(4)[0])) for one in found]
            rng.shuffle(alive)
            while alive:
                for simulation in alive:
                    simulation.load(13)
                    assert simulation.multiply(3, 5) == 2
                alive.pop()
                del simulation
                gc.collect()
    finally:
        gc.unfreeze()
