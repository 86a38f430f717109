# SPDX-License-Identifier: Apache-2.0
"""What a comparison knows at once, what that leaves to do, and what is said of it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from modmul.cli import printing
from modmul.cli.progress import EARLY, Arrival, Lines
from modmul.measure import CHIPS, SHIPPED, Job, Shelf, known
from modmul.moduli import NAMED, modulus
from modmul.registry import choose_rooms, quickest, room, rooms, serving, too_large
from modmul.study.compare import Comparing, Request, compare
from modmul.study.expecting import expected, verification
from modmul.study.measuring import Tools, left_out
from modmul.study.rows import Skipped, by_reason
from modmul.study.shipping import SYSTEMS
from modmul.tools.progress import Progress, hours
from modmul.tools.store import Store

ECP5 = CHIPS["ecp5"]
SMALL = "interleaved_radix2"


pytestmark = pytest.mark.usefixtures("empty_cache")


def request(text: str = "p256", **changes: Any) -> Request:
    """Of two cores that are quick to do anything with."""
    chosen = modulus(text)
    some = Request(chosen, max(chosen.bits, 8), ECP5, (room(SMALL), room("rrm")))
    return replace(some, **changes)


def test_shipped_figures_are_known_at_once() -> None:
    comparing = Comparing(request())
    found = comparing.known()
    assert all(row.luts and row.fmax_mhz and row.shipped for row in found.rows)
    assert not comparing.unmeasured and len(comparing.unverified) == len(comparing.jobs)
    assert comparing.pending and all(row.verified is None for row in found.rows)
    assert not Comparing(request(count=0)).pending


def test_what_is_not_known_is_missing_and_said_to_be_left() -> None:
    comparing = Comparing(request("251", count=0))
    assert list(comparing.unmeasured) == list(comparing.jobs)
    assert all(row.luts is None and row.failure is None for row in comparing.known().rows)
    assert comparing.seconds() > comparing.seconds(routed=False) > 0
    both = Comparing(request("251", count=100))
    assert both.seconds() > comparing.seconds()
    assert comparing.seconds() > Comparing(request("251", count=0, tools=Tools(workers=8))).seconds()


def test_an_area_that_is_known_without_its_frequency() -> None:
    """A fourth seed is not shipped, the area is."""
    comparing = Comparing(request(seeds=(1, 2, 3, 4), count=0))
    assert list(comparing.unmeasured) == list(comparing.jobs)
    assert all(row.luts and row.fmax_mhz is None for row in comparing.known().rows)


def test_what_was_measured_and_verified_here_is_known() -> None:
    wanted = request("251", rooms=(room(SMALL),), target=CHIPS["cyclonev"], seeds=(), count=100)
    done = compare(wanted)
    comparing = Comparing(wanted)
    assert not comparing.pending
    assert comparing.known().rows == done.rows
    [row] = done.rows
    assert row.luts and row.verified and row.verified >= 100 and not row.shipped
    [job] = comparing.jobs.values()
    assert known(job, Store(), None) and not known(replace(job, target=CHIPS["gates"]), Store(), None)


def test_a_build_with_other_parameters() -> None:
    found = Comparing(request(parameters={"DigitBits": 1}, count=0))
    [build] = found.jobs
    assert (build.slug, build.config.options()["DigitBits"]) == ("rrm", 1)
    [skipped] = found.skipped
    assert skipped.core == SMALL and "DigitBits" in skipped.reason


@pytest.mark.parametrize(
    ("system", "name", "core", "width"),
    [
        ("rsa_crt", "rsa2048", "montgomery_dsp", 2048),
        ("ecc_x25519", "curve25519", "sparse_prime_dsp", 255),
        ("ecc_b233", "b233", "gf2m_fixed", 233),
        ("modexp", "p256", "rrm", 256),
    ],
)
def test_shipped_builds_of_systems_are_compared(system: str, name: str, core: str, width: int) -> None:
    """Beside the default ones, each once, on the chip that they were measured on."""
    chosen, found = modulus(name), room(f"{system}:{core}")
    wanted = Request(chosen, width, ECP5, (found,), count=0)
    comparing = Comparing(wanted)
    shipped = [found.build(width, of) for *where, of in SYSTEMS if where == [system, core, width]]
    assert shipped and {*shipped} <= comparing.jobs.keys() - comparing.unmeasured.keys()
    usual = found.fitting(width, chosen.value, "ecp5")
    assert list(comparing.jobs) == list(dict.fromkeys((*usual, *shipped)))
    for build, row in zip(comparing.jobs, comparing.known().rows, strict=True):
        assert row.config == build.config.options() and (build not in shipped or row.operations_per_s)
    assert [*Comparing(replace(wanted, target=CHIPS["artix7"])).jobs] == [
        *found.fitting(width, chosen.value, "artix7")
    ]
    other = replace(wanted, parameters={"Cores": 2})
    assert [build.config.options()["Cores"] for build in Comparing(other).jobs] == [2]


def test_builds_are_those_of_the_chip() -> None:
    wanted = request("bn254-fp", rooms=(room("pipelined"),), count=0)
    for chip in ("ultrascaleplus", "artix7"):
        [build] = Comparing(replace(wanted, target=CHIPS[chip])).jobs
        assert build.config == room("pipelined").core.builds.at(254, chip)[0]
    tuned = replace(wanted, target=CHIPS["ultrascaleplus"], parameters={"Leaf": 64})
    [build] = Comparing(tuned).jobs
    assert (build.config.options()["TileA"], build.config.options()["Leaf"]) == (27, 64)


def test_the_first_build_of_a_core_for_the_modulus_is_placed() -> None:
    """Also where that is not the default, or is asked for."""
    wanted = request(rooms=(room("sparse_prime"), room("rrm")), routed=("sparse_prime",), count=0)
    [fixed, *others] = Comparing(wanted).jobs.values()
    assert fixed.design.name == "sparse_prime" and fixed.seeds and not any(each.seeds for each in others)
    asked = replace(wanted, rooms=(room("rrm"),), routed=("rrm",), parameters={"DigitBits": 1})
    assert [bool(each.seeds) for each in Comparing(asked).jobs.values()] == [True]
    assert not any(each.seeds for each in Comparing(replace(wanted, routed=())).jobs.values())


def test_cores_that_a_chip_does_not_hold_are_named() -> None:
    found = left_out(ECP5, 256)
    reasons = {each.core: each.reason for each in found}
    assert reasons.keys() == {"pipelined", "small_any", "small_fixed"}
    assert "96" in reasons["pipelined"] and reasons["small_fixed"].startswith("it is made for up to 64 bits")
    assert [each.core for each in left_out(ECP5, 64)] == ["small_any"]
    assert not left_out(ECP5, 32)
    held = {each.core.slug for each in choose_rooms(None, "ecp5", 256)}
    assert held | {each.core.slug for each in too_large("ecp5", 256)} == set(rooms())
    assert Comparing(request(left_out=found)).known().skipped == [*found]


def test_cores_with_the_same_reason_are_one_line() -> None:
    skipped = [Skipped("a", "odd"), Skipped("b", "long"), Skipped("c", "odd")]
    assert by_reason(skipped) == {"odd": ["a", "c"], "long": ["b"]}
    found = Comparing(request("b233", rooms=tuple(rooms().values()), count=0)).known()
    console = Console(file=io.StringIO(), width=10_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(printing, "out", console)
        printing.print_comparison(found)
    lines = [line for line in console.file.getvalue().splitlines() if line.startswith("not compared")]  # type: ignore[attr-defined]
    assert len(lines) == len(by_reason(found.skipped)) < len(found.skipped)
    assert all(sum(each.core in line for line in lines) for each in found.skipped)


def test_cores_for_an_even_modulus() -> None:
    for slug in serving(0x100):
        room(slug).fitting(9, 0x100)
    assert SMALL in serving(0x100) and "rrm" not in serving(0x100) and "rrm" in serving(0x101)
    with pytest.raises(ValueError, match=SMALL):
        Comparing(request("0x100", rooms=(room("rrm"),)))


def test_the_quickest_core_of_a_system() -> None:
    best = quickest("modexp")
    cycles = room(f"modexp:{best}").build(256).latency
    for other in ("interleaved_csa", "rrm", "montgomery_cascade"):
        assert cycles <= room(f"modexp:{other}").build(256).latency


def test_expected_times_come_from_the_records(tmp_path: Path) -> None:
    job = Job(room("rrm").build(256).design, ECP5, (1, 2, 3))
    record = SHIPPED.earlier(job.design, ECP5)
    assert record
    assert expected(job) == (record.seconds[0], record.seconds[1] / 3)
    assert expected(replace(job, seeds=()))[1] == 0
    longer = expected(Job(room("rrm").build(4096).design, ECP5, (1,)))
    assert longer > expected(job)
    assert expected(job, Shelf(tmp_path)) == (0, 0)
    (tmp_path / "rrm.json").write_text("junk")
    assert expected(job, Shelf(tmp_path)) == (0, 0)
    builds = room("rrm").fitting(256)
    assert verification(builds, 10_000) > verification(builds, 1000) > verification(builds[:1], 1000) > 0


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    found = Comparing(request()).known()
    printing.print_csv(found)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["core"] for row in rows] == [row.core for row in found.ranked]
    assert [int(row["luts"]) for row in rows] == [row.luts for row in found.ranked]
    assert {row["reduced"] for row in rows} == {"True", "False"}
    assert {row["results"] for row in rows if row["reduced"] == "False"} == {"8M-1"}
    assert all("=" in row["parameters"] for row in rows if row["core"] == "rrm")


# --- the time of arrival ------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_follows_from_the_steps_of_the_phase() -> None:
    clock = Clock()
    arrival = Arrival(clock)
    assert arrival(Progress("verify", "", 500, 1000)) == ""
    clock.now = 100.0
    assert arrival(Progress("verify", "", 500, 1000)) == ""
    assert hours(400) in arrival(Progress("verify", "", 600, 1000))
    assert arrival(Progress("verify", "", 1000, 1000)) == ""
    assert arrival(Progress("synthesise", "", 0, 4)) == ""
    clock.now += EARLY / 2
    assert arrival(Progress("synthesise", "", 2, 4)) == ""


def test_the_time_left_that_is_told_runs_down() -> None:
    clock = Clock()
    arrival = Arrival(clock)
    assert arrival(Progress("synthesise", "", 0, 4, 7200.0)).count(hours(7200))
    clock.now = 6000.0
    assert arrival(Progress("synthesise", "", 0, 4, 7200.0)).count(hours(1200))
    clock.now = 9000.0
    assert arrival(Progress("synthesise", "", 0, 4, 7200.0)).count(hours(0))
    assert arrival(Progress("synthesise", "", 4, 4, 0.0)) == ""


def test_lines_tell_it() -> None:
    lines: list[str] = []
    clock = Clock()
    told = Lines(lines.append, clock=clock)
    told(Progress("place and route", "", 0, 3, 40.0))
    assert len(lines) == 1 and hours(40) in lines[0]


def test_times_for_people() -> None:
    assert [hours(seconds) for seconds in (0, 50, 100, 3000, 9000, 90_000)] == [
        *("1 s", "50 s", "2 min", "50 min", "2.5 h", "25 h")
    ]


def test_the_named_moduli_are_all_served() -> None:
    assert all(serving(each.value) for each in NAMED.values() if each.bits <= 600)
