# SPDX-License-Identifier: Apache-2.0
"""Cores that somebody else published, measured like ours, beside ours and never among them.

Their sources do not come with the package: a room with a wrapper of ours reads them in a checkout of their
repository (``examples/peers``). What was measured of them does, as records that name repository, commit and
licence, in ``results/others``, one JSON file for each room.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Self

from modmul.chips import CHIPS, Chip
from modmul.core import PRIME_FIELD, Checkout, field_of
from modmul.measure import SHIPPED, Job, Measurement, Record, RecordError, count_cells
from modmul.measure.weights import Weights
from modmul.room import Build
from modmul.study.rows import Comparison, Row

__all__ = ["COST", "OTHERS", "Cost", "Other", "beside", "others", "read", "times_better", "write"]

OTHERS = SHIPPED.folder / "others"
"""The folder of the records that come with the package."""


@dataclass(frozen=True)
class Other:
    """What was measured of somebody else's core, and what has to be known of it to read the figures.

    Attributes:
        title: of the core, one line for people.
        repository: ``owner/name`` on GitHub.
        commit: what was measured, 40 hexadecimal digits.
        licence: an SPDX expression; ``""`` where the repository names none.
        width: operand length in bits.
        domain: ``"plain"`` or ``"montgomery"``.
        moduli: those that it serves, for people.
        cycles, latency, interval: clock cycles, as of :class:`~modmul.study.rows.Row`.
        results: the largest result as people write it.
        reduced: whether every result lies below M.
        record: cells, clock frequencies and all that decided them.
        fields: those that it computes in, as ``Config.fields`` names them.
    """

    title: str
    repository: str
    commit: str
    licence: str
    width: int
    domain: str
    moduli: str
    cycles: int
    latency: int
    interval: int
    results: str
    reduced: bool
    record: Record
    fields: tuple[str, ...] = (PRIME_FIELD,)

    @classmethod
    def of(cls, build: Build, job: Job, measurement: Measurement) -> Self:
        """What was measured of a build here, as of today.

        Raises:
            ValueError: nobody else wrote its sources.
        """
        core, theirs = build.core, build.core.origin.checkout
        if theirs is None:
            raise ValueError(f"{build.slug} is no core of somebody else: its origin names no checkout")
        return cls(
            title=core.title,
            repository=theirs.repository,
            commit=theirs.commit,
            licence=theirs.licence,
            width=build.config.width,
            domain=core.function.domain(build.config).name,
            moduli=core.function.moduli,
            cycles=build.cycles,
            latency=build.latency,
            interval=build.interval,
            results=build.results(),
            reduced=build.reduced(),
            record=Record.of(job.design, job.target, measurement.area, measurement.timing),
            fields=build.config.fields,
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What :func:`write` wrote."""
        fields = tuple(data.get("fields", (PRIME_FIELD,)))
        return cls(**{**data, "record": Record.from_json(data["record"]), "fields": fields})

    @property
    def checkout(self) -> Checkout:
        """Where it is from; without the names of the files."""
        return Checkout(self.repository, self.commit, self.licence, ())

    def to_json(self, weights: Weights | None = None) -> dict[str, Any]:
        """Its row, and where it is from."""
        theirs = {"repository": self.repository, "commit": self.commit, "licence": self.licence}
        return self.row(weights).to_json() | theirs | {"moduli": self.moduli}

    def covers(self, build: Build, job: Job) -> bool:
        """Whether it is what measuring a build would give."""
        theirs = build.core.origin.checkout
        return (
            theirs is not None
            and theirs.commit == self.commit
            and (self.latency, self.interval) == (build.latency, build.interval)
            and self.record.covers(job.design, job.target, job.seeds)
        )

    def row(self, weights: Weights | None = None) -> Row:
        """Its figures beside those of ours.

        Args:
            weights: what the blocks count in LUT-equivalents; ``None`` for those of the chip.
        """
        record = self.record
        area = count_cells(record.cells, CHIPS[record.target])
        fmax = record.fmax_mhz.values()
        return Row(
            core=record.design,
            title=self.title,
            paper="",
            config={name: value for name, value in record.parameters.items() if name != "Width"},
            domain=self.domain,
            width=self.width,
            cycles=self.cycles,
            latency=self.latency,
            interval=self.interval,
            results=self.results,
            reduced=self.reduced,
            fields=self.fields,
            luts=area.luts,
            ffs=area.ffs,
            dsp=area.dsp,
            bram=area.bram,
            fmax_mhz=median(fmax) if fmax else None,
            fmax_spread_mhz=max(fmax) - min(fmax) if fmax else None,
            seeds=len(fmax),
            shipped=record.date,
            weights=weights or Weights.of(CHIPS[record.target]),
        )


