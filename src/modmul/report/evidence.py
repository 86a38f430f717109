# SPDX-License-Identifier: Apache-2.0
"""A room's page of evidence: every figure and every claim of the paper beside ours, with command and verdict.

The figures are the rows of :mod:`modmul.report.papers`. The claims are in the room's ``evidence.py``: a
function ``claims`` that takes an :class:`Evidence` and yields :class:`Claim`. No number of ours stands there:
all are asked for, and come from shipped measurements, from the registry or from synthesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from textwrap import wrap

from modmul.core import PAPERS, Config
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
from modmul.registry import DEFAULT_WIDTH, Room, on, room
from modmul.report.papers import Table, half_ones, papers, tables
from modmul.tools.progress import Listener, ignore

__all__ = ["Claim", "Evidence", "claims", "jobs", "page"]

PAPERS_PAGE = "../../../../../docs/papers.md"
"""Seen from a room."""


@dataclass(frozen=True)
class Claim:
    """One claim of a paper.

    Attributes:
        where: section, figure or table of the paper.
        says: the claim, in our words.
        ours: what we find, with the figures.
        verdict: ``"holds"``, ``"does not hold"``, ``"holds in part"`` …, and why, in a few words.
        command: what shows it.
    """

    where: str
    says: str
    ours: str
    verdict: str
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

    def build(self, slug: str, width: int, parameters: dict[str, int]) -> tuple[Room, Config]:
        """A core's build: the default of the width with parameters changed."""
        found = room(slug)
        return found, found.core.configs(width)[0].with_parameters(parameters)

    def area(self, name: str, target: str, width: int = DEFAULT_WIDTH, **parameters: int) -> Area:
        """Area of a build, or of a block of it: ``"scalable_radix4"``, ``"scalable_radix4/kernel"``.

        Raises:
            RuntimeError: it cannot be measured, with the reason.
        """
        slug, _, block = name.partition("/")
        found, config = self.build(slug, width, parameters)
        design = found.block(config, block) if block else found.design(config)
        return self._measured(Job(design, CHIPS[target])).area

    def luts(self, name: str, target: str, width: int = DEFAULT_WIDTH, **parameters: int) -> int:
        """Its LUTs."""
        return self.area(name, target, width, **parameters).luts

    def ffs(self, name: str, target: str, width: int = DEFAULT_WIDTH, **parameters: int) -> int:
        """Its flip-flops."""
        return self.area(name, target, width, **parameters).ffs

    def mhz(self, slug: str, width: int = DEFAULT_WIDTH, **parameters: int) -> float:
        """Median frequency of a build on ecp5, in MHz."""
        found, config = self.build(slug, width, parameters)
        timing = self._measured(Job(found.design(config), CHIPS["ecp5"], SHIPPED_SEEDS)).timing
        assert timing
        return timing.median_mhz

    def cycles(self, slug: str, width: int = DEFAULT_WIDTH, **parameters: int) -> int:
        """Cycles of a multiplication, by the paper's way of counting."""
        found, config = self.build(slug, width, parameters)
        return found.core.cycles(config)

    def us(self, slug: str, width: int = DEFAULT_WIDTH, **parameters: int) -> float:
        """Time of a multiplication on ecp5, from the last operand beat to the result, in µs."""
        found, config = self.build(slug, width, parameters)
        return found.core.latency(config) / self.mhz(slug, width, **parameters)

    @staticmethod
    def verdict(holds: bool, why: str = "") -> str:
        """In words."""
        return ("holds" if holds else "does not hold") + (f": {why}" if why else "")

    def power(self, system: str, slug: str, width: int, **parameters: int) -> int:
        """Cycles of a power by a system on a core, as tests hold them equal to the hardware.

        Half the bits of the exponent are 1, which matters where its digits of 0 are left out.
        """
        found = on(system, slug)
        build = found.build(width, parameters)
        return half_ones(found.core, build)

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
    paper = PAPERS.get(core.paper)
    yield f"# Evidence: {core.slug}"
    yield ""
    yield from wrap(
        f"What {paper.short if paper else core.paper} ([`{core.paper}`]({PAPERS_PAGE})) says of this core, and what we find. Made by `make readme` from shipped measurements, the registry and the "
        "claims in `evidence.py`; a test holds it to them.",
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
        yield f"`modmul papers {core.paper} --cores {core.slug}` says the same and what the columns are."
    said = claims(found, see)
    if said:
        yield ""
        yield "## Claims"
        yield ""
        yield "| where | the paper says | we find | verdict | command |"
        yield "|---|---|---|---|---|"
        for claim in said:
            yield f"| {claim.where} | {claim.says} | {claim.ours} | {claim.verdict} | `{claim.command}` |"


def _markdown(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(table.headings)} |"
    yield "|---|---|" + "--:|" * (len(table.headings) - 2)
    for row in table.rows:
        yield f"| {' | '.join(row)} |"
