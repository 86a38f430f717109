# SPDX-License-Identifier: Apache-2.0
"""Which core for a modulus, a chip and a budget: from records alone, in a second.

Every core's builds are laid beside the wishes. Areas and clocks are measured or estimated
(:mod:`modmul.study.estimate`), cycles are exact. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf, isinf
from typing import Any

from modmul.chips import Chip
from modmul.core import BINARY_FIELD, PRIME_FIELD, Polynomial, RsaKey, bound_name, field_of
from modmul.measure import SHIPPED_SEEDS, Measurement, Store, shortage
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.registry import check_system, on, rooms
from modmul.room import Build, Room, SystemRoom
from modmul.study.estimate import Basis, Costs, Estimate, multiplier
from modmul.study.measuring import Tools, job, run_jobs
from modmul.study.others import Other, others
from modmul.study.rows import Row, Skipped
from modmul.tools.progress import Listener, ignore

__all__ = ["AIMS", "LIMITS", "Aim", "Candidate", "Choice", "Limit", "Wish", "choose", "measured"]


@dataclass(frozen=True)
class Aim:
    """What is to be the best of a build, of those that fit.

    Attributes:
        name: on the command line.
        means: for people.
        time: what stands against the area in the Pareto front, of a row: µs, or cycles without a clock.
        key: less is better; ``inf`` where it is not known.
    """

    name: str
    means: str
    time: Callable[[Row], float]
    key: Callable[[Row], tuple[float, ...]]


def _known(value: float | None) -> float:
    return inf if value is None else value


def _latency(row: Row) -> float:
    return row.latency if row.time_us is None else row.time_us


def _interval(row: Row) -> float:
    return row.pace if row.fmax_mhz is None else row.pace / row.fmax_mhz


AIMS = {
    aim.name: aim
    for aim in (
        Aim("area-time", "least area × time", _latency, lambda row: row.rank),
        Aim("area", "least area", _latency, lambda row: (_known(row.lut_equivalents), _latency(row))),
        Aim("time", "shortest time of one operation", _latency, lambda row: (_latency(row), *row.rank)),
        Aim("rate", "most operations a second", _interval, lambda row: (_interval(row), *row.rank)),
    )
}
"""What can be asked for with ``--for``, the default first."""


@dataclass(frozen=True)
class Limit:
    """A budget.

    Attributes:
        name: of the field of :class:`Wish`, and of the option.
        word: what a build that breaks it has too much or too little of, in one word.
        unit: of its value.
        least: whether it is a smallest value, not a largest.
        timed: whether it needs a clock.
        value: what a row has; ``None`` where it is not known.
    """

    name: str
    word: str
    unit: str
    value: Callable[[Row], float | None]
    least: bool = False
    timed: bool = False

    @property
    def option(self) -> str:
        """On the command line."""
        return f"--{self.name.replace('_', '-')}"

    def excess(self, row: Row, limit: float) -> float:
        """By what factor a row breaks it: 1 or less where it does not, infinite where nothing is known."""
        value = self.value(row)
        if value is None:
            return inf
        if self.least:
            return limit / value if value else inf
        if limit:
            return value / limit
        return inf if value else 0.0


LIMITS = (
    Limit("max_luts", "LUTs", "LUTs", lambda row: row.luts),
    Limit("max_dsp", "blocks", "multiplier blocks", lambda row: row.dsp),
    Limit("max_bram", "memory", "block RAMs of 18 kbit", lambda row: row.bram),
    Limit("max_ffs", "flip-flops", "flip-flops", lambda row: row.ffs),
    Limit("max_interval", "interval", "cycles from result to result", lambda row: row.interval),
    Limit("max_latency", "latency", "cycles of an operation", lambda row: row.latency),
    Limit("max_time", "time", "µs of an operation", lambda row: row.time_us, timed=True),
    Limit(
        "min_rate",
        "rate",
        "operations a second",
        lambda row: None if row.throughput_mops is None else row.throughput_mops * 1e6,
        least=True,
        timed=True,
    ),
    Limit("min_mhz", "clock", "MHz", lambda row: row.fmax_mhz, least=True, timed=True),
)
"""Every budget, in the order in which builds are held to them."""


@dataclass(frozen=True)
class Wish:
    """What is asked for.

    Attributes:
        width: operand length in bits.
        chip: the chip family.
        modulus: what the build is to serve; ``None`` for moduli of that length in general.
        system: name of a system to put on the cores; empty for a bare multiplier.
        aim: a name of :data:`AIMS`.
        domain: ``"plain"`` or ``"montgomery"``; empty for both.
        reduced: whether to leave out builds whose results may be above M-1.
        unreduced: whether such builds may win; otherwise they rank behind the others.
        clock_mhz: the clock to assume for all builds, MHz; ``None`` for their own.
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the chip.
        max_luts, max_dsp, max_bram, max_ffs: the area at most.
        max_interval, max_latency: cycles at most.
        max_time: µs of one operation at most.
        min_rate: operations a second at least.
        min_mhz: clock at least, MHz.

    Raises:
        ValueError: there is no such aim, a limit is out of range, or it needs a clock and none is known.
    """

    width: int
    chip: Chip
    modulus: Modulus | None = None
    system: str = ""
    aim: str = "area-time"
    domain: str = ""
    reduced: bool = False
    unreduced: bool = False
    clock_mhz: float | None = None
    weights: Weights | None = None
    max_luts: float | None = None
    max_dsp: float | None = None
    max_bram: float | None = None
    max_ffs: float | None = None
    max_interval: float | None = None
    max_latency: float | None = None
    max_time: float | None = None
    min_rate: float | None = None
    min_mhz: float | None = None

    def __post_init__(self) -> None:
        if self.aim not in AIMS:
            raise ValueError(f"--for is one of {', '.join(AIMS)}, got {self.aim!r}")
        if self.system:
            check_system(self.system)
        if self.domain not in ("", "plain", "montgomery"):
            raise ValueError(f"--domain is plain or montgomery, got {self.domain!r}")
        if self.reduced and self.unreduced:
            raise ValueError("--reduced leaves out what --unreduced lets in; give one of them")
        if self.clock_mhz is not None and self.clock_mhz <= 0:
            raise ValueError(f"--clock is above 0 MHz, got {self.clock_mhz:g}")
        for limit, value in self.limits:
            option = limit.option
            if value < 0 or (not value and limit.name in ("max_time", "max_interval", "max_latency")):
                raise ValueError(f"{option} is above 0, got {value:g}")
            if limit.timed and not self.chip.route and self.clock_mhz is None:
                raise ValueError(
                    f"{option} needs a clock, and no open tools place and route {self.chip.name}; "
                    "give the clock that you count on, --clock MHZ"
                )

    @property
    def limits(self) -> list[tuple[Limit, float]]:
        """The budgets that are given, and their values."""
        pairs = ((limit, getattr(self, limit.name)) for limit in LIMITS)
        return [(limit, value) for limit, value in pairs if value is not None]

    @property
    def subject(self) -> str:
        """What is computed, and with what modulus."""
        what = f"{self.system} " if self.system else ""
        return f"{what}{self.modulus.name if self.modulus else 'any modulus'} of {self.width} bits"


@dataclass(frozen=True)
class Candidate:
    """A build, and what it costs.

    Attributes:
        build: the build.
        row: its figures.
        area, clock: where area and clock are from; ``None`` where they are not known.
        area_error, clock_error: how far such estimates of this core are from the truth, where that can be
            tested (:meth:`Costs.error <modmul.study.estimate.Costs.error>`).
        front: whether no other candidate that fits is both smaller and faster.
        broken: the limits that it breaks, and by what factor.
    """

    build: Build
    row: Row
    area: Basis | None
    clock: Basis | None
    area_error: float | None = None
    clock_error: float | None = None
    front: bool = False
    broken: tuple[tuple[Limit, float], ...] = ()

    @property
    def basis(self) -> str:
        """Where its figures are from, and how far such figures are off, in a few words."""
        pairs = ((self.area, self.area_error), (self.clock, self.clock_error))
        parts = [str(each) for each, _ in pairs if each]
        off = [f"±{error:.0%}" for _, error in pairs if error is not None]
        if not parts:
            return "unknown"
        where = parts[0] if len(set(parts)) == 1 else f"area {parts[0]}, clock {parts[1]}"
        return " ".join((where, *off))

    @property
    def is_measured(self) -> bool:
        """Whether all its figures are measured."""
        known = [each for each in (self.area, self.clock) if each]
        return bool(known) and all(each.how == "measured" for each in known)

    def labelled(self, options: Mapping[str, int]) -> str:
        """The core with some of its parameters, and the mark of results above M-1."""
        return replace(self.row, config=dict(options)).label

    @property
    def needs(self) -> str:
        """What it has of each thing that it breaks a limit with: ``4,413 LUTs, 33 multiplier blocks``."""
        return ", ".join(_amounts(self))

    def to_json(self) -> dict[str, Any]:
        """The row, and where its figures are from."""
        return self.row.to_json() | {
            "area": asdict(self.area) if self.area else None,
            "clock": asdict(self.clock) if self.clock else None,
            "area_error": self.area_error,
            "clock_error": self.clock_error,
            "front": self.front,
            "broken": {limit.name: None if isinf(factor) else factor for limit, factor in self.broken},
        }


TIE = 0.01
"""What an estimate has to be better by, as a part of it, to be taken before what is measured."""


@dataclass(frozen=True)
class Choice:
    """The answer.

    Attributes:
        wish: what was asked.
        fitting: the builds that fit, best first.
        nearest: where none fits, those that break the limits least, best first.
        out: each core without a build among them: why, in one word, and more of it.
        others: what was measured of cores that somebody else published, at this width in this field on this
            chip, the least area × time first. They stand beside the answer and are no part of it: neither
            budget nor modulus leaves one out, and none wins.
    """

    wish: Wish
    fitting: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]
    out: tuple[tuple[str, Skipped], ...]
    others: tuple[Other, ...] = ()

    @property
    def best(self) -> Candidate | None:
        """The best build that fits; a measured one where an estimate is no more than :data:`TIE` better."""
        if not self.fitting or self.fitting[0].is_measured:
            return self.fitting[0] if self.fitting else None
        behind, value, *_ = _rank(self.fitting[0], self.wish)
        for each in self.fitting:
            rank = _rank(each, self.wish)
            if each.is_measured and rank[0] == behind and abs(rank[1] - value) <= TIE * abs(value):
                return each
        return self.fitting[0]

    def export(self, candidate: Candidate) -> list[str]:
        """The command line that exports a build."""
        build, wish = candidate.build, self.wish
        line = ["modmul", "export", build.slug, "--width", str(build.config.width)]
        fixed = bool(build.config.options().get("Modulus"))
        if wish.modulus and not wish.modulus.secret and (fixed or wish.modulus.name):
            line += ["--modulus", wish.modulus.name or str(wish.modulus.value)]
        default = build.room.build(wish.width, modulus=wish.modulus.value if wish.modulus else None)
        for name, value in build.config.options().items():
            if value != default.config.options().get(name):
                line += ["--set", f"{name}={value}"]
        return line

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        wish = self.wish
        return {
            "width": wish.width,
            "modulus": wish.modulus.name if wish.modulus else None,
            "target": wish.chip.name,
            "system": wish.system or None,
            "for": wish.aim,
            "limits": {limit.name: value for limit, value in wish.limits},
            "fitting": [each.to_json() | {"export": self.export(each)} for each in self.fitting],
            "nearest": [each.to_json() for each in self.nearest],
            "out": [
                {"core": skipped.core, "why": word, "reason": skipped.reason} for word, skipped in self.out
            ],
            "others": [each.to_json(self.wish.weights) for each in self.others],
        }


def choose(
    wish: Wish, costs: Costs | None = None, found: Sequence[Room] | None = None, *, tested: int = 8
) -> Choice:
    """The builds that serve a modulus on a chip within a budget, best first.

    Args:
        costs: what builds cost; ``None`` for the records that come with the package.
        found: the cores to choose from; ``None`` for all.
        tested: builds, from the best on, of which it is said how far their estimates are off; of those of the
            front it always is.

    Raises:
        ValueError: a limit needs a clock, and none is known of any build.
    """
    costs = costs or Costs()
    out: list[tuple[str, Skipped]] = []
    fitting: list[Candidate] = []
    broken: list[Candidate] = []
    for core in rooms().values() if found is None else found:
        candidates: list[Candidate] = []
        try:
            each = on(wish.system, core.core.slug) if wish.system else core
            builds = _builds(each, wish, costs)
        except ValueError as reason:
            out.append((_word(core, wish), Skipped(core.core.slug, str(reason))))
            continue
        lacking = ""
        for build in builds:
            cost = costs.of(build, wish.chip)
            if cost and (short := shortage(cost, wish.chip)):
                lacking = short
            else:
                candidates.append(_judged(build, wish, cost))
        if not candidates:
            out.append(("device", Skipped(core.core.slug, lacking)))
            continue
        good = [c for c in candidates if not c.broken]
        fitting += good
        if not good:
            closest = min(candidates, key=_distance)
            broken.append(closest)
            out.append((closest.broken[0][0].word, Skipped(core.core.slug, closest.needs)))
    timed = [limit.option for limit, _ in wish.limits if limit.timed]
    if timed and (fitting or broken) and not any(each.row.fmax_mhz for each in (*fitting, *broken)):
        raise ValueError(
            f"no clock on {wish.chip.name} is shipped of a core that serves this, and {timed[0]} needs one; "
            f"count on one with --clock MHZ, or find one: modmul measure CORE --target {wish.chip.name}"
        )
    ranked = [
        _with_errors(each, wish.chip, costs) if each.front or at < tested else each
        for at, each in enumerate(_ranked(fitting, wish))
    ]
    fields = (field_of(wish.modulus.value) if wish.modulus else PRIME_FIELD,)
    beside = () if wish.system else others(wish.chip, wish.width, wish.weights, fields=fields)
    return Choice(wish, tuple(ranked), () if ranked else _nearest(broken), tuple(out), tuple(beside))


def measured(choice: Choice, count: int, tools: Tools, listener: Listener = ignore) -> Choice:
    """The same with the first ``count`` builds, and those of the front, measured where they were estimated.

    Raises:
        ToolFailure: a tool failed.
    """
    wish = choice.wish
    wanted = [
        candidate
        for at, candidate in enumerate(choice.fitting)
        if (at < count or candidate.front) and not (candidate.is_measured and _is_clocked(candidate, wish))
    ]
    seeds = SHIPPED_SEEDS if wish.chip.route else ()
    jobs = {each.build: job(each.build, wish.chip, seeds, tools) for each in wanted}
    outcomes = run_jobs(jobs, tools, Store(), listener)
    known = {}
    for build, outcome in outcomes.items():
        if not isinstance(outcome, Measurement):
            raise outcome
        timing, area = outcome.timing, outcome.area
        basis = Basis(wish.chip.name, (wish.width,), "measured")
        known[build] = Estimate(
            area.luts,
            area.ffs,
            area.dsp,
            area.bram,
            basis,
            fmax_mhz=timing.median_mhz if timing else None,
            spread_mhz=timing.spread_mhz if timing else None,
            seeds=len(timing.fmax_mhz) if timing else 0,
            clock=basis if timing else None,
        )
    again = [
        _judged(each.build, wish, known[each.build]) if each.build in known else each
        for each in choice.fitting
    ]
    ranked = _ranked([each for each in again if not each.broken], wish)
    return replace(choice, fitting=tuple(ranked), nearest=() if ranked else _nearest(again))


def _is_clocked(candidate: Candidate, wish: Wish) -> bool:
    """Whether its clock is known, or none is to be had or wanted."""
    return candidate.clock is not None or not wish.chip.route or wish.clock_mhz is not None


def _ranked(candidates: Sequence[Candidate], wish: Wish) -> list[Candidate]:
    """Those that fit, best first, the front marked."""
    return _front(sorted(candidates, key=lambda each: _rank(each, wish)), wish)


def _nearest(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those that do not fit, the one that breaks the limits least first."""
    return tuple(sorted(candidates, key=_distance))


