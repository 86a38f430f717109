# SPDX-License-Identifier: Apache-2.0
"""What every core must satisfy: the contract, one check a function, against Python's integers.

Each check takes a :class:`~modmul.verify.simulation.Simulation` or builds its own, returns the number
of multiplications it checked, and raises :class:`VerificationError` with a reproduction otherwise.
The tests and ``modmul verify`` run the same functions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product, zip_longest
from itertools import cycle as again
from types import MappingProxyType

from modmul.core import Config, Polynomial, ceil_div, field_of
from modmul.design import Design
from modmul.room import Build, Room
from modmul.verify import bins
from modmul.verify.failures import SimulatorError, VerificationError
from modmul.verify.ports import Context, Ports, random_controls, shown, told
from modmul.verify.simulation import Batch, Simulation, build_all
from modmul.verify.simulator import covered, lint

__all__ = [
    "check_back_pressure",
    "check_batch",
    "check_context",
    "check_exhaustive",
    "check_illegal_parameters",
    "check_model",
    "check_operands",
    "check_paths",
    "check_power_up",
    "check_random",
    "check_reset",
    "check_walk",
    "corner_operands",
    "interesting_moduli",
    "one_of_each_field",
]

BATCH = 4096
"""Operations simulated in one call: a fraction of a second, so that Ctrl-C is heard."""
ILLEGAL = (0, 1, -1, 999)
"""Values that a parameter is set to, to see which are refused."""
ALONE = 3
"""Operations that ``check_random`` runs one at a time where a core holds several."""


def interesting_moduli(build: Build, rng: random.Random, count: int) -> list[int]:
    """``count`` legal moduli or fewer: extreme, sparse, dense, short and random ones of each field.

    The extreme ones come first, and the fields take turns; what the core cannot serve is left out. Of a core
    that has its own examples, these.
    """
    function, config = build.core.function, build.config
    if (examples := function.tried(config)) is not None:
        return list(islice(examples, count))
    kinds = (
        (m for m in dict.fromkeys(numbers) if function.serves(config, m))
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
    full = rng.getrandbits(n) | (top >> 1) | 1
    yield from (top - 1, *short[:1], full, (top >> 1) + 1, top >> 1, *short[1:2], top - 2)
    yield from (1, 2, 3, *short[2:])
    yield from ((top >> 1) | (1 << (n // 2)) | 1, top - 1 - (1 << (n // 2)), top - 3)
    yield from (rng.getrandbits(n) | (top >> 1) | 1 for _ in range(3))
    yield from (rng.getrandbits(n) | (top >> 1) for _ in range(2))
    yield from (rng.getrandbits(rng.randint(1, n)) for _ in range(2 * count))


def _polynomials(config: Config, rng: random.Random, count: int) -> Iterator[Polynomial]:
    n = config.width
    top = 1 << n
    trinomial = top | (1 << (n // 3)) | 1
    pentanomial = top | (1 << min(7, n - 1)) | (1 << min(6, n - 1)) | (1 << min(3, n - 1)) | 1
    short = [(1 << k) | 3 for k in _lengths(config)]
    full = rng.getrandbits(n) | top | 1
    bits = chain(
        (2 * top - 1, *short[:1], full, trinomial, pentanomial, *short[1:2]),
        (top | 1, top | (top >> 1) | 1, 7, 3, 2, 1, top, *short[2:]),
        (rng.getrandbits(n) | top | 1 for _ in range(3)),
        (rng.getrandbits(rng.randint(1, n + 1)) | 1 for _ in range(2 * count)),
    )
    return map(Polynomial, bits)


def corner_operands(build: Build, modulus: int) -> list[int]:
    """Legal operands at the edges: 0, 1, 2, M/2, M-1, the largest one, sparse and dense patterns."""
    at = build.config.at(modulus)
    largest = build.core.function.operand_max(at, modulus)
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
    core, config = simulation.build.core, simulation.config
    batch = simulation.run(xs, ys, idle=idle, stall=stall, **controls)
    settings = list(zip(*controls.values(), strict=True)) if controls else [()] * len(xs)
    builds = {
        values: config.at(modulus, **dict(zip(controls, values, strict=True)))
        for values in dict.fromkeys(settings)
    }
    memory: dict[str, int] = {}
    counted = covered()
    for values, x, y, z in zip(settings, xs, ys, batch.results, strict=True):
        at = builds[values]
        if counted is not None:
            low = {control.field: False for control in core.interface.controls}
            high = low | dict(zip(controls, values, strict=True))
            counted.bins.update(bins.operands(core, at, modulus, x, y, high))
        right = core.function.answer(at, modulus, x, y, memory)
        if z != right and not core.function.accepts(at, modulus, right, z):
            raise VerificationError(
                f"{simulation.build}: M = {shown(modulus)}, x = {x:#x}, y = {y:#x}{told(at)}: "
                f"hardware says {z:#x}, right is {right:#x} (seed {simulation.seed})"
            )
    alone = len(xs) if core.interface.in_flight(config) == 1 else 1
    declared = {values: core.interface.latency(at) for values, at in builds.items()}
    for values, latency in zip(settings[:alone], batch.latencies.tolist(), strict=False):
        _same(simulation, builds[values], "latency", latency, declared[values])
    if len(builds) == 1 and not idle and not stall:
        [at] = builds.values()
        _steady(simulation, batch, at)
    return len(xs)


def _steady(simulation: Simulation, batch: Batch, at: Config) -> None:
    """Operands come and results go at the declared interval, from the steady state on."""
    core = simulation.build.core
    holds = core.interface.in_flight(at)
    first = 0 if holds == 1 else holds
    declared = core.interface.interval(at)
    for what, cycles in (("interval", batch.intervals), ("from result to result", batch.distances)):
        for measured in cycles.tolist()[first:]:
            _same(simulation, at, what, measured, declared)


def _same(simulation: Simulation, at: Config, what: str, measured: int, declared: int) -> None:
    if measured != declared:
        raise VerificationError(
            f"{simulation.build}{told(at)}: {what} {measured} cycles, "
            f"the metadata says {declared} (seed {simulation.seed})"
        )


def check_exhaustive(builds: Sequence[Build]) -> int:
    """Every legal M, x and y of each build, in each field (keep widths at 6 or below).

    With controls, also every x with each control high, and with random controls.
    """
    rng = random.Random(1)
    total = 0
    build_all(builds)
    for build in builds:
        simulation = Simulation(build)
        function, config = build.core.function, build.config
        top = 1 << config.width
        numbers = chain(range(1, top), map(Polynomial, range(1, 2 * top)))
        for modulus in function.tried(config) or numbers:
            if function.serves(config, modulus):
                simulation.load(modulus)
                operands = range(function.operand_max(simulation.at, modulus) + 1)
                xs = [x for x in operands for _ in operands]
                ys = [y for _ in operands for y in operands]
                total += check_batch(simulation, modulus, xs, ys)
                if build.core.interface.in_flight(config) > 1:
                    total += check_batch(simulation, modulus, xs[-1:], ys[-1:])  # one at a time
                ys = [rng.choice(operands) for _ in operands]
                total += _with_controls(simulation, modulus, operands, ys, rng)
    return total


def _with_controls(
    simulation: Simulation, modulus: int, xs: Sequence[int], ys: Sequence[int], rng: random.Random
) -> int:
    """A batch with each control high for all operations, and one in which they change at random."""
    core = simulation.build.core
    total = 0
    for control in core.interface.controls:
        high = {control.field: [turn > 0 or not control.depends for turn in range(len(xs))]}
        total += check_batch(simulation, modulus, xs, ys, controls=high)
    if core.interface.controls:
        mixed = random_controls(core, len(xs), rng)
        total += check_batch(simulation, modulus, xs, ys, controls=mixed)
    return total


def check_random(simulation: Simulation, modulus: int, count: int, rng: random.Random) -> Iterator[int]:
    """Corner operands against each other, then random ones, ``count`` in all or a few more.

    Where only a few are wanted, some of the corners.

    Loads the modulus first. Where the core has controls, a quarter of the operands comes again with each
    of them high, and with random ones; where it holds several operations, some come one at a time. Yields
    the number of multiplications checked after each batch.
    """
    core, config = simulation.build.core, simulation.config
    simulation.load(modulus)
    corners = corner_operands(simulation.build, modulus)
    pairs = [(x, y) for x in corners for y in corners]
    if core.function.draw:
        pairs = core.function.drawn(simulation.at, modulus, rng, 1)
    elif 0 <= 10 * count < len(pairs):
        pairs = rng.sample(pairs, count)
    if core.interface.in_flight(config) > 1:
        for x, y in pairs[-ALONE:]:
            yield check_batch(simulation, modulus, [x], [y])
    while count > 0:
        pairs += core.function.drawn(simulation.at, modulus, rng, min(count, BATCH) - len(pairs))
        xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
        yield check_batch(simulation, modulus, xs, ys)
        if core.interface.controls:
            picked = rng.sample(pairs, ceil_div(len(pairs), 4))
            yield _with_controls(simulation, modulus, [x for x, _ in picked], [y for _, y in picked], rng)
        count -= len(pairs)
        pairs = []


def check_back_pressure(simulation: Simulation, modulus: int, count: int, rng: random.Random) -> int:
    """Results, order and stability with random idle and stall cycles, gentle to harsh."""
    core = simulation.build.core
    simulation.load(modulus)
    total = 0
    for idle, stall in ((128, 0), (0, 128), (128, 128), (250, 20), (20, 250)):
        xs, ys = zip(*core.function.drawn(simulation.at, modulus, rng, count), strict=True)
        controls = random_controls(core, len(xs), rng)
        total += check_batch(simulation, modulus, xs, ys, idle=idle, stall=stall, controls=controls)
    return total


def check_power_up(build: Build, moduli: Sequence[int], seeds: Sequence[int]) -> int:
    """Right from the first context after a reset of one cycle, whatever the registers hold at power-up.

    The context, and then operands, are offered from the first cycle on.
    """
    total = 0
    for turn, seed in enumerate(seeds):
        simulation = Simulation(build, seed=seed)
        modulus = moduli[turn % len(moduli)]
        simulation.load(modulus)
        corners = corner_operands(build, modulus)
        total += check_batch(simulation, modulus, corners, corners[::-1])
    return total


ORDERS = ((False,), (True,), (False, False, True), (True, False, True, True))
"""Legal and illegal contexts behind a reset, so that each comes behind each."""
ROUNDS = 3
"""How often operands meet a context in each gap, with other pauses and moduli."""
REFUSED = 40
"""Of the contexts that must be refused, those that are tried one after the other."""
RESETS = 8
"""About how many cycles of an operation a reset comes in, evenly spaced."""
WALKS = 6
"""How often a walk begins anew."""
STRETCHES, OFTEN = 8, (0.04, 0.3, 0.6, 1.0)
"""How often the chances of a walk change, and what they are."""
PAUSES = (0, 0, 1, 2, 3)
"""Cycles that a core which is ready has to wait for operands in a walk."""
SOME = 6
"""Of the gaps between many beats, those that are tried."""


def _some(beats: int, rng: random.Random) -> list[int]:
    """Beats taken before a gap: all numbers from 1 to ``beats`` - 1, or some with the first and the last."""
    gaps = range(1, beats)
    if len(gaps) <= SOME:
        return list(gaps)
    return sorted({1, *rng.sample(gaps, SOME - 2), beats - 1})


def _quiet(config: Config) -> int:
    """Cycles in which operands are offered that must not be accepted."""
    return 2 * config.beats + 8


def check_reset(
    simulation: Simulation, moduli: Sequence[int], rng: random.Random, resets: int = RESETS
) -> int:
    """Reset of one cycle anywhere: between beats of a context, of operands, of a result, and elsewhere.

    In an operation it comes in about as many cycles as ``resets`` says, and in its first and last ones.
    Reset works at once, without a clock edge. Operands are offered after it and must not be accepted until a
    context has come; then the core works.
    """
    core, config = simulation.build.core, simulation.config
    ports = Ports(simulation, rng)
    turn = again(moduli)

    def reset_here(modulus: int) -> None:
        ports.reset_at_once()
        ports.operands(modulus)
        ports.idle(_quiet(config), operands=True)
        ports.start(modulus)
        ports.finish()

    reset_here(next(turn))
    illegal = [Context(beats, None) for beats in core.illegal_contexts(config)[:1]]
    for context in (ports.of(next(turn)), *illegal):
        for taken in _some(len(context.beats), rng):
            ports.context(context)
            ports.load(taken)
            reset_here(next(turn))
        for later in range(3):
            ports.context(context)
            ports.load()
            ports.idle(later)
            reset_here(next(turn))
    for modulus in one_of_each_field(moduli):
        at = config.at(modulus)
        latency = core.interface.latency(at)
        operands = [(taken, 0) for taken in _some(at.beats, rng)]
        step = ceil_div(latency, resets)
        times = {*range(rng.randrange(step), latency, step), 0, 1, latency - 1, latency, latency + 2}
        operation = [(None, k) for k in sorted(times)]
        for beats, later in operands + operation:
            ports.start(modulus)
            ports.operands(modulus)
            ports.send(beats)
            ports.idle(later)
            reset_here(modulus)
        for taken in _some(at.beats, rng):
            ports.start(modulus)
            ports.operands(modulus)
            ports.send()
            ports.collect(taken)
            reset_here(modulus)
        ports.start(modulus)
        ports.fill(core.interface.in_flight(config), modulus)
        reset_here(modulus)
    return ports.done


def check_context(simulation: Simulation, moduli: Sequence[int], rng: random.Random) -> int:
    """Contexts, legal and illegal, whole and in pieces, after a reset and after each other in every order.

    Operands are offered all the while, or from some beat on: they are accepted in time after a legal context
    and never in the middle of one or after an illegal one. ``ctx_error_o`` is right in every cycle. Then come
    all illegal ones, or some of many, and each modulus has some operations in a row.
    """
    core, config = simulation.build.core, simulation.config
    ports = Ports(simulation, rng)
    turn = again(moduli)
    illegal = again([Context(beats, None) for beats in core.illegal_contexts(config)])
    for in_pieces, order in product((False, True), ORDERS):
        ports.reset()
        modulus = next(turn)
        for legal in order:
            if not ports.operands_left:
                ports.operands(modulus)
            _load(ports, ports.of(modulus) if legal else next(illegal), rng, in_pieces=in_pieces)
            if legal:
                ports.finish()
                modulus = next(turn)
            else:
                ports.idle(_quiet(config), operands=True)
    for context in (ports.of(modulus), next(illegal)):  # whose first beat ends the one before
        ports.reset()
        ports.start(modulus)
        ports.operands(modulus)
        ports.context(context)
        ports.load(1)
        ports.idle(2, operands=True)
        ports.load(operands=True)
        ports.idle(_quiet(config), operands=True)
    every = [Context(beats, None) for beats in core.illegal_contexts(config)]
    for context in every if len(every) <= REFUSED else rng.sample(every, REFUSED):
        if not ports.operands_left:
            ports.operands(modulus)
        ports.context(context)
        ports.load(operands=True)
        ports.idle(_quiet(config), operands=True)
    ports.reset()
    for legal in (False, False, True, True, False, True):  # each from the cycle behind the one before
        ports.context(ports.of(modulus) if legal else next(illegal))
        ports.load()
    ports.operands(modulus)
    ports.finish()
    total = ports.done
    ports.reset()
    for modulus in moduli:
        simulation.load(modulus)
        limit = core.function.operand_max(simulation.at, modulus) + 1
        xs, ys = ([rng.randrange(limit) for _ in range(3)] for _ in range(2))
        total += check_batch(simulation, modulus, xs, ys)
    return total


def _load(ports: Ports, context: Context, rng: random.Random, *, in_pieces: bool) -> None:
    """A context that is offered at once, and operands with it or, in pieces, from some beat on."""
    beats = len(context.beats)
    gaps = _some(beats, rng) if in_pieces else []
    start = rng.choice([0, *gaps, beats]) if in_pieces else 0
    ports.context(context)
    for taken in range(beats):
        if taken in gaps:
            ports.idle(rng.randint(1, 3), operands=taken >= start)
        ports.load(taken + 1, operands=taken >= start)


def check_operands(simulation: Simulation, moduli: Sequence[int], rng: random.Random) -> int:
    """Operands and results in pieces, a context offered in every gap, with one to all operations in flight.

    Operands are finished first, then all results are taken, then the context goes before operands that wait.
    """
    core, config = simulation.build.core, simulation.config
    ports = Ports(simulation, rng)
    turn = again(moduli)
    after = next(turn)
    ports.start(after)
    gaps = _some(config.beats, rng)
    stops = (
        *(("operands", taken) for taken in gaps),
        *(("in flight", count) for count in _some(core.interface.in_flight(config) + 1, rng)),
        *(("result", taken) for taken in (0, *gaps)),
    )
    for stop, count in stops * ROUNDS:
        before, after = after, next(turn)
        if stop == "in flight":
            ports.fill(count, before, after)
        else:
            ports.operands(before, after)
            ports.send(count if stop == "operands" else None)
        if stop == "result":
            ports.collect(count)
        ports.context(ports.of(after))
        for _ in range(rng.randint(1, 3)):
            ports.cycle(context=True)
        if ports.operand_beats:
            ports.send()
        if not ports.operands_left:
            ports.operands(before, after)
        ports.until(lambda: not ports.context_left, context=True, operands=True, ready=0.5)
        ports.finish()
    return ports.done


def check_walk(simulation: Simulation, moduli: Sequence[int], rng: random.Random, walks: int = WALKS) -> int:
    """Contexts, legal and illegal, operands, stalls and resets in any order, as chance has it.

    Each walk has two moduli, which every operand suits, and ends with a reset; how often something comes
    changes meanwhile.
    """
    core, config = simulation.build.core, simulation.config
    ports = Ports(simulation, rng)
    illegal = again([Context(beats, None) for beats in core.illegal_contexts(config)])
    words = len(core.interface.context(config.at(moduli[0]), moduli[0]))
    whole = core.interface.latency(config) + core.interface.interval(config) + 2 * config.beats + words
    for _ in range(walks):
        some = rng.choices(moduli, k=2)
        for _ in range(STRETCHES):
            context, operands, ready = rng.choice(OFTEN[1:]), rng.choice(OFTEN), rng.choice(OFTEN)
            for _ in range(whole + core.interface.context_wait(config)):
                wanted = 1 if ports.phase in ("no context", "refused") else 0.5 / whole
                if not ports.context_left and rng.random() < wanted:
                    ports.context(ports.of(rng.choice(some)) if rng.random() < 0.8 else next(illegal))
                if not ports.operands_left:
                    ports.operands(*some)
                    pause = rng.choice(PAUSES)
                ports.cycle(
                    context=rng.random() < context,
                    operands=rng.random() < operands and (ports.operand_beats > 0 or ports.waited >= pause),
                    ready=rng.random() < ready,
                )
        ports.reset_at_once()
    return ports.done


def check_paths(simulation: Simulation, moduli: Sequence[int], rng: random.Random) -> int:
    """Within a cycle only ``in_ready_o`` depends on inputs, and only on those that the contract names.

    That is looked at in every state of the handshakes, and in some cycles of an operation.
    """
    core, config = simulation.build.core, simulation.config
    ports = Ports(simulation, rng)

    def look(**offers: bool) -> None:
        ports.cycle(**offers, probe=True)

    for modulus in one_of_each_field(moduli):
        ports.reset()
        look()
        for context in (Context(core.illegal_contexts(config)[0], None), ports.of(modulus)):
            gaps = _some(len(context.beats), rng)
            ports.context(context)
            while ports.context_left:
                taken = len(context.beats) - ports.context_left
                ports.cycle(context=True, probe=taken in (0, *gaps))
            for _ in range(4):
                look()
        ports.operands(modulus)
        for taken in _some(config.beats, rng):
            ports.send(taken)
            look()
        ports.send()
        chance = 8 / core.interface.latency(config)
        while not ports.has_result:
            ports.cycle(probe=rng.random() < chance)
        for taken in (0, *_some(config.beats, rng)):
            ports.collect(taken)
            look()
        ports.finish()
        look()
    return ports.done


def check_model(build: Build, moduli: Sequence[int], rng: random.Random) -> int:
    """The hardware's registers against the core's model, after every clock cycle of an operation.

    Operations come one at a time; where the core has controls, some with each of them high.
    """
    simulation, core = Simulation(build), build.core
    total = 0
    for modulus in moduli:
        simulation.load(modulus)
        corners = corner_operands(build, modulus)
        limit = core.function.operand_max(simulation.at, modulus) + 1
        pairs = [
            (corners[-1], corners[-1]),
            (corners[0], corners[-1]),
            (corners[-2 % len(corners)], corners[len(corners) // 2]),
        ]
        pairs += [(rng.randrange(limit), rng.randrange(limit)) for _ in range(3)]
        memory: dict[str, int] = {}
        for x, y in pairs:
            _follow(simulation, modulus, x, y, memory)
            for control in core.interface.controls:
                _follow(simulation, modulus, x, y, memory, **{control.field: True})
            total += 1 + len(core.interface.controls)
    return total


def _follow(
    simulation: Simulation, modulus: int, x: int, y: int, memory: dict[str, int], **controls: bool
) -> None:
    """One operation of the hardware against the model; ``memory`` is that of the operations before."""
    core = simulation.build.core
    at = simulation.config.at(modulus, **controls)
    states = simulation.follow(x, y, **controls)
    factors = core.function.factors(at, x, y, dict(memory))
    core.function.answer(at, modulus, x, y, memory)
    steps = list(core.algorithm.model(at, modulus, *factors))
    if len(states) != len(steps):
        raise VerificationError(
            f"{simulation.build}{told(at)}: {len(states)} cycles, the model has {len(steps)}"
        )
    for cycle, (state, step) in enumerate(zip(states, steps, strict=True)):
        for name, value in step.state.items():
            if state[name] != value:
                raise VerificationError(
                    f"{simulation.build}: M = {shown(modulus)}, x = {x:#x}, y = {y:#x}{told(at)}: "
                    f"after cycle {cycle} (step {step.label}) {name} is {state[name]:#x}, "
                    f"the model says {value:#x}"
                )


def check_illegal_parameters(room: Room) -> int:
    """The hardware refuses to elaborate with illegal parameters, and Python refuses them with the reason.

    Each parameter is set to those of :data:`ILLEGAL`; what ``Config`` refuses must stop elaboration by naming
    a module ``illegal_parameter_…``. Returns the number of refusals.
    """
    refused = 0
    for told_as, bad in _illegal_builds(room):
        refused += 1
        try:
            lint(bad)
        except SimulatorError as error:
            if "illegal_parameter_" not in str(error):
                raise VerificationError(
                    f"{room.core.slug}: {told_as} does not say illegal_parameter_…: {error}"
                ) from error
        else:
            raise VerificationError(f"{room.core.slug}: the hardware accepts {told_as}")
    return refused


def _illegal_builds(room: Room) -> Iterator[tuple[str, Design]]:
    """Builds that Python refuses, made all the same, each with one parameter of its own changed."""
    config = room.core.builds.at(16)[0]
    design = room.design(config)
    for name, value in product(config.own(), ILLEGAL):
        if name in design.parameters and _refuses(config, {name: value}):
            yield f"{name} = {value}", replace(design, parameters={**design.parameters, name: value})


def _refuses(config: Config, values: Mapping[str, int]) -> bool:
    try:
        config.with_parameters(values)
    except ValueError:
        return True
    return False
