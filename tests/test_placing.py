# SPDX-License-Identifier: Apache-2.0
"""Place and route, and how measurements fail and resume."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from small_designs import BODY, design_with, forbid_tools, job, small

from modmul.measure import (
    CHIPS,
    Chip,
    Job,
    Measurement,
    Record,
    Shelf,
    Store,
    ToolFailure,
    measure,
    place_and_route,
    route,
    synthesise,
)
from modmul.measure.route import netlist_digest
from modmul.registry import Room, on, room
from modmul.tools import machine
from modmul.tools.paths import cache_dir
from modmul.tools.progress import Progress
from modmul.tools.run import run_tool

pytestmark = pytest.mark.usefixtures("empty_cache")

SEEDS = (1, 2, 3)
ECP5 = CHIPS["ecp5"]


def test_place_and_route_gives_a_frequency_for_every_seed(booth: Room) -> None:
    store = Store()
    timing = place_and_route(small(booth), ECP5, SEEDS, store)
    assert timing.seeds == SEEDS
    fmax = sorted(timing.fmax_mhz.values())
    assert 20 < fmax[0] <= fmax[2] < 600
    assert timing.median_mhz == fmax[1]
    assert timing.spread_mhz == pytest.approx(fmax[2] - fmax[0])
    assert all(log.is_file() for log in timing.logs.values())
    # Nothing of the core is optimised away: its flip-flops and the wrapper's are all there.
    inputs, outputs = 4 + 3 * 8, 4 + 8
    area = synthesise(small(booth), ECP5, store)
    assert timing.utilisation["TRELLIS_FF"][0] == area.ffs + inputs + 2 * outputs
    assert timing.utilisation["TRELLIS_COMB"][0] >= area.luts


def test_crowded_designs_are_placed_in_another_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A core that says so, and systems of several cores or with long programs.

    A farm is routed in another way, too.
    """
    given: list[Sequence[str]] = []

    def run(_target: Chip, arguments: Sequence[str], *_: object) -> dict[str, object]:
        given.append(arguments)
        return {"fmax_mhz": 1.0, "utilisation": {}, "seconds": 1.0, "log": ""}

    def netlist(router: route.Router) -> Path:
        made = tmp_path / router._design.digest
        made.write_text(router._design.digest)
        return made

    monkeypatch.setattr(route, "_run", run)
    monkeypatch.setattr(route.Router, "netlist", netlist)
    store = Store(tmp_path / "store")
    placed = (
        ("static", "", room("imml_radix8").build(4)),
        ("static", "", on("rsa_crt", "imml_radix4").build(8)),
        ("static", "", on("modexp", "imml_radix4").build(4, {"Cores": 2})),
        ("static", "", on("ecc_p192", "imml_radix4").build(192)),
        ("static", "router2", room("farm:imml_radix4").build(4, {"Cores": 2})),
        ("static", "router2", room("farm:modexp:imml_radix4").build(4, {"Cores": 2})),
        ("", "", on("modexp", "imml_radix4").build(4)),
        ("", "", room("imml_radix4").build(4)),
    )
    for placer, router, build in placed:
        design = build.design
        place_and_route(design, ECP5, (1,), store)
        options = given[-1]
        for option, value in (("--placer", placer), ("--router", router)):
            assert (options[options.index(option) + 1] if option in options else "") == value
        assert ("static" in route.route_flow(design, ECP5)) == bool(placer)
    assert len(given) == len(placed)


def test_place_and_route_refuses_what_it_cannot_do(booth: Room) -> None:
    with pytest.raises(ValueError, match="virtex6"):
        place_and_route(small(booth), CHIPS["virtex6"], SEEDS, Store())
    with pytest.raises(ValueError, match="at least one seed"):
        place_and_route(small(booth), ECP5, (), Store())


# Failures, resuming, many jobs


def test_synthesis_that_takes_too_long_is_a_failure(booth: Room) -> None:
    with pytest.raises(ToolFailure, match=r"took longer than 0\.01 s") as failure:
        synthesise(small(booth), ECP5, Store(), timeout=0.01)
    assert failure.value.log.is_file()


