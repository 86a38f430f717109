# SPDX-License-Identifier: Apache-2.0
"""Measurements that come with the package: records in text, found by what decides them.

They lie in ``results/``, one JSON file for each design, with one line for each fact of a record. A record is
taken only for the sources, parameters, target, commands and options it was made with. It tells the versions
of the tools, which need not be those that are installed here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from modmul.chips import CHIPS, Chip
from modmul.design import Design
from modmul.measure.area import Area
from modmul.measure.route import Timing, route_flow
from modmul.measure.synthesis import digests, synthesis_flow
from modmul.tools.store import tool_versions

__all__ = ["SHIPPED", "SHIPPED_SEEDS", "Record", "RecordError", "Shelf", "add_records", "read_records"]

DIGITS = 16
"""Hexadecimal digits of a digest in a record."""

SYNTHESIS_TOOL = "pyosys"


_Build = tuple[str, str, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]


class RecordError(RuntimeError):
    """A file of records that is damaged; the message is one line, names it and says what to do."""


@dataclass(frozen=True)
class Record:
    """What was measured of a design on a target, and all that decided it.

    Attributes:
        design: its name: the core, and the block where it is one.
        parameters: SystemVerilog parameters of its top module.
        target: name of the target.
        cells: cell type to count, after synthesis.
        fmax_mhz: placement seed to clock frequency; empty without place and route.
        seconds: run time of the tools: synthesis, then each seed.
        tools: name and version of each tool.
        date: day of the record, ISO 8601.
        digest: of the design as tuned for the target (``Design.digest``).
        flow: digest of the commands and options of the tools, and of the wrapper.
        readings: what the target reads off the output of its commands (``Chip.readings``): attribute of
            ``Area`` to value.
        inner: of a system, its options and those of its core, as in ``Design.inner``.
        placed: digest of the netlist that was placed and routed (``Timing.placed``): with the same one, of
            other sources, the frequencies are the same.
    """

    design: str
    parameters: Mapping[str, int]
    target: str
    cells: Mapping[str, int]
    fmax_mhz: Mapping[int, float]
    seconds: tuple[int, ...]
    tools: Mapping[str, str]
    date: str
    digest: str
    flow: str
    readings: Mapping[str, float] = field(default_factory=dict)
    inner: Mapping[str, int] = field(default_factory=dict)
    placed: str = ""

    @classmethod
    def of(cls, design: Design, target: Chip, area: Area, timing: Timing | None) -> Self:
        """The record of a measurement made here, as of today."""
        design = design.tuned(target.family)
        route = timing.fmax_mhz if timing else {}
        return cls(
            design=design.name,
            parameters=dict(design.parameters),
            target=target.name,
            cells=dict(sorted(area.cells.items())),
            fmax_mhz={seed: round(mhz, 2) for seed, mhz in route.items()},
            seconds=(round(area.seconds), *([round(timing.seconds)] if timing else ())),
            tools=tool_versions(
                SYNTHESIS_TOOL, *((target.route.package,) if timing and target.route else ())
            ),
            date=datetime.now(UTC).date().isoformat(),
            digest=design.digest[:DIGITS],
            flow=_flow(design, target, routed=timing is not None),
            readings={name: getattr(area, name) for name in target.readings},
            inner=dict(design.inner),
            placed=timing.placed if timing else "",
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The record that :meth:`lines` wrote.

        Raises:
            TypeError, KeyError, ValueError: a fact is missing, or is not of its kind.
        """
        for name, value in data.items():
            if name not in _FACTS or not _FACTS[name](value):
                raise TypeError(f"{name!r:.40} cannot be {value!r:.40}")
        return cls(
            **{
                **data,
                "fmax_mhz": {int(seed): mhz for seed, mhz in data["fmax_mhz"].items()},
                "seconds": tuple(data["seconds"]),
            }
        )

    def lines(self) -> str:
        """The record as JSON, a line for each fact, but for some that are empty."""
        optional = ("readings", "inner", "placed")
        facts = {name: value for name, value in asdict(self).items() if value or name not in optional}
        return "{" + ",\n ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in facts.items()) + "}"

    @property
    def timing(self) -> Timing | None:
        """The frequencies; ``None`` without place and route."""
        return Timing(self.fmax_mhz, {}, self.seconds[1], {}, self.placed) if self.fmax_mhz else None

    @property
    def build(self) -> _Build:
        """What it is of: at most one record of a shelf has it."""
        return _build(self.target, self)

    def covers(self, design: Design, target: Chip, seeds: Iterable[int]) -> bool:
        """Whether it is what measuring a design on a target with these seeds would give."""
        if self.build != _build(target.name, design):
            return False  # before the sources are read
        design = design.tuned(target.family)
        return (
            set(seeds) <= set(self.fmax_mhz)
            and self.digest == design.digest[:DIGITS]
            and self.flow == _flow(design, target, routed=bool(self.fmax_mhz))
        )


def _build(target: str, of: Design | Record) -> _Build:
    name = of.design if isinstance(of, Record) else of.name
    return target, name, tuple(sorted(of.parameters.items())), tuple(sorted(of.inner.items()))


