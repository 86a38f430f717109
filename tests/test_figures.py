# SPDX-License-Identifier: Apache-2.0
"""Figures of ours against those of the papers, and cycles of systems against those of their multiplications.

Areas are from shipped measurements: a test that needed another would say so by running a tool. The tables of
figures in the documents are made of the same functions (``tools/figures.py``) and compared in
``test_readme.py``.
"""

import pytest
from figures import bare_of_power, bare_of_rsa, booth, lines, rsa_asked, share_of_modexp, span, table_6
from rsa_costs import OTHERS, Most

from modmul.registry import room
from modmul.tools.machine import LOCAL


@pytest.fixture(autouse=True)
def no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> float:
        raise AssertionError("not shipped: 'make measurements'")

    monkeypatch.setattr(LOCAL, "run", refuse)


# --- beside what is printed ---------------------------------------------------------------------


def test_no_core_takes_more_luts_than_printed() -> None:
    """Javeed and Wang, Table III, every row with LUTs."""
    with_luts = [line for line in lines("javeed") if line.published.luts]
    assert len(with_luts) == 18
    assert span(line.figure("luts").ratio for line in with_luts)[1] <= 1


def test_scalable_booth_takes_no_more_than_printed() -> None:
    """Pinckney et al.: an element and a kernel, at every word length and number of elements."""
    found = booth()
    assert all(line.published.block for line in found if line.published.luts)
    for name in ("luts", "ffs"):
        assert span(line.figure(name).ratio for line in found if getattr(line.published, name))[1] <= 1


def test_fips_at_1024_bits() -> None:
    """Zhang et al., Table 2 and Section 5.3: LUTs, cycles of a product and of a square."""
    build = room("fips").build(1024)
    [line] = [line for line in lines("zhang2020") if line.room and line.published.luts == 2557]
    assert line.room and line.room.core.slug == "fips"
    area = line.figure("luts").ratio
    assert area and area < 1
    for square, printed in ((False, 2084), (True, 1588)):
        assert build.at((1 << 1024) - 1, square=square).cycles < printed


def test_fmlm3_takes_less_than_every_row_of_table_6() -> None:
    """Dai et al."""
    rows = table_6()
    assert len(rows) == 18
    for line in rows:
        luts, dsp = line.figure("luts"), line.figure("dsp")
        assert luts.ratio and luts.ratio < 1, line.published
        assert dsp.ratio is not None and dsp.ratio <= 1, line.published
        bram, cycles = line.figure("bram"), line.figure("cycles")
        assert bram.ratio and bram.ratio <= 1 and cycles.ratio and cycles.ratio < 1, line.published


# --- systems ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("core", "parameters", "most"),
    [
        ("imml_booth8", {}, 5.7),
        ("montgomery_csa2", {"Word": 128}, 0.5),
        ("rrm", {"Word": 32}, 3.6),
    ],
    ids=str,
)
def test_rsa_takes_little_more_than_its_multiplications(
    core: str, parameters: dict[str, int], most: float
) -> None:
    """In percent, to a tenth."""
    alone, taken = bare_of_rsa(core, parameters)
    assert 0 < round(100 * (taken / alone - 1), 1) <= most


@pytest.mark.parametrize(
    ("ms", "luts", "met"),
    [
        (6.5, 16_000, "yes"),
        (6.51, 16_000, "no: 6.51 ms"),
        (6.5, 16_001, "no: 16,001 LUTs"),
        (7, 17_000, "no: 7.00 ms, 17,000 LUTs"),
        (None, 9, "no: not placed"),
    ],
)
def test_what_is_asked_of_rsa_is_met_or_what_falls_short(ms: float | None, luts: int, met: str) -> None:
    assert Most(6.5, 16_000).met(ms, luts) == met
    assert Most(6.5).met(ms, luts) == met.replace(", 17,000 LUTs", "").replace("no: 16,001 LUTs", "yes")


def test_what_is_asked_of_rsa_is_met() -> None:
    """RSA-2048 on two lanes of rrm, and with multiplier blocks, and RSA-4096; in fewer cycles than others."""
    rows = rsa_asked()
    met = {(row["bits"], row["core"]): row["asked"] for row in rows if row["met"] == "yes"}
    assert met[2048, "rrm"] == "6.5 ms, 16,000 LUTs" and met[2048, "montgomery_dsp"] == "2.5 ms"
    assert met[4096, "rrm"] == met[4096, "montgomery_dsp"] == "25 ms"
    cycles = [row["cycles"] for row in rows if row["bits"] == 2048]
    assert max(cycles) < min(cycles for _, bits, _, cycles in OTHERS if bits == 2048)


def test_rsa_in_halves_takes_less_than_a_power_of_full_length() -> None:
    """In percent."""
    assert round(100 * share_of_modexp("imml_booth8")) <= 29


@pytest.mark.parametrize(
    ("core", "parameters", "most"),
    [("imml_booth8", {}, 3.6), ("montgomery_csa2", {"Word": 128}, 0.02)],
    ids=str,
)
def test_a_power_takes_little_more_than_its_multiplications(
    core: str, parameters: dict[str, int], most: float
) -> None:
    """In percent."""
    number, alone, taken = bare_of_power(core, parameters)
    assert number == 1257
    assert 0 < round(100 * (taken / alone - 1), 2) <= most
