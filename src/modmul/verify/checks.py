# SPDX-License-Identifier: Apache-2.0
"""What every core must satisfy: the contract, one check a function, against Python's integers.

Each check takes a :class:`~modmul.verify.simulation.Simulation` or builds its own, returns the number
of multiplications it checked, and raises :class:`VerificationError` with a reproduction otherwise.
The tests and ``modmul verify`` run the same functions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain, product, zip_longest
from types import MappingProxyType

from modmul.core import Config, Core, Polynomial, ceil_div, field_of
from modmul.registry import Room
from modmul.verify.simulation import Batch, Simulation
from modmul.verify.simulator import SimulatorError, lint

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
    "one_of_each_field",
]

BATCH = 4096
"""Operations simulated in one call: a fraction of a second, so that Ctrl-C is heard."""
ALONE = 3
"""Operations that ``check_random`` runs one at a time where a core holds several."""


class VerificationError(AssertionError):
    """The hardware disagrees with Python's integers, the metadata or the contract."""


def interesting_moduli(room: Room, config: Config, rng: random.Random, count: int) -> list[int]:
    """``count`` legal moduli or fewer: extreme, sparse, dense, short and random ones of each field.

    The extreme ones come first, and the fields take turns; what the core cannot serve is left out.
    """
    kinds = (
        (m for m in dict.fromkeys(numbers) if room.core.serves(config, m))
        for numbers in (_integers(config, rng, count), _polynomials(config, rng, count))
    )
    legal = (m for m in chain.from_iterable(zip_longest(*kinds)) if m is not None)
    return [modulus for modulus, _ in zip(legal, range(count), strict=False)]


def one_of_each_field(moduli: Sequence[int]) -> list[int]:
    """The first modulus of each field."""
    return list({field_of(modulus): modulus for modulus in reversed(moduli)}.values())


