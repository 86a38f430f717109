# SPDX-License-Identifier: Apache-2.0
"""What is said of the papers: the data, the pages for people, and which figures they print."""

import csv
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from modmul.core import PAPERS, Published, sources
from modmul.core.published import FIGURES, TRANSFORMS
from modmul.registry import on, room, rooms
from modmul.study.papers import COUNTED, NAMES, Line, cited, jobs, papers, tables

ROOT = Path(__file__).parents[1]
OWN = [
    found for found in rooms().values() if found.path.is_relative_to(ROOT / "src") and found.core.origin.paper
]
FIELDS = {field.name for field in fields(Published)}


# --- the papers ---------------------------------------------------------------------------------


def test_every_core_is_from_a_known_paper() -> None:
    """A room of this project; somebody else's may have a paper of its own, or none."""
    assert len(OWN) == 21
    assert {found.core.origin.paper for found in OWN} == set(PAPERS)
    for key, paper in PAPERS.items():
        assert paper.key == key and key.startswith(paper.authors[0].split(",")[0].lower())
        assert key == key.rstrip("0123456789") + str(paper.year or "")


def test_a_paper_of_somebody_else() -> None:
    core = room("interleaved_radix2").core.changed(paper="myself1999", section="[1], Section 2")
    assert (core.origin.citation, core.origin.full, core.origin.where) == (
        "myself1999",
        "myself1999",
        "[1], Section 2",
    )
    assert sources([("myself1999", "[1]"), ("", "")]) == []


def test_references_are_resolved() -> None:
    """Each number that a section or a design names is that of a reference of the paper."""
    named = 0
    for found in OWN:
        core = found.core
        known = {str(reference.number): reference for reference in PAPERS[core.origin.paper].references}
        for number in re.findall(
            r"\[(\d+)\]", " ".join([core.origin.section, *(p.design for p in core.origin.published)])
        ):
            assert number in known, (core.slug, number)
        for number in re.findall(r"\[(\d+)\]", core.origin.section):
            assert f"[{number}] ({known[number].short})" in core.origin.where
            named += 1
    assert named == 12
    assert room("interleaved_radix2").core.origin.where.startswith("reference [7] (Blakley, 1983), Table III")
    [line] = sources([("javeed", "Radix-2 IM [7]"), ("javeed", "Radix-4 IMML [18]")])
    assert line.startswith("javeed: Khalid Javeed, Xiaojun Wang: Speed and Area")
    assert line.endswith("; [7] is Blakley, 1983; [18] is as far as known Javeed et al., 2015")


def page(slug: str) -> str:
    """The README of a room, from the top of the repository."""
    return (rooms()[slug].path / "README.md").relative_to(ROOT).as_posix()


def told(paper: str) -> list[str]:
    """What docs/papers.md is to say of a paper."""
    work = PAPERS[paper]
    cores = sorted(found.core.slug for found in OWN if found.core.origin.paper == paper)
    lines = [
        f"- Authors: {work.people}",
        f"- Title: *{work.title}*",
        f"- Venue: {work.venue or 'not known'}",
        f"- Year: {work.year or 'not known'}",
        f"- DOI: {f'[{work.doi}](https://doi.org/{work.doi})' if work.doi else 'not known'}",
        f"- Contains: {work.contains}",
        f"- Unsure: {work.unsure or 'nothing'}",
        "- Cores: " + ", ".join(f"[`{slug}`](../{page(slug)})" for slug in cores),
    ]
    lines += [f"- [{r.number}] {r.full}{f' ({r.note})' if r.note else ''}" for r in work.references]
    return lines


def test_the_page_of_papers_says_the_same() -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert list(sections) == list(PAPERS)
    for key, section in sections.items():
        items = [" ".join(item.split()) for item in re.split(r"\n(?=- )", section) if item.startswith("- ")]
        assert items == told(key)


def test_citation_file() -> None:
    """CITATION.cff: the version of the package, and the papers."""
    data = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (data["cff-version"], data["type"], data["license"]) == ("1.2.0", "software", "Apache-2.0")
    assert (data["title"], data["version"]) == ("modmul", project["version"])
    assert data["authors"] == [{"name": "The modmul developers"}]
    found = [
        (
            tuple(f"{a['family-names']}, {a['given-names']}" for a in reference["authors"]),
            reference["title"],
            reference.get("year"),
            reference.get("doi", ""),
        )
        for reference in data["references"]
    ]
    assert found == [(paper.authors, paper.title, paper.year, paper.doi) for paper in PAPERS.values()]
    for paper, reference in zip(PAPERS.values(), data["references"], strict=True):
        place = reference.get("journal") or reference.get("conference", {}).get("name", "")
        assert paper.venue.startswith(place) and bool(paper.venue) == bool(place)


# --- the figures --------------------------------------------------------------------------------

