# SPDX-License-Identifier: Apache-2.0
"""Which vectors run on which simulated hardware, what came of them, and what is known of that already.

First all on a quick build, of long curves some; then a few of each kind on every core that takes them; then,
if asked for, one of every curve on every core. A vector's outcome is kept in the results store under the
hardware and the vector, so no vector runs twice; what came of all of them comes with the package.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from textwrap import shorten

from modmul.core import SystemConfig
from modmul.moduli import CURVES
from modmul.moduli.curves import BINARY
from modmul.moduli.keys import with_primes
from modmul.registry import curve_on, own_cores
from modmul.room import Build, ProgramRoom
from modmul.tools.progress import Listener
from modmul.tools.store import Store, result_key, tool_versions
from modmul.use import power
from modmul.use.ecc import Hardware
from modmul.use.power import Answer
from modmul.use.rsa import PrivateNumbers
from modmul.vectors import curves, rsa
from modmul.vectors.vector import Bench, Source, Vector, spread

__all__ = [
    "RECORD",
    "SHOWN",
    "SOURCES",
    "Done",
    "Job",
    "accepting",
    "bench",
    "known",
    "on_every_core",
    "on_quick_builds",
    "record",
    "stale",
    "tried",
]

RECORD = Path(str(files("modmul"))) / "vectors" / "vectors.json"
"""What came of the vectors, as it comes with the package."""

SOURCES: tuple[Source, ...] = (*curves.SOURCES, *rsa.SOURCES)

Settings = tuple[tuple[str, int], ...]
"""Parameters of a core or a system, other than the defaults."""


# --- hardware ---------------------------------------------------------------------------------------


def bench(core: str, settings: Mapping[str, int]) -> tuple[Bench, Callable[[], tuple[int, int]]]:
    """Simulated hardware with a core, and how many operations it has done in how many clock cycles.

    Args:
        core: slug of the multiplier.
        settings: parameters of the core or the system, other than the defaults.
    """
    hardware, powers = Hardware(core, settings), list[int]()

    @cache
    def for_primes(lengths: tuple[int, ...]) -> Build:
        return power.build_for(lengths, core, settings)

    @cache
    def for_bits(bits: int) -> Build:
        return power.build("modexp", core, bits, settings)

    def private(key: PrivateNumbers, number: int, listener: Listener) -> Answer:
        whole = with_primes(key)
        answer = power.private_operation(for_primes(whole.lengths), whole, number, listener=listener)
        powers.append(answer.cycles)
        return answer

    def raised(x: int, exponent: int, n: int, listener: Listener) -> Answer:
        build = for_bits(n.bit_length()).running(length=exponent.bit_length())
        answer = power.operate(build, n, x, exponent, listener=listener)
        powers.append(answer.cycles)
        return answer

    def done() -> tuple[int, int]:
        return len(hardware.done.runs) + len(powers), hardware.done.cycles + sum(powers)

    return Bench(hardware, private, raised), done


@cache
def _hardware(system: str, size: str, core: str, settings: Settings) -> str:
    """A digest of the sources, the parameters and the programs that hardware is made of.

    In which order the rows of a program come is not part of it: to find that takes seconds.

    Raises:
        ValueError: the core cannot serve it, with the reason.
    """
    given = dict(settings)
    if size not in CURVES:
        build = power.build(system, core, int(size) + int(size) % 2, given)
        if system == "modexp":
            for less in (1, 3):  # a build for one modulus takes one of them at most
                build.check((1 << int(size)) - less)
        return build.design.digest
    at = CURVES[size]
    if system == "two_points":
        build = Hardware(core, given).prepared_both(at, 1, 1, at.base)[0].build
    else:
        build = curve_on(at, core)[1].build(at.bits, given, at.modulus)
    room, config = build.room, build.config
    assert isinstance(room, ProgramRoom) and isinstance(config, SystemConfig)
    room.inner.core.function.check(config.inner, at.modulus)
    inner = room.inner.design(config.inner)
    design = replace(inner, sources=(*inner.sources, *room.sources))
    told = (design.digest, config.options(), room.source, getattr(config, "source", ""))
    return sha256(repr(told).encode()).hexdigest()


def accepting(system: str, size: str) -> list[str]:
    """The cores that take a system for a curve, or for an RSA modulus of so many bits."""
    found = []
    for slug in own_cores():
        with suppress(ValueError):
            _hardware(system, size, slug, ())
            found.append(slug)
    return found


# --- what is to run ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    """Vectors of one source for one system on one build.

    Attributes:
        source: name of the source.
        system: as :class:`Vector` has it.
        size: likewise.
        core: slug of the multiplier.
        settings: parameters of the core or the system, other than the defaults.
        vectors: those that are to run.
    """

    source: str
    system: str
    size: str
    core: str
    settings: Settings
    vectors: tuple[Vector, ...] = field(repr=False, compare=False)

    @cached_property
    def digest(self) -> str:
        """Of the hardware and of all vectors."""
        told = (self.hardware, *(each.digest for each in self.vectors))
        return sha256(repr(told).encode()).hexdigest()[:16]

    @property
    def hardware(self) -> str:
        """The digest of the hardware."""
        return _hardware(self.system, self.size, self.core, self.settings)

    @property
    def name(self) -> tuple[str, str, str, str, Settings]:
        """What tells it from others."""
        return self.source, self.system, self.size, self.core, self.settings

    def __str__(self) -> str:
        settings = "".join(f" {name}={value}" for name, value in self.settings)
        return f"{self.source}: {self.system} {self.size} on {self.core}{settings}"


@cache
def _sorted() -> Mapping[str, Mapping[tuple[str, str], list[Vector]]]:
    """By the source, and by the system and the size."""
    found: dict[str, dict[tuple[str, str], list[Vector]]] = {}
    for source in SOURCES:
        some = found.setdefault(source.name, {})
        for vector in source.vectors():
            some.setdefault((vector.system, vector.size), []).append(vector)
    return found


def _most(size: str) -> int:
    """Vectors of one source on the quick build at most: few where one takes seconds."""
    if size not in CURVES:
        return 120 if int(size) == 1024 else 4 if int(size) in (1536, 2048) else 0
    if size in ("x25519", "ed25519"):  # they are the quickest
        return 600
    at = CURVES[size]
    limits = ((163, 60), (283, 8)) if at.form == BINARY else ((256, 120), (448, 48))
    return next((most for bits, most in limits if at.bits <= bits), 3 if at.form == BINARY else 32)


LONG_WORDS = {"p256": 128, "p384": 192, "x25519": 128, "ed25519": 128}
"""Bits of the words of the quick build."""


def quick(size: str) -> tuple[str, Settings]:
    """A core and its parameters, on which an operation takes few cycles."""
    if size not in CURVES:
        return "imml_booth8", ()
    if CURVES[size].form == BINARY:
        return "gf2m_fixed", (("Digit", 16), ("SquareAtOnce", 1))
    word = LONG_WORDS.get(size)
    return "montgomery_dsp", (("Word", word), ("Digit", 32)) if word else ()


def on_quick_builds() -> Iterator[Job]:
    """Most vectors of each source."""
    for source, some in _sorted().items():
        for (system, size), vectors in some.items():
            if chosen := spread(vectors, _most(size)):
                yield Job(source, system, size, *quick(size), tuple(chosen))


SHOWN = (
    ("ecc_p256", "p256"),
    ("two_points", "p256"),
    ("two_points", "ed25519"),
    ("two_points", "b163"),
    ("ecc_x25519", "x25519"),
    ("ecc_ed25519", "ed25519"),
    ("ecc_b163", "b163"),
    ("rsa_crt", "1024"),
    ("modexp", "1024"),
)
"""A system and a size of each kind, which every core runs that takes it."""

FEW = 2
"""Vectors of each kind on every core."""


def on_every_core(every: bool = False) -> Iterator[Job]:
    """A few vectors of each kind on every core that takes them, other than the quick builds.

    Args:
        every: in place of that, one of every curve that is not among :data:`SHOWN`.
    """
    first: dict[tuple[str, str], tuple[str, list[Vector]]] = {}
    for source, some in _sorted().items():
        for pair, vectors in some.items():
            first.setdefault(pair, (source, vectors))
    for pair, (source, vectors) in first.items():
        if (pair in SHOWN) != every and (pair[1] in CURVES or not every):
            for core in accepting(*pair):
                if (core, ()) == quick(pair[1]):
                    continue  # it has run most of them
                chosen = spread(vectors, 1 if every else FEW)
                yield Job(source, *pair, core, (), tuple(chosen))


# --- what came of it --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """What came of a job.

    Attributes:
        source: as :class:`Job` has it, like the next four.
        asked: vectors that were to run.
        ran: those in which the hardware took part, and those that are wrong.
        right: those of these that are right.
        refused: right, too, and refused before the hardware was asked.
        wrong: what is not right: its label and why.
        operations: of the hardware.
        cycles: of all of them.
        seconds: CPU time, compilation included.
        date: of the run.
        digest: of the hardware and of the vectors.
    """

    source: str
    system: str
    size: str
    core: str
    settings: Mapping[str, int]
    asked: int
    ran: int
    right: int
    refused: int
    wrong: Sequence[str]
    operations: int
    cycles: int
    seconds: float
    date: str
    digest: str

    @property
    def name(self) -> tuple[str, str, str, str, Settings]:
        """That of the job."""
        return self.source, self.system, self.size, self.core, tuple(self.settings.items())


def tried(job: Job, store: Store, listener: Callable[[int], None] = lambda _done: None) -> Done:
    """Run the vectors of a job that are not known yet.

    Args:
        store: what is known of a vector is there, and what comes of one is kept there at once.
        listener: told behind each vector how many are done.

    Raises:
        ValueError: the core cannot serve the system.
    """
    tools = tool_versions("verilator")
    hardware, done = bench(job.core, dict(job.settings))
    found = []
    for at, vector in enumerate(job.vectors, 1):
        key = result_key(
            "vector", inputs=(job.hardware, vector.digest), target=job.system, options=(), tools=tools
        )
        there = store.get(key)
        if there is None:
            begun, before = sum(os.times()[:4]), done()
            came = vector.outcome(hardware)
            operations, cycles = (now - was for now, was in zip(done(), before, strict=True))
            there = {
                "right": came.right,
                "wrong": came.wrong,
                "operations": operations,
                "cycles": cycles,
                "seconds": sum(os.times()[:4]) - begun,
                "date": datetime.now(UTC).date().isoformat(),
            }
            store.put(key, there)
        found.append({"label": vector.label, **there})
        listener(at)
    return _summed(job, found)


def _summed(job: Job, found: Sequence[Mapping[str, object]]) -> Done:
    """One row of all outcomes of a job."""

    def total(name: str) -> float:
        return sum(float(str(each[name])) for each in found)

    ran = [each for each in found if each["operations"] or not each["right"]]
    return Done(
        *(job.source, job.system, job.size, job.core, dict(job.settings)),
        asked=len(found),
        ran=len(ran),
        right=sum(bool(each["right"]) for each in ran),
        refused=sum(bool(each["right"]) and not each["operations"] for each in found),
        wrong=[shorten(f"{each['label']}: {each['wrong']}", 160) for each in found if not each["right"]],
        operations=int(total("operations")),
        cycles=int(total("cycles")),
        seconds=round(total("seconds"), 1),
        date=max((str(each["date"]) for each in found), default=""),
        digest=job.digest,
    )


# --- what comes with the package --------------------------------------------------------------------


def known() -> list[Done]:
    """What comes with the package."""
    if not RECORD.exists():
        return []
    return [Done(**each) for each in json.loads(RECORD.read_text(encoding="utf-8"))]


def record(found: Iterable[Done]) -> None:
    """Keep what came of the jobs, a line each, by source, system and core."""
    order = {name: at for at, name in enumerate((*(each.name for each in SOURCES), *own_cores()))}
    rows = sorted(found, key=lambda one: (order[one.source], one.system, one.size, order[one.core], one.name))
    lines = ",\n".join(json.dumps(asdict(each)) for each in rows)
    RECORD.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def stale(found: Iterable[Done]) -> list[str]:
    """Those whose hardware or vectors are others now, or that are not among the jobs any more."""
    jobs = {job.name: job for job in (*on_quick_builds(), *on_every_core(), *on_every_core(every=True))}
    return [
        f"{each.source}: {each.system} {each.size} on {each.core}"
        for each in found
        if each.name not in jobs or jobs[each.name].digest != each.digest
    ]
