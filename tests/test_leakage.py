# SPDX-License-Identifier: Apache-2.0
"""Leakage: registers are counted right, statistics are those of two passes, leaks are found and no others."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import pairwise

import leakage as page
import numpy as np
import numpy.typing as npt
import pytest

from modmul.cli.leaking import ranges
from modmul.moduli import CURVES
from modmul.moduli.multiples import MARGIN, blind_bits, on_twist
from modmul.registry import room
from modmul.study.leakage import Leakage, Run, exposed
from modmul.study.leaking import PLAN, known, missing, stale, unblinded
from modmul.study.sources import EXPONENT, OPERAND, Context, Source, source
from modmul.tools.progress import Progress
from modmul.verify import toggles
from modmul.verify.failures import VerificationError
from modmul.verify.leakage import MOST, THRESHOLD, Sums, leaks
from modmul.verify.simulation import Simulation
from modmul.verify.toggles import Counting

POWER = "modexp:montgomery_csa2"
M = 0xFFF1


def distance(one: int, two: int) -> int:
    return (one ^ two).bit_count()


# --- what is counted ----------------------------------------------------------------------------------


def test_registers_change_by_as_many_bits_as_the_harness_sees() -> None:
    """Of an accumulator, cycle by cycle; behind the same operation, so that nothing is random any more."""
    build = room("imml_booth4").build(16)
    traced = build.core.algorithm.trace(build.config)
    simulation, counting = Simulation(build), Counting(build)
    for each in (simulation, counting):
        each.reset()
        each.load(M)
    simulation.follow(0x1234, 0xBEEF)
    counting.run(0x1234, 0xBEEF, 0)
    states = simulation.follow(0x4321, 0xF00D)
    activity = counting.run(0x4321, 0xF00D, 16, chosen=range(16))
    assert activity.result == 0x4321 * 0xF00D % M
    paths = [register.path for register in counting.registers]
    for name, path in traced.items():
        found = [int(row[paths.index(path)]) for row in activity.each]
        changes = [distance(one[name], two[name]) for one, two in pairwise(states)]
        assert found[1 : len(changes) + 1] == changes and any(changes)
    assert activity.totals.tolist() == activity.each.sum(axis=1).tolist()


def test_words_of_memories_count() -> None:
    """The engine writes x and y into its register file, in both copies, before anything else."""
    counting = Counting(room(POWER).build(16), only="words")
    counting.load(M)
    at = [number for number, each in enumerate(counting.registers) if "u_reader" in each.path]
    assert len(at) == 2 and all(counting.registers[number].depth for number in at)
    counting.run(0x1111, 0x00FF, 0)
    activity = counting.run(0x1234, 0xBEEF, 5, chosen=range(5))
    written = distance(0x1111, 0x1234) + distance(0x00FF, 0xBEEF)
    assert activity.each[:, at].sum(axis=0).tolist() == [written, written]


def test_a_harness_that_counts_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    glue = toggles._Unit.glue
    monkeypatch.setattr(
        toggles._Unit, "glue", lambda *each: glue(*each).replace(", changed(", ", 0 * changed(")
    )
    run = Run(source("imml_booth4", width=16))
    with pytest.raises(VerificationError, match="ever changes"):
        run.go(64)


def test_a_core_that_computes_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toggles.Counting, "_operand", lambda self, _value: self._beats([3] * self.at.beats))
    with pytest.raises(VerificationError, match="not"):
        Run(source("imml_booth4", width=16))


# --- the statistics -----------------------------------------------------------------------------------


def two_passes(one: npt.NDArray[np.float64], two: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Welch's t as it is written in textbooks."""
    spread = one.var(axis=0, ddof=1) / len(one) + two.var(axis=0, ddof=1) / len(two)
    return np.asarray((one.mean(axis=0) - two.mean(axis=0)) / np.sqrt(np.maximum(spread, 1e-12)))


