# SPDX-License-Identifier: Apache-2.0
"""The papers' figures redrawn: printed points against the papers, ours against what else is known."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from modmul.registry import room, rooms
from modmul.report.redrawn import Chart, Drawing, Pipeline, extras, pinckney2008, redrawn
from modmul.report.redrawn.drawing import clocked
from modmul.study.papers import Line, of_paper, papers
from modmul.verify.failures import VerificationError

ALL = tuple(rooms().values())


@cache
def lines_of(paper: str) -> list[Line]:
    return papers(of_paper(ALL, paper))


@cache
def drawn(paper: str) -> dict[str, Drawing]:
    """The drawings of a paper by the name of the figure."""
    return {drawing.figure: drawing for drawing in redrawn(lines_of(paper))}


def chart(drawing: Drawing, number: int = 0) -> Chart:
    panel = drawing.panels[number]
    assert isinstance(panel, Chart)
    return panel


def values(panel: Chart) -> dict[str, dict[float, float]]:
    """The series of a chart by name."""
    return {series.name: {mark.x: mark.y for mark in series.marks} for series in panel.series}


def named(panel: Chart) -> dict[str, tuple[float, float]]:
    """The points of a chart by name; of a name that comes twice the last one."""
    return {mark.name: (mark.x, mark.y) for series in panel.series for mark in series.marks}


# --- Zhang et al. -------------------------------------------------------------------------------

TABLE_1 = {
    4: (72, 60), 8: (272, 216), 16: (1056, 816), 24: (2352, 1800), 32: (4160, 3168),
    40: (6480, 4920), 48: (9312, 7056), 56: (12656, 9576), 64: (16512, 12480),
}  # fmt: skip
"""s, ns of a traditional square and of a proposed one at 2 ns a cycle."""


def test_cycles_of_products_and_squares() -> None:
    """Fig. 10: Table 1 and 4 cycles; what Section 5.3 prints for 1024 bits; ours as the core says."""
    one, two, saved = (values(chart(drawn("zhang2020")["Fig. 10"], panel)) for panel in range(3))
    for kind, name in enumerate(("multiplication", "square")):
        assert one[f"printed, {name}"] == {s: ns[kind] // 2 + 4 for s, ns in TABLE_1.items()}
    printed = [panel[f"printed, {name}"][32] for panel in (one, two) for name in ("multiplication", "square")]
    assert printed == [2084, 1588, 1044, 796]
    fips = room("fips")
    config: Any = fips.build(1024, {"Multipliers": 2, "Depth": 3}).config
    assert two["fips, multiplication"][32] == fips.core.algorithm.cycles(config)
    assert two["fips, square"][32] == fips.core.algorithm.cycles(replace(config, square=True))
    assert saved["printed, one multiplier"][64] == pytest.approx(24.4, abs=0.05)
    assert all(set(series) == set(TABLE_1) for panel in (one, two, saved) for series in panel.values())


def test_cycles_of_powers() -> None:
    """Fig. 11: the paper's cycles by its own counts; ours little more than the multiplications they are."""
    cycles = values(chart(drawn("zhang2020")["Fig. 11"]))
    assert cycles["printed, L_R"][32] == 1024 * 1588 + 512 * 2084
    assert cycles["printed, ML"][32] == 1024 * 2084
    ratio = values(chart(drawn("zhang2020")["Fig. 11"], 1))["printed"]
    assert ratio[64] == pytest.approx(1.25, abs=0.01)
    operations = values(chart(drawn("zhang2020")["Fig. 10"]))
    product, square = (operations[f"fips, {name}"][64] for name in ("multiplication", "square"))
    bare = 2048 * square + 1024 * product, 2048 * product
    for ours, least in zip((cycles["fips, L_R"][64], cycles["fips, ML"][64]), bare, strict=True):
        assert least < ours < 1.03 * least


def test_products_and_reads() -> None:
    """2s^2 + s and (3s^2 + 3s)/2 products, s^2 - s reads saved; ours counted by pairs of words."""
    products, reads = (
        values(chart(drawn("zhang2020")["Section 3.2 and Table 1"], panel)) for panel in range(2)
    )
    for s, ns in TABLE_1.items():
        assert [products[f"printed, {name}"][s] for name in ("multiplication", "square")] == [
            n // 2 for n in ns
        ]
        pairs = [(j, k) for j in range(s) for k in range(s)]
        assert products["fips, multiplication"][s] == 2 * len(pairs) + s
        assert products["fips, square"][s] == sum(j <= k for j, k in pairs) + len(pairs) + s
        assert reads["printed"][s] == reads["fips"][s] == 2 * sum(j > k for j, k in pairs)


