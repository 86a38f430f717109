# SPDX-License-Identifier: Apache-2.0
"""The cycles of a program: rounds that are counted take what they take when each row is run."""

import re
import sys
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from inspect import getsource
from random import Random
from types import ModuleType
from typing import Any

import pytest

from modmul.core import Beside, Stream
from modmul.core import stream as core_stream
from modmul.cores.product_scanning.fips import core as fips_core
from modmul.registry import on, program, programs, read_program, systems
from modmul.systems import timing
from modmul.systems.engine import EngineConfig, unit

BUILDS: tuple[tuple[str, str, int, dict[str, int]], ...] = (
    ("modexp", "rrm", 256, {}),
    ("modexp", "montgomery_dsp", 144, {"Cores": 3}),
    ("modexp", "interleaved_csa", 128, {"Cores": 2}),
    ("ladder", "fips", 256, {"Cores": 2}),
    ("rsa_crt", "montgomery_csa2", 512, {}),
    ("odd_inverse", "scalable_booth4_left", 64, {}),
    ("inverse", "rrm", 96, {}),
    ("digits", "montgomery_dsp", 96, {}),
    ("sums", "montgomery_dsp", 108, {"Word": 36}),
)
"""System or program, core, width, parameters."""

DIGITS = """\
.table   t 8
.number  t0=one r2
.operand x e
    bits  first
round:
    mul   -, x, r2
    bits  3
    loop  round
    out   f
"""
"""Its rounds wait for the digits alone, some of which lie in two words."""

SUMS = """\
.keep
.number  one r2 m
.operand x e
.modulus m
    mul   a, x, r2
    add   b, x, x
    sub   c, x, one
    bits  first
    jump  test
round:
    mul   -, a, b
    mul   -, b, c
    mul   d, a, c
    add   b, b, c
    sub   c, c, x
    bits  1
    mul   a, d, f
    add   b, b, a
test:
    loop  round
    out   b
"""
"""Products in front of sums and behind them, of registers that both write."""

TEXTS = {"digits": DIGITS, "sums": SUMS}


def counted(
    name: str, core: str, width: int, settings: dict[str, int], module: Any = timing
) -> tuple[int, int, int]:
    """Cycles with all rounds run, those with rounds counted, and the words that the cores take with these.

    Args:
        module: that of the times.
    """
    if name in systems():
        config = on(name, core).build(width, settings).config
    else:
        file, text = read_program(name) if name in programs() else (name, TEXTS[name])
        config = program(text, core, file)[1].build(width, settings).config
    assert isinstance(config, EngineConfig)
    words = 0

    class Counting(module.Unit):  # type: ignore[misc]
        """Counts the words that are taken."""

        def operate(self, *how: Any) -> Any:
            nonlocal words
            words += self.beats
            return super().operate(*how)

    def once(told: Callable[[int, int], None] | None) -> int:
        idle = unit(config, config.lanes)
        stream = idle.stream
        if isinstance(stream, timing.Geared):
            stream = module.Geared.of(stream.core, idle.beats)
        cores = Counting(stream, idle.cores, idle.staged, idle.pairs)
        took = module.cycles(
            *(config.program, cores, config.word, config.first, config.rounds, config.product, told),
            counts=config.counts,
        )
        assert isinstance(took, int)
        return took

    whole, before = once(lambda _row, _cycle: None), words
    return whole, once(None), words - before


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: f"{build[0]}-{build[1]}")
def test_rounds_that_are_counted_take_as_long(build: tuple[str, str, int, dict[str, int]]) -> None:
    whole, quick, _ = counted(*build)
    assert quick == whole


def test_most_rounds_of_long_powers_are_counted() -> None:
    short, long = (counted("modexp", "rrm", 256, {"ExponentBits": bits})[2] for bits in (512, 8192))
    assert long < 2 * short


def changed(right: str, wrong: str, module: ModuleType = timing) -> ModuleType:
    """A module, that of the times, with something else in it."""
    text = re.sub("^from __future__.*", "", getsource(module), flags=re.MULTILINE)
    assert text.count(right) == 1
    found = ModuleType(f"wrong_{module.__name__}")
    sys.modules[found.__name__] = found  # dataclasses look there
    text = "from __future__ import annotations\n" + text.replace(right, wrong)
    exec(compile(text, "wrong", "exec"), vars(found))
    del sys.modules[found.__name__]
    return found