def _builds(found: Room, wish: Wish, costs: Costs) -> list[Build]:
    """Those worth comparing, and further ones with records, that serve the modulus and the wishes.

    Raises:
        ValueError: there is none, with the reason.
    """
    value = wish.modulus.value if wish.modulus else None
    core = found.inner.core if isinstance(found, SystemRoom) else found.core
    if not core.builds.fits(wish.chip.name, wish.width):
        raise ValueError(f"{core.slug}: {core.builds.unfit(wish.chip.name, wish.width)}")
    builds = dict.fromkeys(found.fitting(wish.width, value, wish.chip.name))
    for build in costs.builds(found, wish.width, wish.chip, value):
        if value is None or build.core.function.serves(build.config, value):
            builds.setdefault(build)
    if value is None or isinstance(value, RsaKey):  # keys change, hardware does not
        cores = {build: multiplier(build) for build in builds}
        several = [b for b, inner in cores.items() if inner.core.function.only_modulus(inner.config) is None]
        if PRIME_FIELD not in next(iter(cores.values())).config.fields:
            raise ValueError(f"{found.core.slug} computes in {BINARY_FIELD} alone; say for which --modulus")
        if not several:
            raise ValueError(
                f"{found.core.slug} is built for one modulus; "
                + ("say which with --modulus" if value is None else "for that of a key, give it as a number")
            )
        builds = dict.fromkeys(several)
    kept = [build for build in builds if not wish.domain or _domain(build) == wish.domain]
    if not kept:
        raise ValueError(f"{found.core.slug} works in the {_domain(next(iter(builds)))} domain")
    reduced = [build for build in kept if not wish.reduced or _results(build, wish)[1]]
    if not reduced:
        raise ValueError(f"results of {found.core.slug} may be above M-1")
    return reduced


