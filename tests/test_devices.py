# SPDX-License-Identifier: Apache-2.0
"""docs/whole-devices.md: how many cores a device holds, and a row for each farm with a record."""

import devices
import pytest

from modmul.chips import Part
from modmul.measure import Area, Measurement, Timing
from modmul.moduli import NAMED
from modmul.room import Build


def area(luts: int, ffs: int, dsp: int, bram: int) -> Area:
    return Area(luts=luts, lut_ram=0, carries=0, ffs=ffs, dsp=dsp, bram=bram, cells={})


@pytest.mark.parametrize(
    ("of", "number", "bound"),
    [
        (area(100, 10, 0, 0), 9, "LUTs"),
        (area(10, 300, 0, 0), 6, "flip-flops"),
        (area(10, 10, 4, 0), 2, "multipliers"),
        (area(10, 10, 1, 7), 0, "memories"),
    ],
)
def test_what_a_device_holds(of: Area, number: int, bound: str) -> None:
    """No more than its scarcest resource, of LUTs and flip-flops a share."""
    part = Part("some", luts=1000, ffs=2000, dsp=10, bram=6)
    assert devices.held(part, of) == (number, bound)


def test_farms_with_records_have_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products a second are those of the clock and the interval; without a record there is no table."""
    prime = {"Cores": 25, "Modulus": NAMED["secp256k1"].value}
    farms = (("rrm_split", 256, {"Cores": 24}), ("sparse_prime", 256, prime))
    monkeypatch.setattr(devices, "FARMS", farms)
    of_cores = devices.shipped
    monkeypatch.setattr(devices, "shipped", lambda *_: None)
    assert not [line for line in devices.farms() if line.startswith("|")]

    def shipped(build: Build, chip: str, seeds: tuple[int, ...]) -> Measurement | None:
        if not build.slug.startswith("farm:"):
            return of_cores(build, chip, seeds)
        timing = Timing({1: 149.0, 2: 150.0, 3: 153.0}, {}, 0.0, {})
        return Measurement(area(60_000, 75_000, 0, 0), timing)

    monkeypatch.setattr(devices, "shipped", shipped)
    headings, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in devices.farms())
    first, second = (dict(zip(headings, row, strict=True)) for row in rows)
    assert (first["cores"], first["c"], first["M/s"], first["1/s, a LUT"]) == ("24", "3", "50.0", "833")
    assert (second["cores"], second["moduli"]) == ("25", "secp256k1")
    assert int(first["not of cores"].replace(",", "")) < 60_000