# --- Dai et al. ---------------------------------------------------------------------------------


def test_parameters() -> None:
    """Fig. 2: ours are those of Table 4, and M = 2^(cP) + 1 has a primitive P-th root of -1."""
    sizes, c = (values(chart(drawn("dai2017")["Fig. 2"], panel)) for panel in range(2))
    assert sizes["ours, P"] == sizes["printed, P"] == {v: 2**v for v in range(4, 10)}
    assert sizes["ours, cP + 1"] == sizes["printed, cP + 1"]
    assert c["ours, c"] == c["printed, c"] == {4: 17, 5: 5, 6: 2, 7: 0.5, 8: 0.5, 9: 0.5}
    assert all(bits == c["ours, c"][v] * 2**v + 1 for v, bits in sizes["ours, cP + 1"].items())


def test_area_times_time() -> None:
    """Fig. 9: the products of Table 7, as far as it rounds, without its misprint at 2,048 bits."""
    times, cycles = (values(chart(drawn("dai2017")["Fig. 9"], panel)) for panel in range(2))
    table_7 = {
        "printed, 1 butterfly": {1024: 28143, 2048: 71485, 3072: 95985, 4096: 200076},
        "printed, 2 butterflies": {1024: 24172, 2048: 57960, 3072: 78191, 4096: 157191, 7680: 219131},
        "printed, [18]": {1084: 36472, 2076: 82220, 3196: 107889, 4124: 216587, 7740: 445287},
    }
    assert times.keys() == table_7.keys()
    for name, printed in table_7.items():
        assert times[name] == pytest.approx(printed, rel=1e-3)
    assert cycles["printed, 1 butterfly"][1024] == 5003 * 1372
    for butterflies in ("1 butterfly", "2 butterflies"):
        ours, theirs = (cycles[f"{whose}, {butterflies}"] for whose in ("ours", "printed"))
        assert ours.keys() == theirs.keys()


def test_operation_counts() -> None:
    """Table 2: a chain by Algorithm 2 is what the paper counts; Algorithm 3 saves two transforms."""
    counts = values(chart(drawn("dai2017")["Table 2"]))
    assert counts["printed, [18], FFT"][64] == 12 * 64 * 6 + 18 * 64
    assert counts["printed, [20], FFT and Barrett"][64] == 10 * 64 * 6 + 13 * 64
    assert counts["printed, [26], RNS"][64] == 18 * 64**2 + 15 * 64
    chain = counts["ours, Algorithm 2, an operation of a chain"]
    assert chain == counts["printed, FMLM3"] and chain[64] == 7 * 64 * 6 + 4 * 64
    for name, saved in (("Algorithm 3, an operation of a chain", 2), ("Algorithm 2, two new operands", -2)):
        for p, count in counts[f"ours, {name}"].items():
            assert count == chain[p] - saved * p * (int(p).bit_length() - 1)


# --- Javeed and Wang, Amanor et al. -------------------------------------------------------------


def test_throughput_against_area_time() -> None:
    """Fig. 5: what Table III prints in its last columns, where these are right."""
    [drawing] = drawn("javeed").values()
    printed, ours = (named(chart(drawing, panel)) for panel in range(2))
    for design, area_time, throughput in (
        ("BE Radix-4 IMML", 5.9, 275.26),
        ("BE Radix-8 IMML", 9.84, 367.81),
        ("Radix-4 IMML [18]", 6.04, 328),
        ("Radix-2 IM [7]", 8.02, 126),
        ("BE Radix-8 IM [13]", 8.21, 211),
    ):
        assert printed[design] == pytest.approx((area_time, throughput), rel=0.01)
    assert "imml_booth4 SharedTaps=1" in ours and len(ours) == 10
    [row], _ = clocked([room("imml_radix4")])
    assert ours["imml_radix4"] == (row.area_time_per_bit, row.throughput_mbps)


def test_normalised_area_time() -> None:
    """Fig. 3: shares and periods of Tables 1 and 2 at 1024 bits; the smallest product of a length is 1."""
    [drawing] = drawn("amanor2005").values()
    printed, ours = (values(chart(drawing, panel)) for panel in range(2))
    least = 24.0 * 14.4
    known = {"two CSAs": 45.0 * 23.8, "one CSA": 21.0 * 20.4}
    assert printed["Redundant interleaved"][1024] == 1
    for name, product in known.items():
        assert printed[f"Montgomery with {name}"][1024] == pytest.approx(product / least, rel=0.01)
    for panel, kind in ((printed, ""), (ours, ", virtex2"), (ours, ", ecp5")):
        series = [points for name, points in panel.items() if name.endswith(kind)]
        if kind:
            assert len(series) == 3
        for width in {width for points in series for width in points}:
            assert min(points[width] for points in series if width in points) == 1


