# SPDX-License-Identifier: Apache-2.0
"""A program of anybody's for the engine (``docs/engine.md``) on simulated hardware, checked."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modmul.core import EngineProgram, ProgramError, Schedule, bound_name, check_tool
from modmul.registry import Build, ProgramRoom, operand_width, program
from modmul.registry import read_program as read
from modmul.tools.paths import cache_dir
from modmul.tools.progress import Listener, Progress, ignore
from modmul.use.clock import Clock, clock
from modmul.verify.failures import VerificationError
from modmul.verify.simulation import Batch, Simulation

__all__ = ["Ran", "Running", "giving", "prepare", "read"]

BATCH = 16
"""Operations in one call of the simulator, so that progress is told."""


# --- what is to run ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Running:
    """A program on a core, with a modulus and all numbers.

    Attributes:
        name: of the program.
        described: what it asks for.
        build: of the engine, with the run-time fields as they are to be in the context.
        modulus: what it serves.
        operands: x and y; of several operations that are one, packed.
    """

    name: str
    described: EngineProgram
    build: Build
    modulus: int
    operands: tuple[int, int]

    @property
    def schedule(self) -> Schedule:
        """When everything happens."""
        return self.described.schedule(self.build.config.at(self.modulus))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is odd about the program and no error: a line each."""
        told = []
        for name, line in self.described.unused.items():
            where = f"line {line}: {name} is written" if line else f"{name} comes in"
            told.append(f"{self.name}: {where}, and no row reads it")
        return tuple(told)


def prepare(
    name: str,
    text: str,
    core: str,
    modulus: int,
    values: Mapping[str, int | Sequence[int]],
    *,
    width: int | None = None,
    settings: Mapping[str, int] | None = None,
    length: int | None = None,
    entry: bool = False,
) -> Running:
    """A program with all that it asks for.

    Args:
        name: what messages call it.
        text: as ``modmul.systems.assembly`` has it.
        core: slug of what the engine multiplies with.
        modulus: what it serves.
        values: operands and numbers of the context, by name, in the plain domain. An operand of several
            operations that are one is a number of each, or one for all.
        width: of the build; as the modulus needs by default.
        settings: parameters of the core or the engine, other than the defaults.
        length: bits of the exponent, on which the time depends; those that it has by default.
        entry: whether it begins at its entry.

    Raises:
        ProgramError: the assembler refuses the program, with the line.
        ValueError: a value is missing, unknown or out of range; there is no such core or build; it cannot
            serve the modulus.
    """
    bits = operand_width(width, modulus, "simulated")
    try:
        described, room = program(text, core, name)
        if entry and not described.entry:
            raise ValueError(f"{name} has no entry; name a label of it: .entry LABEL")
        _check_names(name, described, values)
        lists = {each: [value] if isinstance(value, int) else [*value] for each, value in values.items()}
        xs, ys = (lists[operand] if operand else [0] for operand in described.operands)
        changes = dict(settings or {})
        runtime: dict[str, Any] = {"control": entry}
        if digits := described.digits[entry]:
            runtime["length"] = max(1, *(y.bit_length() for y in ys)) if length is None else length
            changes = {"ExponentBits": runtime["length"]} | changes
        elif length is not None:
            raise ValueError(f"{name} takes no bits of an exponent; leave the length away")
        runtime["given"] = tuple((number, _single(number, lists[number])) for number in described.numbers)
        build = room.build(bits, changes, modulus).running(**runtime)
    except ProgramError as error:
        raise ProgramError(f"{name}: {error}") from error
    check_tool("simulated", build.config.width, build.config.word)
    build.check(modulus)
    at = build.config.at(modulus)
    largest = build.core.function.operand_max(at, modulus)
    for known, value in ((known, value) for known, each in lists.items() for value in each):
        if known == described.operands[1] and digits:
            if not 0 <= value < 1 << runtime["length"]:
                raise ValueError(f"{known} lies in 0 … 2^{runtime['length']}-1, got {value}")
        elif known in described.longs:
            if not 0 <= value < 1 << described.long_bits(at):
                raise ValueError(f"{known} lies in 0 … 2^{described.long_bits(at)}-1, got {value}")
        elif not 0 <= value <= largest:
            raise ValueError(f"{known} lies in 0 … {bound_name(largest, modulus)}, got {value}")
    several = described.several(at)
    pairs = [*zip(*(_of_each(each, several) for each in (xs, ys)), strict=True)]
    return Running(name, described, build, modulus, described.packed(at, pairs) if several > 1 else pairs[0])