@pytest.fixture
def drawn() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Traces of which sample 3 depends on the set, sample 5 in its variance, and sample 7 on a bit."""
    rng = np.random.default_rng(5)
    traces = rng.integers(900, 1100, (600, 9))
    fixed, secrets = rng.random(600) < 0.4, rng.random((600, 2)) < 0.5
    traces[:, 3] += 60 * fixed
    traces[:, 5] = 1000 + (traces[:, 5] - 1000) * np.where(fixed, 3, 1)
    traces[:, 7] += 80 * (secrets[:, 1] & ~fixed)
    traces[:, 8] = 17
    return traces.astype(np.uint16), fixed, secrets


Drawn = tuple[npt.NDArray[np.uint16], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]


def summed(drawn: Drawn, order: int = 1) -> Sums:
    traces, fixed, secrets = drawn
    sums = Sums(traces.shape[1], secrets.shape[1], order)
    for at in range(0, len(traces), 50):
        part = slice(at, at + 50)
        sums.add(traces[part], fixed[part], at // 50 % 2, secrets[part])
    return sums


def test_t_is_that_of_two_passes(drawn: Drawn) -> None:
    traces, fixed, _ = drawn
    samples, half = traces.astype(float), np.arange(len(traces)) // 50 % 2
    sums = summed(drawn, order=2)
    right = two_passes(samples[fixed], samples[~fixed])
    halves = [two_passes(samples[fixed & (half == h)], samples[~fixed & (half == h)]) for h in (0, 1)]
    assert np.allclose(sums.t()[:8], right[:8]) and sums.t()[8] == 0
    assert np.allclose(sums.halves()[:, :8], np.stack(halves)[:, :8])
    away = [(samples[mask] - samples[mask].mean(axis=0)) ** 2 for mask in (fixed, ~fixed)]
    assert np.allclose(sums.t(2)[:8], two_passes(*away)[:8], rtol=1e-3)
    assert np.flatnonzero(leaks(sums.halves())).tolist() == [3, 7]
    assert 5 in np.flatnonzero(leaks(sums.halves(2)))


def test_signal_to_noise_is_that_of_two_passes(drawn: Drawn) -> None:
    traces, fixed, secrets = drawn
    samples = traces[~fixed].astype(float)
    for bit, snr in enumerate(summed(drawn).snr()):
        ones = secrets[~fixed, bit]
        groups = samples[ones], samples[~ones]
        weights = [len(group) / len(samples) for group in groups]
        means = [group.mean(axis=0) for group in groups]
        mean = sum(w * m for w, m in zip(weights, means, strict=True))
        signal = sum(w * (m - mean) ** 2 for w, m in zip(weights, means, strict=True))
        noise = sum(w * group.var(axis=0) for w, group in zip(weights, groups, strict=True))
        assert np.allclose(snr[:8] * noise[:8], signal[:8]) and snr[8] == 0
        assert (snr[7] > 0.1) == (bit == 1)


def test_both_halves_have_to_agree() -> None:
    high = THRESHOLD + 1
    halves = np.asarray([[high, high, high, 0.0, -high], [high, -high, 1.0, high, -high]])
    assert leaks(halves).tolist() == [True, False, False, False, True]


def test_sets_that_are_constant_and_differ_leak() -> None:
    sums = Sums(2)
    for half in (0, 1):
        fixed = np.arange(8) % 2 == 0
        sums.add(np.stack([np.where(fixed, 3, 4), np.full(8, 9)], axis=1).astype(np.uint16), fixed, half)
    assert sums.t().tolist() == [-MOST, 0] and leaks(sums.halves()).tolist() == [True, False]


# --- what leaks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant(Source):
    """The same source in both sets: there is nothing to be found."""

    of: Source

    @property
    def bits(self) -> int:
        return self.of.bits

    def context(self, rng: random.Random, fixed: bool) -> Context:
        del fixed
        return self.of.context(rng, False)

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        del fixed
        return self.of.operands(at, rng, False)


def report(found: Source, count: int = 1024, registers: bool = False, **settings: int) -> Leakage:
    run = Run(found, seed=7, **settings)  # type: ignore[arg-type]
    run.go(count)
    return run.told(registers=registers)


def test_an_exponent_leaks_unless_it_is_blinded(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the first cycles on its way in, in the digits and in the entries of the table that they choose."""
    monkeypatch.setattr("modmul.study.leakage.CHOSEN", 1024)  # digits change at few of the edges that leak
    plain = report(source(POWER, width=16), 2048, registers=True)
    [test] = plain.tests
    assert plain.leaks and test.above > 100 and test.largest > 20 and plain.snr_bits > 10
    assert plain.told and any("digit_q" in each.path for each in plain.told)
    assert all(abs(each.t) > THRESHOLD for each in plain.told) and plain.instances
    blinded = report(source(POWER, width=16, blind=24))
    assert not blinded.leaks and not blinded.exposed and not blinded.snr_bits


def test_a_run_with_nothing_to_find_finds_nothing() -> None:
    known = source(POWER, width=16)
    assert not report(Constant(known.build, EXPONENT, known)).leaks


def test_operands_of_a_core_leak() -> None:
    found = report(source("imml_booth4", width=16), registers=True)
    assert found.leaks and found.fixed == OPERAND and found.told


def test_the_first_cycles_alone() -> None:
    """What is counted of them is the same, and the operation is not waited for."""
    found = report(source(POWER, width=16), 256, edges=40)
    assert found.edges == 40 < found.whole


