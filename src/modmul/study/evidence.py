# SPDX-License-Identifier: Apache-2.0
"""A room's page of evidence: every figure and every claim of the paper beside ours, with command and verdict.

The figures are the rows of :mod:`modmul.study.papers`. The claims are in the room's ``evidence.py``: a
function ``claims`` that takes an :class:`Evidence` and yields :class:`Claim`. No number of ours stands there:
all are asked for, and come from shipped measurements, from the registry or from synthesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from textwrap import wrap

from modmul.measure import (
    CHIPS,
    SHIPPED,
    SHIPPED_SEEDS,
    Area,
    Job,
    Measurement,
    Timing,
    ToolFailure,
    measure,
)
from modmul.registry import DEFAULT_WIDTH, Build, Room, on, room
from modmul.study.papers import Table, half_ones, papers, tables
from modmul.tools.progress import Listener, ignore

__all__ = ["Claim", "Evidence", "NoClaim", "Verdict", "claims", "jobs", "page"]

PAPERS_PAGE = "../../../../../docs/papers.md"
"""Seen from a room."""


@dataclass(frozen=True)
class Verdict:
    """What conditions on figures say of a claim.

    Attributes:
        conditions: what the claim says, each computed from figures; it holds if all do, in part if some do.
        because: why, in a few words.
    """

    conditions: tuple[bool, ...]
    because: str = ""

    @property
    def word(self) -> str:
        """``"holds"``, ``"holds in part"`` or ``"does not hold"``."""
        if all(self.conditions):
            return "holds"
        return "holds in part" if any(self.conditions) else "does not hold"

    def __str__(self) -> str:
        return f"{self.word}: {self.because}" if self.because else self.word


@dataclass(frozen=True)
class NoClaim:
    """Stands in place of a verdict where figures cannot decide: nothing is said about hardware.

    Attributes:
        because: what it is instead.
    """

    because: str

    def __str__(self) -> str:
        return f"not a claim about hardware: {self.because}"


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    Attributes:
        where: section, figure or table of the paper.
        says: the claim, in our words.
        ours: what we find, with the figures.
        verdict: computed from our figures.
        command: what shows it.
    """

    where: str
    says: str
    ours: str
    verdict: Verdict | NoClaim
    command: str


@dataclass
class Evidence:
    """Our figures, for claims. Every job that is asked for is kept in ``jobs``.

    Attributes:
        collecting: measure nothing and answer with ones, to learn which jobs are asked for.
        workers: tools running at the same time, where something is not shipped.
        listener: told what is measured.
    """

    collecting: bool = False
    workers: int = 2
    listener: Listener = ignore
    jobs: list[Job] = field(default_factory=list)

    def build(self, slug: str, width: int, parameters: dict[str, int]) -> Build:
        """A core's build: the default of the width with parameters changed."""
        return room(slug).build(width, parameters)

    def area(self, name: str, target: str, width: int = DEFAULT_WIDTH, **parameters: int) -> Area:
        """Area of a build, or of a block of it: ``"scalable_radix4"``, ``"scalable_radix4/kernel"``.

        Raises:
            RuntimeError: it cannot be measured, with the reason.
        """
        slug, _, block = name.partition("/")
        build = self.build(slug, width, parameters)
        design = build.room.block(build.config, block) if block else build.design
        return self._measured(Job(design, CHIPS[target])).area

    def luts(self, name: str, target: str, width: int = DEFAULT_WIDTH, **parameters: int) -> int:
        """Its LUTs."""
        return self.area(name, target, width, **parameters).luts

    def ffs(self, name: str, target: str, width: int = DEFAULT_WIDTH, **parameters: int) -> int:
        """Its flip-flops."""
        return self.area(name, target, width, **parameters).ffs

    def mhz(self, slug: str, width: int = DEFAULT_WIDTH, **parameters: int) -> float:
        """Median frequency of a build on ecp5, in MHz."""
        build = self.build(slug, width, parameters)
        timing = self._measured(Job(build.design, CHIPS["ecp5"], SHIPPED_SEEDS)).timing
        assert timing
        return timing.median_mhz

    def cycles(self, slug: str, width: int = DEFAULT_WIDTH, **parameters: int) -> int:
        """Cycles of a multiplication, by the paper's way of counting."""
        return self.build(slug, width, parameters).cycles

    def running(self, slug: str, width: int, controls: dict[str, bool], **parameters: int) -> int:
        """The same with controls set."""
        return self.build(slug, width, parameters).running(**controls).cycles

    def count(self, slug: str, name: str, width: int, **parameters: int) -> int:
        """Another number of cycles that the paper counts."""
        build = self.build(slug, width, parameters)
        return int(build.core.origin.counts(build.config)[name])

    def us(self, slug: str, width: int = DEFAULT_WIDTH, **parameters: int) -> float:
        """Time of a multiplication on ecp5, from the last operand beat to the result, in µs."""
        return self.build(slug, width, parameters).latency / self.mhz(slug, width, **parameters)

    @staticmethod
    def verdict(holds: bool | Sequence[bool], why: str = "") -> Verdict:
        """Of one condition on figures or of several."""
        return Verdict((holds,) if isinstance(holds, bool) else tuple(holds), why)

    def power(self, system: str, slug: str, width: int, **parameters: int) -> int:
        """Cycles of a power by a system on a core, as tests hold them equal to the hardware."""
        return on(system, slug).build(width, parameters).latency

    def half_ones(self, slug: str, width: int, **parameters: int) -> int:
        """Those of ``modexp`` bit by bit, without the products by bits of 0 (:mod:`modmul.study.papers`)."""
        return half_ones(on("modexp", slug).build(width, {"Window": 1, **parameters}))

    def _measured(self, job: Job) -> Measurement:
        self.jobs.append(job)
        if self.collecting:
            area = Area(luts=1, lut_ram=1, carries=1, ffs=1, dsp=1, bram=1, cells={})
            return Measurement(area, Timing(dict.fromkeys(SHIPPED_SEEDS, 1.0), {}, 0, {}))
        [(_, outcome)] = measure([job], workers=self.workers, listener=self.listener, shelf=SHIPPED)
        if isinstance(outcome, ToolFailure):
            raise RuntimeError(f"{job.design} on {job.target.name}: {outcome}")
        return outcome