def _single(name: str, values: Sequence[int]) -> int:
    if len(values) != 1:
        raise ValueError(f"{name} is one number of the context, for all operations; got {len(values)}")
    return values[0]


def _of_each(values: Sequence[int], several: int) -> Sequence[int]:
    """An operand of so many operations."""
    if len(values) not in (1, several):
        wanted = f"{several} numbers, or one for all" if several > 1 else "one number"
        raise ValueError(f"an operand is {wanted}, got {len(values)}; take --set Batch={len(values)}")
    return [*values] * (several // len(values))


def giving(build: Build, values: Mapping[str, int]) -> Build:
    """The build of a program with numbers that it asks for.

    Args:
        values: of the context, by name, in the plain domain.

    Raises:
        ValueError: it is no program, or asks for no such number.
    """
    if not isinstance(build.room, ProgramRoom):
        raise ValueError(f"{build.slug} takes no numbers; programs do: mine.s:{build.slug}")
    described = build.room.described
    for name in values:
        _check_known(name, described)
        if name not in described.numbers:
            taken = ", ".join(described.numbers) or "none"
            raise ValueError(f"{build.room.file} takes no number {name} of the context; it takes {taken}")
    return build.running(given=tuple(values.items()))


def _check_known(name: str, described: EngineProgram) -> None:
    if name in described.known and name not in described.operands:
        raise ValueError(f"{name} follows from the modulus, and nobody gives it; leave {name}=… away")


def _check_names(name: str, described: EngineProgram, values: Iterable[str]) -> None:
    wanted = [operand for operand in described.operands if operand] + list(described.numbers)
    taken = ", ".join(f"{each}=…" for each in wanted)
    for each in values:
        _check_known(each, described)
        if each not in wanted:
            raise ValueError(f"{name} takes no {each}; it takes {taken}")
    if missing := [each for each in wanted if each not in values]:
        raise ValueError(f"{name} takes {taken}; give {', '.join(f'{each}=NUMBER' for each in missing)}")


# --- runs -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ran:
    """What the hardware has computed, checked.

    Attributes:
        value: what left, below M; of several operations that are one, as it left.
        values: of each of them.
        cycles: from the first word of the operands to the last word of the result.
        latency: from the last word of the operands to the first word of the result.
        scheduled: whether the schedule says the same latency.
        checked: further operations, with random operands.
        seed: of these.
        clock: of this very build; ``None``: it was not placed and routed.
    """

    value: int
    values: tuple[int, ...]
    cycles: int
    latency: int
    scheduled: bool
    checked: int
    seed: int
    clock: Clock | None

    @property
    def seconds(self) -> float | None:
        """The cycles at that frequency."""
        return self.cycles / (self.clock.mhz * 1e6) if self.clock else None

    @property
    def effort(self) -> str:
        """Cycles and checks in words."""
        more = f", and {self.checked:,} random operations (seed {self.seed})" if self.checked else ""
        return f"{self.cycles:,} clock cycles, checked against the model{more}"

    @property
    def time(self) -> str:
        """The time in words; nothing without a clock."""
        if self.clock is None or self.seconds is None:
            return ""
        return f"{self.seconds * 1e6:,.2f} µs at {self.clock.mhz:.1f} MHz, the clock of {self.clock.of}"

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``, the result in hexadecimal."""
        return {
            "result": hex(self.value),
            "results": [hex(value) for value in self.values],
            "cycles": self.cycles,
            "latency": self.latency,
            "scheduled": self.scheduled,
            "checked": self.checked,
            "seed": self.seed,
            "fmax_mhz": self.clock.mhz if self.clock else None,
            "clocked": self.clock.of if self.clock else "",
            "seconds": self.seconds,
        }


def run(running: Running, *, count: int = 0, seed: int = 1, listener: Listener = ignore) -> Ran:
    """Run a program on the simulated hardware: its results are held against the model.

    Args:
        count: further operations with random operands, the same numbers of the context.
        seed: of these.
        listener: told of every step.

    Raises:
        ValueError: random operands are asked for, and the program may refuse them.
        VerificationError: the hardware differs from the model, or takes other times for other operands.
        PlaceError: the cache folder cannot be written.
        SimulatorError: a tool is missing or refuses the sources.
    """
    build, modulus = running.build, running.modulus
    at = build.config.at(modulus)
    core = build.core
    latency = core.interface.latency(build.running(given=()).config.at(modulus))  # of any numbers
    if count and core.interface.told(at):
        raise ValueError(
            f"{running.name} releases a result only if its operands pass a test, and random ones do not; "
            "leave --verify away"
        )
    right = core.function.answer(at, modulus, *running.operands)  # a program it cannot run is refused here
    cache_dir()  # one that cannot be written is refused before anything is told
    listener(Progress("compile", build.slug, 0, 1))
    simulation = Simulation(build, seed=seed)
    listener(Progress("compile", build.slug, 1, 1))
    simulation.load(modulus)
    listener(Progress("simulate", running.name, 0, latency))
    batch = _run(running, simulation, [running.operands], listener, latency)
    rng = random.Random(seed)
    pairs = [_random(running, rng) for _ in range(count)]
    exact = int(batch.latencies[0])
    for done in range(0, count, BATCH):
        listener(Progress("verify", running.name, done, count))
        some = pairs[done : done + BATCH]
        others = _run(running, simulation, some, ignore, latency)
        for (x, y), cycles in zip(some, others.latencies.tolist(), strict=True):
            if cycles != exact:
                raise VerificationError(
                    f"{running.name} on {build}: M = {modulus:#x}, x = {x:#x}, y = {y:#x}: "
                    f"{cycles} cycles, and {exact} for other operands"
                )
    if count:
        listener(Progress("verify", running.name, count, count))
    taken = int(batch.valid[0] - batch.accepted[0]) + at.beats
    several = tuple(running.described.parted(at, right))
    return Ran(right, several, taken, exact, exact == latency, count, seed, clock(build))


def _random(running: Running, rng: random.Random) -> tuple[int, int]:
    """Operands, one in four of them at an edge."""
    config = running.build.config.at(running.modulus)
    several = running.described.several(config)
    pairs = [_random_pair(running, rng) for _ in range(several)]
    return running.described.packed(config, pairs) if several > 1 else pairs[0]


def _random_pair(running: Running, rng: random.Random) -> tuple[int, int]:
    """Those of one operation."""
    config = running.build.config.at(running.modulus)
    largest = running.build.core.function.operand_max(config, running.modulus)
    told = config.runtime()
    described = running.described
    tops = [
        (1 << described.long_bits(config)) - 1 if operand in described.longs else largest
        for operand in described.operands
    ]
    if described.digits[told["control"]]:
        tops[1] = (1 << told["length"]) - 1
    x, y = (
        rng.choice((0, 1, top >> 1, top)) if rng.randrange(4) == 0 else rng.randint(0, top) for top in tops
    )
    return x, y if running.described.operands[1] else 0


def _run(
    running: Running,
    simulation: Simulation,
    pairs: Sequence[tuple[int, int]],
    listener: Listener,
    latency: int,
) -> Batch:
    """Some operations, whose results are right."""
    build, modulus = running.build, running.modulus
    core, at = build.core, build.config.at(modulus)
    total = latency * len(pairs)
    batch = simulation.run_watched(
        [x for x, _ in pairs],
        [y for _, y in pairs],
        lambda done: listener(Progress("simulate", running.name, min(done, total), total)),
        control=[at.runtime()["control"]] * len(pairs),
    )
    listener(Progress("simulate", running.name, total, total))
    for (x, y), result in zip(pairs, batch.results, strict=True):
        right = core.function.answer(at, modulus, x, y)
        if result != right and not core.function.accepts(at, modulus, right, result):
            raise VerificationError(
                f"{running.name} on {build}: M = {modulus:#x}, x = {x:#x}, y = {y:#x}: "
                f"hardware says {result:#x}, the model {right:#x}"
            )
    return batch
