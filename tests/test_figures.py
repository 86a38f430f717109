# SPDX-License-Identifier: Apache-2.0
"""The papers' findings, as far as open tools can check them, and what the README says of them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from modmul.measure import TARGETS, Job, Measurement, measure
from modmul.registry import Room, room, rooms
from modmul.report.papers import papers


def only(slug: str, *widths: int) -> Room:
    """The room with the published figures of these widths alone."""
    found = room(slug)
    figures = tuple(printed for printed in found.core.published if printed.width in widths)
    return replace(found, core=replace(found.core, published=figures))


def luts(slug: str, width: int, target: str) -> int:
    """LUTs of the default configuration."""
    job = Job(room(slug).design(room(slug).core.configs(width)[0]), TARGETS[target])
    [(_, outcome)] = measure([job])
    assert isinstance(outcome, Measurement), outcome
    return outcome.area.luts


def microseconds(slug: str, width: int) -> float:
    """Median time of a multiplication on ecp5 over three seeds, the default configuration."""
    config = room(slug).core.configs(width)[0]
    [(_, outcome)] = measure([Job(room(slug).design(config), TARGETS["ecp5"], (1, 2, 3))])
    assert isinstance(outcome, Measurement) and outcome.timing, outcome
    return float(room(slug).core.latency(config) / outcome.timing.median_mhz)


def test_readme_lists_every_core_with_its_interval() -> None:
    """The table of the README says what the registry says."""
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| \[`(\w+)`\].*\| (\d+) \|$", readme, re.MULTILINE))
    assert listed == {slug: str(r.core.interval(r.core.configs(256)[0])) for slug, r in rooms().items()}


def test_proposed_cores_take_no_more_luts_than_printed() -> None:
    """Javeed and Wang, Table III, the smallest printed size."""
    lines = papers((only("imml_booth4", 160), only("imml_booth8", 160)))
    assert len(lines) == 2
    for line in lines:
        assert line.lut_ratio is not None and line.lut_ratio <= 1, line


@pytest.mark.parametrize("radix", [4, 8])
def test_booth_recoding_saves_area(radix: int) -> None:
    """Javeed and Wang: the Booth variants are smaller than their twins."""
    assert luts(f"imml_booth{radix}", 32, "virtex6") < luts(f"imml_radix{radix}", 32, "virtex6")


def test_booth4_is_faster_in_parallel_than_in_series() -> None:
    """Javeed and Wang, at a size that places quickly."""
    assert microseconds("imml_booth4", 32) < microseconds("interleaved_booth4", 32)


@pytest.mark.long
def test_no_core_takes_more_luts_than_printed() -> None:
    """Javeed and Wang, Table III, every row with LUTs."""
    lines = papers(tuple(r for r in rooms().values() if r.core.paper == "javeed"))
    ratios = {
        (line.room.core.slug, line.published.width): line.lut_ratio for line in lines if line.published.luts
    }
    assert len(ratios) == 18
    assert all(ratio is not None and ratio <= 1 for ratio in ratios.values()), ratios


@pytest.mark.long
def test_order_of_area_with_carry_save_adders() -> None:
    """Table 1 at 1024 bits: two CSAs take most, one CSA least."""
    area = {s: luts(s, 1024, "virtex2") for s in ("montgomery_csa2", "interleaved_csa", "montgomery_csa1")}
    assert area["montgomery_csa2"] > area["interleaved_csa"] > area["montgomery_csa1"]


@pytest.mark.long
@pytest.mark.parametrize("radix", [4, 8])
def test_parallel_booth_is_faster_at_256_bits(radix: int) -> None:
    """Javeed and Wang, Table III: the proposed multipliers beat the serial ones of [13] in time."""
    assert microseconds(f"imml_booth{radix}", 256) < microseconds(f"interleaved_booth{radix}", 256)