@cache
def right_cycles(build: tuple[str, str, int, str]) -> int:
    name, core, width, settings = build
    return counted(name, core, width, literal_eval(settings))[0]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("seen.setdefault(state, ", "seen.setdefault((turn, *others), "),
        ("to_come // period * (begin - before[1])", "0"),
        ("return to_come // period * period", "return to_come // period"),
        # What the core has taken before, and when it is free, decides what a word waits for.
        ("*before, turns)", "*before, [_Turn(0, self.stream.idle)] * taking)"),
        ("max(f - moved, -self.each)", "0"),
    ],
)
def test_counting_that_is_wrong_is_found(right: str, wrong: str) -> None:
    module = changed(right, wrong)
    assert any(counted(*build, module)[1] != right_cycles((*build[:3], repr(build[3]))) for build in BUILDS)


# --- what is forgotten ----------------------------------------------------------------------------------


def streams(regular: Any, gear: Any, of_fips: Any, random: Random) -> Iterator[Stream[Any]]:
    """Cores of all kinds, any time after any other.

    Args:
        regular, gear, of_fips: the modules of :class:`Regular`, of the gear and of ``fips``.
    """
    beats, latency, loading = random.randint(1, 4), random.randint(3, 12), random.randint(-3, 6)
    beside = Beside([random.randint(0, 14) for _ in range(beats)], 2, random.choice((-1, 9, 20)))
    more = random.randint(0, 2)
    core = regular.Regular(
        sorted(random.sample(range(8), beats)),
        lambda square: latency + more * square,
        lambda square: latency + more * square + loading,
        random.random() < 0.5,
        random.choice((None, beside)),
    )
    yield core
    words, multipliers = random.randint(1, 24), random.randint(1, 2)
    kinds = [
        of_fips.Kind(words, products, multipliers, random.randint(2, 4), 21 if words > 16 else 0)
        for products in ("all", random.choice(("all", "half", "diagonal")))
    ]
    fips = of_fips.Scanning(range(words), lambda _: 0, lambda _: 0, False, tuple(kinds))
    yield fips
    yield from (gear.Geared.of(each, random.randint(2, 5)) for each in (core, fips) if each.beats == 1)


def goes_on(
    stream: Stream[Any], state: Any, cycle: int, plan: Sequence[tuple[bool, int]]
) -> tuple[list[int], Any]:
    """When everything of some operations happens, whose words come from a cycle on, and the state then.

    Args:
        plan: for each whether it is a square, and a number by which its times are drawn.
    """
    found = []
    for square, seed in plan:
        random = Random(seed)
        most = random.choice((0, 0, 3, 40))
        for _ in range(stream.beats):
            offered = cycle + 1 + random.choice((0, random.randint(0, most)))
            cycle, state = stream.take(state, offered, square)
            found.append(cycle)
        comes, state = stream.result(state, square)
        first = comes + random.choice((0, random.randint(0, most)))
        state = stream.leave(state, first, first + stream.beats - 1)
        found.append(comes)
    return found, state


def forgets_nothing(regular: Any = core_stream, gear: Any = timing, of_fips: Any = fips_core) -> bool:
    """Whether cores go on in the same way behind :meth:`Stream.later` as without it."""
    random = Random(26)
    for _ in range(1500):
        for stream in streams(regular, gear, of_fips, random):
            plans = [[(random.random() < 0.5, random.getrandbits(30)) for _ in range(3)] for _ in range(2)]
            done, state = goes_on(stream, stream.idle, 0, plans[0])
            now = max(done[-2] + random.choice((0, 2, 30)), done[-1] - random.randint(-40, 40))
            later, _ = goes_on(stream, stream.later(state, now), 0, plans[1])
            if goes_on(stream, state, now, plans[1])[0] != [now + cycle for cycle in later]:
                return False
    return True


