# SPDX-License-Identifier: Apache-2.0
"""Whether the checks of the contract find a mutant: those of ``modmul verify``, until the first one fails."""

from __future__ import annotations

import os
import random
import resource
import signal
from collections.abc import Callable
from contextlib import suppress

from modmul.mutate.pool import Pool, chooser
from modmul.room import Build
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.simulation import Simulation, build_all

__all__ = ["CRASH", "LATER", "SOONER", "judged"]

MODULI = 48
COUNT, PRESSED = 7200, 60
RESETS, WALKS = 100, 40
POWERED = 8
"""How much is checked: products of all moduli, some with waiting, resets, walks and starts."""

CPU_SECONDS = 120
"""A mutant that takes longer hangs, and is found by that."""

SOONER = ("random", "context", "operands", "paths", "back-pressure")
LATER = ("power-up", "reset", "walk")
"""The checks, those that take little time and find most of the mutants before the others."""

Check = Callable[[Build, Simulation, list[int], random.Random], object]


def _random(_build: Build, simulation: Simulation, moduli: list[int], rng: random.Random) -> None:
    for modulus in moduli:
        for _ in checks.check_random(simulation, modulus, COUNT // len(moduli), rng):
            pass


def _pressed(_build: Build, simulation: Simulation, moduli: list[int], rng: random.Random) -> None:
    for modulus in checks.one_of_each_field(moduli):
        checks.check_back_pressure(simulation, modulus, PRESSED, rng)


CHECKS: dict[str, Check] = {
    "random": _random,
    "context": lambda _, simulation, moduli, rng: checks.check_context(simulation, moduli, rng),
    "operands": lambda _, simulation, moduli, rng: checks.check_operands(simulation, moduli, rng),
    "paths": lambda _, simulation, moduli, rng: checks.check_paths(simulation, moduli, rng),
    "back-pressure": _pressed,
    "power-up": lambda build, _, moduli, __: checks.check_power_up(build, moduli, range(POWERED)),
    "reset": lambda _, simulation, moduli, rng: checks.check_reset(simulation, moduli, rng, RESETS),
    "walk": lambda _, simulation, moduli, rng: checks.check_walk(simulation, moduli, rng, WALKS),
}


CRASH = "crash"
"""What finds a mutant that hangs, or with which the simulation does not settle."""


def judged(pool: Pool, number: int, names: tuple[str, ...] = (*SOONER, *LATER)) -> str:
    """The check that finds a mutant, or ``""``; of the number 0 it is asked whether any finds the original.

    They run in a process of its own, which may end in any way.

    Raises:
        SimulatorError: the hardware cannot be simulated here.
        RuntimeError: a check failed in a way that says nothing about hardware.
    """
    build_all([pool.mutated])
    chooser()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            os.write(writing, f"{_alone(pool, number, names)}\n".encode())
        os._exit(0)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as told:
            said = told.read().decode()
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if said.startswith("!"):
        raise RuntimeError(f"{pool.build}: mutant {number}: {said[1:].strip()}")
    return said.strip() if said else CRASH


def _alone(pool: Pool, number: int, names: tuple[str, ...]) -> str:
    """In the new process, which has some time and says nothing: what :func:`judged` tells, or ``!`` and why
    not."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    chooser()(number)
    build = pool.mutated
    rng = random.Random(str(build))
    moduli = checks.interesting_moduli(build, rng, MODULI)
    name = "reset"
    try:
        simulation = Simulation(build, seed=rng.getrandbits(31))
        for name in names:
            CHECKS[name](build, simulation, moduli, random.Random(f"{build} {name}"))
    except (VerificationError, ProtocolError):
        return name
    except Exception as error:
        return f"!{name}: {error!r}".replace("\n", " ")
    return ""
