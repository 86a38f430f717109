# SPDX-License-Identifier: Apache-2.0
"""Figures of the papers, printed or derived from what is printed, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any

AREA = ("luts", "ffs", "dsp", "bram")
TRANSFORMS = ("ct", "ct_inverse", "nct", "nct_inverse", "nct_half", "nct_inverse_half")
FIGURES = (
    *("slices_percent", "slices"),
    *AREA,
    *("cycles", *TRANSFORMS, "power_cycles", "crt_cycles"),
    *("fmax_mhz", "period_ns", "time_us", "saved_percent", "throughput_mbps"),
    *("slices_us_per_bit", "luts_us", "luts_us2", "gain_percent", "power_ms", "crt_ms"),
)
"""The fields of :class:`Published` that are figures."""

Formula = tuple[tuple[str, ...], Callable[..., float]]

FOLLOWS: Mapping[str, tuple[Formula, ...]] = MappingProxyType(
    {
        "fmax_mhz": ((("period_ns",), lambda period: 1000 / period),),
        "time_us": (
            (("cycles", "period_ns"), lambda cycles, period: cycles * period / 1000),
            (("cycles", "fmax_mhz"), lambda cycles, fmax: cycles / fmax),
        ),
        "throughput_mbps": ((("width", "time_us"), lambda width, time: width / time),),
        "slices_us_per_bit": (
            (("slices", "time_us", "width"), lambda slices, time, width: slices * time / width),
        ),
        "luts_us": (
            (("luts", "cycles", "period_ns"), lambda luts, cycles, period: luts * cycles * period / 1000),
            (("luts", "time_us"), lambda luts, time: luts * time),
        ),
        "luts_us2": ((("luts", "time_us"), lambda luts, time: luts * time**2),),
        "power_ms": ((("power_cycles", "fmax_mhz"), lambda cycles, fmax: cycles / fmax / 1000),),
    }
)
"""How a figure follows from others of its row: from which, and the formula; the first that can be used."""


@dataclass(frozen=True)
class Published:
    """One row of figures of a paper, as printed but for ``derived`` and what ``note`` says.

    Attributes:
        table: the paper's table.
        design: the paper's name for the design.
        device: the device the authors used; ``""`` where the paper names none.
        width: operand length in bits; ``None`` where the paper names none.
        slices, luts, ffs: area; ``None`` where the paper prints none.
        slices_percent: slices as a share of the device.
        dsp: multiplier blocks.
        bram: block memories in units of 18 kbit: a RAMB36 counts two.
        fmax_mhz: clock frequency.
        period_ns: clock period.
        cycles: clock cycles behind ``time_us``.
        ct, ct_inverse, nct, nct_inverse: cycles of a transform and of its inverse, cyclic and negacyclic.
        nct_half, nct_inverse_half: the negacyclic ones with A = sqrt(2).
        time_us: time of one multiplication.
        saved_percent: time that a square saves against the same square by the traditional algorithm.
        throughput_mbps: bits of an operand a second.
        slices_us_per_bit: slices · time / width.
        luts_us: LUTs · time.
        luts_us2: LUTs · time².
        gain_percent: how much larger LUTs · time is than that of the design that the table compares with.
        power_ms, power_cycles: time and cycles of an exponentiation.
        crt_ms, crt_cycles: those of one in two halves, by the Chinese remainder theorem.
        note: what is wrong or missing in the print, what derived figures follow from, and why cycles differ
            from those of the core.
        options: the SystemVerilog parameters of the build it is of, where they differ from the default.
        runtime: the run-time fields of its operations, where they differ from the default.
        block: the part of the design the area is of, a name of :attr:`Origin.blocks`; ``""`` for the whole.
        derived: those of :data:`FIGURES` that are not printed but follow from what is: from a formula, a
            share of the device, the clock's period, the time of something else.
        recomputed: figures by name as they follow from other rows of the paper; the others follow by
            :data:`FOLLOWS`.

    Raises:
        ValueError: ``derived`` or ``recomputed`` names something that is no figure of this row.
    """

    table: str
    design: str
    device: str
    width: int | None
    slices: int | None = None
    luts: int | None = None
    ffs: int | None = None
    fmax_mhz: float | None = None
    cycles: int | None = None
    time_us: float | None = None
    note: str = ""
    options: Mapping[str, int] = field(default_factory=dict, hash=False)
    runtime: Mapping[str, Any] = field(default_factory=dict, hash=False)
    block: str = ""
    dsp: int | None = None
    bram: int | None = None
    derived: tuple[str, ...] = ()
    slices_percent: float | None = None
    period_ns: float | None = None
    ct: int | None = None
    ct_inverse: int | None = None
    nct: int | None = None
    nct_inverse: int | None = None
    nct_half: int | None = None
    nct_inverse_half: int | None = None
    saved_percent: float | None = None
    throughput_mbps: float | None = None
    slices_us_per_bit: float | None = None
    luts_us: float | None = None
    luts_us2: float | None = None
    gain_percent: float | None = None
    power_ms: float | None = None
    power_cycles: int | None = None
    crt_ms: float | None = None
    crt_cycles: int | None = None
    recomputed: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for what, names in (("derived", self.derived), ("recomputed", self.recomputed)):
            for name in names:
                if name not in FIGURES or getattr(self, name) is None:
                    raise ValueError(f"{self.design}: {what} names {name!r}, which is no figure of this row")

    @classmethod
    def from_share(
        cls,
        table: str,
        design: str,
        device: str,
        device_slices: int,
        width: int,
        percent: float,
        period: float,
        fmax: float,
    ) -> Published:
        """A row that prints a share of the device, period and frequency, for a design of one cycle a bit."""
        return cls(
            *(table, design, device, width),
            slices_percent=percent,
            slices=round(device_slices * percent / 100),
            period_ns=period,
            fmax_mhz=fmax,
            cycles=width,
            time_us=round(width * period / 1000, 3),
            note=f"slices: the printed share of {device_slices:,}; cycles: a bit each, without the "
            "conversion to one number; time: that many periods",
            derived=("slices", "cycles", "time_us"),
        )

    @classmethod
    def of_rsa(
        cls,
        table: str,
        design: str,
        device: str,
        width: int,
        printed: tuple[float, float, float],
        clocks: tuple[float, float],
        conversions: int = 0,
        note: str = "",
    ) -> Published:
        """A row of RSA on a design of one cycle a bit, with and without the Chinese remainder theorem.

        Args:
            printed: MHz, ms of a power, ms of two of half the length at the same time.
            clocks: MHz of the design at the full and at half the length, from another table.
            conversions: multiplications besides 1.5 a bit.
            note: what else there is to say.
        """
        whole, half = ((3 * n // 2 + conversions) * n for n in (width, width // 2))
        more = f" + {conversions}" if conversions else ""
        return cls(
            *(table, design, device, width),
            fmax_mhz=printed[0],
            power_ms=printed[1],
            power_cycles=whole,
            crt_ms=printed[2],
            crt_cycles=half,
            note=f"power: 1.5 n{more} multiplications, in two halves 0.75 n{more} of n/2 bits at the "
            f"frequency of {width // 2} bits (Table 2)" + (f"; {note}" if note else ""),
            derived=("power_cycles", "crt_cycles"),
            recomputed={
                "fmax_mhz": clocks[0],
                "power_ms": whole / clocks[0] / 1000,
                "crt_ms": half / clocks[1] / 1000,
            },
        )

    def printed(self, name: str) -> Any:
        """One of :data:`FIGURES`; ``None`` where it is not printed."""
        return None if name in self.derived else getattr(self, name)

    def follows(self, name: str) -> float | None:
        """What a printed figure should be by the others of the row, or of the paper.

        ``None`` where it stands alone, and for one that is not printed.
        """
        return self._follows(name)[0]

    def agrees(self, name: str) -> bool:
        """Whether a figure is what follows, as far as its digits tell; so is one that stands alone."""
        follows, sources = self._follows(name)
        if follows is None:
            return True
        printed = getattr(self, name)
        values = [getattr(self, source) for source in sources]
        spread = sum(_half(value) / value for value in values if isinstance(value, float))
        return bool(abs(printed - follows) <= (_half(printed) + follows * spread) * 1.001)

    def _follows(self, name: str) -> tuple[float | None, tuple[str, ...]]:
        """What follows, and which figures of the row it is from."""
        if self.printed(name) is None:
            return None, ()
        if name in self.recomputed:
            return self.recomputed[name], ()
        for sources, formula in FOLLOWS.get(name, ()):
            values = [getattr(self, source) for source in sources]
            if None not in values:
                return formula(*values), sources
        return None, ()


def _half(value: float) -> float:
    """Half a unit of the last digit that a printed number has."""
    exponent = Decimal(repr(value)).as_tuple().exponent
    assert isinstance(exponent, int)
    return 0.5 * 10.0**exponent