def test_what_a_core_forgets_does_not_matter() -> None:
    assert forgets_nothing()


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("regular", "free=max(state.free - cycles, 0), start", "free=0, start"),
        ("regular", "start - cycles, -max(*self.beside.earliest, self.beside.until)", "start - cycles, 0"),
        ("regular", "-max(*self.beside.earliest, self.beside.until)", "-min(self.beside.earliest)"),
        ("regular", "<= self.latency(square) for", "<= self.latency(square) + 9 for"),
        ("gear", "free=max(state.free - cycles, 0), left", "free=0, left"),
        ("gear", "left=max(state.left - cycles, 0))", "left=0)"),
        ("of_fips", "left, before = max(state.left - cycles, 0),", "left, before = 0,"),
        ("of_fips", ", max(state.before - cycles, 0)", ", 0"),
        ("of_fips", "state.end <= cycles", "state.began <= cycles"),
    ],
)
def test_a_core_that_forgets_too_much_is_found(module: str, right: str, wrong: str) -> None:
    known = {"regular": core_stream, "gear": timing, "of_fips": fips_core}
    assert not forgets_nothing(**{module: changed(right, wrong, known[module])})


class Remembering(Stream[Any]):
    """A core that forgets nothing: a state is that of the core, and the cycle in which its cycle 0 is."""

    def __init__(self, core: Stream[Any]) -> None:
        super().__init__(core.offsets, core.latency, core.interval, core.alone)
        object.__setattr__(self, "core", core)

    core: Stream[Any]
    facts = None
    idle = (0, None)

    def _known(self, state: Any) -> Any:
        return self.core.idle if state[1] is None else state[1]

    def take(self, state: Any, offered: int, square: bool) -> tuple[int, Any]:
        cycle, known = self.core.take(self._known(state), offered + state[0], square)
        return cycle - state[0], (state[0], known)

    def result(self, state: Any, square: bool) -> tuple[int, Any]:
        cycle, known = self.core.result(state[1], square)
        return cycle - state[0], (state[0], known)

    def leave(self, state: Any, first: int, last: int) -> Any:
        return state[0], self.core.leave(state[1], first + state[0], last + state[0])

    def later(self, state: Any, cycles: int) -> Any:
        return state[0] + cycles, state[1]


AGO = "max(self.second - ago, -1), max(self.last - ago, -1)"


def state_is_all(module: Any) -> bool:
    """Whether units that now and then are made anew from their state go on as those that forget nothing.

    Args:
        module: that of the units.
    """
    random = Random(27)
    remembering: Any = changed(AGO, "self.second - ago, self.last - ago")
    for _ in range(400):
        for stream in streams(core_stream, module, fips_core, random):
            cores, staged, pairs = random.randint(1, 3), random.random() < 0.5, random.random() < 0.5
            unit = module.Unit(stream, cores, staged, pairs)
            other = remembering.Unit(Remembering(stream), cores, staged, pairs)
            late = int(unit.gear and not (staged or cores > 1))  # which the other one does not know
            moved, one, two, result = 0, 0, 0, 0
            for _ in range(12):
                now = moved + random.choice((0, 0, 0, 1, 30))
                if random.random() < 0.3:
                    last, turns = unit.state(now)
                    unit.left = now - 1000 if last is None else now + last
                    unit.turns = [module._Turn(now, *turn) for turn in turns]
                f = result if random.random() < 0.3 else None
                next_one = (random.random() < 0.5, now + random.choice((2, 2, 3, 20)), one, two, f)
                right, fed = other.operate(*next_one), unit.operate(*next_one)
                moved, left, one, two, (result,), _ = fed
                if (moved, left, one, two, result) != (*right[:4], right.results[0] + late):
                    return False
    return True


def test_the_state_of_a_unit_is_all_that_decides() -> None:
    assert state_is_all(timing)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (AGO, "-1, max(self.last - ago, -1)"),
        (AGO, "max(self.second - ago, -1), -1"),
        ("left = max(self.left - cycle, -self.each - 1) if self.cores > 1 else None", "left = None"),
        ("stream.later(self.core, ago), second", "stream.idle, second"),
        ("max(two_before - moved, 0)", "0"),
        ("key = (square, *before", "key = (*before"),
    ],
)
def test_a_state_that_lacks_something_is_found(right: str, wrong: str) -> None:
    assert not state_is_all(changed(right, wrong))