def _lengths(config: Config) -> tuple[int, ...]:
    """Shorter lengths than the build's: half of it, around one word, and one word less than all."""
    n, word = config.width, config.word
    lengths = (n // 2, word + 1, word, max(word - 1, 2), (ceil_div(n, word) - 1) * word)
    return tuple(dict.fromkeys(k for k in lengths if 2 <= k < n))


def _integers(config: Config, rng: random.Random, count: int) -> Iterator[int]:
    n = config.width
    top = 1 << n
    short = [(1 << k) - 1 for k in _lengths(config)]
    yield from (top - 1, *short[:1], (top >> 1) + 1, top >> 1, *short[1:2], top - 2, 1, 2, 3, *short[2:])
    yield from ((top >> 1) | (1 << (n // 2)) | 1, top - 1 - (1 << (n // 2)))
    yield from (rng.getrandbits(n) | (top >> 1) | 1 for _ in range(3))
    yield from (rng.getrandbits(n) | (top >> 1) for _ in range(2))
    yield from (rng.getrandbits(rng.randint(1, n)) for _ in range(2 * count))


def _polynomials(config: Config, rng: random.Random, count: int) -> Iterator[Polynomial]:
    n = config.width
    top = 1 << n
    trinomial = top | (1 << (n // 3)) | 1
    pentanomial = top | (1 << min(7, n - 1)) | (1 << min(6, n - 1)) | (1 << min(3, n - 1)) | 1
    short = [(1 << k) | 3 for k in _lengths(config)]
    bits = chain(
        (2 * top - 1, *short[:1], trinomial, pentanomial, *short[1:2]),
        (top | 1, top | (top >> 1) | 1, 7, 3, 2, 1, top, *short[2:]),
        (rng.getrandbits(n) | top | 1 for _ in range(3)),
        (rng.getrandbits(rng.randint(1, n + 1)) | 1 for _ in range(2 * count)),
    )
    return map(Polynomial, bits)


def corner_operands(room: Room, config: Config, modulus: int) -> list[int]:
    """Legal operands at the edges: 0, 1, 2, M/2, M-1, the largest one, sparse and dense patterns."""
    at = config.at(modulus)
    largest = room.core.operand_max(at, modulus)
    ones = (1 << largest.bit_length()) - 1
    patterns = (
        *(0, 1, 2, 3, modulus // 2, modulus // 2 + 1, modulus - 2, modulus - 1, modulus, largest),
        *(ones // 2 + 1, ones // 2, ones, ones // 3, ones // 3 * 2),
    )
    return sorted({int(p) for p in patterns if 0 <= p <= largest})


def check_batch(
    simulation: Simulation,
    modulus: int,
    xs: Sequence[int],
    ys: Sequence[int],
    *,
    idle: int = 0,
    stall: int = 0,
    controls: Mapping[str, Sequence[bool]] = MappingProxyType({}),
) -> int:
    """Products right, and latency (and interval, if nobody waits) equal to the metadata.

    The modulus must have been loaded. ``idle``, ``stall`` and the controls as in ``Simulation.run``. The
    latency is checked of every operation that had the core to itself, the interval in the steady state
    of a batch in which every operation has the same controls.
    """
    room, config = simulation.room, simulation.config
    core = room.core
    batch = simulation.run(xs, ys, idle=idle, stall=stall, **controls)
    settings = list(zip(*controls.values(), strict=True)) if controls else [()] * len(xs)
    builds = {
        values: config.at(modulus, **dict(zip(controls, values, strict=True)))
        for values in dict.fromkeys(settings)
    }
    ats = [builds[values] for values in settings]
    memory: dict[str, int] = {}
    for at, x, y, z in zip(ats, xs, ys, batch.results, strict=True):
        right = core.product(at, modulus, x, y, memory)
        if z != right and not core.right(at, modulus, right, z):
            raise VerificationError(
                f"{core.slug} ({config}): M = {_shown(modulus)}, x = {x:#x}, y = {y:#x}{_told(at)}: "
                f"hardware says {z:#x}, right is {right:#x} (seed {simulation.seed})"
            )
    alone = len(xs) if core.in_flight == 1 else 1
    for at, latency in zip(ats[:alone], batch.latencies.tolist(), strict=False):
        _same(simulation, at, "latency", latency, core.latency(at))
    if len(builds) == 1 and not idle and not stall:
        _steady(simulation, batch, ats[0])
    return len(xs)


def _shown(modulus: int) -> str:
    """A modulus for a message that can be typed in again."""
    return repr(modulus) if isinstance(modulus, Polynomial) else hex(modulus)


def _told(at: Config) -> str:
    """The run-time fields of a configuration, for a message."""
    return "".join(f", {name} = {value}" for name, value in at.runtime().items())


def _steady(simulation: Simulation, batch: Batch, at: Config) -> None:
    """Operands come and results go at the declared interval, from the steady state on."""
    core = simulation.room.core
    first = 0 if core.in_flight == 1 else core.in_flight
    for measured in batch.intervals.tolist()[first:]:
        _same(simulation, at, "interval", measured, core.interval(at))
    for measured in batch.distances.tolist()[first:]:
        _same(simulation, at, "from result to result", measured, core.interval(at))


def _same(simulation: Simulation, at: Config, what: str, measured: int, declared: int) -> None:
    if measured != declared:
        raise VerificationError(
            f"{simulation.room.core.slug} ({simulation.config}{_told(at)}): {what} {measured} cycles, "
            f"the metadata says {declared} (seed {simulation.seed})"
        )


def check_exhaustive(room: Room, configs: Sequence[Config]) -> int:
    """Every legal M, x and y of each configuration, in each field (keep widths at 6 or below).

    With controls, also every x with each control high, and with random controls.
    """
    rng = random.Random(1)
    total = 0
    for config in configs:
        simulation = Simulation(room, config)
        top = 1 << config.width
        for modulus in chain(range(1, top), map(Polynomial, range(1, 2 * top))):
            if room.core.serves(config, modulus):
                simulation.load(modulus)
                operands = range(room.core.operand_max(simulation.at, modulus) + 1)
                xs = [x for x in operands for _ in operands]
                ys = [y for _ in operands for y in operands]
                total += check_batch(simulation, modulus, xs, ys)
                ys = [rng.choice(operands) for _ in operands]
                total += _with_controls(simulation, modulus, operands, ys, rng)
    return total


def _with_controls(
    simulation: Simulation, modulus: int, xs: Sequence[int], ys: Sequence[int], rng: random.Random
) -> int:
    """A batch with each control high for all operations, and one in which they change at random."""
    core = simulation.room.core
    total = 0
    for control in core.controls:
        high = {control.field: [turn > 0 or not control.depends for turn in range(len(xs))]}
        total += check_batch(simulation, modulus, xs, ys, controls=high)
    if core.controls:
        mixed = random_controls(core, len(xs), rng)
        total += check_batch(simulation, modulus, xs, ys, controls=mixed)
    return total


def random_controls(core: Core, count: int, rng: random.Random) -> dict[str, list[bool]]:
    """Random values of each control, by its field, for operations one after another.

    Where some depend on earlier operations, all are low in the first.
    """
    first = int(core.remembers)
    return {
        control.field: [turn >= first and rng.random() < 0.5 for turn in range(count)]
        for control in core.controls
    }


def check_random(simulation: Simulation, modulus: int, count: int, rng: random.Random) -> Iterator[int]:
    """Corner operands against each other, then random ones, ``count`` in all or a few more.

    Loads the modulus first. Where the core has controls, a quarter of the operands comes again with each
    of them high, and with random ones; where it holds several operations, some come one at a time. Yields
    the number of multiplications checked after each batch.
    """
    core, config = simulation.room.core, simulation.config
    simulation.load(modulus)
    corners = corner_operands(simulation.room, config, modulus)
    pairs = list(product(corners, repeat=2))
    limit = core.operand_max(simulation.at, modulus) + 1
    if core.in_flight > 1:
        for x, y in pairs[-ALONE:]:
            yield check_batch(simulation, modulus, [x], [y])
    while count > 0:
        pairs += [(rng.randrange(limit), rng.randrange(limit)) for _ in range(min(count, BATCH) - len(pairs))]
        xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
        yield check_batch(simulation, modulus, xs, ys)
        if core.controls:
            picked = rng.sample(pairs, ceil_div(len(pairs), 4))
            yield _with_controls(simulation, modulus, [x for x, _ in picked], [y for _, y in picked], rng)
        count -= len(pairs)
        pairs = []


def check_back_pressure(simulation: Simulation, modulus: int, count: int, rng: random.Random) -> int:
    """Results, order and stability with random idle and stall cycles, gentle to harsh."""
    core = simulation.room.core
    simulation.load(modulus)
    limit = core.operand_max(simulation.at, modulus) + 1
    total = 0
    for idle, stall in ((128, 0), (0, 128), (128, 128), (250, 20), (20, 250)):
        xs, ys = ([rng.randrange(limit) for _ in range(count)] for _ in range(2))
        controls = random_controls(core, count, rng)
        total += check_batch(simulation, modulus, xs, ys, idle=idle, stall=stall, controls=controls)
    return total


def check_power_up(room: Room, config: Config, moduli: Sequence[int], seeds: Sequence[int]) -> int:
    """Right from the first context after a reset of one cycle, whatever the registers hold at power-up.

    The context, and then operands, are offered from the first cycle on.
    """
    total = 0
    for turn, seed in enumerate(seeds):
        simulation = Simulation(room, config, seed=seed)
        modulus = moduli[turn % len(moduli)]
        simulation.load(modulus)
        corners = corner_operands(room, config, modulus)
        total += check_batch(simulation, modulus, corners, corners[::-1])
    return total


def check_reset(simulation: Simulation, moduli: Sequence[int], rng: random.Random) -> int:
    """Reset in the middle of an operation, of its operands, of a result and of a context.

    After reset the core must accept no operands until a context has come, and then work.
    """
    core, config = simulation.room.core, simulation.config
    modulus = moduli[0]
    at = config.at(modulus)
    span = at.beats + core.latency(at) + at.beats
    stops = sorted({0, 1, at.beats, span // 3, span // 2, span - at.beats, span - 1, span + 3})
    total = 0
    for stop in stops:
        simulation.load(modulus)
        for port in ("x_i", "y_i"):
            simulation.poke(port, rng.getrandbits(config.word) & ((1 << simulation.at.bits) - 1))
        simulation.poke("in_valid_i", 1)
        simulation.edge(stop)
        simulation.reset()
        _no_operands(simulation, "after reset, without a context")
        if simulation.peek("out_valid_o") or simulation.peek("ctx_error_o"):
            raise VerificationError(f"{core.slug} ({config}): a result or an error right after reset")
        beats = core.context(simulation.at, modulus)  # and reset once more in the middle of a context
        for beat in beats[: stop % len(beats) + 1]:
            simulation.poke("ctx_data_i", beat)
            simulation.poke("ctx_valid_i", 1)
            simulation.edge()
        simulation.reset()
        modulus = moduli[rng.randrange(len(moduli))]
        simulation.load(modulus)
        limit = core.operand_max(simulation.at, modulus) + 1
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
    """Contexts replaced between operations; illegal ones refused by the hardware.

    An illegal context raises ``ctx_error_o`` and no operation is accepted until a legal one has
    replaced it; then everything works again. A waiting context goes before the next operands, and
    none is taken during an operation.
    """
    core, config = simulation.room.core, simulation.config
    illegal = core.illegal_contexts(config)
    total = 0
    for turn, modulus in enumerate(moduli):
        if illegal:
            bad = illegal[turn % len(illegal)]
            name = f"the illegal context {' '.join(f'{beat:x}' for beat in bad)}"
            simulation.load_words(bad)
            simulation.edge(2)
            if not simulation.peek("ctx_error_o"):
                raise VerificationError(f"{core.slug} ({config}): no ctx_error_o for {name}")
            _no_operands(simulation, f"with {name}", error=True)
        simulation.load(modulus)
        simulation.edge(2)
        if simulation.peek("ctx_error_o"):
            raise VerificationError(f"{core.slug} ({config}): ctx_error_o for the modulus {_shown(modulus)}")
        _context_goes_first(simulation)
        limit = core.operand_max(simulation.at, modulus) + 1
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
    """No context is accepted from the first operand beat until the last result beat has been taken."""
    at = simulation.at
    for port in ("x_i", "y_i"):
        simulation.poke(port, 0)
    wait = at.beats + simulation.room.core.latency(at) + 8  # the result is not taken before
    taken = given = 0
    for cycle in range(2 * wait):
        simulation.poke("in_valid_i", int(taken < at.beats))
        simulation.poke("out_ready_i", int(cycle >= wait))
        taken += simulation.peek("in_ready_o") if taken < at.beats else 0
        given += simulation.peek("out_valid_o") if cycle >= wait else 0
        simulation.edge()
        if given == at.beats:
            break
        if taken and simulation.peek("ctx_ready_o"):
            raise VerificationError(
                f"{simulation.room.core.slug} ({simulation.config}): a context is accepted "
                "during an operation"
            )
    for port in ("in_valid_i", "out_ready_i"):
        simulation.poke(port, 0)


def check_model(room: Room, config: Config, moduli: Sequence[int], rng: random.Random) -> int:
    """The hardware's registers against the core's model, after every clock cycle of an operation.

    Operations come one at a time; where the core has controls, some with each of them high.
    """
    simulation = Simulation(room, config, trace=True)
    total = 0
    for modulus in moduli:
        simulation.load(modulus)
        corners = corner_operands(room, config, modulus)
        limit = room.core.operand_max(simulation.at, modulus) + 1
        pairs = [
            (corners[-1], corners[-1]),
            (corners[0], corners[-1]),
            (corners[-2 % len(corners)], corners[len(corners) // 2]),
        ]
        pairs += [(rng.randrange(limit), rng.randrange(limit)) for _ in range(3)]
        memory: dict[str, int] = {}
        for x, y in pairs:
            _follow(simulation, modulus, x, y, memory)
            for control in room.core.controls:
                _follow(simulation, modulus, x, y, memory, **{control.field: True})
            total += 1 + len(room.core.controls)
    return total


def _follow(
    simulation: Simulation, modulus: int, x: int, y: int, memory: dict[str, int], **controls: bool
) -> None:
    """One operation of the hardware against the model; ``memory`` is that of the operations before."""
    room, config = simulation.room, simulation.config
    at = config.at(modulus, **controls)
    states = simulation.follow(x, y, **controls)
    factors = room.core.factors(at, x, y, dict(memory))
    room.core.product(at, modulus, x, y, memory)
    steps = list(room.core.model(at, modulus, *factors))
    if len(states) != len(steps):
        raise VerificationError(
            f"{room.core.slug} ({config}{_told(at)}): {len(states)} cycles, the model has {len(steps)}"
        )
    for cycle, (state, step) in enumerate(zip(states, steps, strict=True)):
        for name, value in step.state.items():
            if state[name] != value:
                raise VerificationError(
                    f"{room.core.slug} ({config}): M = {_shown(modulus)}, x = {x:#x}, y = {y:#x}{_told(at)}: "
                    f"after cycle {cycle} (step {step.label}) {name} is {state[name]:#x}, "
                    f"the model says {value:#x}"
                )


def check_illegal_parameters(room: Room) -> int:
    """The hardware refuses to elaborate with illegal parameters, and Python refuses them with the reason.

    Each parameter is set to 0, 1, -1 and a large value; those that ``Config`` refuses must stop
    elaboration by naming a module ``illegal_parameter_…``. Returns the number of refusals.
    """
    config = room.core.configs(8)[0]
    refused = 0
    runtime = config.runtime()
    good = {field.name: getattr(config, field.name) for field in fields(config) if field.name not in runtime}
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
            for field, setting in (values | runtime).items():
                object.__setattr__(bad, field, setting)
            try:
                lint(room.design(bad))
            except SimulatorError as error:
                if "illegal_parameter_" not in str(error):
                    raise VerificationError(
                        f"{room.core.slug}: {name} = {value} does not say illegal_parameter_…: {error}"
                    ) from error
            else:
                raise VerificationError(f"{room.core.slug}: the hardware accepts {name} = {value}")
    return refused
