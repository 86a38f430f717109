# SPDX-License-Identifier: Apache-2.0
"""What every core must satisfy: the contract, one check a function, against Python's integers.

Each check takes a :class:`~modmul.verify.simulation.Simulation` or builds its own, returns the number
of multiplications it checked, and raises :class:`VerificationError` with a reproduction otherwise.
The tests and ``modmul verify`` run the same functions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields

from modmul.core import Config
from modmul.registry import Room
from modmul.verify.simulation import Simulation, SimulatorError, build, lint, simulate

__all__ = [
    "VerificationError",
    "check_back_pressure",
    "check_batch",
    "check_context",
    "check_exhaustive",
    "check_illegal_parameters",
    "check_model",
    "check_power_up",
    "check_random",
    "check_reset",
    "corner_operands",
    "interesting_moduli",
]

BATCH = 4096
"""Operations simulated in one call: a fraction of a second, so that Ctrl-C is heard."""


class VerificationError(AssertionError):
    """The hardware disagrees with Python's integers, the metadata or the contract."""


def interesting_moduli(room: Room, config: Config, rng: random.Random, count: int) -> list[int]:
    """``count`` legal moduli or fewer: extreme, sparse, dense, short and random ones.

    The extreme ones come first; what the core cannot serve is left out.
    """
    n = config.width
    top = 1 << n
    candidates = [
        *(top - 1, (top >> 1) + 1, top >> 1, top - 2, 1, 2, 3),
        (top >> 1) | (1 << (n // 2)) | 1,
        top - 1 - (1 << (n // 2)),
        *(rng.getrandbits(n) | (top >> 1) | 1 for _ in range(3)),
        *(rng.getrandbits(n) | (top >> 1) for _ in range(2)),
        *(rng.getrandbits(rng.randint(1, n)) for _ in range(2 * count)),
    ]
    legal = (m for m in dict.fromkeys(candidates) if _legal(room, config, m))
    return [modulus for modulus, _ in zip(legal, range(count), strict=False)]


def _legal(room: Room, config: Config, modulus: int) -> bool:
    try:
        room.core.check(config, modulus)
    except ValueError:
        return False
    return True


def corner_operands(room: Room, config: Config, modulus: int) -> list[int]:
    """Legal operands at the edges: 0, 1, 2, M/2, M-1, the largest one, sparse and dense patterns."""
    largest = room.core.operand_max(modulus)
    n = config.width
    patterns = (
        *(0, 1, 2, 3, modulus // 2, modulus // 2 + 1, modulus - 2, modulus - 1, largest),
        *(1 << (n - 1), (1 << (n - 1)) - 1, (1 << n) - 1, ((1 << n) - 1) // 3, ((1 << n) - 1) // 3 * 2),
    )
    return sorted({p for p in patterns if 0 <= p <= largest})


def check_batch(
    simulation: Simulation,
    modulus: int,
    xs: Sequence[int],
    ys: Sequence[int],
    *,
    idle: int = 0,
    stall: int = 0,
) -> int:
    """Products right, and latency (and interval, if nobody waits) equal to the metadata every time.

    The modulus must have been loaded. ``idle`` and ``stall`` as in ``Simulation.run``.
    """
    room, config = simulation.room, simulation.config
    batch = simulation.run(xs, ys, idle=idle, stall=stall)
    domain = room.core.domain(config)
    # M can be divided out once for the whole batch.
    inverse = pow(domain.radix, -1, modulus) if domain.radix > 1 else 1
    for x, y, z in zip(xs, ys, batch.results, strict=True):
        if z != x * y * inverse % modulus:
            raise VerificationError(
                f"{room.core.slug} ({config}): M = {modulus:#x}, x = {x:#x}, y = {y:#x}: "
                f"hardware says {z:#x}, right is {domain.product(modulus, x, y):#x} (seed {simulation.seed})"
            )
    latency, interval = room.core.latency(config), room.core.interval(config)
    _same(simulation, "latency", batch.latencies.tolist(), latency)
    if not idle and not stall:
        _same(simulation, "interval", batch.intervals.tolist(), interval)
    return len(xs)


def _same(simulation: Simulation, what: str, measured: list[int], declared: int) -> None:
    wrong = next((value for value in measured if value != declared), None)
    if wrong is not None:
        raise VerificationError(
            f"{simulation.room.core.slug} ({simulation.config}): {what} {wrong} cycles, "
            f"the metadata says {declared} (seed {simulation.seed})"
        )


def check_exhaustive(room: Room, configs: Sequence[Config]) -> int:
    """Every legal M, x and y of each configuration (keep widths at 6 or below)."""
    library = build([(room, config) for config in configs])
    total = 0
    for index, config in enumerate(configs):
        simulation = Simulation(library, index, room, config)
        for modulus in range(1, 1 << config.width):
            if _legal(room, config, modulus):
                operands = range(room.core.operand_max(modulus) + 1)
                simulation.load(modulus)
                xs = [x for x in operands for _ in operands]
                ys = [y for _ in operands for y in operands]
                total += check_batch(simulation, modulus, xs, ys)
    return total


def check_random(simulation: Simulation, modulus: int, count: int, rng: random.Random) -> Iterator[int]:
    """Corner operands against each other, then random ones, ``count`` in all or a few more.

    Loads the modulus first. Yields the number of multiplications checked after each batch.
    """
    room, config = simulation.room, simulation.config
    simulation.load(modulus)
    corners = corner_operands(room, config, modulus)
    pairs = [(x, y) for x in corners for y in corners]
    limit = room.core.operand_max(modulus) + 1
    while count > 0:
        pairs += [(rng.randrange(limit), rng.randrange(limit)) for _ in range(min(count, BATCH) - len(pairs))]
        yield check_batch(simulation, modulus, [x for x, _ in pairs], [y for _, y in pairs])
        count -= len(pairs)
        pairs = []


def check_back_pressure(simulation: Simulation, modulus: int, count: int, rng: random.Random) -> int:
    """Results, order and stability with random idle and stall cycles, gentle to harsh."""
    simulation.load(modulus)
    limit = simulation.room.core.operand_max(modulus) + 1
    total = 0
    for idle, stall in ((128, 0), (0, 128), (128, 128), (250, 20), (20, 250)):
        xs, ys = ([rng.randrange(limit) for _ in range(count)] for _ in range(2))
        total += check_batch(simulation, modulus, xs, ys, idle=idle, stall=stall)
    return total


def check_power_up(room: Room, config: Config, moduli: Sequence[int], seeds: Sequence[int]) -> int:
    """Right from the first context after a reset of one cycle, whatever the registers hold at power-up.

    The context, and then operands, are offered from the first cycle on.
    """
    library = build([(room, config)])
    total = 0
    for turn, seed in enumerate(seeds):
        simulation = Simulation(library, 0, room, config, seed=seed)
        modulus = moduli[turn % len(moduli)]
        simulation.load(modulus)
        corners = corner_operands(room, config, modulus)
        total += check_batch(simulation, modulus, corners, corners[::-1])
    return total


def check_reset(simulation: Simulation, moduli: Sequence[int], rng: random.Random) -> int:
    """Reset in the middle of an operation, of its operands, of a result and of a context.

    After reset the core must accept no operands until a context has come, and then work.
    """
    room, config = simulation.room, simulation.config
    span = config.beats + room.core.latency(config) + config.beats
    modulus = moduli[0]
    stops = sorted({0, 1, config.beats, span // 3, span // 2, span - config.beats, span - 1, span + 3})
    total = 0
    for stop in stops:
        simulation.load(modulus)
        limit = room.core.operand_max(modulus) + 1
        for port in ("x_i", "y_i"):
            simulation.poke(port, rng.getrandbits(config.width) & ((1 << config.word) - 1))
        simulation.poke("in_valid_i", 1)
        simulation.edge(stop)
        simulation.reset()
        _no_operands(simulation, "after reset, without a context")
        if simulation.peek("out_valid_o") or simulation.peek("ctx_error_o"):
            raise VerificationError(f"{room.core.slug} ({config}): a result or an error right after reset")
        simulation.poke("ctx_data_i", 1)  # and reset once more in the middle of a context
        simulation.poke("ctx_valid_i", 1)
        simulation.edge(stop % config.beats + 1)
        simulation.reset()
        modulus = moduli[rng.randrange(len(moduli))]
        limit = room.core.operand_max(modulus) + 1
        simulation.load(modulus)
        total += check_batch(
            simulation,
            modulus,
            [rng.randrange(limit) for _ in range(4)],
            [rng.randrange(limit) for _ in range(4)],
        )
    return total


def _no_operands(simulation: Simulation, when: str, *, error: bool = False) -> None:
    """No operand is accepted in the next cycles although one is offered; ctx_error_o is as said."""
    simulation.poke("in_valid_i", 1)
    for _ in range(2 * simulation.config.beats + 8):
        if simulation.peek("in_ready_o"):
            raise VerificationError(
                f"{simulation.room.core.slug} ({simulation.config}): operands are accepted {when}"
            )
        if simulation.peek("ctx_error_o") != error:
            state = "does not stay" if error else f"is high {when}"
            raise VerificationError(f"{simulation.room.core.slug} ({simulation.config}): ctx_error_o {state}")
        simulation.edge()
    simulation.poke("in_valid_i", 0)


def check_context(simulation: Simulation, moduli: Sequence[int], rng: random.Random) -> int:
    """Contexts replaced between operations; illegal ones refused by Python and by the hardware.

    An illegal context raises ``ctx_error_o`` and no operation is accepted until a legal one has
    replaced it; then everything works again. A waiting context goes before the next operands, and
    none is taken during an operation.
    """
    room, config = simulation.room, simulation.config
    length = len(room.core.context(config, moduli[0]))
    candidates = (0, 1, 2, 4, 1 << (config.width - 1), (1 << config.width) - 2)
    illegal = [m for m in candidates if not _legal(room, config, m)]
    total = 0
    for turn, modulus in enumerate(moduli):
        if illegal:
            bad = illegal[turn % len(illegal)]
            try:
                simulation.load(bad)
            except ValueError:
                pass
            else:
                raise VerificationError(f"{room.core.slug} ({config}): Python loads the modulus {bad}")
            simulation.load_words([bad] + [0] * (length - 1))
            simulation.edge(2)
            if not simulation.peek("ctx_error_o"):
                raise VerificationError(f"{room.core.slug} ({config}): no ctx_error_o for the modulus {bad}")
            _no_operands(simulation, f"with the illegal modulus {bad}", error=True)
        simulation.load(modulus)
        simulation.edge(2)
        if simulation.peek("ctx_error_o"):
            raise VerificationError(f"{room.core.slug} ({config}): ctx_error_o for the modulus {modulus:#x}")
        _context_goes_first(simulation)
        limit = room.core.operand_max(modulus) + 1
        xs, ys = ([rng.randrange(limit) for _ in range(3)] for _ in range(2))
        total += check_batch(simulation, modulus, xs, ys)
    _no_context_in_flight(simulation)
    return total


def _context_goes_first(simulation: Simulation) -> None:
    """Between operations a waiting context is ready to be taken, and operands are not."""
    for port in ("ctx_valid_i", "in_valid_i"):
        simulation.poke(port, 1)
    order = simulation.peek("ctx_ready_o"), simulation.peek("in_ready_o")
    for port in ("ctx_valid_i", "in_valid_i"):
        simulation.poke(port, 0)
    if order != (1, 0):
        raise VerificationError(
            f"{simulation.room.core.slug} ({simulation.config}): a waiting context does not go first"
        )


def _no_context_in_flight(simulation: Simulation) -> None:
    """No context is accepted from the first operand beat until the result has been taken."""
    config = simulation.config
    for port in ("x_i", "y_i"):
        simulation.poke(port, 0)
    taken = 0
    for _ in range(config.beats + simulation.room.core.latency(config) + 8):
        simulation.poke("in_valid_i", int(taken < config.beats))
        taken += simulation.peek("in_ready_o") if taken < config.beats else 0
        simulation.edge()
        if taken and simulation.peek("ctx_ready_o"):
            raise VerificationError(
                f"{simulation.room.core.slug} ({config}): a context is accepted during an operation"
            )
    simulation.poke("in_valid_i", 0)
    simulation.poke("out_ready_i", 1)
    simulation.edge(config.beats)
    simulation.poke("out_ready_i", 0)


def check_model(room: Room, config: Config, moduli: Sequence[int], rng: random.Random) -> int:
    """The hardware's registers against the core's model, after every clock cycle of an operation."""
    simulation = simulate(room, config, trace=True)
    total = 0
    for modulus in moduli:
        simulation.load(modulus)
        corners = corner_operands(room, config, modulus)
        limit = room.core.operand_max(modulus) + 1
        pairs = [
            (corners[-1], corners[-1]),
            (corners[0], corners[-1]),
            (corners[-2], corners[len(corners) // 2]),
        ]
        pairs += [(rng.randrange(limit), rng.randrange(limit)) for _ in range(3)]
        for x, y in pairs:
            states = simulation.follow(x, y)
            steps = list(room.core.model(config, modulus, x, y))
            if len(states) != len(steps):
                raise VerificationError(
                    f"{room.core.slug} ({config}): {len(states)} cycles, the model has {len(steps)}"
                )
            for cycle, (state, step) in enumerate(zip(states, steps, strict=True)):
                for name, value in step.state.items():
                    if state[name] != value:
                        raise VerificationError(
                            f"{room.core.slug} ({config}): M = {modulus:#x}, x = {x:#x}, y = {y:#x}: "
                            f"after cycle {cycle} (step {step.label}) {name} is {state[name]:#x}, "
                            f"the model says {value:#x}"
                        )
            total += 1
    return total


def check_illegal_parameters(room: Room) -> int:
    """The hardware refuses to elaborate with illegal parameters, and Python refuses them with the reason.

    Each parameter is set to 0, 1, -1 and a large value; those that ``Config`` refuses must stop
    elaboration by naming a module ``illegal_parameter_…``. Returns the number of refusals.
    """
    config = room.core.configs(8)[0]
    refused = 0
    good = {field.name: getattr(config, field.name) for field in fields(config)}
    for name in good:
        for value in (0, 1, -1, 999):
            values = good | {name: value}
            try:
                type(config)(**values)
            except ValueError:
                refused += 1
            else:
                continue
            bad = object.__new__(type(config))
            for field, setting in values.items():
                object.__setattr__(bad, field, setting)
            try:
                lint(room, bad)
            except SimulatorError as error:
                if "illegal_parameter_" not in str(error):
                    raise VerificationError(
                        f"{room.core.slug}: {name} = {value} does not say illegal_parameter_…: {error}"
                    ) from error
            else:
                raise VerificationError(f"{room.core.slug}: the hardware accepts {name} = {value}")
    return refused