def read(folder: Path = OTHERS) -> list[Other]:
    """Every record of a folder; none where there is no folder.

    Raises:
        RecordError: a file is damaged.
    """
    found = []
    for file in sorted(folder.glob("*.json")):
        try:
            found += [Other.from_json(entry) for entry in json.loads(file.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise RecordError(
                f"the shipped measurements {file} are damaged ({type(error).__name__}: {error}); "
                "install modmul again"
            ) from error
    return found


def write(records: Iterable[Other], folder: Path = OTHERS) -> None:
    """Write the records of some designs, and of these no others; files of other designs stay."""
    files: dict[str, list[Other]] = {}
    for each in records:
        files.setdefault(each.record.design, []).append(each)
    folder.mkdir(parents=True, exist_ok=True)
    for design, entries in files.items():
        entries.sort(key=lambda each: each.record.build)
        texts = (",\n ".join(_lines(asdict(each))) for each in entries)
        text = "[" + ",\n".join(f"{{{each}}}" for each in texts) + "]\n"
        (folder / f"{design}.json").write_text(text, encoding="utf-8")


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    """A line for each fact, those of the record too."""
    for name, value in data.items():
        if name == "record":
            yield '"record": {' + ",\n  ".join(_lines(value)) + "}"
        else:
            yield f"{json.dumps(name)}: {json.dumps(value)}"


def others(
    chip: Chip,
    width: int,
    weights: Weights | None = None,
    folder: Path = OTHERS,
    fields: Collection[str] = (PRIME_FIELD,),
) -> list[Other]:
    """Those measured on a chip at a width, the least area × time first.

    Args:
        weights: what the blocks count in LUT-equivalents; ``None`` for those of the chip.
        folder: of the records.
        fields: those of which a core is to compute in one, as ``Config.fields`` names them.
    """
    found = [
        each
        for each in read(folder)
        if each.record.target == chip.name and each.width == width and not set(fields).isdisjoint(each.fields)
    ]
    return sorted(found, key=lambda each: each.row(weights).rank)


def beside(comparison: Comparison) -> list[Other]:
    """Those of the same width and field on the same chip as what is compared; none beside systems."""
    widths = {row.width for row in comparison.rows}
    if len(widths) != 1 or any(row.system for row in comparison.rows):
        return []
    fields = (
        {field_of(comparison.modulus.value)}
        if comparison.modulus
        else {name for row in comparison.rows for name in row.fields}
    )
    return others(comparison.target, widths.pop(), comparison.weights, fields=fields)


@dataclass(frozen=True)
class Cost:
    """LUT-equivalents times a time, µs.

    Attributes:
        name: which time, for people.
        cycles: the attribute of a row with the time in clock cycles.
    """

    name: str
    cycles: str

    def of(self, row: Row) -> float | None:
        """LUTeq·µs of a row; ``None`` where area or clock are not known."""
        if row.lut_equivalents is None or row.fmax_mhz is None:
            return None
        return float(row.lut_equivalents * getattr(row, self.cycles) / row.fmax_mhz)


COST = (Cost("from one result to the next", "interval"), Cost("from operands to result", "latency"))
"""Area × time by interval and by latency."""


def times_better(cost: Cost, ours: Iterable[Row], theirs: Iterable[Row]) -> tuple[float, Row, Row] | None:
    """How many times less the best of ours costs than the best of theirs, and these two.

    ``None`` where there is nothing to compare.
    """

    def best(rows: Iterable[Row]) -> tuple[float, Row] | None:
        known = [(value, row) for row in rows if (value := cost.of(row)) is not None]
        return min(known, key=lambda pair: pair[0]) if known else None

    one, other = best(ours), best(theirs)
    return (other[0] / one[0], one[1], other[1]) if one and other else None
