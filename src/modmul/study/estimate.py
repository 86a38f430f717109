# SPDX-License-Identifier: Apache-2.0
"""What a build costs on a chip, from the records that come with the package: measured, or estimated.

A record of the very build is taken as it is. Where there is none, figures come from records of the same core
at other widths, by a power law through the two nearest (:func:`curve`); where the chip has none of this core,
from another chip, by the median ratio of the builds that both have. :meth:`Costs.accuracy` says how far that
is from the truth, by leaving each record out in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from math import exp, log
from statistics import median

from modmul.chips import CHIPS, Chip, relatives
from modmul.core import SystemConfig
from modmul.measure import SHIPPED, Record, Shelf, count_cells
from modmul.registry import ECC, RoomError, room
from modmul.room import Build, Room, SystemRoom

__all__ = ["Accuracy", "Basis", "Costs", "Estimate", "Miss", "curve", "multiplier"]

QUANTITIES = ("luts", "ffs", "dsp", "bram", "fmax_mhz")
"""What is estimated: areas, and the clock frequency."""

STEEPEST = 2.2
"""The largest exponent of the width with which a figure may grow outside of the measured widths."""

APART = 1.2
"""The ratio of two widths from which on their figures tell how one grows: nearer ones tell chance."""

Kin = Callable[[int, Mapping[str, int]], bool]
"""Whether a build of a width with these options is the same kind of build as the one asked for."""


@dataclass(frozen=True)
class Basis:
    """Where a figure is from.

    Attributes:
        chip: name of the chip family that the records are of.
        widths: of the records, in bits, in order.
        how: ``"measured"``, ``"interpolated"`` between two widths, ``"extrapolated"`` from the nearest,
            ``"estimated"`` from another chip or another fixed modulus, ``"composed"`` of the core's figures
            and what the system takes besides on other cores.
    """

    chip: str
    widths: tuple[int, ...]
    how: str

    def __str__(self) -> str:
        places = " and ".join(map(str, self.widths))
        match self.how:
            case "measured":
                return "measured"
            case "interpolated":
                return f"between {places}"
            case "extrapolated":
                return f"from {places}"
            case "composed":
                return "from the core"
        return f"from {self.chip}"


@dataclass(frozen=True)
class Estimate:
    """What a build costs on a chip.

    Attributes:
        luts, ffs, dsp, bram: area, as :class:`~modmul.measure.Area` counts it.
        fmax_mhz: clock frequency, MHz, median over the seeds; ``None`` where nothing is known of it.
        spread_mhz: largest less smallest frequency over the seeds of a measured one, MHz.
        seeds: how many they are.
        area, clock: where they are from; ``clock`` is ``None`` where ``fmax_mhz`` is.
        date: day of the record where area and clock are measured, ISO 8601; else empty.
    """

    luts: int
    ffs: int
    dsp: int
    bram: int
    area: Basis
    fmax_mhz: float | None = None
    spread_mhz: float | None = None
    seeds: int = 0
    clock: Basis | None = None
    date: str = ""


@dataclass(frozen=True)
class Miss:
    """The estimate of a record that was left out.

    Attributes:
        core, chip: slug and name of the chip family.
        how: how the estimate was made, as in :class:`Basis`.
        quantity: ``"luts"`` or ``"time"``; a time is off by as much as its clock, the other way round.
        error: relative, without its sign.
    """

    core: str
    chip: str
    how: str
    quantity: str
    error: float


@dataclass(frozen=True)
class Accuracy:
    """How far estimates of left-out records are from the truth.

    Attributes:
        core, chip, how, quantity: as in :class:`Miss`.
        records: how many were left out.
        middle, worst: relative errors, median and largest.
    """

    core: str
    chip: str
    how: str
    quantity: str
    records: int
    middle: float
    worst: float


@dataclass(frozen=True)
class _Point:
    """What a record says: figures of one build on one chip."""

    slug: str
    chip: str
    width: int
    options: Mapping[str, int]
    figures: Mapping[str, float]
    record: Record


class Costs:
    """What is known of costs: the records of a shelf, looked up by core and chip.

    Args:
        shelf: where records are.
        points: what is known in place of a shelf, to try what it would be worth without some of it.
    """

    def __init__(self, shelf: Shelf = SHIPPED, *, points: Sequence[_Point] | None = None) -> None:
        self._points = tuple(_points(shelf)) if points is None else tuple(points)
        self._found: dict[tuple[str, str], list[_Point]] = {}
        self._changed: dict[tuple[str, str], list[_Point]] = {}  # systems on other builds of a core
        for point in self._points:
            where = self._changed if point.record.inner else self._found
            where.setdefault((point.slug, point.chip), []).append(point)
        self._ratios: dict[tuple[str, str, str], list[tuple[str, float]]] = {}
        self._misses: dict[tuple[str, str], list[Miss]] = {}

    def of(self, build: Build, chip: Chip) -> Estimate | None:
        """What a build costs on a chip; ``None`` where no record helps."""
        own = self._near(build, chip.name)
        found = own or self._elsewhere(build, chip) or self._of_system(build, chip)
        if found is None or found.fmax_mhz is not None or not chip.route:
            return found
        # An area of its own, and a clock of another chip's.
        other = self._elsewhere(build, chip)
        if other and other.fmax_mhz is not None:
            return replace(found, fmax_mhz=other.fmax_mhz, clock=other.clock)
        return found

    def builds(self, found: Room, width: int, chip: Chip, modulus: int | None = None) -> Iterator[Build]:
        """The builds of a core that records on a chip, or on its relatives, are of at a width.

        Args:
            modulus: those that it is fixed in are among them.
        """
        for name in relatives(chip.name):
            for point in self._found.get((found.core.slug, name), ()):
                if point.width == width and point.options.get("Modulus", 0) in (0, modulus):
                    try:
                        yield found.build(width, point.options)
                    except ValueError:
                        continue
            for point in self._changed.get((found.core.slug, name), ()):
                with suppress(ValueError):
                    build = found.build(width, {"Word": point.options["Word"], **point.record.inner}, modulus)
                    if point.record.covers(build.design, CHIPS[name], ()):
                        yield build

    # ---- the same core on the same chip

    def _near(self, build: Build, chip: str) -> Estimate | None:
        points = self._found.get((build.slug, chip), ())
        if isinstance(build.room, SystemRoom):
            for point in (*points, *self._changed.get((build.slug, chip), ())):
                if point.record.covers(build.design, CHIPS[chip], ()):
                    return _measured(point, Basis(chip, (build.config.width,), "measured"))
        width, options = build.config.width, _options(build) if points else None
        if options is None:
            return None
        exact = [point for point in points if point.width == width and point.options == options]
        if exact:
            return _measured(exact[0], Basis(chip, (width,), "measured"))
        fixed = [point for point in points if point.width == width and _alike(point.options, options)]
        if fixed:
            return _measured(fixed[0], Basis(chip, (width,), "estimated"))
        of_kind = self._of_kind(build, chip)
        if not of_kind:
            return None
        return _estimate(chip, width, of_kind, lambda name: self._slope(build, chip, of_kind[0].width, name))

    def _of_kind(self, build: Build, chip: str) -> list[_Point]:
        """The records on a chip of builds of the same kind at other widths, one a width, in order."""
        kin, width = _kin(build, chip), build.config.width
        found: dict[int, _Point] = {}
        for point in self._found.get((build.slug, chip), ()):
            if point.width != width and kin(point.width, point.options):
                found.setdefault(point.width, point)
        return sorted(found.values(), key=lambda point: point.width)

    def _slope(self, build: Build, chip: str, start: int, name: str) -> float:
        """The exponent with which a figure grows from a width on to that of a build.

        It is that of the same core on the likest chip with records of two widths; else the usual one. Of a
        system it is that between its builds of any kind on this chip, where there are such of both widths.
        """
        width = build.config.width
        if isinstance(build.room, SystemRoom):
            mine = [
                (point.width, point.figures[name])
                for point in self._found.get((build.slug, chip), ())
                if point.width in (start, width) and point.figures.get(name)
            ]
            if {at for at, _ in mine} == {start, width}:
                first, last = (median(value for at, value in mine if at == each) for each in (start, width))
                return log(last / first) / log(width / start)
        for other in _others(CHIPS[chip]):
            points = self._of_kind(build, other)
            known = [(point.width, point.figures[name]) for point in points if point.figures.get(name)]
            if len(known) > 1:
                return log(curve(known, width, 0.0) / curve(known, start, 0.0)) / log(width / start)
        return self.slopes[name]

    @cached_property
    def slopes(self) -> dict[str, float]:
        """The usual exponent of the width with which each quantity grows: the median over cores and chips.

        No area shrinks as the width grows.
        """
        found: dict[str, list[float]] = {name: [] for name in QUANTITIES}
        for points in self._found.values():
            for name in QUANTITIES:
                known = sorted({(p.width, p.figures[name]) for p in points if p.figures.get(name)})
                for (w, a), (v, b) in pairwise(known):
                    if v >= APART * w:
                        found[name].append(log(b / a) / log(v / w))
        middle = {name: median(slopes) if slopes else 0.0 for name, slopes in found.items()}
        return {name: slope if name == "fmax_mhz" else max(slope, 0.0) for name, slope in middle.items()}

    # ---- the same core on another chip

    def _elsewhere(self, build: Build, chip: Chip) -> Estimate | None:
        for name in _others(chip):
            found = self._near(build, name)
            if found is None:
                continue
            area = _on({q: float(getattr(found, q)) for q in ("luts", "dsp", "bram")}, CHIPS[name], chip)
            size = self._ratio(build.slug, name, chip.name, "luts", own=area["luts"] != found.luts)
            if size is None and (CHIPS[name].unit != chip.unit or area["luts"] != found.luts):
                continue  # its LUTs and blocks are no measure of what is counted here
            clock = self._ratio(build.slug, name, chip.name, "fmax_mhz") if chip.route else None
            basis = Basis(name, found.area.widths, "estimated")
            return Estimate(
                round(area["luts"] * (size or 1.0)),
                round(found.ffs * (self._ratio(build.slug, name, chip.name, "ffs") or 1.0)),
                round(area["dsp"]),
                round(area["bram"]),
                basis,
                fmax_mhz=found.fmax_mhz * clock if found.fmax_mhz and clock else None,
                clock=basis if found.fmax_mhz and clock else None,
            )
        return None

    def _ratio(self, slug: str, of: str, to: str, quantity: str, *, own: bool = False) -> float | None:
        """The median, over the builds that both chips have, of what is measured on one by that on another.

        Over the builds of the core itself where there are any, else over those of all.

        Args:
            own: of the core itself or not at all: what a block counts for in LUT-equivalents is no guess at
                the LUTs that take its place, and only that core's own builds tell how they compare.
        """
        found = self._ratios.get((of, to, quantity))
        if found is None:
            found = self._ratios[of, to, quantity] = list(self._shared(of, to, quantity))
        ratios = [ratio for name, ratio in found if name == slug]
        if not ratios and not own:
            ratios = [ratio for _, ratio in found]
        return median(ratios) if ratios else None

    def _shared(self, of: str, to: str, quantity: str) -> Iterator[tuple[str, float]]:
        """The ratio of each build that both chips have, with its core."""
        mine = {
            _key(p): _on(p.figures, CHIPS[of], CHIPS[to]).get(quantity) for p in self._points if p.chip == of
        }
        for point in self._points:
            if point.chip == to and (base := mine.get(_key(point))) and point.figures.get(quantity):
                yield point.slug, point.figures[quantity] / base

    # ---- a system, from its core

    def _of_system(self, build: Build, chip: Chip) -> Estimate | None:
        """From the core's figures, and what the system costs besides where it is measured on others.

        A curve that is measured on none is taken to cost what other curves do, and any other such system what
        all do that have as many engines.
        """
        if not isinstance(build.room, SystemRoom):
            return None
        system, _, _ = build.slug.partition(":")
        inner = self.of(multiplier(build), chip)
        kinds: tuple[Callable[[str], bool], ...] = (
            lambda name: name == system,
            lambda name: name.startswith(ECC) and system.startswith(ECC),
            lambda _: True,
        )
        besides = next(filter(None, (self._besides(build, kind, chip) for kind in kinds)), None)
        if inner is None or besides is None:
            return None
        width = build.config.width

        def rest_of(which: int) -> float:
            known = [(w, median(each[which] for each in found)) for w, found in sorted(besides.items())]
            return curve(known, width, 1.0 if which < 2 else 0.0)

        basis = Basis(chip.name, tuple(sorted(besides)), "composed")
        count = _engines(build)
        return Estimate(
            round(count * inner.luts + rest_of(0)),
            round(count * inner.ffs + rest_of(1)),
            count * inner.dsp,
            count * inner.bram,
            basis,
            fmax_mhz=None if inner.fmax_mhz is None else inner.fmax_mhz * min(rest_of(2), 1.0),
            clock=None if inner.fmax_mhz is None else basis,
        )

    def _besides(
        self, build: Build, kind: Callable[[str], bool], chip: Chip
    ) -> dict[int, list[tuple[float, float, float]]]:
        """What systems of a kind cost besides their cores: LUTs, flip-flops, the share of the core's clock.

        Args:
            kind: takes the name of a system; of others than the build's own those with as many engines count.

        Returns:
            by width; empty where none is measured.
        """
        own = build.slug.partition(":")[0]
        besides: dict[int, list[tuple[float, float, float]]] = {}
        for (slug, name), points in self._found.items():
            system = slug.partition(":")[0]
            if ":" in slug and kind(system) and name == chip.name:
                found = room(slug)
                for point in points:
                    other = found.build(found.core.builds.only_width or point.width)
                    if system != own and _engines(other) != _engines(build):
                        continue
                    word = multiplier(other).config.word
                    if point.options.get("CoreWord", word) != word:
                        continue  # on another build of the core
                    core = self.of(multiplier(other), chip)
                    if core and core.fmax_mhz and point.figures.get("fmax_mhz"):
                        rest = point.figures["luts"] - _engines(other) * core.luts
                        clock = point.figures["fmax_mhz"] / core.fmax_mhz
                        besides.setdefault(other.config.width, []).append(
                            (max(rest, 0.0), point.figures["ffs"] - _engines(other) * core.ffs, clock)
                        )
        return besides

    # ---- how good that is

    def error(self, build: Build, chip: Chip, how: str, quantity: str) -> float | None:
        """How far such estimates of a core on a chip are from the truth: the median over left-out records.

        Args:
            how, quantity: as in :class:`Miss`.

        Returns:
            a relative error; ``None`` where no record can be left out.
        """
        key = build.slug, chip.name
        if key not in self._misses:
            self._misses[key] = [miss for point in self._found.get(key, ()) for miss in self._tried(point)]
        found = [miss.error for miss in self._misses[key] if (miss.how, miss.quantity) == (how, quantity)]
        return median(found) if found else None

    def errors(self) -> Iterator[Miss]:
        """Every record estimated without itself: from other widths, and from another chip."""
        for point in self._points:
            yield from self._tried(point)

    def accuracy(self) -> list[Accuracy]:
        """The errors, a line for each core, chip and way of estimating."""
        found: dict[tuple[str, str, str, str], list[float]] = {}
        for miss in self.errors():
            found.setdefault((miss.core, miss.chip, miss.how, miss.quantity), []).append(miss.error)
        return [
            Accuracy(*key, len(errors), median(errors), max(errors)) for key, errors in sorted(found.items())
        ]

    def _tried(self, point: _Point) -> Iterator[Miss]:
        if point.options.get("Modulus") or ":" in point.slug:
            return
        try:
            build = room(point.slug).build(point.width, point.options)
        except (ValueError, RoomError):
            return
        without = Costs(points=[other for other in self._points if other is not point])
        for found in (without._near(build, point.chip), without._elsewhere(build, CHIPS[point.chip])):
            if found is None:
                continue
            error = abs(found.luts / point.figures["luts"] - 1)
            yield Miss(point.slug, point.chip, found.area.how, "luts", error)
            if found.fmax_mhz and found.clock and "fmax_mhz" in point.figures:
                error = abs(point.figures["fmax_mhz"] / found.fmax_mhz - 1)
                yield Miss(point.slug, point.chip, found.clock.how, "time", error)


def curve(points: Sequence[tuple[int, float]], width: int, slope: float) -> float:
    """A figure at a width, from figures at others: a power law through the two nearest.

    Outside of them the second is the nearest that is :data:`APART` from the first.

    Args:
        points: widths in bits, ascending, and the figures there; at least one.
        slope: the exponent where there is only one, or none is apart.
    """
    known = dict(points)
    if width in known:
        return known[width]
    below = [point for point in points if point[0] < width]
    above = [point for point in points if point[0] > width]
    if below and above:
        (w, a), (v, b) = below[-1], above[0]
    else:
        (w, a), *others = reversed(below) if below else above
        apart = [point for point in others if max(w, point[0]) >= APART * min(w, point[0])]
        if not apart:
            return float(a * (width / w) ** slope)
        v, b = apart[0]
    if not (a > 0 and b > 0):
        return a + (b - a) * (width - w) / (v - w)
    steep = log(b / a) / log(v / w)
    if not (below and above):
        steep = min(steep, STEEPEST)
    return a * exp(steep * log(width / w))


def _points(shelf: Shelf) -> Iterator[_Point]:
    for record in shelf.all():
        if "/" in record.design:
            continue  # a part of a core
        width = _width(record)
        if width is None:
            continue
        area = count_cells(record.cells, CHIPS[record.target])
        figures: dict[str, float] = {"luts": area.luts, "ffs": area.ffs, "dsp": area.dsp, "bram": area.bram}
        if record.fmax_mhz:
            figures["fmax_mhz"] = median(record.fmax_mhz.values())
        options = {name: value for name, value in record.parameters.items() if name != "Width"}
        yield _Point(record.design, record.target, width, options, figures, record)


def _on(figures: Mapping[str, float], of: Chip, to: Chip) -> dict[str, float]:
    """An area on one chip with the blocks that another does not have counted as LUTs."""
    area = dict(figures)
    for name, cells, weight in (
        ("dsp", to.cells.multiplier, of.dsp_weight),
        ("bram", to.cells.block_ram, of.bram_weight),
    ):
        if not cells:
            area["luts"] += weight * area[name]
            area[name] = 0
    return area


def _width(record: Record) -> int | None:
    """Bits of the operands; a system has words and their number in each lane in place of them."""
    parameters = record.parameters
    if "Width" in parameters:
        return parameters["Width"]
    bits = parameters.get("Beats", 0) * parameters.get("Word", 0)
    return bits * parameters.get("Lanes", 1) or None


def _key(point: _Point) -> tuple[str, int, tuple[tuple[str, int], ...]]:
    return point.slug, point.width, tuple(sorted(point.options.items()))


def _alike(options: Mapping[str, int], others: Mapping[str, int]) -> bool:
    """Whether they are the same but for the number that the modulus is fixed to."""
    moduli = options.get("Modulus", 0), others.get("Modulus", 0)
    same = {**options, "Modulus": 0} == {**others, "Modulus": 0}
    return same and all(moduli)


def _kin(build: Build, chip: str) -> Kin:
    """Which builds of other widths are of the same kind.

    Those with the same options; and where options follow the width, as the number of processing elements
    does, those that a comparison of that width takes in the same role: with the same values of what tells its
    builds apart.
    """
    own = build.config.options()
    if isinstance(build.config, SystemConfig):
        return lambda _width, _options: build.config == build.room.core.builds.at(build.config.width, chip)[0]
    role = _role(build.room, build.config.width, chip).get(_frozen(own))

    def kin(width: int, options: Mapping[str, int]) -> bool:
        if bool(options.get("Modulus")) != bool(own.get("Modulus")):
            return False
        if {**options, "Modulus": 0} == {**own, "Modulus": 0}:
            return True
        return role is not None and _role(build.room, width, chip).get(_frozen(options)) == role

    return kin


def _frozen(options: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((name, value) for name, value in options.items() if name != "Modulus"))


@cache
def _role(
    found: Room, width: int, chip: str
) -> dict[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """The builds of a width worth comparing: their options, and those of them that tell them apart."""
    try:
        builds = found.core.builds.at(width, chip)
    except ValueError:
        return {}
    all_options = [_frozen(config.options()) for config in builds]
    common = set(all_options[0]).intersection(*map(set, all_options)) if all_options else set()
    return {options: tuple(each for each in options if each not in common) for options in all_options}


def _estimate(chip: str, width: int, points: Sequence[_Point], slope: Callable[[str], float]) -> Estimate:
    """By a curve through records of other widths, in order."""

    def at(name: str) -> tuple[float, Basis] | None:
        known = [(point.width, point.figures[name]) for point in points if name in point.figures]
        if not known:
            return None
        below, above = [w for w, _ in known if w < width], [w for w, _ in known if w > width]
        if below and above:
            basis = Basis(chip, (below[-1], above[0]), "interpolated")
        else:
            basis = Basis(chip, (below[-1],) if below else (above[0],), "extrapolated")
        return curve(known, width, slope(name) if len(known) == 1 else 0.0), basis

    found = {name: at(name) for name in QUANTITIES}
    area, clock = found["luts"], found["fmax_mhz"]
    assert area is not None
    values = {name: value[0] for name, value in found.items() if value}
    return Estimate(
        round(values["luts"]),
        round(values["ffs"]),
        round(values["dsp"]),
        round(values["bram"]),
        area[1],
        fmax_mhz=clock[0] if clock else None,
        clock=clock[1] if clock else None,
    )


def _measured(point: _Point, basis: Basis) -> Estimate:
    mhz = list(point.record.fmax_mhz.values())
    figures = point.figures
    return Estimate(
        int(figures["luts"]),
        int(figures["ffs"]),
        int(figures["dsp"]),
        int(figures["bram"]),
        basis,
        fmax_mhz=figures.get("fmax_mhz"),
        spread_mhz=max(mhz) - min(mhz) if len(mhz) > 1 else None,
        seeds=len(mhz),
        clock=basis if mhz else None,
        date=point.record.date if basis.how == "measured" else "",
    )


def _others(chip: Chip) -> Iterable[str]:
    """Other chips, the likest first: relatives, then those with LUTs of as many inputs."""
    near = relatives(chip.name)[1:]
    rest = sorted(
        (other for other in CHIPS.values() if other.name not in (chip.name, *near)),
        key=lambda other: (chip.name not in relatives(other.name), abs(other.lut_inputs - chip.lut_inputs)),
    )
    return (*near, *(other.name for other in rest))


def _options(build: Build) -> Mapping[str, int] | None:
    """The parameters that records have of a build but ``Width``; ``None`` where records are of other builds.

    Those of a system are on the default build of a core, and name the system's parameters alone.
    """
    if not isinstance(build.config, SystemConfig):
        return build.config.options()
    default = build.room.build(build.config.width).config
    if not isinstance(default, SystemConfig) or build.config.inner != default.inner:
        return None
    return {name: value for name, value in build.config.parameters().items() if name != "Width"}


def multiplier(build: Build) -> Build:
    """The core of a system with its parameters; a core itself."""
    if not isinstance(build.room, SystemRoom) or not isinstance(build.config, SystemConfig):
        return build
    return build.room.inner.of(build.config.inner)


def _engines(build: Build) -> int:
    """How many of its core a system has."""
    return int(getattr(build.config, "cores", 1) * getattr(build.config, "lanes", 1))
