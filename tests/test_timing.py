# SPDX-License-Identifier: Apache-2.0
"""The cycles of a program: rounds that are counted take what they take when each row is run."""

import re
import sys
from ast import literal_eval
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from inspect import getsource
from random import Random
from types import ModuleType
from typing import Any

import pytest

from modmul.core import Beside
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
        file, text = read_program(name) if name in programs() else (name, DIGITS)
        config = program(text, core, file)[1].build(width, settings).config
    assert isinstance(config, EngineConfig)
    words = 0

    class Counting(module.Unit):  # type: ignore[misc]
        """Counts the words that are taken."""

        def feed(self, *cycles: Any) -> Any:
            nonlocal words
            words += self.beats
            return super().feed(*cycles)

    def once(told: Callable[[int, int], None] | None) -> int:
        idle = unit(config, config.lanes)
        cores = Counting(**{each.name: getattr(idle, each.name) for each in fields(idle)})
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


def changed(right: str, wrong: str) -> ModuleType:
    """The module of the times with something else in it."""
    text = re.sub("^from __future__.*", "", getsource(timing), flags=re.MULTILINE)
    assert text.count(right) == 1
    module = ModuleType("wrong_timing")
    sys.modules[module.__name__] = module  # dataclasses look there
    text = "from __future__ import annotations\n" + text.replace(right, wrong)
    exec(compile(text, "wrong", "exec"), vars(module))
    del sys.modules[module.__name__]
    return module


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
        ("self.fed[key] = self._feed(*key)", "self.fed[key] = self._feed(*known, 0, -1, -1, None)"),
        ("max(f - moved, -self.beats)", "0"),
    ],
)
def test_counting_that_is_wrong_is_found(right: str, wrong: str) -> None:
    module = changed(right, wrong)
    assert any(counted(*build, module)[1] != right_cycles((*build[:3], repr(build[3]))) for build in BUILDS)


HISTORY = ("free", "starts", "left", "words")


def same_state_same_future(of: Callable[..., Any]) -> bool:
    """Whether units that have done different things, and are in the same state, go on in the same way.

    Args:
        of: makes the unit.
    """
    random, now = Random(26), 100
    for _ in range(4000):
        beats, latency, loading = random.randint(1, 4), random.randint(3, 12), random.randint(-3, 6)
        beside = Beside([random.randint(0, 14) for _ in range(beats)], 2, random.choice((-1, 9)))
        given = {
            "offsets": sorted(random.sample(range(8), beats)),
            **{name: random.random() < 0.5 for name in ("alone", "gear", "staged")},
            "beside": random.choice((None, beside)),
        }
        before = {name: now + random.randint(-20, 6) for name in HISTORY}
        other = {**before, random.choice(HISTORY): now + random.randint(-20, 6)}
        begins = [now + random.randint(0, 2) for _ in range(3)]
        f = random.choice((None, now - random.randint(0, 6)))
        found = []
        for history in (before, other):
            known = {each: [(at - 1, at) if each == "words" else at] for each, at in history.items()}
            unit = of(beats, lambda _: latency, lambda _: latency + loading, **given, **known)  # noqa: B023
            state = unit.state(now)
            came = [(*unit.feed(*begins, f), unit.begins(False)) for _ in range(2)]
            found.append((state, came))
        if found[0][0] == found[1][0] and found[0][1] != found[1][1]:
            return False
    return True


def test_the_state_of_a_unit_is_all_that_decides() -> None:
    assert same_state_same_future(timing.Unit)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("ago = -self.beats - 1 - max(loading, 0)", "ago = 0"),
        ("beside = -max(self.beside.earliest) if self.beside else 0", "beside = 0"),
        ("tuple(max(free - cycle, 0) for free in self.free[-self.cores :])", "()"),
        ("(max(second - cycle, -1), max(last - cycle, -1))", "0"),
    ],
)
def test_a_state_that_lacks_something_is_found(right: str, wrong: str) -> None:
    assert not same_state_same_future(changed(right, wrong).Unit)
