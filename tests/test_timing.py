# SPDX-License-Identifier: Apache-2.0
"""The cycles of a program: rounds that are counted take what they take when each row is run."""

import re
from collections.abc import Callable
from dataclasses import fields
from inspect import getsource

import pytest

from modmul.registry import on, program, programs, read_program, systems
from modmul.systems import timing
from modmul.systems.engine import EngineConfig, unit
from modmul.systems.timing import Unit

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


class Counting(Unit):
    """Counts the words that are taken."""

    taken = 0

    def feed(self, moved: int, one_before: int, two_before: int, f: int | None) -> tuple[int, int, int]:
        self.taken += self.beats
        return super().feed(moved, one_before, two_before, f)


def counted(
    name: str, core: str, width: int, settings: dict[str, int], cycles: Callable[..., int] = timing.cycles
) -> tuple[int, int, int]:
    """Cycles with all rounds run, those with rounds counted, and the words that the cores take with these."""
    if name in systems():
        config = on(name, core).build(width, settings).config
    else:
        file, text = read_program(name) if name in programs() else (name, DIGITS)
        config = program(text, core, file)[1].build(width, settings).config
    assert isinstance(config, EngineConfig)

    def once(told: Callable[[int, int], None] | None) -> tuple[int, int]:
        idle = unit(config, config.lanes)
        cores = Counting(**{each.name: getattr(idle, each.name) for each in fields(idle)})
        took = cycles(
            *(config.program, cores, config.word, config.first, config.rounds, config.product),
            *(told,),
            counts=config.counts,
        )
        return took, cores.taken

    whole, _ = once(lambda _row, _cycle: None)
    return whole, *once(None)


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: f"{build[0]}-{build[1]}")
def test_rounds_that_are_counted_take_as_long(build: tuple[str, str, int, dict[str, int]]) -> None:
    whole, quick, _ = counted(*build)
    assert quick == whole


def test_most_rounds_of_long_powers_are_counted() -> None:
    short, long = (counted("modexp", "rrm", 256, {"ExponentBits": bits})[2] for bits in (512, 8192))
    assert long < 2 * short


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("seen.setdefault(state, ", "seen.setdefault((turn, *others), "),
        ("to_come // period * (begin - before[1])", "0"),
        ("return to_come // period * period", "return to_come // period"),
    ],
)
def test_counting_that_is_wrong_is_found(right: str, wrong: str) -> None:
    text = re.sub("^from __future__.*", "", getsource(timing), flags=re.MULTILINE)
    assert text.count(right) == 1
    names: dict[str, object] = {"__name__": timing.__name__}
    exec(compile(text.replace(right, wrong), "wrong", "exec"), names)
    cycles = names["cycles"]
    assert callable(cycles)
    assert any(whole != quick for whole, quick, _ in (counted(*build, cycles) for build in BUILDS))