def _domain(build: Build) -> str:
    return build.core.function.domain(build.config).name


def _results(build: Build, wish: Wish) -> tuple[str, bool]:
    """The largest result as people write it, and whether it is below M."""
    value = wish.modulus.value if wish.modulus else None
    if value is None and isinstance(build.room, SystemRoom):
        probe = (1 << wish.width) - 1  # to make a key of that length would take seconds
        largest = build.core.function.result_max(build.config, probe)
        return bound_name(largest, probe), largest < probe
    return build.results(value), build.reduced(value)


def _word(found: Room, wish: Wish) -> str:
    """Why a core has no build for a wish, in one word."""
    core = found.core
    if wish.width > core.builds.made_for:
        return "width"
    if not core.builds.fits(wish.chip.name, wish.width):
        return "device"
    try:
        config = core.builds.at(wish.width, wish.chip.name)[0]
    except ValueError:
        return "width"
    value = wish.modulus.value if wish.modulus else None
    if value is None or isinstance(value, RsaKey):
        if PRIME_FIELD not in config.fields:
            return "field"
        if core.function.only_modulus(config) is not None:
            return "modulus"
        if value is None:
            return _wished(found, wish)
    field = BINARY_FIELD if isinstance(value, Polynomial) else PRIME_FIELD
    if field not in config.fields:
        return "field"
    if core.builds.for_modulus:
        try:
            found.fitting(wish.width, value, wish.chip.name)
        except ValueError:
            return "form"  # of the modulus
    elif field == PRIME_FIELD and not value % 2 and not core.function.serves(config, value):
        return "even" if core.function.serves(config, value | 1) else "modulus"
    elif not core.function.serves(config, value):
        return "modulus"
    return _wished(found, wish)


