# SPDX-License-Identifier: Apache-2.0
"""Bits that flip in the middle of an operation: which registers there are, and what is told of them."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import faults
import pytest

from modmul.registry import on, room
from modmul.study.flipping import PLAN, Asked, Known, known, stale, totals
from modmul.verify.faults import OUTCOMES, Strike, strikes
from modmul.verify.registers import Register, registers
from modmul.verify.simulation import Fault, Simulation, Struck

M, X, Y = 0xFFF1, 0x1234, 0xBEEF


def test_all_registers_of_a_design_are_found() -> None:
    """Of flags, words and memories, in generate blocks too."""
    found = {each.path: each for each in registers(room("fips").build(64, {"Word": 16}).design)}
    memory = found["gen_lane[0].u_lane.u_x.words"]
    assert memory == Register("gen_lane[0].u_lane.u_x.words", "mm_word_ram", 16, 4)
    assert found["u_control.u_gate.error_q"].bits == 1 and not found["u_control.u_gate.error_q"].depth
    assert all(each.bits > 0 for each in found.values())
    states = [each for path, each in found.items() if path.endswith("state_q")]
    assert states and all(each.bits > 1 and not each.depth for each in states)


@pytest.fixture(scope="module")
def struck() -> tuple[Simulation, list[Register]]:
    build = room("imml_booth4").build(16)
    found = registers(build.design)
    return Simulation(build, flipped=found), list(found)


def test_an_operation_without_a_fault_is_right(struck: tuple[Simulation, list[Register]]) -> None:
    simulation, _ = struck
    simulation.reset()
    simulation.load(M)
    for x, y in ((X, Y), (0, 1), (M - 1, M - 1)):
        assert simulation.strike(x, y) == Struck(x * y % M, 1, False)


def test_a_bit_that_flips_is_seen_at_its_cycle_and_at_no_other(
    struck: tuple[Simulation, list[Register]],
) -> None:
    """In the accumulator: in the middle it matters, long after the result nothing comes of it."""
    simulation, found = struck
    latency = simulation.room.core.interface.latency(simulation.at)
    results = []
    number = next(i for i, each in enumerate(found) if each.module == "mm_imml_booth4" and each.bits >= 16)
    for cycle in (latency // 2, 40 * latency):
        simulation.reset()
        simulation.load(M)
        results.append(simulation.strike(X, Y, Fault(cycle, number, 0, 3)))
    assert results[0] != results[1] == Struck(X * Y % M, 1, False)


def outcomes(found: list[Strike]) -> Counter[str]:
    return Counter(each.outcome for each in found)


def test_a_core_alone_lets_wrong_results_out() -> None:
    build = room("imml_booth4").build(16)
    found = list(strikes(build, 200, seed=4))
    assert outcomes(found)["wrong"] > 20 and outcomes(found)["harmless"] > 20 and outcomes(found)["stopped"]
    assert {each.register for each in found} == set(registers(build.design)), "each had its turn"
    assert found == list(strikes(build, 200, seed=4)) != list(strikes(build, 200, seed=5))


def test_random_numbers_of_contexts_are_those_of_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a fault can be had again: RSA draws what blinds a message for each context."""
    loaded: list[tuple[int, ...]] = []
    load = Simulation.load_words

    def remembered(simulation: Simulation, beats: Sequence[int]) -> None:
        loaded.append(tuple(beats))
        load(simulation, beats)

    monkeypatch.setattr(Simulation, "load_words", remembered)
    for seed in (4, 4, 5):
        list(strikes(on("rsa_crt", "fips").build(16), 3, seed=seed))
    first, again, other = loaded[:3], loaded[3:6], loaded[6:]
    assert first == again != other and len(set(first)) == 3


def test_rsa_with_its_check_detects_what_it_lets_out_without() -> None:
    checked, free = (on("rsa_crt", "fips").build(16, {"Check": check}) for check in (1, 0))
    found = {build: outcomes(list(strikes(build, 500, seed=4))) for build in (checked, free)}
    assert found[free]["wrong"] > 10 and not found[checked]["wrong"]
    assert found[checked]["detected"] > found[free]["detected"] + 10


# --- ten thousand -------------------------------------------------------------------------------------


def nothing_wrong(asked: Asked, found: Sequence[Strike]) -> None:
    """Every register was struck, and the right results left, or none."""
    assert {each.register for each in found} == {*registers(asked.build.design)}
    assert [str(each) for each in found if each.outcome == "wrong"] == []


@pytest.mark.long
@pytest.mark.parametrize("asked", PLAN, ids=lambda asked: asked.command)
def test_ten_thousand_flips_let_nothing_wrong_out(
    asked: Asked, rng: random.Random, record_property: Callable[[str, object], None]
) -> None:
    """Others than those of the record, with each seed."""
    seed = rng.getrandbits(31)
    found = list(strikes(asked.build, asked.count, seed=seed))
    counts = outcomes(found)
    told = ", ".join(f"{counts[name]:,} {name}" for name in OUTCOMES)
    record_property("told", f"{asked.command} --seed {seed}: {told}")
    nothing_wrong(asked, found)


def test_the_plan_has_ten_thousand_flips_most_of_them_with_short_keys() -> None:
    assert sum(asked.count for asked in PLAN) == 10_000
    assert 100 <= sum(asked.count for asked in PLAN if asked.width > 64) <= 1_000
    assert len({room(asked.core).wing for asked in PLAN}) >= 5


def test_something_wrong_and_a_register_that_is_left_out_are_found() -> None:
    asked = PLAN[0]
    every = [
        Strike(register, Fault(0, number, 0, 0), M, X, Y, "harmless")
        for number, register in enumerate(registers(asked.build.design))
    ]
    wrong = replace(every[0], outcome="wrong")
    nothing_wrong(asked, every)
    for found, text in (([*every, wrong], wrong.register.path), (every[1:], "Register")):
        with pytest.raises(AssertionError, match=re.escape(text)):
            nothing_wrong(asked, found)
    told = Known.of(asked, [*every[1:], wrong, wrong])
    assert (told.struck, told.registers) == (len(every), len(every))
    assert totals(told.modules.values()) == {
        **dict.fromkeys(OUTCOMES, 0),
        "harmless": len(every) - 1,
        "wrong": 2,
    }


def test_the_record_is_of_this_hardware() -> None:
    """If this fails: make faults."""
    assert stale(known()) == []
    first, *_ = known()
    assert first.command in stale([replace(first, digest="0")])


def test_no_flip_of_the_record_let_something_wrong_out() -> None:
    assert all(each.struck == each.registers for each in known())
    counts = totals(of for each in known() for of in each.modules.values())
    assert sum(counts.values()) == 10_000 and not counts["wrong"] and counts["detected"] > 1_000


def test_the_page_tells_what_is_known() -> None:
    text = faults.PAGE.read_text(encoding="utf-8")
    assert faults.renewed(text, known()) == text