# --- Pinckney et al. ----------------------------------------------------------------------------


@pytest.mark.parametrize(("figure", "slug"), [("Fig. 7", "right"), ("Fig. 7, left-shifting", "left")])
def test_pipelines(figure: str, slug: str) -> None:
    """Each element has a word each clock cycle, l cycles behind the one before; the cases are as called."""
    found = room(f"scalable_booth4_{slug}")
    left = slug == "left"
    for panel, case in zip(drawn("pinckney2008")[figure].panels, pinckney2008.CASES, strict=True):
        assert isinstance(panel, Pipeline)
        at: Any = found.build(case.bits[left], {"Word": pinckney2008.WORD, "Pes": pinckney2008.PES}).config
        words = at.words + left
        # An element whose Y has moved up by a word is a cycle later: here the last of four, with eight bits.
        starts = [0, 1, 2, 4] if left else [0, 2, 4, 6]
        lag = 5 if left else 8
        period = words if case is pinckney2008.CASES[0] else lag + 1
        assert (words >= lag + 1) == (case is pinckney2008.CASES[0])
        assert len(panel.turns) == 3 * pinckney2008.PES
        for (turn, element), works in panel.turns.items():
            start = 1 + (turn - 1) * period + starts[element - 1]
            assert [(work.cycle, work.word) for work in works] == [(start + j, j) for j in range(words)]
        assert panel.table.rows[1][0] == "2" and panel.table.rows[1][1] == f"{1 + period} to {period + words}"


def test_a_pipeline_is_what_the_simulation_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """An element that had another word than it is said to have would be noticed."""
    right = pinckney2008._words
    monkeypatch.setattr(pinckney2008, "_words", lambda *known: right(*known)[::-1])
    longest = max(case.bits[0] for case in pinckney2008.CASES)
    with pytest.raises(VerificationError, match="element 1 lacks word 0 of Y in cycle"):
        pinckney2008.followed(room("scalable_booth4_right"), 27, longest)


# --- all of them --------------------------------------------------------------------------------


def test_every_drawing_is_plain_data_and_a_table() -> None:
    keys = sorted({found.core.origin.paper for found in ALL if found.core.origin.published})
    for drawing in (found for key in keys for found in drawn(key).values()):
        assert json.loads(json.dumps(drawing.to_json()))["figure"] == drawing.figure
        assert len(drawing.caption) > 1 and drawing.panels
        for panel in drawing.panels:
            assert panel.table.rows
            assert all(len(row) == len(panel.table.headings) for row in panel.table.rows)


def test_lines_of_one_core_alone() -> None:
    """Whatever lacks points is left out, and a core without figures has none."""
    [drawing] = redrawn(papers((room("montgomery_csa1"),)))
    assert {
        mark.y
        for panel in drawing.panels
        if isinstance(panel, Chart)
        for s in panel.series
        for mark in s.marks
    } == {1}
    [line] = [line for line in lines_of("javeed") if line.published.width == 160][:1]
    [drawing] = redrawn([line])
    assert [panel.title for panel in drawing.panels] == ["ours: ecp5"]
    assert redrawn(papers((room("scalable_radix2"),))) == redrawn([]) == []


def test_what_has_no_shipped_frequency_is_named() -> None:
    """A core that no record covers is not measured for a drawing."""
    found = room("interleaved_radix2")
    stranger = replace(found, core=found.core.changed(slug="stranger", module=found.core.top, explore=None))
    rows, without = clocked([found, stranger])
    assert [row.core for row in rows] == ["interleaved_radix2"] and without == ["stranger"]
    assert clocked([stranger]) == ([], ["stranger"])


def test_a_core_of_somebody_else_from_one_of_these_papers() -> None:
    """Its parameters are its own: it has no place in the figures of those that are here."""
    for paper in ("dai2017", "zhang2020"):
        line = lines_of(paper)[0]
        other = room("montgomery_csa1")
        stranger = replace(line, room=replace(other, core=other.core.changed(paper=paper, published=())))
        found = redrawn([stranger, *lines_of(paper)])
        assert found == redrawn(lines_of(paper))


def test_extras() -> None:
    assert extras(of_paper(ALL, "pinckney2008")) == ("simulation",)
    assert extras(of_paper(ALL, "javeed")) == ()