def _wished(found: Room, wish: Wish) -> str:
    if (
        wish.domain
        and wish.domain
        != found.core.function.domain(found.core.builds.at(wish.width, wish.chip.name)[0]).name
    ):
        return "domain"
    return "system" if wish.system else "range"


def _with_errors(candidate: Candidate, chip: Chip, costs: Costs) -> Candidate:
    """The same with how far such estimates are off."""

    def error(basis: Basis | None, quantity: str) -> float | None:
        if basis is None or basis.how == "measured":
            return None
        return costs.error(candidate.build, chip, basis.how, quantity)

    area, clock = error(candidate.area, "luts"), error(candidate.clock, "time")
    return replace(candidate, area_error=area, clock_error=clock)


def _judged(build: Build, wish: Wish, cost: Estimate | None) -> Candidate:
    value = wish.modulus.value if wish.modulus else None
    clock = cost.fmax_mhz if cost and wish.clock_mhz is None else wish.clock_mhz
    row = Row.of(
        build,
        value,
        *_results(build, wish),
        luts=cost.luts if cost else None,
        ffs=cost.ffs if cost else None,
        dsp=cost.dsp if cost else None,
        bram=cost.bram if cost else None,
        fmax_mhz=clock,
        fmax_spread_mhz=cost.spread_mhz if cost and wish.clock_mhz is None else None,
        seeds=cost.seeds if cost and wish.clock_mhz is None else 0,
        shipped=cost.date if cost else "",
        weights=wish.weights or Weights.of(wish.chip),
    )
    factors = ((limit, limit.excess(row, value)) for limit, value in wish.limits)
    broken = tuple((limit, factor) for limit, factor in factors if factor > 1)
    given = None if wish.clock_mhz is not None or cost is None else cost.clock
    return Candidate(build, row, cost.area if cost else None, given, broken=broken)