def test_a_second_measurement_runs_no_tool(booth: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [job(booth, "ecp5", (1,)), job(booth, "cyclonev")]
    first = measure(jobs)
    forbid_tools(monkeypatch)
    assert measure(jobs) == first


def is_yosys(command: Sequence[str]) -> bool:
    return "modmul.tools.yosys_job" in command


def count_runs(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """The runs of Yosys and of nextpnr from now on, in two lists."""
    runs: tuple[list[str], list[str]] = ([], [])

    def run(command: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
        runs[not is_yosys(command)].append(log.name)
        return run_tool(command, folder=folder, log=log, timeout=timeout)

    monkeypatch.setattr(machine, "run_tool", run)
    return runs


def test_an_interrupted_measurement_resumes_at_the_missing_seed(
    booth: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store()

    def interrupt(event: Progress) -> None:
        if "seed 1" in event.text:
            raise KeyboardInterrupt

    jobs = [job(booth, "ecp5", (1, 2))]
    with pytest.raises(KeyboardInterrupt):
        measure(jobs, workers=1, store=store, listener=interrupt)
    assert not list((cache_dir() / "work").iterdir())
    yosys, nextpnr = count_runs(monkeypatch)
    measure(jobs, store=store)
    assert (len(yosys), len(nextpnr)) == (1, 1)
    measure([job(booth, "ecp5", (2, 1))], store=store)
    assert (len(yosys), len(nextpnr)) == (1, 1)


def test_one_netlist_serves_all_seeds(booth: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yosys runs once for the area and once for the netlist, however many seeds run at a time."""
    yosys, nextpnr = count_runs(monkeypatch)
    [(_, outcome)] = measure([job(booth, "ecp5", SEEDS)], workers=3)
    assert isinstance(outcome, Measurement) and outcome.timing and outcome.timing.seeds == SEEDS
    assert (len(yosys), len(nextpnr)) == (2, len(SEEDS))


def test_the_same_netlist_is_placed_once(
    booth: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sources that say the same with other words, and then something else."""
    driven = BODY + "\nassign z_o = q;\n"
    made = {}
    yosys, nextpnr = count_runs(monkeypatch)
    for name, body in (
        ("one", driven),
        ("same", driven.replace("x_i ^ y_i", "x_i ^ (y_i)")),
        ("other", driven.replace("x_i ^ y_i", "x_i & y_i")),
    ):
        folder = tmp_path / name
        folder.mkdir()
        timing = place_and_route(design_with(booth, folder, body), ECP5, (1,), Store())
        made[name] = timing.fmax_mhz, len(nextpnr)
    assert made["same"] == made["one"] and made["one"][1] == 1
    assert made["other"][1] == 2 and len(yosys) == 3


def test_a_netlist_is_what_its_cells_are(tmp_path: Path) -> None:
    """Not where they come from, nor what number a name has."""
    text = """{"cells": {"$lut$12": {"type": "LUT4", "module": "$paramod$ab\\\\m", "cell_src": "m.sv:3"},
"$ff$7": {"D": "$lut$12", "src": "m.sv:1", "C": "$techmap5\\\\m.C"}}}"""
    netlist = tmp_path / "netlist.json"

    def digest(*changes: tuple[str, str]) -> str:
        changed = text
        for right, wrong in changes:
            assert right in changed
            changed = changed.replace(right, wrong)
        netlist.write_text(changed)
        return netlist_digest(netlist)

    ours = digest()
    assert ours == digest(("$ab", "$cd"), ("sv:3", "sv:4"), ("sv:1", "sv:9")) == digest(("$12", "$13"))
    assert ours == digest(("$techmap5", "$techmap6"))
    assert ours != digest(("LUT4", "LUT5"))
    assert ours != digest(('"D": "$lut$12"', '"D": "$lut$7"'))


def test_the_netlist_of_a_record_is_not_placed_again(
    booth: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that has measured nothing; a seed that the record has not, and another netlist, are.

    The record is of a core that had another parameter then.
    """
    driven = BODY + "\nassign z_o = q;\n"
    designs = []
    for name, text in (("ours", "x_i ^ y_i"), ("same", "\n\nx_i ^ (y_i)"), ("other", "x_i & y_i")):
        (tmp_path / name).mkdir()
        designs.append(design_with(booth, tmp_path / name, driven.replace("x_i ^ y_i", text)))
    ours, same, other = designs
    [(_, made)] = measure([Job(ours, ECP5, (1,))], store=Store(tmp_path / "there"))
    assert isinstance(made, Measurement) and made.timing
    shelf = Shelf(tmp_path / "shelf")
    record = Record.of(ours, ECP5, made.area, made.timing)
    shelf.write([replace(record, fmax_mhz={1: 1.5}, parameters={**record.parameters, "Then": 1})])
    _, nextpnr = count_runs(monkeypatch)
    store = Store(tmp_path / "here")
    wanted = [Job(same, ECP5, (1,)), Job(other, ECP5, (1,)), Job(same, ECP5, (1, 2))]
    clocks = []
    for each in wanted:
        [(_, found)] = measure([each], store=store, shelf=shelf)
        assert isinstance(found, Measurement) and found.timing and found.timing.placed
        clocks.append((found.timing.fmax_mhz[1], found.timing.placed, len(nextpnr)))
    assert clocks[0] == (1.5, made.timing.placed, 0)
    assert clocks[1][0] != 1.5 and clocks[1][1] != made.timing.placed and clocks[1][2] == 1
    assert clocks[2] == (1.5, made.timing.placed, 2)


def test_a_block_is_placed_and_routed_like_a_core() -> None:
    """Its ports are read off the elaborated module."""
    found = room("scalable_booth4_left")
    build = found.core.builds.at(16)[0]
    element = found.block(build, "element")
    assert element.name == "scalable_booth4_left/element" and not element.ports
    [(_, outcome)] = measure([Job(element, ECP5, (1,))])
    assert isinstance(outcome, Measurement) and outcome.timing
    assert outcome.area.ffs < outcome.timing.utilisation["TRELLIS_FF"][0]
    with pytest.raises(ValueError, match="no block 'elephant'; it has element, kernel"):
        found.block(build, "elephant")


def test_one_failing_job_stops_no_other(booth: Room, tmp_path: Path) -> None:
    broken = design_with(booth, tmp_path, BODY)
    jobs = [
        Job(broken, ECP5, SEEDS),
        job(booth, "ecp5", (1,)),
        job(booth, "cyclonev"),
    ]
    events: list[Progress] = []
    outcome = measure(jobs, listener=events.append)
    assert [job for job, _ in outcome] == jobs
    failure, routed, synthesised = (result for _, result in outcome)
    assert isinstance(failure, ToolFailure) and failure.log.is_file()
    assert isinstance(routed, Measurement) and routed.timing is not None
    assert isinstance(synthesised, Measurement) and synthesised.timing is None
    for phase, steps in (("synthesise", 3), ("place and route", 1)):
        done = [event.done for event in events if event.phase == phase]
        assert done == list(range(steps + 1))
        assert {event.total for event in events if event.phase == phase} == {steps}


def test_an_interruption_kills_the_tools_and_keeps_the_results(
    booth: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(event: Progress) -> None:
        if event.done == 1:
            raise KeyboardInterrupt

    jobs = [job(booth, "ecp5", SEEDS), job(booth, "virtex6", width=64), job(booth, "virtex2", width=64)]
    store = Store()
    with pytest.raises(KeyboardInterrupt):
        measure(jobs, workers=1, store=store, listener=interrupt)
    assert not list((cache_dir() / "work").iterdir())
    forbid_tools(monkeypatch)
    assert synthesise(small(booth), ECP5, store).luts > 0


def test_place_and_route_that_fails_leaves_the_area(booth: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
        if is_yosys(command):
            return run_tool(command, folder=folder, log=log, timeout=timeout)
        raise ToolFailure("no legal placement", log)

    monkeypatch.setattr(machine, "run_tool", run)
    [(_, outcome)] = measure([job(booth, "ecp5", SEEDS)])
    assert isinstance(outcome, Measurement) and outcome.area.luts > 0 and outcome.timing is None
    assert outcome.failure is not None and outcome.failure.reason == "no legal placement"
