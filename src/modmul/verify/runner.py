# SPDX-License-Identifier: Apache-2.0
"""``modmul verify``: all checks of the contract on one configuration of a core."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from modmul.core import Config, check_tool
from modmul.room import Build, Room, SystemRoom
from modmul.tools.progress import Listener, Progress, ignore
from modmul.verify import checks
from modmul.verify.simulation import Simulation, build_all, compiled

__all__ = ["Interrupted", "Plan", "Verification", "verify"]

EXHAUSTIVE_WIDTHS = (2, 3, 4, 5, 6)
SYSTEM_WIDTH = 4
"""Exhaustive checks of systems stay below."""
NETLIST_WIDTH = 4
"""The exhaustive check of a netlist stays below where a core has such a build."""
OTHER_WIDTH = 12
OTHER_MODULI = 2
RANDOM_MODULI = 10


class Interrupted(RuntimeError):
    """The verification was asked to stop."""


@dataclass(frozen=True)
class Plan:
    """How much to verify.

    Attributes:
        modulus: the one modulus of the random operations; ``None`` for a mix of ten.
        count: random operations at full width, at least 1; corner cases are among them.
        drawn: the same of systems that take only some operands (``Function.draw``), which models are slow
            for; 0: as many as of others.
        contract: also the small widths exhaustively, with one and several beats an operand, other
            parameters that the core names, the model step by step, handshakes, resets, contexts and
            illegal parameters; not of systems that take only some operands (``Function.draw``).
        seed: of everything random.
        source: of the contract also what is of a source, not of a netlist made of it: other parameters and
            all small widths in place of one, the model step by step, and refused parameters.
    """

    modulus: int | None = None
    count: int = 100_000
    drawn: int = 0
    contract: bool = True
    seed: int = 1
    source: bool = True

    def random(self, room: Room) -> int:
        """Random operations at full width of one of the cores."""
        return self.drawn if self.drawn and room.core.function.draw else self.count


@dataclass(frozen=True)
class Verification:
    """What was verified of a core.

    Attributes:
        room: slug of the core.
        config: its configuration.
        counts: name of each check to the number of multiplications (or refusals) it checked.
    """

    room: str
    config: str
    counts: dict[str, int]

    @property
    def total(self) -> int:
        """All checked multiplications."""
        return sum(self.counts.values())


def verify(
    build: Build,
    plan: Plan,
    *,
    listener: Listener = ignore,
    stop: threading.Event | None = None,
) -> Verification:
    """Check one build.

    Args:
        listener: told after each batch, in random operations at full width.
        stop: when set, :class:`Interrupted` is raised after the batch at hand.

    Raises:
        ValueError: the core is too wide or cannot serve the modulus.
        VerificationError, ProtocolError: the core is wrong; the message is a reproduction.
        SimulatorError: it cannot be simulated here.
    """
    room, config = build.room, build.config
    check_tool("simulated", config.width, config.word)
    rng = random.Random(f"{plan.seed} {room.core.slug} {config}")
    if plan.modulus is not None:
        room.core.function.check(config, plan.modulus)
    counts: dict[str, int] = {}
    if not compiled(build):
        listener(Progress("verify", f"{room.core.slug}: compiling", 0, plan.random(room)))
    for name, done in _checks(build, plan, rng):
        counts[name] = counts.get(name, 0) + done
        listener(Progress("verify", f"{room.core.slug}: {name}", counts.get("random", 0), plan.random(room)))
        if stop is not None and stop.is_set():
            raise Interrupted(f"{room.core.slug}: stopped")
    return Verification(room.core.slug, str(config), counts)


def _small(room: Room, config: Config) -> list[Config]:
    """The same parameters at the widths of the exhaustive check, where such a build exists.

    Where a build has words, also with shorter ones than the operand, every second of 1 … 4. Of a system, the
    default on the smallest cores.
    """
    found: list[Config] = []
    if isinstance(room, SystemRoom):
        for width in EXHAUSTIVE_WIDTHS:
            with suppress(ValueError):
                found += room.core.builds.at(width)[:1] if width < SYSTEM_WIDTH else []
        return found
    for width in EXHAUSTIVE_WIDTHS:
        short = range(1 + width % 2, min(width, 5), 2) if "Word" in config.parameters() else ()
        default = room.core.builds.at(width)[0]
        only = room.core.function.only_modulus(default) if room.core.builds.for_modulus else None
        fixed = {} if only is None else {"modulus": only}
        for changes in ({}, *({"word": word} for word in short)):
            with suppress(ValueError):
                found.append(replace(config, width=width, **fixed, **changes))
    return found


def _one_small(small: Sequence[Config]) -> list[Config]:
    """The widest build for the exhaustive check of a netlist; without one, the narrowest there is."""
    narrow = [each for each in small if each.width <= NETLIST_WIDTH]
    return narrow[-1:] or list(small[:1])


def _others(room: Room, config: Config) -> list[Config]:
    """Builds with the other parameters that the core names, several beats an operand among them."""
    builds = dict.fromkeys((*room.core.builds.all(OTHER_WIDTH), *room.core.builds.variants(OTHER_WIDTH)))
    return [build for build in builds if build.options() != config.options()]


def _checks(build: Build, plan: Plan, rng: random.Random) -> Iterator[tuple[str, int]]:
    room, config = build.room, build.config
    contract = plan.contract and not room.core.function.draw  # which offers any operands
    source = contract and plan.source
    small = _small(room, config) if contract else []
    if not source:
        small = _one_small(small)
    others = _others(room, config) if source else []
    build_all(map(room.of, [config, *small, *others]))
    simulation = Simulation(build, seed=rng.getrandbits(31))
    moduli = checks.interesting_moduli(build, rng, RANDOM_MODULI)
    if plan.modulus is not None:
        moduli = [plan.modulus]
    if contract:
        if small:
            yield "exhaustive", checks.check_exhaustive([*map(room.of, small)])
        for other in others:
            other_simulation = Simulation(room.of(other), seed=rng.getrandbits(31))
            for modulus in checks.interesting_moduli(room.of(other), rng, OTHER_MODULI):
                for done in checks.check_random(other_simulation, modulus, 1, rng):
                    yield "other parameters", done
        if source and not isinstance(room, SystemRoom) and room.core.origin.checkout is None:
            yield "step by step", checks.check_model(build, moduli[:4], rng)
        yield "power-up", checks.check_power_up(build, moduli, range(8))
        yield "reset", checks.check_reset(simulation, moduli, rng)
        yield "context", checks.check_context(simulation, moduli, rng)
        yield "operands", checks.check_operands(simulation, moduli, rng)
        yield "paths", checks.check_paths(simulation, moduli, rng)
        yield "walk", checks.check_walk(simulation, moduli, rng)
        if source:
            yield "refusals", checks.check_illegal_parameters(room)
    left = plan.random(room)
    for modulus in checks.one_of_each_field(moduli):
        yield "back-pressure", checks.check_back_pressure(simulation, modulus, min(left, 20), rng)
    for turn, modulus in enumerate(moduli):
        share = left // (len(moduli) - turn)
        for done in checks.check_random(simulation, modulus, share, rng):
            left -= done
            yield "random", done
