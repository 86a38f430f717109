# SPDX-License-Identifier: Apache-2.0
"""``modmul explore``: held to brute force over small spaces, interrupted, resumed and given nonsense."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from modmul.chips import CHIPS, chip
from modmul.cli import app
from modmul.cli.options import ranges
from modmul.measure import (
    SHIPPED,
    Area,
    Job,
    Measurement,
    Record,
    RecordError,
    ToolFailure,
    add_records,
    read_records,
)
from modmul.measure.weights import Weights
from modmul.moduli import Modulus, modulus
from modmul.registry import room, rooms
from modmul.room import Build
from modmul.study import exploring
from modmul.study.choosing import Wish, choose
from modmul.study.compare import Comparing, Request
from modmul.study.estimate import Costs
from modmul.study.exploring import Exploring, Search, explore, front
from modmul.study.measuring import Outcome, Tools
from modmul.study.own import builds_of, shelf_with
from modmul.study.space import Space, space
from modmul.tools.progress import Listener, Progress
from modmul.tools.store import StoreError

ECP5 = chip("ecp5")
WIDTH = 16


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "fsync", lambda _file: None)  # of each line of a study
    return tmp_path / "cache"


def luts(build: Build) -> int:
    """An area that no formula of the search knows."""
    return 200 + random.Random(str(build)).randrange(100) - 3 * build.latency


def measurement(build: Build) -> Measurement:
    cells = {"LUT4": luts(build), "TRELLIS_FF": 7}
    return Measurement(Area(luts(build), 0, 0, 7, 0, 0, cells), None)


class Lab:
    """Stands for the tools and the store: it measures at once, and notes what."""

    def __init__(self) -> None:
        self.runs: list[Build] = []
        self.kept: dict[str, Measurement] = {}
        self.verified: list[Build] = []
        self.wrong: set[Build] = set()
        self.outcome: Callable[[Build], Outcome] = measurement

    def known(self, job: Job, _store: object, _shelf: object) -> Measurement | None:
        return self.kept.get(job.design.digest)

    def run_jobs(
        self, jobs: Mapping[Build, Job], _tools: Tools, _store: object, _listener: Listener
    ) -> dict[Build, Outcome]:
        found: dict[Build, Outcome] = {}
        for build, job in jobs.items():
            if job.design.digest not in self.kept:
                self.runs.append(build)
                outcome = self.outcome(build)
                if isinstance(outcome, Measurement):
                    self.kept[job.design.digest] = outcome
                else:
                    found[build] = outcome
            if build not in found:
                found[build] = self.kept[job.design.digest]
        return found

    def verify(
        self, builds: Sequence[Build], _modulus: Modulus, count: int, **_: object
    ) -> dict[Build, int | ToolFailure]:
        self.verified += builds
        wrong = ToolFailure("verification failed: 1 * 1 = 2", Path("log"))
        return {build: wrong if build in self.wrong else count for build in builds}


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    made = Lab()
    for name in ("known", "run_jobs", "verify"):
        monkeypatch.setattr(exploring, name, getattr(made, name))
    return made


def search(slug: str = "rrm", **more: Any) -> Search:
    return Search(room(slug), WIDTH, ECP5, **{"seeds": (), **more})


def builds_by_hand() -> list[Build]:
    """Every legal rrm with reduced results, without the code that is tested."""
    found = []
    values = product((8, 16, 32, 64), (1, 2), (0, 1, 2), (1, 2))
    for word, digit, delay, banks in values:
        if not (banks == 2 and delay == 0):
            options = {"Word": word, "DigitBits": digit, "Delay": delay, "Banks": banks}
            found.append(room("rrm").build(WIDTH, options))
    return found


def front_by_hand(builds: Sequence[Build]) -> set[tuple[int, int]]:
    """Area and latency of those that no other beats, step by step along the latency."""
    found: set[tuple[int, int]] = set()
    least = None
    for latency in sorted({build.latency for build in builds}):
        area = min(luts(build) for build in builds if build.latency == latency)
        if least is None or area < least:
            least = area
            found.add((area, latency))
    return found


# ---- the space


def test_the_space_of_a_core_is_what_its_configuration_accepts() -> None:
    found = space(room("rrm"), WIDTH, ECP5)
    assert found.legal is not None and set(found.legal) == set(builds_by_hand())
    assert found.combinations == 48 and found.fixed == {"Lazy": 0}
    assert next(iter(found.legal)) == found.default


@pytest.mark.parametrize("slug", rooms())
def test_the_builds_of_each_core_are_in_its_space(slug: str) -> None:
    if set(room(slug).core.builds.at(64)[0].options()) <= {"Modulus"}:
        with pytest.raises(ValueError, match="no parameter to vary"):
            space(room(slug), 64, ECP5)
        return
    found = space(room(slug), 64, ECP5)
    assert found.default in found.starts
    assert {*found.values, *found.fixed} == {*found.default.config.options()}
    assert all(found.has(start) and found.build(found.point(start)) == start for start in found.starts)
    seen = set(found.starts)
    point = found.unseen(seen, random.Random(1))
    assert (point is None) == (found.legal is not None and len(found.legal) == len(seen))
    assert point is None or found.build(point) not in seen


def test_what_is_fixed_and_ranged_is_kept_to() -> None:
    found = space(room("rrm"), WIDTH, ECP5, fixed={"Word": 8}, ranges={"Delay": (0, 2)})
    assert found.legal is not None and {*found.values} == {"DigitBits", "Delay", "Banks"}
    expected = {
        build
        for build in builds_by_hand()
        if build.config.options()["Word"] == 8 and build.config.options()["Delay"] in (0, 2)
    }
    assert set(found.legal) == expected


def test_results_above_the_modulus_are_out_unless_asked_for() -> None:
    lazy = {"Lazy": 1}
    with pytest.raises(ValueError, match="--unreduced"):
        space(room("rrm"), WIDTH, ECP5, fixed=lazy)
    found = space(room("rrm"), WIDTH, ECP5, fixed=lazy, unreduced=True)
    assert found.legal and not any(build.reduced() for build in found.legal)


def test_each_build_serves_the_modulus() -> None:
    value = modulus("x^16+x^5+x^3+x+1").value
    found = space(room("fips"), WIDTH, ECP5, value)
    assert found.legal and all(build.config.options()["FieldSet"] in (2, 3) for build in found.legal)
    assert {build.config.options()["FieldSet"] for build in space(room("fips"), WIDTH, ECP5).legal or ()} == {
        1,
        3,
    }


@pytest.mark.parametrize(
    ("slug", "fixed", "given", "said"),
    [
        ("rrm", {}, {"Word": range(9, 16)}, "word must be"),
        ("rrm", {"Banks": 2}, {"Delay": (0,)}, "two banks"),
        ("rrm", {"Pes": 2}, {}, "no parameter 'Pes'"),
        ("rrm", {}, {"Width": (8, 9)}, "no parameter 'Width'"),
        ("rrm", {"Word": 8}, {"Word": (8, 16)}, "--range"),
        ("imml_radix4", {}, {}, "no parameter to vary"),
        ("imml_booth4", {"SharedTaps": 1}, {}, "no parameter to vary"),
        ("modexp:rrm", {}, {}, "explore rrm"),
        ("fmlm3", {"Transform": 5}, {}, "power of two"),
    ],
)
def test_bad_ranges_are_refused(
    slug: str, fixed: dict[str, int], given: dict[str, Sequence[int]], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        space(room(slug), 64, ECP5, fixed=fixed, ranges=given)


def test_ranges_as_people_write_them() -> None:
    assert ranges(["Pes=1..3,8", "Word=0x10"]) == {"Pes": (1, 2, 3, 8), "Word": (16,)}
    for text in ("Pes=", "Pes", "Pes=3..", "Pes=..3", "Pes=4..3", "Pes=a", "Pes=0..99999", "Pes=1.5"):
        with pytest.raises(ValueError, match="Pes"):
            ranges([text])
    with pytest.raises(ValueError, match="twice"):
        ranges(["Pes=1", "Pes=2"])


# ---- the search


def test_the_front_of_points(rng: random.Random) -> None:
    for _ in range(50):
        points = [(float(rng.randrange(9)), float(rng.randrange(9))) for _ in range(rng.randrange(1, 20))]
        kept = [points[at] for at in front(points)]
        assert len(set(kept)) == len(kept)
        beaten = {p for p in points if any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)}
        assert set(kept) == set(points) - beaten


@pytest.mark.parametrize("trials", [40, 60])
def test_a_small_space_is_searched_whole(lab: Lab, trials: int) -> None:
    found = explore(search(trials=trials))
    assert found.whole and (found.trials, found.measured, found.known) == (40, 40, 0)
    assert set(lab.runs) == set(builds_by_hand()) and len(lab.runs) == 40
    assert {(row.luts, row.latency) for row in found.front} == front_by_hand(builds_by_hand())
    assert all(row.verified == 1000 for row in found.front)
    default = builds_by_hand()[0].room.build(WIDTH)
    for row, gain in zip(found.front, found.gains, strict=True):
        assert gain.area == pytest.approx(1 - (row.luts or 0) / luts(default))
        assert gain.time == pytest.approx(1 - row.latency / default.latency)


def test_a_search_tries_as_many_builds_as_asked_for(lab: Lab) -> None:
    found = explore(search(trials=15))
    assert len(lab.runs) == len(set(lab.runs)) == found.trials == 15 and not found.whole
    assert set(lab.runs) <= set(builds_by_hand())
    assert lab.runs[0] == room("rrm").build(WIDTH)
    assert {(row.luts, row.latency) for row in found.front} == front_by_hand(lab.runs)


def test_a_space_too_large_to_list_is_searched_too(lab: Lab) -> None:
    exploring_ = Exploring(search("fmlm3", trials=12))
    assert exploring_.space.legal is None
    found = exploring_.finish()
    assert found.trials == len(set(lab.runs)) == 12 and found.pruned > 0
    assert {(row.luts, row.latency) for row in found.front} == front_by_hand(lab.runs)


def test_rate_sets_the_interval_against_the_area(lab: Lab) -> None:
    found = explore(search(trials=40, aim="rate"))
    points = {(luts(build), build.interval) for build in builds_by_hand()}
    expected = {p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)}
    assert {(row.luts, row.interval) for row in found.front} == expected


def test_again_with_more_trials_goes_on(lab: Lab) -> None:
    first = explore(search(trials=6))
    tried = list(lab.runs)
    again = explore(search(trials=6))
    assert lab.runs == tried and (again.measured, again.known) == (0, 6)
    assert {row.label for row in again.front} == {row.label for row in first.front}
    more = explore(search(trials=11))
    assert len(lab.runs) == 11 and (more.measured, more.known) == (5, 6)
    whole = explore(search(trials=40))
    assert whole.whole and len(lab.runs) == len(set(lab.runs)) == 40


def test_other_questions_are_other_studies(lab: Lab) -> None:
    asked = [
        search(),
        search(modulus=modulus("65521")),
        search(ranges={"Word": (8, 16)}),
        search(aim="rate"),
        search(unreduced=True),
        search(weights=Weights(dsp=1)),
        search(seeds=(1,), placed=True),
        search(seeds=(1, 2), placed=True),
        replace(search(), target=chip("nexus")),
        replace(search(), width=17),
        search("rrm_split"),
    ]
    files = [Exploring(each).file for each in asked]
    assert len(set(files)) == len(asked)
    same = [search(trials=3), search(aim="area"), search(seeds=(1,)), search(seed=9)]
    assert {Exploring(each).file for each in same} == {files[0]}


@pytest.mark.parametrize("stop", [1, 4, 8])
def test_an_interruption_loses_nothing(lab: Lab, stop: int) -> None:
    def outcome(build: Build) -> Outcome:
        if len(lab.runs) == stop:
            raise KeyboardInterrupt
        return measurement(build)

    lab.outcome = outcome
    with pytest.raises(KeyboardInterrupt):
        explore(search(trials=8))
    under_way = lab.runs[-1]
    assert len(lab.kept) == stop - 1
    lab.outcome = measurement
    found = explore(search(trials=8))
    assert found.trials == 8 and lab.runs.count(under_way) == 2
    assert len(lab.runs) == 9 and len(set(lab.runs)) == 8


def test_a_failure_counts_is_told_and_is_tried_again(lab: Lab) -> None:
    bad = room("rrm").build(WIDTH, {"DigitBits": 1})
    failure = ToolFailure("ran out of time", Path("log"))
    lab.outcome = lambda build: failure if build == bad else measurement(build)
    found = explore(search(trials=40))
    assert [row.failure for row in found.failed] == ["ran out of time"] and len(lab.runs) == 40
    assert {(row.luts, row.latency) for row in found.front} == front_by_hand(
        [build for build in builds_by_hand() if build != bad]
    )
    lab.outcome = measurement
    assert {(row.luts, row.latency) for row in explore(search(trials=40)).front} == front_by_hand(
        builds_by_hand()
    )
    assert lab.runs.count(bad) == 2


def test_a_build_that_computes_wrong_is_not_shown(lab: Lab) -> None:
    best = {point: build for build in builds_by_hand() for point in [(luts(build), build.latency)]}
    wrong = best[min(front_by_hand(builds_by_hand()))]
    lab.wrong = {wrong}
    found = explore(search(trials=40))
    assert [row.config for row in found.failed] == [wrong.config.options()]
    rest = [build for build in builds_by_hand() if build != wrong]
    assert {(row.luts, row.latency) for row in found.front} == front_by_hand(rest)
    assert len(lab.verified) == len(set(lab.verified))


def test_what_the_part_does_not_hold_is_not_of_the_front(lab: Lab) -> None:
    small = chip("ice40up")
    huge = Measurement(Area(9999, 0, 0, 7, 0, 0, {"SB_LUT4": 9999}), None)
    quickest = min(build.latency for build in builds_by_hand())
    fit = Measurement(Area(100, 0, 0, 7, 0, 0, {"SB_LUT4": 100}), None)
    lab.outcome = lambda build: huge if build.latency == quickest else fit
    found = explore(replace(search(trials=40), target=small))
    assert found.front and all(row.luts == 100 for row in found.front)


def test_progress_tells_trials(lab: Lab) -> None:
    told: list[Progress] = []
    explore(search(trials=5), told.append)
    assert [p.total for p in told if p.phase == "explore"] and told[0].done == 0


def test_a_damaged_study_is_one_line_and_a_way_out(lab: Lab, cache: Path) -> None:
    file = Exploring(search()).file
    explore(search(trials=3))
    file.write_text("{\n" * 5)
    with pytest.raises(StoreError, match="mv ") as raised:
        explore(search(trials=3))
    assert "\n" not in str(raised.value)
    file.rename(f"{file}.damaged")
    assert explore(search(trials=3)).known == 3


@pytest.mark.parametrize(
    "more",
    [{"aim": "size"}, {"trials": 0}, {"placed": True}, {"placed": True, "seeds": (1,), "target": "gates"}],
)
def test_questions_without_sense_are_refused(more: dict[str, Any]) -> None:
    target = chip(more.pop("target", "ecp5"))
    with pytest.raises(ValueError):
        replace(search(), target=target, **more)


# ---- records of one's own


def record(build: Build) -> Record:
    area = measurement(build).area
    return Record.of(build.design, ECP5, area, None)


def test_own_records_are_chosen_from(tmp_path: Path) -> None:
    build = room("rrm").build(WIDTH, {"Word": 64, "DigitBits": 1, "Delay": 2})
    file = tmp_path / "own.json"
    file.write_bytes(add_records(file, [record(build)]))
    shelf, said = shelf_with([file])
    assert not said and builds_of(shelf, room("rrm"), WIDTH, ECP5) == [build]
    wish = Wish(WIDTH, ECP5)
    without, with_ = (
        {each.build: each for each in choose(wish, costs, [room("rrm")]).fitting}
        for costs in (Costs(), Costs(shelf))
    )
    assert build not in without
    found = with_[build]
    assert found.row.luts == luts(build) and found.area is not None and found.area.how == "measured"


def test_own_records_are_compared(tmp_path: Path) -> None:
    build = room("rrm").build(WIDTH, {"Word": 64, "DigitBits": 1, "Delay": 2})
    file = tmp_path / "own.json"
    file.write_bytes(add_records(file, [record(build)]))
    asked = Request(modulus("65521"), WIDTH, ECP5, (room("rrm"),), seeds=(), count=0)
    assert build not in Comparing(asked).jobs
    for fresh in (False, True):
        tools = Tools(records=shelf_with([file])[0], fresh=fresh)
        comparing = Comparing(replace(asked, tools=tools))
        assert (build in comparing.jobs) == (build in comparing.measured) == (not fresh)
    even = replace(asked, rooms=(*asked.rooms, room("rrm_plain")), modulus=modulus("65520"))
    own = Tools(records=shelf_with([file])[0])
    assert build not in Comparing(replace(even, tools=own)).jobs


def test_records_are_added_each_in_place_of_its_earlier_one(tmp_path: Path) -> None:
    one, other = (room("rrm").build(WIDTH, {"Word": word}) for word in (8, 64))
    file = tmp_path / "own.json"
    file.write_bytes(add_records(file, [record(one)]))
    newer = replace(record(one), cells={"LUT4": 1})
    file.write_bytes(add_records(file, [record(other), newer]))
    assert read_records(file) == [newer, record(other)]


def test_stale_records_are_not_taken_and_said(tmp_path: Path) -> None:
    build = room("rrm").build(WIDTH)
    file = tmp_path / "own.json"
    good = record(build)
    for bad in (
        replace(good, digest="0" * 16),
        replace(good, flow="0" * 16),
        replace(good, design="no_such_core"),
        replace(good, target="no_such_chip"),
        replace(good, parameters={"Width": WIDTH, "Word": 9}),
        replace(good, parameters={}),
    ):
        file.unlink(missing_ok=True)
        file.write_bytes(add_records(file, [bad]))
        shelf, [said] = shelf_with([file])
        assert shelf is SHIPPED and str(file) in said


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"design": "rrm"}]', "junk"])
def test_a_damaged_file_of_records_is_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "own.json"
    file.write_text(text)
    with pytest.raises(RecordError, match=r"own\.json"):
        read_records(file)


# ---- the command


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["explore", *arguments])


def test_the_command_prints_and_saves_its_front(lab: Lab, tmp_path: Path) -> None:
    file = tmp_path / "front.json"
    common = ("rrm", "-w", str(WIDTH), "--seeds", "0", "--trials", "40")
    said = run(*common, "--save", str(file), "--json")
    assert said.exit_code == 0
    found = json.loads(said.stdout)
    assert {(row["luts"], row["latency"]) for row in found["front"]} == front_by_hand(builds_by_hand())
    assert {tuple(sorted(each.parameters.items())) for each in read_records(file)} == {
        tuple(sorted({"Width": WIDTH, **row["config"]}.items())) for row in found["front"]
    }
    text = run(*common).stdout
    assert all(f"{row['luts']}" in text for row in found["front"])
    lines = run(*common, "--csv").stdout.splitlines()
    assert lines[0].startswith("target,core,") and len(lines) >= 1 + len(found["front"])


def test_the_command_ends_with_1_where_a_build_is_wrong(lab: Lab) -> None:
    lab.wrong = set(builds_by_hand())
    said = run("rrm", "-w", str(WIDTH), "--seeds", "0", "--trials", "3")
    assert said.exit_code == 1 and "1 * 1 = 2" in said.stderr


def test_a_search_with_the_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "verify", Lab().verify)  # which compiles for seconds
    asked = Search(room("imml_booth4"), 4, CHIPS["gates"], count=20, trials=5)
    found = explore(asked)
    assert found.whole and (found.measured, found.known) == (2, 0) and not found.failed
    again = explore(asked)
    assert (again.measured, again.known) == (0, 2) and again.front == found.front
    tried = [(row.luts, row.latency * (row.depth or 0)) for row in found.tried]
    kept = {(row.luts, row.latency * (row.depth or 0)) for row in found.front}
    assert kept == {tried[at] for at in front([(float(a or 0), float(t)) for a, t in tried])}
    assert all((row.verified or 0) >= 20 for row in found.front)


def test_the_space_of_a_listed_and_an_unlisted_search_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = space(room("rrm"), WIDTH, ECP5)
    monkeypatch.setattr("modmul.study.space.LISTED", 1)
    unlisted: Space = space(room("rrm"), WIDTH, ECP5)
    assert unlisted.legal is None and listed.legal is not None
    rng, seen = random.Random(1), set[Build]()
    while (point := unlisted.unseen(seen, rng)) is not None:
        seen.add(unlisted.build(point))
    assert seen == set(listed.legal)