def _rank(candidate: Candidate, wish: Wish) -> tuple[float, ...]:
    row = candidate.row
    behind = not row.reduced and not wish.unreduced
    return (behind, *AIMS[wish.aim].key(row))


def _distance(candidate: Candidate) -> float:
    """By how much it breaks the limits: the product of the factors."""
    product = 1.0
    for _, factor in candidate.broken:
        product *= min(factor, 1e6)
    return product


def _front(ranked: Sequence[Candidate], wish: Wish) -> list[Candidate]:
    """The same with a mark on each that no other is as small and as fast as.

    Builds with results above M-1 are neither marked nor in the way of others unless they are asked for.
    """
    time = AIMS[wish.aim].time

    def beats(one: Candidate, other: Candidate) -> bool:
        if one is other or (not one.row.reduced and not wish.unreduced):
            return False
        mine = _known(one.row.lut_equivalents), time(one.row)
        its = _known(other.row.lut_equivalents), time(other.row)
        return mine[0] <= its[0] and mine[1] <= its[1] and mine != its

    return [
        replace(
            each,
            front=(each.row.reduced or wish.unreduced)
            and each.row.luts is not None
            and not any(beats(other, each) for other in ranked),
        )
        for each in ranked
    ]


def _amounts(candidate: Candidate) -> Iterator[str]:
    for limit, _ in candidate.broken:
        value = limit.value(candidate.row)
        amount = "?" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        yield f"{amount} {limit.unit}"
