# SPDX-License-Identifier: Apache-2.0
"""What is known of the leakage of cores and systems: the runs, and the record that comes with the package."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from modmul.moduli import CURVES, curve
from modmul.moduli.multiples import MARGIN, blind_bits
from modmul.registry import own_cores, room
from modmul.study.leakage import Leakage, Run, exposed
from modmul.study.sources import EXPONENT, OPERAND, Source, source
from modmul.tools.progress import Listener, ignore
from modmul.tools.store import file_digest
from modmul.verify.toggles import HEADER

__all__ = [
    "MANY",
    "PLAN",
    "RECORD",
    "SCALARS",
    "USUAL",
    "Asked",
    "Known",
    "Unblinded",
    "known",
    "measured",
    "missing",
    "record",
    "record_unblinded",
    "stale",
    "unblinded",
]

FOLDER = Path(str(files("modmul"))) / "study"
RECORD = FOLDER / "leakage.json"
SCALARS = FOLDER / "unblinded.json"
""":class:`Unblinded` of every curve that has a program."""

USUAL = 2_000
"""Traces of those who want an answer soon."""
MANY = 100_000
"""Traces where none is expected to tell anything."""
WIDTH = 16
"""Bits of the operands of cores."""


@dataclass(frozen=True)
class Asked:
    """A run.

    Attributes:
        slug: of the core or system.
        width: of the build.
        fixed: ``"exponent"`` or ``"operand"``.
        traces: how many.
        blind: bits that blind the exponent; ``None`` for those of the build.
        edges: samples; ``None`` for the whole operation.
        settings: parameters of the build.
        order: of the test.
        seed: of everything random.
    """

    slug: str
    width: int
    fixed: str
    traces: int = USUAL
    blind: int | None = None
    edges: int | None = None
    settings: Mapping[str, int] = field(default_factory=dict, hash=False)
    order: int = 1
    seed: int = 1

    @property
    def source(self) -> Source:
        """Of its operands."""
        return source(
            self.slug,
            width=self.width,
            fixed=self.fixed,
            blind=self.blind,
            settings=self.settings,
            seed=self.seed,
        )

    @property
    def command(self) -> str:
        """What prints it."""
        parts = [f"modmul leakage {self.slug}"]
        parts += [] if self.slug.startswith("ecc_") else [f"--width {self.width}"]
        parts += (
            [] if self.fixed == (EXPONENT if ":" in self.slug else OPERAND) else [f"--fixed {self.fixed}"]
        )
        parts += [f"--set {name}={value}" for name, value in self.settings.items()]
        parts += [] if self.blind is None else [f"--blind {self.blind}"]
        parts += [] if self.edges is None else [f"--cycles {self.edges}"]
        parts += [] if self.traces == USUAL else [f"--traces {self.traces}"]
        parts += [] if self.order == 1 else [f"--order {self.order}"]
        return " ".join(parts)

    @property
    def digest(self) -> str:
        """Of all that decides what is found."""
        build = self.source.build
        parts = (build.design.digest, str(build.config), build.room.text, file_digest(HEADER))
        return sha256("\0".join((*parts, repr(self))).encode()).hexdigest()[:16]


def _narrow(slug: str) -> int:
    """The least width from :data:`WIDTH` on that a core has a build for that serves a modulus."""
    for width in range(WIDTH, 4 * WIDTH):
        try:
            build = room(slug).build(width)
            build.core.function.some_modulus(build.config)
        except ValueError:
            continue
        return width
    raise ValueError(f"{slug} has no short build")


def _plan() -> Iterator[Asked]:
    power, ladder, rsa = "modexp:montgomery_csa2", "ladder:montgomery_csa2", "rsa_crt:montgomery_csa2"
    for slug in (power, ladder):
        yield Asked(slug, 16, EXPONENT, blind=0)
        yield Asked(slug, 16, EXPONENT, MANY, blind=24, order=2)
        yield Asked(slug, 16, OPERAND, blind=24)
    yield Asked(rsa, 40, EXPONENT, blind=0)
    yield Asked(rsa, 40, EXPONENT, blind=20)
    yield Asked(rsa, 40, EXPONENT, MANY, blind=20)
    yield Asked(rsa, 40, OPERAND, blind=20, settings={"BlindMessage": 0})
    yield Asked(rsa, 40, OPERAND, blind=20)
    small = "ecc_small20:small_any"
    yield Asked(small, 20, EXPONENT, blind=0)
    yield Asked(small, 20, EXPONENT, blind=20)
    yield Asked(small, 20, EXPONENT, MANY, blind=20)
    yield Asked(small, 20, OPERAND, blind=20)
    first = 6000  # nine bits, as the notebooks take them
    yield Asked("ecc_p256:montgomery_dsp", 256, EXPONENT, blind=0, edges=first)
    yield Asked("ecc_p256:montgomery_dsp", 256, EXPONENT, blind=64, edges=first)
    words = {"Word": 128, "Digit": 32}  # 64 bits that blind, and nine of the scalar's own
    yield Asked("ecc_secp256k1:montgomery_dsp", 256, EXPONENT, 1_000, blind=64, edges=23_000, settings=words)
    for slug in own_cores():
        yield Asked(slug, _narrow(slug), OPERAND)


PLAN: tuple[Asked, ...] = tuple(_plan())
"""What the record has."""


@dataclass(frozen=True)
class Known:
    """A run and what came of it.

    Attributes:
        command: that prints it.
        digest: of all that decides it.
        found: as :meth:`Leakage.to_json` has it.
    """

    command: str
    digest: str
    found: Mapping[str, Any]


def measured(asked: Asked, *, jobs: int = 1, listener: Listener = ignore) -> Known:
    """Run it."""
    digest = asked.digest  # of the sources that are simulated, should they change meanwhile
    run = Run(asked.source, seed=asked.seed, order=asked.order, edges=asked.edges, listener=listener)
    run.go(asked.traces, jobs=jobs)
    found: Leakage = run.told()
    return Known(asked.command, digest, json.loads(json.dumps(found.to_json())))


def known() -> list[Known]:
    """What comes with the package."""
    return (
        [Known(**each) for each in json.loads(RECORD.read_text(encoding="utf-8"))] if RECORD.exists() else []
    )


def record(found: Iterable[Known]) -> None:
    """Keep what was found, in the order of the plan."""
    order = {asked.command: at for at, asked in enumerate(PLAN)}
    every = sorted((each for each in found if each.command in order), key=lambda one: order[one.command])
    text = json.dumps([vars(each) for each in every], indent=1)
    RECORD.write_text(f"{text}\n", encoding="utf-8")


def stale(found: Iterable[Known]) -> list[str]:
    """Commands of runs on other hardware than the present one."""
    there = {each.command: each.digest for each in found}
    return [each.command for each in PLAN if there.get(each.command, each.digest) != each.digest]


def missing(found: Iterable[Known]) -> list[str]:
    """Commands of the plan that were not run."""
    there = {each.command for each in found}
    return [asked.command for asked in PLAN if asked.command not in there]


# --- scalars ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unblinded:
    """What multiples of the order leave of the scalars of a curve.

    Attributes:
        curve: its name.
        blind: bits of the multiples, by default.
        bits: of the blinded scalar that tell a fixed scalar from random ones.
        shorter: how many do where multiples have 64 bits.
        enough: the fewest bits of multiples, in steps of 8, with which none does.
    """

    curve: str
    blind: int
    bits: tuple[int, ...]
    shorter: int
    enough: int

    @classmethod
    def of(cls, name: str) -> Unblinded:
        """Found with :data:`MANY` / 25 scalars a time."""
        at, count = curve(name), MANY // 25
        blind = blind_bits(at)
        enough = next(bits for bits in range(8, 2 * at.bits, 8) if not exposed(at, bits, count))
        return cls(name, blind, tuple(exposed(at, blind, count)), len(exposed(at, MARGIN, count)), enough)


def unblinded() -> list[Unblinded]:
    """What comes with the package."""
    return [Unblinded(**{**each, "bits": tuple(each["bits"])}) for each in json.loads(SCALARS.read_text())]


def record_unblinded() -> None:
    """Find it anew, for all curves."""
    lines = [json.dumps(asdict(Unblinded.of(name))) for name in CURVES]
    SCALARS.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