Key = tuple[str, ...]
ROWS = 135
"""Rows of the tables of the five papers."""

ALL = [
    *((found.core.origin.paper, row) for found in OWN for row in found.core.origin.published),
    *((paper.key, row) for paper in PAPERS.values() for row in paper.others),
]


def key(paper: str, row: Published) -> Key:
    options = " ".join(f"{name}={value}" for name, value in row.options.items())
    return (paper, row.table, row.design, row.device, str(row.width or ""), options)


def printed() -> Mapping[Key, dict[str, float]]:
    """tests/data/printed.csv: all rows of the papers' tables, in the units of ``Published``.

    Table 1 and Section 5.3 of zhang2020 have two figures a row, of two builds: two lines of the same number.
    """
    with (ROOT / "tests" / "data" / "printed.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {int(row.pop("row")) for row in rows} == set(range(1, ROWS + 1))
    names = ("paper", "table", "design", "device", "width", "options")
    found = {
        tuple(row[name] for name in names): {
            name: float(value) for name, value in row.items() if name not in names and value
        }
        for row in rows
    }
    assert len(found) == len(rows)
    return found


def test_what_is_printed_is_as_printed_and_all_else_is_derived() -> None:
    figures = {
        key(paper, row): {name: row.printed(name) for name in FIGURES if row.printed(name) is not None}
        for paper, row in ALL
    }
    assert len(ALL) == len(figures)
    assert figures == printed()


def test_derived_figures_of_each_paper() -> None:
    """By paper: what is never printed. The kinds of rows of a paper differ."""
    derived: dict[str, set[tuple[str, ...]]] = {}
    for paper, row in ALL:
        derived.setdefault(paper, set()).add(row.derived)
    assert derived == {
        "amanor2005": {("slices", "cycles", "time_us"), ("power_cycles", "crt_cycles")},
        "dai2017": {(), ("fmax_mhz", "bram"), ("bram",)},
        "javeed": {("cycles",)},
        "pinckney2008": {(), ("cycles", "time_us", "power_cycles")},
        "zhang2020": {(), ("cycles",)},
    }


def test_derived_names_figures_of_the_row() -> None:
    assert {*FIGURES} <= FIELDS and set(NAMES) == set(FIGURES)
    for derived in (("design",), ("lut",), ("ffs",)):
        with pytest.raises(ValueError, match="derived names"):
            Published("I", "A", "Virtex-6", 8, luts=7, derived=derived)
    with pytest.raises(ValueError, match="recomputed names"):
        Published("I", "A", "Virtex-6", 8, luts=7, recomputed={"ffs": 3})


WORDS = {
    "fmax_mhz": "MHz",
    "time_us": "time",
    "throughput_mbps": "throughput",
    "slices_us_per_bit": "slices x us / bit",
    "luts_us": "LUT x us",
    "gain_percent": "gain",
    "power_ms": "power",
}
"""What a note calls a figure."""


def test_misprints_are_found_and_named() -> None:
    """Printed figures that do not follow from the others: these, and the note of each names it."""
    found: dict[str, list[tuple[str, int | None, str]]] = {}
    for paper, row in ALL:
        for name in FIGURES:
            if not row.agrees(name):
                found.setdefault(paper, []).append((row.design, row.width, name))
                assert WORDS[name] in row.note, (paper, row.design, name)
    assert {paper: len(entries) for paper, entries in found.items()} == {
        "amanor2005": 4,
        "dai2017": 3,
        "javeed": 10,
        "pinckney2008": 7,
    }
    for entry in (
        ("Radix-8 IMML [18]", 256, "throughput_mbps"),
        ("BE Radix-8 IMML", 160, "throughput_mbps"),
        ("BE Radix-4 IM [13]", 256, "slices_us_per_bit"),
    ):
        assert entry in found["javeed"]
    assert ("FMLM3, 1 BFS", 2048, "luts_us") in found["dai2017"]


def test_what_follows() -> None:
    row = Published("I", "A", "", 256, slices=100, fmax_mhz=100.0, cycles=128, time_us=1.28)
    assert row.follows("time_us") == 1.28 and row.agrees("time_us") and row.follows("cycles") is None
    assert not replace(row, time_us=1.29).agrees("time_us")
    assert replace(row, time_us=1.29, derived=("time_us",)).follows("time_us") is None
    assert replace(row, slices_us_per_bit=0.5).agrees("slices_us_per_bit")
    assert not replace(row, slices_us_per_bit=0.6).agrees("slices_us_per_bit")
    assert replace(row, throughput_mbps=200.0).agrees("throughput_mbps")
    other = replace(row, recomputed={"time_us": 2.0})
    assert other.follows("time_us") == 2.0 and not other.agrees("time_us")


# --- beside ours --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """All rows of the papers, with the shipped measurements."""
    return papers(OWN)


def test_every_row_is_there(lines: list[Line]) -> None:
    assert sorted(key(line.paper, line.published) for line in lines) == sorted(printed())
    assert all(line.shipped for line in lines if line.target)


def test_cycles_that_differ_are_explained(lines: list[Line]) -> None:
    for line in lines:
        for name, figure in line.figures.items():
            if name in ("cycles", *TRANSFORMS) and figure.ratio not in (None, 1):
                assert "cycles" in line.why, (line.published, name)


def test_rows_without_ours(lines: list[Line]) -> None:
    """Other people's work, and estimates of what cannot be built: both say so."""
    without = [line for line in lines if not any(f.ours is not None for f in line.figures.values())]
    assert all(line.room is None or line.refused for line in without)
    others = [line for line in without if line.room is None]
    assert len(others) == sum(len(paper.others) for paper in PAPERS.values()) == 17
    assert all("other people's work" in line.why or "dai2017" in line.why for line in others)
    assert {line.published.design for line in without if line.room} == {
        *("FMLM3, P = 32, 16 BFS", "FMLM3, P = 64, 32 BFS", "FMLM3, P = 128, 64 BFS")
    }
    assert all("none here: " in line.why for line in without if line.room)


def test_no_frequency_of_ours_stands_beside_the_papers(lines: list[Line]) -> None:
    for line in lines:
        for name, figure in line.figures.items():
            assert figure.ours is None or name in COUNTED, name
            assert figure.ours is None or name not in ("slices", "slices_percent")
    clocked = [line for line in lines if line.clocked_us]
    assert {line.paper for line in clocked} >= {"amanor2005", "javeed"}
    assert 256 in {line.published.width for line in clocked}


def test_cycles_of_powers_are_those_of_the_systems(lines: list[Line]) -> None:
    """2n + 2 multiplications, each behind the other; half the bits of an exponent."""
    for line in lines:
        figure = line.figure("power_cycles")
        if figure.value is None:
            continue
        assert figure.derived and line.config and line.room and figure.ours
        each = line.room.core.interface.latency(line.config)
        count = 2 * line.config.width + 2 if line.paper == "pinckney2008" else 1.5 * line.config.width
        assert 1 < figure.ours / (count * each) < 1.1
    [crt] = [line.figure("crt_cycles") for line in lines if line.published.design.endswith("with 2 CSAs")]
    bare = {"Window": 1, "Blind": 0, "BlindMessage": 0, "Check": 0}
    assert crt.ours == on("rsa_crt", "montgomery_csa2").build(1024, bare).latency


def test_tables(lines: list[Line]) -> None:
    """Marks of what is derived and of what does not follow; a note for each row that has one."""
    shown = tables(lines)
    titles = [table.title for table in shown]
    assert titles[:2] == [
        "amanor2005, Tables 1 and 2: area and cycles",
        "amanor2005, Tables 1 and 2: times and what follows from them",
    ]
    assert "zhang2020, Section 5.3: area and cycles" in titles
    assert len({(line.paper, line.published.table) for line in lines}) == 11
    [counted] = [table for table in shown if table.title == "javeed, Table III: area and cycles"]
    [timed] = [table for table in shown if table.title.startswith("javeed") and table is not counted]
    assert counted.notes == timed.notes
    row = dict(zip(timed.headings, timed.rows[0], strict=False))
    assert (row["design"], row["MHz"], row["µs"]) == ("BE Radix-4 IMML", "137.87", "0.93")
    assert all(dict(zip(counted.headings, row, strict=False))["cycles"].endswith("*") for row in counted.rows)
    assert sum(cell.endswith("≠") for table in shown for row in table.rows for cell in row) == 24
    assert [text.split(":")[0] for text in cited(lines)] == list(PAPERS)


def test_json(lines: list[Line]) -> None:
    for line, data in zip(lines, [line.to_json() for line in lines], strict=True):
        for name in line.published.derived:
            figure = data["figures"][NAMES[name]]
            assert figure["printed"] is None and figure["derived"] is not None
        for name, figure in data["figures"].items():
            assert figure["printed"] is None or figure["derived"] is None, name
        assert data["printed device"] == (line.published.device or None)


def test_rows_without_device_or_length() -> None:
    """They are synthesised for the device of the core's others, in a build of the default width."""
    found = room("scalable_radix2")
    bare = replace(found.core.origin.published[0], device="")
    with pytest.raises(ValueError, match="no figure of scalable_radix2 names a device"):
        papers((replace(found, core=found.core.changed(published=(bare,))),))
    with_others = replace(found, core=found.core.changed(published=(bare, found.core.origin.published[1])))
    assert [job.target.name for job in jobs((with_others,))] == ["virtex2", "virtex2"]
    element = found.core.origin.published[0]
    assert (element.width, element.block) == (None, "element")