def test_the_same_seed_gives_the_same_report() -> None:
    one, two, three = (Run(source("imml_booth4", width=16, seed=s), seed=s) for s in (1, 1, 2))
    for run, jobs in ((one, 1), (two, 2), (three, 1)):
        run.go(256, jobs=jobs)
    assert one.told().to_json() == two.told().to_json() != three.told().to_json()


@pytest.mark.long
def test_of_a_blinded_rsa_exponent_the_sum_alone_leaks() -> None:
    """d comes out of the register file as it is, once, when it is added to what blinds it."""
    found = report(source("rsa_crt:montgomery_csa2", width=40, blind=20), 2000, registers=True)
    [test] = found.tests
    assert 0 < test.above < 20 and test.last - test.first < 30
    assert any("u_plain" in name for name in found.instances)


@pytest.mark.long
def test_a_point_and_a_scalar_of_a_small_curve() -> None:
    for kind in (EXPONENT, OPERAND):
        plain, blinded = (
            report(source("ecc_small20:small_any", width=20, fixed=kind, blind=blind), 1000)
            for blind in (0, 20)
        )
        assert plain.leaks
        assert blinded.leaks == (kind == OPERAND), "a point comes and leaves as it is"


@pytest.mark.parametrize("name", CURVES)
def test_blinding_reaches_every_bit_of_a_scalar(name: str) -> None:
    at = CURVES[name]
    assert not exposed(at, blind_bits(at), 1024)


@pytest.mark.parametrize("name", CURVES)
def test_so_does_a_factor_of_64_bits(name: str) -> None:
    assert not exposed(CURVES[name], MARGIN, 1024, factor=True)


@pytest.mark.parametrize("name", ["x25519", "x448"])
def test_it_does_on_the_twist(name: str) -> None:
    at = CURVES[name]
    x = next(x for x in range(2, 99) if on_twist(at, x))
    assert not exposed(at, blind_bits(at), 512, point=(x, 0))
    assert exposed(at, MARGIN, 512, point=(x, 0))


@pytest.mark.parametrize(
    ("name", "bits"), [("p384", 130), ("secp256k1", 64), ("p256", 2), ("brainpool256", 0)]
)
def test_fewer_bits_leave_some_as_they_are(name: str, bits: int) -> None:
    """Where the order has more equal bits in a row: 64 bits leave those that the run is longer."""
    assert abs(len(exposed(CURVES[name], 64, 1024)) - bits) <= 3


def test_the_record_says_that_all_curves_are_blinded() -> None:
    found = {each.curve: each for each in unblinded()}
    assert [*found] == [*CURVES]
    for name, each in found.items():
        assert not each.bits and each.enough <= each.blind == blind_bits(CURVES[name])


# --- the command and the record -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "settings", "reason"),
    [
        ("imml_booth4", {"fixed": EXPONENT}, "has no exponent; systems have one"),
        ("imml_booth4", {"blind": 8}, "no exponent that could be blinded"),
        ("imml_booth4", {"fixed": "key"}, "not 'key'"),
        (POWER, {"modulus": 0xFFFF}, "take a prime"),
        ("inverse.s:rrm", {}, "no exponent that is known here"),
    ],
)
def test_what_is_refused(slug: str, settings: dict[str, int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        source(slug, width=16, **settings)  # type: ignore[arg-type]


def test_registers_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="no register with 'nowhere' in its path"):
        Run(source("imml_booth4", width=16), only="nowhere")


def test_what_was_traced_before_an_interrupt_counts() -> None:
    def stop(progress: Progress) -> None:
        if progress.phase == "traces" and progress.done >= 256:
            raise KeyboardInterrupt

    run = Run(source("imml_booth4", width=16), listener=stop)
    with pytest.raises(KeyboardInterrupt):
        run.go(100_000)
    found = run.told(registers=False)
    assert 256 <= found.traces < 100_000 and found.leaks and found.told is None


def test_ranges_in_words() -> None:
    assert ranges([]) == "" and ranges([3]) == "3" and ranges([0, 1, 2, 5, 7, 8]) == "0 … 2, 5, 7 … 8"


def test_the_page_tells_what_is_known() -> None:
    """If this fails: make leakage; or make leakage ARGS=--tables, which marks what is of other hardware."""
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.renewed(text, known(), unblinded()) == text


def test_runs_of_other_hardware_are_marked() -> None:
    [asked] = [each for each in PLAN if each.slug == "imml_booth4"]
    [there] = [each for each in known() if each.command == asked.command]
    now, before = replace(there, digest=asked.digest), replace(there, digest="0" * 16)
    assert not stale([now]) and stale([before]) == [asked.command]
    text = page.PAGE.read_text(encoding="utf-8")
    assert "`imml_booth4` †" not in page.renewed(text, [now], []) and "† " in page.renewed(text, [before], [])
    assert asked.command not in missing([now]) and asked.command in missing([])
