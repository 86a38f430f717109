# SPDX-License-Identifier: Apache-2.0
"""What ``import modmul`` gives to scripts and notebooks.

A core to multiply with, the answer to "which core?", and the shipped measurements as a table.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from statistics import median
from typing import Any

from modmul.chips import CHIPS, chip
from modmul.measure import SHIPPED, count_cells
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.moduli import modulus as named
from modmul.registry import operand_width, room
from modmul.room import Build
from modmul.study.choosing import Choice, Wish
from modmul.study.choosing import choose as run
from modmul.study.columns import ROW_COLUMNS
from modmul.use.multiply import Multiplier

__all__ = ["Answer", "LoadedCore", "Table", "choose", "load", "records"]


class Table:
    """Rows with named columns, which notebooks show and other libraries take.

    Iterating gives a ``dict`` for each row. Numbers are numbers; what is not known is ``None``.

    Attributes:
        columns: their names.
        rows: the rows, each a mapping from column to value.
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        self.columns, self.rows = tuple(columns), tuple(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(row) for row in self.rows)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return dict(self.rows[index])

    def column(self, name: str) -> list[Any]:
        """The values of a column.

        Raises:
            KeyError: there is no such column.
        """
        if name not in self.columns:
            raise KeyError(f"no column {name!r}; there is {', '.join(self.columns)}")
        return [row.get(name) for row in self.rows]

    def where(self, **values: Any) -> Table:
        """The rows that have these values.

        Raises:
            KeyError: there is no such column.
        """
        for name in values:
            self.column(name)
        kept = [row for row in self.rows if all(row.get(name) == value for name, value in values.items())]
        return Table(self.columns, kept)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``.

        Raises:
            ImportError: pandas is not installed.
        """
        return import_module("pandas").DataFrame(list(self), columns=list(self.columns))

    def to_polars(self) -> Any:
        """A ``polars.DataFrame``.

        Raises:
            ImportError: polars is not installed.
        """
        columns = {name: self.column(name) for name in self.columns}
        return import_module("polars").DataFrame(columns, strict=False)

    def _texts(self) -> list[list[str]]:
        return [[_text(row.get(name)) for name in self.columns] for row in self.rows]

    def __repr__(self) -> str:
        lines = [list(self.columns), *self._texts()]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.columns))]
        return "\n".join("  ".join(map(str.rjust, line, widths)).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in line)}</tr>" for line in self._texts()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class LoadedCore:
    """A core on simulated hardware that serves a modulus. :func:`load` makes one.

    Attributes:
        build: the core with its parameters.
        modulus: what it serves.
    """

    def __init__(self, build: Build, modulus: Modulus) -> None:
        self.build, self.modulus = build, modulus
        self._multiplier: Multiplier | None = None

    def multiply(self, x: int, y: int) -> int:
        """x * y mod M, computed by the simulated core and checked. The first call compiles the simulator.

        Raises:
            ValueError: an operand is out of range.
            SimulatorError: a tool is missing.
            VerificationError: the core's answer is wrong.
        """
        if self._multiplier is None:
            self._multiplier = Multiplier(self.build, self.modulus.value)
        return self._multiplier.multiply(x, y).value

    @property
    def latency(self) -> int:
        """Clock cycles from the last operand word to the first of the result, while it serves the modulus."""
        return self.build.at(self.modulus.value).latency

    @property
    def interval(self) -> int:
        """Clock cycles from one operation to the next in a stream, while it serves the modulus."""
        return self.build.at(self.modulus.value).interval

    def __repr__(self) -> str:
        return f"<{self.build} for {self.modulus.name}: {self.latency} cycles, one every {self.interval}>"


def load(
    core: str, *, modulus: str | int, width: int | None = None, target: str = "", **parameters: int
) -> LoadedCore:
    """A core to multiply with, on simulated hardware.

    Args:
        core: its slug, ``"rrm"``.
        modulus: a name, a number, a polynomial or a key file, as ``--modulus`` takes them.
        width: operand length in bits; by default that of the modulus.
        target: name of the chip family whose usual build it is; by default that for all.
        parameters: of the core in SystemVerilog, ``Word=32``.

    Raises:
        ValueError: there is no such core, modulus, parameter or value, or the core cannot serve the modulus.
    """
    found = named(str(modulus))
    bits = operand_width(width, found.value, "simulated")
    build = room(core).build(bits, parameters, found.value, chip=chip(target).name if target else "")
    build.check(found.value)
    return LoadedCore(build, found)


class Answer(Table):
    """The builds that fit, best first, as a table, and the choice behind it.

    Attributes:
        choice: all of it: the nearest where none fits, and why each other core is out.
    """

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        found = [
            {
                **{name: value for name, value in each.row.to_json().items() if name in names},
                "front": each.front,
                "figures": each.basis,
            }
            for names in [{"label", *(column.key for column in ROW_COLUMNS)}]
            for each in choice.fitting
        ]
        columns = dict.fromkeys(name for row in found for name in row)
        super().__init__(tuple(columns) or ("label",), found)

    @property
    def best(self) -> str | None:
        """The slug of the best core; ``None`` where none fits."""
        return self.choice.best.build.slug if self.choice.best else None

    @property
    def parameters(self) -> dict[str, int]:
        """The parameters of the best build, as :func:`load` takes them; empty where none fits."""
        return dict(self.choice.best.build.config.options()) if self.choice.best else {}

    @property
    def export(self) -> str | None:
        """The command line that exports the best build; ``None`` where none fits."""
        return shlex.join(self.choice.export(self.choice.best)) if self.choice.best else None


def choose(
    modulus: str | int | None = None, *, width: int | None = None, target: str = "ecp5", **wishes: Any
) -> Answer:
    """Which core for a modulus, a chip and a budget, from shipped measurements.

    Args:
        modulus: as ``--modulus`` takes it; ``None`` for any modulus of ``width`` bits.
        width: operand length in bits; by default that of the modulus.
        target: name of the chip family.
        wishes: further fields of :class:`~modmul.study.choosing.Wish`, such as ``max_luts=3000`` and
            ``aim="time"``.

    Raises:
        ValueError: neither modulus nor width is given, or a wish is out of range.
        TypeError: there is no such wish.
    """
    if modulus is None and width is None:
        raise ValueError("give a modulus, or a width for any modulus")
    found = named(str(modulus)) if modulus is not None else None
    bits = operand_width(width, found.value if found else None)
    return Answer(run(Wish(bits, chip(target), found, **wishes)))


def records(core: str | None = None, *, target: str | None = None, width: int | None = None) -> Table:
    """The measurements that come with the package: cores alone, without systems and parts of cores.

    Args:
        core: only of this one.
        target: only of this chip family.
        width: only of this operand length.

    Returns:
        a row for each record: core, target, width, the parameters as text, LUTs, flip-flops, multiplier
        blocks, block RAMs of 18 kbit, LUT-equivalents, the median frequency in MHz and the number of seeds
        behind it, latency and interval in cycles, and the day.

    Raises:
        ValueError: there is no such core or chip family.
    """
    wanted_core = room(core).core.slug if core else None
    wanted_chip = chip(target).name if target else None
    rows = []
    for record in SHIPPED.all():
        bits = record.parameters.get("Width")
        if bits is None or "/" in record.design or ":" in record.design:
            continue
        if (wanted_core or record.design) != record.design or (wanted_chip or record.target) != record.target:
            continue
        if width is not None and width != bits:
            continue
        options = {name: value for name, value in record.parameters.items() if name != "Width"}
        build = room(record.design).build(bits, options)
        area = count_cells(record.cells, CHIPS[record.target])
        rows.append(
            {
                "core": record.design,
                "target": record.target,
                "width": bits,
                "parameters": " ".join(f"{name}={value}" for name, value in options.items()),
                "luts": area.luts,
                "ffs": area.ffs,
                "dsp": area.dsp,
                "bram": area.bram,
                "lut_equivalents": Weights.of(CHIPS[record.target]).equivalents(
                    area.luts, area.dsp, area.bram
                ),
                "fmax_mhz": median(record.fmax_mhz.values()) if record.fmax_mhz else None,
                "seeds": len(record.fmax_mhz),
                "latency": build.latency,
                "interval": build.interval,
                "date": record.date,
            }
        )
    return Table(RECORD_COLUMNS, rows)


RECORD_COLUMNS = (
    *("core", "target", "width", "parameters", "luts", "ffs", "dsp", "bram", "lut_equivalents"),
    *("fmax_mhz", "seeds", "latency", "interval", "date"),
)
"""The columns of :func:`records`."""
