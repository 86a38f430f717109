# SPDX-License-Identifier: Apache-2.0
"""What bits that flip do to RSA with CRT: the runs, and the record that comes with the package."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from modmul.registry import Build, on
from modmul.tools.progress import Listener, ignore
from modmul.tools.store import file_digest
from modmul.verify import faults
from modmul.verify.faults import OUTCOMES, Strike, strikes
from modmul.verify.registers import registers
from modmul.verify.simulator import HARNESS

__all__ = ["PLAN", "RECORD", "SYSTEM", "Asked", "Known", "known", "measured", "record", "stale", "totals"]

RECORD = Path(str(files("modmul"))) / "study" / "flips.json"

SYSTEM = "rsa_crt"
"""The system that lets nothing wrong out."""


@dataclass(frozen=True)
class Asked:
    """A run: flips in one build.

    Attributes:
        core: its slug.
        width: bits of the key.
        count: flips, at least one in each register.
        settings: parameters of the build, other than the defaults.
        seed: of everything random.
    """

    core: str
    width: int
    count: int
    settings: Mapping[str, int] = field(default_factory=dict, hash=False)
    seed: int = 1

    @cached_property
    def build(self) -> Build:
        """What is struck."""
        return on(SYSTEM, self.core).build(self.width, self.settings)

    @property
    def command(self) -> str:
        """What prints it."""
        parts = [f"modmul faults {SYSTEM}:{self.core} --width {self.width}"]
        parts += [f"--set {name}={value}" for name, value in self.settings.items()]
        return " ".join((*parts, f"--count {self.count}"))

    @property
    def digest(self) -> str:
        """Of all that decides what is found."""
        how = file_digest(Path(faults.__file__), *HARNESS)
        parts = (self.build.design.digest, str(self.build.config), how, repr(self))
        return sha256("\0".join(parts).encode()).hexdigest()[:16]


PLAN: tuple[Asked, ...] = (
    Asked("montgomery_csa2", 32, 2_300),
    Asked("montgomery_csa2", 24, 1_000, {"Primes": 3}),
    Asked("rrm", 32, 1_800),
    Asked("fips", 32, 1_600),
    Asked("montgomery_dsp", 32, 1_200),
    Asked("scalable_booth4_left", 32, 1_400),
    Asked("imml_booth8", 256, 700),
)
"""What the record has: 10,000 flips, most of them with short keys."""


@dataclass(frozen=True)
class Known:
    """A run and what came of it.

    Attributes:
        command: that prints it.
        digest: of all that decides it.
        registers: of the build, memories among them.
        struck: how many of these had a flip.
        bits: of all of them.
        modules: how many flips in registers of each module had each outcome, of
            :data:`~modmul.verify.faults.OUTCOMES`.
    """

    command: str
    digest: str
    registers: int
    struck: int
    bits: int
    modules: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, asked: Asked, found: Iterable[Strike]) -> Known:
        """What came of these flips."""
        found, every = list(found), registers(asked.build.design)
        counts = {each.register.module: Counter[str]() for each in found}
        for each in found:
            counts[each.register.module][each.outcome] += 1
        return cls(
            asked.command,
            asked.digest,
            len(every),
            len({each.register for each in found}),
            sum(each.bits * max(each.depth, 1) for each in every),
            {module: {name: counts[module][name] for name in OUTCOMES} for module in sorted(counts)},
        )


def totals(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Sums of the counts of each outcome."""
    every = list(counts)
    return {name: sum(each[name] for each in every) for name in OUTCOMES}


def measured(asked: Asked, *, listener: Listener = ignore) -> Known:
    """Run it."""
    return Known.of(asked, strikes(asked.build, asked.count, seed=asked.seed, listener=listener))


def known() -> list[Known]:
    """What comes with the package."""
    return (
        [Known(**each) for each in json.loads(RECORD.read_text(encoding="utf-8"))] if RECORD.exists() else []
    )


def record(found: Iterable[Known]) -> None:
    """Keep what was found, in the order of the plan."""
    there = {each.command: each for each in found}
    every = [asdict(there[asked.command]) for asked in PLAN if asked.command in there]
    RECORD.write_text(f"{json.dumps(every, indent=1)}\n", encoding="utf-8")


def stale(found: Iterable[Known]) -> list[str]:
    """Commands of the plan that were not run, or on other hardware than the present one."""
    there = {each.command: each.digest for each in found}
    return [asked.command for asked in PLAN if there.get(asked.command) != asked.digest]
