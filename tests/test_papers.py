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

from modmul.core import PAPERS, Core, Published, sources
from modmul.core.published import FIGURES
from modmul.measure import TARGETS, ToolFailure
from modmul.registry import Room, room, rooms
from modmul.report.papers import Line, papers, table

ROOT = Path(__file__).parents[1]
OWN = [found for found in rooms().values() if found.path.is_relative_to(ROOT / "src")]
FIELDS = {field.name for field in fields(Published)}


# --- the papers ---------------------------------------------------------------------------------


def test_every_core_is_from_a_known_paper() -> None:
    """A room of this project; somebody else's may have a paper of its own, or none."""
    assert len(OWN) == 18
    assert {found.core.paper for found in OWN} == set(PAPERS)
    for key, paper in PAPERS.items():
        assert paper.key == key and key.startswith(paper.authors[0].split(",")[0].lower())
        assert key == key.rstrip("0123456789") + str(paper.year or "")


def test_a_paper_of_somebody_else() -> None:
    core = replace(room("interleaved_radix2").core, paper="myself1999", section="[1], Section 2")
    assert (core.citation, core.source, core.where) == ("myself1999", "myself1999", "[1], Section 2")
    assert sources([("myself1999", "[1]"), ("", "")]) == []


def test_references_are_resolved() -> None:
    """Each number that a section or a design names is that of a reference of the paper."""
    named = 0
    for found in OWN:
        core = found.core
        known = {str(reference.number): reference for reference in PAPERS[core.paper].references}
        for number in re.findall(r"\[(\d+)\]", " ".join([core.section, *(p.design for p in core.published)])):
            assert number in known, (core.slug, number)
        for number in re.findall(r"\[(\d+)\]", core.section):
            assert f"[{number}] ({known[number].short})" in core.where
            named += 1
    assert named == 10
    assert room("interleaved_radix2").core.where.startswith("reference [7] (Blakley, 1983), Table III")
    [line] = sources([("javeed", "Radix-2 IM [7]"), ("javeed", "Radix-4 IMML [18]")])
    assert line.startswith("javeed: Khalid Javeed, Xiaojun Wang: Speed and Area")
    assert line.endswith("; [7] is Blakley, 1983; [18] is as far as known Javeed et al., 2015")


def told(paper: str) -> list[str]:
    """What docs/papers.md is to say of a paper."""
    work = PAPERS[paper]
    cores = sorted(found.core.slug for found in OWN if found.core.paper == paper)
    lines = [
        f"- Authors: {work.people}",
        f"- Title: *{work.title}*",
        f"- Venue: {work.venue or 'not known'}",
        f"- Year: {work.year or 'not known'}",
        f"- DOI: {f'[{work.doi}](https://doi.org/{work.doi})' if work.doi else 'not known'}",
        f"- Contains: {work.contains}",
        f"- Unsure: {work.unsure or 'nothing'}",
        "- Cores: " + ", ".join(f"[`{slug}`](../src/modmul/cores/{slug}/README.md)" for slug in cores),
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


def key(core: Core, row: Published) -> Key:
    options = " ".join(f"{name}={value}" for name, value in row.options.items())
    return (core.slug, row.table, row.design, row.device, str(row.width or ""), options)


def printed() -> Mapping[Key, dict[str, float]]:
    """tests/data/printed.csv: the figures that the papers print, in the units of ``Published``."""
    with (ROOT / "tests" / "data" / "printed.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = ("core", "table", "design", "device", "width", "options")
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
        key(found.core, row): {name: row.printed(name) for name in FIGURES if row.printed(name) is not None}
        for found in OWN
        for row in found.core.published
    }
    assert sum(len(found.core.published) for found in OWN) == len(figures)
    assert figures == printed()


def test_derived_figures_of_each_paper() -> None:
    """By paper: what is never printed. The two kinds of rows of a paper differ."""
    derived: dict[str, set[tuple[str, ...]]] = {}
    for found in OWN:
        for row in found.core.published:
            derived.setdefault(found.core.paper, set()).add(row.derived)
    assert derived == {
        "amanor2005": {("slices", "cycles", "time_us")},
        "dai2017": {("fmax_mhz", "bram")},
        "javeed": {("cycles",)},
        "pinckney2008": {(), ("cycles", "time_us")},
        "zhang2020": {(), ("cycles",)},
    }


def test_derived_names_figures_of_the_row() -> None:
    assert {*FIGURES} <= FIELDS
    for derived in (("design",), ("lut",), ("ffs",)):
        with pytest.raises(ValueError, match="derived names"):
            Published("I", "A", "Virtex-6", 8, luts=7, derived=derived)


def line(found: Room, row: Published) -> Line:
    """Figures of a paper, and none of ours."""
    config = found.core.configs(row.width or 256)[0].with_parameters(row.options)
    return Line(found, row, config, TARGETS["virtex2"], ToolFailure("not run", Path("log")))


def test_derived_figures_are_marked_and_never_called_printed() -> None:
    shown = [line(found, row) for found in OWN for row in found.core.published]
    data = [entry.to_json() for entry in shown]
    told = table(shown)
    marked = 0
    for entry, cells in zip(data, told.rows, strict=True):
        row = dict(zip(told.headings, cells, strict=True))
        for what, heading in (("slices", "slices"), ("cycles", "cycles"), ("time us", "µs")):
            derived = what in entry["derived"]
            assert row[heading].endswith("*") == derived
            assert not derived or entry[f"printed {what}"] is None
            marked += derived
    assert marked == 18 * 3 + 18 * 2 + 19 + 18
    assert "*: not printed" in told.legend
    assert [text.split(":")[0] for text in told.papers] == list(PAPERS)


def test_figures_without_device_or_length() -> None:
    """They are synthesised for the device of the core's others, in a build of the default width."""
    found = room("fips")
    [bare] = [row for row in found.core.published if row.table == "1" and row.width == 128][:1]
    with pytest.raises(ValueError, match="no figure of fips names a device"):
        papers((replace(found, core=replace(found.core, published=(bare,))),))
    assert bare.device == "" and line(found, bare).to_json()["printed device"] is None
    element = room("scalable_radix2").core.published[0]
    assert (element.width, element.block) == (None, "element")
