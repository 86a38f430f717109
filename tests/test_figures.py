# SPDX-License-Identifier: Apache-2.0
"""The papers' findings, as far as open tools can check them, and the sentences of the README about them.

Everything is from shipped measurements: a test that needed another would say so by running a tool.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from modmul.measure import CHIPS, SHIPPED, SHIPPED_SEEDS, Job, Measurement, measure
from modmul.registry import on, room, rooms
from modmul.study.papers import Line, of_paper, papers
from modmul.systems.modexp.system import Modexp, bare, multiplications
from modmul.systems.rsa_crt.system import RsaCrt
from modmul.tools.machine import LOCAL

README = " ".join((Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8").split())


@pytest.fixture(autouse=True)
def no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> float:
        raise AssertionError("not shipped: 'make measurements'")

    monkeypatch.setattr(LOCAL, "run", refuse)


def measured(slug: str, width: int, target: str, seeds: tuple[int, ...] = ()) -> Measurement:
    """The default configuration."""
    job = Job(room(slug).design(room(slug).core.builds.at(width)[0]), CHIPS[target], seeds)
    [(_, outcome)] = measure([job], shelf=SHIPPED)
    assert isinstance(outcome, Measurement)
    return outcome


def luts(slug: str, width: int, target: str) -> int:
    return measured(slug, width, target).area.luts


def microseconds(slug: str) -> float:
    """Median time of a multiplication of 256 bits on ecp5."""
    timing = measured(slug, 256, "ecp5", SHIPPED_SEEDS).timing
    assert timing
    return float(room(slug).core.interface.latency(room(slug).core.builds.at(256)[0]) / timing.median_mhz)


@cache
def lines(paper: str) -> list[Line]:
    """The figures of a paper beside ours."""
    return papers(of_paper(tuple(rooms().values()), paper))


def span(ratios: Iterable[float | None]) -> tuple[float, float]:
    """The least and the greatest, none missing."""
    known = [ratio for ratio in ratios if ratio is not None]
    return min(known), max(known)


def said(sentence: str) -> bool:
    """Whether the README says so, wherever it breaks its lines."""
    return sentence in README


# --- Javeed and Wang ----------------------------------------------------------------------------


def test_no_core_takes_more_luts_than_printed() -> None:
    """Table III, every row with LUTs."""
    with_luts = [line for line in lines("javeed") if line.published.luts]
    assert len(with_luts) == 18
    least, most = span(line.figure("luts").ratio for line in with_luts)
    assert most <= 1
    assert said(f"takes fewer LUTs than printed, from {least:.2f} to {most:.2f} of them")


@pytest.mark.parametrize("radix", [4, 8])
def test_booth_recoding_saves_area(radix: int) -> None:
    """The Booth variants are smaller than their twins."""
    assert luts(f"imml_booth{radix}", 256, "virtex6") < luts(f"imml_radix{radix}", 256, "virtex6")


@pytest.mark.parametrize("radix", [4, 8])
def test_parallel_booth_is_faster_than_serial(radix: int) -> None:
    """Table III: the proposed multipliers beat the serial ones of [13] in time."""
    ours, serial = microseconds(f"imml_booth{radix}"), microseconds(f"interleaved_booth{radix}")
    assert ours < serial
    takes = " takes" if radix == 4 else ""
    assert said(f"`imml_booth{radix}`{takes} {ours:.2f}") and said(
        f"`interleaved_booth{radix}` takes {serial:.2f}"
    )


def test_word_serial_carry_save_is_faster_and_smaller() -> None:
    for slug in ("montgomery_csa2", "montgomery_csa1"):
        assert microseconds(slug) < microseconds("imml_booth4")
        assert luts(slug, 256, "ecp5") < luts("imml_booth4", 256, "ecp5")


# --- Amanor et al. ------------------------------------------------------------------------------


def test_order_of_area_with_carry_save_adders() -> None:
    """Table 1 at 1024 bits: two CSAs take most, one CSA least; below, the redundant interleaved one does."""
    slugs = ("montgomery_csa2", "interleaved_csa", "montgomery_csa1")
    most, middle, least = (luts(slug, 1024, "virtex2") for slug in slugs)
    assert most > middle > least
    assert said(f"{most:,}, {middle:,} and {least:,} LUTs")
    for width in (32, 64, 128, 256, 512):
        area = {slug: luts(slug, width, "virtex2") for slug in slugs}
        assert max(area, key=lambda slug: area[slug]) == "interleaved_csa", width


# --- Pinckney et al. ----------------------------------------------------------------------------


def test_scalable_booth_takes_no_more_than_printed() -> None:
    """An element and a kernel, at every word length and number of elements."""
    booth = [
        line
        for line in lines("pinckney2008")
        if line.published.design.startswith("Parallel radix-4 scalable Booth")
    ]
    assert all(line.published.block for line in booth if line.published.luts)
    luts_span = span(line.figure("luts").ratio for line in booth if line.published.luts)
    ffs_span = span(line.figure("ffs").ratio for line in booth if line.published.ffs)
    assert luts_span[1] <= 1 and ffs_span[1] <= 1
    (a, b), (c, d) = luts_span, ffs_span
    assert said(f"{a:.2f} to {b:.2f} and {c:.2f} to {d:.2f} of them")


def test_clock_of_the_scalable_family() -> None:
    """The sentence below the table in the README of the first of them."""
    timings = {
        slug: measured(slug, 256, "ecp5", SHIPPED_SEEDS).timing
        for slug, found in rooms().items()
        if found.core.origin.paper == "pinckney2008"
    }
    slow = {slug: timings.pop(slug) for slug in ("scalable_radix4", "scalable_booth4_serial")}
    for one in slow.values():
        for other in timings.values():
            assert one and other
            assert other.median_mhz - one.median_mhz > max(one.spread_mhz, other.spread_mhz)


def test_radix_4_without_booth_is_the_larger() -> None:
    for target in ("ecp5", "virtex2"):
        assert luts("scalable_radix4", 256, target) > luts("scalable_booth4_left", 256, target)


# --- Zhang et al., Dai et al. -------------------------------------------------------------------


def test_fips_at_1024_bits() -> None:
    core = room("fips").core
    config = core.builds.at(1024)[0]
    area = luts("fips", 1024, "artix7")
    assert said(f"takes {area:,} LUTs on Artix-7 where `zhang2020` prints 2,557")
    cycles = [core.algorithm.cycles(config.at((1 << 1024) - 1, square=square)) for square in (False, True)]
    assert said(f"{cycles[0]:,} cycles from the last operand word where it prints 2,084")
    assert said(f"(a square {cycles[1]:,} and 1,588)")


def test_fmlm3_takes_less_than_every_row_of_table_6() -> None:
    rows = [line for line in lines("dai2017") if line.published.table == "6"]
    assert len(rows) == 18
    for line in rows:
        luts, dsp = line.figure("luts"), line.figure("dsp")
        assert luts.ratio and luts.ratio < 1, line.published
        assert dsp.ratio is not None and dsp.ratio <= 1, line.published
        bram, cycles = line.figure("bram"), line.figure("cycles")
        assert bram.ratio and bram.ratio <= 1 and cycles.ratio and cycles.ratio < 1, line.published


# --- beyond the papers --------------------------------------------------------------------------


def test_what_rrm_is_made_of() -> None:
    """The figures on its page."""
    area = measured("rrm", 256, "ecp5", SHIPPED_SEEDS).area
    page = " ".join((Path(__file__).parents[1] / "docs/rrm.md").read_text(encoding="utf-8").split())
    chains = 2 * area.carries  # a CCU2C is two LUTs
    assert f"Of the {area.luts:,} LUTs of `rrm`, {area.lut_ram} are memory" in page
    assert f"{chains} are carry chains" in page
    assert f"and {area.luts - area.lut_ram - chains} are logic" in page
    assert f"flip-flops, {area.ffs:,} in all" in page


# --- systems ------------------------------------------------------------------------------------


def cycles(system: str, core: str, width: int, **parameters: int) -> str:
    found = on(system, core)
    return f"{found.build(width, parameters).latency:,}"


def about(system: str) -> str:
    """The README of a system, wherever it breaks its lines."""
    return " ".join((on(system, "imml_booth8").path / "README.md").read_text(encoding="utf-8").split())


def more_than_powers(core: str, parameters: Mapping[str, int]) -> str:
    """What an RSA operation of 2048 bits takes besides the powers of steps 5 and 10."""
    found = on("rsa_crt", core)
    config = found.build(2048, parameters).config
    assert isinstance(config, RsaCrt)
    engine = config.engine.at(config.core.function.some_modulus(config.inner))
    checking = replace(engine, length=config.public_bits)
    powers = config.power.interface.latency(engine) + config.power.interface.latency(checking)
    return f"{100 * (found.core.interface.latency(config) / powers - 1):.1f} %"


def test_cycles_of_rsa() -> None:
    """The table in its README."""
    builds: Mapping[str, tuple[str, dict[str, int]]] = {
        "`fips`, `Word = 64`, `Multipliers = 2`": ("fips", {"Word": 64, "Multipliers": 2}),
        "`imml_booth8`": ("imml_booth8", {}),
        "`scalable_booth4_left`, `Word = 32`": ("scalable_booth4_left", {"Word": 32}),
        "`montgomery_csa2`, `Word = 256`": ("montgomery_csa2", {"Word": 256}),
        "`montgomery_csa2`, `Word = 128`": ("montgomery_csa2", {"Word": 128}),
    }
    for name, (core, parameters) in builds.items():
        figures = [cycles("rsa_crt", core, width, **parameters) for width in (1024, 2048, 3072, 4096)]
        assert f"| {name} | {' | '.join(figures)} |" in about("rsa_crt")
    on_top = [
        more_than_powers(core, parameters)
        for core, parameters in (
            ("imml_booth8", {}),
            ("montgomery_csa2", {"Word": 128}),
            ("scalable_booth4_left", {"Word": 16}),
        )
    ]
    assert on_top[0] == on_top[1]
    assert (
        f"is {on_top[0]} with `imml_booth8` at 2048 bits and with `montgomery_csa2` at `Word = 128`, "
        f"{on_top[2]} with `scalable_booth4_left` at `Word = 16`."
    ) in about("rsa_crt")
    whole = on("modexp", "imml_booth8").core
    shares = [
        found.build(2048, {"Engines": engines}).latency / whole.interface.latency(whole.builds.at(2048)[0])
        for found in [on("rsa_crt", "imml_booth8")]
        for engines in (2, 1)
    ]
    assert (
        f"{100 * shares[0]:.0f} % of the cycles of one `modexp` of the full length on the same core, "
        f"blinding and check included; with one engine {100 * shares[1]:.0f} %."
    ) in about("rsa_crt")


def test_cycles_of_powers() -> None:
    assert (
        f"{cycles('ladder', 'imml_booth4', 256, Cores=1)} cycles with one core and "
        f"{cycles('ladder', 'imml_booth4', 256, Cores=2)} with two; `modexp`, by windows of four bits on one "
        f"core, takes {cycles('modexp', 'imml_booth4', 256)}."
    ) in about("ladder")
    each = []
    for butterflies in (1, 2):
        config = on("modexp", "fmlm3").build(1024, {"Butterflies": butterflies}).config
        assert isinstance(config, Modexp)
        number = sum(multiplications(1024, config.window))
        each.append(round(on("modexp", "fmlm3").core.interface.latency(config) / number))
    assert f"takes {each[0]:,} cycles with one butterfly and {each[1]:,} with two" in about("modexp")
    for core, parameters in (("imml_booth8", {}), ("montgomery_csa2", {"Word": 128})):
        config = on("modexp", core).build(1024, parameters).config
        assert isinstance(config, Modexp)
        squares, products = multiplications(1024, config.window)
        taken = on("modexp", core).core.interface.latency(config)
        share = f"{100 * (taken / bare(config) - 1):.1g} % with `{core}`"
        assert squares + products == 1255 and share in about("modexp") and f"{taken:,}" in about("modexp")


def test_cycles_of_r2() -> None:
    found = on("ladder", "montgomery_csa2")
    config = found.build(256, {"ComputeR2": 1}).config
    text = " ".join((Path(__file__).parents[1] / "docs/systems.md").read_text(encoding="utf-8").split())
    assert f"at 256 bits at most {found.core.interface.context_wait(config):,} cycles" in text
    assert f"power by the ladder takes {found.core.interface.latency(config):,}" in text