def _flow(design: Design, target: Chip, *, routed: bool) -> str:
    route = route_flow(design, target) if routed else ()
    parts = [*synthesis_flow(design, target), *route, *digests(target)]
    return sha256(json.dumps(parts).encode()).hexdigest()[:DIGITS]


def read_records(file: Path) -> list[Record]:
    """The records of a file, in its order.

    Raises:
        RecordError: it is damaged, or there is none.
    """
    try:
        return _parsed(file)
    except _DAMAGES as error:
        said = error.strerror if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
        raise RecordError(
            f"{file} is no file of measurements ({said}); 'modmul explore CORE --save FILE' writes one"
        ) from error


def add_records(file: Path, records: Iterable[Record]) -> bytes:
    """A file of records with further ones, each in place of an earlier one of the same build and target.

    Args:
        file: it need not exist, or may be empty; nothing is written.

    Raises:
        RecordError: it is damaged.
    """
    there = file.is_file() and file.stat().st_size
    found = {record.build: record for record in (*(read_records(file) if there else ()), *records)}
    return _text(found.values()).encode()


_DAMAGES = (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError)


def _word(value: object) -> bool:
    return isinstance(value, str)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _finite(value: object) -> bool:
    return _count(value) or (isinstance(value, float) and math.isfinite(value))


def _each(fact: Callable[[object], bool]) -> Callable[[object], bool]:
    """Whether a value names things of which each is such a fact."""
    return lambda value: isinstance(value, dict) and all(map(fact, value.values()))


def _counts(value: object) -> bool:
    return isinstance(value, list) and all(map(_count, value))


_FACTS: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(("design", "target", "date", "digest", "flow", "placed"), _word),
    **dict.fromkeys(("parameters", "cells", "inner"), _each(_count)),
    **dict.fromkeys(("fmax_mhz", "readings"), _each(_finite)),
    "seconds": _counts,
    "tools": _each(_word),
}
"""What each fact of a record is."""


def _parsed(file: Path) -> list[Record]:
    entries = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(entries, list):
        raise TypeError("a list of records is expected")
    return [Record.from_json(entry) for entry in entries]


def _text(records: Iterable[Record]) -> str:
    return "[" + ",\n".join(record.lines() for record in records) + "]\n"


class Shelf:
    """A folder of records, and records of somebody's own, which come before them.

    Args:
        folder: one file for each design.
        own: further records.
    """

    def __init__(self, folder: Path, own: Iterable[Record] = ()) -> None:
        self.folder = folder
        self.own = tuple(own)
        self._known: dict[str, list[Record]] = {}

    def beside(self, own: Iterable[Record]) -> Shelf:
        """The same with records of somebody's own."""
        return Shelf(self.folder, own)

    def _file(self, design: str) -> Path:
        return self.folder / f"{design.replace('/', '-').replace(':', '-')}.json"

    def records(self, design: str) -> list[Record]:
        """Those of the design of a name, one's own first, in the order of the file; maybe none.

        Raises:
            RecordError: the file is damaged.
        """
        if design not in self._known:
            file = self._file(design)
            try:
                shipped = _parsed(file) if file.exists() else []
            except _DAMAGES as error:
                raise RecordError(
                    f"the shipped measurements {file} are damaged ({type(error).__name__}: {error}); "
                    "install modmul again, or measure with --fresh, which takes no shipped ones"
                ) from error
            self._known[design] = [*(each for each in self.own if each.design == design), *shipped]
        return self._known[design]

    def all(self) -> Iterator[Record]:
        """Every record."""
        yield from self.own
        for file in sorted(self.folder.glob("*.json")):
            yield from (record for record in self.records(file.stem) if record not in self.own)

    def find(self, design: Design, target: Chip, seeds: Iterable[int] = ()) -> Record | None:
        """The record that is what measuring a design with these seeds would give, if there is one."""
        wanted = tuple(seeds)
        return next((r for r in self.records(design.name) if r.covers(design, target, wanted)), None)

    def earlier(self, design: Design, target: Chip) -> Record | None:
        """The record of the same build on the same target, stale or not."""
        build = _build(target.name, design)
        return next((record for record in self.records(design.name) if record.build == build), None)

    def placed(self, name: str, netlist: str) -> Timing | None:
        """What a record tells of a design that was placed and routed from this netlist.

        Args:
            name: the design's.
            netlist: its digest, ``Router.placed``.
        """
        return next((record.timing for record in self.records(name) if record.placed == netlist), None)

    def write(self, records: Iterable[Record]) -> None:
        """Make the folder hold these records and no others."""
        files: dict[Path, list[Record]] = {}
        order = list(CHIPS)
        for record in records:
            files.setdefault(self._file(record.design), []).append(record)
        self.folder.mkdir(exist_ok=True)
        for file in set(self.folder.glob("*.json")) - set(files):
            file.unlink()
        for file, entries in files.items():
            entries.sort(key=lambda record: (order.index(record.target), record.build))
            file.write_text(_text(entries), encoding="utf-8")
        self._known.clear()


SHIPPED = Shelf(Path(__file__).parents[1] / "results")
"""The records that come with the package."""

SHIPPED_SEEDS = (1, 2, 3)
"""Their placement seeds."""