def claims(found: Room, see: Evidence) -> list[Claim]:
    """The claims of a room's paper about it; none where the room has no ``evidence.py``."""
    file = found.path / "evidence.py"
    if not file.exists():
        return []
    spec = spec_from_file_location(f"modmul_evidence_{found.core.slug}", file)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    make: Callable[[Evidence], Iterable[Claim]] = module.claims
    return list(make(see))


def jobs(rooms: Sequence[Room]) -> list[Job]:
    """What the claims of the rooms rest on."""
    see = Evidence(collecting=True)
    for found in rooms:
        claims(found, see)
    return see.jobs


def page(found: Room, see: Evidence | None = None) -> str:
    """The page, Markdown.

    Raises:
        RuntimeError: something cannot be measured.
    """
    return "\n".join(_page(found, see or Evidence())) + "\n"


def _page(found: Room, see: Evidence) -> Iterator[str]:
    core = found.core
    yield f"# Evidence: {core.slug}"
    yield ""
    yield from wrap(
        f"What {core.origin.citation} ([`{core.origin.paper}`]({PAPERS_PAGE})) says of this core, and what "
        "we find. Made by `make readme` from shipped measurements, the registry and the claims in "
        "`evidence.py`; a test holds it to them.",
        120,
        break_long_words=False,
    )
    lines = [line for line in papers((found,)) if line.room]
    shown = tables(lines)
    for at, table in enumerate(shown):
        yield ""
        yield f"## {table.title}"
        yield ""
        yield from _markdown(table)
        if at + 1 == len(shown) or shown[at + 1].notes != table.notes:
            yield ""
            yield from (f"{number}. {note}" for number, note in enumerate(table.notes, 1))
    if shown:
        yield ""
        command = f"modmul papers {core.origin.paper} --cores {core.slug}"
        yield f"`{command}` says the same and what the columns are."
    said = claims(found, see)
    if said:
        yield ""
        yield "## Claims"
        yield ""
        yield "| where | the paper says | we find | verdict | command |"
        yield "|---|---|---|---|---|"
        for claim in said:
            cells = (claim.where, claim.says, claim.ours, str(claim.verdict), f"`{claim.command}`")
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _markdown(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(table.headings)} |"
    yield "|---|---|" + "--:|" * (len(table.headings) - 2)
    for row in table.rows:
        yield f"| {' | '.join(row)} |"
